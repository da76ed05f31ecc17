package scripted

import (
	"math"

	"earthgym/env"
	er "earthgym/games/earthrising"
)

// The bots of Earth Rising. Greedy and strong judge a position by what it is worth once the strain phases
// of the turn are over, and know it to be theirs to plan until a card is drawn.
//
// What they have learnt by play: count what a sector gains a turn, not only what lies on it, for that is what the rest
// of the game pays. Practices come before Clean Ups, and Clean Ups go where they make a segment clear. Never risk a
// collapse. Leave a sector clear for the character whose home it is, as it transforms it for nothing. If an action is
// left over, look for cards before you act, not after. An action is worth more than a strike put off.

var risingBots = script{rulebook: er.Rulebook, bots: [len(levels)]bot{
	plain(func(g env.Game) policy { return &risingNaive{} }),
	plain(newRisingGreedy),
	{weights: risingWeightsOf, create: newRisingStrong},
}}

// risingWeights are what a position is worth, in units of about one strain.
type risingWeights struct {
	Major     float64 `low:"0" high:"60" help:"a Major in the centre"`
	Minor     float64 `low:"0" high:"90" help:"a Minor in the centre"`
	Strain    float64 `low:"0" high:"2" help:"a strain token, to be taken off"`
	Crowding  float64 `low:"0" high:"0.4" help:"the square of a sector's strain, to be taken off: many tokens in one sector are near a collapse"`
	Danger    float64 `low:"0" high:"5" help:"a strain token beyond ten in a sector, to be taken off"`
	Rising    float64 `low:"0" high:"12" help:"a token that a sector gains a turn, over four turns, to be taken off"`
	Falling   float64 `low:"0" high:"5" help:"a token that a sector loses a turn, over four turns"`
	Recession float64 `low:"0" high:"40" help:"a Major that will not last the next turn, to be taken off"`
	Restless  float64 `low:"0" high:"40" help:"a token a turn that a sector with its Minor in the centre gains, to be taken off"`
	Poverty   float64 `low:"0" high:"0.5" help:"a poor person, for each turn ahead, to be taken off"`
	Collapse  float64 `low:"0" high:"300" help:"a collapse in this turn, to be taken off"`
	Collapsed float64 `low:"0" high:"150" help:"a collapse so far, to be taken off"`
	Own       float64 `low:"0" high:"6" help:"a card of a character's own sector that it can still use"`
	Other     float64 `low:"0" high:"3" help:"a card of another sector"`
	Pair      float64 `low:"0" high:"5" help:"two cards or more of another sector: one acts, one pays"`
	Token     float64 `low:"0" high:"5" help:"a Protest token where the card to flip is in its own hand"`
	Ready     float64 `low:"0" high:"12" help:"a segment that can be transformed when its character's turn comes"`
	Key       float64 `low:"0" high:"5" help:"a card of another sector with a segment outside: it pays for the transformation"`
	Hope      float64 `low:"0" high:"5" help:"an action that is left, while a turn is planned"`
	Spare     float64 `low:"0" high:"5" help:"an action that is left, when the plan is chosen"`
}

// risingMarks are the weights of the greedy bot, which stays what it is for others to be measured by.
func risingMarks(g env.Game) *risingWeights {
	w := risingWeights{
		Major: 8, Minor: 34,
		Strain: 0.24, Crowding: 0.04, Danger: 0.5,
		Rising: 3.5, Falling: 0.5, Recession: 6, Restless: 9,
		Poverty: 0.034, Collapse: 104, Collapsed: 31,
		Own: 1, Other: 0.2, Pair: 0.6, Token: 0.5,
		Hope: 0.78, Spare: 0.26,
	}
	switch g := g.(*er.Game); {
	case g.Quickplay(): // Minors don't count, and a Major may fall back before the last turns
		w.Major, w.Minor, w.Recession = 5, 0, 3
	case g.Sustained(): // only what gains no strain lasts
		w.Restless, w.Falling, w.Poverty = 16, 1.3, 0.045
	}
	return &w
}

// risingTable is what greedy and strong see, and what they share.
type risingTable struct {
	sight[*er.Game, *er.State]
	weights *risingWeights
	moves   env.Mask
	list    []env.Action
	hands   [er.NumCharacters]risingHand
	sectors [er.NumSectors][64]risingSector // by strain, and four of one strain

	// Of the turn that is planned.
	boards []*risingBoard        // the first is that on which it begins
	used   int                   // of those
	left   float64               // years after it
	until  [er.NumSectors]int    // turns until a sector's character in play
	turn   [er.NumSectors]uint64 // left and until in one number
	after  er.Aftermath          // scratch, as is the next
	then   er.State
}

// A risingBoard is a table as steps of a plan leave it, whatever its strain: most steps are Clean Ups and moves, or
// lead to a table to which another order of the steps has led.
type risingBoard struct {
	er.Board
	over  float64 // what it is worth if the game is over on it; else 0
	cards float64 // what its hands are worth

	step        env.Action // that led here from the board before; -1 for one that another strain makes another one
	spent       int8       // by it
	first, next int        // of the boards that steps lead to from here, and from the board before; 0 for none

	totals [16]risingTotal // some that are known, by strain
	cleans [16]risingClean
}

// A risingTotal remembers what a board is worth with some strain.
type risingTotal struct {
	strain er.Strains
	worth  float64
}

// A risingClean remembers what bestClean says of a board with some strain and some of a Clean Up left.
type risingClean struct {
	strain er.Strains
	left   int
	best   er.Sector
	n      int
}

// A risingSector remembers what a sector is worth with some strain, as a step changes little about most sectors.
type risingSector struct {
	key          uint64 // all that it depends on but the strain; 0 for nothing remembered
	worth, ready float64
	relief       float64 // what it is worth more than with a token more
}

// A risingHand remembers what a hand is worth, as most hands stay the same while a turn is planned.
type risingHand struct {
	cards, useful, protested er.Set
	open                     uint8 // sectors with a segment outside, as bits
	worth                    float64
}

func newRisingTable(g env.Game, w *risingWeights) risingTable {
	return risingTable{
		sight: newSight[*er.Game, *er.State](g), weights: w,
		moves: make(env.Mask, g.Info().MaskWords()), list: make([]env.Action, 0, len(g.Info().Actions)),
	}
}

// begin makes a State the one at which a turn is planned from now on.
func (t *risingTable) begin(s *er.State) *risingBoard {
	t.used = 0
	b := t.boards[t.board()]
	b.State = *s
	b.BeginPlan()
	t.left = float64(s.YearsLeft())
	for x := range er.Sector(er.NumSectors) {
		t.until[x] = 0
		if k := er.Character(x); s.InPlay(k) {
			t.until[x] = s.TurnsUntil(k)
		}
		t.turn[x] = 1<<63 | uint64(s.YearsLeft())<<40 | uint64(t.until[x])<<32
	}
	t.survey(b)
	return b
}

// board makes room for a board.
func (t *risingTable) board() int {
	if t.used == len(t.boards) {
		t.boards = append(t.boards, new(risingBoard))
	}
	t.used++
	t.boards[t.used-1].first = 0
	return t.used - 1
}

// survey looks at what lies on a board.
func (t *risingTable) survey(b *risingBoard) {
	switch b.over = 0; {
	case b.Won():
		b.over = 1e6 + t.left
	case b.Lost():
		b.over = -1e5
	default:
		b.Survey()
		for i := range b.totals {
			b.totals[i].strain, b.cleans[i].left = math.MaxUint64, 0
		}
		b.cards = float64(min(1, t.left/6) * t.cards(&b.State))
	}
}

// play plays an action of a plan with all decisions inside it, from a board on, and returns the board that it leads to.
func (t *risingTable) play(from int, c *er.Course, a env.Action) int {
	b := t.boards[from]
	if er.IsMove(a) {
		c.Move(a)
		return from
	}
	if x, n, ok := er.CleanOf(a); ok {
		c.Actions--
		for left := b.CleanUps(); ; {
			c.Strain = c.Strain.Plus(x, -n)
			if left -= n; left == 0 || c.Strain == 0 {
				return from
			}
			x, n = t.bestClean(b, c.Strain, left)
		}
	}
	at := b.first
	for at != 0 && t.boards[at].step != a {
		at = t.boards[at].next
	}
	if at == 0 {
		at = t.board()
		to := t.boards[at]
		to.Board, to.step = b.Board, a
		to.Follow(c)
		t.step(&to.State, a)
		to.spent = c.Actions - int8(to.ActionsLeft())
		t.survey(to)
		if er.IsToken(a) { // where the next ones go depends on the strain
			to.step = -1
		}
		to.next, b.first = b.first, at
	}
	c.Actions -= t.boards[at].spent
	return at
}

// value is what s is worth if its turn ended now.
func (t *risingTable) value(s *er.State) float64 {
	return t.total(t.begin(s), s.Course().Strain)
}

// total is what a board is worth with some strain if the turn ended now.
func (t *risingTable) total(b *risingBoard, strain er.Strains) float64 {
	if b.over != 0 {
		return b.over
	}
	known := &b.totals[strain*0x9e3779b97f4a7c15>>60]
	if known.strain != strain {
		known.strain, known.worth = strain, t.add(b, strain)
	}
	return known.worth
}

// add works out a total.
func (t *risingTable) add(b *risingBoard, strain er.Strains) float64 {
	f, w := &t.after, t.weights
	b.Aftermath(strain, f, &t.then)
	if f.Lost {
		return -1e5
	}
	var ready [er.NumSectors]float64
	v := 0.0
	for x := range er.Sector(er.NumSectors) {
		known := t.sector(f, x, f.Strain.At(x))
		v += known.worth
		ready[x] = known.ready
	}
	for _, r := range ready {
		v += r
	}
	collapses := float64(f.Collapses)
	v -= float64(w.Poverty*float64(f.Poverty)*min(t.left, 8)) +
		float64(w.Collapse*(collapses-float64(b.Collapses()))) + float64(w.Collapsed*collapses)
	if f.Collapses == 3 {
		v -= 10
	}
	return v + b.cards
}

// sector is what a sector is worth with some strain after this turn.
func (t *risingTable) sector(f *er.Aftermath, x er.Sector, tokens int) *risingSector {
	known := &t.sectors[x][(f.Fate[x]*0x9e3779b1>>26&^15|uint32(tokens))&63]
	if key := t.turn[x] | uint64(f.Fate[x]); known.key != key {
		t.know(known, key, f, x, tokens)
	}
	return known
}

// know works out what sector says.
func (t *risingTable) know(known *risingSector, key uint64, f *er.Aftermath, x er.Sector, tokens int) {
	*known = risingSector{key: key, worth: t.weigh(f, x, tokens)}
	known.relief = known.worth - t.weigh(f, x, tokens+1)
	if t.weights.Ready != 0 && t.left > 0 {
		known.ready = float64(t.weights.Ready * t.ready(f, x, tokens))
	}
}

// weigh works out what a sector is worth. A Major is the first step, and the only way to more
// circles; a Minor the second, and hardest to keep. Strain weighs by where it leads: to a collapse, a recession, or a
// sector that can't be transformed.
func (t *risingTable) weigh(f *er.Aftermath, x er.Sector, tokens int) float64 {
	w, strain, left, v := t.weights, float64(tokens), t.left, 0.0
	major, minor := f.MajorIn(x), f.MinorIn(x)
	if major {
		v += w.Major
	}
	if minor {
		v += w.Minor
	}
	if left == 0 {
		return v - float64(0.3*strain)
	}
	rate := float64(f.MeepleStrain)/er.NumSectors + float64(f.Net[x])
	v -= float64(w.Strain*strain) + float64(w.Crowding*strain*strain) + float64(w.Danger*max(0, strain-10))
	if rate > 0 {
		v -= float64(w.Rising * rate * min(left, 8) / 4)
	} else {
		v -= float64(w.Falling * rate * min(left, 8) / 4)
	}
	if major {
		v -= float64(w.Recession * min(1, max(0, strain+rate-5)/3))
	}
	if minor {
		v -= float64(w.Restless * max(0, rate))
	}
	return v
}

// ready is how near a sector is to its next transformation when its character's turn comes, 0 to 1: a segment outside
// without strain on it is a free action for its character, and costs an action and a card anybody else.
func (t *risingTable) ready(f *er.Aftermath, x er.Sector, tokens int) float64 {
	if f.MajorIn(x) && (t.game.Quickplay() || f.MinorIn(x) || !f.MajorsBeside(x)) {
		return 0
	}
	strain := float64(tokens)
	if !f.MajorIn(x) {
		strain--
	}
	if turns := t.until[x]; turns > 0 {
		strain += float64(float64(turns-1) * max(0, float64(f.MeepleStrain)/er.NumSectors+float64(f.Net[x])))
	}
	return 1 - min(1, max(0, strain)/4)
}

// cards is what all hands are worth: a practice for each card of the own sector, half of one for others.
func (t *risingTable) cards(s *er.State) float64 {
	open := uint8(0)
	for x := range er.Sector(er.NumSectors) {
		if t.outside(s, x) {
			open |= 1 << x
		}
	}
	v := 0.0
	for k := range er.Character(er.NumCharacters) {
		cards := s.Hand(k, t.me)
		if cards == 0 {
			continue
		}
		own := cards & er.Of(k.Home())
		h := risingHand{cards: cards, useful: own &^ s.Sustainable(), protested: own & s.Protested(), open: open}
		if known := &t.hands[k]; known.cards != h.cards || known.open != h.open || known.useful != h.useful ||
			known.protested != h.protested {
			h.worth = t.hand(k, &h)
			*known = h
		}
		v += t.hands[k].worth
	}
	return v
}

// hand is what one hand is worth.
func (t *risingTable) hand(k er.Character, h *risingHand) float64 {
	w := t.weights
	n := h.cards.Count()
	v := float64(w.Own*float64(h.useful.Count())) + float64(w.Other*float64(n-h.useful.Count())) +
		float64(w.Token*float64(h.protested.Count()))
	for x := range er.Sector(er.NumSectors) {
		if x == k.Home() || h.cards&er.Of(x) == 0 {
			continue
		}
		if h.open>>x&1 != 0 {
			v += w.Key
		}
		if (h.cards & er.Of(x)).Rest() != 0 {
			v += w.Pair
		}
	}
	return v - float64(0.3*float64(max(0, n-6)))
}

// planned says whether another seat has announced that it plans something in a sector, and wanted whether a character's
// seat has asked for the sector's cards. Without talk nobody has.
func (t *risingTable) planned(s *er.State, x er.Sector) bool {
	for p := range env.Player(t.game.Info().Players) {
		if at, planned, ok := s.Signal(p); ok && planned && at == x && p != t.me {
			return true
		}
	}
	return false
}

func (t *risingTable) wanted(s *er.State, k er.Character, x er.Sector) bool {
	at, planned, ok := s.Signal(s.Seat(k))
	return ok && !planned && at == x
}

// outside says whether a sector has a segment that still has to come into the centre.
func (t *risingTable) outside(s *er.State, x er.Sector) bool {
	return !s.MajorIn(x) || !t.game.Quickplay() && !s.MinorIn(x)
}

// worth ranks the cards of a hand: those of the lowest worth pay and are discarded.
func (t *risingTable) worth(s *er.State, k er.Character, c er.Card) float64 {
	x := c.Sector()
	same := (s.Hand(k, t.me) & er.Of(x)).Count()
	switch {
	case x == k.Home() && !s.Sustainable().Has(c):
		if s.VacantCircles(x) > 0 || s.Unsustainable().Has(c) {
			return 3
		}
		return 2
	case x == k.Home():
		return 0.5
	}
	v := 0.5
	if t.outside(s, x) && !t.planned(s, x) {
		v += 1 / float64(same) // one card transforms a segment
	}
	if same >= 2 {
		v += 0.6
	}
	return v
}

// inside decides where an action needs more than itself; ok is false in the other phases.
func (t *risingTable) inside(s *er.State) (a env.Action, ok bool) {
	phase, m := s.Decision(), t.moves
	switch phase {
	case "actions", "over":
		return 0, false
	case "clean":
		c, left := s.Course(), s.CleanUps()
		x, n := t.bestClean(t.begin(s), c.Strain, left)
		return er.Clean(x, n), true
	case "to":
		return er.To(t.receiver(s, s.Gift())), true
	}
	s.Legal(m)
	k := s.Active()
	switch phase {
	case "pay", "discard":
		least := undecided()
		for c := range s.Hand(k, t.me).Each {
			if m.Has(er.Discard(c)) {
				least.put(er.Discard(c), -t.worth(s, k, c))
			}
		}
		return least.best, true
	case "circle":
		return m.Nth(0), true
	case "tokens":
		if a := t.bestToken(s, m); a >= 0 {
			return a, true
		}
		return er.Done, true
	case "trim":
		return t.leastToken(s, m), true
	}
	return 0, false
}

// bestClean takes tokens, up to what a Clean Up has left, from the one sector where the next ones help most; n is 0 if
// there are none.
func (t *risingTable) bestClean(b *risingBoard, strain er.Strains, left int) (best er.Sector, n int) {
	known := &b.cleans[(strain+er.Strains(left))*0x9e3779b97f4a7c15>>60]
	if known.strain != strain || known.left != left {
		best, n = t.findClean(b, strain, left)
		*known = risingClean{strain, left, best, n}
	}
	return known.best, known.n
}

// findClean works out what bestClean says.
func (t *risingTable) findClean(b *risingBoard, strain er.Strains, left int) (best er.Sector, n int) {
	b.Aftermath(strain, &t.after, &t.then)
	f := t.after
	taken := func(x er.Sector, n int) float64 { // what the n-th token of a calm sector is worth
		if then := strain.At(x) - n + b.Growth(x); then >= 0 {
			return t.sector(&f, x, then).relief
		}
		return 0
	}
	var gain [er.NumSectors]float64
	now := math.NaN() // what the board is worth
	best = -1
	top := math.Inf(-1)
	for x := range er.Sector(er.NumSectors) {
		switch {
		case strain.At(x) == 0:
			gain[x] = math.Inf(-1)
		case f.CalmIn(x):
			gain[x] = taken(x, 1)
		default:
			if math.IsNaN(now) {
				now = t.total(b, strain)
			}
			gain[x] = t.total(b, strain.Plus(x, -1)) - now
		}
		if gain[x] > top {
			best, top = x, gain[x]
		}
	}
	if best < 0 {
		return 0, 0
	}
	n = 1
	for n < min(left, strain.At(best)) && f.CalmIn(best) {
		next := taken(best, n+1)
		for x := range er.Sector(er.NumSectors) {
			if x != best && (gain[x] > next || gain[x] == next && x < best) {
				return best, n
			}
		}
		n++
	}
	return best, n
}

// receiver is who should get a card: the character of its sector, else who has most of it, and is next
// to play.
func (t *risingTable) receiver(s *er.State, c er.Card) er.Character {
	best := choice[er.Character]{-1, math.Inf(-1)}
	for k := range er.Character(er.NumCharacters) {
		if !s.InPlay(k) || k == s.Active() {
			continue
		}
		hand := s.Hand(k, t.me)
		v := float64((hand & er.Of(c.Sector())).Count()) - float64(0.05*float64(s.TurnsUntil(k))) -
			float64(0.2*max(0, float64(hand.Count())-3))
		if k.Home() == c.Sector() {
			v += 10
		}
		if t.wanted(s, k, c.Sector()) {
			v += 1.5
		}
		best.put(k, v)
	}
	return best.best
}

// bestToken is where a token of the active character does most good, or -1.
func (t *risingTable) bestToken(s *er.State, m env.Mask) env.Action {
	if k := s.Active(); k != er.Activist && k != er.Ecologist {
		return -1
	}
	best := choice[env.Action]{-1, 0}
	for c, a := range among[er.Card](m, er.Token(0), er.NumPractices) {
		v := 0.0
		if s.Active() == er.Activist {
			for k := range er.Character(er.NumCharacters) {
				if s.Hand(k, t.me).Has(c) {
					v = 1 + float64(0.1*float64(6-s.TurnsUntil(k)))
					if k.Home() == c.Sector() {
						v++
					}
				}
			}
		} else if !s.Regenerating().Has(c) {
			v = 1 + float64(0.1*float64(s.Strain(c.Sector())))
			if s.MajorIn(c.Sector()) {
				v++
			}
		}
		best.put(a, v)
	}
	return best.best
}

// leastToken is the surplus token that is missed least.
func (t *risingTable) leastToken(s *er.State, m env.Mask) env.Action {
	least := undecided()
	for c, a := range among[er.Card](m, er.Token(0), er.NumPractices) {
		v := float64(s.Strain(c.Sector()))
		for k := range er.Character(er.NumCharacters) {
			if s.Hand(k, t.me).Has(c) {
				v += 20
			}
		}
		least.put(a, -v)
	}
	return least.best
}

// drawing decides for the Eco Investor: to look as often as possible, to bury what nobody needs.
func (t *risingTable) drawing() env.Action {
	s, m := t.state, t.mask
	switch s.Decision() {
	case "looked":
		c := s.Looked()
		if k := er.Character(c.Sector()); m.Has(er.To(k)) && !s.Sustainable().Has(c) {
			return er.To(k)
		}
		if s.InPlay(er.Character(c.Sector())) {
			return er.Bottom
		}
		return er.To(t.receiver(s, c))
	case "draw":
		return firstOf(m, er.Look, er.Draw, er.Done)
	}
	return firstOf(m, er.Draw, er.Done)
}

// ordering puts strikes last and the cards of the next characters first, and keeps the rest if it lies like that.
func (t *risingTable) ordering() env.Action {
	cards, named := t.state.Ordering()
	best, last, sorted := choice[env.Action]{er.Keep, math.Inf(-1)}, math.Inf(1), true
	for j, c := range cards {
		if named>>j&1 != 0 {
			continue
		}
		v := 0.0
		switch {
		case c.IsStrike():
			v = -100
		case t.state.InPlay(er.Character(c.Sector())):
			v = 10 - float64(t.state.TurnsUntil(er.Character(c.Sector())))
		}
		best.put(er.Top(j), v)
		sorted = sorted && v <= last
		last = v
	}
	if sorted {
		return er.Keep
	}
	return best.best
}

// step plays an action of a plan with all decisions inside it.
func (t *risingTable) step(s *er.State, a env.Action) {
	s.Plan(a)
	for {
		a, ok := t.inside(s)
		if !ok {
			return
		}
		s.Plan(a)
	}
}

// rankSteps scores each step that can be foreseen by what it leads to.
func (t *risingTable) rankSteps(r *ranking) {
	t.begin(t.state)
	t.list = t.mask.Append(t.list[:0])
	for _, a := range t.list {
		if plannable(a) {
			c := t.state.Course()
			r.put(a, t.total(t.boards[t.play(0, &c, a)], c.Strain))
		}
	}
}

// plannable says whether an action draws no card and is worth a thought.
func plannable(a env.Action) bool {
	switch a {
	case er.EndTurn, er.Done, er.Refresh, er.Draw, er.Consult, er.Ask:
		return false
	}
	return !er.IsSignal(a)
}

// risingGreedy takes whatever is worth most at once.
type risingGreedy struct {
	risingTable
}

func newRisingGreedy(g env.Game) policy {
	return &risingGreedy{newRisingTable(g, risingMarks(g))}
}

// Choose plays the best single action, and draws when none is better than nothing.
func (b *risingGreedy) Choose(state env.State, legal env.Mask) env.Action {
	return b.rank(state, legal, nil)
}

// Scores are the values of the positions that the actions lead to.
func (b *risingGreedy) Scores(state env.State, legal env.Mask, dst []float64) {
	b.rank(state, legal, dst)
}

// rank scores the legal actions into all, if that is given, and chooses the best.
func (b *risingGreedy) rank(state env.State, legal env.Mask, all []float64) env.Action {
	t := &b.risingTable
	t.look(state, legal)
	s := t.state
	var r ranking
	r.begin(legal, all)
	a := env.Action(-1) // what a rule of thumb decides, or what is done if no action is better than nothing
	switch s.Decision() {
	case "choose":
		a = t.mask.Nth(0)
	case "draw", "looked":
		a = t.drawing()
	case "order":
		a = t.ordering()
	case "window":
		a = er.Done
	case "actions":
		if a = er.EndTurn; t.mask.Has(er.Draw) {
			a = er.Draw
		}
	default:
		a, _ = t.inside(s)
	}
	r.put(a, t.value(s)+1e-9)
	if phase := s.Decision(); phase == "actions" || phase == "window" {
		t.rankSteps(&r)
	}
	return r.best
}

// risingNaive transforms what it can at home, and otherwise does something useful half of the time.
type risingNaive struct {
	gambling
	legal []env.Action
}

// Choose draws among what is useful, or among everything.
func (b *risingNaive) Choose(state env.State, legal env.Mask) env.Action {
	s, m := state.(*er.State), legal
	switch s.Decision() {
	case "window", "tokens":
		return er.Done
	case "trim", "circle":
		return m.Nth(0)
	case "draw":
		return firstOf(m, er.Draw, er.Done)
	case "actions":
	default:
		return m.Nth(b.luck.Below(m.Count()))
	}
	home := s.Active().Home()
	if a := firstOf(m, er.Major(home), er.Minor(home)); a >= 0 {
		return a
	}
	if s.ActionsLeft() == 0 {
		return er.EndTurn
	}
	b.legal = b.legal[:0]
	if b.luck.Below(2) == 0 {
		for c := range er.Card(er.NumPractices) {
			for _, a := range [...]env.Action{er.Create(c), er.Disband(c), er.Flip(c)} {
				if m.Has(a) {
					b.legal = append(b.legal, a)
				}
			}
		}
		worst := er.Sector(0)
		for x := range er.Sector(er.NumSectors) {
			if s.Strain(x) > s.Strain(worst) {
				worst = x
			}
		}
		if a := firstOf(m, er.Clean(worst, 4), er.Clean(worst, 3), er.Clean(worst, 2), er.Clean(worst, 1)); a >= 0 {
			b.legal = append(b.legal, a)
		}
	}
	if len(b.legal) == 0 {
		for _, a := range m.Append(nil) {
			if a != er.Ask && a != er.EndTurn {
				b.legal = append(b.legal, a)
			}
		}
	}
	return b.legal[b.luck.Below(len(b.legal))]
}
