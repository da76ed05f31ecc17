package earthrising

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// actions are the blocks of the action table.
type actions struct {
	form.Actions
	endTurn, done                 form.Block
	create, disband, flip         form.Block // each [practice]
	clean                         form.Block // [sector, strain - 1]
	give, to                      form.Block // [card], [character]
	refresh, draw, startUp        form.Block
	token                         form.Block // [practice]
	look, bottom, consult         form.Block
	top, keep                     form.Block // top [place of the card when looked at]
	move, ask                     form.Block // move [pair of sectors], see movePair
	major, minor, discard, circle form.Block // [sector], [sector], [card], [circle]
	choose, want, plan            form.Block // [character], the two [sector]
}

// act is the same for every configuration.
var act = newActions()

func newActions() (t actions) {
	cards := func(verb string, side int) form.Block {
		ids := make([]string, numPractices)
		for c := range ids {
			ids[c] = practiceIDs[c][side]
		}
		return t.Each(verb, verb, practiceObject, ids)
	}
	t.endTurn, t.done = t.Word("end turn"), t.Word("done")
	t.create, t.disband, t.flip = cards("create", 0), cards("disband", 1), cards("flip", 1)
	first := len(t.ActionTable)
	for x, id := range sectorIDs {
		for n := range maxCleanUp {
			t.Add("clean", "clean", id, strconv.Itoa(n+1)).PointAt(cleanUpObject, x*maxCleanUp+n)
		}
	}
	t.clean = t.From(first, maxCleanUp)
	t.give = cards("give", 0)
	t.to = t.Each("to", "to", characterObject, characterIDs[:])
	t.refresh, t.draw = t.Word("refresh"), t.Word("draw")
	t.token = cards("token", 1) // the text is that of the side that lies on the board (ActionText)
	for c, ids := range practiceIDs {
		t.ActionTable[t.token.At(c)].Aliases = []string{"token " + ids[0]}
	}
	t.startUp, t.look, t.bottom, t.consult = t.Word("start-up"), t.Word("look"), t.Word("bottom"), t.Word("consult")
	t.top, t.keep = t.Each("top", "top", placeObject, form.Numerals(0, maxLooked-1)), t.Word("keep")
	first = len(t.ActionTable)
	for from := range sectorIDs {
		for to := range sectorIDs {
			if from != to {
				t.Add("move", "move", sectorIDs[from], sectorIDs[to]).PointAt(sectorObject, from, to)
			}
		}
	}
	t.move = t.From(first, NumSectors-1)
	t.ask = t.Word("ask")
	t.major = t.Each("major", "major", sectorObject, sectorIDs[:])
	t.minor = t.Each("minor", "minor", sectorObject, sectorIDs[:])
	t.discard = cards("discard", 0)
	t.circle = t.Each("circle", "circle", "", form.Numerals(0, perCircle-1))
	t.choose = t.Each("choose", "choose", characterObject, characterIDs[:])
	t.want = t.Each("want", "signal want", sectorObject, sectorIDs[:])
	t.plan = t.Each("plan", "signal plan", sectorObject, sectorIDs[:])
	return t
}

// The first action of each block.
var (
	endTurn, done, create, disband = act.endTurn.First, act.done.First, act.create.First, act.disband.First
	flip, clean, give, to          = act.flip.First, act.clean.First, act.give.First, act.to.First
	refresh, draw                  = act.refresh.First, act.draw.First
	token, startUp, look, bottom   = act.token.First, act.startUp.First, act.look.First, act.bottom.First
	consult, top, keep, move, ask  = act.consult.First, act.top.First, act.keep.First, act.move.First, act.ask.First
	major, minor, discard, circle  = act.major.First, act.minor.First, act.discard.First, act.circle.First
	choose, want, plan             = act.choose.First, act.want.First, act.plan.First
)

// aboutPractice says whether an action is to create, disband or flip a practice.
func aboutPractice(a env.Action) bool {
	return act.create.Has(a) || act.disband.Has(a) || act.flip.Has(a)
}

// practiceOf is that practice.
func practiceOf(a env.Action) Card { return Card((a - create) % numPractices) }

// pendingSector is the sector of an action that is being paid.
func pendingSector(a env.Action) Sector {
	switch {
	case act.minor.Has(a):
		return Sector(a - minor)
	case act.major.Has(a):
		return Sector(a - major)
	}
	return practiceOf(a).Sector()
}

// paidFor is that of the action that is being paid now.
func (s *State) paidFor() Sector { return pendingSector(env.Action(s.inside.pending)) }

// movePair are the sectors of a move.
func movePair(a env.Action) (from, to Sector) {
	i := int(a - move)
	from, to = Sector(i/(NumSectors-1)), Sector(i%(NumSectors-1))
	if to >= from {
		to++
	}
	return from, to
}

// ActionText is the action's text; a token is named after the side of the counter that lies on the board.
func (s *State) ActionText(a env.Action) string {
	info := &s.game.info.Actions[a]
	if act.token.Has(a) && s.sustainable.Has(Card(a-token)) {
		return info.Aliases[0]
	}
	return info.Text
}
