package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

// Numbers that no run can have written are refused with their line, so that nobody has to draw them.
func TestMetricsAreBounded(t *testing.T) {
	for text, want := range map[string]string{
		`{"decisions":9223372036854775807}`:          "metrics.jsonl:2: decisions is 9223372036854775807",
		`{"cloned":-5}`:                              "metrics.jsonl:2: cloned is -5",
		`{"update":4611686018427387904}`:             "metrics.jsonl:2: update is 4611686018427387904",
		`{"strength":9.2e18}`:                        "metrics.jsonl:2: strength is 9.2e+18: a lead lies between -2 and 2",
		`{"field":{"random":{"lead":-9.2e18}}}`:      "metrics.jsonl:2: the lead over random is -9.2e+18",
		`{"field":{"random":{"lead":2}},"update":7}`: "",
		`{"strength":1,"sharpness":2.5}`:             "", // the last line of a run of before
	} {
		dir := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(dir, MetricsFile), []byte("{}\n"+text+"\n"), 0o666))
		updates, err := ReadMetrics(dir)
		if want == "" && (err != nil || len(updates) != 2) || want != "" &&
			(err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %d updates, %v; want %s", text, len(updates), err, want)
		}
	}
}
