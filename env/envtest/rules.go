package envtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"earthgym/env"
	"earthgym/env/registry"
)

// checkInfo tests what is static: names, tables and traits make sense, the text opens the same game
// again, and the tables are those of every other configuration.
func checkInfo(s *subject) error {
	i := s.info
	switch {
	case i.Name != s.rb.Name || i.Title != s.rb.Title:
		return fmt.Errorf("the name is %q, %q; that of the rulebook %q, %q", i.Name, i.Title, s.rb.Name, s.rb.Title)
	case i.Players < 1 || i.Players > env.MaxPlayers:
		return fmt.Errorf("%d players; there must be 1 to %d", i.Players, env.MaxPlayers)
	case i.Rules < 1:
		return fmt.Errorf("rules version %d; the first is 1", i.Rules)
	case i.Encoding < 1:
		return fmt.Errorf("encoding version %d; the first is 1", i.Encoding)
	case i.MaxDecisions < 1:
		return fmt.Errorf("MaxDecisions is %d", i.MaxDecisions)
	case i.ActionHash() != s.first.ActionHash():
		return fmt.Errorf("the action table differs from that of %s; one layout serves all configurations", s.first.Text)
	case i.ObservationHash() != s.first.ObservationHash():
		return fmt.Errorf("the observation layout differs from that of %s; one layout serves all configurations",
			s.first.Text)
	}
	for _, f := range []func(*subject) error{infoSame, infoTraits, infoStreams, infoActions, infoFeatures, infoText} {
		if err := f(s); err != nil {
			return err
		}
	}
	return nil
}

// infoSame tests what no hash tells: what networks are made for is that of every other configuration.
func infoSame(s *subject) error {
	i, first := s.info, s.first
	sameRefs := func(a, b env.ActionInfo) bool { return slices.Equal(a.Objects, b.Objects) }
	sameKind := func(a, b env.Objects) bool {
		return a.Name == b.Name && a.Count == b.Count && slices.Equal(a.Features, b.Features)
	}
	switch {
	case i.MostPlayers != first.MostPlayers || i.Players > i.MostPlayers || i.MostPlayers > env.MaxPlayers:
		return fmt.Errorf("%d players, MostPlayers %d; %s has MostPlayers %d: it is the most of any configuration", i.Players,
			i.MostPlayers, first.Text, first.MostPlayers)
	case !slices.EqualFunc(i.Objects, first.Objects, sameKind) || !slices.EqualFunc(i.Actions, first.Actions, sameRefs):
		return fmt.Errorf("the objects, or what actions point at, differ from those of %s; one layout serves all "+
			"configurations", first.Text)
	}
	return nil
}

func infoTraits(s *subject) error {
	kinds := 0
	for k, trait := range s.info.Traits {
		switch trait {
		case env.Competitive, env.Mixed, env.Cooperative:
			kinds++
		case env.Solo, env.HiddenInfo:
		default:
			return fmt.Errorf("unknown trait %q", trait)
		}
		if slices.Contains(s.info.Traits[:k], trait) {
			return fmt.Errorf("trait %q is listed twice", trait)
		}
	}
	solo := s.info.Has(env.Solo)
	switch {
	case solo != (s.info.Players == 1):
		return fmt.Errorf("traits %v with %d players: one seat, and only one seat, is %s", s.info.Traits, s.info.Players,
			env.Solo)
	case kinds > 1 || kinds == 0 && !solo:
		return fmt.Errorf("traits %v: a game is one of %s, %s, %s", s.info.Traits, env.Competitive, env.Mixed,
			env.Cooperative)
	}
	return nil
}

func infoStreams(s *subject) error {
	for k, name := range s.info.Streams {
		if name == "" || slices.Contains(s.info.Streams[:k], name) {
			return fmt.Errorf("streams %q: each needs a name of its own", s.info.Streams)
		}
	}
	st := s.game.New()
	st.Reset(1, nil)
	if len(st.Luck()) != len(s.info.Streams) {
		return fmt.Errorf("there are %d streams of Luck and %d names in Info", len(st.Luck()), len(s.info.Streams))
	}
	if a, b := sharedStream(st, st, true); a >= 0 {
		return fmt.Errorf("streams %q and %q are seeded alike", s.info.Streams[a], s.info.Streams[b])
	}
	return nil
}

// sharedStream finds a stream of a that equals one of b, or -1. Within one State a stream does not
// count as equal to itself.
func sharedStream(a, b env.State, same bool) (int, int) {
	for i, x := range a.Luck() {
		for j, y := range b.Luck() {
			if x == y && !(same && i == j) {
				return i, j
			}
		}
	}
	return -1, -1
}

func infoActions(s *subject) error {
	for a, info := range s.info.Actions {
		if info.Family == "" || info.Text == "" {
			return fmt.Errorf("action %d has the family %q and the text %q", a, info.Family, info.Text)
		}
		for _, text := range append([]string{info.Text}, info.Aliases...) {
			got, err := s.info.Parse(text)
			if err != nil || got != env.Action(a) {
				return fmt.Errorf("action %d is written %q, which is parsed as %d: %w", a, text, got, err)
			}
		}
	}
	return nil
}

func infoFeatures(s *subject) error {
	for _, f := range s.info.Features {
		switch {
		case f.Name == "" || f.Help == "":
			return fmt.Errorf("feature %q lacks a name or a help line", f.Name)
		case len(f.Shape) == 0 || slices.Min(f.Shape) < 1:
			return fmt.Errorf("feature %s has the shape %v", f.Name, f.Shape)
		case !(f.Low < f.High):
			return fmt.Errorf("feature %s goes from %v to %v", f.Name, f.Low, f.High)
		}
	}
	return nil
}

func infoText(s *subject) error {
	for _, text := range []string{s.info.Text, s.info.Short} {
		g, err := registry.Registry{s.rb}.Open(text)
		if err != nil {
			return fmt.Errorf("its text %s does not open: %w", text, err)
		}
		i := g.Info()
		if i.Text != s.info.Text || i.Short != s.info.Short || i.DataHash != s.info.DataHash || i.Players != s.info.Players ||
			i.MaxDecisions != s.info.MaxDecisions {
			return fmt.Errorf("its text opens another game: %s is %s (%s) with data %s, %d players, bound %d; not %s (%s), "+
				"data %s, %d players, bound %d",
				text, i.Text, i.Short, i.DataHash, i.Players, i.MaxDecisions, s.info.Text, s.info.Short, s.info.DataHash,
				s.info.Players, s.info.MaxDecisions)
		}
	}
	if _, err := json.Marshal(s.info); err != nil {
		return fmt.Errorf("writing Info as JSON: %w", err)
	}
	return nil
}

// checkInvariants reports what went wrong when the games were played.
func checkInvariants(s *subject) error {
	for _, p := range s.plays {
		if p.err != nil {
			return s.at(p, len(p.actions), p.err)
		}
	}
	return nil
}

// tries are the legal actions that checkMask applies at one decision.
const tries = 24

// checkMask tests that each legal action applies.
func checkMask(s *subject) error {
	mask, after := make(env.Mask, s.info.MaskWords()), make(env.Mask, s.info.MaskWords())
	next := s.game.New()
	return s.look(func(st env.State, p *play, n int) error {
		st.Legal(mask)
		legal := mask.Append(nil)
		for i, a := range legal {
			if len(legal) > tries && (i+n)%(len(legal)/tries+1) != 0 {
				continue
			}
			next.CopyFrom(st)
			next.Apply(a, nil)
			if err := s.sound(next, after); err != nil {
				return fmt.Errorf("after %q: %w", env.ActionText(st, a), err)
			}
		}
		return nil
	})
}

// checkReasons tests that Why and the mask agree on every action, and that each reason names a rule that there is: at
// every decision of a game of each variant, and at some of the others.
func checkReasons(s *subject) error {
	for i, p := range s.plays {
		err := s.walk(p, nil, func(st env.State, n int) error {
			if !(s.variant && i == 0) && !looksAt(p, n) {
				return nil
			}
			return s.config.rules.Reasons(st)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Reasons tests that Why gives a reason exactly for what isn't legal at a State, and that the reason names a rule; of a
// game without rules it may name none.
func (r *Rules) Reasons(st env.State) error {
	info := st.Game().Info()
	mask := make(env.Mask, info.MaskWords())
	st.Legal(mask)
	for a := range env.Action(len(info.Actions)) {
		why, text := st.Why(a), info.Actions[a].Text
		switch legal := mask.Has(a); {
		case legal && why != "":
			return fmt.Errorf("%q is in the mask, but Why says %q", text, why)
		case !legal && why == "":
			return fmt.Errorf("%q is not in the mask, but Why is silent", text)
		case legal || st.Actor() == env.Over || len(r.ids) == 0:
			continue
		}
		err, ok := r.read[why]
		if !ok {
			err = r.named(why)
			r.read[why] = err
		}
		if err != nil {
			return fmt.Errorf("why %q is not legal names %w: %q", text, err, why)
		}
	}
	return nil
}

// named tests that a reason names rules that there are; ids with other letters are none.
func (r *Rules) named(why string) error {
	prefix, named := r.ids[0][:2], false
	for _, id := range mention.FindAllString(why, -1) {
		switch {
		case id[:2] != prefix:
		case !slices.Contains(r.ids, id):
			return fmt.Errorf("%s, which RULES.md does not have", id)
		default:
			named = true
		}
	}
	if !named {
		return fmt.Errorf("no rule (%s-…)", prefix)
	}
	return nil
}

// checkIllegal tests that an illegal action is refused in the game's words and changes nothing.
func checkIllegal(s *subject) error {
	e, err := env.New(s.game, env.Options{})
	if err != nil {
		return err
	}
	return s.look(func(st env.State, _ *play, n int) error {
		e.ResetTo(st)
		forbidden := []env.Action{-1, env.Action(len(s.info.Actions)), env.Action(64 * s.info.MaskWords())}
		for a := range env.Action(len(s.info.Actions)) {
			if !e.Mask().Has(a) {
				forbidden = append(forbidden, a)
			}
		}
		before := snapshot(st)
		for _, a := range forbidden {
			err := e.Step(a)
			var illegal *env.IllegalActionError
			switch {
			case err == nil:
				return fmt.Errorf("illegal action %d was played", a)
			case !errors.As(err, &illegal) || illegal.Reason == "" || illegal.Text == "" || illegal.Player != st.Actor():
				return fmt.Errorf("illegal action %d: the error is %w; it must name player, action and reason", a, err)
			}
		}
		if !e.State().Equal(st) || snapshot(e.State()) != before {
			return errors.New("illegal actions have changed the State")
		}
		return nil
	})
}

// snapshot is everything that a State holds, as text.
func snapshot(st env.State) string {
	b, err := env.Snapshot(st)
	if err != nil {
		panic(fmt.Sprintf("Snapshot: %v", err))
	}
	return string(b)
}

// checkReturns tests outcomes: in range, shared as the traits say, and only once the game is over.
func checkReturns(s *subject) error {
	returns, scores := make([]float64, s.info.Players), make([]float64, s.info.Players)
	for _, p := range s.plays {
		err := s.walk(p, nil, func(st env.State, n int) error {
			for i := range returns {
				returns[i], scores[i] = math.NaN(), math.NaN()
			}
			st.Returns(returns)
			st.Scores(scores)
			for i, x := range scores {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					return fmt.Errorf("the score of player %d is %v", i, x)
				}
			}
			if st.Actor() == env.Over {
				return s.outcome(st, returns)
			}
			switch {
			case slices.ContainsFunc(returns, func(x float64) bool { return x != 0 }):
				return fmt.Errorf("returns %v while the game runs", returns)
			case st.Winners() != env.Nobody:
				return fmt.Errorf("winners %v while the game runs", st.Winners())
			case st.Reason() != "":
				return fmt.Errorf("the game runs, but is said to have ended by %q", st.Reason())
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// outcome tests the returns, winners and reason of a finished game.
func (s *subject) outcome(st env.State, returns []float64) error {
	sum := 0.0
	for i, r := range returns {
		if !(r >= -1 && r <= 1) {
			return fmt.Errorf("the return of player %d is %v, not in [-1, 1]", i, r)
		}
		sum += r
	}
	switch winners := st.Winners(); {
	case s.info.Has(env.Competitive) && math.Abs(sum) > 1e-9:
		return fmt.Errorf("returns %v of a competitive game add up to %v", returns, sum)
	case s.info.Shared() && slices.Min(returns) != slices.Max(returns):
		return fmt.Errorf("returns %v differ in a game that all win and lose together", returns)
	case winners>>s.info.Players != 0:
		return fmt.Errorf("winners %v; there are players 0 to %d", winners, s.info.Players-1)
	case s.info.Shared() && winners != env.Nobody && winners.Count() != s.info.Players:
		return fmt.Errorf("winners %v in a game that all win and lose together", winners)
	case st.Reason() == "":
		return errors.New("the game is over without a reason")
	}
	i := slices.IndexFunc(s.info.Ends, func(e env.Ending) bool { return e.Name == st.Reason() })
	switch {
	case i < 0:
		return fmt.Errorf("the game has ended by %q, which Info.Ends does not list", st.Reason())
	case s.info.Ends[i].Loss && st.Winners() != env.Nobody:
		return fmt.Errorf("winners %v by %q, which Info.Ends calls a loss for all", st.Winners(), st.Reason())
	}
	return nil
}
