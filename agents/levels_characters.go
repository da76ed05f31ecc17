package agents

import (
	"slices"
	"strings"

	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/env/spelling"
)

// A Character is an opponent as people meet it: with a name and a manner, which is what its agent does and no more.
type Character struct {
	Agent  string `json:"agent"` // its text
	Name   string `json:"name"`
	Manner string `json:"manner"`
}

// levelNames are who the levels are.
var levelNames = [NumLevels]string{"Pim", "Rosa", "Jonas", "Mira", "Otto"}

// Characters are those whom people may choose among in g: the levels, from weak to strong, and then the tempers of its
// background populations.
func Characters(g env.Game) []Character {
	list := []Character{}
	for i, l := range Levels(g) {
		list = append(list, Character{l.Text, levelNames[i], l.Help + ": " + manner(l.Agent)})
	}
	for _, p := range scripted.Populations(g) {
		list = append(list, Character{"background:" + p.Name, spelling.Capital(p.Name), p.Help})
	}
	return list
}

// Motive says why a character has made a choice in a position of which all that is known are samples: by its manner,
// where it chooses so in all of them, and otherwise in all of them without that. It is false where nothing of that
// kind is sure, and of agents of which it can't be told.
func Motive(g env.Game, agent string, samples []env.State, a env.Action) (c Character, instead env.Action, ok bool) {
	kind, name, _ := strings.Cut(agent, ":")
	all := Characters(g)
	i := slices.IndexFunc(all, func(c Character) bool { return c.Agent == agent })
	if kind != "background" || i < 0 || len(samples) == 0 {
		return c, -1, false
	}
	with, err := scripted.OpenPopulation(g, name)
	without, plainErr := scripted.OpenPlain(g)
	if err != nil || plainErr != nil {
		return c, -1, false
	}
	own, plain, mask := with(), without(), make(env.Mask, g.Info().MaskWords())
	instead = -1
	for _, s := range samples {
		mask.Clear()
		if s.Legal(mask); !mask.Has(a) {
			return c, -1, false
		}
		own.Reset(0)
		plain.Reset(0)
		other := plain.Choose(s, mask)
		if own.Choose(s, mask) != a || other == a || instead >= 0 && other != instead {
			return c, -1, false
		}
		instead = other
	}
	return all[i], instead, true
}

// manner says how an agent comes to its choices, by its text.
func manner(agent string) string {
	kind, rest, _ := strings.Cut(agent, ":")
	words := strings.Split(rest, ",")
	text := "goes by what a great many games have taught"
	switch {
	case kind == "mcts":
		text = "plays the game on many times in its head"
	case words[0] == scripted.Naive:
		text = "plays as after a first reading of the rules"
	case words[0] == scripted.Greedy:
		text = "takes what looks best now"
	case words[0] == scripted.Strong:
		text = "plans ahead by rules of its own"
	}
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "temperature=") }) {
		text += ", and slips by chance"
	}
	return text
}
