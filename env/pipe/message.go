package pipe

// What a client asks for, operation by operation (PROTOCOL.md): each request has the fields of its own operation.

// A call is what all requests have.
type call struct {
	ID uint64 `msgpack:"id"`
	Op string `msgpack:"op"`
}

func (c *call) number(id uint64) { c.ID = id }

type helloRequest struct {
	call
	Protocol    []int  `msgpack:"protocol,omitempty"`
	Role        string `msgpack:"role,omitempty"`
	Client      string `msgpack:"client,omitempty"`
	Observation string `msgpack:"observation,omitempty"`
	Mask        string `msgpack:"mask,omitempty"`
	Tables      int64  `msgpack:"tables,omitempty"` // of a seat: how many it sits at at a time
}

type infoRequest struct {
	call
	Game string `msgpack:"game,omitempty"`
}

type makeRequest struct {
	call
	Game         string   `msgpack:"game,omitempty"`
	Lanes        int64    `msgpack:"lanes,omitempty"`
	FirstLane    int64    `msgpack:"first_lane,omitempty"`
	Seed         uint64   `msgpack:"seed,omitempty"`
	Autoreset    string   `msgpack:"autoreset,omitempty"`
	Illegal      string   `msgpack:"illegal,omitempty"`
	Seat         *int64   `msgpack:"seat,omitempty"`
	Opponents    []string `msgpack:"opponents,omitempty"`
	Shaping      float64  `msgpack:"shaping,omitempty"`
	Gamma        float64  `msgpack:"gamma,omitempty"`
	MaxDecisions int64    `msgpack:"max_decisions,omitempty"`
	Record       bool     `msgpack:"record,omitempty"`
	Share        bool     `msgpack:"share,omitempty"`

	More []variantRequest `msgpack:"more,omitempty"`
}

// A variantRequest is another variant of the game that is made, for the lanes after those before it.
type variantRequest struct {
	Game  string `msgpack:"game,omitempty"`
	Lanes int64  `msgpack:"lanes,omitempty"`
}

// A batchRequest is about a batch: close, show.
type batchRequest struct {
	call
	Env uint64 `msgpack:"env,omitempty"`
}

func (r *batchRequest) handle() uint64 { return r.Env }

// A lanesRequest is about some lanes of a batch, all if Which is nil: step, seeds.
type lanesRequest struct {
	batchRequest
	Which []int64 `msgpack:"which,omitempty"`
}

type resetRequest struct {
	lanesRequest
	Seeds []uint64 `msgpack:"seeds,omitempty"`
}

// An observeRequest asks what a player sees in some lanes: observe, episodes.
type observeRequest struct {
	lanesRequest
	Player *int64 `msgpack:"player,omitempty"`
}

// A laneRequest is about a lane: position, set_position, save, legal.
type laneRequest struct {
	batchRequest
	Lane int64 `msgpack:"lane,omitempty"`
}

type restoreRequest struct {
	laneRequest
	Key uint64 `msgpack:"key,omitempty"`
}

type copyRequest struct {
	laneRequest
	To    []int64 `msgpack:"to,omitempty"`
	ToEnv uint64  `msgpack:"to_env,omitempty"`
}

// A lookRequest is a look at a lane by a player: view, text, picture.
type lookRequest struct {
	laneRequest
	Player *int64 `msgpack:"player,omitempty"`
}

type redealRequest struct {
	lookRequest
	Key uint64 `msgpack:"key,omitempty"`
}

type recordRequest struct {
	laneRequest
	Finished bool `msgpack:"finished,omitempty"` // the last finished game
}

type storyRequest struct {
	lookRequest
	Finished bool  `msgpack:"finished,omitempty"` // of the last finished game
	Since    int64 `msgpack:"since,omitempty"`    // from this step on; 0 is the set-up
}

type parseRequest struct {
	batchRequest
	Texts []string `msgpack:"texts,omitempty"`
}

// A seat's requests are about the views that it is shown: text, story, legal, view.
type viewRequest struct {
	call
	View int64 `msgpack:"view,omitempty"`
}

type sampleRequest struct {
	call
	Key   uint64 `msgpack:"key,omitempty"`
	View  int64  `msgpack:"view,omitempty"`
	Count int64  `msgpack:"count,omitempty"`
	Saved bool   `msgpack:"saved,omitempty"` // whole states
}

type textsRequest struct {
	call
	Texts []string `msgpack:"texts,omitempty"`
}

// answer is the head of a reply that has nothing to say but that it is done.
type answer struct {
	ID uint64 `msgpack:"id"`
}

type errorAnswer struct {
	ID    uint64 `msgpack:"id"`
	Error *Error `msgpack:"error"`
}

// Limits are what one client may ask for. They are announced in the handshake.
type Limits struct {
	Frame   int   `msgpack:"frame"`   // bytes of a frame to the server, its length field not counted
	Envs    int   `msgpack:"envs"`    // batches at a time
	Lanes   int   `msgpack:"lanes"`   // of all batches together
	Memory  int64 `msgpack:"memory"`  // bytes of all batches together, as the server counts them
	Clients int   `msgpack:"clients"` // connections at a time
}

// DefaultLimits are meant for a machine that trains.
func DefaultLimits() Limits {
	return Limits{Frame: 16 << 20, Envs: 256, Lanes: 1 << 16, Memory: 4 << 30, Clients: 256}
}

// capabilities of this server, whatever the connection.
var capabilities = [...]string{"batch", "opponents", "positions", "records", "text", "picture", "step-lanes", "story",
	"luck", "view", "variants"}

// shareCapability is offered where client and server have a memory in common.
const shareCapability = "shared-memory"

// pending is how many requests a client may have under way: one that is answered, one that is read ahead.
const pending = 2

// announced are the limits as the handshake gives them.
type announced struct {
	Limits
	Pending int `msgpack:"pending"`
}

type welcome struct {
	ID           uint64     `msgpack:"id"`
	Protocol     []int      `msgpack:"protocol"`
	Program      string     `msgpack:"program"`
	Role         string     `msgpack:"role"`
	Capabilities []string   `msgpack:"capabilities"`
	Limits       *announced `msgpack:"limits,omitempty"`
	Games        []string   `msgpack:"games,omitempty"`

	// to a seat
	Game      string `msgpack:"game,omitempty"`
	MoveLimit int64  `msgpack:"move_ms,omitempty"`
}

type made struct {
	ID      uint64  `msgpack:"id"`
	Env     uint64  `msgpack:"env"`
	Game    string  `msgpack:"game"`
	Players int     `msgpack:"players"`
	Actions int     `msgpack:"actions"`
	Size    int     `msgpack:"size"` // of an observation, in numbers
	Blocks  []block `msgpack:"blocks"`
	Bytes   int     `msgpack:"bytes"` // of all blocks

	More   []string `msgpack:"more,omitempty"` // the games of the other variants
	Shared string   `msgpack:"shared,omitempty"`
}

type arrayAnswer struct {
	ID    uint64 `msgpack:"id"`
	Type  string `msgpack:"type"`
	Shape []int  `msgpack:"shape"`
}

type seedsAnswer struct {
	ID    uint64   `msgpack:"id"`
	Seeds []uint64 `msgpack:"seeds"`
}

type textAnswer struct {
	ID   uint64 `msgpack:"id"`
	Text string `msgpack:"text"`
}

type storyAnswer struct {
	ID    uint64 `msgpack:"id"`
	Steps int    `msgpack:"steps"` // of the game so far, the set-up among them
}

type statesAnswer struct {
	ID    uint64 `msgpack:"id"`
	Sizes []int  `msgpack:"sizes"` // of each state, in bytes
}

type actionsAnswer struct {
	ID      uint64   `msgpack:"id"`
	Actions []int    `msgpack:"actions"`
	Texts   []string `msgpack:"texts,omitempty"`
}

type episodesAnswer struct {
	ID       uint64    `msgpack:"id"`
	Type     string    `msgpack:"type"`
	Shape    []int     `msgpack:"shape"`
	Episodes []episode `msgpack:"episodes"`
}

type episode struct {
	Number    uint64    `msgpack:"number"`
	Seed      uint64    `msgpack:"seed"`
	Returns   []float64 `msgpack:"returns"`
	Scores    []float64 `msgpack:"scores"`
	Measures  []float64 `msgpack:"measures"`
	Winners   []int     `msgpack:"winners"`
	Reason    string    `msgpack:"reason"`
	Decisions int       `msgpack:"decisions"`
	Length    int       `msgpack:"length"`   // decisions of the client's
	Lost      bool      `msgpack:"lost"`     // what the seats share
	Culprits  []int     `msgpack:"culprits"` // seats that have pushed it over
}

// ask is the head of a request to the agent at a seat.
type ask struct {
	ID      uint64    `msgpack:"id"`
	Op      string    `msgpack:"op"`
	Seed    uint64    `msgpack:"seed,omitempty"`
	Table   int       `msgpack:"table,omitempty"` // of new_game
	Count   int       `msgpack:"count,omitempty"`
	Players []int     `msgpack:"players,omitempty"`
	Tables  []int     `msgpack:"tables,omitempty"` // of decisions
	Seen    [][]event `msgpack:"seen,omitempty"`
	Blocks  []block   `msgpack:"blocks,omitempty"`
}

// event is one env.Seen.
type event struct {
	Kind   string `msgpack:"kind"` // action, chance, note
	Player int    `msgpack:"player"`
	Text   string `msgpack:"text"`
}
