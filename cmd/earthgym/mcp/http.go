package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// AnswerLimit is how long a request over HTTP takes at most: the longest wait, and the time to read what is answered.
const AnswerLimit = longestWait + 30*time.Second

// Handler serves clients over streamable HTTP, without sessions.
func (s *Server) Handler() http.Handler {
	options := &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, Logger: s.o.Log}
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.server }, options)
	return http.NewCrossOriginProtection().Handler(admit(handler))
}

// A caller is who has sent a request over HTTP.
type caller struct {
	request context.Context // ends when the caller has left
	client  string
}

type callerKey struct{}

// callerOf is the caller of a call; the one client of standard input and output has none.
func callerOf(ctx context.Context) (caller, bool) {
	c, ok := ctx.Value(callerKey{}).(caller)
	return c, ok
}

type requestsKey struct{}

// CountRequests lets a server over HTTP tell its clients apart: it is to be the ConnContext of the http.Server.
func CountRequests(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, requestsKey{}, new(atomic.Int64))
}

// clientOf names who sends a request, as well as can be told without sessions: another machine by its address; on this
// one, where all have the same, by the connection. Those that make a new one for every request are taken for one.
func clientOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	requests, ok := r.Context().Value(requestsKey{}).(*atomic.Int64)
	if ip := net.ParseIP(host); err == nil && ip.IsLoopback() && ok && requests.Add(1) > 1 {
		return r.RemoteAddr
	}
	return host
}

// admit lets messages through to the library that it reads as they were meant, and answers others.
func admit(library http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), callerKey{}, caller{r.Context(), clientOf(r)}))
		if r.Method != http.MethodPost {
			library.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			refuse(w, http.StatusRequestEntityTooLarge, tooLong)
			return
		case err != nil:
			http.Error(w, "the request has not come whole", http.StatusBadRequest)
			return
		}
		m, wrong := readMessage(body)
		if wrong != nil {
			refuse(w, http.StatusBadRequest, wrong)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(m.data)), int64(len(m.data))
		if m.number != "" {
			w = numbered{w, m.number}
		}
		library.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, status int, wrong *refusedMessage) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(wrong.encode()) // Who has left reads nothing.
}

// numbered is where the answer to a request goes whose id is a number that the library has read as a text (message). It
// writes a message at once.
type numbered struct {
	http.ResponseWriter
	number string
}

func (w numbered) Write(b []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(exactID(b, w.number)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Unwrap lets http.ResponseController through.
func (w numbered) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// attended ends what a call waits for when its caller has left: the library lets a call of the revisions before
// 2026-07-28 go on to its end.
func attended(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if c, ok := callerOf(ctx); ok {
			var leave context.CancelFunc
			ctx, leave = context.WithCancel(ctx)
			defer leave()
			defer context.AfterFunc(c.request, leave)()
		}
		return next(ctx, method, r)
	}
}
