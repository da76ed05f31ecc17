package scripted

import (
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
)

// gameDir is the folder of a game's package.
func gameDir(name string) string {
	dirs := map[string]string{
		"one-earth": "oneearth", "earth-rising": "earthrising", "new-earth": "newearth",
		"resilience-earth": "resilience", "earthmans-burden": "earthman",
	}
	return filepath.Join("..", "..", "games", dirs[name])
}

// Bots play with the data of users, whatever numbers a game takes: each file has some numbers changed by lot.
func TestOwnData(t *testing.T) {
	for _, script := range scripts() {
		rb := script.rulebook()
		t.Run(rb.Name, func(t *testing.T) {
			t.Parallel()
			file, _, err := datafile.Read(filepath.Join(gameDir(rb.Name), "data.toml"))
			if err != nil {
				t.Fatal(err)
			}
			luck := env.NewStream(1, "data")
			const files, tries = 36, 4000
			played := 0
			for try := 0; played < files && try < tries; try++ {
				variant := rb.Variants[try%len(rb.Variants)]
				g, err := registry.Registry{
					rb}.Open(variant, datafile.File{Name: "own.toml", Bytes: otherNumbers(file.Bytes, &luck)})
				if err != nil {
					continue
				}
				played++
				playOwnData(t, g, script, uint64(try), &luck)
			}
			if played < files {
				t.Errorf("only %d files could be played", played)
			}
		})
	}
}

var numbers = regexp.MustCompile(`\b[0-9]+\b`)

// otherNumbers changes some of the numbers in a data file: to one nearby, or to any of as many digits.
func otherNumbers(file []byte, luck *env.Stream) []byte {
	places := numbers.FindAllIndex(file, -1)
	var change []int
	for range 1 + luck.Below(5) {
		change = append(change, luck.Below(len(places)))
	}
	slices.Sort(change)
	var out []byte
	from := 0
	for _, i := range slices.Compact(change) {
		at := places[i]
		n, err := strconv.Atoi(string(file[at[0]:at[1]]))
		if err != nil {
			continue
		}
		switch luck.Below(3) {
		case 0:
			n++
		case 1:
			n = max(0, n-1)
		default:
			n = luck.Below(int(math.Pow10(at[1] - at[0])))
		}
		out = strconv.AppendInt(append(out, file[from:at[0]]...), int64(n), 10)
		from = at[1]
	}
	return append(out, file[from:]...)
}

// playOwnData plays a game that each bot plays a part of; what it chooses must be legal, and its scores numbers.
func playOwnData(t *testing.T, g env.Game, script script, seed uint64, luck *env.Stream) {
	t.Helper()
	s, legal, scores := g.New(), make(env.Mask, g.Info().MaskWords()), make([]float64, len(g.Info().Actions))
	var bots [len(levels)]*Bot
	for level := range bots {
		bots[level] = script.open(g, level)
		bots[level].Reset(seed)
	}
	s.Reset(seed, nil)
	for n := 0; s.Actor() != env.Over; n++ {
		s.Legal(legal)
		level := luck.Below(len(levels))
		a := bots[level].Choose(s, legal)
		if !legal.Has(a) {
			t.Fatalf("%s, file %d, decision %d: %s chooses %d: %s", g.Info().Text, seed, n, levels[level], a, s.Why(a))
		}
		if bots[level].Scores(s, legal, scores) && slices.ContainsFunc(scores, math.IsNaN) {
			t.Fatalf("%s, file %d, decision %d: %s scores by what is no number", g.Info().Text, seed, n, levels[level])
		}
		s.Apply(a, nil)
	}
}
