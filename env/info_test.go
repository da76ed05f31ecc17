package env_test

import (
	"encoding/json"
	"slices"
	"testing"

	"earthgym/env"
)

// Programs are told the parameters of an action as words, so that nobody has to take its text apart.
func TestInfoTellsArgs(t *testing.T) {
	info, err := env.NewInfo(env.Info{Actions: []env.ActionInfo{
		{Family: "settle", Args: []string{"64"}, Text: "settle 64"},
		{Family: "end turn", Text: "end turn"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Actions []map[string]any }
	if err := json.Unmarshal(b, &said); err != nil {
		t.Fatal(err)
	}
	if args, ok := said.Actions[0]["args"].([]any); !ok || !slices.Equal(args, []any{"64"}) {
		t.Errorf("the args of settle 64 are %v", said.Actions[0]["args"])
	}
	if args, ok := said.Actions[1]["args"]; ok {
		t.Errorf("end turn has args %v", args)
	}
}
