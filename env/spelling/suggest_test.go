package spelling_test

import (
	"testing"

	"earthgym/env/spelling"
)

func TestSuggest(t *testing.T) {
	options := []string{"players", "mode", "max_rounds"}
	for _, tt := range []struct {
		word  string
		among []string
		want  string
	}{
		{"player", options, `did you mean "players"? there are: players, mode, max_rounds`},
		{"palyers", options, `did you mean "players"? there are: players, mode, max_rounds`}, // a swap is one slip
		{"MODE", options, `did you mean "mode"? there are: players, mode, max_rounds`},
		{"maxrounds", options, `did you mean "max_rounds"? there are: players, mode, max_rounds`},
		{"colour", options, `there are: players, mode, max_rounds`},
		{"strong", []string{"random", "script:strong"}, `did you mean "script:strong"? there are: random, script:strong`},
		{"scirpt", []string{"random", "script:strong"}, `did you mean "script:strong"? there are: random, script:strong`},
		{"ne", []string{"random", "net:"}, `did you mean "net:"? there are: random, net:`},
		{"xyz", nil, `there are none`},
		{"", []string{"long"}, `there are: long`},
	} {
		if got := spelling.Suggest(tt.word, tt.among); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.word, got, tt.want)
		}
	}
}
