package earthman

import (
	"fmt"

	"earthgym/env"
)

// ending is how a game ended (RULES.md 9).
type ending uint8

const (
	running ending = iota
	endPoints
	endAlone
	endClaim
	endPeace
	endSkynet
	endLimit
	numEndings
)

var endingNames = [numEndings]string{"", "points", "alone", "claim", "peace", "skynet", "limit"}

// scoreSeat is EB-030 to EB-032 for the seat whose score is taken: the actor, or in the final Score each
// seat in turn.
func (s *State) scoreSeat(p env.Player, tape *env.Tape) {
	my := &s.seats[p]
	my.vp += int32(s.PowerVP(p))
	for range my.level[AI] { // EB-032
		face := s.die(eventNames[evAI], tape)
		switch {
		case face >= s.game.data.Track.Score:
			my.vp++
		case face == 1 && s.game.skynet:
			if s.drawCard(tape); s.phase == IsOver {
				return
			}
		}
	}
}

// score is step 1 of the actor's turn.
func (s *State) score(tape *env.Tape) { s.scoreSeat(env.Player(s.actor), tape) }

// PowerVP is what the Power of a seat would score now: 0, 1 or 2 (EB-030, EB-031).
func (s *State) PowerVP(p env.Player) int {
	power := s.seats[p].power
	if power < int32(s.game.data.Track.Power) {
		return 0
	}
	above := 0
	for q := range s.game.players {
		if s.seats[q].power < power {
			above++
		}
	}
	switch others := s.game.players - 1; {
	case above == others:
		return 2
	case 2*above >= others:
		return 1
	}
	return 0
}

// testTrigger is EB-033.
func (s *State) testTrigger(p env.Player) {
	vp := int(s.seats[p].vp)
	if vp > s.game.points || s.Lead(p) > s.game.lead {
		s.trigger = true
	}
}

// Lead is by how many VP a seat is ahead of the best other; negative if it is behind.
func (s *State) Lead(p env.Player) int {
	best := int32(0)
	for q := range s.game.players {
		if env.Player(q) != p {
			best = max(best, s.seats[q].vp)
		}
	}
	return int(s.seats[p].vp - best)
}

// hasUnits says whether a seat has fleets or developments on the board.
func (s *State) hasUnits(p env.Player) bool {
	return s.seats[p].fleets > 0 || s.seats[p].developments > 0
}

// testAlone is EB-035.
func (s *State) testAlone(p env.Player) bool {
	if !s.hasUnits(p) {
		return false
	}
	for q := range env.Player(s.game.players) {
		if q != p && s.hasUnits(q) {
			return false
		}
	}
	s.finish(endAlone, env.Only(p))
	return true
}

// legalAccord is what is left of claims and peace proposals.
func (s *State) legalAccord(m env.Mask, p env.Player) {
	m.SetIf(s.seats[p].claims > 0, Claim)
	m.SetIf(s.seats[p].peace > 0, Peace)
	m.Block(Done, 1)
}

// playAccord is EB-036 and EB-037.
func (s *State) playAccord(p env.Player, a env.Action, _ *env.Tape) {
	switch a {
	case Claim:
		s.seats[p].claims--
		s.askClaim(p)
	case Peace:
		s.seats[p].peace--
		s.askPeace(p)
	}
}

func (s *State) playClaimVote(p env.Player, a env.Action, _ *env.Tape) {
	if a == Yes {
		s.askClaim(p)
	}
}

func (s *State) playPeaceVote(p env.Player, a env.Action, _ *env.Tape) {
	if a == Yes {
		s.askPeace(p)
	}
}

// askClaim asks the next seat with units after p whether the actor has won.
func (s *State) askClaim(p env.Player) {
	for q := s.clockwise(p, 1); q != env.Player(s.actor); q = s.clockwise(q, 1) {
		if s.hasUnits(q) {
			s.open(AtClaimVote, q)
			return
		}
	}
	s.finish(endClaim, env.Only(env.Player(s.actor)))
}

// askPeace asks the next seat after p whether there is peace.
func (s *State) askPeace(p env.Player) {
	if q := s.clockwise(p, 1); q != env.Player(s.actor) {
		s.open(AtPeaceVote, q)
		return
	}
	s.finish(endPeace, env.Nobody)
}

// finalScore is EB-260 and EB-261.
func (s *State) finalScore(tape *env.Tape) {
	tape.Mark("final", env.Over)
	s.phase = InScore
	for i := range s.game.players {
		p := s.clockwise(env.Player(s.first), i)
		tape.Mark("scores", p)
		s.scoreSeat(p, tape)
		if s.phase == IsOver { // EB-271
			return
		}
	}
	s.finish(endPoints, s.leaders())
}

// leaders are the seats with the highest VP.
func (s *State) leaders() env.Seats {
	return env.AllOf(s.game.players).Most(func(p env.Player) int { return int(s.seats[p].vp) })
}

// finish ends the game.
func (s *State) finish(how ending, winners env.Seats) {
	s.phase, s.end, s.winners = IsOver, how, winners
	s.decision, s.seat = NoDecision, int8(env.Over)
	s.arrived = [NumWorlds]Fleets{}
	s.pay = noPayment
	s.pending = nothing
	s.clearLot()
	for p := range s.seats {
		s.seats[p].ledgerOff = 0 // A payment may have been cut short.
	}
}

// drawCard is EB-270 and EB-271: an Unexpected AI Thought.
func (s *State) drawCard(tape *env.Tape) {
	undrawn := s.undrawn
	i := tape.Uniform(&s.luck[cardStream], env.Everybody, "card", Places(undrawn).Count(),
		func(i int) string { return cardTexts[nthCard(undrawn, i)] })
	card := nthCard(undrawn, i)
	s.undrawn &^= 1 << card
	thought := &s.game.data.Cards[card]
	s.rogue += uint8(thought.Symbols)
	if tape != nil {
		tape.Note(env.Everybody, fmt.Sprintf("%s (%d Rogue symbols): %s", thought.Title, thought.Symbols, thought.Story))
	}
	if int(s.rogue) >= s.game.data.Track.Skynet {
		s.finish(endSkynet, env.Nobody)
	}
}

// nthCard is the n-th undrawn card, both from 0.
func nthCard(undrawn uint32, n int) int {
	for ; n > 0; n-- {
		undrawn &= undrawn - 1
	}
	return int(Places(undrawn).first())
}

var cardTexts = [NumCards]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
	"17", "18", "19", "20"}

// Returns is EB-330 and EB-331.
func (s *State) Returns(dst []float64) {
	clear(dst)
	n, k := s.game.players, s.winners.Count()
	switch {
	case s.end == endSkynet:
		for p := range dst {
			dst[p] = -1
		}
	case k == 0 || k == n:
	default:
		for p := range dst {
			if s.winners.Has(env.Player(p)) {
				dst[p] = float64(n-k) / float64(k*(n-1))
			} else {
				dst[p] = -1 / float64(n-1)
			}
		}
	}
}

// Scores are the VP (EB-332).
func (s *State) Scores(dst []float64) {
	for p := range dst {
		dst[p] = float64(s.seats[p].vp)
	}
}

// Winners are those of EB-035, EB-036, EB-260 and EB-333.
func (s *State) Winners() env.Seats { return s.winners }

// Reason is how the game ended: points, alone, claim, peace, skynet or limit.
func (s *State) Reason() string { return endingNames[s.end] }

// ends are those of EB-035 to EB-037, EB-260, EB-271 and EB-333.
func (g *Game) ends() []env.Ending {
	all := []env.Ending{
		{Name: endingNames[endPoints], Help: "enough Victory Points, a lead or the last round have brought the final Score"},
		{Name: endingNames[endAlone], Help: "one seat alone has fleets or developments left"},
		{Name: endingNames[endClaim], Help: "all have granted a claim to victory"},
		{Name: endingNames[endPeace], Help: "all have made peace: nobody wins or loses"},
		{Name: endingNames[endLimit], Help: "the limit of decisions; most Victory Points win"},
	}
	if g.skynet {
		all = append(all, env.Ending{Name: endingNames[endSkynet], Help: "Skynet has taken over", Loss: true})
	}
	return all
}

// Depletion is how many of Skynet's Rogue symbols are drawn; 0 without Skynet.
func (s *State) Depletion() float64 {
	if !s.game.skynet {
		return 0
	}
	return min(1, float64(s.rogue)/float64(s.game.data.Track.Skynet))
}

// LostBy says whether Skynet has taken over, and by whom: the seats with the most AI, whose dice draw its cards
// (EB-032).
func (s *State) LostBy() (bool, env.Seats) {
	if s.end != endSkynet {
		return false, env.Nobody
	}
	return true, env.AllOf(s.game.players).Most(func(p env.Player) int { return s.Level(p, AI) })
}

// Potential is how well a seat stands against the mean of the others, for shaping rewards: Victory Points,
// then what brings them, Power, technology, fleets and resource.
func (s *State) Potential(p env.Player) float64 {
	own, others := 0.0, 0.0
	for q := range env.Player(s.game.players) {
		if q == p {
			own = s.worth(q)
		} else {
			others += s.worth(q)
		}
	}
	x := (own - others/float64(s.game.players-1)) / 12
	return x / (1 + max(x, -x))
}

func (s *State) worth(p env.Player) float64 {
	my := &s.seats[p]
	w := float64(my.vp) + float64(0.5*float64(my.power)) + float64(0.1*float64(my.fleets)) +
		float64(0.04*float64(my.resource)) - float64(0.1*float64(my.discontent))
	for set := my.known; set != 0; set &= set - 1 {
		w += float64(0.5 * float64(my.level[Places(set).first()]))
	}
	for set := my.studied; set != 0; set &= set - 1 {
		w += float64(0.08 * float64(my.counter[Places(set).first()]))
	}
	return w
}
