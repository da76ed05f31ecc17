package kuhn

import (
	_ "embed"
	"fmt"
	"strings"

	"earthgym/env"
	"earthgym/env/story"
)

//go:embed story.toml
var storyWords []byte

// StoryWords is the catalogue of the story.
func (g *Game) StoryWords() []byte { return storyWords }

// AppendCounters are the chips won and lost, which are counted when the game is over.
func (s *State) AppendCounters(dst []env.Counter) []env.Counter {
	chips := make([]float64, s.game.players)
	if s.Actor() == env.Over {
		s.Scores(chips)
	}
	for p, n := range chips {
		dst = append(dst, env.Counter{Player: env.Player(p), What: "chips", Value: int(n)})
	}
	return dst
}

// AppendStory tells the deal, the decisions, and the showdown.
func (s *State) AppendStory(dst []story.Fact, _ env.State, beats []story.Beat, _ env.Player) []story.Fact {
	t := story.Story{Facts: dst}
	t.Tell(beats, func(beats []story.Beat) int {
		switch e := beats[0]; {
		case e.Rule != "":
			t.Say("wins", e.Player, 0, nil)
		case e.Kind == env.SeenAction:
			t.Say(e.Text, e.Player, 1, nil)
		case e.Kind == env.SeenChance:
			var p env.Player
			_, card, _ := strings.Cut(e.Text, " = ")
			fmt.Sscanf(e.Text, "card %d", &p)
			t.Say("dealt", p, 1, story.Args{"card": story.Name{Kind: "card", ID: card}})
		default:
			var p env.Player
			var card string
			fmt.Sscanf(e.Text, "player %d shows the %s", &p, &card)
			t.Say("shows", p, 1, story.Args{"card": story.Name{Kind: "card", ID: card}})
		}
		return 1
	})
	return t.Facts
}
