package newearth

import (
	"strings"

	"earthgym/env"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	switch s.Actor() {
	case env.Over:
		return ""
	case p:
		return "You decide: " + s.row().Question() + "."
	}
	return s.waiting(p) + "."
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
	for c := range Card(len(cardNames)) {
		if cardNames[c] == word {
			return g.titleOf(c)
		}
	}
	return word
}

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
