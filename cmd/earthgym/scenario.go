package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"earthgym/env"
	"earthgym/env/datafile"
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
	files, err := scenarioFiles(paths)
	if err != nil {
		return err
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
		return fmt.Errorf("%d of %d scenarios failed", failed, len(files))
	}
	return nil
}

// scenarioFiles are the files among paths, and the .toml files below the folders among them.
func scenarioFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("scenario: %w", err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(name, ".toml") {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("scenario: %w", err)
		}
	}
	if len(files) == 0 {
		return nil, errors.New("there are no .toml files in these folders")
	}
	return files, nil
}
