package benchmark

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
)

// A Season says within which bounds the numbers of a game's components may be drawn anew.
type Season struct {
	Game string `toml:"game"`
	Vary []Vary `toml:"vary"`
}

// Vary moves numbers: those at a path of the component data, whose parts are joined by dots, and in which a star stands
// for every element of a list.
type Vary struct {
	Path string `toml:"path"`
	By   int    `toml:"by"`
	Low  int    `toml:"low"`
	High int    `toml:"high"`
}

// mostDraws is how often a season is drawn anew that breaks a rule of the game's data.
const mostDraws = 1000

// Draw makes the component data of a season from its seed: the built-in ones with other numbers. What the game refuses
// is drawn again.
func (s *Season) Draw(all registry.Registry, seed uint64) (datafile.File, error) {
	rb, err := all.Find(s.Game)
	if err != nil {
		return datafile.File{}, err
	}
	luck := env.NewStream(seed, "season "+s.Game)
	var refused error
	for range mostDraws {
		var tree map[string]any
		if err := toml.Unmarshal(rb.Data, &tree); err != nil {
			return datafile.File{}, fmt.Errorf("the built-in data of %s: %w", s.Game, err)
		}
		for _, v := range s.Vary {
			n := 0
			if err := v.move(tree, strings.Split(v.Path, "."), &luck, &n); err != nil {
				return datafile.File{}, fmt.Errorf("%s: %s: %w", s.Game, v.Path, err)
			}
			if n == 0 {
				return datafile.File{}, fmt.Errorf("%s: %s: there is nothing to be moved", s.Game, v.Path)
			}
		}
		delete(tree, "game") // which comes first
		text, err := toml.Marshal(tree)
		if err != nil {
			return datafile.File{}, err
		}
		d := datafile.File{Name: s.Game + ".toml", Bytes: fmt.Appendf(nil, "game = %q\n\n%s", s.Game, text)}
		if _, refused = all.Open(s.Game, d); refused == nil {
			return d, nil
		}
	}
	return datafile.File{}, fmt.Errorf("%s: %d draws were refused, the last because: %w", s.Game, mostDraws, refused)
}

// move moves the numbers at a path below a node, and counts them.
func (v *Vary) move(node any, path []string, luck *env.Stream, n *int) error {
	if list, ok := node.([]any); ok {
		if path[0] != "*" {
			i, err := strconv.Atoi(path[0])
			if err != nil || i < 0 || i >= len(list) {
				return fmt.Errorf("a list of %d has no %q", len(list), path[0])
			}
			return v.moveOne(list[i], path, luck, n, func(x int64) { list[i] = x })
		}
		for i := range list {
			if err := v.moveOne(list[i], path, luck, n, func(x int64) { list[i] = x }); err != nil {
				return err
			}
		}
		return nil
	}
	table, ok := node.(map[string]any)
	if !ok || table[path[0]] == nil {
		return fmt.Errorf("there is no %q", path[0])
	}
	return v.moveOne(table[path[0]], path, luck, n, func(x int64) { table[path[0]] = x })
}

func (v *Vary) moveOne(child any, path []string, luck *env.Stream, n *int, set func(int64)) error {
	if len(path) > 1 {
		return v.move(child, path[1:], luck, n)
	}
	x, ok := child.(int64)
	if !ok {
		return fmt.Errorf("%v is no whole number", child)
	}
	moved := x + int64(luck.Below(2*v.By+1)-v.By)
	set(max(int64(v.Low), min(int64(v.High), moved)))
	*n++
	return nil
}
