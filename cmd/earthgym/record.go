package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/record"
	"earthgym/env/spelling"
	"earthgym/eval"
	"earthgym/games"
)

func completeGameAndAgents(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeGame(cmd, args, text)
	}
	return completeAgent(cmd, args, text)
}

func completeFileAndAgents(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return completeAgent(cmd, args, text)
}

// gamesAndAgents parts the words of a command that plays several games: agents come after them.
func gamesAndAgents(words []string) (texts, agents []string) {
	for i, word := range words {
		name, _, _ := strings.Cut(word, ":")
		if _, err := games.Find(name); err != nil && (beginsAgent(word) || namesKind(word)) {
			return words[:i], words[i:]
		}
	}
	return words, nil
}

// completeAgents completes the last of several agents joined by commas.
func completeAgents(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	last := strings.LastIndexByte(text, ',') + 1
	words, directive := completeAgent(cmd, args, text[last:])
	for i := range words {
		words[i] = text[:last] + words[i]
	}
	return words, directive
}

// completeAgent completes an agent, the path of a network included.
func completeAgent(_ *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	path, ok := strings.CutPrefix(text, "net:")
	if !ok {
		return agents.Words(), directive
	}
	dir, _ := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil, directive
	}
	var words []string
	for _, e := range entries {
		switch {
		case e.IsDir():
			words = append(words, "net:"+dir+e.Name()+"/")
		case filepath.Ext(e.Name()) == ".safetensors":
			words = append(words, "net:"+dir+e.Name())
		}
	}
	return words, directive
}

// openTable opens the agents at a table: in seat order, the last one in all seats that are left.
func openTable(g env.Game, texts []string) ([]*agents.Maker, error) {
	switch n := g.Info().Players; {
	case len(texts) == 0:
		return nil, usagef("the agents are missing: name them after the game, in seat order")
	case len(texts) > n:
		return nil, usagef("%d agents for the %s of %s", len(texts), spelling.Counted(n, "seat"), g.Info().Short)
	}
	return openAgents(g, texts...)
}

// openAgents opens agents, those of one text once.
func openAgents(g env.Game, texts ...string) ([]*agents.Maker, error) {
	opened := map[string]*agents.Maker{}
	open := func(text string) error {
		if opened[text] != nil {
			return nil
		}
		m, err := agents.Open(text, g)
		if _, ok := errors.AsType[*agents.TextError](err); ok {
			return usage(explain(err, g, texts, text))
		}
		opened[text] = m
		return err
	}
	// A word that is no agent comes first: it may be the rest of a command, which would be waited for.
	for _, text := range texts {
		if !beginsAgent(text) {
			if err := open(text); err != nil {
				return nil, err
			}
		}
	}
	makers := make([]*agents.Maker, len(texts))
	for i, text := range texts {
		if err := open(text); err != nil {
			return nil, err
		}
		makers[i] = opened[text]
	}
	return makers, nil
}

// startProgramsHelp is what --start-programs does where agents are those that a file names.
const startProgramsHelp = "start the programs and ask the servers that %s that is gone on with names as agents " +
	"(remote:, llm:)"

// checkPrograms refuses agents that a file names, which may be anybody's, if they are programs or models at servers: to
// open one is to start it, with the rights of this process, or to send a server the user's key.
func checkPrograms(file string, texts []string, trusted bool) error {
	foreign := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return !agents.IsForeign(text) })
	if trusted || len(foreign) == 0 {
		return nil
	}
	return fmt.Errorf("%s names programs or servers as agents, which would be started or asked: %s; say "+
		"--start-programs if you trust them",
		file, spelling.Printable(strings.Join(foreign, ", ")))
}

// startPrograms is what the command must say besides that goes on with a game of these agents.
func startPrograms(texts []string) string {
	if slices.ContainsFunc(texts, agents.IsForeign) {
		return " --start-programs"
	}
	return ""
}

// explain adds to the error of a text that stands for no agent what its place among the words of the command
// line may have to do with it.
func explain(err error, g env.Game, texts []string, text string) error {
	if parts := joinOptions(strings.Split(text, ",")); len(parts) > 1 {
		return fmt.Errorf("unknown agent %q: each agent is a word of its own: %s", text, strings.Join(parts, " "))
	}
	name, _, _ := strings.Cut(text, ":")
	if _, notGame := games.Find(name); notGame == nil {
		return fmt.Errorf("unknown agent %q: it is a game; the agents here play %s", text, g.Info().Name)
	}
	if option, _, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(option, ":./") {
		return fmt.Errorf("%w; options belong to the game: %s:%s", err, g.Info().Name, text)
	}
	if i := slices.Index(texts, text); i > 0 && strings.HasPrefix(texts[i-1], "remote:") {
		return fmt.Errorf("%w; a command of several words is one word in quotes: \"%s %s\"", err, texts[i-1], text)
	}
	return err
}

// writeSpending says what agents have asked of servers, those that do.
func writeSpending(w io.Writer, makers []*agents.Maker) {
	seen := map[string]bool{}
	for _, m := range makers {
		if m.Spent != nil && !seen[m.Text] {
			seen[m.Text] = true
			fmt.Fprintf(w, "%s: %v\n", m.Text, m.Spent())
		}
	}
}

type recordOptions struct {
	game      gameFlags
	seed      uint64
	games     int
	out       string
	usage     bool
	overwrite bool
	times     bool
	meta      map[string]string
}

func newRecord() *cobra.Command {
	o := recordOptions{}
	cmd := &cobra.Command{
		Use:   "record GAME AGENT…",
		Short: "Play games and write their records",
		Long: `Play games, the first on the given seed, each further one on the next seed, and write the record of
each to the folder: GAME-SEED.jsonl, where GAME has the options that differ from their defaults. Games whose
records are there are not played again; a file that differs is replaced only with --overwrite.

The agents sit down in the order in which they are named, from seat 0 on; the last one fills the rest.
The header of a record names the program and, by their hashes, the networks; --meta adds what you like, and
--times when the game was played and how long each decision took. Nobody verifies these.
What an llm: agent was told and has said stands beside the record, in GAME-SEED.seat-N.transcript.

An agent that crashes, hangs or answers nonsense forfeits, as at a match: a bot of the game (script:greedy)
plays on in its seat. The output says so, and "forfeit-seat-N" among the header's meta; scores and winners
are those of the game as it was played to its end.`,
		Example: `  earthgym record resilience-earth script:strong random --seed 7 --games 3
  earthgym record resilience-earth net:runs/first,argmax random --out games`,
		Args: wordsAllowed(1, -1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.seed = tableSeed(cmd, o.seed, args[1:]...)
			return runRecord(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], args[1:], o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = completeGameAndAgents
	f := cmd.Flags()
	seedVar(f, &o.seed, "the first game"+seedHelp)
	f.IntVar(&o.games, "games", 1, "games to play")
	f.StringVar(&o.out, "out", "records", "`FOLDER` for the records; it is made if need be")
	f.BoolVar(&o.overwrite, "overwrite", false, "play all games, and replace records that exist")
	f.BoolVar(&o.usage, "usage", false, "also show what was chosen, by families of actions, and what never was")
	f.BoolVar(&o.times, "times", false, "also write when each game was played, and the milliseconds of each decision")
	f.StringToStringVar(&o.meta, "meta", nil, "also write this in the headers: `event=cup,round=3`")
	f.Lookup("meta").DefValue = ""
	return cmd
}

// recordName is the file of a record: its game, and a number, which is the seed unless that is secret.
func recordName(info *env.Info, number uint64) string {
	return fmt.Sprintf("%s-%d.jsonl", fileName(info), number)
}

// fileName is a game with the options that differ from their defaults, in characters that every file system takes.
func fileName(info *env.Info) string {
	const most = 150 // characters of the game; there are file systems that take 255 in all
	game := strings.NewReplacer(":", "_", ",", "_").Replace(info.Short)
	if len(game) > most {
		game = fmt.Sprintf("%s~%.8x", game[:most], sha256.Sum256([]byte(game)))
	}
	return game
}

// keptRecords is how many of the games, from the first on, the folder has the records of already. One that is there and
// differs from what would be written is an error, before anything is played.
func keptRecords(g env.Game, makers []*agents.Maker, o recordOptions) (kept int, err error) {
	entries, err := os.ReadDir(o.out)
	if err != nil {
		return 0, fmt.Errorf("cannot read the folder for the records: %w", err)
	}
	there := map[string]bool{}
	for _, e := range entries {
		there[e.Name()] = true
	}
	for i := range o.games {
		seed := o.seed + uint64(i)
		name := recordName(g.Info(), seed)
		if !there[name] {
			continue
		}
		file := filepath.Join(o.out, name)
		what := "is no record that could be gone on with"
		if rec, _, err := o.game.openRecord(file); err == nil {
			what = differs(rec, g.Info(), makers, seed, o.meta)
		}
		if what != "" {
			return 0, fmt.Errorf("%s %s: --overwrite replaces it, and another --out or --seed leaves it", file, what)
		}
		if kept == i {
			kept++
		}
	}
	return kept, nil
}

// differs says in what a record is not that of a game of these agents; "" if it is.
func differs(rec *record.Record, info *env.Info, makers []*agents.Maker, seed uint64, meta map[string]string) string {
	h := &rec.Header
	at := func(list []string, p int) string {
		if p < len(list) {
			return list[p]
		}
		return ""
	}
	switch {
	case h.Game != info.Text || h.Data != info.DataHash || h.Rules != info.Rules:
		return "is of another game, its rules or its component data"
	case h.Seed != seed || h.Listed || h.Position != nil:
		return "has other luck"
	case rec.Footer == nil:
		return "is unfinished"
	}
	for p := range info.Players {
		switch m := makers[min(p, len(makers)-1)]; {
		case at(h.Agents, p) != m.Text:
			return fmt.Sprintf("has %s in seat %d, not %s", spelling.Printable(at(h.Agents, p)), p, spelling.Printable(m.Text))
		case at(h.Hashes, p) != m.Hash || at(h.Made, p) != m.Said():
			return fmt.Sprintf("was played by another %s", spelling.Printable(m.Text))
		}
	}
	for name, value := range meta {
		if h.Meta[name] != value {
			return fmt.Sprintf("has %s=%s in its header, not %s", name, h.Meta[name], value)
		}
	}
	return ""
}

func runRecord(ctx context.Context, w, stderr io.Writer, game string, seated []string, o recordOptions) error {
	switch {
	case o.games < 1 || o.games > maxRecords:
		return usagef("--games %d: 1 to %d, as each is a file of the folder", o.games, maxRecords)
	case o.seed+uint64(o.games-1) < o.seed:
		return usagef("--seed %d: no %d games follow from it, the last seed is %d", o.seed, o.games, uint64(math.MaxUint64))
	case !utf8.ValidString(fmt.Sprint(o.meta)):
		return usagef("--meta %q: records are UTF-8", o.meta)
	}
	g, err := o.game.open(game)
	if err != nil {
		return err
	}
	makers, err := openTable(g, seated)
	if err != nil {
		return err
	}
	defer writeSpending(w, makers)
	writeCaveats(stderr, []env.Game{g}, seated)
	substitute, err := openSubstitute(g, forfeitTakeover)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return fmt.Errorf("cannot make the folder for the records: %w", err)
	}
	if !o.overwrite {
		kept, err := keptRecords(g, makers, o)
		if err != nil {
			return err
		}
		for i := range kept {
			fmt.Fprintf(w, "%s: there already\n", filepath.Join(o.out, recordName(g.Info(), o.seed+uint64(i))))
		}
		if o.games, o.seed = o.games-kept, o.seed+uint64(kept); o.games == 0 {
			return nil
		}
	}
	if err := disk.CheckFile(filepath.Join(o.out, recordName(g.Info(), o.seed))); err != nil {
		return err
	}
	texts, next := make([]string, o.games), 0 // games end in another order where networks play many at once
	options := eval.Options{
		Games: o.games, Seed: o.seed, Workers: 1, Substitute: substitute, Program: programText(), Records: o.games,
		Times: o.times,
	}
	usage, err := eval.Games(ctx, g, makers, options, func(i int, outcome *eval.Outcome) (err error) {
		if texts[i], err = writeGame(g.Info(), makers, outcome, o); err != nil {
			return err
		}
		for ; next < o.games && texts[next] != ""; next++ {
			fmt.Fprint(w, texts[next])
		}
		return nil
	})
	if interrupted := new(eval.InterruptedError); errors.As(err, &interrupted) {
		return fmt.Errorf("interrupted: the records of %d of %s are written", interrupted.Played,
			spelling.Counted(o.games, "game"))
	}
	if err == nil && o.usage {
		err = eval.WriteUsage(w, usage)
	}
	return err
}

// writeGame writes the record of a game, none of one that has failed, and the transcripts of those who keep one. It
// gives what there is to say of the record.
func writeGame(info *env.Info, makers []*agents.Maker, outcome *eval.Outcome, o recordOptions) (string, error) {
	name := filepath.Join(o.out, recordName(info, outcome.Seed))
	for p, text := range outcome.Transcripts {
		if text == nil {
			continue
		}
		if err := disk.Write(fmt.Sprintf("%s.seat-%d.transcript", strings.TrimSuffix(name, ".jsonl"), p), text); err != nil {
			return "", err
		}
	}
	rec := outcome.Record
	if rec == nil {
		return "", nil
	}
	forfeits := rec.Header.Meta
	if len(o.meta) > 0 {
		rec.Header.Meta = maps.Clone(o.meta)
		maps.Copy(rec.Header.Meta, forfeits)
	}
	if err := disk.WriteFile(name, rec.Write); err != nil {
		return "", err
	}
	said := fmt.Sprintf("%s: %s, ended by %s, %s\n", name, spelling.Counted(outcome.Decisions, "decision"),
		outcome.Reason, outcome.Verdict())
	for p := range outcome.Seating {
		if note := forfeits[fmt.Sprintf("forfeit-seat-%d", p)]; note != "" {
			agent := makers[min(p, len(makers)-1)].Text
			said += fmt.Sprintf("seat %d, %s, has forfeited: %s\n", p, spelling.Printable(agent), spelling.Printable(note))
		}
	}
	outcome.Record, outcome.Transcripts = nil, nil // Thousands of them would not be needed in memory.
	return said, nil
}
