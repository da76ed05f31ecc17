package table_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/env/scenario"
	"earthgym/games"
)

var ruleID = regexp.MustCompile(`\b[A-Z]{2}-\d{3}\b`)

// The first lesson of every game: a scenario that holds, each decision of seat 0 told, everything else refused, and the
// game goes on when it is over.
func TestLessons(t *testing.T) {
	for _, name := range games.All().Names() {
		t.Run(name, func(t *testing.T) {
			sc := must.Have(games.Lesson(name))(t)
			open := func(text string, _ []datafile.File) (env.Game, error) { return games.Open(text) }
			must.Do(t, sc.Run(open))
			g := openGame(t, sc.Game)
			lesson := must.Have(table.NewLesson(sc, g.Info()))(t)
			rules := must.Have(games.Rules(name))(t)
			told := 0
			for i, step := range sc.Step {
				if (step.Say != "") != (*step.Player == 0) {
					t.Errorf("step %d of player %d says %q", i+1, *step.Player, step.Say)
				}
				for _, text := range []string{step.Say, step.Then} {
					for _, id := range ruleID.FindAllString(text, -1) {
						if !strings.Contains(rules, "\n| "+id+" |") {
							t.Errorf("step %d names %s, which is no rule", i+1, id)
						}
					}
				}
				if step.Say != "" {
					told++
				}
			}
			tab, err := table.New(g, uint64(sc.Seed), seats(t, g, "", "level:1"), table.Options{Lesson: lesson})
			if err != nil {
				t.Fatal(err)
			}
			run(t, tab)
			for n := range told {
				s := settled(t, tab, 0)
				l := s.Lesson
				if l == nil || l.Finished || l.At != n || l.Of != told || l.Say == "" || l.Title == "" {
					t.Fatalf("decision %d: the lesson stands at %+v", n, l)
				}
				for _, c := range s.Choices {
					if c.Action == l.Action {
						continue
					}
					var refused *table.LessonError
					if err := tab.Play(0, s.Step, c.Action); !errors.As(err, &refused) {
						t.Fatalf("decision %d: %s is played: %v", n, c.Text, err)
					}
					break
				}
				if err := tab.Play(0, s.Step, l.Action); err != nil {
					t.Fatalf("decision %d: %v", n, err)
				}
			}
			s := settled(t, tab, 0)
			if !s.Lesson.Finished || s.Lesson.Action >= 0 || s.Lesson.At != told || s.Lesson.Said == "" {
				t.Errorf("at its end the lesson stands at %+v", s.Lesson)
			}
			if err := tab.Play(0, s.Step, s.Choices[len(s.Choices)-1].Action); err != nil {
				t.Errorf("the game does not go on: %v", err)
			}
		})
	}
}

func TestLessonRefuses(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	for _, test := range []struct{ text, says string }{
		{"chance = [\"first = 1\"]\n[[step]]\nplay = \"done\"\nsay = \"End it.\"", "can't force chance"},
		{"[[step]]\nplay = \"done\"", "none of its steps has a text"},
		{"[[step]]\nplay = \"done\"\nsay = \"End it.\"\n[[step]]\nplayer = 1\nplay = \"done\"\nsay = \"You too.\"",
			"said to seat 1, others to seat 0"},
		{"[[step]]\nplayer = 2\nplay = \"done\"\nsay = \"End it.\"", "seats 0 to 1"},
		{"[[step]]\nplay = \"dance\"", "step 1 of the lesson"},
		{"[[step]]\nplay = \"done\"\nchance = [\"dice = 1 1\"]", "can't force chance"},
	} {
		sc := must.Have(scenario.Parse("lesson.toml", []byte("game = \"resilience-earth:players=2\"\n"+test.text)))(t)
		if _, err := table.NewLesson(sc, g.Info()); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q: %v", test.text, err)
		}
	}
}

// A lesson in the middle of a game, for another seat than the first: it begins where its scenario says, also after a
// decision is taken back, and its record verifies.
func TestLessonInTheMiddle(t *testing.T) {
	sc := must.Have(scenario.Read("testdata/lesson-smog.toml"))(t)
	must.Do(t, sc.Run(func(text string, _ []datafile.File) (env.Game, error) { return games.Open(text) }))
	g := openGame(t, sc.Game)
	lesson := must.Have(table.NewLesson(sc, g.Info()))(t)
	if lesson.Seat != 1 {
		t.Fatalf("the lesson is for seat %d", lesson.Seat)
	}
	if _, err := table.New(g, 1, seats(t, g, "level:1", ""),
		table.Options{Lesson: lesson, File: filepath.Join(t.TempDir(), "lesson.jsonl")}); err == nil {
		t.Error("a lesson is saved")
	}
	tab := must.Have(table.New(g, uint64(sc.Seed), seats(t, g, "level:1", ""), table.Options{Lesson: lesson}))(t)
	run(t, tab)
	s := settled(t, tab, 1)
	if !strings.Contains(tab.Text(1), "RES 9") {
		t.Fatalf("it does not begin at its position:\n%s", tab.Text(1))
	}
	must.Do(t, tab.Play(1, s.Step, s.Lesson.Action))
	s = settled(t, tab, 1)
	must.Do(t, tab.Undo(1, s.Step))
	again := settled(t, tab, 1)
	if again.Lesson.At != 0 || !strings.Contains(tab.Text(1), "RES 9") {
		t.Errorf("after it is taken back, the lesson stands at %+v:\n%s", again.Lesson, tab.Text(1))
	}
	for n := range lesson.Steps {
		s := settled(t, tab, 1)
		if err := tab.Play(1, s.Step, s.Lesson.Action); err != nil {
			t.Fatalf("decision %d: %v", n, err)
		}
	}
	for n := 0; ; n++ {
		s := settled(t, tab, 1)
		if s.Result != nil {
			break
		}
		must.Do(t, tab.Play(1, s.Step, s.Choices[n%len(s.Choices)].Action))
	}
	rec := must.Have(tab.Record())(t)
	if err := rec.Replay(g, nil); err != nil || rec.Header.Position == nil {
		t.Errorf("its record, from %s: %v", rec.Header.Position, err)
	}
	resumed := must.Have(table.Resume(g, rec, seats(t, g, "level:1", ""), table.Options{}))(t)
	if after, err := resumed.Record(); err != nil || !reflect.DeepEqual(after.Footer, rec.Footer) ||
		!bytes.Equal(after.Header.Position, rec.Header.Position) {
		t.Errorf("gone on with, its record is %+v, %v", after, err)
	}
}
