package oneearth

import "earthgym/env"

// knowBid are the seats that know a bid: its own, as long as bids are sealed (OE-147) and it can be more than one
// thing.
func (s *State) knowBid(i int) env.Seats {
	if q := s.inTurn(i); s.Decision == AtBid && s.maxBid(q) > 0 {
		return env.Only(env.Player(q))
	}
	return env.Everybody
}

// Redeal resamples the sealed bids of the others; nothing else is hidden.
func (s *State) Redeal(p env.Player, key uint64) {
	env.RedealStreams(s.luck[:], streamNames[:], key)
	if s.Decision != AtBid {
		return
	}
	draw := env.NewStream(key, "redeal of the bids")
	for i := range int(s.NumBids) {
		q := s.inTurn(i)
		most := s.maxBid(q)
		bid := int8(draw.Below(2*most+1) - most)
		if env.Player(q) != p {
			s.Bids[i] = bid
		}
	}
}

var _ env.Witness = (*State)(nil)

// WitnessedBy hides a sealed bid from the others (OE-147).
func (s *State) WitnessedBy(p env.Player, a env.Action) string {
	if s.Decision == AtBid && p != s.Actor() {
		return "bid sealed"
	}
	return s.game.info.Actions[a].Text
}
