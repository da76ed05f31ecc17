package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"earthgym/cmd/earthgym/term"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/record"
	"earthgym/env/spelling"
	"earthgym/env/story"
)

type replayOptions struct {
	game     gameFlags
	at       string // "" = nowhere
	as       int
	each     bool
	asJSON   bool
	svg      bool
	features bool
	log      bool
	html     string
	imports  bool
	out      string
}

func newReplay() *cobra.Command {
	o := replayOptions{}
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Verify a recorded game, and show any position of it",
		Long: `Play a recorded game again from its seed and verify every line of the record: who acts, what is legal,
what chance did, and the result. With --at or --each, show positions on the way.

A record that verifies proves how its game went, not who played it (the agents' names are the writer's
word) and, if it is unfinished, not that it was not longer.

` + transcriptHelp,
		Example: `  earthgym replay records/resilience-earth-7.jsonl
  earthgym replay game.jsonl --log
  earthgym replay game.jsonl --log --as 2
  earthgym replay game.jsonl --html game.html
  earthgym replay game.jsonl --at 12
  earthgym replay game.jsonl --at last
  earthgym replay game.jsonl --at 12 --as 2 --features
  earthgym replay game.jsonl --at 12 --svg > board.svg
  earthgym replay game.jsonl --each --json
  earthgym replay evening.jsonl --import --out records/evening.jsonl`,
		Args: wordsAllowed(1, 1, "the record"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runReplay(cmd.Context(), cmd.OutOrStdout(), args[0], o, cmd.Flags().Changed("as"))
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = nil
	f := cmd.Flags()
	f.StringVar(&o.at, "at", "", "show the position before decision `N`, from 0, or with last the final one")
	f.IntVar(&o.as, "as", 0, "with --at, --log or --html: what this `SEAT` sees")
	f.BoolVar(&o.log, "log", false, "tell the game as a story, a sentence for each event, below the number of its "+
		"decision, as the viewer can count them")
	f.StringVar(&o.html, "html", "", "write the game as one HTML `FILE`: boards, story and scores, for every seat or, "+
		"with --as, for one")
	f.BoolVar(&o.features, "features", false, "with --as: the observation too, feature by feature (with --json it is "+
		"always there)")
	f.BoolVar(&o.each, "each", false, "with --json: every position, one a line, and last the final one")
	f.BoolVar(&o.asJSON, "json", false, "with --at or --each: for programs")
	f.BoolVar(&o.svg, "svg", false, "with --at: draw the board as SVG")
	f.BoolVar(&o.imports, "import", false, "the game was written down without a seed")
	f.StringVar(&o.out, "out", "", "with --import: write the game as a record to this `FILE`")
	_ = cmd.MarkFlagFilename("out", "jsonl")
	return cmd
}

// errShown ends a replay at the position that was asked for.
var errShown = errors.New("shown")

func runReplay(ctx context.Context, w io.Writer, file string, o replayOptions, as bool) error {
	at := o.at != ""
	switch {
	case o.imports && (at || as || o.each || o.asJSON || o.svg || o.features || o.log || o.html != ""):
		return usagef("--import goes with --out and --data alone: the record that it writes can be shown")
	case o.imports:
		return runImport(w, file, o)
	case o.out != "":
		return usagef("--out needs --import")
	case o.each && (at || !o.asJSON):
		return usagef("--each goes with --json and without --at")
	case o.log && (at || o.each || o.asJSON || o.html != ""):
		return usagef("--log goes without --at, --each, --json and --html")
	case o.html != "" && (at || o.each || o.asJSON):
		return usagef("--html goes without --at, --each and --json")
	case as && !at && !o.log && o.html == "":
		return usagef("--as needs --at, --log or --html")
	case o.svg && !at:
		return usagef("--svg needs --at")
	case o.asJSON && !at && !o.each:
		return usagef("--json needs --at or --each")
	case o.features && (!as || !at):
		return usagef("--features needs --at and --as")
	case o.features && (o.svg || o.asJSON):
		return usagef("--features goes without --svg and --json")
	case o.svg && o.asJSON:
		return usagef("--svg and --json exclude each other")
	}
	rec, g, err := o.game.openRecord(file)
	if err != nil {
		return err
	}
	place := len(rec.Moves)
	if at && o.at != "last" {
		if place, err = strconv.Atoi(o.at); err != nil || place < 0 || place > len(rec.Moves) {
			return usagef("--at %s: the record has %s, so it is 0 to %d, or last", o.at,
				spelling.Counted(len(rec.Moves), "decision"), len(rec.Moves))
		}
	}
	if as && (o.as < 0 || o.as >= g.Info().Players) {
		return usagef("--as %d: the game has seats 0 to %d", o.as, g.Info().Players-1)
	}
	viewer := env.Spectator
	if as {
		viewer = env.Player(o.as)
	}
	// It is walked through where nothing else is asked for, by somebody at a terminal.
	if _, storied := g.(story.Storied); storied && !at && !o.each && !o.log && o.html == "" && onScreen() {
		if err := term.Walk(ctx, os.Stdin, os.Stdout, rec, g); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return writeVerified(w, file, g.Info(), rec)
	}
	if o.log || o.html != "" {
		if err := o.tell(w, rec, g, viewer); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return nil
	}
	err = rec.Replay(g, func(n int, s env.State) error {
		switch {
		case o.each:
			return writeJSON(w, positionOf(s))
		case at && n == place:
			if err := show(w, s, o, viewer); err != nil {
				return err
			}
			return errShown
		}
		return nil
	})
	switch {
	case errors.Is(err, errShown):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	case o.each:
		return nil
	}
	return writeVerified(w, file, g.Info(), rec)
}

// tell writes the story of a record, or its page.
func (o *replayOptions) tell(w io.Writer, rec *record.Record, g env.Game, viewer env.Player) error {
	if o.log {
		return writeLog(w, rec, g, viewer)
	}
	page := web.ReplayOptions{Made: programText()}
	if viewer != env.Spectator {
		page.Seat = &viewer
	}
	if err := disk.CheckFile(o.html); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	if err := disk.WriteFile(o.html, func(w io.Writer) error { return web.WriteReplay(w, rec, g, page) }); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "page: %s\n", o.html)
	return err
}

func (f *gameFlags) openRecord(file string) (*record.Record, env.Game, error) {
	rec, err := record.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	g, err := f.openOf(file+": line 1", rec.Header.Game)
	return rec, g, err
}

func writeVerified(w io.Writer, file string, info *env.Info, rec *record.Record) error {
	luck := fmt.Sprintf("seed %d", rec.Header.Seed)
	if rec.Header.Listed {
		luck = "chance as it is listed"
	}
	if rec.Header.Position != nil {
		luck += ", from a position"
	}
	fmt.Fprintf(w, "%s: verified\n%s, %s\n", file, info.Short, luck)
	writeSaid(w, &rec.Header)
	if rec.Footer == nil {
		_, err := fmt.Fprintf(w, "unfinished after %s\n", spelling.Counted(len(rec.Moves), "decision"))
		return err
	}
	fmt.Fprintf(w, "%s, ended by %s\n", spelling.Counted(rec.Footer.Decisions, "decision"), rec.Footer.Reason)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "seat\tagent\treturn\tscore\t\n")
	for p := range rec.Footer.Returns {
		won := ""
		if slices.Contains(rec.Footer.Winners, p) {
			won = "winner"
		}
		fmt.Fprintf(t, "%d\t%s\t%+.3f\t%g\t%s\n", p, spelling.Printable(rec.Header.Agents[p]), rec.Footer.Returns[p],
			rec.Footer.Scores[p], won)
	}
	return t.Flush()
}

// writeSaid writes what the header of a record says besides the game.
func writeSaid(w io.Writer, h *record.Header) {
	for _, said := range []struct{ what, text string }{{"date", h.Date}, {"program", h.Program}} {
		if said.text != "" {
			fmt.Fprintf(w, "%s: %s\n", said.what, spelling.Printable(said.text))
		}
	}
	for p, made := range h.Made {
		if made != "" {
			fmt.Fprintf(w, "%s, seat %d, is %s\n", spelling.Printable(h.Agents[p]), p, spelling.Printable(made))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(h.Meta)) {
		fmt.Fprintf(w, "%s: %s\n", spelling.Printable(key), spelling.Printable(h.Meta[key]))
	}
}

type positionJSON struct {
	Player   env.Player      `json:"player"`
	Legal    []string        `json:"legal"`
	Position json.RawMessage `json:"position"`
}

func positionOf(s env.State) positionJSON {
	return positionJSON{s.Actor(), env.LegalTexts(s), s.AppendPosition(nil)}
}

// show shows one position: whole, or as a seat sees it.
func show(w io.Writer, s env.State, o replayOptions, viewer env.Player) error {
	switch {
	case o.svg:
		d, ok := s.(env.Drawer)
		if !ok {
			return fmt.Errorf("%s has no drawing", s.Game().Info().Name)
		}
		_, err := w.Write(d.AppendSVG(nil, viewer))
		return err
	case viewer != env.Spectator:
		return showAs(w, s, o, viewer)
	case o.asJSON:
		return writeJSON(w, positionOf(s))
	}
	if p := s.Actor(); p != env.Over {
		viewer = p
	}
	return writeText(w, s, viewer)
}

// writeText writes the table as a viewer sees it, and who decides; a game without a text of its own gets the
// list of what is legal, which the others tell in their words.
func writeText(w io.Writer, s env.State, viewer env.Player) error {
	t, shows := s.(env.Texter)
	if shows {
		if _, err := w.Write(t.AppendText(nil, viewer)); err != nil {
			return err
		}
	}
	var err error
	switch actor := env.ActorSeenBy(s, viewer); {
	case actor == env.Over:
		_, err = fmt.Fprintf(w, "\nthe game is over: %s\n", s.Reason())
	case actor == env.Hidden:
	case actor != viewer || shows:
		_, err = fmt.Fprintf(w, "\nplayer %d decides\n", actor)
	default:
		err = writeWrapped(w, fmt.Sprintf("player %d decides: ", actor), strings.Join(env.LegalTexts(s), ", "))
	}
	return err
}

func showAs(w io.Writer, s env.State, o replayOptions, viewer env.Player) error {
	if !o.asJSON && !o.features {
		return writeText(w, s, viewer)
	}
	info := s.Game().Info()
	observation := make([]float32, info.Observation())
	s.Observe(observation, viewer)
	actor, legal := env.ActorSeenBy(s, viewer), []string{}
	if s.Actor() == viewer {
		legal = env.LegalTexts(s)
	}
	if o.asJSON {
		features := map[string][]float32{}
		for _, f := range info.Features {
			features[f.Name] = observation[f.Offset : f.Offset+f.Size()]
		}
		return writeJSON(w, struct {
			Seat        env.Player           `json:"seat"`
			Player      env.Player           `json:"player"`
			Legal       []string             `json:"legal"`
			Observation map[string][]float32 `json:"observation"`
		}{viewer, actor, legal, features})
	}
	if err := writeText(w, s, viewer); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nobservation of seat %d (numbers that are 0 are left out)\n", viewer)
	for _, f := range info.Features {
		var set []string
		for i, x := range observation[f.Offset : f.Offset+f.Size()] {
			if x != 0 {
				set = append(set, fmt.Sprintf("%s=%.3g", place(i, f.Shape), x))
			}
		}
		if err := writeWrapped(w, "  "+f.Name+": ", f.Help); err != nil {
			return err
		}
		if len(set) == 0 {
			continue
		}
		if err := writeWrapped(w, "      ", strings.Join(set, " ")); err != nil {
			return err
		}
	}
	return nil
}

// place is an index into a feature, by its dimensions: 3,1.
func place(i int, dims []int) string {
	words := make([]string, len(dims))
	for d := len(dims) - 1; d >= 0; d-- {
		words[d] = fmt.Sprint(i % dims[d])
		i /= dims[d]
	}
	return strings.Join(words, ",")
}
