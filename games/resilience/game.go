package resilience

import (
	"fmt"
	"slices"
	"strconv"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
)

const (
	name  = "resilience-earth"
	title = "Resilience Earth"

	// rulesVersion is raised when a fix changes play.
	rulesVersion = 1
	// encodingVersion is raised when a number of an observation changes its meaning.
	encodingVersion = 2
)

// The chance streams (RULES.md 7).
const (
	setUpStream = iota
	stoneStream
	eventStream
	diceStream
	numStreams
)

var streamNames = []string{"set-up", "stones", "events", "dice"}

// Rulebook is Resilience Earth as it stands in a registry.
func Rulebook() *registry.Rulebook {
	return &registry.Rulebook{
		Name:   name,
		Title:  title,
		Traits: []string{env.Mixed, env.HiddenInfo},
		Options: []registry.Option{
			{Name: "players", Kind: registry.Int, Min: 2, Max: maxPlayers, Default: "4", Help: "number of seats"},
			{Name: "first", Kind: registry.Int, Min: 0, Max: maxPlayers - 1, Values: []string{"random"}, Default: "0",
				Help: "the youngest player: the seat that leads round 1 (RE-016)"},
			{Name: "timer", Kind: registry.Choice, Values: []string{"random", "fixed"}, Default: "random",
				Help: "a hidden length, or a known one (RE-010)"},
			{Name: "minutes_min", Kind: registry.Int, Min: 5, Max: 240, Default: "50", Help: "least hidden length, in minutes"},
			{Name: "minutes_max", Kind: registry.Int, Min: 5, Max: 240, Default: "70",
				Help: "greatest hidden length, in minutes"},
			{Name: "minutes", Kind: registry.Int, Min: 5, Max: 240, Default: "60", Help: "length with timer=fixed, in minutes"},
			{Name: "tower", Kind: registry.Choice, Values: []string{"hazard", "limit"}, Default: "hazard",
				Help: "stones fall by chance, or exactly at tower_limit (RE-081, RE-082)"},
			{Name: "tower_limit", Kind: registry.Int, Min: 1, Max: 32, Default: "24", Help: "the stone that brings the tower " +
				"down with tower=limit; beyond the last stone: never"},
			{Name: "align", Kind: registry.Choice, Values: []string{"board", "seat"}, Default: "board",
				Help: "event cards lie by the board, or turn with the seat whose turn it is (RE-094, RE-095)"},
			{Name: "supply", Kind: registry.Choice, Values: []string{"open", "tight"}, Default: "open",
				Help: "the bank has no limit, or one point per card (RE-066)"},
			{Name: "sabbaticals", Kind: registry.Int, Min: 0, Max: 14, Default: "0", Help: "most sabbaticals of a seat; 0 = " +
				"no limit (RE-054)"},
			{Name: "smog", Kind: registry.Choice, Values: []string{"once", "rounds"}, Default: "once",
				Help: "a field beside an industry costs LQ once, or in every round (RE-070, RE-075)"},
			{Name: "deals", Kind: registry.Bool, Default: "on", Help: "structured offers (RE-130)"},
			{Name: "talk", Kind: registry.Bool, Default: "on", Help: "structured statements (RE-140)"},
			{Name: "collapse_win", Kind: registry.Number, Min: 0, Max: 1, Default: "1",
				Help: "return of the winner after a collapse, as a share of a full win (RE-122)"},
		},
		Variants: []string{
			name + ":players=2",
			name + ":players=3",
			name + ":players=4",
			name + ":players=2,tower=limit",
			name + ":players=3,tower=limit",
			name + ":players=4,tower=limit",
			name + ":players=3,timer=fixed,first=random",
			name + ":players=4,smog=rounds",
			name + ":players=2,align=seat",
			name + ":players=4,supply=tight,sabbaticals=2",
			name + ":players=4,deals=off,talk=off,collapse_win=0.5",
		},
		Data: builtIn,
		New:  open,
	}
}

// Game is Resilience Earth with its options and component data. It is read-only.
type Game struct {
	info *env.Info
	data *Data
	planet

	players     int
	first       int // the leader of round 1, or -1 by chance
	random      bool
	minutesMin  int // with timer=fixed both are the length
	minutesMax  int
	alignSeat   bool
	tight       bool
	sabbaticals int // most per seat; 0 = no limit
	smogRounds  bool
	deals, talk bool
	collapseWin float64
	towerLimit  int // the stone that falls with tower=limit; 0 with tower=hazard

	// From the data, by level:
	cost, production [numLevels]int32
	buildingStones   [numLevels]int8
	pieces           [numLevels]int

	stones     int8
	fall       [maxStones + 2]int32 // with tower=limit its own table (RE-082); beyond the last stone 0
	empties    uint64               // heights at which a stack has just run out and brings an event
	untilEvent [maxStones + 1]int8  // by height: stones until a stack runs out
	turnTime   int32
	allocTime  int32
	events     []event
	fullDeck   uint32

	decisions [numDecisions]decision
	words     formWords // of the position
	rows      rows      // of the observation
}

// An event is a card with its parts worked out for every orientation and struck field.
type event struct {
	parts []eventPart
}

type eventPart struct {
	destroys bool
	rounds   uint8
	target   [6][NumFields]Field // -1 where the part is lost (RE-093)
}

func open(v registry.Values, file datafile.File) (env.Game, error) {
	d, err := readData(file)
	if err != nil {
		return nil, err
	}
	g := &Game{
		data: d, planet: newPlanet(), decisions: decisions(),
		players:     v.Int("players"),
		first:       v.Int("first"),
		random:      v.Text("timer") == "random",
		minutesMin:  v.Int("minutes_min"),
		minutesMax:  v.Int("minutes_max"),
		alignSeat:   v.Text("align") == "seat",
		tight:       v.Text("supply") == "tight",
		sabbaticals: v.Int("sabbaticals"),
		smogRounds:  v.Text("smog") == "rounds",
		deals:       v.Bool("deals"),
		talk:        v.Bool("talk"),
		collapseWin: v.Number("collapse_win"),
	}
	if v.Text("tower") == "limit" {
		g.towerLimit = v.Int("tower_limit")
	}
	switch {
	case g.first >= g.players:
		return nil, fmt.Errorf("%s: option first cannot be %d: with %d players the seats are 0 to %d, or random", name,
			g.first, g.players, g.players-1)
	case g.minutesMin > g.minutesMax:
		return nil, fmt.Errorf("%s: option minutes_min %d is above minutes_max %d", name, g.minutesMin, g.minutesMax)
	case g.tight && g.players*d.StartRES > d.Supply.RES:
		return nil, fmt.Errorf("%s: with supply=tight %d players cannot start with %d RES each: the bank has %d", name,
			g.players, d.StartRES, d.Supply.RES)
	}
	if !g.random {
		g.minutesMin = v.Int("minutes")
		g.minutesMax = g.minutesMin
	}
	g.workOut()
	features, err := g.features()
	if err != nil {
		return nil, err
	}
	g.info, err = env.NewInfo(env.Info{
		Name: name, Title: title, Text: Rulebook().GameText(v), Short: Rulebook().ShortText(v), Rules: rulesVersion,
		Encoding: encodingVersion,
		DataHash: datafile.Hash(d), HowTo: howTo, Players: g.players, MostPlayers: maxPlayers, Traits: g.traits(),
		Streams: streamNames,
		Actions: act.ActionTable, Features: features, Objects: objects(), Ends: ends(), Measures: measures(),
		MaxDecisions: g.maxDecisions(),
	})
	return g, err
}

// traits are those of the options: two players play for the same point, unless a win after a collapse
// is worth less.
func (g *Game) traits() []string {
	traits := []string{env.Mixed}
	if g.players == 2 && g.collapseWin == 1 {
		traits[0] = env.Competitive
	}
	if g.random {
		traits = append(traits, env.HiddenInfo)
	}
	return traits
}

// workOut turns the data into tables.
func (g *Game) workOut() {
	d := g.data
	for i, b := range d.Buildings {
		level := Settlement + Level(i)
		g.cost[level], g.production[level] = int32(b.Cost), int32(b.Production)
		g.buildingStones[level], g.pieces[level] = int8(b.Stones), b.Pieces
	}
	g.stones = int8(d.stones())
	for k, r := range d.Fall {
		g.fall[k] = int32(r)
		if g.towerLimit > 0 { // RE-082
			g.fall[k] = 0
			if k >= g.towerLimit {
				g.fall[k] = certain
			}
		}
	}
	height := 0
	for _, n := range d.Stacks {
		for k := range n {
			g.untilEvent[height+k] = int8(n - k)
		}
		height += n
		g.empties |= 1 << height
	}
	g.empties &^= 1 << height // the last stone brings no event (RE-085)
	g.turnTime, g.allocTime = int32(d.turnSeconds(g.players)), int32(d.Seconds.Allocation)
	for _, card := range d.Events {
		g.events = append(g.events, g.newEvent(&card))
	}
	g.fullDeck = uint32(1<<len(g.events) - 1)
	g.words = g.newFormWords()
	g.rows = newRows(g)
}

func (b *planet) newEvent(card *Card) event {
	var e event
	for _, p := range card.Parts {
		part := eventPart{destroys: p.Kind == "D", rounds: uint8(p.rounds())}
		for orientation := range part.target {
			for f := range Field(NumFields) {
				at := f.place()
				for _, word := range p.Path {
					at = at.plus(directions[(slices.Index(directionNames[:], word)+orientation)%6])
				}
				part.target[orientation][f] = b.fieldAt(at)
			}
		}
		e.parts = append(e.parts, part)
	}
	return e
}

// rounds is the greatest number of rounds (RE-151).
func (g *Game) rounds() int {
	round := g.RoundTime()
	return (60*g.minutesMax + round - 1) / round
}

// maxDecisions is the bound of RULES.md 5.5. A turn has one end, one statement, and for each other seat
// offer, amount, reply and pick. All else is paid for: a settling or development costs RES, and a
// dismantling undoes one of them. All 36 fields yield at most the greatest production; and as long as
// every RES above a settlement's stands for stones on the tower, also no more than the settlements and
// the stones do.
func (g *Game) maxDecisions() int {
	settled := NumFields * int(g.production[Settlement])
	income, cheapest := NumFields*int(g.production[Industry]), int(g.cost[Settlement])
	byStones := settled
	for level := City; level <= Industry; level++ {
		more, stones := int(g.production[level]-g.production[Settlement]), int(g.buildingStones[level])
		cheapest = min(cheapest, int(g.cost[level]))
		switch {
		case more == 0:
		case stones == 0:
			byStones = income
		default:
			byStones = max(byStones, settled+(more*(int(g.stones)-1)+stones-1)/stones)
		}
	}
	rounds := g.rounds()
	spent := g.players*g.data.StartRES + min(income, byStones)*(rounds-1)
	return rounds*g.players*(2+4*(g.players-1)) + 2*(spent/cheapest)
}

// Info is static.
func (g *Game) Info() *env.Info { return g.info }

// New makes a State.
func (g *Game) New() env.State { return &State{game: g} }

// Data are the component data.
func (g *Game) Data() *Data { return g.data }

// Players is the number of seats.
func (g *Game) Players() int { return g.players }

// Neighbours are the fields adjacent to f.
func (g *Game) Neighbours(f Field) Fields { return g.neighbours[f] }

// Beside is every field adjacent to one of the set.
func (g *Game) Beside(s Fields) Fields { return g.beside(s) }

// Cost is the price of a building in RES, without travel.
func (g *Game) Cost(l Level) int { return int(g.cost[l]) }

// Production is what a building yields in a round, in RES.
func (g *Game) Production(l Level) int { return int(g.production[l]) }

// nameOf is the name of a building.
func (g *Game) nameOf(l Level) string { return g.data.Buildings[l-1].Name }

// BuildingStones is what a building puts on the tower.
func (g *Game) BuildingStones(l Level) int { return int(g.buildingStones[l]) }

// Pieces is how many buildings of a level a seat has; of settlements, how many fields it may occupy.
func (g *Game) Pieces(l Level) int { return g.pieces[l] }

// Stones is the number of stones in the box.
func (g *Game) Stones() int { return int(g.stones) }

// FallChance is the chance that the stone that would make the tower k high brings it down.
func (g *Game) FallChance(k int) float64 {
	if k < 0 || k > int(g.stones) {
		return 0
	}
	return float64(g.fall[k]) / certain
}

// Lengths are the least and the greatest length that the game may have, in seconds. With a known timer
// they are equal.
func (g *Game) Lengths() (least, most int) { return 60 * g.minutesMin, 60 * g.minutesMax }

// TurnTime is the time that a turn takes, in seconds.
func (g *Game) TurnTime() int { return int(g.turnTime) }

// RoundTime is the time that a round takes, its allocation included, in seconds.
func (g *Game) RoundTime() int { return g.players*int(g.turnTime) + int(g.allocTime) }

// SmogRounds says whether a field beside an industry costs LQ in every round (RE-075) and not once.
func (g *Game) SmogRounds() bool { return g.smogRounds }

// TightSupply says whether the bank has one point per card (RE-066) and not without limit.
func (g *Game) TightSupply() bool { return g.tight }

func index(path string, i int) string { return path + "." + strconv.Itoa(i) }
