package earthrising

import (
	_ "embed"
	"slices"
	"strconv"

	"earthgym/env/datafile"
	"earthgym/env/spelling"
)

//go:embed data.toml
var builtin []byte

//go:embed HOWTO.md
var howTo string

//go:embed story.toml
var storyWords []byte

// StoryWords is the catalogue of the story.
func (g *Game) StoryWords() []byte { return storyWords }

// data are the component data: what the rulebook's components print, and the numbers of its text.
type data struct {
	Game     string   `toml:"game"`
	Ring     []string `toml:"ring"`
	Die      []string `toml:"die"`
	Calendar struct {
		Normal       int `toml:"normal"`
		Solo         int `toml:"solo"`
		Quickplay    int `toml:"quickplay"`
		QuickplaySix int `toml:"quickplay_six"`
		Election     int `toml:"election"`
	} `toml:"calendar" low:"1" high:"60"`
	Setup struct {
		MinorStrain int `toml:"minor_strain"`
		MajorStrain int `toml:"major_strain"`
		Hand        int `toml:"hand" high:"7"`
		Strikes     int `toml:"strikes" low:"1" high:"6"`
		SoloCast    int `toml:"solo_cast" low:"2" high:"6"`
	} `toml:"setup"`
	Circles struct {
		Board int `toml:"board" low:"3" high:"7"`
		Major int `toml:"major" high:"7"`
		Minor int `toml:"minor" high:"7"`
	} `toml:"circles"`
	Burden struct {
		Minor int `toml:"minor" low:"1" high:"5"`
		Major int `toml:"major"`
	} `toml:"burden"`
	Turn struct {
		Draw          int `toml:"draw" high:"9"`
		DrawQuickplay int `toml:"draw_quickplay" high:"9"`
		HandLimit     int `toml:"hand_limit" high:"42"`
		Actions       int `toml:"actions" low:"1" high:"9"`
		CleanUp       int `toml:"clean_up" low:"1" high:"4"`
	} `toml:"turn"`
	People struct {
		Support   int `toml:"support" high:"7"`
		PerStrain int `toml:"per_strain" low:"1" high:"42"`
	} `toml:"people"`
	Strain struct {
		Unsustainable int `toml:"unsustainable"`
		Sustainable   int `toml:"sustainable"`
		Regenerating  int `toml:"regenerating"`
		Strike        int `toml:"strike"`
	} `toml:"strain" high:"9"`
	Collapse struct {
		Cards       []int `toml:"cards" high:"9"`
		Temperature []int `toml:"temperature" high:"9"`
		Relief      int   `toml:"relief"`
	} `toml:"collapse"`
	Ability struct {
		Activist      int `toml:"activist"`
		Innovator     int `toml:"innovator"`
		Investor      int `toml:"investor"`
		Ecologist     int `toml:"ecologist"`
		Climatologist int `toml:"climatologist"`
		Politician    int `toml:"politician" high:"2"`
	} `toml:"ability" high:"1"`
	Sectors []sectorData `toml:"sector"`
}

// sectorData are the names of a sector and of what belongs to it.
type sectorData struct {
	ID        string     `toml:"id"`
	Name      string     `toml:"name"`
	Character string     `toml:"character"`
	Major     string     `toml:"major"`
	Minor     string     `toml:"minor"`
	Colour    string     `toml:"colour"`
	Practices [][]string `toml:"practices"`
}

// The maxima of numbers that size arrays or keep the bound on decisions.
const (
	maxTurns     = 60
	maxCollapses = 3 // that don't lose the game
	maxBase      = 2 // of an ability before practices
	maxLooked    = maxBase + perSector
	maxCleanUp   = 4 // the actions clean s n
)

// readData reads and checks component data.
func readData(file datafile.File) (*data, error) {
	t := &data{}
	return t, file.Read(t, t.check)
}

func (t *data) check(c *datafile.Check) {
	c.Need(t.Game == "earth-rising", "game", "these are data of %q, not of earth-rising", t.Game)
	permutation(c, "ring", t.Ring, sectorIDs[:])
	permutation(c, "die", t.Die, characterIDs[:])
	c.In("burden.major", t.Burden.Major, t.Burden.Minor, 9) // the split of ER-503 needs a Major no smaller
	c.In("setup.minor_strain", t.Setup.MinorStrain, 0, t.Burden.Minor)
	c.In("setup.major_strain", t.Setup.MajorStrain, 0, t.Burden.Major)
	c.In("collapse.relief", t.Collapse.Relief, 1, t.Burden.Minor)
	if sum := t.Circles.Board + t.Circles.Major + t.Circles.Minor; sum != perCircle {
		c.Fail("circles", "the circles of a sector add up to %d, not %d", sum, perCircle)
	}
	c.Need(numPractices%t.Setup.Strikes == 0, "setup.strikes",
		"setup.strikes %d does not divide the %d Influence cards into equal piles", t.Setup.Strikes, numPractices)
	if pile, most := numPractices/t.Setup.Strikes, NumCharacters*t.Setup.Hand; most > pile {
		c.Fail("setup.hand", "setup.hand %d: %d cards would be dealt, past the first pile of %d, where a strike lies",
			t.Setup.Hand, most, pile)
	}
	c.Need(len(t.Collapse.Cards) == maxCollapses, "collapse.cards",
		"collapse.cards lists %d collapses; there are %d that don't lose the game", len(t.Collapse.Cards), maxCollapses)
	c.Need(len(t.Collapse.Temperature) == maxCollapses, "collapse.temperature",
		"collapse.temperature lists %d tokens; there are %d", len(t.Collapse.Temperature), maxCollapses)
	t.checkSectors(c)
}

func permutation(c *datafile.Check, path string, list, of []string) {
	c.Need(len(list) == len(of), path, "%s lists %d names, not %d", path, len(list), len(of))
	for i, name := range list {
		if !slices.Contains(of, name) {
			c.Fail(path, "%s: unknown name %q: %s", path, name, spelling.Suggest(name, of))
		}
		c.Need(slices.Index(list, name) >= i, path, "%s lists %q twice", path, name)
	}
}

func (t *data) checkSectors(c *datafile.Check) {
	if len(t.Sectors) != NumSectors {
		c.Fail("sector", "there are %d sectors, not %d", len(t.Sectors), NumSectors)
		return
	}
	practices := map[string]bool{}
	for i, x := range t.Sectors {
		at := "sector." + strconv.Itoa(i)
		if x.ID != sectorIDs[i] {
			c.Fail(at+".id", "sector %d is %q; the sectors are, in this order: %s", i+1, x.ID,
				spelling.Suggest(x.ID, sectorIDs[:]))
		}
		for _, f := range []struct{ path, text string }{
			{".name", x.Name}, {".character", x.Character}, {".major", x.Major}, {".minor", x.Minor},
		} {
			c.Line(at+f.path, f.text, 40)
		}
		c.Need(isColour(x.Colour), at+".colour", "%q is no colour of the form #rrggbb", x.Colour)
		c.Need(len(x.Practices) == perSector, at+".practices", "%s has %d practices, not %d", x.ID, len(x.Practices),
			perSector)
		for _, pair := range x.Practices {
			c.Need(len(pair) == 2, at+".practices", "a practice of %s has %d names, not two: sustainable and unsustainable",
				x.ID, len(pair))
			for _, name := range pair {
				c.Line(at+".practices", name, 40)
				c.Need(!practices[name], at+".practices", "two practices are called %q", name)
				practices[name] = true
			}
		}
	}
}

func isColour(text string) bool {
	if len(text) != 7 || text[0] != '#' {
		return false
	}
	for _, r := range text[1:] {
		if !('0' <= r && r <= '9' || 'a' <= r && r <= 'f') {
			return false
		}
	}
	return true
}
