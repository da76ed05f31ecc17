package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/games"

	"github.com/spf13/cobra"
)

func newWords() *cobra.Command {
	return &cobra.Command{
		Use:   "words GAME",
		Short: "Print the words of a game's story and of its pages, to be told in another language",
		Long: `Print the catalogue of a game's words as TOML: the sentences of its story; below [page], what the pages of
play --web and watch say; and below [table], what the table says in a few games played at random: questions,
choices and the labels of its board, with places such as {a} for numbers and whatever else a translator puts
in its place. A copy in another language is what --words takes; what it leaves out is said in English, and so
are the rules and the board as text.`,
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
	if err := writeTexts(w, "page", labels); err != nil {
		return err
	}
	return writeTexts(w, "table", tableTexts(g))
}

// writeTexts writes texts as a table in which each stands for itself.
func writeTexts(w io.Writer, name string, texts []string) error {
	if _, err := fmt.Fprintf(w, "\n[%s]\n", name); err != nil {
		return err
	}
	for _, text := range texts {
		if _, err := fmt.Fprintf(w, "%s = %s\n", strconv.Quote(text), strconv.Quote(text)); err != nil {
			return err
		}
	}
	return nil
}

var (
	numerals = regexp.MustCompile(`[-+]?\d+(\.\d+)?`)
	places   = regexp.MustCompile(`\{.\}`)
)

// generalized is a text with a place for each number; "" if there is nothing else in it to be translated.
func generalized(text string) string {
	n := 0
	text = numerals.ReplaceAllStringFunc(strings.NewReplacer("{", "(", "}", ")").Replace(text), func(string) string {
		n++
		return fmt.Sprintf("{%c}", 'a'+n-1)
	})
	rest := places.ReplaceAllString(text, "")
	if n > 26 || strings.Contains(text, "}{") || len(text) > maxTableText || !strings.ContainsFunc(rest, unicode.IsLetter) {
		return ""
	}
	return text
}

// maxTableText is the longest text of a table that is listed: keys of data files are short.
const maxTableText = 180

// tableTexts are what a table says in some games played at random, in alphabetical order.
func tableTexts(g env.Game) []string {
	const games, drawn = 3, 10 // of so many positions one is drawn
	found := map[string]bool{}
	add := func(texts ...string) {
		for _, text := range texts {
			if text = generalized(text); text != "" {
				found[text] = true
			}
		}
	}
	s, luck := g.New(), env.NewStream(1, "words")
	mask := make(env.Mask, g.Info().MaskWords())
	for seed := range uint64(games) {
		s.Reset(seed, nil)
		for n := 0; s.Actor() != env.Over; n++ {
			s.Legal(mask)
			if asker, ok := s.(env.Asker); ok {
				add(asker.Question(s.Actor()), asker.Question(env.Spectator))
				for _, a := range mask.Append(nil) {
					add(asker.About(a))
				}
			}
			if drawer, ok := s.(env.Drawer); ok && n%drawn == 0 {
				add(env.Labels(drawer.AppendSVG(nil, s.Actor()))...)
			}
			s.Apply(mask.Nth(luck.Below(mask.Count())), nil)
		}
		add(s.Reason())
	}
	return slices.Sorted(maps.Keys(found))
}
