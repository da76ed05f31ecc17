package envtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// A number that changes its meaning is found, and -update does not cover it up: the encoding version has to
// be raised.
func TestGoldenEncoding(t *testing.T) {
	dir := t.TempDir()
	for _, text := range new(fault).Rulebook().Variants {
		b := must.Have(os.ReadFile(filepath.Join("kuhn", "testdata", "golden", GoldenName(text))))(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, GoldenName(text)), b, 0o644))
	}
	turned := func(s *faulty, dst []float32, p env.Player) {
		s.State.Observe(dst, p)
		dst[0], dst[1] = dst[1], dst[0] // the same layout
	}
	raised := func(i *env.Info) { i.Encoding = 2 }
	for _, tt := range []struct {
		what   string
		fault  fault
		update bool
		want   string
	}{
		{"nothing signed", fault{}, false, "-update writes it"},
		{"signed", fault{}, true, ""},
		{"the same", fault{}, false, ""},
		{"another meaning", fault{observe: turned}, false, "the encoding version is still 1: raise it"},
		{"another meaning with -update", fault{observe: turned}, true, "the encoding version is still 1: raise it"},
		{"raised", fault{observe: turned, info: raised}, false, "-update rewrites it"},
		{"raised with -update", fault{observe: turned, info: raised}, true, ""},
		{"from then on", fault{observe: turned, info: raised}, false, ""},
		{"back again", fault{info: raised}, false, "the encoding version is still 2: raise it"},
	} {
		if err := goldenEncoding(tt.fault.Rulebook(), dir, tt.update); tt.want == "" && err != nil || tt.want != "" &&
			(err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.what, err, tt.want)
		}
	}
}
