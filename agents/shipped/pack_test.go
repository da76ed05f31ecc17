package shipped

import (
	"bytes"
	"math"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// A packed network is what it was but for the rounding, and plays nearly always as it did.
func TestPack(t *testing.T) {
	for _, game := range Games() {
		c := must.Have(Network(game))(t)
		packed := must.Have(Pack(c))(t)
		back := unpacked(t, packed)
		again := must.Have(Pack(back))(t)
		if !bytes.Equal(again, packed) {
			t.Errorf("%s: packed twice, it is another network", game)
		}
		alike, distance := compare(t, game, c, back)
		t.Logf("%s: %d bytes packed; %.1f %% of the decisions alike, probabilities %.4f apart", game, len(packed), 100*alike,
			distance)
		if alike < 0.95 || distance > 0.05 {
			t.Errorf("%s: the packed network chooses alike in %.1f %% of the decisions, its probabilities are %.3f apart", game,
				100*alike, distance)
		}
	}
}

func unpacked(t *testing.T, packed []byte) *checkpoint.Checkpoint {
	t.Helper()
	data := must.Have(Unpack(packed))(t)
	return must.Have(checkpoint.Decode(data))(t)
}

// compare plays on by one network, and says how often another one likes the same action most, and how far apart their
// probabilities are (total variation), on average.
func compare(t *testing.T, game string, c, other *checkpoint.Checkpoint) (alike, distance float64) {
	t.Helper()
	const decisions = 300
	g, err := games.Open(game)
	if err != nil {
		t.Fatal(err)
	}
	info := g.Info()
	var policies [2]*neural.Policy
	var probabilities [2][]float32
	for i, c := range []*checkpoint.Checkpoint{c, other} {
		if policies[i], _, err = c.Policy(info); err != nil {
			t.Fatal(err)
		}
		probabilities[i] = make([]float32, len(info.Actions))
	}
	s, ws := g.New(), &neural.Workspace{}
	observation, mask := make([]float32, info.Observation()), make(env.Mask, info.MaskWords())
	tape, luck := env.Tape{}, env.NewStream(1, "compare")
	s.Reset(1, nil)
	for n := range decisions {
		if s.Actor() == env.Over {
			s.Reset(uint64(1+n), nil)
		}
		s.Observe(observation, s.Actor())
		s.Legal(mask)
		for i, p := range policies {
			logits, _ := p.Evaluate(ws, observation, mask, 1)
			neural.Probabilities(probabilities[i], logits, mask)
		}
		best := [2]int{}
		for a := range probabilities[0] {
			distance += math.Abs(float64(probabilities[0][a]-probabilities[1][a])) / 2 / decisions
			for i := range best {
				if probabilities[i][a] > probabilities[i][best[i]] {
					best[i] = a
				}
			}
		}
		if best[0] == best[1] {
			alike += 1.0 / decisions
		}
		tape.Rewind()
		s.Apply(env.Action(neural.Sample(probabilities[0], mask, luck.Float64())), &tape)
	}
	return alike, distance
}

// What is no packed network is refused.
func TestUnpackRefuses(t *testing.T) {
	c := must.Have(Network("resilience-earth"))(t)
	packed := must.Have(Pack(c))(t)
	for name, b := range map[string][]byte{
		"nothing": nil, "cut off": packed[:len(packed)-1], "a cut header": packed[:3],
		"an unknown part":      append([]byte{7}, packed[1:]...),
		"one that is too long": append([]byte{asIs, 255, 255, 255, 255}, packed...), "one byte changed": changed(packed),
	} {
		data, err := Unpack(b)
		if err == nil {
			_, err = checkpoint.Decode(data)
		}
		if err == nil {
			t.Errorf("%s was unpacked", name)
		}
	}
}

func changed(b []byte) []byte {
	b = bytes.Clone(b)
	b[len(b)-100]++
	return b
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{asIs, 1, 0, 0, 0, 9, whole, 2, 0, 0, 0, 0xf0, 3, 0})
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = Unpack(b) })
}

// Multiples of a power of two come back to the bit.
func TestMultiples(t *testing.T) {
	x := []float32{0, 0.5, -0.5, 3, -2.25, 100}
	e, n, ok := multiples(x)
	if !ok || e != -2 {
		t.Fatalf("exponent %d, %v, %t", e, n, ok)
	}
	for _, bad := range [][]float32{{65504, 1.0 / (1 << 24)}, {float32(math.Inf(1))}, {float32(math.NaN())},
		{float32(math.Copysign(0, -1))}} {
		if _, _, ok := multiples(bad); ok {
			t.Errorf("%v are taken for multiples", bad)
		}
	}
}
