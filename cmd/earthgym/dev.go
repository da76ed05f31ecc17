package main

import (
	"strings"

	"github.com/spf13/cobra"

	"earthgym/env/spelling"
)

// newDev has the tools of those who work on earthgym itself: what comes with the program is measured and fitted by
// them.
func newDev() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Tools of those who work on earthgym itself",
		Example: "  earthgym dev calibrate resilience-earth\n  earthgym dev sweep resilience-earth space.toml --out " +
			"runs/sweep",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("the tool is missing: %s", strings.Join(subcommands(cmd), ", "))
			}
			return usagef("unknown tool %q: %s", args[0], spelling.Suggest(args[0], subcommands(cmd)))
		},
	}
	cmd.AddCommand(newCalibrate(), newFigures(), newPuzzles(), newSeason(), newSweep())
	return cmd
}
