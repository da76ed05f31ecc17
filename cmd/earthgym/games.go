package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"earthgym/env"
	"earthgym/games"

	"github.com/spf13/cobra"
)

func newGames() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "games [GAME]",
		Short: "List the games, or one game's options",
		Example: `  earthgym games
  earthgym games one-earth
  earthgym games --json`,
		Args: wordsAllowed(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error { return runGames(cmd.OutOrStdout(), args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "for programs")
	cmd.ValidArgsFunction = completeName
	return cmd
}

func runGames(w io.Writer, args []string, asJSON bool) error {
	shelf := games.All()
	if len(args) > 0 {
		name, err := nameOf(args[0]) // The options are those of all variants.
		if err != nil {
			return err
		}
		rb, err := games.Find(name)
		if err != nil {
			return err
		}
		shelf = env.Shelf{rb}
	}
	if asJSON {
		return writeJSON(w, shelf)
	}
	for i, rb := range shelf {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s (%s)\n", rb.Name, rb.Title, strings.Join(rb.Traits, ", "))
		howTo, err := games.HowTo(rb.Name)
		if err != nil {
			return err
		}
		if err := writeWrapped(w, "  ", opening(howTo)); err != nil {
			return err
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
func writeOptions(w io.Writer, rb *env.Rulebook) error {
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
func defaultOf(o env.Option) string {
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
