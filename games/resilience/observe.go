package resilience

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// The observation: what a seat sees, its own seat first and the others clockwise; fields in board
// order. It is made of planes, one number per field, of seat rows, one number per seat, and of numbers
// of the table as a whole. Features that are the same whoever looks, and that depend on one number
// alone, are copied as rows from tables.

type (
	perField [NumFields]float32
	perSeat  [maxPlayers]float32 // clockwise from the observer
)

// observation declares the layout, which is the same for every configuration, and takes the numbers.
type observation struct {
	Owner      [maxPlayers]perField `axes:"seat,field" help:"by seat: the fields that it occupies"`
	Level      [3]perField          `axes:"level,field" help:"fields with a plain settlement, a city, an industry"`
	Smog       perField             `axes:"field" help:"fields that have met their smog payment"`
	Cover      [2]perField          `axes:"cover,field" help:"fields that are BLOCKED, DESTROYED"`
	CoverLeft  perField             `axes:"field" help:"rounds left of the cover / 16, at most 15; 1 = whole game"`
	Credit     perField             `axes:"field" scope:"own" help:"fields whose settlement LQ the observer has had"`
	Price      perField             `axes:"field" scope:"own" help:"RES that the observer would pay to settle there / 16, 0 where nobody can"`
	SmogOwn    perField             `axes:"field" scope:"own" help:"own fields that would pay if the observer built an industry here / 8; on own open settlements"`
	SmogOthers perField             `axes:"field" scope:"own" help:"the same for fields of others"`
	NearOwn    perField             `axes:"field" scope:"own" help:"own fields adjacent / 8"`
	NearFree   perField             `axes:"field" help:"empty and open fields adjacent / 8; on empty and open fields"`
	NearSmoke  perField             `axes:"field" help:"industries adjacent / 8"`

	Plays           perSeat                          `axes:"seat" help:"by seat: it is in the game"`
	RES             perSeat                          `axes:"seat" help:"by seat: RES / 32"`
	RESFar          perSeat                          `axes:"seat" name:"res_far" help:"by seat: RES / 256"`
	LQ              perSeat                          `axes:"seat" help:"by seat: LQ / 32"`
	LQFar           perSeat                          `axes:"seat" name:"lq_far" help:"by seat: LQ / 256"`
	Income          perSeat                          `axes:"seat" help:"by seat: RES that its fields yield in a round / 64"`
	LQDue           perSeat                          `axes:"seat" name:"lq_due" help:"by seat: LQ that the next allocation would bring / 16"`
	SettlementsLeft perSeat                          `axes:"seat" help:"by seat: pieces left / pieces"`
	CitiesLeft      perSeat                          `axes:"seat" help:"by seat: pieces left / pieces"`
	IndustriesLeft  perSeat                          `axes:"seat" help:"by seat: pieces left / pieces"`
	LQShare         perSeat                          `axes:"seat" name:"lq_share" help:"by seat: LQ / (RES + LQ)"`
	Unequal         perSeat                          `axes:"seat" help:"by seat: the ratio of RES and LQ is beyond 80:20"`
	OnSabbatical    perSeat                          `axes:"seat" help:"by seat: it is on sabbatical in this round"`
	Sabbaticals     perSeat                          `axes:"seat" help:"by seat: sabbaticals taken / 16"`
	Promise         [maxPlayers][numPromises]float32 `axes:"seat,promise" help:"by seat: what it has promised for its next turn: calm, cut, rest, grow"`
	Kept            perSeat                          `axes:"seat" help:"by seat: promises kept / 16"`
	Broken          perSeat                          `axes:"seat" help:"by seat: promises broken / 16"`
	Total           perSeat                          `axes:"seat" low:"-1" help:"by seat: its total as if the game ended now / 128"`
	Ahead           perSeat                          `axes:"seat" help:"by seat: share of the other seats with a lower total"`
	Leader          perSeat                          `axes:"seat" help:"by seat: it leads the round"`
	Active          perSeat                          `axes:"seat" help:"by seat: it is its turn"`
	Acting          perSeat                          `axes:"seat" help:"by seat: it decides now"`
	Asked           perSeat                          `axes:"seat" help:"by seat: it has had an offer in this turn"`
	Partner         perSeat                          `axes:"seat" help:"by seat: it is the one asked in the running deal"`
	RESCount        [maxPlayers][25]float32          `axes:"seat,count" name:"res_count" help:"by seat: RES, one-hot"`
	LQCount         [maxPlayers][17]float32          `axes:"seat,count" name:"lq_count" help:"by seat: LQ, one-hot"`
	RESThen         perSeat                          `axes:"seat" name:"res_then" high:"16" help:"by seat: RES at the end as things stand, with the allocations still expected / 32"`
	LQThen          perSeat                          `axes:"seat" name:"lq_then" high:"16" help:"by seat: LQ at the end as things stand / 32"`
	UnequalThen     perSeat                          `axes:"seat" help:"by seat: their ratio is beyond 80:20"`

	Builds [numLevels - 1]struct {
		Left  [numSpare]float32 `axes:"spare" help:"RES left after it, one-hot, or missing"`
		Piece float32           `help:"a piece is left"`
		Worth float32           `low:"-2" high:"8" help:"RES that it yields until the end, less its price / 16"`
		Falls float32           `help:"chance that its stones bring the tower down"`
		Event float32           `help:"its stones bring an event"`
	} `axes:"level" scope:"own" help:"what the observer could build: settlements at the lower price, cities, industries"`
	Allocations struct {
		Expected float32     `high:"8" help:"still expected / 8"`
		Count    [17]float32 `axes:"count" help:"still expected, one-hot"`
		Next     float32     `help:"chance that this round's is played"`
		Falls    float32     `help:"chance that the tower falls by then, with stones at the pace so far"`
	} `help:"allocations"`

	tower      towerFeatures
	Deck       [maxEvents]float32   `axes:"event" help:"event cards that may still be drawn, in the order of the data file"`
	DeckLeft   float32              `help:"event cards in the deck / all"`
	CoversLeft float32              `help:"cover cards not in use / all"`
	Clock      float32              `help:"time used / greatest length"`
	Round      float32              `help:"round / 32"`
	EndChance  float32              `help:"chance that the game ends with this turn"`
	RoundsLeft float32              `help:"rounds still expected / 16"`
	Turn       [maxPlayers]float32  `help:"turns finished in this round, one-hot"`
	Phase      [4]float32           `axes:"phase" help:"decision point, one-hot: turn, amount, reply, pick"`
	Over       [3]float32           `axes:"ending" help:"how the game ended, one-hot: collapse, time, stones"`
	Deal       [numKinds]float32    `axes:"kind" help:"running deal, one-hot: gift, ask, hire, serve"`
	Amount     float32              `help:"its RES / 20"`
	Done       [4]float32           `axes:"done" help:"in this turn: built, a stone placed, own building dismantled, a statement made"`
	PromiseNew [numPromises]float32 `axes:"promise" help:"promise made in this turn: calm, cut, rest, grow"`
	options    optionFeatures
}

// towerFeatures follow from the height of the tower.
type towerFeatures struct {
	Tower       float32              `help:"height / stones"`
	TowerStones [thermometer]float32 `help:"one for each stone on the tower, up to 32"`
	Fall        [2]float32           `axes:"next" help:"chance that the next, the second next stone brings the tower down"`
	UntilEvent  float32              `help:"stones until a stack runs out / 16"`
	EventNext   [3]float32           `axes:"next" help:"a stack runs out with the next, the second, the third stone"`
}

// optionFeatures follow from the options, but for the orientation.
type optionFeatures struct {
	Players         [3]float32 `axes:"players" help:"number of players, one-hot: 2, 3, 4"`
	TimerFixed      float32    `help:"the length is known"`
	Length          [2]float32 `axes:"length" help:"least and greatest length / 240 minutes"`
	TowerLimit      [2]float32 `axes:"limit" help:"the tower falls at a known height; that height / 64"`
	AlignSeat       [2]float32 `axes:"align" help:"event cards turn with the seat, as its orientation now / 5; 0, 0 by the board"`
	SupplyTight     float32    `help:"the bank has a limit"`
	SabbaticalLimit [2]float32 `axes:"limit" help:"sabbaticals are limited; the limit / 16"`
	SmogRounds      float32    `help:"fields beside industries pay in every round"`
	Deals           float32    `help:"offers can be made"`
	Talk            float32    `help:"statements can be made"`
	CollapseWin     float32    `help:"worth of a win after a collapse"`
}

const (
	numPromises = int(Warn - Calm)
	thermometer = 32
)

// features are those of the observation.
func (g *Game) features() ([]env.Feature, error) {
	return form.Features[observation](form.Axes{
		"field":   counted(NumFields, func(f int) string { return strconv.Itoa(Field(f).number()) }),
		"level":   {"settlements", "cities", "industries"},
		"spare":   spareWords(),
		"cover":   {"blocked", "destroyed"},
		"promise": wordTexts[Calm:Warn],
		"next":    {"next", "second", "third"},
		"event":   g.words.events,
		"phase":   phaseTexts[:Over],
		"ending":  endingTexts[Collapse:],
		"kind":    kindTexts[:],
		"done":    {"built", "placed", "cut", "said"},
		"players": {"2", "3", "4"},
		"length":  {"least", "greatest"},
		"limit":   {"limited", "limit"},
		"align":   {"by seat", "orientation"},
	})
}

// What actions point at: fields, and seats as the active one counts them.
const (
	fieldObject = "field"
	seatObject  = "seat"
)

// objects are what actions point at, each with its part of the observation.
func objects() []env.Objects {
	return []env.Objects{
		{Name: fieldObject, Count: NumFields, Features: []string{
			"owner", "level", "smog", "cover", "cover_left", "credit", "price", "smog_own", "smog_others", "near_own", "near_free", "near_smoke",
		}},
		{Name: seatObject, Count: maxPlayers, Features: []string{
			"plays", "res", "lq", "res_count", "lq_count", "res_then", "lq_then", "unequal_then", "income", "lq_due", "lq_share", "unequal", "on_sabbatical", "promise",
			"kept", "broken", "total", "ahead", "cities_left", "industries_left", "asked",
		}},
	}
}

// rows are parts of the observation that follow from one number.
type rows struct {
	tower      [maxStones + 1]towerFeatures          // by height
	falls      [maxStones + 1][maxStones + 1]float32 // chance that one of the next stones brings it down, by height and their number
	left       [wholeGame + 1]float32                // by rounds left of a cover
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
		t.UntilEvent = scaled(int32(g.untilEvent[height]), 16)
		for k := range t.EventNext {
			if height+k < int(g.stones)-1 && g.empties>>(height+k+1)&1 != 0 {
				t.EventNext[k] = 1
			}
		}
	}
	for height := range int(g.stones) + 1 {
		stands := 1.0
		for n := 1; n <= maxStones; n++ {
			stands *= 1 - g.FallChance(height+n)
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
	r.options = optionFeatures{
		TimerFixed:      flag(!g.random),
		Length:          [2]float32{float32(g.minutesMin) / 240, float32(g.minutesMax) / 240},
		TowerLimit:      [2]float32{flag(g.towerLimit > 0), float32(g.towerLimit) / 64},
		AlignSeat:       [2]float32{flag(g.alignSeat), 0},
		SupplyTight:     flag(g.tight),
		SabbaticalLimit: [2]float32{flag(g.sabbaticals > 0), float32(g.sabbaticals) / 16},
		SmogRounds:      flag(g.smogRounds),
		Deals:           flag(g.deals),
		Talk:            flag(g.talk),
		CollapseWin:     float32(g.collapseWin),
	}
	r.options.Players[g.players-2] = 1
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
	o := form.Observation[observation](dst)
	*o = observation{}
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
		o.RES[i] = float32(min(s.res[q], 32)) * (1.0 / 32)
		o.RESFar[i] = float32(min(s.res[q], 256)) * (1.0 / 256)
		o.LQ[i] = float32(min(s.lq[q], 32)) * (1.0 / 32)
		o.LQFar[i] = float32(min(s.lq[q], 256)) * (1.0 / 256)
		res, lq := float32(s.res[q]), float32(s.lq[q])
		if land != 0 {
			income := s.Income(env.Player(q))
			o.Income[i] = float32(min(income, 64)) * (1.0 / 64)
			res += float32(income) * expected
		}
		if s.resting[q] || land&^developed&^covered&^s.credit[q] != 0 {
			due := s.LQDue(env.Player(q))
			o.LQDue[i] = float32(min(due, 16)) * (1.0 / 16)
			lq += float32(due) * next
		}
		o.RESThen[i], o.LQThen[i] = min(res*(1.0/32), 16), min(lq*(1.0/32), 16)
		o.UnequalThen[i] = flag(5*min(res, lq) < res+lq)
		form.Count(o.RESCount[i][:], int(s.res[q]))
		form.Count(o.LQCount[i][:], int(s.lq[q]))
		o.SettlementsLeft[i] = float32(g.pieces[Settlement]-land.Count()) * g.rows.pieces[Settlement]
		o.CitiesLeft[i] = float32(g.pieces[City]-cities) * g.rows.pieces[City]
		o.IndustriesLeft[i] = float32(g.pieces[Industry]-industries) * g.rows.pieces[Industry]
		if sum := s.res[q] + s.lq[q]; sum > 0 {
			o.LQShare[i] = float32(s.lq[q]) / float32(sum)
		}
		o.Unequal[i] = flag(s.Unequal(env.Player(q)))
		o.OnSabbatical[i] = flag(s.resting[q])
		o.Sabbaticals[i] = float32(min(s.sabbaticals[q], 16)) * (1.0 / 16)
		if w := s.promise[q]; w != NoWord {
			o.Promise[i][w-Calm] = 1
		}
		o.Kept[i] = float32(min(s.kept[q], 16)) * (1.0 / 16)
		o.Broken[i] = float32(min(s.broken[q], 16)) * (1.0 / 16)
		o.Total[i] = float32(min(totals[q], 128)) * (1.0 / 128)
		lower := 0
		for _, total := range totals[:g.players] {
			if total < totals[q] {
				lower++
			}
		}
		o.Ahead[i] = float32(lower) * others
		o.Leader[i] = flag(q == int(s.leader))
		o.Active[i] = flag(q == int(active))
		o.Acting[i] = flag(q == int(actor))
		o.Asked[i] = flag(s.asked[q])
		o.Partner[i] = flag(q == int(s.partner))
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
	o.Round = float32(min(s.round, 32)) * (1.0 / 32)
	o.EndChance = float32(s.EndChance())
	o.RoundsLeft = min(float32(s.RoundsLeft())/16, 1)
	o.Turn[s.turn] = 1
	if s.phase == Over {
		o.Over[s.ending-Collapse] = 1
	} else {
		o.Phase[s.phase] = 1
	}
	if s.partner >= 0 {
		o.Deal[s.kind] = 1
		o.Amount = float32(s.amount) / maxAmount
	}
	o.Done = [4]float32{flag(s.built), flag(s.placed), flag(s.cut), flag(s.said)}
	if s.promiseNew != NoWord {
		o.PromiseNew[s.promiseNew-Calm] = 1
	}
	o.options = g.rows.options
	if g.alignSeat {
		o.options.AlignSeat[1] = float32(s.orientation()) / 5
	}
}

// The RES that a building would leave: at most so much less than nothing, and so much.
const (
	mostShort = 4
	mostLeft  = 7
	numSpare  = mostShort + 1 + mostLeft
)

func spareWords() []string {
	words := counted(numSpare, func(n int) string { return strconv.Itoa(n - mostShort) })
	words[0] += " or less"
	words[numSpare-1] += "+"
	return words
}

// observeOutlook writes what is to be expected, and what buildings would bring p.
func (s *State) observeOutlook(o *observation, p env.Player, expected, next float32) {
	g := s.game
	falls := &g.rows.falls[s.tower]
	o.Allocations.Expected, o.Allocations.Next = min(expected*(1.0/8), 8), next
	form.Count(o.Allocations.Count[:], int(expected+0.5))
	pace := float32(s.tower+1) / (float32(s.RoundsDone()) + 1.5)
	o.Allocations.Falls = falls[min(int(pace*expected+0.5), maxStones)]
	until := s.UntilEvent()
	for level := Settlement; level <= Industry; level++ {
		b := &o.Builds[level-Settlement]
		b.Left[max(0, min(int(s.res[p]-g.cost[level])+mostShort, numSpare-1))] = 1
		b.Piece = flag(s.PiecesLeft(p, level) > 0)
		yield := g.production[level]
		if level > Settlement {
			yield -= g.production[Settlement]
		}
		b.Worth = max(-2, min((float32(yield)*expected-float32(g.cost[level]))*(1.0/16), 8))
		stones := int(g.buildingStones[level])
		b.Falls = falls[stones]
		b.Event = flag(until > 0 && until <= stones)
	}
}
