package train

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"earthgym/agents"
	"earthgym/agents/neural"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/record"
)

// A library is the recorded games that a run learns from, read again and again in an order that is drawn each time.
type library struct {
	records []recordedGame
	libraryState
}

// libraryState is where a library has got to.
type libraryState struct {
	Luck  env.Stream `json:"luck"`
	Order []int      `json:"order"` // of the games in this reading
	Next  int        `json:"next"`  // in that order
	Skip  int        `json:"skip"`  // decisions of the next one that have been learnt from
}

type recordedGame struct {
	file    string
	record  *record.Record
	variant int
}

// openLibrary reads the records in the folders that the config names, each of which has to be of a game that is trained
// on, and over. It is nil if no folder is named.
func openLibrary(c *Config, games []env.Game) (*library, error) {
	if len(c.records()) == 0 {
		return nil, nil
	}
	l := &library{libraryState: libraryState{Luck: env.NewStream(uint64(c.Seed), "records")}}
	files, err := disk.Below("records", ".jsonl", c.records()...)
	if err != nil {
		return nil, fmt.Errorf("clone: records: %w", err)
	}
	for _, file := range files {
		if err := l.add(file, games); err != nil {
			return nil, fmt.Errorf("clone: %w", err)
		}
	}
	return l, nil
}

// restore goes on reading where it was saved.
func (l *library) restore(s *libraryState) error {
	if s == nil {
		return errors.New("it does not say how far recorded games have been read")
	}
	for _, i := range s.Order {
		if i < 0 || i >= len(l.records) {
			return fmt.Errorf("recorded game %d of %d: records have been taken away", i, len(l.records))
		}
	}
	if s.Next < 0 || s.Next > len(s.Order) || s.Skip < 0 {
		return fmt.Errorf("recorded game %d of %d, decision %d", s.Next, len(s.Order), s.Skip)
	}
	l.libraryState = *s
	return nil
}

// add reads a record and verifies it.
func (l *library) add(file string, games []env.Game) error {
	rec, err := record.ReadFile(file)
	if err != nil {
		return err
	}
	variant := slices.IndexFunc(games, func(g env.Game) bool { return g.Info().Text == rec.Header.Game })
	switch {
	case variant < 0 && !strings.HasPrefix(rec.Header.Game, games[0].Info().Name+":"):
		return fmt.Errorf("%s is a game of %s, and %s is trained on", file, rec.Header.Game, games[0].Info().Name)
	case variant < 0:
		return fmt.Errorf("%s is a game of %s, which is not trained on: name that variant too", file, rec.Header.Game)
	case rec.Footer == nil:
		return fmt.Errorf("%s is of a game that is not over", file)
	case slices.ContainsFunc(rec.Header.Agents, agents.IsBackground):
		return fmt.Errorf("%s is of a game with a background population, which nobody trains against", file)
	case len(rec.Moves) == 0:
		return fmt.Errorf("%s is of a game without decisions", file)
	}
	if err := rec.Check(games[variant].Info()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := rec.Replay(games[variant], nil); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	l.records = append(l.records, recordedGame{file, rec, variant})
	return nil
}

// collect fills the rollout with so many recorded decisions. What stands open there
// of games that are played beside is dropped.
func (l *library) collect(k *collector, policy *neural.Policy, wanted int) error {
	r := k.rollout
	r.forget()
	for r.n < wanted {
		if l.Next == len(l.Order) {
			l.shuffle()
		}
		if err := l.read(k, &l.records[l.Order[l.Next]], wanted); err != nil {
			return err
		}
	}
	n := len(k.info.Actions)
	k.tables[0].Parallel(func(worker int) {
		from, last := share(r.n, worker, len(k.workers))
		w := &k.workers[worker]
		for ; from < last; from += rowsTogether {
			to := min(last, from+rowsTogether)
			w.seen.Begin(r.inputs)
			for i := from; i < to; i++ {
				numbers := r.observations.numbers[i]
				w.seen.Room(len(numbers))
				w.seen.Put(i-from, r.observations.marksOf(i), numbers)
			}
			logits, values := policy.EvaluateSparse(&w.ws, &w.seen, 0, to-from, r.masks[from*r.words:to*r.words])
			for i := from; i < to; i++ {
				copy(r.of(r.values, i), values[(i-from)*r.seats:])
				r.teach(i, logits[(i-from)*n:(i-from+1)*n], env.Action(r.actions[i]))
			}
		}
	})
	return nil
}

// shuffle begins another reading.
func (l *library) shuffle() {
	l.Order, l.Next, l.Skip = l.Order[:0], 0, 0
	for i := range l.records {
		l.Order = append(l.Order, i)
	}
	for i := len(l.Order) - 1; i > 0; i-- {
		j := l.Luck.Below(i + 1)
		l.Order[i], l.Order[j] = l.Order[j], l.Order[i]
	}
}

// read takes the decisions of the next game from where the last update stopped, until there are so many in all.
func (l *library) read(k *collector, g *recordedGame, wanted int) error {
	r, info, result := k.rollout, k.games[g.variant].Info(), g.record.Footer
	taken, w := 0, &k.workers[0]
	err := g.record.Replay(k.games[g.variant], func(n int, s env.State) error {
		if n == len(g.record.Moves) || n < l.Skip || r.n == wanted {
			return nil
		}
		taken++
		action, err := info.Parse(g.record.Moves[n].Action)
		if err != nil {
			return err
		}
		i, actor := r.n, s.Actor()
		r.n++
		s.Observe(w.row, actor)
		w.seen.Begin(r.inputs)
		marks, numbers := w.seen.Add(k.kernels, w.row)
		r.observations.put(0, i, marks, numbers)
		r.mask(i).Clear()
		s.Legal(r.mask(i))
		r.actions[i], r.next[i] = int32(action), lastOne
		for k := range r.of(r.rewards, i) {
			r.rewards[i*r.seats+k] = 0
			if n := len(result.Returns); k < n {
				r.rewards[i*r.seats+k] = float32(result.Returns[(int(actor)+k)%n])
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("clone: %s: %w", g.file, err)
	}
	if l.Skip += taken; l.Skip == len(g.record.Moves) {
		l.Next, l.Skip = l.Next+1, 0
	}
	return nil
}
