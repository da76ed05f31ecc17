// Package replaypage writes a recorded game as one HTML page that needs nothing else: the board at each decision, the
// story, the scores, for every seat or for one. It opens from a file, without a network.
package replaypage

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
	"earthgym/env/board"
	"earthgym/env/record"
	"earthgym/env/spelling"
	"earthgym/env/story"
)

// Options say what a page shows.
type Options struct {
	Seat   *env.Player // show what this seat saw alone; nil shows spectators and every seat
	Report string      // the address of the report that the game belongs to; "" is none
	Made   string      // what made the page
}

var (
	//go:embed page.html
	page string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// Write verifies a record and writes its page.
func Write(w io.Writer, rec *record.Record, g env.Game, o Options) error {
	game, err := tell(rec, g, o)
	if err != nil {
		return err
	}
	packed, err := pack(game)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(script))
	t, err := template.New("page").Parse(page)
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
		Style: template.CSS(style), Script: template.JS(script), Data: template.HTML(packed),
	})
}

// A game is what the page's script reads.
type game struct {
	Seats   []string    `json:"seats"`   // who played
	Colours []string    `json:"colours"` // of the seats
	Lines   []string    `json:"lines"`   // of which the boards are made
	Views   []*view     `json:"views"`   // one for each who looks
	Scores  [][]float64 `json:"scores"`  // by position and seat; none where one seat looks
}

// A view is the game as a viewer saw it, by position; where one seat looks, by those that the seat could count.
type view struct {
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

func tell(rec *record.Record, g env.Game, o Options) (*game, error) {
	narrator, err := story.NewNarrator(g)
	if err != nil {
		return nil, err
	}
	told := &game{}
	for p, name := range rec.Header.Agents {
		told.Seats = append(told.Seats, spelling.Printable(name))
		told.Colours = append(told.Colours, board.Seats[p%len(board.Seats)].Fill)
	}
	if o.Seat != nil {
		told.Views = []*view{{Viewer: *o.Seat}}
	} else {
		told.Views = []*view{{Viewer: env.Spectator}}
		for p := range env.Player(g.Info().Players) {
			told.Views = append(told.Views, &view{Viewer: p})
		}
	}
	numbers := map[string]int{} // of lines
	var svg []byte
	show := func(v *view, s env.State) {
		v.Actors = append(v.Actors, env.ActorSeenBy(s, v.Viewer))
		if d, ok := s.(env.Drawer); ok {
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
	story := func(v *view, step *env.Step) {
		at := len(v.Story) - 1
		for _, s := range narrator.Tell(step, v.Viewer) {
			v.Story[at] = append(v.Story[at], s.Text)
		}
	}
	if o.Seat != nil {
		// A position is shown as it is before the next decision that the seat witnesses: what others decide in secret
		// goes with it.
		v, onlooker, at := told.Views[0], env.NewOnlooker(*o.Seat), g.New()
		err = rec.Follow(g, func(n int, step *env.Step) error {
			step, witnessed := onlooker.Hear(step)
			if step == nil {
				return nil
			}
			if witnessed {
				show(v, at)
			}
			if witnessed || n == 0 {
				v.Story = append(v.Story, []string{})
			}
			story(v, step)
			at.CopyFrom(step.After)
			return nil
		})
		if err == nil {
			show(v, at)
		}
	} else {
		err = rec.Follow(g, func(_ int, step *env.Step) error {
			for _, v := range told.Views {
				v.Story = append(v.Story, []string{})
				story(v, step)
				show(v, step.After)
			}
			scores := make([]float64, g.Info().Players)
			step.After.Scores(scores)
			told.Scores = append(told.Scores, scores)
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return told, narrator.Err()
}

// edit is what makes a board of the last one of the view: whichever way is shorter.
func (v *view) edit(lines []int) *boardEdit {
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

// pack is the game as JSON, compressed, as text.
func pack(g *game) (string, error) {
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
