package envtest

import (
	"encoding/json"
	"fmt"
	"slices"

	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/referee"
)

// Twins are two games that differ in a secret alone: what one seat has chosen, or what lies where a viewer can't see
// it. At each of the moments all that the rules let the viewers know of them is the same. Whoever shows games must
// tell them the same too, to the byte and by the same number of messages.
type Twins struct {
	Secret  string            // what it is about
	Viewers []env.Player      // who can't tell the games apart
	Start   [2]*record.Record // how they begin
	Moves   [2][]TwinMove     // how they go on
	Moments [][2]int          // after so many Moves of each
}

// A TwinMove is a decision of one of the Twins.
type TwinMove struct {
	Player env.Player
	Action env.Action
}

// Play plays one of the games up to a moment, with the Start's decisions.
func (t *Twins) Play(g env.Game, i, moment int) (*referee.Referee, error) {
	w, err := newTwin(g, t.Start[i], nil)
	if err != nil {
		return nil, err
	}
	for _, m := range t.Moves[i][:t.Moments[moment][i]] {
		if err := w.play(m.Action); err != nil {
			return nil, err
		}
	}
	return w.ref, nil
}

// FindTwins plays a game at random, and gives Twins that come up in it: at most so many of each kind of secret. It
// looks no further than what a kind needs.
func FindTwins(g env.Game, seed uint64, most int) ([]*Twins, error) {
	f := &twinFinder{game: g, rng: env.NewStream(seed, "twins"), most: most, kinds: map[string]int{}}
	ref, err := referee.New(g, seed)
	if err != nil {
		return nil, err
	}
	const spaced = 40 // decisions from one redeal to the next
	before := g.New()
	for n := 0; ref.Actor() != env.Over; n++ {
		if err := f.choices(ref); err != nil {
			return nil, err
		}
		a := ref.Mask().Nth(f.rng.Below(ref.Mask().Count()))
		before.CopyFrom(ref.State())
		p := ref.Actor()
		if err := ref.Play(a); err != nil {
			return nil, err
		}
		for v := range env.Player(g.Info().Players) {
			asked := env.ActorSeenBy(ref.State(), v) == env.Unasked
			if v != p && (n%spaced == spaced/2 || asked) {
				if err := f.deals(before, TwinMove{p, a}, v, seed, asked); err != nil {
					return nil, err
				}
			}
		}
	}
	return f.found, nil
}

type twinFinder struct {
	game  env.Game
	rng   env.Stream
	most  int
	kinds map[string]int
	found []*Twins
}

// keep keeps Twins that have come to something, unless there are enough of their kind.
func (f *twinFinder) keep(t *Twins, kind string) {
	if len(t.Moments) == 0 {
		return
	}
	if !f.enough(kind) {
		f.kinds[kind]++
		t.Secret = kind
		f.found = append(f.found, t)
	}
}

// choices finds Twins that differ in what is chosen now.
func (f *twinFinder) choices(ref *referee.Referee) error {
	s, p := ref.State(), ref.Actor()
	t := &Twins{Viewers: []env.Player{env.Spectator}}
	for v := range env.Player(f.game.Info().Players) {
		if v != p {
			t.Viewers = append(t.Viewers, v)
		}
	}
	list := env.LegalActions(s)
	tries := min(6, len(list)*(len(list)-1))
	for range tries {
		a, b := list[f.rng.Below(len(list))], list[f.rng.Below(len(list))]
		if a == b || slices.ContainsFunc(t.Viewers, func(v env.Player) bool {
			x, seenX := env.Witnessed(s, v, a)
			y, seenY := env.Witnessed(s, v, b)
			return x != y || seenX != seenY
		}) {
			continue
		}
		info := f.game.Info()
		kind := fmt.Sprintf("%s or %s, the actor seen as %d", info.Actions[a].Family, info.Actions[b].Family,
			min(0, env.ActorSeenBy(s, env.Spectator)))
		if f.enough(kind) {
			continue
		}
		var pair [2]*twin
		for i, first := range []env.Action{a, b} {
			rec := ref.Record(nil)
			rec.Moves = slices.Clone(rec.Moves)
			t.Start[i] = rec
			var err error
			if pair[i], err = newTwin(f.game, rec, t.Viewers); err == nil {
				err = pair[i].play(first)
			}
			if err != nil {
				return err
			}
		}
		if err := f.follow(t, pair, p); err != nil {
			return err
		}
		found := *t
		f.keep(&found, kind)
	}
	return nil
}

// deals finds Twins that differ in what viewer v can't know of where a decision is made, and goes on with that; asked
// says that in one of them alone somebody is asked next of whom v may not know it.
func (f *twinFinder) deals(s env.State, next TwinMove, v env.Player, seed uint64, asked bool) error {
	tries, kind := 6, "what a seat can't know"
	if asked {
		tries, kind = 500, "whether somebody is asked"
	}
	if f.enough(kind) || asked && env.ActorSeenBy(s, v) == env.Unasked {
		return nil
	}
	first, err := f.begun(s, next, v, seed)
	if err != nil {
		return err
	}
	redealt, after := f.game.New(), f.game.New()
	var tape env.Tape
	for try := 0; try < tries && !f.enough(kind); try++ {
		redealt.CopyFrom(s)
		redealt.Redeal(v, seed+uint64(try))
		if !slices.Contains(env.LegalActions(redealt), next.Action) || redealt.Actor() != next.Player {
			continue
		}
		after.CopyFrom(first.start)
		if err := after.ReadPosition(redealt.AppendPosition(nil)); err != nil {
			return err
		}
		tape.Rewind()
		after.Apply(next.Action, &tape)
		if asked == (first.waits() == (env.ActorSeenBy(after, v) == env.Unasked)) || after.EqualPosition(first.ref.State()) {
			continue
		}
		other, err := f.begun(redealt, next, v, seed)
		if err != nil {
			return err
		}
		if !first.sameSeen(other) {
			continue
		}
		t := &Twins{Viewers: []env.Player{v}, Start: [2]*record.Record{first.record, other.record}}
		again, err := f.begun(s, next, v, seed)
		if err == nil {
			err = f.follow(t, [2]*twin{again, other}, env.Hidden)
		}
		if err != nil {
			return err
		}
		f.keep(t, kind)
	}
	return nil
}

// begun is a game that begins with a position, and a decision there.
func (f *twinFinder) begun(s env.State, next TwinMove, v env.Player, seed uint64) (*twin, error) {
	var position map[string]any
	if err := json.Unmarshal(s.AppendPosition(nil), &position); err != nil {
		return nil, err
	}
	ref, err := referee.NewAt(f.game, seed, position)
	if err != nil {
		return nil, err
	}
	w := follow(f.game, ref.Record(nil), ref, []env.Player{v})
	return w, w.play(next.Action)
}

func (f *twinFinder) enough(kind string) bool { return f.kinds[kind] >= f.most }

// follow plays both games on as long as the viewers can't tell them apart. The secret is of seat p, of nobody in
// particular if that is Hidden.
func (f *twinFinder) follow(t *Twins, pair [2]*twin, p env.Player) error {
	const moments, alone = 6, 12
	t.Moments = nil
	defer t.end(pair)
	for lone := 0; len(t.Moments) < moments && lone < alone; {
		a, b := pair[0], pair[1]
		switch {
		case !a.sameSeen(b):
			return nil
		case a.waits() || b.waits(): // It shows nothing before nobody is asked in secret.
			if a.waits() && b.waits() && a.ref.Actor() == b.ref.Actor() {
				if played, err := f.both(pair); err != nil || !played {
					return err
				}
				continue
			}
			i := 0
			if !a.waits() {
				i = 1
			}
			played, err := f.one(pair[i])
			if err != nil || !played {
				return err
			}
			lone++
			continue
		case a.same(b):
			t.Moments = append(t.Moments, [2]int{len(a.moves), len(b.moves)})
		case a.ref.Actor() == b.ref.Actor():
			return nil
		}
		switch q := a.ref.Actor(); {
		case q == env.Over || b.ref.Actor() == env.Over:
			return nil
		case q == b.ref.Actor():
			own := slices.Contains(t.Viewers, q)
			played, err := f.both(pair)
			if err == nil && !played && q == p {
				lone++
				played, err = f.one(pair[f.rng.Below(2)])
			}
			if err != nil || !played || own && a.waits() != b.waits() { // It has seen itself that it is not asked.
				return err
			}
		default:
			i := 0
			if q != p && (p >= 0 || env.ActorSeenBy(a.ref.State(), t.Viewers[0]) == q) {
				i = 1
			}
			if p >= 0 && pair[i].ref.Actor() != p {
				return nil
			}
			played, err := f.one(pair[i])
			if err != nil || !played {
				return err
			}
			lone++
		}
	}
	return nil
}

// end takes the moves up to the last moment.
func (t *Twins) end(pair [2]*twin) {
	t.Moves = [2][]TwinMove{}
	if len(t.Moments) > 0 {
		last := t.Moments[len(t.Moments)-1]
		for i, w := range pair {
			t.Moves[i] = slices.Clone(w.moves[:last[i]])
		}
	}
}

// both plays an action that is legal in both games, of which the viewers see the same.
func (f *twinFinder) both(pair [2]*twin) (bool, error) {
	a, b := pair[0].ref.State(), pair[1].ref.State()
	other := env.LegalActions(b)
	list := slices.DeleteFunc(env.LegalActions(a), func(x env.Action) bool {
		return !slices.Contains(other, x) || slices.ContainsFunc(pair[0].viewers, func(v env.Player) bool {
			seen, ok := env.Witnessed(a, v, x)
			also, is := env.Witnessed(b, v, x)
			return seen != also || ok != is
		})
	})
	if len(list) == 0 {
		return false, nil
	}
	x := list[f.rng.Below(len(list))]
	for _, w := range pair {
		if err := w.play(x); err != nil {
			return false, err
		}
	}
	return true, nil
}

// one plays an action in one game of which the viewers see nothing.
func (f *twinFinder) one(w *twin) (bool, error) {
	s, after := w.ref.State(), f.game.New()
	list := env.LegalActions(s)
	var tape env.Tape
	for len(list) > 0 {
		i := f.rng.Below(len(list))
		x := list[i]
		list = slices.Delete(list, i, i+1)
		if slices.ContainsFunc(w.viewers, func(v env.Player) bool { _, ok := env.Witnessed(s, v, x); return ok }) {
			continue
		}
		after.CopyFrom(s)
		tape.Rewind()
		after.Apply(x, &tape)
		if !slices.ContainsFunc(tape.Events(), func(e env.Event) bool {
			return slices.ContainsFunc(w.viewers, func(v env.Player) bool { return e.To.Has(v) })
		}) {
			return true, w.play(x)
		}
	}
	return false, nil
}

// A twin is one of two games.
type twin struct {
	record  *record.Record
	start   env.State
	ref     *referee.Referee
	viewers []env.Player
	seen    [][]env.Seen // by viewer: since the start
	moves   []TwinMove
}

func newTwin(g env.Game, start *record.Record, viewers []env.Player) (*twin, error) {
	ref, err := referee.Resume(start, g)
	if err != nil {
		return nil, err
	}
	for _, m := range start.Moves {
		a, err := g.Info().Parse(m.Action)
		if err == nil {
			err = ref.Play(a)
		}
		if err != nil {
			return nil, err
		}
	}
	return follow(g, start, ref, viewers), nil
}

// follow is a game that has come to the end of its record, and is followed from there.
func follow(g env.Game, start *record.Record, ref *referee.Referee, viewers []env.Player) *twin {
	w := &twin{record: start, start: g.New(), ref: ref, viewers: viewers, seen: make([][]env.Seen, len(viewers))}
	w.start.CopyFrom(ref.State())
	ref.Follow(func(step *env.Step) {
		for i, v := range viewers {
			w.seen[i] = append(w.seen[i], step.Seen(v)...)
		}
	})
	return w
}

func (w *twin) play(a env.Action) error {
	w.moves = append(w.moves, TwinMove{w.ref.Actor(), a})
	return w.ref.Play(a)
}

// waits says whether a viewer may not know that anybody is asked.
func (w *twin) waits() bool {
	return slices.ContainsFunc(w.viewers,
		func(v env.Player) bool { return env.ActorSeenBy(w.ref.State(), v) == env.Unasked })
}

func (w *twin) sameSeen(o *twin) bool {
	return slices.EqualFunc(w.seen, o.seen, slices.Equal[[]env.Seen])
}

// same says whether the viewers can't tell two games apart by how they stand.
func (w *twin) same(o *twin) bool {
	a, b := w.ref.State(), o.ref.State()
	for _, v := range w.viewers {
		if env.ActorSeenBy(a, v) != env.ActorSeenBy(b, v) || env.TextView(a, v) != env.TextView(b, v) ||
			env.Drawing(a, v) != env.Drawing(b, v) || env.Question(a, v) != env.Question(b, v) {
			return false
		}
		if (a.Actor() == v || b.Actor() == v) &&
			(a.Actor() != b.Actor() || !slices.Equal(env.LegalActions(a), env.LegalActions(b))) {
			return false
		}
	}
	return true
}
