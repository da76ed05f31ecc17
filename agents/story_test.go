package agents_test

import (
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/env/story"
	"earthgym/games"
)

// What is told of games that networks play among bots adds up for every viewer, as it does of random and scripted play.
func TestStoriesOfNetworks(t *testing.T) {
	envtest.NothingToRace(t)
	for _, text := range []string{
		"resilience-earth:players=3", "one-earth:players=3", "earth-rising:players=3,hands=closed",
		"new-earth:players=3", "earthmans-burden:players=3,territory=on,collab=on,espionage=on",
	} {
		g := must.Have(games.Open(text))(t)
		narrator := must.Have(story.NewNarrator(g))(t)
		var seats []env.Agent
		for _, agent := range []string{"net:", "script:strong", "random"} {
			m := must.Have(agents.Open(agent, g))(t)
			seat := must.Have(m.New())(t)
			seat.Reset(uint64(len(seats)))
			seats = append(seats, seat)
		}
		ref := must.Have(referee.New(g, 8801))(t)
		ref.Follow(func(step *env.Step) {
			for viewer := env.Spectator; viewer < env.Player(len(seats)); viewer++ {
				if viewer == env.Over {
					continue
				}
				if err := narrator.Check(step, viewer); err != nil {
					t.Fatalf("%s, decision %d: %v", text, ref.Decisions(), err)
				}
			}
		})
		for ref.Actor() != env.Over {
			a, err := seats[ref.Actor()].Act(ref.View())
			if err == nil {
				err = ref.Play(a)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
