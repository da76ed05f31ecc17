package resilience

import (
	"fmt"

	"earthgym/env"
)

// asks is the decision in a sentence, to the one that decides.
func (s *State) asks() string {
	if s.decision == AtTurn {
		return s.row().Asks
	}
	return s.row().Asks + ": " + s.offerText()
}

// waits is what the others wait for.
func (s *State) waits() string { return fmt.Sprintf("Player %d%s", s.Actor(), s.row().Brief) }

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	if s.decision == Over {
		return ""
	}
	who, about := s.row().Asks, s.offerText
	if s.Actor() != p {
		who = s.waits()
	}
	if s.decision == AtTurn {
		about = s.stonesText
	}
	return fmt.Sprintf("%s: %s (%s).", who, about(), s.row().Rule)
}

// About implements env.Asker: fields and amounts are read together.
func (s *State) About(a env.Action) (what, which string) {
	if args := s.game.info.Actions[a].Args; len(args) == 1 && !act.say.Has(a) {
		which = args[0]
	}
	what, _ = s.row().About(s, s.Actor(), a)
	return what, which
}

// Inside implements env.Asker.
func (s *State) Inside() string { return s.row().GoesOn() }

// Effects implements env.Asker.
func (s *State) Effects(a env.Action) []env.Effect {
	_, effects := s.row().About(s, s.Actor(), a)
	return effects
}

// aboutSettling tells fields by their price, and by the smog payment that awaits the settlers.
func (s *State) aboutSettling(p env.Player, i int) (string, []env.Effect) {
	price, smog := s.SettlePrice(p, Field(i)), 0
	text := fmt.Sprintf("Settle for %d RES", price)
	switch {
	case !s.game.beside(s.industries).Has(Field(i)):
	case s.game.smogRounds:
		text += fmt.Sprintf(" and %d LQ of smog in each round", s.game.data.SmogLQ)
	default:
		smog = min(s.game.data.SmogLQ, s.LQ(p))
		text += fmt.Sprintf(" and %d LQ of smog", smog)
	}
	return text, []env.Effect{byRES(p, -price), byLQ(p, -smog), byTower(0)}
}

// aboutDeveloping tells a city or an industry by its price, yield, and stones, of which there may be too few; an
// industry also by whom its smog costs what.
func (s *State) aboutDeveloping(p env.Player, f Field, level Level) (string, []env.Effect) {
	g := s.game
	gain := int(g.production[level] - g.production[Settlement])
	stones := min(int(g.buildingStones[level]), g.Stones()-s.Tower())
	name := [numLevels]string{City: "City", Industry: "Industry"}[level]
	text := fmt.Sprintf("%s for %d RES, %+d RES a round", name, g.cost[level], gain)
	if stones > 0 {
		text += fmt.Sprintf(", %d on the tower (falls %s%s)", stones, percent(s.FallWithin(stones)), s.eventText(stones))
	}
	effects := []env.Effect{
		byRES(p, -int(g.cost[level])),
		{Player: p, What: "income", By: gain, Unless: true},
		{Player: env.Over, What: "tower", By: stones, Unless: true},
	}
	if level == City {
		return text, append(effects, byLQ(p, 0))
	}
	for q := range env.Player(g.players) {
		smog := env.Effect{Player: q, What: "lq", UpTo: true}
		if !g.smogRounds {
			smog.By = -s.SmogPayers(q, f).Count() * g.data.SmogLQ
		}
		effects = append(effects, smog)
	}
	return text + ", " + s.smogText(f), effects
}

func (s *State) aboutDismantling(p env.Player, i int) (string, []env.Effect) {
	level := s.Level(Field(i))
	stones := int(s.game.buildingStones[level])
	name := [numLevels]string{Settlement: "a settlement", City: "a city", Industry: "an industry"}[level]
	return fmt.Sprintf("Dismantle %s, %d off the tower", name, stones),
		[]env.Effect{byRES(p, 0), byLQ(p, 0), byTower(-stones)}
}

func (s *State) aboutPicking(p env.Player, i int) (string, []env.Effect) {
	text, effects := s.aboutDismantling(p, i)
	return text, append(s.dealt(), effects[2])
}

func (s *State) aboutSabbatical(p env.Player, _ int) (string, []env.Effect) {
	pays := s.game.data.SabbaticalRES
	_, bankLQ := s.bank()
	_, _, effects := s.ended(p, true, pays)
	return fmt.Sprintf("Take a sabbatical, pay %d RES, forgo the %d RES of this round, get %d LQ",
		pays, s.Income(p), min(s.game.data.SabbaticalLQ, int(bankLQ))), effects
}

func (s *State) aboutDone(p env.Player, _ int) (string, []env.Effect) {
	res, lq, effects := s.ended(p, false, 0)
	return fmt.Sprintf("End the turn, with %d RES and %d LQ from this round's allocation as things stand", res, lq),
		effects
}

// ended is what this round's allocation brings p, if it came now, and what the end of a turn does that p rests in, or
// not, and has paid for: the allocation comes only after the last one.
func (s *State) ended(p env.Player, resting bool, paid int) (res, lq int, effects []env.Effect) {
	after := *s
	after.resting[p] = resting
	after.dealOut(nil)
	res, lq = after.RES(p)-s.RES(p), after.LQ(p)-s.LQ(p)
	if int(s.turn)+1 < s.game.players {
		return res, lq, []env.Effect{byRES(p, -paid), byLQ(p, 0), byTower(0)}
	}
	effects = []env.Effect{byRES(p, res-paid), byLQ(p, lq), byTower(0)}
	for i := range effects {
		effects[i].Unless = true
	}
	return res, lq, effects
}

// aboutOffer says what an offer is about, to the seat that makes it.
func (s *State) aboutOffer(_ env.Player, i int) (string, []env.Effect) {
	kind, q := s.offerOf(i)
	return fmt.Sprintf([numKinds]string{
		"Give player %d RES", "Ask player %d for RES", "Pay player %d to dismantle a building",
		"Ask player %d to pay for dismantling one of yours",
	}[kind], q), nil
}

func (s *State) aboutWord(_ env.Player, i int) (string, []env.Effect) {
	if w := Calm + Word(i); w != Warn {
		return fmt.Sprintf("Promise %s in your next turn", wordMeanings[w]), nil
	}
	return "Say that nobody should place stones now", nil
}

func (s *State) aboutAgreeing(env.Player, int) (string, []env.Effect) {
	if d := s.dismantler(s.kind, env.Player(s.partner)); d >= 0 && s.removable(d).Count() > 1 {
		return "Agree", nil
	}
	return "Agree", s.dealt()
}

func (s *State) aboutDeclining(p env.Player, _ int) (string, []env.Effect) {
	return "Decline", []env.Effect{byRES(p, 0), byRES(s.Active(), 0), byTower(0)}
}

// dealt are the RES of a deal that go over.
func (s *State) dealt() []env.Effect {
	from, to := s.parties()
	return []env.Effect{byRES(from, -int(s.amount)), byRES(to, int(s.amount))}
}

// What changes of whose numbers.
func byRES(p env.Player, by int) env.Effect { return env.Effect{Player: p, What: "res", By: by} }
func byLQ(p env.Player, by int) env.Effect  { return env.Effect{Player: p, What: "lq", By: by} }
func byTower(by int) env.Effect             { return env.Effect{Player: env.Over, What: "tower", By: by} }

// Counters implements env.Asker.
func (s *State) Counters() []env.Counter {
	list := s.AppendCounters(nil)
	for p := range env.Player(s.game.players) {
		list = append(list, env.Counter{Player: p, What: "income", Value: s.Income(p)})
	}
	return list
}
