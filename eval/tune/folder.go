package tune

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/disk"
	"earthgym/env/seal"
)

// The files of a folder.
const (
	ConfigFile = "config.toml"
	LogFile    = "log.jsonl"   // a Step a line
	ResultFile = "result.json" // a Result
)

// mostConfig is the most bytes of a Config's file.
const mostConfig = 1 << 20

// Open goes on with the run in a folder, which must have these games and settings but for more steps, or starts one if
// there is none.
func Open(dir string, c Config, games []env.Game, rivals [][]*agents.Maker) (*Run, error) {
	if _, err := os.Lstat(filepath.Join(dir, ConfigFile)); err != nil {
		return Start(dir, c, games, rivals)
	}
	before, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	steps := max(c.Steps, before.Steps)
	before.Steps, c.Steps, c.Variants = 0, 0, variantsOf(games)
	was, err := toml.Marshal(before)
	if err != nil {
		return nil, err
	}
	is, err := toml.Marshal(c)
	if err != nil {
		return nil, err
	}
	if d := disk.Difference(was, is); d != "" {
		return nil, fmt.Errorf("%s holds a run with %s: choose another folder", dir, d)
	}
	return Resume(dir, steps, games, rivals)
}

// Start begins a run in a folder that holds none. games are those of the Config's variants, which it fills in, and
// rivals the agents of Config.Against in each of them.
func Start(dir string, c Config, games []env.Game, rivals [][]*agents.Maker) (*Run, error) {
	c.Variants = variantsOf(games)
	if err := c.Check(); err != nil {
		return nil, err
	}
	if _, err := weightsOf(games, c.Bot); err != nil {
		return nil, err
	}
	for _, file := range []string{ConfigFile, LogFile} {
		if _, err := os.Lstat(filepath.Join(dir, file)); err == nil {
			return nil, fmt.Errorf("%s already holds a run: choose another folder", dir)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the folder of the run: %w", err)
	}
	text, err := toml.Marshal(c)
	if err != nil {
		return nil, err
	}
	if err := disk.Write(filepath.Join(dir, ConfigFile), text); err != nil {
		return nil, err
	}
	return open(dir, c, games, rivals)
}

// variantsOf are the games of a run, as its Config keeps them.
func variantsOf(games []env.Game) (list []Variant) {
	for _, g := range games {
		info := g.Info()
		list = append(list, Variant{info.Text, info.Rules, info.DataHash})
	}
	return list
}

// ReadConfig reads the Config of the run in a folder.
func ReadConfig(dir string) (Config, error) {
	name := filepath.Join(dir, ConfigFile)
	text, err := disk.ReadFile(name, mostConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, fmt.Errorf("%s holds no run: there is no %s", dir, ConfigFile)
	}
	if err != nil {
		return Config{}, err
	}
	var c Config
	if _, err := (datafile.File{Name: name, Bytes: text}).DecodePart(&c); err != nil {
		return Config{}, err
	}
	if err := c.Check(); err != nil {
		return Config{}, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// Resume goes on with the run in a folder. steps, if not 0, is how many there shall be now.
func Resume(dir string, steps int, games []env.Game, rivals [][]*agents.Maker) (*Run, error) {
	c, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	for i, g := range games {
		if v, info := c.Variants[i], g.Info(); v != (Variant{info.Text, info.Rules, info.DataHash}) {
			return nil, fmt.Errorf("the run is of %s (rules %d, data %s), not of %s (rules %d, data %s)",
				v.Game, v.Rules, v.Data, info.Text, info.Rules, info.DataHash)
		}
	}
	if steps > 0 {
		c.Steps = steps
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return open(dir, c, games, rivals)
}

// open reads what the log of a run holds, and goes on with it.
func open(dir string, c Config, games []env.Game, rivals [][]*agents.Maker) (*Run, error) {
	weights, err := weightsOf(games, c.Bot)
	if err != nil {
		return nil, err
	}
	r := &Run{config: c, dir: dir, games: games, rivals: rivals, weights: weights, reach: reaches(weights)}
	for _, w := range weights {
		r.standing = append(r.standing, w.Value)
	}
	if r.log, r.now, err = openLog(dir, r.check); err != nil {
		return nil, err
	}
	if r.now.Step > c.Steps {
		_ = r.log.close()
		return nil, fmt.Errorf("%s has made %d steps: it cannot end after %d", dir, r.now.Step, c.Steps)
	}
	if r.now.Step == 0 {
		r.now = Step{Weights: slices.Clone(r.standing), Mean: slices.Clone(r.standing)}
	}
	return r, nil
}

// check finds what is wrong with a step of the log.
func (r *Run) check(s Step) error {
	if len(s.Weights) != len(r.weights) || len(s.Mean) != len(r.weights) {
		return fmt.Errorf("step %d has %d weights; script:%s has %d now", s.Step, len(s.Weights), r.config.Bot,
			len(r.weights))
	}
	for i, w := range r.weights {
		for _, x := range []float64{s.Weights[i], s.Mean[i]} {
			if !(x >= w.Low && x <= w.High) {
				return fmt.Errorf("step %d: weight %s is %v; it is in %v to %v", s.Step, w.Name, x, w.Low, w.High)
			}
		}
	}
	return nil
}

// Close ends the run's hold on its folder.
func (r *Run) Close() error { return r.log.close() }

// log is the file of steps, locked against other runs.
type log struct {
	*disk.Log[Step]
	folder *disk.Folder
}

// openLog locks the folder against other runs, and gives the last step of its log, 0 if there is none.
func openLog(dir string, check func(Step) error) (_ *log, last Step, err error) {
	folder, err := disk.Hold(dir)
	if err != nil {
		return nil, last, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.Close())
		}
	}()
	config, err := disk.ReadFile(filepath.Join(dir, ConfigFile), mostConfig)
	if err != nil {
		return nil, last, err
	}
	steps, err := disk.OpenLog(filepath.Join(dir, LogFile), seal.Begin(string(config)), func(s Step) error {
		if s.Step != last.Step+1 {
			return fmt.Errorf("step %d stands where step %d is due", s.Step, last.Step+1)
		}
		last = s
		return check(s)
	})
	if err != nil {
		return nil, last, err
	}
	return &log{steps, folder}, last, nil
}

func (l *log) close() error { return errors.Join(l.Close(), l.folder.Close()) }
