package agents

import (
	"slices"
	"strings"

	"earthgym/agents/scripted"
	"earthgym/env"
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
		list = append(list, Character{"background:" + p.Name, "The " + p.Name, p.Help})
	}
	return list
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
