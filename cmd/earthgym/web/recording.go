package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/decode"
	"earthgym/env/record"
	"earthgym/env/scenario"
	"earthgym/env/spelling"
	"earthgym/env/story"
)

// A recording is a recorded game that can be looked at anywhere.
type recording struct {
	rec    *record.Record
	game   env.Game
	states []env.State // before each decision, and at last the position as it stands
	steps  []env.Step  // what led to each of them
	scores [][]float64
	agents []string // that may be asked
	tells  *table.Speaker

	mu      sync.Mutex
	stories map[env.Player][][]string // by viewer, once somebody has asked
}

// newRecording verifies a record and keeps its positions.
func newRecording(rec *record.Record, g env.Game) (*recording, error) {
	f := &recording{rec: rec, game: g, stories: map[env.Player][][]string{}}
	f.tells = table.SpeakerOf(table.FromOne, g.Info(), rec.Header.Agents)
	err := rec.Follow(g, func(_ int, step *env.Step) error {
		s := g.New()
		s.CopyFrom(step.After)
		kept := env.Step{Action: step.Action, Events: slices.Clone(step.Events), After: s}
		if step.Before != nil {
			kept.Before = f.states[len(f.states)-1]
		}
		f.states, f.steps = append(f.states, s), append(f.steps, kept)
		scores := make([]float64, g.Info().Players)
		s.Scores(scores)
		f.scores = append(f.scores, scores)
		return nil
	})
	return f, err
}

// recordingSight tells what never changes about a recording.
type recordingSight struct {
	Title     string            `json:"title"`
	Game      string            `json:"game"`
	Seed      string            `json:"seed"` // as text: numbers of pages end at 2^53; "" without one
	Seats     []table.SeatSight `json:"seats"`
	Colours   []string          `json:"colours"`
	Decisions int               `json:"decisions"`
	Actions   []string          `json:"actions"` // texts of the action table
	Scores    [][]float64       `json:"scores"`  // by position and seat
	Result    *result           `json:"result"`
	Agents    []string          `json:"agents"`
}

func (f *recording) sight() *recordingSight {
	info := f.game.Info()
	v := &recordingSight{
		Title: cmp.Or(info.Title, info.Name), Game: info.Short, Decisions: len(f.rec.Moves), Scores: f.scores,
		Colours: colours(info), Agents: append([]string{}, f.agents...),
	}
	if !f.rec.Header.Listed {
		v.Seed = fmt.Sprint(f.rec.Header.Seed)
	}
	for p, text := range f.rec.Header.Agents {
		kind, _, _ := strings.Cut(text, ":")
		v.Seats = append(v.Seats, table.SeatSight{
			Name: spelling.Printable(text), Person: kind == table.Person, Called: f.tells.Called(env.Player(p)),
		})
	}
	for _, a := range info.Actions {
		v.Actions = append(v.Actions, a.Text)
	}
	if last := f.states[len(f.states)-1]; last.Actor() == env.Over {
		r := env.ResultOf(last, len(f.rec.Moves))
		v.Result = &result{r.Winners.List(), r.Scores, r.Returns, r.Reason, why(info, r.Reason)}
	}
	return v
}

// story is what led to each position, as a viewer may know it; in plain texts for a game that tells none.
func (f *recording) story(viewer env.Player) ([][]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if told, ok := f.stories[viewer]; ok {
		return told, nil
	}
	told := make([][]string, len(f.steps))
	var narrator *story.Narrator
	if _, ok := f.game.(story.Storied); ok {
		var err error
		if narrator, err = story.NewNarrator(f.game); err != nil {
			return nil, err
		}
	}
	for n := range f.steps {
		told[n] = []string{}
		if narrator == nil {
			for _, s := range f.steps[n].Seen(viewer) {
				told[n] = append(told[n], f.tells.Spoken(s.Text, viewer))
			}
			continue
		}
		told[n] = f.tell(told[n], narrator, &f.steps[n], viewer)
	}
	if narrator != nil && narrator.Err() != nil {
		return nil, narrator.Err()
	}
	f.stories[viewer] = told
	return told, nil
}

// tell appends what a step brought, as a viewer reads it.
func (f *recording) tell(dst []string, narrator *story.Narrator, step *env.Step, viewer env.Player) []string {
	for _, s := range narrator.Tell(step, viewer) {
		dst = append(dst, f.tells.Spoken(s.Text, viewer))
	}
	return dst
}

// A frame is a position as a viewer sees it.
type frame struct {
	Board    string     `json:"board"`
	Text     string     `json:"text"`
	Actor    env.Player `json:"actor"` // as the viewer may know it
	Question string     `json:"question"`
	Last     env.Action `json:"last"` // that led here, -1 if the viewer has not seen it
}

func (f *recording) frame(n int, viewer env.Player) *frame {
	s := f.states[n]
	v := &frame{Actor: env.ActorSeenBy(s, viewer), Last: -1, Board: env.Drawing(s, viewer),
		Text: f.tells.Spoken(env.TextView(s, viewer), env.Over)}
	if v.Actor != env.Over {
		v.Question = f.tells.Spoken(env.Question(s, viewer), viewer)
	}
	if n > 0 {
		step := &f.steps[n]
		if seen, ok := env.Witnessed(step.Before, viewer, step.Action); ok &&
			seen.Text == env.ActionText(step.Before, step.Action) {
			v.Last = step.Action
		}
	}
	return v
}

// scenario is a scenario file that leads to position n: the position itself where it can be written so, and otherwise
// the decisions that lead there.
func (f *recording) scenario(n int) ([]byte, error) {
	info := f.game.Info()
	head := fmt.Sprintf("# Decision %d of a recorded game.\n", n)
	if info.DataHash != "" && f.rec.Header.Data != "" {
		head += fmt.Sprintf("# Its component data have the hash %s.\n", f.rec.Header.Data)
	}
	type step struct {
		Play string `toml:"play"`
	}
	file := struct {
		Game     string         `toml:"game"`
		Seed     any            `toml:"seed"`
		Position map[string]any `toml:"position,omitempty"`
		Step     []step         `toml:"step,omitempty"`
	}{Game: info.Text, Seed: int64(f.rec.Header.Seed)}
	if f.rec.Header.Seed > 1<<63-1 {
		file.Seed = fmt.Sprint(f.rec.Header.Seed)
	}
	position, err := positionOf(f.states[n])
	if err == nil {
		file.Position = position
		if b, err := toml.Marshal(file); err == nil && f.leadsTo(b, n, false) {
			return append([]byte(head), b...), nil
		}
	}
	file.Position = nil
	if f.rec.Header.Position != nil {
		if file.Position, err = positionOf(f.states[0]); err != nil {
			return nil, err
		}
	}
	for _, m := range f.rec.Moves[:n] {
		file.Step = append(file.Step, step{m.Action})
	}
	b, err := toml.Marshal(file)
	if err != nil {
		return nil, err
	}
	if !f.leadsTo(b, n, true) {
		return nil, fmt.Errorf("decision %d can't be written as a scenario", n)
	}
	return append([]byte(head), b...), nil
}

// positionOf is the position of a State as TOML can hold it: whole numbers stay whole, and what is null is left out.
func positionOf(s env.State) (map[string]any, error) {
	var position map[string]any
	if err := decode.Numbers(s.AppendPosition(nil), &position); err != nil {
		return nil, err
	}
	return tomlOf(position).(map[string]any), nil
}

func tomlOf(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		x, _ := v.Float64()
		return x
	case map[string]any:
		for key, x := range v {
			if v[key] = tomlOf(x); x == nil {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = tomlOf(v[i])
		}
	}
	return v
}

// leadsTo says whether a scenario leads to position n, with its luck too if that is wanted.
func (f *recording) leadsTo(b []byte, n int, luck bool) bool {
	sc, err := scenario.Parse("scenario.toml", b)
	if err != nil {
		return false
	}
	open := func(string, []datafile.File) (env.Game, error) { return f.game, nil }
	if len(sc.Step) > 0 {
		at := 0
		err := sc.Follow(open, func(step *env.Step) error {
			if at++; at == n && !step.After.Equal(f.states[n]) {
				return fmt.Errorf("it leads elsewhere")
			}
			return nil
		})
		return err == nil && at == n
	}
	if luck && f.rec.Header.Position == nil {
		return n == 0
	}
	if len(sc.Position) == 0 {
		return false
	}
	s := f.game.New()
	s.Reset(f.rec.Header.Seed, nil)
	return env.PatchPosition(s, sc.Position) == nil && s.EqualPosition(f.states[n])
}
