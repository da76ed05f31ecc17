package earthrising

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// The action table, family by family.
const (
	endTurn env.Action = iota
	done
	create     // + practice
	disband    = create + numPractices
	flip       = disband + numPractices
	clean      = flip + numPractices           // + 4 × sector + n - 1
	give       = clean + NumSectors*maxCleanUp // + card
	to         = give + numPractices           // + character
	refresh    = to + NumCharacters
	draw       = refresh + 1
	token      = draw + 1 // + practice
	startUp    = token + numPractices
	look       = startUp + 1
	bottom     = look + 1
	consult    = bottom + 1
	top        = consult + 1 // + place of the card when looked at
	keep       = top + maxLooked
	move       = keep + 1 // + pair of sectors
	ask        = move + NumSectors*(NumSectors-1)
	major      = ask + 1                // + sector
	minor      = major + NumSectors     // + sector
	discard    = minor + NumSectors     // + card
	circle     = discard + numPractices // + circle
	choose     = circle + perCircle     // + character
	want       = choose + NumCharacters // + sector
	plan       = want + NumSectors      // + sector
	numActions = int(plan) + NumSectors
)

// actionTable is the same for every configuration.
func actionTable() (t env.ActionTable) {
	cards := func(verb string, side int) {
		for c, ids := range practiceIDs {
			t.Add(verb, verb, ids[side]).PointAt(practiceObject, c)
		}
	}
	t.Words("end turn", "done")
	cards("create", 0)
	cards("disband", 1)
	cards("flip", 1)
	for x, id := range sectorIDs {
		for n := range maxCleanUp {
			t.Add("clean", "clean", id, strconv.Itoa(n+1)).PointAt(cleanUpObject, x*maxCleanUp+n)
		}
	}
	cards("give", 0)
	t.Each("to", "to", characterObject, characterIDs[:])
	t.Words("refresh", "draw")
	for c, ids := range practiceIDs {
		// The text is that of the side that lies on the board (ActionText).
		a := t.Add("token", "token", ids[1])
		a.Aliases = []string{"token " + ids[0]}
		a.PointAt(practiceObject, c)
	}
	t.Words("start-up", "look", "bottom", "consult")
	t.Each("top", "top", placeObject, form.Numerals(0, maxLooked-1))
	t.Words("keep")
	for from := range sectorIDs {
		for to := range sectorIDs {
			if from != to {
				t.Add("move", "move", sectorIDs[from], sectorIDs[to]).PointAt(sectorObject, from, to)
			}
		}
	}
	t.Words("ask")
	t.Each("major", "major", sectorObject, sectorIDs[:])
	t.Each("minor", "minor", sectorObject, sectorIDs[:])
	cards("discard", 0)
	t.Each("circle", "circle", "", form.Numerals(0, perCircle-1))
	t.Each("choose", "choose", characterObject, characterIDs[:])
	t.Each("want", "signal want", sectorObject, sectorIDs[:])
	t.Each("plan", "signal plan", sectorObject, sectorIDs[:])
	return t
}

// practiceOf is the practice of an action to create, disband or flip one.
func practiceOf(a env.Action) Card { return Card((a - create) % numPractices) }

// pendingSector is the sector of an action that is being paid.
func pendingSector(a env.Action) Sector {
	switch {
	case a >= minor:
		return Sector(a - minor)
	case a >= major:
		return Sector(a - major)
	}
	return practiceOf(a).Sector()
}

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
	if a >= token && a < startUp && s.sustainable.Has(Card(a-token)) {
		return info.Aliases[0]
	}
	return info.Text
}
