package newearth

import (
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	switch s.Actor() {
	case env.Over:
		return ""
	case p:
		return fmt.Sprintf("%s (%s)", s.question(p), s.row().Rule)
	}
	return s.waiting() + "."
}

// question is what is asked, in words to the seat that decides: what it is about, who asks and for how much.
func (s *State) question(p env.Player) string {
	active := seatName(env.Player(s.active))
	switch s.decision {
	case AtCatZone:
		return fmt.Sprintf("Which zone does %s strike?", s.game.titleOf(s.catastrophe))
	case AtNegate:
		text := fmt.Sprintf("%s of %s strikes", s.game.titleOf(s.catastrophe), active)
		if own := s.hit & s.owned[p]; own != 0 {
			text += " your " + zoneList(own)
		}
		both := board.When(s.catastrophe == Independence, "%s and ", s.game.titleOf(UrbanPlanning))
		return text + ": do you play " + both + "a City card against it?"
	case AtNegateZone:
		return fmt.Sprintf("Which of your zones does the card save from %s?", s.game.titleOf(s.catastrophe))
	case AtIndepAmount:
		return fmt.Sprintf("%s has left you: what cash do you commit to its return?", zoneList(s.hit))
	case AtIndepCard:
		return fmt.Sprintf("Which City cards do you commit to the return of %s, if any?", zoneList(s.hit))
	case AtProduce:
		return fmt.Sprintf("Your production turn, with %dm: what do you build, buy, sell or trade?", s.seats[p].has[Cash])
	case AtBulkPlace:
		return fmt.Sprintf("Where does the next machine go? %d that you have bought are to be placed.", s.placing)
	case AtOffer:
		return fmt.Sprintf("You offer %s to %s and want %s: which terms come next, if any?", s.offer.give,
			seatName(env.Player(s.offer.partner)), s.offer.want)
	case AtOfferReply:
		return fmt.Sprintf("%s gives you %s and wants %s: do you accept?", active, s.offer.give, s.offer.want)
	case AtFortifyZone:
		return fmt.Sprintf("Which city do you fortify with %s?", s.game.titleOf(s.chosenCard))
	case AtJoin:
		holder := seatName(env.Player(s.defender))
		return fmt.Sprintf("%s starts an election in %s (%s, worth %dm): do you join?", active, s.target, holder,
			s.game.zoneValue[s.sl[s.target]])
	case AtCommitAmount:
		return fmt.Sprintf("What cash do you commit in secret to the election in %s, worth %dm?", s.target,
			s.game.zoneValue[s.sl[s.target]])
	case AtCommitCard:
		return fmt.Sprintf("Which City cards do you commit in secret to the election in %s, if any?", s.target)
	case AtMoveTo:
		return fmt.Sprintf("Where do you put down what you have picked up in %s?", s.chosenZone)
	}
	return s.row().Direct
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	what = s.about(a)
	info := &s.game.info.Actions[a]
	switch {
	case len(info.Args) == 0:
		if info.Family == "mining" || info.Family == "energy" {
			which = info.Family
		}
	case act.offer.Has(a): // What names the seat.
	case act.give.Has(a), act.want.Has(a):
		which = strings.Join([]string{info.Args[1], info.Args[0]}, " ")
	default:
		which = s.game.wordOf(info.Args[0])
	}
	return what, which
}

// wordOf is the name of a card for its word in the action table, and any other word as it is.
func (g *Game) wordOf(word string) string {
	if c := slices.Index(cardNames[:], word); c >= 0 {
		return g.titleOf(Card(c))
	}
	return word
}

// Inside implements env.Asker.
func (s *State) Inside() string { return s.row().GoesOn() }

// Effects implements env.Asker: what the chart, the cards and the lines above the legal actions say.
func (s *State) Effects(a env.Action) []env.Effect {
	p := env.Player(s.seat)
	paid := func(price *holdings) (by holdings) {
		for k := range by {
			by[k] = -price[k]
		}
		return by
	}
	lots, automation := &s.game.lots, int32(s.game.data.Chart.Automation)
	var by holdings
	_, _, places := pieceOf(a)
	switch family := s.game.info.Actions[a].Family; {
	case s.goesOn(a):
		return nil
	case s.decision == AtOfferReply && a == Yes:
		for k := range by {
			by[k] = s.offer.want[k] - s.offer.give[k]
		}
		return append(by.effects(env.Player(s.active)), paid(&by).effects(p)...)
	case s.decision == AtAssignMining || s.decision == AtAssignEnergy:
		mining, energy, last := s.assignedBy(p, a)
		if !last {
			return nil
		}
		made := s.outputWith(p, mining, energy)
		copy(by[:], made[:])
	case s.decision == AtDevelop && a == Done:
		by[Goods] = -s.surplus(p)
	case places && (s.decision == AtProduce || s.decision == AtBulkPlace):
		if s.decision == AtProduce {
			by = paid(&lots[lotMachine])
		}
		if family != "machine" {
			by[Cash] -= automation
		}
	case a == Goods5:
		by = paid(&lots[lotGoods5])
		by[Goods] += 5
	case a == Goods10:
		by = paid(&lots[lotGoods10])
		by[Goods] += 10
	case a == Bulk:
		by = paid(&lots[lotBulk])
	case a == Plant:
		by = paid(&lots[lotPlant])
	case family == "sell":
		by[Cash] = s.game.sale[act.sell.Index(a)]
	case family == "unit":
		by[s.game.unit[act.unit.Index(a)]] = 1
	default:
		return nil
	}
	return by.effects(p)
}

// assignedBy are the machines that serve manufacturing once an action has numbered them, and whether it is the last of
// the two numbers.
func (s *State) assignedBy(p env.Player, a env.Action) (mining, energy int32, last bool) {
	if a == Plus20 {
		return 0, 0, false
	}
	n := s.running + int32(act.amount.Index(a))
	if s.decision == AtAssignEnergy {
		return s.assigned, n, true
	}
	return n, 0, s.mixedMachines(p, s.energy) == 0
}

// goesOn says whether after an action decisions with a single answer are passed over, and more comes about.
func (s *State) goesOn(a env.Action) bool {
	after, alone := *s, *s
	after.Apply(a, nil)
	alone.play(a, nil)
	return after.decision != alone.decision || after.seat != alone.seat || after.phase != alone.phase
}

// effects are those by which what a seat has changes.
func (h holdings) effects(p env.Player) (list []env.Effect) {
	for k, by := range h {
		list = append(list, env.Effect{Player: p, What: Kind(k).String(), By: int(by)})
	}
	return list
}

// Counters implements env.Asker.
func (s *State) Counters() []env.Counter { return s.AppendCounters(nil) }
