package benchmark

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"earthgym/agents/checkpoint"
	"earthgym/agents/shipped"
	"earthgym/env/datafile"
	"earthgym/env/disk"
	"earthgym/env/envtest/must"
	"earthgym/env/envtest/readme"
	"earthgym/env/farm"
	"earthgym/env/seal"
	"earthgym/eval"
	"earthgym/games"
)

var update = flag.Bool("update", false, "rewrite the golden files and the table in README.md")

// The protocol of a version stays what it is. Raise the version for another one.
func TestProtocolIsPinned(t *testing.T) {
	p := must.Have(Read())(t)
	pins := map[int]string{3: "b868d83d4b402a220cfc8f6373cd10280e77fe33d48d6a22e1d0d1505afd8ca2"}
	sum := sha256.Sum256(protocolText)
	if got := hex.EncodeToString(sum[:]); pins[p.Version] != got {
		t.Errorf("protocol.toml of version %d has the hash %s, not %s: figures under one version must compare, so raise it",
			p.Version, got, pins[p.Version])
	}
	for i := range p.Contests {
		if _, err := p.Contests[i].open(games.All(), "", nil); err != nil {
			t.Errorf("%v: a new version of the rules or data is a new version of the protocol", err)
		}
		for _, v := range p.Contests[i].Variants {
			if _, err := p.Contests[i].open(games.All(), v, nil); err != nil {
				t.Errorf("%s: %v", v, err)
			}
		}
	}
	for _, d := range Demands() {
		found := false
		for _, s := range p.Scenarios {
			for _, demand := range s.Demands {
				found = found || d == demand
			}
		}
		if !found {
			t.Errorf("no scenario demands %s", d)
		}
	}
}

func TestProtocolRefuses(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`field  = ["random", `, `field  = [`, "the field lacks random or the reference"},
		{`by         = "kept"`, `by         = "luck"`, `scenario among-traders is scored by "luck"`},
		{`demands    = ["restraint"]`, `demands    = ["restrain"]`, `demands "restrain": did you mean "restraint"`},
		{`game       = "resilience-earth"`, `game       = "kuhn"`, "scenario among-traders is of kuhn, which is no contest"},
		{`version   = 3`, `version   = "one"`, "protocol.toml:"},
	} {
		text := strings.Replace(string(protocolText), test.old, test.new, 1)
		if text == string(protocolText) {
			t.Fatalf("the protocol has no %q", test.old)
		}
		if _, err := read([]byte(text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.new, err, test.want)
		}
	}
	p := must.Have(Read())(t)
	c := p.Contests[0]
	c.Rules++
	if _, err := c.open(games.All(), "", nil); err == nil ||
		!strings.Contains(err.Error(), "its figures would not compare") {
		t.Errorf("other rules: %v", err)
	}
}

// small is a protocol that is quickly played.
func small(t *testing.T) *Protocol {
	t.Helper()
	p := must.Have(Read())(t)
	p.Field = []string{"random", "script:greedy@1", "script:strong@1", "net:"}
	p.Search = "mcts:sims=2"
	p.Games = Games{Score: [2]int{20, 8}, Search: [2]int{2, 0}, Rating: [2]int{60, 60}, Exploit: [2]int{8, 8},
		Scene: [2]int{24, 8}, Variant: [2]int{8, 4}}
	contests, scenarios := p.Contests, p.Scenarios
	p.Contests, p.Scenarios = nil, nil
	for _, c := range contests {
		if c.Game == "resilience-earth" || c.Game == "earth-rising" {
			c.Variants = c.Variants[:1]
			p.Contests = append(p.Contests, c)
		}
	}
	for _, s := range scenarios {
		if s.Name == "among-traders" || s.Name == "deals" || s.Name == "among-the-anxious" {
			p.Scenarios = append(p.Scenarios, s)
		}
	}
	return p
}

func run(t *testing.T, p *Protocol, o Options, agents ...string) *Results {
	t.Helper()
	o.Registry = games.All()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	return must.Have(p.Run(context.Background(), agents, o))(t)
}

func text(t *testing.T, r *Results) string {
	t.Helper()
	return string(must.Have(json.Marshal(r))(t))
}

// A run that is cut off at any line, and in the middle of its ratings, goes on to the same results, with any number of
// workers, and plays nothing twice.
func TestRun(t *testing.T) {
	p, dir := small(t), t.TempDir()
	first := run(t, p, Options{Dir: dir, Workers: 1})
	want := text(t, first)
	again := run(t, p, Options{Dir: dir, Progress: func(string, int, int) {
		t.Fatal("something is played that was kept")
	}})
	if got := text(t, again); got != want {
		t.Errorf("what is kept says\n%s\nnot\n%s", got, want)
	}
	file := filepath.Join(dir, keptFile)
	kept := must.Have(os.ReadFile(file))(t)
	cut := func(file string) {
		t.Helper()
		text := must.Have(os.ReadFile(file))(t)
		must.Do(t, os.WriteFile(file, text[:len(text)/2], 0o666))
	}
	ratings, err := filepath.Glob(filepath.Join(dir, "ratings-*", "games.jsonl"))
	if err != nil || len(ratings) != 2 {
		t.Fatalf("%v, games of the ratings: %v", err, ratings)
	}
	for _, file := range append(ratings, file) {
		cut(file)
	}
	if got := text(t, run(t, p, Options{Dir: dir, Workers: 3})); got != want {
		t.Errorf("gone on with, it says\n%s\nnot\n%s", got, want)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 4 { // measured.jsonl, its lock, and the ratings of two games
		t.Errorf("the folder has %v", left)
	}

	rows := map[string]Row{}
	for _, row := range first.Rows {
		rows[row.Agent] = row
	}
	if len(rows) != 5 {
		t.Fatalf("%d rows", len(rows))
	}
	for game := range 2 {
		if x := rows["random"].Contests[game].Score.Mean; x != 0 {
			t.Errorf("the score of random play is %v", x)
		}
		if x := rows[p.Reference].Contests[game].Score.Mean; x != 1 {
			t.Errorf("the score of the reference is %v", x)
		}
	}
	if x := rows[p.Reference].Contests[1].Rating; x == nil || x.Mean != 0 {
		t.Errorf("the rating of the reference is %v", x)
	}
	for _, agent := range []string{"random", p.Reference} {
		for _, c := range rows[agent].Contests {
			if len(c.Variants) != 1 || c.Variants[0].Score.Mean != c.Score.Mean || c.Variants[0].Games < 4 {
				t.Errorf("%s in variants of %s: %+v", agent, c.Game, c.Variants)
			}
		}
		if total := rows[agent].Total; total == nil || total.Mean != rows[agent].Contests[0].Score.Mean {
			t.Errorf("the total of %s is %v", agent, total)
		}
	}
	if net := rows["net:"]; len(net.Contests) != 2 || len(strings.Fields(net.Network)) != 2 || len(net.Scenarios) != 3 {
		t.Errorf("the network's row is %+v", net)
	}
	if search := rows["mcts:sims=2"]; len(search.Contests) != 2 || search.Contests[0].Variants != nil ||
		search.Total != nil || search.Contests[1].Rating != nil ||
		search.Contests[1].Games != 4 {
		t.Errorf("the search's row is %+v", search)
	}
	for agent, row := range rows {
		for _, s := range row.Scenarios {
			if s.Scenario == "among-traders" && !(s.Score.Mean >= 0 && s.Score.Mean <= 1) {
				t.Errorf("%s keeps %v of the towers", agent, s.Score.Mean)
			}
		}
	}
	if got := rows["script:greedy@1"].Profile; len(got) != 4 || got[0].Name != "restraint" {
		t.Errorf("the profile of greedy is %v", got)
	}
	var b bytes.Buffer
	if err := WriteText(&b, first); err != nil || strings.Contains(b.String(), "NaN") {
		t.Errorf("%v, %s", err, b.String())
	}

	quick := run(t, p, Options{Quick: true}, "script:naive@1")
	if len(quick.Rows) != 1 || quick.Rows[0].Contests[1].Games != 8 || quick.Rows[0].Contests[1].Rating == nil {
		t.Errorf("quickly, %+v", quick.Rows)
	}
	// Who is asked for one game is measured in that one.
	one := run(t, p, Options{Quick: true, Games: []string{"earth-rising"}})
	if len(one.Rows) != 4 || len(one.Rows[0].Contests) != 1 || one.Rows[0].Total != nil ||
		len(one.Rows[0].Scenarios) != 1 ||
		len(one.Rows[3].Contests) != 1 {
		t.Errorf("in one game, %+v", one.Rows)
	}
	for _, test := range []struct {
		agents []string
		games  []string
		want   string
	}{
		{[]string{"random", "random"}, nil, "agent random is there twice"},
		{[]string{"script:stong"}, nil, `did you mean "strong"`},
		{[]string{"random"}, []string{"resilience"}, `is no game of the protocol: did you mean "resilience-earth"`},
	} {
		_, err := p.Run(context.Background(), test.agents,
			Options{Registry: games.All(), Dir: t.TempDir(), Games: test.games})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s in %v: error %v, want %s", test.agents, test.games, err, test.want)
		}
	}
	must.Do(t, os.WriteFile(file, append(kept, "nonsense\n"...), 0o666))
	if _, err := p.Run(context.Background(), nil, Options{Registry: games.All(), Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), keptFile+":") {
		t.Errorf("a line of nonsense: %v", err)
	}
	changed := bytes.Replace(kept, []byte(`"return":{"mean":`), []byte(`"return":{"mean":1`), 1)
	if err := os.WriteFile(file, changed, 0o666); err != nil || bytes.Equal(changed, kept) {
		t.Fatal(err)
	}
	if _, err := p.Run(context.Background(), nil, Options{Registry: games.All(), Dir: dir}); !errors.Is(err,
		seal.ErrChanged) {
		t.Errorf("a return that was changed: %v", err)
	}
	folder, err := disk.Hold(dir)
	if err != nil {
		t.Fatalf("the folder was not given back: %v", err)
	}
	defer folder.Close()
	if _, err := p.Run(context.Background(), nil, Options{Registry: games.All(), Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "is in use by process ") {
		t.Errorf("in a folder that another process is at work in: %v", err)
	}
}

// Where a network of the field has changed, no more of the ratings' games are played again than those in which it sits,
// and the results are those of a field measured anew.
func TestChangedNetwork(t *testing.T) {
	p := small(t)
	p.Contests = slices.DeleteFunc(p.Contests, func(c Contest) bool { return c.Game != "resilience-earth" })
	p.Scenarios = nil
	c := must.Have(shipped.Network("resilience-earth"))(t)
	file := filepath.Join(t.TempDir(), "mine.safetensors")
	p.Field[3] = "net:" + file
	write := func() {
		t.Helper()
		must.Do(t, checkpoint.Write(file, c))
	}
	write()
	dir := t.TempDir()
	before := text(t, run(t, p, Options{Dir: dir, Quick: true}))
	c.Network.Init(7)
	write()
	games := map[string]int{}
	progress := func(what string, _, _ int) { games[what]++ }
	got := text(t, run(t, p, Options{Dir: dir, Quick: true, Progress: progress}))
	again := games["resilience-earth: ratings"]
	clear(games)
	want := text(t, run(t, p, Options{Quick: true, Progress: progress}))
	if all := games["resilience-earth: ratings"]; again == 0 || again >= all {
		t.Errorf("%d of %d games of the ratings were played again", again, all)
	}
	if got != want || got == before {
		t.Errorf("with another network, gone on with:\n%s\nmeasured anew:\n%s", got, want)
	}
}

// The shards of a benchmark show what one machine shows.
func TestShards(t *testing.T) {
	agents := []string{"script:naive", "net:"}
	want := text(t, run(t, small(t), Options{Quick: true, Dir: t.TempDir()}, agents...))
	root := t.TempDir()
	var dirs []string
	for k := range 3 {
		dir := filepath.Join(root, string(rune('a'+k)))
		s := must.Have(farm.Begin(dir, "test", []string{"benchmark"}, farm.Shard{K: k + 1, N: 3}))(t)
		run(t, small(t), Options{Quick: true, Share: s}, agents...)
		must.Do(t, s.Close())
		dirs = append(dirs, dir)
	}
	whole := filepath.Join(root, "whole")
	s := must.Have(farm.Merge(whole, "test", dirs[1], dirs[2], dirs[0]))(t)
	if got := text(t, run(t, small(t), Options{Quick: true, Dir: whole, Share: s}, agents...)); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	// It goes on there without shards.
	if got := text(t, run(t, small(t), Options{Quick: true, Dir: whole}, agents...)); got != want {
		t.Errorf("once more: got\n%s, want\n%s", got, want)
	}
}

// A season is the same from the same seed, within its bounds, and playable.
func TestSeason(t *testing.T) {
	p := must.Have(Read())(t)
	var files []datafile.File
	for _, s := range p.Seasons {
		one := must.Have(s.Draw(games.All(), 7))(t)
		two, err := s.Draw(games.All(), 7)
		if err != nil || !bytes.Equal(one.Bytes, two.Bytes) {
			t.Errorf("%s: the same seed draws other data (%v)", s.Game, err)
		}
		other, err := s.Draw(games.All(), 8)
		if err != nil || bytes.Equal(one.Bytes, other.Bytes) {
			t.Errorf("%s: another seed draws the same data (%v)", s.Game, err)
		}
		rb := must.Have(games.Find(s.Game))(t)
		if changed, outside := compare(t, rb.Data, one.Bytes, s.Vary); changed == 0 || outside > 0 {
			t.Errorf("%s: %d numbers differ, %d of them where nothing may be drawn or out of bounds", s.Game, changed, outside)
		}
		files = append(files, one)
	}
	protocol := small(t)
	r := run(t, protocol, Options{Quick: true, Season: files}, "random", "script:greedy@1")
	if !r.Season || len(r.Rows[0].Contests) != 2 || r.Rows[0].Contests[0].Variants != nil ||
		len(r.Rows[0].Scenarios) != 0 ||
		r.Rows[0].Contests[0].Data == protocol.Contests[0].Data {
		t.Errorf("a season's results are %+v", r)
	}

	for path, want := range map[string]string{
		"start.gold": `there is no "gold"`, "start": "is no whole number", "buildings.9.cost": `a list of 3 has no "9"`,
		"buildings.*.size": `there is no "size"`,
	} {
		s := Season{Game: "resilience-earth", Vary: []Vary{{Path: path, By: 1, High: 9}}}
		if path == "start" {
			s.Vary[0].Path = "seconds"
		}
		if path == "start.gold" {
			s.Vary[0].Path = "seconds.gold"
		}
		if _, err := s.Draw(games.All(), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", s.Vary[0].Path, err, want)
		}
	}
	impossible := Season{Game: "resilience-earth", Vary: []Vary{{Path: "buildings.*.pieces", Low: -5, High: -5}}}
	if _, err := impossible.Draw(games.All(), 1); err == nil ||
		!strings.Contains(err.Error(), "1000 draws were refused, the last because") {
		t.Errorf("bounds that the game refuses: %v", err)
	}
}

// compare counts the numbers in which two files differ, and of them those that no bounds allow.
func compare(t *testing.T, one, two []byte, vary []Vary) (changed, outside int) {
	t.Helper()
	var a, b any
	must.Do(t, toml.Unmarshal(one, &a))
	must.Do(t, toml.Unmarshal(two, &b))
	var walk func(path string, x, y any)
	walk = func(path string, x, y any) {
		switch x := x.(type) {
		case map[string]any:
			for key := range x {
				walk(strings.TrimPrefix(path+"."+key, "."), x[key], y.(map[string]any)[key])
			}
		case []any:
			for i := range x {
				walk(path+".*", x[i], y.([]any)[i])
			}
		default:
			if x == y {
				return
			}
			changed++
			for _, v := range vary {
				if n := y.(int64); v.Path == path && n >= int64(v.Low) && n <= int64(v.High) &&
					max(n-x.(int64), x.(int64)-n) <= int64(v.By) {
					return
				}
			}
			outside++
		}
	}
	walk("", a, b)
	return changed, outside
}

// shown are results that every kind of cell is in.
func shown() *Results {
	share := func(mean, low, high float64) eval.Share { return eval.Share{Mean: mean, CI: eval.Interval{low, high}} }
	pointer := func(s eval.Share) *eval.Share { return &s }
	return &Results{Protocol: 1, Quick: true, Program: "earthgym 9", Date: "2026-11-22",
		Command: "earthgym benchmark --quick", Rows: []Row{
			{Agent: "script:strong@1", Total: pointer(share(1, 0.96, 1.05)), Contests: []ContestResult{
				{Game: "one-earth", Score: share(1, 0.9, 1.1), Rating: pointer(share(0, 0, 0)),
					Exploited: &Exploited{"net:", share(0.28, 0.19, 0.37)}, Lost: pointer(share(0.01, 0, 0.03)),
					Variants: []VariantResult{{"players=2", 400, share(0, 0, 0), share(1, 0.8, 1.2)}}},
				{Game: "earth-rising", Score: share(1, 1, 1), Success: pointer(share(0.75, 0.7, 0.81))},
			}, Scenarios: []SceneResult{{Scenario: "deals", Demands: []string{"trust"}, Score: share(1, 0.8, 1.2)}},
				Profile: []Demand{{"trust", 1}}},
			{Agent: "remote:python /home/somebody/games/agent.py",
				Contests:  []ContestResult{{Game: "earth-rising", Score: share(0.4, 0.3, 0.5)}},
				Scenarios: []SceneResult{{Scenario: "deals", Demands: []string{"trust"}, Score: share(0.5, 0.4, 0.6)}}},
			{Agent: "net:", Network: "0123456789abcdef fedcba9876543210", Contests: []ContestResult{
				{Game: "one-earth", Score: share(1.71, 1.5, 1.9), Rating: pointer(share(133, 40, 226)),
					Exploited: &Exploited{"random", share(-0.12, -0.26, 0.02)},
					Variants: []VariantResult{{"players=2", 400, share(0.5, 0.4, 0.6), share(1.5, 1.4, 1.6)},
						{"skynet=on,collab=on,territory=on,prelude=on,espionage=on", 400, share(0, 0, 0), share(0.2, 0.1, 0.3)}}},
			}},
			{Agent: "level:2", Network: "0123456789abcdef", Contests: []ContestResult{
				{Game: "one-earth", Made: "net:,temperature=76,loss=76", Score: share(0.8, 0.7, 0.9)},
				{Game: "new-earth", Made: "net:,temperature=9,loss=2", Score: share(0.8, 0.7, 0.9)},
				{Game: "earth-rising", Made: "net:,temperature=76,loss=76", Score: share(0.8, 0.7, 0.9)},
			}},
		}}
}

// In one game are the contests, scenarios and demands of that game, and all agents.
func TestIn(t *testing.T) {
	p := must.Have(Read())(t)
	stored := must.Have(Stored())(t)
	before := text(t, stored)
	in := stored.In(p, []string{"earth-rising"})
	for i, row := range in.Rows {
		if row.Agent != stored.Rows[i].Agent || len(row.Contests) > 1 || len(row.Scenarios) != 2 || len(row.Profile) != 1 ||
			row.Profile[0].Name != "teamwork" {
			t.Errorf("%+v", row)
		}
	}
	if text(t, stored) != before {
		t.Error("the stored results have changed")
	}
	if text(t, stored.In(p, p.names())) != before {
		t.Error("in all games they are others")
	}
}

func TestTables(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, WriteText(&b, shown()))
	b.WriteString("\n---\n\n")
	must.Do(t, WriteMarkdown(&b, shown()))
	const file = "testdata/tables.txt"
	if *update {
		must.Do(t, os.WriteFile(file, b.Bytes(), 0o666))
	}
	want := must.Have(os.ReadFile(file))(t)
	if b.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// Where the reference gets no more than random play there is no scale: scores are not known, and results can be
// written.
func TestNoScale(t *testing.T) {
	x := eval.Share{Mean: 0.5, CI: eval.Interval{0.4, 0.6}}
	score := between(x, -1, -1)
	if below := between(x, 0, -1); !unknown(below) {
		t.Errorf("a reference below random play makes %v", below)
	}
	r := Results{Rows: []Row{{Agent: "random", Contests: []ContestResult{{Game: "earth-rising", Score: score}}}}}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	var b bytes.Buffer
	if err := WriteText(&b, &r); err != nil || !strings.Contains(b.String(), "random             ?\n") {
		t.Errorf("%v\n%s", err, &b)
	}
	known := SceneResult{Demands: Demands()[:1], Score: eval.Share{Mean: 1, CI: eval.Interval{1, 1}}}
	if p := profile([]SceneResult{known, {Demands: known.Demands, Score: score}}); len(p) != 1 || p[0].Score != 1 {
		t.Errorf("the profile is %v", p)
	}
}

// The README.md of this folder shows the stored results, that of the repository the first of their tables. -update
// writes them there.
func TestReadme(t *testing.T) {
	stored := must.Have(Stored())(t)
	p := must.Have(Read())(t)
	if stored.Protocol != p.Version {
		t.Errorf("the stored results are of protocol %d, not %d: make benchmark", stored.Protocol, p.Version)
	}
	var table strings.Builder
	must.Do(t, WriteMarkdown(&table, stored))
	const command = "go test ./eval/benchmark -run Readme -update"
	readme.Check(t, "README.md", "benchmark", command, table.String(), *update)
	first, _, found := strings.Cut(table.String(), "\nRating among the field")
	if !found {
		t.Fatalf("there is no table of ratings:\n%s", table.String())
	}
	readme.Check(t, "../../README.md", "benchmark", command, first, *update)
}
