package earthman

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
)

const (
	name  = "earthmans-burden"
	title = "The Earthman's Burden"

	// rulesVersion is raised when a fix changes play.
	rulesVersion = 1
	// encodingVersion is raised when a number of an observation changes its meaning.
	encodingVersion = 2
)

// MaxPlayers is the largest number of seats.
const MaxPlayers = 6

// The chance streams (RULES.md 7).
const (
	diceStream = iota
	firstStream
	cardStream
	numStreams
)

var streamNames = []string{"dice", "first", "card"}

// Rulebook is The Earthman's Burden as it stands in a registry.
func Rulebook() *registry.Rulebook {
	return &registry.Rulebook{
		Name:   name,
		Title:  title,
		Traits: []string{env.Competitive},
		Options: []registry.Option{
			{Name: "players", Kind: registry.Int, Min: 2, Max: MaxPlayers, Default: "4", Help: "number of seats"},
			{Name: "first", Kind: registry.Int, Min: 0, Max: MaxPlayers - 1, Values: []string{"random"}, Default: "random",
				Help: "the first player (EB-024)"},
			{Name: "skynet", Kind: registry.Bool, Default: "off", Help: "Artificial Intelligence may end the game for all " +
				"(EB-270)"},
			{Name: "collab", Kind: registry.Bool, Default: "off", Help: "Research Collaborations: help others to research " +
				"(EB-280)"},
			{Name: "territory", Kind: registry.Bool, Default: "off", Help: "Territorial Agreements: hand over fleets and " +
				"land (EB-290)"},
			{Name: "prelude", Kind: registry.Bool, Default: "off", Help: "three more things for each seat before the first " +
				"turn (EB-300)"},
			{Name: "espionage", Kind: registry.Bool, Default: "off", Help: "one operation against another seat per turn " +
				"(EB-310)"},
			{Name: "late_fleets", Kind: registry.Int, Min: 0, Max: 3, Default: "0",
				Help: "more fleets at the start for every seat but the first (EB-028)"},
			{Name: "thoughts", Kind: registry.Choice, Values: []string{"all", "key", "off"}, Default: "all",
				Help: "who is asked to spend AI Thoughts after a roll: all, only those concerned, nobody (EB-253)"},
			{Name: "un", Kind: registry.Choice, Values: []string{"hold", "yield"}, Default: "hold",
				Help: "what the UN does when it is overthrown (EB-225)"},
			{Name: "points", Kind: registry.Int, Min: 1, Max: 200, Default: "30", Help: "more VP than this trigger the end " +
				"(EB-033)"},
			{Name: "lead", Kind: registry.Int, Min: 1, Max: 200, Default: "10", Help: "a larger lead than this triggers the " +
				"end (EB-033)"},
			{Name: "rounds", Kind: registry.Int, Min: 1, Max: 200, Default: "60", Help: "last round at the latest (EB-262)"},
			{Name: "claims", Kind: registry.Int, Min: 0, Max: 9, Default: "1", Help: "victory claims of a seat (EB-036)"},
			{Name: "peace", Kind: registry.Int, Min: 0, Max: 9, Default: "1", Help: "peace proposals of a seat (EB-037)"},
			{Name: "accord_from", Kind: registry.Int, Min: 1, Max: 200, Default: "10",
				Help: "first round of claims and peace proposals"},
			{Name: "bulbs", Kind: registry.Int, Min: 0, Max: 1, Default: "0", Help: "research successes that a level costs " +
				"more than its track has steps (EB-167)"},
			{Name: "transfers", Kind: registry.Int, Min: 0, Max: 9, Default: "3", Help: "transfers per turn, with territory " +
				"(EB-291)"},
			{Name: "fleet_cap", Kind: registry.Int, Min: 9, Max: maxFleets, Default: "60",
				Help: "fleets of a seat on the board (EB-320)"},
			{Name: "discontent_cap", Kind: registry.Int, Min: 0, Max: 60, Default: "60",
				Help: "discontent from which it pays for no more fleets (EB-321)"},
			{Name: "max_decisions", Kind: registry.Int, Min: 100, Max: 1_000_000, Default: "20000",
				Help: "decisions after which the game ends (EB-333)"},
		},
		Variants: variants(),
		Data:     builtIn,
		New:      open,
	}
}

// variants are every number of seats, each optional rule alone and all five.
func variants() []string {
	var texts []string
	for _, players := range []string{"2", "3", "4", "5", "6"} {
		for _, rules := range []string{"", ",skynet=on", ",collab=on", ",territory=on", ",prelude=on", ",espionage=on",
			",skynet=on,collab=on,territory=on,prelude=on,espionage=on"} {
			texts = append(texts, name+":players="+players+rules)
		}
	}
	return texts
}

// thoughtsMode is the option thoughts.
type thoughtsMode int8

const (
	askAll thoughtsMode = iota
	askKey
	askNobody
)

// Game is The Earthman's Burden with its options and component data. It is read-only.
type Game struct {
	info *env.Info
	data *Data
	atlas

	players                                       int
	first                                         int // -1 by chance
	skynet, collab, territory, prelude, espionage bool
	lateFleets                                    int
	thoughts                                      thoughtsMode
	yields                                        bool // the UN, when overthrown
	points, lead, rounds                          int
	claims, peace, accordFrom                     int
	bulbs, transfers                              int
	fleetCap, discontentCap, maxDecisions         int

	techs     [NumTechs]technology
	influence [maxFleets + 1]int8 // number needed by fleets removed
	start     position            // the set-up without a first player
	symbols   [4]uint32           // cards by Rogue symbols
	decisions [numDecisions]decision
	words     formWords // of the position

	rows rows // of the observation
}

func open(v registry.Values, file datafile.File) (env.Game, error) {
	d, err := readData(file)
	if err != nil {
		return nil, err
	}
	g := &Game{
		decisions: decisions(),
		data:      d, atlas: newAtlas(&d.Map),
		players: v.Int("players"), first: v.Int("first"),
		skynet: v.Bool("skynet"), collab: v.Bool("collab"), territory: v.Bool("territory"),
		prelude: v.Bool("prelude"), espionage: v.Bool("espionage"),
		lateFleets: v.Int("late_fleets"), yields: v.Text("un") == "yield",
		points: v.Int("points"), lead: v.Int("lead"), rounds: v.Int("rounds"),
		claims: v.Int("claims"), peace: v.Int("peace"), accordFrom: v.Int("accord_from"),
		bulbs: v.Int("bulbs"), transfers: v.Int("transfers"), fleetCap: v.Int("fleet_cap"),
		discontentCap: v.Int("discontent_cap"),
		maxDecisions:  v.Int("max_decisions"),
	}
	if g.first >= g.players {
		return nil, fmt.Errorf("%s: option first cannot be %d: with %d players the seats are 0 to %d, or random", name,
			g.first, g.players, g.players-1)
	}
	switch v.Text("thoughts") {
	case "key":
		g.thoughts = askKey
	case "off":
		g.thoughts = askNobody
	}
	for _, t := range d.Technologies {
		tech := technology{t.Name, uint16(t.Levels), uint8(t.Steps + g.bulbs), int8(t.Others), techOf(t.Or)}
		if t.Levels == 0 {
			tech.levels = maxLevel
		}
		g.techs[techOf(t.ID)] = tech
	}
	for _, step := range d.Roll.Influence {
		for n := step.Fleets; n <= maxFleets; n++ {
			g.influence[n] = int8(step.Need)
		}
	}
	for i, card := range d.Cards {
		g.symbols[card.Symbols] |= 1 << i
	}
	g.words = g.newFormWords()
	g.start = g.setUp()
	g.rows = newRows(g)
	g.rows.offers = g.newOffers()
	traits := []string{env.Competitive}
	if g.skynet { // all may lose
		traits[0] = env.Mixed
	}
	features, err := features()
	if err != nil {
		return nil, err
	}
	g.info, err = env.NewInfo(env.Info{
		Name: name, Title: title, Text: Rulebook().GameText(v), Short: Rulebook().ShortText(v), Rules: rulesVersion,
		Encoding: encodingVersion,
		DataHash: datafile.Hash(d), HowTo: howTo, Players: g.players, MostPlayers: MaxPlayers, Traits: traits,
		Streams: streamNames,
		Actions: act.ActionTable, Features: features, Objects: objects(), Ends: g.ends(), MaxDecisions: g.maxDecisions,
	})
	return g, err
}

// Info is static.
func (g *Game) Info() *env.Info { return g.info }

// New makes a State.
func (g *Game) New() env.State { return &State{game: g} }

// Data are the component data.
func (g *Game) Data() *Data { return g.data }

// Players is the number of seats.
func (g *Game) Players() int { return g.players }

// Home is the world with the UN developments.
func (g *Game) Home() Place { return g.home }

// Worlds are those of the map.
func (g *Game) Worlds() Places { return g.places & worlds }

// Regions are all regions of a world.
func (g *Game) Regions(w Place) Regions { return g.regions[w] }

// Skyward are the places that a fleet at a place can be launched to.
func (g *Game) Skyward(at Place) Places { return g.skyward[at] }

// Worldward are the places one step towards the edge of the board.
func (g *Game) Worldward(at Place) Places { return g.down[at] }

// Reaches are the worlds that forced movement can lead to.
func (g *Game) Reaches(at Place) Places { return g.below[at] }

// Steps is how many research successes a level costs.
func (g *Game) Steps(t Tech) int { return int(g.techs[t].steps) }

// Skynet says whether the optional rule of EB-270 is on.
func (g *Game) Skynet() bool { return g.skynet }
