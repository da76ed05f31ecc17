package train

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/games"
)

func smallConfig() Config {
	c := DefaultConfig("kuhn")
	c.Minutes, c.Decisions, c.NumEnvs, c.NumSteps, c.Hidden, c.Minibatch = 0, 6000, 32, 20, []int{16}, 128
	c.ReferenceEvery, c.PoolSize, c.PoolShare = 2, 2, 0.4
	c.Opponents, c.OpponentShare, c.Clone = []string{"random"}, 0.2, nil
	c.CheckpointEvery, c.EvalEvery, c.EvalGames = 3, 3, 10
	return c
}

// teacherConfig is smallConfig with a teacher of Kuhn poker before the league.
func teacherConfig(t *testing.T) Config {
	t.Helper()
	dir, _ := trained(t, smallConfig(), 3, 1)
	c := smallConfig()
	c.Clone, c.CloneDecisions, c.Minibatch = []string{"net:" + dir + ",argmax"}, 3000, 256
	c.Decisions = 3000
	return c
}

// A runCase is a run of a kind of its own.
type runCase struct {
	name   string
	config Config
	games  []env.Game
}

func runCases(t *testing.T) []runCase {
	t.Helper()
	clone := teacherConfig(t)
	library := teacherConfig(t)
	library.Clone = append(library.Clone, recordsOf+recordedKuhn(t, 3, 40))
	one, variants := []env.Game{kuhn.Open(3)}, []env.Game{kuhn.Open(3), kuhn.Open(2)}
	return []runCase{{"league", smallConfig(), one}, {"clone", clone, one}, {"records and variants", library, variants}}
}

// recordedKuhn is a folder with games of Kuhn poker in which everybody bets.
func recordedKuhn(t *testing.T, players, games int) string {
	t.Helper()
	dir := t.TempDir()
	for seed := range uint64(games) {
		ref := must.Have(referee.New(kuhn.Open(players), seed))(t)
		for ref.Actor() != env.Over {
			must.Do(t, ref.Play(1))
		}
		if err := disk.WriteFile(filepath.Join(dir, fmt.Sprintf("kuhn-%d.jsonl", seed)), ref.Record(make([]string, players)).
			Write); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// trained runs a config in a new folder to its end.
func trained(t *testing.T, c Config, players, workers int) (string, *neural.Params) {
	t.Helper()
	return trainedOn(t, c, []env.Game{kuhn.Open(players)}, workers)
}

func trainedOn(t *testing.T, c Config, games []env.Game, workers int) (string, *neural.Params) {
	t.Helper()
	dir := t.TempDir()
	r := must.Have(Start(dir, c, games, Options{Workers: workers, Program: "test"}))(t)
	defer r.Close()
	must.Do(t, r.Train(t.Context(), nil))
	return dir, r.learner.Params()
}

// metrics without the seconds.
func metrics(t *testing.T, dir string) []Update {
	t.Helper()
	updates := must.Have(ReadMetrics(dir))(t)
	for i := range updates {
		u := &updates[i]
		u.CollectSeconds, u.LearnSeconds, u.EvaluateSeconds = 0, 0, 0
		u.CollectCPUSeconds, u.LearnCPUSeconds, u.CPUSeconds = 0, 0, 0
	}
	return updates
}

func TestARunRepeatsItselfWhateverTheWorkers(t *testing.T) {
	for _, run := range runCases(t) {
		c := run.config
		dir, want := trainedOn(t, c, run.games, 1)
		other, got := trainedOn(t, c, run.games, 3)
		if !slices.Equal(got.Flat(), want.Flat()) {
			t.Errorf("%s: other weights with 3 workers", run.name)
		}
		if !reflect.DeepEqual(metrics(t, other), metrics(t, dir)) {
			t.Errorf("%s: other metrics with 3 workers", run.name)
		}
		c.Seed++
		if _, got := trainedOn(t, c, run.games, 1); slices.Equal(got.Flat(), want.Flat()) {
			t.Errorf("%s: another seed gives the same weights", run.name)
		}
	}
}

// What a run learns is stored: one value for all fused kernels, on every processor, and one for the portable ones.
func TestGoldenRuns(t *testing.T) {
	envtest.NothingToRace(t) // that TestARunRepeatsItselfWhateverTheWorkers has not
	short := smallConfig()
	short.Decisions, short.Clone, short.CloneDecisions = 900, []string{"script:greedy"}, 600
	short.NumEnvs, short.NumSteps, short.Opponents = 16, 12, []string{"script:greedy", "random"}
	short.Hidden, short.EvalGames = []int{24, 24}, 2
	open := func(name string) []env.Game {
		g := must.Have(games.Open(name))(t)
		return []env.Game{g}
	}
	for _, k := range gemm.All() {
		t.Setenv(gemm.Env, k.Name())
		h := fnv.New64a()
		for _, run := range []runCase{
			{"Kuhn poker", smallConfig(), []env.Game{kuhn.Open(3)}},
			{"Resilience Earth", short, open("resilience-earth")},
			{"The Earthman's Burden", short, open("earthmans-burden")},
		} {
			_, params := trainedOn(t, run.config, run.games, 2)
			binary.Write(h, binary.LittleEndian, params.Flat())
		}
		want := "a992f81453c1e8b7"
		if k.Name() == "portable" {
			want = "4cc4094774647787"
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != want {
			t.Errorf("%s: the bits are %s, want %s", k.Name(), got, want)
		}
	}
}

// Of a game with itself the network wins its share, whatever it has learnt; its wins against another show that.
func TestWinsByOpponent(t *testing.T) {
	c := smallConfig()
	c.PoolShare, c.OpponentShare = 0, 0.5
	dir, _ := trained(t, c, 2, 1)
	told := false
	for _, u := range metrics(t, dir) {
		self, random := u.Wins["self"], u.Wins["random"]
		if self != 0.5 || random < 0 || random > 1 || len(u.Wins) != 2 {
			t.Errorf("update %d: wins %v", u.Update, u.Wins)
		}
		if least, most := min(self, random), max(self, random); u.WinShare < least || u.WinShare > most {
			t.Errorf("update %d: wins %v overall, %v by opponent", u.Update, u.WinShare, u.Wins)
		}
		told = told || random > 0.55
	}
	if !told {
		t.Error("no update shows that random play is beaten")
	}
}

func TestResumeGoesOnExactly(t *testing.T) {
	for _, run := range runCases(t) {
		t.Run(run.name, func(t *testing.T) { resumeGoesOnExactly(t, run.config, run.games) })
	}
}

func resumeGoesOnExactly(t *testing.T, c Config, games []env.Game) {
	wantDir, want := trainedOn(t, c, games, 2)
	n := len(metrics(t, wantDir))
	dir := t.TempDir()
	r := must.Have(Start(dir, c, games, Options{Workers: 1, Program: "test"}))(t)
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		updates := 0
		err := r.Train(ctx, func(Update) {
			if updates++; updates == 2 {
				cancel()
			}
		})
		cancel()
		r.Close()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if stops > n {
			t.Fatal("it never ends")
		}
		// A killed run may leave a line more than it saved, and half of another.
		f := must.Have(os.OpenFile(filepath.Join(dir, MetricsFile), os.O_APPEND|os.O_WRONLY, 0))(t)
		must.Have(f.WriteString("{\"update\":1000}\n{\"upd"))(t)
		f.Close()
		if r, err = Resume(dir, games, Options{Workers: 1 + stops%2, Program: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(r.learner.Params().Flat(), want.Flat()) {
		t.Error("other weights than those of the run that went through")
	}
	if diff := cmp.Diff(metrics(t, wantDir), metrics(t, dir)); diff != "" {
		t.Errorf("other metrics than those of the run that went through: %s", diff)
	}
	newest := must.Have(checkpoint.Read(filepath.Join(dir, checkpoint.Dir, checkpoint.FileName(int64(n)))))(t)
	if !slices.Equal(newest.Network.Flat(), want.Flat()) {
		t.Error("the newest checkpoint is not the network at the end")
	}
	got := must.Have(os.ReadFile(filepath.Join(dir, checkpoint.Best)))(t)
	if best, err := os.ReadFile(filepath.Join(wantDir, checkpoint.Best)); err != nil || !bytes.Equal(got, best) {
		t.Errorf("another best network than that of the run that went through (%v)", err)
	}
}

// Cloning ends at its bound to the decision, however small that is beside an update: of teachers, and of records.
func TestCloneBounds(t *testing.T) {
	for _, want := range []int{20, 33, 730} {
		for _, records := range []bool{false, true} {
			c := teacherConfig(t)
			if records {
				c.Clone = append(c.Clone, recordsOf+recordedKuhn(t, 3, 20))
			}
			c.CloneDecisions, c.Decisions = want, 0
			dir, _ := trained(t, c, 3, 1)
			updates := metrics(t, dir)
			if got := updates[len(updates)-1].Cloned; got != want {
				t.Errorf("records %v: %d decisions, want %d", records, got, want)
			}
		}
	}
}

// Recorded games are learnt from, all that is decided in them, and nothing is made of folders that hold other things.
func TestCloneRecords(t *testing.T) {
	c := smallConfig()
	folder := recordedKuhn(t, 3, 20)
	c.Clone, c.CloneDecisions, c.Minibatch, c.Decisions = []string{recordsOf + folder}, 12000, 256, 0
	dir, _ := trained(t, c, 3, 1)
	updates := metrics(t, dir)
	if last := updates[len(updates)-1]; last.Accuracy < 0.99 || last.CrossEntropy > 0.2 || last.Games != 0 ||
		last.Cloned < 12000 {
		t.Errorf("after %d decisions of those who always bet: accuracy %v, cross-entropy %v, %d games", last.Cloned,
			last.Accuracy, last.CrossEntropy, last.Games)
	}
	lonely := c // nobody is there who could be asked
	lonely.Opponents, lonely.OpponentShare, lonely.CloneDecisions, lonely.Decisions = nil, 0, 1000, 1000
	dir, _ = trained(t, lonely, 3, 1)
	updates = metrics(t, dir)
	if last := updates[len(updates)-1]; last.Cloned < 1000 || last.Decisions < 1000 || last.Games == 0 {
		t.Errorf("without opponents: %d decisions cloned, %d made in %d games", last.Cloned, last.Decisions, last.Games)
	}
	for _, test := range []struct {
		want  string
		spoil func(dir string) error
	}{
		{"holds no records", func(dir string) error { return nil }},
		{"which is not trained on: name that variant too",
			func(dir string) error { return os.CopyFS(dir, os.DirFS(recordedKuhn(t, 2, 1))) }},
		{"is of a game that is not over", func(dir string) error {
			b, err := os.ReadFile(filepath.Join(folder, "kuhn-0.jsonl"))
			lines := bytes.SplitAfter(b, []byte("\n"))
			return errors.Join(err, os.WriteFile(filepath.Join(dir, "a.jsonl"), bytes.Join(lines[:len(lines)-2], nil), 0o600))
		}},
		{"a.jsonl", func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte("{}\n"), 0o600) }},
	} {
		dir := t.TempDir()
		must.Do(t, test.spoil(dir))
		c.Clone = []string{recordsOf + dir}
		_, err := Start(t.TempDir(), c, []env.Game{kuhn.Open(3)}, Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// A run begins as another network, and does not lose what it was.
func TestFrom(t *testing.T) {
	c := smallConfig()
	dir, want := trained(t, c, 3, 1)
	c.From, c.EvalGames, c.Hidden = filepath.Join(dir, checkpoint.Dir, checkpoint.FileName(int64(len(metrics(t, dir))))),
		0, []int{32}
	c.LearningRate, c.Decisions = 1e-9, 1
	if _, got := trained(t, c, 3, 1); !sameAnswers(t, got, want) {
		t.Error("the wider network answers otherwise")
	}
	c.Hidden = []int{8}
	if _, err := Start(t.TempDir(), c, []env.Game{kuhn.Open(3)}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "from: ") || !strings.Contains(err.Error(), "none narrower") {
		t.Errorf("a narrower network: %v", err)
	}
}

// Who goes on from the answer of a run begins as unsure as that was before its end made it surer.
func TestFromAnAnswer(t *testing.T) {
	c := smallConfig()
	dir, _ := trained(t, c, 3, 1)
	answer, err := checkpoint.Read(filepath.Join(dir, checkpoint.Dir, checkpoint.FileName(int64(len(metrics(t, dir))))))
	if err != nil {
		t.Fatal(err)
	}
	before := answer.Network.Clone()
	answer.Network.Sharpen(2.5)
	answer.Card.Sharpness = 2.5
	c.From = filepath.Join(t.TempDir(), "answer.safetensors")
	must.Do(t, checkpoint.Write(c.From, answer))
	written := must.Have(checkpoint.Read(c.From))(t)
	c.EvalGames, c.LearningRate, c.Decisions = 0, 1e-9, 1
	if dir, got := trained(t, c, 3, 1); !sameAnswers(t, got, before) {
		t.Error("it begins as sure as the answer")
	} else if after, err := checkpoint.Read(dir); err != nil || after.Card.Parent != written.Hash ||
		after.Card.Sharpness != 0 {
		t.Errorf("its parent is %s, sharpened by %v, not %s (%v)", after.Card.Parent, after.Card.Sharpness, written.Hash, err)
	}
}

// What the policy stays near moves as often as the config says, however often the network is measured.
func TestReference(t *testing.T) {
	c := smallConfig()
	c.From, _ = trained(t, c, 3, 1)
	c.ReferenceEvery, c.KLCoef, c.LearningRate = 2, 1, 1e-2
	dir, often := trained(t, c, 3, 1)
	c.EvalEvery = 1000
	if _, rarely := trained(t, c, 3, 1); !slices.Equal(often.Flat(), rarely.Flat()) {
		t.Error("a network that is measured more rarely becomes another one")
	}
	for pair := range slices.Chunk(metrics(t, dir), 2) {
		if len(pair) == 2 && pair[0].ReferenceKL >= pair[1].ReferenceKL {
			t.Errorf("update %d is %v from the reference, the first one after that has moved %v", pair[1].Update,
				pair[1].ReferenceKL, pair[0].ReferenceKL)
		}
	}
	c.ReferenceEvery = 0
	r := must.Have(Start(t.TempDir(), c, []env.Game{kuhn.Open(3)}, Options{}))(t)
	defer r.Close()
	from := slices.Clone(r.learner.Params().Flat())
	must.Do(t, r.Train(t.Context(), nil))
	if !slices.Equal(r.reference.params.Flat(), from) {
		t.Error("a reference that is to stay has moved")
	}
}

// A network that knows something begins with small steps, also after cloning; one that doesn't, at the full rate.
func TestWarmth(t *testing.T) {
	c := teacherConfig(t)
	begin := func() *Run {
		r := must.Have(Start(t.TempDir(), c, []env.Game{kuhn.Open(3)}, Options{}))(t)
		t.Cleanup(r.Close)
		return r
	}
	cloning := begin()
	if got := cloning.warmth(); got != 1 {
		t.Errorf("a network that is to clone begins with %v of the rate", got)
	}
	for cloning.phase != leaguePlay {
		must.Have(cloning.iterate())(t)
	}
	if got := cloning.warmth(); got != 1./warmUp {
		t.Errorf("a clone begins the league with %v of the rate", got)
	}
	c.From, c.Clone = c.Clone[0][len("net:"):len(c.Clone[0])-len(",argmax")], nil
	from := begin()
	before := slices.Clone(from.learner.Params().Flat())
	must.Have(from.iterate())(t)
	steps, most := float64(from.learner.Steps()), 0.0
	for i, w := range from.learner.Params().Flat() {
		most = max(most, math.Abs(float64(w-before[i])))
	}
	const widest = 8 // the most that an input's factor stretches a step
	if limit := widest * c.LearningRate * steps * (steps + 1) / 2 / warmUp; most == 0 || most > limit {
		t.Errorf("after %v steps a weight is %v from where it was, more than %v", steps, most, limit)
	}
	c.From = ""
	if got := begin().warmth(); got != 1 {
		t.Errorf("a network that knows nothing begins with %v of the rate", got)
	}
}

// The games that a run finds itself in at first are those of the network that it begins as.
func TestFromPlays(t *testing.T) {
	c, info := smallConfig(), kuhn.Open(3).Info()
	params := must.Have(neural.NewParams(c.network(info)))(t)
	head := params.Layers()[len(c.Hidden)]
	head.Bias[1] = 100 // it always bets
	c.From, c.PoolShare, c.OpponentShare, c.EvalGames = filepath.Join(t.TempDir(), "bold.safetensors"), 0, 0, 0
	must.Do(t, checkpoint.Write(c.From, checkpoint.New(info, params)))
	r := must.Have(Start(t.TempDir(), c, []env.Game{kuhn.Open(3)}, Options{}))(t)
	defer r.Close()
	if played := r.collector.rollout.actions[:c.NumEnvs*c.NumSteps]; slices.Contains(played, 0) {
		t.Error("somebody else has played")
	}
}

// The card of a network says whom it has learnt from, whom it has met, and what it was before.
func TestCard(t *testing.T) {
	c := teacherConfig(t)
	first, _ := trained(t, c, 3, 1)
	before := must.Have(checkpoint.Read(first))(t)
	if card := before.Card; !slices.Equal(card.Teachers, c.Clone) || !strings.Contains(card.Config, "num_envs = 32") ||
		card.Parent != "" {
		t.Errorf("the card says %+v", card)
	}
	c.From, c.Clone, c.EvalGames = first, nil, 0
	dir, _ := trained(t, c, 3, 1)
	after := must.Have(checkpoint.Read(dir))(t)
	if card := after.Card; card.Parent != before.Hash || card.Teachers != nil || card.Seconds != 0 ||
		strings.Contains(card.Config, filepath.Dir(first)) {
		t.Errorf("the card of what it became says %+v; it was %s", card, before.Hash)
	}
	must.Do(t, CompleteCard(dir, after))
	if card := after.Card; card.Parent != before.Hash || !slices.Equal(card.Opponents, []string{PastSelf, "random"}) ||
		card.Seconds <= 0 || runtime.GOOS == "linux" && card.CPUSeconds <= 0 {
		t.Errorf("the complete card says %+v", card)
	}
}

// sameAnswers says whether networks agree on games of Kuhn poker, but for rounding.
func sameAnswers(t *testing.T, a, b *neural.Params) bool {
	t.Helper()
	p := must.Have(neural.NewPolicy(a))(t)
	q := must.Have(neural.NewPolicy(b))(t)
	var ws, other neural.Workspace
	s := kuhn.Open(3).New()
	observation := make([]float32, s.Game().Info().Observation())
	for seed := range uint64(20) {
		s.Reset(seed, nil)
		s.Observe(observation, s.Actor())
		x, v := p.Forward(&ws, observation, 1)
		y, w := q.Forward(&other, observation, 1)
		for i := range x {
			if math.Abs(float64(x[i]-y[i])) > 1e-4 || math.Abs(float64(v[0]-w[0])) > 1e-4 {
				return false
			}
		}
	}
	return true
}

// The first updates learn from teachers, and the network comes to do as they do; then the league begins with it.
func TestClone(t *testing.T) {
	c := teacherConfig(t)
	dir, _ := trained(t, c, 3, 2)
	updates := metrics(t, dir)
	phases, accuracy := map[string]int{}, 0.0
	for i, u := range updates {
		phases[u.Phase]++
		if u.Phase == "league" {
			if u.KLCoef < c.klCoefEnd() || u.KLCoef > c.KLCoef || u.ReferenceKL < 0 {
				t.Errorf("update %d: divergence %v from the reference weighs %v", u.Update, u.ReferenceKL, u.KLCoef)
			}
			continue
		}
		if u.Decisions != 0 || u.CrossEntropy <= 0 {
			t.Errorf("update %d: %d decisions, cross-entropy %v", u.Update, u.Decisions, u.CrossEntropy)
		}
		accuracy = u.Accuracy
		if last := updates[i+1].Phase == "league"; last != (len(u.Field) == 1) {
			t.Errorf("update %d: field %v; the clone is measured, and nothing before it", u.Update, u.Field)
		}
	}
	if phases["cloning"] == 0 || phases["dagger"] == 0 || phases["league"] == 0 {
		t.Errorf("phases: %v", phases)
	}
	if accuracy < 0.9 {
		t.Errorf("the clone does what its teacher does in %.0f %% of the decisions", 100*accuracy)
	}
	c.Decisions = 0
	dir, _ = trained(t, c, 3, 1)
	alone := map[string]int{}
	for _, u := range metrics(t, dir) {
		alone[u.Phase]++
	}
	if delete(phases, "league"); !maps.Equal(alone, phases) {
		t.Errorf("0 decisions: phases %v, with a league after them %v", alone, phases)
	}
	if at, err := checkpoint.Find(dir); err != nil || filepath.Base(at) != checkpoint.Best {
		t.Errorf("the clone is at %q (%v)", at, err)
	}
}

// vagueRun begins a run that hardly learns, with a network that bets a little more often than not, which pays against
// random play.
func vagueRun(t *testing.T, c Config) (*Run, *neural.Params) {
	t.Helper()
	params := must.Have(neural.NewParams(c.network(kuhn.Open(3).Info())))(t)
	params.Layers()[len(c.Hidden)].Bias[1] = 0.3
	c.From, c.LearningRate = filepath.Join(t.TempDir(), "vague.safetensors"), 1e-9
	must.Do(t, checkpoint.Write(c.From, checkpoint.New(kuhn.Open(3).Info(), params)))
	r := must.Have(Start(t.TempDir(), c, []env.Game{kuhn.Open(3)}, Options{Workers: 1, Program: "test"}))(t)
	t.Cleanup(r.Close)
	return r, params
}

// A run ends with its best network made surer of itself, if that is stronger.
func TestSharpen(t *testing.T) {
	c := smallConfig()
	c.Decisions, c.EvalGames = 1, 500
	r, params := vagueRun(t, c)
	must.Do(t, r.Train(t.Context(), nil))
	best := must.Have(checkpoint.Read(filepath.Join(r.dir, checkpoint.Best)))(t)
	updates := metrics(t, r.dir)
	last := updates[len(updates)-1]
	if best.Card.Sharpness <= 1 || best.Card.Strength[0].Return <= *last.Strength {
		t.Errorf("logits times %v; a lead of %v, before that %v", best.Card.Sharpness, best.Card.Strength[0].Return,
			*last.Strength)
	}
	params.Sharpen(float32(best.Card.Sharpness))
	if !sameAnswers(t, best.Network, params) {
		t.Error("the best network is another")
	}
}

// A run's answer is neither a network that was once measured higher than it is worth, nor what a league made worse.
func TestConclude(t *testing.T) {
	for name, spoilt := range map[string]bool{"the newest": false, "what it began with": true} {
		t.Run(name, func(t *testing.T) {
			c := smallConfig()
			c.Decisions, c.EvalEvery, c.EvalGames = 1300, 1000, 300
			r, params := vagueRun(t, c)
			poor := params.Clone()
			poor.Layers()[len(c.Hidden)].Bias[1] = -3 // it hardly ever bets
			want, update := r.learner.Params(), int64(0)
			if spoilt {
				want = want.Clone()
			}
			must.Do(t, r.Train(t.Context(), func(u Update) {
				if u.Update > 1 {
					return
				}
				lucky := r.checkpoint()
				lucky.Network, r.best = poor, best{Update: 1, Highest: 9}
				if err := r.keep(lucky, nil); err != nil {
					t.Error(err)
				}
				if spoilt {
					copy(r.learner.Params().Flat(), poor.Flat())
				} else if err := os.Remove(r.checkpointFile(0)); err != nil {
					t.Error(err)
				}
			}))
			answer := must.Have(checkpoint.Read(filepath.Join(r.dir, checkpoint.Best)))(t)
			if !spoilt {
				update = int64(r.update)
			}
			want = want.Clone()
			want.Sharpen(float32(answer.Card.Sharpness))
			if answer.Update != update || !sameAnswers(t, answer.Network, want) {
				t.Errorf("the answer is the network of update %d, not of %d", answer.Update, update)
			}
		})
	}
}

// A run that a match between updates or a cut in its last matches has ended has an answer once it goes on.
func TestConcludeLate(t *testing.T) {
	envtest.NothingToRace(t) // with one worker
	c := smallConfig()
	c.Minutes, c.Decisions, c.EvalEvery, c.EvalGames = 1, -1, 1, 3000
	r, _ := vagueRun(t, c)
	r.spent = 59.98
	ctx, stop := context.WithCancel(t.Context())
	if err := r.Train(ctx, func(Update) {
		if r.done() {
			stop()
		}
	}); !errors.Is(err, context.Canceled) {
		t.Fatalf("cut in its last matches it ends with %v", err)
	}
	name := filepath.Join(r.dir, checkpoint.Best)
	if best, err := checkpoint.Read(name); err != nil || best.Card.Sharpness != 0 {
		t.Fatalf("cut in its last matches it has an answer (%v)", err)
	}
	updates := len(metrics(t, r.dir))
	must.Do(t, r.Train(t.Context(), nil))
	if best, err := checkpoint.Read(name); err != nil || best.Card.Sharpness == 0 || len(metrics(t, r.dir)) != updates {
		t.Errorf("it ends after %d updates without an answer (%v)", updates, err)
	}
}

func TestLearnsKuhn(t *testing.T) {
	envtest.NothingToRace(t) // that shorter runs have not, and they have more workers
	c := DefaultConfig("kuhn")
	c.Minutes, c.Decisions, c.NumEnvs, c.NumSteps, c.Hidden, c.Minibatch = 0, 400_000, 128, 16, []int{32}, 512
	c.Epochs, c.LearningRate, c.EntropyCoef, c.PoolShare, c.OpponentShare = 3, 1e-3, 0.15, 0, 0
	c.Clone, c.Opponents = nil, nil
	_, params := trained(t, c, 2, 2)
	policy := must.Have(neural.NewPolicy(params))(t)
	random := exploitability(func(*kuhn.State) [2]float64 { return [2]float64{0.5, 0.5} })
	learnt := exploitability(func(s *kuhn.State) [2]float64 { return probabilities(policy, s) })
	t.Logf("exploitability: random %.4f, learnt %.4f", random, learnt)
	if learnt > random/6 {
		t.Errorf("a best response gains %.4f against what was learnt; against random play it gains %.4f", learnt, random)
	}
}

// probabilities are those of a policy to pass and to bet.
func probabilities(policy *neural.Policy, s *kuhn.State) [2]float64 {
	var ws neural.Workspace
	observation := make([]float32, s.Game().Info().Observation())
	s.Observe(observation, s.Actor())
	logits, _ := policy.Forward(&ws, observation, 1)
	var p [2]float32
	neural.Probabilities(p[:], logits, []uint64{3})
	return [2]float64{float64(p[0]), float64(p[1])}
}

// exploitability is what best responses gain against a policy of two-player Kuhn poker, both seats
// together, in returns.
func exploitability(policy func(*kuhn.State) [2]float64) float64 {
	g := kuhn.Open(2)
	names := []string{"jack", "queen", "king"}
	deal := func(a, b int) *kuhn.State {
		var tape env.Tape
		tape.Force("card 0 = "+names[a], "card 1 = "+names[b])
		s := g.New().(*kuhn.State)
		s.Reset(0, &tape)
		return s
	}
	// respond is the best return of a seat with a card against every card that the other may hold, each
	// with how likely the play so far makes it.
	var respond func(me env.Player, states []*kuhn.State, weights []float64) float64
	respond = func(me env.Player, states []*kuhn.State, weights []float64) float64 {
		switch states[0].Actor() {
		case env.Over:
			sum := 0.0
			for i, s := range states {
				var returns [2]float64
				s.Returns(returns[:])
				sum += weights[i] * returns[me]
			}
			return sum
		case me:
			best := math.Inf(-1)
			for a := range env.Action(2) {
				best = max(best, respond(me, after(states, a), weights))
			}
			return best
		}
		sum := 0.0
		for a := range env.Action(2) {
			w := slices.Clone(weights)
			for i, s := range states {
				w[i] *= policy(s)[a]
			}
			sum += respond(me, after(states, a), w)
		}
		return sum
	}
	total := 0.0
	for me := range env.Player(2) {
		for mine := range 3 {
			var states []*kuhn.State
			for theirs := range 3 {
				if theirs != mine {
					cards := [2]int{mine, theirs}
					states = append(states, deal(cards[me], cards[1-me]))
				}
			}
			total += respond(me, states, []float64{1.0 / 6, 1.0 / 6})
		}
	}
	return total
}

func after(states []*kuhn.State, a env.Action) []*kuhn.State {
	next := make([]*kuhn.State, len(states))
	for i, s := range states {
		c := *s
		c.Apply(a, nil)
		next[i] = &c
	}
	return next
}

func TestGeneralisedAdvantages(t *testing.T) {
	// One lane, two seats of at most three. Seat 0 decides three times, seat 1 twice; seat 0's last decision stays open.
	info := kuhn.Open(2).Info()
	r := newRollout(info, info.Shared(), 2, 1, &Config{NumEnvs: 1, NumSteps: 8})
	mask := env.Mask{3}
	decide := func(seat int, own, other float32) int {
		i := r.add(0, seat, mask)
		copy(r.of(r.values, i), []float32{own, other, 0.05})
		return i
	}
	a := decide(0, 0.5, -0.6)
	r.reward(0, []float32{0.1, -0.1}, false)
	b := decide(1, -0.2, 0.25)
	r.reward(0, []float32{0.2, 0}, false)
	c := decide(0, 0.4, -0.3)
	r.reward(0, []float32{1, -1}, true) // the game ends
	d := decide(1, 0.3, -0.1)
	r.reward(0, []float32{0, 0}, false)
	e := decide(0, 0.7, 0)
	const gamma, lambda = 0.9, 0.8
	got := r.computeAdvantages(gamma, lambda, nil)
	if want := []int32{int32(a), int32(b), int32(c)}; !slices.Equal(got, want) {
		t.Fatalf("can learn from %v, want %v", got, want)
	}
	deltaC := 1 - 0.4
	deltaA := 0.3 + gamma*0.4 - 0.5
	for i, want := range map[int]float64{c: deltaC, a: deltaA + gamma*lambda*deltaC, b: -1 + 0.2} {
		if math.Abs(float64(r.advantages[i])-want) > 1e-6 {
			t.Errorf("advantage of decision %d is %v, want %v", i, r.advantages[i], want)
		}
	}
	// The other seat's returns come of its rewards and values at the same decisions; a seat that nobody has gets none.
	otherC := -1 + 0.3
	otherA := -0.1 + gamma*-0.3 + 0.6
	nobody := gamma*0.05 - 0.05
	for i, want := range map[int][]float64{
		a: {0.5 + deltaA + gamma*lambda*deltaC, -0.6 + otherA + gamma*lambda*otherC, 0.05 + nobody + gamma*lambda*-0.05},
		b: {-1, 1.2, 0},
		c: {1, -1, 0},
	} {
		for k, want := range want {
			if got := r.of(r.returns, i)[k]; math.Abs(float64(got)-want) > 1e-6 {
				t.Errorf("return %d of decision %d is %v, want %v", k, i, got, want)
			}
		}
	}
	r.carry()
	if r.n != 2 || r.of(r.values, 0)[0] != 0.3 || r.of(r.values, 1)[0] != 0.7 || r.open[1] != 0 || r.open[0] != 1 {
		t.Errorf("carried over: %d decisions, values %v, open %v (were %d and %d)", r.n, r.values[:r.n*r.seats], r.open, d, e)
	}
}

// Where all win together, a decision is followed by that of whichever seat is next.
func TestSeatsDecideTogether(t *testing.T) {
	info := *kuhn.Open(2).Info()
	info.Traits = []string{env.Cooperative}
	r := newRollout(&info, info.Shared(), 2, 1, &Config{NumEnvs: 1, NumSteps: 8})
	decide := func(seat int, value float32) int {
		i := r.add(0, seat, env.Mask{3})
		r.of(r.values, i)[0] = value
		return i
	}
	a := decide(0, 0.5)
	r.reward(0, []float32{0.1, 0.1}, false)
	b := decide(1, 0.2)
	r.reward(0, []float32{0, 0}, false)
	c := decide(0, 0.4)
	r.reward(0, []float32{1, 1}, true)
	d := decide(1, 0.3) // of the next game
	const gamma, lambda = 0.9, 0.8
	if got, want := r.computeAdvantages(gamma, lambda, nil), []int32{int32(a), int32(b), int32(c)}; !slices.Equal(got,
		want) {
		t.Fatalf("can learn from %v, want %v", got, want)
	}
	deltaC := 1 - 0.4
	afterB := gamma*0.4 - 0.2 + gamma*lambda*deltaC
	for i, want := range map[int]float64{c: deltaC, b: afterB, a: 0.1 + gamma*0.2 - 0.5 + gamma*lambda*afterB} {
		if math.Abs(float64(r.advantages[i])-want) > 1e-6 {
			t.Errorf("advantage of decision %d is %v, want %v", i, r.advantages[i], want)
		}
	}
	r.carry()
	if r.n != 1 || r.of(r.values, 0)[0] != 0.3 || r.open[0] != 0 {
		t.Errorf("carried over: %d decisions, values %v, open %v (was %d)", r.n, r.values[:r.n*r.seats], r.open, d)
	}
}

func TestBadRuns(t *testing.T) {
	dir, _ := trained(t, smallConfig(), 2, 1)
	g := kuhn.Open(2)
	expect := func(what string, err error, words ...string) {
		t.Helper()
		if err == nil {
			t.Errorf("%s: no error", what)
			return
		}
		for _, w := range words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", what, err, w)
			}
		}
	}
	_, err := Start(dir, smallConfig(), []env.Game{g}, Options{})
	expect("start where a run is", err, dir, "another folder")
	_, err = Resume(t.TempDir(), []env.Game{g}, Options{})
	expect("resume where no run is", err, "not a run", ConfigFile)
	_, err = Resume(dir, []env.Game{kuhn.Open(3)}, Options{})
	expect("resume with another game", err, "players=2", "players=3")

	// What is read for people alone may be missing.
	must.Do(t, os.Remove(filepath.Join(dir, MetricsFile)))
	r := must.Have(Resume(dir, []env.Game{g}, Options{}))(t)
	r.Close()

	resume := filepath.Join(dir, resumeFile)
	whole := must.Have(os.ReadFile(resume))(t)
	must.Do(t, os.WriteFile(resume, whole[:len(whole)/2], 0o644))
	_, err = Resume(dir, []env.Game{g}, Options{})
	expect("resume from half a file", err, resume)

	bad := map[string]func(*Config){
		"decisions":      func(c *Config) { c.Decisions = -2 },
		"a time above 0": func(c *Config) { c.Decisions = -1 },
		"teacher":        func(c *Config) { c.Decisions = 0 },
		"nothing to do": func(c *Config) {
			c.Clone, c.Decisions, c.CloneDecisions = []string{"net:x"}, 0, 0
		},
		"clone":         func(c *Config) { c.Clone = []string{"random"} },
		"learning_rate": func(c *Config) { c.LearningRate = math.NaN() },
		"hidden":        func(c *Config) { c.Hidden = nil },
		"opponents":     func(c *Config) { c.Opponents = nil },
		"pool_share":    func(c *Config) { c.PoolShare = 0.9 },
		"unknown agent": func(c *Config) { c.Opponents = []string{"scrpt:naive"} },
	}
	for word, spoil := range bad {
		c := smallConfig()
		spoil(&c)
		_, err := Start(t.TempDir(), c, []env.Game{g}, Options{})
		expect(word, err, word)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, ConfigFile), []byte("games = [\"kuhn\"]\nlanez = 3\n"), 0o644))
	_, err = Resume(dir, []env.Game{g}, Options{})
	expect("config with a typo", err, ConfigFile+":2", "lanez")
}

// A budget of time ends cloning and the run, and can be raised; the schedules follow the clock.
func TestBudgetOfTime(t *testing.T) {
	envtest.NothingToRace(t) // with one worker
	c := teacherConfig(t)
	c.Minutes, c.Decisions, c.CloneDecisions, c.CloneShare = 0.03, -1, 1e12, 0.3
	dir, _ := trained(t, c, 3, 1)
	first := metrics(t, dir)
	last := first[len(first)-1]
	for last.LearningRate > c.LearningRate/2 && c.Minutes < 1 { // it had time for an update or two: the machine is busy
		c.Minutes *= 4
		dir, _ = trained(t, c, 3, 1)
		first = metrics(t, dir)
		last = first[len(first)-1]
	}
	if first[0].Phase != "cloning" || last.Phase != "league" || last.Field == nil {
		t.Errorf("it goes from %s to %s and ends with the field %v", first[0].Phase, last.Phase, last.Field)
	}
	if last.LearningRate > c.LearningRate/2 {
		t.Errorf("the learning rate ends at %v", last.LearningRate)
	}
	games := []env.Game{kuhn.Open(3)}
	r, err := Resume(dir, games, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if left, limited := r.Left(); left != 0 || !limited || !r.done() {
		t.Errorf("a run that is over has %v left", left)
	}
	r.Close()
	if _, err := Resume(dir, games, Options{Decisions: 9000}); err == nil ||
		!strings.Contains(err.Error(), "give it more time") {
		t.Errorf("more decisions for a run with a budget of time: %v", err)
	}
	if r, err = Resume(dir, games, Options{Minutes: 0.005}); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if left, _ := r.Left(); left <= 0 || left > time.Second {
		t.Errorf("with 0.3 s more it has %v left", left)
	}
	must.Do(t, r.Train(t.Context(), nil))
	if all := metrics(t, dir); len(all) <= len(first) || all[len(first)].Phase != "league" {
		t.Errorf("it goes on from %d updates to %d", len(first), len(all))
	}
}

// Any number of lanes is saved and resumed, and what is saved grows in the data and not in the header.
func TestManyLanes(t *testing.T) {
	envtest.NothingToRace(t) // that runs with fewer have not
	c := smallConfig()
	c.NumEnvs, c.NumSteps, c.Minibatch, c.Decisions = 1<<14, 1, 1<<14, 1<<15
	dir := t.TempDir()
	g := kuhn.Open(3)
	r, err := Start(dir, c, []env.Game{g}, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	if err := r.Train(ctx, func(Update) { stop() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	r.Close()
	if r, err = Resume(dir, []env.Game{g}, Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	must.Do(t, r.Train(t.Context(), nil))
	want := slices.Clone(r.learner.Params().Flat())
	r.Close()
	if r, err = Resume(dir, []env.Game{g}, Options{}); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if !slices.Equal(r.learner.Params().Flat(), want) || r.decisions < c.Decisions {
		t.Errorf("after %d decisions, the finished run is another", r.decisions)
	}
	saved := must.Have(os.Open(filepath.Join(dir, resumeFile)))(t)
	defer saved.Close()
	var header uint64
	if err := binary.Read(saved, binary.LittleEndian, &header); err != nil || header > 1<<14 {
		t.Errorf("the header has %d bytes (%v)", header, err)
	}
}

// An extended run is the same however often it is interrupted, and so is one that is extended twice.
func TestExtend(t *testing.T) {
	c := smallConfig()
	g := kuhn.Open(3)
	var want []float32
	for _, budgets := range [][]int{{9000}, {9000, 9000}, {0, 9000, 0}} {
		dir, _ := trained(t, c, 3, 1)
		var got []float32
		for i, budget := range budgets {
			r := must.Have(Resume(dir, []env.Game{g}, Options{Decisions: budget}))(t)
			ctx, stop := context.WithCancel(t.Context())
			err := r.Train(ctx, func(Update) {
				if i < len(budgets)-1 {
					stop()
				}
			})
			stop()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			got = slices.Clone(r.learner.Params().Flat())
			r.Close()
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("budgets %v: other weights", budgets)
		}
		read, err := ReadConfig(dir)
		if err != nil || read.Decisions != 9000 {
			t.Errorf("config says %d decisions (%v)", read.Decisions, err)
		}
		if u := metrics(t, dir); u[len(u)-1].Decisions < 9000 {
			t.Errorf("it ended after %d decisions", u[len(u)-1].Decisions)
		}
		if _, err := Resume(dir, []env.Game{g}, Options{Decisions: 8999}); err == nil ||
			!strings.Contains(err.Error(), "raised, not lowered to 8999") {
			t.Errorf("a lower budget: %v", err)
		}
		must.Do(t, os.Remove(filepath.Join(dir, checkpoint.Best)))
		if _, err := Resume(dir, []env.Game{g}, Options{}); err == nil ||
			!strings.Contains(err.Error(), "its best network: there is no checkpoint") {
			t.Errorf("without its best network: %v", err)
		}
	}
}

func TestOneRunAtATime(t *testing.T) {
	dir, g := t.TempDir(), kuhn.Open(2)
	r, err := Start(dir, smallConfig(), []env.Game{g}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s is in use by process %d on ", dir, os.Getpid())
	if _, err := Resume(dir, []env.Game{g}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("resumed while it runs: %v", err)
	}
	r.Close()
	if r, err = Resume(dir, []env.Game{g}, Options{}); err != nil {
		t.Fatal(err)
	}
	r.Close()

	// Of two that start in one folder, one does.
	dir = t.TempDir()
	errs := make(chan error, 2)
	for range 2 {
		go func() {
			r, err := Start(dir, smallConfig(), []env.Game{g}, Options{})
			if err == nil {
				defer r.Close()
				err = r.Train(context.Background(), nil)
			}
			errs <- err
		}()
	}
	if a, b := <-errs, <-errs; (a == nil) == (b == nil) {
		t.Errorf("two runs in one folder end with %v and %v", a, b)
	}
}

// A folder from elsewhere starts its programs only if that is allowed, and never before it is known to be
// whole.
func TestProgramsOfAFolder(t *testing.T) {
	dir, started := t.TempDir(), filepath.Join(t.TempDir(), "started")
	g := kuhn.Open(2)
	r := must.Have(Start(dir, smallConfig(), []env.Game{g}, Options{}))(t)
	r.config.Opponents = []string{"random", "remote:touch " + started}
	must.Do(t, errors.Join(r.save(), r.config.write(dir)))
	r.Close()
	_, err := Resume(dir, []env.Game{g}, Options{})
	if programs, ok := errors.AsType[*ProgramsError](err); !ok ||
		!slices.Equal(programs.Programs, r.config.Opponents[1:]) || !strings.Contains(err.Error(), "touch "+started) {
		t.Errorf("programs not allowed: %v", err)
	}
	if _, err := Resume(dir, []env.Game{kuhn.Open(3)}, Options{Programs: true}); err == nil ||
		!strings.Contains(err.Error(), "players=2") {
		t.Errorf("another game: %v", err)
	}
	if _, err := os.Stat(started); err == nil {
		t.Fatal("the program was started")
	}
	if _, err := Resume(dir, []env.Game{g}, Options{Programs: true}); err == nil ||
		!strings.Contains(err.Error(), started+": the agent was not seated: the program has ended") {
		t.Errorf("a program that is no agent: %v", err)
	}
	if _, err := os.Stat(started); err != nil {
		t.Errorf("the program was not started: %v", err)
	}
}

func TestMemory(t *testing.T) {
	c := DefaultConfig("kuhn")
	c.NumEnvs, c.NumSteps = 1<<16, 1<<16
	dir := filepath.Join(t.TempDir(), "run")
	_, err := Start(dir, c, []env.Game{kuhn.Open(2)}, Options{Memory: 16e9})
	if err == nil || !strings.Contains(err.Error(), "of memory, and there are 16 GB: ") ||
		!strings.HasSuffix(err.Error(), "Lower num_envs or num_steps") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
	// What is saved may be as large as the memory, and not just as a network may be.
	dir, _ = trained(t, smallConfig(), 2, 1)
	if _, err := Resume(dir, []env.Game{kuhn.Open(2)}, Options{Memory: 5000}); err == nil ||
		!strings.Contains(err.Error(), resumeFile) || !strings.Contains(err.Error(), "at most 5000 are read") {
		t.Errorf("a saved run that is larger than the memory: %v", err)
	}
}
