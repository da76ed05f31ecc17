package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/record"
)

// An API answers what pages ask, whoever brings the questions: HTTP ([StartPage.Handler]), or messages within a page
// that has no server.
type API struct {
	auth    func(key string) (role, bool)
	refused string // what those hear whose key opens nothing
	answers map[string]answer
}

// An answer is a value for JSON, a document or a stream.
type answer func(*request) (any, error)

// A document is an answer of another kind than JSON.
type document struct {
	kind string // such as image/svg+xml
	text []byte
}

// A stream is an answer in pieces, each of which goes out at once, until nobody reads it any more.
type stream func(send func(piece []byte) error) error

// A Question is what a page asks.
type Question struct {
	Method, Path string // GET, /api/table
	Query        url.Values
	Body         io.Reader
	Key          string // that the page's link has
}

// A Reply takes what is answered.
type Reply interface {
	// Begin says how it went, in a status of HTTP, and of which kind the pieces are.
	Begin(status int, kind string)
	// Send sends a piece at once.
	Send(piece []byte) error
}

// A request is the Question of somebody who has been let in.
type request struct {
	ctx   context.Context
	query url.Values
	body  io.Reader
	who   role
}

// The statuses of answers, HTTP's.
const (
	fine          = 200
	malformed     = 400
	unknown       = 401 // whose key opens nothing
	forbidden     = 403
	missing       = 404
	outdated      = 409
	unprocessable = 422
	tooMany       = 429
	full          = 503
)

const (
	eventStream = "text/event-stream"
	recordLines = "application/jsonl"
)

// A fault is an error with its status.
type fault struct {
	status int
	text   string
}

func (f *fault) Error() string { return f.text }

// statusOf is the status of an answer that failed.
func statusOf(err error) int {
	var f *fault
	var interrupted *table.InterruptedError
	switch {
	case errors.As(err, &f):
		return f.status
	case errors.Is(err, table.ErrStale), errors.As(err, &interrupted):
		return outdated
	}
	return unprocessable
}

// Ask answers a question; nothing once the context is done.
func (d *API) Ask(ctx context.Context, q *Question, to Reply) {
	who, ok := d.auth(q.Key)
	find := d.answers[q.Method+" "+q.Path]
	switch {
	case !ok:
		refuse(to, &fault{unknown, d.refused})
		return
	case find == nil:
		refuse(to, &fault{missing, fmt.Sprintf("there is no %s %s", q.Method, q.Path)})
		return
	}
	v, err := find(&request{ctx, q.Query, q.Body, who})
	if next, goes := v.(stream); goes {
		to.Begin(fine, eventStream)
		_ = next(to.Send) // until the page is gone
		return
	}
	if ctx.Err() != nil {
		return
	}
	doc, ready := v.(document)
	if err == nil && !ready {
		doc.kind = "application/json"
		doc.text, err = json.Marshal(v)
	}
	if err != nil {
		refuse(to, err)
		return
	}
	to.Begin(fine, doc.kind)
	_ = to.Send(doc.text) // to whoever is still there
}

func refuse(to Reply, err error) {
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // Texts can be encoded.
	to.Begin(statusOf(err), "application/json")
	_ = to.Send(text)
}

// A queue lets as many at a time in as it has room for; the others wait.
type queue chan struct{}

// enter waits until there is room. What is asked for has until the limit, the waiting included, which ctx keeps; leave
// makes room again. Who waits in vain is told what is going on instead, such as "hints are being thought about".
func (q queue) enter(parent context.Context, limit time.Duration, busy string) (ctx context.Context, leave func(),
	err error) {
	ctx, cancel := context.WithTimeout(parent, limit)
	select {
	case q <- struct{}{}:
		return ctx, func() { <-q; cancel() }, nil
	case <-ctx.Done():
		cancel()
		return nil, nil, &fault{full, fmt.Sprintf("%d %s already; try again later", cap(q), busy)}
	}
}

func (r *request) read(v any) error {
	dec := json.NewDecoder(r.body)
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	if err == nil {
		if _, end := dec.Token(); end != io.EOF {
			err = errors.New("more follows")
		}
	}
	if err != nil {
		return &fault{malformed, "the request can't be read: " + readFault(err)}
	}
	return nil
}

// readFault says what is wrong with a request that is no JSON object of the right form.
func readFault(err error) string {
	var wrong *json.UnmarshalTypeError
	var large *tooLarge
	field, unknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.As(err, &large):
		return large.Error()
	case unknown:
		return "there is no field " + field
	case !errors.As(err, &wrong):
		return "it is no whole JSON object"
	}
	what := wrong.Field
	if what == "" {
		what = "it"
	}
	wanted, ok := kindNames[wrong.Type.Kind()]
	if !ok {
		wanted = "an object"
	}
	is, ok := jsonNames[wrong.Value]
	if !ok {
		is = "the " + wrong.Value // number 1e30
	}
	return fmt.Sprintf("%s is to be %s, not %s", what, wanted, is)
}

var (
	kindNames = map[reflect.Kind]string{reflect.Int: "a whole number", reflect.String: "a text", reflect.Slice: "a list"}
	jsonNames = map[string]string{"string": "a text", "array": "a list", "object": "an object", "bool": "true or false",
		"number": "a number"}
)

// tooLarge is the fault of a request that brings more than it may.
type tooLarge struct{ most int64 }

func (e *tooLarge) Error() string { return fmt.Sprintf("it has more than %d bytes", e.most) }

// seat is the seat that a query names, the Spectator where it names none.
func (r *request) seat(name string, players int) (env.Player, error) {
	text := r.query.Get(name)
	if text == "" {
		return env.Spectator, nil
	}
	p, err := strconv.Atoi(text)
	if err != nil || p < 0 || p >= players {
		return 0, &fault{malformed, fmt.Sprintf("there is no seat %q: they are 0 to %d", text, players-1)}
	}
	return env.Player(p), nil
}

// actions are the numbers of actions that a query has, so many at most.
func (r *request) actions(name string, most int) (list []env.Action, err error) {
	for i, text := range r.query[name] {
		a, err := strconv.ParseInt(text, 10, 32)
		if err != nil || i >= most {
			return nil, &fault{malformed, fmt.Sprintf("%s %q: they are numbers, %d at most", name, text, most)}
		}
		list = append(list, env.Action(a))
	}
	return list, nil
}

func recordOf(rec *record.Record) (any, error) {
	var b bytes.Buffer
	err := rec.Write(&b)
	return document{recordLines, b.Bytes()}, err
}

func book(game, rules, howTo string) map[string]string {
	return map[string]string{"game": game, "rules": rules, "howto": howTo}
}
