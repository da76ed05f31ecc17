package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"earthgym/agents"
	"earthgym/cmd/earthgym/rulebook"
	"earthgym/cmd/earthgym/term"
	"earthgym/games"
)

// sit plays in the terminal: on the full screen where there is one, otherwise line by line.
func (l *laid) sit(ctx context.Context, in io.Reader, out io.Writer, plain bool) error {
	advice := slices.Clone(l.agents)
	for _, first := range []string{"script:strong", "net:"} { // The last one is asked first, as on the page.
		if i := slices.Index(advice, first); i > 0 {
			advice = slices.Insert(slices.Delete(advice, i, i+1), 0, first)
		}
	}
	o := term.Options{Agents: advice, File: l.file,
		Again: "earthgym play --out " + quote(l.file) + startPrograms(l.seated()),
		Open: func(text string) (*agents.Maker, error) {
			makers, err := openAgents(l.game, text)
			if err != nil {
				return nil, err
			}
			return makers[0], nil
		}}
	name := l.game.Info().Name
	o.Rules = func(words []string) (string, error) {
		rules, howTo, err := games.Book(name)
		if err != nil || len(words) == 0 {
			return howTo, err
		}
		var b strings.Builder
		err = rulebook.Read(rules).Find(&b, rulebook.Plain, name, words)
		return b.String(), err
	}
	var err error
	if plain || !onScreen() {
		o.Script = !isTerminal(os.Stdin)
		err = term.Plain(ctx, in, out, l.table, o)
	} else {
		err = term.Screen(ctx, os.Stdin, os.Stdout, l.table, o)
	}
	return cmp.Or(err, l.table.Save())
}

// onScreen says whether somebody sits at a full screen: what is read and what is written are one terminal.
func onScreen() bool { return isTerminal(os.Stdin) && isDrawable(os.Stdout) }
