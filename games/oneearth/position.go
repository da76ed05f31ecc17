package oneearth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"earthgym/env"
)

// positionJSON is section 3.1 of RULES.md, in its order.
type positionJSON struct {
	Round       int                `json:"round"`
	First       int                `json:"first"`
	TurnsDone   int                `json:"turns_done"`
	Phase       string             `json:"phase"`
	Seat        int                `json:"seat"`
	Row         []string           `json:"row"`
	Deck        map[string]int     `json:"deck"`
	Gone        map[string]int     `json:"gone"`
	NPCTaken    map[string]int     `json:"npc_taken"`
	P           []int              `json:"p"`
	E           []int              `json:"e"`
	M           []int              `json:"m"`
	G           int                `json:"g"`
	Tab         []map[string][]int `json:"tab"`
	Tech        map[string]int     `json:"tech"`
	Policy      map[string]int     `json:"policy"`
	Saved       []map[string]int   `json:"saved"`
	Loose       []map[string]int   `json:"loose"`
	Leader      []string           `json:"leader"`
	AbilityUsed []bool             `json:"ability_used"`
	Tokens      []int              `json:"tokens"`
	Support     []int              `json:"support"`
	Resolution  map[string]string  `json:"resolution"`
	YesVoters   map[string][]int   `json:"yes_voters"`
	SharedTech  string             `json:"shared_tech"`
	MarsFunder  []bool             `json:"mars_funder"`
	AidRound    aidJSON            `json:"aid_round"`
	IncomeMod   int                `json:"income_mod"`
	Warning     map[string]string  `json:"warning"`
	Critical    map[string]string  `json:"critical"`
	Automa      map[string]string  `json:"automa"`
	Sanctioned  int                `json:"sanctioned"`
	Accused     int                `json:"accused"`
	Turn        turnJSON           `json:"turn"`
	Reach       []int              `json:"reach"`
	Trigger     int                `json:"trigger"`
	Final       bool               `json:"final"`
	Proposal    string             `json:"proposal"`
	Votes       []string           `json:"votes"`
	Bids        []int              `json:"bids"`
	Pledges     []int              `json:"pledges"`
	Using       string             `json:"using"`
	Fresh       bool               `json:"fresh"`
	Attach      string             `json:"attach"`
	Offered     []int              `json:"offered"`
	LooseQueue  []looseJSON        `json:"loose_queue"`
	Ask         askJSON            `json:"ask"`
	Event       string             `json:"event"`
	Said        []string           `json:"said"`
	Pending     [][]string         `json:"pending"`
	Kept        []int              `json:"kept"`
	Broken      []int              `json:"broken"`
	NPCP        int                `json:"npc_p"`
	NPCVP       int                `json:"npc_vp"`
	Over        string             `json:"over"`
	Culprits    []int              `json:"culprits"`

	// Written only:
	Target   *int     `json:"target,omitempty"`
	VP       []vpJSON `json:"vp,omitempty"`
	NPCScore *int     `json:"npc_score,omitempty"`
}

type aidJSON struct {
	Donors     []int `json:"donors"`
	Recipients []int `json:"recipients"`
}

type turnJSON struct {
	Funded    int   `json:"funded"`
	Tech      int   `json:"tech"`
	Policy    int   `json:"policy"`
	Refreshes int   `json:"refreshes"`
	Asked     []int `json:"asked"`
	EStart    int   `json:"e_start"`
}

type askJSON struct {
	Seat   int    `json:"seat"`
	Amount int    `json:"amount"`
	Say    string `json:"say"`
}

// looseJSON is written [seat, "Technology"].
type looseJSON struct {
	seat       int
	technology string
}

func (l looseJSON) MarshalJSON() ([]byte, error) { return json.Marshal([]any{l.seat, l.technology}) }

func (l *looseJSON) UnmarshalJSON(b []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil || len(parts) != 2 ||
		json.Unmarshal(parts[0], &l.seat) != nil || json.Unmarshal(parts[1], &l.technology) != nil {
		return fmt.Errorf("loose_queue: a decision is [seat, \"technology\"], not %s", b)
	}
	return nil
}

type vpJSON struct {
	Trigger    int `json:"trigger"`
	Prosperity int `json:"prosperity"`
	Emissions  int `json:"emissions"`
	Technology int `json:"technology"`
	Policy     int `json:"policy"`
	Diplomacy  int `json:"diplomacy"`
	Currency   int `json:"currency"`
	Livability int `json:"livability"`
	Leader     int `json:"leader"`
	Total      int `json:"total"`
}

const (
	deckWord    = "deck"
	discardWord = "discard"
)

// AppendPosition writes section 3.1 of RULES.md.
func (s *State) AppendPosition(dst []byte) []byte {
	g, c := s.game, s.game.Components
	j := positionJSON{
		Round: int(s.Round), First: int(s.First), TurnsDone: int(s.TurnsDone), Phase: s.Phase.String(), Seat: int(s.Seat),
		Deck: map[string]int{}, Gone: map[string]int{}, NPCTaken: map[string]int{}, G: int(s.Global),
		Tech: map[string]int{}, Policy: map[string]int{},
		Resolution: map[string]string{}, YesVoters: map[string][]int{}, SharedTech: s.SharedTech.String(),
		AidRound:  aidJSON{s.Donors.List(), s.Recipients.List()},
		IncomeMod: int(s.IncomeMod), Warning: map[string]string{}, Critical: map[string]string{}, Automa: map[string]string{},
		Sanctioned: int(s.Sanctioned), Accused: int(s.Accused),
		Turn: turnJSON{int(s.Turn.Funded), int(s.Turn.Technologies), int(s.Turn.Policies), int(s.Turn.Refreshes),
			s.Turn.Asked.List(), int(s.Turn.EmissionsAtStart)},
		Reach: []int{}, Trigger: int(s.Trigger), Final: s.Final, Proposal: s.Proposal.String(),
		Votes: []string{}, Bids: []int{}, Pledges: []int{}, Using: s.Using.String(), Fresh: s.Fresh, Attach: s.Attach.String(),
		Offered: []int{}, LooseQueue: []looseJSON{},
		Ask:   askJSON{int(s.Ask.Seat), int(s.Ask.Amount), s.Ask.Say.String()},
		Event: s.Event.String(), NPCP: int(s.NPCProsperity), NPCVP: int(s.NPCPoints),
		Over: s.Ending.String(), Culprits: s.Culprits.List(), Target: &g.Target,
	}
	for _, x := range s.Row {
		j.Row = append(j.Row, x.String())
	}
	for x, id := range projectIDs {
		if g.listed.Has(Project(x)) {
			j.Deck[id], j.Gone[id], j.NPCTaken[id] = int(s.Deck[x]), int(s.Gone[x]), int(s.NPCTaken[x])
		}
	}
	for t, card := range c.Technologies {
		if card.InBox {
			j.Tech[technologyIDs[t]] = int(s.Technologies[t])
		}
	}
	for i, card := range c.Policies {
		if card.InBox {
			j.Policy[policyIDs[i]] = int(s.Policies[i])
		}
	}
	for r, card := range c.Resolutions {
		if card.InBox {
			j.Resolution[resolutionIDs[r]] = s.Resolutions[r].String()
			j.YesVoters[resolutionIDs[r]] = s.YesVoters[r].List()
		}
	}
	writePiles(j.Warning, warningIDs[:], uint16(s.WarningsDrawn), func(i int) bool { return c.Warnings[i].InBox })
	writePiles(j.Critical, criticalIDs[:], uint16(s.CriticalsDrawn), func(i int) bool { return c.Criticals[i].InBox })
	writePiles(j.Automa, automaIDs[:], s.AutomaDrawn, func(i int) bool { return c.Automa[i].InBox })
	for p := range g.Players {
		s.writeCountry(&j, p)
	}
	for _, p := range s.Reach[:s.NumReach] {
		j.Reach = append(j.Reach, int(p))
	}
	for _, a := range s.Votes[:s.NumVotes] {
		j.Votes = append(j.Votes, g.info.Actions[a].Text)
	}
	for _, bid := range s.Bids[:s.NumBids] {
		j.Bids = append(j.Bids, int(bid))
	}
	for _, pledge := range s.Pledges[:s.NumPledges] {
		j.Pledges = append(j.Pledges, int(pledge))
	}
	for _, p := range s.Offered[:s.NumOffered] {
		j.Offered = append(j.Offered, int(p))
	}
	for _, u := range s.LooseQueue {
		if u != 0 {
			j.LooseQueue = append(j.LooseQueue, looseJSON{u.Seat(), u.Technology().String()})
		}
	}
	if g.Players == 1 {
		score := s.NPCScore()
		j.NPCScore = &score
	}
	b, err := json.Marshal(j)
	if err != nil {
		panic(fmt.Sprintf("one-earth: a position that JSON cannot hold: %v", err))
	}
	return append(dst, b...)
}

// writeCountry writes the lists by seat.
func (s *State) writeCountry(j *positionJSON, p int) {
	c := &s.Countries[p]
	j.P, j.E, j.M = append(j.P, int(c.Prosperity)), append(j.E, int(c.Emissions)), append(j.M, int(c.Money))
	tab := map[string][]int{}
	for x, id := range projectIDs {
		if s.game.listed.Has(Project(x)) {
			tab[id] = []int{int(c.Plain[x]), int(c.Upgraded[x])}
		}
	}
	saved, loose := map[string]int{}, map[string]int{}
	for t, card := range s.game.Components.Technologies {
		if card.InBox {
			saved[technologyIDs[t]], loose[technologyIDs[t]] = int(c.Saved[t]), int(c.Loose[t])
		}
	}
	j.Tab, j.Saved, j.Loose = append(j.Tab, tab), append(j.Saved, saved), append(j.Loose, loose)
	j.Leader, j.AbilityUsed = append(j.Leader, c.Leader.String()), append(j.AbilityUsed, c.AbilityUsed)
	j.Tokens, j.Support = append(j.Tokens, int(c.Tokens)), append(j.Support, int(c.Support))
	j.MarsFunder = append(j.MarsFunder, s.MarsFunders.Has(env.Player(p)))
	j.Said = append(j.Said, c.Said.String())
	pending := []string{}
	if c.PendingPolicy {
		pending = append(pending, PromisePolicy.String())
	}
	if c.PendingClean {
		pending = append(pending, PromiseClean.String())
	}
	j.Pending = append(j.Pending, pending)
	j.Kept, j.Broken = append(j.Kept, int(c.PromisesKept)), append(j.Broken, int(c.PromisesBroken))
	if s.game.Advanced {
		v := s.VP(p)
		j.VP = append(j.VP, vpJSON{v.Trigger, v.Prosperity, v.Emissions, v.Technology, v.Policy, v.Diplomacy,
			v.Currency, v.Livability, v.Leader, v.Total()})
	}
}

func writePiles(dst map[string]string, ids []string, drawn uint16, inBox func(int) bool) {
	for i, id := range ids {
		if inBox(i) {
			dst[id] = deckWord
			if drawn>>i&1 != 0 {
				dst[id] = discardWord
			}
		}
	}
}

// positionFields are the fields that a position must have, and those that are only written.
var (
	positionFields = []string{
		"round", "first", "turns_done", "phase", "seat", "row", "deck", "gone", "npc_taken", "p", "e", "m", "g",
		"tab", "tech", "policy", "saved", "loose", "leader", "ability_used", "tokens", "support", "resolution",
		"yes_voters", "shared_tech", "mars_funder", "aid_round", "income_mod", "warning", "critical", "automa",
		"sanctioned", "accused", "turn", "reach", "trigger", "final", "proposal", "votes", "bids", "pledges", "using",
		"fresh", "attach", "offered", "loose_queue", "ask", "event", "said", "pending", "kept", "broken", "npc_p",
		"npc_vp", "over", "culprits",
	}
	writtenOnly = []string{"target", "vp", "npc_score"}
)

// ReadPosition reads section 3.1 of RULES.md, and checks what it says there. The first thing wrong is
// the error.
func (s *State) ReadPosition(data []byte) error {
	j, err := decodePosition(data)
	if err != nil {
		return fmt.Errorf("position: %w", err)
	}
	read := State{game: s.game, luck: s.luck}
	r := positionReader{j: j, g: s.game, p: &read.Position}
	r.read()
	if r.err == nil {
		r.err = read.checkConserved()
	}
	if r.err == nil {
		r.err = read.checkPhase()
	}
	if r.err != nil {
		return fmt.Errorf("position: %w", r.err)
	}
	*s = read
	return nil
}

// decodePosition decodes the JSON: every field there, none unknown.
func decodePosition(data []byte) (*positionJSON, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	for _, name := range positionFields {
		if _, ok := fields[name]; !ok {
			return nil, fmt.Errorf("field %s is missing", name)
		}
	}
	for _, name := range writtenOnly {
		delete(fields, name)
	}
	rest, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	j := &positionJSON{}
	dec := json.NewDecoder(bytes.NewReader(rest))
	dec.DisallowUnknownFields()
	if err := dec.Decode(j); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("%s cannot be a %s", wrong.Field, wrong.Value)
		}
		return nil, err
	}
	return j, nil
}

// maxMarker bounds the numbers without a maximum in a position that is read.
const maxMarker = 999

// positionReader turns the decoded fields into a Position, and keeps the first error.
type positionReader struct {
	j   *positionJSON
	g   *Game
	p   *Position
	err error
}

func (r *positionReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// number checks a number, and is its lowest value after an error.
func (r *positionReader) number(field string, n, low, high int) int {
	if n < low || n > high {
		r.fail("%s: %d is not in %d to %d", field, n, low, high)
		return low
	}
	return n
}

// id is the place of an id, -1 for "" where that is allowed.
func (r *positionReader) id(field, id string, ids []string, orNone bool) int {
	if id == "" && orNone {
		return -1
	}
	i := find(ids, id)
	if i < 0 {
		r.fail("%s: unknown id %q: %s", field, id, env.Suggest(id, ids))
		return 0
	}
	return i
}

// seats is an ascending list of seats as a set.
func (r *positionReader) seats(field string, list []int) env.Seats {
	set := env.Nobody
	for i, p := range list {
		if p < 0 || p >= r.g.Players || i > 0 && p <= list[i-1] {
			r.fail("%s: %v is not an ascending list of seats", field, list)
			return set
		}
		set = set.With(env.Player(p))
	}
	return set
}

// order is a list of different seats in an order of its own.
func (r *positionReader) order(field string, list []int, dst []int8) int8 {
	if len(list) > len(dst) {
		r.fail("%s: %d seats, at most %d", field, len(list), len(dst))
		return 0
	}
	for i, p := range list {
		if p < 0 || p >= r.g.Players || slices.Contains(list[:i], p) {
			r.fail("%s: %v is not a list of different seats", field, list)
			return 0
		}
		dst[i] = int8(p)
	}
	return int8(len(list))
}

// bySeat checks the length of a list by seat.
func (r *positionReader) bySeat(field string, n int) {
	if n != r.g.Players {
		r.fail("%s: %d entries for %d seats", field, n, r.g.Players)
	}
}

// counts reads an object id -> number; all ids must be there unless it is sparse.
func (r *positionReader) counts(field string, from map[string]int, ids []string, there func(int) bool, sparse bool, low, high int, put func(i, n int)) {
	readByID(r, field, from, ids, there, sparse, func(i, n int) { put(i, r.number(field+"."+ids[i], n, low, high)) })
}

// words reads an object id -> one of some words.
func (r *positionReader) words(field string, from map[string]string, ids []string, there func(int) bool, words []string, put func(i, word int)) {
	readByID(r, field, from, ids, there, false, func(i int, word string) {
		put(i, r.id(field+"."+ids[i], word, words, false))
	})
}

// readByID goes through an object by ids in the order of the ids.
func readByID[V any](r *positionReader, field string, from map[string]V, ids []string, there func(int) bool, sparse bool, put func(int, V)) {
	for _, key := range sortedKeys(from) {
		if i := find(ids, key); i < 0 || !there(i) {
			r.fail("%s: unknown id %q: %s", field, key, env.Suggest(key, ids))
			return
		}
	}
	for i, id := range ids {
		v, ok := from[id]
		if ok {
			put(i, v)
		} else if there(i) && !sparse {
			r.fail("%s: %s is missing", field, id)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// read fills the position.
func (r *positionReader) read() {
	j, g, p := r.j, r.g, r.p
	*p = g.cleared()
	for _, list := range []struct {
		field string
		n     int
	}{
		{"p", len(j.P)}, {"e", len(j.E)}, {"m", len(j.M)}, {"tab", len(j.Tab)}, {"saved", len(j.Saved)},
		{"loose", len(j.Loose)}, {"leader", len(j.Leader)}, {"ability_used", len(j.AbilityUsed)},
		{"tokens", len(j.Tokens)}, {"support", len(j.Support)}, {"mars_funder", len(j.MarsFunder)},
		{"said", len(j.Said)}, {"pending", len(j.Pending)}, {"kept", len(j.Kept)}, {"broken", len(j.Broken)},
	} {
		r.bySeat(list.field, list.n)
	}
	if r.err != nil {
		return
	}
	last := g.Players - 1
	p.Round = int8(r.number("round", j.Round, 1, g.MaxRounds))
	p.First = int8(r.number("first", j.First, 0, last))
	p.TurnsDone = int8(r.number("turns_done", j.TurnsDone, 0, g.Players))
	p.Phase = Phase(r.id("phase", j.Phase, phaseIDs[:], false))
	p.Seat = int8(r.number("seat", j.Seat, -1, last))
	p.Global = int16(r.number("g", j.G, 0, maxMarker))
	r.readProjects()
	r.readCards()
	for seat := range g.Players {
		r.readCountry(seat)
	}
	p.Donors, p.Recipients = r.seats("aid_round.donors", j.AidRound.Donors), r.seats("aid_round.recipients", j.AidRound.Recipients)
	p.IncomeMod = int8(r.number("income_mod", j.IncomeMod, -9, 9))
	p.Sanctioned = int8(r.number("sanctioned", j.Sanctioned, -1, last))
	p.Accused = int8(r.number("accused", j.Accused, -1, last))
	p.NumReach = r.order("reach", j.Reach, p.Reach[:])
	p.Trigger = int8(r.number("trigger", j.Trigger, -1, last))
	p.Final = j.Final
	p.NPCProsperity = int16(r.number("npc_p", j.NPCP, 0, maxMarker))
	p.NPCPoints = int16(r.number("npc_vp", j.NPCVP, 0, maxMarker))
	ending := find(endingIDs[:], j.Over)
	if ending < 0 {
		r.fail("over: unknown id %q: %s", j.Over, env.Suggest(j.Over, endingIDs[1:]))
		return
	}
	p.Ending = Ending(ending)
	p.Culprits = r.seats("culprits", j.Culprits)
	if p.Ending == NotOver {
		r.readRunning()
		return
	}
	for seat := range g.Players {
		p.Countries[seat].PendingPolicy, p.Countries[seat].PendingClean = false, false
	}
}

func (r *positionReader) readProjects() {
	j, p := r.j, r.p
	if len(j.Row) != RowSize {
		r.fail("row: %d slots, there are %d", len(j.Row), RowSize)
		return
	}
	for slot, id := range j.Row {
		p.Row[slot] = Project(r.id(fmt.Sprintf("row.%d", slot), id, projectIDs[:], true))
	}
	listed := func(i int) bool { return r.g.listed.Has(Project(i)) }
	most := 0
	for _, card := range r.g.Components.Projects {
		most = max(most, card.Copies)
	}
	r.counts("deck", j.Deck, projectIDs[:], listed, false, 0, most, func(i, n int) {
		p.Deck[i] = int8(n)
		p.DeckSize += int8(n)
	})
	r.counts("gone", j.Gone, projectIDs[:], listed, false, 0, most, func(i, n int) { p.Gone[i] = int8(n) })
	r.counts("npc_taken", j.NPCTaken, projectIDs[:], listed, false, 0, most, func(i, n int) { p.NPCTaken[i] = int8(n) })
}

func (r *positionReader) readCards() {
	j, p, c := r.j, r.p, r.g.Components
	last := r.g.Players - 1
	r.counts("tech", j.Tech, technologyIDs[:], func(i int) bool { return c.Technologies[i].InBox }, false, withNPC, last,
		func(i, n int) { p.Technologies[i] = int8(n) })
	r.counts("policy", j.Policy, policyIDs[:], func(i int) bool { return c.Policies[i].InBox }, false, withNPC, last,
		func(i, n int) { p.Policies[i] = int8(n) })
	resolution := func(i int) bool { return c.Resolutions[i].InBox }
	r.words("resolution", j.Resolution, resolutionIDs[:], resolution, standingIDs[:], func(i, word int) { p.Resolutions[i] = Standing(word) })
	readByID(r, "yes_voters", j.YesVoters, resolutionIDs[:], resolution, false, func(i int, list []int) {
		p.YesVoters[i] = r.seats("yes_voters."+resolutionIDs[i], list)
	})
	p.SharedTech = Technology(r.id("shared_tech", j.SharedTech, technologyIDs[:], true))
	piles := []string{deckWord, discardWord}
	r.words("warning", j.Warning, warningIDs[:], func(i int) bool { return c.Warnings[i].InBox }, piles, func(i, word int) { p.WarningsDrawn |= uint8(word) << i })
	r.words("critical", j.Critical, criticalIDs[:], func(i int) bool { return c.Criticals[i].InBox }, piles, func(i, word int) { p.CriticalsDrawn |= uint8(word) << i })
	r.words("automa", j.Automa, automaIDs[:], func(i int) bool { return c.Automa[i].InBox }, piles, func(i, word int) { p.AutomaDrawn |= uint16(word) << i })
}

func (r *positionReader) readCountry(seat int) {
	j, c := r.j, &r.p.Countries[seat]
	at := func(field string) string { return fmt.Sprintf("%s.%d", field, seat) }
	c.Prosperity = int16(r.number(at("p"), j.P[seat], 0, maxMarker))
	c.Emissions = int16(r.number(at("e"), j.E[seat], 0, maxMarker))
	c.Money = int16(r.number(at("m"), j.M[seat], 0, maxMarker))
	listed := func(i int) bool { return r.g.listed.Has(Project(i)) }
	readByID(r, at("tab"), j.Tab[seat], projectIDs[:], listed, true, func(x int, copies []int) {
		if len(copies) != 2 || copies[0] < 0 || copies[1] < 0 || copies[0]+copies[1] > r.g.Components.Projects[x].Copies {
			r.fail("%s.%s: %v is not [plain, upgraded] of %d copies", at("tab"), projectIDs[x], copies, r.g.Components.Projects[x].Copies)
			return
		}
		c.Plain[x], c.Upgraded[x] = int8(copies[0]), int8(copies[1])
		if copies[0] > 0 {
			c.PlainSet |= 1 << x
		}
		if copies[1] > 0 {
			c.UpgradedSet |= 1 << x
		}
	})
	technology := func(i int) bool { return r.g.Components.Technologies[i].InBox }
	r.counts(at("saved"), j.Saved[seat], technologyIDs[:], technology, true, 0, maxLoose, func(i, n int) { c.Saved[i] = int8(n) })
	r.counts(at("loose"), j.Loose[seat], technologyIDs[:], technology, true, 0, maxLoose, func(i, n int) { c.Loose[i] = int8(n) })
	c.Leader = Leader(r.id(at("leader"), j.Leader[seat], leaderIDs[:], true))
	c.AbilityUsed = j.AbilityUsed[seat]
	c.Tokens = int8(r.number(at("tokens"), j.Tokens[seat], 0, 9))
	c.Support = int8(r.number(at("support"), j.Support[seat], 0, 9))
	if j.MarsFunder[seat] {
		r.p.MarsFunders = r.p.MarsFunders.With(env.Player(seat))
	}
	c.Said = Word(r.id(at("said"), j.Said[seat], wordIDs[:], true))
	for i, word := range j.Pending[seat] {
		switch {
		case word == PromisePolicy.String() && i == 0:
			c.PendingPolicy = true
		case word == PromiseClean.String() && i == len(j.Pending[seat])-1 && !c.PendingClean:
			c.PendingClean = true
		default:
			r.fail("%s: open promises are policy and clean, in this order, not %v", at("pending"), j.Pending[seat])
		}
	}
	c.PromisesKept = uint8(r.number(at("kept"), j.Kept[seat], 0, 200))
	c.PromisesBroken = uint8(r.number(at("broken"), j.Broken[seat], 0, 200))
}

// readRunning reads what describes a running turn, ballot or effect.
func (r *positionReader) readRunning() {
	j, g, p, k := r.j, r.g, r.p, &r.g.Components.Constants
	p.Turn = Turn{
		Funded:           int8(r.number("turn.funded", j.Turn.Funded, 0, k.ProjectsPerTurn)),
		Technologies:     int8(r.number("turn.tech", j.Turn.Tech, 0, k.TechnologiesPerTurn)),
		Policies:         int8(r.number("turn.policy", j.Turn.Policy, 0, k.PoliciesPerTurn)),
		Refreshes:        int8(r.number("turn.refreshes", j.Turn.Refreshes, 0, k.MaxRefreshes)),
		Asked:            r.seats("turn.asked", j.Turn.Asked),
		EmissionsAtStart: int16(r.number("turn.e_start", j.Turn.EStart, 0, maxMarker)),
	}
	p.Proposal = Resolution(r.id("proposal", j.Proposal, resolutionIDs[:], true))
	r.bySeatAtMost("votes", len(j.Votes))
	r.bySeatAtMost("bids", len(j.Bids))
	r.bySeatAtMost("pledges", len(j.Pledges))
	if r.err != nil {
		return
	}
	for i, text := range j.Votes {
		a, err := g.info.Parse(text)
		if err != nil {
			r.fail("votes.%d: %w", i, err)
			return
		}
		if a != Yes && a != No && a != Pass && (a < Accuse || a >= Accuse+env.Action(g.Players)) {
			r.fail("votes.%d: %q answers no ballot", i, text)
			return
		}
		p.Votes[i] = uint8(a)
	}
	p.NumVotes = int8(len(j.Votes))
	for i, bid := range j.Bids {
		p.Bids[i] = int8(r.number(fmt.Sprintf("bids.%d", i), bid, -k.MaxAmount, k.MaxAmount))
	}
	p.NumBids = int8(len(j.Bids))
	for i, pledge := range j.Pledges {
		p.Pledges[i] = int8(r.number(fmt.Sprintf("pledges.%d", i), pledge, 0, k.MaxPledge))
	}
	p.NumPledges = int8(len(j.Pledges))
	p.Using = Technology(r.id("using", j.Using, technologyIDs[:], true))
	p.Fresh = j.Fresh
	p.Attach = Project(r.id("attach", j.Attach, projectIDs[:], true))
	p.NumOffered = r.order("offered", j.Offered, p.Offered[:])
	if len(j.LooseQueue) > maxLoose {
		r.fail("loose_queue: %d decisions, at most %d", len(j.LooseQueue), maxLoose)
		return
	}
	for i, l := range j.LooseQueue {
		seat := r.number(fmt.Sprintf("loose_queue.%d", i), l.seat, 0, g.Players-1)
		p.LooseQueue[i] = looseUse(seat, Technology(r.id(fmt.Sprintf("loose_queue.%d", i), l.technology, technologyIDs[:], false)))
	}
	p.Ask = Request{
		int8(r.number("ask.seat", j.Ask.Seat, -1, g.Players-1)),
		int8(r.number("ask.amount", j.Ask.Amount, 0, k.MaxAmount)),
		Word(r.id("ask.say", j.Ask.Say, wordIDs[:], true)),
	}
	p.Event = Critical(r.id("event", j.Event, criticalIDs[:], true))
}

func (r *positionReader) bySeatAtMost(field string, n int) {
	if n > r.g.Players {
		r.fail("%s: %d answers of %d seats", field, n, r.g.Players)
	}
}
