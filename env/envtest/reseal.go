package envtest

import (
	"regexp"
	"strings"

	"earthgym/env/seal"
)

// Reseal gives a text that was changed the checksums that belong to what it says now (package seal), as whoever forges
// it would write them: a JSON object, or lines, of which those that carry a sum get their own, behind the texts that
// the chain begins with.
func Reseal(text string, begin ...string) string {
	sum := regexp.MustCompile(`,\s*"sum": ?"[0-9a-f]{16}"`)
	chain := seal.Begin(begin...)
	lines := []string{text}
	if !strings.HasPrefix(text, "{\n") { // An object on several lines is one text.
		lines = strings.SplitAfter(text, "\n")
	}
	var b strings.Builder
	for _, line := range lines {
		if !sum.MatchString(line) {
			chain.Add([]byte(strings.Replace(line, "\r\n", "\n", 1)))
			b.WriteString(line)
			continue
		}
		b.Write(chain.Seal([]byte(strings.Replace(sum.ReplaceAllString(line, ""), "\r\n", "\n", 1))))
	}
	return b.String()
}
