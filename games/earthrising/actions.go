package earthrising

import (
	"strconv"
	"strings"

	"earthgym/env"
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
func actionTable() []env.ActionInfo {
	var table []env.ActionInfo
	add := func(family, verb string, args ...string) *env.ActionInfo {
		text := strings.Join(append([]string{verb}, args...), " ")
		table = append(table, env.ActionInfo{Family: family, Args: args, Text: text})
		return &table[len(table)-1]
	}
	point := func(a *env.ActionInfo, kind string, indices ...int) {
		for _, i := range indices {
			a.Objects = append(a.Objects, env.ObjectRef{Kind: kind, Index: i})
		}
	}
	single := func(text string) { add(text, text) }
	cards := func(verb string, side int) {
		for c, ids := range practiceIDs {
			point(add(verb, verb, ids[side]), practiceObject, c)
		}
	}
	names := func(family, verb, kind string, ids []string) {
		for i, id := range ids {
			point(add(family, verb, id), kind, i)
		}
	}

	single("end turn")
	single("done")
	cards("create", 0)
	cards("disband", 1)
	cards("flip", 1)
	for x, id := range sectorIDs {
		for n := range maxCleanUp {
			point(add("clean", "clean", id, strconv.Itoa(n+1)), cleanUpObject, x*maxCleanUp+n)
		}
	}
	cards("give", 0)
	names("to", "to", characterObject, characterIDs[:])
	single("refresh")
	single("draw")
	for c, ids := range practiceIDs {
		// The text is that of the side that lies on the board (ActionText).
		a := add("token", "token", ids[1])
		a.Aliases = []string{"token " + ids[0]}
		point(a, practiceObject, c)
	}
	single("start-up")
	single("look")
	single("bottom")
	single("consult")
	names("top", "top", placeObject, numbers(0, maxLooked))
	single("keep")
	for from := range sectorIDs {
		for to := range sectorIDs {
			if from != to {
				point(add("move", "move", sectorIDs[from], sectorIDs[to]), sectorObject, from, to)
			}
		}
	}
	single("ask")
	names("major", "major", sectorObject, sectorIDs[:])
	names("minor", "minor", sectorObject, sectorIDs[:])
	cards("discard", 0)
	for _, i := range numbers(0, perCircle) {
		add("circle", "circle", i)
	}
	names("choose", "choose", characterObject, characterIDs[:])
	names("want", "signal want", sectorObject, sectorIDs[:])
	names("plan", "signal plan", sectorObject, sectorIDs[:])
	return table
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
