package resilience

import (
	"earthgym/env"
	"earthgym/env/form"
)

// rows are parts of the observation that follow from one number.
type rows struct {
	tower [maxStones + 1]towerFeatures // by height
	// chance that one of the next stones brings it down, by height and their number
	falls      [maxStones + 1][maxStones + 1]float32
	left       [wholeGame + 1]float32 // by rounds left of a cover
	eighths    [7]float32
	near       float32        // price of settling beside own land
	far        [64][6]float32 // and elsewhere, by sets of a sector's fields
	neighbours perField
	pieces     [numLevels]float32 // 1 / pieces
	options    optionFeatures
}

func newRows(g *Game) rows {
	var r rows
	for height := range int(g.stones) + 1 {
		t := &r.tower[height]
		t.Tower = float32(height) / float32(g.stones)
		for k := range min(height, thermometer) {
			t.TowerStones[k] = 1
		}
		for k := range t.Fall {
			t.Fall[k] = float32(g.FallChance(height + 1 + k))
		}
		t.UntilEvent = form.Share(g.untilEvent[height], 16)
		for k := range t.EventNext {
			if g.empties>>(height+k+1)&1 != 0 {
				t.EventNext[k] = 1
			}
		}
	}
	for height := range int(g.stones) + 1 {
		stands := 1.0
		for n := 1; n <= maxStones; n++ {
			stands = float64(stands * (1 - g.FallChance(height+n)))
			r.falls[height][n] = float32(1 - stands)
		}
	}
	for rounds := range r.left {
		r.left[rounds] = float32(min(rounds, 15)) / 16
	}
	r.left[wholeGame] = 1
	for k := range r.eighths {
		r.eighths[k] = float32(k) / 8
	}
	r.near = form.Share(g.cost[Settlement], 16)
	for set := range r.far {
		for i := range 6 {
			if set>>i&1 != 0 {
				r.far[set][i] = form.Share(g.cost[Settlement]+int32(g.data.Travel), 16)
			}
		}
	}
	for f := range r.neighbours {
		r.neighbours[f] = r.eighths[g.neighbours[f].Count()]
	}
	for level := Settlement; level <= Industry; level++ {
		r.pieces[level] = 1 / float32(max(g.pieces[level], 1))
	}
	r.options = optionFeatures{
		TimerFixed:      form.Bit(!g.random),
		Length:          [2]float32{float32(g.minutesMin) / 240, float32(g.minutesMax) / 240},
		TowerLimit:      [2]float32{form.Bit(g.towerLimit > 0), float32(g.towerLimit) / 64},
		AlignSeat:       [2]float32{form.Bit(g.alignSeat), 0},
		SupplyTight:     form.Bit(g.tight),
		SabbaticalLimit: [2]float32{form.Bit(g.sabbaticals > 0), float32(g.sabbaticals) / 16},
		SmogRounds:      form.Bit(g.smogRounds),
		Deals:           form.Bit(g.deals),
		Talk:            form.Bit(g.talk),
		CollapseWin:     float32(g.collapseWin),
	}
	r.options.Players[g.players-2] = 1
	return r
}

// set writes a number on each field of a set.
func (plane *perField) set(fields Fields, value float32) {
	for ; fields != 0; fields &= fields - 1 {
		plane[fields.First()] = value
	}
}

// dense writes many fields, a sector at a time, from a table by sets of a sector's fields.
func (plane *perField) dense(fields Fields, table *[64][6]float32) {
	*(*[6]float32)(plane[0:]) = table[fields&63]
	*(*[6]float32)(plane[6:]) = table[fields>>6&63]
	*(*[6]float32)(plane[12:]) = table[fields>>12&63]
	*(*[6]float32)(plane[18:]) = table[fields>>18&63]
	*(*[6]float32)(plane[24:]) = table[fields>>24&63]
	*(*[6]float32)(plane[30:]) = table[fields>>30&63]
}

// Observe writes what p sees.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Cleared[observation](dst)
	s.observeBoard(o, p)
	s.observeSites(o, p)
	expected, next := s.Allocations()
	s.observeSeats(o, p, float32(expected), float32(next))
	s.observeTable(o)
	s.observeOutlook(o, p, float32(expected), float32(next))
}

func (s *State) observeBoard(o *observation, p env.Player) {
	q := p
	for i := range s.game.players {
		o.Owner[i].set(s.land[q], 1)
		if q++; int(q) == s.game.players {
			q = 0
		}
	}
	o.Level[0].set(s.Occupied()&^(s.cities|s.industries), 1)
	o.Level[1].set(s.cities, 1)
	o.Level[2].set(s.industries, 1)
	o.Smog.set(s.smogged, 1)
	o.Credit.set(s.credit[p], 1)
	covered := s.Covered()
	if covered == 0 {
		return
	}
	o.Cover[0].set(s.blocked, 1)
	o.Cover[1].set(s.destroyed, 1)
	for ; covered != 0; covered &= covered - 1 {
		f := covered.First()
		o.CoverLeft[f] = s.game.rows.left[s.left[f]]
	}
}

// observeSites writes what p's choices of fields turn on.
func (s *State) observeSites(o *observation, p env.Player) {
	g := s.game
	near, far := s.sites(p)
	o.Price.dense(far, &g.rows.far)
	o.Price.set(near, g.rows.near)
	s.observeFree(&o.NearFree, near|far)

	for set := s.land[p]; set != 0; set &= set - 1 {
		for beside := g.neighbours[set.First()]; beside != 0; beside &= beside - 1 {
			o.NearOwn[beside.First()] += 1.0 / 8
		}
	}

	for set := s.industries; set != 0; set &= set - 1 {
		for beside := g.neighbours[set.First()]; beside != 0; beside &= beside - 1 {
			o.NearSmoke[beside.First()] += 1.0 / 8
		}
	}

	paying := s.Occupied() &^ s.smogged
	if g.smogRounds {
		paying &^= g.beside(s.industries)
	}
	own := paying & s.land[p]
	others := paying &^ own
	for set := s.Settlements(p) &^ s.Covered(); set != 0; set &= set - 1 {
		f := set.First()
		o.SmogOwn[f] = g.rows.eighths[(g.neighbours[f] & own).Count()]
		o.SmogOthers[f] = g.rows.eighths[(g.neighbours[f] & others).Count()]
	}
}

// observeFree counts the free neighbours of free fields: on an open board from the number of all
// neighbours down, on a crowded one from nothing up.
func (s *State) observeFree(plane *perField, free Fields) {
	g := s.game
	taken := allFields &^ free
	if taken.Count() > NumFields/3 {
		for set := free; set != 0; set &= set - 1 {
			f := set.First()
			plane[f] = g.rows.eighths[(g.neighbours[f] & free).Count()]
		}
		return
	}
	*plane = g.rows.neighbours
	for set := taken; set != 0; set &= set - 1 {
		for beside := g.neighbours[set.First()]; beside != 0; beside &= beside - 1 {
			plane[beside.First()] -= 1.0 / 8
		}
	}
	for set := taken; set != 0; set &= set - 1 {
		plane[set.First()] = 0
	}
}

// observeSeats writes what the seats have, and what they will have with so many allocations expected and such a chance
// of the next.
func (s *State) observeSeats(o *observation, p env.Player, expected, next float32) {
	g := s.game
	var totals [maxPlayers]int
	for q := range g.players {
		totals[q] = s.Total(env.Player(q))
	}
	active, actor := s.Active(), s.Actor()
	others := 1 / float32(g.players-1)
	covered := s.Covered()
	developed := s.cities | s.industries
	q := int(p)
	for i := range g.players {
		i &= maxPlayers - 1 // as it is: it saves the checks below
		land := s.land[q]
		cities, industries := (land & s.cities).Count(), (land & s.industries).Count()
		o.Plays[i] = 1
		o.RES[i] = form.Part(s.res[q], 32)
		o.RESFar[i] = form.Part(s.res[q], 256)
		o.LQ[i] = form.Part(s.lq[q], 32)
		o.LQFar[i] = form.Part(s.lq[q], 256)
		res, lq := float32(s.res[q]), float32(s.lq[q])
		if land != 0 {
			income := s.Income(env.Player(q))
			o.Income[i] = form.Part(income, 64)
			res += float32(float32(income) * expected)
		}
		if s.resting[q] || land&^developed&^covered&^s.credit[q] != 0 {
			due := s.LQDue(env.Player(q))
			o.LQDue[i] = form.Part(due, 16)
			lq += float32(float32(due) * next)
		}
		o.RESThen[i], o.LQThen[i] = min(res*(1.0/32), 16), min(lq*(1.0/32), 16)
		o.UnequalThen[i] = form.Bit(5*min(res, lq) < res+lq)
		form.Count(o.RESCount[i][:], s.res[q])
		form.Count(o.LQCount[i][:], s.lq[q])
		o.SettlementsLeft[i] = float32(g.pieces[Settlement]-land.Count()) * g.rows.pieces[Settlement]
		o.CitiesLeft[i] = float32(g.pieces[City]-cities) * g.rows.pieces[City]
		o.IndustriesLeft[i] = float32(g.pieces[Industry]-industries) * g.rows.pieces[Industry]
		if sum := s.res[q] + s.lq[q]; sum > 0 {
			o.LQShare[i] = float32(s.lq[q]) / float32(sum)
		}
		o.Unequal[i] = form.Bit(s.Unequal(env.Player(q)))
		o.OnSabbatical[i] = form.Bit(s.resting[q])
		o.Sabbaticals[i] = form.Part(s.sabbaticals[q], 16)
		if w := s.promise[q]; w != NoWord {
			o.Promise[i][w-Calm] = 1
		}
		o.Kept[i] = form.Part(s.kept[q], 16)
		o.Broken[i] = form.Part(s.broken[q], 16)
		o.Total[i] = form.Part(totals[q], 128)
		lower := 0
		for _, total := range totals[:g.players] {
			if total < totals[q] {
				lower++
			}
		}
		o.Ahead[i] = float32(lower) * others
		o.Leader[i] = form.Bit(q == int(s.leader))
		o.Active[i] = form.Bit(q == int(active))
		o.Acting[i] = form.Bit(q == int(actor))
		o.Asked[i] = form.Bit(s.asked[q])
		o.Partner[i] = form.Bit(q == int(s.partner))
		if q++; q == g.players {
			q = 0
		}
	}
}

func (s *State) observeTable(o *observation) {
	g := s.game
	o.tower = g.rows.tower[s.tower]
	for i := range len(g.events) {
		o.Deck[i] = float32(s.deck >> i & 1)
	}
	o.DeckLeft = float32(s.DeckLeft()) / float32(len(g.events))
	if markers := g.data.Markers; markers > 0 {
		o.CoversLeft = float32(markers-s.Covered().Count()) / float32(markers)
	}
	o.Clock = min(float32(s.clock)/float32(60*g.minutesMax), 1)
	o.Round = form.Part(s.round, 32)
	o.EndChance = float32(s.EndChance())
	o.RoundsLeft = min(float32(s.RoundsLeft())/16, 1)
	o.Turn[s.turn] = 1
	if s.decision == Over {
		o.Over[s.ending-Collapse] = 1
	} else {
		o.Decision[s.decision] = 1
	}
	if s.partner >= 0 {
		o.Deal[s.kind] = 1
		o.Amount = float32(s.amount) / maxAmount
	}
	o.Done = [4]float32{form.Bit(s.built), form.Bit(s.placed), form.Bit(s.cut), form.Bit(s.said)}
	form.One(o.PromiseNew[:], int(s.promiseNew)-int(Calm))
	o.options = g.rows.options
	if g.alignSeat {
		o.options.AlignSeat[1] = float32(s.orientation()) / 5
	}
}

// observeOutlook writes what is to be expected, and what buildings would bring p.
func (s *State) observeOutlook(o *observation, p env.Player, expected, next float32) {
	g := s.game
	falls := &g.rows.falls[s.tower]
	o.Allocations.Expected, o.Allocations.Next = min(expected*(1.0/8), 8), next
	form.Count(o.Allocations.Count[:], int(expected+0.5))
	pace := float32(s.tower+1) / (float32(s.RoundsDone()) + 1.5)
	o.Allocations.Falls = falls[min(int(float32(pace*expected)+0.5), maxStones)]
	until := s.UntilEvent()
	for level := Settlement; level <= Industry; level++ {
		b := &o.Builds[level-Settlement]
		b.Left[max(0, min(int(s.res[p]-g.cost[level])+mostShort, numSpare-1))] = 1
		b.Piece = form.Bit(s.PiecesLeft(p, level) > 0)
		yield := g.production[level]
		if level > Settlement {
			yield -= g.production[Settlement]
		}
		b.Worth = max(-2, min((float32(float32(yield)*expected)-float32(g.cost[level]))*(1.0/16), 8))
		stones := int(g.buildingStones[level])
		b.Falls = falls[stones]
		b.Event = form.Bit(until > 0 && until <= stones)
	}
}
