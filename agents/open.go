package agents

import (
	"fmt"
	"math"
	"os"
	"strings"
	"unicode"

	"earthgym/agents/scripted"
	"earthgym/env"
)

// A form is one way to choose an agent: its name, and after a colon what open makes of the rest.
type form struct {
	name string
	// open gets the whole text, for the agent's name, and the part after the colon ("" without one).
	open func(text, rest string, g env.Game) (*Maker, error)
}

func forms() []form {
	return []form{
		{"random", openRandom},
		{"script", openScript},
		{"net", openNet},
		{"mcts", openSearch},
		{"remote", openRemote},
	}
}

// Open finds the agent of a text, to play g:
//
//	random                      every legal action alike
//	script:naive|greedy|strong  bots with written-down strategies for this game
//	net:PATH                    a network, which draws from its policy; PATH is a checkpoint or a run's
//	                            directory, which stands for its newest checkpoint
//	net:PATH,argmax             the same, which takes the most probable action
//	mcts:sims=800               search: 800 games played on from what the seat knows; ms=200 is as many as fit into 200
//	                            milliseconds, net=PATH lets a network guide it (package mcts lists the options)
//	remote:COMMAND              a program that speaks the protocol of env/pipe, with 10 s for each decision
//	remote:limit=500ms,COMMAND  the same, with another limit
//
// It reports here what can be wrong with the text, with files that it names, and with the agent for this
// game.
func Open(text string, g env.Game) (*Maker, error) {
	if i := strings.IndexFunc(text, unicode.IsControl); i >= 0 {
		return nil, &TextError{fmt.Errorf("agent %q: its name has a control character", text)}
	}
	name, rest, _ := strings.Cut(text, ":")
	for _, f := range forms() {
		if f.name == name {
			m, err := f.open(text, rest, g)
			if err != nil {
				return nil, fmt.Errorf("agent %q: %w", text, err)
			}
			return m, nil
		}
	}
	if _, err := os.Stat(text); err == nil {
		return nil, &TextError{fmt.Errorf("unknown agent %q: did you mean %q?", text, "net:"+text)}
	}
	return nil, &TextError{fmt.Errorf("unknown agent %q: %s", text, env.Suggest(text, Words()))}
}

// Words are what texts of agents are or begin with: "random", "script:strong", "net:".
func Words() []string {
	var words []string
	for _, f := range forms() {
		switch f.name {
		case "random":
			words = append(words, f.name)
		case "script":
			for _, level := range scripted.Levels() {
				words = append(words, f.name+":"+level)
			}
		default:
			words = append(words, f.name+":")
		}
	}
	return words
}

// IsProgram says whether the agent of a text is a program that is started for it.
func IsProgram(text string) bool { return strings.HasPrefix(text, "remote:") }

// A TextError is that of a text that stands for no agent, whatever files there are.
type TextError struct{ Err error }

func (e *TextError) Error() string { return e.Err.Error() }
func (e *TextError) Unwrap() error { return e.Err }

func openScript(text, level string, g env.Game) (*Maker, error) {
	create, err := scripted.Open(g, level)
	if err != nil {
		return nil, &TextError{err}
	}
	return &Maker{Text: text, New: func() (Agent, error) { return &script{name: text, bot: create(), create: create}, nil }}, nil
}

// script is a scripted bot as an Agent.
type script struct {
	name   string
	bot    *scripted.Bot
	create func() *scripted.Bot
	seed   uint64
}

func (s *script) Name() string                        { return s.name }
func (s *script) Reset(seed uint64)                   { s.seed = seed; s.bot.Reset(seed) }
func (s *script) Act(v *env.View) (env.Action, error) { return s.bot.Act(v), nil }

// Explain implements Explainer: what the bot would choose, and what it gives for each action.
func (s *script) Explain(v *env.View) (Explanation, error) {
	asked := s.create() // whose chance is its own
	asked.Reset(s.seed)
	e := Explanation{Probabilities: make([]float32, len(v.Info().Actions)), Value: math.NaN()}
	scores := make([]float64, len(v.Info().Actions))
	if asked.Scores(v.Sample(s.seed), v.Mask(), scores) {
		e.Scores = scores
	}
	e.Probabilities[asked.Act(v)] = 1
	return e, nil
}
