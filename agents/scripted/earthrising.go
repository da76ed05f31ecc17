package scripted

import (
	"math"

	"earthgym/env"
	er "earthgym/games/earthrising"
)

// The bots of Earth Rising. Greedy and strong judge a position by what it is worth once the strain phases
// of the turn are over, and know it to be theirs to plan until a card is drawn.

var risingBots = script{er.Rulebook, [len(levels)]bot{
	plain(func(g env.Game) policy { return &risingNaive{} }),
	plain(func(g env.Game) policy { return &risingGreedy{newRisingTable(g)} }),
	plain(func(g env.Game) policy { return &risingStrong{risingTable: newRisingTable(g)} }),
}}

// risingNaive transforms what it can at home, and otherwise does something useful half of the time.
type risingNaive struct {
	luck  env.Stream
	legal []env.Action
}

// Reset seeds its chance.
func (b *risingNaive) Reset(seed uint64) { b.luck = env.NewStream(seed, "naive") }

// Choose draws among what is useful, or among everything.
func (b *risingNaive) Choose(state env.State, legal env.Mask) env.Action {
	s, m := state.(*er.State), legal
	switch s.Phase() {
	case "window", "tokens":
		return er.Done
	case "trim", "circle":
		return m.Nth(0)
	case "draw":
		if m.Has(er.Draw) {
			return er.Draw
		}
		return er.Done
	case "actions":
	default:
		return m.Nth(b.luck.Below(m.Count()))
	}
	home := s.Active().Home()
	if m.Has(er.Major(home)) {
		return er.Major(home)
	}
	if m.Has(er.Minor(home)) {
		return er.Minor(home)
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
		for n := 4; n > 0; n-- {
			if a := er.Clean(worst, n); m.Has(a) {
				b.legal = append(b.legal, a)
				break
			}
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

// risingWeights are what a position is worth, in units of about one strain. They were tuned by play.
type risingWeights struct {
	major, minor        float64 // a segment in the centre
	strain, crowding    float64 // strain of a sector, and its square
	danger              float64 // strain beyond ten
	rising, falling     float64 // what a sector gains or loses in a turn
	recession           float64 // a Major that won't last
	restless            float64 // a Minor whose sector gains strain
	poverty             float64 // a poor person, for each turn ahead
	collapse, collapsed float64 // of this turn; so far
	own, other, pair    float64 // cards: of the own sector, of another, two of another
	token               float64 // a Protest token where the card is at hand
}

func risingWeightsOf(g *er.Game) risingWeights {
	w := risingWeights{
		major: 8, minor: 34,
		strain: 0.24, crowding: 0.04, danger: 0.5,
		rising: 3.5, falling: 0.5, recession: 6, restless: 9,
		poverty: 0.034, collapse: 104, collapsed: 31,
		own: 1, other: 0.2, pair: 0.6, token: 0.5,
	}
	switch {
	case g.Quickplay(): // Minors don't count, and a Major may fall back before the last turns
		w.major, w.minor, w.recession = 5, 0, 3
	case g.Sustained(): // only what gains no strain lasts
		w.restless, w.falling, w.poverty = 16, 1.3, 0.045
	}
	return w
}

// risingTable is what greedy and strong see, and what they share.
type risingTable struct {
	game    *er.Game
	state   *er.State
	me      env.Player
	mask    env.Mask
	weights risingWeights
	after   *er.State // scratch of value
	next    *er.State // scratch of choices inside a decision
	moves   env.Mask
}

func newRisingTable(g env.Game) risingTable {
	game := g.(*er.Game)
	state := func() *er.State { return g.New().(*er.State) }
	return risingTable{
		game: game, weights: risingWeightsOf(game), after: state(), next: state(),
		moves: make(env.Mask, g.Info().MaskWords()),
	}
}

// look takes in the position.
func (t *risingTable) look(state env.State, legal env.Mask) {
	t.state, t.me, t.mask = state.(*er.State), state.Actor(), legal
}

// value is what s is worth if its turn ended now.
func (t *risingTable) value(s *er.State) float64 {
	if s.Won() {
		return 1e6 + float64(s.YearsLeft())
	}
	if s.Lost() {
		return -1e5
	}
	f, w := t.after, &t.weights
	s.Forecast(f)
	if f.Lost() {
		return -1e5
	}
	left := float64(s.YearsLeft())
	ahead := min(left, 8)
	each := float64(f.MeepleStrain()) / er.NumSectors
	v := 0.0
	for x := range er.Sector(er.NumSectors) {
		strain := float64(f.Strain(x))
		if f.MajorIn(x) {
			v += w.major
		}
		if f.MinorIn(x) {
			v += w.minor
		}
		if left == 0 {
			v -= 0.3 * strain
			continue
		}
		rate := each + float64(f.Net(x))
		v -= w.strain*strain + w.crowding*strain*strain + w.danger*max(0, strain-10)
		if rate > 0 {
			v -= w.rising * rate * ahead / 4
		} else {
			v -= w.falling * rate * ahead / 4
		}
		if f.MajorIn(x) {
			v -= w.recession * min(1, max(0, strain+rate-5)/3)
		}
		if f.MinorIn(x) {
			v -= w.restless * max(0, rate)
		}
	}
	collapses := float64(f.Collapses())
	v -= w.poverty*float64(f.Poverty())*ahead + w.collapse*(collapses-float64(s.Collapses())) + w.collapsed*collapses
	if f.Collapses() == 3 {
		v -= 10
	}
	return v + min(1, left/6)*t.cards(s)
}

// cards is what all hands are worth.
func (t *risingTable) cards(s *er.State) float64 {
	w, v := &t.weights, 0.0
	for k := range er.Character(er.NumCharacters) {
		hand := s.Hand(k, t.me)
		if hand == 0 {
			continue
		}
		for x := range er.Sector(er.NumSectors) {
			cards := hand.In(x)
			n := float64(cards.Count())
			if x == k.Home() {
				useful := float64((cards &^ s.Sustainable()).Count())
				v += w.own*useful + w.other*(n-useful)
				v += w.token * float64((cards & s.Protested()).Count())
				continue
			}
			v += w.other * n
			if n >= 2 {
				v += w.pair
			}
		}
		v -= 0.3 * max(0, float64(hand.Count())-6)
	}
	return v
}

// worth ranks the cards of a hand: those of the lowest worth pay and are discarded.
func (t *risingTable) worth(s *er.State, k er.Character, c er.Card) float64 {
	x := c.Sector()
	same := s.Hand(k, t.me).In(x).Count()
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
	if !s.MajorIn(x) || !t.game.Quickplay() && !s.MinorIn(x) {
		v += 1 / float64(same) // one card flips a segment
	}
	if same >= 2 {
		v += 0.6
	}
	return v
}

// inside decides where an action needs more than itself; ok is false in the other phases.
func (t *risingTable) inside(s *er.State) (a env.Action, ok bool) {
	m := t.moves
	s.Legal(m)
	k := s.Active()
	switch s.Phase() {
	case "pay", "discard":
		best, least := env.Action(-1), math.Inf(1)
		for hand := s.Hand(k, t.me); hand != 0; hand = hand.Rest() {
			c := hand.First()
			if m.Has(er.Discard(c)) {
				if v := t.worth(s, k, c); v < least {
					best, least = er.Discard(c), v
				}
			}
		}
		return best, true
	case "circle":
		return m.Nth(0), true
	case "clean":
		return t.bestClean(s, m), true
	case "to":
		return er.To(t.receiver(s, s.Gift())), true
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

// bestClean takes one more token from where it helps most.
func (t *risingTable) bestClean(s *er.State, m env.Mask) env.Action {
	best, top := env.Action(-1), math.Inf(-1)
	for x := range er.Sector(er.NumSectors) {
		if s.Strain(x) == 0 {
			continue
		}
		t.next.CopyFrom(s)
		t.next.Clear(x, 1)
		if v := t.value(t.next); v > top {
			best, top = er.Clean(x, 1), v
		}
	}
	return best
}

// receiver is who should get a card: the character of its sector, else who has most of it, and is next
// to play.
func (t *risingTable) receiver(s *er.State, c er.Card) er.Character {
	best, top := er.Character(-1), math.Inf(-1)
	for k := range er.Character(er.NumCharacters) {
		if !s.InPlay(k) || k == s.Active() {
			continue
		}
		hand := s.Hand(k, t.me)
		v := float64(hand.In(c.Sector()).Count()) - 0.05*float64(s.TurnsUntil(k)) - 0.2*max(0, float64(hand.Count())-3)
		if k.Home() == c.Sector() {
			v += 10
		}
		if v > top {
			best, top = k, v
		}
	}
	return best
}

// bestToken is where a token of the active character does most good, or -1.
func (t *risingTable) bestToken(s *er.State, m env.Mask) env.Action {
	best, top := env.Action(-1), 0.0
	for c := range er.Card(er.NumPractices) {
		a := er.Token(c)
		if !m.Has(a) {
			continue
		}
		v := 0.0
		if s.Active() == er.Activist {
			for k := range er.Character(er.NumCharacters) {
				if s.Hand(k, t.me).Has(c) {
					v = 1 + 0.1*float64(6-s.TurnsUntil(k))
					if k.Home() == c.Sector() {
						v++
					}
				}
			}
		} else if !s.Regenerating().Has(c) {
			v = 1 + 0.1*float64(s.Strain(c.Sector()))
			if s.MajorIn(c.Sector()) {
				v++
			}
		}
		if v > top {
			best, top = a, v
		}
	}
	return best
}

// leastToken is the surplus token that is missed least.
func (t *risingTable) leastToken(s *er.State, m env.Mask) env.Action {
	best, least := env.Action(-1), math.Inf(1)
	for c := range er.Card(er.NumPractices) {
		if !m.Has(er.Token(c)) {
			continue
		}
		v := float64(s.Strain(c.Sector()))
		for k := range er.Character(er.NumCharacters) {
			if s.Hand(k, t.me).Has(c) {
				v += 20
			}
		}
		if v < least {
			best, least = er.Token(c), v
		}
	}
	return best
}

// drawing decides for the Eco Investor: to look as often as possible, to bury what nobody needs.
func (t *risingTable) drawing() env.Action {
	s, m := t.state, t.mask
	switch s.Phase() {
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
		if m.Has(er.Look) {
			return er.Look
		}
	}
	if m.Has(er.Draw) {
		return er.Draw
	}
	return er.Done
}

// ordering puts strikes last and the cards of the next characters first.
func (t *risingTable) ordering() env.Action {
	cards, named := t.state.Ordering()
	best, top := er.Keep, math.Inf(-1)
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
		if v > top {
			best, top = er.Top(j), v
		}
	}
	return best
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

// plannable says whether an action draws no card and is worth a thought.
func plannable(a env.Action) bool {
	switch a {
	case er.EndTurn, er.Refresh, er.Draw, er.Consult, er.Ask:
		return false
	}
	return !er.IsSignal(a)
}

// risingGreedy takes whatever is worth most at once.
type risingGreedy struct{ risingTable }

// Reset has nothing to seed.
func (b *risingGreedy) Reset(uint64) {}

// Choose plays the best single action, and draws when none is better than nothing.
func (b *risingGreedy) Choose(state env.State, legal env.Mask) env.Action {
	t := &b.risingTable
	t.look(state, legal)
	s := t.state
	switch s.Phase() {
	case "choose":
		return t.mask.Nth(0)
	case "draw", "looked":
		return t.drawing()
	case "order":
		return t.ordering()
	case "actions", "window":
	default:
		a, _ := t.inside(s)
		return a
	}
	best, top := er.EndTurn, t.value(s)
	if s.Phase() == "window" {
		best = er.Done
	} else if t.mask.Has(er.Draw) {
		best = er.Draw
	}
	node := s.Game().New().(*er.State)
	for _, a := range t.mask.Append(nil) {
		if !plannable(a) || a == er.Done {
			continue
		}
		node.CopyFrom(s)
		node.BeginPlan()
		t.step(node, a)
		if v := t.value(node); v > top+1e-9 {
			best, top = a, v
		}
	}
	return best
}

// risingStrong plans the whole turn: a beam search over its actions, free ones and the Climatologist's
// moves included.
type risingStrong struct {
	risingTable
	nodes, found []risingNode
	scratch      risingNode
}

const (
	risingBeam  = 12
	risingSteps = 12
)

// A risingNode is a plan and where it leads.
type risingNode struct {
	state er.State
	first env.Action // of the plan; -1 for the empty one
	value float64
	rank  float64
}

// What an action that is left counts for: while planning, and when the plan is chosen.
const (
	risingHope  = 0.78
	risingSpare = 0.26
)

// Reset has nothing to seed.
func (b *risingStrong) Reset(uint64) {}

// Choose plays the first action of the best plan, and draws when no plan is better than nothing.
func (b *risingStrong) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	s := b.state
	switch s.Phase() {
	case "choose":
		return b.mask.Nth(0)
	case "draw", "looked":
		return b.drawing()
	case "order":
		return b.ordering()
	case "actions":
		return b.act()
	case "window":
		return b.window()
	}
	a, _ := b.inside(s)
	return a
}

// act is the active character's choice.
func (b *risingStrong) act() env.Action {
	a := b.search()
	switch {
	case a >= 0 && b.mask.Has(a):
		return a
	case a >= 0 && b.mask.Has(er.Ask):
		return er.Ask // for a move of the Climatologist
	case b.mask.Has(er.Draw):
		return er.Draw
	}
	return er.EndTurn
}

// window moves strain where the plan of the turn begins with a move, or, at the end of the turn, where
// that is worth most.
func (b *risingStrong) window() env.Action {
	s := b.state
	if s.Window() == "A" {
		return er.Done
	}
	if s.Window() == "C" {
		return b.bestMove()
	}
	if a := b.search(); a >= 0 && b.mask.Has(a) {
		return a
	}
	return er.Done
}

func (b *risingStrong) bestMove() env.Action {
	best, top := er.Done, b.value(b.state)
	node := &b.scratch.state
	for _, a := range b.mask.Append(nil) {
		if !er.IsMove(a) {
			continue
		}
		node.CopyFrom(b.state)
		node.BeginPlan()
		node.Plan(a)
		if v := b.value(node); v > top+1e-9 {
			best, top = a, v
		}
	}
	return best
}

// search gives the first action of the best plan, or -1 if the empty plan is the best.
func (b *risingStrong) search() env.Action {
	root := risingNode{first: -1}
	root.state.CopyFrom(b.state)
	root.state.BeginPlan()
	root.value = b.value(&root.state)
	best, top := env.Action(-1), root.value+risingSpare*float64(root.state.ActionsLeft())
	b.nodes = append(b.nodes[:0], root)
	for range risingSteps {
		b.found = b.found[:0]
		for i := range b.nodes {
			b.expand(&b.nodes[i])
		}
		for i := range b.found {
			n := &b.found[i]
			if v := n.value + risingSpare*float64(n.state.ActionsLeft()); v > top+1e-9 {
				best, top = n.first, v
			}
		}
		if len(b.found) == 0 {
			break
		}
		b.nodes, b.found = b.found, b.nodes
	}
	return best
}

// expand adds all plans that go on from n by one step, as far as they are among the best.
func (b *risingStrong) expand(n *risingNode) {
	s := &n.state
	if s.Phase() != "actions" {
		return
	}
	m := make(env.Mask, len(b.moves))
	s.Legal(m)
	s.Moves(m)
	for _, a := range m.Append(nil) {
		if plannable(a) && b.promising(s, a) {
			b.try(n, a)
		}
	}
	if s.ActionsLeft() > 0 {
		if a := b.bestClean(s, m); a >= 0 {
			b.try(n, a)
		}
		if a := b.bestToken(s, m); a >= 0 {
			b.try(n, a)
		}
	}
}

// promising leaves out steps that hardly ever help.
func (b *risingStrong) promising(s *er.State, a env.Action) bool {
	if x, n, ok := er.CleanOf(a); ok {
		return n == 4 || n == s.Strain(x) || n == s.Strain(x)-1
	}
	if c, ok := er.GiveOf(a); ok {
		k := er.Character(c.Sector())
		return k != s.Active() && s.InPlay(k) && !s.Sustainable().Has(c)
	}
	if from, to, ok := er.MoveOf(a); ok {
		t := s.Strain(from)
		return (t <= 2 || t > 11 || t+3 > s.Tolerance(from)) && s.Strain(to) < s.Tolerance(to)
	}
	return !er.IsToken(a)
}

func (b *risingStrong) try(n *risingNode, a env.Action) {
	c := &b.scratch
	c.state.CopyFrom(&n.state)
	b.step(&c.state, a)
	c.first = n.first
	if c.first < 0 {
		c.first = a
	}
	c.value = b.value(&c.state)
	c.rank = c.value + risingHope*float64(c.state.ActionsLeft())
	for i := range b.found {
		if math.Abs(b.found[i].rank-c.rank) < 1e-9 { // another order of the same steps
			return
		}
	}
	if len(b.found) < risingBeam {
		b.found = append(b.found, *c)
		return
	}
	least := 0
	for i := range b.found {
		if b.found[i].rank < b.found[least].rank {
			least = i
		}
	}
	if c.rank > b.found[least].rank {
		b.found[least] = *c
	}
}
