package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/eval/rating"
	"earthgym/games"
)

// gambler bets with a chance of its own.
type gambler struct {
	name string
	bets float64
	luck env.Stream
}

func (a *gambler) Name() string      { return a.name }
func (a *gambler) Reset(seed uint64) { a.luck = env.NewStream(seed, a.name) }
func (a *gambler) Act(v *env.View) (env.Action, error) {
	if a.luck.Float64() < a.bets {
		return kuhn.Bet, nil
	}
	return kuhn.Pass, nil
}

// gamblers are a field of n agents, each bolder than the one before.
func gamblers(n int) []*agents.Maker {
	var field []*agents.Maker
	for i := range n {
		name := string(rune('a' + i))
		field = append(field, &agents.Maker{Text: name, New: func() (agents.Agent, error) {
			return &gambler{name: name, bets: float64(i) / float64(n-1)}, nil
		}})
	}
	return field
}

func played(t *testing.T, dir string, g env.Game, field []*agents.Maker, games int, halfWidth float64,
	workers int) []byte {
	t.Helper()
	return playedBy(t, dir, g, field, TournamentOptions{Seed: 7, Floor: DefaultFloor}, games, halfWidth, workers)
}

func playedBy(t *testing.T, dir string, g env.Game, field []*agents.Maker, o TournamentOptions, games int,
	halfWidth float64, workers int) []byte {
	t.Helper()
	tour := must.Have(OpenTournament(dir, g, field, o))(t)
	defer tour.Close()
	must.Do(t, tour.Play(context.Background(), games, halfWidth, Options{Workers: workers}))
	r := must.Have(tour.Result("a"))(t)
	return must.Have(json.Marshal(r))(t)
}

// Wherever a tournament is killed, what is resumed ends in the same table to the last digit, and plays no game twice.
func TestKilledTournament(t *testing.T) {
	g := kuhn.Open(3)
	field := gamblers(4)
	for _, halfWidth := range []float64{0, 0.15} {
		whole := t.TempDir()
		want := played(t, whole, g, field, 600, halfWidth, 1)
		log := must.Have(os.ReadFile(filepath.Join(whole, gamesFile)))(t)
		floor := must.Have(os.ReadFile(filepath.Join(whole, floorFile)))(t)
		if halfWidth > 0 && bytes.Count(log, []byte("\n")) >= 600 {
			t.Errorf("±%v took all games", halfWidth)
		}
		header := must.Have(os.ReadFile(filepath.Join(whole, TournamentFile)))(t)
		rng := rand.New(rand.NewPCG(1, 2))
		cuts := 50
		if testing.Short() {
			cuts = 8
		}
		for range cuts {
			dir := t.TempDir()
			cut := rng.IntN(len(log) + len(floor) + 1)
			write(t, filepath.Join(dir, TournamentFile), header)
			write(t, filepath.Join(dir, gamesFile), log[:min(cut, len(log))])
			write(t, filepath.Join(dir, floorFile), floor[:max(cut-len(log), 0)])
			if got := played(t, dir, g, field, 600, halfWidth, 1+rng.IntN(4)); !bytes.Equal(got, want) {
				t.Fatalf("cut at byte %d of %d: the table is another:\n%s\n%s", cut, len(log)+len(floor), got, want)
			}
			for name, want := range map[string][]byte{gamesFile: log, floorFile: floor} {
				after := must.Have(os.ReadFile(filepath.Join(dir, name)))(t)
				if bytes.Count(after, []byte("\n")) != bytes.Count(want, []byte("\n")) {
					t.Fatalf("cut at byte %d: %d games in %s; want %d", cut, bytes.Count(after, []byte("\n")), name,
						bytes.Count(want, []byte("\n")))
				}
			}
		}
	}
}

// An agent that plays by another network under its name is refused, or has its games, and no others, played again: what
// comes of that is a tournament played anew, wherever the process is killed.
func TestChangedAgent(t *testing.T) {
	g := kuhn.Open(3)
	field := gamblers(4)
	for i, m := range field {
		m.Hash = fmt.Sprint("hash ", i)
	}
	field[0].Hash = ""
	trained := slices.Clone(field)
	trained[2] = &agents.Maker{Text: "c", Hash: "hash of more", New: func() (agents.Agent, error) {
		return &gambler{name: "c", bets: 0.9}, nil
	}}
	o := TournamentOptions{Seed: 7, Floor: DefaultFloor, Records: true}
	cup := func(dir string, field []*agents.Maker, again ...string) (result []byte, games int) {
		t.Helper()
		o := o
		o.Again = again
		tour := must.Have(OpenTournament(dir, g, field, o))(t)
		defer tour.Close()
		first := 0
		must.Do(t, tour.Play(context.Background(), 600, 0, Options{Workers: 2, Progress: func(done, _ int) {
			if first == 0 {
				first = done
			}
			games = done - first + 1
		}}))
		r := must.Have(tour.Result("a"))(t)
		result = must.Have(json.Marshal(r))(t)
		return result, games
	}
	records := func(dir string) map[string]string {
		t.Helper()
		all := map[string]string{}
		names := must.Have(filepath.Glob(filepath.Join(dir, recordsFolder, "*", "*")))(t)
		for _, name := range names {
			text := must.Have(os.ReadFile(name))(t)
			all[filepath.Base(name)] = string(text)
		}
		return all
	}
	dir, anew := t.TempDir(), t.TempDir()
	before, all := cup(dir, field)
	want, _ := cup(anew, trained)
	if bytes.Equal(before, want) {
		t.Fatal("what has changed plays as before")
	}
	_, err := OpenTournament(dir, g, trained, o)
	changed := new(ChangedError)
	if !errors.As(err, &changed) || !slices.Equal(changed.Agents, []string{"c"}) ||
		!strings.HasSuffix(err.Error(), "was played by others of the same name, by another network or by other settings: c") {
		t.Errorf("another network: %v", err)
	}
	if again, games := cup(dir, field); games != 0 || !bytes.Equal(again, before) {
		t.Errorf("what is refused has changed the folder: %d games were played", games)
	}
	// Killed after the games were taken out, and before tournament.json says so.
	header := must.Have(os.ReadFile(filepath.Join(dir, TournamentFile)))(t)
	o.Again = []string{"c"}
	tour := must.Have(OpenTournament(dir, g, trained, o))(t)
	must.Do(t, tour.Close())
	write(t, filepath.Join(dir, TournamentFile), header)
	got, games := cup(dir, trained, "c")
	if !bytes.Equal(got, want) {
		t.Errorf("with its games played again:\n%s\nplayed anew:\n%s", got, want)
	}
	with := 0
	for _, name := range strings.SplitAfter(string(must.Have(os.ReadFile(filepath.Join(dir, gamesFile)))(t)), "\n") {
		if strings.Contains(name, `"c"`) {
			with++
		}
	}
	if games != with || games == 0 || games == all {
		t.Errorf("%d games of %d were played again; it sits in %d", games, all, with)
	}
	if !reflect.DeepEqual(records(dir), records(anew)) {
		t.Error("the records are not those of a tournament played anew")
	}
	// The copy of the first agent changes with it.
	if _, games := cup(dir, trained, "a"); games == 0 {
		t.Error("nothing was played again")
	}
	log := string(must.Have(os.ReadFile(filepath.Join(dir, gamesFile)))(t)) +
		string(must.Have(os.ReadFile(filepath.Join(dir, floorFile)))(t))
	if n := strings.Count(log, "\n"); n != all {
		t.Errorf("%d games, not %d", n, all)
	}
	o.Again = []string{"nobody"}
	if _, err := OpenTournament(dir, g, trained, o); err == nil ||
		!strings.Contains(err.Error(), "nobody, whose games are to be played again, is none of the agents") {
		t.Errorf("nobody again: %v", err)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(name, data, 0o666))
}

// Every agent meets every other one equally often, in every seat, in a whole pass; more games go on from fewer.
func TestTournamentBalance(t *testing.T) {
	g := kuhn.Open(3)
	field := gamblers(4)
	dir := t.TempDir()
	tour := must.Have(OpenTournament(dir, g, field, TournamentOptions{Seed: 1}))(t)
	games := tour.Passes()
	if games != 4*3*3+4*3 { // two of one agent and one of another: 12 mixes; three of four: 4; three rotations each
		t.Errorf("%d games in a pass", games)
	}
	must.Do(t, tour.Play(context.Background(), 2*games, 0, Options{}))
	seats, meetings := map[[2]int]int{}, map[[2]int]int{}
	for _, o := range tour.series.outcomes[games:] {
		for p, a := range o.Seating {
			seats[[2]int{a, p}]++
			for _, b := range o.Seating {
				if a != b {
					meetings[[2]int{a, b}]++
				}
			}
		}
	}
	for a := range 4 {
		for p := range 3 {
			if seats[[2]int{a, p}] != seats[[2]int{0, 0}] {
				t.Errorf("agent %d has seat %d in %d games, agent 0 has seat 0 in %d", a, p, seats[[2]int{a, p}],
					seats[[2]int{0, 0}])
			}
		}
		for b := range 4 {
			if a != b && meetings[[2]int{a, b}] != meetings[[2]int{0, 1}] {
				t.Errorf("%d meets %d %d times, 0 meets 1 %d times", a, b, meetings[[2]int{a, b}], meetings[[2]int{0, 1}])
			}
		}
	}
	must.Do(t, tour.Close())
}

// The standings are those of the games: who wins more is rated higher, results add up, pairs are antisymmetric.
func TestTournamentResult(t *testing.T) {
	g := kuhn.Open(2)
	always := func(name string, a env.Action) *agents.Maker {
		return &agents.Maker{Text: name, New: func() (agents.Agent, error) { return always{name, a}, nil }}
	}
	coward := always("coward", kuhn.Pass)
	field := append(gamblers(3)[1:], coward)
	tour := must.Have(OpenTournament(t.TempDir(), g, field, TournamentOptions{Seed: 3}))(t)
	defer tour.Close()
	must.Do(t, tour.Play(context.Background(), 3000, 0, Options{}))
	r := must.Have(tour.Result("coward"))(t)
	if last := r.Ratings[2]; last.Agent != "coward" || last.Rating != 0 || r.Agents[2].Agent != "coward" ||
		!(r.Ratings[0].CI[0] > 0) {
		t.Errorf("standings %+v", r.Ratings)
	}
	for i := range r.Ratings {
		for j := range r.Ratings {
			a, b := r.Against[i][j], r.Against[j][i]
			if a.Mean != -b.Mean || i != j && (a.Games != 1000 || a.CI[0] != -b.CI[1]) {
				t.Errorf("%d against %d: %+v, and the other way round %+v", i, j, a, b)
			}
		}
		for _, o := range r.Outcomes[:10] {
			for _, a := range o.Seating {
				if a < 0 || a > 2 {
					t.Errorf("seating %v", o.Seating)
				}
			}
		}
	}
	if !r.Against[0][2].Clear || math.Abs(r.Against[0][2].Mean-r.Agents[0].MeanReturn) > 1 {
		t.Errorf("the best against the worst: %+v", r.Against[0][2])
	}
	for _, d := range r.Differences {
		if d.Agent == d.Other {
			t.Errorf("difference %+v", d)
		}
	}
	var text bytes.Buffer
	if err := WriteTournament(&text, r); err != nil || !strings.Contains(text.String(), "coward") {
		t.Errorf("%v\n%s", err, text.String())
	}
	if _, err := tour.Result("nobody"); err == nil || !strings.Contains(err.Error(), `the anchor "nobody" is none of`) {
		t.Errorf("anchor: %v", err)
	}
}

// Folders of other tournaments, or that are damaged, are refused, and stay as they are.
func TestTournamentErrors(t *testing.T) {
	g, field := kuhn.Open(2), gamblers(3)
	dir := t.TempDir()
	playedBy(t, dir, g, field, TournamentOptions{Seed: 7}, 20, 0, 1)
	open := func(dir string, g env.Game, field []*agents.Maker, seed uint64) error {
		tour, err := OpenTournament(dir, g, field, TournamentOptions{Seed: seed})
		if err == nil {
			err = tour.Close()
		}
		return err
	}
	header := must.Have(os.ReadFile(filepath.Join(dir, TournamentFile)))(t)
	log := must.Have(os.ReadFile(filepath.Join(dir, gamesFile)))(t)
	lines := strings.SplitAfter(string(log), "\n")
	with := func(log string) string {
		dir := t.TempDir()
		write(t, filepath.Join(dir, TournamentFile), header)
		write(t, filepath.Join(dir, gamesFile), []byte(log))
		return dir
	}
	h := must.Have(ReadTournament(dir))(t)
	identity := h.identity()
	forged := func(log string) string { return with(envtest.Reseal(log, identity)) }
	change := func(old, new string) string {
		changed := strings.Replace(string(log), old, new, 1)
		if changed == string(log) {
			t.Fatalf("there is no %s in %s", old, log)
		}
		return changed
	}
	titled := func(old, new string) string {
		dir := with(string(log))
		write(t, filepath.Join(dir, TournamentFile), []byte(strings.Replace(string(header), old, new, 1)))
		return dir
	}
	second := regexp.MustCompile(`"returns":\[(-?1,-?1)\]`).FindAllStringSubmatch(string(log), -1)[1][1]
	plain := t.TempDir()
	write(t, filepath.Join(plain, TournamentFile), []byte(`{"format": "earthgym-tournament/3"}`))
	lost := t.TempDir()
	write(t, filepath.Join(lost, gamesFile), log)
	for _, tt := range []struct {
		dir   string
		g     env.Game
		field []*agents.Maker
		seed  uint64
		want  string
	}{
		{dir, kuhn.Open(3), field, 7, "is another tournament: its game is"},
		{dir, g, field[:2], 7, "is another tournament: its agents are [a b c], not [a b]"},
		{dir, g, field, 8, "is another tournament: its seed is 7, not 8"},
		{dir, g, append(field[:2:2], field[0]), 7, "agent 2, a, is there twice"},
		{dir, g, field[:1], 7, "1 agent; a tournament has at least 2"},
		{plain, g, field, 7, `format "earthgym-tournament/3"; this program reads earthgym-tournament/4`},
		{lost, g, field, 7, "has games and no tournament.json"},
		{forged(lines[0] + lines[0]), g, field, 7, "games.jsonl:2: game 0 is there twice"},
		{forged(change(`"game":0`, `"game":1`)), g, field, 7, ": game 1 is "},
		{forged(change(`"game":0`, `"game":999999999999`)), g, field, 7, ": game 999999999999 is not one of this tournament"},
		{forged(`{"game":0,"sum":"0123456789abcdef"}` + "\n"), g, field, 7, "games.jsonl:1: game 0 is of seed 0"},
		{with("{}\n"), g, field, 7, "games.jsonl:1: it carries no checksum"},
		{with("x\n"), g, field, 7, "games.jsonl:1: it carries no checksum"},
		{forged(change(`"returns":[`, `"returns":[7,`)), g, field, 7, "results of another number of seats"},
		{forged(change(`"scores":[`, `"scores":[1e300,`)), g, field, 7, "results of another number of seats"},
		{forged(regexp.MustCompile(`"scores":\[[^,]*`).ReplaceAllString(string(log), `"scores":[1e300`)), g, field, 7,
			"1e+300 is no score"},
		{forged(regexp.MustCompile(`"decisions":`).ReplaceAllString(string(log), `"decisions":-`)), g, field, 7,
			" decisions"},
		{forged(regexp.MustCompile(`"thought":\[\[`).ReplaceAllString(string(log), `"thought":[[-`)), g, field, 7,
			"a seat has thought [-"},
		// Nothing that is there may be another one, whoever can't write checksums.
		{with(change(`"returns":[`+second, `"returns":[0,0`)), g, field, 7, "its checksum is another one"},
		{with(change(`"reason":"`, `"reason":"x`)), g, field, 7, "its checksum is another one"},
		{with(change(`"scores":[`, `"scores":[-`)), g, field, 7, "its checksum is another one"},
		{with(strings.Join(lines[1:], "")), g, field, 7, "games.jsonl:1: its checksum is another one"},
		{with(strings.Join(slices.Delete(slices.Clone(lines), 3, 4), "")), g, field, 7,
			"games.jsonl:4: its checksum is another one"},
		{titled(`kuhn:players=2`, `kuhn:players=3`), kuhn.Open(3), field, 7, "tournament.json: its checksum is another one"},
		{titled(`"seed": 7`, `"seed": 8`), g, field, 8, "tournament.json: its checksum is another one"},
		{titled(`"games": 20`, `"games": 30`), g, field, 7, "tournament.json: its checksum is another one"},
	} {
		if err := open(tt.dir, tt.g, tt.field, tt.seed); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
	// What a folder asks for is bounded before anything is made of it, by whoever has written it.
	for _, tt := range []struct {
		change, want string
		floor        int
	}{
		{`"games": 4294967296,`, "asks for 4294967296 games and a noise floor of 0: at most 1000 can be played here", 0},
		{`"floor": 4294967296, "games": 20,`, "asks for 20 games and a noise floor of 4294967296: at most 1000", 4294967296},
		{`"games": -20,`, "they are not below 0", 0},
		{`"floor": -7, "games": 20,`, "they are not below 0", -7},
		{`"games": 1e999,`, "games: 1e999 stands where a whole number is needed", 0},
	} {
		dir := with("")
		write(t, filepath.Join(dir, TournamentFile),
			[]byte(envtest.Reseal(strings.Replace(string(header), `"games": 20,`, tt.change, 1))))
		if _, err := OpenTournament(dir, g, field, TournamentOptions{Seed: 7, Floor: tt.floor, Most: 1000}); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.change, err, tt.want)
		}
	}
	first := must.Have(OpenTournament(dir, g, field, TournamentOptions{Seed: 7}))(t)
	if err := open(dir, g, field, 7); err == nil || !strings.Contains(err.Error(), "is in use by process ") {
		t.Errorf("two at once: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := first.Play(ctx, 40, 0, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled tournament: %v", err)
	}
	_ = first.log.Close()
	if err := first.Play(context.Background(), 40, 0, Options{Workers: 1}); err == nil ||
		!strings.Contains(err.Error(), "can't be kept; those before it are") {
		t.Errorf("a folder that can't be written to: %v", err)
	}
	_ = first.Close()
	if after, _ := os.ReadFile(filepath.Join(dir, gamesFile)); !bytes.Equal(after, log) {
		t.Error("the games have changed")
	}
}

// Holm's steps are those of his paper's rule.
func TestHolm(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	false0 := 0
	for range 300 {
		var blocks [][]float64
		for range 10 { // ten differences that are none
			samples := make([]float64, 40)
			for i := range samples {
				samples[i] = rng.NormFloat64()
			}
			blocks = append(blocks, samples)
		}
		if slices.Contains(holm(blocks, math.Inf(1)), true) {
			false0++
		}
	}
	if share := float64(false0) / 300; share > 0.09 || share == 0 {
		t.Errorf("a false difference in %.1f %% of the fields", 100*share)
	}
	if got := holm([][]float64{{1, 1.1, 0.9, 1, 1, 0.9, 1.1}, {math.NaN(), 1}, {0, 0, 0}}, 2); !slices.Equal(got,
		[]bool{true, false, false}) {
		t.Errorf("got %v", got)
	}
}

// Of many agents that are one, a match finds none better or worse, nor do guests at each other's tables make a
// difference, but in one of twenty.
func TestManyPairsAreTakenTogether(t *testing.T) {
	envtest.NothingToRace(t) // with one worker
	g := kuhn.Open(3)
	matches, guests, intervals := 0, 0, 0
	const trials = 40
	for seed := range uint64(trials) {
		var field []*agents.Maker
		for i := range 4 {
			m := gamblers(3)[1]
			m.Text, m.Luck = fmt.Sprint("gambler ", i), uint64(i)
			field = append(field, m)
		}
		r := must.Have(Match(context.Background(), g, field[:3], Options{Games: 90, Seed: seed, Workers: 1}))(t)
		if slices.ContainsFunc(r.Differences, func(d Difference) bool { return d.Clear }) {
			matches++
		}
		c := must.Have(PlayCrossPlay(context.Background(), g, field, Options{Games: 60, Seed: seed, Workers: 1}))(t)
		of := func(is func(x Table) bool) bool {
			return slices.ContainsFunc(c.Tables, func(row []Table) bool { return slices.ContainsFunc(row, is) })
		}
		if of(func(x Table) bool { return x.GainClear }) {
			guests++
		}
		if of(func(x Table) bool { return x.Guest != x.Agent && !x.Gain.CI.Holds(0) }) {
			intervals++
		}
	}
	if matches > 6 || guests > 6 || intervals < 9 { // of 40, 2 are to be expected, and by intervals alone up to 18
		t.Errorf("there are false differences in %d of %d matches, at %d of %d sets of tables, and at %d of these by "+
			"intervals alone", matches, trials, guests, trials, intervals)
	}
}

// opened opens a game and agents by their texts.
func opened(t testing.TB, game string, texts ...string) (env.Game, []*agents.Maker) {
	t.Helper()
	g := must.Have(games.Open(game))(t)
	var makers []*agents.Maker
	for _, text := range texts {
		m := must.Have(agents.Open(text, g))(t)
		makers = append(makers, m)
	}
	return g, makers
}

// Where all win together each agent holds whole tables on the seeds of the others, and the better table is rated
// higher.
func TestTournamentOfTables(t *testing.T) {
	g, field := opened(t, "earth-rising:players=2", "random", "script:greedy", "script:naive")
	dir := t.TempDir()
	tour, err := OpenTournament(dir, g, field, TournamentOptions{Seed: 2, Records: true, Program: "earthgym test"})
	if err != nil {
		t.Fatal(err)
	}
	defer tour.Close()
	if tour.Passes() != 3 {
		t.Errorf("%d games in a pass", tour.Passes())
	}
	must.Do(t, tour.Play(context.Background(), 36, 0, Options{}))
	for i, o := range tour.series.outcomes {
		if a := i % 3; o.Seating[0] != a || o.Seating[1] != a || o.Seed != tour.series.outcomes[i-a].Seed {
			t.Errorf("game %d: seating %v, seed %d", i, o.Seating, o.Seed)
		}
		if o.Record != nil {
			t.Errorf("game %d: its record is still in memory", i)
		}
	}
	r := must.Have(tour.Result("random"))(t)
	if r.Ratings[0].Agent != "script:greedy" || r.Ratings[2].Agent != "random" || !(r.Ratings[0].CI[0] > 0) {
		t.Errorf("standings %+v", r.Ratings)
	}
	if a := r.Against[0][2]; a.Games != 12 || math.Abs(2*a.Mean-(r.Agents[0].MeanReturn-r.Agents[2].MeanReturn)) > 1e-9 ||
		!a.Clear {
		t.Errorf("the first against the last: %+v of %+v", a, r.Agents)
	}
	if again, err := tour.Result("random"); err != nil || !reflect.DeepEqual(again.Ratings, r.Ratings) ||
		!reflect.DeepEqual(again.Against, r.Against) {
		t.Errorf("asked again it is another result, %v", err)
	}
	file := must.Have(os.Open(filepath.Join(dir, RecordFile(35))))(t)
	defer file.Close()
	rec := must.Have(record.Read("35", file))(t)
	if err := rec.Replay(g, nil); err != nil || rec.Header.Agents[1] != "script:naive" {
		t.Errorf("%+v, %v", rec.Header, err)
	}
	thinking := tour.Thinking().Agents()
	if len(thinking) != 3 || thinking[0].Decisions == 0 || thinking[0].Mean > thinking[0].Longest {
		t.Errorf("thinking %+v", thinking)
	}
	if s := tour.Standings(); s[0].Agent != "script:greedy" || s[0].Games != 24 ||
		math.Abs(s[0].MeanReturn-r.Agents[0].MeanReturn) > 1e-9 {
		t.Errorf("standings %+v, results %+v", s, r.Agents[0])
	}
}

// Where motives are mixed, agents play among themselves, too, and deviation ratings see what they do to each other.
func TestTournamentOfMixedMotives(t *testing.T) {
	g, field := opened(t, "resilience-earth:players=3", "script:greedy", "random")
	tour := must.Have(OpenTournament(t.TempDir(), g, field, TournamentOptions{Seed: 2}))(t)
	defer tour.Close()
	if tour.Passes() != 2+3+3 { // two alone, and one or two of each
		t.Errorf("%d games in a pass", tour.Passes())
	}
	must.Do(t, tour.Play(context.Background(), 80, 0, Options{}))
	r := must.Have(tour.Result(""))(t)
	gains := meetings(tour.series.outcomes, 2)
	if gains[0][0] == 0 || gains[1][0] == -gains[0][1] {
		t.Errorf("gains %v", gains)
	}
	want := must.Have(rating.Deviation(gains))(t)
	for _, x := range r.Ratings {
		i := slices.Index([]string{"script:greedy", "random"}, x.Agent)
		if x.Deviation != want[i] {
			t.Errorf("%s: deviation rating %v, want %v", x.Agent, x.Deviation, want[i])
		}
	}
}

// A copy under another name is off by no more than noise, in games of its own luck that leave the table as it is
// without them.
func TestTournamentFloor(t *testing.T) {
	envtest.NothingToRace(t) // that TestChangedAgent has not
	steady := &agents.Maker{Text: "steady", Steady: true, New: func() (agents.Agent, error) {
		return always{"steady", kuhn.Pass}, nil
	}}
	rising, tables := opened(t, "earth-rising:players=2", "script:naive", "script:greedy", "random")
	uncertain := gamblers(4)[1:]
	for _, test := range []struct {
		game         env.Game
		field        []*agents.Maker
		games, asked int
		of           string
		floorGames   int
	}{
		// half as many seats as its own 1200
		{kuhn.Open(2), append([]*agents.Maker{steady}, uncertain...), 2400, DefaultFloor, "b", 300},
		{kuhn.Open(3), uncertain[:2], 2400, DefaultFloor, "b", 600}, // a quarter
		{kuhn.Open(2), uncertain, 2400, 60, "b", 60},
		{rising, tables, 60, DefaultFloor, "script:naive", 10},
		{rising, tables, 60, 15, "script:naive", 15},
	} {
		table := func(floor int) *TournamentResult {
			t.Helper()
			tour, err := OpenTournament(t.TempDir(), test.game, test.field, TournamentOptions{Seed: 4, Floor: floor})
			if err != nil {
				t.Fatal(err)
			}
			defer tour.Close()
			told, games := 0, 0
			must.Do(t, tour.Play(context.Background(), test.games, 0,
				Options{Progress: func(done, total int) { told, games = done, total }}))
			r := must.Have(tour.Result(""))(t)
			if r.Floor != nil && (told != r.Games+r.Floor.Games || games != told) {
				t.Errorf("%d of %d games were told of; there were %d and %d", told, games, r.Games, r.Floor.Games)
			}
			return r
		}
		r, without := table(test.asked), table(0)
		f := r.Floor
		if f == nil || f.Agent != test.of || f.Other != test.of+" (copy)" || f.MeanReturn == 0 || f.Clear ||
			!f.ReturnCI.Holds(0) || f.Steady || f.Games != test.floorGames {
			t.Errorf("%s: the floor: %+v", test.game.Info().Text, f)
		}
		r.Floor = nil
		if !reflect.DeepEqual(r, without) {
			t.Errorf("%s: without the noise floor the table is another", test.game.Info().Text)
		}
	}
	tour, err := OpenTournament(t.TempDir(), kuhn.Open(2),
		[]*agents.Maker{steady, {Text: "also", Steady: true, New: steady.New}}, TournamentOptions{Floor: DefaultFloor})
	if err != nil {
		t.Fatal(err)
	}
	defer tour.Close()
	must.Do(t, tour.Play(context.Background(), 20, 0, Options{}))
	r := must.Have(tour.Result(""))(t)
	want := NoiseFloor{Difference: Difference{Agent: "steady", Other: "steady (copy)"}, Steady: true}
	if r.Floor == nil || *r.Floor != want {
		t.Errorf("of agents that do nothing by chance: %+v", r.Floor)
	}
}

// Ratings are told without the forfeited games, too, and forfeits by their kinds, as the folder keeps them.
func TestTournamentForfeits(t *testing.T) {
	g := kuhn.Open(2)
	sulking := &agents.Maker{Text: "sulking", New: func() (agents.Agent, error) { return &sulker{}, nil }}
	honest := &agents.Maker{Text: "honest", New: func() (agents.Agent, error) { return bettor{2}, nil }}
	bold := &agents.Maker{Text: "bold", New: func() (agents.Agent, error) { return bettor{1}, nil }}
	dir := t.TempDir()
	for range 2 { // played, and read
		tour := must.Have(OpenTournament(dir, g, []*agents.Maker{honest, bold, sulking},
			TournamentOptions{Seed: 4, Substitute: honest}))(t)
		must.Do(t, tour.Play(context.Background(), 600, 0, Options{Workers: 1}))
		r := must.Have(tour.Result("honest"))(t)
		last := r.Ratings[2]
		if last.Agent != "sulking" || last.WithoutForfeits == nil || !(last.WithoutForfeits.Rating > last.Rating+50) {
			t.Errorf("ratings %+v, without forfeits %+v", last, last.WithoutForfeits)
		}
		if a := r.Agents[2]; a.Faults[agents.Timeout] != a.Forfeits || a.Forfeits < 50 {
			t.Errorf("%+v", a)
		}
		var text strings.Builder
		if err := WriteTournament(&text, r); err != nil || !strings.Contains(text.String(), "without the forfeited games") {
			t.Errorf("%v\n%s", err, &text)
		}
		must.Do(t, tour.Close())
	}
}

// sulker plays as the honest one does, or not at all.
type sulker struct {
	bettor
	sulks bool
}

func (s *sulker) Reset(seed uint64) { s.bettor.from, s.sulks = 2, env.Mix(seed)%3 == 0 }
func (s *sulker) Act(v *env.View) (env.Action, error) {
	if s.sulks {
		return -1, &agents.ForfeitError{Agent: "sulking", Seat: v.Player(), Kind: agents.Timeout,
			Err: errors.New("no answer within 1s")}
	}
	return s.bettor.Act(v)
}

// Where deviation ratings or soft Condorcet put another one first than clear ratings do, the standings say so.
func TestDisagreements(t *testing.T) {
	r := &TournamentResult{MatchResult: &MatchResult{}, Ratings: []RatingRow{
		{Agent: "a", CI: Interval{90, 110}, Deviation: -0.2, Condorcet: 1},
		{Agent: "b", CI: Interval{40, 60}, Deviation: -0.1, Condorcet: 0},
		{Agent: "c", CI: Interval{30, 50}, Deviation: 0, Condorcet: 0.5},
	}}
	r.disagree()
	want := []Disagreement{{"deviation ratings", "a", "b"}, {"deviation ratings", "a", "c"}}
	if !slices.Equal(r.Disagreements, want) {
		t.Errorf("%+v, want %+v", r.Disagreements, want)
	}
	if s := want[0].sentence(); s != "deviation ratings put b above a, against the ratings" {
		t.Error(s)
	}
}
