//go:build !js

package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"earthgym/agents/llm"
	"earthgym/env"
	"earthgym/env/pipe"
)

const (
	// answerLimit is how long a program may take for its hello, and for each answer, if its text doesn't say.
	answerLimit = 10 * time.Second
	// endLimit is how long it may take to end by itself.
	endLimit = time.Second
)

// remote is an instance at one of the tables of a program, which speaks the pipe protocol on its standard input and
// output (env/pipe). A program that can't be seated, crashes, takes too long or answers nonsense forfeits its game;
// the next game gets a new process.
type remote struct {
	name    string
	program *program
	table   int             // of the program's
	ctx     context.Context // of the running game
	seed    uint64          // of the running game
	run     int             // the process that knows the running game: program.runs when it began
	fault   error           // of the new game
	chosen  *env.Action     // by an ActFor that has failed for others
}

// program is a process, and another one after a fault.
type program struct {
	command *command
	at      *Program // nil after a fault
	runs    int      // processes so far
	fault   error    // that the last one has ended by
	tables  int      // that it has instances at
	most    int      // that it sits at at the most, as it has said last
}

// command is how programs are started, those of all instances.
type command struct {
	words []string
	info  *env.Info
	limit time.Duration

	mu     sync.Mutex
	seated bool  // one of them has been
	silent error // of the first that was never heard of: no other is waited for
}

func openRemote(text, rest string, g env.Game) (*Maker, error) {
	c := &command{info: g.Info(), limit: answerLimit}
	if option, command, ok := strings.Cut(rest, ","); ok && strings.HasPrefix(option, "limit=") {
		var err error
		if c.limit, err = time.ParseDuration(option[len("limit="):]); err != nil || c.limit <= 0 {
			return nil, &TextError{fmt.Errorf("%s: it is the time for the program's start and for each decision, such as "+
				"limit=500ms", option)}
		}
		rest = command
	}
	var err error
	if c.words, err = splitWords(rest); err != nil {
		return nil, &TextError{err}
	}
	if len(c.words) == 0 {
		return nil, &TextError{errors.New("name the program that plays: remote:python my_agent.py")}
	}
	if _, err := exec.LookPath(c.words[0]); err != nil {
		return nil, c.unstartable(err)
	}
	return &Maker{New: func() (Agent, error) {
		p := &program{command: c, tables: 1, most: 1}
		var err error
		if c.fault() == nil {
			p.at, err = StartProgram(c.words, nil)
		}
		if err != nil {
			return nil, c.unstartable(err)
		}
		return &remote{name: text, program: p, ctx: context.Background()}, nil
	}}, nil
}

// unstartable is the error of a command line by which nothing can be started.
func (c *command) unstartable(err error) error {
	why := err.Error()
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		why = "there is no such program"
	case errors.Is(err, fs.ErrPermission):
		why = "it may not be run"
	case errors.Is(err, syscall.EISDIR):
		why = "it is a folder"
	case errors.Is(err, syscall.ENOEXEC):
		why = "it is no program that this machine can run; a script names its interpreter on its first line (#!)"
	}
	return &TextError{fmt.Errorf("cannot start %s: %s", strconv.Quote(c.words[0]), why)}
}

// fault is why no further program is started; nil if they are.
func (c *command) fault() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.silent
}

// greet waits for a process's hello.
func (c *command) greet(ctx context.Context, p *Program) error {
	err := p.within(ctx, c.limit, func() (err error) {
		p.seat, err = pipe.NewSeat(p, c.info, "earthgym", c.limit)
		return err
	})
	late := new(lateError)
	switch silence := errors.As(err, &late); {
	case err == nil:
	case silence:
		err = fmt.Errorf("the agent was not seated: %w, where it is to say hello; remote:limit=1m,COMMAND gives it longer",
			err)
	default:
		err = fmt.Errorf("the agent was not seated: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seated = c.seated || err == nil; late.limit > 0 && !c.seated && c.silent == nil {
		c.silent = err
	}
	return err
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

// Follow implements Follower.
func (r *remote) Follow(ctx context.Context) { r.ctx = ctx }

func (r *remote) Reset(seed uint64) {
	p := r.program
	r.seed, r.fault, r.chosen = seed, nil, nil
	if r.end(p.ready(r.ctx)); r.fault != nil {
		return
	}
	if r.run = p.runs; r.table >= p.most {
		r.end(fmt.Errorf("it sits at %d tables, and has said that it would sit at more", p.most))
		return
	}
	r.end(p.at.within(r.ctx, p.command.limit, func() error { return p.at.seat.ResetAt(r.table, seed) }))
}

// ready sees to a process that has said hello.
func (p *program) ready(ctx context.Context) error {
	if p.at == nil {
		p.runs++
		err := p.command.fault()
		if err == nil {
			p.at, err = StartProgram(p.command.words, nil)
		}
		if err != nil {
			return err
		}
	}
	if p.at.seat != nil {
		return nil
	}
	err := p.command.greet(ctx, p.at)
	if err == nil {
		p.most = p.at.seat.Tables()
	}
	return err
}

// seat implements Seat.
func (r *remote) seat(ctx context.Context) error {
	r.end(r.program.ready(ctx))
	return r.fault
}

// Act implements Agent.
func (r *remote) Act(v *env.View) (env.Action, error) {
	if a := r.chosen; a != nil {
		r.chosen = nil
		return *a, nil
	}
	if errors.Is(r.fault, context.Canceled) && r.ctx.Err() == nil {
		r.Reset(r.seed) // It was stopped, and the game goes on.
	}
	var out [1]env.Action
	r.act([]int{r.table}, []*env.View{v}, out[:])
	return out[0], r.failed(v)
}

// act asks the program, for all whose tables these are.
func (r *remote) act(tables []int, views []*env.View, out []env.Action) {
	if p := r.program; r.playing() {
		r.end(p.at.within(r.ctx, p.command.limit, func() error { return p.at.seat.ActAt(tables, views, out) }))
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
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case r.program.tables > 1:
		return &AgainError{fault}
	}
	return &ForfeitError{Agent: r.name, Seat: v.Player(), Kind: faultOf(fault), Err: fault}
}

// Tables implements Companion.
func (r *remote) Tables() int { return r.program.most }

// Beside implements Companion.
func (r *remote) Beside() (Agent, bool) {
	p := r.program
	if p.tables >= p.most {
		return nil, false
	}
	p.tables++
	return &remote{name: r.name, program: p, table: p.tables - 1, ctx: context.Background()}, true
}

// ActFor implements env.Deputy: each program is asked once, for all that are its instances.
func (r *remote) ActFor(agents []Agent, views []*env.View, out []env.Action) error {
	together := map[*program][]int{}
	for i, a := range agents {
		p := a.(*remote).program
		together[p] = append(together[p], i)
	}
	var failure error
	for _, a := range agents {
		p := a.(*remote).program
		failure = cmp.Or(failure, p.actFor(together[p], agents, views, out))
		delete(together, p)
	}
	for _, a := range agents {
		if x := a.(*remote); failure == nil {
			x.chosen = nil
		}
	}
	return failure
}

// actFor asks the program for those of the agents, and keeps with each what was chosen.
func (p *program) actFor(of []int, agents []Agent, views []*env.View, out []env.Action) error {
	var asked []*remote
	var tables []int
	var seen []*env.View
	for _, i := range of {
		if x := agents[i].(*remote); x.playing() {
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
		x := agents[i].(*remote)
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

// Close ends the program, for all its instances: at once if nobody waits for its game any more.
func (r *remote) Close() error {
	if p := r.program; p.at != nil {
		if r.ctx.Err() != nil {
			p.at.Kill()
		}
		_ = p.at.End(endLimit)
		p.at = nil
	}
	return nil
}

// A Program is a program that has been started to be talked to on its standard input and output. With it end all that
// it has started, but for what leaves its process group, and so they do with this program, however that ends (group).
type Program struct {
	cmd     *exec.Cmd
	group   *group
	in, out *os.File      // our ends of its standard input and output
	seat    *pipe.Seat    // nil before its hello
	ended   chan struct{} // closed once the program has ended, with how
	how     error

	mu   sync.Mutex
	gone bool // its group has ended: the number may be another's by now
}

// StartProgram starts a program from its words, with variables of the environment beside this program's own, of which
// it gets all but EARTHGYM_LLM_KEY. It is between two pipes of ours: those of exec.Cmd have no deadlines, and its
// waiting for the end takes away what the program has still said.
func StartProgram(words, variables []string) (*Program, error) {
	if len(words) == 0 {
		return nil, errors.New("name the program")
	}
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer stdin.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer stdout.Close()
	p := &Program{cmd: exec.Command(words[0], words[1:]...), in: in, out: out, ended: make(chan struct{})}
	p.cmd.Env = append(llm.Environ(), variables...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, os.Stderr
	if p.group, err = startGroup(p.cmd); err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	go func() {
		p.how = p.cmd.Wait()
		p.mu.Lock()
		p.group.end()
		p.gone = true
		p.mu.Unlock()
		close(p.ended)
	}()
	return p, nil
}

// within does something that waits for the program, which is killed if it takes too long or if the context is done,
// and says what has become of it if that fails. The pipes have the same deadline: others may hold their far ends, and
// be out of reach.
func (p *Program) within(ctx context.Context, limit time.Duration, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	deadline := time.Now().Add(limit)
	p.SetDeadline(deadline)
	timer := time.AfterFunc(limit, p.Kill)
	heed := context.AfterFunc(ctx, func() {
		p.Kill()
		p.SetDeadline(time.Now())
	})
	err := f()
	late := !timer.Stop()
	if !heed() {
		return ctx.Err()
	}
	if err == nil {
		return nil // If it was late, the next question finds it ended.
	}
	if late || !time.Now().Before(deadline) { // The pipes may have told it before the timer did.
		return &lateError{limit}
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
	case <-ctx.Done():
		return ctx.Err()
	}
	return err
}

// SetDeadline bounds reading and writing. Not every system's pipes have deadlines; then it's up to who kills.
func (p *Program) SetDeadline(t time.Time) {
	_ = p.in.SetDeadline(t)
	_ = p.out.SetDeadline(t)
}

// Kill ends the program and what it has started.
func (p *Program) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		p.group.kill()
	}
}

// Read reads what the program says.
func (p *Program) Read(b []byte) (int, error) { return p.out.Read(b) }

// Write writes what the program is to hear.
func (p *Program) Write(b []byte) (int, error) { return p.in.Write(b) }

// End closes the program's standard input and gives it time to end by itself; then it is made to. The error says how it
// has ended, if not well.
func (p *Program) End(limit time.Duration) error {
	p.in.Close()
	defer p.out.Close()
	select {
	case <-p.ended:
		return p.how
	case <-time.After(limit):
		p.Kill()
		<-p.ended
		return fmt.Errorf("it has not ended within %v of the end of its input", limit)
	}
}
