package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"earthgym/env/decode"
	"earthgym/env/disk"
	"earthgym/env/seal"
	"earthgym/env/spelling"
)

// The files of a share, in a folder of their own below that of the command.
const (
	folderName = "shard"
	headerFile = "shard.json"
	piecesFile = "pieces.jsonl"
)

// A Header says of what a folder has pieces.
type Header struct {
	Format  string   `json:"format"`
	Program string   `json:"program"`
	Command []string `json:"command"` // that is shared: its words, and the flags that say what is done
	Of      int      `json:"of"`      // shards
	Shards  []int    `json:"shards"`  // of which some were done here, from 1
}

// grows begins the flag that may be another one when a shard goes on: more games begin with the same.
const grows = "--games="

// fixed is the command without what may grow.
func (h *Header) fixed() []string {
	return slices.DeleteFunc(slices.Clone(h.Command), func(word string) bool { return strings.HasPrefix(word, grows) })
}

// chain begins the sums of the pieces.
func (h *Header) chain() seal.Chain {
	return seal.Begin(append(h.fixed(), h.Format, h.Program, fmt.Sprint(h.Of))...)
}

// differs says in what a header is of other work than another one, with both values; "" if in nothing.
func (h *Header) differs(other *Header) string {
	switch {
	case h.Program != other.Program:
		return fmt.Sprintf("by %q and by %q", h.Program, other.Program)
	case h.Of != other.Of:
		return fmt.Sprintf("one of %d shards and one of %d", h.Of, other.Of)
	case !slices.Equal(h.Command, other.Command):
		mine, theirs := spelling.Apart(strings.Join(h.Command, " "), strings.Join(other.Command, " "))
		return fmt.Sprintf("of %q and of %q", mine, theirs)
	}
	return ""
}

// A RequestError is that of what was asked for: no file and no machine is to blame.
type RequestError struct{ text string }

func (e *RequestError) Error() string { return e.text }

func refuse(format string, args ...any) error { return &RequestError{fmt.Sprintf(format, args...)} }

// A line of pieces.jsonl is the ground of a series, before its first piece, or the result of a part of a piece: of a
// game of a block, or of the whole piece.
type line struct {
	Series int    `json:"series"` // by the order of first pieces
	Ground Ground `json:"ground,omitempty"`
	Piece  string `json:"piece,omitempty"`
	Block  int    `json:"block"` // of the series
	Part   int    `json:"part"`
	Result
	By string `json:"by,omitempty"` // the worker that has done it (Job)
}

// A Result is what came of a part of a piece.
type Result struct {
	Is   json.RawMessage `json:"is,omitempty"`
	Took json.RawMessage `json:"took,omitempty"` // what may be another the next time, such as times
	Left string          `json:"left,omitempty"` // a file or folder that it has left, seen from the command's folder
	Read any             `json:"-"`              // what Piece.Fits has read of it, if it was asked
}

type part struct {
	piece string
	n     int
}

// A Share is the pieces of a command that a machine does, or those of all machines put together. It belongs to one
// goroutine.
type Share struct {
	dir    string // of the command
	header Header
	shard  Shard // K is 0 where shards are put together
	held   *disk.Folder
	log    *disk.Log[line]

	grounds []Ground
	written int            // of the grounds, in the log
	series  map[string]int // by the text of the ground
	last    *string        // the first line of the ground that was looked for last, and the number of its series
	lastN   int
	parts   map[part]line
	lacks   map[int]map[string]bool // pieces that nobody has done, by shard
	added   int

	asks    bool              // for pieces that lack (Live.Ask)
	ahead   int               // pieces that are asked for at once (Enough)
	decides bool              // by results, what it asks for next
	asked   []Piece           // that lack, in the order of the command
	parked  map[string]string // pieces that could not be done, and why
	only    *bundled          // not nil where a bundle is done
}

func newShare(dir string) *Share {
	return &Share{dir: dir, series: map[string]int{}, parts: map[part]line{}, lacks: map[int]map[string]bool{}}
}

// Begin begins a shard of a command in a folder, or goes on with it. Close gives the folder back.
func Begin(dir, program string, command []string, shard Shard) (_ *Share, err error) {
	s := newShare(dir)
	s.header = Header{Format: Format, Program: program, Command: command, Of: shard.N, Shards: []int{shard.K}}
	s.shard = shard
	if s.held, err = disk.Hold(filepath.Join(dir, folderName)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	there, err := readHeader(dir)
	switch pieces, none := os.Stat(filepath.Join(dir, folderName, piecesFile)); {
	// It was refused, or killed before its first game.
	case errors.Is(err, fs.ErrNotExist), none != nil, pieces.Size() == 0:
	case err != nil:
		return nil, err
	default:
		mine, theirs := s.header, *there
		mine.Command, theirs.Command = mine.fixed(), theirs.fixed()
		if what := theirs.differs(&mine); what != "" {
			return nil, refuse("%s is a shard of something else: %s", dir, what)
		}
		if len(there.Shards) == 1 && there.Shards[0] != shard.K {
			return nil, refuse("%s is of shard %v, not of %v: each shard has a folder of its own", dir,
				Shard{there.Shards[0], there.Of}, shard)
		}
		s.header.Shards = union(there.Shards, s.header.Shards)
	}
	if err := s.writeHeader(); err != nil {
		return nil, err
	}
	s.log, err = disk.OpenLog(filepath.Join(dir, folderName, piecesFile), s.header.chain(), s.take)
	s.written = len(s.grounds)
	return s, err
}

func union(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func readHeader(dir string) (*Header, error) {
	name := filepath.Join(dir, folderName, headerFile)
	text, err := disk.ReadFile(name, 1<<20)
	if err != nil {
		return nil, err
	}
	if text, err = new(seal.Chain).Open(text); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	h := &Header{}
	if err := decode.JSON(text, h); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if h.Format != Format {
		return nil, fmt.Errorf("%s: format %q; this program reads %s", name, h.Format, Format)
	}
	if len(h.Command) == 0 || h.Of < 1 || h.Of > MostShards || len(h.Shards) == 0 || slices.Min(h.Shards) < 1 ||
		slices.Max(h.Shards) > h.Of {
		return nil, fmt.Errorf("%s: command %q, shards %v of %d: there is none like that", name, h.Command, h.Shards, h.Of)
	}
	return h, nil
}

func (s *Share) writeHeader() error {
	text, err := json.MarshalIndent(s.header, "", "  ")
	if err != nil {
		return err
	}
	return disk.Write(filepath.Join(s.dir, folderName, headerFile), new(seal.Chain).Seal(append(text, '\n')))
}

func (s *Share) take(l line) error {
	switch {
	case l.Ground != nil && l.Series == len(s.grounds):
		s.ground(l.Ground)
		return nil
	case l.Ground != nil || l.Series < 0 || l.Series >= len(s.grounds) || l.Block < 0 || l.Part < 0 || l.Is == nil:
		return fmt.Errorf("block %d, part %d of series %d is not one of this command", l.Block, l.Part, l.Series)
	case l.Left != "" && !filepath.IsLocal(l.Left):
		return fmt.Errorf("block %d has left %q, which is in no folder of the command", l.Block, l.Left)
	}
	at := part{l.Piece, l.Part}
	if _, twice := s.parts[at]; twice {
		return fmt.Errorf("block %d, part %d of series %d is there twice", l.Block, l.Part, l.Series)
	}
	s.parts[at] = l
	return nil
}

// ground is the number of a series, by its ground.
func (s *Share) ground(g Ground) int {
	if len(g) > 0 && &g[0] == s.last {
		return s.lastN
	}
	if len(g) > 0 {
		defer func() { s.last, s.lastN = &g[0], s.series[strings.Join(g, "\n")] }()
	}
	text := strings.Join(g, "\n")
	n, known := s.series[text]
	if !known {
		n = len(s.grounds)
		s.grounds = append(s.grounds, g)
		s.series[text] = n
	}
	return n
}

// Dir is the folder of the command.
func (s *Share) Dir() string { return s.dir }

// Merging says whether shards are put together, so that nothing is done that is not there. It may be asked of nil.
func (s *Share) Merging() bool { return s != nil && s.shard.K == 0 && !s.asks }

// Partial says whether a part of the work is done, or asked for, so that nothing is known of the pieces of others. It
// may be asked of nil.
func (s *Share) Partial() bool { return s != nil && (s.shard.K != 0 || s.asks) }

// Asking says whether the command is run to find out which pieces lack: what decides by results goes as far as there
// are any. It may be asked of nil.
func (s *Share) Asking() bool { return s != nil && s.asks }

// Enough says whether a command that decides by results, in groups, has asked for enough to go on with. It asks for
// more than the next group where that takes workers less time than to bring each group to them.
func (s *Share) Enough() bool {
	s.decides = true
	return len(s.asked) >= s.ahead
}

// Decides says whether the command that was run last has not asked for all that it may ask for yet.
func (s *Share) Decides() bool { return s.decides }

// Lacking says whether pieces were asked for that nobody has done.
func (s *Share) Lacking() bool { return len(s.asked) > 0 }

// Parked says whether a piece could not be done by anybody: its games are void.
func (s *Share) Parked(p Piece) bool { return s.parked[p.Name] != "" }

// A Piece is a piece of work.
type Piece struct {
	Name string // SHA-256 of its canonical text
	// Fits, if not nil, says what is wrong with the results of its parts, all of them, if somebody else has done it. What
	// it has read of them it may keep (Result.Read).
	Fits func(block int, parts []Result) error

	series int
	block  int
	whole  bool   // a run, not a block of games
	left   string // what it leaves
	varies bool   // it may be another one the next time
}

// Piece is a piece of a series, the block-th, whose canonical text is that of the ground and lines of its own.
func (s *Share) Piece(g Ground, block int, own ...string) Piece {
	return Piece{Name: g.name(own), series: s.ground(g), block: block}
}

// owner is the shard that does a piece, from 1: blocks go round, and series begin one after the other.
func (s *Share) owner(p Piece) int { return (p.series+p.block)%s.header.Of + 1 }

// Mine says whether a piece is to be done here. Of those that are not, where shards are put together it is remembered
// that they lack (Missing).
func (s *Share) Mine(p Piece) bool {
	owner := s.owner(p)
	switch {
	case s.only != nil:
		return s.only.has(p)
	case s.shard.K == 0 && s.Parked(p):
		return false
	case s.shard.K == 0:
		if !s.lacks[owner][p.Name] {
			s.asked = append(s.asked, p)
		}
		if s.lacks[owner] == nil {
			s.lacks[owner] = map[string]bool{}
		}
		s.lacks[owner][p.Name] = true
		return false
	}
	return owner == s.shard.K
}

// Find is the result of a part of a piece; it is false if it is not there.
func (s *Share) Find(p Piece, n int) (Result, bool) {
	l, there := s.parts[part{p.Name, n}]
	return l.Result, there
}

// Keep keeps the result of a part of a piece, in one write, with what it took and the file or folder below Dir that it
// has left, if it has.
func (s *Share) Keep(p Piece, n int, is, took any, left string) (err error) {
	l := line{Series: p.series, Block: p.block, Piece: p.Name, Part: n, Result: Result{Left: left}}
	if l.Is, err = json.Marshal(is); err != nil {
		return err
	}
	if took != nil {
		if l.Took, err = json.Marshal(took); err != nil {
			return err
		}
	}
	return s.keep(l)
}

// keep adds lines to the folder; those of a bundle go into none.
func (s *Share) keep(lines ...line) error {
	var all []line
	for _, l := range lines {
		for ; s.only == nil && s.written <= l.Series; s.written++ {
			all = append(all, line{Series: s.written, Ground: s.grounds[s.written]})
		}
		all = append(all, l)
	}
	if s.only != nil {
		s.only.ended()
	} else if err := s.log.Add(all...); err != nil {
		return err
	}
	for _, l := range lines {
		s.parts[part{l.Piece, l.Part}] = l
	}
	s.added += len(lines)
	return nil
}

// Do does the piece of a ground and lines of its own as a whole: it fills in what is there of it, or else, if the piece
// is this shard's, by do, which leaves a folder behind. It is false if it was not done, here or elsewhere. Without a
// share it is done.
func (s *Share) Do(g Ground, block int, own []string, into any, left string, do func() error) (done bool, err error) {
	if s == nil {
		return true, do()
	}
	p := s.Piece(g, block, own...)
	p.whole, p.left, p.varies = true, left, !slices.Contains(g, Repeats)
	p.Fits = func(_ int, parts []Result) error { // The run of the command that into belongs to is over then.
		if len(parts) != 1 || parts[0].Left != left || len(parts[0].Took) > 0 {
			return errors.New("it is not the one result of a run, with what such a run leaves")
		}
		return decode.JSON(parts[0].Is, into)
	}
	r, there := s.Find(p, 0)
	if !there {
		if !s.Mine(p) {
			s.decides = true
			return false, nil
		}
		if err := do(); err != nil {
			return false, err
		}
		if err := s.Keep(p, 0, into, nil, left); err != nil {
			return false, err
		}
		r, _ = s.Find(p, 0)
	}
	return true, decode.JSON(r.Is, into) // What was read back is what was done, to the digit, whoever has done it.
}

// Missing says which pieces nobody has done that the command has asked for; nil if there are none.
func (s *Share) Missing() error {
	if s.asks {
		return nil
	}
	var absent, unfinished []string
	for k := 1; k <= s.header.Of; k++ {
		switch lacks := len(s.lacks[k]); {
		case lacks > 0 && slices.Contains(s.header.Shards, k):
			unfinished = append(unfinished, fmt.Sprintf("%d/%d, at least %s of it", k, s.header.Of,
				spelling.Counted(lacks, "block")))
		case lacks > 0:
			absent = append(absent, Shard{k, s.header.Of}.String())
		}
	}
	if len(absent)+len(unfinished) == 0 {
		return nil
	}
	what := ""
	if absent != nil {
		what = "missing: shard " + strings.Join(absent, ", ")
	}
	if unfinished != nil {
		if what != "" {
			what += "; "
		}
		what += "unfinished: shard " + strings.Join(unfinished, ", ") + ", which the same command goes on with"
	}
	return refuse("%s has no table yet, and keeps what there is: %s", s.dir, what)
}

// Summary is what a shard has done.
type Summary struct {
	Shard  string `json:"shard"`
	Folder string `json:"folder"`
	Done   int    `json:"done"`  // parts of its pieces that are there: games, or runs
	Added  int    `json:"added"` // of them, by this process
}

// Summary is what this shard has done so far.
func (s *Share) Summary() Summary {
	return Summary{Shard: s.shard.String(), Folder: s.dir, Done: len(s.parts), Added: s.added}
}

// Close gives the folder back. A share that is nil has none.
func (s *Share) Close() error {
	if s == nil {
		return nil
	}
	var err error
	if s.log != nil {
		err = s.log.Close()
	}
	if s.held != nil {
		err = errors.Join(err, s.held.Close())
	}
	s.log, s.held = nil, nil
	return err
}
