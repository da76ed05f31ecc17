package env_test

import (
	"encoding/json"
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// Programs are told the parameters of an action as words, so that nobody has to take its text apart.
func TestInfoTellsArgs(t *testing.T) {
	info := must.Have(env.NewInfo(env.Info{Actions: []env.ActionInfo{
		{Family: "settle", Args: []string{"64"}, Text: "settle 64"},
		{Family: "end turn", Text: "end turn"},
	}}))(t)
	b := must.Have(json.Marshal(info))(t)
	var said struct{ Actions []map[string]any }
	must.Do(t, json.Unmarshal(b, &said))
	if args, ok := said.Actions[0]["args"].([]any); !ok || !slices.Equal(args, []any{"64"}) {
		t.Errorf("the args of settle 64 are %v", said.Actions[0]["args"])
	}
	if args, ok := said.Actions[1]["args"]; ok {
		t.Errorf("end turn has args %v", args)
	}
}
