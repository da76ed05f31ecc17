package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"earthgym/env"
	"earthgym/env/registry"
	"earthgym/games"
)

type gamesOptions struct {
	game        gameFlags
	asJSON      bool
	layout      bool
	observation string
	as          int
	seed        uint64
}

func newGames() *cobra.Command {
	o := gamesOptions{}
	cmd := &cobra.Command{
		Use:   "games [GAME]",
		Short: "List the games, or one game's options, actions and observation",
		Long: `List the games, or one game's options. With --layout it is what an agent needs to know of it: actions, the
layout of observations, hashes and bounds.

With --as it is what that seat sees as the game of --seed begins, feature by feature, in the words of the
game; with --observation what the numbers in FILE say, divided by spaces, commas or lines, in brackets or not.`,
		Example: `  earthgym games
  earthgym games one-earth
  earthgym games --json
  earthgym games resilience-earth:players=2,tower=limit --layout
  earthgym games resilience-earth --as 2 --seed 7
  earthgym games one-earth --observation numbers.txt`,
		Args: wordsAllowed(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags, w := cmd.Flags(), cmd.OutOrStdout()
			tells := flags.Changed("as") || flags.Changed("observation")
			switch {
			case !o.layout && !tells:
				for _, name := range []string{"data", "seed"} {
					if flags.Changed(name) {
						return usagef("--%s goes with --layout, --as or --observation", name)
					}
				}
				return runGames(w, args, o.asJSON)
			case len(args) == 0:
				return usagef("the game is missing")
			case o.layout && tells:
				return usagef("--layout goes without --as and --observation")
			case tells && o.asJSON:
				return usagef("--json goes without --as and --observation")
			case flags.Changed("seed") && (o.layout || o.observation != ""):
				return usagef("--seed goes with --as, and without --observation")
			}
			g, err := openUntil(cmd.Context(), func() (env.Game, error) { return o.game.open(args[0]) })
			switch {
			case err != nil:
				return err
			case tells:
				return writeObservation(w, cmd.InOrStdin(), g, &o)
			case o.asJSON:
				return writeJSON(w, g.Info())
			}
			return writeLayout(w, g.Info())
		},
	}
	o.game.add(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.asJSON, "json", false, "for programs; with --layout every action and feature")
	f.BoolVar(&o.layout, "layout", false, "actions, layout of observations, hashes and bounds")
	f.StringVar(&o.observation, "observation", "", "tell what the observation in `FILE` says; - is the standard input")
	f.IntVar(&o.as, "as", 0, "tell what this `SEAT` sees as the game begins")
	seedVar(f, &o.seed, "the game; with --as")
	return cmd
}

func runGames(w io.Writer, args []string, asJSON bool) error {
	all := games.All()
	if len(args) > 0 {
		name, err := nameOf(args[0]) // The options are those of all variants.
		if err != nil {
			return err
		}
		rb, err := games.Find(name)
		if err != nil {
			return err
		}
		all = registry.Registry{rb}
	}
	if asJSON {
		return writeJSON(w, all)
	}
	for i, rb := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s (%s)\n", rb.Name, rb.Title, strings.Join(rb.Traits, ", "))
		howTo, err := games.HowTo(rb.Name)
		if err != nil {
			return err
		}
		if howTo != "" {
			if err := writeWrapped(w, "  ", opening(howTo)); err != nil {
				return err
			}
		}
		if len(args) > 0 {
			fmt.Fprintln(w)
			if err := writeOptions(w, rb); err != nil {
				return err
			}
		}
	}
	if len(args) == 0 {
		fmt.Fprintln(w, "\n\"earthgym games GAME\" lists a game's options; \"earthgym rules GAME --howto\" introduces it.")
	}
	return nil
}

// opening is what an introduction says of a game before it leads to the rules.
func opening(howTo string) string {
	_, text, _ := strings.Cut(howTo, "\n\n") // the heading
	text, _, _ = strings.Cut(text, "\n\n")
	text, _, _ = strings.Cut(text, "[RULES.md]")
	return text
}

// writeOptions writes the options of a game as columns: name, default, and what it is with what it may be.
func writeOptions(w io.Writer, rb *registry.Rulebook) error {
	names, defaults := 0, 0
	for _, o := range rb.Options {
		names, defaults = max(names, len(o.Name)), max(defaults, len(defaultOf(o)))
	}
	for _, o := range rb.Options {
		head := fmt.Sprintf("  %-*s  %-*s  ", names, o.Name, defaults, defaultOf(o))
		if err := writeWrapped(w, head, o.Help+" ["+o.Allowed()+"]"); err != nil {
			return err
		}
	}
	return nil
}

// defaultOf is what an option is if nobody says.
func defaultOf(o registry.Option) string {
	if o.Default == "" {
		return "follows"
	}
	return o.Default
}

// writeJSON writes one value on one line. Control characters beyond those of ASCII, which a terminal might
// obey, are escaped too.
func writeJSON(w io.Writer, v any) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeJSON(b.String()))
	return err
}
