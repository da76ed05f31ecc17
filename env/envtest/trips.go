package envtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/referee"
)

// checkPosition tests that a position that is written and read again is the same for everybody, and
// that reading leaves the luck.
func checkPosition(s *subject) error {
	return s.look(func(st env.State, _ *play, n int) error {
		text := st.AppendPosition(nil)
		fresh, used := s.game.New(), s.game.New()
		used.Reset(uint64(n)+77, nil)
		luck := slices.Clone(used.Luck())
		views := s.views(st)
		for _, read := range []env.State{fresh, used} {
			if err := read.ReadPosition(text); err != nil {
				return fmt.Errorf("its own position is refused: %w\n\t%s", err, text)
			}
			if err := s.samePosition(st, read, views); err != nil {
				return fmt.Errorf("%w\n\tafter reading %s", err, text)
			}
		}
		if !slices.Equal(luck, used.Luck()) {
			return errors.New("ReadPosition has changed the luck")
		}
		// A patch that changes nothing leaves all as it is.
		if p, ok := used.(env.PositionPatcher); ok {
			for _, patch := range [][]byte{[]byte("{}"), text} {
				if err := p.PatchPosition(patch); err != nil {
					return fmt.Errorf("a patch without a change is refused: %w\n\t%s", err, patch)
				}
				if !used.EqualPosition(st) || !slices.Equal(luck, used.Luck()) {
					return fmt.Errorf("a patch without a change has changed the State: %s\n\tby %s", used.AppendPosition(nil), patch)
				}
			}
		}
		// Half a position is an error that changes nothing.
		before := snapshot(used)
		if err := used.ReadPosition(text[:len(text)-1]); err == nil {
			return errors.New("half a position is read without an error")
		}
		if snapshot(used) != before {
			return errors.New("a position that was refused has changed the State")
		}
		return nil
	})
}

// samePosition says where two States, the views of the first given, differ in anything but luck.
func (s *subject) samePosition(a, b env.State, views []*view) error {
	switch {
	case !a.EqualPosition(b) || !b.EqualPosition(a):
		return fmt.Errorf("EqualPosition says no; written again: %s", b.AppendPosition(nil))
	case !bytes.Equal(a.AppendPosition(nil), b.AppendPosition(nil)):
		return fmt.Errorf("the position is written differently: %s", b.AppendPosition(nil))
	case a.Winners() != b.Winners() || a.Reason() != b.Reason():
		return fmt.Errorf("winners %v by %q, not %v by %q", b.Winners(), b.Reason(), a.Winners(), a.Reason())
	case a.Actor() != b.Actor():
		return fmt.Errorf("player %d acts, not %d", b.Actor(), a.Actor())
	case !slices.Equal(env.LegalActions(a), env.LegalActions(b)):
		return fmt.Errorf("legal are %q, not %q", env.LegalTexts(b), env.LegalTexts(a))
	}
	x, y := env.ResultOf(a, 0), env.ResultOf(b, 0)
	if !slices.Equal(x.Returns, y.Returns) || !slices.Equal(x.Scores, y.Scores) {
		return fmt.Errorf("returns %v and scores %v, not %v and %v", y.Returns, y.Scores, x.Returns, x.Scores)
	}
	for p, v := range s.views(b) {
		if err := s.sameView(views[p], v); err != nil {
			return fmt.Errorf("player %d sees something else: %w", p, err)
		}
	}
	return nil
}

// checkSnapshot tests that a snapshot is the whole State: restored, it goes on as the old one does.
func checkSnapshot(s *subject) error {
	return s.look(func(st env.State, p *play, n int) error {
		restored := s.game.New()
		if err := env.Restore(restored, []byte(snapshot(st))); err != nil {
			return err
		}
		if !restored.Equal(st) || !st.Equal(restored) {
			return errors.New("a restored snapshot does not equal the State")
		}
		for _, a := range p.actions[n:min(len(p.actions), n+60)] {
			if !slices.Contains(env.LegalActions(restored), a) {
				return fmt.Errorf("after a snapshot play goes on differently: %q is not legal", s.info.Actions[a].Text)
			}
			st.Apply(a, nil)
			restored.Apply(a, nil)
		}
		if !restored.Equal(st) {
			return errors.New("after a snapshot play goes on differently")
		}
		return nil
	})
}

// checkRecord tests that the record of a game verifies, also after it has been written and read, that no line of it can
// be changed, that the game is the same when chance is listed instead of drawn from the seed, and that a game which
// begins from a position has such a record.
func checkRecord(s *subject) error {
	for _, p := range s.plays {
		rec, err := s.record(p)
		if err != nil {
			return s.at(p, len(p.actions), err)
		}
		if err := s.verifies(rec); err != nil {
			return s.at(p, len(p.actions), err)
		}
	}
	p := s.plays[0]
	rec, err := s.record(p)
	if err == nil {
		err = s.transcribe(rec)
	}
	if err == nil {
		err = s.recordFrom(p)
	}
	if err != nil {
		return s.at(p, len(p.actions), err)
	}
	return nil
}

// recordFrom begins a game from a position in the middle of one, and demands a record that verifies and can't be
// changed.
func (s *subject) recordFrom(p *play) error {
	middle, err := referee.New(s.game, p.seed)
	for _, a := range p.actions[:len(p.actions)/2] {
		if err == nil {
			err = middle.Play(a)
		}
	}
	if err != nil {
		return err
	}
	var position bytes.Buffer
	if err := json.Compact(&position, middle.State().AppendPosition(nil)); err != nil {
		return err
	}
	begin := record.Record{Header: middle.Record(agents(s.info)).Header}
	begin.Header.Seed, begin.Header.Chance, begin.Header.Position = p.seed+1, nil, position.Bytes()
	ref, err := referee.Resume(&begin, s.game)
	if err != nil {
		return fmt.Errorf("no game can begin from %s: %w", &position, err)
	}
	for n := 0; n < 40 && ref.Actor() != env.Over; n++ {
		if err := ref.Play(ref.Mask().Nth(n % ref.Mask().Count())); err != nil {
			return err
		}
	}
	rec, err := s.reread(ref)
	if err != nil {
		return err
	}
	if err := s.verifies(rec); err != nil {
		return fmt.Errorf("a game that begins from %s: %w", &position, err)
	}
	return nil
}

// verifies tests that a record verifies, and does so no more after any change.
func (s *subject) verifies(rec *record.Record) error {
	if err := rec.Replay(s.game, nil); err != nil {
		return fmt.Errorf("its record does not verify: %w", err)
	}
	for _, t := range tamper(rec) {
		if err := t.record.Replay(s.game, nil); err == nil {
			return fmt.Errorf("a record still verifies after a change: %s", t.what)
		}
	}
	return nil
}

// transcribe tells a game without its seed, and imports it.
func (s *subject) transcribe(rec *record.Record) error {
	var text bytes.Buffer
	lines := []any{map[string]any{"game": rec.Header.Game, "agents": rec.Header.Agents, "chance": rec.Header.Chance}}
	for _, m := range rec.Moves {
		lines = append(lines, map[string]any{"player": m.Player, "action": m.Action, "chance": m.Chance})
	}
	if rec.Footer != nil {
		lines = append(lines, rec.Footer)
	}
	for _, line := range lines {
		if err := json.NewEncoder(&text).Encode(line); err != nil {
			return err
		}
	}
	t, err := record.ReadTranscript("transcript", &text)
	if err != nil {
		return err
	}
	listed, err := t.Record(s.game)
	if err != nil {
		return fmt.Errorf("told with its chance listed, the game can't be imported: %w", err)
	}
	same := func(a, b record.Move) bool {
		return a.Player == b.Player && a.Action == b.Action && slices.Equal(a.Chance, b.Chance) &&
			slices.Equal(a.Notes, b.Notes)
	}
	if !slices.EqualFunc(listed.Moves, rec.Moves, same) {
		return errors.New("told with its chance listed, the game is another one")
	}
	return nil
}

// record plays p at a referee's table, and writes and reads the record.
func (s *subject) record(p *play) (*record.Record, error) {
	ref, err := referee.New(s.game, p.seed)
	if err != nil {
		return nil, err
	}
	for _, a := range p.actions {
		if err := ref.Play(a); err != nil {
			return nil, err
		}
	}
	return s.reread(ref)
}

// reread is the record of a game, written and read, which must not change it.
func (s *subject) reread(ref *referee.Referee) (*record.Record, error) {
	var written, again bytes.Buffer
	if err := ref.Record(agents(s.info)).Write(&written); err != nil {
		return nil, err
	}
	rec, err := record.Read("record", bytes.NewReader(written.Bytes()))
	if err != nil {
		return nil, err
	}
	if err := rec.Write(&again); err != nil {
		return nil, err
	}
	if !bytes.Equal(written.Bytes(), again.Bytes()) {
		return nil, fmt.Errorf("a record changes when it is read and written again:\n%s\n%s", &written, &again)
	}
	return rec, nil
}

func agents(info *env.Info) []string {
	return slices.Repeat([]string{"random"}, info.Players)
}

type tampered struct {
	what   string
	record *record.Record
}

// tamper changes one thing at a time.
func tamper(rec *record.Record) []tampered {
	var list []tampered
	change := func(what string, f func(r *record.Record)) {
		r := *rec
		r.Header.Chance = slices.Clone(rec.Header.Chance)
		r.Moves = slices.Clone(rec.Moves)
		if rec.Footer != nil {
			footer := *rec.Footer
			footer.Returns, footer.Scores = slices.Clone(footer.Returns), slices.Clone(footer.Scores)
			r.Footer = &footer
		}
		f(&r)
		list = append(list, tampered{what, &r})
	}
	change("game", func(r *record.Record) { r.Header.Game += "?" })
	change("number of agents", func(r *record.Record) {
		r.Header.Agents = append(slices.Clone(r.Header.Agents), "one more")
	})
	change("rules version", func(r *record.Record) { r.Header.Rules++ })
	change("data hash", func(r *record.Record) { r.Header.Data += "0" })
	if len(rec.Header.Chance) > 0 {
		change("chance of the set-up", func(r *record.Record) { r.Header.Chance[0] += "?" })
	}
	if n := len(rec.Moves); n > 0 {
		change("player of a decision", func(r *record.Record) { r.Moves[n/2].Player++ })
		change("action", func(r *record.Record) { r.Moves[n/2].Action += "?" })
		change("chance of a decision", func(r *record.Record) {
			r.Moves[n/2].Chance = append(slices.Clone(r.Moves[n/2].Chance), "die = 7")
		})
		change("note of a decision", func(r *record.Record) {
			r.Moves[n/2].Notes = append(slices.Clone(r.Moves[n/2].Notes), "the card")
		})
	}
	if n := len(rec.Moves); rec.Footer != nil {
		change("last decision left out", func(r *record.Record) { r.Moves = r.Moves[:n-1] })
		change("a decision too many", func(r *record.Record) { r.Moves = append(r.Moves, r.Moves[n-1]) })
		change("footer left out", func(r *record.Record) { r.Footer = nil })
		change("return", func(r *record.Record) { r.Footer.Returns[0] += 0.5 })
		change("score", func(r *record.Record) { r.Footer.Scores[0]++ })
		change("winners", func(r *record.Record) { r.Footer.Winners = append([]int{7}, r.Footer.Winners...) })
		change("reason", func(r *record.Record) { r.Footer.Reason += "?" })
		change("number of decisions", func(r *record.Record) { r.Footer.Decisions++ })
	}
	return list
}
