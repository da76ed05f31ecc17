package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"earthgym/cmd/earthgym/rulebook"
	"earthgym/games"
)

func newRules() *cobra.Command {
	var howTo, contents bool
	cmd := &cobra.Command{
		Use:   "rules GAME [ID|SECTION|WORD…]",
		Short: "Print the rules of a game, one of them, or those with given words",
		Long: `Print the rules of a game: all of RULES.md, which numbers them; the rule of an id, and where it is named;
a section by its number; or every rule and paragraph that holds all of the given words. With --howto, print
the introduction for people instead: the aim, a turn, advice, the options.`,
		Example: `  earthgym rules one-earth --howto
  earthgym rules one-earth OE-031
  earthgym rules new-earth --contents
  earthgym rules new-earth 6.6
  earthgym rules resilience-earth industry smog`,
		Args: wordsAllowed(1, -1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRules(cmd.OutOrStdout(), args[0], args[1:], howTo, contents)
		},
	}
	cmd.Flags().BoolVar(&howTo, "howto", false, "the introduction for people")
	cmd.Flags().BoolVar(&contents, "contents", false, "the sections")
	cmd.ValidArgsFunction = completeName
	return cmd
}

func runRules(w io.Writer, game string, words []string, howTo, contents bool) error {
	name, err := nameOf(game) // The rules are those of all variants.
	if err != nil {
		return err
	}
	text, err := games.Rules(name)
	if howTo {
		text, err = games.HowTo(name)
	}
	if err != nil {
		return err
	}
	switch {
	case (howTo || contents) && len(words) > 0 || howTo && contents:
		return usagef("--howto, --contents and words exclude each other")
	case contents:
		for _, s := range rulebook.Read(text).Sections() {
			fmt.Fprintln(w, s)
		}
		return nil
	case len(words) == 0:
		_, err := io.WriteString(w, text)
		return err
	}
	err = rulebook.Read(text).Find(w, writeWrapped, name, words)
	if _, ok := errors.AsType[*rulebook.UnknownError](err); ok {
		return usage(err)
	}
	return err
}
