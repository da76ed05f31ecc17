package resilience

import (
	_ "embed"
	"slices"
	"strings"

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

// Sizes that no data file exceeds, as arrays and the observation are made for them.
const (
	maxPlayers = 4
	maxStacks  = 12
	maxStones  = 63
	maxEvents  = 32
	maxParts   = 19 // a struck field and two rings
	maxPath    = 5
	maxRounds  = 98
	wholeGame  = 99 // rounds left of a cover for the whole game
)

// Data are the numbers printed on the components (RULES.md 2.9). They are read-only.
type Data struct {
	Game      string     `toml:"game"`
	Buildings []Building `toml:"buildings"` // settlement, city, industry

	Travel        int `toml:"travel" high:"99"`    // RES more for a field that is not beside an own one
	StartRES      int `toml:"start_res" high:"99"` // of each seat
	SettlementLQ  int `toml:"settlement_lq" high:"99"`
	SabbaticalLQ  int `toml:"sabbatical_lq" high:"99"`
	SabbaticalRES int `toml:"sabbatical_res" high:"99"` // paid for a sabbatical
	SmogLQ        int `toml:"smog_lq" high:"99"`        // per field
	Penalty       int `toml:"penalty" high:"99"`        // points off beyond 80:20

	Stacks  []int `toml:"stacks" low:"1" high:"63"` // stones of each
	Fall    []int `toml:"fall" high:"10000"`        // chance in 10,000 that stone k brings the tower down, from k = 0
	Markers int   `toml:"markers" high:"36"`
	Supply  struct {
		RES int `toml:"res"`
		LQ  int `toml:"lq"`
	} `toml:"supply" high:"9999"`
	Rotation struct {
		Two   []int `toml:"2"`
		Three []int `toml:"3"`
		Four  []int `toml:"4"`
	} `toml:"rotation" high:"5"`
	Seconds struct {
		Turn struct {
			Two   int `toml:"2"`
			Three int `toml:"3"`
			Four  int `toml:"4"`
		} `toml:"turn"`
		Allocation int `toml:"allocation"`
	} `toml:"seconds" low:"1" high:"3600"`
	Events []Card `toml:"events"`
}

// A Building is a line of the price list.
type Building struct {
	Name       string `toml:"name"`
	Cost       int    `toml:"cost" low:"1" high:"99"` // RES; of a city and an industry on top of the settlement
	Production int    `toml:"production" high:"99"`   // RES per round
	Stones     int    `toml:"stones" high:"63"`       // put on the tower
	Pieces     int    `toml:"pieces" high:"36"`       // of one seat
}

// A Card is a climate event card.
type Card struct {
	ID    string `toml:"id"`
	Name  string `toml:"name"`
	Parts []Part `toml:"parts"`
}

// A Part is one field of a climate event card.
type Part struct {
	Path   []string `toml:"path"`   // directions from the struck field
	Kind   string   `toml:"kind"`   // B blocks, D destroys
	Rounds any      `toml:"rounds"` // 1 to 98, or "whole"
}

// rounds is the cover's duration as a number.
func (p *Part) rounds() int {
	if n, ok := p.Rounds.(int64); ok {
		return int(n)
	}
	return wholeGame
}

// turnSeconds is the time of a turn with n players.
func (d *Data) turnSeconds(n int) int {
	return [...]int{2: d.Seconds.Turn.Two, 3: d.Seconds.Turn.Three, 4: d.Seconds.Turn.Four}[n]
}

// rotations are the orientations of cards with n players, by seat.
func (d *Data) rotations(n int) []int {
	return [...][]int{2: d.Rotation.Two, 3: d.Rotation.Three, 4: d.Rotation.Four}[n]
}

// stones is the number of stones in all stacks.
func (d *Data) stones() int {
	n := 0
	for _, k := range d.Stacks {
		n += k
	}
	return n
}

// readData reads and checks a data file. Errors name file, line, value and what is allowed.
func readData(file datafile.File) (*Data, error) {
	d := &Data{}
	return d, file.Read(d, d.check)
}

func (d *Data) check(c *datafile.Check) {
	c.Need(d.Game == name, "game", "game %q; these are data for %q", d.Game, name)
	d.checkBuildings(c)
	d.checkTower(c)
	for n := 2; n <= maxPlayers; n++ {
		digit := string(rune('0' + n))
		path := "rotation." + digit
		c.Need(len(d.rotations(n)) == n, path, "%s has %d numbers; it has one per seat: %d", path, len(d.rotations(n)), n)
	}
	d.checkEvents(c)
}

func (d *Data) checkBuildings(c *datafile.Check) {
	if len(d.Buildings) != 3 {
		c.Fail("buildings", "%d buildings; there are 3: settlement, city, industry", len(d.Buildings))
		return
	}
	for i, b := range d.Buildings {
		path := index("buildings", i)
		c.Line(path+".name", b.Name, 40)
		if i == 0 {
			c.Need(b.Stones == 0, path+".stones", "%s.stones %d; a settlement puts none on the tower", path, b.Stones)
			continue
		}
		before := d.Buildings[i-1]
		c.Need(b.Production >= before.Production, path+".production",
			"%s.production %d is less than the %d of the level below", path, b.Production, before.Production)
		c.Need(b.Stones >= before.Stones, path+".stones", "%s.stones %d is less than the %d of the level below", path,
			b.Stones, before.Stones)
	}
}

func (d *Data) checkTower(c *datafile.Check) {
	c.Need(len(d.Stacks) >= 1 && len(d.Stacks) <= maxStacks, "stacks", "%d stacks; there are 1 to %d", len(d.Stacks),
		maxStacks)
	c.Need(d.stones() <= maxStones, "stacks", "the stacks have %d stones; at most %d", d.stones(), maxStones)
	c.Need(len(d.Fall) == d.stones()+1, "fall", "fall has %d numbers; it has one per height from 0 to %d", len(d.Fall),
		d.stones())
}

// isID says whether a text is a letter, and then letters, digits and hyphens, 40 in all at most.
func isID(text string) bool {
	const most = 40
	letters := strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	return letters && len(text) > 0 && len(text) <= most && text[0] >= 'a' && text[0] <= 'z'
}

func (d *Data) checkEvents(c *datafile.Check) {
	c.Need(len(d.Events) >= 1 && len(d.Events) <= maxEvents, "events", "%d events; there are 1 to %d", len(d.Events),
		maxEvents)
	var ids []string
	for i, e := range d.Events {
		path := index("events", i)
		c.Need(isID(e.ID), path+".id", "%s.id %q; an id is a word of small letters, digits and hyphens", path, e.ID)
		c.Need(!slices.Contains(ids, e.ID), path+".id", "%s.id %q is used twice", path, e.ID)
		ids = append(ids, e.ID)
		c.Line(path+".name", e.Name, 40)
		c.Need(len(e.Parts) >= 1 && len(e.Parts) <= maxParts, path+".parts", "%s has %d parts; a card has 1 to %d", path,
			len(e.Parts), maxParts)
		for k, p := range e.Parts {
			p.check(c, index(path+".parts", k))
		}
	}
}

func (p *Part) check(c *datafile.Check, path string) {
	c.Need(len(p.Path) <= maxPath, path+".path", "%s.path has %d steps; at most %d", path, len(p.Path), maxPath)
	for _, word := range p.Path {
		if !slices.Contains(directionNames[:], word) {
			c.Fail(path+".path", "%s.path: unknown direction %q: %s", path, word, spelling.Suggest(word, directionNames[:]))
		}
	}
	c.Need(p.Kind == "B" || p.Kind == "D", path+".kind", "%s.kind %q; it is B or D", path, p.Kind)
	switch rounds := p.Rounds.(type) {
	case int64:
		c.Need(rounds >= 1 && rounds <= maxRounds, path+".rounds", "%s.rounds %d is not in 1 to %d", path, rounds,
			maxRounds)
	default:
		c.Need(rounds == "whole", path+".rounds", "%s.rounds is neither 1 to %d nor \"whole\"", path, maxRounds)
	}
}
