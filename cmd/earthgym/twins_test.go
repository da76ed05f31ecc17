package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"earthgym/cmd/earthgym/web"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// What a seat is told afterwards of a record, and an agent in the game, is the same of games that the seat can't tell
// apart: no number leaves a gap where others were asked in secret.
func TestTwinsAreToldAlike(t *testing.T) {
	envtest.NothingToRace(t)
	for _, game := range []struct {
		text string
		seed uint64
	}{{"new-earth:players=4,turns=5", 0}, {"new-earth:players=3,turns=5", 0}, {"new-earth:players=2,turns=5", 5},
		{"earth-rising:players=3,hands=closed", 0}} {
		g := must.Have(games.Open(game.text))(t)
		twins := must.Have(envtest.FindTwins(g, game.seed, 1))(t)
		for _, tw := range twins {
			moment := len(tw.Moments) - 1
			for _, v := range tw.Viewers {
				var told [2][]string
				for i := range told {
					ref := must.Have(tw.Play(g, i, moment))(t)
					rec := ref.Record(nil)
					var log, page bytes.Buffer
					must.Do(t, writeLog(&log, rec, g, v))
					if v >= 0 {
						must.Do(t, web.WriteReplay(&page, rec, g, web.ReplayOptions{Seat: &v}))
					}
					told[i] = []string{log.String(), page.String()}
					if view := ref.View(); view.Player() == v {
						told[i] = append(told[i], strings.Join(view.Story(), "\n"))
					}
				}
				if !slices.Equal(told[0], told[1]) {
					t.Errorf("%s, seed %d, %s: viewer %d is told\n%s\nand in the other game\n%s", game.text, game.seed, tw.Secret, v,
						told[0][0], told[1][0])
				}
			}
		}
	}
}
