package env

import "strings"

// An ActionTable lists the actions of a game, for Info.
type ActionTable []ActionInfo

// Add lists an action, whose text is its verb ("" for none) and its arguments. The pointer is good until the next one
// is listed.
func (t *ActionTable) Add(family, verb string, args ...string) *ActionInfo {
	text := strings.TrimSpace(verb + " " + strings.Join(args, " "))
	*t = append(*t, ActionInfo{Family: family, Args: args, Text: text})
	return &(*t)[len(*t)-1]
}

// Words lists actions that are a word each, and a family of its own.
func (t *ActionTable) Words(words ...string) {
	for _, word := range words {
		t.Add(word, word)
	}
}

// Each lists an action for each argument. Of a kind of objects, each points at one, in order; "" points at none.
func (t *ActionTable) Each(family, verb, kind string, args []string) {
	for i, arg := range args {
		if a := t.Add(family, verb, arg); kind != "" {
			a.PointAt(kind, i)
		}
	}
}

// PointAt adds what the action points at.
func (a *ActionInfo) PointAt(kind string, indices ...int) {
	for _, i := range indices {
		a.Objects = append(a.Objects, ObjectRef{Kind: kind, Index: i})
	}
}
