package oneearth

import (
	"errors"
	"fmt"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// TestPlayEnds plays at random and checks what the checkpoints guarantee in between, OE-195, and that
// the returns are those of section 6.23: OE-270, OE-275, invariant 15.
func TestPlayEnds(t *testing.T) {
	for _, text := range Rulebook().Variants {
		g := must.Have(Rulebook().Open(text[len("one-earth:"):], datafile.File{}))(t)
		s := g.New().(*State)
		legal := make(env.Mask, g.Info().MaskWords())
		returns := make([]float64, g.Info().Players)
		for seed := range uint64(60) {
			s.Reset(seed, nil)
			luck := env.NewStream(seed, "player")
			for s.Actor() != env.Over {
				if err := errors.Join(s.checkEnds(), s.checkPlay()); err != nil {
					t.Fatalf("%s, seed %d: %v\n%s", text, seed, err, s.AppendPosition(nil))
				}
				s.Legal(legal)
				s.Apply(legal.Nth(luck.Below(legal.Count())), nil)
			}
			s.Returns(returns)
			sum := 0.0
			for _, r := range returns {
				sum += r
			}
			if normal := !s.catastrophe() && s.game.Players > 1; normal && (sum < -1e-9 || sum > 1e-9) {
				t.Fatalf("%s, seed %d: returns %v after a normal end by %s", text, seed, returns, s.Reason())
			}
		}
	}
}

// unfinished says whether the decision lies inside an effect that has not come to its checkpoint.
func (s *State) unfinished() bool {
	switch s.Decision {
	case AtAttach, AtTarget, AtSecond, AtShared, AtLoose:
		return true
	}
	return false
}

// checkPlay is what holds in play beyond what a position must show: everybody has a leader once they are
// chosen, a trigger means the final round, and each token on a Resolution is that of a "yes" voter.
func (s *State) checkPlay() error {
	if s.Trigger >= 0 && !s.Final {
		return errors.New("there is a trigger and no final round")
	}
	for p := range s.game.Players {
		c, support := &s.Countries[p], 0
		for _, voters := range s.YesVoters {
			support += index(voters.Has(env.Player(p)))
		}
		if int(c.Support) != support {
			return fmt.Errorf("seat %d has %d tokens on Resolutions and voted for %d", p, c.Support, support)
		}
		if s.game.Advanced && s.Decision != AtLeader && c.Leader < 0 {
			return fmt.Errorf("seat %d has no leader", p)
		}
	}
	return nil
}

// checkEnds is invariants 2, 4 and 11 and the list of OE-195: what the checkpoints guarantee.
func (s *State) checkEnds() error {
	if s.Decision == Over || s.unfinished() {
		return nil
	}
	k := &s.game.Components.Constants
	open := s.Final && s.game.Players >= 3
	if int(s.Global) >= k.Ruin && !open {
		return fmt.Errorf("Global Emissions are %d and the game goes on", s.Global)
	}
	empty := false
	for _, x := range s.Row {
		empty = empty || x < 0
	}
	if empty && s.DeckSize > 0 {
		return errors.New("a slot of the row is empty and the deck is not")
	}
	if s.DeckSize == 0 && !s.Final {
		return errors.New("the deck is empty and no final round runs")
	}
	listed := env.Nobody
	for _, p := range s.Reach[:s.NumReach] {
		listed = listed.With(env.Player(p))
	}
	for p := range s.game.Players {
		if s.atTarget(p) != listed.Has(env.Player(p)) {
			return fmt.Errorf("seat %d has Prosperity %d, target %d, and reach is %v", p, s.Countries[p].Prosperity,
				s.game.Target, s.Reach[:s.NumReach])
		}
	}
	switch {
	case !s.game.Advanced && s.NumReach > 0 && int(s.Global) < k.WinBelow:
		return errors.New("a seat is at the target and the standard game goes on")
	case s.game.Advanced && s.NumReach > 0 && s.Trigger < 0:
		return errors.New("a seat is at the target and nobody is the trigger")
	}
	return nil
}
