package train

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"earthgym/agents"
	"earthgym/agents/neural"
	"earthgym/agents/scripted"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/disk"
)

// Config is all that a run is made of. With the same Config, program and kind of machine a run repeats
// itself. Each field's tags are all that is said of the setting anywhere: its name, default and bounds (as
// an interval), and in a line what it is; flags, config.toml and checks follow from them ([Settings]).
type Config struct {
	Games []string      `toml:"games" help:"the games trained on, with their options: variants of one rulebook, drawn for each game played"`
	Seed  datafile.Seed `toml:"seed" default:"1" help:"seed of everything random: weights, games, actions, minibatches"`

	Minutes   float64 `toml:"minutes" default:"10" in:"[0, 1e6]" help:"budget of time, of which the matches at its end may take about a tenth more; 0 for none, and a seed then repeats a run"`
	Decisions int     `toml:"decisions" default:"-1" in:"[-1, 1e15]" help:"budget: decisions made by the network in the league, to the end of the update that comes to them; 0 stops after cloning, -1 for as many as the time allows"`
	Hidden    []int   `toml:"hidden" default:"256,256" in:"[1, 16384]" help:"widths of the network's hidden layers"`
	From      string  `toml:"from" help:"checkpoint or run whose network this one starts as, or net: for the one that comes with the program; wider layers than it has are filled up, and what made it surer at the end of its run is undone"`
	NumEnvs   int     `toml:"num_envs" default:"128" in:"[1, 65536]" help:"games played side by side"`
	NumSteps  int     `toml:"num_steps" default:"256" in:"[1, 65536]" help:"steps of every game between two updates"`

	Clone          []string `toml:"clone" default:"net:" help:"teachers to imitate first: agents, or records:FOLDER for the games recorded in a folder; empty for none"`
	CloneDecisions int      `toml:"clone_decisions" default:"2000000" in:"[0, 1e15]" help:"decisions of teachers to learn from: half in games that they play themselves, half in games in which the network plays half of their seats (DAgger: Ross et al. 2011)"`
	CloneShare     float64  `toml:"clone_share" default:"0.25" in:"[0, 1]" help:"most that cloning takes of a budget of time"`

	LearningRate   float64 `toml:"learning_rate" default:"0.0004" in:"(0, 1]" help:"of Adam at the start of the league; it falls in a line to a tenth of it by the end"`
	Epochs         int     `toml:"epochs" default:"1" in:"[1, 1000]" help:"times that an update goes through its decisions"`
	Minibatch      int     `toml:"minibatch" default:"4096" in:"[1, 1048576]" help:"decisions of one gradient step"`
	Gamma          float64 `toml:"gamma" default:"1" in:"(0, 1]" help:"discount per own decision"`
	GAELambda      float64 `toml:"gae_lambda" default:"0.99" in:"[0, 1]" help:"of generalised advantage estimation (Schulman et al. 2016)"`
	ClipCoef       float64 `toml:"clip_coef" default:"0.2" in:"(0, 10]" help:"how far from 1 the probability ratio still pays (PPO, Schulman et al. 2017)"`
	EntropyCoef    float64 `toml:"entropy_coef" default:"0" in:"[0, 10]" help:"weight of the entropy bonus; without cloning, 0.01 keeps a network trying"`
	KLCoef         float64 `toml:"kl_coef" default:"0.05" in:"[0, 100]" help:"weight of the divergence from the clone, later from what the network was some updates ago (piKL: Jacob et al. 2022), at the start of the league; it falls in a line to a fifth of it by the end, or to 0 with exploit"`
	ReferenceEvery int     `toml:"reference_every" default:"40" in:"[0, 1e9]" help:"updates of the league after which the policy stays near what it then is, in place of what it was before, and joins its past selves; 0 for the clone all along"`

	Opponents     []string `toml:"opponents" default:"random,script:naive,script:greedy,script:strong" help:"the field: agents that are opponents from the start, and the marks that strength is measured by"`
	OpponentShare float64  `toml:"opponent_share" default:"0.9" in:"[0, 1]" help:"share of the games played against agents of the field, the harder the oftener (PFSP: Vinyals et al. 2019); by default 0.2 where all win together"`
	PoolSize      int      `toml:"pool_size" default:"8" in:"[0, 1000]" help:"past selves kept as opponents"`
	PoolShare     float64  `toml:"pool_share" default:"0.05" in:"[0, 1]" help:"share of the games played against a past self"`
	Exploit       bool     `toml:"exploit" help:"in games against the field the network has one seat, in place of one to all but one, and learns nothing but to win there"`

	EvalEvery       int `toml:"eval_every" default:"40" in:"[1, 1e9]" help:"updates between two matches against the field, of which the best network is kept; the last update ends with one too"`
	EvalGames       int `toml:"eval_games" default:"128" in:"[0, 1e6]" help:"games against each agent of the field in a match that says how strong the network is; 0 for none, and the newest network is the run's answer"`
	CheckpointEvery int `toml:"checkpoint_every" default:"200" in:"[1, 1e9]" help:"updates between two checkpoints; the last update makes one too"`
}

// DefaultConfig is a run of about ten minutes on two cores for variants of a game.
func DefaultConfig(games ...string) Config {
	c := Config{Games: games}
	for _, s := range Settings() {
		if s.Default == "" {
			continue
		}
		if err := s.Set(&c, s.Default); err != nil {
			panic(err) // a tag of Config is wrong: a test reads them all
		}
	}
	return c
}

// DefaultFor is DefaultConfig for games that are open. Where all win together, the network is judged by tables of its
// own, so it mostly learns at them; others sit there as often as they show how to win (league.go). Where rivals share
// what can be lost, and somebody wins even then, it pays to count on the others to lose it, as long as all are of one
// mind: there the field has other characters of the strong bot too. The teacher of a game that no network comes with is
// its strong bot; in one without bots there is nobody to imitate, and the field plays at random.
func DefaultFor(games ...env.Game) Config {
	texts := make([]string, len(games))
	for i, g := range games {
		texts[i] = g.Info().Text
	}
	c := DefaultConfig(texts...)
	bots := scripted.Plays(games[0])
	switch {
	case !bots:
		c.Opponents, c.Clone = []string{"random"}, nil
	case !slices.Contains(shipped.Games(), games[0].Info().Name):
		c.Clone = []string{"script:strong"}
	}
	switch info := games[0].Info(); {
	case winTogether(games):
		c.OpponentShare = 0.2
	case bots && info.Has(env.Mixed) && !slices.ContainsFunc(info.Ends, func(e env.Ending) bool { return e.Loss }):
		c.Opponents = slices.Concat(c.Opponents, characters)
	}
	return c
}

// characters are agents of other minds: a new one in each seat and game, and some that hold a whole table.
var characters = []string{
	"script:varied", "script:varied@1", "script:varied@2", "script:varied@3", "script:varied@4", "script:varied@5",
	"script:varied@6",
}

// Check reports the first setting that cannot be.
func (c *Config) Check() error {
	for _, s := range Settings() {
		if !s.within(c) {
			return fmt.Errorf("%s cannot be %s: it is %s", s.Name, s.Text(c), s.Allowed())
		}
	}
	switch {
	case len(c.Games) == 0:
		return errors.New("games is empty: a run needs at least one")
	case len(c.Hidden) == 0 || len(c.Hidden) > 16:
		return fmt.Errorf("hidden has %d layers: 1 to 16 are possible", len(c.Hidden))
	case c.Minutes == 0 && c.Decisions < 0:
		return errors.New("a run needs an end: a time above 0, or a number of decisions")
	case c.Decisions == 0 && len(c.Clone) == 0:
		return errors.New("decisions 0 stops after cloning, and clone names no teacher, such as script:strong")
	case c.Decisions == 0 && c.CloneDecisions == 0:
		return errors.New("decisions and clone_decisions are 0: there is nothing to do")
	case c.PoolShare+c.OpponentShare > 1:
		return fmt.Errorf("pool_share %v and opponent_share %v add up to more than 1", c.PoolShare, c.OpponentShare)
	case c.OpponentShare > 0 && len(c.Opponents) == 0:
		return errors.New("opponent_share needs opponents, such as script:naive")
	case c.PoolShare > 0 && c.PoolSize == 0:
		return errors.New("pool_share needs a pool_size of at least 1")
	case slices.ContainsFunc(slices.Concat(c.Opponents, c.Clone), agents.IsBackground):
		return errors.New("opponents or clone: background populations are kept for measuring what has never met them, and " +
			"nobody trains against them")
	case !utf8.ValidString(strings.Join(slices.Concat(c.Clone, c.Opponents, []string{c.From}), " ")):
		return errors.New("clone, opponents or from: a name is no UTF-8, in which config.toml is written")
	case slices.Contains(c.Clone, "random"):
		return errors.New("clone: random has nothing to teach; script:strong has")
	}
	return nil
}

// recordsOf is what stands before the folder of a teacher that is recorded games.
const recordsOf = "records:"

func (c *Config) teachers() []string {
	return slices.DeleteFunc(slices.Clone(c.Clone), func(text string) bool { return strings.HasPrefix(text, recordsOf) })
}

// records are the folders of games to clone.
func (c *Config) records() []string {
	var folders []string
	for _, text := range c.Clone {
		if folder, ok := strings.CutPrefix(text, recordsOf); ok {
			folders = append(folders, folder)
		}
	}
	return folders
}

// ConfigFile is the name of the Config in a run's directory.
const ConfigFile = "config.toml"

func (c *Config) write(dir string) error {
	return disk.Write(filepath.Join(dir, ConfigFile), []byte(c.Text()))
}

// Text is the config as TOML, as its file has it: a line for each setting, below what it is. Two configs of one text
// are the same.
func (c *Config) Text() string {
	var b strings.Builder
	for _, s := range allSettings() {
		value := s.value(c).Interface()
		if seed, ok := value.(datafile.Seed); ok {
			value = uint64(seed)
			if seed >= 1<<63 {
				value = s.Text(c)
			}
		}
		line, err := toml.Marshal(map[string]any{s.Name: value})
		if err != nil {
			panic(err) // numbers, texts and lists of them alone
		}
		fmt.Fprintf(&b, "# %s\n%s", s.Help, line)
	}
	return b.String()
}

// ReadConfig reads the config.toml of a run.
func ReadConfig(dir string) (Config, error) {
	name := filepath.Join(dir, ConfigFile)
	b, err := disk.ReadFile(name, datafile.MaxSize)
	if err != nil {
		return Config{}, fmt.Errorf("%s is not a run: %w", dir, err)
	}
	return decodeConfig(name, b)
}

func decodeConfig(name string, b []byte) (Config, error) {
	var c Config
	if _, err := (datafile.File{Name: name, Bytes: b}).Decode(&c); err != nil {
		return Config{}, err
	}
	if err := c.Check(); err != nil {
		return Config{}, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// winTogether says whether all seats of the games win and lose together. Who plays alone wins either way, so that a
// game for one says nothing of that beside games for more.
func winTogether(games []env.Game) bool {
	most := slices.MaxFunc(games, func(a, b env.Game) int { return cmp.Compare(a.Info().Players, b.Info().Players) })
	return most.Info().Shared()
}

// network is the shape of the network that a run trains.
func (c *Config) network(info *env.Info) neural.Spec {
	s := neural.NewSpec(info, c.Hidden)
	s.Residual = true // hidden layers add to what they are given, normalised, where widths are equal
	return s
}

// size is about how many parameters a network has, and how wide its layers are together.
func (c *Config) size(inputs, actions float64) (params, widths float64) {
	for _, width := range c.Hidden {
		params += float64((inputs + 1) * float64(width))
		widths += float64(width)
		inputs = float64(width)
	}
	return params + float64((inputs+1)*(actions+1)), widths + actions + 1
}
