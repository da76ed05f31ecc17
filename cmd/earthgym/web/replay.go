package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/story"
)

// ReplayOptions say what a replay shows.
type ReplayOptions struct {
	Seat   *env.Player // show what this seat saw alone; nil shows spectators and every seat
	Report string      // the address of the report that the game belongs to; "" is none
	Made   string      // what made the page
}

var (
	//go:embed replay/page.html
	replayPage string
	//go:embed replay/page.css
	replayStyle string
	//go:embed replay/page.js
	replayScript string
)

// WriteReplay verifies a record and writes it as one page that needs nothing else: the board at each decision, the
// story, the scores, for every seat or for one. It opens from a file, without a network.
func WriteReplay(w io.Writer, rec *record.Record, g env.Game, o ReplayOptions) error {
	f, err := newFilm(rec, g)
	if err != nil {
		return err
	}
	told, err := f.replay(o.Seat)
	if err != nil {
		return err
	}
	packed, err := told.pack()
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(replayScript))
	t, err := template.New("page").Parse(replayPage)
	if err != nil {
		return err
	}
	info, seed := g.Info(), ""
	if o.Seat == nil {
		seed = fmt.Sprint(rec.Header.Seed)
	}
	return t.Execute(w, struct {
		Title, Game, Made, Report, Hash string
		Seed                            string // "" on a seat's page: all that the seat did not see follows from it
		Style                           template.CSS
		Script                          template.JS
		Data                            template.HTML // text of base64, which needs no escape
	}{
		Title: info.Title, Game: info.Short, Made: o.Made, Report: o.Report, Seed: seed,
		Hash:  base64.StdEncoding.EncodeToString(sum[:]),
		Style: template.CSS(replayStyle), Script: template.JS(replayScript), Data: template.HTML(packed),
	})
}

// A replay is what the page's script reads.
type replay struct {
	Seats   []string    `json:"seats"`   // who played
	Colours []string    `json:"colours"` // of the seats
	Lines   []string    `json:"lines"`   // of which the boards are made
	Views   []*eyes     `json:"views"`   // one for each who looks
	Scores  [][]float64 `json:"scores"`  // by position and seat; none where one seat looks
}

// Eyes are the game as a viewer saw it, by position; where one seat looks, by those that the seat could count.
type eyes struct {
	Viewer env.Player   `json:"viewer"`
	Boards []*boardEdit `json:"boards"` // null: as before
	Actors []env.Player `json:"actors"` // who decides
	Story  [][]string   `json:"story"`  // what led to the position

	last []int
}

// A boardEdit makes a board of the one before it: all lines anew, or pairs of a place and the line there.
type boardEdit struct {
	All []int `json:"all,omitempty"`
	Set []int `json:"set,omitempty"`
}

// replay is the film for spectators and every seat, or as one seat saw it.
func (f *film) replay(seat *env.Player) (*replay, error) {
	sight := f.sight()
	told := &replay{Seats: sight.Seats[:len(f.rec.Header.Agents)], Colours: sight.Colours[:len(f.rec.Header.Agents)]}
	numbers := map[string]int{} // of lines
	var svg []byte
	show := func(v *eyes, n int) {
		v.Actors = append(v.Actors, env.ActorSeenBy(f.states[n], v.Viewer))
		if d, ok := f.states[n].(env.Drawer); ok {
			svg = d.AppendSVG(svg[:0], v.Viewer)
		}
		var lines []int
		for line := range strings.Lines(string(svg)) {
			k, known := numbers[line]
			if !known {
				k = len(told.Lines)
				numbers[line] = k
				told.Lines = append(told.Lines, line)
			}
			lines = append(lines, k)
		}
		v.Boards = append(v.Boards, v.edit(lines))
	}
	if seat == nil {
		told.Scores = f.scores
		told.Views = []*eyes{{Viewer: env.Spectator}}
		for p := range env.Player(f.game.Info().Players) {
			told.Views = append(told.Views, &eyes{Viewer: p})
		}
		for _, v := range told.Views {
			var err error
			if v.Story, err = f.story(v.Viewer); err != nil {
				return nil, err
			}
		}
		for n := range f.states {
			for _, v := range told.Views {
				show(v, n)
			}
		}
		return told, nil
	}
	// A position is shown as it is before the next decision that the seat witnesses: what others decide in secret
	// goes with it.
	v, onlooker, at := &eyes{Viewer: *seat}, env.NewOnlooker(*seat), 0
	narrator, err := story.NewNarrator(f.game)
	if err != nil {
		return nil, err
	}
	for n := range f.steps {
		step, witnessed := onlooker.Hear(&f.steps[n])
		if step == nil {
			continue
		}
		if witnessed {
			show(v, at)
		}
		if witnessed || n == 0 {
			v.Story = append(v.Story, []string{})
		}
		for _, s := range narrator.Tell(step, *seat) {
			v.Story[len(v.Story)-1] = append(v.Story[len(v.Story)-1], s.Text)
		}
		at = n
	}
	show(v, at)
	told.Views = []*eyes{v}
	return told, narrator.Err()
}

// edit is what makes a board of the last one of the view: whichever way is shorter.
func (v *eyes) edit(lines []int) *boardEdit {
	last := v.last
	v.last = lines
	if len(last) != len(lines) {
		return &boardEdit{All: lines}
	}
	var set []int
	for i, k := range lines {
		if last[i] != k {
			set = append(set, i, k)
		}
	}
	switch {
	case set == nil:
		return nil
	case len(set) >= len(lines):
		return &boardEdit{All: lines}
	}
	return &boardEdit{Set: set}
}

// pack is the replay as JSON, compressed, as text.
func (g *replay) pack() (string, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		err = json.NewEncoder(z).Encode(g)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return "", fmt.Errorf("the page's data: %w", err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
