package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/env/scenario"
	"earthgym/env/seal"
	"earthgym/env/story"
	"earthgym/eval"
	"earthgym/games"
	"earthgym/train"
	"earthgym/train/sweep"
)

// gosWords are what Go's libraries say of texts that they can't read.
var gosWords = regexp.MustCompile(
	`(^|\s)(json|toml): |strconv|invalid character|\bEOF\b|Go (struct|value)|unmarshal|cannot decode|struct field|of type |\bu?int(8|16|32|64)?\b|float(32|64)|\bmap\[|interface|reflect|%!|<nil>|invalid syntax|out of range|parsing time`)

// Whatever is in a file, the sentence that refuses it is the program's own. Each kind of file is changed a few hundred
// times.
func TestFilesAreRefusedInWords(t *testing.T) {
	envtest.NothingToRace(t)
	for _, kind := range foreignFiles(t) {
		t.Run(kind.name, func(t *testing.T) {
			if err := kind.read(kind.text); err != nil {
				t.Fatalf("as it is: %v", err)
			}
			luck := env.NewStream(1, kind.name)
			refused := 0
			for range kind.times {
				text := damaged(&luck, kind.text)
				err := kind.read(text)
				if err == nil {
					continue
				}
				refused++
				if said := gosWords.FindString(err.Error()); said != "" {
					t.Errorf("it says %q: %.400v", said, err)
				}
			}
			if refused < kind.times/4 {
				t.Errorf("%d of %d changed files were refused", refused, kind.times)
			}
		})
	}
}

// A foreignFile is a kind of file that users get from others, or write themselves.
type foreignFile struct {
	name  string
	text  []byte
	times int
	read  func(text []byte) error
}

func foreignFiles(t *testing.T) []foreignFile {
	t.Helper()
	g := must.Have(games.Open("resilience-earth:players=2"))(t)
	rec := writeRecord(t, t.TempDir(), "resilience-earth:players=2", 3, 12)
	var written bytes.Buffer
	must.Do(t, rec.Write(&written))
	imported := `{"game": "resilience-earth:players=2", "agents": ["Ada", "Bo"], "meta": {"place": "Oslo"}, "chance": [`
	for i, c := range rec.Header.Chance {
		imported += strings.Repeat(", ", min(i, 1)) + fmt.Sprintf("%q", c)
	}
	imported += "]}\n"
	for _, m := range rec.Moves {
		imported += fmt.Sprintf("{\"action\": %q, \"player\": %d, \"ms\": 4", m.Action, m.Player)
		if len(m.Chance) > 0 {
			imported += fmt.Sprintf(", \"chance\": [\"%s\"]", strings.Join(m.Chance, `", "`))
		}
		imported += "}\n"
	}
	file := func(name string) []byte {
		t.Helper()
		return must.Have(os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name))))(t)
	}
	inFolder := func(name string, text []byte) (dir string) {
		t.Helper()
		dir = t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
		return dir
	}
	// A tournament of a few games, and what is beside them.
	makers := must.Have(openAgents(g, "random", "script:naive"))(t)
	cup := t.TempDir()
	reopen := func(dir string) error {
		c, err := eval.OpenTournament(dir, g, makers, eval.TournamentOptions{Seed: 7})
		if err != nil {
			return err
		}
		return c.Close()
	}
	c := must.Have(eval.OpenTournament(cup, g, makers, eval.TournamentOptions{Seed: 7}))(t)
	must.Do(t, c.Play(context.Background(), 4, 0, eval.Options{Workers: 1}))
	must.Do(t, c.Close())
	held := func(dir, name string) []byte {
		t.Helper()
		return must.Have(os.ReadFile(filepath.Join(dir, name)))(t)
	}
	// A sweep that has judged somebody.
	const plan = `candidates = 2
decisions = 600
games = 2
against = ["random"]
seed = 3

[settings]
hidden = [8]
clone = []

[space]
learning_rate = { from = 0.0001, to = 0.01, scale = "log" }
epochs = [1, 2]
`
	judged := func() []byte {
		p := must.Have(sweep.ReadPlan(filepath.Join(inFolder("plan.toml", []byte(plan)), "plan.toml")))(t)
		dir := t.TempDir()
		s := must.Have(sweep.Open(dir, p, []env.Game{g}, sweep.Options{}))(t)
		must.Do(t, s.Close())
		chain := seal.Begin(string(held(dir, sweep.PlanFile)))
		return chain.Seal([]byte(`{"games": ["` + g.Info().Text +
			`"], "candidates": null, "judged": [{"round": 1, "candidate": 1, ` +
			`"decisions": 600, "cpu_seconds": 1.5, "leads": {"random": 0.25}, "strength": 0.25, "strength_ci": [0.125, 0.5]}]}` +
			"\n"))
	}()
	endpoint := web.Endpoint{Address: "127.0.0.1:4711", Keys: web.NewKeys(2)}
	endpointFile := filepath.Join(t.TempDir(), "links.json")
	must.Do(t, endpoint.Write(endpointFile))
	settings := train.DefaultFor(g)
	small := filepath.Join(t.TempDir(), "small.safetensors")
	saveNetwork(t, "resilience-earth:players=2", small)
	var ladders bytes.Buffer
	list := must.Have(agents.Ladders())(t)
	must.Do(t, agents.WriteLadders(&ladders, list[:2]))
	position := g.New()
	position.Reset(1, nil)

	kinds := []foreignFile{
		{"record", written.Bytes(), 300, func(text []byte) error {
			r, err := record.Read("x.jsonl", bytes.NewReader(text))
			if err != nil {
				return err
			}
			g, err := games.Open(r.Header.Game)
			if err != nil {
				return err
			}
			return r.Replay(g, nil)
		}},
		{"import", []byte(imported), 300, func(text []byte) error {
			r, err := record.ReadTranscript("x.jsonl", bytes.NewReader(text))
			if err != nil {
				return err
			}
			g, err := games.Open(r.Game())
			if err != nil {
				return err
			}
			_, err = r.Record(g)
			return err
		}},
		{"tournament.json", held(cup, eval.TournamentFile), 200, func(text []byte) error {
			dir := inFolder(eval.TournamentFile, text)
			if _, err := eval.ReadTournament(dir); err != nil {
				return err
			}
			return reopen(dir)
		}},
		{"games.jsonl", held(cup, "games.jsonl"), 100, func(text []byte) error {
			dir := inFolder("games.jsonl", text)
			must.Do(t, os.WriteFile(filepath.Join(dir, eval.TournamentFile), held(cup, eval.TournamentFile), 0o600))
			return reopen(dir)
		}},
		{"plan of a sweep", []byte(plan), 300, func(text []byte) error {
			p, err := sweep.ReadPlan(filepath.Join(inFolder("plan.toml", text), "plan.toml"))
			if err != nil {
				return err
			}
			s, err := sweep.Open(t.TempDir(), p, []env.Game{g}, sweep.Options{})
			if err != nil {
				return err
			}
			return s.Close()
		}},
		{"results of a sweep", judged, 60, func(text []byte) error {
			p, err := sweep.ReadPlan(filepath.Join(inFolder("plan.toml", []byte(plan)), "plan.toml"))
			if err != nil {
				return err
			}
			dir := t.TempDir()
			for again := range 2 {
				s, err := sweep.Open(dir, p, []env.Game{g}, sweep.Options{})
				if err != nil {
					return err
				}
				if err := s.Close(); err != nil {
					return err
				}
				if again == 0 {
					must.Do(t, os.WriteFile(filepath.Join(dir, sweep.ResultsFile), text, 0o600))
				}
			}
			return nil
		}},
		{"config of training", []byte(settings.Text()), 300, func(text []byte) error {
			_, err := train.ReadConfig(inFolder(train.ConfigFile, text))
			return err
		}},
		{"metrics", []byte(`{"update":1,"phase":"league","decisions":2048,"games":30,"loss":0.25,"returns":{"self":0.5}}` +
			"\n"), 200, func(text []byte) error {
			_, err := train.ReadMetrics(inFolder(train.MetricsFile, text))
			return err
		}},
		{"links", held(filepath.Dir(endpointFile), filepath.Base(endpointFile)), 200, func(text []byte) error {
			_, err := web.ReadEndpoint(filepath.Join(inFolder("links.json", text), "links.json"), 2)
			return err
		}},
		{"network", held(filepath.Dir(small), filepath.Base(small))[:0], 200, nil},
		{"levels", ladders.Bytes(), 200, func(text []byte) error {
			_, err := agents.ReadLadders(bytes.NewReader(text))
			return err
		}},
		{"words", file("games/resilience/story.toml"), 300, func(text []byte) error {
			_, err := story.ReadWords(datafile.File{Name: "words.toml", Bytes: text})
			return err
		}},
		{"lesson", file("games/resilience/lesson.toml"), 300, func(text []byte) error {
			sc, err := scenario.Parse("lesson.toml", text)
			if err != nil {
				return err
			}
			return sc.Run(func(game string, data []datafile.File) (env.Game, error) { return games.All().Open(game, data...) })
		}},
		{"position", position.AppendPosition(nil), 300, func(text []byte) error { return position.ReadPosition(text) }},
	}
	// Of a network the header alone is text; behind it are numbers, which the checksum guards.
	whole := held(filepath.Dir(small), filepath.Base(small))
	size := int(whole[0]) | int(whole[1])<<8
	n := slices.IndexFunc(kinds, func(k foreignFile) bool { return k.name == "network" })
	kinds[n].text = whole[8 : 8+size]
	kinds[n].read = func(text []byte) error {
		header := []byte{byte(len(text)), byte(len(text) >> 8), 0, 0, 0, 0, 0, 0}
		_, err := checkpoint.Decode(slices.Concat(header, text, whole[8+size:]))
		return err
	}
	for _, rb := range games.All() {
		kinds = append(kinds, foreignFile{"data of " + rb.Name, rb.Data, 150, func(text []byte) error {
			_, err := games.All().Open(rb.Name, datafile.File{Name: "data.toml", Bytes: text})
			return err
		}})
	}
	return kinds
}

// values are what stands in files, as a text.
var values = regexp.MustCompile(`-?[0-9][0-9.]*|"[^"\n]*"|true|false|null`)

// damaged is a text with a mistake in it: a value of another kind, something too much, or something missing.
func damaged(luck *env.Stream, text []byte) []byte {
	others := []string{`"x"`, `""`, "7", "-1", "0.5", "1e30", "1e999", "99999999999999999999", "true", "null", "[]", "[1]",
		"{}", `{"a": 1}`, "2020-01-01", "nan", "'", "0x1", "1_000"}
	pieces := []string{"{", "}", "[", "]", ",", ":", "=", `"`, "\n", "\r\n", " ", "#", "\\", "\x00", "\xff", "é", "x", "0"}
	at := luck.Below(len(text))
	replace := func(from, to int, by string) []byte { return slices.Concat(text[:from], []byte(by), text[to:]) }
	switch luck.Below(6) {
	case 0, 1, 2:
		if found := values.FindAllIndex(text, -1); len(found) > 0 {
			place := found[luck.Below(len(found))]
			return replace(place[0], place[1], others[luck.Below(len(others))])
		}
		fallthrough
	case 3:
		return replace(at, at, pieces[luck.Below(len(pieces))])
	case 4:
		return replace(at, min(len(text), at+1+luck.Below(8)), "")
	}
	return text[:at]
}
