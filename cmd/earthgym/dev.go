package main

import "github.com/spf13/cobra"

// newDev has the tools of those who work on earthgym itself: what comes with the program is measured and fitted by
// them.
func newDev() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Tools of those who work on earthgym itself",
		Example: "  earthgym dev calibrate resilience-earth\n  earthgym dev sweep resilience-earth space.toml --out " +
			"runs/sweep",
		Args: cobra.ArbitraryArgs,
		RunE: oneBelow("the tool", "tool"),
	}
	cmd.AddCommand(newCalibrate(), newFigures(), newPuzzles(), newSeason(), newSweep())
	return cmd
}
