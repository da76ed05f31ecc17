package train

import (
	"earthgym/env"
)

// The league: who the network plays against, game by game.
//
//	OpponentShare   of the games have an agent of the field in all seats that are not the network's: random and the
//	                game's bots, or whoever the config names; with Exploit one is
//	PoolShare       have a past self there
//	the rest        have the network in every seat
//
// Of the field, those that are hard to beat come more often: prioritised fictitious self-play (Vinyals et al.,
// Grandmaster Level in StarCraft II Using Multi-Agent Reinforcement Learning, 2019), with the weight (1-p)⁴, where p is
// how often the network beats them: of a clone of the strongest bot, that bot is the opponent in more than half of the
// games. Each has a floor, leagueFloor, so that what beats the strongest goes on beating the
// weakest. Where all win together nobody is beaten: there p is how often the table wins with such a partner, and the
// weight p·(1-p), as a partner with whom games are always lost, or always won, shows nothing of what is done well.

// leagueFloor is the share of the games against the field that each agent of it gets at least.
const leagueFloor = 0.03

// draw chooses the opponent of a game.
func (p *pool) draw(c *Config, info *env.Info, luck *env.Stream) int32 {
	switch u := luck.Float64(); {
	case u < c.OpponentShare:
		return p.drawField(leagueFloor, info.Shared(), luck.Float64())
	case u < c.OpponentShare+c.PoolShare && len(p.past) > 0:
		return int32(len(p.fixed) + luck.Below(len(p.past)))
	}
	return noOpponent
}

// drawField chooses one of the field; u, in [0, 1), is the drawn number.
func (p *pool) drawField(floor float64, shared bool, u float64) int32 {
	sum := 0.0
	for i, f := range p.form {
		lost := 1 - f.won()
		p.weights[i] = lost * lost * lost * lost
		if shared {
			p.weights[i] = lost * (1 - lost)
		}
		sum += p.weights[i]
	}
	floor = min(floor, 1/float64(p.field))
	for i, w := range p.weights {
		if u -= floor + (1-float64(floor*float64(p.field)))*w/sum; u < 0 {
			return int32(i)
		}
	}
	return int32(p.field - 1)
}
