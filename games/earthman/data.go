package earthman

import (
	_ "embed"
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

// NumCards is the number of Unexpected AI Thoughts.
const NumCards = 20

// Data are the numbers printed on the components (RULES.md 2). They are read-only.
type Data struct {
	Game  string `toml:"game"`
	Start struct {
		Resource int `toml:"resource" high:"20"`
		Fleets   int `toml:"fleets" low:"1" high:"3"`
	} `toml:"start"`
	Track struct {
		Power     int `toml:"power" high:"100"`
		Skynet    int `toml:"skynet" low:"1" high:"60"`
		Sanctions int `toml:"sanctions" low:"1" high:"20"`
		Score     int `toml:"score" low:"2" high:"6"`
	} `toml:"track"`
	Roll     Rolls `toml:"roll"`
	Capacity struct {
		Home  int `toml:"home"`
		Other int `toml:"other"`
	} `toml:"capacity"`
	Map          Map          `toml:"map"`
	Technologies []Technology `toml:"technologies"`
	Cards        []Card       `toml:"cards"`
}

// Rolls are the numbers needed on a die, without technology.
type Rolls struct {
	Hit       int    `toml:"hit"`
	Overthrow int    `toml:"overthrow"`
	Pacify    int    `toml:"pacify"`
	Research  int    `toml:"research"`
	Spy       int    `toml:"spy"`
	Replicate int    `toml:"replicate" low:"2" high:"6"`
	Expand    []int  `toml:"expand" low:"1" high:"6"` // by fleets in the group
	Once      int    `toml:"once" low:"2" high:"6"`
	Twice     int    `toml:"twice" low:"2" high:"6"`
	Influence []Step `toml:"influence"`
}

// A Step of the Political Influence table: from so many fleets on, that number is needed.
type Step struct {
	Fleets int `toml:"fleets"`
	Need   int `toml:"need" low:"1" high:"6"`
}

// A Map is worlds and trajectories.
type Map struct {
	Home           string     `toml:"home"`
	Worlds         []World    `toml:"worlds"`
	Approaches     []Approach `toml:"approaches"`
	Interplanetary []Disc     `toml:"interplanetary"`
	Centre         Disc       `toml:"centre"`
}

// A World has as many regions as its list of Devastation is long.
type World struct {
	ID          string `toml:"id"`
	Name        string `toml:"name"`
	Approach    string `toml:"approach"`
	Devastation []int  `toml:"devastation" high:"2"`
}

// An Approach is a trajectory of the outermost ring.
type Approach struct {
	ID      string   `toml:"id"`
	Name    string   `toml:"name"`
	Skyward []string `toml:"skyward"`
}

// A Disc is an Interplanetary or the Solar System trajectory.
type Disc struct {
	ID   string `toml:"id"`
	Name string `toml:"name"`
}

// A Technology of the technology board.
type Technology struct {
	ID     string `toml:"id"`
	Name   string `toml:"name"`
	Others int    `toml:"others"`
	Or     string `toml:"or"`
	Levels int    `toml:"levels"`
	Steps  int    `toml:"steps" low:"1" high:"20"`
}

// A Card is an Unexpected AI Thought.
type Card struct {
	Title   string `toml:"title"`
	Symbols int    `toml:"symbols" high:"3"`
	Story   string `toml:"story"`
}

// readData reads and checks a data file. Errors name file, line, value and what is allowed.
func readData(file datafile.File) (*Data, error) {
	d := &Data{}
	return d, file.Read(d, func(c *datafile.Check) { d.check(&checker{c}) })
}

// checker adds what only this game's data need.
type checker struct{ *datafile.Check }

func (d *Data) check(c *checker) {
	c.Need(d.Game == name, "game", "game %q; these are data for %q", d.Game, name)
	d.Roll.check(c)
	c.In("capacity.home", d.Capacity.Home, 1, maxDevs-maxLevels[Nanotech])
	c.In("capacity.other", d.Capacity.Other, 1, d.Capacity.Home)
	d.Map.check(c)
	d.checkTechnologies(c)
	d.checkCards(c)
}

func (r *Rolls) check(c *checker) {
	for _, n := range []struct {
		key  string
		need int
		best Tech // lowers the number, but never below 2 (EB-014 is for what is printed as automatic)
	}{
		{"hit", r.Hit, Attack}, {"overthrow", r.Overthrow, Influence}, {"pacify", r.Pacify, Stability},
		{"research", r.Research, Research}, {"spy", r.Spy, Influence},
	} {
		c.In("roll."+n.key, n.need, 2+maxLevels[n.best], 6)
	}
	c.Need(r.Once != r.Twice, "roll.twice",
		"roll.twice %d equals roll.once; the number needed must tell the two Risk rolls apart", r.Twice)
	c.Need(len(r.Expand) == 3, "roll.expand", "roll.expand has %d numbers; it has 3, for groups of 1, 2 and 3 fleets",
		len(r.Expand))
	for i, need := range r.Expand {
		c.Need(i == 0 || need <= r.Expand[i-1], index("roll.expand", i),
			"roll.expand rises to %d; a larger group needs no more than a smaller one", need)
	}
	if n := len(r.Influence); n < 1 || n > 12 {
		c.Fail("roll.influence", "roll.influence has %d steps; there are 1 to 12", n)
	}
	for i, step := range r.Influence {
		path := index("roll.influence", i)
		if i == 0 {
			c.In(path+".fleets", step.Fleets, leastInfluence, leastInfluence)
			continue
		}
		c.In(path+".fleets", step.Fleets, r.Influence[i-1].Fleets+1, maxFleets)
		c.Need(step.Need <= r.Influence[i-1].Need, path+".need", "%s.need rises to %d; more fleets need no more than fewer",
			path, step.Need)
	}
}

// place checks that an id belongs to a ring and doesn't come twice.
func (c *checker) place(path, id string, ring Places, seen *Places) {
	var ids []string
	for at := range ring.Each {
		ids = append(ids, at.ID())
	}
	at := placeOf(id)
	switch {
	case at < 0 || !ring.Has(at):
		c.Fail(path, "%s: unknown id %q: %s", path, id, spelling.Suggest(id, ids))
	case seen.Has(at):
		c.Fail(path, "%s: %q comes twice", path, id)
	default:
		*seen |= only(at)
	}
}

func (m *Map) check(c *checker) {
	var seen, upper, lower Places // lower: Approaches with a world below; upper: Interplanetary places with an Approach
	names := map[string]bool{}
	named := func(path, name string) {
		c.Line(path, name, 40)
		c.Need(!names[name], path, "%s: the name %q is used twice", path, name)
		names[name] = true
	}
	c.place("map.centre.id", m.Centre.ID, centre, &seen)
	named("map.centre.name", m.Centre.Name)
	for i, disc := range m.Interplanetary {
		path := index("map.interplanetary", i)
		c.place(path+".id", disc.ID, interplanetary, &seen)
		named(path+".name", disc.Name)
	}
	for i, a := range m.Approaches {
		path := index("map.approaches", i)
		c.place(path+".id", a.ID, approaches, &seen)
		named(path+".name", a.Name)
		c.Need(len(a.Skyward) != 0, path+".skyward",
			"%s.skyward is empty; every Approach has an Interplanetary place above it", path)
		var above Places
		for k, id := range a.Skyward {
			c.place(index(path+".skyward", k), id, seen&interplanetary, &above)
		}
		upper |= above
	}
	for i, w := range m.Worlds {
		path := index("map.worlds", i)
		c.place(path+".id", w.ID, worlds, &seen)
		named(path+".name", w.Name)
		var above Places
		c.place(path+".approach", w.Approach, seen&approaches, &above)
		lower |= above
		if n := len(w.Devastation); n < 2 || n > MaxRegions {
			c.Fail(path+".devastation", "%s.devastation has %d numbers, one per region; a world has 2 to %d regions", path, n,
				MaxRegions)
		}
		for k, n := range w.Devastation {
			c.Need(w.ID != m.Home || n == 0, index(path+".devastation", k),
				"%s: %q is home, where UN developments lie and no Devastation", index(path+".devastation", k), w.ID)
		}
	}
	c.Need(len(m.Worlds) >= 2, "map.worlds", "%d worlds; there are 2 to %d", len(m.Worlds), NumWorlds)
	var none Places
	c.place("map.home", m.Home, seen&worlds, &none)
	if empty := seen & approaches &^ lower; empty != 0 {
		c.Fail("map.approaches", "the Approach %q has no world below it", empty.first().ID())
	}
	if empty := seen & interplanetary &^ upper; empty != 0 {
		c.Fail("map.interplanetary", "the Interplanetary place %q has no Approach below it", empty.first().ID())
	}
}

func (d *Data) checkTechnologies(c *checker) {
	names := map[string]bool{}
	var seen Techs
	for i, t := range d.Technologies {
		path := index("technologies", i)
		tech := techOf(t.ID)
		if tech < 0 {
			c.Fail(path+".id", "%s: unknown technology %q: %s", path+".id", t.ID, spelling.Suggest(t.ID, techIDs[:]))
			return
		}
		c.Need(!seen.Has(tech) && !names[t.Name], path, "%s: %q or its name %q comes twice", path, t.ID, t.Name)
		seen |= 1 << tech
		names[t.Name] = true
		c.Line(path+".name", t.Name, 40)
		c.In(path+".others", t.Others, 0, NumTechs-1)
		if t.Or != "" && (techOf(t.Or) < 0 || t.Or == t.ID) {
			c.Fail(path+".or", "%s.or: %q is no other technology: %s", path, t.Or, spelling.Suggest(t.Or, techIDs[:]))
		}
		if tech == AI {
			c.In(path+".levels", t.Levels, 0, 0)
		} else {
			c.In(path+".levels", t.Levels, 1, maxLevels[tech])
		}
	}
}

func (d *Data) checkCards(c *checker) {
	if len(d.Cards) != NumCards {
		c.Fail("cards", "%d cards; there are %d", len(d.Cards), NumCards)
		return
	}
	titles := map[string]bool{}
	sum := 0
	for i, card := range d.Cards {
		path := index("cards", i)
		c.Line(path+".title", card.Title, 60)
		c.Need(!titles[card.Title], path+".title", "%s: the title %q is used twice", path, card.Title)
		titles[card.Title] = true
		c.Line(path+".story", card.Story, 200)
		sum += card.Symbols
	}
	if sum < d.Track.Skynet { // EB-272
		c.Fail("cards", "the cards have %d Rogue symbols, fewer than the %d of track.skynet: the deck would run out", sum,
			d.Track.Skynet)
	}
}

func index(path string, i int) string { return path + "." + strconv.Itoa(i) }
