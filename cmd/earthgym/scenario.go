package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/disk"
	"earthgym/env/scenario"
	"earthgym/env/spelling"
	"earthgym/games"
)

func newScenario() *cobra.Command {
	var data []string
	cmd := &cobra.Command{
		Use:   "scenario FILE…",
		Short: "Run scenarios, small tests of the rules",
		Long: `Run scenario files, or all .toml files below the given folders. A scenario sets up a position, plays
actions with forced chance, and says what must hold after each.`,
		Example: `  earthgym scenario games/resilience/testdata/scenarios
  earthgym scenario my-question.toml --data my-data.toml`,
		Args: wordsAllowed(1, -1, "a scenario file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runScenarios(cmd.Context(), cmd.OutOrStdout(), args, data)
		},
	}
	cmd.Flags().StringArrayVar(&data, "data", nil, "component data `FILE` for scenarios that name none; repeatable, "+
		"one a game")
	return cmd
}

func runScenarios(ctx context.Context, w io.Writer, paths, dataFiles []string) error {
	data, err := games.ReadData(dataFiles)
	if err != nil {
		return err
	}
	files, err := disk.Below("scenarios", ".toml", paths...)
	if err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	failed := 0
	for _, file := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		sc, err := scenario.Read(file)
		if err == nil {
			err = sc.Run(func(game string, own []datafile.File) (env.Game, error) {
				if len(own) == 0 {
					own = data
				}
				return games.All().Open(game, own...)
			})
		}
		if err != nil {
			failed++
			fmt.Fprintf(w, "FAIL  %s\n", spelling.Printable(err.Error()))
			continue
		}
		fmt.Fprintf(w, "ok    %s\n", file)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s failed", failed, spelling.Counted(len(files), "scenario"))
	}
	return nil
}
