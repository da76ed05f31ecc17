//go:build !js

package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"earthgym/env/spelling"
)

const (
	// maxAnswer bounds the bytes of a server's answer.
	maxAnswer = 4 << 20
	// maxCount bounds what a server may count of tokens for one answer: no model has read as many.
	maxCount = 100_000_000
	// firstPause is how long a busy server is left alone, if it doesn't say; each further time twice as long.
	firstPause = 500 * time.Millisecond
	maxPause   = 20 * time.Second
)

// errTime is the end of the time for a decision.
var errTime = errors.New("no answer in time")

// A ServerError is a server that can't be played with: it is not there, refuses the key, or doesn't take such requests.
// It is no fault of the model's.
type ServerError struct{ text string }

func (e *ServerError) Error() string { return e.text }

// message is one of a conversation.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// answer is what has come of a request.
type answer struct {
	text    string
	refusal string // why the model would not answer
	cut     bool   // at the end of its tokens
	usage   *usage // nil if the server doesn't count, or counts what can't be
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
}

// A client asks a server. It is shared by all instances. Whatever comes from the server goes through hide, in errors
// by fail: it has the key, and a server that repeats it, wherever it does, must not have it written down.
type client struct {
	config  *config
	ledger  *ledger
	http    *http.Client
	key     *strings.Replacer
	reached atomic.Bool // it has answered before
	// newLimit says that the server wants the length of answers under its newer name.
	newLimit atomic.Bool
	plainer  atomic.Int32 // how many of the formats, from the configured one on, it has refused
}

// format is how a server is asked for JSON that has refused so many formats.
func (c *client) format(plainer int32) string {
	return formats[slices.Index(formats, c.config.format)+int(plainer)]
}

func newClient(c *config, l *ledger) *client {
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true // What a server says unasked on a connection that waits is logged by net/http.
	return &client{config: c, ledger: l, http: &http.Client{CheckRedirect: noRedirect, Transport: transport},
		key: without(c.key)}
}

// without takes a key out of texts, also in the spellings that errors, URLs, JSON and pages have for it.
func without(key string) *strings.Replacer {
	if key == "" {
		return strings.NewReplacer()
	}
	inJSON, _ := json.Marshal(key) // It is a text.
	spelt := []string{key, url.QueryEscape(key), url.PathEscape(key), html.EscapeString(key)}
	for _, quoted := range []string{string(inJSON), strconv.Quote(key), strconv.QuoteToASCII(key)} {
		spelt = append(spelt, quoted[1:len(quoted)-1])
	}
	var pairs []string
	for _, s := range spelt {
		pairs = append(pairs, s, "(the key)")
	}
	return strings.NewReplacer(pairs...)
}

// hide is a text of the server's without the key.
func (c *client) hide(text string) string { return c.key.Replace(text) }

// fail is the error that says this of the server, in its words or others.
func (c *client) fail(format string, args ...any) error {
	return &ServerError{spelling.Printable(c.hide(fmt.Sprintf(format, args...)))}
}

// body is the request for an answer to a conversation.
func (c *client) body(conversation []message, format string, newLimit bool) ([]byte, error) {
	request := map[string]any{"model": c.config.model, "messages": conversation}
	limit := "max_tokens"
	if newLimit {
		limit = "max_completion_tokens"
	}
	request[limit] = c.config.tokens
	if c.config.temperature != nil {
		request["temperature"] = *c.config.temperature
	}
	switch format {
	case formatSchema:
		request["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": "decision", "strict": true, "schema": map[string]any{
				"type": "object", "additionalProperties": false, "required": []string{"reason", "action"},
				"properties": map[string]any{"reason": map[string]any{"type": "string"},
					"action": map[string]any{"type": "string"}},
			},
		}}
	case formatJSON:
		request["response_format"] = map[string]any{"type": "json_object"}
	}
	return json.Marshal(request)
}

// ask asks for an answer until the context's deadline, waiting for a server that is busy. It gives errTime, the
// context's error, or a *ServerError.
func (c *client) ask(ctx context.Context, conversation []message) (*answer, error) {
	pause := firstPause
	for {
		a, wait, err := c.try(ctx, conversation)
		switch {
		case err == nil:
			return a, nil
		case ctx.Err() != nil:
			return nil, ended(ctx)
		case wait < 0:
			return nil, err
		case wait == 0:
			wait = pause
			pause = min(2*pause, maxPause)
		}
		c.ledger.note(func(s *Spending) { s.Waits++ })
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
			return nil, fmt.Errorf("%w: %v", errTime, err)
		}
		select {
		case <-ctx.Done():
			return nil, ended(ctx)
		case <-time.After(wait):
		}
	}
}

// ended is how a context has ended: that of the game, or the time for the decision.
func ended(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errTime) {
		return errTime
	}
	return ctx.Err()
}

// try asks once. After an error, wait is how long to leave the server alone before the next try: 0 if it has not said
// so, negative if there is no use in another.
func (c *client) try(ctx context.Context, conversation []message) (a *answer, wait time.Duration, err error) {
	plainer, newLimit := c.plainer.Load(), c.newLimit.Load()
	body, err := c.body(conversation, c.format(plainer), newLimit)
	if err != nil {
		return nil, -1, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, -1, c.fail("%s", c.clean(err.Error()))
	}
	r.Header.Set("Content-Type", "application/json")
	if c.config.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.config.key)
	}
	c.ledger.note(func(s *Spending) { s.Requests++ })
	response, err := c.http.Do(r)
	if err != nil {
		if !c.reached.Load() {
			return nil, -1, c.fail("there is no server to be reached: %s", c.clean(err.Error()))
		}
		return nil, 0, c.fail("%s", c.clean(err.Error()))
	}
	defer response.Body.Close()
	c.reached.Store(true)
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return nil, 0, c.fail("the answer of the server breaks off: %s", c.clean(err.Error()))
	}
	if len(text) > maxAnswer {
		return nil, -1, c.fail("the server answers with more than %d bytes", maxAnswer)
	}
	if response.StatusCode != http.StatusOK {
		return c.refused(response, text, plainer, newLimit)
	}
	a, err = c.read(text)
	return a, -1, err
}

// refused tells errors of a server that pass from those that don't. What it had refused when it was asked counts, not
// what other requests have been refused since.
func (c *client) refused(response *http.Response, text []byte, plainer int32, newLimit bool) (*answer, time.Duration,
	error) {
	status, said := c.clean(response.Status), c.said(text)
	malformed := response.StatusCode == http.StatusBadRequest || response.StatusCode == http.StatusUnprocessableEntity
	switch code, to := response.StatusCode, response.Header.Get("Location"); {
	case code < 400 && to != "":
		return nil, -1, c.fail("the server sends requests on to %s (%s): name that URL", c.clean(to), status)
	case code == http.StatusTooManyRequests || code >= 500:
		return nil, retryAfter(response), c.fail("the server answers %s: %s", status, said)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		if c.config.key == "" {
			return nil, -1, c.fail("the server wants a key (%s): put it into the environment variable %s, or name another "+
				"by key=", status, defaultKey)
		}
		return nil, -1, c.fail("the server refuses the key (%s): %s", status, said)
	case malformed && strings.Contains(said, "max_completion_tokens") && !newLimit:
		c.newLimit.Store(true)
		return nil, time.Nanosecond, c.fail("%s", said)
	case malformed && c.format(plainer) != formatText &&
		(strings.Contains(said, "response_format") || strings.Contains(said, "json_")):
		c.plainer.CompareAndSwap(plainer, plainer+1)
		return nil, time.Nanosecond, c.fail("%s", said)
	case code == http.StatusNotFound:
		return nil, -1, c.fail("the server has no %s, or not the model %s: %s", c.config.endpoint, c.config.model, said)
	default:
		return nil, -1, c.fail("the server answers %s: %s", status, said)
	}
}

// retryAfter is how long a server asks to be left alone; 0 if it doesn't.
func retryAfter(response *http.Response) time.Duration {
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), time.Nanosecond)
	}
	return 0
}

func (c *client) read(text []byte) (*answer, error) {
	var r struct {
		Choices []struct {
			Message *struct {
				Content any    `json:"content"` // a text, or a list of parts, of which some have one
				Refusal string `json:"refusal"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	if err := json.Unmarshal(text, &r); err != nil || len(r.Choices) == 0 || r.Choices[0].Message == nil {
		return nil, c.fail("this is no answer of the chat-completions protocol: %s", c.said(text))
	}
	choice := r.Choices[0]
	a := &answer{refusal: c.clean(choice.Message.Refusal), cut: choice.Finish == "length", usage: counted(r.Usage)}
	switch content := choice.Message.Content.(type) {
	case string:
		a.text = c.hide(content)
	case []any:
		for _, part := range content {
			fields, _ := part.(map[string]any)
			text, _ := fields["text"].(string)
			a.text += c.hide(text)
		}
	}
	if choice.Finish == "content_filter" && a.refusal == "" {
		a.refusal = "the server's filter has stopped it"
	}
	return a, nil
}

// counted is what a server has counted; nil if it has not, or if that can't be.
func counted(text []byte) *usage {
	u := new(usage)
	if json.Unmarshal(text, u) != nil || u.Prompt < 1 || u.Completion < 0 || max(u.Prompt, u.Completion) > maxCount {
		return nil
	}
	return u
}

// said is what a server says of an error, on a line.
func (c *client) said(text []byte) string {
	var r struct{ Error json.RawMessage }
	var inner struct{ Message string }
	message := string(text)
	if json.Unmarshal(text, &r) == nil && len(r.Error) > 0 {
		message = string(r.Error)
		if json.Unmarshal(r.Error, &inner) == nil && inner.Message != "" {
			message = inner.Message
		}
	}
	return cmp.Or(c.clean(message), "(nothing)")
}

// maxSaid bounds what of a server's words stands in an error.
const maxSaid = 300

// clean makes a server's words fit for an error: on a line, and without the key.
func (c *client) clean(text string) string {
	text = spelling.Printable(strings.Join(strings.Fields(c.hide(text)), " "))
	if runes := []rune(text); len(runes) > maxSaid {
		text = string(runes[:maxSaid]) + "…"
	}
	return text
}
