package earthman

import (
	"fmt"
	"testing"

	"earthgym/env"
)

func TestQuick(t *testing.T) {
	rb := Rulebook()
	texts := rb.Variants
	for i, text := range texts {
		o := text[len(name)+1:]
		switch i % 4 {
		case 1:
			o += ",claims=0,peace=0,un=yield"
		case 2:
			o += ",claims=0,peace=0,thoughts=key,late_fleets=2"
		case 3:
			o += ",claims=0,peace=0,bulbs=1,fleet_cap=20"
		}
		g, err := rb.Open(o, env.DataFile{})
		if err != nil {
			t.Fatal(err)
		}
		dec, reasons := 0, map[string]int{}
		for seed := range uint64(6) {
			s := g.New().(*State)
			s.Reset(seed, nil)
			rng := env.NewStream(seed, "x")
			m := make(env.Mask, maskWords)
			for n := 0; s.Actor() != env.Over; n++ {
				if err := s.Check(); err != nil {
					t.Fatalf("%s seed %d dec %d: %v\n%s", o, seed, n, err, s.AppendPosition(nil))
				}
				b := s.AppendPosition(nil)
				r := g.New().(*State)
				r.luck = s.luck
				r.position = g.(*Game).start
				r.first, r.actor = 0, 0
				if err := r.ReadPosition(b); err != nil {
					t.Fatalf("%s seed %d dec %d: read %v\n%s", o, seed, n, err, b)
				}
				if !r.Equal(s) {
					t.Fatalf("%s seed %d dec %d: not equal\n%s\n%s\n%+v\n%+v", o, seed, n, b, r.AppendPosition(nil), s.position, r.position)
				}
				s.Legal(m)
				// weighted: prefer not done / fire un
				a := m.Nth(rng.Below(m.Count()))
				if a == Done && rng.Below(2) == 0 || a == fire0+theUN || a == HandLand && rng.Below(3) > 0 {
					a = m.Nth(rng.Below(m.Count()))
				}
				s.Apply(a, nil)
				dec++
			}
			reasons[s.Reason()]++
		}
		fmt.Println(o, dec/6, reasons)
	}
}
