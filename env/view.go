package env

// A View is all that an agent gets when it is its turn: what its seat may know, and nothing else. It
// gives neither seed nor record nor the true State. It is valid until the action is played.
type View struct {
	state    State // the true one; never handed out
	info     *Info
	player   Player
	mask     Mask
	seen     []Seen
	features []float32
	encoded  bool
	story    func(p Player) []string // tells what has happened, or nil
}

// Seen is one thing that a seat has seen happen.
type Seen struct {
	Kind   SeenKind
	Player Player // who acted; Hidden where that is not known; Over for what happened by itself
	Text   string // in the words of the game
}

// SeenKind tells the kinds of Seen apart.
type SeenKind uint8

const (
	SeenAction SeenKind = iota // a decision of Player
	SeenChance                 // a draw of chance, "name = outcome"
	SeenNote                   // a card shown, or a secret that became public
)

// set points the view at a decision. The slices are shared with the caller.
func (v *View) set(s State, info *Info, mask Mask, p Player, seen []Seen) {
	v.state, v.info, v.player, v.mask, v.seen, v.encoded, v.story = s, info, p, mask, seen, false, nil
	if len(v.features) != info.observation {
		v.features = make([]float32, info.observation)
	}
}

// Info is the Info of the game.
func (v *View) Info() *Info { return v.info }

// Player is the seat that decides.
func (v *View) Player() Player { return v.player }

// Mask is the legal actions. It must not be changed.
func (v *View) Mask() Mask { return v.mask }

// Observation is what the seat sees, encoded. It must not be changed.
func (v *View) Observation() []float32 {
	if !v.encoded {
		v.state.Observe(v.features, v.player)
		v.encoded = true
	}
	return v.features
}

// Seen is what the seat has seen since its last decision, that decision's consequences included.
// Views of a Vec have none.
func (v *View) Seen() []Seen { return v.seen }

// Story is Seen in sentences of the game's story. It is nil where nobody tells one: in games without, and in Views that
// are not a Referee's. The seat's first View that is asked plays the game so far again; those after it are ready.
func (v *View) Story() []string {
	if v.story == nil {
		return nil
	}
	return v.story(v.player)
}

// ActionText is the text of an action as it is written now.
func (v *View) ActionText(a Action) string { return ActionText(v.state, a) }

// NewState makes a State for SampleInto.
func (v *View) NewState() State { return v.state.Game().New() }

// SampleInto makes dst a State that may be the true one, for all that the seat knows, with everything
// hidden and all future chance drawn anew from the key. The key must come from the agent's own
// generator.
func (v *View) SampleInto(dst State, key uint64) {
	dst.CopyFrom(v.state)
	dst.Redeal(v.player, key)
}

// Sample is SampleInto a new State.
func (v *View) Sample(key uint64) State {
	s := v.NewState()
	v.SampleInto(s, key)
	return s
}

// Text is the table as the seat sees it, or "" if the game has no text view. What has happened stands in Story.
func (v *View) Text() string { return TextView(v.Sample(0), v.player) }

// ViewOf is the View of the seat that decides in s, which has seen this since its last decision. It is for those who
// hold States of their own: tests, tools, search. It is valid until s changes.
func ViewOf(s State, seen ...Seen) *View {
	v, info := &View{}, s.Game().Info()
	mask := make(Mask, info.MaskWords())
	s.Legal(mask)
	v.set(s, info, mask, s.Actor(), seen)
	return v
}
