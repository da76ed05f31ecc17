package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/earthman"
)

// The bots of The Earthman's Burden, and what they share.

var earthmanBots = script{rulebook: earthman.Rulebook, bots: [len(levels)]bot{
	plain(func(g env.Game) policy { return newEarthmanNaive(g) }),
	plain(func(g env.Game) policy { return &earthmanGreedy{earthmanTable: newEarthmanTable(g)} }),
	{weights: earthmanWeightsOf, create: newEarthmanStrong},
}}

// earthmanTable is what greedy and strong see of a position.
type earthmanTable struct {
	sight[*earthman.Game, *earthman.State]
	seed uint64

	worlds []earthmanWorld // by place
	coming [earthman.NumWorlds]int
	legal  []env.Action
	total  int // work on all worlds that pay
}

// earthmanWorld is a world as a field for expansion.
type earthmanWorld struct {
	work int     // successes that could be used here
	gain float64 // developments and Power to be had, less for those behind Devastation
}

func newEarthmanTable(g env.Game) earthmanTable {
	return earthmanTable{
		sight: newSight[*earthman.Game, *earthman.State](g), worlds: make([]earthmanWorld, earthman.NumWorlds),
	}
}

// Seed seeds the small preferences that keep several bots from choosing alike.
func (t *earthmanTable) Seed(seed uint64) { t.seed = seed }

// taste is from 0 to 1: how much this seat likes a thing in these rounds.
func (t *earthmanTable) taste(thing int) float64 {
	return float64(env.Mix(t.seed^env.Mix(uint64(thing)<<32|uint64(t.state.Round()/6)))>>11) / (1 << 53)
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
		best := choice[earthman.Place]{earthman.Nowhere, 0}
		for w := range t.game.Reaches(at).Each {
			if t.need(w) > 0 {
				best.put(w, t.worlds[w].gain)
			}
		}
		if best.best >= 0 {
			t.coming[best.best] += s.Fleets(me, at).Count()
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

// last is the legal action with the highest number.
func (t *earthmanTable) last() env.Action { return t.mask.Nth(t.mask.Count() - 1) }

// giveRegion shakes or loses the smallest region; in an overthrow one that is not lost at once.
func (t *earthmanTable) giveRegion() env.Action {
	s, w := t.state, t.state.Place()
	least := undecided()
	for r, a := range among[int](t.mask, earthman.Region(0), earthman.MaxRegions) {
		loss := float64(s.Developments(w, r))
		if s.Decision() == earthman.AtOverthrowReply && s.Shaken(w)>>r&1 != 0 {
			loss += 10
		}
		least.put(a, -loss)
	}
	return least.best
}

// smallestPlace is where the fewest own fleets can catch the unrest: those that are shaken already count
// as many.
func (t *earthmanTable) smallestPlace() env.Action {
	least := undecided()
	for at := range earthman.Place(earthman.NumPlaces) {
		f := t.state.Fleets(t.me, at)
		n := f.Count() + 4*int(f.Risk)
		for _, a := range [...]env.Action{earthman.At(at), earthman.RiskAt(at)} {
			if t.mask.Has(a) {
				least.put(a, -float64(n))
			}
		}
	}
	return least.best
}

// forfeit pays with resource, then with fleets At Risk, then with discontent.
func (t *earthmanTable) forfeit() env.Action {
	if a := firstOf(t.mask, earthman.All, earthman.PayResource); a >= 0 {
		return a
	}
	for at := range earthman.Place(earthman.NumPlaces) {
		if a := earthman.RiskAt(at); t.mask.Has(a) {
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

// way is the lowest ring from which a world can be reached, and the turns that it takes.
func (t *earthmanTable) way(from, to earthman.Place) (by earthman.Place, turns int) {
	by, turns = earthman.Solar, math.MaxInt
	for at := range t.game.Skyward(from).Each {
		if t.game.Reaches(at).Has(to) {
			if n := t.steps(at, to); n < turns {
				by, turns = at, n
			}
		}
	}
	return by, turns
}

// assist takes a fleet while the empire is small.
func (t *earthmanTable) assist() env.Action {
	if t.state.DevelopmentCount(t.me) < 6 {
		return t.first(earthman.TakeFleet, earthman.Study)
	}
	return t.first(earthman.Study, earthman.Done)
}

// nearestCount is the legal number nearest to n.
func (t *earthmanTable) nearestCount(n int) env.Action {
	nearest := undecided()
	for k, a := range among[int](t.mask, earthman.Count(0), 61) {
		nearest.put(a, -float64(max(k-n, n-k)))
	}
	if a := nearest.best; a >= 0 && (!t.mask.Has(earthman.All) || n <= int(a-earthman.Count(0))) {
		return a
	}
	return t.first(earthman.All, nearest.best)
}

// groups is the size of groups that leaves enough of them for the work, and how many there should be.
func (t *earthmanTable) groups(fleets, work int) (size, groups int) {
	if work == 0 {
		return 1, 0
	}
	size = 1
	for size < 3 && fleets >= (size+1)*work && t.state.ExpandNeed(t.me, size) > 1 {
		size++
	}
	p := earthman.Odds(t.state.ExpandNeed(t.me, size))
	return size, min(fleets/size, int(math.Ceil(float64(work)/p)))
}

// restless says whether pacification has anything to do on a world.
func (t *earthmanTable) restless(w earthman.Place) bool {
	s := t.state
	return s.Land(t.me, w)&s.Shaken(w) != 0 || s.Fleets(t.me, w).Risk > 0 || s.Discontent(t.me) > 0 &&
		s.Resource(t.me) > 0 && s.Settled(t.me).Has(w)
}

// expandUse settles before it clears, new regions before higher stacks.
func (t *earthmanTable) expandUse() env.Action {
	s, w := t.state, t.state.Place()
	best := undecided()
	for r, a := range among[int](t.mask, earthman.Region(0), earthman.MaxRegions) {
		rank := 3 - s.Devastation(w, r)
		switch {
		case s.Devastation(w, r) == 0 && s.Developments(w, r) == 0:
			rank = 5
		case s.Devastation(w, r) == 0:
			rank = 4
		}
		best.put(a, float64(rank))
	}
	return best.best
}

// pacifyUse calms what is its own, regions first.
func (t *earthmanTable) pacifyUse() env.Action {
	s, w := t.state, t.state.Place()
	for r := range earthman.MaxRegions {
		if s.Land(t.me, w)>>r&1 != 0 && t.mask.Has(earthman.Region(r)) {
			return earthman.Region(r)
		}
	}
	return t.first(earthman.Seat(0), earthman.PayDiscontent, earthman.PaySanction, earthman.Done)
}

// launch answers the questions of a launch so that the voyage comes about.
func (t *earthmanTable) launch(v voyage) env.Action {
	s := t.state
	f := earthman.Fleets{}
	if v.from != earthman.Nowhere && s.Decision() != earthman.AtWorldward {
		f = s.Launchable(v.from)
	}
	switch s.Decision() {
	case earthman.AtEarlyLaunch, earthman.AtLaunch:
		if v.from == earthman.Nowhere {
			return earthman.Done
		}
		return earthman.At(v.from)
	case earthman.AtLaunchTo:
		if v.from == earthman.Nowhere {
			return t.mask.Nth(0)
		}
		if v.fleets < f.Count() {
			return t.first(earthman.Part(v.by), earthman.At(v.by))
		}
		return earthman.At(v.by)
	case earthman.AtPartCount:
		return t.nearestCount(v.fleets)
	}
	return t.nearestCount(v.fleets - s.ToLose())
}

// harbours are the worlds from which fleets may be launched now; none for a part in a trajectory, which no bot sends
// of itself.
func (t *earthmanTable) harbours() earthman.Places {
	from := t.game.Worlds() & t.state.Present(t.me)
	if at := t.state.Place(); at != earthman.Nowhere {
		from &= 1 << at
	}
	return from
}

// jobs nominates what the plan for the world has not yet, or answers how many.
func (t *earthmanTable) jobs(planned func(a env.Action) int) env.Action {
	s := t.state
	if s.Decision() == earthman.AtJobCount {
		a := s.Job()
		n := planned(a) - s.Nominated(a)
		if n >= s.JobMost() {
			return earthman.All
		}
		return earthman.Count(max(1, n))
	}
	t.legal = t.mask.Append(t.legal[:0])
	for _, a := range t.legal {
		if a != earthman.Done && planned(a) > s.Nominated(a) {
			return a
		}
	}
	return earthman.Done
}

// workforce is the own developments on a world, in steady regions and in regions At Risk.
func (t *earthmanTable) workforce(w earthman.Place) (steady, risk int) {
	s := t.state
	land := s.Land(t.me, w)
	for r := range earthman.MaxRegions {
		switch {
		case land>>r&1 == 0:
		case s.Shaken(w)>>r&1 != 0:
			risk += s.Developments(w, r)
		default:
			steady += s.Developments(w, r)
		}
	}
	return steady, risk
}

// earthmanPlans are by what greedy and strong differ as they grow.
type earthmanPlans interface {
	bestVoyage(from earthman.Places) voyage
	worldward() env.Action
	plannedFleets(a env.Action) int
	plannedDevs(a env.Action) int
	tech() env.Action
}

// routine follows the plans, and answers what has an answer whatever they are: what is lost is what matters least.
func (t *earthmanTable) routine(plans earthmanPlans) env.Action {
	switch t.state.Decision() {
	case earthman.AtEarlyLaunch, earthman.AtLaunch, earthman.AtLaunchTo, earthman.AtPartCount, earthman.AtPartCountRisk:
		return t.launch(plans.bestVoyage(t.harbours()))
	case earthman.AtWorldward:
		return plans.worldward()
	case earthman.AtFleetJobs:
		return t.jobs(plans.plannedFleets)
	case earthman.AtDevJobs:
		return t.jobs(plans.plannedDevs)
	case earthman.AtJobCount:
		if t.state.Phase() == earthman.InDev {
			return t.jobs(plans.plannedDevs)
		}
		return t.jobs(plans.plannedFleets)
	case earthman.AtTech:
		return plans.tech()
	case earthman.AtAssist:
		return t.assist()
	case earthman.AtPrelude:
		return earthman.TakeFleet
	case earthman.AtExtraMove, earthman.AtDefensiveFire, earthman.AtShareReply:
		return earthman.Yes
	case earthman.AtRiskRegion, earthman.AtRiskLose, earthman.AtRaze, earthman.AtOverthrowReply:
		return t.giveRegion()
	case earthman.AtUnrestFleet, earthman.AtMutiny, earthman.AtForfeitRisk:
		return t.smallestPlace()
	case earthman.AtLoseFleets, earthman.AtInfluenceRisk, earthman.AtFleetWorld, earthman.AtDevWorld:
		return t.last() // as many fleets At Risk as possible; a world rather than Done, which is action 0
	case earthman.AtExpandUse:
		return t.expandUse()
	case earthman.AtPacifyUse:
		return t.pacifyUse()
	case earthman.AtAddFleet, earthman.AtTakeFleet:
		return t.first(earthman.All, earthman.PayResource, earthman.PayDiscontent)
	case earthman.AtForfeit:
		return t.forfeit()
	}
	return t.mask.Nth(0)
}

// destinations are the worlds to which a place leads, a world to itself.
func (t *earthmanTable) destinations(at earthman.Place) earthman.Places {
	if at < earthman.Place(earthman.NumWorlds) {
		return 1 << at
	}
	return t.game.Reaches(at)
}

// onward goes on towards the world below that is worth most to so many fleets, so many turns away. They are counted as
// coming to one of the worlds.
func (t *earthmanTable) onward(worth func(w earthman.Place, fleets, turns int) float64) env.Action {
	at := t.state.Place()
	k := t.state.Fleets(t.me, at).Count()
	best := choice[earthman.Place]{earthman.Nowhere, math.Inf(-1)}
	for down := range t.game.Worldward(at).Each {
		for w := range t.destinations(down).Each {
			best.put(down, worth(w, k, t.steps(down, w)))
		}
	}
	return earthman.At(best.best)
}

// earthmanGreedy grows as fast as it can and minds nobody: it settles whatever is nearest and richest, builds while it
// can pay, and learns whatever it has begun. It never fights, claims or proposes anything.
type earthmanGreedy struct{ earthmanTable }

// Choose looks at the decision point.
func (b *earthmanGreedy) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	return b.first(b.decide())
}

func (b *earthmanGreedy) decide() env.Action {
	switch b.state.Decision() {
	case earthman.AtClaimVote, earthman.AtPeaceVote:
		return earthman.No
	case earthman.AtAccord, earthman.AtShare, earthman.AtTransfer, earthman.AtVoyageFrom, earthman.AtSpy,
		earthman.AtThought:
		return earthman.Done
	case earthman.AtTransferReply:
		if b.mask.Has(earthman.Yes) {
			return earthman.Yes
		}
		return b.nearestCount(min(b.state.ToLose(), b.state.Resource(b.me)))
	}
	return b.routine(b)
}

// bestVoyage is the voyage with the highest value from any of the orbits.
func (b *earthmanGreedy) bestVoyage(from earthman.Places) voyage {
	b.survey()
	best := voyage{from: earthman.Nowhere}
	for w := range from.Each {
		keep := int(math.Ceil(1.8 * float64(b.worlds[w].work)))
		surplus := min(b.state.Launchable(w).Count(), b.state.Fleets(b.me, w).Count()-keep)
		if surplus <= 0 {
			continue
		}
		for to := range b.game.Worlds().Each {
			need := b.need(to)
			if to == w || need == 0 {
				continue
			}
			by, turns := b.way(w, to)
			if v := b.voyageValue(to, surplus, need, turns); v > best.value {
				best = voyage{w, to, by, surplus, v}
			}
		}
	}
	if best.value < 0.15 {
		best.from = earthman.Nowhere
	}
	return best
}

// voyageValue is what sending k fleets to a world is worth.
func (b *earthmanGreedy) voyageValue(to earthman.Place, k, need, turns int) float64 {
	return b.worlds[to].gain * float64(min(k, need)) / float64(k) / (1.5 + float64(turns))
}

// worldward goes on towards the best world below.
func (b *earthmanGreedy) worldward() env.Action {
	b.survey()
	return b.onward(func(w earthman.Place, k, turns int) float64 {
		return b.voyageValue(w, k, max(1, b.need(w)+k), turns)
	})
}

// plannedFleets expands, and pacifies with what is left.
func (b *earthmanGreedy) plannedFleets(a env.Action) int {
	w := b.state.Place()
	fleets := b.state.Fleets(b.me, w).Count()
	size, groups := b.groups(fleets, b.world(w).work)
	left := fleets - size*groups
	switch {
	case a == earthman.Expand(size):
		return groups
	case a == earthman.Pacify && left >= 2 && b.restless(w):
		return left
	}
	return 0
}

// plannedDevs builds while resource and room last, and researches with the rest.
func (b *earthmanGreedy) plannedDevs(a env.Action) int {
	steady, risk := b.workforce(b.state.Place())
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
	if e <= 0 || !(2*b.total > fleets || float64(fleets) < 6+float64(1.5*float64(s.DevelopmentCount(b.me))) || e > 6) {
		return 0, 0, 0
	}
	twice = min(devs/3, e/2)
	devs, e = devs-3*twice, e-2*twice
	two = min(devs/2, e)
	devs, e = devs-2*two, e-two
	if s.DevelopmentCount(b.me) <= 3 {
		one = min(devs, e)
	}
	return twice, two, one
}

// tech finishes a track that is begun, and otherwise learns anything.
func (b *earthmanGreedy) tech() env.Action {
	best := choice[env.Action]{earthman.Done, -1}
	for t, a := range among[earthman.Tech](b.mask, earthman.TechAct(0), earthman.NumTechs) {
		best.put(a, b.taste(100+int(t))+float64(b.state.Counter(b.me, t)))
	}
	return best.best
}

// earthmanNaive draws among the legal actions: it likes to expand, votes against everything, and gives
// nothing away.
type earthmanNaive struct {
	gambling
	weights []float64 // by action
	state   *earthman.State
	legal   []env.Action
}

func newEarthmanNaive(g env.Game) *earthmanNaive {
	b := &earthmanNaive{}
	by := map[string]float64{
		"expand": 4, "no": 4, "resource": 3, "all": 3, "fleet": 3, "done": 2, "research": 2, "study": 2, "discontent": 0.3,
		"part": 0.3,
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

// Choose draws by weight.
func (b *earthmanNaive) Choose(state env.State, legal env.Mask) env.Action {
	b.state = state.(*earthman.State)
	m := legal
	done := 2.0
	switch b.state.Decision() {
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
