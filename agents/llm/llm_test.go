//go:build !js

package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/env/story"
	"earthgym/games"
)

// A fake is a server that answers as its manner says.
type fake struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	headers  []http.Header
}

type request struct {
	Model     string    `json:"model"`
	Messages  []message `json:"messages"`
	MaxTokens int       `json:"max_tokens"`
	NewLimit  int       `json:"max_completion_tokens"`
	Format    struct {
		Type string `json:"type"`
	} `json:"response_format"`
}

// newFake serves; manner gets the number of the request, from 0.
func newFake(t *testing.T, manner func(n int, r *request, w http.ResponseWriter)) *fake {
	t.Helper()
	f := &fake{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		var got request
		if err != nil || json.Unmarshal(b, &got) != nil || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("request %s %s", r.URL, b)
		}
		f.mu.Lock()
		n := len(f.requests)
		f.requests, f.headers = append(f.requests, got), append(f.headers, r.Header)
		f.mu.Unlock()
		manner(n, &got, w)
	}))
	t.Cleanup(f.Close)
	return f
}

// say writes an answer of the protocol.
func say(w http.ResponseWriter, text string) { sayAll(w, text, "", "stop") }

func sayAll(w http.ResponseWriter, text, refusal, finish string) {
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": text, "refusal": refusal},
			"finish_reason": finish}},
		"usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 10},
	})
}

func decision(action string) string {
	b, _ := json.Marshal(map[string]string{"reason": "why not", "action": action})
	return string(b)
}

// opening is the first decision of a game.
func opening(t *testing.T, game string) (*referee.Referee, *env.View) {
	t.Helper()
	g := must.Have(games.Open(game))(t)
	ref := must.Have(referee.New(g, 7))(t)
	return ref, ref.View()
}

func player(t *testing.T, v *env.View, text string) (*Player, func() Spending) {
	t.Helper()
	create, spent, err := Open(text, v.Info())
	if err != nil {
		t.Fatal(err)
	}
	p := create()
	p.Reset(11)
	return p, spent
}

// Every answer of a server and its model, and what comes of it.
func TestAnswers(t *testing.T) {
	_, v := opening(t, "one-earth:players=3")
	good := v.ActionText(v.Mask().Nth(0))
	illegal := ""
	for a, info := range v.Info().Actions {
		if !v.Mask().Has(env.Action(a)) {
			illegal = info.Text
			break
		}
	}
	for _, tt := range []struct {
		name    string
		options string
		manner  func(n int, r *request, w http.ResponseWriter)
		want    string // the fault; "" is the good action
		faults  Faults
		waits   int
	}{
		{name: "good", manner: func(_ int, _ *request, w http.ResponseWriter) { say(w, decision(good)) }},
		{name: "rambling", manner: func(_ int, _ *request, w http.ResponseWriter) {
			say(w, "<think>{\"action\": \"first thought\"} or {}</think> Well… I {really} think:\n```json\n"+decision(good)+
				"\n```\nGood luck {to all}!")
		}},
		{name: "with others inside", manner: func(_ int, _ *request, w http.ResponseWriter) {
			say(w, `{"first": {"action": "x"}, "action": "`+good+`", "others": [{"action": "`+illegal+`"}]}`)
		}},
		{name: "in parts", manner: func(_ int, _ *request, w http.ResponseWriter) {
			_, _ = fmt.Fprintf(w, `{"choices": [{"message": {"content": [{"thinking": [{"text": "x"}]}, {"text": %q}]}}]}`,
				good)
		}},
		{name: "endless at first", manner: func(n int, r *request, w http.ResponseWriter) {
			if n == 0 {
				say(w, strings.Repeat("hm ", maxRead))
				return
			}
			if told := len(r.Messages[2].Content); told > maxRead {
				t.Errorf("it is reminded of %d bytes", told)
			}
			say(w, decision(good))
		}, faults: Faults{Parsing: 1}},
		{name: "better at the second try", manner: func(n int, r *request, w http.ResponseWriter) {
			if n == 0 {
				say(w, decision(illegal))
				return
			}
			if last := r.Messages[len(r.Messages)-1]; last.Role != "user" || !strings.Contains(last.Content, "not legal now") ||
				!strings.Contains(last.Content, "nearest legal actions") {
				t.Errorf("after an illegal action it is told %q", last)
			}
			say(w, decision(good))
		}, faults: Faults{Legality: 1}},
		{name: "plain", manner: func(_ int, _ *request, w http.ResponseWriter) {
			say(w, "<think>well, {\"action\": \"first thought\"}?</think>\n “"+good+"”.\n")
		}},
		{name: "plain and illegal", options: ",tries=1", manner: func(_ int, _ *request, w http.ResponseWriter) {
			say(w, illegal)
		},
			want: "is not legal now", faults: Faults{Legality: 1}},
		{name: "never legal", manner: func(_ int, _ *request, w http.ResponseWriter) { say(w, decision(illegal)) },
			want: "no legal action in 3 answers", faults: Faults{Legality: 3}},
		{name: "never JSON", options: ",tries=2", manner: func(_ int, _ *request, w http.ResponseWriter) {
			say(w, "I pass.")
		},
			want: "no legal action in 2 answers", faults: Faults{Parsing: 2}},
		{name: "no such action", options: ",tries=1", manner: func(_ int, _ *request, w http.ResponseWriter) {
			say(w, decision("win at once"))
		},
			want: `no legal action in 1 answer; the last: "win at once" is no action of this game`, faults: Faults{Parsing: 1}},
		{name: "cut off", options: ",tries=1,tokens=8", manner: func(_ int, r *request, w http.ResponseWriter) {
			if r.MaxTokens != 8 {
				t.Errorf("the limit is %d", r.MaxTokens)
			}
			sayAll(w, "<think>"+decision(good)+` or {"reason": "well, I`, "", "length")
		}, want: "cut off after 8 tokens", faults: Faults{Parsing: 1}},
		{name: "refusing", options: ",tries=2", manner: func(_ int, _ *request, w http.ResponseWriter) {
			sayAll(w, "", "I don't play games", "stop")
		},
			want: "You would not answer: I don't play games", faults: Faults{Refusals: 2}},
		{name: "filtered", options: ",tries=1", manner: func(_ int, _ *request, w http.ResponseWriter) {
			sayAll(w, "", "", "content_filter")
		},
			want: "filter", faults: Faults{Refusals: 1}},
		{name: "slow", options: ",limit=50ms", manner: func(_ int, _ *request, w http.ResponseWriter) {
			time.Sleep(2 * time.Second)
		},
			want: "no answer within 50ms", faults: Faults{Time: 1}},
		{name: "busy once", manner: func(n int, _ *request, w http.ResponseWriter) {
			if n == 0 {
				w.Header().Set("Retry-After", "0.05")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			say(w, decision(good))
		}, waits: 1},
		{name: "busy for long", options: ",limit=1s", manner: func(_ int, _ *request, w http.ResponseWriter) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		}, want: "no answer within 1s: the server answers 429", faults: Faults{Time: 1}, waits: 1},
		{name: "fails once", manner: func(n int, _ *request, w http.ResponseWriter) {
			if n == 0 {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			say(w, decision(good))
		}, waits: 1},
		{name: "breaks off once", manner: func(n int, _ *request, w http.ResponseWriter) {
			if n == 0 {
				w.Header().Set("Content-Length", "1000")
				_, _ = io.WriteString(w, "{")
				return
			}
			say(w, decision(good))
		}, waits: 1},
		{name: "newer name of the limit", options: ",tokens=9", manner: func(_ int, r *request, w http.ResponseWriter) {
			if r.NewLimit != 9 {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"error": {"message": "max_tokens is not supported, use max_completion_tokens"}}`)
				return
			}
			say(w, decision(good))
		}, waits: 1},
		{name: "wrong key", manner: func(_ int, _ *request, w http.ResponseWriter) {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error": {"message": "Incorrect key secret-of-mine"}}`)
		}, want: "the server refuses the key (401 Unauthorized): Incorrect key (the key)"},
		{name: "no such model", manner: func(_ int, _ *request, w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) },
			want: "or not the model test"},
		{name: "no schemas", manner: func(_ int, r *request, w http.ResponseWriter) {
			if r.Format.Type == "json_schema" {
				w.WriteHeader(http.StatusUnprocessableEntity)
				_, _ = io.WriteString(w, `{"error": "unknown response_format"}`)
				return
			}
			say(w, decision(good))
		}, waits: 1},
		{name: "no formats", manner: func(_ int, r *request, w http.ResponseWriter) {
			if r.Format.Type != "" {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"error": {"message": "`+r.Format.Type+` is not supported"}}`)
				return
			}
			say(w, good)
		}, waits: 2},
		{name: "refuses whatever is asked", manner: func(_ int, _ *request, w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error": "unknown response_format"}`)
		}, want: "the server answers 400", waits: 2},
		{name: "another protocol", manner: func(_ int, _ *request, w http.ResponseWriter) {
			_, _ = io.WriteString(w, "<html>hello")
		},
			want: "no answer of the chat-completions protocol: <html>hello"},
		{name: "an older protocol", manner: func(_ int, _ *request, w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"choices": [{"text": "x"}]}`)
		}, want: `no answer of the chat-completions protocol: {"choices"`},
		{name: "an empty answer", manner: func(int, *request, http.ResponseWriter) {}, want: "protocol: (nothing)"},
		{name: "sends on", manner: func(_ int, _ *request, w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(http.StatusTemporaryRedirect)
		}, want: "the server sends requests on to http://127.0.0.1:1/ (307 Temporary Redirect)"},
		{name: "budget", options: ",budget=100,tries=9", manner: func(_ int, _ *request, w http.ResponseWriter) {
			say(w, "hm")
		},
			want: "its 100 tokens for the game are used up", faults: Faults{Parsing: 1, Tokens: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(defaultKey, "secret-of-mine")
			f := newFake(t, tt.manner)
			p, spent := player(t, v, f.URL+"/v1,model=test,limit=10m"+tt.options)
			a, err := p.Act(v)
			switch {
			case tt.want == "" && (err != nil || v.ActionText(a) != good):
				t.Fatalf("got %d, %v", a, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			var fault *Fault
			if isFault := errors.As(err, &fault); isFault != (tt.want != "" && tt.faults != Faults{}) {
				t.Errorf("%v is a fault of the model: %v", err, isFault)
			}
			s := spent()
			if s.Faults != tt.faults || s.Waits != tt.waits || !strings.HasPrefix(s.String(), "1 decision, ") {
				t.Errorf("counted %+v (%v)", s, s)
			}
			if err != nil && strings.Contains(err.Error(), "secret-of-mine") ||
				bytes.Contains(p.Transcript(), []byte("secret-of-mine")) {
				t.Errorf("the key is told: %v\n%s", err, p.Transcript())
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			if got := f.headers[0].Get("Authorization"); got != "Bearer secret-of-mine" {
				t.Errorf("the server gets %q", got)
			}
			if f.requests[0].Model != "test" || f.requests[0].Format.Type != "json_schema" {
				t.Errorf("the server gets %+v", f.requests[0])
			}
		})
	}
}

// Requests that are under way together may all be refused for the name of the limit.
func TestRefusedTogether(t *testing.T) {
	_, v := opening(t, "one-earth:players=3")
	var both, played sync.WaitGroup
	both.Add(2)
	f := newFake(t, func(_ int, r *request, w http.ResponseWriter) {
		if r.NewLimit == 0 {
			both.Done()
			both.Wait()
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error": {"message": "use max_completion_tokens"}}`)
			return
		}
		say(w, decision(v.ActionText(v.Mask().Nth(0))))
	})
	create, _, err := Open(f.URL+"/v1,model=test", v.Info())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, v := opening(t, "one-earth:players=3")
		played.Go(func() {
			if _, err := create().Act(v); err != nil {
				t.Error(err)
			}
		})
	}
	played.Wait()
}

// A server that is gone: an error at once if it was never there, a fault of time if it has gone.
func TestServerGone(t *testing.T) {
	_, v := opening(t, "one-earth:players=3")
	f := newFake(t, func(_ int, _ *request, w http.ResponseWriter) { say(w, decision(v.ActionText(v.Mask().Nth(0)))) })
	p, _ := player(t, v, f.URL+"/v1,model=test,limit=3s")
	must.Have(p.Act(v))(t)
	url := f.URL
	f.Close()
	var fault *Fault
	if _, err := p.Act(v); !errors.As(err, &fault) {
		t.Errorf("got %v", err)
	}
	p, _ = player(t, v, url+"/v1,model=test")
	var server *ServerError
	if _, err := p.Act(v); !errors.As(err, &server) || !strings.Contains(err.Error(), "there is no server to be reached") {
		t.Errorf("got %v", err)
	}
}

// A game that is called off ends the request.
func TestFollow(t *testing.T) {
	_, v := opening(t, "one-earth:players=3")
	release := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	f := newFake(t, func(int, *request, http.ResponseWriter) {
		cancel()
		<-release
	})
	defer close(release)
	p, spent := player(t, v, f.URL+"/v1,model=test")
	p.Follow(ctx)
	if _, err := p.Act(v); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if s := spent(); s.Faults != (Faults{}) || s.Forfeits != 0 {
		t.Errorf("counted %+v (%v)", s, s)
	}
}

// What a model is told in each game: enough to play, and, without a list, no legal action.
func TestPrompts(t *testing.T) {
	for _, rb := range games.All() {
		for _, legal := range []string{legalList, legalFamilies, legalNone} {
			ref, v := opening(t, rb.Name)
			for range 30 {
				must.Do(t, ref.Play(v.Mask().Nth(v.Mask().Count()/2)))
				v = ref.View()
			}
			instructions, told := system(v.Info(), legal), prompt(v, v.Sample(0), legal)
			if !strings.Contains(instructions, "\n- players=") || strings.Contains(instructions, "| default |") {
				t.Errorf("%s: the options are not told, or in a table of all that could be:\n%s", rb.Name, instructions)
			}
			if !strings.Contains(instructions, rb.Title) || !strings.Contains(instructions, "## A turn") &&
				!strings.Contains(instructions, "turn") || strings.Contains(instructions, "![") {
				t.Errorf("%s: the instructions are\n%s", rb.Name, instructions)
			}
			if !strings.Contains(told, "Since your last decision:") ||
				!strings.Contains(told, fmt.Sprintf("You are seat %d.", v.Player())) {
				t.Errorf("%s: the prompt is\n%s", rb.Name, told)
			}
			if listed := strings.Contains(told, "Legal actions"); listed != (legal == legalList) {
				t.Errorf("%s, legal=%s: the legal actions are listed: %v\n%s", rb.Name, legal, listed, told)
			}
			if legal == legalList {
				for _, a := range v.Mask().Append(nil) {
					if !strings.Contains(told, v.ActionText(a)) {
						t.Errorf("%s: %s is not listed in\n%s", rb.Name, v.ActionText(a), told)
					}
				}
			}
			if kinds := strings.Contains(told, "Kinds of legal actions"); kinds != (legal == legalFamilies) {
				t.Errorf("%s, legal=%s: the kinds are listed: %v", rb.Name, legal, kinds)
			}
		}
	}
}

// What has happened is told in sentences: all since the seat's last decision, also to one that first asks late.
func TestPromptsTellTheStory(t *testing.T) {
	for _, rb := range games.All() {
		ref, v := opening(t, rb.Name)
		narrator := must.Have(story.NewNarrator(ref.State().Game()))(t)
		want := make([][]string, v.Info().Players)
		ref.Follow(func(step *env.Step) {
			for p := range want {
				if step.Before != nil && step.Before.Actor() == env.Player(p) {
					want[p] = nil
				}
				for _, s := range narrator.Tell(step, env.Player(p)) {
					want[p] = append(want[p], s.Text)
				}
			}
		})
		for n := 0; n < 60 && ref.Actor() != env.Over; n++ {
			v := ref.View()
			if n >= 10*int(v.Player()) {
				if got := happened(v); !slices.Equal(got, want[v.Player()]) {
					t.Fatalf("%s, decision %d: seat %d is told %q, not %q", rb.Name, n, v.Player(), got, want[v.Player()])
				}
			}
			must.Do(t, ref.Play(v.Mask().Nth(v.Mask().Count()/2)))
		}
	}
}

// The prompt is the same in all positions that look the same to the seat.
func TestPromptsTellNoSecrets(t *testing.T) {
	for _, rb := range games.All() {
		ref, _ := opening(t, rb.Name)
		other, luck := ref.State().Game().New(), env.NewStream(3, "prompts")
		for n := 0; ref.Actor() != env.Over && n < 300; n++ {
			if n%10 == 0 {
				other.CopyFrom(ref.State())
				other.Redeal(ref.Actor(), luck.Uint64())
				v, w := env.ViewOf(ref.State()), env.ViewOf(other)
				if a, b := prompt(v, v.Sample(0), legalList), prompt(w, w.Sample(0), legalList); a != b {
					t.Fatalf("%s, decision %d: told\n%s\nand in a position that looks the same\n%s", rb.Name, n, a, b)
				}
			}
			must.Do(t, ref.Play(ref.View().Mask().Nth(luck.Below(ref.View().Mask().Count()))))
		}
	}
}

// Transcripts hold all that was said, and the log the same lines.
func TestTranscript(t *testing.T) {
	_, v := opening(t, "one-earth:players=3")
	f := newFake(t, func(n int, _ *request, w http.ResponseWriter) {
		if n == 0 {
			say(w, "hm")
			return
		}
		say(w, decision(v.ActionText(v.Mask().Nth(0))))
	})
	file := filepath.Join(t.TempDir(), "log.jsonl")
	p, spent := player(t, v, f.URL+"/v1,model=test,price=1/10,log="+file)
	must.Have(p.Act(v))(t)
	var lines []line
	for _, text := range bytes.Split(bytes.TrimSpace(p.Transcript()), []byte("\n")) {
		var l line
		must.Do(t, json.Unmarshal(text, &l))
		lines = append(lines, l)
	}
	if len(lines) != 2 || lines[0].System == "" || lines[0].Answer != "hm" || lines[0].Fault == "" ||
		lines[1].System != "" ||
		len(lines[1].Messages) != 2 || lines[1].Action != v.ActionText(v.Mask().Nth(0)) || lines[1].Usage.Prompt != 100 {
		t.Errorf("the transcript is\n%s", p.Transcript())
	}
	logged, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(logged, p.Transcript()) {
		t.Errorf("%v, the log is\n%s", err, logged)
	}
	if s := spent(); s.Cost == nil || *s.Cost != (200*1+20*10)/1e6 || !strings.Contains(s.String(), "cost 0.0004") {
		t.Errorf("spent %v", s)
	}
	p.Reset(12)
	if len(p.Transcript()) != 0 {
		t.Error("a new game begins with the transcript of the last one")
	}
}

// What stands behind llm: is checked before anything is asked, and no error holds what may be a secret.
func TestConfigFaults(t *testing.T) {
	g := must.Have(games.Open("one-earth"))(t)
	t.Setenv(defaultKey, "")
	t.Setenv("FULL", "secret-of-mine")
	for text, want := range map[string]string{
		"":                                   "name the model",
		"http://127.0.0.1:1/v1":              "name the model",
		"127.0.0.1:1,model=x":                "such as http://127.0.0.1:8080/v1",
		"ftp://h/v1,model=x":                 "is not the URL of a server",
		"http://u:secret-of-mine@h/,model=x": "may be a secret",
		"https://h/v1?key=secret-of-mine,model=x": "may be a secret",
		"http://h/v1,model=x,key=FULL":            "not sent to h over plain HTTP",
		"https://h/v1,model=x,key=EMPTY":          "the environment variable that key= names is empty",
		"https://h/v1,model=x,key=secret-of-mine": "names the environment variable",
		"http://h,model=x,legal=all":              "there are: list, families, none",
		"http://h,model=x,format=xml":             "there are: schema, json, text",
		"http://h,model=x,limit=0s":               "limit=0s: it is the time",
		"http://h,model=x,limit=soon":             "limit=soon: it is the time",
		"http://h,model=x,tries=0":                "a whole number from 1",
		"http://h,model=x,tokens=many":            "a whole number from 1",
		"http://h,model=x,budget=-1":              "a whole number from 0",
		"http://h,model=x,temperature=warm":       "it is a number from 0",
		"http://h,model=x,price=3":                "price=0.5/2",
		"http://h,model=x,modle=y":                `did you mean "model"?`,
		"http://h,model=x,log=/nowhere/at/all":    "log=/nowhere/at/all:",
	} {
		_, _, err := Open(text, g.Info())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		} else if strings.Contains(err.Error(), "secret-of-mine") {
			t.Errorf("%s: the secret is told: %v", text, err)
		}
	}
}

// The decision is found in whatever stands around it.
func FuzzNamed(f *testing.F) {
	f.Add(`{"action": "pass"}`)
	f.Add("```json\n{\"reason\": \"{\", \"action\": \"fund 1\"}\n``` {} {\"action\": 3}")
	f.Add(strings.Repeat("{", 1000))
	f.Fuzz(func(t *testing.T, text string) {
		if action, ok := named(text); !ok && action != "" {
			t.Errorf("%q without a decision", action)
		}
		if action, _ := named(text + decision("pass")); action != "pass" && !strings.Contains(text, `"`) &&
			!strings.Contains(text, "{") {
			t.Errorf("got %q", action)
		}
	})
}
