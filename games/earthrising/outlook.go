package earthrising

import (
	"math/bits"

	"earthgym/env"
	"earthgym/env/alike"
)

// This file is for those who read a State of their own: bots, search, the table view.

// Decision is the kind of decision that is asked, as the position JSON calls it.
func (s *State) Decision() string { return s.row().Name }

// Active is the character whose turn it is; it means nothing while characters are chosen.
func (s *State) Active() Character { return s.active }

// InPlay says whether a character is in play.
func (s *State) InPlay(k Character) bool { return s.inPlay.plays(k) }

// Turn is the number of turns begun.
func (s *State) Turn() int { return int(s.turn) }

// YearsLeft is the number of years after this one.
func (s *State) YearsLeft() int { return int(s.game.limit - s.year) }

// ActionsLeft is the number of actions left in this turn.
func (s *State) ActionsLeft() int { return int(s.actions) }

// TurnsUntil is the number of turns until a character in play is active: 0 for the active one.
func (s *State) TurnsUntil(k Character) int {
	n := 0
	for at := s.active; at != k; at = s.following(at) {
		n++
	}
	return n
}

// Strain is the strain of a sector (ER-501).
func (s *State) Strain(x Sector) int { return int(s.strain[x]) }

// Quickplay says whether only Majors count.
func (g *Game) Quickplay() bool { return g.variant == quickplay }

// Sustained says whether a win must outlast the strain of its turn.
func (g *Game) Sustained() bool { return g.sustained }

// Tolerance is ER-506.
func (s *State) Tolerance(x Sector) int { return int(s.tolerance(x)) }

// MajorIn says whether a sector's Major is in the centre, MinorIn whether its Minor is.
func (s *State) MajorIn(x Sector) bool { return s.major.has(x) }

// MinorIn says whether a sector's Minor is in the centre.
func (s *State) MinorIn(x Sector) bool { return s.minor.has(x) }

// VacantCircles is the number of a sector's vacant circles (ER-011).
func (s *State) VacantCircles(x Sector) int { return bits.OnesCount8(s.vacantCircles(x)) }

// Poverty is the number of people in poverty (ER-016).
func (s *State) Poverty() int { return int(s.poverty) }

// Collapses is the number of collapses so far.
func (s *State) Collapses() int { return int(s.collapses) }

// Sustainable are the practices on the board with their sustainable side up.
func (s *State) Sustainable() Set { return s.sustainable }

// Unsustainable are those with the other side up.
func (s *State) Unsustainable() Set { return s.unsustainable }

// Protested are the practices with a Protest token.
func (s *State) Protested() Set { return s.protest }

// Hand are the cards of a character's hand that seat p knows.
func (s *State) Hand(k Character, p env.Player) Set { return s.hand[k] & s.knownTo[p] }

// Window is which of its windows the Climatologist's seat is asked in: A, B or C, in the phase "window".
func (s *State) Window() string { return windowIDs[s.inside.window] }

// Looked is the extra card that the Eco Investor holds, in the phase "looked".
func (s *State) Looked() Card { return s.inside.card }

// Ordering are the cards that the Politician puts back, as they lay, in the phase "order", and the places
// named so far as bits.
func (s *State) Ordering() (cards []Card, named uint) {
	in := &s.inside
	return in.order[:in.orderSize], uint(uint16(1)<<in.orderSize-1) &^ uint(s.unordered())
}

// Won says whether the game has been won.
func (s *State) Won() bool { return s.result == won }

// Lost says whether the game has been lost.
func (s *State) Lost() bool { return s.result != running && s.result != won }

// Plan plays an action that draws no card, and stays in the turn even if nothing more can be done in it.
// The State is then one for planning only.
func (s *State) Plan(a env.Action) {
	s.foreseen = true
	s.Apply(a, nil)
}

// Forecast makes dst the position after the strain phases and recessions of this turn, if it ended now.
// Of collapses only the strain is foreseen, as their cards are not known.
func (s *State) Forecast(dst *State) {
	dst.game, dst.position = s.game, s.position
	dst.foresee()
}

// foresee is a Forecast of the State itself.
func (s *State) foresee() {
	s.foreseen = true
	s.inside = inside{}
	s.strainFromMeeple(nil)
	if s.decision != over {
		s.strainFromPractices(nil)
	}
	if s.decision != over {
		s.recede(nil)
	}
}

// Strains is the strain of all sectors, a byte each, so that what the strain phases do to calm sectors is a sum.
type Strains uint64

const eachSector Strains = 0x010101010101 // a bit of each sector's byte

// At is the strain of a sector.
func (t Strains) At(x Sector) int { return int(t >> (8 * uint(x)) & 0xff) }

// Plus is the strain with n tokens more on a sector, or fewer.
func (t Strains) Plus(x Sector, n int) Strains { return t + Strains(n)<<(8*uint(x)) }

// strains are those of the State.
func (s *State) strains() (t Strains) {
	for x, n := range s.strain {
		t |= Strains(n) << (8 * x)
	}
	return t
}

// spread lays them on the State.
func (t Strains) spread(s *State) {
	for x := range Sector(NumSectors) {
		s.strain[x] = int8(t.At(x))
	}
}

// A Course is how far a plan has come on its Board: what it changes most often.
type Course struct {
	Strain         Strains
	Actions, Moves int8 // left, and made by the Climatologist
}

// Course is how far the plan of a State has come.
func (s *State) Course() Course { return Course{s.strains(), s.actions, s.moves} }

// Follow makes the State one at which the plan has come so far.
func (s *State) Follow(c *Course) {
	c.Strain.spread(s)
	s.actions, s.moves = c.Actions, c.Moves
}

// Move is a move of the Climatologist.
func (c *Course) Move(a env.Action) {
	from, to := movePair(a)
	c.Strain = c.Strain.Plus(from, -1).Plus(to, 1)
	c.Moves++
}

// A Board is a State for planning with what follows from all that lies on it but the strain, so that plans which differ
// by their Course alone are judged on one. Survey makes it, and makes it anew after a change.
type Board struct {
	State
	growth, bears Strains // of calm sectors: 64 more than they gain, and 63 less than the most that leaves them calm
	calm          recession
	receded       recession // the last one foreseen
}

// A recession is what the table looks like once segments have receded.
type recession struct {
	lostMajors, lostMinors sectorSet
	majors, minors         sectorSet        // that stay
	practices              [3]Set           // those that Net is made of
	Net                    [NumSectors]int8 // of each sector, as State.Net
	Poverty, MeepleStrain  int8             // people in poverty, and the strain of the next turn's Phase 1
	// Fate says of each sector in one number what Net, MeepleStrain, MajorIn, MinorIn and MajorsBeside do.
	Fate [NumSectors]uint32
}

// of makes it that of a State in which they have.
func (r *recession) of(s *State) {
	r.majors, r.minors, r.Poverty, r.MeepleStrain = s.major, s.minor, s.poverty, s.meepleStrain()
	practices, changed := [3]Set{s.sustainable, s.unsustainable, s.regeneration}, Set(0)
	for i, now := range practices {
		changed |= r.practices[i] ^ now
	}
	r.practices = practices
	for x := range Sector(NumSectors) {
		if changed&Of(x) != 0 {
			r.Net[x] = s.net(x)
		}
		r.Fate[x] = uint32(uint8(r.Net[x]))<<16 | uint32(uint8(r.MeepleStrain))<<8 |
			uint32(r.majors>>x&1)<<1 | uint32(r.minors>>x&1)
		if beside := sectorSet(s.game.beside[x]); r.majors&beside == beside {
			r.Fate[x] |= 4
		}
	}
}

// An Aftermath is what a plan is judged by: the table after the strain phases and recessions of its turn.
type Aftermath struct {
	recession
	Strain    Strains
	Collapses int
	Lost      bool
	troubled  Strains // bits of eachSector
}

// CalmIn says whether a sector goes its own way: it neither overflows nor takes another's overflow, and none of its
// segments recedes for its strain.
func (f *Aftermath) CalmIn(x Sector) bool { return f.troubled.At(x) == 0 }

// MajorIn says whether a sector's Major is in the centre then.
func (f *Aftermath) MajorIn(x Sector) bool { return f.majors.has(x) }

// MinorIn says whether a sector's Minor is.
func (f *Aftermath) MinorIn(x Sector) bool { return f.minors.has(x) }

// MajorsBeside says whether the Majors of a sector and of both beside it are.
func (f *Aftermath) MajorsBeside(x Sector) bool { return f.Fate[x]&4 != 0 }

// Survey looks at what lies on the Board.
func (b *Board) Survey() {
	b.calm.of(&b.State)
	b.receded.lostMajors, b.receded.lostMinors = 0, 0
	b.growth, b.bears = 64*eachSector, 63*eachSector
	people := b.meepleStrain()
	share, rest := people/NumSectors, people%NumSectors
	for i, x := range &b.game.ring[b.active.Home()] {
		grown, net := share, b.calm.Net[x]
		if int8(i) < rest {
			grown++
		}
		// More than a sector holds makes it overflow, and takes off all that it has, whatever the number.
		b.growth = b.growth.Plus(x, int(min(max(grown+net, -maxStrain), maxStrain)))
		most := min(b.game.full-grown-max(0, net), b.tolerance(x)-grown-net)
		b.bears = b.bears.Plus(x, -int(min(max(most, -1), maxStrain)))
	}
}

// Growth is what the strain phases add to a calm sector, or take off as far as it has it, 16 at most.
func (b *Board) Growth(x Sector) int { return b.growth.At(x) - 64 }

// Aftermath writes what Forecast foresees with some strain on the Board. It works in scratch if more than the strain of
// each sector for itself has to be foreseen.
func (b *Board) Aftermath(strain Strains, f *Aftermath, scratch *State) {
	then := strain + b.growth // a byte is less than 64 where nothing is left
	f.Strain = then &^ (64 * eachSector) & (then >> 6 & eachSector * 0xff)
	f.troubled = (strain + b.bears) >> 6 & eachSector
	f.Collapses, f.Lost = int(b.collapses), false
	if f.troubled == 0 {
		f.recession = b.calm
		return
	}
	overflowing := Strains(0)
	for x := range Sector(NumSectors) {
		// What people add, and the net only if it adds.
		if !f.CalmIn(x) && strain.At(x)+b.Growth(x)+int(max(0, -b.calm.Net[x])) > int(b.game.full) {
			overflowing |= Strains(0).Plus(x, 1) | Strains(0).Plus(b.game.next[x], 1)
		}
	}
	if overflowing != 0 {
		f.troubled |= overflowing
		scratch.game, scratch.position = b.game, b.position
		strain.spread(scratch)
		scratch.foresee()
		f.recession.of(scratch)
		f.Strain, f.Collapses, f.Lost = scratch.strains(), int(scratch.collapses), scratch.Lost()
		return
	}
	majors, minors := b.receding(f.Strain)
	if majors != b.receded.lostMajors || minors != b.receded.lostMinors {
		scratch.game, scratch.position = b.game, b.position
		scratch.lose(majors, minors, nil)
		b.receded.of(scratch)
		b.receded.lostMajors, b.receded.lostMinors = majors, minors
	}
	f.recession = b.receded
}

// CleanUps is how many strain tokens a Clean Up still takes off: of the one in progress, or of another.
func (s *State) CleanUps() int {
	if s.decision == atClean {
		return int(s.inside.credits)
	}
	return s.game.data.Turn.CleanUp
}

// Looks is how many cards the Politician looks at (ER-451).
func (s *State) Looks() int { return int(min(s.limit(Politician), s.deckSize)) }

// Signal is the sector of the last signal of a seat, and whether that seat plans it or wants its cards; ok is false if
// it has made none.
func (s *State) Signal(p env.Player) (x Sector, planned, ok bool) {
	i := s.signal[p] - 1
	if i < 0 {
		return 0, false, false
	}
	return Sector(i % NumSectors), i >= NumSectors, true
}

// Seat is the seat that plays a character in play.
func (s *State) Seat(k Character) env.Player { return env.Player(s.seat[k]) }

// SameTurn says whether two States are at the same point of a turn for a seat that plans it: all that it sees of the
// table and the hands is alike, wherever inside the turn's windows it is asked.
func (s *State) SameTurn(o *State, p env.Player) bool {
	if s.game != o.game || s.turn != o.turn || s.actions != o.actions || s.strain != o.strain || s.moves != o.moves ||
		s.sustainable != o.sustainable || s.unsustainable != o.unsustainable || s.major != o.major || s.minor != o.minor ||
		s.protest != o.protest || s.regeneration != o.regeneration || s.startups != o.startups || s.active != o.active ||
		s.circle != o.circle || s.collapses != o.collapses || s.year != o.year || s.inPlay != o.inPlay || s.seat != o.seat ||
		s.signal != o.signal {
		return false
	}
	for k := range s.hand {
		if s.hand[k]&s.knownTo[p] != o.hand[k]&o.knownTo[p] {
			return false
		}
	}
	return true
}

// SameTable says whether two States are the same but for the luck and the order of the deck, so that all plans for the
// turn come to the same in them.
func (s *State) SameTable(o *State) bool {
	a, b := &s.position, o.position
	b.deck = a.deck
	return s.game == o.game && *a == b
}

// The actions, for those who choose them by what they do.

// Actions without parameters.
var (
	EndTurn, Done, Refresh, Draw     = endTurn, done, refresh, draw
	Look, Bottom, Consult, Keep, Ask = look, bottom, consult, keep, ask
)

// Create is the action that creates a practice.
func Create(p Card) env.Action { return create + env.Action(p) }

// Disband is the action that disbands one.
func Disband(p Card) env.Action { return disband + env.Action(p) }

// Flip is the action that flips one.
func Flip(p Card) env.Action { return flip + env.Action(p) }

// Clean removes n strain, 1 to 4, from a sector.
func Clean(x Sector, n int) env.Action { return clean + env.Action(int(x)*maxCleanUp+n-1) }

// To says who gets it.
func To(k Character) env.Action { return to + env.Action(k) }

// Token puts an ability token on a practice, or lifts it from there.
func Token(p Card) env.Action { return token + env.Action(p) }

// Top puts the card of a place back on top.
func Top(place int) env.Action { return top + env.Action(place) }

// Discard discards a card.
func Discard(c Card) env.Action { return discard + env.Action(c) }

// Major transforms a sector's Major.
func Major(x Sector) env.Action { return major + env.Action(x) }

// Minor transforms a sector's Minor.
func Minor(x Sector) env.Action { return minor + env.Action(x) }

// Move moves a strain token.
func Move(from, to Sector) env.Action {
	if to > from {
		to--
	}
	return move + env.Action(int(from)*(NumSectors-1)+int(to))
}

// IsMove says whether an action moves strain.
func IsMove(a env.Action) bool { return act.move.Has(a) }

// CleanOf is the sector of a Clean Up and how much it removes there.
func CleanOf(a env.Action) (x Sector, n int, ok bool) {
	if !act.clean.Has(a) {
		return 0, 0, false
	}
	return Sector((a - clean) / maxCleanUp), int(a-clean)%maxCleanUp + 1, true
}

// GiveOf is the card that an action gives away.
func GiveOf(a env.Action) (c Card, ok bool) { return Card(a - give), act.give.Has(a) }

// IsToken says whether an action puts or lifts a token.
func IsToken(a env.Action) bool { return act.token.Has(a) }

// Want is the signal that asks for the cards of a sector.
func Want(x Sector) env.Action { return want + env.Action(x) }

// Announce is the signal that one plans something in a sector.
func Announce(x Sector) env.Action { return plan + env.Action(x) }

// IsSignal says whether an action is a signal.
func IsSignal(a env.Action) bool { return act.want.Has(a) || act.plan.Has(a) }

// NextCard is the card on top of the deck, if seat p knows it.
func (s *State) NextCard(p env.Player) (c Card, known bool) {
	if s.deckSize == 0 {
		return 0, false
	}
	c = s.deck[s.deckSize-1]
	if !s.knownTo[p].Has(c) {
		return 0, false
	}
	return c, true
}

// BeginPlan makes the State one for planning: in the active character's actions, whoever decides now.
func (s *State) BeginPlan() {
	s.foreseen = true
	s.decision, s.inside, s.asked = atActions, inside{}, false
}

// Gift is the card to be given away, in the phase "to".
func (s *State) Gift() Card { return Card(s.inside.pending - int16(give)) }

// Regenerating are the practices with a Regeneration token.
func (s *State) Regenerating() Set { return s.regeneration }

// Potential is for potential-based shaping: what is transformed, less collapses and strain.
func (s *State) Potential(env.Player) float64 {
	strain := float64(s.total()) / float64(NumSectors*int(s.game.full))
	return float64(0.6*s.share()) - float64(0.1*float64(s.collapses)) - float64(0.2*strain)
}

// An outlookWeight is what a number counts in the log-odds of a win: at once, and for each turn that is left.
type outlookWeight struct{ now, turn float64 }

// outlookWeights are logistic regressions over the turns of tables of strong bots: 4,200 normal games with 1 to 6
// seats, 2,700 with win=sustained, 3,500 of quickplay.
type outlookWeights struct {
	one                    outlookWeight // the constant
	majors, minors         outlookWeight // segments outside
	outside, inside, whole outlookWeight // strain in sectors without a segment in the centre, with the Major, with both
	rising, falling        outlookWeight // net of Phase 2 of all sectors that gain strain, and that lose it
	poverty                outlookWeight
	// the share at the end of a lost game: 1, share now, tenths of turns left, product of both
	lost [4]float64
}

var (
	normalOutlook = outlookWeights{
		one: outlookWeight{2.21, 0.294}, majors: outlookWeight{-0.08, -0.0144}, minors: outlookWeight{-0.744, 0.0685},
		outside: outlookWeight{-0.0224, -0.0019}, inside: outlookWeight{-0.0044, -0.0049},
		whole:  outlookWeight{0.0984, 0.0118},
		rising: outlookWeight{-0.334, -0.0086}, falling: outlookWeight{-0.002, 0.0186}, poverty: outlookWeight{-0.0513, 0},
		lost: [4]float64{0.573, 0.21, 0.08, -0.065},
	}
	sustainedOutlook = outlookWeights{
		one: outlookWeight{-0.615, 0.289}, majors: outlookWeight{-0.273, -0.0025}, minors: outlookWeight{-0.484, 0.0373},
		outside: outlookWeight{0.01, -0.0033}, inside: outlookWeight{-0.0542, 0.0021}, whole: outlookWeight{-0.0313, 0.0191},
		rising: outlookWeight{-0.646, 0.0126}, falling: outlookWeight{0.0557, 0.0076},
		poverty: outlookWeight{-0.0265, 0.0023},
		lost:    [4]float64{0.604, 0.227, 0.098, -0.053},
	}
	quickplayOutlook = outlookWeights{
		one: outlookWeight{2.63, 2.058}, majors: outlookWeight{0.176, -0.0601},
		outside: outlookWeight{-0.234, 0.0054}, inside: outlookWeight{-0.0458, -0.0352},
		rising: outlookWeight{-0.0989, -0.1003}, falling: outlookWeight{0.173, 0.0212},
		poverty: outlookWeight{0.0055, -0.0212},
		lost:    [4]float64{0.317, 0.614, 0.322, -0.739},
	}
)

// collapseOdds is what a collapse takes off the log-odds of a win. Strong bots have too few of them to measure it.
const collapseOdds = 0.7

// Outlook is the chance of a win at the beginning of a turn.
func (s *State) Outlook(dst []float64) bool {
	if s.result != running || s.decision == atChoose || s.actions != int8(s.game.data.Turn.Actions) ||
		s.inside.drawing == actionDrawing {
		return false
	}
	w := &normalOutlook
	switch {
	case s.game.variant == quickplay:
		w = &quickplayOutlook
	case s.game.sustained:
		w = &sustainedOutlook
	}
	var outside, inside, whole, rising, falling int
	for x := range Sector(NumSectors) {
		strain, net := int(s.strain[x]), int(s.net(x))
		switch {
		case s.minor.has(x):
			whole += strain
		case s.major.has(x):
			inside += strain
		default:
			outside += strain
		}
		rising, falling = rising+max(net, 0), falling+max(-net, 0)
	}
	turns := float64(s.game.limit - s.year)
	odds := -collapseOdds * float64(s.collapses)
	for _, term := range [...]struct {
		outlookWeight
		n int
	}{
		{w.one, 1}, {w.majors, NumSectors - s.major.count()}, {w.minors, NumSectors - s.minor.count()}, {w.outside, outside},
		{w.inside, inside}, {w.whole, whole}, {w.rising, rising}, {w.falling, falling}, {w.poverty, int(s.poverty)},
	} {
		odds += float64((term.now + float64(term.turn*turns)) * float64(term.n))
	}
	win := 1 / (1 + alike.Exp(-odds))
	lost := -1.0
	if !s.game.binary {
		share := s.share()
		lost = -0.5 + float64(0.75*min(1, w.lost[0]+float64(w.lost[1]*share)+(w.lost[2]+float64(w.lost[3]*share))*turns/10))
	}
	fill(dst, win+float64((1-win)*lost))
	return true
}
