package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/farm"
	"earthgym/env/farm/jetstream"
	"earthgym/env/record"
	"earthgym/env/spelling"
	"earthgym/eval"
	"earthgym/train"
)

func newFarmWorker() *cobra.Command {
	var workers int
	var programs bool
	cmd := &cobra.Command{
		Use:   "worker URL",
		Short: "Do the work that a hub has",
		Long: `Take work from a hub until it is stopped: games, or whole runs of training, of commands that were given --hub.
Networks and data files come with the work, by their hash, and nothing else of this machine is read. What is
unfinished when it is stopped goes to others. It works for commands of the same program alone, and says with
what it differs otherwise.

Agents that are programs, or models at a server, are not started unless --start-programs says so here. A hub
with a token needs that for workers, which it has printed, in EARTHGYM_FARM_TOKEN.`,
		Example: `  earthgym farm worker nats://127.0.0.1:4222
  EARTHGYM_FARM_TOKEN=TOKEN earthgym farm worker tls://example.org:4222`,
		Args: wordsAllowed(1, 1, "the URL of a hub"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runFarmWorker(cmd.Context(), cmd.ErrOrStderr(), args[0], workers, programs)
		},
	}
	f := cmd.Flags()
	workersVar(f, &workers)
	f.BoolVar(&programs, "start-programs", false, "start agents that are programs, and ask models at servers")
	return cmd
}

func runFarmWorker(ctx context.Context, stderr io.Writer, url string, workers int, programs bool) (err error) {
	if err := checkWorkers(workers); err != nil {
		return err
	}
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	host, _, _ = strings.Cut(host, ".")
	// Containers may share both a host's name and the number of their process.
	name := fmt.Sprintf("%.40s-%s", host, strings.ToLower(rand.Text()[:6]))
	kernels, err := gemm.Select()
	if err != nil {
		return err
	}
	client, err := dial(name, url, false)
	if err != nil {
		return err
	}
	defer client.Close()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	folder, err := os.MkdirTemp("", "earthgym-worker-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	cache = filepath.Join(cache, "earthgym", "files")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(stderr, "%s %s\n", time.Now().Format(time.TimeOnly), spelling.Printable(fmt.Sprintf(format, args...)))
	}
	say("worker %s is at work at %s: %d at once", name, url, workers)
	w := &farm.Worker{Name: name, Engine: client, Program: programText(), Class: kernels.Class(), Slots: workers,
		Folder: folder, Cache: cache, Say: say,
		Do: func(ctx context.Context, b *farm.Bundle, s *farm.Share, dir string) error {
			if err := builtIn(b); err != nil && !programs {
				return err
			}
			return runBundle(ctx, b, s, dir)
		}}
	return w.Run(ctx)
}

// builtIn says why the agents of a bundle are not all built in.
func builtIn(b *farm.Bundle) error {
	named := foreign(b.Command)
	for name := range b.Files {
		at, err := disk.Named(name)
		if err != nil {
			return err
		}
		text, err := disk.ReadFile(at, 1<<20)
		if err == nil { // A network may be larger, and names no agents.
			named = named || bytes.Contains(text, []byte("remote:")) || bytes.Contains(text, []byte("llm:"))
		}
	}
	if named {
		return errors.New("the agents are programs, and this worker starts none (--start-programs)")
	}
	return nil
}

func runBundle(ctx context.Context, b *farm.Bundle, s *farm.Share, dir string) error {
	root := newRoot()
	if err := checkShared(root, b.Command); err != nil {
		return err
	}
	var said bytes.Buffer
	err := runShared(ctx, root, s, append(oneWorker(b.Command), "--out="+dir), &saying{tell: s.Said},
		io.MultiWriter(&said, &saying{tell: s.Said}))
	if err != nil && said.Len() > 0 {
		const most = 2000
		err = fmt.Errorf("%w; before that it said: %s", err, said.Bytes()[max(0, said.Len()-most):])
	}
	return err
}

// A saying tells each line that is written.
type saying struct {
	tell func(line string)
	part []byte
}

func (s *saying) Write(text []byte) (int, error) {
	s.part = append(s.part, text...)
	for {
		line, rest, whole := bytes.Cut(s.part, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		if said := strings.TrimSpace(string(line)); said != "" {
			s.tell(fmt.Sprintf("%.300s", said))
		}
		s.part = rest
	}
}

// oneWorker has a command use one core, unless it says how many there are to be.
func oneWorker(words []string) []string {
	words = slices.Clip(words)
	if slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, "--workers=") }) {
		return words
	}
	return append(words, "--workers=1")
}

func runShared(ctx context.Context, root *cobra.Command, s *farm.Share, words []string, w, stderr io.Writer) error {
	root.SetArgs(words)
	root.SetOut(w)
	root.SetErr(stderr)
	return asked(root.ExecuteContext(context.WithValue(ctx, shareKey{}, s)))
}

func newFarmAdd() *cobra.Command {
	return &cobra.Command{
		Use:   "add URL AGENT",
		Short: "Add an agent to the tournaments at a hub",
		Long: `Add an agent to the tournaments whose work is at a hub: a network, net:FILE or a training run's folder, which
goes there by its hash, or one that is built in; or a program, if the command of the tournament has
--start-programs, and the workers, too. Each tournament that it fits begins anew with it, in a folder within its
own, and the ratings on the hub's page follow. A hub with a token needs it in EARTHGYM_FARM_TOKEN.`,
		Example: "  earthgym farm add nats://127.0.0.1:4222 net:runs/a",
		Args:    wordsAllowed(2, 2, "the URL of a hub and an AGENT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runFarmAdd(cmd.Context(), cmd.OutOrStdout(), args[0], args[1])
		},
	}
}

func runFarmAdd(ctx context.Context, w io.Writer, url, agent string) error {
	who, known := "add-"+rand.Text()[:12], agent
	client, err := dial(who, url, true)
	if err != nil {
		return err
	}
	defer client.Close()
	l := farm.Life{Job: "add", Program: programText(), Says: "adds " + agent, Adds: agent}
	path, is := strings.CutPrefix(agent, "net:")
	if _, err := os.Stat(path); err == nil || is && path != "" {
		if _, err := checkpoint.Read(path); err != nil {
			return asked(err)
		}
		file, err := checkpoint.Find(path)
		if err != nil {
			return err
		}
		content, err := disk.ReadFile(file, 256<<20)
		if err != nil {
			return err
		}
		hash := fmt.Sprintf("%x", sha256.Sum256(content))
		if err := client.Put(ctx, hash, content); err != nil {
			return err
		}
		l.Adds, l.Files, known = "net:"+filepath.Base(path), []string{hash}, hash[:8]
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	const looks = 30 // each second
	for range looks {
		told, err := client.Told(ctx)
		if err = errors.Join(err, client.Tell(ctx, text)); err != nil {
			return err
		}
		in, refused := "", ""
		_, asking := told.Read()
		for _, job := range asking {
			if why := job.Aside[who]; why != "" {
				refused += fmt.Sprintf("%s does not let %s in: %s\n", job.Says, agent, why)
			} else if job.Adds == "" && strings.Contains(job.Says, known) {
				in += spelling.Printable(job.Says) + "\n"
			}
		}
		if in != "" {
			_, err := io.WriteString(w, in)
			return err
		} else if refused != "" {
			return errors.New(strings.TrimSuffix(refused, "\n"))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return fmt.Errorf("no tournament at %s answers", url)
}

// farmable says why the command can't be done by workers; nil if it can.
func (s *sharing) farmable() error {
	changed := func(flag string) bool { return s.cmd.Flags().Changed(flag) }
	switch {
	case s.shard != "":
		return usagef("--shard or --hub, not both")
	case changed("again"):
		return usagef("--again is not for a hub")
	case s.cmd.Name() == "figures" && !changed("workers"):
		return usagef("dev figures --hub: say how many cores each run has, --workers N")
	}
	words := s.words(shapes)
	if foreign(words) && s.cmd.Flags().Lookup("seed") != nil && !changed("seed") {
		return usagef("--hub with a remote: or llm: agent: say the --seed")
	}
	if strings.Contains(strings.Join(words, " "), "records:") {
		return usagef("--hub: records: are on this machine alone")
	}
	return nil
}

// farmOut has the workers of a hub do the command, and shows what comes of it. It runs the command to find out what it
// lacks, has that done, and runs it again on what there is, until nothing lacks.
func (s *sharing) farmOut(ctx context.Context, w, stderr io.Writer) (err error) {
	if err := s.farmable(); err != nil {
		return err
	}
	out := s.cmd.Flags().Lookup("out").Value.String()
	kept := out != ""
	top := out
	s.begun = len(s.args)
	if out, err = s.grown(top); err != nil {
		return err
	}
	words := s.words(shapes)
	shared, _ := fs.Glob(os.DirFS(out), "shard/*")
	for _, runs := range []string{train.ConfigFile, "seed-*/" + train.ConfigFile} {
		if own, _ := fs.Glob(os.DirFS(out), runs); own != nil && shared == nil {
			return usagef("%s is a run of this machine, which goes on without --hub: choose another folder than %s",
				filepath.Join(out, filepath.Dir(own[0])), out)
		}
	}
	defer func() {
		if errors.Is(err, farm.ErrGrown) {
			fmt.Fprintln(stderr, "farm: an agent was let in, and the tournament begins anew with it")
			s.args = s.args[:s.begun]
			err = s.farmOut(ctx, w, stderr)
		}
	}()
	switch {
	case !kept && slices.Contains([]string{"train", "sweep", "figures"}, s.cmd.Name()):
		return usagef("say where the runs go: --out FOLDER")
	case !kept:
		if out, err = os.MkdirTemp("", "earthgym-farm-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(out)) }()
	}
	absolute, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	name := jetstream.NameOf(strings.Join(append(words, programText(), host, absolute), "\x00"))
	client, err := dial("job-"+name, s.hub, true)
	if err != nil {
		return err
	}
	defer client.Close()
	share, err := farm.Live(out, programText(), words)
	if err != nil {
		return asked(err)
	}
	defer func() { err = errors.Join(err, share.Close()) }()
	if os.Getenv("GOGC") == "" { // Little stays of what comes in.
		debug.SetGCPercent(400)
	}
	bar := newProgress(stderr, "farm")
	job := &farm.Job{Name: name, Share: share, Engine: client, Program: programText(), Says: strings.Join(words, " "),
		Files: namedFiles, Once: foreign(words) || strings.Contains(strings.Join(words, " "), "ms="),
		Here:  func(b *farm.Bundle) (*farm.Answer, error) { return doHere(ctx, client, b) },
		Check: s.checkLeft,
		Say: func(format string, args ...any) {
			bar.done()
			fmt.Fprintf(stderr, "farm: %s\n", spelling.Printable(fmt.Sprintf(format, args...)))
		},
		Tell: func(done, total int, e farm.Estimate) { bar.set(done, total) }}
	if s.cmd.Name() == "tournament" && len(s.args) > 0 {
		job.Stand = func(games iter.Seq2[int, farm.Result]) []farm.Standing {
			return eval.LiveStandings(s.args[1:], games)
		}
		job.Let = func(agent string, file []byte) error { return s.let(top, agent, file) }
	}
	return s.settle(ctx, w, stderr, job, out, func() error {
		defer bar.done()
		return s.have(ctx, job, out, kept)
	})
}

// settle runs the command, has done what it lacks, and shows what comes of it once nothing lacks.
func (s *sharing) settle(ctx context.Context, w, stderr io.Writer, job *farm.Job, out string, have func() error) error {
	share := job.Share
	shown := append(s.words(func(_ *cobra.Command, f *pflag.Flag) bool {
		return f.Name != "hub" && f.Name != "out"
	}), "--out="+out)
	for first := true; ; first = false {
		caveats := io.Discard
		if first {
			caveats = struct{ io.Writer }{stderr} // no terminal, so that nothing is drawn
		}
		share.Ask()
		if err := runShared(ctx, newRoot(), share, shown, io.Discard, caveats); err != nil {
			return err
		}
		if share.Lacking() {
			more := share.Decides()
			if err := have(); err != nil {
				return err
			}
			if more { // Nothing is written into its folder before all is certain.
				continue
			}
		}
		var table bytes.Buffer
		share.Show()
		err := runShared(ctx, newRoot(), share, shown, &table, io.Discard)
		if !share.Lacking() {
			_, failed := w.Write(table.Bytes())
			job.End(ctx)
			return errors.Join(err, failed)
		}
		if err := have(); err != nil {
			return err
		}
	}
}

// Of a tournament that others have added agents to: a file that has a line for each, and what the folder begins with
// that the tournament with so many more is in.
const addedFile, grownFolder = "added.txt", "with-"

// grown adds the agents to the command that were let in, and gives the folder of the tournament with them.
func (s *sharing) grown(dir string) (string, error) {
	text, err := disk.ReadFile(filepath.Join(dir, addedFile), 1<<20)
	if errors.Is(err, fs.ErrNotExist) || s.cmd.Name() != "tournament" || len(s.args) == 0 {
		return dir, nil
	}
	added := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	s.args = slices.Concat(s.args, added)
	return filepath.Join(dir, fmt.Sprint(grownFolder, len(added))), err
}

// let lets an agent into the tournament in a folder, which begins anew with it, in a folder of its own: every agent
// then meets every other one equally often.
func (s *sharing) let(dir, agent string, file []byte) error {
	const most = 20 // agents
	changed := func(flag string) bool { return s.cmd.Flags().Changed(flag) }
	program := foreign([]string{agent})
	switch {
	case program && !(changed("start-programs") && changed("seed")):
		return errors.New("a program is let in where the tournament has --start-programs and a --seed")
	case file == nil && !program && strings.ContainsAny(agent, `/\`), strings.Contains(agent, "\n"):
		return fmt.Errorf("%q is neither a network nor an agent that is built in", agent)
	case file != nil:
		agent = fmt.Sprintf("net:%s-%x", filepath.Join(dir, filepath.Base(agent[len("net:"):])), sha256.Sum256(file))
		agent = agent[:len(agent)-56]
		if err := disk.Write(agent[len("net:"):], file); err != nil {
			return err
		}
	}
	if slices.Contains(s.args, agent) {
		return nil
	} else if len(s.args) > most {
		return fmt.Errorf("it has %d agents already", most)
	}
	g, err := s.game(s.args[0])
	if err == nil {
		_, err = openAgents(g, agent)
	}
	if err != nil {
		return err
	}
	text := strings.Join(slices.Concat(s.args[s.begun:], []string{agent, ""}), "\n")
	return cmp.Or(disk.Write(filepath.Join(dir, addedFile), []byte(text)), farm.ErrGrown)
}

// game opens a game with the data of the command.
func (s *sharing) game(text string) (_ env.Game, err error) {
	f := gameFlags{}
	if s.cmd.Flags().Lookup("data") != nil {
		f.data, err = s.cmd.Flags().GetStringArray("data")
	}
	if err != nil {
		return nil, err
	}
	return f.openOf("the game", text)
}

func (s *sharing) have(ctx context.Context, job *farm.Job, out string, kept bool) error {
	err := job.Do(ctx)
	switch {
	case errors.Is(err, farm.ErrGrown):
		job.End(ctx)
		return err
	case err == nil || ctx.Err() == nil:
		return err
	case kept:
		return fmt.Errorf("interrupted; what was done is kept in %s, and the same command goes on", out)
	}
	return errors.New("interrupted; with --out FOLDER what was done is kept, and the same command goes on")
}

// namedFiles are the networks and data files that the command has named so far.
func namedFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, at := range disk.NamedSoFar() {
		content, err := disk.ReadFile(at, 256<<20)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files[name] = content
	}
	return files, nil
}

func doHere(ctx context.Context, e farm.Engine, b *farm.Bundle) (_ *farm.Answer, err error) {
	dir, err := os.MkdirTemp("", "earthgym-farm-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := b.Unfold(ctx, e, dir); err != nil {
		return nil, err
	}
	s := farm.Carry(dir, programText(), b, func(string) {})
	if err = runBundle(ctx, b, s, dir); errors.Is(err, farm.ErrCarried) {
		err = nil
	}
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	return s.Answer(), nil
}

// checkLeft plays a record again that a game has left, and reads the network of a run.
func (s *sharing) checkLeft(name string) error {
	if at, err := os.Stat(name); err == nil && at.IsDir() {
		_, err := checkpoint.Read(name)
		return err
	}
	if filepath.Ext(name) != ".jsonl" {
		return nil
	}
	r, err := record.ReadFile(name)
	if err != nil {
		return err
	}
	g, err := s.game(r.Header.Game)
	if err != nil {
		return err
	}
	return r.Replay(g, nil)
}
