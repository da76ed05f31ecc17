package env

import (
	"fmt"
	"strconv"
	"strings"
)

// Describe tells an observation in sentences: a line for each feature that is not 0 throughout, in the order
// of the layout. A number is told by the words of its place, "= 1" left out, and numbers that share all words
// but the last stand together.
func (i *Info) Describe(row []float32) ([]string, error) {
	if len(row) != i.observation {
		return nil, fmt.Errorf("%s: an observation has %d numbers, not %d", i.Name, i.observation, len(row))
	}
	var lines []string
	for _, f := range i.Features {
		if text := f.describe(row[f.Offset : f.Offset+f.Size()]); text != "" {
			lines = append(lines, fmt.Sprintf("%s (%s): %s", f.Name, f.Help, text))
		}
	}
	return lines, nil
}

// describe tells the numbers of a feature that are not 0, or "".
func (f *Feature) describe(numbers []float32) string {
	last := f.Shape[len(f.Shape)-1]
	var groups []string
	for from := 0; from < len(numbers); from += last {
		var words []string
		for k, x := range numbers[from : from+last] {
			if x == 0 {
				continue
			}
			word := f.word(len(f.Shape)-1, k)
			switch {
			case len(numbers) == 1:
				word = formatFeature(x)
			case x != 1:
				word += " = " + formatFeature(x)
			}
			words = append(words, word)
		}
		if words == nil {
			continue
		}
		text := strings.Join(words, ", ")
		if head := f.place(from / last); head != "" {
			text = head + ": " + text
		}
		groups = append(groups, text)
	}
	return strings.Join(groups, "; ")
}

// place is the words of all dimensions but the last, for the k-th run of the last.
func (f *Feature) place(k int) string {
	words := make([]string, len(f.Shape)-1)
	for d := len(words) - 1; d >= 0; d-- {
		words[d] = f.word(d, k%f.Shape[d])
		k /= f.Shape[d]
	}
	return strings.Join(words, " ")
}

// word names an index of a dimension.
func (f *Feature) word(d, k int) string {
	if d < len(f.Axes) && k < len(f.Axes[d]) {
		return f.Axes[d][k]
	}
	return "[" + strconv.Itoa(k) + "]"
}

func formatFeature(x float32) string { return strconv.FormatFloat(float64(x), 'g', 4, 32) }
