package agents_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
)

// bettor writes a checkpoint of a network for Kuhn poker whose logit of betting is the given one higher
// than that of passing, and whose value is 0.25, whatever it sees. It returns the run's directory.
func bettor(t testing.TB, more float32, change func(*checkpoint.Checkpoint)) string {
	t.Helper()
	info := kuhn.Open(2).Info()
	p := must.Have(neural.NewParams(neural.Spec{Inputs: info.Observation(), Actions: 2, Hidden: []int{4}}))(t)
	head := p.Layers()[1]
	head.Bias[kuhn.Bet], head.Bias[2] = more, 0.25
	c := checkpoint.New(info, p)
	if change != nil {
		change(c)
	}
	run := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(run, checkpoint.Dir), 0o755))
	must.Do(t, checkpoint.Write(filepath.Join(run, checkpoint.Dir, checkpoint.FileName(1)), c))
	return run
}

// Three to one for betting: the net bets three times in four, its argmax always.
func TestNetPlaysItsPolicy(t *testing.T) {
	run := bettor(t, float32(math.Log(3)), nil)
	g := kuhn.Open(3) // trained for two: the same tables
	const games = 4000
	for _, test := range []struct {
		text    string
		low, up int
	}{
		{"net:" + run, 2863, 3137}, // 5 standard deviations around 3000
		{"net:" + run + ",argmax", games, games},
		{"net:" + filepath.Join(run, checkpoint.Dir, checkpoint.FileName(1)) + ",argmax", games, games},
		{"net:" + run + ",temperature=1e6", 1842, 2158}, // 2000: both alike
		{"net:" + run + ",temperature=0.5", 3505, 3695}, // 3600: nine to one
		{"net:" + run + ",temperature=1e6,loss=1", games, games},
		{"net:" + run + ",loss=1.1", 2863, 3137}, // ln 3 is 1.099
	} {
		seats := table(t, test.text, g)
		bets := 0
		for seed := range uint64(games) {
			if play(t, g, seed, seats).Moves[0].Action == "bet" {
				bets++
			}
		}
		if bets < test.low || bets > test.up {
			t.Errorf("%s: %d bets, want %d to %d", test.text, bets, test.low, test.up)
		}
	}
}

func TestNetExplains(t *testing.T) {
	g := kuhn.Open(2)
	agent := table(t, "net:"+bettor(t, float32(math.Log(3)), nil), g)[0]
	ref := must.Have(referee.New(g, 1))(t)
	e := must.Have(agent.(agents.Explainer).Explain(ref.View()))(t)
	if math.Abs(float64(e.Probabilities[kuhn.Pass])-0.25) > 1e-6 ||
		math.Abs(float64(e.Probabilities[kuhn.Bet])-0.75) > 1e-6 || e.Value != 0.25 {
		t.Errorf("the net explains %+v, want 0.25 to pass, 0.75 to bet and value 0.25", e)
	}
}

// A softer net says by what it draws, to those who ask what it thinks as to those who ask what it does.
func TestSoftNetExplains(t *testing.T) {
	g := kuhn.Open(2)
	agent := table(t, "net:"+bettor(t, float32(math.Log(9)), nil)+",temperature=2", g)[0]
	ref := must.Have(referee.New(g, 1))(t)
	e := must.Have(agent.(agents.Explainer).Explain(ref.View()))(t)
	if math.Abs(float64(e.Probabilities[kuhn.Bet])-0.75) > 1e-6 {
		t.Errorf("the probability of a bet is %v, want 0.75", e.Probabilities[kuhn.Bet])
	}
}

// A net that chooses for others chooses what each of them would, out of that one's own chance.
func TestNetDeputy(t *testing.T) {
	g := kuhn.Open(2)
	m := must.Have(agents.Open("net:"+bettor(t, 0, nil), g))(t)
	instance := func(seed uint64) agents.Agent {
		a := must.Have(m.New())(t)
		a.Reset(seed)
		return a
	}
	const n = 300 // more rows than go through the network at once
	var alone, fellows []agents.Agent
	var views []*env.View
	for i := range uint64(n) {
		s := g.New()
		s.Reset(i, nil)
		alone, fellows, views = append(alone, instance(i%7)), append(fellows, instance(i%7)), append(views, env.ViewOf(s))
	}
	deputy, out := instance(99).(env.Deputy), make([]env.Action, n)
	for range 3 { // decisions, so that the luck of each goes on
		must.Do(t, deputy.ActFor(fellows, views, out))
		for i, v := range views {
			if a, err := alone[i].Act(v); err != nil || a != out[i] {
				t.Fatalf("view %d: %d by a deputy, %d alone, %v", i, out[i], a, err)
			}
		}
	}
}

func TestNetErrors(t *testing.T) {
	run := bettor(t, 0, func(c *checkpoint.Checkpoint) { c.Name = "one-earth" })
	file := filepath.Join(run, checkpoint.Dir, checkpoint.FileName(1))
	junk := filepath.Join(t.TempDir(), "junk")
	must.Do(t, os.WriteFile(junk, []byte("junk"), 0o644))
	for _, test := range []struct{ text, want string }{
		{"net", "no network comes with the program for kuhn; name a checkpoint or a run directory: net:runs/x"},
		{"net:,argmax", "no network comes with the program for kuhn; name a checkpoint or a run directory: net:runs/x"},
		{"mcts:sims=8,net=", "no network comes with the program for kuhn; name a checkpoint or a run directory: net:runs/x"},
		{"mcts:net=" + junk + "s", "there is no checkpoint and no run directory " + junk + "s"},
		{"net:" + run + ",argmx",
			`unknown option "argmx" of net: did you mean "argmax"? there are: argmax, temperature, loss`},
		{"net:" + run + ",argmax,loss=1", `option argmax of net stands alone`},
		{"net:" + run + ",temperature=0", `temperature=0: it is a number above 0`},
		{"net:" + run + ",loss=1,loss=2", `option loss is given twice`},
		{"net:" + junk + "s", "there is no checkpoint and no run directory " + junk + "s"},
		{"net:" + run, "checkpoint " + file + ": it is of game one-earth, not kuhn"},
		{"net:" + junk, "checkpoint " + junk + ": no safetensors file: 4 bytes, less than the 8 of its header's length"},
	} {
		_, err := agents.Open(test.text, kuhn.Open(2))
		if want := `agent "` + test.text + `": ` + test.want; err == nil || !strings.HasPrefix(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want %s", test.text, err, want)
		}
	}
}

// Weights that are finite but overflow are found out when the net plays.
func TestNetThatOverflows(t *testing.T) {
	g := kuhn.Open(2)
	seats := table(t, "net:"+bettor(t, 0, func(c *checkpoint.Checkpoint) {
		for _, l := range c.Network.Layers() {
			for i := range l.Weight {
				l.Weight[i] = 1e19
			}
			l.Bias[0] = 1e38
		}
	}), g)
	ref := must.Have(referee.New(g, 1))(t)
	_, err := seats[0].Act(ref.View())
	if want := "the network's value is +Inf: its training has diverged"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestNetActAllocatesNothing(t *testing.T) {
	g := kuhn.Open(2)
	agent := table(t, "net:"+bettor(t, 0, nil), g)[0]
	ref := must.Have(referee.New(g, 1))(t)
	view := ref.View()
	agent.Reset(1)
	if n := testing.AllocsPerRun(1000, func() {
		if _, err := agent.Act(view); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
