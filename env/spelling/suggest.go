// Package spelling is for texts that people and programs type: what may have been meant by a word that does
// not exist, and a foreign text as it may be shown.
package spelling

import (
	"cmp"
	"slices"
	"strings"
)

// Suggest ends an error about an unknown word: the near miss, if there is one, and all that there is.
// It gives, for example, `did you mean "players"? there are: players, mode`. Near a word of parts, such as
// "script:strong", is also what is near one of them.
func Suggest(word string, among []string) string {
	all := "there are: " + strings.Join(among, ", ")
	if len(among) == 0 {
		all = "there are none"
	}
	if best := Nearest(word, among); best != "" {
		return `did you mean "` + best + `"? ` + all
	}
	return all
}

// Nearest is the word that somebody may have meant who typed another, "" if none is near.
func Nearest(word string, among []string) string {
	best, least := "", len(word)/3+2
	word = strings.ToLower(word)
	for _, w := range among {
		for _, part := range append(strings.Split(w, ":"), w) {
			lower := strings.ToLower(part)
			if len(word)-len(lower) >= least { // So many letters are to go; a word may be as long as a message.
				continue
			}
			if d := distance(word, lower); d < least && len(part) > 1 {
				best, least = w, d
			}
		}
	}
	return best
}

// NearestOf are up to five texts of several words that somebody may have meant who wrote another, the nearest first:
// those that share words with it, in particular the first one, and then those that are spelt alike.
func NearestOf(text string, among []string) []string {
	words := strings.Fields(strings.ToLower(text))
	type candidate struct {
		text           string
		shared, change int
	}
	var all []candidate
	for _, t := range among {
		c := candidate{text: t, change: editDistance(strings.ToLower(text), strings.ToLower(t))}
		for i, w := range strings.Fields(strings.ToLower(t)) {
			switch {
			case i == 0 && len(words) > 0 && w == words[0]:
				c.shared += 2
			case slices.Contains(words, w):
				c.shared++
			}
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.shared, a.shared), cmp.Compare(a.change, b.change))
	})
	var near []string
	for _, c := range all[:min(5, len(all))] {
		near = append(near, c.text)
	}
	return near
}

// distance is how far a word that was typed is from one that there is: little for one cut short.
func distance(word, w string) int {
	if word != "" && word != w && strings.HasPrefix(w, word) {
		return 1
	}
	return editDistance(word, w)
}

// editDistance is the number of insertions, deletions, changes and swaps of neighbours between a and b.
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
