package env_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"earthgym/env"
)

func TestActionTable(t *testing.T) {
	var table env.ActionTable
	table.Words("pass")
	table.Each("build", "build", "field", []string{"64", "65"})
	table.Each("amount", "amount", "", []string{"1"})
	table.Each("at", "", "", []string{"mars"})
	table.Add("trade", "trade with", "+1", "wood").PointAt("seat", 1)
	table.Add("move", "move").PointAt("field", 3, 5)
	want := env.ActionTable{
		{Family: "pass", Text: "pass"},
		{Family: "build", Args: []string{"64"}, Text: "build 64", Objects: []env.ObjectRef{{Kind: "field", Index: 0}}},
		{Family: "build", Args: []string{"65"}, Text: "build 65", Objects: []env.ObjectRef{{Kind: "field", Index: 1}}},
		{Family: "amount", Args: []string{"1"}, Text: "amount 1"},
		{Family: "at", Args: []string{"mars"}, Text: "mars"},
		{Family: "trade", Args: []string{"+1", "wood"}, Text: "trade with +1 wood",
			Objects: []env.ObjectRef{{Kind: "seat", Index: 1}}},
		{Family: "move", Text: "move", Objects: []env.ObjectRef{{Kind: "field", Index: 3}, {Kind: "field", Index: 5}}},
	}
	if diff := cmp.Diff(want, table); diff != "" {
		t.Error(diff)
	}
}
