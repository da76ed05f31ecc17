package eval_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/pipe"
	"earthgym/eval"
)

// TestMain is the tests, or, if the words of the program say so, an agent, or what plays a tournament in a folder.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "cup" {
		if _, err := playCup(os.Args[2]); err != nil {
			log.Fatal(err)
		}
		return
	}
	if len(os.Args) == 3 && os.Args[1] == "shard" {
		if err := cupShard(os.Args[2]); err != nil {
			log.Fatal(err)
		}
		return
	}
	if len(os.Args) < 3 || os.Args[1] != "agent" {
		os.Exit(m.Run())
	}
	p := &drawer{how: os.Args[2]}
	run := func() error { return pipe.RunTables(p.how, p) }
	if strings.HasPrefix(p.how, "one") {
		run = func() error { return pipe.RunAgent(p.how, alone{p}) }
	}
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// drawer plays by chance at eight tables. If its name says so it does something bad in one game of four, by the seed.
type drawer struct {
	how   string
	seeds [8]uint64
	luck  [8]env.Stream
}

func (d *drawer) Tables() int { return len(d.luck) }

func (d *drawer) Reset(table int, seed uint64) {
	d.seeds[table], d.luck[table] = seed, env.NewStream(seed, "drawer")
}

func (d *drawer) Act(decisions []*pipe.Decision) ([]env.Action, error) {
	var out []env.Action
	for _, x := range decisions {
		a := x.Legal[d.luck[x.Table].Below(len(x.Legal))]
		if d.seeds[x.Table]%4 == 0 {
			switch {
			case strings.HasSuffix(d.how, "illegal"):
				a = 99
			case strings.HasSuffix(d.how, "crash"):
				os.Exit(3)
			}
		}
		out = append(out, a)
	}
	return out, nil
}

// alone is a drawer at one table.
type alone struct{ *drawer }

func (a alone) Reset(seed uint64) { a.drawer.Reset(0, seed) }

func (a alone) Act(d *pipe.Decision) (env.Action, error) {
	out, err := a.drawer.Act([]*pipe.Decision{d})
	if err != nil {
		return -1, err
	}
	return out[0], nil
}

// program is this test program as an agent.
func program(t *testing.T, g env.Game, how string) *agents.Maker {
	t.Helper()
	self := must.Have(os.Executable())(t)
	m := opened(t, g, fmt.Sprintf("remote:'%s' agent %s", self, how))
	m.Text = "remote:program"
	return m
}

// A match with a program that plays many games at once is the same as with one that plays them one by one, by any
// number of workers, whatever the program does.
func TestCompanions(t *testing.T) {
	g := kuhn.Open(3)
	for _, does := range []string{"", "-illegal", "-crash"} {
		var want string
		for _, how := range []string{"one", "tables"} {
			for _, workers := range []int{1, 3} {
				if how == "one" && workers > 1 {
					continue
				}
				o := eval.Options{Games: 15, Seed: 4, Workers: workers, Substitute: opened(t, g, "random"), Records: 6}
				r := match(t, g, o, program(t, g, how+does), honest("honest"))
				if forfeits := r.Agents[0].Forfeits; (does != "") != (forfeits > 0) || forfeits > 12 {
					t.Fatalf("%s: %d games of 15 forfeited", how+does, forfeits)
				}
				text := must.Have(json.Marshal(r))(t)
				if want == "" {
					want = string(text)
				}
				if string(text) != want {
					t.Errorf("%s by %d workers: got\n%s, want\n%s", how+does, workers, text, want)
				}
			}
		}
	}
}

// counted is the maker of a program with the instances that it has made: processes, where none is Beside another.
func counted(m *agents.Maker, made *int) *agents.Maker {
	c, create := *m, m.New
	c.New = func() (agents.Agent, error) { *made++; return create() }
	return &c
}

// Programs that play many games at once share processes; in a tournament they start anew once each table has played a
// block.
func TestCompanionsStart(t *testing.T) {
	g := kuhn.Open(2)
	made := 0
	m := counted(program(t, g, "tables"), &made)
	match(t, g, eval.Options{Games: 90, Seed: 1, Workers: 1}, m, honest("honest"))
	if made != 1 {
		t.Errorf("a match of one worker takes %d processes, not 1", made)
	}
	made = 0
	tour := must.Have(eval.OpenTournament(filepath.Join(t.TempDir(), "cup"), g, []*agents.Maker{m, honest("honest")},
		eval.TournamentOptions{Seed: 1}))(t)
	defer tour.Close()
	must.Do(t, tour.Play(context.Background(), 96, 0, eval.Options{Workers: 1}))
	if made != 6 { // 48 blocks at 8 tables
		t.Errorf("a tournament of 48 blocks takes %d processes, not 6", made)
	}
}

// deputy is an agent that chooses for many at once, as networks do.
type deputy struct{ agents.Agent }

func (d deputy) ActFor(of []agents.Agent, views []*env.View, out []env.Action) error {
	for i, a := range of {
		var err error
		if out[i], err = a.Act(views[i]); err != nil {
			return err
		}
	}
	return nil
}

// A running is how many processes of an agent there are, and how many there were at most.
type running struct{ now, most, ever atomic.Int32 }

// process is an instance at one table, which is one of these.
type process struct {
	agents.Agent
	of *running
}

func (p *process) Close() error {
	p.of.now.Add(-1)
	return p.Agent.(io.Closer).Close()
}

// An agent has as many processes as it has seats in the games that are played at a time, also where others play many
// games at once, and they play one game after the other.
func TestProcesses(t *testing.T) {
	g := kuhn.Open(3)
	for _, tt := range []struct {
		seats   []string // of the first seats; the last agent fills the rest
		workers int
		fresh   bool
		most    int32
	}{
		{[]string{"program", "many"}, 1, false, 1},
		{[]string{"many", "program"}, 1, false, 2},
		{[]string{"many", "program"}, 2, true, 4},
		{[]string{"program"}, 1, false, 3},
	} {
		of := &running{}
		plain := program(t, g, "one")
		makers := map[string]*agents.Maker{"bot": honest("bot")}
		makers["program"] = &agents.Maker{Text: plain.Text, New: func() (agents.Agent, error) {
			a, err := plain.New()
			of.ever.Add(1)
			for n := of.now.Add(1); ; {
				if most := of.most.Load(); n <= most || of.most.CompareAndSwap(most, n) {
					return &process{a, of}, err
				}
			}
		}}
		makers["many"] = &agents.Maker{Text: "many", New: func() (agents.Agent, error) {
			a, err := makers["bot"].New()
			return deputy{a}, err
		}}
		var seated, apart []*agents.Maker
		for _, name := range tt.seats {
			seated = append(seated, makers[name])
			one := *makers[name]
			if name == "many" {
				one.New = makers["bot"].New
			}
			apart = append(apart, &one)
		}
		o := eval.Options{Games: 12, Seed: 2, Workers: tt.workers, Fresh: tt.fresh}
		r := match(t, g, o, seated...)
		starts := 1 // of as many processes
		if tt.fresh {
			starts = r.Outcomes[len(r.Outcomes)-1].Block + 1
		}
		if most, ever := of.most.Load(), of.ever.Load(); most > tt.most || int(ever) > int(tt.most)*starts ||
			of.now.Load() != 0 {
			t.Errorf("%q by %d workers, fresh %v: %d processes at most, %d in all, %d at the end; want at most %d at once",
				tt.seats, tt.workers, tt.fresh, most, ever, of.now.Load(), tt.most)
		}
		if alone := match(t, g, o, apart...); !reflect.DeepEqual(alone.Outcomes, r.Outcomes) {
			t.Errorf("%q by %d workers, fresh %v: other results than without agents that play many games at once", tt.seats,
				tt.workers, tt.fresh)
		}
	}
}
