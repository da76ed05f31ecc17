//go:build !js

package web

import (
	"cmp"
	"context"
	"net/http"
	"sync"

	"earthgym/env"
	"earthgym/env/record"
)

// FarmOptions say what a hub's page finds.
type FarmOptions struct {
	Key      string       // in the link; "" where whoever is at this machine may look
	Hosts    []string     // as in WatchOptions
	Programs http.Handler // answers at /status.json, /metrics and /backlog
	Status   func(ctx context.Context) (any, error)
	Record   func(ctx context.Context, hash string) (*record.Record, env.Game, error)
	Rules    func(game string) (rules, howTo string, err error)
}

// mostWatched is how many games of a hub are held for those who watch them.
const mostWatched = 8

// FarmHandler answers the requests of a hub's page, and of those of the games that it leads to.
func FarmHandler(o FarmOptions) http.Handler {
	guarded := o.Key != ""
	o.Key = cmp.Or(o.Key, "open")
	api := &API{func(key string) (role, bool) { return role{}, !guarded || same(key, o.Key) },
		"this link opens nothing: the token of the hub stands behind its “#”",
		map[string]answer{"GET /api/farm": func(r *request) (any, error) { return o.Status(r.ctx) }}}
	mux := http.NewServeMux()
	mux.Handle("/", handler(api, "farm.html", o.Hosts))
	for _, path := range []string{"/status.json", "/metrics", "/backlog"} {
		mux.Handle(path, protect(o.Hosts, o.Programs))
	}
	var mu sync.Mutex
	watched := map[string]http.Handler{} // by hash
	find := func(ctx context.Context, hash string) (http.Handler, error) {
		mu.Lock()
		defer mu.Unlock()
		if page := watched[hash]; page != nil {
			return page, nil
		}
		rec, g, err := o.Record(ctx, hash)
		shown := NewWatch(WatchOptions{Key: o.Key, Hosts: o.Hosts, Rules: o.Rules})
		if err == nil {
			err = shown.Show(rec, g, nil)
		}
		if err != nil {
			return nil, err
		}
		if len(watched) >= mostWatched {
			clear(watched)
		}
		watched[hash] = http.StripPrefix("/watch/"+hash, shown.Handler())
		return watched[hash], nil
	}
	mux.HandleFunc("/watch/{hash}/", func(w http.ResponseWriter, r *http.Request) {
		page, err := find(r.Context(), r.PathValue("hash"))
		if err != nil {
			http.Error(w, "this game is there no more: "+err.Error(), http.StatusNotFound)
			return
		}
		page.ServeHTTP(w, r)
	})
	return mux
}
