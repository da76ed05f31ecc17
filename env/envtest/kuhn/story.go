package kuhn

import (
	_ "embed"
	"fmt"
	"strings"

	"earthgym/env"
)

//go:embed story.toml
var storyWords []byte

// StoryWords is the catalogue of the story.
func (g *Game) StoryWords() []byte { return storyWords }

// AppendStory tells the deal, the decisions, and the showdown.
func (s *State) AppendStory(dst []env.Fact, _ env.State, seen []env.Seen, _ env.Player) []env.Fact {
	for _, e := range seen {
		f := env.Fact{Player: e.Player, Tells: 1}
		switch e.Kind {
		case env.SeenAction:
			f.Key = e.Text
		case env.SeenChance:
			_, card, _ := strings.Cut(e.Text, " = ")
			fmt.Sscanf(e.Text, "card %d", &f.Player)
			f.Key, f.Args = "dealt", env.Args{"card": env.Name{Kind: "card", ID: card}}
		default:
			var card string
			fmt.Sscanf(e.Text, "player %d shows the %s", &f.Player, &card)
			f.Key, f.Args = "shows", env.Args{"card": env.Name{Kind: "card", ID: card}}
		}
		dst = append(dst, f)
	}
	if s.Actor() != env.Over {
		return dst
	}
	chips := make([]float64, s.game.players)
	s.Scores(chips)
	won := env.Fact{Key: "wins", Player: s.winner()}
	for p, n := range chips {
		won.Changes = append(won.Changes, env.Change{Player: env.Player(p), What: "chips", By: int(n), Now: int(n)})
	}
	return append(dst, won)
}
