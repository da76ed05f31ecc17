package form_test

import (
	"testing"

	"earthgym/env"
	"earthgym/env/form"
)

// What a seat may not know is left out of an object and null in a list; of a set, the cards that it knows come first.
func TestAppendKnown(t *testing.T) {
	bids, hand, pile, night := []int{3, 1}, []int{5, 6}, uint8(0b111), true
	titles := []string{"ant", "bee", "cat"}
	only := func(seats ...env.Player) (known env.Seats) {
		for _, p := range seats {
			known = known.With(p)
		}
		return known
	}
	body := func(f *form.Position) {
		form.List(f, "bids", 2, func(i int) {
			form.Secret(f, only(env.Player(i)), form.Element, func() { form.Int(f, form.Element, &bids[i], 0, 9) })
		})
		form.FaceDown(f, only(0), "hand", len(hand), func() { form.Ints(f, "hand", hand, 0, 9) })
		form.FaceDownSet(f, "pile", &pile, titles, func(card int) env.Seats { return only(env.Player(2 - card)) })
		form.Secret(f, only(1), "night", func() { form.Bool(f, "night", &night) })
	}
	for p, want := range map[env.Player]string{
		0: `{"bids":[3,null],"hand":[5,6],"pile":["cat",null,null]}`,
		1: `{"bids":[null,1],"hand":[null,null],"pile":["bee",null,null],"night":true}`,
		2: `{"bids":[null,null],"hand":[null,null],"pile":["ant",null,null]}`,
	} {
		if got := string(form.AppendKnown(nil, p, body)); got != want {
			t.Errorf("seat %d knows %s, want %s", p, got, want)
		}
	}
	whole := `{"bids":[3,1],"hand":[5,6],"pile":["ant","bee","cat"],"night":true}`
	if got := string(form.AppendPosition(nil, body)); got != whole {
		t.Errorf("the position is %s, want %s", got, whole)
	}
}
