package eval

import (
	"encoding/json"
	"fmt"
	"math"

	"earthgym/agents"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/farm"
)

// A sharedGame is what is kept of a game that is played for others (Options.Share).
type sharedGame struct {
	gameLine
	Luck  []float64     `json:"luck,omitempty"`
	Usage [][][3]uint64 `json:"usage"` // UsageCounter.counts
}

// share takes the games from the given one on that other machines have played, and leaves out those that they are to
// play: they are void. Where shards are put together, games that nobody has played are an error.
func (m *series) share(from int) error {
	s := m.options.Share
	if s == nil {
		return nil
	}
	lacks := false
	for i := from; i < len(m.outcomes); i++ {
		o := &m.outcomes[i]
		if o.played {
			continue
		}
		piece, turn, err := m.piece(i)
		if err != nil {
			return err
		}
		is, took, there := s.Find(piece, turn)
		switch {
		case there:
			if err := m.given(i, is, took); err != nil {
				return fmt.Errorf("what %s has of block %d: %w", s.Dir(), o.Block, err)
			}
		case s.Mine(piece):
		case s.Merging() && !s.Parked(piece):
			lacks = true
		default:
			m.others++
			n := len(o.Seating)
			o.Result = env.Result{Returns: make([]float64, n), Scores: make([]float64, n),
				Measures: make([]float64, len(m.game.Info().Measures))}
			o.Wins, o.Luck, o.Void, o.played = make([]float64, n), make([]float64, n), true, true
		}
	}
	if lacks {
		return s.Missing()
	}
	return nil
}

// given takes a game that was played before, or elsewhere.
func (m *series) given(i int, is, took json.RawMessage) error {
	var g sharedGame
	if err := decode.JSON(is, &g); err != nil {
		return err
	}
	if err := decode.JSON(took, &g.Thought); err != nil {
		return err
	}
	g.Game = i
	thought, err := m.fill(g.gameLine)
	if err != nil {
		return err
	}
	o := &m.outcomes[i]
	if m.options.Value != nil && len(g.Luck) != len(o.Seating) || len(thought) != len(o.Seating) ||
		!m.usage.addGame(o.Seating, g.Usage) {
		return fmt.Errorf("game %d: luck, thought or usage of other seats, or of other families of actions", i)
	}
	for _, x := range g.Luck {
		if math.Abs(x) > mostScore {
			return fmt.Errorf("game %d: %v is no luck", i, x)
		}
	}
	o.Luck = g.Luck
	for seat, agent := range o.Seating {
		if m.options.Thinking != nil {
			m.options.Thinking.add(m.makers[agent].Text, thought[seat])
		}
	}
	if m.log != nil {
		return m.log(i, o, thought)
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
	if m.ground == nil {
		if m.ground, err = m.describe(); err != nil {
			return p, 0, err
		}
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
	m.named = &namedPiece{block, m.options.Share.Piece(m.ground, block, own...)}
	return m.named.piece, i - first, nil
}

// A namedPiece is a block with its name as a piece of work, which takes a while to find.
type namedPiece struct {
	block int
	piece farm.Piece
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
