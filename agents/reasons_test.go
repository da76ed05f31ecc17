package agents_test

import (
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/games"
)

// Why gives a reason, with a rule that there is, exactly for what isn't legal, wherever the strong bot and the network
// lead, as it does in random play (envtest.Run).
func TestReasonsInStrongPlay(t *testing.T) {
	envtest.NothingToRace(t)
	for _, game := range []struct{ text, other string }{
		{"resilience-earth", "resilience-earth:players=4,talk=on"},
		{"one-earth", "one-earth:players=5,mode=advanced"},
		{"earth-rising", "earth-rising:players=4,hands=closed"},
		{"new-earth", "new-earth:players=3"},
		{"earthmans-burden", "earthmans-burden:players=3,territory=on,collab=on,espionage=on"},
	} {
		book := must.Have(games.Rules(game.text))(t)
		rules := envtest.RulesOf([]byte(book))
		for _, text := range []string{game.text, game.other} {
			for _, agent := range []string{"script:strong", "net:"} {
				reasonsInPlay(t, text, agent, 33, rules)
				reasonsInPlay(t, text, agent, 34, rules)
			}
		}
	}
}

// reasonsInPlay lets an agent play all seats of a game, and asks for all reasons at every decision.
func reasonsInPlay(t *testing.T, text, agent string, seed uint64, rules *envtest.Rules) {
	t.Helper()
	g := must.Have(games.Open(text))(t)
	m, err := agents.Open(agent, g)
	if err != nil {
		t.Fatal(err)
	}
	seats := make([]env.Agent, g.Info().Players)
	for p := range seats {
		if seats[p], err = m.New(); err != nil {
			t.Fatal(err)
		}
	}
	ref := must.Have(referee.New(g, seed))(t)
	check := func() {
		if err := rules.Reasons(ref.State()); err != nil {
			t.Fatalf("%s, %s, seed %d, decision %d: %v", text, agent, seed, ref.Decisions(), err)
		}
	}
	must.Do(t, agents.Play(t.Context(), ref, seats, func(env.Player, env.Mask, env.Action) { check() }))
	check()
}
