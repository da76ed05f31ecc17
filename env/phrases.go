package env

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
)

// A phrase is what a table says in another language: the English text, of which places stand for anything, and the other.
type phrase struct {
	parts  []string // between the places; one more than there are places
	places []string
	other  template
	length int // of the parts
}

// phrases are the words of a table, by their English text.
type phrases struct {
	whole map[string]string // of those without places
	open  []phrase          // the longest first: it says most
}

// readPhrases reads the words of a table.
func readPhrases(texts map[string]string) (p phrases, key string, err error) {
	p.whole = map[string]string{}
	for english, other := range texts {
		t, err := parseTemplate(english)
		if err == nil && len(t) > 0 {
			err = p.add(english, t, other)
		}
		if err != nil {
			return p, english, err
		}
	}
	slices.SortFunc(p.open, func(x, y phrase) int {
		return cmp.Or(cmp.Compare(y.length, x.length), slices.Compare(x.parts, y.parts))
	})
	return p, "", nil
}

func (p *phrases) add(english string, t template, other string) error {
	f := phrase{parts: []string{""}}
	for i, part := range t {
		switch {
		case part.forms:
			return errors.New("what a table says has no {name|one|more}")
		case part.place == "":
			f.parts[len(f.parts)-1] = part.text
			f.length += len(part.text)
		case i > 0 && t[i-1].place != "":
			return errors.New("two places stand side by side")
		case slices.Contains(f.places, part.place):
			return fmt.Errorf("{%s} stands twice", part.place)
		default:
			f.places, f.parts = append(f.places, part.place), append(f.parts, "")
		}
	}
	if len(f.places) == 0 {
		p.whole[english] = other
		return nil
	}
	if f.length == 0 {
		return errors.New("it is nothing but places")
	}
	var err error
	if f.other, err = parseTemplate(other); err != nil {
		return err
	}
	if err := f.other.within(map[string]template{english: t}, english); err != nil {
		return err
	}
	p.open = append(p.open, f)
	return nil
}

// match is what stands in the places of a text; nil if it is another text.
func (f *phrase) match(text string) []string {
	text, ok := strings.CutPrefix(text, f.parts[0])
	if !ok {
		return nil
	}
	filled := make([]string, 0, len(f.places))
	for i, part := range f.parts[1:] {
		if i == len(f.places)-1 { // The last one takes all that is left.
			text, ok = strings.CutSuffix(text, part)
			if !ok || text == "" {
				return nil
			}
			return append(filled, text)
		}
		if len(text) == 0 {
			return nil
		}
		at := strings.Index(text[1:], part) // A place is not empty.
		if at < 0 {
			return nil
		}
		filled, text = append(filled, text[:at+1]), text[at+1+len(part):]
	}
	return nil
}

// Say is what a table says (a question, a choice, a label on its board) in these words; in English where they have no
// others for it.
func (w *Words) Say(text string) string {
	if w == nil || text == "" {
		return text
	}
	if other, ok := w.table.whole[text]; ok {
		return other
	}
	for i := range w.table.open {
		f := &w.table.open[i]
		filled := f.match(text)
		if filled == nil {
			continue
		}
		other, err := f.other.fill(func(name string) (any, bool) {
			at := slices.Index(f.places, name)
			if at < 0 {
				return nil, false
			}
			if word, ok := w.table.whole[filled[at]]; ok {
				return word, true
			}
			return filled[at], true
		}, w)
		if err == nil {
			return other
		}
	}
	return text
}

// Draw is a picture with its labels in these words.
func (w *Words) Draw(svg []byte) string {
	if w == nil || len(w.table.whole)+len(w.table.open) == 0 {
		return string(svg)
	}
	var b strings.Builder
	for len(svg) > 0 {
		label, rest, found := nextLabel(svg)
		if !found {
			break
		}
		b.Write(svg[:len(svg)-len(label)-len(rest)])
		b.WriteString(html.EscapeString(w.Say(html.UnescapeString(string(label)))))
		svg = rest
	}
	b.Write(svg)
	return b.String()
}

// Labels are the texts of a picture: what is written on it, and the names of its parts.
func Labels(svg []byte) (labels []string) {
	for {
		label, rest, found := nextLabel(svg)
		if !found {
			return labels
		}
		labels = append(labels, html.UnescapeString(string(label)))
		svg = rest
	}
}

// nextLabel is the next text of a picture, and what comes after it.
func nextLabel(svg []byte) (label, rest []byte, found bool) {
	const text, view = "</text>", `<view id="`
	begin := 0
	if bytes.HasPrefix(svg, []byte(text)) { // of the label before
		begin = len(text)
	}
	end, name := bytes.Index(svg[begin:], []byte(text)), bytes.Index(svg[begin:], []byte(view))
	if name >= 0 && (end < 0 || name < end) {
		from := begin + name + len(view)
		if to := bytes.IndexByte(svg[from:], '"'); to >= 0 {
			return svg[from : from+to], svg[from+to:], true
		}
	}
	if end < 0 {
		return nil, nil, false
	}
	end += begin
	from := bytes.LastIndexByte(svg[:end], '>') + 1
	return svg[from:end], svg[end:], true
}
