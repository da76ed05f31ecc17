package pipe

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/internal/raster"
	"earthgym/env/internal/team"
	"earthgym/env/spelling"
)

// workers are those who step the client's batches. There are none before there is a batch.
func (ses *session) workers() *team.Team {
	if ses.team == nil {
		ses.team = team.New(ses.server.workers())
	}
	return ses.team
}

// An operation is what a client may ask for. To owners of environments, and to seats, some don't exist.
type operation struct {
	name  string
	owner func(ses *session, f frame) (head any, payload []byte, err error)
	seat  func(s *Seat, f frame) (head any, payload []byte, err error)
}

// operations are all of them, the frequent ones first. An owner's answer whose head is a *batch is its arrays.
var operations = [...]operation{
	{name: "step", owner: ofArrays(func(b *batch, r *lanesRequest, payload []byte) error {
		return b.step(r.Which, payload)
	})},
	{name: "reset", owner: ofArrays(func(b *batch, r *resetRequest, _ []byte) error { return b.reset(r.Which, r.Seeds) })},
	{name: "show", owner: ofArrays(func(*batch, *batchRequest, []byte) error { return nil })},
	{name: "hello", owner: ofSession((*session).hello), seat: ofSeat(func(*Seat, *helloRequest) (any, []byte, error) {
		return nil, nil, errorf(BadHandshake, "hello was said before")
	})},
	{name: "info", owner: ofSession((*session).info)},
	{name: "make", owner: ofSession((*session).make)},
	{name: "close", owner: ofBatch((*session).drop)},
	{name: "observe", owner: ofBatch((*session).observe)},
	{name: "episodes", owner: ofBatch((*session).episodes)},
	{name: "seeds", owner: ofBatch((*session).seeds)},
	{name: "position", owner: ofBatch((*session).position)},
	{name: "set_position", owner: ofBatch((*session).setPosition)},
	{name: "save", owner: ofBatch((*session).save)},
	{name: "restore", owner: ofBatch((*session).restore)},
	{name: "copy", owner: ofBatch((*session).copy)},
	{name: "redeal", owner: ofBatch((*session).redeal)},
	{name: "record", owner: ofBatch((*session).record)},
	{name: "picture", owner: ofBatch((*session).picture)},
	{name: "view", owner: ofBatch((*session).view), seat: ofView((*Seat).position)},
	{name: "story", owner: ofBatch((*session).story), seat: ofView((*Seat).story)},
	{name: "text", owner: ofBatch((*session).text), seat: ofView((*Seat).text)},
	{name: "legal", owner: ofBatch((*session).legal), seat: ofView((*Seat).legal)},
	{name: "parse", owner: ofBatch((*session).parse), seat: ofSeat((*Seat).parse)},
	{name: "sample", seat: ofSeat((*Seat).sample)},
}

// operationOf is the operation of a name; nil if there is none.
func operationOf(name []byte) *operation {
	for i := range operations {
		if operations[i].name == string(name) {
			return &operations[i]
		}
	}
	return nil
}

// unknownOp tells a client which operations there are, those that it has.
func unknownOp(name []byte, has func(operation) bool) error {
	var names []string
	for _, op := range operations {
		if has(op) {
			names = append(names, op.name)
		}
	}
	return errorf(UnknownOp, "there is no operation %q: %s", name, spelling.Suggest(string(name), names))
}

// ofSession is an owner's operation with its request.
func ofSession[R any](do func(*session, *R, []byte) (any, []byte, error)) func(*session, frame) (any, []byte, error) {
	return func(ses *session, f frame) (any, []byte, error) {
		r := new(R)
		if err := decodeHead(f.head, r); err != nil {
			return nil, nil, badHead(err)
		}
		return do(ses, r, f.payload)
	}
}

// ofBatch is an owner's operation about a batch.
func ofBatch[R any, P interface {
	*R
	handle() uint64
}](do func(*session, *batch, P, []byte) (any, []byte, error)) func(*session, frame) (any, []byte, error) {
	return ofSession(func(ses *session, r *R, payload []byte) (any, []byte, error) {
		b, err := ses.batch(P(r).handle())
		if err != nil {
			return nil, nil, err
		}
		return do(ses, b, r, payload)
	})
}

// ofArrays is an owner's operation that is answered with the arrays of its batch.
func ofArrays[R any, P interface {
	*R
	handle() uint64
}](do func(*batch, P, []byte) error) func(*session, frame) (any, []byte, error) {
	return ofBatch(func(_ *session, b *batch, r P, payload []byte) (any, []byte, error) {
		if b.shared != nil {
			b.shared.unlink() // The client has had time to open it.
		}
		return b, nil, do(b, r, payload)
	})
}

// do does what an owner's frame asks for.
func (ses *session) do(name []byte, f frame) (head any, payload []byte, err error) {
	if len(name) == 0 { // It may lack an operation, or be no request at all.
		if err := decodeHead(f.head, &call{}); err != nil {
			return nil, nil, badHead(err)
		}
	}
	op := operationOf(name)
	switch {
	case !ses.greeted && string(name) != "hello":
		return nil, nil, errorf(BadHandshake, "the first request is hello, not %q", name)
	case op == nil || op.owner == nil:
		return nil, nil, unknownOp(name, func(op operation) bool { return op.owner != nil })
	}
	return op.owner(ses, f)
}

func (ses *session) hello(r *helloRequest, _ []byte) (any, []byte, error) {
	if ses.greeted {
		return nil, nil, errorf(BadHandshake, "hello was said before")
	}
	if len(r.Protocol) != 2 || r.Protocol[0] != Major {
		return nil, nil, errorf(BadVersion, "protocol %v; this program speaks [%d, %d]", r.Protocol, Major, Minor)
	}
	switch r.Role {
	case RoleOwner:
	case RoleSeat:
		return nil, nil, errorf(BadRole, "here one owns environments; a seat is served by the program that starts the "+
			"agent (agent text remote:)")
	default:
		return nil, nil, errorf(BadRole, "role %q: %s", r.Role, spelling.Suggest(r.Role, []string{RoleOwner, RoleSeat}))
	}
	e, err := r.encoding()
	if err != nil {
		return nil, nil, err
	}
	ses.encoding, ses.greeted = e, true
	w := welcome{
		ID: r.ID, Protocol: []int{Major, Minor}, Program: ses.server.Program, Role: r.Role,
		Capabilities: capabilities[:], Limits: &announced{ses.server.limits(), pending}, Games: ses.server.Registry.Names(),
	}
	if ses.local && canShare {
		w.Capabilities = append(slices.Clone(w.Capabilities), shareCapability)
	}
	ses.log.Info("hello", "name", sentence(r.Client), "observation", e.observation, "mask", e.mask)
	return w, nil, nil
}

// open opens the game that a request names; the payload is its component data, if there are any.
func (ses *session) open(game string, payload []byte) (env.Game, error) {
	name, _, _ := strings.Cut(game, ":")
	if _, err := ses.server.Registry.Find(name); err != nil {
		return nil, errorf(UnknownGame, "%v", err)
	}
	g, err := ses.server.Registry.Open(game)
	if err != nil {
		return nil, errorf(UnknownGame, "%v", err)
	}
	if len(payload) == 0 {
		return g, nil
	}
	if len(payload) > datafile.MaxSize {
		return nil, errorf(BadData, "%d bytes; component data are at most %d", len(payload), datafile.MaxSize)
	}
	ses.server.opening.Lock()
	defer ses.server.opening.Unlock()
	data := datafile.File{Name: "data", Bytes: slices.Clone(payload)}
	if own, err := data.Game(); err != nil || own != name {
		if err == nil {
			err = fmt.Errorf("the data are for %q, not for %q", own, name)
		}
		return nil, errorf(BadData, "%v", err)
	}
	if g, err = ses.server.Registry.Open(game, data); err != nil {
		return nil, errorf(BadData, "%v", err)
	}
	return g, nil
}

func (ses *session) agent(text string, g env.Game) (Maker, error) {
	if ses.server.Agents == nil {
		return Maker{}, errorf(NotSupported, "this server has no agents")
	}
	ses.server.opening.Lock()
	defer ses.server.opening.Unlock()
	return ses.server.Agents(text, g)
}

func (ses *session) info(r *infoRequest, payload []byte) (any, []byte, error) {
	g, err := ses.open(r.Game, payload)
	if err != nil {
		return nil, nil, err
	}
	doc, err := json.Marshal(g.Info())
	return answer{r.ID}, doc, err
}

// dataMemory is what a byte of component data takes once it has been read, about.
const dataMemory = 16

func (ses *session) make(r *makeRequest, payload []byte) (_ any, _ []byte, err error) {
	limits := ses.server.limits()
	if len(ses.batches) >= limits.Envs {
		return nil, nil, errorf(Limit, "%d batches are open, which is the limit: close one", len(ses.batches))
	}
	left := int64(limits.Lanes - ses.lanes)
	for _, v := range append([]variantRequest{{r.Game, r.Lanes}}, r.More...) {
		if v.Lanes < 1 || v.Lanes > left {
			return nil, nil, errorf(beyond(v.Lanes), "%d lanes: 1 to %d are left of the limit of %d", v.Lanes, max(left, 0),
				limits.Lanes)
		}
		left -= v.Lanes
	}
	if r.Share && !(ses.local && canShare) {
		return nil, nil, errorf(NotSupported, "this connection shares no memory")
	}
	if math.IsNaN(r.Shaping+r.Gamma) || math.IsInf(r.Shaping+r.Gamma, 0) {
		return nil, nil, errorf(BadRequest, "shaping %v and gamma %v: both are finite numbers", r.Shaping, r.Gamma)
	}
	var variants []variant
	for _, v := range append([]variantRequest{{r.Game, r.Lanes}}, r.More...) {
		g, err := ses.open(v.Game, payload)
		if err != nil {
			return nil, nil, err
		}
		variants = append(variants, variant{game: g, info: g.Info(), lanes: v.Lanes})
	}
	before := ses.memory
	defer func() {
		if err != nil {
			ses.release(ses.memory - before)
		}
	}()
	if err := ses.take(dataMemory * int64(len(payload))); err != nil {
		return nil, nil, err
	}
	b, err := newBatch(variants, r, ses.encoding, ses.agent, ses.workers(), ses.server.workers(), ses.take)
	if err != nil {
		return nil, nil, err
	}
	var shared *sharedMemory
	if r.Share {
		if shared, err = newSharedMemory(b.bytes()); err != nil {
			return nil, nil, errorf(NotSupported, "%v", err)
		}
	}
	b.place(shared)
	if err := b.reset(nil, nil); err != nil {
		b.close()
		return nil, nil, err
	}
	b.memory = ses.memory - before
	ses.handles++
	ses.batches[ses.handles] = b
	ses.lanes += len(b.lanes)
	m := made{
		ID: r.ID, Env: ses.handles, Game: b.info.Text, Players: b.players, Actions: len(b.info.Actions),
		Size: b.info.Observation(), Blocks: b.blocks, Bytes: b.bytes(),
	}
	for _, v := range variants[1:] {
		m.More = append(m.More, v.info.Text)
	}
	if shared != nil {
		m.Shared = shared.name
	}
	return m, nil, nil
}

func (ses *session) batch(handle uint64) (*batch, error) {
	b, ok := ses.batches[handle]
	if !ok {
		return nil, errorf(UnknownEnv, "there is no env %d: it was never made, or it has been closed", handle)
	}
	return b, nil
}

func (ses *session) drop(b *batch, r *batchRequest, _ []byte) (any, []byte, error) {
	b.close()
	delete(ses.batches, r.Env)
	ses.lanes -= len(b.lanes)
	ses.release(b.memory)
	return answer{r.ID}, nil, nil
}

// which gives the lanes that a request names: all if it names none.
func (b *batch) which(r *lanesRequest) ([]*lane, error) {
	if r.Which == nil {
		all := make([]*lane, len(b.lanes))
		for i := range b.lanes {
			all[i] = &b.lanes[i]
		}
		return all, nil
	}
	if len(r.Which) > len(b.lanes) {
		return nil, errorf(WrongLength, "%d lanes of a batch of %d", len(r.Which), len(b.lanes))
	}
	some := make([]*lane, len(r.Which))
	for k, i := range r.Which {
		l, err := b.lane(i)
		if err != nil {
			return nil, err
		}
		some[k] = l
	}
	return some, nil
}

// observe gives what a seat sees in some lanes, or, if none is named, what every seat sees: the full
// information.
func (ses *session) observe(b *batch, r *observeRequest, _ []byte) (any, []byte, error) {
	lanes, err := b.which(&r.lanesRequest)
	if err != nil {
		return nil, nil, err
	}
	a := arrayAnswer{r.ID, b.encoder.encoding.observation, []int{len(lanes), b.info.Observation()}}
	players := []env.Player{0}
	if r.Player != nil {
		if players[0], err = seat(lanes, *r.Player); err != nil {
			return nil, nil, err
		}
	} else {
		for p := 1; p < b.players; p++ {
			players = append(players, env.Player(p))
		}
		a.Shape = []int{len(lanes), b.players, b.info.Observation()}
	}
	out, err := ses.array(len(lanes) * len(players) * b.encoder.observationSize())
	if err != nil {
		return nil, nil, err
	}
	at := out
	for _, l := range lanes {
		for _, p := range players {
			n := b.encoder.observationSize()
			if int(p) < l.info.Players { // Others have zeros.
				b.encoder.observe(at[:n:n], l.Env().State(), p, l.scratch)
			}
			at = at[n:]
		}
	}
	return a, out, nil
}

// seat checks one from outside that all of some lanes must have.
func seat(lanes []*lane, p int64) (seat env.Player, err error) {
	for _, l := range lanes {
		if seat, err = l.player(p); err != nil {
			return 0, err
		}
	}
	return seat, nil
}

// array makes an answer's payload, which takes its size twice, out of the memory that the client has left.
func (ses *session) array(n int) ([]byte, error) {
	if left := ses.server.limits().Memory - ses.memory; int64(n) > left/2 {
		return nil, errorf(Limit, "an answer of %d bytes; %d bytes are left of the limit for two of that size: ask for "+
			"fewer lanes", n, left)
	}
	if err := ses.borrow(2 * n); err != nil {
		return nil, err
	}
	return newArray(n), nil
}

// newArray makes bytes that may be viewed as numbers.
func newArray(n int) []byte {
	return bytesOf(make([]float32, (n+3)/4))[:n]
}

// episodes gives how the last finished games of some lanes went, and the observations at their ends: of
// the seat that is named, or the one that acted last.
func (ses *session) episodes(b *batch, r *observeRequest, _ []byte) (any, []byte, error) {
	lanes, err := b.which(&r.lanesRequest)
	if err != nil {
		return nil, nil, err
	}
	p := b.seat
	if r.Player != nil {
		if p, err = seat(lanes, *r.Player); err != nil {
			return nil, nil, err
		}
	}
	n := b.encoder.observationSize()
	e := episodesAnswer{ID: r.ID, Type: b.encoder.encoding.observation, Shape: []int{len(lanes), b.info.Observation()},
		Episodes: []episode{}}
	out, err := ses.array(len(lanes) * n)
	if err != nil {
		return nil, nil, err
	}
	for k, l := range lanes {
		e.Episodes = append(e.Episodes, l.summary())
		if l.Episode().Number == 0 {
			continue // None has finished: zeros.
		}
		seat := p
		if seat < 0 {
			seat = l.Episode().Last
		}
		b.encoder.observe(out[k*n:(k+1)*n:(k+1)*n], l.Final(), seat, l.scratch)
	}
	return e, out, nil
}

// seeds gives the seed of each lane's running game.
func (ses *session) seeds(b *batch, r *lanesRequest, _ []byte) (any, []byte, error) {
	lanes, err := b.which(r)
	if err != nil {
		return nil, nil, err
	}
	s := seedsAnswer{ID: r.ID, Seeds: []uint64{}}
	for _, l := range lanes {
		s.Seeds = append(s.Seeds, l.Seed())
	}
	return s, nil, nil
}

func (ses *session) position(b *batch, r *laneRequest, _ []byte) (any, []byte, error) {
	l, err := b.lane(r.Lane)
	if err != nil {
		return nil, nil, err
	}
	return answer{r.ID}, l.Env().State().AppendPosition(nil), nil
}

// setPosition reads a position into a lane. Its luck stays.
func (ses *session) setPosition(b *batch, r *laneRequest, payload []byte) (any, []byte, error) {
	return ses.put(b, r, func(_ *lane, s env.State) error {
		if err := s.ReadPosition(payload); err != nil {
			return fmt.Errorf("position: %w", err)
		}
		return nil
	})
}

func (ses *session) save(b *batch, r *laneRequest, _ []byte) (any, []byte, error) {
	l, err := b.lane(r.Lane)
	if err != nil {
		return nil, nil, err
	}
	doc, err := env.Snapshot(l.Env().State())
	return answer{r.ID}, doc, err
}

// restore goes on from a saved state. A key draws all luck to come anew.
func (ses *session) restore(b *batch, r *restoreRequest, payload []byte) (any, []byte, error) {
	return ses.put(b, &r.laneRequest, func(l *lane, s env.State) error {
		if err := env.Restore(s, payload); err != nil || r.Key == 0 {
			return err
		}
		env.RedealStreams(s.Luck(), l.info.Streams, r.Key)
		return nil
	})
}

// put lets change work on a copy of a lane's state, and puts that into the lane.
func (ses *session) put(b *batch, r *laneRequest, change func(*lane, env.State) error) (any, []byte, error) {
	l, err := b.lane(r.Lane)
	if err != nil {
		return nil, nil, err
	}
	s := l.game.New()
	s.CopyFrom(l.Env().State())
	if err := change(l, s); err != nil {
		return nil, nil, errorf(BadPosition, "%v", err)
	}
	return answer{r.ID}, nil, b.put(int(r.Lane), s)
}

// copy makes other lanes, of this batch or of another one of the same game, what one lane is.
func (ses *session) copy(b *batch, r *copyRequest, _ []byte) (any, []byte, error) {
	l, err := b.lane(r.Lane)
	if err != nil {
		return nil, nil, err
	}
	to := b
	if r.ToEnv != 0 {
		if to, err = ses.batch(r.ToEnv); err != nil {
			return nil, nil, err
		}
	}
	for _, i := range r.To {
		other, err := to.lane(i)
		if err != nil {
			return nil, nil, err
		}
		if other.info.Text != l.info.Text || other.info.DataHash != l.info.DataHash {
			return nil, nil, errorf(BadPosition, "a position of %s is none of %s", l.info.Short, other.info.Short)
		}
	}
	for _, i := range r.To {
		if err := to.copyLane(int(i), l); err != nil {
			return nil, nil, err
		}
	}
	return answer{r.ID}, nil, nil
}

// redeal draws anew, from the key, all that a seat can't know.
func (ses *session) redeal(b *batch, r *redealRequest, _ []byte) (any, []byte, error) {
	if r.Player == nil {
		return nil, nil, errorf(BadRequest, "redeal needs a player")
	}
	l, err := b.lane(r.Lane)
	if err != nil {
		return nil, nil, err
	}
	p, err := l.player(*r.Player)
	if err != nil {
		return nil, nil, err
	}
	return ses.put(b, &r.laneRequest, func(_ *lane, s env.State) error { s.Redeal(p, r.Key); return nil })
}

func (ses *session) record(b *batch, r *recordRequest, _ []byte) (any, []byte, error) {
	l, err := b.lane(r.Lane)
	if err != nil {
		return nil, nil, err
	}
	text, err := b.record(l, r.Finished)
	return answer{r.ID}, text, err
}

// story tells a viewer, a sentence a line, what has happened in a game since a step.
func (ses *session) story(b *batch, r *storyRequest, _ []byte) (any, []byte, error) {
	l, p, err := b.look(&r.lookRequest)
	if err != nil {
		return nil, nil, err
	}
	text, steps, err := b.story(l, p, r.Since, r.Finished)
	return storyAnswer{r.ID, steps}, text, err
}

// viewer is who looks at a lane: the seat that is named, or who decides, or a spectator once the game is
// over. -2 is a spectator too.
func (l *lane) viewer(r *lookRequest) (env.Player, error) {
	switch {
	case r.Player != nil && *r.Player == int64(env.Spectator):
		return env.Spectator, nil
	case r.Player != nil:
		return l.player(*r.Player)
	case l.Env().Actor() == env.Over:
		return env.Spectator, nil
	}
	return l.Env().Actor(), nil
}

func (b *batch) look(r *lookRequest) (*lane, env.Player, error) {
	l, err := b.lane(r.Lane)
	if err != nil {
		return nil, 0, err
	}
	p, err := l.viewer(r)
	return l, p, err
}

// view is the position as JSON with what a seat may know of it.
func (ses *session) view(b *batch, r *lookRequest, _ []byte) (any, []byte, error) {
	l, p, err := b.look(r)
	switch {
	case err != nil:
		return nil, nil, err
	case p == env.Spectator:
		return nil, nil, errorf(BadPlayer, "a view is a seat's: name one, 0 to %d", l.info.Players-1)
	}
	doc, err := env.KnownPosition(l.Env().State(), p)
	return answer{r.ID}, doc, err
}

func (b *batch) table(r *lookRequest) (string, error) {
	l, p, err := b.look(r)
	if err != nil {
		return "", err
	}
	t, ok := l.Env().State().(env.Texter)
	if !ok {
		return "", errorf(NotSupported, "%s has no text view", l.info.Name)
	}
	return string(t.AppendText(nil, p)), nil
}

func (ses *session) text(b *batch, r *lookRequest, _ []byte) (any, []byte, error) {
	text, err := b.table(r)
	return textAnswer{r.ID, text}, nil, err
}

// legal gives what the actor of a lane may do, as numbers and texts.
func (ses *session) legal(b *batch, r *laneRequest, _ []byte) (any, []byte, error) {
	l, err := b.lane(r.Lane)
	if err != nil {
		return nil, nil, err
	}
	a := actionsAnswer{ID: r.ID, Actions: []int{}}
	if !l.Over() {
		for _, action := range l.Env().Mask().Append(nil) {
			a.Actions = append(a.Actions, int(action))
			a.Texts = append(a.Texts, env.ActionText(l.Env().State(), action))
		}
	}
	return a, nil, nil
}

func (ses *session) parse(b *batch, r *parseRequest, _ []byte) (any, []byte, error) {
	return parse(b.info, r.ID, r.Texts)
}

func parse(info *env.Info, id uint64, texts []string) (any, []byte, error) {
	a := actionsAnswer{ID: id, Actions: []int{}}
	for _, text := range texts {
		action, err := info.Parse(text)
		if err != nil {
			return nil, nil, errorf(UnknownAction, "%v", err)
		}
		a.Actions = append(a.Actions, int(action))
	}
	return a, nil, nil
}

// picture draws the board as a viewer sees it.
func (ses *session) picture(b *batch, r *lookRequest, _ []byte) (any, []byte, error) {
	l, p, err := b.look(r)
	if err != nil {
		return nil, nil, err
	}
	d, ok := l.Env().State().(env.Drawer)
	if !ok {
		return nil, nil, errorf(NotSupported, "%s has no drawing", l.info.Name)
	}
	pixels, shape, err := raster.Draw(d.AppendSVG(nil, p))
	return arrayAnswer{r.ID, typeUint8, shape}, pixels, err
}
