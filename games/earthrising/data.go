package earthrising

import (
	_ "embed"
	"slices"

	"earthgym/env"
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
	} `toml:"calendar"`
	Setup struct {
		MinorStrain int `toml:"minor_strain"`
		MajorStrain int `toml:"major_strain"`
		Hand        int `toml:"hand"`
		Strikes     int `toml:"strikes"`
		SoloCast    int `toml:"solo_cast"`
	} `toml:"setup"`
	Circles struct {
		Board int `toml:"board"`
		Major int `toml:"major"`
		Minor int `toml:"minor"`
	} `toml:"circles"`
	Burden struct {
		Minor int `toml:"minor"`
		Major int `toml:"major"`
	} `toml:"burden"`
	Turn struct {
		Draw          int `toml:"draw"`
		DrawQuickplay int `toml:"draw_quickplay"`
		HandLimit     int `toml:"hand_limit"`
		Actions       int `toml:"actions"`
		CleanUp       int `toml:"clean_up"`
	} `toml:"turn"`
	People struct {
		Support   int `toml:"support"`
		PerStrain int `toml:"per_strain"`
	} `toml:"people"`
	Strain struct {
		Unsustainable int `toml:"unsustainable"`
		Sustainable   int `toml:"sustainable"`
		Regenerating  int `toml:"regenerating"`
		Strike        int `toml:"strike"`
	} `toml:"strain"`
	Collapse struct {
		Cards       []int `toml:"cards"`
		Temperature []int `toml:"temperature"`
		Relief      int   `toml:"relief"`
	} `toml:"collapse"`
	Ability struct {
		Activist      int `toml:"activist"`
		Innovator     int `toml:"innovator"`
		Investor      int `toml:"investor"`
		Ecologist     int `toml:"ecologist"`
		Climatologist int `toml:"climatologist"`
		Politician    int `toml:"politician"`
	} `toml:"ability"`
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
func readData(d env.DataFile) (*data, error) {
	t := &data{}
	lines, err := d.Decode(t)
	if err != nil {
		return nil, err
	}
	if t.Game != "earth-rising" {
		return nil, lines.Errorf("game", "these are data of %q, not of earth-rising", t.Game)
	}
	if err := permutation(lines, "ring", t.Ring, sectorIDs[:]); err != nil {
		return nil, err
	}
	if err := permutation(lines, "die", t.Die, characterIDs[:]); err != nil {
		return nil, err
	}
	for _, n := range []struct {
		path           string
		value, low, up int
	}{
		{"calendar.normal", t.Calendar.Normal, 1, maxTurns},
		{"calendar.solo", t.Calendar.Solo, 1, maxTurns},
		{"calendar.quickplay", t.Calendar.Quickplay, 1, maxTurns},
		{"calendar.quickplay_six", t.Calendar.QuickplaySix, 1, maxTurns},
		{"calendar.election", t.Calendar.Election, 1, maxTurns},
		{"burden.minor", t.Burden.Minor, 1, 5},
		{"burden.major", t.Burden.Major, t.Burden.Minor, 9}, // the split of ER-503 needs a Major no smaller
		{"setup.minor_strain", t.Setup.MinorStrain, 0, t.Burden.Minor},
		{"setup.major_strain", t.Setup.MajorStrain, 0, t.Burden.Major},
		{"setup.hand", t.Setup.Hand, 0, 7},
		{"setup.strikes", t.Setup.Strikes, 1, NumSectors},
		{"setup.solo_cast", t.Setup.SoloCast, 2, NumCharacters},
		{"circles.board", t.Circles.Board, 3, perCircle}, // the first counters lie on circles 1 and 2
		{"circles.major", t.Circles.Major, 0, perCircle},
		{"circles.minor", t.Circles.Minor, 0, perCircle},
		{"turn.draw", t.Turn.Draw, 0, 9},
		{"turn.draw_quickplay", t.Turn.DrawQuickplay, 0, 9},
		{"turn.hand_limit", t.Turn.HandLimit, 0, numPractices},
		{"turn.actions", t.Turn.Actions, 1, 9},
		{"turn.clean_up", t.Turn.CleanUp, 1, maxCleanUp},
		{"people.support", t.People.Support, 0, perCircle},
		{"people.per_strain", t.People.PerStrain, 1, numMeeple},
		{"strain.unsustainable", t.Strain.Unsustainable, 0, 9},
		{"strain.sustainable", t.Strain.Sustainable, 0, 9},
		{"strain.regenerating", t.Strain.Regenerating, 0, 9},
		{"strain.strike", t.Strain.Strike, 0, 9},
		{"collapse.relief", t.Collapse.Relief, 1, t.Burden.Minor},
		{"ability.activist", t.Ability.Activist, 0, 1}, // 8 tokens of each kind
		{"ability.innovator", t.Ability.Innovator, 0, 1},
		{"ability.investor", t.Ability.Investor, 0, 1},
		{"ability.ecologist", t.Ability.Ecologist, 0, 1},
		{"ability.climatologist", t.Ability.Climatologist, 0, 1},
		{"ability.politician", t.Ability.Politician, 0, maxBase},
	} {
		if n.value < n.low || n.value > n.up {
			return nil, lines.Errorf(n.path, "%s = %d is not in %d to %d", n.path, n.value, n.low, n.up)
		}
	}
	if sum := t.Circles.Board + t.Circles.Major + t.Circles.Minor; sum != perCircle {
		return nil, lines.Errorf("circles", "the circles of a sector add up to %d, not %d", sum, perCircle)
	}
	if numPractices%t.Setup.Strikes != 0 {
		return nil, lines.Errorf("setup.strikes", "setup.strikes = %d does not divide the %d Influence cards into equal piles", t.Setup.Strikes, numPractices)
	}
	if pile, most := numPractices/t.Setup.Strikes, NumCharacters*t.Setup.Hand; most > pile {
		return nil, lines.Errorf("setup.hand", "setup.hand = %d: %d cards would be dealt, past the first pile of %d, where a strike lies", t.Setup.Hand, most, pile)
	}
	if len(t.Collapse.Cards) != maxCollapses {
		return nil, lines.Errorf("collapse.cards", "collapse.cards lists %d collapses; there are %d that don't lose the game", len(t.Collapse.Cards), maxCollapses)
	}
	if len(t.Collapse.Temperature) != maxCollapses {
		return nil, lines.Errorf("collapse.temperature", "collapse.temperature lists %d tokens; there are %d", len(t.Collapse.Temperature), maxCollapses)
	}
	for i := range maxCollapses {
		if n := t.Collapse.Cards[i]; n < 0 || n > 9 {
			return nil, lines.Errorf("collapse.cards", "collapse.cards: %d is not in 0 to 9", n)
		}
		if n := t.Collapse.Temperature[i]; n < 0 || n > 9 {
			return nil, lines.Errorf("collapse.temperature", "collapse.temperature: %d is not in 0 to 9", n)
		}
	}
	return t, t.checkSectors(lines)
}

func permutation(lines *env.Lines, path string, list, of []string) error {
	if len(list) != len(of) {
		return lines.Errorf(path, "%s lists %d names, not %d", path, len(list), len(of))
	}
	for i, name := range list {
		if !slices.Contains(of, name) {
			return lines.Errorf(path, "%s: unknown name %q: %s", path, name, env.Suggest(name, of))
		}
		if slices.Index(list, name) < i {
			return lines.Errorf(path, "%s lists %q twice", path, name)
		}
	}
	return nil
}

func (t *data) checkSectors(lines *env.Lines) error {
	if len(t.Sectors) != NumSectors {
		return lines.Errorf("sector", "there are %d sectors, not %d", len(t.Sectors), NumSectors)
	}
	practices := map[string]bool{}
	for i, x := range t.Sectors {
		at := "sector." + string(rune('0'+i))
		if x.ID != sectorIDs[i] {
			return lines.Errorf(at+".id", "sector %d is %q; the sectors are, in this order: %s", i+1, x.ID, env.Suggest(x.ID, sectorIDs[:]))
		}
		for _, f := range []struct{ path, text string }{
			{".name", x.Name}, {".character", x.Character}, {".major", x.Major}, {".minor", x.Minor},
		} {
			if !isName(f.text) {
				return lines.Errorf(at+f.path, "%q is no name: one line of 1 to %d characters", f.text, maxName)
			}
		}
		if !isColour(x.Colour) {
			return lines.Errorf(at+".colour", "%q is no colour of the form #rrggbb", x.Colour)
		}
		if len(x.Practices) != perSector {
			return lines.Errorf(at+".practices", "%s has %d practices, not %d", x.ID, len(x.Practices), perSector)
		}
		for _, pair := range x.Practices {
			if len(pair) != 2 {
				return lines.Errorf(at+".practices", "a practice of %s has %d names, not two: sustainable and unsustainable", x.ID, len(pair))
			}
			for _, name := range pair {
				if !isName(name) {
					return lines.Errorf(at+".practices", "%q is no name: one line of 1 to %d characters", name, maxName)
				}
				if practices[name] {
					return lines.Errorf(at+".practices", "two practices are called %q", name)
				}
				practices[name] = true
			}
		}
	}
	return nil
}

const maxName = 40

func isName(text string) bool {
	n := 0
	for _, r := range text {
		if r < ' ' || r == '\ufffd' {
			return false
		}
		n++
	}
	return n >= 1 && n <= maxName
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
