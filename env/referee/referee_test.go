package referee_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
)

// table plays actions at a referee's table.
func table(t *testing.T, players int, seed uint64, actions ...env.Action) *referee.Referee {
	t.Helper()
	ref := must.Have(referee.New(kuhn.Open(players), seed))(t)
	for _, a := range actions {
		must.Do(t, ref.Play(a))
	}
	return ref
}

// A seat sees its own card and every action, and the cards that are shown at the end; nothing else.
func TestSeen(t *testing.T) {
	ref := table(t, 2, 1)
	cards := ref.Record(nil).Header.Chance
	seen := func() string {
		var words []string
		for _, s := range ref.View().Seen() {
			words = append(words, fmt.Sprintf("%d/%d %s", s.Kind, s.Player, s.Text))
		}
		return strings.Join(words, "; ")
	}
	if got, want := seen(), "1/-1 "+cards[0]; got != want {
		t.Errorf("player 0 has seen %s, want %s", got, want)
	}
	must.Do(t, ref.Play(kuhn.Pass))
	if got, want := seen(), "1/-1 "+cards[1]+"; 0/0 pass"; got != want {
		t.Errorf("player 1 has seen %s, want %s", got, want)
	}
	must.Do(t, ref.Play(kuhn.Bet))
	if got, want := seen(), "0/0 pass; 0/1 bet"; got != want {
		t.Errorf("player 0 has seen %s, want %s", got, want)
	}
	var illegal *env.IllegalActionError
	if err := ref.Play(9); !errors.As(err, &illegal) || len(ref.Record(nil).Moves) != 2 {
		t.Errorf("an illegal action: %v, %d moves", err, len(ref.Record(nil).Moves))
	}
	must.Do(t, ref.Play(kuhn.Bet))
	r := ref.Result()
	if ref.Actor() != env.Over || r.Reason != "showdown" || r.Decisions != 3 || r.Winners.Count() != 1 {
		t.Errorf("result %+v", r)
	}
}

// A View never leads to the true State: its samples keep the own card, and the other's varies.
func TestViewSamples(t *testing.T) {
	ref := table(t, 2, 1)
	v := ref.View()
	truth := ref.State().(*kuhn.State)
	others := map[int]bool{}
	for key := range uint64(40) {
		s := v.Sample(key).(*kuhn.State)
		if s.Card(0) != truth.Card(0) {
			t.Fatal("a sample has another card for the viewer")
		}
		others[s.Card(1)] = true
	}
	if len(others) != 2 {
		t.Errorf("the other's card is one of %v in 40 samples", others)
	}
	if want := "history\nyour card: "; !strings.HasPrefix(v.Text(), want) {
		t.Errorf("the text is %q", v.Text())
	}
	want := make([]float32, v.Info().Observation())
	truth.Observe(want, 0)
	if !slices.Equal(v.Observation(), want) || v.Player() != 0 || v.Mask().Count() != 2 ||
		v.ActionText(kuhn.Bet) != "bet" {
		t.Error("the view shows something else than the State does")
	}
}
