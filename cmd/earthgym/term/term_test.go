package term

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/games"
)

// laid is a table with people and agents, on seed 5.
func laid(t *testing.T, game string, seats ...string) (*table.Table, Options) {
	t.Helper()
	g := must.Have(games.Open(game))(t)
	open := func(text string) (*agents.Maker, error) { return agents.Open(text, g) }
	var taken []table.Seat
	for p := range g.Info().Players {
		text := seats[min(p, len(seats)-1)]
		if text == table.Person {
			taken = append(taken, table.Seat{})
			continue
		}
		m := must.Have(open(text))(t)
		taken = append(taken, table.Seat{Agent: m})
	}
	rules := func(words []string) (string, error) { return fmt.Sprintf("rules about %q\n", words), nil }
	o := Options{Agents: []string{"script:strong"}, Open: open, File: "game.jsonl",
		Again: "earthgym play --out game.jsonl", Script: true, Rules: rules}
	tab := must.Have(table.New(g, 5, taken, table.Options{File: filepath.Join(t.TempDir(), "game.jsonl"),
		Names: table.FromOne}))(t)
	return tab, o
}

// Scripted sessions, line by line: every command, wrong ones too, and the end of the input.
func TestPlain(t *testing.T) {
	for _, c := range []struct{ name, game, input string }{
		{"commands", "resilience-earth:players=2", "?\nlist dismantle\n37\nlist\nboard player 1\nwhy city 11\nhint\nhint " +
			"nobody\nundo\nlog 2\n\nnonsense\nboard nonsense\nwhy 3\nwhy dismantle 1\nwhy industry\nrules " +
			"tower\nstacks\n99\ncity 11\nsettle\nsettle 21\ndone\nsince\nquit\n"},
		{"plan", "resilience-earth:players=2", "try settle 11\nplan\nsend\nplan\nsettle 11\ndismantle 11\nback\nsettle " +
			"11\ntry done\ndone\n1\nback\nsettle 12\ndone\nsend\nplan\ndrop\ntry settle 11\nquit\n"},
		{"end-of-input", "one-earth", "fund 2\n"},
		{"new-earth", "new-earth:players=2", "tile A\n1\n1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab, o := laid(t, c.game, table.Person, "script:greedy")
			var out bytes.Buffer
			must.Do(t, Plain(context.Background(), strings.NewReader(c.input), &out, tab, o))
			envtest.GoldenFile(t, "plain-"+c.name+".txt", out.Bytes())
		})
	}
}

// A whole game is played to its end, whoever plays.
func TestPlainToTheEnd(t *testing.T) {
	for _, game := range []string{"resilience-earth:players=2", "one-earth:players=1", "earth-rising"} {
		tab, o := laid(t, game, table.Person, "random")
		o.Script = false
		var out bytes.Buffer
		must.Do(t, Plain(context.Background(), strings.NewReader(strings.Repeat("1\n", 5000)), &out, tab, o))
		if !strings.Contains(out.String(), "The game is over: ") {
			t.Errorf("%s does not end: …%s", game, out.String()[max(0, out.Len()-500):])
		}
	}
}

// Two people at one terminal: the hand of each, the first one's too, shows when that one says so, and leaves the screen
// before the next one comes. A script's first person is there, and nobody looks at its pages.
func TestPlainHandOver(t *testing.T) {
	cover := func(p int) string {
		return fmt.Sprintf("\nIt is the decision of player %d. Press Enter when nobody else looks.\n", p+1)
	}
	for _, script := range []bool{false, true} {
		tab, o := laid(t, "resilience-earth:players=2", table.Person)
		o.Script = script
		in, keys := io.Pipe()
		out := &lockedBuffer{changed: make(chan struct{}, 1)}
		done := make(chan error, 1)
		go func() { done <- Plain(context.Background(), in, out, tab, o) }()
		if !script {
			out.await(t, cover(0))
			if strings.Contains(out.String(), "player 1> ") {
				t.Error("player 1 is asked before it has come")
			}
			_, _ = io.WriteString(keys, "\n")
		}
		out.await(t, "player 1> ")
		_, _ = io.WriteString(keys, "done\n")
		out.await(t, cover(1))
		if strings.Contains(out.String(), "player 2> ") {
			t.Error("player 2 is asked before it has come")
		}
		if paged := strings.Contains(out.String(), strings.Repeat("\n", page)+cover(1)); paged == script {
			t.Errorf("a script: %v; a page between the hands: %v", script, paged)
		}
		_, _ = io.WriteString(keys, "\n")
		out.await(t, "player 2> ")
		_ = keys.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Nobody's eyes are those of a terminal that several share, before one of them decides.
func TestNobodyFirst(t *testing.T) {
	tab, _ := laid(t, "resilience-earth:players=3", "script:greedy", table.Person, table.Person)
	if v := viewer(tab, env.Spectator); v != env.Spectator {
		t.Errorf("player %d", v)
	}
	tab, _ = laid(t, "resilience-earth:players=3", "script:greedy", table.Person, "script:greedy")
	if v := viewer(tab, env.Spectator); v != 1 {
		t.Errorf("who is alone: player %d", v)
	}
}

// The full screen, key by key.
func TestScreen(t *testing.T) {
	tab, o := laid(t, "resilience-earth:players=2", table.Person, "script:greedy")
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- tab.Run(ctx) }()
	defer func() { // it saves at last
		cancel()
		<-ran
	}()
	await(t, tab, 0, func(s *table.Sight) bool { return s.Deciding })
	m := newScreen(ctx, tab, o)
	press := func(keys ...string) {
		for _, key := range keys {
			if cmd := m.key(key); cmd != nil {
				m.Update(cmd())
			}
		}
	}
	golden := func(name string) {
		t.Helper()
		envtest.GoldenFile(t, "screen-"+name+".txt", []byte(plainText(m.draw())+"\n"))
	}
	m.Update(tea.WindowSizeMsg{Width: 130, Height: 40})
	golden("begin")
	press("3", "7")
	golden("number")
	press("/", "s", "e", "t", "space", "2", "1")
	golden("search")
	press("enter", "enter")
	golden("settled")
	press("h")
	golden("hint")
	press("u", "?")
	golden("help")
	press("x", "p", "enter", "enter", "v")
	golden("plan")
	press("backspace", "backspace", "esc", "p", "4", "4", "enter", "/", "e", "n", "d", "enter", "enter")
	await(t, tab, 0, func(s *table.Sight) bool { return s.Deciding && s.Decision > 3 })
	m.Update(changed{})
	golden("next-turn")
	press("l")
	golden("story")
	press("l", "r")
	golden("rules")
	press("r", "w", "c", "i", "t", "y", "space", "1", "1", "enter")
	golden("why")
	press("esc", "l")
	press("l")
	m.Update(tea.WindowSizeMsg{Width: 60, Height: 30})
	golden("narrow")
	if cmd := m.key("ctrl+z"); cmd == nil || cmd() != tea.Suspend() {
		t.Error("Ctrl+Z does not suspend")
	}
	if cmd := m.key("q"); cmd == nil {
		t.Error("q does not leave")
	}
}

// However small the screen, all of the help can be read.
func TestScreenHelp(t *testing.T) {
	tab, o := laid(t, "resilience-earth:players=2", table.Person, "script:greedy")
	for _, size := range []tea.WindowSizeMsg{
		{Width: 130, Height: 14}, {Width: 130, Height: 13}, {Width: 130, Height: 12}, {Width: 80, Height: 16},
		{Width: 60, Height: 10},
		{Width: 30, Height: 3}, {Width: 60, Height: 2},
	} {
		m := newScreen(context.Background(), tab, o)
		m.Update(size)
		m.key("?")
		var read []string
		for before := ""; m.help && m.draw() != before; m.key("down") {
			before = m.draw()
			lines := strings.Split(plainText(before), "\n")
			if len(lines) != size.Height {
				t.Errorf("%v: %d lines", size, len(lines))
			}
			for _, line := range lines {
				read = append(read, strings.Fields(line)...)
			}
			for _, line := range lines[:len(lines)-1] { // What doesn't fit goes on below the words, not below the keys.
				left := strings.TrimSpace(fmt.Sprintf("%-19.19s", line))
				if size.Width == 60 && !strings.Contains("\n"+screenHelp, "\n"+left) {
					t.Errorf("%v: %q stands where a key is", size, left)
				}
			}
		}
		for _, word := range strings.Fields(screenHelp) {
			if !slices.Contains(read, word) {
				t.Errorf("%v: %q does not show", size, word)
			}
		}
		if end := m.draw(); m.help { // It is longer than the screen.
			if m.key("pgup"); !m.help || m.draw() == end {
				t.Errorf("%v: pgup does not move the help", size)
			}
			m.key("x")
		}
		if m.help {
			t.Errorf("%v: x does not leave the help", size)
		}
	}
}

// A sealed choice on the full screen: before it, and when the seat waits for others.
func TestScreenSealed(t *testing.T) {
	tab, o := laid(t, "one-earth:players=3,mode=advanced", table.Person)
	luck := env.NewStream(5, "sealed")
	var s *table.Sight
	for n := 0; ; n++ {
		if s = asked(t, tab); s.Sealed {
			break
		}
		if s.Result != nil || n > 300 {
			t.Fatal("nothing is sealed in this game")
		}
		must.Do(t, tab.Play(s.Viewer, s.Step, s.Choices[luck.Below(len(s.Choices))].Action))
	}
	m := newScreen(context.Background(), tab, o)
	m.Update(tea.WindowSizeMsg{Width: 130, Height: 40})
	golden := func(name string) {
		t.Helper()
		envtest.GoldenFile(t, "screen-"+name+".txt", []byte(plainText(m.draw())+"\n"))
	}
	press := func(keys ...string) {
		for _, key := range keys {
			if cmd := m.key(key); cmd != nil {
				m.Update(cmd())
			}
		}
	}
	press("enter") // The first one is there.
	golden("sealed")
	press("enter")
	m.Update(changed{})
	golden("hand-over")
	press("enter")
	golden("envelope")
}

// asked is what the seat sees that is to decide, or a spectator at the end.
func asked(t *testing.T, tab *table.Table) *table.Sight {
	t.Helper()
	for p := range tab.Info().Players {
		if tab.Asks(env.Player(p)) {
			return look(t, tab, env.Player(p))
		}
	}
	return look(t, tab, env.Spectator)
}

func look(t *testing.T, tab *table.Table, p env.Player) *table.Sight {
	t.Helper()
	return must.Have(tab.Look(p))(t)
}

// lesson is the table of a game's first lesson, with a bot in the other seats.
func lesson(t *testing.T, game string) (*table.Table, *table.Lesson) {
	t.Helper()
	sc := must.Have(games.Lesson(game))(t)
	g := must.Have(games.Open(sc.Game))(t)
	lesson := must.Have(table.NewLesson(sc, g.Info()))(t)
	level := must.Have(agents.Open("level:1", g))(t)
	seats := make([]table.Seat, g.Info().Players)
	for p := range seats {
		if p != int(lesson.Seat) {
			seats[p].Agent = level
		}
	}
	tab := must.Have(table.New(g, uint64(sc.Seed), seats, table.Options{Lesson: lesson}))(t)
	return tab, lesson
}

// A lesson on the full screen: what it says, what it refuses, what it shows.
func TestScreenLesson(t *testing.T) {
	tab, _ := lesson(t, "resilience-earth")
	m := newScreen(context.Background(), tab, Options{})
	m.Update(tea.WindowSizeMsg{Width: 130, Height: 40})
	golden := func(name string, keys ...string) {
		t.Helper()
		for _, key := range keys {
			if cmd := m.key(key); cmd != nil {
				m.Update(cmd())
			}
		}
		envtest.GoldenFile(t, "screen-lesson-"+name+".txt", []byte(plainText(m.draw())+"\n"))
	}
	golden("begin")
	golden("refused", "1", "enter")
	golden("shown", "h")
	golden("played", "enter")
}

// Whatever a first lesson says can be read on the screens that people have.
func TestScreenLessonFits(t *testing.T) {
	if testing.Short() {
		t.Skip("what goes on at the same time does so in shorter tests too")
	}
	squeeze := strings.NewReplacer(" ", "", "\n", "", "│", "")
	sizes := []tea.WindowSizeMsg{
		{Width: 80, Height: 24}, {Width: 72, Height: 20}, {Width: 120, Height: 24}, {Width: 120, Height: 12},
	}
	for _, rb := range games.All() {
		tab, lesson := lesson(t, rb.Name)
		ctx, cancel := context.WithCancel(context.Background())
		ran := make(chan error, 1)
		go func() { ran <- tab.Run(ctx) }()
		m := newScreen(ctx, tab, Options{})
		for told := 0; ; told++ {
			await(t, tab, lesson.Seat, func(s *table.Sight) bool { return s.Deciding || s.Result != nil })
			m.Update(changed{})
			said := m.sight.Lesson
			if said == nil || said.Finished || said.Action < 0 {
				if told < 8 {
					t.Errorf("%s: the lesson ends after %d decisions", rb.Name, told)
				}
				break
			}
			for _, size := range sizes {
				m.Update(size)
				var left strings.Builder // of the choices, on a wide screen
				for line := range strings.Lines(plainText(m.draw())) {
					letters := []rune(line)
					left.WriteString(string(letters[:min(len(letters), m.layout().left)]))
				}
				drawn := squeeze.Replace(left.String())
				for _, line := range lessonLines(said) {
					if !strings.Contains(drawn, squeeze.Replace(line)) {
						t.Errorf("%s, %v: does not show: %s", rb.Name, size, line)
					}
				}
			}
			m.report(tab.Play(lesson.Seat, m.sight.Step, said.Action))
			if m.note != "" {
				t.Fatal(m.note)
			}
		}
		cancel()
		<-ran
	}
}

// A recorded game, key by key.
func TestWalk(t *testing.T) {
	g := must.Have(games.Open("earth-rising:players=2,hands=closed"))(t)
	ref := must.Have(referee.New(g, 5))(t)
	for range 30 {
		m := ref.View().Mask()
		must.Do(t, ref.Play(m.Nth(m.Count()/2)))
	}
	w := must.Have(newWalk(ref.Record([]string{"human:Ada", "ben"}), g))(t)
	w.Update(tea.WindowSizeMsg{Width: 110, Height: 40})
	golden := func(name string, keys ...string) {
		t.Helper()
		for _, key := range keys {
			w.key(key)
		}
		envtest.GoldenFile(t, "walk-"+name+".txt", []byte(plainText(w.draw())+"\n"))
	}
	golden("begin")
	golden("seat", "right", "right", "left", "tab", "tab")
	golden("number", "1", "2", "enter", "down")
	golden("end", "end", "right")
	w.Update(tea.WindowSizeMsg{Width: 80, Height: 60})
	if text := plainText(w.draw()); strings.Contains(text, "…") {
		t.Errorf("on 80 columns something is cut off:\n%s", text)
	}
	if cmd := w.key("ctrl+z"); cmd == nil || cmd() != tea.Suspend() {
		t.Error("Ctrl+Z does not suspend")
	}
	if cmd := w.key("q"); cmd == nil {
		t.Error("q does not leave")
	}
}

// await waits until a viewer sees something.
func await(t *testing.T, tab *table.Table, p env.Player, sees func(*table.Sight) bool) {
	t.Helper()
	late := time.After(10 * time.Minute)
	for {
		next := tab.Changed()
		s := must.Have(tab.Look(p))(t)
		if sees(s) {
			return
		}
		select {
		case <-next:
		case <-late:
			t.Fatal("it does not come")
		}
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plainText is a screen without colours and blanks at the ends of lines.
func plainText(screen string) string {
	var lines []string
	for _, line := range strings.Split(escapes.ReplaceAllString(screen, ""), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}

// On a screen of 80 × 24 the planet shows, beside choices and what has happened; Tab leads through the parts of a
// longer table, and at the end the reason shows, and who has won.
func TestScreenLow(t *testing.T) {
	low := func(game string, taken ...string) *screen {
		tab, o := laid(t, game, taken...)
		m := newScreen(context.Background(), tab, o)
		m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		if m.cover {
			m.key("enter")
		}
		return m
	}
	shows := func(m *screen, what string, lines int) {
		t.Helper()
		screen := plainText(m.draw())
		if n := strings.Count(screen, "\n") + 1; n > 24 {
			t.Errorf("%d lines", n)
		}
		if n := len(regexp.MustCompile(what).FindAllString(screen, -1)); n < lines {
			t.Errorf("%d lines with %s, not %d:\n%s", n, what, lines, screen)
		}
	}
	m := low("resilience-earth", table.Person)
	shows(m, `(?m)^ *\d\d \..*$`, 12)
	shows(m, `(?m) \d 1\d$`, 3)
	shows(m, `q quit`, 1)
	m.o.Rules = func([]string) (string, error) { return "first\nsecond" + strings.Repeat(" word", 14) + " last\n", nil }
	m.key("r")
	shows(m, `(?m)^second.*word$|^last$`, 1)
	m.Update(tea.WindowSizeMsg{Width: 60, Height: 24}) // while they are read
	shows(m, `(?m)^(first|second.*|.*last)$`, 3)
	m.key("r")
	m = low("earthmans-burden", table.Person)
	shows(m, `score 0 0 0 0`, 1)
	for range 2 {
		m.key("tab")
	}
	shows(m, `(?m)^(mercury|venus|earth|luna|mars|ceres|io|europa|ganymede|callisto|titan|triton) `, 12)
	m = low("new-earth", table.Person)
	m.sight.Choices = m.sight.Choices[:2]
	shows(m, `\(NE-\s*\d+\)`, 1) // at the end of a question of two lines
	m = low("resilience-earth:players=2,tower=limit,tower_limit=1", table.Person)
	for m.sight.Result == nil {
		m.Update(changed{})
		m.key("enter")
		if m.cover {
			m.key("enter")
		}
		m.at = len(m.sight.Choices) / 3
	}
	shows(m, `The game is over: .*fallen`, 1)
	shows(m, `score \d+, wins`, 1)
}

// The seats have their colours wherever a line names them.
func TestColoured(t *testing.T) {
	tab, o := laid(t, "resilience-earth", table.Person, "script:greedy")
	must.Do(t, tab.Sit(0, table.Seat{Name: "Ada"}))
	m := newScreen(context.Background(), tab, o)
	ada, second := seatStyle(tab.Info(), 0), seatStyle(tab.Info(), 1)
	line := "65 p1s up1 Ada, Player 2 and Player 12"
	want := "65 " + ada.Render("p1s") + " up1 " + ada.Render("Ada") + ", " + second.Render("Player 2") + " and Player 12"
	if got := m.coloured(line); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The same answer to all questions that follow is one word, or one key.
func TestSame(t *testing.T) {
	tab, _ := laid(t, "new-earth:players=3", table.Person)
	luck := env.NewStream(4, "same")
	for range 500 {
		all, err := tab.Look(env.Spectator)
		if err != nil || all.Result != nil {
			t.Fatal("no question came again: ", err)
		}
		now := must.Have(tab.Look(all.Actor))(t)
		p := plan{on: true}
		if err := p.same(tab, now); err == nil {
			t.Fatal("there is nothing to be made again")
		}
		for choices := now.Choices; len(p.actions) == 0 || p.draft.Open && p.draft.Inside; choices = p.draft.Choices {
			must.Do(t, p.add(tab, now, choices[luck.Below(len(choices))].Action))
			n, again := len(p.actions), p.draft.Same
			if told := strings.Contains(strings.Join(p.lines(), "\n"), "the same for all"); told != (again > 1) {
				t.Fatalf("told that %d may follow: %v", again, told)
			}
			if again > 1 {
				if err := p.same(tab, now); err != nil || len(p.actions) != n+again || p.actions[n] != p.actions[n-1] {
					t.Errorf("%d times more: %v, %v", again, p.actions, err)
				}
				return
			}
		}
		must.Do(t, tab.PlayAll(now.Viewer, now.Step, p.actions))
	}
	t.Error("no question came again")
}
