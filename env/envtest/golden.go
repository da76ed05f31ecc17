package envtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/env/registry"
)

// goldenSeed is that of every golden record.
const goldenSeed = 20

// Golden compares a record of one weighted game of each variant, byte for byte, with
// testdata/golden/<variant>.jsonl of the calling package, and replays that file. -update rewrites it.
// What all seats observe in these games is held by a signature in testdata/golden/encoding.txt, which
// -update rewrites only if the encoding version of the rulebook has been raised.
// A golden record of no variant is a failure.
func Golden(t *testing.T, rb *registry.Rulebook, c Config) {
	t.Helper()
	written := map[string]bool{}
	for _, text := range rb.Variants {
		name := GoldenName(text)
		written[name] = true
		t.Run(strings.TrimSuffix(name, ".jsonl"), func(t *testing.T) {
			g := must.Have(registry.Registry{rb}.Open(text))(t)
			s := &subject{rb: rb, config: c, game: g, info: g.Info()}
			p := &play{seed: goldenSeed, weights: c.Weights}
			if err := guard(func() error { return s.perform(p) }); err != nil {
				t.Fatal(s.at(p, len(p.actions), err))
			}
			rec := must.Have(s.record(p))(t)
			var b bytes.Buffer
			must.Do(t, rec.Write(&b))
			GoldenFile(t, name, b.Bytes())
			replayFile(t, g, filepath.Join("testdata", "golden", name))
		})
	}
	t.Run("encoding", func(t *testing.T) {
		if err := goldenEncoding(rb, filepath.Join("testdata", "golden"), *update); err != nil {
			t.Error(err)
		}
	})
	files := must.Have(filepath.Glob("testdata/golden/*.jsonl"))(t)
	for _, file := range files {
		if !written[filepath.Base(file)] {
			t.Errorf("%s is the record of no variant of %s", file, rb.Name)
		}
	}
}

// GoldenName is the file name of a variant's golden record.
func GoldenName(variant string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:,/\*?"<>|+ `, r) {
			return '_'
		}
		return r
	}, variant) + ".jsonl"
}

func replayFile(t *testing.T, g env.Game, name string) {
	t.Helper()
	f := must.Have(os.Open(name))(t)
	defer f.Close()
	rec, err := record.Read(name, f)
	if err == nil {
		err = rec.Replay(g, nil)
	}
	if err != nil {
		t.Error(err)
	}
}
