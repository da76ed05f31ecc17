//go:build !js

package agents

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"earthgym/agents/llm"
	"earthgym/env"
	"earthgym/env/pipe"
)

const (
	// startLimit is how long a program may take until it has said hello: time to import a large library.
	startLimit = 2 * time.Minute
	// moveLimit is how long it may take for one answer if its text doesn't say.
	moveLimit = 10 * time.Second
	// endLimit is how long it may take to end by itself.
	endLimit = time.Second
)

// remote is a program that speaks the pipe protocol on its standard input and output (env/pipe). Each
// instance is a process of its own. One that crashes, takes too long or answers nonsense forfeits its
// game; the next game gets a new process.
type remote struct {
	name    string
	program *program
	table   int   // of the program's
	run     int   // the process that knows the running game: program.runs when it began
	fault   error // of the new game
}

// program is a process, and another one after a fault.
type program struct {
	start  func() (*process, error)
	at     *process // nil before the first game and after a fault
	runs   int      // processes so far
	fault  error    // that the last one has ended by
	tables int      // that it has instances at
}

// remoteTables is an instance of a program that can be at many tables.
type remoteTables struct {
	remote
	chosen *env.Action // by an ActFor that has failed for others
}

func openRemote(text, rest string, g env.Game) (*Maker, error) {
	limit := moveLimit
	if option, command, ok := strings.Cut(rest, ","); ok && strings.HasPrefix(option, "limit=") {
		var err error
		if limit, err = time.ParseDuration(option[len("limit="):]); err != nil || limit <= 0 {
			return nil, &TextError{fmt.Errorf("%s: it is the time for one decision, such as limit=500ms", option)}
		}
		rest = command
	}
	words, err := splitWords(rest)
	if err != nil {
		return nil, &TextError{err}
	}
	if len(words) == 0 {
		return nil, &TextError{errors.New("name the program that plays: remote:python my_agent.py")}
	}
	start := func() (*process, error) { return startProcess(words, g.Info(), limit) }
	// The first process shows that there is an agent, and is the first instance.
	first, err := start()
	if err != nil {
		return nil, err
	}
	many := first.seat.Tables() > 1
	var mu sync.Mutex
	return &Maker{Text: text, New: func() (Agent, error) {
		mu.Lock()
		defer mu.Unlock()
		r := remote{name: text, program: &program{start: start, at: first, tables: 1}}
		first = nil
		if many {
			return &remoteTables{remote: r}, nil
		}
		return &r, nil
	}}, nil
}

// splitWords splits a command line at blanks that stand in no quotes.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inside, quote := false, rune(0)
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			inside, quote = true, c
		case c == ' ' || c == '\t':
			if inside {
				words = append(words, word.String())
				word.Reset()
			}
			inside = false
		default:
			inside = true
			word.WriteRune(c)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the command has a quote %c without its other half", quote)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}

func (r *remote) Name() string { return r.name }

func (r *remote) Reset(seed uint64) {
	p := r.program
	r.fault = nil
	if p.at == nil {
		p.runs++
		if p.at, r.fault = p.start(); r.fault != nil {
			return
		}
	}
	if r.run = p.runs; r.table >= p.at.seat.Tables() {
		r.end(fmt.Errorf("it sits at %d tables, and has said that it would sit at more", p.at.seat.Tables()))
		return
	}
	r.end(p.at.within(func() error { return p.at.seat.ResetAt(r.table, seed) }))
}

func (r *remote) Act(v *env.View) (env.Action, error) {
	var out [1]env.Action
	r.act([]int{r.table}, []*env.View{v}, out[:])
	return out[0], r.failed(v)
}

// act asks the program, for all whose tables these are.
func (r *remote) act(tables []int, views []*env.View, out []env.Action) {
	if p := r.program; r.playing() {
		r.end(p.at.within(func() error { return p.at.seat.ActAt(tables, views, out) }))
	}
}

// playing says whether there is a process that knows the running game.
func (r *remote) playing() bool {
	return r.fault == nil && r.program.at != nil && r.run == r.program.runs
}

// failed is the error of an instance whose process has failed.
func (r *remote) failed(v *env.View) error {
	fault := cmp.Or(r.fault, r.program.fault)
	switch {
	case r.playing():
		return nil
	case r.program.tables > 1:
		return &AgainError{fault}
	}
	return &ForfeitError{Agent: r.name, Seat: v.Player(), Kind: faultOf(fault), Err: fault}
}

// Act implements Agent.
func (r *remoteTables) Act(v *env.View) (env.Action, error) {
	if a := r.chosen; a != nil {
		r.chosen = nil
		return *a, nil
	}
	return r.remote.Act(v)
}

// Beside implements Companion.
func (r *remoteTables) Beside() (Agent, bool) {
	p := r.program
	if p.at != nil && p.tables >= p.at.seat.Tables() {
		return nil, false
	}
	p.tables++
	return &remoteTables{remote: remote{name: r.name, program: p, table: p.tables - 1}}, true
}

// ActFor implements env.Deputy: each program is asked once, for all that are its instances.
func (r *remoteTables) ActFor(agents []Agent, views []*env.View, out []env.Action) error {
	together := map[*program][]int{}
	for i, a := range agents {
		p := a.(*remoteTables).program
		together[p] = append(together[p], i)
	}
	var failure error
	for _, a := range agents {
		p := a.(*remoteTables).program
		failure = cmp.Or(failure, p.actFor(together[p], agents, views, out))
		delete(together, p)
	}
	for _, a := range agents {
		if x := a.(*remoteTables); failure == nil {
			x.chosen = nil
		}
	}
	return failure
}

// actFor asks the program for those of the agents, and keeps with each what was chosen.
func (p *program) actFor(of []int, agents []Agent, views []*env.View, out []env.Action) error {
	var asked []*remoteTables
	var tables []int
	var seen []*env.View
	for _, i := range of {
		if x := agents[i].(*remoteTables); x.playing() {
			asked, tables, seen = append(asked, x), append(tables, x.table), append(seen, views[i])
		}
	}
	chosen := make([]env.Action, len(asked))
	if len(asked) > 0 {
		asked[0].act(tables, seen, chosen)
	}
	for k, x := range asked {
		if x.playing() {
			x.chosen = &chosen[k]
		}
	}
	for _, i := range of {
		x := agents[i].(*remoteTables)
		if err := x.failed(views[i]); err != nil {
			return err
		}
		out[i] = *x.chosen
	}
	return nil
}

// lateError is an answer that has not come in time.
type lateError struct{ limit time.Duration }

func (e *lateError) Error() string { return fmt.Sprintf("no answer within %v", e.limit) }

// faultOf says what kind of fault an error of a program is.
func faultOf(err error) Fault {
	var late *lateError
	var illegal *env.IllegalActionError
	var said *pipe.Error
	switch {
	case errors.As(err, &late):
		return Timeout
	case errors.As(err, &illegal), errors.As(err, &said) && said.Code != pipe.AgentFailed:
		return Illegal
	}
	return Crash
}

// end stops the process after a fault, for the rest of the game.
func (r *remote) end(fault error) {
	if r.fault = fault; fault != nil {
		r.program.fault = fault
		_ = r.Close() // It always does.
	}
}

// Close ends the program, for all its instances.
func (r *remote) Close() error {
	if r.program.at != nil {
		r.program.at.close()
		r.program.at = nil
	}
	return nil
}

// process is a running agent. With it end all that it has started, but for what leaves its process group.
type process struct {
	cmd     *exec.Cmd
	in, out *os.File // our ends of its standard input and output
	seat    *pipe.Seat
	limit   time.Duration
	ended   chan struct{} // closed once the program has ended, with how
	how     error
}

// startProcess starts a program and waits for its hello.
func startProcess(words []string, info *env.Info, limit time.Duration) (*process, error) {
	p, err := newProcess(words, nil)
	if err != nil {
		return nil, fmt.Errorf("cannot start the agent: %w", err)
	}
	p.limit = startLimit
	err = p.within(func() (err error) {
		p.seat, err = pipe.NewSeat(struct {
			io.Reader
			io.Writer
		}{p.out, p.in}, info, "earthgym", limit)
		return err
	})
	if err != nil {
		p.close()
		return nil, fmt.Errorf("the agent was not seated: %w", err)
	}
	p.limit = limit
	return p, nil
}

// newProcess starts a program.
func newProcess(words, variables []string) (*process, error) {
	p := &process{cmd: exec.Command(words[0], words[1:]...), ended: make(chan struct{})}
	p.cmd.Env = append(llm.Environ(), variables...)
	p.cmd.Stderr = os.Stderr
	ownGroup(p.cmd)
	return p, p.start()
}

// start starts the program between two pipes of ours: those of exec.Cmd have no deadlines, and its waiting
// for the end takes away what the program has still said.
func (p *process) start() error {
	stdin, in, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stdin.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		in.Close()
		return err
	}
	defer stdout.Close()
	p.in, p.out, p.cmd.Stdin, p.cmd.Stdout = in, out, stdin, stdout
	started := make(chan error)
	go func() {
		// The system ends the program with the thread that has started it (ownGroup).
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.how = awaitEnd(p.cmd)
		close(p.ended)
	}()
	if err := <-started; err != nil {
		in.Close()
		out.Close()
		return err
	}
	return nil
}

// within does something that waits for the program, which is killed if it takes too long, and says what
// has become of it if that fails. The pipes have the same deadline: others may hold their far ends, and be out
// of reach.
func (p *process) within(f func() error) error {
	deadline := time.Now().Add(p.limit)
	for _, end := range []*os.File{p.in, p.out} {
		_ = end.SetDeadline(deadline) // Not every system's pipes have them; then it's up to the timer.
	}
	timer := time.AfterFunc(p.limit, p.kill)
	err := f()
	late := !timer.Stop()
	if err == nil {
		return nil // If it was late, the next question finds it ended.
	}
	if late || errors.Is(err, os.ErrDeadlineExceeded) {
		return &lateError{p.limit}
	}
	var illegal *env.IllegalActionError
	var said *pipe.Error
	if errors.As(err, &illegal) || errors.As(err, &said) && said.Code != pipe.BadFrame {
		return err
	}
	select { // A broken connection is most often the program's end.
	case <-p.ended:
		if p.how != nil {
			return fmt.Errorf("the program has ended: %w", p.how)
		}
		return errors.New("the program has ended")
	case <-time.After(endLimit):
	}
	return err
}

// close lets the program end, and makes it.
func (p *process) close() {
	p.in.Close()
	select {
	case <-p.ended:
	case <-time.After(endLimit):
		p.kill()
		<-p.ended
	}
	p.out.Close()
}

// kill ends the program, unless it has ended: its number may be another's by now.
func (p *process) kill() {
	select {
	case <-p.ended:
	default:
		kill(p.cmd)
	}
}

// A Program is a program that has been started to be talked to on its standard input and output. With it ends what it has
// started.
type Program struct{ p *process }

// StartProgram starts a program from its words, with variables of the environment beside this program's own, of which it
// gets all but EARTHGYM_LLM_KEY.
func StartProgram(words, variables []string) (*Program, error) {
	if len(words) == 0 {
		return nil, errors.New("name the program")
	}
	p, err := newProcess(words, variables)
	if err != nil {
		return nil, err
	}
	return &Program{p}, nil
}

// Read reads what the program says.
func (p *Program) Read(b []byte) (int, error) { return p.p.out.Read(b) }

// Write writes what the program is to hear.
func (p *Program) Write(b []byte) (int, error) { return p.p.in.Write(b) }

// SetDeadline bounds reading and writing.
func (p *Program) SetDeadline(t time.Time) error {
	return errors.Join(p.p.in.SetDeadline(t), p.p.out.SetDeadline(t))
}

// Kill ends the program.
func (p *Program) Kill() { p.p.kill() }

// End closes the program's standard input and gives it time to end by itself; then it is made to. The error says how it
// has ended, if not well.
func (p *Program) End(limit time.Duration) error {
	p.p.in.Close()
	defer p.p.out.Close()
	select {
	case <-p.p.ended:
		return p.p.how
	case <-time.After(limit):
		p.p.kill()
		<-p.p.ended
		return fmt.Errorf("it has not ended within %v of the end of its input", limit)
	}
}
