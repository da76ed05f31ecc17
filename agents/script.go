package agents

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/env/alike"
	"earthgym/env/spelling"
)

// script is a scripted bot as an Agent.
type script struct {
	name string
	bot  *scripted.Bot
	soft softness

	create func() *scripted.Bot
	seed   uint64
	luck   env.Stream
	sample env.State
	scores []float64
}

func openScript(text, rest string, g env.Game) (*Maker, error) {
	level, options, more := strings.Cut(rest, ",")
	create, err := scripted.Open(g, level)
	if err != nil {
		return nil, &TextError{err}
	}
	var soft softness
	if more {
		soft, err = readSoftness("script", options, softness{loss: math.Inf(1)})
		if err == nil && soft.temperature == 0 {
			err = errors.New("loss needs temperature, without which the best is chosen")
		}
	}
	if err == nil && soft.temperature > 0 && !create().Scored() {
		err = fmt.Errorf("script:%s of %s does not work by scores, which temperature needs", level, g.Info().Name)
	}
	if err != nil {
		return nil, &TextError{err}
	}
	made, err := madeOf(g, level)
	if err != nil {
		return nil, err
	}
	if more {
		made += "," + options
	}
	steady := soft.temperature == 0 && create().Steady()
	return &Maker{Made: made, Steady: steady, New: func() (Agent, error) {
		s := &script{name: text, bot: create(), soft: soft, create: create}
		if soft.temperature > 0 {
			s.sample, s.scores = g.New(), make([]float64, len(g.Info().Actions))
		}
		return s, nil
	}}, nil
}

// madeOf is the text of a bot with its version; of script:varied with that of the bot that it varies.
func madeOf(g env.Game, level string) (string, error) {
	name, _, numbered := strings.Cut(level, "@")
	bot := name
	if name == scripted.Varied {
		bot = scripted.Strong
	}
	version, err := scripted.Version(g, bot)
	switch {
	case err != nil:
		return "", err
	case name == scripted.Varied:
		return fmt.Sprintf("script:%s of script:%s@%d", level, bot, version), nil
	case numbered:
		return "script:" + level, nil
	}
	return fmt.Sprintf("script:%s@%d", level, version), nil
}

func openBackground(text, rest string, g env.Game) (*Maker, error) {
	create, err := scripted.OpenPopulation(g, rest)
	if err != nil {
		return nil, &TextError{err}
	}
	return &Maker{Steady: create().Steady(), New: func() (Agent, error) {
		return &script{name: text, bot: create(), create: create}, nil
	}}, nil
}

func (s *script) Name() string { return s.name }

func (s *script) Reset(seed uint64) {
	s.seed = seed
	s.bot.Reset(seed)
	s.luck = env.NewStream(seed, "soft")
}

func (s *script) Act(v *env.View) (env.Action, error) {
	if s.soft.temperature == 0 {
		return s.bot.Act(v), nil
	}
	v.SampleInto(s.sample, 0) // The key does not matter: the bot reads nothing hidden.
	s.bot.Scores(s.sample, v.Mask(), s.scores)
	return s.soft.choose(s.scores, s.luck.Float64()), nil
}

// A softness draws among the actions whose scores are near the best.
type softness struct {
	temperature float64 // an action's chance is as exp(score/temperature); 0 takes the best
	loss        float64 // the most that a choice may score below the best
}

// readSoftness reads "temperature=T,loss=L" of an agent of that kind; what is not given is as in soft. others are
// further options that stand alone.
func readSoftness(kind, options string, soft softness, others ...string) (softness, error) {
	named := map[string]bool{}
	for _, option := range strings.Split(options, ",") {
		name, value, _ := strings.Cut(option, "=")
		x, err := strconv.ParseFloat(value, 64)
		switch {
		case slices.Contains(others, option):
			return soft, fmt.Errorf("option %s of %s stands alone", option, kind)
		case name != "temperature" && name != "loss":
			return soft, fmt.Errorf("unknown option %q of %s: %s", name, kind,
				spelling.Suggest(name, append(others, "temperature", "loss")))
		case named[name]:
			return soft, fmt.Errorf("option %s is given twice", name)
		case err != nil || !(x > 0) || math.IsInf(x, 1):
			return soft, fmt.Errorf("%s=%s: it is a number above 0", name, value)
		case name == "temperature":
			soft.temperature = x
		default:
			soft.loss = x
		}
		named[name] = true
	}
	return soft, nil
}

// choose draws an action by the scores, one for each action and minus infinity for those that are not legal; u, in
// [0, 1), is the drawn number.
func (s softness) choose(scores []float64, u float64) env.Action {
	best := floats.MaxIdx(scores)
	sum := 0.0
	for _, score := range scores {
		sum += s.weight(score - scores[best])
	}
	left := u * sum
	for a, score := range scores {
		if left -= s.weight(score - scores[best]); left < 0 {
			return env.Action(a)
		}
	}
	return env.Action(best) // for what rounding leaves over
}

// weight is that of an action which scores below the best by -below.
func (s softness) weight(below float64) float64 {
	if -below > s.loss {
		return 0
	}
	return alike.Exp(below / s.temperature)
}

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
