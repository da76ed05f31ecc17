package train

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

func TestSettings(t *testing.T) {
	c := DefaultConfig("kuhn")
	c.Hidden, c.Opponents = []int{64, 32}, []string{"random", `net:a "b",argmax`}
	must.Do(t, c.Check())
	names := map[string]bool{}
	for _, s := range Settings() {
		if names[s.Name] || s.Name == "" || s.Help == "" {
			t.Errorf("setting %q is declared twice, or lacks something", s.Name)
		}
		names[s.Name] = true
		var other Config
		if err := s.Set(&other, s.Text(&c)); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		if got, want := s.value(&other).Interface(), s.value(&c).Interface(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v becomes %v as a text", s.Name, want, got)
		}
	}
}

func TestSettingsRefuse(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"num_envs", "0", `num_envs cannot be "0": it is a whole number from 1 to 65536`},
		{"num_envs", "1.5", "whole number"},
		{"num_envs", "", "whole number"},
		{"decisions", "2000000000000000", "from -1 to 1000000000000000"},
		{"gamma", "0", `gamma cannot be "0": it is a number above 0 and up to 1`},
		{"gamma", "2", "above 0 and up to 1"},
		{"gamma", "NaN", "above 0 and up to 1"},
		{"gae_lambda", "-0.1", "a number from 0 to 1"},
		{"seed", "18446744073709551616", "a whole number from 0 to 18446744073709551615"},
		{"hidden", "8,0", "whole numbers from 1 to 16384, joined by commas"},
		{"hidden", "8,,8", "whole numbers"},
		{"opponents", `"a`, "texts, joined by commas"},
		{"opponents", "a\nb", "texts, joined by commas"},
	} {
		for _, s := range Settings() {
			if s.Name != test.name {
				continue
			}
			c := DefaultConfig("kuhn")
			if err := s.Set(&c, test.text); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s = %q: error %v, want %q", test.name, test.text, err, test.want)
			}
		}
	}
}

// A config is read as it was written, with any seed.
func TestConfigFile(t *testing.T) {
	dir := t.TempDir()
	for _, seed := range []datafile.Seed{0, 1, 1<<63 - 1, 1 << 63, math.MaxUint64} {
		c := DefaultConfig("kuhn:players=2")
		c.Seed, c.Hidden, c.Opponents, c.LearningRate = seed, []int{7}, []string{`remote:a "b" 'c'`, "net:x,argmax"}, 1e-7
		must.Do(t, c.write(dir))
		if got, err := ReadConfig(dir); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("read %+v (%v)\nwrote %+v", got, err, c)
		}
	}
}

func TestConfigFileRefuses(t *testing.T) {
	dir := t.TempDir()
	c := DefaultConfig("kuhn")
	for _, test := range []struct{ old, new, want string }{
		{"seed = 1", "seed = -1", "seed: -1 is not a whole number that is allowed here"},
		{"seed = 1", `seed = "many"`, `a seed cannot be "many": it is a whole number from 0 to 18446744073709551615`},
		{"num_envs = 128", "num_envs = 0", "num_envs cannot be 0: it is a whole number from 1 to 65536"},
		{"opponents = ['random', ", "opponents = ['background:steward', ", "background populations are kept for measuring"},
		{"clone = ['net:']", "clone = ['background:steward']", "background populations are kept for measuring"},
		{"gamma = 1.0", "gamma = nan", "gamma cannot be NaN: it is a number above 0 and up to 1"},
		{"hidden = [256, 256]", "hidden = []", "hidden has 0 layers"},
		{"hidden = [256, 256]", "hidden = [0]", "hidden cannot be 0: it is whole numbers from 1 to 16384"},
		{"gae_lambda", "lambda", ": unknown key lambda"},
		{"num_envs", "numenvs", ": unknown key numenvs"},
	} {
		text := strings.Replace(c.Text(), test.old, test.new, 1)
		if text == c.Text() {
			t.Fatalf("the config has no %q:\n%s", test.old, text)
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, ConfigFile), []byte(text), 0o600))
		if _, err := ReadConfig(dir); err == nil || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), ConfigFile) {
			t.Errorf("%s: error %v, want %q", test.new, err, test.want)
		}
	}
}
