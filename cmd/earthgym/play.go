package main

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/agents/shipped"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/record"
	"earthgym/env/spelling"
)

type playOptions struct {
	game  gameFlags
	seed  uint64
	given bool // the seed is
	out   string
	limit time.Duration
	plain bool
	web   webOptions

	programs bool        // that a record names are started
	failed   func(error) // is told why the game can't go on or be saved
}

func newPlay() *cobra.Command {
	o := playOptions{}
	cmd := &cobra.Command{
		Use:   "play [GAME] [human|AGENT…]",
		Short: "Sit down at a game, against agents and with other people",
		Long: `Sit down at a game, in the terminal or (--web) in the browser. The seats are taken in the order in which
people and agents are named, from seat 0 on: human (or human:NAME) is a person, everything else an agent; the
last one fills the rest. Without any, one person plays against level:3.

In the terminal the game takes the full screen; --plain, a pipe or TERM=dumb is line by line: for screen
readers and scripts. A number, an action's text or words that only one choice has choose it; ? is help.
People at one terminal are covered from each other: each presses Enter before what it may see shows. Line
by line, a page of blank lines comes before that, and who scrolls back still reads what stands above it.

Without a game, --web shows all of them: lessons, opponents, and what is saved in the folder records.
The page is at a link that is printed and opened. Several people share the screen, with a cover between
them, or get links of their own, which --listen lets other machines reach; whoever has the link of a seat
decides for it. Between machines a link is only as secret as the way it takes: give a certificate
(--tls-cert, --tls-key), or put a proxy with one before it.

The game is saved after every decision, as a record. The same command with --out, or without a game that alone,
goes on from it, under the same links, with the people and agents as the record names them unless they are given.`,
		Example: `  earthgym play resilience-earth
  earthgym play resilience-earth human level:4 --plain
  earthgym play --web
  earthgym play resilience-earth --web
  earthgym play one-earth human level:5 net:runs/one-earth --web
  earthgym play new-earth human:Ada human:Ben --web --listen 0.0.0.0:8080
  earthgym play --out records/new-earth-7.jsonl --web`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.out != "" || o.web.web && len(args) == 0 {
				return nil
			}
			return wordsAllowed(1, -1, "the game")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.given = cmd.Flags().Changed("seed"); !o.given {
				o.seed = secretSeed()
			}
			return runPlay(cmd, args, o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = completeGameAndPeople
	f := cmd.Flags()
	f.Uint64Var(&o.seed, "seed", 0, "seed of the game; drawn if none is given")
	f.StringVar(&o.out, "out", "", "`FILE` that the game is saved in, and gone on with if it is there; "+
		"records/GAME-NUMBER.jsonl if none is given")
	f.BoolVar(&o.programs, "start-programs", false, fmt.Sprintf(startProgramsHelp, "the record"))
	f.DurationVar(&o.limit, "limit", 0, "how long a person may take for a decision, such as 2m; then level:3 decides")
	f.BoolVar(&o.plain, "plain", false, "in the terminal, line by line")
	o.web.add(cmd)
	_ = cmd.MarkFlagFilename("out", "jsonl")
	rare(cmd, "start-programs")
	return cmd
}

// completeGameAndPeople completes the game, and people and agents after it.
func completeGameAndPeople(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	words, directive := completeGameAndAgents(cmd, args, text)
	if len(args) > 0 {
		words = append(words, table.Person)
	}
	return words, directive
}

// secretSeed is a seed that nobody can guess: whoever knows it knows the luck to come.
func secretSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // It never fails.
	return binary.LittleEndian.Uint64(b[:])
}

func runPlay(cmd *cobra.Command, args []string, o playOptions) error {
	if o.plain && o.web.web {
		return usagef("--plain and --web exclude each other")
	}
	if err := o.web.check(); err != nil {
		return err
	}
	if o.web.web {
		o.failed = func(err error) { fmt.Fprintln(cmd.ErrOrStderr(), spelling.Printable(err.Error())) }
	}
	if o.web.web && len(args) == 0 && o.out == "" {
		return (*laid)(nil).serve(cmd.Context(), cmd.OutOrStdout(), o.web, cmd.ErrOrStderr())
	}
	game, err := layTable(args, o)
	if err != nil {
		return err
	}
	if o.web.web {
		writeCaveats(cmd.ErrOrStderr(), []env.Game{game.game}, game.seated())
		return game.serve(cmd.Context(), cmd.OutOrStdout(), o.web, cmd.ErrOrStderr())
	}
	defer func() { writeSpending(cmd.ErrOrStderr(), game.asked) }()
	writeCaveats(cmd.ErrOrStderr(), []env.Game{game.game}, game.seated())
	return game.sit(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), o.plain)
}

// A laid is a table that people can sit down at.
type laid struct {
	table  *table.Table
	game   env.Game
	file   string // that it is saved in
	agents []string
	asked  []*agents.Maker // that sat down first
}

// seated are the texts of the agents that sat down first.
func (l *laid) seated() []string {
	var texts []string
	for _, m := range l.asked {
		texts = append(texts, m.Text)
	}
	return texts
}

// defaultOpponent is who plays against people who have named nobody.
func defaultOpponent(g env.Game) string {
	switch {
	case len(agents.Levels(g)) >= 3:
		return "level:3"
	case scripted.Plays(g):
		return "script:strong"
	}
	return "random"
}

// layTable begins a game, or goes on with one.
func layTable(args []string, o playOptions) (*laid, error) {
	if o.limit < 0 {
		return nil, usagef("--limit %v: it is a time such as 90s or 2m", o.limit)
	}
	l := &laid{file: o.out}
	if o.out != "" {
		if err := disk.CheckFile(o.out); err != nil {
			return nil, fmt.Errorf("--out: %w", err)
		}
	}
	if len(args) > 0 {
		var err error
		if l.game, err = o.game.open(args[0]); err != nil {
			return nil, err
		}
		if args = args[1:]; l.file == "" && o.given {
			l.file = filepath.Join(recordFolder, recordName(l.game.Info(), o.seed))
			if _, err := os.Lstat(l.file); err == nil {
				return nil, fmt.Errorf("%s exists: --out %s goes on with it, another --out leaves it", l.file, l.file)
			}
		}
	}
	rec, err := l.saved(o)
	if err != nil {
		return nil, err
	}
	if rec != nil && len(args) == 0 {
		args = rec.Header.Agents
		if err := checkPrograms(l.file, args, o.programs); err != nil {
			return nil, err
		}
	}
	return l, l.lay(rec, args, o)
}

// saved is the game that the file has to go on with, which must be the one that was asked for; nil if there is none.
func (l *laid) saved(o playOptions) (*record.Record, error) {
	if _, err := os.Lstat(l.file); l.game != nil && (l.file == "" || errors.Is(err, os.ErrNotExist)) {
		return nil, nil
	}
	rec, g, err := o.game.openRecord(l.file)
	switch {
	case err != nil:
		return nil, err
	case l.game != nil && g.Info().Text != l.game.Info().Text:
		return nil, fmt.Errorf("%s holds a game of %s, not of %s: another --out leaves it", l.file, g.Info().Short,
			l.game.Info().Short)
	case o.given && rec.Header.Seed != o.seed:
		return nil, fmt.Errorf("%s holds a game of the seed %d, not %d: another --out leaves it", l.file, rec.Header.Seed,
			o.seed)
	}
	l.game = g
	return rec, nil
}

// layAgain goes on with a game from where a record ends, in a file of its own.
func layAgain(g env.Game, rec *record.Record, o playOptions) (*laid, error) {
	l := &laid{game: g}
	return l, l.lay(rec, rec.Header.Agents, o)
}

// lay lays the table, of a new game or (rec) of one that goes on, with people and agents in its seats.
func (l *laid) lay(rec *record.Record, args []string, o playOptions) error {
	info := l.game.Info()
	seats, err := openSeats(l.game, args)
	if err != nil {
		return err
	}
	for _, s := range seats {
		if s.Agent != nil {
			l.asked = append(l.asked, s.Agent)
		}
	}
	if limit := o.limit; rec != nil && limit == 0 && rec.Header.Meta[table.LimitMeta] != "" {
		if o.limit, err = time.ParseDuration(rec.Header.Meta[table.LimitMeta]); err != nil {
			return fmt.Errorf("the record's limit: %w", err)
		}
	}
	options := table.Options{File: l.file, Failed: o.failed, Limit: o.limit, Names: table.FromOne}
	if o.limit > 0 {
		standIn, err := openAgents(l.game, defaultOpponent(l.game))
		if err != nil {
			return err
		}
		options.StandIn = standIn[0]
	}
	l.agents = advisers(l.game, seats)
	if l.file == "" {
		l.file = freeFile(info)
	}
	if filepath.Dir(l.file) == recordFolder {
		if err := os.MkdirAll(recordFolder, 0o755); err != nil {
			return fmt.Errorf("cannot make the folder for the record: %w", err)
		}
	}
	options.File = l.file
	if rec != nil {
		l.table, err = table.Resume(l.game, rec, seats, options)
		return err
	}
	l.table, err = table.New(l.game, o.seed, seats, options)
	return err
}

// freeFile is a file that there is not yet, whose name says nothing of the luck to come.
func freeFile(info *env.Info) string {
	for {
		file := filepath.Join(recordFolder, recordName(info, secretSeed()%1_000_000))
		if _, err := os.Lstat(file); err != nil {
			return file
		}
	}
}

// openSeats seats people and agents, in seat order, the last one in all seats that are left.
func openSeats(g env.Game, texts []string) ([]table.Seat, error) {
	n := g.Info().Players
	if len(texts) > n {
		return nil, usagef("%d people and agents for the %s of %s", len(texts), spelling.Counted(n, "seat"), g.Info().Short)
	}
	if len(texts) == 0 {
		texts = []string{table.Person, defaultOpponent(g)}[:min(2, n)]
	}
	var agentTexts []string
	for _, text := range texts {
		if isPerson(text) {
			continue
		}
		if word, _, _ := strings.Cut(text, ":"); spelling.Nearest(word,
			append(agents.Words(), table.Person)) == table.Person {
			return nil, usagef("unknown agent %q: did you mean %q?", text, table.Person)
		}
		agentTexts = append(agentTexts, text)
	}
	makers, err := openAgents(g, agentTexts...)
	if err != nil {
		return nil, err
	}
	var seats []table.Seat
	for p := range n {
		text := texts[min(p, len(texts)-1)]
		if isPerson(text) {
			_, name, _ := strings.Cut(text, ":")
			if len([]rune(name)) > maxPersonName || name != spelling.Printable(name) {
				return nil, usagef("%s: a person's name has at most %d letters, all printable", spelling.Printable(text),
					maxPersonName)
			}
			seats = append(seats, table.Seat{Name: name})
			continue
		}
		seats = append(seats, table.Seat{Agent: makers[slices.Index(agentTexts, text)]})
	}
	return seats, nil
}

// maxPersonName bounds a person's name.
const maxPersonName = 40

func isPerson(text string) bool {
	return text == table.Person || strings.HasPrefix(text, table.Person+":")
}

// advisers are the agents that can be asked for hints and put into seats: those at the table, the levels, and the
// game's strongest bot.
func advisers(g env.Game, seats []table.Seat) []string {
	var texts []string
	add := func(text string) {
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	for _, l := range agents.Levels(g) {
		add(l.Text)
	}
	for _, s := range seats {
		if s.Agent != nil && !agents.IsForeign(s.Agent.Text) {
			add(s.Agent.Text)
		}
	}
	if scripted.Plays(g) {
		add("script:strong")
	}
	if shipped.AtHome(g.Info()) {
		add("net:")
	}
	return texts
}
