//go:build !js

package web

import (
	"compress/gzip"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"earthgym/games"
)

//go:embed page
var page embed.FS

const (
	// maxBody bounds what a page may send.
	maxBody = 1 << 12
	// BodyLimit is how long a client may take to send the rest of a request after its header.
	BodyLimit = 10 * time.Second
	// AnswerLimit is how long a client may take to read a piece of an answer.
	AnswerLimit = 30 * time.Second
)

// Handler answers the requests of pages.
func (w *Watch) Handler() http.Handler { return handler(w.API(), "watch.html", w.o.Hosts) }

// Handler answers the requests of pages.
func (m *Room) Handler() http.Handler { return handler(m.API(), "room.html", m.o.Hosts) }

// Handler answers the requests of pages.
func (s *StartPage) Handler() http.Handler { return handler(s.API(), "start.html", s.o.Hosts) }

// handler answers requests from an API, and with the files of the page; at the root with one of them.
func handler(d *API, root string, hosts []string) http.Handler {
	mux := http.NewServeMux()
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // The folder is embedded.
	}
	mux.Handle("GET /{file}", http.FileServerFS(files))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, root) })
	mux.HandleFunc("GET /covers/{file}", cover)
	mux.HandleFunc("POST /api/qr", answerQR(d))
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		to := &reply{w: w, r: r, control: http.NewResponseController(w)}
		body := bounded{http.MaxBytesReader(w, r.Body, maxBody)}
		method := strings.Replace(r.Method, http.MethodHead, http.MethodGet, 1)
		d.Ask(r.Context(), &Question{method, r.URL.Path, r.URL.Query(), body, key}, to)
		to.close()
	})
	return protect(hosts, http.NewCrossOriginProtection().Handler(mux))
}

// cover answers with the picture of a game.
func cover(w http.ResponseWriter, r *http.Request) {
	name, _ := strings.CutSuffix(r.PathValue("file"), ".svg")
	svg, err := games.Picture(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = w.Write(svg) // to whoever is still there
}

// bounded says in our words that a request brings too much.
type bounded struct{ io.Reader }

func (b bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		err = &tooLarge{large.Limit}
	}
	return n, err
}

// A reply is a Reply by HTTP.
type reply struct {
	w       http.ResponseWriter
	r       *http.Request
	control *http.ResponseController
	packed  *gzip.Writer // nil unless the pieces are packed
	flows   bool         // there is more than one piece
}

// Begin implements Reply.
func (a *reply) Begin(status int, kind string) {
	h := a.w.Header()
	h.Set("Content-Type", kind)
	if kind == eventStream {
		a.flows = true
		h.Set("X-Accel-Buffering", "no")
		if strings.Contains(a.r.Header.Get("Accept-Encoding"), "gzip") && !nearby(a.r) {
			h.Set("Content-Encoding", "gzip")
			a.packed, _ = gzip.NewWriterLevel(a.w, gzip.BestSpeed) // The level is a valid one.
		}
	}
	a.w.WriteHeader(status)
}

// Send implements Reply.
func (a *reply) Send(piece []byte) error {
	if !a.flows {
		_, err := a.w.Write(piece)
		return err
	}
	if a.r.Method == http.MethodHead {
		return http.ErrBodyNotAllowed // Whoever asks for the header alone waits for no piece.
	}
	out := io.Writer(a.w)
	if a.packed != nil {
		out = a.packed
	}
	if _, err := out.Write(piece); err != nil {
		return err
	}
	if a.packed != nil {
		if err := a.packed.Flush(); err != nil {
			return err
		}
	}
	return a.control.Flush()
}

func (a *reply) close() {
	if a.packed != nil {
		_ = a.packed.Close() // to whoever is still there
	}
}

// nearby says whether a request comes from this machine, so that packing costs more than it saves.
func nearby(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && net.ParseIP(host).IsLoopback()
}

// Puzzles are those that come with the program, each game's in a row.
var Puzzles = sync.OnceValues(func() (list []Puzzle, err error) {
	text, err := page.ReadFile("page/puzzles.json")
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	return list, err
})

// protect says what browsers must not do with the answers, and refuses other names than the server's own, unless there
// are none: a foreign page could have its name point here.
func protect(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "+
			"blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if len(hosts) > 0 && !slices.Contains(hosts, strings.Trim(host, "[]")) {
			http.Error(w, "this is not the table's name", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// InTime gives what a request brings a limit of time to arrive, and each piece of its answer one to be read. Without
// them, a client that announces a body and never sends it, or never reads what it has asked for, keeps its connection
// for ever, whether it has a key or not.
func InTime(body, answer time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := &answerInTime{w, http.NewResponseController(w), answer}
		if r.ContentLength != 0 {
			if err := to.control.SetReadDeadline(time.Now().Add(body)); err == nil {
				r.Body = &bodyInTime{r.Body, to.control}
			}
		}
		defer to.renew() // for what is still to be sent then
		to.renew()
		next.ServeHTTP(to, r)
	})
}

// answerInTime sets the limit anew for each piece.
type answerInTime struct {
	http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

func (a *answerInTime) renew() {
	_ = a.control.SetWriteDeadline(time.Now().Add(a.limit)) // What has no deadlines, as in tests, does without.
}

func (a *answerInTime) Write(p []byte) (int, error) {
	a.renew()
	return a.ResponseWriter.Write(p)
}

// Flush implements http.Flusher.
func (a *answerInTime) Flush() {
	a.renew()
	_ = a.control.Flush()
}

// Unwrap is for http.ResponseController.
func (a *answerInTime) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// bodyInTime lifts the limit once all is there, so that the answer may take its time.
type bodyInTime struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *bodyInTime) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{}) // It could be set.
	}
	return n, err
}

// Serve answers until the context is done; then pages that look on are let go.
func Serve(ctx context.Context, l net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           InTime(BodyLimit, AnswerLimit, handler),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 14,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0), // of hands shaken in vain and connections cut off
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		end, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if err := server.Shutdown(end); err != nil {
			_ = server.Close()
		}
		<-done
		return nil
	}
}
