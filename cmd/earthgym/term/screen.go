package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/spelling"
)

// Screen plays at a table on the full screen, until the person leaves, the input ends or the context is done. The table
// is run meanwhile. The game is saved in any case.
func Screen(ctx context.Context, in io.Reader, out io.Writer, t *table.Table, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	go func() { ran <- t.Run(ctx) }()
	m := newScreen(ctx, t, o)
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out))
	go follow(ctx, t, p.Send)
	_, err := p.Run()
	cancel()
	runErr := <-ran
	switch err = ended(err); {
	case err != nil:
		return err
	case runErr != nil && !errors.Is(runErr, context.Canceled):
		return runErr
	}
	text := o.whereSaved(t) + "\n"
	if m.sight.Result != nil {
		text = resultText(t.Info(), m.sight) + "\n" + o.recorded(t)
	}
	_, err = io.WriteString(out, text)
	return err
}

// ended is why a full screen has ended, nil if that was asked for: by a signal too, of which the library and the
// context may tell first.
func ended(err error) error {
	asked := errors.Is(err, tea.ErrInterrupted) || errors.Is(err, tea.ErrProgramKilled) || errors.Is(err, context.Canceled)
	if asked && !errors.Is(err, tea.ErrProgramPanic) {
		return nil
	}
	return err
}

// changed says that the table may look otherwise now.
type changed struct{}

// follow sends on every change of the table.
func follow(ctx context.Context, t *table.Table, send func(tea.Msg)) {
	for {
		next := t.Changed()
		send(changed{})
		select {
		case <-next:
		case <-ctx.Done():
			return
		}
	}
}

// hinted is what an agent has answered, for a viewer at a step.
type hinted struct {
	viewer env.Player
	step   int
	text   string
}

// A screen is what stands on the full screen.
type screen struct {
	ctx           context.Context
	t             *table.Table
	o             Options
	width, height int

	sight    *table.Sight
	cover    bool       // another person is to come to the screen
	viewer   env.Player // whose eyes it has
	board    []string
	marks    *regexp.Regexp // of the seats in a line
	at       int            // the choice that is marked, among those shown
	search   string         // of the choices
	typing   bool           // the search is being typed
	top      int            // first line of the table that is shown
	help     bool
	helped   int                // first line of the help that is shown
	log      bool               // the whole story stands in the table's place
	rules    []string           // so do the rules, unless they are nil
	asking   bool               // why something is not possible is being typed
	moved    bool               // somebody has moved the table
	adviser  int                // who is asked for the next hint
	note     string             // an answer, an error, a hint
	last     map[env.Player]int // lines of each viewer's log before its last decision
	number   string             // digits typed so far
	deciding int                // the step for which the marks are
	plan     plan
	taught   bool // the lesson is over, and another decision has been made since
}

func newScreen(ctx context.Context, t *table.Table, o Options) *screen {
	m := &screen{ctx: ctx, t: t, o: o, width: 100, height: 40, viewer: env.Spectator, last: map[env.Player]int{},
		deciding: -1}
	m.look()
	return m
}

// Init has nothing to do: the first change comes at once.
func (m *screen) Init() tea.Cmd { return nil }

// look takes the table as it is now.
func (m *screen) look() {
	if v := viewer(m.t, m.viewer); v != m.viewer {
		m.cover, m.viewer, m.at, m.top, m.moved, m.rules = true, v, 0, 0, false, nil
		m.search, m.number, m.note, m.typing = "", "", "", false
		m.plan.clear(false)
	}
	s, err := m.t.Look(m.viewer)
	if err != nil {
		m.note = err.Error()
		return
	}
	m.sight = m.plan.over(s)
	m.cover = m.cover && people(s) > 1
	m.board = strings.Split(boardText(m.t, m.viewer), "\n")
	if d := m.plan.draft; d != nil && d.Text != "" {
		m.board = strings.Split(env.WithoutActions(d.Text), "\n")
	}
	m.marks = seatMarks(m.t.Info(), s)
	if s.Deciding && s.Step != m.deciding {
		m.deciding, m.at, m.search, m.number = s.Step, 0, "", ""
	}
}

// shown are the places of the choices that the search leaves, in the order in which they stand on the screen.
func (m *screen) shown() (places []int) {
	for _, g := range groups(m.sight.Choices, m.search) {
		places = append(places, g.places...)
	}
	return places
}

// Update follows a key, a change of the table or of the window.
func (m *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case changed:
		m.look()
	case hinted:
		if msg.viewer == m.viewer && msg.step == m.sight.Step { // otherwise it would tell another one's secrets
			m.note = msg.text
		}
	case tea.PasteMsg:
		if m.typing && !m.cover {
			m.search, m.at = m.search+spelling.Printable(strings.Join(strings.Fields(msg.Content), " ")), 0
		}
	case tea.KeyPressMsg:
		return m, m.key(msg.String())
	}
	return m, nil
}

func (m *screen) key(key string) tea.Cmd {
	switch {
	case key == "ctrl+c":
		return tea.Quit
	case key == "ctrl+z":
		return tea.Suspend
	case m.cover:
		m.cover = key != "enter"
		return nil
	case m.typing:
		m.edit(key)
		return nil
	case m.help:
		m.leaf(key)
		return nil
	}
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' {
		m.number += key
		m.mark()
		return nil
	}
	places := m.shown()
	switch key {
	case "q":
		return tea.Quit
	case "?":
		m.help, m.helped = true, 0
	case "up", "k":
		m.number, m.at = "", max(0, m.at-1)
	case "down", "j":
		m.number, m.at = "", max(0, min(len(places)-1, m.at+1))
	case "pgup", "pgdown":
		by := 5
		if key == "pgup" {
			by = -5
		}
		m.top, m.moved = max(0, min(m.bottom(), m.first()+by)), true
	case "tab":
		m.turn()
	case "/":
		m.typing, m.search, m.at = true, "", 0
	case "w":
		m.typing, m.asking, m.search, m.at = true, true, "", 0
	case "r":
		m.readRules()
	case "esc":
		m.search, m.number, m.note, m.at, m.rules, m.log, m.moved = "", "", "", 0, nil, false, false
	case "enter":
		m.choose(places)
	case "u", "backspace":
		switch {
		case len(m.plan.actions) > 0:
			m.replan(m.plan.back(m.t, m.sight))
		case key == "u":
			m.report(m.t.Undo(m.viewer, m.sight.Step))
		}
	case "p":
		m.plan.clear(!m.plan.on)
		m.replan(nil)
	case "s":
		m.send()
	case "a":
		if m.plan.on {
			m.replan(m.plan.same(m.t, m.sight))
		}
	case "v":
		m.preview(places)
	case "h":
		if l := m.sight.Lesson; l != nil && l.Action >= 0 {
			m.note = shown(m.sight)
			m.markAction(l.Action)
			return nil
		}
		return m.hint()
	case "l":
		m.log, m.rules, m.moved = !m.log, nil, false
		if m.log {
			m.top, m.moved = m.bottom(), true
		}
	}
	return nil
}

// turn goes to the next part of the table, which begins behind an empty line; from the last one to the first.
func (m *screen) turn() {
	body, from := m.body(), m.first()
	m.moved = true
	for i := from + 1; i < len(body) && from < m.bottom(); i++ {
		if strings.TrimSpace(body[i-1]) == "" && strings.TrimSpace(body[i]) != "" {
			m.top = min(i, m.bottom())
			return
		}
	}
	m.top = 0
}

// readRules shows the rules that the question names and how to play in the place of the table, or the table again.
func (m *screen) readRules() {
	if m.log, m.moved = false, false; m.rules != nil {
		m.rules = nil
		return
	}
	for _, id := range append(ruleID.FindAllString(m.sight.Question, -1), "") {
		for line := range strings.SplitSeq(m.o.rules(id)+"\n", "\n") {
			m.rules = append(m.rules, spelling.Printable(line))
		}
	}
	m.top, m.moved = 0, true
}

var ruleID = regexp.MustCompile(`\b[A-Z]{2}-\d[\d.]*\d\b`)

// leaf follows a key of the help: it is moved, where it is longer than the screen, or left.
func (m *screen) leaf(key string) {
	_, last := m.helpLines()
	by := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -max(1, m.height-1),
		"pgdown": max(1, m.height-1)}[key]
	if last == 0 || by == 0 {
		m.help = false
		return
	}
	m.helped = max(0, min(last, m.helped+by))
}

func (m *screen) edit(key string) {
	switch {
	case key == "enter" && m.asking:
		m.note = why(m.t, m.sight, m.plan.actions, strings.TrimSpace(m.search))
		m.typing, m.asking, m.search = false, false, ""
	case key == "enter":
		m.typing = false
	case key == "esc":
		m.typing, m.asking, m.search = false, false, ""
	case key == "backspace":
		_, size := utf8.DecodeLastRuneInString(m.search)
		m.search = m.search[:len(m.search)-size]
	case key == "space":
		m.search += " "
	case utf8.RuneCountInString(key) == 1:
		m.search += key
	}
	m.at = 0
}

// mark marks the choice whose number has been typed.
func (m *screen) mark() {
	n := 0
	if _, err := fmt.Sscan(m.number, &n); err != nil || n < 1 || n > len(m.sight.Choices) {
		m.note, m.number = fmt.Sprintf("There is no choice %s: they are 1 to %d.", m.number, len(m.sight.Choices)), ""
		return
	}
	m.search = ""
	m.at = slices.Index(m.shown(), n-1)
}

func (m *screen) markAction(a env.Action) {
	m.search, m.number = "", ""
	m.at = max(0, slices.IndexFunc(m.shown(), func(place int) bool { return m.sight.Choices[place].Action == a }))
}

func (m *screen) choose(places []int) {
	if !m.sight.Deciding || m.at >= len(places) {
		return
	}
	if m.plan.on {
		m.replan(m.plan.add(m.t, m.sight, m.sight.Choices[places[m.at]].Action))
		return
	}
	m.taught = m.sight.Lesson != nil && m.sight.Lesson.Finished
	m.last[m.viewer] = len(m.sight.Log)
	m.report(m.t.Play(m.viewer, m.sight.Step, m.sight.Choices[places[m.at]].Action))
}

// replan shows the table as the plan would leave it.
func (m *screen) replan(err error) {
	m.at, m.search, m.number = 0, "", ""
	m.report(err)
}

func (m *screen) send() {
	if len(m.plan.actions) == 0 {
		return
	}
	actions, step := m.plan.actions, m.sight.Step
	m.plan.clear(false)
	m.taught = m.sight.Lesson != nil && m.sight.Lesson.Finished
	m.last[m.viewer] = len(m.sight.Log)
	m.report(m.t.PlayAll(m.viewer, step, actions))
}

// preview notes what the marked choice would bring.
func (m *screen) preview(places []int) {
	if !m.sight.Deciding || m.at >= len(places) {
		return
	}
	lines, err := m.plan.preview(m.t, m.sight, m.sight.Choices[places[m.at]].Action)
	if err != nil {
		lines = []string{err.Error()}
	}
	m.note = strings.Join(lines, "\n")
}

// report notes an error, and takes a new look.
func (m *screen) report(err error) {
	m.note = ""
	m.look()
	if err != nil {
		m.note = err.Error()
	}
}

// hint asks an agent, aside: another one each time.
func (m *screen) hint() tea.Cmd {
	if !m.sight.Deciding {
		return nil
	}
	agent := ""
	if n := len(m.o.Agents); n > 0 {
		agent = m.o.Agents[m.adviser%n]
		m.adviser++
	}
	m.note = "asking " + agent + " …"
	s := m.sight
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, time.Minute)
		defer cancel()
		text, err := m.o.hint(ctx, m.t, s, agent)
		if err != nil {
			text = err.Error()
		}
		return hinted{s.Viewer, s.Step, text}
	}
}

var (
	titleStyle  = lipgloss.NewStyle().Bold(true)
	quietStyle  = lipgloss.NewStyle().Faint(true)
	markedStyle = lipgloss.NewStyle().Reverse(true)
	paneStyle   = lipgloss.NewStyle().Border(lipgloss.RoundedBorder())
)

// seatStyle is the colour of a seat: one of the terminal's own, which are to be read on its ground, like that of the
// board.
func seatStyle(info *env.Info, p env.Player) lipgloss.Style {
	colours := []string{"9", "12", "11", "13", "10", "14"}
	if info.Seats != nil { // They are called by their colours.
		colours = []string{"12", "9", "10", "11"}
	}
	return lipgloss.NewStyle().Foreground(lipgloss.Color(colours[int(p)%len(colours)]))
}

// seatMarks finds the seats in a line: what each is called, its mark, and in New Earth its colour.
func seatMarks(info *env.Info, s *table.Sight) *regexp.Regexp {
	var each []string
	for p, seat := range s.Seats {
		names := regexp.QuoteMeta(spelling.Printable(seat.Called)) + `\b` + fmt.Sprintf(`|\bp%d(?:\b|(?:[sci]|x\d+)\b)`, p+1)
		if info.Seats != nil {
			names += `|\b` + info.Seats[p] + `\b`
		}
		each = append(each, "("+names+")")
	}
	return regexp.MustCompile(strings.Join(each, "|"))
}

// coloured is a line in which the seats have their colours.
func (m *screen) coloured(line string) string {
	var b strings.Builder
	from := 0
	for _, at := range m.marks.FindAllStringSubmatchIndex(line, -1) {
		for p := range m.sight.Seats {
			if at[2*p+2] >= 0 {
				b.WriteString(line[from:at[0]] + seatStyle(m.t.Info(), env.Player(p)).Render(line[at[0]:at[1]]))
				from = at[1]
			}
		}
	}
	return b.String() + line[from:]
}

const screenHelp = `Arrows (or k, j)   mark a choice
Digits             mark a choice by its number
/ words            only choices with these words; Esc shows all again
Enter              choose what is marked
PgUp, PgDn         move the table; Tab goes to its next part
v                  what the marked choice would bring
p                  plan: compose several decisions and see what would come of them; Backspace takes the last one out,
                   s sends them, a adds the same for all that follow, p drops them
h                  in a lesson, mark what it wants; otherwise what an agent thinks; again: what the next one does
w words            why something is not possible
r                  the rules of what is asked, and how to play; again: the table
l                  the whole story; again: the table
u                  take your last decision back
q, Ctrl+C          leave; the game is saved`

// helpColumn is where the words of screenHelp begin.
const helpColumn = len("Arrows (or k, j)   ")

// View draws the screen.
func (m *screen) View() tea.View { return fullScreen(m.t.Info(), m.draw()) }

func fullScreen(info *env.Info, text string) tea.View {
	v := tea.NewView(text)
	v.AltScreen, v.WindowTitle = true, "earthgym: "+info.Title
	return v
}

// low says whether the screen has so few lines that frames and explanations cost too many of them.
func (m *screen) low() bool { return m.height < 34 && m.width < 110 }

// compact is a table for a low screen: without what explains its signs, and of what goes on below the head of a list
// the first line. The help and the rules have the rest.
func compact(board []string) (lines []string) {
	const least = 12 // columns by which a list goes on
	below, explains := least, false
	for _, line := range board {
		text := strings.TrimLeft(line, " ")
		explains = explains || strings.HasPrefix(text, "(")
		switch head := len(lines) - 1; {
		case explains:
			explains = !strings.HasSuffix(line, ")")
		case head >= 0 && len(line)-len(text) >= below &&
			(strings.HasSuffix(lines[head], ",") || strings.HasSuffix(lines[head], ";")):
			lines[head] += " …"
			below = len(line) - len(text)
		case head >= 0 && strings.HasSuffix(lines[head], " …") && len(line)-len(text) >= below:
		default:
			below = least
			lines = append(lines, line)
		}
	}
	return lines
}

// frame is how many lines of a pane are none of its own.
func (m *screen) frame() int {
	if m.low() {
		return 1
	}
	return 2
}

// boardFrame is frame for the place of the table.
func (m *screen) boardFrame() int {
	if m.low() && m.rules == nil && !m.log {
		return 0
	}
	return m.frame()
}

// A layout is how large the parts of the screen are; those that don't fit have no lines.
type layout struct {
	wide                  bool // choices stand beside the table
	left, right           int  // columns
	board, story, choices int  // lines
}

// layout gives the choices room first, then the table, and at last the story; what a lesson says comes before the
// table.
func (m *screen) layout() layout {
	const least = 5 // lines of a table that says anything, and of choices
	height := max(3, m.height-2)
	l := layout{left: m.width, right: m.width, story: 6, choices: min(8, height)}
	l.board = height - l.choices
	if m.width >= 110 {
		l.wide, l.right, l.story, l.choices, l.board = true, min(max(36, m.width-100), m.width/2), 10, height, height
		l.left = m.width - l.right
	}
	lesson := len(m.lesson(l.left - 2))
	if m.low() { // The story is short, the choices have what they need, and the table the rest.
		need := len(m.choices(height, l.right-2, false)) + 1
		l.story, l.choices = 3, max(min(need, 7, height), min(least, height))
		l.board = height - l.choices
	}
	if lesson > 0 {
		l.story = max(l.story, lesson+m.frame())
		if !l.wide {
			l.choices = min(l.choices, max(min(least, height), height-l.story))
			l.board = height - l.choices
		}
	}
	switch rest := l.board - l.story; {
	case rest >= least:
		l.board = rest
	case lesson > 0 && l.board > 2: // a line between borders
		l.board, l.story = 0, l.board
	default:
		l.story = 0
		if l.board < least && !l.wide {
			l.board, l.choices = 0, height
		}
	}
	return l
}

// draw is the screen as text: the table and the story on the left, the choices on the right; one below the other on a
// narrow screen.
func (m *screen) draw() string {
	switch {
	case m.cover:
		return lipgloss.Place(m.width, m.height, lipgloss.Center, lipgloss.Center,
			fmt.Sprintf("It is the decision of %s.\nPress Enter when nobody else looks.", called(m.sight, m.viewer)))
	case m.help:
		lines, _ := m.helpLines()
		return lipgloss.Place(m.width, m.height, lipgloss.Center, lipgloss.Center, strings.Join(lines, "\n"))
	}
	head := titleStyle.Render(m.t.Info().Title) + "  " + quietStyle.Render(m.status()) + m.standing()
	keys := "? help  Enter choose  / search  v preview  w why not  r rules  h hint  u undo  p plan  l story  q quit"
	if lipgloss.Width(keys) > m.width {
		keys = "? help  q quit  / search  v preview  w why  r rules  Tab more  h hint  u undo"
	}
	foot := quietStyle.Render(cut(keys, m.width))
	l, frame := m.layout(), m.frame()
	title := "Table"
	switch {
	case m.rules != nil:
		title = "Rules"
	case m.log:
		title = "Story"
	}
	below := "Since your last decision"
	if m.plan.on {
		below = "Your plan: s sends it, Backspace takes the last one out, p drops it"
	}
	if m.teaches() {
		below = cut(m.sight.Lesson.Title, l.left-8)
	}
	var panes []string
	if l.board > 0 {
		panes = append(panes, m.pane(title, m.scrolled(l.board-m.boardFrame(), l.left-m.boardFrame()), l.left, l.board))
	}
	if l.story > 0 {
		panes = append(panes, m.pane(below, m.story(l.story-frame, l.left-2), l.left, l.story))
	}
	choices := m.pane(m.choiceTitle(), m.choices(l.choices-frame, l.right-2, true), l.right, l.choices)
	if l.wide {
		return lipgloss.JoinVertical(lipgloss.Left, head,
			lipgloss.JoinHorizontal(lipgloss.Top, lipgloss.JoinVertical(lipgloss.Left, panes...), choices), foot)
	}
	return lipgloss.JoinVertical(lipgloss.Left, append(append([]string{head}, panes...), choices, foot)...)
}

// helpLines is the help as it is shown, and up to which of its lines it can be moved: 0 where all of it fits.
func (m *screen) helpLines() (lines []string, last int) {
	width := min(m.width, lipgloss.Width(screenHelp))
	for line := range strings.SplitSeq(screenHelp, "\n") {
		key, rest := line[:helpColumn], wrapped(line[helpColumn:], width-helpColumn)
		for _, words := range rest {
			lines = append(lines, lipgloss.NewStyle().Width(width).Render(key+words))
			key = strings.Repeat(" ", helpColumn)
		}
	}
	below := []string{"", "Any key goes on."}
	switch room := max(1, m.height-1); { // but for the last line
	case len(lines) == room:
		below = below[1:]
	case len(lines) > room:
		last = len(lines) - room
		from := min(m.helped, last)
		lines, below = lines[from:from+room], []string{"↑ ↓ PgUp PgDn more of it; any other key goes on."}
	}
	for _, line := range below {
		lines = append(lines, lipgloss.NewStyle().Width(width).Render(cut(line, width)))
	}
	return lines, last
}

// pane is lines in a border, of a size in all; on a low screen below a line with the title.
func (m *screen) pane(title string, lines []string, width, height int) string {
	if m.low() {
		if title != "Table" { // The head of the screen says so.
			head := cut("── "+title+" ", width)
			head += strings.Repeat("─", max(0, width-lipgloss.Width(head)))
			lines = append([]string{quietStyle.Render(head)}, lines...)
		}
		return lipgloss.NewStyle().Width(width).Height(height).MaxHeight(height).Render(strings.Join(lines, "\n"))
	}
	return pane(title, lines, width, height)
}

// pane is lines in a border, of a size in all.
func pane(title string, lines []string, width, height int) string {
	body := paneStyle.Width(width).Height(height).Render(strings.Join(lines, "\n"))
	top, rest, _ := strings.Cut(body, "\n")
	label := cut(" "+title+" ", width-4)
	runes := []rune(top)
	if n := len([]rune(label)); len(runes) > n+3 {
		top = string(runes[:2]) + label + string(runes[2+n:])
	}
	return top + "\n" + rest
}

// standing is the scores so far, in the seats' colours, where the viewer knows them and there is room.
func (m *screen) standing() string {
	if m.sight.Standing == nil || m.sight.Result != nil {
		return ""
	}
	text, plain := "   score", "   score"
	for p, score := range m.sight.Standing {
		one := fmt.Sprintf(" %g", score)
		plain += one
		text += seatStyle(m.t.Info(), env.Player(p)).Render(one)
	}
	if lipgloss.Width(m.t.Info().Title+m.status()+plain)+2 > m.width {
		return ""
	}
	return text
}

// status says whose turn it is.
func (m *screen) status() string {
	s := m.sight
	switch {
	case s.Result != nil:
		return "the game is over"
	case s.Trouble != "":
		return spelling.Printable(s.Trouble)
	case s.Deciding:
		return "you decide, " + called(s, s.Viewer)
	case s.Actor >= 0:
		return called(s, s.Actor) + " decides"
	}
	return "others decide"
}

// body is what stands in the place of the table: it, or the whole story.
func (m *screen) body() (lines []string) {
	whole, width := m.board, m.layout().left-2
	switch {
	case m.rules != nil:
		return wrapped(strings.Join(m.rules, "\n"), width)
	case m.log:
		whole = nil
		for _, l := range m.sight.Log {
			whole = append(whole, spelling.Printable(l.Text))
		}
	case m.low():
		return compact(m.board)
	}
	return folded(whole, width)
}

// folded are the lines of a table in a width: what of a line does not fit goes on below, further in.
func folded(whole []string, width int) (lines []string) {
	for _, first := range whole {
		indent := len(first) - len(strings.TrimLeft(first, " "))
		if lipgloss.Width(first) <= width {
			lines = append(lines, first)
			continue
		}
		for i, part := range wrapped(first[indent:], width-indent-4) {
			lines = append(lines, strings.Repeat(" ", indent+4*min(i, 1))+part)
		}
	}
	return lines
}

// bottom is the first line of it that is shown at its end.
func (m *screen) bottom() int { return max(0, len(m.body())-(m.layout().board-m.boardFrame())) }

// first is the first line that is shown: where the table is longer than its place, what lies on it comes before the
// lines that stand at its head, unless somebody has moved it.
func (m *screen) first() int {
	body := m.body()
	const most, enough = 12, 20 // lines of a head, and of a place that shows it too
	if m.moved || m.bottom() == 0 {
		return min(m.top, m.bottom())
	}
	if m.layout().board >= enough {
		return 0
	}
	for i, line := range body[:min(most, len(body))] {
		if strings.TrimSpace(line) == "" {
			return min(i+1, m.bottom())
		}
	}
	return 0
}

// scrolled is the part of it that is shown.
func (m *screen) scrolled(height, width int) []string {
	var lines []string
	body := m.body()
	for i := m.first(); i < len(body) && len(lines) < height; i++ {
		line := cut(body[i], width)
		if m.rules == nil {
			line = m.coloured(line)
		}
		lines = append(lines, line)
	}
	return lines
}

// teaches says whether a lesson stands in the place of the story.
func (m *screen) teaches() bool {
	lesson := m.sight.Lesson
	return lesson != nil && !m.plan.on && !(lesson.Finished && m.taught)
}

// lesson is what the lesson says now, in lines of a width.
func (m *screen) lesson(width int) (lines []string) {
	if !m.teaches() {
		return nil
	}
	for _, line := range lessonLines(m.sight.Lesson) {
		lines = append(lines, wrapped(line, width)...)
	}
	return lines
}

// story is the end of what has happened since the viewer's last decision.
func (m *screen) story(height, width int) []string {
	var lines []string
	if m.plan.on {
		lines = wrapped(strings.Join(m.plan.lines(), "\n"), width)
		return lines[max(0, len(lines)-height):]
	}
	if m.teaches() {
		lines = m.lesson(width)
		return lines[:min(len(lines), height)]
	}
	log := m.sight.Log
	for _, l := range log[min(m.last[m.viewer], len(log)):] {
		for _, line := range wrapped(spelling.Printable(l.Text), width) {
			if l.Kind == table.ActionLine && l.Player >= 0 {
				line = seatStyle(m.t.Info(), l.Player).Render(line)
			}
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-height):]
}

func (m *screen) choiceTitle() string {
	switch {
	case m.sight.Result != nil:
		return "The end"
	case m.asking:
		return "why not: " + m.search + "_"
	case m.typing:
		return "search: " + m.search + "_"
	case m.search != "":
		return "Choices with " + m.search
	}
	return "Choices"
}

// choices are the question, the choices around the one that is marked, and a note below; where they are to be full, on
// so many lines as there are.
func (m *screen) choices(height, width int, full bool) []string {
	s := m.sight
	var note []string
	for line := range strings.Lines(m.note) {
		note = append(note, wrapped(strings.TrimRight(line, "\n"), width)...)
	}
	note = note[:min(len(note), height/2)]
	var head []string
	if s.Question != "" {
		head = wrapped(s.Question, width)
		if text := sealedText(s); text != "" {
			head = append(head, wrapped(text, width)...)
		}
	}
	var lines []string
	marked, k := 0, 0
	search := m.search
	if m.asking {
		search = ""
	}
	if s.Result != nil {
		for line := range strings.Lines(resultText(m.t.Info(), s)) {
			lines = append(lines, wrapped(strings.TrimRight(line, "\n"), width)...)
		}
	}
	for _, g := range groups(s.Choices, search) {
		single := len(g.places) == 1 && s.Choices[g.places[0]].Which == ""
		if !single {
			for _, part := range wrapped(g.what, width) {
				lines = append(lines, titleStyle.Render(part))
			}
		}
		for _, i := range g.places {
			text := which(s.Choices[i])
			if single {
				text = g.what
			}
			for n, part := range wrapped(text, width-6) {
				line := "      " + part
				if n == 0 {
					line = fmt.Sprintf("  %3d %s", i+1, part)
				}
				if k == m.at && s.Deciding {
					if n == 0 {
						marked = len(lines)
						line = ">" + line[1:]
					}
					line = markedStyle.Render(line)
				}
				lines = append(lines, line)
			}
			k++
		}
	}
	if lines == nil && s.Deciding && m.search != "" {
		lines = []string{"no choice has these words"}
	}
	if most := max(height/3, height-len(note)-max(1, len(lines))); len(head) > most { // Few choices leave it more.
		head = head[:max(0, most)]
	}
	room := max(1, height-len(head)-len(note))
	from := max(0, min(marked-room/2, len(lines)-room))
	lines = append(head, lines[from:min(len(lines), from+room)]...)
	for full && len(lines) < height-len(note) {
		lines = append(lines, "")
	}
	return append(lines, note...)
}

func cut(text string, width int) string {
	if lipgloss.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && lipgloss.Width(string(runes))+1 > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// wrapped is a text in lines of at most a width.
func wrapped(text string, width int) []string {
	return strings.Split(lipgloss.Wrap(text, max(10, width), ""), "\n")
}
