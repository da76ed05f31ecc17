package games_test

import (
	"strings"
	"sync"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// One Game serves many goroutines, each with States of its own: whatever they ask, nothing is written behind them.
// Mostly a test for the race detector.
func TestGamesAreShared(t *testing.T) {
	for _, rb := range games.All() {
		t.Run(rb.Name, func(t *testing.T) {
			t.Parallel()
			g := must.Have(games.Open(rb.Variants[len(rb.Variants)-1]))(t)
			var told [3]string
			var workers sync.WaitGroup
			for i := range told {
				workers.Go(func() { told[i] = tellGame(g, 40) })
			}
			workers.Wait()
			if told[1] != told[0] || told[2] != told[0] || len(told[0]) < 1000 {
				t.Errorf("the same game is told as\n%s\nand as\n%s\nand as\n%s", told[0], told[1], told[2])
			}
		})
	}
}

// tellGame asks all that can be asked at some decisions of a game at random, and gives what it is told.
func tellGame(g env.Game, looks int) string {
	info := g.Info()
	s, other := g.New(), g.New()
	mask, luck := make(env.Mask, info.MaskWords()), env.NewStream(3, "shared")
	row, seats := make([]float32, info.Observation()), make([]float64, info.Players)
	told := strings.Builder{}
	s.Reset(11, nil)
	for n := 0; s.Actor() != env.Over && n < 20*looks; n++ {
		s.Legal(mask)
		a := mask.Nth(luck.Below(mask.Count()))
		if n%20 == 0 {
			p := s.Actor()
			s.Observe(row, p)
			s.Scores(seats)
			told.WriteString(s.Why(0) + env.ActionText(s, a) + info.Short)
			told.Write(s.AppendPosition(nil))
			other.CopyFrom(s)
			other.Redeal(p, uint64(n))
			if err := other.ReadPosition(s.AppendPosition(nil)); err != nil {
				told.WriteString(err.Error())
			}
			if x, ok := s.(env.Texter); ok {
				told.Write(x.AppendText(nil, p))
			}
			if x, ok := s.(env.Drawer); ok {
				told.Write(x.AppendSVG(nil, p))
			}
			if x, ok := s.(env.Asker); ok {
				about, which := x.About(a)
				told.WriteString(x.Question(p) + about + which)
			}
			if x, ok := s.(env.Potential); ok {
				x.Potential(p)
			}
			if x, ok := s.(env.Outlook); ok {
				x.Outlook(seats)
			}
			if x, ok := s.(env.Checker); ok && x.Check() != nil {
				told.WriteString(x.Check().Error())
			}
		}
		s.Apply(a, nil)
	}
	return told.String()
}
