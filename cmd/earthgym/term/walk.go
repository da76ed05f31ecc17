package term

import (
	"context"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/spelling"
	"earthgym/env/story"
)

// Walk verifies a record and shows it on the full screen, to be walked through with the arrow keys.
func Walk(ctx context.Context, in io.Reader, out io.Writer, rec *record.Record, g env.Game) error {
	w, err := newWalk(rec, g)
	if err != nil {
		return err
	}
	_, err = tea.NewProgram(w, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out)).Run()
	return ended(err)
}

// A walk is a recorded game on the full screen.
type walk struct {
	info          *env.Info
	agents        []string
	tells         *table.Speaker
	width, height int
	places        []place
	at            int    // the position that is shown
	eyes          int    // which text of a place is shown
	top           int    // first line of the table that is shown
	number        string // digits typed so far
}

// A place is a position of the game: the table as text and what led to it, for spectators and every seat.
type place struct {
	texts   []string
	stories [][]string
}

func newWalk(rec *record.Record, g env.Game) (*walk, error) {
	narrator, err := story.NewNarrator(g)
	if err != nil {
		return nil, err
	}
	w := &walk{info: g.Info(), agents: rec.Header.Agents,
		tells: table.SpeakerOf(table.FromOne, g.Info(), rec.Header.Agents), width: 100, height: 40}
	err = rec.Follow(g, func(_ int, step *env.Step) error {
		var at place
		for i := range w.info.Players + 1 {
			v := w.viewerOf(i)
			text := w.tells.Spoken(env.TextView(step.After, v), env.Over)
			var story []string
			for _, s := range narrator.Tell(step, v) {
				story = append(story, spelling.Printable(w.tells.Spoken(s.Text, v)))
			}
			at.texts, at.stories = append(at.texts, text), append(at.stories, story)
		}
		w.places = append(w.places, at)
		return nil
	})
	return w, err
}

// viewerOf is whose the i-th text of a place is: spectators first.
func (w *walk) viewerOf(i int) env.Player {
	if i == 0 {
		return env.Spectator
	}
	return env.Player(i - 1)
}

// Init has nothing to do.
func (w *walk) Init() tea.Cmd { return nil }

// Update follows a key, or a change of the window.
func (w *walk) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.width, w.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return w, w.key(msg.String())
	}
	return w, nil
}

func (w *walk) key(key string) tea.Cmd {
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' {
		w.number += key
		return nil
	}
	to := w.at
	switch key {
	case "q", "ctrl+c", "esc":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	case "right", "l", "space":
		to++
	case "left", "h", "backspace":
		to--
	case "pgdown":
		to += 10
	case "pgup":
		to -= 10
	case "home", "g":
		to = 0
	case "end", "G":
		to = len(w.places) - 1
	case "enter":
		if _, err := fmt.Sscan(w.number, &to); err != nil {
			to = w.at
		}
	case "down", "j":
		w.top++
	case "up", "k":
		w.top = max(0, w.top-1)
	case "tab":
		w.eyes = (w.eyes + 1) % (w.info.Players + 1)
	}
	w.number = ""
	w.at = max(0, min(len(w.places)-1, to))
	return nil
}

// View draws the screen.
func (w *walk) View() tea.View { return fullScreen(w.info, w.draw()) }

// draw is the screen as text: the story so far over the table.
func (w *walk) draw() string {
	who := "spectators"
	if v := w.viewerOf(w.eyes); v >= 0 {
		who = w.tells.Called(v)
		if name := w.agents[v]; name != "" && w.tells.Seats[v] == "" {
			who += " (" + spelling.Printable(name) + ")"
		}
	}
	head := titleStyle.Render(w.info.Title) + "  " +
		quietStyle.Render(fmt.Sprintf("decision %d of %d, seen by %s", w.at, len(w.places)-1, who))
	foot := quietStyle.Render(cut("← → one  PgUp PgDn ten  Home End  number Enter  ↑ ↓ table  Tab seat  q quit",
		w.width))
	storyHeight := max(5, min(12, w.height/4))
	boardHeight := max(5, w.height-2-storyHeight)
	lines := folded(strings.Split(strings.TrimRight(w.places[w.at].texts[w.eyes], "\n"), "\n"), w.width-2)
	w.top = min(w.top, max(0, len(lines)-boardHeight+2))
	shown := lines[w.top:min(len(lines), w.top+boardHeight-2)]
	return lipgloss.JoinVertical(lipgloss.Left, head, pane("Story", w.story(storyHeight-2), w.width, storyHeight),
		pane("Table", shown, w.width, boardHeight), foot)
}

// story is what led to the position, below the end of what came before.
func (w *walk) story(height int) []string {
	var now []string
	for _, text := range w.places[w.at].stories[w.eyes] {
		now = append(now, wrapped(text, w.width-2)...)
	}
	for i := range now {
		now[i] = titleStyle.Render(now[i])
	}
	var before []string
	for n := w.at - 1; n >= 0 && len(before)+len(now) < height; n-- {
		var lines []string
		for _, text := range w.places[n].stories[w.eyes] {
			lines = append(lines, wrapped(text, w.width-2)...)
		}
		before = append(lines, before...)
	}
	lines := append(before, now...)
	return lines[max(0, len(lines)-height):]
}
