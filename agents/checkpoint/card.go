package checkpoint

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"earthgym/env/decode"
)

// Card says how a network came about and what it is worth. What nobody knows is left out.
type Card struct {
	Config     string     `json:"config,omitempty"`      // settings of its training, as TOML
	Teachers   []string   `json:"teachers,omitempty"`    // agents that it has imitated
	Opponents  []string   `json:"opponents,omitempty"`   // agents that it has met in training
	Parent     string     `json:"parent,omitempty"`      // hash of the network that its training started from
	Seconds    float64    `json:"seconds,omitempty"`     // of its training
	CPUSeconds float64    `json:"cpu_seconds,omitempty"` // of all cores together
	Sharpness  float64    `json:"sharpness,omitempty"`   // what its logits were multiplied by at the end of training
	Strength   []Strength `json:"strength,omitempty"`    // as measured by matches
}

// Strength is what one match has shown of a network.
type Strength struct {
	Agent    string `json:"agent"`    // how the network chose: "net", or "net,argmax"
	Opponent string `json:"opponent"` // agent in all other seats; where all win together, of the other table
	Game     string `json:"game"`     // text with every option
	Program  string `json:"program"`  // program and version that played
	Games    int    `json:"games"`
	Seed     uint64 `json:"seed"`

	Return   float64    `json:"return"` // of the network, less that of the opponents
	ReturnCI [2]float64 `json:"return_ci"`
	Wins     float64    `json:"wins"` // share of the network's seats; where all win together, the share of games won
	WinsCI   [2]float64 `json:"wins_ci"`
	// share if all were alike; where all win together, the share that the other table won
	Fair float64 `json:"fair"`
}

// String tells it in a line for people.
func (s Strength) String() string {
	game, more, _ := strings.Cut(s.Game, " ") // A run of many variants names them all.
	if more != "" {
		game = fmt.Sprintf("%s and %d more", game, 1+strings.Count(more, " "))
	}
	return fmt.Sprintf("%s against %s: return %+.3f [%+.3f, %+.3f], wins %.1f %% [%.1f, %.1f], alike %.1f %%; %s, %d "+
		"games, seed %d, %s",
		s.Agent, s.Opponent, s.Return, s.ReturnCI[0], s.ReturnCI[1], 100*s.Wins, 100*s.WinsCI[0], 100*s.WinsCI[1], 100*s.Fair,
		game, s.Games, s.Seed, s.Program)
}

// Trained are the texts of the games that the network was trained at, as far as its card knows.
func (c *Checkpoint) Trained() []string {
	var settings struct {
		Games []string `toml:"games"`
	}
	if c.Card == nil || toml.Unmarshal([]byte(c.Card.Config), &settings) != nil || len(settings.Games) == 0 {
		return []string{c.Game}
	}
	return settings.Games
}

// Tables are the texts of the games at which the card has measured the network, each once, or else of those that it was
// trained at.
func (c *Checkpoint) Tables() []string {
	var tables []string
	if c.Card != nil {
		for _, s := range c.Card.Strength {
			if !slices.Contains(tables, s.Game) {
				tables = append(tables, s.Game)
			}
		}
	}
	if tables == nil {
		return c.Trained()
	}
	return tables
}

func (c *Card) text() (string, error) {
	b, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("card: %w", err)
	}
	return string(b), nil
}

func readCard(text string) (*Card, error) {
	c := new(Card)
	if err := json.Unmarshal([]byte(text), c); err != nil { // A later program's may say more.
		return nil, fmt.Errorf("its metadata %q are no card: %w", "card", decode.Words([]byte(text), c, err))
	}
	return c, nil
}
