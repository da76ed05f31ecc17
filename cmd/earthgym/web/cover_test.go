package web

import (
	"context"
	"testing"

	"earthgym/agents"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/games"
)

// The minutes of a cover are those of a seat among strong bots, ten seconds a decision.
func TestCoverMinutes(t *testing.T) {
	envtest.NothingToRace(t)
	for _, c := range Covers() {
		const played = 50
		g := must.Have(games.Open(c.Sizes[c.Size-c.Sizes[0].Seats].Game))(t)
		maker, seats := must.Have(agents.Open("script:strong", g))(t), make([]agents.Agent, c.Size)
		for p := range seats {
			seats[p] = must.Have(maker.New())(t)
		}
		decisions := 0
		for seed := range uint64(played) {
			ref := must.Have(referee.NewQuiet(g, seed))(t)
			must.Do(t, agents.Play(context.Background(), ref, seats, nil))
			decisions += ref.Decisions()
		}
		if minutes := decisions / played / c.Size / 6; c.Minutes != minutes/10*10+10 {
			t.Errorf("%s: the cover says %d minutes, and it takes %d", c.Game, c.Minutes, minutes)
		}
	}
}
