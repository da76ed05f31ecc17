package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"earthgym/agents"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/spelling"
	"earthgym/env/story"
	"earthgym/eval"
)

type matchOptions struct {
	sharedFlags
	game    gameFlags
	games   int
	seed    uint64
	against string
	report  []string
	usage   bool
	forfeit string
	sprt    string
	until   string
	aivat   string
	floor   int
	times   bool

	thinking *eval.Thinking // if not nil, told how long agents think
}

// sequentialGames is how many games a match has at the most that ends when it has shown enough, if --games doesn't say.
const sequentialGames = 100_000

func newMatch() *cobra.Command {
	o := matchOptions{}
	cmd := &cobra.Command{
		Use:   "match GAME AGENT…",
		Short: "Play agents against each other, with confidence intervals",
		Long: `Play a match: blocks of games on one seed each, in every distinct rotation of the agents over the seats.
The agents are named in seat order, and the last one fills the seats that are left; the number of games is
rounded up to whole blocks. Intervals are of 95 %, over blocks. The same command gives the same result on
any machine of a kind, with any number of workers.

A remote: agent has 10 s to say hello and for each decision (remote:limit=2s,COMMAND says otherwise), an llm:
agent two minutes. One that ends at its start, crashes, takes longer or answers nonsense forfeits its game,
which the table and --json count: it loses, a bot of the game (script:greedy) plays on in its seat, and the
others get what they earn. One that has never said hello is not waited for again. With --forfeit void the game
ends there, and all games of its seed count for nobody else.

Each worker plays one game with remote: agents at a time, with a process for each of their seats, or as many
as the programs can play at once. What a program has started ends with it, and with the match.

Of three agents or more, better and worse are said so that all pairs together leave 5 % for an error (Holm).

In cooperative and solo games whole tables are compared: --against plays a second table on the same seeds.

--sprt and --until play as long as it takes, at most --games (100000 if left out). --sprt tests the first
agent's return minus the other's: it stops when that is return1 or more rather than return0 or less, or the
other way round, and is wrong in a share alpha or beta of such matches. --until ±0.02 stops when the interval
of that difference, or of the return of a single agent, is that narrow.

--aivat takes from the returns what chance has given: what the position after each draw is worth, by a network
(net:PATH, net:) or the game's potential, minus the mean over all that might have been drawn. Means stay what
they are, whatever the values are worth, and the table says as of how many times the games intervals are. It
pays where values foretell returns: two to three times the games in Resilience Earth by net:, a quarter more
in New Earth, none in One Earth. How much is taken away the games themselves say, each block's
by the others: little where it explains little, and of fewer than eight blocks nothing.
--sprt and --until then go by the returns without luck.

The noise floor is what comes of an agent against a copy of itself, with luck of its own: how large a
difference looks where there is none. It is played after a match of several agents, by the first of them that
does anything by chance, in its own seats among copies, or, with --against, by a table of copies. That takes a
quarter as many games at the most, and fewer where the agent had less than half of the seats; a match too
short for it goes without. Agents that do nothing by chance, as many bots, need no games: their copies play as
they do. --floor 400 plays 400 games for it, --floor 0 none. After --sprt and --until it goes by the games
that were played, and it takes no part in what they decide.`,
		Example: `  earthgym match resilience-earth script:strong script:greedy --games 400
  earthgym match resilience-earth net: script:strong --report match.html
  earthgym match resilience-earth script:strong --against script:greedy
  earthgym match resilience-earth net:runs/first,argmax random --json
  earthgym match one-earth script:strong script:greedy --usage
  earthgym match new-earth net:runs/b net:runs/a --sprt return0=0,return1=0.05
  earthgym match resilience-earth net: script:strong --until ±0.05 --aivat net:
  earthgym match resilience-earth "remote:python my_agent.py" script:strong
  earthgym match one-earth llm:http://127.0.0.1:8080/v1,model=NAME random`,
		Args: wordsAllowed(1, -1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (o.sprt != "" || o.until != "") && !cmd.Flags().Changed("games") {
				o.games = sequentialGames
			}
			o.seed = tableSeed(cmd, o.seed, append(args[1:], o.against)...)
			return runMatch(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], args[1:], o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = completeGameAndAgents
	f := cmd.Flags()
	f.IntVar(&o.games, "games", 200, "games to play, at least")
	seedVar(f, &o.seed, "all chance of the match"+seedHelp)
	f.StringVar(&o.against, "against", "", "also play a table of this `AGENT` alone on the same seeds, and compare")
	f.StringVar(&o.sprt, "sprt", "", "stop when a sequential `TEST` has decided: return0=0,return1=0.05, with alpha= "+
		"and beta= (0.05 if left out)")
	f.StringVar(&o.until, "until", "", "stop when the interval is no wider than ±`WIDTH`, such as ±0.02")
	f.StringVar(&o.aivat, "aivat", "", "also show the returns without the luck of chance, by this `value`: net:PATH, "+
		"net: or potential")
	addFloor(f, &o.floor, "match")
	f.BoolVar(&o.times, "times", false, "also show how long agents think")
	forfeitVar(cmd, &o.forfeit)
	f.BoolVar(&o.usage, "usage", false, "also show what was chosen, by families of actions, and what never was (with "+
		"--json it is always there)")
	reportVar(cmd, &o.report, "; pages of three games to watch stand beside a page")
	cmd.MarkFlagsMutuallyExclusive("sprt", "until")
	o.add(cmd)
	rare(cmd, "aivat", "floor", "times", "usage")
	return cmd
}

func runMatch(ctx context.Context, w, stderr io.Writer, game string, seated []string, o matchOptions) (err error) {
	if err := cmp.Or(checkGames(o.games), checkWorkers(o.workers), checkFloor(o.floor)); err != nil {
		return err
	}
	g, err := o.game.open(game)
	if err != nil {
		return err
	}
	makers, err := openTable(g, seated)
	if err != nil {
		return err
	}
	var versus []*agents.Maker
	defer func() { writeSpending(stderr, slices.Concat(makers, versus)) }()
	if o.against != "" {
		if versus, err = openAgents(g, o.against); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
	}
	writeCaveats(stderr, []env.Game{g}, append(slices.Clone(seated), o.against))
	if err := checkReport(o.report...); err != nil {
		return err
	}
	rule, err := stopRule(o)
	if err != nil {
		return err
	}
	report := newReport(g.Info().Title+": match", matchSettings(g, seated, o))
	if o.times {
		o.thinking = &eval.Thinking{}
	}
	if err := o.share.begin(ctx, o.out); err != nil {
		return err
	}
	result, other, err := playMatches(ctx, stderr, g, makers, versus, o, rule)
	if err != nil {
		if done, err := o.share.end(ctx, w, o.asJSON, err); done {
			return err
		}
		return tellInterrupted(w, asked(err), o)
	}
	var floorless error
	if o.floor != 0 && (other != nil || len(result.Agents) > 1 && !result.Shared) {
		if result.Floor, floorless = playFloor(ctx, stderr, g, makers, result, o); floorless != nil && ctx.Err() == nil {
			return floorless
		}
	}
	if done, err := o.share.end(ctx, w, o.asJSON, floorless); done {
		return err
	}
	matches := []*eval.MatchResult{result}
	var comparison *eval.Comparison
	if other != nil {
		matches = append(matches, other)
		if comparison, err = eval.Compare(result, other); err != nil {
			return err
		}
	}
	if o.report != nil {
		report.Matches, report.Took, report.Thinking = matches, time.Since(report.Date), o.thinking
		if comparison != nil {
			report.Comparisons = append(report.Comparisons, comparison)
		}
	}
	filed := writeReports(o.report, []env.Game{g}, report)
	if floorless != nil {
		defer func() { err = cmp.Or(err, fmt.Errorf("%w of the noise floor; the match is whole", floorless)) }()
	}
	if o.asJSON {
		return cmp.Or(writeMatchJSON(w, result, comparison, o.thinking, slices.Concat(makers, versus)), filed)
	}
	return cmp.Or(tellMatches(w, g.Info(), matches, comparison, o), tellReports(w, o.report, filed))
}

// tellMatches writes what matches have shown, for people.
func tellMatches(w io.Writer, info *env.Info, matches []*eval.MatchResult, comparison *eval.Comparison,
	o matchOptions) error {
	if err := eval.WriteTable(w, matches...); err != nil {
		return err
	}
	if comparison != nil {
		if err := eval.WriteComparison(w, comparison); err != nil {
			return err
		}
	}
	if o.usage {
		for _, m := range matches {
			if err := eval.WriteUsage(w, m.Usage); err != nil {
				return err
			}
		}
	}
	if o.times {
		if err := eval.WriteThinking(w, o.thinking); err != nil {
			return err
		}
	}
	if note := kindNote(info, matches[0], comparison); note != "" {
		fmt.Fprintln(w)
		if err := writeWrapped(w, "", note); err != nil {
			return err
		}
	}
	return nil
}

// tellReports says where reports are, below what they are of: that is told also if they could not be written, for it
// may have taken hours.
func tellReports(w io.Writer, names []string, filed error) error {
	if filed != nil {
		return filed
	}
	for _, name := range names {
		if _, err := fmt.Fprintf(w, "report: %s\n", name); err != nil {
			return err
		}
	}
	return nil
}

// tellInterrupted tells what a match has shown that was interrupted, and says so.
func tellInterrupted(w io.Writer, err error, o matchOptions) error {
	interrupted := new(eval.InterruptedError)
	if !errors.As(err, &interrupted) || interrupted.Result == nil || o.asJSON || o.against != "" {
		return err
	}
	if err := eval.WriteTable(w, interrupted.Result); err != nil {
		return err
	}
	return fmt.Errorf("%w; the table is of the first %d, and nothing is kept", err, interrupted.Result.Games)
}

// kindNote says what a match of this kind of game cannot show, if that is what it was played for.
func kindNote(info *env.Info, result *eval.MatchResult, c *eval.Comparison) string {
	switch {
	case info.Shared() && len(result.Agents) > 1:
		return "All seats of " + info.Name + " win and lose together, so that agents at one table are not told apart: " +
			"play tables of one agent each, and compare them with --against."
	case info.Has(env.Competitive) && c != nil:
		return "The returns of a whole table of " + info.Name + " add up to nothing, whoever plays: " +
			"to compare agents, seat them at one table."
	}
	return ""
}

// writeMatchJSON writes the result, with the comparison, if there is one, how long agents think, if that is asked for,
// and what they have asked of servers, those that do, as further fields.
func writeMatchJSON(w io.Writer, result *eval.MatchResult, comparison *eval.Comparison, thinking *eval.Thinking,
	makers []*agents.Maker) error {
	with := struct {
		*eval.MatchResult
		Comparison *eval.Comparison     `json:"comparison,omitempty"`
		Thinking   []eval.AgentThinking `json:"thinking,omitempty"`
		Spending   map[string]any       `json:"spending,omitempty"` // llm.Spending by agent
	}{MatchResult: result, Comparison: comparison, Spending: map[string]any{}}
	for _, m := range makers {
		if m.Spent != nil {
			with.Spending[m.Text] = m.Spent()
		}
	}
	if thinking != nil {
		with.Thinking = thinking.Agents()
	}
	return writeJSON(w, with)
}

// addFloor declares --floor of what is played.
func addFloor(f *pflag.FlagSet, floor *int, what string) {
	f.IntVar(floor, "floor", eval.DefaultFloor, "`games` of an agent against a copy of itself, the noise floor; 0 = "+
		"none (if left out a quarter of the "+what+" at most)")
	f.Lookup("floor").DefValue = "0" // so that help does not show what stands for it
}

func forfeitVar(cmd *cobra.Command, forfeit *string) {
	cmd.Flags().StringVar(forfeit, "forfeit", forfeitTakeover, "what becomes of a game whose agent crashes, hangs or "+
		"answers nonsense: `takeover|void`")
	_ = cmd.RegisterFlagCompletionFunc("forfeit", cobra.FixedCompletions([]string{forfeitTakeover, forfeitVoid},
		cobra.ShellCompDirectiveNoFileComp))
	rare(cmd, "forfeit")
}

func playFloor(ctx context.Context, stderr io.Writer, g env.Game, makers []*agents.Maker, result *eval.MatchResult,
	o matchOptions) (*eval.NoiseFloor, error) {
	o.aivat = ""
	options, end, err := matchRun(stderr, g, o, "playing against a copy")
	if err != nil {
		return nil, err
	}
	defer end()
	return eval.Floor(ctx, g, makers, result, options, o.floor)
}

// playMatches plays the match, and that of the other table on the same seeds if there is one, as long as the rule
// says, if there is one.
func playMatches(ctx context.Context, stderr io.Writer, g env.Game, makers, versus []*agents.Maker, o matchOptions,
	rule eval.StopRule) (result, other *eval.MatchResult, err error) {
	if rule != nil {
		options, end, err := matchRun(stderr, g, o, "playing")
		if err != nil {
			return nil, nil, err
		}
		defer end()
		return eval.Until(ctx, g, makers, versus, options, rule)
	}
	if result, err = playMatch(ctx, stderr, g, makers, o, "playing"); err == nil && versus != nil {
		other, err = playMatch(ctx, stderr, g, versus, o, "playing "+o.against)
	}
	return result, other, err
}

func playMatch(ctx context.Context, stderr io.Writer, g env.Game, makers []*agents.Maker, o matchOptions,
	what string) (*eval.MatchResult, error) {
	options, end, err := matchRun(stderr, g, o, what)
	if err != nil {
		return nil, err
	}
	defer end()
	return eval.Match(ctx, g, makers, options)
}

// playNamed plays a match of the agents that texts name.
func playNamed(ctx context.Context, stderr io.Writer, g env.Game, o matchOptions, what string,
	texts ...string) (*eval.MatchResult, error) {
	makers, err := openAgents(g, texts...)
	if err != nil {
		return nil, err
	}
	return playMatch(ctx, stderr, g, makers, o, what)
}

// matchRun is how a match is played, with a bar of its progress until end is called.
func matchRun(stderr io.Writer, g env.Game, o matchOptions, what string) (options eval.Options, end func(), err error) {
	substitute, err := openSubstitute(g, o.forfeit)
	if err != nil {
		return eval.Options{}, nil, err
	}
	var value *agents.Value
	if o.aivat != "" {
		if value, err = agents.OpenValue(o.aivat, g); err != nil {
			return eval.Options{}, nil, fmt.Errorf("--aivat: %w", err)
		}
	}
	bar := newProgress(stderr, what)
	return eval.Options{Games: o.games, Seed: o.seed, Workers: o.workers, Progress: bar.set, Substitute: substitute,
		Records: shownGames, Value: value, Thinking: o.thinking, Program: programText(),
		Share: o.share.Share}, bar.done, nil
}

// stopRule is the rule of --sprt or --until, nil without either.
func stopRule(o matchOptions) (eval.StopRule, error) {
	switch {
	case o.sprt != "":
		test, err := readSPRT(o.sprt)
		if err != nil {
			return nil, usagef("--sprt: %w", err)
		}
		return test, nil
	case o.until != "":
		width, err := readHalfWidth(o.until)
		if err != nil {
			return nil, err
		}
		return eval.Precision{HalfWidth: width}, nil
	}
	return nil, nil
}

// readSPRT reads return0=0,return1=0.05,alpha=0.05,beta=0.05.
func readSPRT(text string) (eval.SPRT, error) {
	test := eval.SPRT{Return0: math.NaN(), Return1: math.NaN(), Alpha: 0.05, Beta: 0.05}
	fields := map[string]*float64{"return0": &test.Return0, "return1": &test.Return1, "alpha": &test.Alpha,
		"beta": &test.Beta}
	for _, option := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(option, "=")
		field, ok := fields[name]
		if !ok {
			return test, fmt.Errorf("unknown option %q: %s", name,
				spelling.Suggest(name, []string{"return0", "return1", "alpha", "beta"}))
		}
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return test, fmt.Errorf("%s=%s: it is a number", name, value)
		}
		*field = x
	}
	if math.IsNaN(test.Return0) || math.IsNaN(test.Return1) {
		return test, errors.New("it needs return0= and return1=")
	}
	return test, nil
}

// What becomes of forfeited games.
const (
	forfeitTakeover = "takeover"
	forfeitVoid     = "void"
)

// openSubstitute opens what takes over the seats of agents that forfeit: the greedy bot of the game, or random in
// a game without bots; nothing if forfeited games are void.
func openSubstitute(g env.Game, forfeit string) (*agents.Maker, error) {
	switch forfeit {
	case forfeitVoid:
		return nil, nil
	case forfeitTakeover:
		if greedy, err := agents.Open("script:greedy", g); err == nil {
			return greedy, nil
		}
		return agents.Open("random", g)
	}
	return nil, usagef("--forfeit %s: it is %s or %s", forfeit, forfeitTakeover, forfeitVoid)
}

// reportVar adds --report, of which more is to be said.
func reportVar(cmd *cobra.Command, names *[]string, more string) {
	cmd.Flags().StringArrayVar(names, "report", nil,
		"also write a report: `FILE` is a page (.html) or tables (.md, .json); repeatable"+more)
	_ = cmd.MarkFlagFilename("report", "html", "md", "json")
}

// checkReport says early, before the games, that reports could not be written.
func checkReport(names ...string) error {
	for _, name := range names {
		if _, err := eval.ReportForm(name); err != nil {
			return usagef("--report: %w", err)
		}
		if err := disk.CheckFile(name); err != nil {
			return fmt.Errorf("--report: %w", err)
		}
	}
	return nil
}

// newReport begins the report of what is done from now on.
func newReport(title string, settings []eval.Setting) eval.Report {
	return eval.Report{Title: title, Program: programText(), Date: time.Now(), Settings: settings}
}

// matchSettings are what the result of a match depends on, for its report.
func matchSettings(g env.Game, seated []string, o matchOptions) []eval.Setting {
	settings := []eval.Setting{
		{Name: "game", Value: g.Info().Text},
		{Name: "agents", Value: strings.Join(seated, " ")},
		{Name: "games", Value: fmt.Sprint(o.games)},
		{Name: "seed", Value: fmt.Sprint(o.seed)},
		{Name: "forfeit", Value: o.forfeit},
	}
	if o.floor != eval.DefaultFloor {
		settings = append(settings, eval.Setting{Name: "floor", Value: fmt.Sprint(o.floor)})
	}
	if o.against != "" {
		settings = append(settings, eval.Setting{Name: "versus", Value: o.against})
	}
	for _, given := range []eval.Setting{{Name: "sprt", Value: o.sprt}, {Name: "until", Value: o.until},
		{Name: "aivat", Value: o.aivat}} {
		if given.Value != "" {
			settings = append(settings, given)
		}
	}
	for _, file := range o.game.data {
		settings = append(settings, eval.Setting{Name: "data", Value: file})
	}
	return settings
}

// shownGames are how many games of a report have a page of their own.
const shownGames = 3

// writeReports writes a report in several forms.
func writeReports(names []string, played []env.Game, r eval.Report) error {
	for _, name := range names {
		if err := writeReport(name, played, r); err != nil {
			return err
		}
	}
	return nil
}

// writeReport writes a report, and beside a page those of some of its games, in turns of all its matches. played are
// the games of the matches.
func writeReport(name string, played []env.Game, r eval.Report) error {
	write, err := eval.ReportForm(name)
	if err != nil {
		return err
	}
	if ext := filepath.Ext(name); ext == "" || strings.EqualFold(ext, ".html") {
		if err := writePages(name, played, r); err != nil {
			return err
		}
	}
	return disk.WriteFile(name, func(w io.Writer) error { return write(w, r) })
}

func writePages(name string, played []env.Game, r eval.Report) error {
	matches := r.Matches
	if r.Tournament != nil {
		matches = append(slices.Clone(matches), r.Tournament.MatchResult)
	}
	pages := 0
	for k := 0; k < shownGames; k++ {
		for _, m := range matches {
			if pages == shownGames || k >= len(m.Outcomes) || m.Outcomes[k].Record == nil {
				continue
			}
			g := played[slices.IndexFunc(played, func(g env.Game) bool { return g.Info().Text == m.Game })]
			if _, storied := g.(story.Storied); !storied {
				continue
			}
			pages++
			page := fmt.Sprintf("%s-game-%d.html", strings.TrimSuffix(name, filepath.Ext(name)), pages)
			o := web.ReplayOptions{Made: r.Program, Report: "./" + url.PathEscape(filepath.Base(name))}
			err := disk.WriteFile(page, func(w io.Writer) error { return web.WriteReplay(w, m.Outcomes[k].Record, g, o) })
			if err != nil {
				return err
			}
			m.Outcomes[k].Page = "./" + url.PathEscape(filepath.Base(page))
		}
	}
	return nil
}

// progress is a bar on a terminal, and nothing elsewhere.
type progress struct {
	w    io.Writer
	what string
	bar  *progressbar.ProgressBar
}

func newProgress(w io.Writer, what string) *progress {
	if !isDrawable(w) {
		w = nil
	}
	return &progress{w: w, what: what}
}

func (p *progress) set(done, total int) {
	if p.w == nil {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription(p.what),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
			progressbar.OptionFullWidth(), progressbar.OptionThrottle(100e6))
	}
	_ = p.bar.Set(done)
}

// describe changes what stands before the bar.
func (p *progress) describe(what string) {
	p.what = what
	if p.bar != nil {
		p.bar.Describe(what)
	}
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
