package term

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/spelling"
)

const plainHelp = `A number or an action's text chooses it, and so do words that only one choice has. Words that no choice has show
the lines of the table that have them; hand is your own seat, threats is what may go wrong.
  list WORDS   the choices that have these words; all of them without words
  board WORDS  the lines of the table that have these words; the whole table without words
  log N        the last N lines of the story, 20 if no number is given
  since        what has happened since your last decision
  hint AGENT   what an agent thinks; %s if none is named. In a lesson: the choice that it wants
  why ACTION   why an action can't be chosen: its text, its words, or the number of a choice
  rules WORDS  the rules that have these words, or the one of a number; how to play without words
  try CHOICE   what a choice would bring, by all that your seat knows
  plan         composes several decisions: choose, and see what would come of them. back takes the last one out,
               send plays them, same makes the last one again for all that follow, drop leaves the plan
  undo         takes your last decision back, if the game has not gone on
  quit         leaves; the game is saved, and can be gone on with`

// plain is a table line by line.
type plain struct {
	t      *table.Table
	o      Options
	out    io.Writer
	err    error
	viewer env.Player
	begun  bool
	told   int   // lines of the viewer's log
	heard  []int // lines that each seat's log had by then
	asked  int   // the edition for which somebody has been asked; -1 for none
	plan   plan
	sealed string // what was said last of a sealed choice
	over   bool   // the lesson is, and that has been told
	taught int    // the step for which the lesson has been told; -1 for none
}

// Plain plays at a table line by line, until the game is over, the input ends or the context is done. The table is run
// meanwhile. The game is saved in any case.
func Plain(ctx context.Context, in io.Reader, out io.Writer, t *table.Table, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	go func() { ran <- t.Run(ctx) }()
	lines := readLines(ctx, in)
	p := &plain{t: t, o: o, out: out, viewer: env.Spectator, asked: -1, taught: -1}
	p.printf("%s\n", t.Info().Short)
	p.play(ctx, lines)
	cancel()
	if err := <-ran; err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return p.err
}

// readLines gives the lines of an input one by one, until it ends.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for r := bufio.NewReader(in); ; {
			line, err := r.ReadString('\n') // of any length: what is pasted must not end the game
			if err != nil && line == "" {
				return
			}
			select {
			case lines <- strings.TrimRight(line, "\r\n"):
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func (p *plain) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, args...)
	}
}

// play shows what happens, and takes a line whenever somebody is asked.
func (p *plain) play(ctx context.Context, lines <-chan string) {
	trouble := ""
	for p.err == nil {
		changed := p.t.Changed()
		if v := viewer(p.t, p.viewer); v != p.viewer && !p.handOver(ctx, v, lines) {
			return
		}
		s, err := p.tell()
		if err != nil {
			p.err = err
			return
		}
		if text := sealedText(s); text != p.sealed {
			if p.sealed = text; text != "" {
				p.printf("%s\n", text)
			}
		}
		if s.Trouble != trouble {
			if trouble = s.Trouble; trouble != "" {
				p.printf("Trouble: %s\n", spelling.Printable(trouble))
			}
		}
		if s.Result != nil {
			p.printf("%s\n%s", resultText(p.t.Info(), s), p.o.recorded(p.t))
			return
		}
		if s.Deciding && p.asked != s.Edition {
			p.asked = s.Edition
			p.ask(s)
		}
		input := lines
		if !s.Deciding { // what is typed ahead is for the next decision
			input = nil
		}
		select {
		case line, ok := <-input:
			if !ok {
				p.printf("\n%s\n", p.o.whereSaved(p.t))
				return
			}
			if p.o.Script {
				p.printf("%s\n", line)
			}
			if p.do(ctx, s, strings.TrimSpace(line)) {
				p.printf("%s\n", p.o.whereSaved(p.t))
				return
			}
		case <-changed:
		case <-ctx.Done():
			p.printf("\n%s\n", p.o.whereSaved(p.t))
			return
		}
	}
}

// page is more lines than a terminal shows: what stood there can be seen again only by scrolling back.
const page = 100

// handOver lets another person come to the terminal, whose view is shown from now on. A script's first person is there.
func (p *plain) handOver(ctx context.Context, to env.Player, lines <-chan string) bool {
	s, err := p.t.Look(to)
	if err != nil {
		p.err = err
		return false
	}
	if people(s) > 1 && (p.viewer != env.Spectator || !p.o.Script) {
		if p.viewer != env.Spectator && !p.o.Script {
			p.printf("%s", strings.Repeat("\n", page))
		}
		p.printf("\nIt is the decision of %s. Press Enter when nobody else looks.\n", called(s, to))
		came := false
		select {
		case _, came = <-lines:
		case <-ctx.Done():
		}
		if !came {
			p.printf("\n%s\n", p.o.whereSaved(p.t))
			return false
		}
	}
	p.plan.clear(false)
	p.viewer, p.told = to, 0
	if p.heard != nil {
		p.told = min(p.heard[to], len(s.Log)) // Secrets make a log longer than another's.
	}
	return true
}

// tell writes what the viewer has not been told yet, and gives what it sees.
func (p *plain) tell() (*table.Sight, error) {
	var heard []int
	for q := range env.Player(p.t.Info().Players) { // first, so that nothing is missed that happens meanwhile
		s, err := p.t.Look(q)
		if err != nil {
			return nil, err
		}
		heard = append(heard, len(s.Log))
	}
	p.heard = heard
	s, err := p.t.Look(p.viewer)
	if err != nil {
		return nil, err
	}
	const recalled = 20 // lines of a game that is gone on with
	if !p.begun && len(s.Log) > recalled {
		p.told = len(s.Log) - recalled
		p.printf("… %s earlier (log shows all)\n", spelling.Counted(p.told, "line"))
	}
	p.begun = true
	if len(s.Log) < p.told {
		p.printf("It is taken back.\n")
		p.told = len(s.Log)
	}
	for _, line := range s.Log[p.told:] {
		p.printf("%s\n", spelling.Printable(line.Text))
	}
	p.told = len(s.Log)
	return s, nil
}

func (p *plain) ask(s *table.Sight) {
	p.printf("\n")
	if s.Lesson != nil && p.taught != s.Step && !p.over {
		p.taught, p.over = s.Step, s.Lesson.Finished
		for _, line := range lessonLines(s.Lesson) {
			p.printf("* %s\n", line)
		}
	}
	if s.Question != "" {
		p.printf("%s\n", s.Question)
	}
	if len(s.Choices) > 0 {
		p.list(s, "")
	}
	p.prompt(s)
}

// prompt says who is asked, and that nothing is played while it plans.
func (p *plain) prompt(s *table.Sight) {
	planning := ""
	if p.plan.on {
		planning = fmt.Sprintf(", plan of %d", len(p.plan.actions))
	}
	p.printf("%s%s> ", called(s, s.Viewer), planning)
}

// list writes the choices that match a search.
func (p *plain) list(s *table.Sight, search string) {
	var b strings.Builder
	writeChoices(&b, s.Choices, search)
	p.printf("%s", b.String())
}

// do follows a line, and says whether it is the last one.
func (p *plain) do(ctx context.Context, now *table.Sight, line string) bool {
	s := p.plan.over(now)
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if p.plan.on && p.replan(now, word) {
		return false
	}
	switch word {
	case "":
	case "?", "help":
		agent := "an agent"
		if len(p.o.Agents) > 0 {
			agent = p.o.Agents[0]
		}
		p.printf(plainHelp+"\n", agent)
	case "list":
		p.list(s, rest)
	case "board":
		if !p.board(s, rest) {
			p.printf("no line of the table has %q\n", spelling.Printable(rest))
		}
	case "log":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 {
			n = 20
		}
		for _, l := range s.Log[max(0, len(s.Log)-n):] {
			p.printf("%s\n", spelling.Printable(l.Text))
		}
	case "since":
		p.board(s, word)
	case "hint":
		if l := now.Lesson; l != nil && l.Action >= 0 && rest == "" {
			p.printf("%s\n", shown(now))
			break
		}
		text, err := p.o.hint(ctx, p.t, s, rest)
		if err != nil {
			text = err.Error()
		}
		p.printf("%s\n", text)
	case "rules":
		p.printf("%s\n", p.o.rules(rest))
	case "why":
		p.printf("%s\n", why(p.t, s, p.plan.actions, rest))
	case "try":
		p.try(now, s, rest)
	case "plan":
		p.plan.clear(true)
		p.ask(now)
		return false
	case "undo":
		if err := p.t.Undo(s.Viewer, s.Step); err != nil {
			p.printf("%v\n", err)
			break
		}
		return false
	case "quit":
		return true
	default:
		if p.plan.on {
			if c, err := find(p.t.Info(), s.Choices, line); err == nil {
				p.planned(now, p.plan.add(p.t, now, c.Action))
				return false
			}
		}
		if p.choose(s, line) {
			return false
		}
	}
	p.prompt(now)
	return false
}

// replan follows a command about the plan, and says whether it was one.
func (p *plain) replan(now *table.Sight, word string) bool {
	switch word {
	case "drop":
		p.plan.clear(false)
		p.ask(now)
	case "back":
		p.planned(now, p.plan.back(p.t, now))
	case "same":
		p.planned(now, p.plan.same(p.t, now))
	case "send":
		actions := p.plan.actions
		if len(actions) == 0 {
			p.planned(now, nil)
			return true
		}
		p.plan.clear(false)
		if err := p.t.PlayAll(now.Viewer, now.Step, actions); err != nil {
			p.printf("%v\n", err)
			p.asked = -1 // The table may be as it was.
		}
	default:
		return false
	}
	return true
}

// planned shows the plan after it has changed, and what can be chosen next.
func (p *plain) planned(now *table.Sight, err error) {
	if err != nil {
		p.printf("%v\n", err)
	}
	for _, line := range p.plan.lines() {
		p.printf("%s\n", line)
	}
	p.ask(p.plan.over(now))
}

// try tells what a choice would bring, after what is planned.
func (p *plain) try(now, s *table.Sight, text string) {
	c, err := find(p.t.Info(), s.Choices, text)
	var lines []string
	if err == nil {
		lines, err = p.plan.preview(p.t, now, c.Action)
	}
	if err != nil {
		lines = []string{err.Error()}
	}
	for _, line := range lines {
		p.printf("%s\n", line)
	}
}

// choose plays what a line names, and says whether that could be; otherwise it answers.
func (p *plain) choose(s *table.Sight, line string) bool {
	c, err := find(p.t.Info(), s.Choices, line)
	if err == nil && !p.plan.on {
		if err = p.t.Play(s.Viewer, s.Step, c.Action); err == nil {
			return true
		}
	}
	a, parse := p.t.Info().Parse(line)
	if parse != nil && len(groups(s.Choices, line)) == 0 && p.board(s, line) {
		return false
	}
	p.printf("%v (? is help)\n", err)
	if parse == nil {
		if reason, err := reasonOf(p.t, s, p.plan.actions, a); err == nil && reason != "" {
			p.printf("%s\n", reason)
		}
	}
	return false
}

// board writes the lines of the table that answer a question, all of it without one, and says whether there are any.
func (p *plain) board(s *table.Sight, question string) (found bool) {
	if strings.TrimSpace(question) == "" {
		p.printf("%s\n", boardText(p.t, s.Viewer))
		return true
	}
	lines, err := p.t.Find(s.Viewer, question)
	if err != nil {
		p.printf("%v\n", err)
		return true
	}
	for _, line := range lines {
		p.printf("%s\n", spelling.Printable(line))
	}
	return len(lines) > 0
}
