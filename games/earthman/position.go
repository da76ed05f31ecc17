package earthman

import (
	"slices"

	"earthgym/env"
	"earthgym/env/form"
)

// much is the most that is read of numbers without a limit of their own, so that play can't overflow
// them.
const much = 1_000_000_000

// AppendPosition writes the position.
func (s *State) AppendPosition(dst []byte) []byte { return form.AppendPosition(dst, s.form) }

// AppendKnown writes what a seat may know of it.
func (s *State) AppendKnown(dst []byte, p env.Player) []byte { return form.AppendKnown(dst, p, s.form) }

// ReadPosition reads a position and checks all that RULES.md 3.4 names.
func (s *State) ReadPosition(data []byte) error {
	empty := State{game: s.game, luck: s.luck}
	empty.pending, empty.lot, empty.pay = nothing, noLot, noPayment
	return form.ReadPosition(data, s, empty, (*State).form, (*State).complete)
}

// PatchPosition is RULES.md 3.4: a patch that names its point starts with nothing pending.
func (s *State) PatchPosition(patch []byte) error {
	return form.PatchPosition(patch, s, (*State).form, (*State).complete)
}

// complete works out what follows from a position that has been read, and checks it.
func (s *State) complete() error {
	s.derive()
	if err := s.Check(); err != nil {
		return err
	}
	return s.checkRead()
}

// form declares the position: RULES.md 3.1, line by line.
func (s *State) form(f *form.Position) {
	g, n, last := s.game, s.game.players, s.game.players-1
	if f.Gives("point") {
		s.pending, s.lot, s.pay = nothing, noLot, noPayment
	}
	first := [2]int{0, last}
	if g.first >= 0 {
		first = [2]int{g.first, g.first}
	}
	form.Int(f, "round", &s.round, 1, g.rounds)
	form.Int(f, "first", &s.first, first[0], first[1])
	form.Int(f, "actor", &s.actor, 0, last)
	form.Word(f, "phase", &s.phase, phaseNames[:])
	form.Word(f, "point", &s.decision, decisionNames)
	form.Int(f, "seat", &s.seat, -1, last)
	form.Bool(f, "trigger", &s.trigger)
	form.Int(f, "rogue", &s.rogue, 0, g.data.Track.Skynet+2)
	form.Numbers(f, "undrawn", &s.undrawn, g.words.cards)
	form.Int(f, "decisions", &s.made, 0, g.maxDecisions)
	form.Word(f, "over", &s.end, endingNames[:])
	form.Seats(f, "winners", &s.winners, n)
	s.formSeats(f)
	form.By(f, "arrived", g.words.worldKeys, func(k form.Key) { formFleets(f, k.Name, &s.arrived[k.Index], g.fleetCap) })
	form.By(f, "region", g.words.worldKeys, func(k form.Key) {
		form.By(f, k.Name, g.words.regions[k.Index], func(r form.Key) {
			form.Object(f, r.Name, func() { s.formRegion(f, Place(k.Index), r.Index) })
		})
	})
	form.Object(f, "pending", func() { s.formPending(f) })
	form.Object(f, "lot", func() { s.formLot(f) })
	form.Object(f, "pay", func() {
		form.Int(f, "seat", &s.pay.seat, -1, last)
		form.Int(f, "due", &s.pay.due, 0, 2*maxDevs)
	})
}

// formSeats declares the lists by seat.
func (s *State) formSeats(f *form.Position) {
	g := s.game
	seats := func(name string, field func(my *seat)) {
		form.List(f, name, g.players, func(p int) { field(&s.seats[p]) })
	}
	seats("vp", func(my *seat) { form.Int(f, form.Element, &my.vp, 0, much) })
	seats("power", func(my *seat) { form.Int(f, form.Element, &my.power, 0, much) })
	seats("e", func(my *seat) { form.Int(f, form.Element, &my.resource, 0, much) })
	seats("x", func(my *seat) { form.Int(f, form.Element, &my.discontent, 0, much) })
	seats("aside", func(my *seat) { form.Int(f, form.Element, &my.aside, 0, maxFleets) })
	seats("sanction", func(my *seat) { form.Bool(f, form.Element, &my.sanction) })
	seats("token", func(my *seat) { form.Int(f, form.Element, &my.token, 0, g.data.Track.Sanctions-1) })
	seats("thoughts", func(my *seat) { form.Int(f, form.Element, &my.thoughts, 0, maxLevel) })
	seats("claims_left", func(my *seat) { form.Int(f, form.Element, &my.claims, 0, g.claims) })
	seats("peace_left", func(my *seat) { form.Int(f, form.Element, &my.peace, 0, g.peace) })
	seats("b", func(my *seat) { form.Int(f, form.Element, &my.granted, -much, much) })
	seats("level", func(my *seat) {
		form.Sparse(f, form.Element, g.words.techs, nil, func(k form.Key) {
			form.Int(f, k.Name, &my.level[k.Index], 0, int(g.techs[k.Index].levels))
		})
	})
	seats("counter", func(my *seat) {
		form.Sparse(f, form.Element, g.words.techs, nil, func(k form.Key) {
			form.Int(f, k.Name, &my.counter[k.Index], 0, max(0, int(g.techs[k.Index].steps)-1))
		})
	})
	seats("pi", func(my *seat) { form.OrderedSet(f, form.Element, &my.counters, g.words.worlds) })
	seats("fleet", func(my *seat) {
		form.Sparse(f, form.Element, g.words.placeKeys, nil, func(k form.Key) {
			formFleets(f, k.Name, &my.fleet[k.Index], g.fleetCap)
		})
	})
}

// formFleets declares fleets as [steady, At Risk].
func formFleets(f *form.Position, name string, v *Fleets, most int) {
	formRow(f, name, most, &v.Steady, &v.Risk)
}

// formRow declares a list of numbers up to most.
func formRow(f *form.Position, name string, most int, v ...*uint8) {
	form.List(f, name, len(v), func(i int) { form.Int(f, form.Element, v[i], 0, most) })
}

// The UN is -2 in JSON.
const jsonUN = -2

func ownerNumber(owner env.Player) int {
	if owner == UN {
		return jsonUN
	}
	return int(owner)
}

// formOwner declares a seat, the UN or none.
func (s *State) formOwner(f *form.Position, name string, v *int8) {
	n := ownerNumber(env.Player(*v))
	if form.Int(f, name, &n, jsonUN, s.game.players-1); f.Reads() {
		if *v = int8(n); n == jsonUN {
			*v = int8(UN)
		}
	}
}

// Owner is that of a region (from 0): a seat, the UN, or None.
func (s *State) Owner(w Place, r int) env.Player {
	for owner := range s.land {
		if s.land[owner][w]>>r&1 != 0 {
			return env.Player(owner)
		}
	}
	return None
}

// formRegion declares a region (from 0).
func (s *State) formRegion(f *form.Position, w Place, r int) {
	owner, shaken, devastation := int8(s.Owner(w, r)), s.shaken[w]>>r&1 != 0, s.Devastation(w, r)
	s.formOwner(f, "owner", &owner)
	form.Int(f, "devs", &s.devs[w][r], 0, maxDevs)
	form.Bool(f, "at_risk", &shaken)
	form.Int(f, "devastation", &devastation, 0, 2)
	if !f.Reads() {
		return
	}
	for p := range s.land {
		form.Put(&s.land[p][w], r, p == int(owner))
	}
	form.Put(&s.shaken[w], r, shaken)
	for more := range s.rubble[w] {
		form.Put(&s.rubble[w][more], r, devastation > more)
	}
}

// formPending declares what the running decision must remember: RULES.md 3.3.
func (s *State) formPending(f *form.Position) {
	pd, words := &s.pending, &s.game.words
	form.Int(f, "pass", &pd.pass, 0, preludePasses)
	form.Word(f, "step", &pd.step, stepNames[:])
	form.WordOrNone(f, "at", &pd.at, words.places)
	form.WordOrNone(f, "to", &pd.to, words.places)
	form.Int(f, "count", &pd.count, 0, maxFleets)
	form.Int(f, "extra", &pd.extra, -1, maxLevels[Spaceflight])
	form.OrderedSet(f, "before", &pd.before, words.worlds)
	form.OrderedSet(f, "came", &pd.came, words.worlds)
	s.formClockwise(f, "firing", &pd.firing)
	form.OrderedSet(f, "worlds", &pd.worlds, words.worlds)
	form.Word(f, "last", &pd.last, jobNames[:])
	form.Parsed(f, "action", &pd.action, s.actionText, s.parseAction)
	s.formTargets(f, "fire", &pd.fire)
	s.formTargets(f, "overthrow", &pd.overthrow)
	formRow(f, "expand", maxFleets, &pd.expand[0], &pd.expand[1], &pd.expand[2])
	form.Int(f, "pacify", &pd.pacify, 0, maxFleets)
	form.Int(f, "replicate", &pd.replicate, 0, maxFleets)
	s.formDefend(f)
	formFleets(f, "research", &pd.research, maxDevs*MaxRegions)
	formRow(f, "build", maxDevs*MaxRegions, &pd.build[0], &pd.build[1], &pd.build[2], &pd.build[3])
	s.formOwner(f, "target", &pd.target)
	form.Int(f, "region", &pd.region, 0, MaxRegions)
	formRow(f, "hits", maxFleets, &pd.hits[0], &pd.hits[1])
	form.Int(f, "left", &pd.left, 0, maxDice)
	form.Int(f, "add", &pd.add, 0, maxFleets)
	form.Seats(f, "offered", &pd.offered, s.game.players)
	form.Int(f, "transfers", &pd.transfers, 0, s.game.transfers)
	form.Bool(f, "at_risk", &pd.atRisk)
	form.Int(f, "devs", &pd.devs, 0, maxDevs)
}

// actionText is the text of an action, "" for none.
func (s *State) actionText(a env.Action) string {
	if a < 0 {
		return ""
	}
	return s.game.info.Actions[a].Text
}

func (s *State) parseAction(text string) (env.Action, error) {
	if text == "" {
		return nothing.action, nil
	}
	return s.game.info.Parse(text)
}

// clockwiseList are the owners of a set, seats clockwise from the actor, then the UN.
func (s *State) clockwiseList(set owners) (list [numOwners]int8, n int) {
	if set == 0 { // also once nobody acts
		return list, 0
	}
	for i := range s.game.players {
		if p := s.clockwise(env.Player(s.actor), i); set.has(p) {
			list[n] = int8(p)
			n++
		}
	}
	if set.has(UN) {
		list[n] = int8(UN)
		n++
	}
	return list, n
}

// formClockwise declares owners in the order of the table, from the actor on, the UN last.
func (s *State) formClockwise(f *form.Position, name string, set *owners) {
	list, n := s.clockwiseList(*set)
	form.ListUpTo(f, name, &n, numOwners, func(i int) { s.formOwner(f, form.Element, &list[i]) })
	if !f.Reads() {
		return
	}
	*set = 0
	for _, p := range list[:n] {
		if p < 0 {
			f.Fail(name, "%d is no seat that can stand here", p)
			return
		}
		*set |= 1 << p
	}
	if order, m := s.clockwiseList(*set); !slices.Equal(order[:m], list[:n]) {
		f.Fail(name, "seats stand clockwise from the actor, each once, and the UN last")
	}
}

// formTargets declares fleets by target, as [target, steady, At Risk] in the order of EB-101; targets without any are
// left out.
func (s *State) formTargets(f *form.Position, name string, list *[numTargets]Fleets) {
	var rows [numTargets]struct {
		owner int8
		Fleets
	}
	n := 0
	for i, fleets := range list {
		if fleets != (Fleets{}) {
			rows[n].owner, rows[n].Fleets = int8(s.targetOwner(i)), fleets
			n++
		}
	}
	form.ListUpTo(f, name, &n, numTargets, func(i int) {
		row := &rows[i]
		form.List(f, form.Element, 3, func(part int) {
			if part == 0 {
				s.formOwner(f, form.Element, &row.owner)
			} else {
				form.Int(f, form.Element, [...]*uint8{&row.Steady, &row.Risk}[part-1], 0, maxFleets)
			}
		})
	})
	if !f.Reads() {
		return
	}
	*list = [numTargets]Fleets{}
	last := -1
	for _, row := range rows[:n] {
		if row.owner < 0 || row.owner == s.actor {
			f.Fail(name, "%d is no target of the actor, seat %d", row.owner, s.actor)
			return
		}
		target := s.TargetPlace(env.Player(row.owner))
		if target <= last || row.Fleets == (Fleets{}) {
			f.Fail(name, "targets stand in the order +1, +2, …, UN, without empty ones (EB-101)")
			return
		}
		last = target
		list[target] = row.Fleets
	}
}

// formDefend declares the regions that fire at the fleets of a seat, as [region, seat].
func (s *State) formDefend(f *form.Position) {
	list := &s.pending.defend
	n := 0
	for n < len(list) && list[n].region > 0 {
		n++
	}
	form.ListUpTo(f, "defend", &n, len(list), func(i int) {
		form.List(f, form.Element, 2, func(part int) {
			if part == 0 {
				form.Int(f, form.Element, &list[i].region, 1, MaxRegions)
			} else {
				form.Int(f, form.Element, &list[i].target, 0, s.game.players-1)
			}
		})
	})
}

// formLot declares the dice of the open Thought window.
func (s *State) formLot(f *form.Position) {
	l := &s.lot
	form.Word(f, "event", &l.event, eventNames[:])
	s.formOwner(f, "roller", &l.roller)
	form.Seats(f, "hurt", &l.hurt, s.game.players)
	form.Int(f, "need", &l.need, 0, impossible-1)
	form.Ints(f, "bounds", l.bounds[:], 0, impossible)
	form.ListUpTo(f, "dice", &l.n, maxDice, func(i int) { form.Int(f, form.Element, &l.dice[i], 1, 8) })
	passed := owners(l.passed)
	if s.formClockwise(f, "passed", &passed); f.Reads() {
		l.passed = env.Seats(passed)
	}
}

// derive works out the fields of a State that follow from others, but for the legal actions.
func (s *State) derive() {
	s.settled, s.thinking = [numOwners]Places{}, 0
	for p := range env.Player(s.game.players) {
		my := &s.seats[p]
		my.fleets, my.developments, my.steady, my.risky, my.known, my.studied = 0, 0, 0, 0, 0, 0
		for at, fleets := range my.fleet {
			my.fleet[at] = Fleets{}
			my.move(Place(at), int(fleets.Steady), int(fleets.Risk))
		}
		for t := range my.level {
			form.Put(&my.known, t, my.level[t] > 0)
			form.Put(&my.studied, t, my.counter[t] > 0)
		}
		s.setThoughts(p, int(my.thoughts))
	}
	for owner := range s.land {
		for w, land := range s.land[owner] {
			s.settled[owner] |= form.When(land != 0, only(Place(w)))
			if owner < s.game.players {
				s.seats[owner].developments += int16(s.countDevs(Place(w), land))
			}
		}
	}
	for p := range env.Player(s.game.players) {
		my := &s.seats[p]
		my.powerOff, my.ledgerOff = min(0, my.power-s.leastPower(p)), 0
		if s.phase != IsOver {
			my.ledgerOff = s.ledger(p)
		}
	}
	s.legal().Clear()
}

// formWords are the ids and numbers of a Game's positions.
type formWords struct {
	places, worlds       []string // by place; those that the map lacks are ""
	placeKeys, worldKeys []form.Key
	techs                []form.Key
	regions              [NumWorlds][]form.Key
	cards                []int
}

func (g *Game) newFormWords() (n formWords) {
	n.places, n.worlds = make([]string, NumPlaces), make([]string, NumPlaces)
	for at := range g.places.Each {
		n.places[at] = at.ID()
	}
	for w := range g.Worlds().Each {
		n.worlds[w] = w.ID()
		n.regions[w] = form.Counted(1, g.regions[w].Count())
	}
	there := func(names []string) []form.Key { return form.Keys(names, func(i int) bool { return names[i] != "" }) }
	n.placeKeys, n.worldKeys, n.techs = there(n.places), there(n.worlds), there(techIDs[:])
	for c := range NumCards {
		n.cards = append(n.cards, c+1)
	}
	return n
}
