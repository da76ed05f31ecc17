package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/story"
)

// A Draft is decisions that a person has in mind, one after the other, and what would come of them by all that its seat
// knows: they are tried on samples that agree with it, never on the State.
type Draft struct {
	Step  int         `json:"step"` // of the table that it is for
	Moves []DraftMove `json:"moves"`
	// of public numbers, by all moves; "-2…+1" where chance decides or the seat can't know
	Changes []string `json:"changes"`
	Open    bool     `json:"open"` // the seat would decide once more, on what Question asks: the draft can go on
	End     string   `json:"end"`  // why it can't: what would come first; "" if it is Open
	// after the moves, as SVG; "" without a drawing, or if chance or others would decide
	Board string `json:"board"`
	Text  string `json:"text"` // the same in words
	// Of a draft that is Open:
	Question string   `json:"question"`
	Choices  []Choice `json:"choices"`
	Sealed   bool     `json:"sealed"`
	Inside   bool     `json:"inside"` // the question goes on with what the last move has begun
	Same     int      `json:"same"`   // so many times more the last move could answer the question that it has answered
}

// A DraftMove is a decision of a Draft.
type DraftMove struct {
	Choice
	Asked   string        `json:"asked"`   // the question that it answers
	Story   []string      `json:"story"`   // what is sure to come of it
	Perhaps []Possibility `json:"perhaps"` // what comes of it by luck, or by what the seat can't know; the likeliest first
}

// A Possibility is something that may happen.
type Possibility struct {
	Text  string  `json:"text"`
	Share float64 `json:"share"` // of the samples in which it does
}

const (
	maxDraft     = 200 // decisions of a draft
	draftSamples = 64
	maxPossible  = 8 // possibilities that a move tells
)

// Draft tries decisions of the person in seat p, who sees the table at a step. One that could not be made is an
// *env.IllegalActionError, one after the seat's turn or after chance an error too.
func (t *Table) Draft(p env.Player, step int, actions []env.Action) (*Draft, error) {
	d, err := t.try(p, step, actions, draftSamples)
	if err != nil {
		return nil, err
	}
	draft, err := d.finish()
	if err != nil {
		return nil, err
	}
	for i := range draft.Moves {
		m := &draft.Moves[i]
		t.spokenAll(m.Story, p)
		for k := range m.Perhaps {
			m.Perhaps[k].Text = t.spoken(m.Perhaps[k].Text, p)
		}
	}
	t.spokenAll(draft.Changes, p)
	draft.End, draft.Question, draft.Text = t.spoken(draft.End, p), t.spoken(draft.Question, p),
		t.spoken(draft.Text, nobody)
	return draft, nil
}

// WhyAfter says of actions why seat p, which sees the table at a step, could not choose them after others that it has
// in mind: "" of those that it could.
func (t *Table) WhyAfter(p env.Player, step int, planned, actions []env.Action) ([]string, error) {
	d, err := t.try(p, step, planned, 1)
	if err != nil {
		return nil, err
	}
	reasons := make([]string, len(actions))
	for i, a := range actions {
		if err := t.checkAction(a); err != nil {
			return nil, err
		}
		if reasons[i] = t.spoken(d.samples[0].Why(a), p); !d.draft.Open {
			reasons[i] = "before it, " + t.spoken(d.draft.End, p)
		}
	}
	return reasons, nil
}

// try plays decisions of the person in seat p on so many samples.
func (t *Table) try(p env.Player, step int, actions []env.Action, samples int) (*drafting, error) {
	if len(actions) > maxDraft {
		return nil, fmt.Errorf("a draft has %d decisions at most", maxDraft)
	}
	t.mu.Lock()
	if err := t.check(p, step); err != nil {
		t.mu.Unlock()
		return nil, err
	}
	view := t.game.New()
	view.CopyFrom(t.shown)
	seed := t.seed(p)
	t.mu.Unlock()

	draft := &Draft{Step: step, Moves: []DraftMove{}, Changes: []string{}, Open: true, Choices: []Choice{}}
	d := &drafting{t: t, p: p, draft: draft, before: t.game.New()}
	if t.narrator != nil {
		var err error
		if d.narrator, err = story.NewNarrator(t.game); err != nil {
			return nil, err
		}
	}
	for i := range samples {
		s := t.game.New()
		s.CopyFrom(view)
		s.Redeal(p, seed+uint64(i))
		d.samples = append(d.samples, s)
	}
	for _, a := range actions {
		if err := d.play(a); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// drafting is a Draft in the making.
type drafting struct {
	t        *Table
	p        env.Player
	draft    *Draft
	samples  []env.State
	before   env.State
	narrator *story.Narrator // nil in a game that tells no story
	tape     env.Tape
	totals   []total
}

// A total is how much a public number has changed, in each sample.
type total struct {
	player env.Player
	what   string
	was    int
	by     []int
}

// play tries a decision in every sample.
func (d *drafting) play(a env.Action) error {
	info := d.t.info
	if err := d.t.checkAction(a); err != nil {
		return err
	}
	first := d.samples[0]
	mask := make(env.Mask, info.MaskWords())
	switch first.Legal(mask); {
	case !d.draft.Open:
		return fmt.Errorf("%s can't be planned: before it, %s", info.Actions[a].Text, d.draft.End)
	case !mask.Has(a):
		return &env.IllegalActionError{Player: d.p, Action: a, Text: info.Actions[a].Text, Reason: first.Why(a)}
	}
	move := DraftMove{Choice: d.t.choice(first, a, d.p), Story: []string{},
		Asked: d.t.spoken(env.Question(first, d.p), d.p)}
	counts := map[string]int{}
	luck, over, left, others := false, false, false, env.Over
	for i, s := range d.samples {
		d.before.CopyFrom(s)
		d.tape.Rewind()
		d.tape.Count(s)
		s.Apply(a, &d.tape)
		luck = luck || len(d.tape.Events()) > 0
		if s.Actor() != d.p {
			left, over, others = true, over || s.Actor() == env.Over, env.ActorSeenBy(s, d.p)
		}
		seen := map[string]bool{}
		for _, text := range d.tell(i, &env.Step{Before: d.before, Action: a, Events: d.tape.Marked(), After: s}) {
			if !seen[text] {
				seen[text] = true
				counts[text]++
				if counts[text] == 1 {
					move.Perhaps = append(move.Perhaps, Possibility{Text: text})
				}
			}
		}
	}
	perhaps := []Possibility{}
	for _, possible := range move.Perhaps {
		if n := counts[possible.Text]; n == len(d.samples) {
			move.Story = append(move.Story, possible.Text)
		} else {
			possible.Share = float64(n) / float64(len(d.samples))
			perhaps = append(perhaps, possible)
		}
	}
	slices.SortStableFunc(perhaps, func(x, y Possibility) int { return cmp.Compare(y.Share, x.Share) })
	move.Perhaps = perhaps[:min(len(perhaps), maxPossible)]
	d.draft.Moves = append(d.draft.Moves, move)
	switch {
	case luck:
		d.draft.Open, d.draft.End = false, "something comes to light, by chance or from a secret"
	case over:
		d.draft.Open, d.draft.End = false, "the game ends"
	case left && others >= 0:
		d.draft.Open, d.draft.End = false, fmt.Sprintf("player %d decides", others)
	case left:
		d.draft.Open, d.draft.End = false, "another seat decides"
	}
	return nil
}

// tell is the story of a step in a sample, whose changes it adds up.
func (d *drafting) tell(sample int, step *env.Step) (texts []string) {
	if d.narrator == nil {
		for _, s := range step.Seen(d.p) {
			texts = append(texts, s.Text)
		}
		return texts
	}
	for _, sentence := range d.narrator.Tell(step, d.p) {
		texts = append(texts, sentence.Text)
		for _, c := range sentence.Changes {
			if c.Said {
				continue
			}
			k := slices.IndexFunc(d.totals, func(x total) bool { return x.player == c.Player && x.what == c.What })
			if k < 0 {
				k = len(d.totals)
				d.totals = append(d.totals, total{c.Player, c.What, c.Now - c.By, make([]int, len(d.samples))})
			}
			d.totals[k].by[sample] += c.By
		}
	}
	return texts
}

// finish looks at where the draft leads.
func (d *drafting) finish() (*Draft, error) {
	for _, x := range d.totals {
		low, high := slices.Min(x.by), slices.Max(x.by)
		if low == 0 && high == 0 {
			continue
		}
		text, err := d.narrator.Words().Spread(d.p, x.player, x.what, x.was, low, high)
		if err != nil {
			return nil, err
		}
		d.draft.Changes = append(d.draft.Changes, text)
	}
	if !d.draft.Open {
		return d.draft, nil
	}
	first := d.samples[0]
	d.draft.Board, d.draft.Text = env.Drawing(first, d.p), env.TextView(first, d.p)
	if asker, ok := first.(env.Asker); ok {
		d.draft.Question = asker.Question(d.p)
		d.draft.Inside, d.draft.Same = asker.Inside() != "", d.same()
	}
	d.draft.Choices = d.t.choices(first, d.p)
	d.draft.Sealed = sealed(first)
	return d.draft, nil
}

// same is how often the last move could be made again, each time as an answer to the same question.
func (d *drafting) same() int {
	planned := len(d.draft.Moves)
	if planned == 0 {
		return 0
	}
	a, kind := d.draft.Moves[planned-1].Action, d.before.(env.Asker).Inside()
	s, mask := d.before, make(env.Mask, d.t.info.MaskWords())
	s.CopyFrom(d.samples[0])
	for n := range maxDraft - planned {
		if kind == "" || s.Actor() != d.p || s.(env.Asker).Inside() != kind {
			return n
		}
		if s.Legal(mask); !mask.Has(a) {
			return n
		}
		d.tape.Rewind()
		if s.Apply(a, &d.tape); len(d.tape.Events()) > 0 {
			return n + 1
		}
		mask.Clear()
	}
	return maxDraft - planned
}

// An InterruptedError is a plan that could not be carried out whole: what was played stands.
type InterruptedError struct {
	Played, Planned int
	Reason          string
}

func (e *InterruptedError) Error() string {
	return fmt.Sprintf("%d of %d decisions are played; %s: look again and decide anew", e.Played, e.Planned, e.Reason)
}

// PlayAll plays decisions of the person in seat p one after the other, each as Play does, from a step on. It stops with
// an *InterruptedError where something has come to light, the seat is asked no more, or a decision is illegal by
// now, unless nothing has been played yet.
func (t *Table) PlayAll(p env.Player, step int, actions []env.Action) error {
	if len(actions) == 0 || len(actions) > maxDraft {
		return fmt.Errorf("%d decisions: a plan has 1 to %d", len(actions), maxDraft)
	}
	played := 0
	return t.act(p, step, func() error {
		for i, a := range actions {
			reason := ""
			switch {
			case i > 0 && t.moves[len(t.moves)-1].revealed:
				reason = "then something came to light"
			case i > 0 && t.ref.Actor() != p:
				reason = "then the seat was asked no more"
			case a < 0 || int(a) >= len(t.info.Actions):
				reason = fmt.Sprintf("there is no action %d", a)
			default:
				if err := t.play(a); err != nil {
					if i == 0 {
						return err
					}
					reason = err.Error()
				}
			}
			if reason != "" {
				return &InterruptedError{played, len(actions), reason}
			}
			played++
		}
		return nil
	})
}

// choices are the choices of the actor of s, as a viewer reads them.
func (t *Table) choices(s env.State, viewer env.Player) (list []Choice) {
	sample, after := t.game.New(), t.game.New()
	sample.CopyFrom(s)
	sample.Redeal(viewer, 0)
	var tape env.Tape
	for _, a := range env.LegalActions(s) {
		c := t.choice(s, a, viewer)
		after.CopyFrom(sample)
		tape.Rewind()
		after.Apply(a, &tape)
		asker, ok := after.(env.Asker)
		c.More = ok && after.Actor() == viewer && len(tape.Events()) == 0 && asker.Inside() != ""
		list = append(list, c)
	}
	return list
}

func (t *Table) choice(s env.State, a env.Action, viewer env.Player) Choice {
	return t.speaker().Choice(s, a, viewer)
}

// Choice tells of a legal action; in the words of the action table where the game has no others.
func (s *Speaker) Choice(of env.State, a env.Action, viewer env.Player) Choice {
	c := Choice{Action: a, Family: of.Game().Info().Actions[a].Family, Text: env.ActionText(of, a)}
	if asker, ok := of.(env.Asker); ok {
		what, which := asker.About(a)
		c.What, c.Which = s.Spoken(what, viewer), s.Spoken(which, viewer)
		return c
	}
	c.What, c.Which = c.Family, strings.TrimPrefix(strings.TrimPrefix(c.Text, c.Family), " ")
	return c
}
