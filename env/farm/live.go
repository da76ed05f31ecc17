package farm

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"earthgym/env/disk"
)

// Live begins the folder of a command whose pieces others do (Job), or goes on with it. It is that of the only shard of
// one, and may be put together with others.
func Live(dir, program string, command []string) (*Share, error) {
	s, err := Begin(dir, program, command, Shard{1, 1})
	if err == nil {
		s.shard = Shard{}
	}
	return s, err
}

// Ask has the next run of the command ask for pieces, and Show the one after that show what there is.
func (s *Share) Ask()  { s.asks = true; s.forget() }
func (s *Share) Show() { s.asks = false; s.forget() }

func (s *Share) forget() {
	s.asked, s.decides, s.lacks = nil, false, map[int]map[string]bool{}
}

// park gives a piece up.
func (s *Share) park(name, why string) {
	if s.parked == nil {
		s.parked = map[string]string{}
	}
	s.parked[name] = why
}

// drop takes lines out of the folder.
func (s *Share) drop(of func(l line) bool) (err error) {
	if err := s.log.Close(); err != nil {
		return err
	}
	name := filepath.Join(s.dir, folderName, piecesFile)
	err = disk.SelectLog(name, s.header.chain(), func(l line) bool { return l.Is == nil || !of(l) })
	if err != nil {
		return err
	}
	for at, l := range s.parts {
		if of(l) {
			delete(s.parts, at)
		}
	}
	s.log, err = disk.OpenLog(name, s.header.chain(), func(line) error { return nil })
	return err
}

// partsOf are the results of a piece.
func (s *Share) partsOf(name string) (all []line) {
	for n := 0; ; n++ {
		l, there := s.parts[part{name, n}]
		if !there {
			return all
		}
		all = append(all, l)
	}
}

// A bundled is what a share knows of the bundle that it does.
type bundled struct {
	*Bundle
	ground      string
	blocks      map[int]bool
	pieces      map[string]bool
	done        map[string]bool
	carried     time.Time
	begun, last time.Time         // of its pieces
	told        func(said string) // of each part that has ended, and what the command says
}

// Carry begins to do a bundle for an empty folder: the command, run with the share, does the pieces of the bundle, and
// tells each part that has ended by "", and what else it says (Said).
func Carry(dir, program string, b *Bundle, told func(said string)) *Share {
	s := newShare(dir)
	s.shard = Shard{1, 1}
	s.header = Header{Format: Format, Program: program, Command: b.Command, Of: 1, Shards: []int{1}}
	s.only = &bundled{Bundle: b, ground: strings.Join(b.Ground, "\n"), blocks: map[int]bool{}, pieces: map[string]bool{},
		done: map[string]bool{}, carried: time.Now(), told: told}
	for _, block := range b.Blocks {
		s.only.blocks[block] = true
	}
	for _, name := range b.Pieces {
		s.only.pieces[name] = true
	}
	for _, l := range b.Before {
		s.parts[part{l.Piece, l.Part}] = l
	}
	return s
}

// ErrCarried is that of a command that has done all of its bundle, and need not go on.
var ErrCarried = errors.New("the bundle is done")

// Carries says whether a bundle is done. It may be asked of nil.
func (s *Share) Carries() bool { return s != nil && s.only != nil }

// Blocks are how many of a series a bundle goes through, up to its last one; 0 if it has none of them.
func (s *Share) Blocks(g Ground) int {
	s.ground(g) // It was asked for (skew).
	if strings.Join(g, "\n") != s.only.ground {
		return 0
	}
	return slices.Max(s.only.Blocks) + 1
}

// Reach is how many of so many blocks of a series are gone through: for a bundle those up to its last one, and, where
// it has none of this series, enough for what follows it and is shorter.
func (s *Share) Reach(g Ground, blocks int) int {
	if s.only == nil {
		return blocks
	}
	return min(blocks, cmp.Or(s.Blocks(g), 200+40*slices.Max(s.only.Blocks)))
}

// Skips says whether a block of a series is none of a bundle, so that its piece need not be named: names of a million
// games take a while.
func (s *Share) Skips(g Ground, block int) bool {
	return s.only != nil && !(s.only.blocks[block] && s.series[s.only.ground] == s.ground(g))
}

// Carried says whether all pieces of the bundle that there may be have been asked for. It may be asked of nil.
func (s *Share) Carried() bool {
	return s != nil && s.only != nil && len(s.only.done) == len(s.only.pieces)
}

func (b *bundled) has(p Piece) bool {
	if len(p.Name) < digits || !b.pieces[p.Name[:digits]] {
		return false
	}
	b.done[p.Name[:digits]] = true
	if b.begun.IsZero() {
		b.begun = time.Now()
	}
	return true
}

func (b *bundled) ended() {
	b.last = time.Now()
	b.told("")
}

// Said tells whoever waits for a bundle what the command says.
func (s *Share) Said(line string) { s.only.told(line) }

// Answer is what came of the bundle. If the command has asked for other pieces than those of the bundle, what it works
// with is not what the bundle was made from.
func (s *Share) Answer() *Answer {
	a := &Answer{Seconds: s.only.last.Sub(s.only.begun).Seconds(), Setup: s.only.begun.Sub(s.only.carried).Seconds()}
	if !s.Carried() {
		a.Skew = s.skew()
		return a
	}
	for _, l := range s.sorted() {
		if len(l.Piece) >= digits && s.only.pieces[l.Piece[:digits]] {
			a.Parts = append(a.Parts, l)
		}
	}
	return a
}

// skew says what is other here than where the bundle was made.
func (s *Share) skew() string {
	alike := func(g Ground) (n int) {
		for i := range min(len(g), len(s.only.Ground)) {
			if g[i] == s.only.Ground[i] {
				n++
			}
		}
		return n
	}
	if len(s.grounds) == 0 {
		return "the command asks for nothing there"
	}
	nearest := slices.MaxFunc(s.grounds, func(a, b Ground) int { return alike(a) - alike(b) })
	if theirs, mine := nearest.differs(s.only.Ground); mine != "" {
		return fmt.Sprintf("it has %s, and not %s", theirs, mine)
	}
	return "it draws other seeds or seats"
}

// Left are the files and folders that parts have left.
func (a *Answer) left() (all []string) {
	for _, l := range a.Parts {
		if l.Left != "" {
			all = append(all, l.Left)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// accept takes what came of pieces, by their names, all parts of each that fit, into the folder.
func (s *Share) accept(pieces []Piece, by string, results map[string][]line) error {
	var all []line
	for _, p := range pieces {
		for _, l := range results[p.Name] {
			if _, there := s.parts[part{p.Name, l.Part}]; !there {
				l.Series, l.Block, l.By, l.Ground = p.series, p.block, by, nil
				all = append(all, l)
			}
		}
	}
	return s.keep(all...)
}
