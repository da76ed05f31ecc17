package eval_test

import (
	"context"
	"math"
	"sync"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/eval"
	"earthgym/games"
)

// tower is Resilience Earth, whose tower falls in every other game of greedy bots.
func tower(t testing.TB) env.Game {
	t.Helper()
	return must.Have(games.Open("resilience-earth:players=3"))(t)
}

// A ledger is a Study that keeps how far the tower was built by the end of each game, by what the rules say alone.
type ledger struct {
	mu    *sync.Mutex
	built map[*eval.Outcome]float64
	asked int
}

func (l *ledger) Begin(o *eval.Outcome, s env.State) { l.asked = 0 }
func (l *ledger) Decide(eval.Decision)               { l.asked++ }
func (l *ledger) End(o *eval.Outcome, s env.State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.built[o] = s.(env.Commons).Depletion()
	if l.asked != o.Decisions {
		l.built[o] = math.NaN()
	}
}

// What the seats have used up adds up to what is used up, and who has pushed the tower over is counted.
func TestCommons(t *testing.T) {
	g := tower(t)
	l := &ledger{mu: &sync.Mutex{}, built: map[*eval.Outcome]float64{}}
	study := func() eval.Study { return &ledger{mu: l.mu, built: l.built} }
	r := match(t, g, eval.Options{Games: 30, Seed: 3, Workers: 2, Study: study}, opened(t, g, "script:greedy"),
		opened(t, g, "script:naive"))
	lost, welfare := 0.0, 0.0
	pushed, seats, used := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		sum := 0.0
		for seat, agent := range o.Seating {
			sum += o.Depleted[seat]
			used[agent] += o.Depleted[seat]
			seats[agent]++
			welfare += o.Returns[seat] / 3
			if o.Culprits.Has(env.Player(seat)) {
				pushed[agent]++
			}
		}
		if math.Abs(sum-l.built[o]) > 1e-9 {
			t.Errorf("game %d: the seats have used up %v, %v together, of a tower used up to %v", i, o.Depleted, sum, l.built[o])
		}
		if o.Lost {
			lost++
		}
	}
	c := r.Commons
	n := float64(r.Games)
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("lost", c.Lost.Mean, lost/n)
	near("collapses", c.Lost.Mean, float64(r.Ends["collapse"])/n)
	near("welfare", c.Welfare.Mean, welfare/n)
	for i, a := range c.Agents {
		near(a.Agent+" pushed", a.Pushed.Mean, pushed[i]/seats[i])
		near(a.Agent+" used up", a.Depleted.Mean, used[i]/seats[i])
	}
	if lost == 0 || lost == n || c.Agents[0].Pushed.Mean == 0 {
		t.Errorf("%v of %d games were lost, %v by %s: the test shows nothing", lost, r.Games, c.Agents[0].Pushed.Mean,
			c.Agents[0].Agent)
	}
	if r := match(t, kuhn.Open(2), eval.Options{Games: 2}, honest("honest")); r.Commons != nil {
		t.Error("there is something to share in Kuhn poker")
	}
}

// A tournament keeps what its games did to what is shared, and tells it in the order of its standings.
func TestCommonsOfTournament(t *testing.T) {
	g, dir := tower(t), t.TempDir()
	field := []*agents.Maker{opened(t, g, "random"), opened(t, g, "script:strong"), opened(t, g, "script:greedy")}
	result := func(games int) *eval.TournamentResult {
		t.Helper()
		tour := must.Have(eval.OpenTournament(dir, g, field, eval.TournamentOptions{Seed: 3}))(t)
		defer tour.Close()
		must.Do(t, tour.Play(context.Background(), games, 0, eval.Options{}))
		return must.Have(tour.Result("random"))(t)
	}
	played := result(60)
	read := result(60)
	if got, want := mustJSON(t, read), mustJSON(t, played); got != want {
		t.Errorf("read back, it is\n%s\nnot\n%s", got, want)
	}
	for i, a := range played.Commons.Agents {
		pushed, seats := 0.0, 0.0
		for _, o := range played.Outcomes {
			for seat, agent := range o.Seating {
				if agent == i {
					seats++
					if o.Culprits.Has(env.Player(seat)) {
						pushed++
					}
				}
			}
		}
		if a.Agent != played.Agents[i].Agent {
			t.Errorf("agent %d is %s in the standings and %s in what is shared", i, played.Agents[i].Agent, a.Agent)
		}
		if pushed > 0 != (a.Pushed.Mean > 0) {
			t.Errorf("%s has pushed it over %v times in %v seats, and in %v of them is told", a.Agent, pushed, seats,
				a.Pushed.Mean)
		}
	}
}
