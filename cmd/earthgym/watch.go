package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/agents/scripted"
	"earthgym/agents/shipped"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/record"
	"earthgym/eval"
	"earthgym/games"
	"earthgym/train"
)

type watchOptions struct {
	game    gameFlags
	agents  []string
	against []string
	web     webOptions
}

func newWatch() *cobra.Command {
	o := watchOptions{against: []string{"script:strong"}}
	cmd := &cobra.Command{
		Use:   "watch RECORD|RUN [AGENT…]",
		Short: "Look at a recorded game or a training run in the browser",
		Long: `Look at a recorded game in the browser: every position as each seat saw it, what agents think of each
decision, their expected return over the game as a curve, the decisions that a search takes for mistakes, the
story, and any position to download as SVG, PNG, JSON or scenario. A record of a game that is still being
played grows as it does.

Of a training run the page shows the curves as they grow, and games that its newest network plays in the
meantime, in one seat among agents that --against names.

The page is at a link that is printed and opened; only this machine reaches it, unless --listen says
otherwise. Who has the link sees everything in the record, every seat's secrets included.`,
		Example: `  earthgym watch records/resilience-earth-7.jsonl
  earthgym watch game.jsonl net:runs/first mcts:sims=800
  earthgym watch runs/first
  earthgym watch runs/first --against script:greedy,script:strong`,
		Args: wordsAllowed(1, -1, "the record or the run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.agents = args[1:]
			return runWatch(cmd.Context(), cmd.OutOrStdout(), args[0], o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = completeFileAndAgents
	f := cmd.Flags()
	agentsVar(f, &o.against, "against", "of a run: agents in the other seats, the last one in all that are left")
	o.web.addServing(cmd, "")
	return cmd
}

func runWatch(ctx context.Context, w io.Writer, path string, o watchOptions) error {
	o.web.web = true
	if err := o.web.check(); err != nil {
		return err
	}
	at, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	key := web.NewKey()
	site, err := o.web.listenAt(ctx, "")
	if err != nil {
		return err
	}
	defer site.Close()
	options := web.WatchOptions{Key: key, Hosts: site.hosts, Rules: games.Book, Open: agents.Open}
	var page *web.Watch
	var follow func(context.Context)
	if at.IsDir() {
		run, err := o.openRun(path)
		if err != nil {
			return err
		}
		options.Next = run.next
		page = web.NewWatch(options)
		run.page, follow = page, run.follow
		run.look(ctx)
	} else {
		rec, g, err := o.game.openRecord(path)
		if err != nil {
			return err
		}
		page = web.NewWatch(options)
		if err := page.Show(rec, g, o.advisers(g, rec.Header.Agents)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		follow = func(ctx context.Context) { o.followRecord(ctx, path, page, rec) }
	}
	link := site.link("", key)
	fmt.Fprintf(w, "%s: %s\n", path, link)
	site.warn(w)
	fmt.Fprintln(w, "Ctrl-C ends.")
	defer o.web.open(w, link)()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		follow(ctx)
	}()
	err = web.Serve(ctx, site, page.Handler())
	cancel()
	<-done
	return err
}

// advisers are the agents that can be asked: those that are named, those that answer at once before others, and those
// that played, but for programs and what else is not of this house.
func (o *watchOptions) advisers(g env.Game, played []string) []string {
	texts := slices.Clone(o.agents)
	if shipped.AtHome(g.Info()) {
		texts = append(texts, "net:")
	}
	if scripted.Plays(g) {
		texts = append(texts, "script:strong")
	}
	texts = append(texts, "mcts:sims=200", "mcts:sims=1000")
	for _, name := range played {
		// To open a program is to start it, and a record may be anybody's.
		if word, _, _ := strings.Cut(name, ":"); !slices.Contains([]string{"script", "net", "mcts"}, word) {
			continue
		}
		if _, err := agents.Open(name, g); err == nil {
			texts = append(texts, name)
		}
	}
	var list []string
	for _, text := range texts {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// every is how often files are looked at that may have changed.
const every = time.Second

// changes calls changed when the file has changed, until the context is done or changed wants no more.
func changes(ctx context.Context, file string, changed func() bool) {
	stamp := func() string {
		at, err := os.Stat(file)
		if err != nil {
			return ""
		}
		return fmt.Sprint(at.Size(), at.ModTime())
	}
	before := stamp()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := stamp(); now != before {
			if before = now; !changed() {
				return
			}
		}
	}
}

// followRecord shows a record as it grows.
func (o *watchOptions) followRecord(ctx context.Context, path string, page *web.Watch, rec *record.Record) {
	if rec.Footer != nil {
		return
	}
	changes(ctx, path, func() bool {
		rec, g, err := o.game.openRecord(path)
		if err == nil {
			err = page.Show(rec, g, o.advisers(g, rec.Header.Agents))
		}
		return err != nil || rec.Footer == nil // One that can't be read now may be whole later.
	})
}

// A watchedRun is a training run, and the game that its newest network plays.
type watchedRun struct {
	o    *watchOptions
	dir  string
	game env.Game
	page *web.Watch

	mu    sync.Mutex
	games int // played
}

func (o *watchOptions) openRun(dir string) (*watchedRun, error) {
	config, err := train.ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	r := &watchedRun{o: o, dir: dir}
	if r.game, err = o.game.open(config.Games[0]); err != nil {
		return nil, err
	}
	if o.against == nil {
		if o.against = []string{"random"}; scripted.Plays(r.game) {
			o.against = []string{"script:strong"}
		}
	}
	if _, err := openAgents(r.game, o.against...); err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	return r, nil
}

// follow shows the run's curves as they grow, and a first game as soon as there is a network.
func (r *watchedRun) follow(ctx context.Context) {
	changes(ctx, filepath.Join(r.dir, train.MetricsFile), func() bool { r.look(ctx); return true })
}

// look takes the metrics as they are now, and plays a first game.
func (r *watchedRun) look(ctx context.Context) {
	updates, err := train.ReadMetrics(r.dir)
	t := &web.Training{Folder: r.dir, Charts: []eval.Chart{}}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Status = r.dir + " has no metrics yet."
	case err != nil:
		t.Status = err.Error()
	case len(updates) == 0:
		t.Status = r.dir + " has made no update yet."
	default:
		last := updates[len(updates)-1]
		t.Status = fmt.Sprintf("%s, update %d (%s): %d decisions of teachers and %d in the league", r.dir, last.Update,
			last.Phase, last.Cloned, last.Decisions)
		for _, u := range slices.Backward(updates) {
			if u.Strength != nil {
				t.Status += fmt.Sprintf("; strength %+.3f after update %d", *u.Strength, u.Update)
				break
			}
		}
		t.Status += "."
		t.Charts = trainingCharts(r.game.Info(), updates)
	}
	r.page.Train(t)
	r.mu.Lock()
	first := r.games == 0
	r.mu.Unlock()
	if first {
		_ = r.next(ctx) // There may be no network yet.
	}
}

// next has the newest network play a game: one seat of it, another one each time, among the others.
func (r *watchedRun) next(ctx context.Context) error {
	file, err := newestNetwork(r.dir)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	name := "net:" + file
	players := r.game.Info().Players
	texts := make([]string, players)
	for p := range texts {
		if i := (p - r.games%players + players) % players; i == 0 {
			texts[p] = name
		} else {
			texts[p] = r.o.against[min(i-1, len(r.o.against)-1)]
		}
	}
	makers, err := openAgents(r.game, texts...)
	if err != nil {
		return err
	}
	options := eval.Options{Games: 1, Seed: secretSeed(), Records: 1}
	_, err = eval.Games(ctx, r.game, makers, options, func(_ int, o *eval.Outcome) error {
		if o.Void {
			return o.Forfeits[0]
		}
		r.games++
		return r.page.Show(o.Record, r.game, append([]string{name}, r.o.advisers(r.game, nil)...))
	})
	return err
}

// newestNetwork is the file of a run's newest network: its last checkpoint, or the best one, whichever is younger.
func newestNetwork(dir string) (string, error) {
	newest, err := checkpoint.Newest(dir)
	best, bestErr := checkpoint.Find(dir)
	if err != nil || bestErr != nil {
		return best, bestErr
	}
	if written(best).After(written(newest)) {
		return best, nil
	}
	return newest, nil
}

// written is when a file was written.
func written(file string) (when time.Time) {
	if at, err := os.Stat(file); err == nil {
		when = at.ModTime()
	}
	return when
}
