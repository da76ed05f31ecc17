package eval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/eval/rating"
)

// A Tournament plays agents against each other in all mixes that a table has room for, and keeps every game in a
// folder: tournament.json says what is played, and games.jsonl has a line for each game, in the order in which they
// ended. A tournament that ends in the middle, however it does, goes on where it was: nothing is played twice, and
// the result is the same to the last digit.
//
// A mix is a choice of agents for the seats in which at least two differ; the agents of one mix play a block, that is
// all rotations on one seed. The mixes come in an order drawn from the seed, all of them before any comes again, so
// that each agent meets each other one equally often.
type Tournament struct {
	header tournamentHeader
	series *series
	mixes  [][]int
	order  env.Stream
	cycle  []int // mixes in the order of the running pass
	sizes  []int // games before each block
	dir    string
	file   *os.File
	lock   *flock.Flock
}

// TournamentFormat names the form of a tournament's folder.
const TournamentFormat = "earthgym-tournament/1"

// TournamentFile is the file of a tournament's folder that says what is played.
const TournamentFile = "tournament.json"

const (
	gamesFile      = "games.jsonl"
	tournamentLock = "tournament.lock"
)

// mostMixes bounds the mixes of a tournament: with more agents than this allows, most of them would never come.
const mostMixes = 1_000_000

// tournamentHeader is what a tournament is.
type tournamentHeader struct {
	Format     string   `json:"format"`
	Game       string   `json:"game"`
	Rules      int      `json:"rules"`
	Data       string   `json:"data"`
	Agents     []string `json:"agents"`
	Seed       uint64   `json:"seed"`
	Substitute string   `json:"substitute"` // "" where forfeits make games void
}

// TournamentSettings are what a tournament's folder says of it.
type TournamentSettings struct {
	Game       string   // the full game text
	Agents     []string // at least two
	Seed       uint64
	Substitute string // takes over seats that are forfeited; "" for none
}

// ReadTournament reads what is played in a folder.
func ReadTournament(dir string) (TournamentSettings, error) {
	h, err := readTournamentHeader(dir)
	return TournamentSettings{Game: h.Game, Agents: h.Agents, Seed: h.Seed, Substitute: h.Substitute}, err
}

func readTournamentHeader(dir string) (h tournamentHeader, err error) {
	name := filepath.Join(dir, TournamentFile)
	data, err := env.ReadFile(name, 1<<20)
	if err != nil {
		return h, fmt.Errorf("%s is no folder of a tournament: %w", dir, err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return h, fmt.Errorf("%s: %w", name, err)
	}
	if h.Format != TournamentFormat {
		return h, fmt.Errorf("%s: format %q; this program reads %s", name, h.Format, TournamentFormat)
	}
	if len(h.Agents) < 2 {
		return h, fmt.Errorf("%s: %d agents; a tournament has at least 2", name, len(h.Agents))
	}
	return h, nil
}

// OpenTournament begins a tournament in a folder, which it makes, or goes on with the one that is there if it is the
// same: another game, version of the rules, field of agents or seed is refused. Close gives the folder back.
func OpenTournament(dir string, g env.Game, makers []*agents.Maker, seed uint64, substitute *agents.Maker) (_ *Tournament, err error) {
	info := g.Info()
	h := tournamentHeader{Format: TournamentFormat, Game: info.Text, Rules: info.Rules, Data: info.DataHash, Seed: seed}
	if substitute != nil {
		h.Substitute = substitute.Text
	}
	for i, m := range makers {
		if slices.Contains(h.Agents, m.Text) {
			return nil, fmt.Errorf("agent %d, %s, is there twice", i, m.Text)
		}
		h.Agents = append(h.Agents, m.Text)
	}
	switch {
	case info.Shared():
		return nil, fmt.Errorf("all seats of %s win and lose together: a tournament would tell nobody apart", info.Name)
	case len(makers) < 2:
		return nil, fmt.Errorf("%d agents; a tournament has at least 2", len(makers))
	}
	t := &Tournament{header: h, dir: dir, order: env.NewStream(seed, "tournament order")}
	if t.mixes, err = mixes(len(makers), info.Players); err != nil {
		return nil, err
	}
	t.series = &series{game: g, makers: makers, seeds: env.NewStream(seed, "tournament"), usage: NewUsageCounter(info, h.Agents)}
	t.series.options.Substitute = substitute
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	t.lock = flock.New(filepath.Join(dir, tournamentLock), flock.SetPermissions(0o644))
	if locked, err := t.lock.TryLock(); err != nil {
		return nil, fmt.Errorf("cannot lock %s against others: %w", dir, err)
	} else if !locked {
		return nil, fmt.Errorf("%s is in use by another process: wait for its end, or choose another folder", dir)
	}
	defer func() {
		if err != nil {
			_ = t.Close()
		}
	}()
	old, err := readTournamentHeader(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(filepath.Join(dir, gamesFile)); err == nil {
			return nil, fmt.Errorf("%s has games and no %s", dir, TournamentFile)
		}
		err = env.WriteFile(filepath.Join(dir, TournamentFile), func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(h)
		})
		if err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		if what := h.differs(old); what != "" {
			return nil, fmt.Errorf("%s is another tournament: %s", dir, what)
		}
	}
	if err := t.read(); err != nil {
		return nil, err
	}
	t.series.log = t.write
	return t, nil
}

// differs says in what a tournament is another than the one in its folder.
func (h *tournamentHeader) differs(old tournamentHeader) string {
	switch {
	case h.Game != old.Game:
		return fmt.Sprintf("its game is %s, not %s", old.Game, h.Game)
	case h.Rules != old.Rules || h.Data != old.Data:
		return fmt.Sprintf("it was played by rules %d and data %s; these are %d and %s", old.Rules, old.Data, h.Rules, h.Data)
	case !slices.Equal(h.Agents, old.Agents):
		return fmt.Sprintf("its agents are %v, not %v", old.Agents, h.Agents)
	case h.Seed != old.Seed:
		return fmt.Sprintf("its seed is %d, not %d", old.Seed, h.Seed)
	case h.Substitute != old.Substitute:
		return fmt.Sprintf("forfeited seats are taken over by %q, not by %q", old.Substitute, h.Substitute)
	}
	return ""
}

// mixes are all choices of n agents for the seats, in which order doesn't count, but those of one agent alone.
func mixes(n, seats int) ([][]int, error) {
	count := 1.0
	for k := range seats {
		count = count * float64(n+k) / float64(k+1)
	}
	if count > mostMixes {
		return nil, fmt.Errorf("%d agents have %.0f mixes for %d seats; there may be %d", n, count, seats, mostMixes)
	}
	var all [][]int
	mix := make([]int, seats)
	for {
		if mix[0] != mix[seats-1] {
			all = append(all, slices.Clone(mix))
		}
		k := seats - 1
		for k >= 0 && mix[k] == n-1 {
			k--
		}
		if k < 0 {
			return all, nil
		}
		mix[k]++
		for i := k + 1; i < seats; i++ {
			mix[i] = mix[k]
		}
	}
}

// extend adds the games of the next block.
func (t *Tournament) extend() {
	if len(t.cycle) == 0 {
		t.cycle = make([]int, len(t.mixes))
		for i := range t.cycle {
			t.cycle[i] = i
			j := t.order.Below(i + 1)
			t.cycle[i], t.cycle[j] = t.cycle[j], t.cycle[i]
		}
	}
	mix := t.mixes[t.cycle[0]]
	t.cycle = t.cycle[1:]
	// Where each of a mix's agents sits beside which others is drawn, too: rotations keep neighbours.
	seats := slices.Clone(mix)
	for i := range seats {
		j := t.order.Below(i + 1)
		seats[i], seats[j] = seats[j], seats[i]
	}
	seed := t.series.seeds.Uint64()
	t.sizes = append(t.sizes, len(t.series.outcomes))
	for _, seating := range rotations(seats) {
		t.series.outcomes = append(t.series.outcomes, Outcome{Block: len(t.sizes) - 1, Seed: seed, Seating: seating})
	}
}

// gameLine is a line of games.jsonl.
type gameLine struct {
	Game      int           `json:"game"` // from 0, in the order of the tournament
	Seats     []string      `json:"seats"`
	Seed      uint64        `json:"seed"`
	Returns   []float64     `json:"returns"`
	Scores    []float64     `json:"scores"`
	Measures  []float64     `json:"measures,omitempty"`
	Wins      []float64     `json:"wins"`
	Winners   []int         `json:"winners"`
	Lost      bool          `json:"lost,omitempty"` // this and the next two of an env.Commons
	Culprits  []int         `json:"culprits,omitempty"`
	Depleted  []float64     `json:"depleted,omitempty"`
	Reason    string        `json:"reason"`
	Decisions int           `json:"decisions"`
	Void      bool          `json:"void,omitempty"`
	Forfeits  []forfeitLine `json:"forfeits,omitempty"`
}

type forfeitLine struct {
	Seat  int    `json:"seat"`
	Fault string `json:"fault"`
}

// write adds a game to the folder, in one write, so that a process that is killed leaves whole lines and at most the
// beginning of one more.
func (t *Tournament) write(i int, o *Outcome) error {
	line := gameLine{
		Game: i, Seed: o.Seed, Returns: o.Returns, Scores: o.Scores, Measures: o.Measures, Wins: o.Wins,
		Winners: o.Winners.List(), Lost: o.Lost, Culprits: o.Culprits.List(), Depleted: o.Depleted, Reason: o.Reason, Decisions: o.Decisions, Void: o.Void,
	}
	for _, a := range o.Seating {
		line.Seats = append(line.Seats, t.header.Agents[a])
	}
	for _, f := range o.Forfeits {
		line.Forfeits = append(line.Forfeits, forfeitLine{int(f.Seat), f.Err.Error()})
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = t.file.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("game %d can't be kept; those before it are: %w", i, err)
	}
	return nil
}

// read takes the games that are in the folder, and cuts off a line that was not finished.
func (t *Tournament) read() error {
	name := filepath.Join(t.dir, gamesFile)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	t.file = f
	whole := int64(0)
	lines := bufio.NewReaderSize(f, 1<<20)
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := t.take(text); err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
		whole += int64(len(text))
	}
	return f.Truncate(whole)
}

// take fills in the outcome of a line.
func (t *Tournament) take(text []byte) error {
	var line gameLine
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&line); err != nil {
		return err
	}
	// Games end out of order, but not by more than there are workers.
	if line.Game < 0 || line.Game > len(t.series.outcomes)+1<<16 {
		return fmt.Errorf("game %d is not one of this tournament", line.Game)
	}
	for line.Game >= len(t.series.outcomes) {
		t.extend()
	}
	o := &t.series.outcomes[line.Game]
	info := t.series.game.Info()
	var seats []string
	for _, a := range o.Seating {
		seats = append(seats, t.header.Agents[a])
	}
	n := info.Players
	switch {
	case o.played:
		return fmt.Errorf("game %d is there twice", line.Game)
	case line.Seed != o.Seed || !slices.Equal(line.Seats, seats):
		return fmt.Errorf("game %d is of seed %d and seats %q; this tournament's is of seed %d and seats %q", line.Game, line.Seed, line.Seats, o.Seed, seats)
	case line.Depleted != nil && len(line.Depleted) != n:
		return fmt.Errorf("game %d: %d seats have used up what is shared, of %d", line.Game, len(line.Depleted), n)
	case len(line.Returns) != n || len(line.Scores) != n || len(line.Wins) != n || len(line.Measures) != len(info.Measures):
		return fmt.Errorf("game %d has results of another number of seats than %d, or other measures", line.Game, n)
	}
	for p := range line.Returns {
		if !(line.Returns[p] >= minReturn && line.Returns[p] <= maxReturn && line.Wins[p] >= minWin && line.Wins[p] <= maxWin) {
			return fmt.Errorf("game %d: seat %d has return %v and win share %v", line.Game, p, line.Returns[p], line.Wins[p])
		}
	}
	o.Result = env.Result{Returns: line.Returns, Scores: line.Scores, Measures: line.Measures, Reason: line.Reason, Decisions: line.Decisions}
	for _, p := range line.Winners {
		if p < 0 || p >= n {
			return fmt.Errorf("game %d: there is no seat %d to win", line.Game, p)
		}
		o.Winners = o.Winners.With(env.Player(p))
	}
	o.Lost, o.Depleted = line.Lost, line.Depleted
	for _, p := range line.Culprits {
		if p < 0 || p >= n {
			return fmt.Errorf("game %d: there is no seat %d to be a culprit", line.Game, p)
		}
		o.Culprits = o.Culprits.With(env.Player(p))
	}
	o.Wins, o.Void, o.played = line.Wins, line.Void, true
	for _, f := range line.Forfeits {
		if f.Seat < 0 || f.Seat >= n {
			return fmt.Errorf("game %d: there is no seat %d to forfeit", line.Game, f.Seat)
		}
		o.Forfeits = append(o.Forfeits, &agents.ForfeitError{Agent: seats[f.Seat], Seat: env.Player(f.Seat), Err: errors.New(f.Fault)})
	}
	return nil
}

// Close gives the folder back to others.
func (t *Tournament) Close() error {
	var err error
	if t.file != nil {
		err = errors.Join(t.file.Sync(), t.file.Close())
		t.file = nil
	}
	return errors.Join(err, t.lock.Close())
}

// Seed is that of all chance of the tournament.
func (t *Tournament) Seed() uint64 { return t.header.Seed }

// Passes is how many games it takes until every mix has come as often as every other one.
func (t *Tournament) Passes() int {
	games := 0
	for _, mix := range t.mixes {
		games += len(rotations(mix))
	}
	return games
}

// Play plays until there are games games, in whole blocks, or, if halfWidth is above 0, until the interval of every
// agent's mean return is at most that wide to either side. Games that are in the folder count.
func (t *Tournament) Play(ctx context.Context, games int, halfWidth float64, o Options) error {
	if games < 1 {
		return fmt.Errorf("a tournament has at least 1 game, not %d", games)
	}
	t.series.options.Workers, t.series.options.Progress = o.Workers, o.Progress
	all := t.upTo(games)
	for target := 0; target < games; {
		if halfWidth > 0 {
			target += max(t.Passes(), target/4)
		} else {
			target = games
		}
		// The groups are the same wherever an earlier process has stopped.
		n := t.upTo(min(target, games))
		t.series.total = all
		outcomes := t.series.outcomes
		t.series.outcomes = outcomes[:n]
		err := t.series.playAll(ctx, 0)
		enough := err == nil && halfWidth > 0 && t.widest() <= halfWidth
		t.series.outcomes = outcomes
		if err != nil || enough {
			return err
		}
	}
	return nil
}

// upTo adds blocks until there are n games, and returns how many there are by the end of the block of the last one.
func (t *Tournament) upTo(n int) int {
	for len(t.series.outcomes) < n {
		t.extend()
	}
	if k, _ := slices.BinarySearch(t.sizes, n); k < len(t.sizes) {
		return t.sizes[k]
	}
	return len(t.series.outcomes)
}

// widest is the half width of the widest interval of a return.
func (t *Tournament) widest() float64 {
	widest := 0.0
	for _, a := range summarise(t.series.game.Info(), t.header.Seed, t.header.Agents, t.whole()).Agents {
		widest = max(widest, (a.ReturnCI[1]-a.ReturnCI[0])/2)
	}
	return widest
}

// whole are the games of blocks of which all games have been played.
func (t *Tournament) whole() []Outcome {
	n := slices.IndexFunc(t.series.outcomes, func(o Outcome) bool { return !o.played })
	if n < 0 {
		return t.series.outcomes
	}
	return t.series.outcomes[:t.sizes[t.series.outcomes[n].Block]]
}

// A TournamentResult is what a tournament has shown. The standings are Agents; all lists are in their order.
type TournamentResult struct {
	*MatchResult
	Anchor  string      `json:"anchor"` // whose rating is 0
	Ratings []RatingRow `json:"ratings"`
	// Against is what each agent has made against each other one: half of its return minus the other's, in the games
	// that both sat in, in [-1, 1].
	Against [][]AgainstRow `json:"against"`
	// Misfits are pairs whose results against each other one number for each does not explain, the worst first.
	Misfits []Misfit `json:"misfits"`
}

// RatingRow is one agent's rating.
type RatingRow struct {
	Agent     string   `json:"agent"`
	Rating    float64  `json:"rating"`
	CI        Interval `json:"rating_ci"`
	Nash      float64  `json:"nash"`       // share in the maximum-entropy Nash average
	AlphaRank float64  `json:"alpha_rank"` // share in alpha-rank
}

// AgainstRow is what one agent has made against another.
type AgainstRow struct {
	Mean  float64  `json:"mean"`
	CI    Interval `json:"ci"`
	Games int      `json:"games"`
	Clear bool     `json:"clear"` // it is not 0, with an error of 5 % for all pairs together (Holm 1979)
}

// Misfit is a pair whose results a rating does not explain: the share of their meetings in which Agent ended above
// Other, ties half.
type Misfit struct {
	Agent     string  `json:"agent"`
	Other     string  `json:"other"`
	Share     float64 `json:"share"`
	Predicted float64 `json:"predicted"`
	Z         float64 `json:"z"` // the difference in standard errors
}

// Of alpha-rank: a population of 50, and a selection that drives out who is 0.1 of return behind.
const (
	alpha      = 10
	population = 50
)

// clearMisfit is from how many standard errors on a pair is told as a misfit.
const clearMisfit = 3

// Result is that of the whole blocks that have been played. The anchor is an agent's text, "" for the first one's.
func (t *Tournament) Result(anchor string) (*TournamentResult, error) {
	outcomes := t.whole()
	if len(outcomes) == 0 {
		return nil, errors.New("no game has been played yet")
	}
	a := 0
	if anchor != "" {
		if a = slices.Index(t.header.Agents, anchor); a < 0 {
			return nil, fmt.Errorf("the anchor %q is none of the agents %v", anchor, t.header.Agents)
		}
	}
	info := t.series.game.Info()
	n := len(t.header.Agents)
	r := &TournamentResult{MatchResult: summarise(info, t.header.Seed, t.header.Agents, outcomes), Anchor: t.header.Agents[a]}
	r.Substitute = ""
	for _, o := range outcomes {
		if o.Forfeits != nil {
			r.Substitute = t.header.Substitute
		}
	}
	fit, err := rating.PlackettLuce(ranked(outcomes), n, a, t.header.Seed)
	if err != nil {
		return nil, fmt.Errorf("after %d games: %w", len(outcomes), err)
	}
	payoff := make([][]float64, n)
	for i := range n {
		payoff[i] = make([]float64, n)
		r.Against = append(r.Against, make([]AgainstRow, n))
	}
	var tests []*AgainstRow
	var blocks [][]float64
	for i := range n {
		for j := range i {
			samples, games := against(outcomes, i, j)
			row := AgainstRow{Games: games}
			row.Mean, row.CI = Estimate(samples, minReturn, maxReturn)
			r.Against[i][j] = row
			payoff[i][j], payoff[j][i] = row.Mean, -row.Mean
			tests, blocks = append(tests, &r.Against[i][j]), append(blocks, samples)
		}
	}
	holm(tests, blocks)
	for i := range n {
		for j := range i {
			row := r.Against[i][j]
			row.Mean, row.CI = -row.Mean+0, Interval{-row.CI[1], -row.CI[0]}
			r.Against[j][i] = row
		}
	}
	nash, _, err := rating.NashAverage(payoff)
	if err != nil {
		return nil, err
	}
	ranks, err := rating.AlphaRank(payoff, alpha, population)
	if err != nil {
		return nil, err
	}
	for i, x := range fit.Ratings {
		r.Ratings = append(r.Ratings, RatingRow{t.header.Agents[i], x.Points, Interval{x.Low, x.High}, nash[i], ranks[i]})
	}
	for _, x := range fit.Residuals {
		if math.Abs(x.Z) >= clearMisfit {
			r.Misfits = append(r.Misfits, Misfit{t.header.Agents[x.Player], t.header.Agents[x.Other], x.Score, x.Predicted, x.Z})
		}
	}
	r.sort()
	return r, nil
}

// sort puts the agents in the order of their ratings.
func (r *TournamentResult) sort() {
	order := make([]int, len(r.Ratings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch a, b := r.Ratings[i].Rating, r.Ratings[j].Rating; {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	agents, ratings, rows := slices.Clone(r.Agents), slices.Clone(r.Ratings), slices.Clone(r.Against)
	place := make([]int, len(order))
	for to, from := range order {
		agents[to], ratings[to] = r.Agents[from], r.Ratings[from]
		rows[to] = make([]AgainstRow, len(order))
		for k, other := range order {
			rows[to][k] = r.Against[from][other]
		}
		place[from] = to
	}
	r.Agents, r.Ratings, r.Against = agents, ratings, rows
	if r.Commons != nil {
		commons := slices.Clone(r.Commons.Agents)
		for to, from := range order {
			commons[to] = r.Commons.Agents[from]
		}
		r.Commons.Agents = commons
	}
	for i := range r.Outcomes {
		seating := slices.Clone(r.Outcomes[i].Seating)
		for p := range seating {
			seating[p] = place[seating[p]]
		}
		r.Outcomes[i].Seating = seating
	}
	var names []string
	var byAgent []averages
	for i, row := range r.Agents {
		a, _ := average(r.Outcomes, func(o *Outcome, seat int) bool { return o.Seating[seat] == i })
		names, byAgent = append(names, row.Agent), append(byAgent, a)
	}
	r.Differences = differences(byAgent, names)
}

// ranked are games as rankings. Where returns say only who has won, those who have not are not ranked; void games
// are left out.
func ranked(outcomes []Outcome) []rating.Game {
	full := slices.ContainsFunc(outcomes, func(o Outcome) bool {
		distinct := slices.Compact(slices.Sorted(slices.Values(o.Returns)))
		return len(distinct) > 2 && o.Forfeits == nil
	})
	var games []rating.Game
	for _, o := range outcomes {
		if o.Void {
			continue
		}
		g := rating.Game{Players: o.Seating, Ranks: make([]int, len(o.Seating)), Block: o.Block}
		best := slices.Max(o.Returns)
		for p, x := range o.Returns {
			for _, y := range o.Returns {
				if y > x {
					g.Ranks[p]++
				}
			}
			if !full && x < best {
				g.Ranks[p] = -1
			}
		}
		games = append(games, g)
	}
	return games
}

// against gives block means of half of agent i's return minus agent j's, over the games that both sat in, NaN where
// there are none, and how many games these are.
func against(outcomes []Outcome, i, j int) ([]float64, int) {
	blocks := outcomes[len(outcomes)-1].Block + 1
	sums, counts := make([]float64, blocks), make([]float64, blocks)
	games := 0
	for k := range outcomes {
		o := &outcomes[k]
		var sum, n [2]float64
		for seat, a := range o.Seating {
			switch a {
			case i:
				sum[0] += o.Returns[seat]
				n[0]++
			case j:
				sum[1] += o.Returns[seat]
				n[1]++
			}
		}
		if n[0] == 0 || n[1] == 0 || o.Void {
			continue
		}
		games++
		sums[o.Block] += (sum[0]/n[0] - sum[1]/n[1]) / 2
		counts[o.Block]++
	}
	for b := range sums {
		sums[b] /= counts[b]
	}
	return sums, games
}
