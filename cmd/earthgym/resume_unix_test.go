//go:build unix

package main

import (
	"os/exec"
	"testing"

	"earthgym/train"
)

// The command that goes on with a run is read by a shell as it was meant.
func TestResumeCommand(t *testing.T) {
	for _, test := range []struct {
		o    trainOptions
		want string
	}{
		{trainOptions{out: "runs/first"}, "earthgym train --out runs/first"},
		{trainOptions{out: "it's $HOME; `ls`"}, `earthgym train --out 'it'\''s $HOME; ` + "`ls`'"},
		{trainOptions{out: "", game: gameFlags{data: []string{"a b.toml"}}}, "earthgym train --out '' --data 'a b.toml'"},
		{trainOptions{out: "~", against: []string{"net:a,argmax", "random"}, games: 7},
			`earthgym train --out '~' --against '"net:a,argmax",random' --games 7`},
		{trainOptions{out: "runs/figures/seed-1", part: true}, "the same command"},
	} {
		if got := test.o.resumeCommand(train.Config{}); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	for _, word := range []string{"", "a", "'", "a'b''c", "$x", "a\nb", "*", "-", "ü", `\\`} {
		if out, err := exec.Command("sh", "-c", "printf %s "+quote(word)).Output(); err != nil || string(out) != word {
			t.Errorf("%q is quoted as %s, which a shell reads as %q (%v)", word, quote(word), out, err)
		}
	}
	onWindows = true
	t.Cleanup(func() { onWindows = false })
	for word, want := range map[string]string{`records\one-earth_players=2-1.jsonl`: `records\one-earth_players=2-1.jsonl`,
		`C:\Ann's games`: `"C:\Ann's games"`, "one-earth:aid=off,talk=off": `"one-earth:aid=off,talk=off"`,
		`"a,b",c`: `"\"a,b\",c"`} {
		if got := quote(word); got != want {
			t.Errorf("on Windows %q is quoted as %s, not %s", word, got, want)
		}
	}
}
