package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"earthgym/games"

	"github.com/spf13/cobra"
)

func newGames() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "games",
		Short: "List the games and their options",
		Example: `  earthgym games
  earthgym games --json`,
		Args: wordsAllowed(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return runGames(cmd.OutOrStdout(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "for programs")
	return cmd
}

func runGames(w io.Writer, asJSON bool) error {
	shelf := games.All()
	if asJSON {
		return writeJSON(w, shelf)
	}
	for i, rb := range shelf {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s (%s)\n", rb.Name, rb.Title, strings.Join(rb.Traits, ", "))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, o := range rb.Options {
			def := o.Default
			if def == "" {
				def = "follows"
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", o.Name, def, o.Allowed(), o.Help)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes one value on one line.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
