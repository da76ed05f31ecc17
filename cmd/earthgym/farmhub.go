package main

import (
	"bytes"
	"context"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/farm"
	"earthgym/env/farm/jetstream"
	"earthgym/env/record"
	"earthgym/games"
)

// tokenVariable is the environment variable of the token of a hub.
const tokenVariable = "EARTHGYM_FARM_TOKEN"

// takeToken gives the token of a hub, and hides it from what is started.
func takeToken() string {
	token := os.Getenv(tokenVariable)
	_ = os.Unsetenv(tokenVariable)
	return token
}

// dial connects to a hub, to ask or to work.
func dial(name, url string, asks bool) (*jetstream.Client, error) {
	c, err := jetstream.Dial(name, url, takeToken())
	if err == nil && asks {
		if err = c.MayAsk(); err != nil {
			c.Close()
		}
	}
	if wrong := new(jetstream.AddressError); errors.As(err, &wrong) {
		return nil, usage(err)
	}
	return c, err
}

type hubOptions struct {
	listen string
	page   string
	out    string
	tls    []string
	nats   string
}

func newFarmHub() *cobra.Command {
	var o hubOptions
	cmd := &cobra.Command{
		Use:   "hub",
		Short: "Bring work from commands to workers",
		Long: `Serve a hub: commands with --hub URL leave their work there, and workers take it. It prints its URL, and goes
on until it is stopped. What it keeps may be deleted at any time: the folders of the commands have all results.

On another address than one of this machine's own, --listen, a token is needed: EARTHGYM_FARM_TOKEN has it, here
and for the commands. Workers are given another one, which is printed: it lets them take work and speak in
their own name alone. --tls encrypts what is said.

The page, at --page, shows tournaments with their ratings so far, runs with their curves, workers, and games to
watch; with a token its link is the one that is printed with #TOKEN behind it. /status.json, /metrics
(Prometheus) and /backlog, one plain number for autoscalers, are for programs, and need ?key=TOKEN, or a bearer's.

--nats URL uses an outside NATS in place of the hub's own, and keeps all three times where that is a cluster.`,
		Example: `  earthgym farm hub
  earthgym farm hub --listen 0.0.0.0:4222 --tls cert.pem,key.pem
  earthgym farm hub --nats nats://cluster:4222`,
		Args: wordsAllowed(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runFarmHub(cmd.Context(), cmd.OutOrStdout(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:4222", "`HOST:PORT` of the hub")
	f.StringVar(&o.page, "page", "127.0.0.1:8222", "`HOST:PORT` of its page")
	f.StringVar(&o.out, "out", "", "`FOLDER` of what it keeps (if left out one in that of the user's cached files)")
	f.StringSliceVar(&o.tls, "tls", nil, "encrypt, with these two `FILES`: the certificate and its key")
	f.StringVar(&o.nats, "nats", "", "`URL` of an outside NATS in place of its own")
	cmd.MarkFlagsMutuallyExclusive("nats", "listen")
	cmd.MarkFlagsMutuallyExclusive("nats", "out")
	cmd.MarkFlagsMutuallyExclusive("nats", "tls")
	return cmd
}

func runFarmHub(ctx context.Context, w io.Writer, o hubOptions) (err error) {
	token := takeToken()
	if err := checkAddress("--page", o.page, token); err != nil {
		return err
	}
	url := o.nats
	var hub *jetstream.Hub
	if url == "" {
		var folder *disk.Folder
		if hub, folder, err = serveHub(&o, token); err != nil {
			return err
		}
		defer folder.Close()
		defer hub.Close()
		url = hub.URL()
	}
	client, err := jetstream.Dial("hub", url, token)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := client.Make(ctx, 0); err != nil {
		return fmt.Errorf("the hub's store: %w", err)
	}
	page, err := net.Listen("tcp", o.page)
	if err != nil {
		return fmt.Errorf("--page: %w", err)
	}
	options := web.FarmOptions{Key: token, Programs: statusPage(client, token), Rules: games.Book,
		Status: func(ctx context.Context) (any, error) { return farm.ReadStatus(ctx, client) },
		Record: func(ctx context.Context, hash string) (*record.Record, env.Game, error) {
			content, err := client.Get(ctx, hash)
			if err != nil {
				return nil, nil, err
			}
			rec, err := record.Read("the game", bytes.NewReader(content))
			if err != nil {
				return nil, nil, err
			}
			g, err := games.Open(rec.Header.Game)
			return rec, g, err
		}}
	if token == "" {
		options.Hosts = localNames
	}
	ctx, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- web.Serve(ctx, page, web.FarmHandler(options)) }()
	defer func() { stop(); <-served }()
	fmt.Fprintf(w, "hub: %s\npage: http://%s/\n", url, page.Addr())
	if token != "" && o.nats == "" {
		fmt.Fprintf(w, "workers: %s=%s earthgym farm worker %s\n", tokenVariable, jetstream.WorkerToken(token), url)
	}
	return tend(ctx, hub, client)
}

// checkAddress checks that there is a token where others may connect.
func checkAddress(flag, address, token string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return usagef("%s %s: it is HOST:PORT", flag, address)
	}
	ip := net.ParseIP(host)
	if token == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usagef("%s %s: others may connect there, so that a token is needed, in %s", flag, address, tokenVariable)
	}
	return nil
}

// serveHub serves the hub's own engine from a folder that it holds.
func serveHub(o *hubOptions, token string) (*jetstream.Hub, *disk.Folder, error) {
	if err := checkAddress("--listen", o.listen, token); err != nil {
		return nil, nil, err
	}
	var encrypt *tls.Config
	if o.tls != nil {
		if len(o.tls) != 2 {
			return nil, nil, usagef("--tls %s: it is two files, the certificate and its key", strings.Join(o.tls, ","))
		}
		var err error
		if encrypt, err = encryption(o.tls[0], o.tls[1]); err != nil {
			return nil, nil, usagef("--tls: %w", err)
		}
	}
	if o.out == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, nil, usagef("say where the hub keeps its store, --out FOLDER: %w", err)
		}
		o.out = filepath.Join(cache, "earthgym", "hub")
	}
	folder, err := disk.Hold(o.out)
	if err != nil {
		return nil, nil, err
	}
	hub, err := jetstream.Serve(jetstream.HubOptions{Listen: o.listen, Folder: o.out, Token: token, TLS: encrypt})
	if err != nil {
		return nil, nil, errors.Join(err, folder.Close())
	}
	return hub, folder, nil
}

// tend deletes files that no work needs, until ctx is done, and opens the hub's own store anew where nothing can be
// written to it, as on a disk that was full.
func tend(ctx context.Context, hub *jetstream.Hub, client *jetstream.Client) error {
	const looks = 60 // between two collections
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if hub != nil && client.Writes(ctx) != nil && client.Writes(ctx) != nil && ctx.Err() == nil {
			if hub.Again() == nil {
				_ = client.Make(ctx, 0) // Where it fails there is no room yet.
			}
			continue
		}
		if n%looks != 0 {
			continue
		}
		told, err := client.Told(ctx)
		if err != nil {
			continue
		}
		needed := map[string]bool{}
		_, jobs := told.Read()
		for _, l := range jobs {
			for _, hash := range l.Files {
				needed[hash] = true
			}
		}
		_ = client.Collect(ctx, needed) // It comes again.
	}
}

// statusPage tells programs how things stand.
func statusPage(e farm.Engine, token string) http.Handler {
	forms := map[string]struct {
		kind  string
		write func(w io.Writer, s *farm.Status) error
	}{
		"/status.json": {"application/json", func(w io.Writer, s *farm.Status) error { return writeJSON(w, s) }},
		"/metrics": {"text/plain; version=0.0.4",
			func(w io.Writer, s *farm.Status) error { return s.WritePrometheus(w) }},
		"/backlog": {"text/plain; charset=utf-8", writeBacklog},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form, there := forms[r.URL.Path]
		if !there {
			http.NotFound(w, r)
			return
		}
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if key == "" {
			key = r.URL.Query().Get("key")
		}
		if subtle.ConstantTimeCompare([]byte(key), []byte(token)) != 1 && token != "" {
			http.Error(w, "the key is missing: ?key=TOKEN", http.StatusForbidden)
			return
		}
		s, err := farm.ReadStatus(r.Context(), e)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", form.kind)
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cache-Control", "no-store")
		_ = form.write(w, s)
	})
}

// writeBacklog writes how many bundles wait or are being done.
func writeBacklog(w io.Writer, s *farm.Status) error {
	_, err := fmt.Fprintln(w, s.Backlog+s.Taken)
	return err
}

func newFarmStatus() *cobra.Command {
	var asJSON, prometheus bool
	cmd := &cobra.Command{
		Use:   "status URL",
		Short: "Show what goes on at a hub",
		Long: `Show the commands whose work is at a hub, how far they are, what nobody could do and whose work is not taken,
and the workers. A hub with a token needs it in EARTHGYM_FARM_TOKEN.`,
		Example: `  earthgym farm status nats://127.0.0.1:4222
  earthgym farm status nats://127.0.0.1:4222 --prometheus`,
		Args: wordsAllowed(1, 1, "the URL of a hub"),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := dial(fmt.Sprintf("status-%d", os.Getpid()), args[0], true)
			if err != nil {
				return err
			}
			defer client.Close()
			s, err := farm.ReadStatus(cmd.Context(), client)
			if err != nil {
				return fmt.Errorf("%s is no hub, or its store is gone: %w", args[0], err)
			}
			w := cmd.OutOrStdout()
			switch {
			case asJSON:
				return writeJSON(w, s)
			case prometheus:
				return s.WritePrometheus(w)
			}
			return s.Write(w)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "for programs")
	f.BoolVar(&prometheus, "prometheus", false, "as metrics of Prometheus")
	cmd.MarkFlagsMutuallyExclusive("json", "prometheus")
	return cmd
}
