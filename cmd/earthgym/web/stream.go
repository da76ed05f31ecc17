package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"earthgym/agents/table"
	"earthgym/env"
)

const (
	// atOnce is how long changes gather before a page is told of them: agents may answer at once, and by the hundred.
	atOnce = 5 * time.Millisecond
	// between is the least time from one sight to the next.
	between = 30 * time.Millisecond
	// alive is after what silence a page is told that the connection stands.
	alive = 15 * time.Second
)

// sight is a table.Sight as pages get it. What has not changed since the last one on the same stream is left out.
type sight struct {
	table.Sight
	Asked     *env.Player    `json:"asked"` // the seat among those of the page's link that is to decide, null if none
	People    []int          `json:"people"`
	Choices   []table.Choice `json:"choices"`
	Envelopes []int          `json:"envelopes"`
	Board     *string        `json:"board,omitempty"`
	LogFrom   int            `json:"logFrom"` // lines of the log from here on are new
	Log       []table.Line   `json:"log"`
	Left      *float64       `json:"left"` // seconds until the stand-in decides, null without a limit
	Result    *result        `json:"result"`
	Table     int            `json:"table"`
	Said      []Said         `json:"said,omitempty"`
}

type result struct {
	Winners []int     `json:"winners"`
	Scores  []float64 `json:"scores"`
	Returns []float64 `json:"returns"`
	Reason  string    `json:"reason"`
	Why     string    `json:"why"` // the same in a sentence
}

// sightOf is what a page gets that has been told old (nil at first); asked is the seat of its role that is to decide.
func (s *Server) sightOf(now, old *table.Sight, who role, asked env.Player, said []Said) *sight {
	v := &sight{
		Sight: *now, Choices: append([]table.Choice{}, now.Choices...), People: []int{}, Table: s.number,
		Envelopes: now.Envelopes.List(), Said: said,
	}
	for p, at := range now.Seats {
		if at.Person && who.may(env.Player(p)) {
			v.People = append(v.People, p)
		}
	}
	if asked >= 0 {
		v.Asked = &asked
	}
	if old == nil || old.Board != now.Board {
		v.Board = &now.Board
	}
	if old != nil {
		for v.LogFrom < min(len(old.Log), len(now.Log)) && old.Log[v.LogFrom] == now.Log[v.LogFrom] {
			v.LogFrom++
		}
	}
	v.Log = append([]table.Line{}, now.Log[v.LogFrom:]...)
	if !now.Due.IsZero() {
		left := math.Max(0, time.Until(now.Due).Seconds())
		v.Left = &left
	}
	if r := now.Result; r != nil {
		v.Result = &result{r.Winners.List(), r.Scores, r.Returns, r.Reason, why(s.table.Info(), r.Reason)}
	}
	return v
}

// asked is the seat of the role that is to decide, Hidden if none is.
func (s *Server) asked(who role) env.Player {
	for _, p := range who.seats {
		if s.table.Asks(p) {
			return p
		}
	}
	return env.Hidden
}

// stream tells a page what its viewer sees, at once and after every change.
func (s *Server) stream(r *request) (any, error) {
	p, err := r.seat("seat", s.table.Info().Players)
	if err != nil {
		return nil, err
	}
	// Who has left its own seat to an agent looks on, and sees its seat again when it sits down there.
	if err := s.opens(r.who, p); err != nil && (r.who.host || !r.who.may(p)) {
		return nil, err
	}
	if !s.enter(r.who) {
		return nil, &fault{full, fmt.Sprintf("%d pages of this link look on already; try again later", s.o.MaxStreams)}
	}
	return stream(func(send func([]byte) error) error {
		defer s.leave(r.who)
		return s.follow(r, p, send)
	}), nil
}

// follow tells a page what its viewer sees until it is gone.
func (s *Server) follow(r *request, p env.Player, send func([]byte) error) error {
	idle := time.NewTimer(alive)
	defer idle.Stop()
	var old *table.Sight
	var sent time.Time
	heard := 0 // the number of what was said last
	before := env.Hidden
	for {
		changed, from := s.table.Changed(), p
		said, more := s.talk.hear()
		if s.opens(r.who, p) != nil { // An agent sits there.
			from = env.Spectator
		}
		now, err := s.table.Look(from)
		if err != nil {
			return err
		}
		// What changes nothing here is none of the page's business: it must not even put off what says that all stands.
		if asked := s.asked(r.who); now != old || asked != before || lastSaid(said) != heard {
			b, err := s.tell(now, old, r.who, asked, said)
			if err != nil {
				return err
			}
			if err := send(b); err != nil {
				return err
			}
			old, before, heard, sent = now, asked, lastSaid(said), time.Now()
			idle.Reset(alive)
		}
		select {
		case <-r.ctx.Done():
			return nil
		case <-idle.C:
			if err := send([]byte(": the connection stands\n\n")); err != nil {
				return err
			}
			idle.Reset(alive)
			continue
		case <-changed:
		case <-more:
		}
		select {
		case <-r.ctx.Done():
			return nil
		case <-time.After(max(atOnce, between-time.Since(sent))):
		}
	}
}

// told is the event that takes those who look on from one edition to another.
type told struct {
	from, to int
	said     int // the number of what was said last
	event    []byte
}

// tell is the event that takes a page from old (nil at first) to now. Those who look on are many, and all are told the
// same.
func (s *Server) tell(now, old *table.Sight, who role, asked env.Player, said []Said) ([]byte, error) {
	if len(who.seats) > 0 {
		return event(s.sightOf(now, old, who, asked, said))
	}
	step := told{from: -1, to: now.Edition, said: lastSaid(said)}
	if old != nil {
		step.from = old.Edition
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.told {
		if t.from == step.from && t.to == step.to && t.said == step.said {
			return t.event, nil
		}
	}
	var err error
	if step.event, err = event(s.sightOf(now, old, who, asked, said)); err != nil {
		return nil, err
	}
	const most = 8
	s.told = append(s.told[max(0, len(s.told)-most+1):], step)
	return step.event, nil
}

// event is a value as a server-sent event.
func event(v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("data: ")
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// enter counts a stream of a role, unless it has too many.
func (s *Server) enter(who role) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.o.MaxStreams > 0 && s.streams[who.String()] >= s.o.MaxStreams {
		return false
	}
	s.streams[who.String()]++
	return true
}

// followed says whether somebody who sits here follows the table.
func (s *Server) followed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for who, n := range s.streams {
		if n > 0 && who != (role{}).String() {
			return true
		}
	}
	return false
}

func (s *Server) leave(who role) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams[who.String()]--
}
