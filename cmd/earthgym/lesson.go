package main

import (
	"fmt"

	"earthgym/agents/table"
	"earthgym/games"

	"github.com/spf13/cobra"
)

func newLesson() *cobra.Command {
	var plain bool
	o := webOptions{}
	cmd := &cobra.Command{
		Use:   "lesson GAME",
		Short: "Learn a game by playing its first turns, guided step by step",
		Long: `Play the first turns of a game, told at each decision what to do and why, in the terminal or (--web) in the
browser. The other seats play as the lesson has them; when it is over, the game goes on, against level:1.
Nothing is saved.`,
		Example: `  earthgym lesson resilience-earth
  earthgym lesson new-earth --web
  earthgym lesson one-earth --plain`,
		Args: wordsAllowed(1, 1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if plain && o.web {
				return usagef("--plain and --web exclude each other")
			}
			if err := o.check(); err != nil {
				return err
			}
			game, err := layLesson(args[0])
			if err != nil {
				return err
			}
			if o.web {
				return game.serve(cmd.Context(), cmd.OutOrStdout(), o)
			}
			return game.sit(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), plain)
		},
		ValidArgsFunction: cobra.FixedCompletions(games.All().Names(), cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().BoolVar(&plain, "plain", false, "in the terminal, line by line")
	o.add(cmd)
	return cmd
}

// layLesson lays the table for the first lesson of a game.
func layLesson(name string) (*laid, error) {
	sc, err := games.Lesson(name)
	if err != nil {
		return nil, usage(err)
	}
	g, err := games.Open(sc.Game)
	if err != nil {
		return nil, err
	}
	lesson, err := table.NewLesson(sc, g.Info())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	seats, err := openSeats(g, []string{table.Person, "level:1"}[:min(2, g.Info().Players)])
	if err != nil {
		return nil, err
	}
	l := &laid{game: g, agents: advisers(g, seats)}
	l.table, err = table.New(g, uint64(sc.Seed), seats, table.Options{Lesson: lesson})
	return l, err
}
