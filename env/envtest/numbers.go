package envtest

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strings"

	"earthgym/env"
)

// checkObservation tests the numbers that players see: all written, in the range of their feature.
func checkObservation(s *subject) error {
	one, two := make([]float32, s.info.Observation()), make([]float32, s.info.Observation())
	return s.look(func(st env.State, _ *play, _ int) error {
		if err := cmp.Or(checkMeasures(st, s.info), checkCommons(st, s.info), checkOutlook(st, s.info)); err != nil {
			return err
		}
		for p := range env.Player(s.info.Players) {
			for i := range one {
				one[i], two[i] = float32(math.NaN()), 12345
			}
			st.Observe(one, p)
			st.Observe(two, p)
			for i, x := range one {
				if f, at := s.feature(i); x != two[i] {
					return fmt.Errorf("player %d: %s%v is not written, or differs from one call to the next", p, f.Name, at)
				} else if !(x >= f.Low && x <= f.High) {
					return fmt.Errorf("player %d: %s%v is %v, not in [%v, %v]", p, f.Name, at, x, f.Low, f.High)
				}
			}
			if pot, ok := st.(env.Potential); ok {
				if x := pot.Potential(p); !(math.Abs(x) <= 2) {
					return fmt.Errorf("player %d: the potential is %v; it should be about in [-1, 1]", p, x)
				}
			}
		}
		return nil
	})
}

// checkCommons tests that what is shared is between whole and lost, and is pushed over by seats of the table.
func checkCommons(st env.State, info *env.Info) error {
	c, ok := st.(env.Commons)
	if !ok {
		return nil
	}
	depletion := c.Depletion()
	lost, culprits := c.LostBy()
	switch {
	case !(depletion >= 0 && depletion <= 1):
		return fmt.Errorf("the depletion of what is shared is %v, not in [0, 1]", depletion)
	case lost && depletion != 1:
		return fmt.Errorf("what is shared is lost at a depletion of %v, not 1", depletion)
	case lost && st.Actor() != env.Over:
		return errors.New("what is shared is lost, and the game goes on")
	case !lost && culprits != env.Nobody:
		return fmt.Errorf("seats %v have pushed over what is not lost", culprits.List())
	case culprits>>info.Players != 0:
		return fmt.Errorf("seats %v have pushed it over; there are seats 0 to %d", culprits.List(), info.Players-1)
	}
	return nil
}

// checkOutlook tests that what a State foresees are returns, and that it foresees them only while the game goes on.
func checkOutlook(st env.State, info *env.Info) error {
	o, ok := st.(env.Outlook)
	if !ok {
		return nil
	}
	dst := make([]float64, info.Players)
	for i := range dst {
		dst[i] = 12345
	}
	foreseen := o.Outlook(dst)
	if foreseen && st.Actor() == env.Over {
		return errors.New("the outlook is that of a game that is over")
	}
	for p, x := range dst {
		switch {
		case !foreseen && x != 12345:
			return fmt.Errorf("the outlook of seat %d is written though it can't be said", p)
		case foreseen && !(math.Abs(x) <= 1):
			return fmt.Errorf("the outlook of seat %d is %v, not in [-1, 1]", p, x)
		}
	}
	return nil
}

// checkMeasures tests that a State measures what its Info lists.
func checkMeasures(st env.State, info *env.Info) error {
	m, ok := st.(env.Measurer)
	if ok != (len(info.Measures) > 0) {
		return fmt.Errorf("the Info lists %d measures, and the State is a Measurer: %t", len(info.Measures), ok)
	}
	if !ok {
		return nil
	}
	dst := make([]float64, len(info.Measures))
	for i := range dst {
		dst[i] = math.NaN()
	}
	m.Measures(dst)
	for i, x := range dst {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("the measure %q is %v, or not written", info.Measures[i].Name, x)
		}
	}
	return nil
}

// feature is the feature of a number of the observation, and its place there.
func (s *subject) feature(i int) (env.Feature, []int) {
	features := s.info.Features
	f := features[sort.Search(len(features), func(k int) bool { return features[k].Offset > i })-1]
	at := make([]int, len(f.Shape))
	rest := i - f.Offset
	for d := len(at) - 1; d >= 0; d-- {
		at[d] = rest % f.Shape[d]
		rest /= f.Shape[d]
	}
	return f, at
}

// checkReading tests that looking at a State does not change it.
func checkReading(s *subject) error {
	obs := make([]float32, s.info.Observation())
	mask := make(env.Mask, s.info.MaskWords())
	dst, measures := make([]float64, s.info.Players), make([]float64, len(s.info.Measures))
	return s.look(func(st env.State, _ *play, _ int) error {
		before := copyOf(st)
		readers := []struct {
			name string
			read func(p env.Player)
		}{
			{"Observe", func(p env.Player) { st.Observe(obs, p) }},
			{"Legal", func(env.Player) { st.Legal(mask) }},
			{"Why", func(env.Player) {
				for a := range env.Action(len(s.info.Actions)) {
					st.Why(a)
				}
			}},
			{"Returns", func(env.Player) { st.Returns(dst) }},
			{"Scores", func(env.Player) { st.Scores(dst) }},
			{"Measures", func(env.Player) {
				if m, ok := st.(env.Measurer); ok {
					m.Measures(measures)
				}
			}},
			{"AppendPosition", func(env.Player) { st.AppendPosition(nil) }},
			{"Potential", func(p env.Player) {
				if pot, ok := st.(env.Potential); ok {
					pot.Potential(p)
				}
			}},
			{"Outlook", func(env.Player) {
				if o, ok := st.(env.Outlook); ok {
					o.Outlook(dst)
				}
			}},
			{"AppendText", func(p env.Player) { env.TextView(st, p) }},
			{"AppendSVG", func(p env.Player) { env.Drawing(st, p) }},
			{"ActorSeenBy", func(p env.Player) { env.ActorSeenBy(st, p) }},
			{"WitnessedBy", func(p env.Player) {
				w, ok := st.(env.Witness)
				for _, a := range env.LegalActions(st) {
					if ok {
						w.WitnessedBy(p, a)
					}
				}
			}},
		}
		for _, r := range readers {
			for p := range env.Player(s.info.Players) {
				if r.read(p); !st.Equal(before) {
					return fmt.Errorf("%s changes the State", r.name)
				}
			}
		}
		return nil
	})
}

// checkTexts tests what people read: the texts of legal actions parse, views say something, drawings
// are XML, and all that appends keeps what was there.
func checkTexts(s *subject) error {
	return s.look(func(st env.State, _ *play, _ int) error {
		for _, a := range env.LegalActions(st) {
			text := env.ActionText(st, a)
			if got, err := s.info.Parse(text); err != nil || got != a {
				return fmt.Errorf("action %d is written %q, which is parsed as %d: %w", a, text, got, err)
			}
		}
		prefix := []byte("before ")
		if !bytes.HasPrefix(st.AppendPosition(prefix), prefix) {
			return errors.New("AppendPosition does not append")
		}
		// Where nothing is hidden, all see one picture. Those who look on see one that checkBoard reads, mark by mark.
		read := map[string]bool{env.Drawing(st, env.Spectator): true}
		for _, p := range s.viewers() {
			if t, ok := st.(env.Texter); ok {
				if b := t.AppendText(prefix, p); !bytes.HasPrefix(b, prefix) || len(b) == len(prefix) {
					return fmt.Errorf("AppendText for viewer %d appends nothing, or not to what was there", p)
				}
			}
			if d, ok := st.(env.Drawer); ok {
				b := d.AppendSVG(prefix, p)
				if !bytes.HasPrefix(b, prefix) {
					return fmt.Errorf("AppendSVG for viewer %d does not append", p)
				}
				svg := string(b[len(prefix):])
				if read[svg] {
					continue
				}
				read[svg] = true
				if err := wellFormed(svg); err != nil {
					return fmt.Errorf("the drawing for viewer %d is not well-formed: %w", p, err)
				}
			}
		}
		return nil
	})
}

// viewers are all seats, and at last the spectator.
func (s *subject) viewers() (viewers []env.Player) {
	for p := range env.Player(s.info.Players) {
		viewers = append(viewers, p)
	}
	return append(viewers, env.Spectator)
}

// wellFormed tests that a text is one SVG document.
func wellFormed(svg string) error {
	dec := xml.NewDecoder(strings.NewReader(svg))
	root := ""
	for {
		token, err := dec.Token()
		if err == io.EOF {
			if root != "svg" {
				return fmt.Errorf("the root element is %q, not svg", root)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok && root == "" {
			root = e.Name.Local
		}
	}
}
