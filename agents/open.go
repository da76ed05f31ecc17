package agents

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/env/spelling"
)

// A kind of agents is one row of this table.
type kind struct {
	name string // with a colon where more may follow
	// open gets the agent's name and the part of its text after the colon ("" without one).
	open    func(name, rest string, g env.Game) (*Maker, error)
	words   func() []string // what follows the name where texts are offered to people; nil is anything
	foreign bool            // somebody else's (IsForeign): it may ask what has happened
}

func kinds() [8]kind {
	return [...]kind{
		{"random", openRandom, nil, false},
		{"script:", openScript, scripted.Names, false},
		{"background:", openBackground, func() []string { return nil }, false}, // named where others are measured among it
		{"net:", openNet, nil, false},
		{"mcts:", openSearch, nil, false},
		{"level:", openLevel, levelNumbers, false},
		{"remote:", openRemote, nil, true},
		{"llm:", openModel, nil, true},
	}
}

// Open finds the agent of a text, to play g:
//
//	random                      every legal action alike
//	script:naive|greedy|strong  bots with written-down strategies for this game
//	script:strong@1             the same in the version of that number, which stays what it is when the bot gets better
//	script:strong,temperature=2,loss=6
//	                            the same, which plays what it scores less now and then: actions with scores s as likely
//	                            as exp(s/temperature), but none that it scores lower than its best by more than loss
//	script:varied               the strong one with a character of its own in every game ([scripted.Varied])
//	script:varied@7             the same with the character of that number in all games
//	background:NAME             a population that others are measured among and nobody trains against
//	                            (scripted.Populations)
//	net:PATH                    a network, which draws from its policy; PATH is a checkpoint or a run's
//	                            directory, which stands for its best network
//	net:PATH,argmax             the same, which takes the most probable action
//	net:PATH,temperature=2,loss=6
//	                            the same with its logits divided by the temperature, and without the actions that are
//	                            less probable than the most probable one by more than a factor of exp(loss): the gap in
//	                            nats stands for what an action loses, as values of positions are too rough to tell
//	net:                        the network that comes with the program for this game (package shipped), or script:strong
//	                            at tables where that is not at home (shipped.AtHome); net:,argmax
//	mcts:sims=800               search: 800 games played on from what the seat knows; ms=200 is as many as fit into 200
//	                            milliseconds, net=PATH lets a network guide it, net= the one that comes with the
//	                            program (package mcts lists the options)
//	level:1 ... level:5         opponents for people, from a beginner's to the best that answers within a second (Levels)
//	remote:COMMAND              a program that speaks the protocol of env/pipe, with 10 s until it has said hello and for
//	                            each decision
//	remote:limit=500ms,COMMAND  the same, with another limit
//	llm:URL,model=NAME          a language model behind a server that speaks chat completions (package llm lists the
//	                            options)
//
// It reports here what can be wrong with the text, with files that it names, and with the agent for this
// game. Programs are started by Maker.New, and say hello when their first game begins.
func Open(text string, g env.Game) (*Maker, error) {
	if strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
		return nil, &TextError{fmt.Errorf("agent %q: its name has a control character or is no UTF-8", text)}
	}
	m, err := open(text, text, g)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", quoted(text), err)
	}
	if m == nil {
		return nil, Unknown(text, true)
	}
	return m, nil
}

// Unknown is the error of a text that begins as no agent's does, nil if it does; it offers agents that are foreign
// (IsForeign) to those who may seat them.
func Unknown(text string, foreign bool) error {
	if kindOf(text).open != nil {
		return nil
	}
	if _, err := os.Stat(text); err == nil {
		return &TextError{fmt.Errorf("unknown agent %q: did you mean %q?", text, "net:"+text)}
	}
	words := slices.DeleteFunc(Words(), func(word string) bool { return IsForeign(word) && !foreign })
	return &TextError{fmt.Errorf("unknown agent %q: %s", text, spelling.Suggest(text, words))}
}

// quoted is a text for errors. That of a model isn't shown: somebody may have written a secret where none belongs.
func quoted(text string) string {
	if strings.HasPrefix(text, "llm:") {
		return "llm:…"
	}
	return fmt.Sprintf("%q", text)
}

// open opens what text says as an agent of that name; it is nil if the text begins as no agent's does.
func open(name, text string, g env.Game) (*Maker, error) {
	_, rest, _ := strings.Cut(text, ":")
	k := kindOf(text)
	if k.open == nil {
		return nil, nil
	}
	m, err := k.open(name, rest, g)
	if err == nil {
		m.Text, m.Deaf = name, !k.foreign
	}
	return m, err
}

// kindOf is the kind of agents that a text begins with, empty if there is none.
func kindOf(text string) kind {
	word, _, _ := strings.Cut(text, ":")
	for _, k := range kinds() {
		if strings.TrimSuffix(k.name, ":") == word {
			return k
		}
	}
	return kind{}
}

// Words are what texts of agents are or begin with: "random", "script:strong", "net:".
func Words() []string {
	var words []string
	for _, k := range kinds() {
		if k.words == nil {
			words = append(words, k.name)
			continue
		}
		for _, text := range k.words() {
			words = append(words, k.name+text)
		}
	}
	return words
}

// IsForeign says whether the agent of a text is somebody else's: a program that is started for it, or a model at a
// server that is asked. Clients can't seat one, and the seed of its games must be one that can't be guessed.
func IsForeign(text string) bool { return kindOf(text).foreign }

// IsBackground says whether the agent of a text is one that nobody trains against.
func IsBackground(text string) bool { return kindOf(text).name == "background:" }

// A TextError is that of a text that stands for no agent, whatever files there are.
type TextError struct{ Err error }

func (e *TextError) Error() string { return e.Err.Error() }
func (e *TextError) Unwrap() error { return e.Err }
