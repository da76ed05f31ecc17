package env

// Autoreset says what becomes of a lane whose game is over.
type Autoreset uint8

const (
	// NextStep shows the end of the game; the next step ignores the lane's action and shows the start
	// of a new game, without rewards.
	NextStep Autoreset = iota
	// SameStep shows the start of the new game at once, beside the rewards of the old one.
	SameStep
	// NoReset leaves the lane as it is until it is reset; its action is ignored.
	NoReset
)

// LaneOptions say how a Lane is made.
type LaneOptions struct {
	Options
	Autoreset Autoreset
	Seed      uint64 // of the whole batch
	Number    int    // of the lane in it, from 0
}

// A Lane is one of many environments that are stepped together, in a [Vec] or by a server: it plays game after
// game, each on a seed of its own, adds up the rewards of a step, and keeps how the last game went. It belongs to
// one goroutine.
//
// A step of a lane is: Enter, which says what there is to do; if that is to play, Play once or, where others play
// beside the caller, several times, or Forfeit; then Settle; and if the lane Renews, or Enter has said so, Begin.
type Lane struct {
	env       *Env
	autoreset Autoreset
	seeds     seeds
	games     uint64 // begun on the seeds
	seed      uint64 // of the running game
	rewards   []float64
	last      Player // who acted last
	forfeit   Player // who has forfeited the running game, or Over
	over      bool
	episode   Episode
	final     State // of the episode
}

// seeds are those of a lane's games.
type seeds struct {
	root  uint64
	lane  uint64
	given bool // root is the seed of the first game itself
}

// of is the seed of the k-th game, from 1.
func (s seeds) of(k uint64) uint64 {
	if s.given && k == 1 {
		return s.root
	}
	return Mix(s.root ^ Mix(s.lane<<32^k))
}

// An Episode is how a lane's last finished game went. Of a game that was cut off the returns are zeros.
type Episode struct {
	Number uint64 // of the game in its lane, from 1; 0 = none has finished yet
	Seed   uint64
	Last   Player // who acted last
	Result        // its Reason is "truncated" if the caller's limit ended it, "forfeit" if a seat did
}

// Entry says what a step does in a lane.
type Entry uint8

const (
	Plays  Entry = iota // it plays an action
	Begins              // it begins the next game
	Rests               // nothing
)

// An End is how a step left a lane's game.
type End uint8

const (
	Running    End = iota
	Terminated     // by its rules
	Truncated      // by the caller's limit, or because somebody could not go on
	Forfeited      // by a seat
)

// NewLanes makes n lanes, in which games are to Begin, the first as o says, and gives the rows of their masks. What
// steps go through lies together, lane after lane, without the final States in between: so a processor fetches ahead.
func NewLanes(g Game, o LaneOptions, n int) (lanes []Lane, masks []uint64, err error) {
	info := g.Info()
	words, each := info.MaskWords(), placeNumbers*info.Players
	lanes, masks = make([]Lane, n), make([]uint64, n*words)
	states, envs, numbers := make([]State, n), make([]Env, n), make([]float64, n*each)
	for i := range states {
		states[i] = g.New()
	}
	for i := range lanes {
		at := place{states[i], masks[i*words:][:words:words], numbers[i*each:][:each]}
		if err := envs[i].init(info, o.Options, at); err != nil {
			return nil, nil, err
		}
		lanes[i] = Lane{
			env: &envs[i], autoreset: o.Autoreset, seeds: seeds{root: o.Seed, lane: uint64(o.Number + i)},
			rewards: at.of(2, info.Players), forfeit: Over, final: g.New(), episode: Episode{Result: newResult(info)},
		}
	}
	return lanes, masks, nil
}

// Env is the environment that the lane shows. It is stepped and reset by the Lane alone.
func (l *Lane) Env() *Env { return l.env }

// Over says whether the game that the lane shows is over, for whatever reason.
func (l *Lane) Over() bool { return l.over }

// Seed is the seed of the game that the lane shows.
func (l *Lane) Seed() uint64 { return l.seed }

// Viewer is whose observation the lane shows: that of who decides, or once the game is over of who acted last.
func (l *Lane) Viewer() Player {
	if l.over || l.env.actor == Over {
		return l.last
	}
	return l.env.actor
}

// Rewards are those of every player since Enter. They are valid until the next one.
func (l *Lane) Rewards() []float64 { return l.rewards }

// Episode is how the lane's last finished game went. It is valid until the lane finishes another.
func (l *Lane) Episode() *Episode { return &l.episode }

// Final is the State at the end of the Episode. It must not be changed.
func (l *Lane) Final() State { return l.final }

// Reseed begins the lane's sequence of games anew: the next one has this very seed, and the k-th after that one
// that is made of it and k, in whatever lane.
func (l *Lane) Reseed(seed uint64) { l.seeds, l.games = seeds{root: seed, given: true}, 0 }

// Begin begins the lane's next game.
func (l *Lane) Begin() {
	l.games++
	l.seed = l.seeds.of(l.games)
	l.env.Reset(l.seed)
	l.fresh()
}

// Put makes the lane show a copy of s, from which the game goes on. Its seed stays what it was.
func (l *Lane) Put(s State) {
	l.env.ResetTo(s)
	l.fresh()
}

// Join makes the lane's game that of another lane, whose State it shows already.
func (l *Lane) Join(from *Lane) { l.seed, l.last = from.seed, from.last }

func (l *Lane) fresh() { l.over, l.last, l.forfeit = l.env.actor == Over, 0, Over }

// Enter begins a step.
func (l *Lane) Enter() Entry {
	clear(l.rewards)
	switch {
	case !l.over:
		return Plays
	case l.autoreset == NoReset:
		return Rests
	}
	return Begins
}

// Play plays an action of the actor. An illegal one is an *IllegalActionError and changes nothing.
func (l *Lane) Play(a Action) error {
	actor := l.env.actor
	if err := l.env.Step(a); err != nil {
		return err
	}
	l.last = actor
	for p, r := range l.env.rewards {
		l.rewards[p] += r
	}
	return nil
}

// Forfeit makes the actor lose the game. Its reward is -1; the others get none for what they did not do.
func (l *Lane) Forfeit() {
	l.forfeit, l.last = l.env.actor, l.env.actor
	l.rewards[l.forfeit] = -1
}

// Settle ends a step: it says what has come of it, and if the game is over keeps its Episode.
func (l *Lane) Settle() End {
	switch {
	case l.forfeit != Over:
		l.finish()
		l.episode.Forfeit(l.forfeit, l.env.info)
		return Forfeited
	case l.env.actor == Over:
		l.finish()
		return Terminated
	case l.env.truncated:
		return l.Break("truncated")
	}
	return Running
}

// Abandon ends the game without an Episode: nobody has played in it.
func (l *Lane) Abandon() { l.over = true }

// Break ends a step and the game with it, which cannot go on for this reason.
func (l *Lane) Break(reason string) End {
	l.finish()
	l.episode.Reason = reason
	return Truncated
}

// finish keeps all that there is to know of the game that has just ended.
func (l *Lane) finish() {
	l.over = true
	ep := &l.episode
	ep.Number, ep.Seed, ep.Last = l.games, l.seed, l.last
	ep.read(l.env.state, l.env.decisions)
	l.final.CopyFrom(l.env.state)
}

// Renews says whether the step that has ended the game begins the next one too.
func (l *Lane) Renews() bool { return l.over && l.autoreset == SameStep }
