package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/earthman"
)

// earthmanWeights are what earthmanStrong weighs by: growth, war, learning, other seats, the end.
type earthmanWeights struct {
	Crowd float64 `low:"0" high:"2" help:"by how much a world is worth less for each fleet of others that is there or may come"`
	Delay float64 `low:"1" high:"3" help:"by how much a voyage is worth less for each turn that it takes"`
	Fear  float64 `low:"0" high:"3" help:"worth of a fleet that is lost on arrival"`
	Stay  float64 `low:"0" high:"4" help:"fleets that stay at a world for each success that can be used there"`
	Hurry float64 `low:"0" high:"4" help:"work waiting for each own fleet from which three developments build twice, at a risk"`
	Loan  float64 `low:"0" high:"9" help:"discontent up to which fleets are paid with it while there is work for them"`
	Flags float64 `low:"2" high:"7" help:"own regions of a world from which Political Influence is worth the fleets"`

	War      float64 `low:"0" high:"4" help:"worth of a destroyed region for each development in it"`
	Leader   float64 `low:"0" high:"4" help:"how much more that is worth at the expense of a seat that is sure to win"`
	Conquest float64 `low:"0" high:"4" help:"worth of a destroyed region as land to settle, for each development that it can hold"`

	Attack  float64 `low:"0" high:"4" help:"successes that a level of Attack is worth for each fleet without work"`
	Sway    float64 `low:"0" high:"4" help:"the same of Influence"`
	Calm    float64 `low:"0" high:"4" help:"successes that a level of Stability is worth for each own discontent or region At Risk"`
	Shelter float64 `low:"0" high:"4" help:"worth of a level of Durability for each hostile fleet over own worlds"`
	Flight  float64 `low:"0" high:"4" help:"worth of a level of Launch or Spaceflight for each fleet under way"`
	Engines float64 `low:"0" high:"4" help:"worth of a level of Von Neumann Engines for each fleet that waits in the Economy Pool, early in the game"`
	Skynet  float64 `low:"0" high:"1" help:"chance of Skynet from which on nobody should learn Artificial Intelligence"`

	Spite float64 `low:"0" high:"4" help:"worth of what Espionage does to others, in successes"`
	Aid   float64 `low:"0" high:"4" help:"worth of UN Assistance in each round that is left, which an exposed agent on Earth costs"`
	Help  float64 `low:"0" high:"1" help:"chance of another to win from which on its rivals are helped"`

	Claim   float64 `low:"0" high:"1" help:"chance to win from which on victory is claimed"`
	Concede float64 `low:"0" high:"0.2" help:"chance to win below which a claim of another is granted"`
	Peace   float64 `low:"0" high:"1" help:"chance to win below which peace is proposed"`
}

// earthmanWeightsOf were found one by one, in matches of 400 to 600 games between bots that differ in one of them, with
// 2, 4 and 6 seats. Crowd and Delay matter most; the others are flat around these values.
func earthmanWeightsOf(g env.Game) any {
	return &earthmanWeights{
		Crowd: 0.4, Delay: 1.6, Fear: 0.7, Stay: 1.4, Hurry: 2.5, Loan: 2, Flags: 4,
		War: 0.5, Leader: 1, Conquest: 0.3,
		Attack: 0.3, Sway: 0.2, Calm: 0.5, Shelter: 0.1, Flight: 0.1, Engines: 0.1, Skynet: 0.02,
		Spite: 1, Aid: 0.7, Help: 0.5, Claim: 0.9, Concede: 0.01, Peace: 0.03,
	}
}

// earthmanStrong grows as greedy does, but plans: it sends no more fleets than there is work for, minds what shoots on
// arrival, and learns what pays in the rounds that are left. Where land runs out it fights with the fleets that have
// nothing else to do, most of all those who are about to win. It knows who is likely to win, and claims, gives in,
// offers peace, spies and helps by that.
type earthmanStrong struct {
	earthmanTable
	weights *earthmanWeights
	race    race

	ranking ranking
	idle    int // own fleets in orbits that have no work
}

func newEarthmanStrong(g env.Game, weights any) policy {
	return &earthmanStrong{earthmanTable: newEarthmanTable(g), weights: weights.(*earthmanWeights)}
}

// Choose takes what it scores highest.
func (b *earthmanStrong) Choose(state env.State, legal env.Mask) env.Action {
	b.Scores(state, legal, nil)
	return b.ranking.best
}

// Scores writes the worth of each action where it chooses by that; elsewhere, what it has planned is 0.
func (b *earthmanStrong) Scores(state env.State, legal env.Mask, dst []float64) {
	b.look(state, legal)
	b.ranking.begin(legal, dst)
	if a := b.first(b.decide()); a != b.ranking.best {
		b.ranking.begin(legal, dst)
		b.ranking.put(a, 0)
	}
}

func (b *earthmanStrong) decide() env.Action {
	switch b.state.Decision() {
	case earthman.AtPrelude:
		return b.prelude()
	case earthman.AtAccord, earthman.AtClaimVote, earthman.AtPeaceVote:
		return b.accord()
	case earthman.AtDefendTarget:
		return earthman.Seat(b.clockwise(b.besieger(b.state.Place())))
	case earthman.AtInfluenceCount:
		b.survey()
		return b.nearestCount(b.envoys(b.state.Place()))
	case earthman.AtSpyTech:
		return b.tech()
	case earthman.AtSpy, earthman.AtSpyTarget, earthman.AtSpyWorld, earthman.AtSpyMark:
		return b.spy()
	case earthman.AtShare, earthman.AtShareTech:
		return b.share()
	case earthman.AtTransfer, earthman.AtTransferWhat, earthman.AtTransferFleet, earthman.AtTransferCount,
		earthman.AtTransferReply:
		return b.transfer()
	case earthman.AtThought:
		return b.thought()
	}
	return b.routine(b)
}

// best is the legal action of the highest worth.
func (b *earthmanStrong) best(worth func(a env.Action) float64) env.Action {
	b.legal = b.mask.Append(b.legal[:0])
	for _, a := range b.legal {
		b.ranking.put(a, worth(a))
	}
	return b.ranking.best
}

// A race is how the game stands.
type race struct {
	left   float64                      // rounds that must be expected
	win    [earthman.MaxPlayers]float64 // chance of each seat to win
	skynet float64                      // chance that the machines win
	leader env.Player                   // the other seat that is most likely to win
}

// judge works out the race: where Victory Points lead at today's pace.
func (b *earthmanStrong) judge() {
	s, n := b.state, b.game.Players()
	r := &b.race
	r.left = s.RoundsLeft()
	s.Chances(r.left, &r.win)
	dice := 0
	r.leader = earthman.None
	for q := range env.Player(n) {
		dice += s.Level(q, earthman.AI)
		if q != b.me && (r.leader < 0 || r.win[q] > r.win[r.leader]) {
			r.leader = q
		}
	}
	r.skynet = b.skynet(float64(dice) * (r.left + 1))
}

// skynet is the chance that so many dice for Artificial Intelligence bring the machines to power.
func (b *earthmanStrong) skynet(dice float64) float64 {
	if !b.game.Skynet() || dice <= 0 {
		return 0
	}
	data := b.game.Data()
	mean, square := 0.0, 0.0
	for _, card := range data.Cards {
		mean += float64(card.Symbols) / float64(6*len(data.Cards))
		square += float64(card.Symbols*card.Symbols) / float64(6*len(data.Cards))
	}
	missing := float64(data.Track.Skynet-b.state.Rogue()) - 0.5
	deviation := math.Sqrt(dice * (square - float64(mean*mean)))
	return 0.5 * math.Erfc((missing-float64(dice*mean))/(deviation*math.Sqrt2))
}

// value is what the game is worth to a seat if it is played on: what it returns for each end, by its chance.
func (b *earthmanStrong) value(q env.Player) float64 {
	others := float64(b.game.Players() - 1)
	r := &b.race
	return float64((1-r.skynet)*(r.win[q]-(1-r.win[q])/others)) - r.skynet
}

// accord claims victory when it is near, as others then lose nothing by giving in, or when all fear the machines; and
// proposes peace when there is little to hope for. What others propose it grants if playing on is worth less.
func (b *earthmanStrong) accord() env.Action {
	b.judge()
	w, me, fear := b.weights, b.race.win[b.me], b.race.skynet > 0.3
	return b.best(func(a env.Action) float64 {
		switch {
		case a == earthman.Claim && (me >= w.Claim || fear && me > 0.5):
			return 2
		case a == earthman.Peace && (me < w.Peace || fear):
			return 1
		case a == earthman.Yes && b.state.Decision() == earthman.AtClaimVote:
			return w.Concede - 1/float64(b.game.Players()-1)
		case a == earthman.No:
			return b.value(b.me)
		case a == earthman.Claim, a == earthman.Peace:
			return -1
		}
		return 0 // peace, or no proposal
	})
}

// prelude learns Colonisation, which three turns just buy: a voyage saves a fleet one turn, and a fleet more is less
// than better odds for all of them.
func (b *earthmanStrong) prelude() env.Action { return b.first(earthman.Study, earthman.TakeFleet) }

// clockwise is how many places clockwise a seat sits from this one.
func (b *earthmanStrong) clockwise(q env.Player) int {
	n := b.game.Players()
	return (int(q-b.me) + n) % n
}

// plan is the order in which an empire learns in peace: what settles, what builds higher, what learns faster, and then
// Artificial Intelligence, which is Victory Points without Power.
var plan = [...]struct {
	tech  earthman.Tech
	level int
}{
	{earthman.Colonisation, 1}, {earthman.Nanotech, 1}, {earthman.Research, 1}, {earthman.Research, 2},
	{earthman.Nanotech, 2}, {earthman.Research, 3}, {earthman.AI, math.MaxInt},
}

// tech follows the plan, unless the state of the board makes something else worth more. The step that is due is worth
// 1.
func (b *earthmanStrong) tech() env.Action {
	b.judge()
	b.survey()
	return b.best(func(a env.Action) float64 {
		if a == earthman.Done {
			return 0
		}
		t := earthman.Tech(a - earthman.TechAct(0))
		if t == earthman.AI && b.rising() > b.weights.Skynet {
			return -1
		}
		for i, step := range plan {
			if step.tech == t && b.state.Level(b.me, t) < step.level {
				return 1 - float64(0.01*float64(i))
			}
		}
		return min(0.9, 0.01*float64(b.state.Counter(b.me, t))) + b.worth(t)/float64(b.game.Steps(t)-b.state.Counter(b.me, t))
	})
}

// worth is that of the next level of a technology that is not in the plan, in successes.
func (b *earthmanStrong) worth(t earthman.Tech) float64 {
	s, w := b.state, b.weights
	early := min(1, b.race.left/10)
	switch t {
	case earthman.Attack: // what fleets without work can do to others
		return w.Attack * float64(b.idle) * early
	case earthman.Influence:
		return w.Sway * float64(b.idle) * early
	case earthman.Durability:
		return w.Shelter * float64(b.threats()) * early
	case earthman.Defences, earthman.Unity:
		return 0.5 * w.Shelter * float64(b.threats()) * early
	case earthman.Stability: // what is At Risk or in the Discontent Pool
		shaken := s.Discontent(b.me)
		for at := range s.Settled(b.me).Each {
			shaken += (s.Land(b.me, at) & s.Shaken(at)).Count()
		}
		return w.Calm * float64(shaken)
	case earthman.Spaceflight, earthman.Launch: // shorter ways while there is land to settle
		under := 0
		for at := range (s.Present(b.me) &^ b.game.Worlds()).Each {
			under += s.Fleets(b.me, at).Count()
		}
		return w.Flight * float64(under) * early
	case earthman.VonNeumann: // fleets where they are needed
		return w.Engines * float64(min(s.Resource(b.me), b.total)) * early
	}
	return 0
}

// rising is the chance of Skynet if this seat learns another level of Artificial Intelligence.
func (b *earthmanStrong) rising() float64 {
	dice := 1
	for q := range env.Player(b.game.Players()) {
		dice += b.state.Level(q, earthman.AI)
	}
	return b.skynet(float64(dice) * (b.race.left + 1))
}

// threats are the fleets of others over own worlds.
func (b *earthmanStrong) threats() int {
	n := 0
	for w := range b.state.Settled(b.me).Each {
		for q := range b.others {
			if w != b.game.Home() {
				n += b.state.Fleets(q, w).Count()
			}
		}
	}
	return n
}

// hate is how much it is worth that a seat loses something: the more, the fewer seats share in it, and the likelier
// that seat is to win.
func (b *earthmanStrong) hate(q env.Player) float64 {
	n := float64(b.game.Players())
	return (1 + float64(b.weights.Leader*b.race.win[q]*n)) / (n - 1)
}

// spy chooses operation, seat and world by what success is worth, less the discontent and the Sanctions of an exposed
// agent; and then what to mark: a region, best the last steady one of a world, from which a region is soon lost.
func (b *earthmanStrong) spy() env.Action {
	b.judge()
	s := b.state
	switch s.Decision() {
	case earthman.AtSpy:
		return b.best(func(a env.Action) float64 {
			if a == earthman.Done {
				return 0
			}
			top := math.Inf(-1)
			for q := range b.others {
				top = max(top, b.operation(a, q))
			}
			return top
		})
	case earthman.AtSpyTarget:
		return b.best(func(a env.Action) float64 { return b.operation(s.Operation(), s.Asked(a)) })
	case earthman.AtSpyWorld:
		return b.best(func(a env.Action) float64 {
			return b.operationAt(s.Operation(), s.Target(), earthman.Place(a-earthman.At(0)))
		})
	}
	return b.best(func(a env.Action) float64 {
		if r := int(a - earthman.Region(0)); r >= 0 && r < earthman.MaxRegions {
			return float64(s.Developments(s.Place(), r))
		}
		return 0
	})
}

// operation is what an operation against a seat is worth at the best world for it.
func (b *earthmanStrong) operation(a env.Action, q env.Player) float64 {
	top := math.Inf(-1)
	for w := range (b.presence(b.me) & b.presence(q)).Each {
		top = max(top, b.operationAt(a, q, w))
	}
	return top
}

func (b *earthmanStrong) presence(q env.Player) earthman.Places {
	return b.state.Present(q)&b.game.Worlds() | b.state.Settled(q)
}

// operationAt is what an operation is worth, in successes of research.
func (b *earthmanStrong) operationAt(a env.Action, q env.Player, w earthman.Place) float64 {
	s := b.state
	gain := 0.0
	switch a {
	case earthman.Steal:
		for t := range earthman.Tech(earthman.NumTechs) {
			if s.Level(q, t) > s.Level(b.me, t) && s.CanStudy(b.me).Has(t) {
				gain = 1
			}
		}
	case earthman.Incite: // it shakes a fleet in every third turn
		gain = 0.15 * b.weights.Spite * b.hate(q) * min(6, b.race.left)
	case earthman.Subvert: // a Thought is a die
		if s.Thoughts(q) > 0 {
			gain = 0.6 * b.weights.Spite * b.hate(q)
		}
	case earthman.Sabotage:
		steady, devs := s.Land(q, w)&^s.Shaken(w), 0
		for r := range earthman.MaxRegions {
			if steady>>r&1 != 0 {
				devs = max(devs, s.Developments(w, r))
			}
		}
		// Risk spreads with every third die, and from the last steady region on it costs regions.
		gain = 0.15 * b.weights.Spite * b.hate(q) * float64(devs) * min(3, b.race.left) / float64(max(1, steady.Count()))
	}
	cost := 0.5
	if s.Settled(earthman.UN).Has(w) && !s.Sanctioned(b.me) {
		cost += float64(b.weights.Aid * min(10, b.race.left))
	}
	return float64(earthman.Odds(s.SpyNeed(b.me, q))*gain) - cost/6
}

// share helps those who have no hope against a seat that is about to win, so that it has to mind more than one.
func (b *earthmanStrong) share() env.Action {
	b.judge()
	s, r := b.state, &b.race
	if s.Decision() == earthman.AtShareTech {
		return b.best(func(a env.Action) float64 {
			t := earthman.Tech(a - earthman.TechAct(0))
			v := float64(s.Counter(s.Target(), t)) / float64(b.game.Steps(t))
			if t == earthman.Attack || t == earthman.Influence || t == earthman.Nanotech {
				v++
			}
			return v
		})
	}
	return b.best(func(a env.Action) float64 {
		if a == earthman.Done {
			return 0
		}
		q := s.Asked(a)
		if q == r.leader || r.win[b.me] > r.win[r.leader] {
			return -1
		}
		return r.win[r.leader] - b.weights.Help - 2*r.win[q]
	})
}

// transfer hands over fleets that are At Risk, or have nothing to do while the Economy Pool is empty: whether they are
// accepted or not, they come back as resource. Land it never gives, as that costs two resource a development and makes
// another strong. It accepts all land, and fleets where there is work for them.
func (b *earthmanStrong) transfer() env.Action {
	s := b.state
	switch s.Decision() {
	case earthman.AtTransferReply:
		if b.mask.Has(earthman.Yes) {
			return earthman.Yes
		}
		b.survey()
		n := 0
		if w := s.Place(); b.game.Worlds().Has(w) && b.need(w) > 0 {
			n = min(s.ToLose(), s.Resource(b.me), b.need(w))
		}
		return b.nearestCount(n)
	case earthman.AtTransfer:
		if at, _ := b.recalled(); at == earthman.Nowhere {
			return earthman.Done
		}
		b.judge()
		return b.best(func(a env.Action) float64 {
			if a == earthman.Done {
				return -1
			}
			return 1 - b.race.win[s.Asked(a)]
		})
	case earthman.AtTransferFleet:
		at, risk := b.recalled()
		if risk {
			return earthman.RiskAt(at)
		}
		return earthman.At(at)
	case earthman.AtTransferCount:
		b.survey()
		if w := s.Place(); b.game.Worlds().Has(w) && s.Fleets(b.me, w).Risk == 0 {
			return b.nearestCount(s.Fleets(b.me, w).Count() - b.keep(w))
		}
		return b.last()
	}
	return earthman.TakeFleet
}

// recalled is where fleets, or fleets At Risk, are better turned into resource; or Nowhere.
func (b *earthmanStrong) recalled() (at earthman.Place, risk bool) {
	s := b.state
	for at := range s.Present(b.me).Each {
		if s.Fleets(b.me, at).Risk > 0 {
			return at, true
		}
	}
	b.survey()
	if s.Resource(b.me) >= 2 || s.DevelopmentCount(b.me) < 6 || b.total < 3 {
		return earthman.Nowhere, false
	}
	for w := range (s.Present(b.me) & b.game.Worlds()).Each {
		if s.Fleets(b.me, w).Count()-b.keep(w) >= 3 {
			return w, false
		}
	}
	return earthman.Nowhere, false
}

// thought spends AI Thoughts: in the own turn on own failures, as the pool is filled up again at its end,
// and in others' turns on what hits oneself.
func (b *earthmanStrong) thought() env.Action {
	_, roller, hurt := b.state.Roll()
	switch {
	case hurt.Has(b.me) && roller != b.me:
		return b.first(earthman.Reroll(2), earthman.Done)
	case roller == b.me:
		return b.first(earthman.Reroll(0), earthman.Done)
	}
	return earthman.Done
}
