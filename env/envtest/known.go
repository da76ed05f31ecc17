package envtest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/decode"
)

// checkKnown tests what the game declares that a seat may know of a position: it is a part of the truth, and the same
// in positions that the seat can't tell apart. What is left out is noted, for idle.
func checkKnown(s *subject) error {
	s.secrets.looked++
	other := s.game.New()
	err := s.lookAlso(s.asksInSecret, func(st env.State, p *play, n int) error {
		whole := st.AppendPosition(nil)
		for me := range env.Player(s.info.Players) {
			known, err := env.KnownPosition(st, me)
			if err == nil {
				err = knownPart(known, whole, s.secrets.left)
			}
			if err != nil {
				return fmt.Errorf("what player %d may know of the position: %w\n\t%s\n\tof %s", me, err, known, whole)
			}
			for k := range uint64(2) {
				other.CopyFrom(st)
				other.Redeal(me, uint64(n)*64+uint64(me)*2+k)
				again, err := env.KnownPosition(other, me)
				if err != nil || !bytes.Equal(known, again) {
					return fmt.Errorf("player %d may not know all that it is said to know of the position (%v):\n\t%s\n\tand in a "+
						"redealt State\n\t%s",
						me, err, known, again)
				}
				if err := differences(whole, other.AppendPosition(nil), s.secrets.moved); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := env.KnownPosition(other, env.Spectator); err == nil {
		return errors.New("who has no seat knows a position")
	}
	return nil
}

// asksInSecret says whether somebody may not know who is asked.
func (s *subject) asksInSecret(st env.State) bool {
	for p := range env.Player(s.info.Players) {
		if env.ActorSeenBy(st, p) != st.Actor() {
			return true
		}
	}
	return false
}

// secretPlaces are the places of a game's positions that somebody may not know, and those that redeals have changed, in
// all its configurations together: some secrets come up seldom.
type secretPlaces struct {
	left, moved map[string]bool
	looked      int // in so many configurations
}

// idle reports what is kept from somebody though no redeal has changed it, but for what does so seldom.
func (s *secretPlaces) idle(seldom []string) error {
	for _, path := range slices.Sorted(maps.Keys(s.left)) {
		if !slices.Contains(seldom, path) && !slices.ContainsFunc(slices.Collect(maps.Keys(s.moved)),
			func(p string) bool { return strings.HasPrefix(p+".", path+".") }) {
			return fmt.Errorf("%s of the position is kept from somebody, though no redeal has changed it", path)
		}
	}
	return nil
}

// anywhere is a path in a position where all seats, and all places of a list, are alike.
func anywhere(path string) string { return placeNumber.ReplaceAllString(path, "$1*") }

var placeNumber = regexp.MustCompile(`(^|\.)\d+\b`)

// knownPart demands that one position is a part of another, and notes what it lacks.
func knownPart(part, whole []byte, left map[string]bool) error {
	var a, b any
	if err := errors.Join(decode.Numbers(part, &a), decode.Numbers(whole, &b)); err != nil {
		return err
	}
	return partOf(a, b, "", left)
}

func partOf(a, b any, path string, left map[string]bool) error {
	wrong := func() error {
		return fmt.Errorf("%s is %s, and %s in truth", path, decode.Compact(a), decode.Compact(b))
	}
	switch b := b.(type) {
	case map[string]any:
		a, ok := a.(map[string]any)
		if !ok {
			return wrong()
		}
		for name := range a {
			if _, ok := b[name]; !ok {
				return fmt.Errorf("%s is not there in truth", decode.Join(path, name))
			}
		}
		for name, value := range b {
			inner := decode.Join(path, name)
			if _, ok := a[name]; !ok {
				left[anywhere(inner)] = true
			} else if err := partOf(a[name], value, inner, left); err != nil {
				return err
			}
		}
	case []any:
		a, ok := a.([]any)
		if !ok || len(a) != len(b) {
			return wrong()
		}
		last := len(a) // of those known, where they come first
		for last > 0 && a[last-1] == nil {
			last--
		}
		for i := range b {
			inner := decode.Join(path, strconv.Itoa(i))
			text, isText := a[i].(string)
			switch {
			case a[i] == nil && b[i] != nil:
				left[anywhere(inner)] = true
			case isText && last < len(a) && slices.Contains(b, any(text)): // a set: of its cards the known ones come first
			default:
				if err := partOf(a[i], b[i], inner, left); err != nil {
					return err
				}
			}
		}
	default:
		if a != b {
			return wrong()
		}
	}
	return nil
}

// differences notes where two positions differ.
func differences(one, two []byte, at map[string]bool) error {
	if bytes.Equal(one, two) {
		return nil
	}
	var a, b any
	if err := errors.Join(decode.Numbers(one, &a), decode.Numbers(two, &b)); err != nil {
		return err
	}
	differ(a, b, "", at)
	return nil
}

func differ(a, b any, path string, at map[string]bool) {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			at[anywhere(path)] = true
			return
		}
		for name := range b {
			if _, ok := a[name]; !ok {
				at[anywhere(decode.Join(path, name))] = true
			}
		}
		for name, value := range a {
			if other, ok := b[name]; ok {
				differ(value, other, decode.Join(path, name), at)
			} else {
				at[anywhere(decode.Join(path, name))] = true
			}
		}
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			at[anywhere(decode.Join(path, "0"))] = true
			at[anywhere(path)] = true
			return
		}
		for i := range a {
			differ(a[i], b[i], decode.Join(path, strconv.Itoa(i)), at)
		}
	default:
		if a != b {
			at[anywhere(path)] = true
		}
	}
}
