package newearth

import (
	"math/bits"
	"slices"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
)

const (
	name  = "new-earth"
	title = "New Earth"

	// rulesVersion is raised when a fix changes play.
	rulesVersion = 2
	// encodingVersion is raised when a number of an observation changes its meaning.
	encodingVersion = 2

	maxTurns     = 36
	maxOffers    = 4
	maxMoveLimit = 200
)

// The chance streams (RULES.md 7).
const (
	setUpStream = iota
	deckStream
	tieStream
	catastropheStream
	electionStream
	numStreams
)

var streamNames = []string{"set-up", "deck", "ties", "catastrophes", "elections"}

// Rulebook is New Earth as it stands in a registry.
func Rulebook() *registry.Rulebook {
	return &registry.Rulebook{
		Name:   name,
		Title:  title,
		Traits: []string{env.Competitive, env.HiddenInfo},
		Options: []registry.Option{
			{Name: "players", Kind: registry.Int, Min: 2, Max: maxPlayers, Default: "4", Help: "number of seats"},
			{Name: "setup", Kind: registry.Choice, Values: []string{"standard", "free"}, Default: "standard",
				Help: "a whole home tile each (NE-006), or zones claimed one by one (NE-010)"},
			{Name: "tiles", Kind: registry.Choice, Values: []string{"random", "fixed"}, Default: "random",
				Help: "tiles laid by chance, or A to F in sectors 0 to 5 unturned (NE-002)"},
			{Name: "turns", Kind: registry.Int, Min: 1, Max: maxTurns, Default: "12", Help: "length of the game (NE-001)"},
			{Name: "end", Kind: registry.Choice, Values: stormNames[1:], Default: "draw",
				Help: "El Gigante is drawn from the deck, or agreed beforehand (NE-090)"},
			{Name: "offers", Kind: registry.Int, Min: 0, Max: maxOffers, Default: "2",
				Help: "trade offers that a seat may start per turn (NE-106)"},
			{Name: "move_limit", Kind: registry.Int, Min: 0, Max: maxMoveLimit, Default: "8",
				Help: "units that a seat may reallocate per turn (NE-082)"},
			{Name: "bulk_machines", Kind: registry.Bool, Default: "on", Help: "four machines may be bought as a cheaper " +
				"lot (G-08)"},
			{Name: "announce_totals", Kind: registry.Bool, Default: "on", Help: "the hand totals that decide initiative are " +
				"public (NE-022)"},
		},
		Variants: []string{
			name + ":players=2",
			name + ":players=3",
			name + ":players=4",
			name + ":players=2,setup=free",
			name + ":players=3,setup=free",
			name + ":players=4,setup=free",
			name + ":players=2,offers=0,end=mega",
			name + ":players=3,bulk_machines=off,announce_totals=off,end=violent",
			name + ":players=4,offers=4,move_limit=20,tiles=fixed,end=super",
		},
		Data: builtIn,
		New:  open,
	}
}

// Game is New Earth with its options and component data. It is read-only.
type Game struct {
	info *env.Info
	data *Data

	players     int
	turns       int
	free        bool // the free set-up
	randomTiles bool
	storm       Storm // agreed beforehand; noStorm: drawn
	offers      int8
	moveLimit   int16
	bulk        bool
	announce    bool

	// From the data:
	inside   [NumZones]Zones // neighbours on the same tile
	home     [NumTiles]bool  // by sector
	outSlots uint8           // of the other sectors
	people   [NumZones]int8
	machines [NumZones]int8
	lots     [numLots]holdings

	raise      [maxLevel + 1]int32 // to this level
	upkeep     [maxLevel + 1]int32
	zoneValue  [maxLevel + 1]int32
	points     [maxLevel + 1]int32
	cityBonus  [3]int32
	workersPer [maxTurns + 1]int32
	cityIncome [maxTurns + 1]int32
	printed    Pile
	value      [NumCards]int8
	sale       [NumTitles]int32
	unit       [NumTitles]Kind
	sellable   Cards
	tradable   Cards
	initiator  [NumTitles]int32
	defending  [NumTitles]int32
	negatesAll [numCatastrophes]Cards
	negatesOne [numCatastrophes]Cards
	cores      Cards
	sets       []Cards        // that found a city
	classes    [NumCards]int8 // of cards, in a redeal
	binomials  [][]float64

	decisions [numDecisions]decision
	words     formWords // of the position
	base      []float32 // of observations: what is the same in all of a game
	zoneRows  *zoneRows
	shapes    [NumTiles][numSlots]shape // of the zones in pictures
}

func open(v registry.Values, file datafile.File) (env.Game, error) {
	d, err := readData(file)
	if err != nil {
		return nil, err
	}
	g := &Game{
		data:        d,
		players:     v.Int("players"),
		decisions:   decisions(),
		turns:       v.Int("turns"),
		free:        v.Text("setup") == "free",
		randomTiles: v.Text("tiles") == "random",
		offers:      int8(v.Int("offers")),
		moveLimit:   int16(v.Int("move_limit")),
		bulk:        v.Bool("bulk_machines"),
		announce:    v.Bool("announce_totals"),
	}
	if end := v.Text("end"); end != "draw" {
		g.storm = Storm(slices.Index(stormNames[:], end))
	}
	g.workOut()
	g.words = g.newFormWords()
	features, err := features()
	if err != nil {
		return nil, err
	}
	g.info, err = env.NewInfo(env.Info{
		Name: name, Title: title, Text: Rulebook().GameText(v), Short: Rulebook().ShortText(v), Rules: rulesVersion,
		Encoding: encodingVersion,
		DataHash: datafile.Hash(d), HowTo: howTo, Players: g.players, Seats: seatNames[:g.players], MostPlayers: maxPlayers,
		Traits:  []string{env.Competitive, env.HiddenInfo},
		Streams: streamNames, Actions: act.ActionTable, Features: features, Objects: objects(), Ends: g.ends(),
		MaxDecisions: g.maxDecisions(),
	})
	if err != nil {
		return nil, err
	}
	g.base, g.zoneRows = newBase(g), newZoneRows()
	return g, nil
}

// Info says everything static.
func (g *Game) Info() *env.Info { return g.info }

// Data are the component data. They must not be changed.
func (g *Game) Data() *Data { return g.data }

// New makes a State.
func (g *Game) New() env.State { return &State{game: g} }

// workOut turns the data into tables.
func (g *Game) workOut() {
	d := g.data
	for z := range g.inside {
		g.inside[z] = inside(Zone(z))
		g.people[z] = int8(d.Tiles[z/tileZones].People[z%tileZones])
		g.machines[z] = int8(d.Tiles[z/tileZones].Machines[z%tileZones])
	}
	for _, k := range d.homes(g.players) {
		g.home[k] = true
	}
	for _, slot := range d.out(g.players) {
		g.outSlots |= 1 << slices.Index(slotNames[:], slot)
	}
	for i, lot := range [numLots]Lot{d.Chart.Goods5, d.Chart.Goods10, d.Chart.Machine, d.Chart.Bulk, d.Chart.Plant} {
		g.lots[i] = holdings{int32(lot.Mining), int32(lot.Energy), int32(lot.Manufacturing), 0, int32(lot.Cash)}
	}
	for level := range maxLevel + 1 {
		g.upkeep[level] = int32(d.Levels.Maintenance[level])
		g.points[level] = int32(d.Levels.Points[level])
		g.zoneValue[level] = int32(d.Levels.Election[level])
		if level > 0 {
			g.raise[level] = int32(d.Levels.Raise[level-1])
		}
	}
	g.cityBonus = [3]int32{0, int32(d.Points.City), int32(d.Points.Fortified)}
	for turn := 1; turn <= maxTurns; turn++ {
		for _, line := range d.Income {
			if turn >= line.From {
				g.workersPer[turn], g.cityIncome[turn] = int32(line.Workers), int32(line.City)
			}
		}
	}
	g.workOutCards()
	g.shapes = shapes()
}

func (g *Game) workOutCards() {
	for i, card := range g.data.CityCards {
		c := Card(i)
		g.printed[c] = int8(card.Count)
		g.value[c] = int8(card.Value)
		g.sale[c] = int32(card.Cash)
		g.initiator[c], g.defending[c] = int32(card.Initiator), int32(card.Defender)
		if card.Value == 2 {
			g.cores |= 1 << c
		}
		if card.Cash > 0 {
			g.sellable |= 1 << c
		}
		if card.Unit != "" {
			g.tradable |= 1 << c
			g.unit[c] = Kind(slices.Index(kindNames[:], card.Unit))
		}
	}
	for i, k := range g.data.Catastrophes {
		g.printed[NumTitles+i] = int8(k.Count)
		for _, id := range k.All {
			g.negatesAll[i] |= 1 << slices.Index(cardNames[:], id)
		}
		for _, id := range k.One {
			g.negatesOne[i] |= 1 << slices.Index(cardNames[:], id)
		}
	}
	g.workOutSplits()
	for set := range 1 << NumTitles {
		cores := Cards(set) & g.cores
		if bits.OnesCount(uint(set)) == setSize && cores.Count() >= g.data.Conversion.Cores {
			g.sets = append(g.sets, Cards(set))
		}
	}
}

// maxDecisions is the bound of RULES.md 5.5. The printed components stay far below 300 decisions for
// each seat and turn; what other options and other data can add is added here.
func (g *Game) maxDecisions() int {
	const (
		usualOffers, usualMoves = 2, 8 // what the 300 make room for
		usualElections          = 2
		usualHand, usualDraws   = 7, 2
		usualUnits              = 3 // of the cheapest lot
		usualCity               = 2 // m of a worker in a city
		usualStart              = 6 // m
		places, people          = 168, 108
		step                    = 20 // of plus20
	)
	d := g.data
	seatTurns := g.players * g.turns
	bound := 300*seatTurns + 500
	bound += 9 * seatTurns * max(0, int(g.offers)-usualOffers)
	bound += 2 * seatTurns * max(0, int(g.moveLimit)-usualMoves)
	bound += 50 * seatTurns * max(0, d.Elections-usualElections)
	bound += 12 * seatTurns * max(0, d.HandLimit-usualHand)
	bound += seatTurns * max(0, d.Leader.Draws-1)
	bound += 2 * d.Elections * seatTurns * max(0, d.Election.Draws-usualDraws)
	cheapest := usualUnits
	for _, lot := range []Lot{d.Chart.Goods5, d.Chart.Goods10, d.Chart.Machine, d.Chart.Bulk, d.Chart.Plant} {
		cheapest = min(cheapest, lot.units())
	}
	bound += g.turns * (maxPeople + maxMachines) * NumZones * 3 / 2 * (usualUnits - cheapest) / cheapest
	for _, line := range d.Income {
		bound += g.turns * people * max(0, line.City-usualCity) / step
	}
	for _, card := range d.CityCards { // a card is sold at most once each time it is drawn
		bound += seatTurns * max(0, card.Cash-usualCity) * d.HandLimit / step
	}
	return bound + g.players*max(0, d.Start.Cash-usualStart)/step
}
