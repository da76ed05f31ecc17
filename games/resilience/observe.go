package resilience

import "earthgym/env"

// The observation: what a seat sees, its own seat first and the others clockwise; fields in board
// order. It is made of planes, one number per field, of seat rows, one number per seat, and of numbers
// of the table as a whole. Features that are the same whoever looks, and that depend on one number
// alone, are copied as rows from tables.

// Where the features lie. features says what they are.
const (
	obsOwner      = 0
	obsLevel      = obsOwner + maxPlayers*NumFields
	obsSmog       = obsLevel + 3*NumFields
	obsCover      = obsSmog + NumFields
	obsCoverLeft  = obsCover + 2*NumFields
	obsCredit     = obsCoverLeft + NumFields
	obsPrice      = obsCredit + NumFields
	obsSmogOwn    = obsPrice + NumFields
	obsSmogOthers = obsSmogOwn + NumFields
	obsNearOwn    = obsSmogOthers + NumFields
	obsNearFree   = obsNearOwn + NumFields
	obsSeats      = obsNearFree + NumFields
	obsTower      = obsSeats + seatsSize
	obsDeck       = obsTower + towerRow
	obsDeckLeft   = obsDeck + maxEvents
	obsMarkers    = obsDeckLeft + 1
	obsClock      = obsMarkers + 1
	obsRound      = obsClock + 1
	obsEndChance  = obsRound + 1
	obsRoundsLeft = obsEndChance + 1
	obsTurn       = obsRoundsLeft + 1
	obsPhase      = obsTurn + maxPlayers
	obsEnding     = obsPhase + 4
	obsDeal       = obsEnding + 3
	obsAmount     = obsDeal + int(numKinds)
	obsFlags      = obsAmount + 1
	obsPromiseNew = obsFlags + 4
	obsOptions    = obsPromiseNew + numPromises
	obsSize       = obsOptions + optionsRow
)

const (
	numPromises = int(Warn - Calm)
	thermometer = 32
	towerRow    = 1 + thermometer + 2 + 1 + 3
	optionsRow  = 17
)

// The seat rows, one number per seat each: where a row begins.
const (
	seatPlays = maxPlayers * iota
	seatRES
	seatRESFar
	seatLQ
	seatLQFar
	seatIncome
	seatLQDue
	seatSettlements
	seatCities
	seatIndustries
	seatShare
	seatUnequal
	seatResting
	seatSabbaticals
	seatPromise
	seatKept = maxPlayers * (iota + numPromises - 1) // the promises take several rows
	seatBroken
	seatTotal
	seatAhead
	seatLeader
	seatActive
	seatActing
	seatAsked
	seatPartner
	seatsSize
)

// features is the layout. It is the same for every configuration.
func features() []env.Feature {
	plane := func(name, help string, shape ...int) env.Feature {
		return env.Feature{Name: name, Shape: append(shape, NumFields), High: 1, Help: help}
	}
	seats := func(name, help string) env.Feature {
		return env.Feature{Name: name, Shape: []int{maxPlayers}, High: 1, Help: "by seat: " + help}
	}
	row := func(name, help string, n int) env.Feature {
		return env.Feature{Name: name, Shape: []int{n}, High: 1, Help: help}
	}
	list := []env.Feature{
		plane("owner", "by seat: the fields that it occupies", maxPlayers),
		plane("level", "fields with a plain settlement, a city, an industry", 3),
		plane("smog", "fields that have met their smog payment"),
		plane("cover", "fields that are BLOCKED, DESTROYED", 2),
		plane("cover_left", "rounds left of the cover / 16, at most 15; 1 = whole game"),
		plane("credit", "fields whose settlement LQ the observer has had"),
		plane("price", "RES that the observer would pay to settle there / 16, 0 where nobody can"),
		plane("smog_own", "own fields that would pay if the observer built an industry here / 8; on own open settlements"),
		plane("smog_others", "the same for fields of others"),
		plane("near_own", "own fields adjacent / 8"),
		plane("near_free", "empty and open fields adjacent / 8; on empty and open fields"),

		seats("plays", "it is in the game"),
		seats("res", "RES / 32"),
		seats("res_far", "RES / 256"),
		seats("lq", "LQ / 32"),
		seats("lq_far", "LQ / 256"),
		seats("income", "RES that its fields yield in a round / 64"),
		seats("lq_due", "LQ that the next allocation would bring / 16"),
		seats("settlements_left", "pieces left / pieces"),
		seats("cities_left", "pieces left / pieces"),
		seats("industries_left", "pieces left / pieces"),
		seats("lq_share", "LQ / (RES + LQ)"),
		seats("unequal", "the ratio of RES and LQ is beyond 80:20"),
		seats("on_sabbatical", "it is on sabbatical in this round"),
		seats("sabbaticals", "sabbaticals taken / 16"),
		{Name: "promise", Shape: []int{numPromises, maxPlayers}, High: 1, Help: "by seat: what it has promised for its next turn: calm, cut, rest, grow"},
		seats("kept", "promises kept / 16"),
		seats("broken", "promises broken / 16"),
		{Name: "total", Shape: []int{maxPlayers}, Low: -1, High: 1, Help: "by seat: its total as if the game ended now / 128"},
		seats("ahead", "share of the other seats with a lower total"),
		seats("leader", "it leads the round"),
		seats("active", "it is its turn"),
		seats("acting", "it decides now"),
		seats("asked", "it has had an offer in this turn"),
		seats("partner", "it is the one asked in the running deal"),

		row("tower", "height / stones", 1),
		row("tower_stones", "one for each stone on the tower, up to 32", thermometer),
		row("fall", "chance that the next, the second next stone brings the tower down", 2),
		row("until_event", "stones until a stack runs out / 16", 1),
		row("event_next", "a stack runs out with the next, the second, the third stone", 3),
		row("deck", "event cards that may still be drawn, in the order of the data file", maxEvents),
		row("deck_left", "event cards in the deck / all", 1),
		row("covers_left", "cover cards not in use / all", 1),
		row("clock", "time used / greatest length", 1),
		row("round", "round / 32", 1),
		row("end_chance", "chance that the game ends with this turn", 1),
		row("rounds_left", "rounds still expected / 16", 1),
		row("turn", "turns finished in this round, one-hot", maxPlayers),
		row("phase", "decision point, one-hot: turn, amount, reply, pick", 4),
		row("over", "how the game ended, one-hot: collapse, time, stones", 3),
		row("deal", "running deal, one-hot: gift, ask, hire, serve", int(numKinds)),
		row("amount", "its RES / 20", 1),
		row("done", "in this turn: built, a stone placed, own building dismantled, a statement made", 4),
		row("promise_new", "promise made in this turn: calm, cut, rest, grow", numPromises),
		row("players", "number of players, one-hot: 2, 3, 4", 3),
		row("timer_fixed", "the length is known", 1),
		row("length", "least and greatest length / 240 minutes", 2),
		row("tower_limit", "the tower falls at a known height; that height / 64", 2),
		row("align_seat", "event cards turn with the seat, as its orientation now / 5; 0, 0 by the board", 2),
		row("supply_tight", "the bank has a limit", 1),
		row("sabbatical_limit", "sabbaticals are limited; the limit / 16", 2),
		row("smog_rounds", "fields beside industries pay in every round", 1),
		row("deals", "offers can be made", 1),
		row("talk", "statements can be made", 1),
		row("collapse_win", "worth of a win after a collapse", 1),
	}
	return list
}

// rows are parts of the observation that follow from one number.
type rows struct {
	tower      [maxStones + 1][towerRow]float32 // by height
	left       [wholeGame + 1]float32           // by rounds left of a cover
	eighths    [7]float32
	near       float32        // price of settling beside own land
	far        [64][6]float32 // and elsewhere, by sets of a sector's fields
	neighbours [NumFields]float32
	pieces     [numLevels]float32 // 1 / pieces
	options    [optionsRow]float32
}

func newRows(g *Game) rows {
	var r rows
	for height := range int(g.stones) + 1 {
		row := &r.tower[height]
		row[0] = float32(height) / float32(g.stones)
		for k := range min(height, thermometer) {
			row[1+k] = 1
		}
		row[1+thermometer] = float32(g.FallChance(height + 1))
		row[2+thermometer] = float32(g.FallChance(height + 2))
		row[3+thermometer] = scaled(int32(g.untilEvent[height]), 16)
		for k := range 3 {
			if height+k < int(g.stones)-1 && g.empties>>(height+k+1)&1 != 0 {
				row[4+thermometer+k] = 1
			}
		}
	}
	for rounds := range r.left {
		r.left[rounds] = float32(min(rounds, 15)) / 16
	}
	r.left[wholeGame] = 1
	for k := range r.eighths {
		r.eighths[k] = float32(k) / 8
	}
	r.near = scaled(g.cost[Settlement], 16)
	for set := range r.far {
		for i := range 6 {
			if set>>i&1 != 0 {
				r.far[set][i] = scaled(g.cost[Settlement]+int32(g.data.Travel), 16)
			}
		}
	}
	for f := range r.neighbours {
		r.neighbours[f] = r.eighths[g.neighbours[f].Count()]
	}
	for level := Settlement; level <= Industry; level++ {
		r.pieces[level] = 1 / float32(max(g.pieces[level], 1))
	}
	r.options = [optionsRow]float32{
		3:  flag(!g.random),
		4:  float32(g.minutesMin) / 240,
		5:  float32(g.minutesMax) / 240,
		6:  flag(g.towerLimit > 0),
		7:  float32(g.towerLimit) / 64,
		8:  flag(g.alignSeat),
		10: flag(g.tight),
		11: flag(g.sabbaticals > 0),
		12: float32(g.sabbaticals) / 16,
		13: flag(g.smogRounds),
		14: flag(g.deals),
		15: flag(g.talk),
		16: float32(g.collapseWin),
	}
	r.options[g.players-2] = 1
	return r
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// scaled is x / unit, at most 1.
func scaled(x, unit int32) float32 { return float32(min(x, unit)) / float32(unit) }

// observation is the slice that is written, as an array: its bounds are checked once.
type observation [obsSize]float32

// plane writes a number on each field of a set.
func (o *observation) plane(at int, set Fields, value float32) {
	plane := (*[NumFields]float32)(o[at:])
	for ; set != 0; set &= set - 1 {
		plane[set.First()] = value
	}
}

// dense writes a plane of many fields, a sector at a time, from a table by sets of a sector's fields.
func (o *observation) dense(at int, set Fields, table *[64][6]float32) {
	plane := (*[NumFields]float32)(o[at:])
	*(*[6]float32)(plane[0:]) = table[set&63]
	*(*[6]float32)(plane[6:]) = table[set>>6&63]
	*(*[6]float32)(plane[12:]) = table[set>>12&63]
	*(*[6]float32)(plane[18:]) = table[set>>18&63]
	*(*[6]float32)(plane[24:]) = table[set>>24&63]
	*(*[6]float32)(plane[30:]) = table[set>>30&63]
}

// Observe writes what p sees.
func (s *State) Observe(dst []float32, p env.Player) {
	o := (*observation)(dst)
	*o = observation{}
	s.observeBoard(o, p)
	s.observeSites(o, p)
	s.observeSeats(o, p)
	s.observeTable(o)
}

func (s *State) observeBoard(o *observation, p env.Player) {
	at := obsOwner
	for q := p; at < obsOwner+s.game.players*NumFields; at += NumFields {
		o.plane(at, s.land[q], 1)
		if q++; int(q) == s.game.players {
			q = 0
		}
	}
	developed := s.cities | s.industries
	o.plane(obsLevel, s.Occupied()&^developed, 1)
	o.plane(obsLevel+NumFields, s.cities, 1)
	o.plane(obsLevel+2*NumFields, s.industries, 1)
	o.plane(obsSmog, s.smogged, 1)
	o.plane(obsCredit, s.credit[p], 1)
	covered := s.Covered()
	if covered == 0 {
		return
	}
	o.plane(obsCover, s.blocked, 1)
	o.plane(obsCover+NumFields, s.destroyed, 1)
	for ; covered != 0; covered &= covered - 1 {
		f := covered.First()
		o[obsCoverLeft+int(f)] = s.game.rows.left[s.left[f]]
	}
}

// observeSites writes what p's choices of fields turn on.
func (s *State) observeSites(o *observation, p env.Player) {
	g := s.game
	near, far := s.sites(p)
	o.dense(obsPrice, far, &g.rows.far)
	o.plane(obsPrice, near, g.rows.near)
	s.observeFree(o, near|far)

	plane := (*[NumFields]float32)(o[obsNearOwn:])
	for set := s.land[p]; set != 0; set &= set - 1 {
		for beside := g.neighbours[set.First()]; beside != 0; beside &= beside - 1 {
			plane[beside.First()] += 1.0 / 8
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
		o[obsSmogOwn+int(f)] = g.rows.eighths[(g.neighbours[f] & own).Count()]
		o[obsSmogOthers+int(f)] = g.rows.eighths[(g.neighbours[f] & others).Count()]
	}
}

// observeFree counts the free neighbours of free fields: on an open board from the number of all
// neighbours down, on a crowded one from nothing up.
func (s *State) observeFree(o *observation, free Fields) {
	g := s.game
	plane := (*[NumFields]float32)(o[obsNearFree:])
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

func (s *State) observeSeats(o *observation, p env.Player) {
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
		row := (*[seatsSize - maxPlayers + 1]float32)(o[obsSeats+i:]) // every fourth number is this seat's
		land := s.land[q]
		cities, industries := (land & s.cities).Count(), (land & s.industries).Count()
		row[seatPlays] = 1
		row[seatRES] = float32(min(s.res[q], 32)) * (1.0 / 32)
		row[seatRESFar] = float32(min(s.res[q], 256)) * (1.0 / 256)
		row[seatLQ] = float32(min(s.lq[q], 32)) * (1.0 / 32)
		row[seatLQFar] = float32(min(s.lq[q], 256)) * (1.0 / 256)
		if land != 0 {
			row[seatIncome] = float32(min(s.Income(env.Player(q)), 64)) * (1.0 / 64)
		}
		if s.resting[q] || land&^developed&^covered&^s.credit[q] != 0 {
			row[seatLQDue] = float32(min(s.LQDue(env.Player(q)), 16)) * (1.0 / 16)
		}
		row[seatSettlements] = float32(g.pieces[Settlement]-land.Count()) * g.rows.pieces[Settlement]
		row[seatCities] = float32(g.pieces[City]-cities) * g.rows.pieces[City]
		row[seatIndustries] = float32(g.pieces[Industry]-industries) * g.rows.pieces[Industry]
		if sum := s.res[q] + s.lq[q]; sum > 0 {
			row[seatShare] = float32(s.lq[q]) / float32(sum)
		}
		row[seatUnequal] = flag(s.Unequal(env.Player(q)))
		row[seatResting] = flag(s.resting[q])
		row[seatSabbaticals] = float32(min(s.sabbaticals[q], 16)) * (1.0 / 16)
		if w := s.promise[q]; w != NoWord {
			row[seatPromise+maxPlayers*int(w-Calm)] = 1
		}
		row[seatKept] = float32(min(s.kept[q], 16)) * (1.0 / 16)
		row[seatBroken] = float32(min(s.broken[q], 16)) * (1.0 / 16)
		row[seatTotal] = float32(min(totals[q], 128)) * (1.0 / 128)
		lower := 0
		for _, total := range totals[:g.players] {
			if total < totals[q] {
				lower++
			}
		}
		row[seatAhead] = float32(lower) * others
		row[seatLeader] = flag(q == int(s.leader))
		row[seatActive] = flag(q == int(active))
		row[seatActing] = flag(q == int(actor))
		row[seatAsked] = flag(s.asked[q])
		row[seatPartner] = flag(q == int(s.partner))
		if q++; q == g.players {
			q = 0
		}
	}
}

func (s *State) observeTable(o *observation) {
	g := s.game
	*(*[towerRow]float32)(o[obsTower:]) = g.rows.tower[s.tower]
	deck := (*[maxEvents]float32)(o[obsDeck:])
	for i := range len(g.events) {
		deck[i] = float32(s.deck >> i & 1)
	}
	o[obsDeckLeft] = float32(s.DeckLeft()) / float32(len(g.events))
	if markers := g.data.Markers; markers > 0 {
		o[obsMarkers] = float32(markers-s.Covered().Count()) / float32(markers)
	}
	o[obsClock] = min(float32(s.clock)/float32(60*g.minutesMax), 1)
	o[obsRound] = float32(min(s.round, 32)) * (1.0 / 32)
	o[obsEndChance] = float32(s.EndChance())
	o[obsRoundsLeft] = min(float32(s.RoundsLeft())/16, 1)
	o[obsTurn+int(s.turn)] = 1
	if s.phase == Over {
		o[obsEnding+int(s.ending-Collapse)] = 1
	} else {
		o[obsPhase+int(s.phase)] = 1
	}
	if s.partner >= 0 {
		o[obsDeal+int(s.kind)] = 1
		o[obsAmount] = float32(s.amount) / maxAmount
	}
	o[obsFlags], o[obsFlags+1] = flag(s.built), flag(s.placed)
	o[obsFlags+2], o[obsFlags+3] = flag(s.cut), flag(s.said)
	if s.promiseNew != NoWord {
		o[obsPromiseNew+int(s.promiseNew-Calm)] = 1
	}
	*(*[optionsRow]float32)(o[obsOptions:]) = g.rows.options
	if g.alignSeat {
		o[obsOptions+9] = float32(s.orientation()) / 5
	}
}
