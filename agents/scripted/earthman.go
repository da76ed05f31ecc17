package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/earthman"
)

// The bots of The Earthman's Burden. None of them claims victory, proposes peace or gives anything away.

var earthmanBots = script{earthman.Rulebook, [len(levels)]bot{
	plain(func(g env.Game) policy { return newEarthmanNaive(g) }),
	plain(func(g env.Game) policy { return &earthmanGreedy{earthmanTable: newEarthmanTable(g)} }),
	plain(func(g env.Game) policy { return &earthmanGreedy{earthmanTable: newEarthmanTable(g), strong: true} }),
}}

// earthmanNaive draws among the legal actions: it likes to expand, votes against everything, and gives
// nothing away.
type earthmanNaive struct {
	luck    env.Stream
	weights []float64 // by action
	state   *earthman.State
	legal   []env.Action
}

func newEarthmanNaive(g env.Game) *earthmanNaive {
	b := &earthmanNaive{}
	by := map[string]float64{
		"expand": 4, "no": 4, "resource": 3, "all": 3, "fleet": 3, "done": 2, "research": 2, "study": 2, "discontent": 0.3, "part": 0.3,
		"fire": 0.3, "firerisk": 0.3,
	}
	for _, a := range g.Info().Actions {
		w, ok := by[a.Family]
		if !ok {
			w = 1
		}
		b.weights = append(b.weights, w)
	}
	return b
}

// Reset seeds its chance.
func (b *earthmanNaive) Reset(seed uint64) { b.luck = env.NewStream(seed, "naive") }

// Choose draws by weight.
func (b *earthmanNaive) Choose(state env.State, legal env.Mask) env.Action {
	b.state = state.(*earthman.State)
	m := legal
	done := 2.0
	switch b.state.Point() {
	case earthman.AtClaimVote, earthman.AtPeaceVote:
		return earthman.No
	case earthman.AtAccord, earthman.AtTransfer, earthman.AtSpy:
		return earthman.Done
	case earthman.AtLaunch:
		done = 3
	}
	b.weights[earthman.Done] = done
	b.legal = m.Append(b.legal[:0])
	total := 0.0
	for _, a := range b.legal {
		total += b.weights[a]
	}
	x := b.luck.Float64() * total
	for _, a := range b.legal {
		if x -= b.weights[a]; x < 0 {
			return a
		}
	}
	return b.legal[len(b.legal)-1]
}

// earthmanTable is what greedy and strong see of a position.
type earthmanTable struct {
	game  *earthman.Game
	state *earthman.State
	me    env.Player
	mask  env.Mask
	seed  uint64

	worlds []earthmanWorld // by place
	coming [earthman.NumWorlds]int
	total  int // work on all worlds that pay
}

// earthmanWorld is a world as a field for expansion.
type earthmanWorld struct {
	work int     // successes that could be used here
	gain float64 // developments and Power to be had, less for those behind Devastation
}

func newEarthmanTable(g env.Game) earthmanTable {
	return earthmanTable{
		game: g.(*earthman.Game), worlds: make([]earthmanWorld, earthman.NumWorlds),
	}
}

// Reset seeds the small preferences that keep several bots from choosing alike.
func (t *earthmanTable) Reset(seed uint64) { t.seed = seed }

// taste is from 0 to 1: how much this seat likes a thing in these rounds.
func (t *earthmanTable) taste(thing int) float64 {
	return float64(env.Mix(t.seed^env.Mix(uint64(thing)<<32|uint64(t.state.Round()/6)))>>11) / (1 << 53)
}

// look takes in the position.
func (t *earthmanTable) look(state env.State, legal env.Mask) {
	t.state, t.me, t.mask = state.(*earthman.State), state.Actor(), legal
}

// survey works out what each world has to offer and which fleets are on their way to it.
func (t *earthmanTable) survey() {
	s, me := t.state, t.me
	t.total = 0
	t.coming = [earthman.NumWorlds]int{}
	for w := range t.game.Worlds().Each {
		t.worlds[w] = t.world(w)
		t.total += t.worlds[w].work
	}
	for at := range (s.Present(me) &^ t.game.Worlds()).Each {
		best, top := earthman.Nowhere, 0.0
		for w := range t.game.Reaches(at).Each {
			if g := t.worlds[w].gain; g > top && t.need(w) > 0 {
				best, top = w, g
			}
		}
		if best >= 0 {
			t.coming[best] += s.Fleets(me, at).Count()
		}
	}
}

// world values one world.
func (t *earthmanTable) world(w earthman.Place) earthmanWorld {
	s, me := t.state, t.me
	var v earthmanWorld
	capacity, own := s.Capacity(me, w), s.Land(me, w)
	for r := range t.game.Regions(w).Count() {
		owner := s.Owner(w, r)
		if owner != earthman.None && owner != me {
			continue
		}
		c := capacity - s.Developments(w, r)
		if c <= 0 {
			continue
		}
		if own>>r&1 == 0 && s.Doubles(me, w) {
			c++
		}
		devastation := s.Devastation(w, r)
		v.work += capacity - s.Developments(w, r) + devastation
		v.gain += float64(c) / (1 + float64(devastation)/float64(c))
	}
	return v
}

// need is how many more fleets the work on a world asks for.
func (t *earthmanTable) need(w earthman.Place) int {
	return max(0, 2*t.worlds[w].work-t.state.Fleets(t.me, w).Count()-t.coming[w])
}

// steps is how many rounds of movement lead from a trajectory to one of the worlds below it.
func (t *earthmanTable) steps(at, w earthman.Place) int {
	n := 0
	for at != w {
		n++
		for down := range t.game.Worldward(at).Each {
			if down == w || t.game.Reaches(down).Has(w) {
				at = down
				break
			}
		}
	}
	return n
}

// earthmanGreedy plays for the moment. The strong form looks ahead: at what shoots on arrival, at the
// order of technologies, at Political Influence, and at seats that are about to win.
type earthmanGreedy struct {
	earthmanTable
	strong bool
}

// Choose looks at the decision point.
func (b *earthmanGreedy) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	if a := b.decide(); b.mask.Has(a) {
		return a
	}
	return b.mask.Nth(0)
}

func (b *earthmanGreedy) decide() env.Action {
	switch b.state.Point() {
	case earthman.AtPrelude:
		return b.prelude()
	case earthman.AtClaimVote, earthman.AtPeaceVote:
		return earthman.No
	case earthman.AtAccord, earthman.AtShare, earthman.AtTransfer, earthman.AtVoyageFrom:
		return earthman.Done
	case earthman.AtRiskRegion, earthman.AtRiskLose, earthman.AtRaze, earthman.AtOverthrowReply:
		return b.giveRegion()
	case earthman.AtUnrestFleet, earthman.AtMutiny, earthman.AtForfeitRisk:
		return b.smallestPlace()
	case earthman.AtEarlyLaunch, earthman.AtLaunch, earthman.AtLaunchTo, earthman.AtPartCount, earthman.AtPartCountRisk:
		return b.launch()
	case earthman.AtWorldward:
		return b.worldward()
	case earthman.AtExtraMove, earthman.AtDefensiveFire, earthman.AtShareReply:
		return earthman.Yes
	case earthman.AtLoseFleets, earthman.AtInfluenceRisk:
		return b.mostCount()
	case earthman.AtFleetJobs, earthman.AtJobCount:
		return b.jobs()
	case earthman.AtExpandUse:
		return b.expandUse()
	case earthman.AtPacifyUse:
		return b.pacifyUse()
	case earthman.AtAddFleet, earthman.AtTakeFleet:
		return b.first(earthman.All, earthman.PayResource, earthman.PayDiscontent)
	case earthman.AtForfeit:
		return b.forfeit()
	case earthman.AtFleetWorld, earthman.AtDevWorld:
		return b.mask.Nth(b.mask.Count() - 1) // Done is action 0
	case earthman.AtDevJobs:
		return b.jobs()
	case earthman.AtInfluenceCount:
		return b.influenceCount()
	case earthman.AtTech:
		return b.tech()
	case earthman.AtAssist:
		return b.assist()
	case earthman.AtSpy, earthman.AtSpyTarget, earthman.AtSpyWorld, earthman.AtSpyTech, earthman.AtSpyMark:
		return b.spy()
	case earthman.AtTransferReply:
		return b.accept()
	case earthman.AtThought:
		return b.thought()
	}
	return b.mask.Nth(0)
}

// first is the first legal one of a list.
func (b *earthmanGreedy) first(list ...env.Action) env.Action {
	for _, a := range list {
		if b.mask.Has(a) {
			return a
		}
	}
	return b.mask.Nth(0)
}

// mostCount gives the largest number: as many fleets At Risk as possible.
func (b *earthmanGreedy) mostCount() env.Action { return b.mask.Nth(b.mask.Count() - 1) }

// prelude learns Colonisation, or what is best then; greedy takes fleets.
func (b *earthmanGreedy) prelude() env.Action {
	if b.strong {
		return b.first(earthman.Study, earthman.TakeFleet)
	}
	return earthman.TakeFleet
}

// giveRegion shakes or loses the smallest region; in an overthrow one that is not lost at once.
func (b *earthmanGreedy) giveRegion() env.Action {
	s, w := b.state, b.state.Place()
	best, least := env.Action(-1), math.Inf(1)
	for r := range earthman.MaxRegions {
		if !b.mask.Has(earthman.Region(r)) {
			continue
		}
		loss := float64(s.Developments(w, r))
		if s.Point() == earthman.AtOverthrowReply && s.Shaken(w)>>r&1 != 0 {
			loss += 10
		}
		if loss < least {
			best, least = earthman.Region(r), loss
		}
	}
	return best
}

// smallestPlace is where the fewest own fleets can catch the unrest: those that are shaken already count
// as many.
func (b *earthmanGreedy) smallestPlace() env.Action {
	best, least := env.Action(-1), math.MaxInt
	for at := range earthman.Place(earthman.NumPlaces) {
		f := b.state.Fleets(b.me, at)
		n := f.Count() + 4*int(f.Risk)
		for _, a := range [...]env.Action{earthman.At(at), earthman.RiskAt(at)} {
			if b.mask.Has(a) && n < least {
				best, least = a, n
			}
		}
	}
	return best
}

// forfeit pays with resource, then with fleets At Risk, then with discontent; strong gives fleets away
// before it takes on a second counter.
func (b *earthmanGreedy) forfeit() env.Action {
	if a := b.first(earthman.All, earthman.PayResource); b.mask.Has(a) && (a == earthman.All || a == earthman.PayResource) {
		return a
	}
	for at := range earthman.Place(earthman.NumPlaces) {
		if a := earthman.RiskAt(at); b.mask.Has(a) {
			return a
		}
	}
	return earthman.PayDiscontent
}

// A voyage is fleets on the way from an orbit to a world.
type voyage struct {
	from, to, by earthman.Place
	fleets       int
	value        float64
}

// keep is how many fleets stay at a world.
func (b *earthmanGreedy) keep(w earthman.Place) int {
	n := int(math.Ceil(1.8 * float64(b.worlds[w].work)))
	if b.strong && b.canInfluence(w) {
		n = max(n, b.influenceFleets(w))
	}
	return n
}

// bestVoyage is the voyage with the highest value from any of the orbits.
func (b *earthmanGreedy) bestVoyage(from earthman.Places) voyage {
	b.survey()
	best := voyage{from: earthman.Nowhere}
	for w := range from.Each {
		surplus := min(b.state.Launchable(w).Count(), b.state.Fleets(b.me, w).Count()-b.keep(w))
		if surplus <= 0 {
			continue
		}
		for to := range b.game.Worlds().Each {
			need := b.need(to)
			if to == w || need == 0 {
				continue
			}
			by, turns := b.way(w, to)
			k := surplus
			if b.strong {
				k = min(surplus, max(need, 1))
			}
			if v := b.voyageValue(to, k, need, turns); v > best.value {
				best = voyage{w, to, by, k, v}
			}
		}
	}
	if best.value < 0.15 {
		best.from = earthman.Nowhere
	}
	return best
}

// way is the lowest ring from which a world can be reached, and the turns that it takes.
func (b *earthmanGreedy) way(from, to earthman.Place) (by earthman.Place, turns int) {
	by, turns = earthman.Solar, math.MaxInt
	for at := range b.game.Skyward(from).Each {
		if b.game.Reaches(at).Has(to) {
			if n := b.steps(at, to); n < turns {
				by, turns = at, n
			}
		}
	}
	return by, turns
}

// voyageValue is what sending k fleets to a world is worth.
func (b *earthmanGreedy) voyageValue(to earthman.Place, k, need, turns int) float64 {
	v := b.worlds[to].gain * float64(min(k, need)) / float64(k)
	if b.strong {
		v *= 0.8 + 0.4*b.taste(int(to))
		v -= 0.7 * b.danger(to, k)
	}
	return v / (1.5 + float64(turns))
}

// danger is what k fleets must expect to lose on arrival.
func (b *earthmanGreedy) danger(w earthman.Place, k int) float64 {
	s := b.state
	if s.Fleets(b.me, w).Count() > 0 {
		return 0
	}
	losses := 0.0
	for q := range env.Player(b.game.Players()) {
		if q == b.me {
			continue
		}
		dice := float64(s.DefensiveDice(q, w))
		coming := 0
		for at := range (s.Present(q) &^ b.game.Worlds()).Each {
			if b.game.Worldward(at).Has(w) {
				coming += s.Fleets(q, at).Count()
			}
		}
		if w == b.game.Home() {
			dice *= 0.2
		}
		losses += (dice + float64(coming)/2) * chance(s.HitNeed(q, b.me))
	}
	if s.Sanctioned(b.me) {
		losses += float64(s.DefensiveDice(earthman.UN, w)) * chance(s.HitNeed(earthman.UN, b.me))
	}
	if float64(k) <= losses+1 && losses > 0 {
		losses *= 3
	}
	return losses
}

// chance is that of one die to reach a number.
func chance(need int) float64 {
	switch {
	case need <= 1:
		return 1
	case need <= 6:
		return float64(7-need) / 6
	case need == 7:
		return 1.0 / 12
	case need == 8:
		return 1.0 / 36
	}
	return 0
}

// launch sends the surplus of a world where it is worth most.
func (b *earthmanGreedy) launch() env.Action {
	s := b.state
	from := b.game.Worlds() & s.Present(b.me)
	if at := s.Place(); at != earthman.Nowhere {
		if from = from & (1 << at); from == 0 {
			return b.mostCount() // of a part in a trajectory, which no bot sends of itself
		}
	}
	v := b.bestVoyage(from)
	f := earthman.Fleets{}
	if v.from != earthman.Nowhere && s.Point() != earthman.AtWorldward {
		f = s.Launchable(v.from)
	}
	switch s.Point() {
	case earthman.AtEarlyLaunch, earthman.AtLaunch:
		if v.from == earthman.Nowhere {
			return earthman.Done
		}
		return earthman.At(v.from)
	case earthman.AtLaunchTo:
		if v.from == earthman.Nowhere {
			return b.mask.Nth(0)
		}
		if v.fleets < f.Count() {
			return b.first(earthman.Part(v.by), earthman.At(v.by))
		}
		return earthman.At(v.by)
	case earthman.AtPartCount:
		return b.nearestCount(v.fleets)
	}
	return b.nearestCount(v.fleets - s.ToLose())
}

// nearestCount is the legal number nearest to n.
func (b *earthmanGreedy) nearestCount(n int) env.Action {
	best, least := env.Action(-1), math.MaxInt
	for k := range 61 {
		if d := max(k-n, n-k); d < least && b.mask.Has(earthman.Count(k)) {
			best, least = earthman.Count(k), d
		}
	}
	if best < 0 || b.mask.Has(earthman.All) && n > int(best-earthman.Count(0)) {
		return b.first(earthman.All, best)
	}
	return best
}

// worldward goes on towards the best world below.
func (b *earthmanGreedy) worldward() env.Action {
	b.survey()
	s, at := b.state, b.state.Place()
	k := s.Fleets(b.me, at).Count()
	best, top := earthman.Nowhere, math.Inf(-1)
	for down := range b.game.Worldward(at).Each {
		reaches := b.game.Reaches(down)
		if down < earthman.Place(earthman.NumWorlds) {
			reaches = 1 << down
		}
		for w := range reaches.Each {
			// These fleets are counted as coming to one of the worlds.
			need := max(1, b.need(w)+k)
			if v := b.voyageValue(w, k, need, b.steps(down, w)); v > top {
				best, top = down, v
			}
		}
	}
	return earthman.At(best)
}

// jobs nominates what the plan for the world has not yet, or answers how many.
func (b *earthmanGreedy) jobs() env.Action {
	s := b.state
	if s.Point() == earthman.AtJobCount {
		a := s.Job()
		n := b.planned(a) - s.Nominated(a)
		if n >= s.JobMost() {
			return earthman.All
		}
		return earthman.Count(max(1, n))
	}
	m := append(env.Mask(nil), b.mask...)
	for _, a := range m.Append(nil) {
		if a != earthman.Done && b.planned(a) > s.Nominated(a) {
			return a
		}
	}
	return earthman.Done
}

// planned is how many fleets, groups or developments are to do a job on the world in hand.
func (b *earthmanGreedy) planned(a env.Action) int {
	if b.state.Phase() == earthman.InDev {
		return b.plannedDevs(a)
	}
	return b.plannedFleets(a)
}

// plannedFleets expands, then fights whom it must, then pacifies.
func (b *earthmanGreedy) plannedFleets(a env.Action) int {
	s, w := b.state, b.state.Place()
	f := s.Fleets(b.me, w)
	fleets := f.Count()
	work := b.world(w).work
	size, groups := b.groups(w, fleets, work)
	left := fleets - size*groups
	for k := 1; k <= 3; k++ {
		if a == earthman.Expand(k) {
			if k == size {
				return groups
			}
			return 0
		}
	}
	if b.strong {
		if job, n := b.fight(w, left); job >= 0 {
			if a == job {
				return n
			}
			left -= n
		}
	}
	if a == earthman.Pacify && left >= 2 && b.restless(w) {
		return left
	}
	return 0
}

// groups is the size of groups that leaves enough of them for the work, and how many there should be.
func (b *earthmanGreedy) groups(w earthman.Place, fleets, work int) (size, groups int) {
	if work == 0 {
		return 1, 0
	}
	size = 1
	for size < 3 && fleets >= (size+1)*work && b.state.ExpandNeed(b.me, size) > 1 {
		size++
	}
	p := chance(b.state.ExpandNeed(b.me, size))
	return size, min(fleets/size, int(math.Ceil(float64(work)/p)))
}

// restless says whether pacification has anything to do on a world.
func (b *earthmanGreedy) restless(w earthman.Place) bool {
	s := b.state
	return s.Land(b.me, w)&s.Shaken(w) != 0 || s.Fleets(b.me, w).Risk > 0 || s.Discontent(b.me) > 0 && s.Resource(b.me) > 0 && s.Settled(b.me).Has(w)
}

// dangerous is the seat that must be stopped, or None.
func (b *earthmanGreedy) dangerous() env.Player {
	s := b.state
	for q := range env.Player(b.game.Players()) {
		if q == b.me {
			continue
		}
		most := 0
		for r := range env.Player(b.game.Players()) {
			if r != q {
				most = max(most, s.Power(r))
			}
		}
		if s.VP(q) >= 18 || s.Lead(q) >= 4 || s.Power(q) >= 10 && float64(s.Power(q)) > 1.4*float64(most) {
			return q
		}
	}
	return earthman.None
}

// fight is what the fleets that don't expand do to a seat that must be stopped.
func (b *earthmanGreedy) fight(w earthman.Place, left int) (env.Action, int) {
	s := b.state
	steady := min(left, int(s.Fleets(b.me, w).Steady))
	enemy := b.dangerous()
	if enemy == earthman.None || steady < 2 {
		return -1, 0
	}
	target := s.TargetPlace(enemy)
	if land := s.Land(enemy, w); land != 0 && steady >= 3 {
		need := s.OverthrowNeed(b.me, enemy, w)
		if need <= 6 && chance(need)/(1+0.2*float64((land&^s.Shaken(w)).Count())) > 0.15 {
			return earthman.Overthrow(target, false), steady
		}
	}
	if need := s.HitNeed(b.me, enemy); need <= 4 && (s.Land(enemy, w) != 0 || s.Fleets(enemy, w).Count() > 0) && !s.Settled(earthman.UN).Has(w) {
		return earthman.Fire(target, false), steady
	}
	return -1, 0
}

// expandUse settles before it clears, new regions before higher stacks.
func (b *earthmanGreedy) expandUse() env.Action {
	s, w := b.state, b.state.Place()
	best, top := env.Action(-1), -1
	for r := range earthman.MaxRegions {
		if !b.mask.Has(earthman.Region(r)) {
			continue
		}
		rank := 3 - s.Devastation(w, r)
		switch {
		case s.Devastation(w, r) == 0 && s.Developments(w, r) == 0:
			rank = 5
		case s.Devastation(w, r) == 0:
			rank = 4
		}
		if rank > top {
			best, top = earthman.Region(r), rank
		}
	}
	return best
}

// pacifyUse calms what is its own, regions first.
func (b *earthmanGreedy) pacifyUse() env.Action {
	s, w := b.state, b.state.Place()
	for r := range earthman.MaxRegions {
		if s.Land(b.me, w)>>r&1 != 0 && b.mask.Has(earthman.Region(r)) {
			return earthman.Region(r)
		}
	}
	return b.first(earthman.Seat(0), earthman.PayDiscontent, earthman.PaySanction, earthman.Done)
}

// canInfluence says whether Political Influence on a world is worth the while.
func (b *earthmanGreedy) canInfluence(w earthman.Place) bool {
	s := b.state
	return !s.HasInfluence(b.me, w) && s.Land(b.me, w).Count() >= 4 && b.worlds[w].work <= 1
}

// influenceFleets is how many fleets are gathered for it.
func (b *earthmanGreedy) influenceFleets(w earthman.Place) int {
	if b.state.Land(b.me, w).Count() >= 5 {
		return 7
	}
	return 5
}

// influenceCount takes the least fleets of the best step of the table that there is.
func (b *earthmanGreedy) influenceCount() env.Action {
	n := b.state.Fleets(b.me, b.state.Place()).Count()
	k := 3
	for _, step := range [...]int{5, 7, 10, 13} {
		if step <= n {
			k = step
		}
	}
	return b.nearestCount(k)
}

// plannedDevs builds while resource and room last, and researches with the rest.
func (b *earthmanGreedy) plannedDevs(a env.Action) int {
	s, w := b.state, b.state.Place()
	if b.strong && a == earthman.InfluenceAct {
		b.survey()
		if b.canInfluence(w) && s.Fleets(b.me, w).Count() >= b.influenceFleets(w) {
			return 1
		}
		return 0
	}
	steady, risk := 0, 0
	land := s.Land(b.me, w)
	for r := range earthman.MaxRegions {
		switch {
		case land>>r&1 == 0:
		case s.Shaken(w)>>r&1 != 0:
			risk += s.Developments(w, r)
		default:
			steady += s.Developments(w, r)
		}
	}
	twice, two, one := b.construction(steady + risk)
	used := 3*twice + 2*two + one
	switch a {
	case earthman.Build(4):
		return twice
	case earthman.Build(2):
		return two
	case earthman.Build(1):
		return one
	case earthman.ResearchRisk:
		return max(0, risk-used)
	case earthman.ResearchAct:
		return min(steady, steady+risk-used)
	}
	return 0
}

// construction is how many groups build on a world with so many developments.
func (b *earthmanGreedy) construction(devs int) (twice, two, one int) {
	b.survey()
	s := b.state
	e, fleets := s.Resource(b.me), s.FleetCount(b.me)
	if e <= 0 || !(2*b.total > fleets || float64(fleets) < 6+1.5*float64(s.DevelopmentCount(b.me)) || e > 6) {
		return 0, 0, 0
	}
	if b.strong && 2*fleets > max(16, 3*b.total) { // rather learn than build what has nothing to do
		return 0, 0, 0
	}
	if !b.strong {
		twice = min(devs/3, e/2)
		devs, e = devs-3*twice, e-2*twice
	}
	two = min(devs/2, e)
	devs, e = devs-2*two, e-two
	if !b.strong && s.DevelopmentCount(b.me) <= 3 {
		one = min(devs, e)
	}
	return twice, two, one
}

// plan is the order in which strong learns.
var plan = [...]struct {
	tech  earthman.Tech
	level int
}{
	{earthman.Colonisation, 1}, {earthman.Nanotech, 1}, {earthman.Research, 1}, {earthman.Research, 2},
	{earthman.Nanotech, 2}, {earthman.Research, 3}, {earthman.AI, math.MaxInt},
}

// tech follows the plan; greedy learns anything.
func (b *earthmanGreedy) tech() env.Action {
	s := b.state
	if b.strong {
		for _, step := range plan {
			if a := earthman.TechAct(step.tech); s.Level(b.me, step.tech) < step.level && b.mask.Has(a) {
				return a
			}
		}
	}
	// A track that is begun is finished first.
	best, top := earthman.Done, -1.0
	for t := range earthman.Tech(earthman.NumTechs) {
		if a := earthman.TechAct(t); b.mask.Has(a) {
			if v := b.taste(100+int(t)) + float64(s.Counter(b.me, t)); v > top {
				best, top = a, v
			}
		}
	}
	return best
}

// assist takes a fleet while the empire is small.
func (b *earthmanGreedy) assist() env.Action {
	if b.state.DevelopmentCount(b.me) < 6 {
		return b.first(earthman.TakeFleet, earthman.Study)
	}
	return b.first(earthman.Study, earthman.Done)
}

// spy steals where it can; greedy keeps out of it.
func (b *earthmanGreedy) spy() env.Action {
	if !b.strong {
		return b.first(earthman.Done)
	}
	switch b.state.Point() {
	case earthman.AtSpy:
		return b.first(earthman.Steal, earthman.Done)
	case earthman.AtSpyTech:
		return b.tech()
	}
	return b.mask.Nth(0)
}

// accept takes what is offered, as far as it can be paid.
func (b *earthmanGreedy) accept() env.Action {
	if b.mask.Has(earthman.Yes) {
		return earthman.Yes
	}
	return b.nearestCount(min(b.state.ToLose(), b.state.Resource(b.me)))
}

// thought spends AI Thoughts: in the own turn on own failures, as the pool is filled up again at its end,
// and in others' turns on what hits oneself.
func (b *earthmanGreedy) thought() env.Action {
	s := b.state
	if !b.strong {
		return earthman.Done
	}
	_, roller, hurt := s.Roll()
	switch {
	case hurt.Has(b.me) && roller != b.me:
		return b.first(earthman.Reroll(2), earthman.Done)
	case roller == b.me:
		return b.first(earthman.Reroll(0), earthman.Done)
	}
	return earthman.Done
}
