package newearth

import (
	_ "embed"
	"slices"
	"strconv"

	"earthgym/env/datafile"
	"earthgym/env/spelling"
)

//go:embed data.toml
var builtIn []byte

//go:embed HOWTO.md
var howTo string

//go:embed story.toml
var storyWords []byte

// StoryWords is the catalogue of the story.
func (g *Game) StoryWords() []byte { return storyWords }

// Largest values of the component data, as arrays, the observation and the bound on decisions are made
// for them.
const (
	maxPlayers  = 4
	maxPeople   = 4 // workers in a zone
	maxMachines = 3 // in a zone
	maxLevel    = 5 // Society Level
	maxExcess   = 6 // columns of the Election Results Table
	setSize     = 4 // City cards of a conversion
	bulkSize    = 4 // machines of a bulk lot
)

// Units are numbers of the three sorts of units.
type Units struct {
	Mining        int `toml:"mining"`
	Energy        int `toml:"energy"`
	Manufacturing int `toml:"manufacturing"`
}

// A Lot is what a line of the production chart costs.
type Lot struct {
	Mining        int `toml:"mining"`
	Energy        int `toml:"energy"`
	Manufacturing int `toml:"manufacturing"`
	Cash          int `toml:"cash"`
}

func (l Lot) units() int { return l.Mining + l.Energy + l.Manufacturing }

// Income is what workers bring from a turn on.
type Income struct {
	From    int `toml:"from"`                     // turn
	Workers int `toml:"workers" low:"1" high:"9"` // outside cities, for 1m
	City    int `toml:"city" high:"9"`            // m for each worker in a city
}

// Data are the numbers printed on the components (RULES.md 2). They are read-only.
type Data struct {
	Game      string `toml:"game"`
	HandLimit int    `toml:"hand_limit" low:"4" high:"10"`
	Elections int    `toml:"elections" high:"4"` // started and joined, per seat and turn

	Start struct {
		Stock Units `toml:"stock"`
		Goods int   `toml:"goods"`
		Cash  int   `toml:"cash"`
		Cards int   `toml:"cards"`
	} `toml:"start" high:"99"`
	Board struct {
		Homes struct {
			Two   []int `toml:"2"`
			Three []int `toml:"3"`
			Four  []int `toml:"4"`
		} `toml:"homes" high:"5"`
		Out struct {
			Two   []string `toml:"2"`
			Three []string `toml:"3"`
			Four  []string `toml:"4"`
		} `toml:"out"`
	} `toml:"board"`
	Chart struct {
		Goods5     Lot `toml:"goods5"`
		Goods10    Lot `toml:"goods10"`
		Machine    Lot `toml:"machine"`
		Bulk       Lot `toml:"bulk"`
		Plant      Lot `toml:"plant"`
		Automation int `toml:"automation"`
	} `toml:"chart" high:"99"`
	Income []Income `toml:"income"`
	Levels struct {
		Maintenance []int `toml:"maintenance" high:"9"`
		Raise       []int `toml:"raise" high:"9"`
		Points      []int `toml:"points" high:"99"`
		Election    []int `toml:"election" high:"99"`
	} `toml:"levels"`
	Points struct {
		Machine   int `toml:"machine"`
		Plant     int `toml:"plant"`
		City      int `toml:"city"`
		Fortified int `toml:"fortified"`
		Balanced  int `toml:"balanced"`
		MostZones int `toml:"most_zones"`
	} `toml:"points" high:"99"`
	Conversion struct {
		Cores int `toml:"cores" high:"4"`
		Cash  int `toml:"cash"`
		Cheap int `toml:"cheap"`
		Draws int `toml:"draws" high:"3"` // conversions use up cards
	} `toml:"conversion" high:"99"`
	Election struct {
		LeastAlone     int   `toml:"least_alone" low:"1" high:"99"`
		LeastContested int   `toml:"least_contested" low:"1" high:"99"`
		Goods          int   `toml:"goods"`
		Cash           int   `toml:"cash"`
		Draws          int   `toml:"draws" high:"4"`
		Die            []int `toml:"die" low:"1" high:"7"`
	} `toml:"election" high:"99"`
	Leader struct {
		Draws int `toml:"draws"`
	} `toml:"leader" high:"4"`
	CivilDisorder struct {
		Cash int `toml:"cash"`
	} `toml:"civil_disorder" high:"99"`

	Tiles        []Tile        `toml:"tiles"`
	CityCards    []CityCard    `toml:"city_cards"`
	Catastrophes []Catastrophe `toml:"catastrophes"`
}

// A Tile is the limits of its six zones.
type Tile struct {
	ID       string `toml:"id"`
	People   []int  `toml:"people" low:"2" high:"4"`
	Machines []int  `toml:"machines" high:"3"`
}

// A CityCard is one title.
type CityCard struct {
	ID        string `toml:"id"`
	Title     string `toml:"title"`
	Count     int    `toml:"count" high:"30"`
	Value     int    `toml:"value" low:"1" high:"2"`
	Initiator int    `toml:"initiator" high:"5"`         // added to the election die when a claimant plays it
	Defender  int    `toml:"defender" low:"-5" high:"0"` // when the defender does
	Cash      int    `toml:"cash" high:"99"`             // m when it is sold; 0: it can't be
	Unit      string `toml:"unit"`                       // the sort of the unit that it brings; "": none
}

// A Catastrophe is one kind of Catastrophe card.
type Catastrophe struct {
	ID    string   `toml:"id"`
	Title string   `toml:"title"`
	Count int      `toml:"count" high:"10"`
	All   []string `toml:"all"` // City cards that negate it for all own zones hit, or as a whole
	One   []string `toml:"one"` // for one own zone
}

// homes are the home sectors with n players.
func (d *Data) homes(n int) []int {
	h := &d.Board.Homes
	return [...][]int{2: h.Two, 3: h.Three, 4: h.Four}[n]
}

// out are the slots out of play with n players.
func (d *Data) out(n int) []string {
	o := &d.Board.Out
	return [...][]string{2: o.Two, 3: o.Three, 4: o.Four}[n]
}

// readData reads and checks a data file. Errors name file, line, value and what is allowed.
func readData(file datafile.File) (*Data, error) {
	d := &Data{}
	return d, file.Read(d, func(c *datafile.Check) { d.check(&checker{c}) })
}

// checker adds what only this game's data need.
type checker struct{ *datafile.Check }

// list checks length and range of a list of numbers.
func (c *checker) list(path string, values []int, length int) bool {
	if len(values) != length {
		c.Fail(path, "%s has %d numbers; it has %d", path, len(values), length)
		return false
	}
	return true
}

func (d *Data) check(c *checker) {
	c.Need(d.Game == name, "game", "game %q; these are data for %q", d.Game, name)
	c.In("start.cards", d.Start.Cards, 0, d.HandLimit)
	d.checkBoard(c)
	d.checkChart(c)
	d.checkLevels(c)
	d.checkElection(c)
	d.checkCards(c)
}

func (d *Data) checkBoard(c *checker) {
	for n := 2; n <= maxPlayers; n++ {
		digit := strconv.Itoa(n)
		path := "board.homes." + digit
		homes := d.homes(n)
		if c.list(path, homes, n) {
			for i, k := range homes {
				c.Need(!slices.Contains(homes[:i], k), path, "%s has sector %d twice", path, k)
			}
		}
		path = "board.out." + digit
		out := d.out(n)
		for i, word := range out {
			if !slices.Contains(slotNames[:], word) {
				c.Fail(path, "%s: unknown slot %q: %s", path, word, spelling.Suggest(word, slotNames[:]))
			}
			c.Need(!slices.Contains(out[:i], word), path, "%s has slot %s twice", path, word)
		}
		c.Need(c.Err() != nil || NumZones-len(out)*(NumTiles-n) >= n*tileZones, path,
			"%s leaves too few zones in play: %d players need %d", path, n, n*tileZones)
	}
	if len(d.Tiles) != NumTiles {
		c.Fail("tiles", "%d tiles; there are %d", len(d.Tiles), NumTiles)
		return
	}
	for t, tile := range d.Tiles {
		path := "tiles." + strconv.Itoa(t)
		c.Need(tile.ID == tileNames[t], path+".id", "%s.id %q; the tiles stand in the order A to F", path, tile.ID)
		c.list(path+".people", tile.People, tileZones)
		c.list(path+".machines", tile.Machines, tileZones)
	}
}

func (d *Data) checkChart(c *checker) {
	for _, lot := range []struct {
		id string
		Lot
	}{
		{"goods5", d.Chart.Goods5}, {"goods10", d.Chart.Goods10}, {"machine", d.Chart.Machine}, {"bulk", d.Chart.Bulk},
		{"plant", d.Chart.Plant},
	} {
		c.Need(lot.units() >= 1, "chart."+lot.id,
			"chart.%s costs no units; a lot costs at least one, or a turn would have no end", lot.id)
	}
	c.Need(len(d.Income) >= 1 && len(d.Income) <= maxTurns, "income", "%d lines of income; there are 1 to %d",
		len(d.Income), maxTurns)
	for i, line := range d.Income {
		path := "income." + strconv.Itoa(i)
		if i == 0 {
			c.In(path+".from", line.From, 1, 1)
		} else {
			c.In(path+".from", line.From, d.Income[i-1].From+1, maxTurns)
		}
	}
}

func (d *Data) checkLevels(c *checker) {
	l := &d.Levels
	if c.list("levels.maintenance", l.Maintenance, maxLevel+1) {
		c.Need(l.Maintenance[0] == 0, "levels.maintenance.0", "levels.maintenance begins with %d; level 0 costs nothing",
			l.Maintenance[0])
		c.Need(slices.IsSorted(l.Maintenance), "levels.maintenance",
			"levels.maintenance falls; a higher level costs no less than a lower one")
	}
	c.list("levels.raise", l.Raise, maxLevel)
	c.list("levels.points", l.Points, maxLevel+1)
	c.list("levels.election", l.Election, maxLevel+1)
	if len(l.Election) > 0 {
		c.In("levels.election.0", l.Election[0], 0, 0)
	}
}

func (d *Data) checkElection(c *checker) {
	c.In("conversion.cheap", d.Conversion.Cheap, 0, d.Conversion.Cash)
	c.In("election.least_contested", d.Election.LeastContested, d.Election.LeastAlone, 99)
	if c.list("election.die", d.Election.Die, maxExcess) {
		for i := 1; i < maxExcess; i++ {
			c.Need(d.Election.Die[i] <= d.Election.Die[i-1], "election.die."+strconv.Itoa(i),
				"election.die rises; more cash needs no higher die")
		}
	}
}

// leastCityCards keep the deck from running dry: four full hands, and two cards for El Gigante.
func (d *Data) leastCityCards() int { return maxPlayers*(d.HandLimit+2) + 2 }

func (d *Data) checkCards(c *checker) {
	if len(d.CityCards) != NumTitles {
		c.Fail("city_cards", "%d City cards; there are %d titles", len(d.CityCards), NumTitles)
		return
	}
	total := 0
	for i, card := range d.CityCards {
		path := "city_cards." + strconv.Itoa(i)
		c.Need(card.ID == cardNames[i], path+".id", "%s.id %q; title %d is %q", path, card.ID, i, cardNames[i])
		c.Line(path+".title", card.Title, 60)
		c.Need(card.Unit == "" || slices.Contains(kindNames[:numUnits], card.Unit), path+".unit",
			"%s.unit %q is none of %s, or \"\"", path, card.Unit, "mining, energy, manufacturing")
		total += card.Count
	}
	if least := d.leastCityCards(); total < least {
		c.Fail("city_cards", "%d City cards in all; there must be at least %d", total, least)
	}
	if len(d.Catastrophes) != numCatastrophes {
		c.Fail("catastrophes", "%d Catastrophe cards; there are %d kinds", len(d.Catastrophes), numCatastrophes)
		return
	}
	for i, k := range d.Catastrophes {
		path := "catastrophes." + strconv.Itoa(i)
		if id := cardNames[NumTitles+i]; k.ID != id {
			c.Fail(path+".id", "%s.id %q; kind %d is %q", path, k.ID, i, id)
		}
		c.Line(path+".title", k.Title, 60)
		d.checkNegation(c, path+".all", k.All, nil)
		d.checkNegation(c, path+".one", k.One, k.All)
		if card := Card(NumTitles + i); len(k.One) > 0 && !card.strikesZones() {
			c.Fail(path+".one", "%s.one: %s hits no zones of which one could be saved", path, k.ID)
		}
		c.Need(!slices.Contains(k.All, cardNames[UrbanPlanning]) || Card(NumTitles+i) != Independence, path+".all",
			"%s.all: %s is what the others are played with", path, cardNames[UrbanPlanning])
	}
}

func (d *Data) checkNegation(c *checker, path string, titles, others []string) {
	for i, id := range titles {
		if !slices.Contains(cardNames[:NumTitles], id) {
			c.Fail(path, "%s: unknown City card %q: %s", path, id, spelling.Suggest(id, cardNames[:NumTitles]))
		}
		c.Need(!slices.Contains(titles[:i], id) && !slices.Contains(others, id), path, "%s has %s twice", path, id)
	}
}
