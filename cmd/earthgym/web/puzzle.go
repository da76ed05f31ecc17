package web

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/referee"
)

// A Puzzle is a position with one move that a search is sure of: "find the move".
type Puzzle struct {
	Game    string `json:"game"`    // the text of the game
	Players int    `json:"players"` // seats that it has
	Rules   int    `json:"rules"`   // version
	Seed    uint64 `json:"seed"`
	Moves   string `json:"moves"` // that led to it (Moves)
	Seat    int    `json:"seat"`  // that decides
	Search  string `json:"search"`
	Right   int    `json:"right"` // choices that are right: as good as the best
	// Choices are all legal actions, the best first: what each returns less than the best of a game's return from -1 to
	// 1, and the standard error of that. The losses of those that are not right are beyond three standard errors.
	Choices []PuzzleChoice `json:"choices"`
}

// A PuzzleChoice is a legal action in the position of a Puzzle.
type PuzzleChoice struct {
	Action env.Action `json:"action"`
	Loss   float64    `json:"loss"`
	Error  float64    `json:"error"`
}

// Record is the game up to the position.
func (p *Puzzle) Record(g env.Game) (*record.Record, error) { return Played(g, p.Seed, p.Moves) }

// Moves are the decisions of a record as the numbers of their actions, in base 36, between dots.
func Moves(info *env.Info, rec *record.Record) string {
	var moves []string
	for _, m := range rec.Moves {
		if a, err := info.Parse(m.Action); err == nil {
			moves = append(moves, strconv.FormatInt(int64(a), 36))
		}
	}
	return strings.Join(moves, ".")
}

// Played is the record of a game so far, from its seed and Moves. An error says which of these can't be.
func Played(g env.Game, seed uint64, moves string) (*record.Record, error) {
	ref, err := referee.New(g, seed)
	if err != nil {
		return nil, err
	}
	for i, text := range strings.FieldsFunc(moves, func(r rune) bool { return r == '.' }) {
		a, err := strconv.ParseUint(text, 36, 16)
		if err == nil && ref.Actor() == env.Over {
			err = errors.New("the game is over")
		}
		if err == nil {
			err = ref.Play(env.Action(a))
		}
		if err != nil {
			return nil, fmt.Errorf("this link is wrong from decision %d on: %w", i, err)
		}
	}
	return ref.Record(nil), nil
}
