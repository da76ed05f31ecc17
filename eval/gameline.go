package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"earthgym/agents"
	"earthgym/env"
)

// mostScore bounds numbers of a game that is read, far beyond what there is: sums of them stay numbers.
const mostScore = 1e15

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
	// by seat: decisions, microseconds in all and of the longest, for what they are worth
	Thought [][3]int64 `json:"thought,omitempty"`
}

type forfeitLine struct {
	Seat  int          `json:"seat"`
	Kind  agents.Fault `json:"kind"`
	Fault string       `json:"fault"`
}

// line is what a file says of a game that has been played.
func (m *series) line(i int, thought []thought) gameLine {
	o := &m.outcomes[i]
	line := gameLine{
		Game: i, Seed: o.Seed, Returns: o.Returns, Scores: o.Scores, Measures: o.Measures, Wins: o.Wins,
		Winners: o.Winners.List(), Lost: o.Lost, Culprits: o.Culprits.List(), Depleted: o.Depleted, Reason: o.Reason,
		Decisions: o.Decisions, Void: o.Void,
	}
	for p, a := range o.Seating {
		line.Seats = append(line.Seats, m.makers[a].Text)
		line.Thought = append(line.Thought, [3]int64{int64(thought[p].decisions), thought[p].total.Microseconds(),
			thought[p].longest.Microseconds()})
	}
	for _, f := range o.Forfeits {
		line.Forfeits = append(line.Forfeits, forfeitLine{int(f.Seat), f.Kind, f.Err.Error()})
	}
	return line
}

// fill fills in the outcome of a line, which has its seed and seats, and gives how long the seats have thought.
func (m *series) fill(o *Outcome, line gameLine) ([]thought, error) {
	info := m.game.Info()
	var seats []string
	for _, a := range o.Seating {
		seats = append(seats, m.makers[a].Text)
	}
	n := info.Players
	switch {
	case o.played:
		return nil, fmt.Errorf("game %d is there twice", line.Game)
	case line.Seed != o.Seed || !slices.Equal(line.Seats, seats):
		return nil, fmt.Errorf("game %d is of seed %d and seats %q; this tournament's is of seed %d and seats %q",
			line.Game, line.Seed, line.Seats, o.Seed, seats)
	case line.Depleted != nil && len(line.Depleted) != n:
		return nil, fmt.Errorf("game %d: %d seats have used up what is shared, of %d", line.Game, len(line.Depleted), n)
	case len(line.Returns) != n || len(line.Scores) != n || len(line.Wins) != n ||
		len(line.Measures) != len(info.Measures):
		return nil, fmt.Errorf("game %d has results of another number of seats than %d, or other measures", line.Game, n)
	}
	for p := range line.Returns {
		if !(line.Returns[p] >= minReturn && line.Returns[p] <= maxReturn && line.Wins[p] >= minWin &&
			line.Wins[p] <= maxWin) {
			return nil, fmt.Errorf("game %d: seat %d has return %v and win share %v", line.Game, p, line.Returns[p],
				line.Wins[p])
		}
	}
	for _, list := range [][]float64{line.Scores, line.Measures, line.Depleted} {
		for _, x := range list {
			if math.Abs(x) > mostScore {
				return nil, fmt.Errorf("game %d: %v is no score or measure", line.Game, x)
			}
		}
	}
	if line.Decisions < 0 || line.Decisions > mostScore {
		return nil, fmt.Errorf("game %d has %d decisions", line.Game, line.Decisions)
	}
	o.Result = env.Result{Returns: line.Returns, Scores: line.Scores, Measures: line.Measures, Reason: line.Reason,
		Decisions: line.Decisions}
	for _, p := range line.Winners {
		if p < 0 || p >= n {
			return nil, fmt.Errorf("game %d: there is no seat %d to win", line.Game, p)
		}
		o.Winners = o.Winners.With(env.Player(p))
	}
	o.Lost, o.Depleted = line.Lost, line.Depleted
	for _, p := range line.Culprits {
		if p < 0 || p >= n {
			return nil, fmt.Errorf("game %d: there is no seat %d to be a culprit", line.Game, p)
		}
		o.Culprits = o.Culprits.With(env.Player(p))
	}
	o.Wins, o.Void, o.played = line.Wins, line.Void, true
	for _, f := range line.Forfeits {
		if f.Seat < 0 || f.Seat >= n {
			return nil, fmt.Errorf("game %d: there is no seat %d to forfeit", line.Game, f.Seat)
		}
		o.Forfeits = append(o.Forfeits, &agents.ForfeitError{Agent: seats[f.Seat], Seat: env.Player(f.Seat), Kind: f.Kind,
			Err: errors.New(f.Fault)})
	}
	var took []thought
	for _, x := range line.Thought {
		if slices.Min(x[:]) < 0 || slices.Max(x[:]) > mostScore {
			return nil, fmt.Errorf("game %d: a seat has thought %v", line.Game, x)
		}
		took = append(took, thought{int(x[0]), time.Duration(x[1]) * time.Microsecond,
			time.Duration(x[2]) * time.Microsecond})
	}
	return took, nil
}
