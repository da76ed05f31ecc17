package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/scenario"
	"earthgym/games"
)

func newLesson() *cobra.Command {
	var plain bool
	o := webOptions{}
	cmd := &cobra.Command{
		Use:   "lesson GAME|SCENARIO",
		Short: "Learn a game by playing its first turns, guided step by step",
		Long: `Play the first turns of a game, told at each decision what to do and why, in the terminal or (--web) in the
browser. The other seats play as the lesson has them; when it is over, the game goes on, against level:1.
Nothing is saved.

A scenario file (.toml) is a lesson of your own: it may begin anywhere in a game (position; earthgym watch
writes such files), its steps say what to play (play) and to the one who learns why (say), and afterwards
what came of it (then).`,
		Example: `  earthgym lesson resilience-earth
  earthgym lesson new-earth --web
  earthgym lesson one-earth --plain
  earthgym lesson endgame.toml`,
		Args: wordsAllowed(1, 1, "the game, or a scenario file,"),
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
				return game.serve(cmd.Context(), cmd.OutOrStdout(), o, cmd.ErrOrStderr())
			}
			return game.sit(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), plain)
		},
		ValidArgsFunction: cobra.FixedCompletions(games.All().Names(), cobra.ShellCompDirectiveDefault), // and files
	}
	cmd.Flags().BoolVar(&plain, "plain", false, "in the terminal, line by line")
	o.add(cmd)
	return cmd
}

// readLesson reads the first lesson of a game, or that of a scenario file, which must hold, and opens its game.
func readLesson(what string) (*scenario.Scenario, env.Game, error) {
	open := func(game string, data []datafile.File) (env.Game, error) { return games.All().Open(game, data...) }
	if !strings.HasSuffix(what, ".toml") {
		sc, err := games.Lesson(what)
		if err != nil {
			return nil, nil, usage(err)
		}
		g, err := sc.Open(open)
		return sc, g, err
	}
	sc, err := scenario.Read(what)
	if err == nil {
		err = sc.Run(open)
	}
	if err != nil {
		return nil, nil, err
	}
	g, err := sc.Open(open)
	return sc, g, err
}

func layLesson(what string) (*laid, error) {
	sc, g, err := readLesson(what)
	if err != nil {
		return nil, err
	}
	lesson, err := table.NewLesson(sc, g.Info())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	beginner := "random"
	if levels := agents.Levels(g); levels != nil {
		beginner = levels[0].Text
	}
	texts := make([]string, g.Info().Players)
	for p := range texts {
		if texts[p] = beginner; p == int(lesson.Seat) {
			texts[p] = table.Person
		}
	}
	seats, err := openSeats(g, texts)
	if err != nil {
		return nil, err
	}
	l := &laid{game: g, agents: advisers(g, seats)}
	l.table, err = table.New(g, uint64(sc.Seed), seats, table.Options{Lesson: lesson, Names: table.FromOne})
	return l, err
}
