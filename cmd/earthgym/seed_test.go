package main

import (
	"strings"
	"testing"

	"earthgym/env/envtest/must"
	"earthgym/train"
)

// There is one default of seeds, and help says of each alike what it is the seed of.
func TestDefaultSeed(t *testing.T) {
	for _, cmd := range commands() {
		f := cmd.Flags().Lookup("seed")
		if f == nil {
			continue
		}
		if !strings.HasPrefix(f.Usage, "seed of ") {
			t.Errorf("%s --seed: %q", cmd.CommandPath(), f.Usage)
		}
		switch cmd.Name() {
		case "play", "season": // drawn, and demanded
		default:
			if f.DefValue != "1" {
				t.Errorf("%s: the default seed is %s", cmd.CommandPath(), f.DefValue)
			}
		}
	}
	if n := train.DefaultConfig().Seed; n != defaultSeed {
		t.Errorf("that of training is %d", n)
	}
}

// A program at the table can't guess a seed that nobody has given; all others are what they were.
func TestTableSeed(t *testing.T) {
	for _, cmd := range []string{"match", "record"} {
		fresh := func(args ...string) func(agents ...string) uint64 {
			c, _, err := newRoot().Find([]string{cmd})
			if err != nil {
				t.Fatal(err)
			}
			must.Do(t, c.ParseFlags(args))
			seed := must.Have(c.Flags().GetUint64("seed"))(t)
			return func(agents ...string) uint64 { return tableSeed(c, seed, agents...) }
		}
		if got := fresh()("random", "script:strong"); got != 1 {
			t.Errorf("%s: seed %d where nobody could guess it for his profit", cmd, got)
		}
		if got := fresh("--seed", "1")("remote:x", "random"); got != 1 {
			t.Errorf("%s: seed %d, not the given one", cmd, got)
		}
		seen := map[uint64]bool{}
		for range 20 {
			seed := fresh()("random", "remote:x")
			if seed < 1<<32 || seen[seed] {
				t.Errorf("%s: seed %d", cmd, seed)
			}
			seen[seed] = true
		}
	}
}
