package scripted

import (
	"math"

	"earthgym/env"
	er "earthgym/games/earthrising"
)

// risingStrong plans the whole turn: a beam search over its actions, free ones and the Climatologist's
// moves included. It then follows its plan as long as the table looks as planned.
type risingStrong struct {
	risingTable
	pool  []risingNode // the plans of a search, a beam after the other
	plan  []risingStep
	worst int  // of a full beam
	asked bool // since the last Forget
	known [risingKnown]risingSearch
	next  int // of those, the one to be forgotten

	weighed risingWeights // those of all that is remembered
	steps   env.Mask      // that may help wherever they are legal
	legal   env.Mask
	listed  []env.Action
}

func newRisingStrong(g env.Game, weights any) policy {
	steps := make(env.Mask, g.Info().MaskWords())
	for a := range env.Action(len(g.Info().Actions)) {
		if _, _, clean := er.CleanOf(a); plannable(a) && !clean && !er.IsToken(a) && !er.IsMove(a) {
			steps.Set(a)
		}
	}
	return &risingStrong{
		risingTable: newRisingTable(g, weights.(*risingWeights)), steps: steps,
		pool:  make([]risingNode, 0, 1+risingBeam*risingSteps),
		plan:  make([]risingStep, 0, 1+risingSteps),
		legal: make(env.Mask, g.Info().MaskWords()),
	}
}

func risingWeightsOf(g env.Game) any {
	w := risingMarks(g)
	w.Ready = 2
	return w
}

const (
	risingBeam  = 8  // plans of each length that go on: twice as many win hardly more games, five lose a tenth
	risingSteps = 12 // of a plan
	risingKnown = 8  // searches that are remembered
)

// A risingSearch remembers a plan. Search asks again and again what to do after one of its actions, in samples that
// differ by the order of the deck alone.
type risingSearch struct {
	made    bool
	root    er.State
	seat    env.Player
	mayMove bool
	actions [risingSteps]env.Action
	steps   int
}

// A risingNode is where a plan leads.
type risingNode struct {
	board   int
	course  er.Course
	parent  int        // in the pool; the root's is -1
	action  env.Action // that led here
	mayMove bool       // whether the Climatologist would be asked here
	value   float64
	rank    float64
}

// A risingStep is an action of the plan and the table at which it is due; -1 is for nothing more.
type risingStep struct {
	state  er.State
	seat   env.Player
	action env.Action
}

// Forget forgets the plan; and with another character (Varied) all that its weights went into.
func (b *risingStrong) Forget() {
	b.plan, b.asked = b.plan[:0], false
	if b.weighed == *b.weights {
		return
	}
	b.weighed = *b.weights
	clear(b.hands[:])
	for x := range b.sectors {
		clear(b.sectors[x][:])
	}
	for i := range b.known {
		b.known[i].made = false
	}
}

// Remembers says whether there is a plan for the turn of the State. Those of earlier turns are never followed again.
func (b *risingStrong) Remembers(state env.State) bool {
	return len(b.plan) > 0 && b.plan[0].state.Turn() == state.(*er.State).Turn()
}

// Choose plays the next action of the plan, and draws when no plan is better than nothing.
func (b *risingStrong) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	s := b.state
	switch s.Decision() {
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

// Scores are what the actions are worth as single steps, and the plan for its first one.
func (b *risingStrong) Scores(state env.State, legal env.Mask, dst []float64) {
	a := b.Choose(state, legal)
	var r ranking
	r.begin(legal, dst)
	switch b.state.Decision() {
	case "actions", "window":
		now := b.value(b.state)
		for _, a := range [...]env.Action{er.EndTurn, er.Done} {
			if legal.Has(a) {
				r.put(a, now)
			}
		}
		b.rankSteps(&r)
	default: // it decides by rules, not by scores
		dst[a] = 0
		return
	}
	// A step is chosen for the plan that begins with it, and what a card is worth shows only when it is drawn.
	dst[a] = math.Nextafter(max(dst[a], r.top), math.Inf(1))
}

// act is the active character's choice.
func (b *risingStrong) act() env.Action {
	a := b.due()
	switch {
	case a >= 0 && b.mask.Has(a):
		return a
	case a >= 0 && b.mask.Has(er.Ask):
		return er.Ask // for a move of the Climatologist
	}
	if a := b.idle(); a != er.EndTurn {
		return a
	}
	if a := b.signal(); a >= 0 {
		return a
	}
	return er.EndTurn
}

// idle spends an action that no plan has a use for on a card, at best after the Politician has put a good one on top,
// unless it is a strike that everybody sees coming.
func (b *risingStrong) idle() env.Action {
	s := b.state
	next, known := s.NextCard(b.me)
	strike := s.CardsUntilStrike()
	switch {
	case !b.mask.Has(er.Draw):
		return er.EndTurn
	case b.mask.Has(er.Consult) && !known && (s.ActionsLeft() >= 2 || strike >= 0 && strike < s.Looks()-1):
		return er.Consult
	case strike == 0:
		return er.Refresh
	case known && next.IsStrike():
		return er.EndTurn
	}
	return er.Draw
}

// signal says what the others can't see or don't think of: that a card is kept for a sector where nobody is at home, or
// else which card would make a pair. It is -1 if that is said, or talk is off.
func (b *risingStrong) signal() env.Action {
	s := b.state
	if !b.mask.Has(er.Want(0)) {
		return -1
	}
	hand := s.Hand(s.Active(), b.me)
	plan, want := er.Sector(-1), er.Sector(-1)
	for x := range er.Sector(er.NumSectors) {
		cards := hand & er.Of(x)
		if cards == 0 || x == s.Active().Home() || !b.outside(s, x) {
			continue
		}
		if !s.InPlay(er.Character(x)) && !b.planned(s, x) && (plan < 0 || s.Strain(x) < s.Strain(plan)) {
			plan = x
		}
		if cards.Rest() == 0 && (want < 0 || s.VacantCircles(x) > s.VacantCircles(want)) {
			want = x
		}
	}
	at, planned, said := s.Signal(b.me)
	switch {
	case plan >= 0 && !(said && planned && at == plan):
		return er.Announce(plan)
	case plan < 0 && want >= 0 && !(said && !planned && at == want):
		return er.Want(want)
	}
	return -1
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
	if a := b.due(); a >= 0 && b.mask.Has(a) {
		return a
	}
	return er.Done
}

func (b *risingStrong) bestMove() env.Action {
	best, top := er.Done, b.value(b.state)
	b.list = b.mask.Append(b.list[:0])
	for _, a := range b.list {
		if !er.IsMove(a) {
			continue
		}
		c := b.state.Course()
		c.Move(a)
		if v := b.total(b.boards[0], c.Strain); v > top+1e-9 {
			best, top = a, v
		}
	}
	return best
}

// due is the next action of the plan for this turn, or -1 if nothing is left to do. There is a plan if the table is
// where the last one would be, else a new one is made.
func (b *risingStrong) due() env.Action {
	for i := range b.plan {
		if p := &b.plan[i]; p.seat == b.me && b.state.SameTurn(&p.state, b.me) && b.playable(p.action) {
			return p.action
		}
	}
	b.search()
	if b.plan[len(b.plan)-1].state.ActionsLeft() > 0 && b.mask.Has(er.Draw) && b.idle() != er.EndTurn {
		b.plan = b.plan[:1] // an action is left: a card comes first, as the plan may be another one with it
		b.plan[0].action = -1
	}
	return b.plan[0].action
}

// playable says whether an action can be played now, or the Climatologist be asked for it.
func (b *risingStrong) playable(a env.Action) bool {
	return a < 0 || b.mask.Has(a) || er.IsMove(a) && b.mask.Has(er.Ask)
}

// search makes the plan.
func (b *risingStrong) search() {
	b.pool = append(b.pool[:0], risingNode{parent: -1, action: -1, course: b.state.Course()})
	root, table := &b.pool[0], b.begin(b.state)
	root.mayMove = b.state.Decision() == "window" || b.mask.Has(er.Ask) || b.state.Seat(er.Climatologist) == b.me
	first := !b.asked
	b.asked = true
	if first && b.recall(&table.State, root.mayMove) {
		return
	}
	root.value = b.total(table, root.course.Strain)
	best, top := 0, root.value+float64(b.weights.Spare*float64(root.course.Actions))
	from, to := 0, 1
	for range risingSteps {
		for i := from; i < to; i++ {
			b.expand(i, to)
		}
		from, to = to, len(b.pool)
		for i := from; i < to; i++ {
			n := &b.pool[i]
			if v := n.value + float64(b.weights.Spare*float64(n.course.Actions)); v > top+1e-9 {
				best, top = i, v
			}
		}
		if from == to || b.boards[b.pool[best].board].Won() {
			break
		}
	}
	b.keep(best)
	if first {
		b.remember()
	}
}

// remember notes the plan.
func (b *risingStrong) remember() {
	k := &b.known[b.next]
	b.next = (b.next + 1) % risingKnown
	k.made, k.root, k.seat, k.mayMove, k.steps = true, b.plan[0].state, b.me, b.pool[0].mayMove, len(b.plan)-1
	for i := range k.steps {
		k.actions[i] = b.plan[i].action
	}
}

// recall makes the plan that is remembered for a root, if there is one.
func (b *risingStrong) recall(root *er.State, mayMove bool) bool {
	for i := range b.known {
		k := &b.known[i]
		if !k.made || k.seat != b.me || k.mayMove != mayMove || !k.root.SameTable(root) {
			continue
		}
		b.plan = b.plan[:0]
		at, c := 0, root.Course()
		for _, a := range k.actions[:k.steps] {
			b.note(at, &c, a)
			at = b.play(at, &c, a)
		}
		b.note(at, &c, -1)
		return true
	}
	return false
}

// keep writes the plan that leads to a node, from its end to its beginning and then turned round.
func (b *risingStrong) keep(i int) {
	next := env.Action(-1)
	b.plan = b.plan[:0]
	for ; i >= 0; i = b.pool[i].parent {
		n := &b.pool[i]
		b.note(n.board, &n.course, next)
		next = n.action
	}
	for i, j := 0, len(b.plan)-1; i < j; i, j = i+1, j-1 {
		b.plan[i], b.plan[j] = b.plan[j], b.plan[i]
	}
}

// note adds a step to the plan.
func (b *risingStrong) note(board int, c *er.Course, a env.Action) {
	b.plan = append(b.plan, risingStep{b.boards[board].State, b.me, a})
	b.plan[len(b.plan)-1].state.Follow(c)
}

// expand adds all plans that go on by one step from a node, as far as they are among the best of the beam that begins
// at first.
func (b *risingStrong) expand(node, first int) {
	n := &b.pool[node]
	table := b.boards[n.board]
	s := &table.State
	if s.Decision() != "actions" {
		return
	}
	s.Follow(&n.course)
	s.Legal(b.legal)
	for i, w := range b.legal {
		b.moves[i] = w & b.steps[i]
	}
	for x := range er.Sector(er.NumSectors) {
		tokens := s.Strain(x)
		for _, n := range [...]int{tokens - 1, tokens, 4} {
			if n > 0 && n <= 4 && b.cleans(s, x, n) && b.legal.Has(er.Clean(x, n)) {
				b.moves.Set(er.Clean(x, n))
			}
		}
	}
	b.listed = b.moves.Append(b.listed[:0])
	for _, a := range b.listed {
		if c, ok := er.GiveOf(a); (!ok || b.needed(s, c)) && !b.swapped(node, a) {
			b.try(node, first, a)
		}
	}
	if s.ActionsLeft() > 0 {
		if x, k := b.bestClean(table, n.course.Strain, s.CleanUps()); k > 0 {
			b.try(node, first, er.Clean(x, k))
		}
		if a := b.bestToken(s, b.legal); a >= 0 {
			b.try(node, first, a)
		}
	}
	if n.mayMove && s.CanMove() {
		b.tryMoves(node, first)
	}
}

// swapped says whether the beam has the plan with the last step and another one in the other order.
func (b *risingStrong) swapped(node int, a env.Action) bool {
	n := &b.pool[node]
	if n.action <= a || !commutes(a) || !commutes(n.action) {
		return false
	}
	for i := node - 1; i > 0 && i > node-2*risingBeam; i-- {
		if b.pool[i].parent == n.parent && b.pool[i].action == a {
			return true
		}
	}
	return false
}

// commutes says whether a step comes to the same before and after others.
func commutes(a env.Action) bool {
	_, _, clean := er.CleanOf(a)
	return !clean && !er.IsToken(a) && !er.IsMove(a)
}

// tryMoves goes on with moves of the Climatologist: from where a token less makes a difference, to where one more hurts
// least.
func (b *risingStrong) tryMoves(node, first int) {
	n := &b.pool[node]
	table, f := b.boards[n.board], &b.after
	s := &table.State
	table.Aftermath(n.course.Strain, f, &b.then)
	to, second, least, next := er.Sector(-1), er.Sector(-1), math.Inf(1), math.Inf(1)
	for x := range er.Sector(er.NumSectors) {
		if s.Strain(x) >= s.Tolerance(x) {
			continue
		}
		then := f.Strain.At(x)
		after := then + 1
		if f.CalmIn(x) {
			after = max(0, s.Strain(x)+1+table.Growth(x))
		}
		harm := b.sector(f, x, then).worth - b.sector(f, x, after).worth
		switch {
		case harm < least:
			to, second, least, next = x, to, harm, least
		case harm < next:
			second, next = x, harm
		}
	}
	for from := range er.Sector(er.NumSectors) {
		target := to
		if from == to {
			target = second
		}
		if n := s.Strain(from); target >= 0 && n > 0 && (n <= 2 || n > 11 || n+3 > s.Tolerance(from)) {
			b.try(node, first, er.Move(from, target))
		}
	}
}

// cleans leaves out Clean Ups that hardly ever help.
func (b *risingStrong) cleans(s *er.State, x er.Sector, n int) bool {
	left := s.Strain(x) - n
	return left == 0 && !s.MinorIn(x) && !b.game.Quickplay() || left == 1 && !s.MajorIn(x) || n == 4 && left > 6
}

// needed leaves out gifts that hardly ever help.
func (b *risingStrong) needed(s *er.State, c er.Card) bool {
	k := er.Character(c.Sector())
	return k != s.Active() && s.InPlay(k) && !s.Sustainable().Has(c)
}

// try adds the plan that goes on with an action, if it is among the best.
func (b *risingStrong) try(node, first int, a env.Action) {
	n := &b.pool[node]
	c := risingNode{course: n.course, parent: node, action: a}
	c.board = b.play(n.board, &c.course, a)
	c.mayMove = n.mayMove || c.course.Actions < n.course.Actions
	c.value = b.total(b.boards[c.board], c.course.Strain)
	c.rank = c.value + float64(b.weights.Hope*float64(c.course.Actions))
	full := len(b.pool)-first == risingBeam
	if full && c.rank <= b.pool[b.worst].rank {
		return
	}
	for i := first; i < len(b.pool); i++ {
		if math.Abs(b.pool[i].rank-c.rank) < 1e-9 { // another order of the same steps
			return
		}
	}
	if full {
		b.pool[b.worst] = c
	} else {
		b.pool = append(b.pool, c)
	}
	if len(b.pool)-first == risingBeam {
		b.worst = first
		for i := first; i < len(b.pool); i++ {
			if b.pool[i].rank < b.pool[b.worst].rank {
				b.worst = i
			}
		}
	}
}
