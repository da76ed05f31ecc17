package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/eval"
)

// modelServer answers with the first legal action that a model is told of; every tenth answer is nonsense.
func modelServer(t *testing.T) string {
	t.Helper()
	answers := make(chan int, 1)
	answers <- 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		told := request.Messages[1].Content // the first of the user
		_, list, _ := strings.Cut(told, "\nLegal actions")
		_, list, _ = strings.Cut(list, "\n")
		line, _, _ := strings.Cut(list, "\n")
		action, _, _ := strings.Cut(line[strings.LastIndex(line, ": ")+2:], "; ")
		n := <-answers
		answers <- n + 1
		if n%10 == 3 {
			action = "stand on my head"
		}
		content, _ := json.Marshal(map[string]string{"reason": "it comes first", "action": action})
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": map[string]string{"content": string(content)}, "finish_reason": "stop"}},
			"usage":   map[string]int{"prompt_tokens": 1000, "completion_tokens": 20},
		})
	}))
	t.Cleanup(server.Close)
	return "llm:" + server.URL + "/v1,model=first,price=1/2"
}

// A language model plays wherever agents play; what it was told stands beside the record, its tokens are counted, and
// the key is nowhere.
func TestModelsPlayEverywhere(t *testing.T) {
	agent := modelServer(t)
	t.Setenv("EARTHGYM_LLM_KEY", "secret-of-mine")
	t.Chdir(t.TempDir())
	var all bytes.Buffer
	earthgym := func(input string, args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		root := newRoot()
		root.SetArgs(args)
		root.SetIn(strings.NewReader(input))
		root.SetOut(&stdout)
		root.SetErr(&stderr)
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatalf("earthgym %v: %v\n%s", args, err, &stderr)
		}
		all.Write(stdout.Bytes())
		all.Write(stderr.Bytes())
		return stdout.String() + stderr.String()
	}
	const game = "resilience-earth:players=2"
	said := earthgym("", "match", game, agent, "random", "--games", "2")
	if !strings.Contains(said, "tokens in and") || !strings.Contains(said, "cost ") ||
		!strings.Contains(said, "of parsing") {
		t.Errorf("match says\n%s", said)
	}
	said = earthgym("", "match", game, agent, "random", "--games", "2", "--json")
	if !strings.Contains(said, `"spending":`) || !strings.Contains(said, `"prompt_tokens":`) ||
		!strings.Contains(said, `"legality":`) {
		t.Errorf("match --json says\n%s", said)
	}
	said = earthgym("", "record", game, "random", agent, "--seed", "5", "--out", "records")
	if !strings.Contains(said, "tokens in and") {
		t.Errorf("record says\n%s", said)
	}
	file := filepath.Join("records", "resilience-earth_players=2-5.seat-1.transcript")
	transcript := must.Have(os.ReadFile(file))(t)
	all.Write(transcript)
	for _, part := range []string{`"system":"You play a seat of Resilience Earth`, `"answer":`,
		`is no action of this game`, `"prompt_tokens":1000`} {
		if !bytes.Contains(transcript, []byte(part)) {
			t.Errorf("the transcript has no %s", part)
		}
	}
	earthgym("", "replay", filepath.Join("records", "resilience-earth_players=2-5.jsonl"))
	earthgym("", "tournament", game, agent, "random", "--games", "4", "--out", "cup")
	said = earthgym(strings.Repeat("1\n", 400), "play", game, "human", agent, "--plain", "--seed", "3", "--out",
		"played.jsonl")
	if n := strings.Count(said, "tokens in and"); n != 2 || !strings.Contains(said, "The game is over") {
		t.Errorf("play says %d times, not in its story and at its end, what the model has asked:\n%s", n, said)
	}
	played := must.Have(os.ReadFile("played.jsonl"))(t)
	if !bytes.Contains(played, []byte(agent)) {
		t.Errorf("the record of play is\n%s", played)
	}
	files := 0
	err := filepath.WalkDir(".", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(name)
		all.Write(b)
		return err
	})
	if err != nil || files < 4 {
		t.Errorf("%d files, %v", files, err)
	}
	if strings.Contains(all.String(), "secret-of-mine") {
		t.Error("the key is told")
	}
}

// Who forfeits a recorded game is told; its seat is played on, and the record verifies.
func TestForfeitsAreRecorded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": map[string]string{"content": "I stand on my head"},
				"finish_reason": "stop"}},
			"usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 10},
		})
	}))
	t.Cleanup(server.Close)
	t.Chdir(t.TempDir())
	earthgym := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := run(t.Context(), args, &out, &errs); code != exitOK {
			t.Fatalf("earthgym %v: exit code %d: %s", args, code, &errs)
		}
		return out.String()
	}
	agent := "llm:" + server.URL + "/v1,model=poor"
	said := earthgym("record", "resilience-earth:players=2", "random", agent, "--seed", "1", "--games", "2", "--meta",
		"event=cup", "--usage")
	if n := strings.Count(said, "seat 1, "+agent+", has forfeited: script:greedy plays on from decision "); n != 2 {
		t.Errorf("%d forfeits are told, not 2:\n%s", n, said)
	}
	for _, seed := range []string{"1", "2"} {
		name := filepath.Join("records", "resilience-earth_players=2-"+seed+".jsonl")
		record := must.Have(os.ReadFile(name))(t)
		if !regexp.MustCompile(
			`"meta":\{"event":"cup","forfeit-seat-1":"script:greedy plays on from decision \d+: illegal: `).Match(record) {
			t.Errorf("the record begins\n%.1000s", record)
		}
		if !bytes.Contains(record, []byte(`"reason":`)) {
			t.Errorf("%s has no end", name)
		}
		if _, err := os.Stat(strings.TrimSuffix(name, ".jsonl") + ".seat-1.transcript"); err != nil {
			t.Error(err)
		}
		earthgym("replay", name)
	}
	earthgym("tournament", "resilience-earth:players=2", "random", agent, "--games", "2", "--floor", "0", "--record",
		"--out", "cup")
	for game := range 2 {
		name := filepath.Join("cup", eval.RecordFile(game))
		text := must.Have(os.ReadFile(name))(t)
		rec := must.Have(record.Read(name, bytes.NewReader(text)))(t)
		key := fmt.Sprintf("forfeit-seat-%d", slices.Index(rec.Header.Agents, agent))
		if meta := rec.Header.Meta; len(meta) != 1 ||
			!regexp.MustCompile(`^script:greedy plays on from decision \d+: illegal: `).MatchString(meta[key]) {
			t.Errorf("game %d of the tournament says %v, not %s", game, meta, key)
		}
		earthgym("replay", name)
	}
	for agent, kind := range map[string]string{agent: "illegal", agent + ",budget=1": "crash",
		agent + ",limit=1ns": "timeout"} {
		if said := earthgym("match", "resilience-earth:players=2", agent, "random", "--games", "2"); !strings.Contains(said,
			"2 games (2 "+kind+")") {
			t.Errorf("%s:\n%s", agent, said)
		}
	}
}
