package env

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"earthgym/env/spelling"
)

// Traits of a game, as words in Info.Traits and Rulebook.Traits.
const (
	Competitive = "competitive" // the returns of all seats add up to nothing
	Mixed       = "mixed"       // some outcomes are better or worse for all
	Cooperative = "cooperative" // one return for all
	Solo        = "solo"        // one seat
	HiddenInfo  = "hidden-information"
)

// Info is all that is static about a Game. It is read-only.
type Info struct {
	Name  string // of the rulebook: "resilience-earth"
	Title string // "Resilience Earth"
	Text  string // the game text with every option in table order (Rulebook.GameText); opening it gives this Game again
	// the same with only the options that differ from their defaults (Rulebook.ShortText), for people; "" = Text
	Short    string
	Rules    int    // version of the rules, raised when a fix changes play
	Encoding int    // version of the encoding of observations, raised when a number of them changes its meaning
	DataHash string // of the component data
	HowTo    string // introduction for people, in Markdown: the aim, a turn, advice; "" if there is none
	Players  int    // seats
	// Seats are the seats' names in the game's texts: "BLUE"; nil if texts number them.
	Seats []string
	// MostPlayers is the greatest number of seats of any configuration of the rulebook; 0 stands for Players.
	MostPlayers int
	Traits      []string // of this configuration
	Streams     []string // names of the chance streams, in the order of State.Luck

	// Actions is the action table: the same for every configuration of a rulebook.
	Actions []ActionInfo
	// Features is the observation layout: the same for every configuration of a rulebook.
	Features []Feature
	// Objects are what actions point at, the same for every configuration of a rulebook; no part of a hash.
	Objects []Objects
	// Ends are all reasons for which a game of this configuration can end by its rules (State.Reason).
	Ends []Ending
	// Measures are what else there is to know of how a game went, for a State that is a Measurer.
	Measures []Measure
	// MaxDecisions is the proven bound on the decisions of one game of this configuration.
	MaxDecisions int

	observation int
	parse       map[string]Action
	actionHash  string
	featureHash string
}

// ActionInfo describes one action.
type ActionInfo struct {
	Family string   // the verb: "settle"
	Args   []string // its parameters as words: "64"
	Text   string   // the canonical text: "settle 64"
	// Aliases are further texts of the same action, where a State names what lies on the table now
	// (ActionTexter). All of them parse.
	Aliases []string
	// Objects are what the action points at: of the same kinds, in the same order, for all actions of a family.
	Objects []ObjectRef
}

// Ending is a reason for which a game ends.
type Ending struct {
	Name string `json:"name"` // what State.Reason says
	Help string `json:"help"` // how that comes about, in one line
	Loss bool   `json:"loss"` // a loss for all: nobody wins by it
}

// Measure is one number that says how a game went for all seats together, beside returns and scores.
type Measure struct {
	Name string `json:"name"`
	Help string `json:"help"` // its meaning and range in one line
}

// Feature is one named part of the observation.
type Feature struct {
	Name   string  `json:"name"`
	Offset int     `json:"offset"` // of the first number in the observation; set by NewInfo
	Shape  []int   `json:"shape"`  // the last dimension runs fastest
	Low    float32 `json:"low"`    // every number is in [Low, High]
	High   float32 `json:"high"`
	Help   string  `json:"help"` // its meaning in one line

	// How to tell a row in words; no part of the layout's hash.

	Scope Scope      `json:"scope,omitempty"`
	Axes  [][]string `json:"axes,omitempty"` // words for the indices of each dimension, none for one that has none
}

// Scope says whom a feature is of.
type Scope string

const (
	Public  Scope = "public" // the same whoever looks
	Own     Scope = "own"    // what only the observer knows, or what is worked out for it
	OfSeats Scope = "seats"  // a number or more for each seat, the observer's first
)

// Size is the number of numbers of the feature.
func (f Feature) Size() int {
	n := 1
	for _, d := range f.Shape {
		n *= d
	}
	return n
}

// NewInfo completes an Info whose exported fields are filled in: it sets the offsets of the features
// and prepares parsing and hashes. It reports a table that contradicts itself.
func NewInfo(i Info) (*Info, error) {
	i.Features = slices.Clone(i.Features)
	if i.Short == "" {
		i.Short = i.Text
	}
	if i.MostPlayers == 0 {
		i.MostPlayers = i.Players
	}
	var layout strings.Builder
	names := map[string]bool{}
	for k := range i.Features {
		f := &i.Features[k]
		if names[f.Name] {
			return nil, fmt.Errorf("%s: feature %q is listed twice", i.Name, f.Name)
		}
		names[f.Name] = true
		f.Offset = i.observation
		i.observation += f.Size()
		fmt.Fprintf(&layout, "%s %d %v %v %v\n", f.Name, f.Offset, f.Shape, f.Low, f.High)
	}
	i.parse = make(map[string]Action, len(i.Actions))
	var table strings.Builder
	for a, info := range i.Actions {
		for _, text := range append([]string{info.Text}, info.Aliases...) {
			if other, ok := i.parse[text]; ok && other != Action(a) {
				return nil, fmt.Errorf("%s: actions %d and %d are both written %q", i.Name, other, a, text)
			}
			i.parse[text] = Action(a)
		}
		fmt.Fprintf(&table, "%s\n", info.Text)
	}
	ends := map[string]bool{}
	for _, end := range i.Ends {
		if end.Name == "" || ends[end.Name] {
			return nil, fmt.Errorf("%s: the end %q is listed twice, or has no name", i.Name, end.Name)
		}
		ends[end.Name] = true
	}
	if err := i.checkObjects(); err != nil {
		return nil, err
	}
	i.actionHash, i.featureHash = shortHash(table.String()), shortHash(layout.String())
	return &i, nil
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Observation is the length of an observation.
func (i *Info) Observation() int { return i.observation }

// MaskWords is the number of words of a mask.
func (i *Info) MaskWords() int { return MaskWords(len(i.Actions)) }

// ActionHash names the action table; it travels with checkpoints, records and the handshake.
func (i *Info) ActionHash() string { return i.actionHash }

// ObservationHash names the observation layout: names, shapes and ranges. With Encoding, which is the version
// of what its numbers mean, it travels with checkpoints, records and the handshake.
func (i *Info) ObservationHash() string { return i.featureHash }

// Has says whether the game has a trait.
func (i *Info) Has(trait string) bool { return slices.Contains(i.Traits, trait) }

// Shared says whether all seats win and lose together (cooperative and solo games).
func (i *Info) Shared() bool { return i.Has(Cooperative) || i.Has(Solo) }

// Parse finds the action of a text, canonical or alias. The error names the nearest texts.
func (i *Info) Parse(text string) (Action, error) {
	text = strings.Join(strings.Fields(text), " ")
	if a, ok := i.parse[text]; ok {
		return a, nil
	}
	verb, _, _ := strings.Cut(text, " ")
	var family, families []string
	for _, info := range i.Actions {
		if first, _, _ := strings.Cut(info.Text, " "); first == verb {
			family = append(family, info.Text)
		}
		if !slices.Contains(families, info.Family) {
			families = append(families, info.Family)
		}
	}
	if family != nil {
		return -1, fmt.Errorf("unknown action %q: %s", text, spelling.Suggest(text, family))
	}
	return -1, fmt.Errorf("unknown action %q: %s", text, spelling.Suggest(verb, families))
}

// MarshalJSON writes what a program needs to know of the game.
func (i *Info) MarshalJSON() ([]byte, error) {
	type action struct {
		Index   int         `json:"index"`
		Family  string      `json:"family"`
		Args    []string    `json:"args,omitempty"`
		Text    string      `json:"text"`
		Other   []string    `json:"aliases,omitempty"`
		Objects []ObjectRef `json:"objects,omitempty"`
	}
	actions := make([]action, len(i.Actions))
	for a, info := range i.Actions {
		actions[a] = action{a, info.Family, info.Args, info.Text, info.Aliases, info.Objects}
	}
	return json.Marshal(struct {
		Name         string    `json:"name"`
		Title        string    `json:"title"`
		Game         string    `json:"game"`
		Rules        int       `json:"rules"`
		Data         string    `json:"data"`
		Players      int       `json:"players"`
		MostPlayers  int       `json:"most_players"`
		Traits       []string  `json:"traits"`
		Streams      []string  `json:"streams"`
		MaxDecisions int       `json:"max_decisions"`
		Ends         []Ending  `json:"ends,omitempty"`
		Measures     []Measure `json:"measures,omitempty"`
		ActionHash   string    `json:"action_hash"`
		FeatureHash  string    `json:"observation_hash"`
		Encoding     int       `json:"encoding"`
		Actions      []action  `json:"actions"`
		Size         int       `json:"observation_size"`
		Features     []Feature `json:"observation"`
		Objects      []Objects `json:"objects,omitempty"`
	}{i.Name, i.Title, i.Text, i.Rules, i.DataHash, i.Players, i.MostPlayers, i.Traits, i.Streams, i.MaxDecisions, i.Ends,
		i.Measures,
		i.actionHash, i.featureHash, i.Encoding, actions, i.observation, i.Features, i.Objects})
}
