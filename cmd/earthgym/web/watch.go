package web

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/record"
)

// WatchOptions say what a page finds that looks at recorded games.
type WatchOptions struct {
	Key   string   // in the link
	Hosts []string // names in the address line that are the server's own; empty for any
	Rules func(game string) (rules, howTo string, err error)
	Open  func(text string, g env.Game) (*agents.Maker, error)
	// Next shows another game (Watch.Show), of a training run's newest network; nil where there is none.
	Next func(ctx context.Context) error
}

// A Watch shows recorded games: every position as each seat saw it, what agents think of the decisions, and how a
// training run is getting on.
type Watch struct {
	o WatchOptions

	mu        sync.Mutex
	recording *recording // nil until there is a game
	version   int        // of recording
	training  *Training
	trained   int // version of training
	curves    map[string]*curve
	shows     context.Context // done when another recording is shown
	end       context.CancelFunc

	thinking sync.Mutex // one decision of one agent at a time: others want the processor too
	thoughts queue      // of single decisions, which somebody waits for
	playing  sync.Mutex // of Next
}

// A Training is how a training run is getting on.
type Training struct {
	Folder string `json:"folder"`
	Status string `json:"status"` // in a sentence
	Charts any    `json:"charts"` // []eval.Chart, which the page without a server has no room for
}

// NewWatch makes a Watch that has nothing to show yet.
func NewWatch(o WatchOptions) *Watch {
	return &Watch{o: o, end: func() {}, thoughts: make(queue, maxHints)}
}

// Show verifies a record and shows it from now on, instead of another. The agents are texts of those that may be asked
// what they think; the first one is asked unless somebody chooses another.
func (w *Watch) Show(rec *record.Record, g env.Game, asked []string) error {
	f, err := newRecording(rec, g)
	if err != nil {
		return err
	}
	f.agents = asked
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	w.shows, w.end = context.WithCancel(context.Background())
	w.recording, w.curves = f, map[string]*curve{}
	w.version++
	return nil
}

// Train shows how a training run is getting on.
func (w *Watch) Train(t *Training) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.training = t
	w.trained++
}

// API answers the questions of pages.
func (w *Watch) API() *API {
	answers := w.answers()
	answers["GET /api/rules"], answers["POST /api/next"] = w.seen(w.rules), w.next
	auth := func(key string) (role, bool) { return role{}, same(key, w.o.Key) }
	return &API{auth, "this link opens nothing: it is cut off, or of a program that has ended; use the one that the " +
		"program prints now", answers}
}

// answers are those to questions about a recorded game, which pages of tables ask too.
func (w *Watch) answers() map[string]answer {
	return map[string]answer{
		"GET /api/film": w.describe,
		"GET /api/story": w.seen(func(_ *request, f *recording, p env.Player) (any, error) {
			return f.story(p)
		}),
		"GET /api/at": w.seen(func(r *request, f *recording, p env.Player) (any, error) {
			n, err := f.place(r)
			if err != nil {
				return nil, err
			}
			return f.frame(n, p), nil
		}),
		"GET /api/think": w.seen(w.think),
		"GET /api/curve": w.seen(w.curve),
		"GET /api/file":  w.seen(w.file),
		"GET /api/run":   w.run,
	}
}

// seen answers about the recording that is shown, and for whom a request names.
func (w *Watch) seen(find func(*request, *recording, env.Player) (any, error)) answer {
	return func(r *request) (any, error) {
		f, err := w.shown(r)
		if err != nil {
			return nil, err
		}
		p, err := r.seat("as", f.game.Info().Players)
		if err != nil {
			return nil, err
		}
		return find(r, f, p)
	}
}

// shown is the recording, unless the request is about another version of it.
func (w *Watch) shown(r *request) (*recording, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.recording == nil {
		return nil, &fault{missing, "there is no game to be seen yet"}
	}
	if v := r.query.Get("version"); v != "" && v != strconv.Itoa(w.version) {
		return nil, &fault{outdated, "another game is shown by now"}
	}
	return w.recording, nil
}

func (f *recording) place(r *request) (int, error) {
	n, err := strconv.Atoi(r.query.Get("n"))
	if err != nil || n < 0 || n >= len(f.states) {
		return 0, &fault{malformed, fmt.Sprintf("there is no position %q: they are 0 to %d", r.query.Get("n"),
			len(f.states)-1)}
	}
	return n, nil
}

func (w *Watch) describe(r *request) (any, error) {
	w.mu.Lock()
	f, version, trained := w.recording, w.version, w.trained
	w.mu.Unlock()
	v := struct {
		Version   int             `json:"version"` // of the game, 0 if there is none yet
		Trained   int             `json:"trained"` // of the training, 0 if there is none
		More      bool            `json:"more"`    // another game can be asked for
		Recording *recordingSight `json:"film,omitempty"`
	}{version, trained, w.o.Next != nil, nil}
	if f != nil && r.query.Get("version") != strconv.Itoa(version) {
		v.Recording = f.sight()
	}
	return v, nil
}

func (w *Watch) rules(_ *request, f *recording, _ env.Player) (any, error) {
	rules, howTo, err := w.o.Rules(f.game.Info().Name)
	if err != nil {
		return nil, err
	}
	return book(f.game.Info().Name, rules, howTo), nil
}

func (w *Watch) run(r *request) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.training == nil {
		return nil, &fault{missing, "no training is watched here"}
	}
	return w.training, nil
}

func (w *Watch) next(r *request) (any, error) {
	if w.o.Next == nil {
		return nil, &fault{missing, "there is no other game"}
	}
	w.playing.Lock()
	defer w.playing.Unlock()
	if err := w.o.Next(r.ctx); err != nil {
		return nil, err
	}
	return struct{}{}, nil
}

func (w *Watch) file(r *request, f *recording, p env.Player) (any, error) {
	form := r.query.Get("form")
	if form == "record" {
		return recordOf(f.rec)
	}
	n, err := f.place(r)
	if err != nil {
		return nil, err
	}
	switch form {
	case "svg":
		return document{"image/svg+xml", []byte(f.frame(n, p).Board)}, nil
	case "json":
		return document{"application/json", append(f.states[n].AppendPosition(nil), '\n')}, nil
	case "scenario":
		b, err := f.scenario(n)
		return document{"application/toml", b}, err
	}
	return nil, &fault{malformed, fmt.Sprintf("there is no form %q: they are svg, json, scenario and record", form)}
}

// adviser opens one of the agents that may be asked.
func (w *Watch) adviser(ctx context.Context, f *recording, text string) (agents.Explainer, error) {
	if !slices.Contains(f.agents, text) {
		return nil, &fault{forbidden, fmt.Sprintf("%q is not among the agents that can be asked here", text)}
	}
	maker, err := w.o.Open(text, f.game)
	if err != nil {
		return nil, err
	}
	return agents.OpenExplainer(ctx, maker)
}

// ask resets an agent for decision n, and gives what the seat that decides may know.
func (f *recording) ask(agent agents.Agent, n int) *env.View {
	s := f.states[n]
	agent.Reset(env.SeatSeed(f.rec.Header.Seed, s.Actor()) + uint64(n))
	return env.ViewOf(s)
}

// A thought is what an agent thinks of a decision.
type thought struct {
	Agent   string          `json:"agent"`
	Seat    env.Player      `json:"seat"`
	Value   *float64        `json:"value"`
	Choices []thoughtChoice `json:"choices"`
	Line    []string        `json:"line"`
}

type thoughtChoice struct {
	table.Choice
	Played      bool     `json:"played"`
	Probability float64  `json:"probability"`
	Value       *float64 `json:"value"`
	Score       *float64 `json:"score"`
}

func (w *Watch) think(r *request, f *recording, viewer env.Player) (any, error) {
	n, err := f.place(r)
	if err != nil {
		return nil, err
	}
	if n+1 >= len(f.states) {
		return nil, &fault{malformed, "nothing is decided here any more"}
	}
	ctx, leave, err := w.thoughts.enter(r.ctx, hintLimit, "decisions are being thought about")
	if err != nil {
		return nil, err
	}
	defer leave()
	text := r.query.Get("agent")
	agent, err := w.adviser(ctx, f, text)
	if err != nil {
		return nil, err
	}
	defer agents.Close(agent)
	view := f.ask(agent, n)
	e, err := agent.Explain(view)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	s := f.states[n]
	v := thought{Agent: text, Seat: s.Actor(), Value: agents.Known(e.Value), Line: []string{}}
	for _, told := range e.Told {
		v.Line = append(v.Line, f.tells.Spoken(told, viewer))
	}
	for _, c := range table.HintChoices(view, &e) {
		v.Choices = append(v.Choices, thoughtChoice{f.tells.Choice(s, c.Action, viewer), c.Action == f.steps[n+1].Action,
			c.Probability, c.Value, c.Score})
	}
	return v, nil
}

// A curve is what an agent thinks of every decision of a recording, as far as it has come.
type curve struct {
	mu     sync.Mutex
	points []point
	err    error
	done   bool
	asked  time.Time     // when somebody has looked last
	more   chan struct{} // closed and renewed when there is more
}

// A point is what an agent thinks of one decision.
type point struct {
	N           int        `json:"n"`
	Seat        env.Player `json:"seat"`
	Value       *float64   `json:"value"`       // the return that the seat may expect
	Probability float64    `json:"probability"` // of what was chosen
	Best        string     `json:"best"`        // what the agent would choose
	Chosen      string     `json:"chosen"`
	Loss        *float64   `json:"loss"`  // of return, by what was chosen; null if the agent does not value single actions
	Error       *float64   `json:"error"` // the standard error of the loss
}

// curve tells what has been thought so far, from a point on; where that is nothing, it waits for a while.
func (w *Watch) curve(r *request, f *recording, seat env.Player) (any, error) {
	text := r.query.Get("agent")
	from, err := strconv.Atoi(r.query.Get("from"))
	if err != nil || from < 0 {
		return nil, &fault{malformed, "from is the number of the points that the page has"}
	}
	w.mu.Lock()
	drawn := fmt.Sprint(text, " ", seat)
	c := w.curves[drawn]
	if c == nil && w.recording == f {
		if !slices.Contains(f.agents, text) {
			w.mu.Unlock()
			return nil, &fault{forbidden, fmt.Sprintf("%q is not among the agents that can be asked here", text)}
		}
		c = &curve{more: make(chan struct{}), asked: time.Now()}
		w.curves[drawn] = c
		go w.draw(w.shows, f, text, seat, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.curves[drawn] == c {
				delete(w.curves, drawn)
			}
		}, c)
	}
	w.mu.Unlock()
	if c == nil {
		return nil, &fault{outdated, "another game is shown by now"}
	}
	const patience = time.Second
	late := time.After(patience)
	for {
		c.mu.Lock()
		c.asked = time.Now()
		points, done, err, more := c.points[min(from, len(c.points)):], c.done, c.err, c.more
		c.mu.Unlock()
		if err != nil {
			return nil, err
		}
		wait := len(points) == 0 && !done
		if wait {
			select {
			case <-more:
				continue
			case <-late:
			case <-r.ctx.Done():
				return nil, nil // The page is gone.
			}
		}
		return map[string]any{"points": append([]point{}, points...), "done": done}, nil
	}
}

// forsaken says that nobody looks any more.
func (c *curve) forsaken() bool {
	const patience = 10 * time.Second
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Since(c.asked) > patience
}

// draw asks an agent about every decision of a recording, or of a seat in it, one after the other, as long as somebody
// looks; otherwise it forgets them.
func (w *Watch) draw(ctx context.Context, f *recording, text string, seat env.Player, forget func(), c *curve) {
	tell := func(p *point, err error, done bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if p != nil {
			c.points = append(c.points, *p)
		}
		c.err, c.done = err, done
		close(c.more)
		c.more = make(chan struct{})
	}
	agent, err := w.adviser(ctx, f, text)
	if err != nil {
		tell(nil, err, true)
		return
	}
	defer agents.Close(agent)
	for n := range len(f.states) - 1 {
		if c.forsaken() {
			forget()
			return
		}
		if seat != env.Spectator && f.states[n].Actor() != seat {
			continue
		}
		w.thinking.Lock()
		e, err := agents.Compare(agent, f.ask(agent, n), f.steps[n+1].Action)
		w.thinking.Unlock()
		if ctx.Err() != nil {
			return // Another game is shown.
		}
		if err != nil {
			tell(nil, fmt.Errorf("%s: %w", text, err), true)
			return
		}
		tell(pointOf(f, n, &e, seat), nil, false)
	}
	tell(nil, nil, true)
}

// leastVisits is how often a search must have tried an action for its value to say something.
const leastVisits = 4

func pointOf(f *recording, n int, e *agents.Explanation, viewer env.Player) *point {
	s, chosen := f.states[n], f.steps[n+1].Action
	best := chosen
	for a, x := range e.Probabilities {
		if x > e.Probabilities[best] {
			best = env.Action(a)
		}
	}
	inWords := func(a env.Action) string { return f.tells.Spoken(env.InWords(s, a), viewer) }
	p := &point{
		N: n, Seat: s.Actor(), Value: agents.Known(e.Value), Probability: float64(e.Probabilities[chosen]),
		Best: inWords(best), Chosen: inWords(chosen),
	}
	switch {
	case e.Visits == nil || e.Visits[chosen] < leastVisits:
	case best == chosen:
		p.Loss, p.Error = new(float64), new(float64)
	default:
		p.Loss, p.Error = agents.Known(math.Max(0, -e.Leads[chosen])), agents.Known(e.Errors[chosen])
	}
	return p
}
