package shipped

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env/disk"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/games"
)

// faults says what is wrong with the networks of a file system that are to come with the program.
func faults(files fs.FS, all registry.Registry) []string {
	var faults []string
	for _, game := range list(files) {
		fault := func(err error) {
			if err != nil {
				faults = append(faults, game+": "+err.Error())
			}
		}
		at, err := fs.Stat(files, dir+"/"+game+suffix)
		if err == nil && at.Size() > MaxSize {
			err = errors.New("it takes more than 2 MiB")
		}
		fault(err)
		g, err := all.Open(game)
		if err != nil {
			fault(err)
			continue
		}
		c, err := read(files, game)
		if err != nil {
			fault(err)
			continue
		}
		_, _, err = c.Policy(g.Info())
		fault(err)
		if c.Card == nil || len(c.Card.Strength) == 0 {
			fault(errors.New("it has no card with its strength; earthgym export writes one"))
		}
	}
	return faults
}

// What comes with the program plays its games.
func TestShipped(t *testing.T) {
	for _, fault := range faults(files, games.All()) {
		t.Error(fault)
	}
	for _, game := range Games() {
		if _, err := Network(game); err != nil {
			t.Error(err)
		}
	}
}

func TestFaults(t *testing.T) {
	g := kuhn.Open(2)
	file := func(change func(c *checkpoint.Checkpoint)) fs.FS {
		t.Helper()
		p := must.Have(neural.NewParams(neural.NewSpec(g.Info(), []int{4})))(t)
		c := checkpoint.New(g.Info(), p)
		c.Half, c.Card = true, &checkpoint.Card{Strength: make([]checkpoint.Strength, 1)}
		change(c)
		name := filepath.Join(t.TempDir(), "c")
		must.Do(t, checkpoint.Write(name, c))
		data := must.Have(disk.ReadFile(name, 8*MaxSize))(t)
		return fstest.MapFS{"networks/kuhn.safetensors": {Data: data}, "networks/README.md": {}}
	}
	for want, change := range map[string]func(c *checkpoint.Checkpoint){
		"":                          func(*checkpoint.Checkpoint) {},
		"with another action table": func(c *checkpoint.Checkpoint) { c.Actions = "other" },
		"version 7 of the encoding": func(c *checkpoint.Checkpoint) { c.Encoding = 7 },
		"no card with its strength": func(c *checkpoint.Checkpoint) { c.Card = nil },
		"it takes more than 2 MiB": func(c *checkpoint.Checkpoint) {
			c.Texts = map[string]string{"x": strings.Repeat("y", MaxSize)}
		},
		"it is of game chess, not ku": func(c *checkpoint.Checkpoint) { c.Name = "chess" },
	} {
		got := faults(file(change), registry.Registry{kuhn.Rulebook()})
		if text := strings.Join(got, "; "); (text == "") != (want == "") || !strings.Contains(text, want) {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	good := file(func(*checkpoint.Checkpoint) {})
	if got := list(good); !slices.Equal(got, []string{"kuhn"}) {
		t.Errorf("there are networks for %v", got)
	}
	if _, err := read(good, "chess"); !errors.Is(err, ErrNone) || err.Error() != "no network comes with the program "+
		"for chess; name a checkpoint or a run directory: net:runs/x" {
		t.Errorf("got %v", err)
	}
	broken := fstest.MapFS{"networks/kuhn.safetensors": {Data: []byte("x")}}
	if got := faults(broken, registry.Registry{kuhn.Rulebook()}); len(got) != 1 ||
		!strings.Contains(got[0], "read the network that comes with the program for kuhn") {
		t.Errorf("got %v", got)
	}
}
