package pipe

import (
	"reflect"

	"earthgym/env"
	"earthgym/env/engine"
	"earthgym/env/internal/team"
	"earthgym/env/spelling"
)

// How a lane's last step came out, in the block "end".
const (
	running    = byte(env.Running)
	terminated = byte(env.Terminated)
	truncated  = byte(env.Truncated)
	forfeited  = byte(env.Forfeited)
)

// What becomes of a lane whose game is over.
var autoresets = map[string]env.Autoreset{"next_step": env.NextStep, "same_step": env.SameStep, "disabled": env.NoReset}

// autoresetNames are those of a request.
var autoresetNames = []string{"next_step", "same_step", "disabled"}

// batch is many environments that are stepped together, and the arrays that show them.
type batch struct {
	arrays
	variants []variant  // in the order of their lanes
	info     *env.Info  // of the first variant: actions and observations are laid out alike in all
	players  int        // seats of the variant that has most
	forfeit  bool       // an illegal action loses the game
	seat     env.Player // the only one that the client plays, or everySeat
	keep     bool       // what records are made of
	lanes    []lane
	team     *team.Team // the client's
	workers  []worker
	named    []int32    // of each lane: its place among those that a request names, from 1; 0 = it does not
	all      bool       // named are all, in order
	memory   int64      // as counted against the limit
	told     []*history // games that have a tale, the latest last
}

const everySeat env.Player = -1

// variant is what some lanes of a batch play, and who plays it.
type variant struct {
	game  env.Game
	info  *env.Info
	lanes int64
	names []string // who plays, by seat
	maker []int    // of the agent, by seat: its place among the makers, or -1 where the client plays
}

// lane is one environment, and who plays in it beside the client.
type lane struct {
	*env.Lane
	*variant
	batch   *batch
	agents  []env.Agent // by seat; nil where the client plays
	view    env.View
	scratch []float32
	failed  error // of an agent, in the running step
	running history
	ended   history // of the last finished game
}

// history is what a client may ask of a game beside its outcome.
type history struct {
	whole bool    // the game comes from its seed
	steps int     // of the client
	log   []int32 // the actions, if they are kept
	tale  *tale   // its story so far; nil if nobody has asked for it lately
}

// take makes h what another one is, but for the story, which is told again if it is asked for.
func (h *history) take(from *history) {
	h.whole, h.steps, h.log, h.tale = from.whole, from.steps, append(h.log[:0], from.log...), nil
}

// A worker is what one goroutine needs to play its share of the lanes.
type worker struct {
	engine  engine.Engine[*lane] // its kinds are the makers
	moved   []int                // lanes in which a Deputy decides after the client
	late    []int                // lanes that are shown when all have moved
	fresh   []int                // lanes in which a game begins
	playing []*lane              // in which the server's agents play on
	fault   *fault               // in its share
}

// newBatch makes a batch, without arrays and games, to be stepped by a team of so many workers. It takes its
// memory before it makes the lanes.
func newBatch(variants []variant, r *makeRequest, enc encoding, open OpenAgent, t *team.Team, workers int,
	take func(bytes int64) error) (*batch, error) {
	info, lanes := variants[0].info, int64(0)
	b := &batch{
		arrays: arrays{encoder: newEncoder(enc, info)}, variants: variants, info: info, seat: everySeat, keep: r.Record,
		team: t,
	}
	for _, v := range variants {
		if v.info.ActionHash() != info.ActionHash() || v.info.ObservationHash() != info.ObservationHash() {
			return nil, errorf(BadRequest, "%s and %s are no variants of one game: their actions or observations are laid out "+
				"otherwise", info.Short, v.info.Short)
		}
		lanes += v.lanes
		b.players = max(b.players, v.info.Players)
	}
	b.workers = make([]worker, min(int64(workers), lanes))
	mode := env.NextStep
	if r.Autoreset != "" {
		var ok bool
		if mode, ok = autoresets[r.Autoreset]; !ok {
			return nil, errorf(BadRequest, "autoreset %q: %s", r.Autoreset, spelling.Suggest(r.Autoreset, autoresetNames))
		}
	}
	switch r.Illegal {
	case "", "error":
	case "forfeit":
		b.forfeit = true
	default:
		return nil, errorf(BadRequest, "illegal %q: %s", r.Illegal, spelling.Suggest(r.Illegal, []string{"error", "forfeit"}))
	}
	if r.MaxDecisions < 0 || r.MaxDecisions > 1<<31 {
		return nil, errorf(BadRequest, "max_decisions %d: 0, for no limit, or more", r.MaxDecisions)
	}
	if r.FirstLane < 0 || r.FirstLane > 1<<31 {
		return nil, errorf(BadRequest, "first_lane %d: 0 or more", r.FirstLane)
	}
	var makers []Maker
	for i := range variants {
		var err error
		if makers, err = b.seatAgents(&variants[i], makers, r, open); err != nil {
			return nil, err
		}
	}
	b.layOut(int(lanes), b.players, info)
	if err := take(b.count(makers)); err != nil {
		return nil, err
	}
	b.lanes, b.named = make([]lane, lanes), make([]int32, lanes)
	return b, b.fill(env.LaneOptions{
		Options:   env.Options{Shaping: r.Shaping, Gamma: r.Gamma, MaxDecisions: int(r.MaxDecisions)},
		Autoreset: mode, Seed: r.Seed, Number: int(r.FirstLane),
	}, makers)
}

// count is what a batch is charged: its arrays, for each lane two States, an Env, an
// observation, and the agents with the View that they are shown, what the agents share, and what each worker needs
// for a question to a Deputy.
func (b *batch) count(makers []Maker) int64 {
	n := int64(b.bytes())
	for _, v := range b.variants {
		state := int64(reflect.TypeOf(v.game.New()).Elem().Size())
		perLane := 3*state + 8*int64(b.info.MaskWords()) + 8*int64(b.info.Observation()) + 1024
		if b.seat != everySeat {
			perLane += 4*int64(b.info.Observation()) + 1024*int64(v.info.Players-1)
		}
		if b.keep {
			perLane += 8 * int64(v.info.MaxDecisions)
		}
		n += v.lanes * perLane
	}
	for _, m := range makers {
		n += m.Memory + int64(len(b.workers))*engine.Most*8*int64(b.info.Observation()+len(b.info.Actions))
	}
	return n
}

// fill makes the lanes, the first as o says, and those who play in them.
func (b *batch) fill(o env.LaneOptions, makers []Maker) error {
	next := b.lanes
	for i := range b.variants {
		v := &b.variants[i]
		lanes, _, err := env.NewLanes(v.game, o, int(v.lanes))
		if err != nil {
			return errorf(NotSupported, "%v", err)
		}
		for k := range lanes {
			l := &next[k]
			l.Lane, l.batch, l.variant = &lanes[k], b, v
			l.scratch, l.agents = make([]float32, b.info.Observation()), make([]env.Agent, v.info.Players)
			for p, m := range v.maker {
				if m < 0 {
					continue
				}
				if l.agents[p], err = makers[m].New(); err != nil {
					return errorf(UnknownAgent, "agent %q: %v", v.names[p], err)
				}
			}
		}
		if err := b.hireDeputies(&next[0], makers); err != nil {
			return err
		}
		next, o.Number = next[v.lanes:], o.Number+int(v.lanes)
	}
	return nil
}

// lane checks a number from outside.
func (b *batch) lane(i int64) (*lane, error) {
	if i < 0 || i >= int64(len(b.lanes)) {
		return nil, errorf(BadLane, "there is no lane %d: the batch has 0 to %d", i, len(b.lanes)-1)
	}
	return &b.lanes[i], nil
}

// player checks a seat from outside.
func (v *variant) player(p int64) (env.Player, error) {
	if p < 0 || p >= int64(v.info.Players) {
		return 0, errorf(BadPlayer, "there is no seat %d: %s has 0 to %d", p, v.info.Short, v.info.Players-1)
	}
	return env.Player(p), nil
}

// choose fills in named: the lanes that which names, each once, or all of them if it is nil. It gives their
// number.
func (b *batch) choose(which []int64) (int, error) {
	if which == nil {
		for i := 0; !b.all && i < len(b.named); i++ {
			b.named[i] = int32(i) + 1
		}
		b.all = true
		return len(b.lanes), nil
	}
	b.all = false
	clear(b.named)
	for k, i := range which {
		if _, err := b.lane(i); err != nil {
			return 0, err
		}
		if b.named[i] > 0 {
			return 0, errorf(BadLane, "lane %d is named twice", i)
		}
		b.named[i] = int32(k) + 1
	}
	return len(which), nil
}
