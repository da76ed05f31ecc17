package eval

import (
	"fmt"
	"math"
	"slices"

	"earthgym/agents"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/farm"
	"earthgym/env/spelling"
)

// A sharedGame is what is kept of a game that is played for others (Options.Share).
type sharedGame struct {
	gameLine
	Luck  []float64 `json:"luck,omitempty"`
	Usage []byte    `json:"usage,omitempty"` // UsageCounter.counts
}

// share takes the games from the given one on that other machines have played, and leaves out those that they are to
// play: they are void. Where shards are put together, games that nobody has played are an error.
func (m *series) share(from int) error {
	s := m.options.Share
	if s == nil {
		return nil
	}
	info, lacks := m.game.Info(), false
	none, measures := make([]float64, info.Players), make([]float64, len(info.Measures)) // of all games that are not
	for i := from; i < len(m.outcomes); i++ {
		o := &m.outcomes[i]
		if o.played {
			continue
		}
		piece, turn, err := m.piece(i)
		if err != nil {
			return err
		}
		r, there := s.Find(piece, turn)
		switch {
		case there:
			if err := m.given(i, r); err != nil {
				return fmt.Errorf("what %s has of block %d: %w", s.Dir(), o.Block, err)
			}
		case s.Mine(piece):
		case s.Merging() && !s.Parked(piece):
			lacks = true
		default:
			m.others++
			o.Result = env.Result{Returns: none, Scores: none, Measures: measures}
			o.Wins, o.Luck, o.Void, o.played = none, none, true, true
		}
	}
	if lacks {
		return s.Missing()
	}
	return nil
}

// A readGame is a game that was played before, or elsewhere.
type readGame struct {
	Outcome
	thought []thought
	usage   []byte
	agents  int
	seats   []string
}

// Values implements farm.Values: what each agent gets, and how many decisions there are.
func (g *readGame) Values() []float64 {
	values := make([]float64, g.agents+1)
	for p, a := range g.Seating {
		values[a] += g.Returns[p]
	}
	values[g.agents] = float64(g.Decisions)
	return values
}

// read reads what was kept of a game, unless it was read before (fits).
func (m *series) read(i int, r farm.Result) (*readGame, error) {
	if g, ok := r.Read.(*readGame); ok {
		return g, nil
	}
	var line sharedGame
	if err := decode.JSON(r.Is, &line); err != nil {
		return nil, err
	}
	if err := decode.JSON(r.Took, &line.Thought); err != nil {
		return nil, err
	}
	line.Game = i
	o := &m.outcomes[i]
	g := &readGame{Outcome{Block: o.Block, Seed: o.Seed, Seating: o.Seating, Luck: line.Luck}, nil, line.Usage,
		len(m.makers), line.Seats}
	var err error
	if g.thought, err = m.fill(&g.Outcome, line.gameLine); err != nil {
		return nil, err
	}
	if m.options.Value != nil && len(g.Luck) != len(o.Seating) || len(g.thought) != len(o.Seating) ||
		!m.usage.eachCount(g.usage, func(_, _ int, _, _ uint64) {}) {
		return nil, fmt.Errorf("game %d: luck, thought or usage of other seats, or of other families of actions", i)
	}
	for _, x := range g.Luck {
		if math.Abs(x) > mostScore {
			return nil, fmt.Errorf("game %d: %v is no luck", i, x)
		}
	}
	return g, nil
}

// fits says what is wrong with the games of a block that somebody else says to have played, and keeps what was read of
// them.
func (m *series) fits(block int, games []farm.Result) error {
	first, _ := slices.BinarySearchFunc(m.outcomes, block, func(o Outcome, block int) int { return o.Block - block })
	of := m.outcomes[first:]
	if next := slices.IndexFunc(of, func(o Outcome) bool { return o.Block > block }); next >= 0 {
		of = of[:next]
	}
	if len(games) != len(of) {
		return fmt.Errorf("%d games of %d", len(games), len(of))
	}
	for k := range games {
		r := &games[k]
		g, err := m.read(first+k, *r)
		if err != nil {
			return err
		}
		if g.Reason != spelling.Printable(g.Reason) {
			return fmt.Errorf("game %d ends by %q", first+k, g.Reason)
		}
		if r.Left != "" && (m.left == nil || !of[k].kept || r.Left != m.left(first+k)) {
			return fmt.Errorf("game %d leaves no %q", first+k, r.Left)
		}
		r.Read = g
	}
	return nil
}

// given takes a game that was played before, or elsewhere.
func (m *series) given(i int, r farm.Result) error {
	g, err := m.read(i, r)
	if err != nil {
		return err
	}
	o := &m.outcomes[i]
	g.kept = o.kept
	*o = g.Outcome
	m.usage.addGame(o.Seating, g.usage)
	for seat, agent := range o.Seating {
		if m.options.Thinking != nil {
			m.options.Thinking.add(m.makers[agent].Text, g.thought[seat])
		}
	}
	if m.log != nil {
		return m.log(i, o, g.thought)
	}
	return nil
}

// keep keeps a game that has been played for others.
func (m *series) keep(i int, thought []thought) error {
	piece, turn, err := m.piece(i)
	if err != nil {
		return err
	}
	o := &m.outcomes[i]
	g := sharedGame{gameLine: m.line(i, thought), Luck: o.Luck, Usage: o.usage}
	o.usage = nil
	took, left := g.Thought, ""
	g.Thought = nil
	if o.kept && m.left != nil {
		left = m.left(i)
	}
	if err := m.options.Share.Keep(piece, turn, g, took, left); err != nil {
		return notKept(i, err)
	}
	return nil
}

// piece is the block of a game as a piece of work, and the how-manieth of its games this is.
func (m *series) piece(i int) (p farm.Piece, turn int, err error) {
	g, err := m.sharedGround()
	if err != nil || m.options.Share.Skips(g, m.outcomes[i].Block) {
		return p, 0, err
	}
	block, first := m.outcomes[i].Block, i
	for first > 0 && m.outcomes[first-1].Block == block {
		first--
	}
	if m.named != nil && m.named.block == block {
		return m.named.piece, i - first, nil
	}
	own := []string{fmt.Sprintf("seed: %d", m.outcomes[i].Seed)}
	for j := first; j < len(m.outcomes) && m.outcomes[j].Block == block; j++ { // Others write the rest of an outcome.
		own = append(own, fmt.Sprintf("seats: %v", m.outcomes[j].Seating))
	}
	p = m.options.Share.Piece(g, block, own...)
	p.Fits = m.judge
	m.named = &namedPiece{block, p}
	return p, i - first, nil
}

// A namedPiece is a block with its name as a piece of work, which takes a while to find.
type namedPiece struct {
	block int
	piece farm.Piece
}

// sharedGround is the ground of a series whose games are shared.
func (m *series) sharedGround() (_ farm.Ground, err error) {
	if m.ground == nil {
		m.ground, err = m.describe()
		m.judge = m.fits
	}
	return m.ground, err
}

// describe says all that the results of a series depend on but for the seeds and the seats of its blocks.
func (m *series) describe() (farm.Ground, error) {
	info := m.game.Info()
	g := farm.Ground{"kind: games", "game: " + info.Text, fmt.Sprintf("rules: %d", info.Rules), "data: " + info.DataHash,
		"actions: " + info.ActionHash(), "observations: " + info.ObservationHash()}
	of := func(a *agents.Maker) string {
		return fmt.Sprintf("%q, made as %q of network %q, luck %d", a.Text, a.Said(), a.Hash, a.Luck)
	}
	numeric := m.options.Value != nil && m.options.Value.Hash != "" // that results may depend on how a machine multiplies
	for i, a := range m.makers {
		g, numeric = append(g, fmt.Sprintf("agent %d: %s", i, of(a))), numeric || a.Hash != ""
	}
	forfeit := "void"
	if m.options.Substitute != nil {
		forfeit = of(m.options.Substitute)
	}
	g = append(g, "forfeit: "+forfeit)
	if v := m.options.Value; v != nil {
		g = append(g, fmt.Sprintf("luck by: %q of network %q", v.Text, v.Hash))
	}
	if numeric {
		k, err := gemm.Select()
		if err != nil {
			return nil, err
		}
		g = append(g, "kernels: "+k.Class())
	}
	return g, nil
}
