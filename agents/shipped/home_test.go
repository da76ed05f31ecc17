package shipped

import (
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// A network is at home where it was trained, where it was shown to be ahead, and where each option by itself is known.
func TestHome(t *testing.T) {
	match := func(game string, low float64) checkpoint.Strength {
		return checkpoint.Strength{Game: game, Opponent: judge, ReturnCI: [2]float64{low, 1}}
	}
	h := home{data: "d", trained: []string{"g:players=2,mode=a,size=10,tint=on", "g:players=3,mode=a,size=10,tint=on",
		"g:players=3,mode=a,size=10,tint=dim", "g:players=2,mode=a,size=20,tint=dim",
		"g:players=3,mode=c,size=10,tint=on"}, shown: []checkpoint.Strength{
		match("g:players=2,mode=a,size=10,tint=on", 0.5),
		match("g:players=3,mode=a,size=10,tint=on", 0.5),
		match("g:players=2,mode=b,size=10,tint=on", 0.1),
		match("g:players=2,mode=c,size=10,tint=on", -0.1),
		match("g:players=3,mode=a,size=40,tint=on", 0.2),
		match("g:players=3,mode=a,size=5,tint=on", -0.2),
		match("g:players=3,mode=a,size=1,tint=on", 0.2),
		match("g:players=2,mode=b,size=40,tint=off", 0.3),
		match("g:players=3,mode=b,size=40,tint=on", -0.3),
		match("g:players=3,mode=a,size=10,tint=dim", -0.1), // trained, and lost all the same
		match("g:players=3,mode=c,size=10,tint=on", 0.1),
		{Game: "g:players=2,mode=d,size=10,tint=on", Opponent: "random", ReturnCI: [2]float64{1, 2}},
	}}
	h.known = h.values()
	for table, want := range map[string]bool{
		"g:players=3,mode=a,size=10,tint=on":  true,
		"g:players=2,mode=b,size=10,tint=on":  true,
		"g:players=3,mode=b,size=10,tint=on":  true,
		"g:players=2,mode=c,size=10,tint=on":  false, // not the fault of two seats, though three win so
		"g:players=2,mode=d,size=10,tint=on":  false, // against another opponent
		"g:players=4,mode=a,size=10,tint=on":  false,
		"g:players=2,mode=a,size=25,tint=on":  true,  // between 10 and 40
		"g:players=2,mode=a,size=41,tint=on":  false, // further out
		"g:players=2,mode=a,size=7,tint=on":   false, // beside 5
		"g:players=2,mode=a,size=3,tint=on":   false,
		"g:players=2,mode=a,size=big,tint=on": false,
		"g:players=2,mode=b,size=25,tint=on":  true,
		"g:players=3,mode=b,size=40,tint=on":  false, // measured itself
		"g:players=2,mode=b,size=40,tint=off": true,  // so is this
		"g:players=2,mode=a,size=10,tint=off": false, // never by itself
		"g:players=3,mode=a,size=10,tint=dim": false,
		"g:players=2,mode=a,size=20,tint=dim": false, // trained, with a value that lost
		"g:players=2,mode=a,size=20,tint=on":  true,
		"g:players=2,mode=b,size=20,tint=on":  true,
	} {
		if got := h.holds(table, "d"); got != want {
			t.Errorf("%s: %v, want %v", table, got, want)
		}
		if h.holds(table, "other") {
			t.Errorf("%s: at home with other component data", table)
		}
	}
}

// The networks that come with the program are at home where their cards measure them, and not where they lose.
func TestAtHome(t *testing.T) {
	for _, name := range Games() {
		c := must.Have(Network(name))(t)
		for _, table := range c.Tables() {
			if !AtHome(info(t, table)) {
				t.Errorf("%s: the network is not at home where its card measures it", table)
			}
			if _, ok := Shown(info(t, table), judge); !ok {
				t.Errorf("%s: the network has not met %s", table, judge)
			}
		}
	}
	for table, want := range map[string]bool{
		"one-earth:players=1": false, "one-earth:players=1,difficulty=hard": true, "one-earth:players=2": true,
		"one-earth:mode=advanced": true, "one-earth:players=5,mode=advanced,leaders=random": true,
		"one-earth:target=5": false, "one-earth:target=10": false, "one-earth:aid=off": true,
		"earthmans-burden:territory=on": true, "earthmans-burden:points=50,skynet=on,bulbs=1": true,
		"new-earth:turns=6": true, "new-earth:turns=20": true, "new-earth:bulk_machines=off": true,
		"resilience-earth:supply=tight": true, "resilience-earth:deals=off": true, "earth-rising:win=sustained": true,
	} {
		if got := AtHome(info(t, table)); got != want {
			t.Errorf("%s: %v, want %v", table, got, want)
		}
	}
	if _, ok := Shown(info(t, "new-earth"), "script:nobody"); ok {
		t.Error("a match against nobody")
	}
}

func info(t *testing.T, table string) *env.Info {
	t.Helper()
	g := must.Have(games.Open(table))(t)
	return g.Info()
}
