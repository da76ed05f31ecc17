package main

import (
	"fmt"
	"io"
	"strconv"

	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/games"

	"github.com/spf13/cobra"
)

func newWords() *cobra.Command {
	return &cobra.Command{
		Use:   "words GAME",
		Short: "Print the words of a game's story and of its pages, to be told in another language",
		Long: `Print the catalogue of a game's words as TOML: the sentences of its story, and, below [page], what the
pages of play --web and watch say. A copy in another language is what --words takes; what it leaves out is
said in English.`,
		Example: `  earthgym words new-earth > german.toml
  earthgym play new-earth --web --words german.toml`,
		Args: wordsAllowed(1, 1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeWords(cmd.OutOrStdout(), args[0])
		},
		ValidArgsFunction: cobra.FixedCompletions(games.All().Names(), cobra.ShellCompDirectiveNoFileComp),
	}
}

func writeWords(w io.Writer, name string) error {
	g, err := games.Open(name)
	if err != nil {
		return usage(err)
	}
	storied, ok := g.(env.Storied)
	if !ok {
		return fmt.Errorf("%s tells no story", name)
	}
	labels, err := web.Labels()
	if err != nil {
		return err
	}
	if _, err := w.Write(storied.StoryWords()); err != nil {
		return err
	}
	fmt.Fprintln(w, "\n[page]")
	for _, text := range labels {
		if _, err := fmt.Fprintf(w, "%s = %s\n", strconv.Quote(text), strconv.Quote(text)); err != nil {
			return err
		}
	}
	return nil
}
