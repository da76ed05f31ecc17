// Package record keeps games as JSON Lines, reads them again and verifies them line by line: a [Record] is the
// referee's, with the seed; a [Transcript] is of a game that people played elsewhere.
package record

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/disk"
	"earthgym/env/seal"
	"earthgym/env/spelling"
)

// Format names the form of records, of which there is one.
const Format = "earthgym-record/3"

// maxRecordLine bounds one line of a record that is read.
const maxRecordLine = 1 << 20

// A Record is a game as JSON Lines: a header, a line per decision, and, once the game is over, a footer. It is enough
// to replay the game and to verify it. It is the referee's: it holds the seed. Header and footer carry a checksum, of
// the header and of the whole record (package seal), so that what no replay can tell is as it was written, too.
//
// A record that verifies (Read and Replay) proves that its game, on its seed, goes as each line says: set-up, who acts,
// legality, chance, notes and result. Where chance is listed (Header.Listed) there is no seed, and what it proves is
// that the game goes like this if chance did what the record says. Where the game begins from a position
// (Header.Position), nothing is proved of how it came to that. There is one way to write it, so that what a reader of
// the lines sees is what was verified. It does not prove who played (the agents are names that somebody wrote), that
// the seed was not chosen with care, or that a record without a footer is not the beginning of a longer one: its
// decisions may have been cut off at the end.
type Record struct {
	Header Header
	Moves  []Move
	Footer *Footer // nil while the game runs
}

// Header is the first line of a record.
type Header struct {
	Format string `json:"format"`
	Rules  int    `json:"rules"` // version of the game's rules
	Game   string `json:"game"`  // names every option
	Data   string `json:"data"`  // hash of the component data

	// What the agents chose from and what they saw: hashes of action table and observation layout, and
	// version of the encoding. The game is the same for whoever sees it otherwise, so that a record
	// verifies whatever the encoding is now.
	Actions     string `json:"action_hash"`
	Observation string `json:"observation_hash"`
	Encoding    int    `json:"encoding"`

	Seed uint64 `json:"seed"`
	// chance is as the record lists it, not drawn from a seed: played at a real table, say
	Listed bool     `json:"listed,omitempty"`
	Agents []string `json:"agents"` // a name for each seat, as the writer says

	// Position is where the game begins, as the game writes it (State.AppendPosition), if not with the set-up, of which
	// Chance says nothing then. The luck is that of the seed's set-up.
	Position json.RawMessage `json:"position,omitempty"`

	// What else the writer says, all of it optional: the hash of what each seat's agent is made of ("" is not known), what
	// its name leaves open of how it chooses, such as "net:,temperature=76,loss=76" of level:2 ("" is nothing), the
	// program that wrote the record, when the game was played (RFC 3339), and whatever else is worth knowing.
	Hashes  []string          `json:"agent_hashes,omitempty"`
	Made    []string          `json:"agents_made,omitempty"`
	Program string            `json:"program,omitempty"`
	Date    string            `json:"date,omitempty"`
	Meta    map[string]string `json:"meta,omitempty"`

	Chance []string `json:"chance"` // of the set-up
}

// Move is the line of one decision.
type Move struct {
	N      int      `json:"n"` // from 0
	Player int      `json:"player"`
	Action string   `json:"action"`
	Chance []string `json:"chance"`          // that it caused
	Notes  []string `json:"notes,omitempty"` // cards shown

	Milliseconds int `json:"ms,omitempty"` // that it took, as the writer says
}

// Footer is the last line of a finished game.
type Footer struct {
	Returns   []float64 `json:"returns"`
	Winners   []int     `json:"winners"`
	Scores    []float64 `json:"scores"`
	Reason    string    `json:"reason"`
	Decisions int       `json:"decisions"`
}

// New begins the record of a game that has been set up on a seed, with the names of its agents, seat 0 first; seats
// beyond the list have none.
func New(info *env.Info, seed uint64, agents, setup []string) *Record {
	names := make([]string, info.Players)
	copy(names, agents)
	return &Record{Header: Header{
		Format: Format, Rules: info.Rules, Game: info.Text, Data: info.DataHash,
		Actions: info.ActionHash(), Observation: info.ObservationHash(), Encoding: info.Encoding,
		Seed: seed, Agents: names, Chance: setup,
	}}
}

// BeginAt has the record say that its game begins from the position of s.
func (r *Record) BeginAt(s env.State) { r.Header.Position = positionLine(s) }

// Finish adds the footer, the outcome of the game.
func (r *Record) Finish(outcome env.Result) { r.Footer = newFooter(outcome) }

func newFooter(r env.Result) *Footer {
	return &Footer{r.Returns, r.Winners.List(), r.Scores, r.Reason, r.Decisions}
}

// Write writes the record, one line each.
func (r *Record) Write(w io.Writer) error {
	header := r.Header
	lines := []any{&header}
	for _, m := range r.Moves {
		lines = append(lines, &m)
	}
	if r.Footer != nil {
		footer := *r.Footer
		lines = append(lines, &footer)
	}
	var chain seal.Chain
	for _, line := range lines {
		b, err := encodeLine(line)
		if err != nil {
			return err
		}
		if _, move := line.(*Move); move {
			chain.Add(b)
		} else {
			b = chain.Seal(b)
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// encodeLine is the one way in which a line of a record is written, with its end.
func encodeLine(line any) ([]byte, error) {
	switch l := line.(type) { // An empty list is [], never null.
	case *Header:
		l.Agents, l.Chance = listed(l.Agents), listed(l.Chance)
	case *Move:
		l.Chance = listed(l.Chance)
	case *Footer:
		l.Returns, l.Winners, l.Scores = listed(l.Returns), listed(l.Winners), listed(l.Scores)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(line)
	return b.Bytes(), err
}

func listed[E any](list []E) []E {
	if list == nil {
		return []E{}
	}
	return list
}

// ReadFile reads the record in a file, as Read does.
func ReadFile(name string) (*Record, error) {
	in, err := disk.Open(name)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	defer in.Close()
	return Read(name, in)
}

// Read reads a record; name is for errors. It checks the form, line by line, and not the game:
// Replay does.
func Read(name string, src io.Reader) (*Record, error) {
	rec := &Record{}
	var chain seal.Chain
	n, err := eachLine(name, src, func(n int, line []byte) error { return rec.add(n, line, &chain) })
	if err == nil && n == 0 {
		err = fmt.Errorf("%s: an empty file is no record", name)
	}
	if err != nil {
		return nil, err
	}
	return rec, nil
}

// eachLine has each line of a file read, from 1, without its end, and gives how many there are.
func eachLine(name string, src io.Reader, read func(n int, line []byte) error) (int, error) {
	in := bufio.NewReader(src)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err == io.EOF {
			return n - 1, nil
		}
		if err == nil {
			err = read(n, line)
		}
		if err != nil {
			return n, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
}

// readLine gives one whole line without its end; io.EOF if there is none.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxRecordLine:
			return nil, fmt.Errorf("the line is longer than %d bytes", maxRecordLine)
		case err == nil:
			return line[:len(line)-1], nil
		case err == io.EOF && len(line) > 0:
			return nil, errors.New("half a line: the record was cut off while it was written")
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

func (r *Record) add(n int, line []byte, chain *seal.Chain) error {
	if r.Footer != nil {
		return errors.New("a line after the footer")
	}
	if bytes.HasSuffix(line, []byte("\r")) {
		return errors.New("the line ends with a carriage return and a line feed; those of a record end with a line " +
			"feed alone")
	}
	sealed := func(what string, dst any) error {
		plain, err := chain.Open(append(line, '\n'))
		switch {
		case err == nil:
			err = decodeLine(plain[:len(plain)-1], dst)
		case errors.Is(err, seal.ErrNone): // It may be something else altogether.
			err = cmp.Or(decodeLine(line, dst), err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return nil
	}
	if n == 1 {
		var other struct{ Format string }
		if json.Unmarshal(line, &other); other.Format != "" && other.Format != Format {
			return fmt.Errorf("format %q; this program reads %q", other.Format, Format) // Its lines may have another form.
		}
		if err := sealed("header", &r.Header); err != nil {
			return err
		}
		return r.Header.checkFormat()
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(line, &keys); keys["returns"] != nil { // A line that is no object is a bad decision.
		r.Footer = &Footer{}
		return sealed("footer", r.Footer)
	}
	chain.Add(append(line, '\n'))
	var m Move
	if err := decodeLine(line, &m); err != nil {
		return fmt.Errorf("decision: %w", err)
	}
	if m.N != n-2 {
		return fmt.Errorf("decision n = %d where %d comes next", m.N, n-2)
	}
	if m.Milliseconds < 0 {
		return fmt.Errorf("decision %d took %d ms", m.N, m.Milliseconds)
	}
	r.Moves = append(r.Moves, m)
	return nil
}

// checkFormat reports a header that lacks something, or has lists of other lengths than that of its agents.
func (h *Header) checkFormat() error {
	if h.Date != "" {
		if _, err := time.Parse(time.RFC3339, h.Date); err != nil {
			return fmt.Errorf("header: the date %q is not of the form 2006-01-02T15:04:05Z", h.Date)
		}
	}
	named := h.Actions != "" && h.Observation != "" && h.Encoding > 0
	switch {
	case h.Format == "":
		return fmt.Errorf("header: it does not say the format, %q", Format)
	case !named:
		return errors.New("header: action_hash, observation_hash and encoding must stand in it")
	case h.Listed && h.Seed != 0:
		return errors.New("header: chance is either listed or drawn from a seed")
	case h.Hashes != nil && len(h.Hashes) != len(h.Agents):
		return fmt.Errorf("header: %d agent_hashes for %d agents", len(h.Hashes), len(h.Agents))
	case h.Made != nil && len(h.Made) != len(h.Agents):
		return fmt.Errorf("header: %d agents_made for %d agents", len(h.Made), len(h.Agents))
	}
	return nil
}

// decodeLine decodes a line that encodeLine has written, and no other: in JSON that Go reads, keys may be
// doubled and in any case, and the last one counts, so that a line could say one thing to its reader and
// another to Replay.
func decodeLine(line []byte, dst any) error {
	if err := decode.JSON(line, dst); err != nil {
		return err
	}
	own, err := encodeLine(dst)
	if err != nil {
		return err
	}
	own = own[:len(own)-1]
	if bytes.Equal(own, line) {
		return nil
	}
	at := 0
	for at < min(len(own), len(line)) && own[at] == line[at] {
		at++
	}
	return fmt.Errorf("the line is not written as records are: %s stands where %s belongs", excerpt(line, at),
		excerpt(own, at))
}

// excerpt is a few bytes of a line from near a place on, quoted.
func excerpt(line []byte, at int) string {
	from := max(0, at-8)
	if from >= len(line) {
		return "nothing"
	}
	return strconv.Quote(string(line[from:min(len(line), from+32)]))
}

// Check says whether a record belongs to a game: its text, rules version, component data and action table,
// and the number of its agents.
func (r *Record) Check(info *env.Info) error {
	switch h := r.Header; {
	case h.Game != info.Text:
		return fmt.Errorf("the record is of %q, not of %q", h.Game, info.Text)
	case h.Rules != info.Rules:
		return fmt.Errorf("the record was played by rules version %d of %s; this program has version %d", h.Rules, info.Name,
			info.Rules)
	case h.Data != info.DataHash:
		return fmt.Errorf("the record was played with component data %s, which are missing (loaded are %s): pass their "+
			"file with --data FILE", h.Data, info.DataHash)
	case h.Actions != info.ActionHash():
		return fmt.Errorf("the record was played with another action table of %s (hash %s, this program's is %s)", info.Name,
			h.Actions, info.ActionHash())
	case len(h.Agents) != info.Players:
		return fmt.Errorf("the record names %s for %s", spelling.Counted(len(h.Agents), "agent"),
			spelling.Counted(info.Players, "seat"))
	}
	return nil
}

// Replay plays the record again and verifies every line of it: seats, legality, chance, notes and
// result. Visit, if not nil, is called before each decision, with its number, and at last for the
// final position; an error of it ends the replay.
func (r *Record) Replay(g env.Game, visit func(n int, s env.State) error) error {
	return r.replay(g, nil, func(n int, step *env.Step) error {
		if visit == nil {
			return nil
		}
		return visit(n, step.After)
	})
}

// Follow is Replay that shows every step once it is verified, the set-up first: n is the number of decisions made.
// The step is valid during the call.
func (r *Record) Follow(g env.Game, visit func(n int, step *env.Step) error) error {
	return r.replay(g, g.New(), visit)
}

// Start is the position that the game begins from, nil for the set-up.
func (r *Record) Start(g env.Game) (env.State, error) {
	h := &r.Header
	if h.Position == nil {
		return nil, nil
	}
	s := g.New()
	s.Reset(h.Seed, nil)
	if err := s.ReadPosition(h.Position); err != nil {
		return nil, fmt.Errorf("line 1: position: %w", err)
	}
	if own := positionLine(s); !bytes.Equal(own, h.Position) {
		return nil, fmt.Errorf("line 1: position: it is not written as %s writes it: %s", g.Info().Name, own)
	}
	return s, nil
}

// positionLine is a position as the line of a record has it, without spaces.
func positionLine(s env.State) json.RawMessage {
	text := s.AppendPosition(nil)
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text // Writing the record says what is wrong with it.
	}
	return b.Bytes()
}

// replay keeps the position before each step in before, unless it is nil.
func (r *Record) replay(g env.Game, before env.State, visit func(n int, step *env.Step) error) error {
	if err := r.Check(g.Info()); err != nil {
		return err
	}
	e, err := env.New(g, env.Options{})
	if err != nil {
		return err
	}
	start, err := r.Start(g)
	if err != nil {
		return err
	}
	var tape env.Tape
	if r.Header.Listed {
		tape.Force(r.Header.Chance...)
	}
	if start != nil {
		e.ResetTo(start)
	} else {
		e.ResetOn(r.Header.Seed, &tape)
	}
	if err := tape.Err(); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	if err := sameTexts("set-up chance", r.Header.Chance, tape.Texts()); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	step := env.Step{Events: tape.Events(), After: e.State()}
	if before != nil {
		tape.Count(e.State())
	}
	for n, m := range r.Moves {
		if err := visit(n, &step); err != nil {
			return err
		}
		if before != nil {
			before.CopyFrom(e.State())
		}
		a, err := r.replayMove(e, &tape, m)
		if err != nil {
			return fmt.Errorf("line %d, decision %d: %w", n+2, n, err)
		}
		step = env.Step{Before: before, Action: a, Events: tape.Marked(), After: e.State()}
	}
	if err := visit(len(r.Moves), &step); err != nil {
		return err
	}
	return r.checkFooter(e)
}

func (r *Record) replayMove(e *env.Env, tape *env.Tape, m Move) (env.Action, error) {
	if e.Terminated() {
		return 0, fmt.Errorf("player %d: %q after the end of the game (%s)", m.Player, m.Action, e.State().Reason())
	}
	if env.Player(m.Player) != e.Actor() {
		return 0, fmt.Errorf("player %d is said to act, but it is player %d's decision", m.Player, e.Actor())
	}
	a, err := e.Info().Parse(m.Action)
	if err != nil {
		return 0, err
	}
	tape.Rewind()
	if r.Header.Listed {
		tape.Force(m.Chance...)
	}
	if text := env.ActionText(e.State(), a); text != m.Action && e.Mask().Has(a) {
		return 0, fmt.Errorf("action %q is written %q here", m.Action, text)
	}
	if err := e.StepOn(a, tape); err != nil {
		return 0, err
	}
	if err := tape.Err(); err != nil {
		return 0, err
	}
	if err := sameTexts("chance", m.Chance, tape.Texts()); err != nil {
		return 0, err
	}
	return a, sameTexts("notes", m.Notes, tape.Notes())
}

func (r *Record) checkFooter(e *env.Env) error {
	line := len(r.Moves) + 2
	switch {
	case r.Footer == nil && e.Terminated():
		return fmt.Errorf("line %d: the game is over, but the record has no footer", line)
	case r.Footer == nil:
		return nil
	case !e.Terminated():
		return fmt.Errorf("line %d: a footer, but the game is not over", line)
	}
	if err := r.Footer.differs(newFooter(env.ResultOf(e.State(), e.Decisions())), true); err != nil {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return nil
}

// differs says in what a footer is another than that of the game; where it need not be whole, of what is in it.
func (f *Footer) differs(of *Footer, whole bool) error {
	switch {
	case (whole || f.Returns != nil) && !near(f.Returns, of.Returns):
		return fmt.Errorf("returns are %v, not %v", of.Returns, f.Returns)
	case (whole || f.Winners != nil) && !slices.Equal(f.Winners, of.Winners):
		return fmt.Errorf("winners are %v, not %v", of.Winners, f.Winners)
	case (whole || f.Scores != nil) && !near(f.Scores, of.Scores):
		return fmt.Errorf("scores are %v, not %v", of.Scores, f.Scores)
	case (whole || f.Reason != "") && f.Reason != of.Reason:
		return fmt.Errorf("the reason is %q, not %q", of.Reason, f.Reason)
	case (whole || f.Decisions != 0) && f.Decisions != of.Decisions:
		return fmt.Errorf("there were %d decisions, not %d", of.Decisions, f.Decisions)
	}
	return nil
}

// near compares numbers that JSON has carried.
func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-9 })
}

func sameTexts(what string, recorded, played []string) error {
	if slices.Equal(recorded, played) || len(recorded) == 0 && len(played) == 0 {
		return nil
	}
	return fmt.Errorf("%s: the record says [%s], the game gives [%s]", what, strings.Join(recorded, ", "),
		strings.Join(played, ", "))
}
