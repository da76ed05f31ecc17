package earthman

import (
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/story"
)

// Land that is refused falls to the UN (EB-296), which is no player, and each change stands beside what has brought it:
// the giver's loss beside the answer, its payment beside the payment. Sanctions are lifted by the fifth resource on the
// token (EB-131), not by each.
func TestStories(t *testing.T) {
	for file, want := range map[string][]string{
		"w30c-land-refused": {
			"Player 1 does not want the land: player 0 Power -2, developments -2",
			"Player 0 is off region 4 of Mars",
			"Player 0 pays all with resource: resource -4",
			"The UN holds region 4 of Mars",
		},
		"w21-pacification": {
			"Player 0 puts a resource on its Sanctions token: resource +4",
			"The sanctions on player 0 are lifted",
		},
	} {
		var told []string
		scenario := "testdata/scenarios/" + file + ".toml"
		envtest.Retell(t, Rulebook(), scenario, func(narrator *story.Narrator, step *env.Step) error {
			for _, s := range narrator.Tell(step, env.Spectator) {
				told = append(told, s.Text)
			}
			return narrator.Check(step, env.Spectator)
		})
		at := slices.Index(told, want[0])
		if at < 0 || len(told) < at+len(want) || !slices.Equal(told[at:at+len(want)], want) {
			t.Errorf("%s: it is told %q, want %q in it", file, told, want)
		}
	}
}
