//go:build !js

package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"earthgym/env"
	"earthgym/env/spelling"
)

// A Fault is a decision that a model has not come to.
type Fault struct {
	text string

	Late  bool // it took too long
	Spent bool // its tokens for the game are used up; else what it answered is no legal action
}

func (e *Fault) Error() string { return e.text }

// A Player decides for a seat. It belongs to one goroutine.
type Player struct {
	client *client
	log    *logFile
	system string

	ctx      context.Context
	game     uint64 // the seed of the seat, which tells games apart in transcripts
	decision int
	spent    int // tokens in this game
	script   []byte
}

// Open reads a URL and options (package llm lists them), and gives what makes Players, and what they have spent so far.
func Open(text string, info *env.Info) (create func() *Player, spent func() Spending, err error) {
	c, err := readConfig(text)
	if err != nil {
		return nil, nil, err
	}
	l := &ledger{prices: c.prices}
	shared, log := newClient(c, l), &logFile{name: c.log}
	if c.log != "" {
		if err := log.append(nil); err != nil { // It can't be written.
			return nil, nil, fmt.Errorf("log=%s: %w", c.log, err)
		}
	}
	instructions := system(info, c.legal)
	return func() *Player {
		return &Player{client: shared, log: log, system: instructions, ctx: context.Background()}
	}, l.total, nil
}

// Follow lets the player's requests end with ctx.
func (p *Player) Follow(ctx context.Context) { p.ctx = ctx }

// Reset begins a game.
func (p *Player) Reset(seed uint64) {
	p.game, p.decision, p.spent, p.script = seed, 0, 0, nil
}

// Transcript is what has been said in the running game, or the last one, as JSON Lines: the instructions first, then
// each answer with what was asked.
func (p *Player) Transcript() []byte { return p.script }

// A line of a transcript. The first of a game has the instructions.
type line struct {
	Game     string    `json:"game"` // the same for all lines of a game of a seat
	Seat     int       `json:"seat"`
	Decision int       `json:"decision"` // of the seat in the game, from 0
	Try      int       `json:"try"`      // from 1
	System   string    `json:"system,omitempty"`
	Messages []message `json:"messages,omitempty"` // that are new in this request, behind the instructions
	Answer   string    `json:"answer,omitempty"`
	Action   string    `json:"action,omitempty"` // that is played
	Fault    string    `json:"fault,omitempty"`
	Usage    *usage    `json:"usage,omitempty"`
	Millis   int64     `json:"ms"`
}

// Act asks the model for the decision of v. It gives a *Fault if the model comes to none, and a *ServerError if it
// can't be asked.
func (p *Player) Act(v *env.View) (env.Action, error) {
	c := p.client.config
	ctx, cancel := context.WithTimeoutCause(p.ctx, c.limit, errTime)
	defer cancel()
	p.client.ledger.note(func(s *Spending) { s.Decisions++ })
	defer func() { p.decision++ }()
	s := v.Sample(0) // of which only what the seat knows is asked
	conversation := []message{{"system", p.system}, {"user", prompt(v, s, c.legal)}}
	told, fault := 1, ""
	for try := 1; try <= c.tries; try++ {
		if c.budget > 0 && p.spent >= c.budget {
			return -1, p.giveUp(func(f *Faults) { f.Tokens++ }, fmt.Sprintf("its %d tokens for the game are used up", c.budget))
		}
		l := line{Game: fmt.Sprintf("%016x", p.game), Seat: int(v.Player()), Decision: p.decision, Try: try,
			Messages: conversation[told:]}
		if p.decision == 0 && try == 1 {
			l.System = p.system
		}
		began := time.Now()
		a, err := p.client.ask(ctx, conversation)
		l.Millis = time.Since(began).Milliseconds()
		if err != nil {
			l.Fault = err.Error()
			if e := p.write(l); e != nil {
				return -1, e
			}
			if errors.Is(err, errTime) {
				reason := fmt.Sprintf("no answer within %v", c.limit)
				if rest := strings.TrimPrefix(err.Error(), errTime.Error()); rest != "" {
					reason += rest
				}
				return -1, p.giveUp(func(f *Faults) { f.Time++ }, reason)
			}
			return -1, err
		}
		p.count(conversation, a)
		action, reason, kind := p.decide(v, s, a)
		l.Answer, l.Usage, l.Fault = a.text, a.usage, reason
		if reason == "" {
			l.Action = v.ActionText(action)
		}
		if err := p.write(l); err != nil {
			return -1, err
		}
		if reason == "" {
			return action, nil
		}
		fault = reason
		p.client.ledger.note(func(s *Spending) { kind(&s.Faults) })
		told = len(conversation)
		said := spoken(a.text)
		if said == "" {
			said = "…" // There are servers that take no empty message.
		}
		conversation = append(conversation, message{"assistant", said},
			message{"user", reason + " Nothing has been played; decide again."})
	}
	return -1, p.giveUp(func(*Faults) {}, fmt.Sprintf("no legal action in %s; the last: %s",
		spelling.Counted(c.tries, "answer"), fault))
}

// giveUp counts a decision that was not come to.
func (p *Player) giveUp(kind func(f *Faults), reason string) error {
	p.client.ledger.note(func(s *Spending) {
		kind(&s.Faults)
		s.Forfeits++
	})
	var of Faults
	kind(&of)
	return &Fault{text: reason, Late: of.Time > 0, Spent: of.Tokens > 0}
}

// tokenBytes is how many bytes of an answer without a count, and of what it is an answer to, the budget takes for a
// token.
const tokenBytes = 4

func (p *Player) count(conversation []message, a *answer) {
	if a.usage == nil {
		n := len(a.text)
		for _, m := range conversation {
			n += len(m.Content)
		}
		p.spent += 1 + n/tokenBytes
		p.client.ledger.note(func(s *Spending) { s.Uncounted++ })
		return
	}
	p.spent += a.usage.Prompt + a.usage.Completion
	p.client.ledger.note(func(s *Spending) {
		s.PromptTokens += a.usage.Prompt
		s.CompletionTokens += a.usage.Completion
	})
}

// decide finds the action that an answer names; or else what the model is told, and the kind of its fault.
func (p *Player) decide(v *env.View, s env.State, a *answer) (action env.Action, reason string, kind func(f *Faults)) {
	parsing := func(f *Faults) { f.Parsing++ }
	text, ok := named(spoken(a.text))
	if !ok {
		text, ok = plain(v.Info(), spoken(a.text))
	}
	text = p.client.hide(text) // In JSON it may have been spelt in other ways.
	switch {
	case a.refusal != "":
		return -1, "You would not answer: " + a.refusal + ".", func(f *Faults) { f.Refusals++ }
	case !ok && a.cut:
		return -1, fmt.Sprintf("Your answer was cut off after %d tokens, before it named an action: be brief.",
			p.client.config.tokens), parsing
	case !ok:
		return -1, `There is no JSON object with an "action" in your answer.`, parsing
	case len(text) > 200:
		return -1, "The action is longer than any text of an action.", parsing
	}
	action, err := v.Info().Parse(text)
	if err != nil {
		return -1, fmt.Sprintf("%q is no action of this game.%s", spelling.Printable(text), p.nearest(v, text)), parsing
	}
	if !v.Mask().Has(action) {
		return -1, fmt.Sprintf("%q is not legal now: %s%s", v.Info().Actions[action].Text, s.Why(action), p.nearest(v, text)),
			func(f *Faults) { f.Legality++ }
	}
	return action, "", nil
}

// nearest tells legal actions near one, unless the model is to find them.
func (p *Player) nearest(v *env.View, text string) string {
	if p.client.config.legal == legalNone {
		return ""
	}
	var texts []string
	for _, a := range v.Mask().Append(nil) {
		texts = append(texts, v.ActionText(a))
	}
	return " The nearest legal actions: " + strings.Join(spelling.NearestOf(text, texts), "; ") + "."
}

func (p *Player) write(l line) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	p.script = append(p.script, b...)
	return p.log.append(b)
}

// A logFile gets the lines of all players.
type logFile struct {
	name string
	mu   sync.Mutex
}

func (l *logFile) append(b []byte) error {
	if l.name == "" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	f, err := os.OpenFile(l.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}
