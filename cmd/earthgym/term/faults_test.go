package term

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
)

// pass plays until another person decides.
func pass(t *testing.T, tab *table.Table) {
	t.Helper()
	s := asked(t, tab)
	i := slices.IndexFunc(s.Choices, func(c table.Choice) bool { return c.Text == "done" })
	must.Do(t, tab.Play(s.Viewer, s.Step, s.Choices[i].Action))
}

// What one person was told, planned or looked for does not stand on the screen of the next.
func TestScreenHandsNothingOver(t *testing.T) {
	tab, o := laid(t, "resilience-earth:players=2", table.Person)
	m := newScreen(context.Background(), tab, o)
	if !m.cover {
		t.Error("the first person's hand shows at once")
	}
	m.key("enter")
	hint := m.key("h")() // It comes when the next one sits there.
	for _, key := range []string{"p", "enter", "/", "s"} {
		m.key(key)
	}
	m.note = "what only player 0 may know"
	pass(t, tab)
	m.Update(changed{})
	m.Update(hint)
	if m.key("enter"); m.cover || m.viewer != 1 {
		t.Fatalf("player %d is at the screen", m.viewer)
	}
	if m.note != "" || m.plan.on || m.typing || m.search != "" {
		t.Errorf("player 1 gets the note %q, a plan: %v, a search: %v, %q", m.note, m.plan.on, m.typing, m.search)
	}
}

// Each person at a shared screen is told what has happened since a decision of its own.
func TestScreenSince(t *testing.T) {
	tab, o := laid(t, "resilience-earth:players=2", table.Person)
	m := newScreen(context.Background(), tab, o)
	m.key("enter") // The first one is there.
	for range 3 {
		for _, key := range []string{"/", "e", "n", "d", "space", "t", "u", "r", "n", "enter", "enter"} {
			m.key(key)
		}
		if m.cover {
			m.key("enter")
		}
	}
	if story := strings.Join(m.story(20, 80), "\n"); !strings.Contains(story,
		"Round 2 begins") || strings.Count(story, "You end your turn.") != 1 {
		t.Errorf("player %d is told of this since its last decision:\n%s", m.viewer, story)
	}
}

// However small the screen: what is chosen from shows, and nothing is drawn beyond it.
func TestScreenSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("what goes on at the same time does so in shorter tests too")
	}
	tab, o := laid(t, "resilience-earth:players=2", table.Person, "script:greedy")
	m := newScreen(context.Background(), tab, o)
	for _, width := range []int{24, 60, 109, 110, 200} {
		for height := 6; height < 40; height++ {
			m.Update(tea.WindowSizeMsg{Width: width, Height: height})
			screen := plainText(m.draw())
			if h := lipgloss.Height(screen); h > height {
				t.Errorf("%d x %d: %d lines are drawn", width, height, h)
			}
			if !strings.Contains(screen, ">   1 ") {
				t.Errorf("%d x %d: the marked choice does not show:\n%s", width, height, screen)
			}
		}
	}
}

// The table moves by each key that moves it, from its end too.
func TestScreenScrolls(t *testing.T) {
	tab, o := laid(t, "resilience-earth:players=2", table.Person, "script:greedy")
	m := newScreen(context.Background(), tab, o)
	m.Update(tea.WindowSizeMsg{Width: 100, Height: 40})
	for range 50 {
		m.key("pgdown")
	}
	end := m.draw()
	if m.key("pgup"); m.draw() == end {
		t.Error("PgUp at the end of the table moves nothing")
	}
}

// Whoever interrupts a screen is not told of an error, whoever meets a fault of the program is.
func TestScreenEnds(t *testing.T) {
	for _, err := range []error{nil, tea.ErrInterrupted, fmt.Errorf("%w: %w", tea.ErrProgramKilled, context.Canceled)} {
		if got := ended(err); got != nil {
			t.Errorf("%v is told as %v", err, got)
		}
	}
	if ended(fmt.Errorf("%w: %w", tea.ErrProgramKilled, tea.ErrProgramPanic)) == nil {
		t.Error("a panic looks like an end that was asked for")
	}
}

// What is pasted into a search is searched for.
func TestScreenPaste(t *testing.T) {
	tab, o := laid(t, "resilience-earth:players=2", table.Person, "script:greedy")
	m := newScreen(context.Background(), tab, o)
	m.Update(tea.PasteMsg{Content: "q"}) // but is no key
	m.key("/")
	m.Update(tea.PasteMsg{Content: "settle\t21\n"})
	if n := len(m.shown()); m.search != "settle 21" || n != 1 {
		t.Errorf("%q finds %d choices", m.search, n)
	}
}

// A line of any length is answered, and the lines behind it too.
func TestPlainLongLine(t *testing.T) {
	tab, o := laid(t, "resilience-earth:players=2", table.Person, "script:greedy")
	o.Script = false
	var out bytes.Buffer
	in := strings.Repeat("a", 1<<17) + "\nlog 1\r\nquit"
	must.Do(t, Plain(context.Background(), strings.NewReader(in), &out, tab, o))
	if n := strings.Count(out.String(), "player 1> "); n != 3 {
		t.Errorf("3 lines have %d prompts", n)
	}
}

// Who leaves a game that can't be saved is not told that it is.
func TestPlainUnsaved(t *testing.T) {
	folders := filepath.Dir(t.TempDir())
	tab, o := laid(t, "resilience-earth:players=2", table.Person, "script:greedy")
	if err := os.RemoveAll(folders); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := Plain(context.Background(), strings.NewReader("1\nquit\n"), &out, tab, o)
	if err != nil || !strings.HasSuffix(out.String(), "The last decisions are not saved.\n") || tab.Save() == nil {
		t.Errorf("%v: …%q", err, out.String()[max(0, out.Len()-100):])
	}
}

// Who leaves while the terminal changes hands is told where the game is.
func TestPlainLeftBetween(t *testing.T) {
	tab, o := laid(t, "resilience-earth:players=2", table.Person)
	in, keys := io.Pipe()
	defer keys.Close()
	out := &lockedBuffer{changed: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Plain(ctx, in, out, tab, o) }()
	out.await(t, "player 1> ")
	_, _ = io.WriteString(keys, "done\n")
	out.await(t, "Press Enter")
	cancel()
	if err := <-done; err != nil || !strings.Contains(out.String(), "The game is saved in") {
		t.Errorf("%v: …%q", err, out.String()[max(0, len(out.String())-100):])
	}
}

// People at one terminal are told each line of their own story once, whatever secrets make it longer than another's.
func TestPlainToldOnce(t *testing.T) {
	tab, o := laid(t, "earth-rising:players=2,hands=closed", table.Person)
	luck := env.NewStream(5, "told")
	var out bytes.Buffer
	p := &plain{t: tab, o: o, out: &out, viewer: 0, begun: true}
	for before := make([]int, 2); ; {
		s := asked(t, tab)
		if s.Result != nil || s.Decision > 200 {
			break
		}
		if s.Viewer != p.viewer {
			pressed := make(chan string, 1)
			pressed <- ""
			if !p.handOver(t.Context(), s.Viewer, pressed) {
				t.Fatal("nobody takes over")
			}
		}
		out.Reset()
		must.Have(p.tell())(t)
		want := ""
		for _, line := range s.Log[before[s.Viewer]:] {
			want += line.Text + "\n"
		}
		if out.String() != want {
			t.Fatalf("decision %d: player %d is told %q, and not %q", s.Decision, s.Viewer, &out, want)
		}
		for q := range before {
			before[q] = len(look(t, tab, env.Player(q)).Log)
		}
		must.Do(t, tab.Play(s.Viewer, s.Step, s.Choices[luck.Below(len(s.Choices))].Action))
	}
}
