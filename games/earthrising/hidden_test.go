package earthrising

import (
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// TestKnowledge is ER-008 with section 8.2: who knows which card, with closed hands.
func TestKnowledge(t *testing.T) {
	options := "players=3,hands=closed,characters=politician+investor+activist"
	start := func(patch map[string]any) *State { return at(t, options, tabled(patch)) }
	hands := func(p, i, a []string) map[string]any {
		return map[string]any{"politician": p, "investor": i, "activist": a}
	}
	knows := func(s *State, id string) string {
		c := slices.Index(s.game.words.cards, id)
		if c < 0 {
			t.Fatalf("there is no card %s", id)
		}
		return s.knowing(Card(c)).String()
	}
	check := func(what string, s *State, id, want string) {
		t.Helper()
		if got := knows(s, id); got != want {
			t.Errorf("ER-008: %s: %s is known to %q, want %q", what, id, got, want)
		}
	}

	s := start(map[string]any{"hand": hands([]string{"wind-power", "rent-control"}, []string{}, []string{}),
		"known": map[string]any{"rent-control": []int{0, 2}}})
	check("a card in a hand", s, "wind-power", "0")
	s.Apply(parse(t, s, "give wind-power"), nil)
	s.Apply(parse(t, s, "to investor"), nil)
	check("given", s, "wind-power", "0 1")
	check("another card of the hand that was given from", s, "rent-control", "0")

	s = start(map[string]any{"hand": hands([]string{}, []string{}, []string{}),
		"deck": []string{"sqs-energy", "wind-power", "solar-power", "rest"},
		"kind": []string{"sqs", "influence", "influence"}})
	if s.CardsUntilStrike() != 0 {
		t.Errorf("ER-008: the strike on top is public, but %d cards are said to lie above it", s.CardsUntilStrike())
	}
	s.Apply(parse(t, s, "consult"), nil)
	check("looked at by the Politician", s, "sqs-energy", "0")
	s.Apply(parse(t, s, "top 1"), nil)
	if s.public&(3<<(s.deckSize-2)) != 0 || s.CardsUntilStrike() >= 0 {
		t.Error("ER-008: places that the Politician has looked at are public")
	}
	s.Apply(endTurn, nil) // the Investor is next
	if s.active != Investor {
		t.Fatalf("the %s is active", s.active)
	}
	s.Apply(parse(t, s, "look"), nil)
	check("drawn and looked at by the Eco Investor", s, "wind-power", "0 1")
	s.Apply(parse(t, s, "bottom"), nil)
	check("at the bottom", s, "wind-power", "0 1")
	if s.public&1 == 0 {
		t.Error("ER-008: the kind of the card at the bottom is public")
	}

	s = start(map[string]any{"phase": "discard",
		"known": map[string]any{"soil-care": []int{0, 1}, "rent-control": []int{0, 1}},
		"hand": hands([]string{"soil-care", "rent-control", "wind-power", "solar-power", "tidal-power", "local-food"},
			[]string{}, []string{})})
	s.Apply(parse(t, s, "discard soil-care"), nil)
	check("discarded for the hand limit", s, "soil-care", "0")
	check("left in that hand", s, "rent-control", "0")
	s.Apply(parse(t, s, "refresh"), nil)
	check("shuffled", s, "soil-care", "")

	s = start(map[string]any{"hand": hands([]string{"natural-capital-accounting"}, []string{}, []string{})})
	s.Apply(parse(t, s, "disband gdp-fixation"), nil)
	check("discarded as a cost", s, "natural-capital-accounting", "0 1 2")

	s = at(t, "players=3,characters=politician+investor+activist",
		tabled(map[string]any{"hand": hands([]string{"wind-power"}, []string{}, []string{})}))
	check("open hands", s, "wind-power", "0 1 2")
}

// TestWitness is ER-008: what others see of decisions about cards in closed hands.
func TestWitness(t *testing.T) {
	s := at(t, "players=3,hands=closed,characters=politician+investor+activist", tabled(map[string]any{
		"hand": map[string]any{"politician": []string{"wind-power"}, "investor": []string{}, "activist": []string{}},
	}))
	a := parse(t, s, "give wind-power")
	if got := s.WitnessedBy(1, a); got != "give" {
		t.Errorf("ER-008: another seat sees %q", got)
	}
	if got := s.WitnessedBy(0, a); got != "give wind-power" {
		t.Errorf("ER-008: the own seat sees %q", got)
	}
	s.Apply(a, nil)
	if got := s.WitnessedBy(2, parse(t, s, "to investor")); got != "to investor" {
		t.Errorf("ER-008: who gets the card is seen as %q", got)
	}
	discarding := at(t, "players=3,hands=closed,characters=politician+investor+activist",
		tabled(map[string]any{"phase": "discard", "hand": map[string]any{
			"politician": []string{"wind-power", "solar-power", "tidal-power", "soil-care", "local-food", "rent-control"},
			"investor":   []string{}, "activist": []string{},
		}}))
	if got := discarding.WitnessedBy(1, Discard(discarding.hand[Politician].First())); got != "discard" {
		t.Errorf("ER-008: another seat sees %q of a discard for the hand limit", got)
	}
	ordering := at(t, "players=3,hands=closed,characters=politician+investor+activist", tabled(map[string]any{
		"hand": map[string]any{"politician": []string{}, "investor": []string{}, "activist": []string{}},
	}))
	ordering.Apply(consult, nil)
	if got := ordering.WitnessedBy(1, Top(1)); got != "" {
		t.Errorf("ER-008: another seat sees %q of the order that the Politician chooses", got)
	}
	if got := s.WitnessedBy(env.Spectator, Clean(Energy, 1)); got != "clean energy 1" {
		t.Errorf("a spectator sees %q", got)
	}
}

// TestRedealIsFair redeals often and looks where a card unknown to the seat has come to lie.
func TestRedealIsFair(t *testing.T) {
	s := at(t, "players=3,hands=closed,characters=politician+innovator+activist", nil)
	hidden := ^s.knownTo[0] & allCards
	if want := 48 - 2 - (s.hand[s.cast[0]].Count() - 2); s.decision == atActions && hidden.Count() != want {
		t.Fatalf("seat 0 doesn't know %d cards, want %d", hidden.Count(), want)
	}
	c := (hidden & allInfluence).First()
	const n = 4000
	inHand := 0
	places := (hidden & allInfluence).Count()
	held := (s.hand[s.cast[1]] | s.hand[s.cast[2]]).Count()
	r := s.game.New().(*State)
	for key := range uint64(n) {
		r.CopyFrom(s)
		r.Redeal(0, key)
		must.Do(t, r.Check())
		if r.hand[s.cast[1]].Has(c) || r.hand[s.cast[2]].Has(c) {
			inHand++
		}
		if r.hand[s.cast[0]] != s.hand[s.cast[0]] {
			t.Fatal("a redeal has changed the own hand")
		}
	}
	want := float64(n) * float64(held) / float64(places)
	if d := float64(inHand) - want; d*d > 12*want {
		t.Errorf("%s lay in another hand %d times of %d, want about %.0f", c, inHand, n, want)
	}
}

// TestRedealInsideDecisions redeals for another seat where something hidden is being decided.
func TestRedealInsideDecisions(t *testing.T) {
	options := "players=3,hands=closed,characters=politician+investor+activist"
	hands := map[string]any{"politician": []string{"wind-power", "solar-power", "soil-care"}, "investor": []string{},
		"activist": []string{}}
	pay := at(t, options, tabled(map[string]any{"hand": hands}))
	pay.Apply(parse(t, pay, "give wind-power"), nil)
	gifts := map[int16]bool{}
	r := pay.game.New().(*State)
	for key := range uint64(200) {
		r.CopyFrom(pay)
		r.Redeal(1, key)
		gifts[r.inside.pending] = true
		must.Do(t, r.Check())
	}
	if len(gifts) < 10 {
		t.Errorf("for another seat the gift can be one of only %d cards", len(gifts))
	}

	hands["politician"] = []string{"wind-power", "solar-power", "tidal-power"}
	pay = at(t, options, tabled(map[string]any{"hand": hands}))
	pay.Apply(parse(t, pay, "create wind-power"), nil)
	for key := range uint64(200) {
		r.CopyFrom(pay)
		r.Redeal(2, key)
		if n := (r.hand[Politician] & Of(Energy)).Count(); n < 2 {
			t.Fatalf("who is asked what pays has %d cards to pay with", n)
		}
	}
}

// TestRedealOfLookedCards redeals for another seat the card that the Eco Investor looks at, and then the one at the
// bottom of the deck, of which everybody knows that it is no strike (ER-423, ER-424).
func TestRedealOfLookedCards(t *testing.T) {
	s := at(t, "players=2,hands=closed,characters=investor+activist", tabled(map[string]any{
		"hand": map[string]any{"investor": []string{"wind-power"}, "activist": []string{}}}))
	s.Apply(parse(t, s, "draw"), nil)
	s.Apply(parse(t, s, "look"), nil)
	looked := s.inside.card
	if s.decision != atLooked {
		t.Fatalf("the card looked at is %s: choose another seed", looked)
	}
	redeal := func(what string, of func(r *State) Card) {
		t.Helper()
		seen := map[Card]bool{}
		r := s.game.New().(*State)
		for key := range uint64(200) {
			r.CopyFrom(s)
			r.Redeal(1, key)
			must.Do(t, r.Check())
			if seen[of(r)] = true; of(r).IsStrike() {
				t.Fatalf("%s can be %s", what, of(r))
			}
		}
		if len(seen) < 20 {
			t.Errorf("%s can be one of only %d cards", what, len(seen))
		}
	}
	redeal("the card looked at", func(r *State) Card { return r.inside.card })
	s.Apply(parse(t, s, "bottom"), nil)
	redeal("the card at the bottom", func(r *State) Card { return r.deck[0] })
}

// TestRedealKeepsWhoKnows redeals a hand of which another seat knows a card: it knows one afterwards, too.
func TestRedealKeepsWhoKnows(t *testing.T) {
	s := at(t, "players=3,hands=closed,characters=politician+innovator+activist", nil)
	third := s.cast[2]
	size := s.hand[third].Count()
	s.knownTo[1] |= Only(s.hand[third].First())
	r := s.game.New().(*State)
	seen := Set(0)
	for key := range uint64(100) {
		r.CopyFrom(s)
		r.Redeal(0, key)
		known := r.hand[third] & r.knownTo[1]
		if err := r.Check(); err != nil || known.Count() != 1 || r.hand[third].Count() != size || size < 2 {
			t.Fatalf("seat 1 knows %d of %d cards, want 1 of %d (%v)", known.Count(), r.hand[third].Count(), size, err)
		}
		seen |= known
	}
	if seen.Count() < 10 {
		t.Errorf("the card that seat 1 knows can be one of only %d", seen.Count())
	}
}
