package oneearth

import (
	"math/bits"

	"earthgym/env"
)

// propose is OE-140 to OE-142. Mandatory Foreign Aid passes by itself (OE-168); Share Technologies
// names a Technology first.
func (s *State) propose(r Resolution, tape *env.Tape) {
	s.Proposal = r
	switch s.Proposal {
	case ForeignAid:
		s.giveAid(tape)
	case ShareTech:
		s.decide(AtPick, int(s.First))
	default:
		s.discuss(tape)
	}
}

// pick names the Technology to be shared.
func (s *State) pick(t Technology, tape *env.Tape) {
	s.Using = t
	s.discuss(tape)
}

// ballot follows the discussion.
func (s *State) ballot(tape *env.Tape) {
	if s.Proposal == Mars {
		s.nextPledge(tape)
		return
	}
	s.nextVote(tape)
}

// nextVote asks the next seat, from the proposer clockwise; one without tokens votes "no" (OE-144,
// OE-145).
func (s *State) nextVote(tape *env.Tape) {
	for int(s.NumVotes) < s.game.Players {
		p := s.inTurn(int(s.NumVotes))
		if s.Countries[p].Tokens > 0 {
			s.decide(AtVote, p)
			return
		}
		s.noteVote(p, No)
	}
	s.extraVote(tape)
}

func (s *State) vote(a env.Action, tape *env.Tape) {
	s.noteVote(int(s.Seat), a)
	s.nextVote(tape)
}

func (s *State) noteVote(p int, a env.Action) {
	s.judgeBallot(p, a == Yes)
	s.Votes[s.NumVotes] = uint8(a)
	s.NumVotes++
}

// lead is OE-146: "yes" votes less "no" votes.
func (s *State) lead() int { return 2*s.yesVotes() - int(s.NumVotes) }

// extraVote is OE-148: bidding for the world's vote, if it can matter.
func (s *State) extraVote(tape *env.Tape) {
	if d := s.lead(); d == 0 || d == 1 {
		s.nextBid(tape)
		return
	}
	s.tally(0, tape)
}

// maxBid is the largest amount that a seat may bid, OE-147.
func (s *State) maxBid(p int) int {
	return min(s.game.Components.Constants.MaxAmount, int(s.Countries[p].Money))
}

// nextBid asks the next seat that has money for a sealed bid (OE-147).
func (s *State) nextBid(tape *env.Tape) {
	for int(s.NumBids) < s.game.Players {
		p := s.inTurn(int(s.NumBids))
		if s.maxBid(p) > 0 {
			s.decide(AtBid, p)
			return
		}
		s.NumBids++
	}
	s.reveal(tape)
}

func (s *State) bid(bid int8, tape *env.Tape) {
	s.Bids[s.NumBids] = bid
	s.NumBids++
	s.nextBid(tape)
}

// reveal is OE-147: all bids become known and are paid; the greater sum has the extra vote.
func (s *State) reveal(tape *env.Tape) {
	sum := 0
	for i := range s.game.Players {
		bid := int(s.Bids[i])
		if tape != nil {
			s.tellBid(i, tape)
		}
		s.Countries[s.inTurn(i)].Money -= int16(max(bid, -bid))
		sum += bid
	}
	s.Bids, s.NumBids = [MaxPlayers]int8{}, 0
	switch {
	case sum > 0:
		s.tally(1, tape)
	case sum < 0:
		s.tally(-1, tape)
	default:
		s.tally(0, tape)
	}
}

// tellBid shows the table what the i-th in turn has bid.
func (s *State) tellBid(i int, tape *env.Tape) {
	a := BidNothing
	switch bid := env.Action(s.Bids[i]); {
	case bid > 0:
		a = BidYes + bid - 1
	case bid < 0:
		a = BidNo - bid - 1
	}
	tape.Reveal(env.Everybody, seatName(env.Player(s.inTurn(i)))+": "+s.game.info.Actions[a].Text)
}

// tally is OE-149, and OE-151: the Diplomat may veto what would pass.
func (s *State) tally(extra int, tape *env.Tape) {
	if s.lead()+extra <= 0 {
		s.fail(-1, tape)
		return
	}
	if p := s.reacts(Diplomat); p >= 0 {
		s.decide(AtVeto, p)
		return
	}
	s.carry(tape)
}

func (s *State) veto(p int, yes bool, tape *env.Tape) {
	if !yes {
		s.carry(tape)
		return
	}
	s.Countries[p].AbilityUsed = true
	s.fail(p, tape)
}

// fail is OE-153: the "no" voters and a vetoing Diplomat gain; the tokens stay in hand.
func (s *State) fail(diplomat int, tape *env.Tape) {
	tape.Mark("resolution", env.Player(s.Proposal))
	s.Resolutions[s.Proposal] = Failed
	for i := range s.game.Players {
		if p := s.inTurn(i); env.Action(s.Votes[i]) == No || p == diplomat {
			s.Countries[p].Money += int16(s.game.Components.Constants.NoGain)
		}
	}
	s.clearVotes()
	s.startRound(tape)
}

// carry is OE-152: the tokens of the "yes" voters stay on the card, and its effect begins.
func (s *State) carry(tape *env.Tape) {
	r := s.Proposal
	tape.Mark("resolution", env.Player(r))
	s.Resolutions[r] = Passed
	voters := env.Nobody
	for i := range s.game.Players {
		if env.Action(s.Votes[i]) == Yes {
			p := s.inTurn(i)
			voters = voters.With(env.Player(p))
			s.Countries[p].Tokens--
			s.Countries[p].Support++
		}
	}
	s.clearVotes()
	switch r {
	case BanCoal, BanNuclear:
		s.YesVoters[r] = voters
		s.ban(s.game.Components.Resolutions[r].Plus, tape)
	case EduTech, Medicine:
		s.introduce(r, voters)
	case CapAndTrade: // from the coming income on, OE-164
		s.YesVoters[r] = voters
	case CurbTransport:
		s.YesVoters[r] = voters
		s.curb()
	case ShareTech:
		s.YesVoters[r] = voters
		s.SharedTech = s.Using
		if funder := s.Technologies[s.Using]; funder >= 0 { // OE-166
			s.giveShared(int(funder), s.Using)
		}
	}
	s.settleLosses(tape)
}

// ban is OE-160: every copy leaves the tableaus, in turn order, then deck and row.
func (s *State) ban(types Projects, tape *env.Tape) {
	for i := range s.game.Players {
		p := s.inTurn(i)
		for set := types; set != 0; set &= set - 1 {
			x := set.First()
			for s.Countries[p].Plain[x] > 0 {
				tape.Mark("loses", lossOf(p, x))
				s.lose(p, x, false)
			}
			for s.Countries[p].Upgraded[x] > 0 {
				tape.Mark("loses", lossOf(p, x))
				s.lose(p, x, true)
			}
		}
	}
	for set := types; set != 0; set &= set - 1 {
		x := set.First()
		s.Gone[x] += s.Deck[x]
		s.DeckSize -= s.Deck[x]
		s.Deck[x] = 0
	}
	for slot, x := range s.Row {
		if types.Has(x) {
			s.Gone[x]++
			s.Row[slot] = NoProject
		}
	}
	s.refill(tape)
}

// introduce is OE-162: each "yes" voter gains 1, and 1 for each Project of the types, which is worth
// that much more from now on (OE-163).
func (s *State) introduce(r Resolution, voters env.Seats) {
	for i := range s.game.Players {
		if p := s.inTurn(i); voters.Has(env.Player(p)) {
			s.moveProsperity(p, 1+s.Count(p, s.game.Components.Resolutions[r].Plus))
		}
	}
	s.YesVoters[r] = voters
}

// curb is OE-165.
func (s *State) curb() {
	card := &s.game.Components.Resolutions[CurbTransport]
	for i := range s.game.Players {
		p := s.inTurn(i)
		s.moveProsperity(p, s.Count(p, card.Plus)-s.Count(p, card.Minus))
	}
}

// Count is the number of Projects of some types before a seat.
func (s *State) Count(p int, types Projects) int {
	c, n := &s.Countries[p], 0
	for set := types & (c.PlainSet | c.UpgradedSet); set != 0; set &= set - 1 {
		x := bits.TrailingZeros32(uint32(set))
		n += int(c.Plain[x] + c.Upgraded[x])
	}
	return n
}

// giveAid is OE-168 and OE-169: the seats with the highest Prosperity will pay those with the lowest;
// nothing if all are equal.
func (s *State) giveAid(tape *env.Tape) {
	tape.Mark("resolution", env.Player(ForeignAid))
	s.Resolutions[ForeignAid] = Passed
	richest := s.Richest()
	if richest != s.all() {
		s.Donors = richest
		s.Recipients = s.Poorest()
	}
	s.settleLosses(tape)
}

// nextPledge asks the next seat, openly; one without money pledges nothing (OE-170).
func (s *State) nextPledge(tape *env.Tape) {
	for int(s.NumPledges) < s.game.Players {
		p := s.inTurn(int(s.NumPledges))
		if s.maxPledge(p) > 0 {
			s.decide(AtPledge, p)
			return
		}
		s.notePledge(p, 0)
	}
	s.settleMars(tape)
}

// maxPledge is the most that a seat may pledge, OE-170.
func (s *State) maxPledge(p int) int {
	return min(s.game.Components.Constants.MaxPledge, int(s.Countries[p].Money))
}

func (s *State) pledge(amount int8, tape *env.Tape) {
	s.notePledge(int(s.Seat), amount)
	s.nextPledge(tape)
}

func (s *State) notePledge(p int, amount int8) {
	s.judgeBallot(p, amount > 0)
	s.Pledges[s.NumPledges] = amount
	s.NumPledges++
}

// settleMars is OE-170 and OE-171: with enough pledged all is paid, and each share of 3 makes a funder;
// otherwise nobody pays.
func (s *State) settleMars(tape *env.Tape) {
	c, total := &s.game.Components.Constants, 0
	for _, amount := range s.Pledges[:s.NumPledges] {
		total += int(amount)
	}
	pledges := s.Pledges
	s.Pledges, s.NumPledges = [MaxPlayers]int8{}, 0
	tape.Mark("resolution", env.Player(Mars))
	if total < c.MarsNeeded {
		s.Resolutions[Mars] = Failed
		s.startRound(tape)
		return
	}
	s.Resolutions[Mars] = Passed
	for i := range s.game.Players {
		p := s.inTurn(i)
		s.Countries[p].Money -= int16(pledges[i])
		if int(pledges[i]) >= c.MarsShare {
			s.fundMars(p)
		}
	}
	s.settleLosses(tape)
}

// canJoinMars is OE-172: who may join later.
func (s *State) canJoinMars(p int) bool {
	return s.Resolutions[Mars] == Passed && !s.MarsFunders.Has(env.Player(p)) &&
		int(s.Countries[p].Money) >= s.game.Components.Constants.MarsShare
}

// joinMars is OE-172.
func (s *State) joinMars(p int) {
	s.Countries[p].Money -= int16(s.game.Components.Constants.MarsShare)
	s.fundMars(p)
	s.endEffect()
}

func (s *State) fundMars(p int) {
	s.MarsFunders = s.MarsFunders.With(env.Player(p))
	s.moveProsperity(p, s.game.Components.Constants.MarsGain)
}
