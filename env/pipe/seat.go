package pipe

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"earthgym/env"
)

// MaxTables is how many tables a seat may sit at at a time.
const MaxTables = 1024

// maxSamples is how many bytes of samples a seat may ask for at once.
const maxSamples = 64 << 20

// A Seat is the table's side of an agent elsewhere. It shows the agent the Views of its seat and gives
// nothing else: no position, no record, no seed of a game. It belongs to one goroutine.
type Seat struct {
	conn    io.ReadWriter
	info    *env.Info
	encoder *encoder
	client  string
	tables  int // that the agent sits at at a time
	id      uint64
	views   []*env.View // of the running request
	scratch env.State   // for samples
	in, out []byte
	payload []byte
}

// NewSeat greets an agent that has been started, which must say hello as a seat. What the agent may take
// for one answer is told to it; to keep the time is the caller's part, who ends the connection.
func NewSeat(conn io.ReadWriter, info *env.Info, program string, limit time.Duration) (*Seat, error) {
	if !littleEndian() {
		return nil, errors.New("arrays are little-endian, and this machine is not")
	}
	s := &Seat{conn: conn, info: info}
	if err := readPreamble(conn, nil); err != nil {
		return nil, s.refuse(0, err)
	}
	f, buf, err := readFrame(conn, nil, DefaultLimits().Frame, nil)
	if err != nil {
		return nil, s.refuse(0, err)
	}
	s.in = buf
	if err := WellFormed(f.head); err != nil {
		return nil, s.refuse(0, badHead(err))
	}
	if id, op := addressOf(f.head); string(op) != "hello" {
		return nil, s.refuse(id, errorf(BadHandshake, "the first request is hello, not %q", op))
	}
	var r helloRequest
	if err := decodeHead(f.head, &r); err != nil {
		return nil, s.refuse(r.ID, badHead(err))
	}
	e, err := seatEncoding(&r)
	if err != nil {
		return nil, s.refuse(r.ID, err)
	}
	s.client, s.encoder, s.tables = sentence(r.Client), newEncoder(e, info), max(1, int(r.Tables))
	doc, err := json.Marshal(info)
	if err != nil {
		return nil, err
	}
	return s, s.write(welcome{
		ID: r.ID, Protocol: []int{Major, Minor}, Program: program, Role: RoleSeat,
		Capabilities: []string{"text", "sample", "sample-states", "view", "tables", "story"}, Game: info.Text,
		MoveLimit: limit.Milliseconds(),
	}, doc)
}

func seatEncoding(r *helloRequest) (encoding, error) {
	switch {
	case len(r.Protocol) != 2 || r.Protocol[0] != Major:
		return encoding{}, errorf(BadVersion, "protocol %v; this program speaks [%d, %d]", r.Protocol, Major, Minor)
	case r.Role != RoleSeat:
		return encoding{}, errorf(BadRole, "role %q: at a table there is only %q", r.Role, RoleSeat)
	case r.Tables < 0 || r.Tables > MaxTables:
		return encoding{}, errorf(BadRequest, "tables %d: 1 to %d", r.Tables, MaxTables)
	}
	return r.encoding()
}

// refuse tells the agent why it isn't seated.
func (s *Seat) refuse(id uint64, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Fatal = true
		_ = s.write(errorAnswer{id, e}, nil) // It may be gone.
	}
	return err
}

// Client is what the agent calls itself.
func (s *Seat) Client() string { return s.client }

// Tables is how many tables the agent sits at at a time: 1, if it hasn't said that it plays many games at once.
func (s *Seat) Tables() int { return s.tables }

func (s *Seat) write(head any, payload []byte) error {
	var err error
	if s.out, err = appendFrame(s.out[:0], head, payload); err != nil {
		return err
	}
	_, err = s.conn.Write(s.out)
	return err
}

// Reset tells the agent of a new game and the seed of its own chance.
func (s *Seat) Reset(seed uint64) error { return s.ResetAt(0, seed) }

// ResetAt is Reset at one of the agent's Tables, from 0.
func (s *Seat) ResetAt(table int, seed uint64) error {
	s.id++
	s.views = nil
	if err := s.write(ask{ID: s.id, Op: "new_game", Table: table, Seed: seed}, nil); err != nil {
		return err
	}
	payload, err := s.await()
	if err == nil && len(payload) > 0 {
		err = errorf(WrongLength, "%d bytes in answer to new_game", len(payload))
	}
	return err
}

// Act shows the agent the views and fills in what it chooses for each. An illegal choice is an
// *env.IllegalActionError.
func (s *Seat) Act(views []*env.View, out []env.Action) error { return s.ActAt(nil, views, out) }

// ActAt is Act with the table of each view. An agent that sits at one table alone is not told of tables.
func (s *Seat) ActAt(tables []int, views []*env.View, out []env.Action) error {
	s.id++
	a := ask{ID: s.id, Op: "act", Count: len(views)}
	if s.tables > 1 {
		a.Tables = tables
	}
	a.Blocks = []block{
		{Name: "observation", Type: s.encoder.encoding.observation, Shape: []int{len(views), s.info.Observation()}},
		{Name: "mask", Type: typeUint8, Shape: []int{len(views), s.encoder.maskSize(s.info)}},
	}
	if n := layOut(a.Blocks); n > len(s.payload) {
		s.payload = newArray(n)
	}
	observation, mask := s.encoder.observationSize(), s.encoder.maskSize(s.info)
	masks := s.payload[a.Blocks[1].Offset:]
	for i, v := range views {
		a.Players = append(a.Players, int(v.Player()))
		a.Seen = append(a.Seen, events(v.Seen()))
		s.encoder.put(s.payload[i*observation:(i+1)*observation], v.Observation())
		s.encoder.putMask(masks[i*mask:(i+1)*mask], v.Mask())
	}
	s.views = views
	defer func() { s.views = nil }()
	if err := s.write(a, s.payload[:a.Blocks[1].Offset+a.Blocks[1].size]); err != nil {
		return err
	}
	payload, err := s.await()
	if err != nil {
		return err
	}
	if len(payload) != 4*len(views) {
		return errorf(WrongLength, "%d bytes of actions for %d views: int32, one for each", len(payload), len(views))
	}
	for i, v := range views {
		out[i] = env.Action(int32(binary.LittleEndian.Uint32(payload[4*i:])))
		if !v.Mask().Has(out[i]) {
			return s.illegal(v, out[i])
		}
	}
	return nil
}

func (s *Seat) illegal(v *env.View, a env.Action) error {
	e := &env.IllegalActionError{Player: v.Player(), Action: a, Text: fmt.Sprint(int(a)),
		Reason: fmt.Sprintf("%s has actions 0 to %d", s.info.Name, len(s.info.Actions)-1)}
	if a >= 0 && int(a) < len(s.info.Actions) {
		e.Text, e.Reason = v.ActionText(a), "it is not in the mask"
	}
	return e
}

func events(seen []env.Seen) []event {
	list := make([]event, len(seen))
	for i, x := range seen {
		list[i] = event{[]string{"action", "chance", "note"}[x.Kind], int(x.Player), x.Text}
	}
	return list
}

// reply is the head of what comes from an agent and is no request of its own: an answer or an error.
type reply struct {
	call
	Error *Error `msgpack:"error"`
}

// await serves the agent's requests until it answers ours, and gives the payload of that.
func (s *Seat) await() ([]byte, error) {
	for {
		f, buf, err := readFrame(s.conn, s.in, DefaultLimits().Frame, nil)
		s.in = buf
		if err != nil {
			return nil, err
		}
		if err := WellFormed(f.head); err != nil {
			return nil, badHead(err)
		}
		if id, op := addressOf(f.head); len(op) > 0 {
			if err := s.serve(id, op, f); err != nil {
				return nil, err
			}
			continue
		}
		var r reply
		switch err := decodeHead(f.head, &r); {
		case err != nil:
			return nil, badHead(err)
		case r.ID != s.id:
			return nil, errorf(BadRequest, "an answer to request %d, not to %d", r.ID, s.id)
		case r.Error != nil:
			return nil, errorf(cmp.Or(Code(sentence(string(r.Error.Code))), AgentFailed), "%s",
				cmp.Or(r.Error.Message, "it has given up"))
		default:
			return f.payload, nil
		}
	}
}

// serve answers a request of the agent.
func (s *Seat) serve(id uint64, name []byte, f frame) error {
	head, payload, err := s.do(name, f)
	if err != nil {
		return s.write(errorAnswer{id, asError(err)}, nil)
	}
	return s.write(head, payload)
}

// do does what a frame of the agent's asks for.
func (s *Seat) do(name []byte, f frame) (head any, payload []byte, err error) {
	op := operationOf(name)
	switch {
	case op == nil:
		return nil, nil, unknownOp(name, func(op operation) bool { return op.seat != nil })
	case op.seat == nil:
		return nil, nil, errorf(Forbidden, "%s is for owners of environments; a seat has its view", name)
	}
	return op.seat(s, f)
}

// ofSeat is a seat's operation with its request.
func ofSeat[R any](do func(*Seat, *R) (any, []byte, error)) func(*Seat, frame) (any, []byte, error) {
	return func(s *Seat, f frame) (any, []byte, error) {
		r := new(R)
		if err := decodeHead(f.head, r); err != nil {
			return nil, nil, badHead(err)
		}
		return do(s, r)
	}
}

// ofView is a seat's operation about one of its views.
func ofView(do func(*Seat, uint64, *env.View) (any, []byte, error)) func(*Seat, frame) (any, []byte, error) {
	return ofSeat(func(s *Seat, r *viewRequest) (any, []byte, error) {
		v, err := s.view(r.View)
		if err != nil {
			return nil, nil, err
		}
		return do(s, r.ID, v)
	})
}

func (s *Seat) view(i int64) (*env.View, error) {
	if i < 0 || i >= int64(len(s.views)) {
		return nil, errorf(BadLane, "there is no view %d: there are %d now", i, len(s.views))
	}
	return s.views[i], nil
}

func (s *Seat) text(id uint64, v *env.View) (any, []byte, error) {
	text := v.Text()
	if text == "" {
		return nil, nil, errorf(NotSupported, "%s has no text view", s.info.Name)
	}
	return textAnswer{id, text}, nil, nil
}

func (s *Seat) story(id uint64, v *env.View) (any, []byte, error) {
	story := v.Story()
	if story == nil {
		return nil, nil, errorf(NotSupported, "nobody tells the story of %s here", s.info.Name)
	}
	return answer{id}, []byte(strings.Join(story, "\n")), nil
}

func (s *Seat) legal(id uint64, v *env.View) (any, []byte, error) {
	a := actionsAnswer{ID: id}
	for _, action := range v.Mask().Append(nil) {
		a.Actions = append(a.Actions, int(action))
		a.Texts = append(a.Texts, v.ActionText(action))
	}
	return a, nil, nil
}

func (s *Seat) position(id uint64, v *env.View) (any, []byte, error) {
	doc, err := v.Position()
	return answer{id}, doc, err
}

func (s *Seat) parse(r *textsRequest) (any, []byte, error) { return parse(s.info, r.ID, r.Texts) }

// sample gives states that may be the true one, for all that this seat knows, or what every seat sees in them.
func (s *Seat) sample(r *sampleRequest) (any, []byte, error) {
	v, err := s.view(r.View)
	if err != nil {
		return nil, nil, err
	}
	if s.scratch == nil {
		s.scratch = v.NewState()
	}
	if r.Saved {
		return s.sampleStates(r, v)
	}
	return s.sampleObservations(r, v)
}

// sampleObservations gives what every seat sees in states that may be the true one, for all that this seat knows.
func (s *Seat) sampleObservations(r *sampleRequest, v *env.View) (any, []byte, error) {
	size := s.encoder.observationSize()
	if most := maxSamples / (size * s.info.Players); r.Count < 1 || r.Count > int64(most) {
		return nil, nil, errorf(beyond(r.Count), "%d samples: 1 to %d", r.Count, most)
	}
	numbers := make([]float32, s.info.Observation())
	out := newArray(int(r.Count) * s.info.Players * size)
	at := out
	for k := range uint64(r.Count) {
		v.SampleInto(s.scratch, env.Mix(r.Key+k))
		for p := range s.info.Players {
			s.encoder.observe(at[:size:size], s.scratch, env.Player(p), numbers)
			at = at[size:]
		}
	}
	return arrayAnswer{r.ID, s.encoder.encoding.observation, []int{int(r.Count), s.info.Players, s.info.Observation()}},
		out, nil
}

// maxStates is how many states a seat may ask for at once: about as many bytes as of samples.
const maxStates = 4096

// sampleStates gives states that may be the true one, for all that this seat knows, with luck of their own: what a
// program needs that looks ahead.
func (s *Seat) sampleStates(r *sampleRequest, v *env.View) (any, []byte, error) {
	if r.Count < 1 || r.Count > maxStates {
		return nil, nil, errorf(beyond(r.Count), "%d states: 1 to %d", r.Count, maxStates)
	}
	a := statesAnswer{ID: r.ID}
	var out []byte
	for k := range uint64(r.Count) {
		v.SampleInto(s.scratch, env.Mix(r.Key+k))
		doc, err := env.Snapshot(s.scratch)
		if err != nil {
			return nil, nil, err
		}
		a.Sizes, out = append(a.Sizes, len(doc)), append(out, doc...)
	}
	return a, out, nil
}
