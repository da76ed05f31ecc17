package train

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"earthgym/env"

	"github.com/pelletier/go-toml/v2"
)

// Config is all that a run is made of. With the same Config, program and kind of machine a run repeats
// itself.
type Config struct {
	Game string `toml:"game" comment:"the game trained on, with its options"`
	Seed uint64 `toml:"seed" comment:"of everything random: weights, games, actions, minibatches"`

	Decisions    int     `toml:"decisions" comment:"budget: decisions made by the network in training"`
	Lanes        int     `toml:"lanes" comment:"games played side by side"`
	Steps        int     `toml:"steps" comment:"steps of every lane between two updates"`
	Hidden       []int   `toml:"hidden" comment:"widths of the network's hidden layers"`
	LearningRate float64 `toml:"learning_rate" comment:"of Adam at the start; it falls to a tenth of it by the end"`
	Epochs       int     `toml:"epochs" comment:"times that an update goes through its decisions"`
	Minibatch    int     `toml:"minibatch" comment:"decisions of one gradient step"`
	Gamma        float64 `toml:"gamma" comment:"discount per own decision"`
	Lambda       float64 `toml:"lambda" comment:"of generalised advantage estimation (Schulman et al. 2016)"`
	Clip         float64 `toml:"clip" comment:"of the probability ratio (PPO, Schulman et al. 2017)"`
	Entropy      float64 `toml:"entropy" comment:"weight of the entropy bonus"`
	ValueCoef    float64 `toml:"value_coef" comment:"weight of the value loss"`
	MaxGradNorm  float64 `toml:"max_grad_norm" comment:"gradients are scaled down to this global norm"`
	Shaping      float64 `toml:"shaping" comment:"weight of the growth of the game's potential in the rewards; 0 = none, for games without one"`

	PoolSize      int      `toml:"pool_size" comment:"past selves kept as opponents"`
	PoolEvery     int      `toml:"pool_every" comment:"updates between two of them"`
	PoolShare     float64  `toml:"pool_share" comment:"share of the games played against a past self"`
	Opponents     []string `toml:"opponents" comment:"agents that are opponents from the start, such as script:naive"`
	OpponentShare float64  `toml:"opponent_share" comment:"share of the games played against one of them"`

	CheckpointEvery int `toml:"checkpoint_every" comment:"updates between two checkpoints; the last update makes one too"`
}

// DefaultConfig is a run of about two minutes on two cores for a game of the size of Resilience Earth.
func DefaultConfig(game string) Config {
	return Config{
		Game: game, Seed: 1,
		Decisions: 3_000_000, Lanes: 256, Steps: 64, Hidden: []int{128, 128},
		LearningRate: 1e-3, Epochs: 3, Minibatch: 1024, Gamma: 1, Lambda: 0.95, Clip: 0.2,
		Entropy: 0.01, ValueCoef: 0.5, MaxGradNorm: 0.5, Shaping: 1,
		PoolSize: 8, PoolEvery: 10, PoolShare: 0.25, Opponents: []string{}, OpponentShare: 0,
		CheckpointEvery: 50,
	}
}

// Check reports the first setting that cannot be.
func (c *Config) Check() error {
	bounds := []struct {
		name       string
		value      float64
		low, high  float64
		lowAllowed bool
	}{
		{"decisions", float64(c.Decisions), 1, 1e15, true},
		{"lanes", float64(c.Lanes), 1, 1 << 16, true},
		{"steps", float64(c.Steps), 1, 1 << 16, true},
		{"learning_rate", c.LearningRate, 0, 1, false},
		{"epochs", float64(c.Epochs), 1, 1000, true},
		{"minibatch", float64(c.Minibatch), 1, 1 << 20, true},
		{"gamma", c.Gamma, 0, 1, false},
		{"lambda", c.Lambda, 0, 1, true},
		{"clip", c.Clip, 0, 10, false},
		{"entropy", c.Entropy, 0, 10, true},
		{"value_coef", c.ValueCoef, 0, 100, true},
		{"max_grad_norm", c.MaxGradNorm, 0, 1e6, false},
		{"shaping", c.Shaping, 0, 100, true},
		{"pool_size", float64(c.PoolSize), 0, 1000, true},
		{"pool_every", float64(c.PoolEvery), 1, 1e9, true},
		{"pool_share", c.PoolShare, 0, 1, true},
		{"opponent_share", c.OpponentShare, 0, 1, true},
		{"checkpoint_every", float64(c.CheckpointEvery), 1, 1e9, true},
	}
	for _, b := range bounds {
		// Written so that a NaN is refused.
		if ok := b.value >= b.low && b.value <= b.high && (b.lowAllowed || b.value > b.low); !ok {
			from := "from"
			if !b.lowAllowed {
				from = "above"
			}
			return fmt.Errorf("%s = %v is not %s %v to %v", b.name, b.value, from, b.low, b.high)
		}
	}
	switch {
	case len(c.Hidden) == 0 || len(c.Hidden) > 16:
		return fmt.Errorf("hidden has %d layers, not 1 to 16", len(c.Hidden))
	case c.PoolShare+c.OpponentShare > 1:
		return fmt.Errorf("pool_share %v and opponent_share %v add up to more than 1", c.PoolShare, c.OpponentShare)
	case c.OpponentShare > 0 && len(c.Opponents) == 0:
		return errors.New("opponent_share needs opponents, such as script:naive")
	case c.PoolShare > 0 && c.PoolSize == 0:
		return errors.New("pool_share needs a pool_size of at least 1")
	}
	for _, w := range c.Hidden {
		if w < 1 || w > 1<<14 {
			return fmt.Errorf("hidden layer of width %d: it is 1 to %d", w, 1<<14)
		}
	}
	return nil
}

// ConfigFile is the name of the Config in a run's directory.
const ConfigFile = "config.toml"

func (c *Config) write(dir string) error {
	return env.WriteFile(filepath.Join(dir, ConfigFile), func(w io.Writer) error { return toml.NewEncoder(w).Encode(c) })
}

// ReadConfig reads the config.toml of a run.
func ReadConfig(dir string) (Config, error) {
	name := filepath.Join(dir, ConfigFile)
	b, err := os.ReadFile(name)
	if err != nil {
		return Config{}, fmt.Errorf("%s is not a run: %w", dir, err)
	}
	var c Config
	if _, err := (env.DataFile{Name: name, Bytes: b}).Decode(&c); err != nil {
		return Config{}, err
	}
	if err := c.Check(); err != nil {
		return Config{}, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// encode is the config as one text, for checkpoints.
func (c *Config) encode() string {
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		panic(err) // numbers and texts alone
	}
	return b.String()
}
