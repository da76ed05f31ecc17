package games_test

import (
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// BenchmarkPosition writes and reads positions from the middle of a game.
func BenchmarkPosition(b *testing.B) {
	for _, rb := range games.All() {
		g := must.Have(rb.Open("", datafile.File{}))(b)
		s := g.New()
		s.Reset(1, nil)
		mask, luck := make(env.Mask, g.Info().MaskWords()), env.NewStream(1, "position")
		for range 60 {
			s.Legal(mask)
			s.Apply(mask.Nth(luck.Below(mask.Count())), nil)
		}
		text := s.AppendPosition(nil)
		b.Run(rb.Name+"/append", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				text = s.AppendPosition(text[:0])
			}
		})
		b.Run(rb.Name+"/read", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := s.ReadPosition(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
