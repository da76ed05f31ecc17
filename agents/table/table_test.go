package table_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/env/referee"
	"earthgym/env/story"
	"earthgym/games"
)

func openGame(t testing.TB, text string) env.Game {
	t.Helper()
	return must.Have(games.Open(text))(t)
}

func openAgent(t testing.TB, text string, g env.Game) *agents.Maker {
	t.Helper()
	return must.Have(agents.Open(text, g))(t)
}

// seats are those of a game, an agent's by its text, "" for a person.
func seats(t testing.TB, g env.Game, texts ...string) []table.Seat {
	t.Helper()
	var list []table.Seat
	for p := range g.Info().Players {
		text := texts[min(p, len(texts)-1)]
		if text == "" {
			list = append(list, table.Seat{})
			continue
		}
		list = append(list, table.Seat{Agent: openAgent(t, text, g)})
	}
	return list
}

// run runs a table until the test ends, and says when the game is over.
func run(t *testing.T, tab *table.Table) <-chan error {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	ended := make(chan struct{})
	go func() {
		done <- tab.Run(ctx)
		close(ended)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return done
}

// person plays for a seat by what it is shown alone, until the game is over.
func person(tab *table.Table, p env.Player, seed uint64) error {
	luck := env.NewStream(seed, fmt.Sprint(p))
	for {
		changed := tab.Changed()
		sight, err := tab.Look(p)
		switch {
		case err != nil:
			return err
		case sight.Result != nil:
			return nil
		case !sight.Deciding:
			select {
			case <-changed:
			case <-time.After(10 * time.Minute):
				return fmt.Errorf("seat %d waits in vain: %s", p, sight.Trouble)
			}
			continue
		}
		c := sight.Choices[luck.Below(len(sight.Choices))]
		if err := tab.Play(p, sight.Step, c.Action); err != nil {
			return err
		}
	}
}

// short games of all five, for tests.
var short = []string{
	"resilience-earth:players=3,minutes_min=10,minutes_max=12", "one-earth:players=3,max_rounds=5",
	"earth-rising:players=3,variant=quickplay",
	"new-earth:players=3,turns=2", "earthmans-burden:players=3,rounds=3",
}

func TestPeopleAndAgents(t *testing.T) {
	for _, text := range short {
		g := openGame(t, text)
		t.Run(g.Info().Name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "game.jsonl")
			tab := must.Have(table.New(g, 7, seats(t, g, "", "script:greedy", ""), table.Options{File: file}))(t)
			done := run(t, tab)
			failed := make(chan error, 2)
			for _, p := range []env.Player{0, 2} {
				go func() { failed <- person(tab, p, 3) }()
			}
			for range 2 {
				if err := <-failed; err != nil {
					t.Fatal(err)
				}
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			rec := readRecord(t, file)
			if err := rec.Replay(g, nil); err != nil {
				t.Error(err)
			}
			if rec.Footer == nil {
				t.Error("the record of the finished game has no footer")
			}
			if want := []string{"human", "script:greedy", "human"}; !reflect.DeepEqual(rec.Header.Agents, want) {
				t.Errorf("the record names %q, want %q", rec.Header.Agents, want)
			}
			if _, err := tab.Record(); err != nil {
				t.Error(err)
			}
		})
	}
}

func readRecord(t testing.TB, file string) *record.Record {
	t.Helper()
	b := must.Have(os.ReadFile(file))(t)
	return must.Have(record.Read(file, bytes.NewReader(b)))(t)
}

// look is the table as a seat sees it.
func look(t testing.TB, tab *table.Table, p env.Player) *table.Sight {
	t.Helper()
	return must.Have(tab.Look(p))(t)
}

// choice is the first choice of a family that a seat has.
func choice(t testing.TB, s *table.Sight, family string) env.Action {
	t.Helper()
	for _, c := range s.Choices {
		if c.Family == family {
			return c.Action
		}
	}
	t.Fatalf("seat %d has no %q to choose: %v", s.Viewer, family, s.Choices)
	return -1
}

func parse(t testing.TB, g env.Game, text string) env.Action {
	t.Helper()
	return must.Have(g.Info().Parse(text))(t)
}

func TestWhatCannotBePlayed(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	tab := must.Have(table.New(g, 1, seats(t, g, "", "script:greedy"), table.Options{}))(t)
	s := look(t, tab, 0)
	a := s.Choices[0].Action
	var illegal *env.IllegalActionError
	for _, test := range []struct {
		name string
		p    env.Player
		step int
		a    env.Action
		is   func(error) bool
	}{
		{"another seat", 1, s.Step, a, func(err error) bool { return errors.Is(err, table.ErrNotAsked) }},
		{"no seat", 2, s.Step, a, func(err error) bool { return strings.Contains(err.Error(), "seats 0 to 1") }},
		{"spectator", env.Spectator, s.Step, a,
			func(err error) bool { return strings.Contains(err.Error(), "seats 0 to 1") }},
		{"an old step", 0, s.Step - 1, a, func(err error) bool { return errors.Is(err, table.ErrStale) }},
		{"illegal", 0, s.Step, parse(t, g, "yes"), func(err error) bool { return errors.As(err, &illegal) }},
		{"no action", 0, s.Step, -1, func(err error) bool { return strings.Contains(err.Error(), "no action -1") }},
	} {
		if err := tab.Play(test.p, test.step, test.a); err == nil || !test.is(err) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if after := look(t, tab, 0); after.Edition != s.Edition || len(after.Log) != len(s.Log) {
		t.Errorf("refused actions have changed the table: step %d, was %d", after.Step, s.Step)
	}
	must.Do(t, tab.Play(0, s.Step, a))
	if err := tab.Play(0, s.Step, a); !errors.Is(err, table.ErrStale) {
		t.Errorf("a doubled action: %v", err)
	}
}

func TestUndo(t *testing.T) {
	g := openGame(t, "new-earth:players=2,setup=free")
	file := filepath.Join(t.TempDir(), "game.jsonl")
	told := 0
	tab := must.Have(table.New(g, 3, seats(t, g, ""), table.Options{File: file, Saved: func(rec *record.Record) {
		told = len(rec.Moves)
	}}))(t)
	// Play on until somebody decides twice in a row with nothing come to light, and take that back.
	undone := 0
	for n := 0; n < 200 && undone < 5; n++ {
		p := look(t, tab, 0).Actor
		if p == env.Hidden {
			p = 0
			if !look(t, tab, 0).Deciding {
				p = 1
			}
		}
		before := look(t, tab, p)
		text := tab.Text(p)
		must.Do(t, tab.Play(p, before.Step, before.Choices[n%len(before.Choices)].Action))
		after := look(t, tab, p)
		if !after.CanUndo {
			if err := tab.Undo(p, after.Step); err == nil {
				t.Fatal("a decision was taken back that can't be")
			}
			continue
		}
		must.Do(t, tab.Undo(p, after.Step))
		undone++
		again := look(t, tab, p)
		if tab.Text(p) != text || !reflect.DeepEqual(again.Log, before.Log) ||
			!reflect.DeepEqual(again.Choices, before.Choices) || again.Board != before.Board {
			t.Error("the table is not what it was before the decision that was taken back")
		}
		if again.Step <= after.Step {
			t.Errorf("step %d after step %d: an action of the time before would count", again.Step, after.Step)
		}
		if n := len(readRecord(t, file).Moves); n != again.Decision {
			t.Errorf("the file has %d decisions, not %d", n, again.Decision)
		}
		if told != again.Decision {
			t.Errorf("%d decisions are told to be saved, not %d", told, again.Decision)
		}
		must.Do(t, tab.Play(p, again.Step, again.Choices[n%len(again.Choices)].Action))
	}
	if undone == 0 {
		t.Error("nothing could be taken back in 200 decisions")
	}
}

// What has come to light stays: a decision can be taken back by the seat that is asked again if and only if neither
// chance nor a card nor a secret came of it.
func TestNothingThatCameToLightIsTakenBack(t *testing.T) {
	if testing.Short() {
		t.Skip("what goes on at the same time does so in shorter tests too")
	}
	lit, dark := 0, 0
	for _, text := range short {
		g := openGame(t, text)
		tab := must.Have(table.New(g, 3, seats(t, g, ""), table.Options{}))(t)
		ref := must.Have(referee.New(g, 3))(t)
		for n := 0; n < 120 && ref.Actor() != env.Over; n++ {
			p := ref.Actor()
			s := look(t, tab, p)
			c := s.Choices[n*n%len(s.Choices)]
			must.Do(t, errors.Join(tab.Play(p, s.Step, c.Action), ref.Play(c.Action)))
			if ref.Actor() != p {
				continue
			}
			came := ref.Events()
			if look(t, tab, p).CanUndo == (len(came) > 0) {
				t.Errorf("%s: %s brings %v to light, and whether it can be taken back is %v", text, c.Text, came, len(came) > 0)
			}
			if len(came) > 0 {
				lit++
			} else {
				dark++
			}
		}
	}
	if lit < 10 || dark < 10 {
		t.Errorf("%d decisions that brought something to light, and %d that did not, are too few", lit, dark)
	}
}

func TestResume(t *testing.T) {
	for _, text := range short {
		g := openGame(t, text)
		t.Run(g.Info().Name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "game.jsonl")
			tab := must.Have(table.New(g, 5, seats(t, g, ""), table.Options{File: file}))(t)
			luck := env.NewStream(1, "test")
			for range 25 {
				for p := range env.Player(g.Info().Players) {
					if s := look(t, tab, p); s.Deciding {
						must.Do(t, tab.Play(p, s.Step, s.Choices[luck.Below(len(s.Choices))].Action))
						break
					}
				}
			}
			resumed := must.Have(table.Resume(g, readRecord(t, file), seats(t, g, ""), table.Options{File: file}))(t)
			for _, p := range []env.Player{env.Spectator, 0, 1, 2} {
				a, b := *look(t, tab, p), *look(t, resumed, p)
				if b.Step <= a.Step {
					t.Errorf("step %d after the resumption, %d before: what was decided before it could count again", b.Step, a.Step)
				}
				a.Edition, b.Edition, a.Step, b.Step = 0, 0, 0, 0
				if !reflect.DeepEqual(a, b) {
					t.Errorf("viewer %d sees another table after the resumption", p)
				}
			}
			// The same luck is to come.
			for _, tab := range []*table.Table{tab, resumed} {
				run(t, tab)
				errs := make(chan error, 3)
				for p := range env.Player(3) {
					go func() { errs <- person(tab, p, 9) }()
				}
				for range 3 {
					if err := <-errs; err != nil {
						t.Fatal(err)
					}
				}
			}
			if a, b := look(t, tab, env.Spectator), look(t, resumed, env.Spectator); !reflect.DeepEqual(a.Result, b.Result) {
				t.Errorf("the game ends with %+v, and resumed with %+v", a.Result, b.Result)
			}
		})
	}
}

func TestTamperedRecord(t *testing.T) {
	g := openGame(t, "one-earth:players=2")
	ref := must.Have(referee.New(g, 1))(t)
	rec := ref.Record(nil)
	rec.Moves = append(rec.Moves, record.Move{Action: "save"})
	if _, err := table.Resume(g, rec, seats(t, g, ""), table.Options{}); err == nil ||
		!strings.Contains(err.Error(), "decision 0") {
		t.Errorf("a record with an impossible decision: %v", err)
	}
}

// slow is an agent that thinks until it is stopped.
type slow struct{ ctx context.Context }

func (s *slow) Name() string               { return "slow" }
func (s *slow) Reset(uint64)               {}
func (s *slow) Follow(ctx context.Context) { s.ctx = ctx }
func (s *slow) Act(*env.View) (env.Action, error) {
	<-s.ctx.Done()
	return -1, s.ctx.Err()
}

// late is an agent that is slow to sit down.
type late struct {
	slow
	sits chan struct{} // closed once it begins to
}

func (l *late) Reset(uint64) {
	close(l.sits)
	<-l.ctx.Done()
}

// broken is an agent that can't go on.
type broken struct{ slow }

func (b *broken) Act(*env.View) (env.Action, error) { return -1, errors.New("out of order") }

// clumsy is an agent that tells, or plays, what it must not.
type clumsy struct {
	slow
	act func(*env.View) (env.Action, error)
}

func (c *clumsy) Act(v *env.View) (env.Action, error) { return c.act(v) }

// TestTroubleTellsNothing: what an agent says when it fails, or tries to play, may be its hand.
func TestTroubleTellsNothing(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	for _, tt := range []struct {
		name, public, whole string
		act                 func(*env.View) (env.Action, error)
	}{
		{"words", "no legal action", "my hand", func(v *env.View) (env.Action, error) {
			return -1, &agents.ForfeitError{Agent: "clumsy", Seat: v.Player(), Kind: agents.Illegal,
				Err: errors.New("my hand is good")}
		}},
		{"action", "no legal action", "illegal action", func(v *env.View) (env.Action, error) {
			for a := range env.Action(len(v.Info().Actions)) {
				if !v.Mask().Has(a) {
					return a, nil
				}
			}
			return -1, errors.New("all is legal")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &agents.Maker{Text: "clumsy", New: func() (agents.Agent, error) { return &clumsy{act: tt.act}, nil }}
			whole := make(chan error, 1)
			tab, err := table.New(g, 1, []table.Seat{{Agent: m}, {}}, table.Options{Failed: func(err error) { whole <- err }})
			if err != nil {
				t.Fatal(err)
			}
			run(t, tab)
			s := waitFor(t, tab, 1, func(s *table.Sight) bool { return s.Trouble != "" })
			if !strings.Contains(s.Trouble, tt.public) || strings.Contains(s.Trouble, tt.whole) {
				t.Errorf("everybody is told %q", s.Trouble)
			}
			if err := <-whole; !strings.Contains(err.Error(), tt.whole) {
				t.Errorf("who runs the table is told %q", err)
			}
		})
	}
}

func TestSeatsChangeHands(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	for name, agent := range map[string]agents.Agent{"slow": &slow{}, "late": &late{sits: make(chan struct{})},
		"broken": &broken{}} {
		t.Run(name, func(t *testing.T) {
			m := &agents.Maker{Text: name, New: func() (agents.Agent, error) { return agent, nil }}
			tab := must.Have(table.New(g, 1, []table.Seat{{Agent: m}, {}}, table.Options{}))(t)
			run(t, tab)
			if l, ok := agent.(*late); ok {
				<-l.sits
			}
			if name == "broken" {
				waitFor(t, tab, 1, func(s *table.Sight) bool { return strings.Contains(s.Trouble, "out of order") })
			}
			if s := look(t, tab, 1); s.Deciding || !s.Thinking {
				t.Errorf("before: actor %d, deciding %v, thinking %v", s.Actor, s.Deciding, s.Thinking)
			}
			must.Do(t, tab.Sit(0, table.Seat{Name: "Ada"}))
			s := waitFor(t, tab, 0, func(s *table.Sight) bool { return s.Deciding })
			if s.Trouble != "" || s.Seats[0] != (table.SeatSight{Name: "Ada", Person: true, Called: "Ada"}) {
				t.Errorf("after: trouble %q, seats %v", s.Trouble, s.Seats)
			}
			must.Do(t, tab.Play(0, s.Step, choice(t, s, "settle")))
			must.Do(t, tab.Sit(0, table.Seat{Agent: openAgent(t, "script:greedy", g)}))
			waitFor(t, tab, 1, func(s *table.Sight) bool { return s.Deciding })
		})
	}
}

// waitFor waits until a seat sees what a test wants it to see.
func waitFor(t *testing.T, tab *table.Table, p env.Player, seen func(*table.Sight) bool) *table.Sight {
	t.Helper()
	for {
		changed := tab.Changed()
		s := look(t, tab, p)
		if seen(s) {
			return s
		}
		select {
		case <-changed:
		case <-time.After(10 * time.Minute):
			t.Fatalf("seat %d waits in vain at step %d; actor %d, trouble %q", p, s.Step, s.Actor, s.Trouble)
		}
	}
}

func TestLimit(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2,minutes_min=5,minutes_max=6")
	tab := must.Have(table.New(g, 1, seats(t, g, ""),
		table.Options{Limit: time.Millisecond, StandIn: openAgent(t, "script:greedy", g)}))(t)
	if look(t, tab, 0).Due.IsZero() {
		t.Error("nobody is told when the time is up")
	}
	select {
	case err := <-run(t, tab):
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Minute):
		t.Error("two people who do nothing are waited for")
	}
	told := 0
	for _, l := range look(t, tab, 1).Log {
		if strings.HasPrefix(l.Text, "The time is up for player 0: script:greedy decides") {
			told++
		}
	}
	if told == 0 {
		t.Error("nobody is told that the stand-in has decided")
	}
}

// What a game is played with stands in its record, so that it goes on with it.
func TestLimitIsSaved(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	var saved *record.Record
	options := table.Options{Limit: time.Minute, StandIn: openAgent(t, "script:greedy", g),
		Saved: func(rec *record.Record) { saved = rec }}
	must.Have(table.New(g, 1, seats(t, g, ""), options))(t)
	if got := saved.Header.Meta[table.LimitMeta]; got != "1m0s" {
		t.Errorf("the record says of the limit %q", got)
	}
}

// A person gets no more time by another name, by somebody else's, or by taking a decision back.
func TestLimitStays(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	tab := must.Have(table.New(g, 1, seats(t, g, ""),
		table.Options{Limit: time.Hour, StandIn: openAgent(t, "script:greedy", g)}))(t)
	due := look(t, tab, 0).Due
	for p := range env.Player(2) {
		must.Do(t, tab.Sit(p, table.Seat{Name: "Ada"}))
		if now := look(t, tab, 0).Due; !now.Equal(due) {
			t.Errorf("another name in seat %d gives %v more", p, now.Sub(due))
		}
	}
	for range 200 {
		p := look(t, tab, env.Spectator).Actor
		before := look(t, tab, p)
		must.Do(t, tab.Play(p, before.Step, before.Choices[0].Action))
		after := look(t, tab, p)
		if !after.CanUndo {
			continue
		}
		must.Do(t, tab.Undo(p, after.Step))
		if now := look(t, tab, p).Due; !now.Equal(before.Due) {
			t.Errorf("a decision taken back gives %v more", now.Sub(before.Due))
		}
		return
	}
	t.Error("nothing could be taken back in 200 decisions")
}

func TestHint(t *testing.T) {
	for _, text := range short {
		g := openGame(t, text)
		t.Run(g.Info().Name, func(t *testing.T) {
			tab := must.Have(table.New(g, 2, seats(t, g, ""), table.Options{}))(t)
			var s *table.Sight
			for p := range env.Player(g.Info().Players) {
				if s = look(t, tab, p); s.Deciding {
					break
				}
			}
			for _, agent := range []string{"script:strong", "mcts:sims=20"} {
				h, err := tab.Hint(context.Background(), s.Viewer, s.Step, openAgent(t, agent, g))
				if err != nil {
					t.Errorf("%s: %v", agent, err)
					continue
				}
				sum := 0.0
				for _, c := range h.Choices {
					sum += c.Probability
				}
				if len(h.Choices) != len(s.Choices) || sum < 0.99 || sum > 1.01 {
					t.Errorf("%s: %d choices of %d, probabilities %v in all", agent, len(h.Choices), len(s.Choices), sum)
				}
			}
			if _, err := tab.Hint(context.Background(), s.Viewer, s.Step, openAgent(t, "random", g)); err == nil {
				t.Error("random legal actions are said to be a hint")
			}
			if _, err := tab.Hint(context.Background(), s.Viewer, s.Step-1, openAgent(t, "script:strong", g)); err == nil {
				t.Error("a hint for a step that has passed")
			}
		})
	}
}

// TestSecretsStaySecret compares what each viewer is told with what the game lets it know.
func TestSecretsStaySecret(t *testing.T) {
	g := openGame(t, "new-earth:players=2")
	tab := must.Have(table.New(g, 11, seats(t, g, ""), table.Options{}))(t)
	luck := env.NewStream(2, "test")
	ref, err := referee.New(g, 11)
	if err != nil {
		t.Fatal(err)
	}
	ref.Count()
	before := g.New()
	var narrator *story.Narrator
	if _, ok := g.(story.Storied); ok {
		if narrator, err = story.NewNarrator(g); err != nil {
			t.Fatal(err)
		}
	}
	viewers := []env.Player{0, 1, env.Spectator}
	onlookers, told := make([]*env.Onlooker, len(viewers)), make([]int, len(viewers))
	for i, q := range viewers {
		onlookers[i], told[i] = env.NewOnlooker(q), len(look(t, tab, q).Log)
		onlookers[i].Live = true
	}
	secrets := 0
	for ref.Actor() != env.Over {
		p := ref.Actor()
		s := look(t, tab, p)
		c := s.Choices[luck.Below(len(s.Choices))]
		before.CopyFrom(ref.State())
		must.Do(t, ref.Play(c.Action))
		step := &env.Step{Before: before, Action: c.Action, Events: ref.Marked(), After: ref.State()}
		must.Do(t, tab.Play(p, s.Step, c.Action))
		for i, q := range viewers {
			seen := step.Seen(q)
			secrets += 1 + len(ref.Events()) - len(seen)
			want := ""
			whole, _ := onlookers[i].Hear(step)
			switch {
			case whole == nil:
			case narrator != nil:
				for _, s := range narrator.Tell(whole, q) {
					want += s.Text + ".\n"
				}
			default:
				for _, s := range whole.Seen(q) {
					want += s.Text + "\n"
				}
			}
			got := ""
			log := look(t, tab, q).Log
			for _, l := range log[told[i]:] {
				got += l.Text + "\n"
			}
			if told[i] = len(log); got != want {
				t.Fatalf("decision %d: viewer %d is told %q, and may know %q", s.Decision, q, got, want)
			}
		}
	}
	if secrets == 0 {
		t.Error("there was nothing to hide in the whole game")
	}
}

// While a game is played nobody else may read its record, which tells the luck to come; then it is one like any other.
func TestSavedForAll(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such modes")
	}
	file := filepath.Join(t.TempDir(), "x.jsonl")
	g := openGame(t, "resilience-earth:players=2")
	tab := must.Have(table.New(g, 1, seats(t, g, "random"), table.Options{File: file}))(t)
	mode := func(want fs.FileMode) {
		t.Helper()
		if info, err := os.Stat(file); err != nil {
			t.Error(err)
		} else if info.Mode().Perm() != want {
			t.Errorf("the record is %v, not %v", info.Mode(), want)
		}
	}
	mode(0o600)
	must.Do(t, tab.Run(t.Context()))
	mode(0o644)
}

// Two programs that go on with one game don't save over each other.
func TestSavedElsewhere(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	file := filepath.Join(t.TempDir(), "x.jsonl")
	first := must.Have(table.New(g, 1, seats(t, g, ""), table.Options{File: file}))(t)
	begun := must.Have(os.ReadFile(file))(t)
	rec := must.Have(record.Read(file, bytes.NewReader(begun)))(t)
	second := must.Have(table.Resume(g, rec, seats(t, g, ""), table.Options{File: file}))(t)
	play := func(tab *table.Table) string {
		p := look(t, tab, env.Spectator).Actor
		s := look(t, tab, p)
		must.Do(t, tab.Play(p, s.Step, s.Choices[0].Action))
		return look(t, tab, 0).Trouble
	}
	if trouble := play(second) + play(second); trouble != "" {
		t.Errorf("the game that goes on: %s", trouble)
	}
	kept := must.Have(os.ReadFile(file))(t)
	if trouble := play(first); trouble != "the game is not saved: its file was written by another program" {
		t.Errorf("the game that has gone on elsewhere: %q", trouble)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(kept) {
		t.Errorf("its file is not what was saved elsewhere (%v)", err)
	}
}

func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	g := openGame(t, "resilience-earth:players=2")
	if _, err := table.New(g, 1, seats(t, g, ""), table.Options{File: filepath.Join(dir, "none", "x.jsonl")}); err == nil {
		t.Error("a table whose game can't be saved is laid")
	}
	sub := filepath.Join(dir, "sub")
	must.Do(t, os.Mkdir(sub, 0o755))
	var failed error
	tab := must.Have(table.New(g, 1, seats(t, g, ""), table.Options{File: filepath.Join(sub, "x-4711.jsonl"),
		Failed: func(err error) { failed = err }}))(t)
	if runtime.GOOS != "windows" {
		// Who reads it knows the luck to come.
		if info, err := os.Stat(filepath.Join(sub, "x-4711.jsonl")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the record of a game that is being played: %v, %v", info.Mode(), err)
		}
	}
	must.Do(t, os.RemoveAll(sub))
	s := look(t, tab, 0)
	must.Do(t, tab.Play(0, s.Step, s.Choices[0].Action))
	if s := look(t, tab, 0); !strings.Contains(s.Trouble, "not saved") {
		t.Errorf("nobody is told that the game is not saved: %q", s.Trouble)
	} else if strings.Contains(s.Trouble, "4711") {
		t.Errorf("everybody is told the file's name, and with it the seed: %q", s.Trouble)
	}
	if failed == nil || !strings.Contains(failed.Error(), "4711") {
		t.Errorf("who runs the table is told %v", failed)
	}
	must.Do(t, os.Mkdir(sub, 0o755))
	for range 2 {
		p := look(t, tab, env.Spectator).Actor
		s := look(t, tab, p)
		must.Do(t, tab.Play(p, s.Step, s.Choices[0].Action))
	}
	if s := look(t, tab, 0); s.Trouble != "" {
		t.Errorf("it is saved again, and still: %q", s.Trouble)
	}
}

func TestManyWatch(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2,minutes_min=10,minutes_max=12")
	tab := must.Have(table.New(g, 4, seats(t, g, "script:greedy"), table.Options{}))(t)
	const spectators = 50
	watched := make(chan error, spectators)
	for range spectators {
		go func() { watched <- person(tab, env.Spectator, 0) }()
	}
	if err := <-run(t, tab); err != nil {
		t.Fatal(err)
	}
	for range spectators {
		if err := <-watched; err != nil {
			t.Error(err)
		}
	}
}

// What a seat may take back does not tell it that nobody was asked meanwhile: where somebody might have been, nothing
// can be taken back.
func TestUndoTellsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("what goes on at the same time does so in shorter tests too")
	}
	const samples, often = 32, 10
	g := openGame(t, "new-earth:players=3,turns=4")
	other, after := g.New(), g.New()
	tried, undone := 0, 0
	for seed := range uint64(4) {
		tab := must.Have(table.New(g, seed, seats(t, g, ""), table.Options{}))(t)
		ref := must.Have(referee.New(g, seed))(t)
		luck := env.NewStream(seed, "undo")
		for ref.Actor() != env.Over {
			p, a := ref.Actor(), ref.Mask().Nth(luck.Below(ref.Mask().Count()))
			asked := 0
			for key := range uint64(samples) {
				other.CopyFrom(ref.State())
				other.Redeal(p, 1000+key)
				after.CopyFrom(other)
				if after.Apply(a, nil); after.Actor() != p {
					asked++
				}
			}
			must.Do(t, ref.Play(a))
			must.Do(t, tab.Play(p, look(t, tab, p).Step, a))
			if ref.Actor() != p || len(ref.Events()) > 0 {
				continue
			}
			if look(t, tab, p).CanUndo {
				undone++
			}
			if asked < often {
				continue
			}
			if tried++; look(t, tab, p).CanUndo {
				t.Fatalf("seed %d, decision %d: seat %d can take back %s, and knows by that that nobody was asked", seed,
					ref.Decisions(), p, g.Info().Actions[a].Text)
			}
		}
	}
	if tried == 0 || undone < 100 {
		t.Errorf("%d decisions after which somebody might have been asked, %d that can be taken back", tried, undone)
	}
}

// An agent that searches tells how far it is, and moves when somebody who plays asks for it, or patience ends.
func TestMoveNow(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	for _, patience := range []time.Duration{0, 50 * time.Millisecond} {
		tab := must.Have(table.New(g, 7, seats(t, g, "", "mcts:sims=1000000"), table.Options{Patience: patience}))(t)
		run(t, tab)
		if err := tab.MoveNow(0); err == nil {
			t.Error("a person was hurried")
		}
		s := settled(t, tab, 0)
		must.Do(t, tab.Play(0, s.Step, s.Choices[len(s.Choices)-1].Action))
		for s = settled(t, tab, 0); s.Decision < 3; s = settled(t, tab, 0) {
			done, err := g.Info().Parse("done")
			if err == nil {
				err = tab.Play(0, s.Step, done)
			}
			if err != nil {
				t.Fatal(err)
			}
			for patience == 0 {
				changed := tab.Changed()
				now := must.Have(tab.Look(0))(t)
				if !now.Searching {
					break
				}
				if err := tab.MoveNow(env.Spectator); err == nil {
					t.Error("who looks on has hurried an agent")
				}
				if n, err := tab.Thought(0); err != nil || n < 0 || n > 1000 {
					t.Errorf("%d thousandths, %v", n, err)
				}
				must.Do(t, tab.MoveNow(0))
				<-changed
			}
		}
	}
}
