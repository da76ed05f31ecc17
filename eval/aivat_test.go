package eval

import (
	"context"
	"errors"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/games"
)

// valuing is a value function made of a plain one.
type valuing struct {
	of     func(s env.State, p env.Player) float64
	values []float64
	err    error
}

func (v *valuing) Add(s env.State) {
	for p := range env.Player(s.Game().Info().Players) {
		v.values = append(v.values, v.of(s, p))
	}
}

func (v *valuing) Values() ([]float64, error) {
	values := v.values
	v.values = nil
	return values, v.err
}

func valueOf(of func(s env.State, p env.Player) float64) *agents.Value {
	return &agents.Value{Text: "test", New: func() agents.Evaluator { return &valuing{of: of} }}
}

// nonsense is a number for each position and seat that has nothing to do with the game.
func nonsense(s env.State, p env.Player) float64 {
	h := fnv.New64a()
	h.Write(s.AppendPosition([]byte{byte(p)}))
	return float64(int64(env.Mix(h.Sum64()))) / (1 << 63)
}

// wavering is a number that goes up and down with all that a seat sees.
func wavering(s env.State, p env.Player) float64 {
	seen := make([]float32, s.Game().Info().Observation())
	s.Observe(seen, p)
	sum := 0.0
	for i, x := range seen {
		sum += float64(x) * float64(i%97-40)
	}
	return math.Sin(sum)
}

// deals has a seed of Kuhn poker for every way in which the cards may be drawn.
func deals(players int) []uint64 {
	g := kuhn.Open(players)
	s := g.New().(*kuhn.State)
	byDeal := map[[3]int]uint64{}
	all := 1
	for p := range players {
		all *= players + 1 - p
	}
	for seed := uint64(1); len(byDeal) < all; seed++ {
		s.Reset(seed, nil)
		var cards [3]int
		for p := range players {
			cards[p] = s.Card(env.Player(p))
		}
		if _, ok := byDeal[cards]; !ok {
			byDeal[cards] = seed
		}
	}
	return slices.Collect(maps.Values(byDeal))
}

// bettor bets in Kuhn poker with a card of at least this rank.
type bettor struct{ from int }

func (b bettor) Name() string { return "bettor" }
func (b bettor) Reset(uint64) {}
func (b bettor) Act(v *env.View) (env.Action, error) {
	if v.Sample(0).(*kuhn.State).Card(v.Player()) >= b.from {
		return kuhn.Bet, nil
	}
	return kuhn.Pass, nil
}

// lucky plays one game and gives returns and luck.
func lucky(t *testing.T, g env.Game, seed uint64, value *agents.Value, seats ...agents.Agent) (returns, got []float64) {
	t.Helper()
	ref := must.Have(referee.New(g, seed))(t)
	l := newLuck(g, value)
	l.begin(seed)
	ref.Follow(l.step)
	must.Do(t, agents.Play(context.Background(), ref, seats, nil))
	if l.err != nil {
		t.Fatal(l.err)
	}
	return ref.Result().Returns, l.total
}

// Over all deals of Kuhn poker luck adds up to nothing, whatever the values say; and where they say how the game will
// end, luck is all that there is.
func TestLuckOfAllDeals(t *testing.T) {
	for players := 2; players <= 3; players++ {
		g := kuhn.Open(players)
		seats := []agents.Agent{bettor{2}, bettor{1}, bettor{3}}[:players]
		foreseen := func(s env.State, p env.Player) float64 {
			end := g.New()
			end.CopyFrom(s)
			for actor := end.Actor(); actor != env.Over; actor = end.Actor() {
				a := must.Have(seats[actor].Act(env.ViewOf(end)))(t)
				end.Apply(a, nil)
			}
			returns := make([]float64, players)
			end.Returns(returns)
			return returns[p]
		}
		for name, of := range map[string]func(env.State, env.Player) float64{"nonsense": nonsense, "foreseen": foreseen} {
			seeds := deals(players)
			sum, mean := make([]float64, players), make([]float64, players)
			spread := 0.0
			for _, seed := range seeds {
				returns, luck := lucky(t, g, seed, valueOf(of), seats...)
				for p := range luck {
					sum[p] += luck[p]
					mean[p] += returns[p] / float64(len(seeds))
					spread += math.Abs(luck[p])
				}
			}
			for p := range sum {
				if math.Abs(sum[p]) > 1e-9 || spread < 0.1 {
					t.Errorf("%d players, %s: the luck of seat %d adds up to %v", players, name, p, sum[p])
				}
			}
			for _, seed := range seeds {
				returns, luck := lucky(t, g, seed, valueOf(of), seats...)
				for p := range luck {
					if rest := returns[p] - luck[p]; name == "foreseen" && math.Abs(rest-mean[p]) > 1e-9 {
						t.Errorf("%d players, seed %d: without luck seat %d has %v, on average it has %v", players, seed, p, rest,
							mean[p])
					}
				}
			}
		}
	}
}

// Where chance strikes in the middle of games, several times in one step, luck is nothing on average.
func TestLuckIsFair(t *testing.T) {
	for _, text := range []string{"resilience-earth:players=2", "one-earth:players=2"} {
		g := must.Have(games.Open(text))(t)
		greedy := must.Have(agents.Open("script:greedy", g))(t)
		o := Options{Games: 50, Seed: 11, Value: valueOf(wavering)}
		if testing.Short() {
			o.Games = 20
		}
		r := must.Have(Match(context.Background(), g, []*agents.Maker{greedy}, o))(t)
		for seat := range 2 {
			var luck []float64
			for _, o := range r.Outcomes {
				luck = append(luck, o.Luck[seat])
			}
			mean, deviation := stat.MeanStdDev(luck, nil)
			if z := mean / stat.StdErr(deviation, float64(len(luck))); math.Abs(z) > 4 || deviation == 0 {
				t.Errorf("%s: the luck of seat %d is %v on average, %.1f standard errors", text, seat, mean, z)
			}
		}
	}
}

// A match without luck is a match with narrower intervals, and the same with any number of workers; wrong values
// cost next to nothing, and stop rules go by what is left.
func TestMatchWithoutLuck(t *testing.T) {
	envtest.NothingToRace(t) // that shorter matches have not
	g := must.Have(games.Open("resilience-earth:players=2"))(t)
	var makers []*agents.Maker
	for _, text := range []string{"script:strong", "script:greedy"} {
		m := must.Have(agents.Open(text, g))(t)
		makers = append(makers, m)
	}
	potential := must.Have(agents.OpenValue("potential", g))(t)
	var once *Aivat
	for _, workers := range []int{1, 3} {
		r, err := Match(context.Background(), g, makers, Options{Games: 300, Seed: 5, Workers: workers, Value: potential})
		if err != nil {
			t.Fatal(err)
		}
		a := r.Aivat
		if once == nil {
			once = a
		}
		if a.Agents[0] != once.Agents[0] || a.Differences[0] != once.Differences[0] {
			t.Errorf("%d workers: %+v, not %+v", workers, a, once)
		}
		d, plain := a.Differences[0], r.Differences[0]
		if d.Factor < 1.1 || math.Abs(d.MeanReturn-plain.MeanReturn) > 0.2 ||
			d.ReturnCI[1]-d.ReturnCI[0] > plain.ReturnCI[1]-plain.ReturnCI[0] {
			t.Errorf("without luck %+v, plain %+v", d, plain)
		}
		var text strings.Builder
		if err := WriteTable(&text, r); err != nil || !strings.Contains(text.String(), "without luck (AIVAT, potential)") {
			t.Errorf("%v\n%s", err, &text)
		}
	}
	r := must.Have(Match(context.Background(), g, makers, Options{Games: 300, Seed: 5, Value: valueOf(wavering)}))(t)
	if f := r.Aivat.Agents[0].Factor; f < 0.95 {
		t.Errorf("wrong values make games worth %v of themselves", f)
	}
	length := func(value *agents.Value) int {
		r, _, err := Until(context.Background(), g, makers, nil, Options{Games: 5_000, Seed: 5, Value: value},
			Precision{HalfWidth: 0.15})
		if err != nil {
			t.Fatal(err)
		}
		return r.Games
	}
	if plain, without := length(nil), length(potential); without >= plain {
		t.Errorf("±0.15 takes %d games, and %d without luck", plain, without)
	}
	stopped, _, err := Until(context.Background(), g, makers, nil, Options{Games: 2_000, Seed: 5, Value: potential},
		SPRT{Return0: 0, Return1: 0.4, Alpha: 0.05, Beta: 0.05})
	if err != nil || !stopped.Stop.Decided {
		t.Errorf("%+v, %v", stopped, err)
	}
	broken := &agents.Value{
		Text: "broken", New: func() agents.Evaluator { return &valuing{of: nonsense, err: errors.New("diverged")} }}
	if _, err := Match(context.Background(), g, makers, Options{Games: 2, Seed: 5, Value: broken}); err == nil ||
		!strings.Contains(err.Error(), "diverged") {
		t.Errorf("error %v", err)
	}
}

// Whole tables are compared without luck too.
func TestCompareWithoutLuck(t *testing.T) {
	g := kuhn.Open(2)
	table := func(from int) *MatchResult {
		maker := &agents.Maker{Text: "table", New: func() (agents.Agent, error) { return bettor{from}, nil }}
		r := must.Have(Match(context.Background(), g, []*agents.Maker{maker},
			Options{Games: 50, Seed: 5, Value: valueOf(nonsense)}))(t)
		return r
	}
	c, err := Compare(table(1), table(2))
	if err != nil || c.Aivat == nil || c.Aivat.MeanReturn != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}
