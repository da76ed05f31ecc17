package earthman

import (
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
	"earthgym/env/scenario"
	"earthgym/env/story"
)

// Land that is refused falls to the UN (EB-296), which is no player, and each change stands beside what has brought it:
// the giver's loss beside the answer, its payment beside the payment.
func TestStoryOfRefusedLand(t *testing.T) {
	sc, err := scenario.Read("testdata/scenarios/w30c-land-refused.toml")
	if err != nil {
		t.Fatal(err)
	}
	var narrator *story.Narrator
	var told []string
	err = sc.Follow(func(game string, data []datafile.File) (env.Game, error) {
		g, err := registry.Registry{Rulebook()}.Open(game, data...)
		if err == nil {
			narrator, err = story.NewNarrator(g)
		}
		return g, err
	}, func(step *env.Step) error {
		for _, s := range narrator.Tell(step, env.Spectator) {
			told = append(told, s.Text)
		}
		return narrator.Check(step, env.Spectator)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Player 1 does not want the land: player 0 Power -2, developments -2",
		"Player 0 is off region 4 of Mars",
		"Player 0 pays all with resource: resource -4",
		"The UN holds region 4 of Mars",
	}
	at := slices.Index(told, want[0])
	if at < 0 || len(told) < at+len(want) || !slices.Equal(told[at:at+len(want)], want) {
		t.Errorf("it is told %q, want %q in it", told, want)
	}
}
