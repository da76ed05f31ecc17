package earthrising

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
)

const (
	name  = "earth-rising"
	title = "Earth Rising"
	// rulesVersion is raised when a fix changes play.
	rulesVersion = 1
	// encodingVersion is raised when a number of an observation changes its meaning.
	encodingVersion = 2
)

// Rulebook is Earth Rising as it stands in a registry.
func Rulebook() *registry.Rulebook {
	return &registry.Rulebook{
		Name:   name,
		Title:  title,
		Traits: []string{env.Cooperative, env.HiddenInfo},
		Options: []registry.Option{
			{Name: "variant", Kind: registry.Choice, Values: variantIDs[:], Default: "normal",
				Help: "normal: twelve segments in 20 turns; quickplay: six Majors in 10 or 12; solo: three characters and " +
					"elections"},
			{Name: "players", Kind: registry.Int, Min: 1, Max: 6,
				Help: "number of seats: 4 (solo 1); normal needs 2 or more, solo has 1"},
			{Name: "cast", Kind: registry.Int, Min: 2, Max: 6,
				Help: "number of characters: as many as players (quickplay: 3 for one player, 4 for two; solo: 3)"},
			{Name: "characters", Kind: registry.List, Values: append([]string{"random", "choose"}, characterIDs[:]...),
				Default: "random",
				Help:    "how characters are dealt: random, choose, or a list of them in the order of the seats"},
			{Name: "hands", Kind: registry.Choice, Values: []string{"open", "closed"}, Default: "open",
				Help: "whether players show each other their cards"},
			{Name: "win", Kind: registry.Choice, Values: []string{"immediate", "sustained"}, Default: "immediate",
				Help: "whether the last flip wins at once, or must survive the strain of its turn"},
			{Name: "calendar_on_collapse", Kind: registry.Choice, Values: []string{"advance", "hold"}, Default: "advance",
				Help: "whether a year with a collapse passes"},
			{Name: "election_tokens", Kind: registry.Choice, Values: []string{"keep", "return"}, Default: "keep",
				Help: "solo: what happens to the ability tokens of a character voted out"},
			{Name: "talk", Kind: registry.Bool, Default: "off", Help: "two free signals a turn, which bind nobody"},
			{Name: "returns", Kind: registry.Choice, Values: []string{"shaped", "binary"}, Default: "shaped",
				Help: "whether a lost game returns something for what was transformed"},
		},
		Variants: []string{
			"earth-rising:players=2",
			"earth-rising:players=3",
			"earth-rising:players=4",
			"earth-rising:players=5",
			"earth-rising:players=6",
			"earth-rising:players=2,cast=5,characters=choose,hands=closed,talk=on",
			"earth-rising:players=4,hands=closed,win=sustained,calendar_on_collapse=hold",
			"earth-rising:variant=quickplay,players=1",
			"earth-rising:variant=quickplay,players=2",
			"earth-rising:variant=quickplay,players=3",
			"earth-rising:variant=quickplay,players=4,hands=closed",
			"earth-rising:variant=quickplay,players=5,returns=binary",
			"earth-rising:variant=quickplay,players=6",
			"earth-rising:variant=solo",
			"earth-rising:variant=solo,calendar_on_collapse=hold,election_tokens=return",
		},
		Data: builtin,
		New:  open,
	}
}

type variant uint8

const (
	normal variant = iota
	quickplay
	solo
)

var variantIDs = [...]string{"normal", "quickplay", "solo"}

// Game is one configuration of Earth Rising.
type Game struct {
	info *env.Info
	data *data

	// Options.
	variant    variant
	players    int
	cast       int
	list       []Character // characters=LIST; nil otherwise
	choose     bool
	closed     bool
	sustained  bool
	hold       bool
	tokensBack bool
	talk       bool
	binary     bool

	// What follows from options and component data.
	limit    int8 // years of the calendar
	drawn    int8 // cards at the start of a turn
	required int8 // segments that win
	full     int8 // strain that a sector bears outside
	next     [NumSectors]Sector
	before   [NumSectors]Sector
	ring     [NumSectors][NumSectors]Sector // clockwise from each sector
	faces    [NumCharacters]Character
	open     [2][2]uint8         // circles that are open, by Major and Minor in the centre
	onMinor  [2][maxStrain]int8  // strain on the Minor, by Major in the centre and strain of the sector
	heat     [maxCollapses]int8  // temperature after each collapse
	beside   [NumSectors]uint8   // of a sector: its own and both neighbouring ones, as sectorSet
	base     [NumCharacters]int8 // of the abilities
	options  optionRow           // the row of the observation that says which game this is
	ones     [256][8]float32     // the bits of a byte as numbers
	burdens  [2][2][maxStrain]burdenRow
	words    formWords // of the position

	decisions [numDecisions]row
}

// maxStrain is more than a sector can hold.
const maxStrain = 16

func open(v registry.Values, d datafile.File) (env.Game, error) {
	t, err := readData(d)
	if err != nil {
		return nil, err
	}
	g := &Game{
		decisions:  decisions(),
		data:       t,
		variant:    variant(slices.Index(variantIDs[:], v.Text("variant"))),
		closed:     v.Text("hands") == "closed",
		sustained:  v.Text("win") == "sustained",
		hold:       v.Text("calendar_on_collapse") == "hold",
		tokensBack: v.Text("election_tokens") == "return",
		talk:       v.Bool("talk"),
		binary:     v.Text("returns") == "binary",
	}
	if v, err = g.seatCharacters(v); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	g.derive()
	g.options = g.optionRow()
	g.words = newFormWords()
	traits := []string{env.Cooperative, env.HiddenInfo}
	if g.players == 1 {
		traits[0] = env.Solo
	}
	observed, err := features()
	if err != nil {
		return nil, err
	}
	g.info, err = env.NewInfo(env.Info{
		Name: name, Title: title, Text: Rulebook().GameText(v), Short: Rulebook().ShortText(v),
		Rules: rulesVersion, Encoding: encodingVersion, DataHash: datafile.Hash(t), HowTo: howTo, Players: g.players,
		MostPlayers:  maxSeats,
		Traits:       traits,
		Streams:      streamNames[:],
		Actions:      act.ActionTable,
		Features:     observed,
		Objects:      objects(),
		Ends:         ends(),
		Measures:     measures(),
		MaxDecisions: g.bound(),
	})
	return g, err
}

// seatCharacters settles players, cast and characters, whose defaults follow from each other (ER-112,
// ER-804).
func (g *Game) seatCharacters(v registry.Values) (registry.Values, error) {
	players := "4"
	if g.variant == solo {
		players = "1"
	}
	v = v.WithDefault("players", players)
	g.players = v.Int("players")
	switch {
	case g.variant == solo && g.players != 1:
		return v, fmt.Errorf("players=%d: variant=solo has one player", g.players)
	case g.variant == normal && g.players < 2:
		return v, fmt.Errorf("players=%d: variant=normal needs 2 to 6 players; there are also variant=solo and "+
			"variant=quickplay", g.players)
	}
	if err := g.readCharacters(v.Text("characters")); err != nil {
		return v, err
	}

	low, high := g.players, NumCharacters
	g.cast = g.players
	switch {
	case g.variant == solo:
		low, high = g.data.Setup.SoloCast, g.data.Setup.SoloCast
		g.cast = low
	case g.variant == quickplay && g.players <= 2:
		low = 2 * g.players
		g.cast = g.players + 2 // 3 for one player, 4 for two
	}
	if g.list != nil {
		g.cast = len(g.list)
	}
	v = v.WithDefault("cast", strconv.Itoa(g.cast))
	if n := v.Int("cast"); g.list != nil && n != g.cast {
		return v, fmt.Errorf("cast=%d: characters lists %d", n, g.cast)
	}
	g.cast = v.Int("cast")
	if g.cast < low || g.cast > high {
		what := "cast"
		if g.list != nil {
			what = "characters"
		}
		return v, fmt.Errorf("%s: %d characters; variant=%s with %d players has %d to %d", what, g.cast,
			variantIDs[g.variant], g.players, low, high)
	}
	return v, nil
}

func (g *Game) readCharacters(text string) error {
	switch text {
	case "random":
		return nil
	case "choose":
		if g.variant == solo {
			return fmt.Errorf("characters=choose: variant=solo rolls the die for its characters, or takes a list of %d",
				g.data.Setup.SoloCast)
		}
		g.choose = true
		return nil
	}
	for _, id := range strings.Split(text, "+") {
		k := Character(slices.Index(characterIDs[:], id))
		if k < 0 {
			return fmt.Errorf("characters=%s: %q stands alone, not in a list", text, id)
		}
		if slices.Contains(g.list, k) {
			return fmt.Errorf("characters=%s: %s is listed twice", text, id)
		}
		g.list = append(g.list, k)
	}
	return nil
}

// derive makes the tables of the game.
func (g *Game) derive() {
	t := g.data
	g.limit, g.drawn, g.required = int8(t.Calendar.Normal), int8(t.Turn.Draw), 2*NumSectors
	switch g.variant {
	case solo:
		g.limit = int8(t.Calendar.Solo)
	case quickplay: // ER-801 to ER-803
		g.limit, g.drawn, g.required = int8(t.Calendar.Quickplay), int8(t.Turn.DrawQuickplay), NumSectors
		if g.cast == NumCharacters {
			g.limit = int8(t.Calendar.QuickplaySix)
		}
	}
	g.full = int8(t.Burden.Minor + t.Burden.Major)

	var ring [NumSectors]Sector
	for i, id := range t.Ring {
		ring[i] = Sector(slices.Index(sectorIDs[:], id))
	}
	for i, x := range ring {
		for j := range ring {
			g.ring[x][j] = ring[(i+j)%NumSectors]
		}
		g.next[x], g.before[x] = g.ring[x][1], g.ring[x][NumSectors-1]
	}
	for x := range g.beside {
		g.beside[x] = uint8(bit(Sector(x)) | bit(g.next[x]) | bit(g.before[x]))
	}
	for i, id := range t.Die {
		g.faces[i] = Character(slices.Index(characterIDs[:], id))
	}

	row := func(from, n int) uint8 { return (1<<n - 1) << from }
	board, major := row(0, t.Circles.Board), row(t.Circles.Board, t.Circles.Major)
	minor := row(t.Circles.Board+t.Circles.Major, t.Circles.Minor)
	g.open = [2][2]uint8{{board, board | minor}, {board | major, board | major | minor}}
	for strain := range maxStrain {
		g.onMinor[0][strain] = int8(min(t.Burden.Minor, (strain+1)/2))
		g.onMinor[1][strain] = int8(min(t.Burden.Minor, strain))
	}
	heat := 0
	for i, degrees := range t.Collapse.Temperature {
		heat += degrees
		g.heat[i] = int8(heat)
	}
	for b := range g.ones {
		for i := range g.ones[b] {
			g.ones[b][i] = float32(b >> i & 1)
		}
	}
	for i := range 4 * maxStrain {
		major, minor, strain := i&1, i>>1&1, i>>2
		g.burdens[major][minor][strain] = g.burdenRow(major, minor, strain)
	}
	a := t.Ability
	g.base = [NumCharacters]int8{
		Ecologist: int8(a.Ecologist), Investor: int8(a.Investor), Activist: int8(a.Activist),
		Politician: int8(a.Politician), Climatologist: int8(a.Climatologist), Innovator: int8(a.Innovator),
	}
}

// bound is the proven bound on decisions; RULES.md has the proof. A turn has at most 25 decisions for
// each action and fewer than 200 others; collapses may add turns under calendar_on_collapse=hold; the
// rest is for choosing characters.
func (g *Game) bound() int {
	turn := 200 + 25*g.data.Turn.Actions
	return turn*(int(g.limit)+maxCollapses) + 100
}

// Info says everything static.
func (g *Game) Info() *env.Info { return g.info }

// New makes a State.
func (g *Game) New() env.State { return &State{game: g} }

// Limit is the number of years of the calendar.
func (g *Game) Limit() int { return int(g.limit) }
