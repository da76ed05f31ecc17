package oneearth_test

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// What the words about an action say that it leads to does come: no events after the last round and after a win, no
// ruin in a final round of three or more, and whoever wins by it is named (OE-120, OE-192, OE-202, OE-210, OE-212,
// OE-216).
func TestWordsPromiseWhatComes(t *testing.T) {
	for _, tt := range []struct{ options, patch, action, want string }{
		{"players=3", `"g":20,"e":[8,6,6],"m":[20,5,5]`, "fund 1", "Fund Oil Industry  P +3  E +5  G +5  M -4  (then " +
			"Critical Event)"},
		{"players=3", `"round":20,"g":20,"e":[8,6,6],"m":[20,5,5]`, "fund 1", "Fund Oil Industry  P +3  E +5  G +5  M -4"},
		{"players=3", `"round":20,"g":22,"e":[8,7,7],"m":[20,5,5]`, "policy plastics",
			"Fund Single-Use Plastics Ban  E -1  G -1  M -3"},
		{"players=3", `"g":18,"e":[6,6,6],"p":[18,2,2],"m":[20,5,5]`, "fund 1", "Fund Oil Industry  P +3  E +5  G +5  M " +
			"-4  wins"},
		{"players=3", `"g":25,"p":[20,2,2],"reach":[0],"e":[9,9,7],"m":[20,5,5]`, "policy plastics",
			"Fund Single-Use Plastics Ban  E -1  G -1  M -3  wins"},
		{"players=3", `"g":25,"p":[2,20,2],"reach":[1],"e":[9,9,7],"m":[20,5,5]`, "policy plastics",
			"Fund Single-Use Plastics Ban  E -1  G -1  M -3  then seat 1 wins"},
		{"players=3,mode=advanced,leaders=environmentalist+scientist+general",
			`"g":2,"e":[4,0,0],"m":[20,5,5],"ability_used":[true,false,false]`, "policy carbontax",
			"Fund Carbon Tax  E -3  G -2  M -8"},
		{"players=3,mode=advanced,leaders=tycoon+scientist+general",
			`"g":28,"e":[8,10,10],"final":true,"trigger":1,"p":[5,25,5],"reach":[1],"m":[20,5,5]`, "fund 2",
			"Fund Airport  P +3  E +4  G +4  M -5"},
		{"players=3,mode=advanced,leaders=tycoon+scientist+general", `"g":28,"e":[8,10,10],"m":[20,5,5]`, "fund 2",
			"Fund Airport  P +3  E +4  G +4  M -5  (then ruin)"},
		{"players=3,mode=advanced,leaders=tycoon+scientist+general",
			`"g":28,"e":[8,10,10],"m":[20,5,5],"tech":{"biofuel":0},"saved":[{"biofuel":1},{},{}]`, "fund 2",
			"Fund Airport  P +3  E +4  G +4  M -5  (then ruin)"},
		{"players=3,mode=advanced,leaders=tycoon+scientist+general",
			`"g":27,"e":[7,10,10],"m":[20,5,5],"tech":{"biofuel":0},"saved":[{"biofuel":1},{},{}]`, "fund 2",
			"Fund Airport  P +3  E +4  G +4  M -5  (then ruin)  unless the held Technology is attached"},
	} {
		s := open(t, tt.options).New()
		var tape env.Tape
		tape.Force("deal = oil", "deal = airport", "deal = ranch", "deal = gas", "deal = ecar", "deal = farm")
		s.Reset(1, &tape)
		patch(t, s, "{"+tt.patch+"}")
		a := must.Have(s.Game().Info().Parse(tt.action))(t)
		if got, _ := s.(env.Asker).About(a); got != tt.want {
			t.Errorf("%s, %s: %q\nis said to %q\nwant %q", tt.options, tt.patch, tt.action, got, tt.want)
		}
	}
}
