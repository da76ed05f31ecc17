package oneearth

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
)

// rulesVersion is raised when a fix changes play.
const rulesVersion = 1

// encodingVersion is raised when a number of an observation changes its meaning.
const encodingVersion = 2

// Rulebook is One Earth as it stands in a registry.
func Rulebook() *registry.Rulebook {
	return &registry.Rulebook{
		Name:   "one-earth",
		Title:  "One Earth",
		Traits: []string{env.Mixed},
		Options: []registry.Option{
			{Name: "players", Kind: registry.Int, Min: 1, Max: MaxPlayers, Default: "4", Help: "number of seats"},
			{Name: "mode", Kind: registry.Choice, Values: []string{"standard", "advanced"}, Default: "standard",
				Help: "rules for 3 to 5 players; with 1 or 2 always advanced"},
			{Name: "difficulty", Kind: registry.Choice, Values: difficultyIDs[:], Default: "medium",
				Help: "alone: the start and the NPC's score; 4 players: easy lowers the Prosperity target"},
			{Name: "target", Kind: registry.Int, Min: 5, Max: 60, Values: []string{"0"}, Default: "0",
				Help: "Prosperity target; 0 is the rulebook's"},
			{Name: "leaders", Kind: registry.List, Values: append([]string{"draft", "random"}, leaderIDs[:]...),
				Default: "draft",
				Help:    "advanced: draft, random, or one leader for each seat joined by +"},
			{Name: "first_player", Kind: registry.Int, Min: 0, Max: MaxPlayers - 1, Values: []string{"random"}, Default: "0",
				Help: "who begins"},
			{Name: "aid", Kind: registry.Bool, Default: "on", Help: "Foreign Aid may be asked for"},
			{Name: "talk", Kind: registry.Bool, Default: "on", Help: "structured statements that bind nobody"},
			{Name: "max_rounds", Kind: registry.Int, Min: 5, Max: maxRounds, Default: "20",
				Help: "the game ends after this round"},
			{Name: "pyrrhic", Kind: registry.Number, Min: 0, Max: 1, Default: "0.5",
				Help: "return of a sole winner on a ruined Earth (advanced)"},
		},
		Variants: []string{
			"one-earth:players=3", "one-earth:players=4", "one-earth:players=5",
			"one-earth:players=3,mode=advanced", "one-earth:players=4,mode=advanced", "one-earth:players=5,mode=advanced",
			"one-earth:players=2",
			"one-earth:players=1,difficulty=easy", "one-earth:players=1,difficulty=medium",
			"one-earth:players=1,difficulty=hard",
		},
		Data: builtIn,
		New:  open,
	}
}

// maxRounds is the largest safety limit that may be chosen.
const maxRounds = 40

// A leaderRule is how leaders come to their seats (OE-017).
type leaderRule uint8

const (
	noLeaders leaderRule = iota
	draftLeaders
	randomLeaders
	givenLeaders
)

// Game is One Earth for some options. It is read-only; its exported fields are for those who play it.
type Game struct {
	Components *Components
	Players    int
	Advanced   bool
	Difficulty Difficulty
	Target     int  // Prosperity (OE-201)
	Aid, Talk  bool // which options are on
	MaxRounds  int

	info    *env.Info
	leaders leaderRule
	given   [MaxPlayers]Leader // of givenLeaders
	first   int                // -1: random
	pyrrhic float64

	listed                       Projects // the types that the data have
	boxLeaders                   uint8    // those that may be chosen
	perTarget                    float32  // 1/Target
	boxWarnings, boxCriticals    uint8
	boxTechnologies, boxPolicies uint8                     // those that the data have
	automa                       [len(automaGroups)]uint16 // the cards of each group
	worth                        [1 << numTraits][2][NumProjects]int8
	emission                     [2][NumProjects]int8
	cost                         [NumProjects]int8
	tech                         [NumProjects]Technology
	start                        Position // before anything is drawn
	decisions                    [NumDecisions]decision
	words                        formWords // of the position
	observe                      *observeTables
}

func open(v registry.Values, d datafile.File) (env.Game, error) {
	c, r, hash, err := readComponents(d)
	if err != nil {
		return nil, err
	}
	g := &Game{
		Components: c,
		Players:    v.Int("players"),
		Advanced:   v.Text("mode") == "advanced",
		Difficulty: Difficulty(find(difficultyIDs[:], v.Text("difficulty"))),
		Aid:        v.Bool("aid"),
		Talk:       v.Bool("talk"),
		MaxRounds:  v.Int("max_rounds"),
		first:      v.Int("first_player"),
		pyrrhic:    v.Number("pyrrhic"),
		decisions:  decisions(),
	}
	if g.Players <= 2 { // OE-001
		g.Advanced = true
		v = v.With("mode", "advanced")
	}
	if g.first >= g.Players {
		return nil, fmt.Errorf("one-earth: first_player %d: the seats of %d players are 0 to %d", g.first, g.Players,
			g.Players-1)
	}
	if g.Target = v.Int("target"); g.Target == 0 {
		g.Target = g.ruleTarget()
	}
	if err := g.chooseLeaders(v.Text("leaders")); err != nil {
		return nil, fmt.Errorf("one-earth: %w", err)
	}
	if err := g.checkStart(r); err != nil {
		return nil, err
	}
	g.fillTables()
	g.words = g.newFormWords()
	g.start = g.startPosition()
	observed, err := features()
	if err != nil {
		return nil, err
	}
	g.info, err = env.NewInfo(env.Info{
		Name: "one-earth", Title: "One Earth", Text: Rulebook().GameText(v), Short: Rulebook().ShortText(v),
		Rules: rulesVersion, Encoding: encodingVersion, DataHash: hash, HowTo: howTo, Players: g.Players,
		MostPlayers:  MaxPlayers,
		Traits:       g.traits(),
		Streams:      streamNames[:],
		Actions:      act.ActionTable,
		Features:     observed,
		Objects:      objects(),
		Ends:         g.ends(),
		Measures:     g.measures(),
		MaxDecisions: g.maxDecisions(),
	})
	if err != nil {
		return nil, err
	}
	g.observe = newObserveTables(g)
	return g, nil
}

// Info is static.
func (g *Game) Info() *env.Info { return g.info }

// New makes a State.
func (g *Game) New() env.State { return &State{game: g} }

// WithNPC says whether the Military General plays, with 1 or 2 players (OE-001).
func (g *Game) WithNPC() bool { return g.Players <= 2 }

// Diplomatic says whether the game has Resolutions: advanced, 3 to 5 players (OE-020, OE-230).
func (g *Game) Diplomatic() bool { return g.Advanced && g.Players >= 3 }

// traits are those of this configuration.
func (g *Game) traits() []string {
	switch {
	case g.Players == 1:
		return []string{env.Solo}
	case g.Players == 2:
		return []string{env.Competitive}
	case g.Advanced:
		return []string{env.Mixed, env.HiddenInfo}
	}
	return []string{env.Mixed}
}

// ruleTarget is OE-201.
func (g *Game) ruleTarget() int {
	c := &g.Components.Constants
	switch {
	case g.Players == 4 && g.Difficulty == Easy:
		return c.TargetFourEasy
	case g.Advanced:
		return [...]int{c.TargetOne, c.TargetTwo, c.TargetThree, c.TargetFour, c.TargetFive}[g.Players-1]
	}
	return [...]int{c.TargetStandardThree, c.TargetStandardFour, c.TargetStandardFive}[g.Players-3]
}

// chooseLeaders is OE-017 and OE-020: the option, checked against the players.
func (g *Game) chooseLeaders(option string) error {
	var there []string
	for l, card := range g.Components.Leaders {
		if card.InBox && !(g.WithNPC() && (Leader(l) == Diplomat || Leader(l) == General)) {
			g.boxLeaders |= 1 << l
			there = append(there, leaderIDs[l])
		}
	}
	if !g.Advanced {
		if option != "draft" {
			return fmt.Errorf("leaders=%s: standard mode has no leaders (OE-020); choose mode=advanced", option)
		}
		return nil
	}
	if bits.OnesCount8(g.boxLeaders) < g.Players {
		return fmt.Errorf("%d players, but the component data have only these leaders for them: %s", g.Players,
			strings.Join(there, ", "))
	}
	switch option {
	case "draft":
		g.leaders = draftLeaders
		return nil
	case "random":
		g.leaders = randomLeaders
		return nil
	}
	words := strings.Split(option, "+")
	if len(words) != g.Players {
		return fmt.Errorf("leaders=%s: it names %d, and there are %d seats", option, len(words), g.Players)
	}
	var taken uint8
	for p, word := range words {
		l := find(leaderIDs[:], word)
		switch {
		case l < 0:
			return fmt.Errorf("leaders=%s: %q stands alone; a list names one leader for each seat: %s", option, word,
				strings.Join(there, ", "))
		case g.boxLeaders>>l&1 == 0:
			return fmt.Errorf("leaders=%s: with %d players there is no %s (OE-017); there are: %s", option, g.Players, word,
				strings.Join(there, ", "))
		case taken>>l&1 != 0:
			return fmt.Errorf("leaders=%s: each leader has one seat, %s has two (OE-017)", option, word)
		}
		taken |= 1 << l
		g.given[p] = Leader(l)
	}
	g.leaders = givenLeaders
	return nil
}

// checkStart sees to it that the starting Projects of a standard game neither ruin the Earth (OE-018)
// nor win.
func (g *Game) checkStart(r *reader) error {
	if g.Advanced {
		return nil
	}
	dirtiest := make([]int, 0, 128)
	for i, card := range g.Components.Projects {
		for range card.Copies {
			dirtiest = append(dirtiest, card.Emissions)
		}
		if card.Copies > 0 && card.Prosperity >= g.Target {
			r.Fail("projects", "%s: prosperity %d is the target of %d players; a starting Project must not win", projectIDs[i],
				card.Prosperity, g.Players)
		}
	}
	sum := 0
	for range g.Players {
		most := 0
		for i, e := range dirtiest {
			if e > dirtiest[most] {
				most = i
			}
		}
		sum += dirtiest[most]
		dirtiest[most] = 0
	}
	if sum >= g.Components.Constants.Ruin {
		r.Fail("projects", "the %d dirtiest Projects have %d emissions in all; a start with %d would ruin the Earth (OE-018)",
			g.Players, sum, g.Components.Constants.Ruin)
	}
	return r.Err()
}

// maxDecisions is the bound of section 5.5: what a turn can hold, turn by turn, and what the whole
// game can hold.
func (g *Game) maxDecisions() int {
	n, c := g.Players, &g.Components.Constants
	cards, banned := 0, 0
	for x, card := range g.Components.Projects {
		cards += card.Copies
		if (g.Components.Resolutions[BanCoal].Plus | g.Components.Resolutions[BanNuclear].Plus).Has(Project(x)) {
			banned += card.Copies
		}
	}
	criticals := 0
	for _, card := range g.Components.Criticals {
		if card.InBox {
			criticals++
		}
	}
	turn := c.MaxRefreshes + 1
	if g.Aid {
		turn += 4 * (n - 1)
	}
	bound := n*g.MaxRounds*turn + 2*cards
	if n >= 3 { // sanctions, immunity, audits, and the loose uses that audits give
		bound += criticals*(2*n+1) + 2*criticals + 3*criticals
	}
	bound += NumTechnologies * (2*n + 1)
	bound += NumPolicies
	if g.Advanced {
		bound += 2*n + n
	}
	if g.Diplomatic() { // the ballots, and the loose uses that bans and Share Technologies give
		bound += g.MaxRounds + NumResolutions*(3*n+1) + 3*(n-1+banned)
	}
	return bound
}

// Traits of a seat that change what Projects are worth to it, as bits (OE-048).
const (
	tycoonTrait = 1 << iota
	curbTrait
	eduTrait
	medicineTrait
	numTraits = iota
)

// fillTables works out what each Project is worth to each kind of seat.
func (g *Game) fillTables() {
	c := g.Components
	for _, types := range c.Sectors {
		g.listed |= types
	}
	for t, card := range c.Technologies {
		g.boxTechnologies |= uint8(index(card.InBox)) << t
	}
	for w, card := range c.Warnings {
		g.boxWarnings |= uint8(index(card.InBox)) << w
	}
	for i, card := range c.Criticals {
		g.boxCriticals |= uint8(index(card.InBox)) << i
	}
	g.perTarget = 1 / float32(g.Target)
	for p, card := range c.Policies {
		g.boxPolicies |= uint8(index(card.InBox)) << p
	}
	for a, card := range c.Automa {
		if card.InBox {
			g.automa[card.Group] |= 1 << a
		}
	}
	for x := range Project(NumProjects) {
		card := &c.Projects[x]
		g.cost[x], g.tech[x] = int8(card.Cost), card.Technology
		g.emission[0][x], g.emission[1][x] = int8(card.Emissions), int8(card.Emissions+card.DE)
		for traits := range g.worth {
			worth := card.Prosperity
			if traits&tycoonTrait != 0 && card.Sector == Fossil {
				worth += c.Leaders[Tycoon].Ability
			}
			if traits&curbTrait != 0 && c.Resolutions[CurbTransport].Plus.Has(x) {
				worth++
			}
			if traits&curbTrait != 0 && c.Resolutions[CurbTransport].Minus.Has(x) {
				worth--
			}
			if traits&eduTrait != 0 && c.Resolutions[EduTech].Plus.Has(x) {
				worth++
			}
			if traits&medicineTrait != 0 && c.Resolutions[Medicine].Plus.Has(x) {
				worth++
			}
			g.worth[traits][0][x], g.worth[traits][1][x] = int8(worth), int8(worth+card.DP)
		}
	}
}

// asState is the State behind the interface, of the same rulebook.
func asState(s env.State) *State { return s.(*State) }

var errOver = errors.New("the game is over")

// seatName names a seat for people.
func seatName(p env.Player) string { return "seat " + strconv.Itoa(int(p)) }
