package farm

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"earthgym/env/decode"
)

// An Engine brings work from those who ask for it to those who do it, and answers back. It may lose what it holds: the
// folder of who asks is the truth. Package jetstream is one.
type Engine interface {
	// Offer puts a bundle on the queue; ErrFull if there is no room for it. What was offered under this name and is still
	// there stays.
	Offer(ctx context.Context, job, bundle string, text []byte) error
	// Take waits for a bundle to do.
	Take(ctx context.Context) (*Task, error)
	// Answer sends what came of a bundle, once for ever: of several answers of one worker the first one stays.
	Answer(ctx context.Context, job, bundle string, text []byte) error
	// Answers tells the answers of a job from the first on, those that come too, until ctx is done.
	Answers(ctx context.Context, job string, each func(Reply)) error
	// Forget forgets the answers up to a number, and, if that is 0, all of them and the bundles of the job.
	Forget(ctx context.Context, job string, number uint64) error
	// Put keeps a file by its SHA-256, and Get gives it to whoever asks.
	Put(ctx context.Context, hash string, content []byte) error
	Get(ctx context.Context, hash string) ([]byte, error)
	// Tell says how one is, for half a minute or so, and Told what all have told.
	Tell(ctx context.Context, text []byte) error
	Told(ctx context.Context) (*Told, error)
}

// ErrFull is that of an engine whose store is full: nothing is lost, and what was to be kept is to come again later.
var ErrFull = errors.New("the hub's store is full")

// ErrLarge is that of an answer that is larger than an engine's messages may be.
var ErrLarge = errors.New("the answer is too large")

// A Task is a bundle that was taken. Whoever doesn't extend its lease for a minute loses it to others.
type Task struct {
	Text   []byte
	Done   func(ctx context.Context) error
	Extend func() error
	Back   func(wait time.Duration) error
}

// A Reply is an answer with its number, and who has sent it: engines let nobody send in the name of another.
type Reply struct {
	Number uint64
	Worker string
	Bundle string
	Text   []byte
}

// Told is what an engine knows of all.
type Told struct {
	Backlog int               // bundles that nobody has taken
	Taken   int               // bundles that somebody is at
	Since   string            // when the store was made: another one has lost what was offered
	Lives   map[string][]byte // by name: engines let nobody tell in the name of another
}

// A Bundle is pieces of one series that are done together.
type Bundle struct {
	Job      string            `json:"job"`
	Name     string            `json:"name"`
	Program  string            `json:"program"`
	Command  []string          `json:"command"`
	Ground   Ground            `json:"ground"`
	Blocks   []int             `json:"blocks"`
	Pieces   []string          `json:"pieces"` // the first digits of their names
	Files    map[string]string `json:"files"`  // SHA-256 of those that the command names
	Not      []string          `json:"not,omitempty"`
	Patience float64           `json:"patience"`         // seconds within which a part ends
	Before   []line            `json:"before,omitempty"` // results that a run begins with
	Folder   string            `json:"folder,omitempty"` // SHA-256 of the files that it begins with
	Begun    string            `json:"begun,omitempty"`  // and of those of a run that its worker has left behind
	Left     string            `json:"left,omitempty"`   // what it leaves, if it is a run, which is followed
}

// Unfold writes the files that a bundle begins with below a folder.
func (b *Bundle) Unfold(ctx context.Context, e Engine, dir string) error {
	names := []string{b.Left}
	for _, l := range b.Before {
		names = append(names, l.Left)
	}
	for _, hash := range []string{b.Folder, b.Begun} {
		if hash == "" {
			continue
		}
		content, err := get(ctx, e, hash)
		if err = errors.Join(err, unfold(dir, names, content)); err != nil {
			return err
		}
	}
	return nil
}

// digits are those of a piece's name that a bundle has.
const digits = 16

// An Answer is what came of a bundle.
type Answer struct {
	Parts   []line  `json:"-"`
	Seconds float64 `json:"seconds,omitempty"`
	Setup   float64 `json:"setup,omitempty"`   // seconds before that
	Left    string  `json:"left,omitempty"`    // SHA-256 of the files that it has left
	Failed  string  `json:"failed,omitempty"`  // why it could not be done, with the end of what was said
	Skew    string  `json:"skew,omitempty"`    // why it can't be done there: another build, other rules, other kernels
	Stopped bool    `json:"stopped,omitempty"` // its worker was, and Left is what it has of the run so far
}

// A Life is what a worker, or one who asks, tells of itself.
type Life struct {
	Who     string   `json:"who"`
	Program string   `json:"program"`
	Slots   int      `json:"slots,omitempty"` // of a worker
	Bundles []string `json:"bundles,omitempty"`
	Parts   int      `json:"parts,omitempty"` // games or runs that it has done
	Class   string   `json:"class,omitempty"`
	// Doing is what runs in hand have said, by bundle, the last line first.
	Doing map[string]string `json:"doing,omitempty"`
	Saved map[string]string `json:"saved,omitempty"` // SHA-256 of what they have left so far
	Rate  float64           `json:"rate,omitempty"`  // games or runs a second; of who asks, pieces

	Job    string            `json:"job,omitempty"` // of one who asks
	Says   string            `json:"says,omitempty"`
	Done   int               `json:"done,omitempty"`
	Total  int               `json:"total,omitempty"`
	Left   float64           `json:"left,omitempty"` // seconds
	Lag    float64           `json:"lag,omitempty"`  // seconds since the oldest bundle was offered that is not done
	Parked []string          `json:"parked,omitempty"`
	Aside  map[string]string `json:"aside,omitempty"` // workers whose work is not taken, and agents not let in, and why
	Files  []string          `json:"files,omitempty"` // SHA-256 of those that the work needs

	Standings []Standing        `json:"standings,omitempty"` // of a tournament so far, the best first
	Games     map[string]string `json:"games,omitempty"`     // SHA-256 of records, by their names
	Adds      string            `json:"adds,omitempty"`      // an agent that is to be let into tournaments
}

// A Standing is how an agent stands in what has been played so far. None is rated before games connect all of them.
type Standing struct {
	Agent  string  `json:"agent"`
	Rated  bool    `json:"rated"`
	Games  int     `json:"games"`
	Return float64 `json:"return"`
	Rating float64 `json:"rating"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// mostText bounds what a message unfolds to.
const mostText = 256 << 20

// squeeze makes a message of a text, and unfolded is the text of one.
func squeeze(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(plain)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

func unfolded(text []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, mostText))
}

// pack makes the message of a bundle, and readBundle reads one.
func (b *Bundle) pack() ([]byte, error) {
	plain, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	return squeeze(plain)
}

func readBundle(text []byte) (*Bundle, error) {
	plain, err := unfolded(text)
	if err != nil {
		return nil, err
	}
	b := &Bundle{}
	return b, decode.JSON(plain, b)
}

// Pack makes the message of an answer: a line of JSON without the parts, and three lines for each of these: its piece,
// its number and what it has left; what it is; and what it took. So what others have made is read once, where it is
// judged.
func (a *Answer) Pack() ([]byte, error) {
	plain, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	for _, l := range a.Parts {
		plain = fmt.Appendf(plain, "\n%s %d %q\n%s\n%s", l.Piece, l.Part, l.Left, l.Is, l.Took)
	}
	return squeeze(plain)
}

// readAnswer reads what Pack has made. That the lines of parts are JSON is left to those who judge them.
func readAnswer(text []byte) (*Answer, error) {
	plain, err := unfolded(text)
	if err != nil {
		return nil, err
	}
	head, rest, more := bytes.Cut(plain, []byte("\n"))
	a := &Answer{}
	if err := decode.JSON(head, a); err != nil {
		return nil, err
	}
	for more {
		var l line
		var about, is, took []byte
		about, rest, _ = bytes.Cut(rest, []byte("\n"))
		is, rest, _ = bytes.Cut(rest, []byte("\n"))
		took, rest, more = bytes.Cut(rest, []byte("\n"))
		var part, left string
		l.Piece, part, _ = strings.Cut(string(about), " ")
		part, left, _ = strings.Cut(part, " ")
		if l.Part, err = strconv.Atoi(part); err == nil {
			l.Left, err = strconv.Unquote(left)
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no part of a piece", about)
		}
		l.Is, l.Took = slices.Clip(is), slices.Clip(took)
		a.Parts = append(a.Parts, l)
	}
	return a, nil
}

// Read reads the lives that were told, workers' and those of who asks, by name.
func (t *Told) Read() (workers, asking []Life) {
	for _, name := range slices.Sorted(maps.Keys(t.Lives)) {
		var l Life
		err := json.Unmarshal(t.Lives[name], &l)
		l.Who = name
		switch {
		case err != nil:
		case l.Job != "":
			asking = append(asking, l)
		default:
			workers = append(workers, l)
		}
	}
	return workers, asking
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// get is a file by its hash, which is checked.
func get(ctx context.Context, e Engine, hash string) ([]byte, error) {
	content, err := e.Get(ctx, hash)
	if err != nil {
		return nil, err
	}
	if got := hashOf(content); got != hash {
		return nil, fmt.Errorf("file %s has come as %s", hash, got)
	}
	return content, nil
}
