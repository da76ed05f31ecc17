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
	Turn       [maxPlayers]float32  `axes:"count" help:"turns finished in this round, one-hot"`
	Decision   [4]float32           `axes:"decision" help:"what is decided, one-hot: turn, amount, reply, pick"`
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
		"field":    counted(NumFields, func(f int) string { return strconv.Itoa(Field(f).number()) }),
		"level":    {"settlements", "cities", "industries"},
		"spare":    form.OpenNumerals(-mostShort, mostLeft),
		"cover":    {"blocked", "destroyed"},
		"promise":  wordTexts[Calm:Warn],
		"next":     {"next", "second", "third"},
		"event":    g.words.events,
		"decision": g.words.decisions[:Over],
		"ending":   endingTexts[Collapse:],
		"kind":     kindTexts[:],
		"done":     {"built", "placed", "cut", "said"},
		"players":  {"2", "3", "4"},
		"length":   {"least", "greatest"},
		"limit":    {"limited", "limit"},
		"align":    {"by seat", "orientation"},
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
			"owner", "level", "smog", "cover", "cover_left", "credit", "price", "smog_own", "smog_others", "near_own",
			"near_free", "near_smoke",
		}},
		{Name: seatObject, Count: maxPlayers, Features: []string{
			"plays", "res", "lq", "res_count", "lq_count", "res_then", "lq_then", "unequal_then", "income", "lq_due", "lq_share",
			"unequal", "on_sabbatical", "promise",
			"kept", "broken", "total", "ahead", "cities_left", "industries_left", "asked",
		}},
	}
}

// The RES that a building would leave: at most so much less than nothing, and so much.
const (
	mostShort = 4
	mostLeft  = 7
	numSpare  = mostShort + 1 + mostLeft
)
