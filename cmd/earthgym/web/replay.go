//go:build !js

package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
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
	//go:embed replay/wire.js
	replayWire string
	//go:embed replay/unpack.js
	replayUnpack string
)

// WriteReplay verifies a record and writes it as one page that needs nothing else: the page that looks at records
// (Watch), with the game in it: board, story and scores at each decision, for every seat or for one. It opens from a
// file, without a network.
func WriteReplay(w io.Writer, rec *record.Record, g env.Game, o ReplayOptions) error {
	f, err := newRecording(rec, g)
	if err != nil {
		return err
	}
	shown, err := f.replay(o.Seat)
	if err != nil {
		return err
	}
	text, err := replayPage()
	if err != nil {
		return err
	}
	if shown.Script, err = bundle("watch.js"); err != nil {
		return err
	}
	for _, name := range []string{"style.css", "watch.css"} {
		text, err := fs.ReadFile(page, "page/"+name)
		if err != nil {
			return err
		}
		shown.Style += string(text)
	}
	packed, err := shown.pack()
	if err != nil {
		return err
	}
	links := ""
	if o.Made != "" {
		links += fmt.Sprintf("<meta name=\"generator\" content=\"%s\">\n", html.EscapeString(o.Made))
	}
	if o.Report != "" {
		links += fmt.Sprintf("<link rel=\"up\" href=\"%s\">\n", html.EscapeString(o.Report))
	}
	_, err = strings.NewReplacer(
		"{{links}}", links,
		"{{title}}", html.EscapeString(shown.Recording.Title),
		"{{policy}}", fmt.Sprintf("default-src 'none'; img-src blob:; style-src '%s'; script-src '%s' '%s'; base-uri "+
			"'none'; "+
			"form-action 'none'", hashOf(shown.Style), hashOf(replayUnpack), hashOf(shown.Script)),
		"{{data}}", packed,
		"{{unpack}}", replayUnpack,
	).WriteString(w, text)
	return err
}

// hashOf names a script or a style in the page's policy, which allows no others.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// replayPage is the page that looks at records, with places for what it otherwise loads.
func replayPage() (string, error) {
	text, err := fs.ReadFile(page, "page/watch.html")
	if err != nil {
		return "", err
	}
	head, rest, ok := strings.Cut(string(text), "<title>earthgym</title>\n")
	_, body, found := strings.Cut(rest, "</head>\n")
	body, end, closed := strings.Cut(body, "</body>")
	if !ok || !found || !closed {
		return "", fmt.Errorf("watch.html has no head of the form that a replay needs")
	}
	return head + `<meta http-equiv="Content-Security-Policy" content="{{policy}}">
<title>{{title}}</title>
{{links}}</head>
` + body + `<script id="data" type="application/octet-stream">{{data}}</script>
<script>{{unpack}}</script>
</body>` + end, nil
}

var (
	imported  = regexp.MustCompile(`(?m)^import (\{[^}]*\}) from "\./([a-z]+\.js)";\n`)
	exported  = regexp.MustCompile(`(?m)^export ((?:async )?(?:function|const|class) ([\w$]+))`)
	unbundled = regexp.MustCompile(`(?m)^(?:import|export)\b.*`)
)

// bundle is a module of the page as one script, with those that it needs before it: each is a function that gives what
// it exports.
func bundle(name string) (string, error) {
	var b strings.Builder
	b.WriteString("\"use strict\";\n")
	var done []string
	var add func(name string) error
	add = func(name string) error {
		if slices.Contains(done, name) {
			return nil
		}
		done = append(done, name)
		text := replayWire
		if name != "wire.js" {
			file, err := fs.ReadFile(page, "page/"+name)
			if err != nil {
				return err
			}
			text = string(file)
		}
		for _, m := range imported.FindAllStringSubmatch(text, -1) {
			if err := add(m[2]); err != nil {
				return err
			}
		}
		text = imported.ReplaceAllStringFunc(text, func(line string) string {
			m := imported.FindStringSubmatch(line)
			return fmt.Sprintf("const %s = %s;\n", m[1], moduleName(m[2]))
		})
		var names []string
		for _, m := range exported.FindAllStringSubmatch(text, -1) {
			names = append(names, m[2])
		}
		text = exported.ReplaceAllString(text, "$1")
		if line := unbundled.FindString(text); line != "" {
			return fmt.Errorf("%s: a replay can't have %q", name, line)
		}
		fmt.Fprintf(&b, "const %s = (() => {\n%sreturn { %s };\n})();\n", moduleName(name), text, strings.Join(names, ", "))
		return nil
	}
	err := add(name)
	return b.String(), err
}

func moduleName(file string) string { return "module_" + strings.TrimSuffix(file, ".js") }

// A replay is what the page unpacks.
type replay struct {
	Style     string       `json:"style"`
	Script    string       `json:"script"`
	Recording *replaySight `json:"film"`
	Lines     []string     `json:"lines"` // of which the boards are made
	Views     []*eyes      `json:"views"` // one for each who looks
}

// A replaySight is a recording that is in its page.
type replaySight struct {
	*recordingSight
	Alone bool         `json:"alone"`          // nothing else can be asked for
	Eyes  []env.Player `json:"eyes,omitempty"` // whose the views are, if they are not spectators' and all seats'
}

// Eyes are the game as a viewer saw it, by position; where one seat looks, by those that the seat could count.
type eyes struct {
	Viewer    env.Player   `json:"viewer"`
	Boards    []*boardEdit `json:"boards"` // edits of the first view's boards; of that, of its board before
	Actors    []env.Player `json:"actors"` // who decides
	Questions []string     `json:"questions"`
	Lasts     []env.Action `json:"lasts"` // what led to the position
	Story     [][]string   `json:"story"`

	lines []int // of the last board
	edit  boardEdit
}

// A boardEdit makes a board of another one: all lines anew, or pairs of a place and the line there. Where it is null,
// the first view's board is as before, and another one is edited as before.
type boardEdit struct {
	All []int `json:"all,omitempty"`
	Set []int `json:"set,omitempty"`
}

// replay is the recording for spectators and every seat, or as one seat saw it.
func (f *recording) replay(seat *env.Player) (*replay, error) {
	shown := &replay{Recording: &replaySight{recordingSight: f.sight(), Alone: true}}
	numbers := map[string]int{} // of lines
	show := func(v *eyes, n int, last env.Action) {
		now := f.frame(n, v.Viewer)
		if now.Actor < 0 {
			now.Question = "" // It would tell a seat whether anybody is asked.
		}
		v.Actors, v.Questions = append(v.Actors, now.Actor), append(v.Questions, now.Question)
		v.Lasts = append(v.Lasts, last)
		var lines []int
		for line := range strings.Lines(now.Board) {
			k, known := numbers[line]
			if !known {
				k = len(shown.Lines)
				numbers[line] = k
				shown.Lines = append(shown.Lines, line)
			}
			lines = append(lines, k)
		}
		of := shown.Views[0]
		edit := editOf(of.lines, lines)
		if v.lines = lines; reflect.DeepEqual(edit, v.edit) {
			v.Boards = append(v.Boards, nil)
			return
		}
		if v != of {
			v.edit = edit
		}
		v.Boards = append(v.Boards, &edit)
	}
	if seat == nil {
		shown.Views = []*eyes{{Viewer: env.Spectator}}
		for p := range env.Player(f.game.Info().Players) {
			shown.Views = append(shown.Views, &eyes{Viewer: p})
		}
		for _, v := range shown.Views {
			var err error
			if v.Story, err = f.story(v.Viewer); err != nil {
				return nil, err
			}
		}
		for n := range f.states {
			for _, v := range shown.Views {
				show(v, n, f.frame(n, v.Viewer).Last)
			}
		}
		return shown, nil
	}
	// A position is shown as it is before the next decision that the seat witnesses: what others decide in secret
	// goes with it. All that the seat did not see follows from the seed.
	v, onlooker, at := &eyes{Viewer: *seat}, env.NewOnlooker(*seat), 0
	last := env.Action(-1)
	shown.Views = []*eyes{v}
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
			show(v, at, last)
			// Others' moves are not marked: where some of them are hidden, the marks would tell when.
			if last = -1; step.Before != nil && step.Before.Actor() == *seat {
				last = step.Action
			}
		}
		if witnessed || n == 0 {
			v.Story = append(v.Story, []string{})
		}
		last := &v.Story[len(v.Story)-1]
		*last = f.tell(*last, narrator, step, *seat)
		at = n
	}
	show(v, at, last)
	shown.Recording.Eyes, shown.Recording.Decisions = []env.Player{*seat}, len(v.Boards)-1
	shown.Recording.Seed, shown.Recording.Scores = "", nil
	return shown, narrator.Err()
}

// editOf is what makes a board of another one: whichever way is shorter.
func editOf(last, lines []int) boardEdit {
	if len(last) != len(lines) {
		return boardEdit{All: lines}
	}
	var set []int
	for i, k := range lines {
		if last[i] != k {
			set = append(set, i, k)
		}
	}
	if len(set) > len(lines) {
		return boardEdit{All: lines}
	}
	return boardEdit{Set: set}
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
