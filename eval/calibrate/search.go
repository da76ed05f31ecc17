package calibrate

import "regexp"

var sims = regexp.MustCompile(`\bsims=\d+`)

// Cheaper is a search with 64 simulations a decision by one worker, for matches of many games at a time.
func Cheaper(search string) string {
	search = sims.ReplaceAllString(search, "sims=64")
	return regexp.MustCompile(`,workers=\d+`).ReplaceAllString(search, "")
}
