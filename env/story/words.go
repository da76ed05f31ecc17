package story

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/spelling"
)

// Words is a catalogue: the words of a game's story. As a file it is TOML:
//
//	[general]    # player, hidden (an actor that isn't shown), and (before the last of a list)
//	player = "player {n}"
//
//	[sentences]  # by the keys of facts
//	settle = "{player} settles field {field} for {n|one stone|{n} stones}"
//
//	[changes]    # by what has changed; {by} has its sign, {now} is the number after it
//	res = "RES {by}"
//
//	[names.event]  # by kind and id
//	drought = "Drought"
//
//	[names.player]  # seats with names, such as colours, by their numbers; the others are [general]'s player
//	0 = "WHITE"
//
// A place {name} is filled with an argument; {name|one|more} is the one text where the number is 1, and else the
// other. The first letter of a sentence is made a capital.
type Words struct {
	general   map[string]template
	sentences map[string]template
	changes   map[string]template
	names     map[string]map[string]string
}

// generalKeys are those of [general].
var generalKeys = []string{"player", "hidden", "and"}

// ReadWords reads a catalogue.
func ReadWords(file datafile.File) (*Words, error) {
	var tables struct {
		General   map[string]string            `toml:"general"`
		Sentences map[string]string            `toml:"sentences"`
		Changes   map[string]string            `toml:"changes"`
		Names     map[string]map[string]string `toml:"names"`
	}
	lines, err := file.DecodePart(&tables)
	if err != nil {
		return nil, err
	}
	w := &Words{names: tables.Names}
	for _, t := range []struct {
		name  string
		texts map[string]string
		into  *map[string]template
	}{
		{"general", tables.General, &w.general},
		{"sentences", tables.Sentences, &w.sentences},
		{"changes", tables.Changes, &w.changes},
	} {
		*t.into = map[string]template{}
		for _, key := range slices.Sorted(maps.Keys(t.texts)) {
			parsed, err := parseTemplate(t.texts[key])
			if err != nil {
				return nil, lines.Errorf(t.name+"."+key, "%s.%s: %v", t.name, key, err)
			}
			(*t.into)[key] = parsed
		}
	}
	for _, key := range generalKeys {
		if _, ok := w.general[key]; !ok {
			return nil, lines.Errorf("general", "general.%s is missing", key)
		}
	}
	return w, nil
}

// Keys are the keys of all sentences, sorted.
func (w *Words) Keys() []string { return slices.Sorted(maps.Keys(w.sentences)) }

// ChangeKeys are the keys of all changes, sorted.
func (w *Words) ChangeKeys() []string { return slices.Sorted(maps.Keys(w.changes)) }

// Sentence is a fact in words.
func (w *Words) Sentence(f *Fact) (string, error) {
	t, ok := w.sentences[f.Key]
	if !ok {
		return "", fmt.Errorf("the catalogue has no sentence %q", f.Key)
	}
	text, err := t.fill(func(name string) (any, bool) {
		if name == "player" {
			return f.Player, true
		}
		v, ok := f.Args[name]
		return v, ok
	}, w)
	if err != nil {
		return "", fmt.Errorf("sentence %q: %w", f.Key, err)
	}
	changes, err := w.changed(f)
	if err != nil {
		return "", fmt.Errorf("sentence %q: %w", f.Key, err)
	}
	return spelling.Capital(text + changes), nil
}

// changed are the changes of a fact: its player's and the table's first, then those of others, each under its
// name.
func (w *Words) changed(f *Fact) (string, error) {
	text, between, last := "", ": ", f.Player
	for _, c := range f.grouped() {
		t, ok := w.changes[c.What]
		if !ok {
			return "", fmt.Errorf("the catalogue has no change %q", c.What)
		}
		if c.Player != last && c.Player != env.Over {
			if text != "" {
				between = "; "
			}
			who, err := w.word(c.Player)
			if err != nil {
				return "", err
			}
			between += who + " "
			last = c.Player
		}
		change, err := t.fill(func(name string) (any, bool) {
			switch name {
			case "by":
				return fmt.Sprintf("%+d", c.By), true
			case "now":
				return c.Now, true
			}
			return nil, false
		}, w)
		if err != nil {
			return "", fmt.Errorf("change %q: %w", c.What, err)
		}
		text += between + change
		between = ", "
	}
	return text, nil
}

// Spread is a change of a number of p's in words, by low to high from what it was: "RES -2…+1", under p's name unless p
// is the listener.
func (w *Words) Spread(listener, p env.Player, what string, was, low, high int) (string, error) {
	t, ok := w.changes[what]
	if !ok {
		return "", fmt.Errorf("the catalogue has no change %q", what)
	}
	by, now := fmt.Sprintf("%+d", low), fmt.Sprint(was+low)
	if high != low {
		by, now = fmt.Sprintf("%s…%+d", by, high), fmt.Sprintf("%s…%d", now, was+high)
	}
	text, err := t.fill(func(name string) (any, bool) {
		if name == "now" {
			return now, true
		}
		return by, name == "by"
	}, w)
	if err != nil || p == env.Over || p == listener {
		return text, err
	}
	who, err := w.word(p)
	return who + " " + text, err
}

// word is an argument in words.
func (w *Words) word(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int:
		return fmt.Sprint(v), nil
	case env.Player:
		if v < 0 {
			return w.general["hidden"].fill(nil, w)
		}
		if text, ok := w.names["player"][fmt.Sprint(int(v))]; ok {
			return text, nil
		}
		return w.general["player"].fill(func(name string) (any, bool) { return int(v), name == "n" }, w)
	case Name:
		if text, ok := w.names[v.Kind][v.ID]; ok {
			return text, nil
		}
		if v.Text != "" {
			return v.Text, nil
		}
		return v.ID, nil
	case []any:
		and, err := w.general["and"].fill(nil, w)
		if err != nil {
			return "", err
		}
		text := ""
		for i, e := range v {
			switch {
			case i == 0:
			case i == len(v)-1:
				text += " " + and + " "
			default:
				text += ", "
			}
			word, err := w.word(e)
			if err != nil {
				return "", err
			}
			text += word
		}
		return text, nil
	}
	return "", fmt.Errorf("a %T is no argument", v)
}

// A template is a text with places to fill.
type template []part

// A part is a text, or a place.
type part struct {
	text      string
	place     string
	forms     bool
	one, more template
}

// maxTemplate bounds the bytes of a template: reading takes time with the square of their number.
const maxTemplate = 1000

// parseTemplate reads a text with places {name} and {name|one|more}.
func parseTemplate(text string) (template, error) {
	if len(text) > maxTemplate {
		return nil, fmt.Errorf("a text has at most %d bytes, not %d", maxTemplate, len(text))
	}
	var t template
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		if before != "" {
			if strings.Contains(before, "}") {
				return nil, errors.New("a } without its {")
			}
			t = append(t, part{text: before})
		}
		if !found {
			break
		}
		end, depth := 0, 1
		var bars []int
		for ; end < len(rest); end++ {
			switch rest[end] {
			case '{':
				depth++
			case '}':
				depth--
			case '|':
				if depth == 1 {
					bars = append(bars, end)
				}
			}
			if depth == 0 {
				break
			}
		}
		if depth > 0 {
			return nil, errors.New("a { without its }")
		}
		switch len(bars) {
		case 0:
			t = append(t, part{place: rest[:end]})
		case 2:
			one, err := parseTemplate(rest[bars[0]+1 : bars[1]])
			if err != nil {
				return nil, err
			}
			more, err := parseTemplate(rest[bars[1]+1 : end])
			if err != nil {
				return nil, err
			}
			t = append(t, part{place: rest[:bars[0]], forms: true, one: one, more: more})
		default:
			return nil, fmt.Errorf("{%s}: a place is {name} or {name|one|more}", rest[:end])
		}
		text = rest[end+1:]
	}
	return t, nil
}

// fill puts arguments into the places.
func (t template) fill(arg func(name string) (any, bool), w *Words) (string, error) {
	var b strings.Builder
	for _, p := range t {
		if p.place == "" {
			b.WriteString(p.text)
			continue
		}
		v, ok := any(nil), false
		if arg != nil {
			v, ok = arg(p.place)
		}
		if !ok {
			return "", fmt.Errorf("nothing fills {%s}", p.place)
		}
		var text string
		var err error
		switch n, isNumber := v.(int); {
		case !p.forms:
			text, err = w.word(v)
		case !isNumber:
			err = fmt.Errorf("{%s|…}: %v is no number", p.place, v)
		case n == 1:
			text, err = p.one.fill(arg, w)
		default:
			text, err = p.more.fill(arg, w)
		}
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}
