package record_test

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/env/referee"
)

// table plays actions at a referee's table.
func table(t *testing.T, players int, seed uint64, actions ...env.Action) *referee.Referee {
	t.Helper()
	ref := must.Have(referee.New(kuhn.Open(players), seed))(t)
	for _, a := range actions {
		must.Do(t, ref.Play(a))
	}
	return ref
}

func written(t *testing.T, rec *record.Record) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, rec.Write(&b))
	return b.String()
}

// showdown is the record of a game with a bet that is called.
func showdown(t *testing.T) string {
	return written(t, table(t, 2, 1, kuhn.Pass, kuhn.Bet, kuhn.Bet).Record([]string{"alice", "bob"}))
}

// What a replay can't tell is as it was written: any other header or footer is refused, whatever of it was changed, and
// so is how long a decision took, once the game is over.
func TestRecordIsSealed(t *testing.T) {
	rec := table(t, 2, 1, kuhn.Pass, kuhn.Bet, kuhn.Bet).Record([]string{"alice", "bob"})
	rec.Header.Hashes, rec.Header.Made, rec.Header.Program = []string{"00ff", ""}, []string{"net:,argmax", ""},
		"earthgym 1"
	rec.Header.Date, rec.Header.Meta, rec.Moves[1].Milliseconds = "2026-11-23T10:00:00Z",
		map[string]string{"event": "cup"}, 12
	whole := written(t, rec)
	lines := strings.SplitAfter(whole, "\n")
	for _, change := range [][2]string{
		{"alice", "alicia"}, {"00ff", "00fe"}, {"argmax", "argmin"}, {"earthgym 1", "earthgym 2"}, {"23T10", "23T11"},
		{"cup", "cap"},
		{`"ms":12`, `"ms":13`}, {`,"ms":12`, ``}, {`"reason":"showdown"`, `"reason":"fold"`},
		{`"decisions":3`, `"decisions":4`},
		{lines[1], ""}, {`"sum":"`, `"sum":"0`}, {`"seed":1,`, `"seed":2,`},
	} {
		changed := strings.Replace(whole, change[0], change[1], 1)
		if changed == whole {
			t.Fatalf("there is no %s in %s", change[0], whole)
		}
		_, err := record.Read("r", strings.NewReader(changed))
		if err == nil || change[0] != lines[1] && !strings.Contains(err.Error(), "its checksum is another one") {
			t.Errorf("%s for %s: %v", change[1], change[0], err)
		}
	}
	for line, name := range map[int]string{0: "r:1: header", 4: "r:5: footer"} {
		changed := slices.Clone(lines)
		changed[line] = regexp.MustCompile(`,"sum":"\w*"`).ReplaceAllString(changed[line], "")
		if _, err := record.Read("r", strings.NewReader(strings.Join(changed, ""))); err == nil ||
			!strings.HasPrefix(err.Error(), name+": it carries no checksum") {
			t.Errorf("without a checksum: %v", err)
		}
	}
	// A footer is of one record alone.
	other := written(t, table(t, 2, 1, kuhn.Pass, kuhn.Bet, kuhn.Bet).Record([]string{"bob", "alice"}))
	if _, err := record.Read("r",
		strings.NewReader(strings.Join(lines[:4], "")+strings.SplitAfter(other, "\n")[4])); err == nil {
		t.Error("the footer of another record is taken")
	}
	for n := 1; n <= 4; n++ { // Of a game that was left in the middle there is the beginning.
		if _, err := record.Read("r", strings.NewReader(strings.Join(lines[:n], ""))); err != nil {
			t.Errorf("%d lines: %v", n, err)
		}
	}
}

func TestRecordErrors(t *testing.T) {
	whole := showdown(t)
	lines := strings.SplitAfter(whole, "\n")
	for _, tt := range []struct{ what, text, want string }{
		{"empty", "", "r: an empty file is no record"},
		{"half a header", lines[0][:20], "r:1: half a line"},
		{"half a line", lines[0] + lines[1][:9], "r:2: half a line: the record was cut off"},
		{"no header", lines[1], `r:1: header: unknown field "n": there are: `},
		{"no format", strings.Replace(whole, `"format":"earthgym-record/3"`, `"format":""`, 1),
			"r:1: header: it does not say the format"},
		{"another format", strings.Replace(whole, "earthgym-record/3", "earthgym-record/2", 1),
			`r:1: format "earthgym-record/2"; this program reads "earthgym-record/3"`},
		{"no action hash", strings.Replace(whole, kuhn.Open(2).Info().ActionHash(), "", 1),
			"r:1: header: action_hash, observation_hash and encoding must stand in it"},
		{"unknown field", strings.Replace(whole, `"player":0`, `"plyer":0`, 1),
			`r:2: decision: unknown field "plyer": did you mean "player"? there are: action, chance, ms, n, notes, player`},
		{"unknown field of the footer", strings.Replace(whole, `"reason"`, `"cause"`, 1),
			`r:5: footer: unknown field "cause"`},
		{"wrong type", strings.Replace(whole, `"player":0`, `"player":"0"`, 1), "r:2: decision: player: a text stands " +
			"where a whole number is needed"},
		{"wrong number", strings.Replace(whole, `"n":1`, `"n":2`, 1), "r:3: decision n = 2 where 1 comes next"},
		{"line left out", lines[0] + lines[2], "r:2: decision n = 1 where 0 comes next"},
		{"line after the footer", whole + lines[1], "r:6: a line after the footer"},
		{"two values", strings.Replace(whole, lines[1], strings.TrimSpace(lines[1])+"{}\n", 1),
			"r:2: decision: it is not JSON: byte 47: '{' stands after the end"},
		{"a line of Windows", strings.Replace(whole, lines[2], strings.TrimSpace(lines[2])+"\r\n", 1),
			"r:3: the line ends with a carriage return"},
		{"blank line", lines[0] + "\n", "r:2: decision: it is not JSON: it is empty"},
		{"line without an end", strings.Repeat(" ", 2<<20), "r:1: the line is longer than 1048576 bytes"},
		{"long line", strings.Repeat(" ", 1<<20) + "\n", "r:1: the line is longer than 1048576 bytes"},
		{"longest line", strings.Repeat(" ", 1<<20-1) + "\n", "r:1: header: it is not JSON: it is empty"},
	} {
		_, err := record.Read("r", strings.NewReader(envtest.Reseal(tt.text)))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.what, err, tt.want)
		}
	}
	returns := strings.Replace(lines[1], `"pass"`, `"returns"`, 1) // an action, not a footer
	for _, ok := range []string{whole, lines[0], lines[0] + returns, lines[0] + lines[1]} {
		if _, err := record.Read("r", strings.NewReader(ok)); err != nil {
			t.Errorf("%q: %v", ok, err)
		}
	}
}

// A line that says one thing to its reader and another to a lenient parser of JSON is refused, on every
// kind of line.
func TestForgedRecords(t *testing.T) {
	whole := showdown(t)
	lines := strings.SplitAfter(whole, "\n")
	header, move, footer := strings.TrimSpace(lines[0]), strings.TrimSpace(lines[1]), strings.TrimSpace(lines[4])
	const refused = "the line is not written as records are"
	for _, tt := range []struct{ what, line, old, new, want string }{
		{"key twice", header, `"seed":1`, `"seed":7,"seed":1`, "r:1: header: " + refused},
		{"key in another case", header, `"seed":1`, `"seed":7,"Seed":1`, "r:1: header: " + refused},
		{"key in another case alone", header, `"agents"`, `"AGENTS"`, "r:1: header: " + refused},
		{"game twice", header, `"game":`, `"game":"chess","game":`, "r:1: header: " + refused},
		{"no list of agents", header, `["alice","bob"]`, `null`, "r:1: header: " + refused},
		{"key twice", move, `"action":"pass"`, `"action":"FAKE","action":"pass"`, "r:2: decision: " + refused},
		{"key in another case", move, `"action":"pass"`, `"action":"FAKE","Action":"pass"`, "r:2: decision: " + refused},
		{"key in another case first", move, `"action":"pass"`, `"Action":"FAKE","action":"pass"`, "r:2: decision: " +
			refused},
		{"escaped text", move, `"pass"`, `"\u0070ass"`, "r:2: decision: " + refused},
		{"escaped key", move, `"action"`, `"\u0061ction"`, "r:2: decision: " + refused},
		{"player twice", move, `"player":0`, `"player":1,"player":0`, "r:2: decision: " + refused},
		{"another order", move, `"n":0,"player":0`, `"player":0,"n":0`, "r:2: decision: " + refused},
		{"spaces", move, `{"n"`, `{ "n"`, "r:2: decision: " + refused},
		{"empty notes", move, `}`, `,"notes":[]}`, "r:2: decision: " + refused},
		{"no chance", move, `"chance":[]`, `"chance":null`, "r:2: decision: " + refused},
		{"key left out", move, `"player":0,`, ``, "r:2: decision: " + refused},
		{"no number", move, `"n":0`, `"n":null`, "r:2: decision: " + refused},
		{"nothing", move, move, `null`, "r:2: decision: " + refused},
		{"key twice", footer, `"reason":`, `"reason":"fold","reason":`, "r:5: footer: " + refused},
		{"key in another case", footer, `"winners":`, `"winners":[5],"WINNERS":`, "r:5: footer: " + refused},
		{"returns twice", footer, `"returns":`, `"returns":[9,9],"returns":`, "r:5: footer: " + refused},
		{"returns in another case", footer, `"returns"`, `"Returns"`, `r:5: decision: unknown field "Returns"`},
		{"numbers in another form", footer, `"decisions":3`, `"decisions":3e0`, "r:5: footer: "},
	} {
		forged := strings.Replace(tt.line, tt.old, tt.new, 1)
		if forged == tt.line {
			t.Fatalf("%s: there is no %s in %s", tt.what, tt.old, tt.line)
		}
		_, err := record.Read("r", strings.NewReader(envtest.Reseal(strings.Replace(whole, tt.line, forged, 1))))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %s\ngot %v, want %q", tt.what, forged, err, tt.want)
		}
	}
}

func TestReplayErrors(t *testing.T) {
	whole := showdown(t)
	lines := strings.SplitAfter(whole, "\n")
	for _, tt := range []struct{ what, text, want string }{
		{"honest", whole, ""},
		{"running", lines[0] + lines[1], ""},
		{"another seed", strings.Replace(whole, `"seed":1,`, `"seed":2,`, 1), "line 1: set-up chance: the record says ["},
		{"rules", strings.Replace(whole, `"rules":1`, `"rules":2`, 1), "the record was played by rules version 2 of kuhn; " +
			"this program has version 1"},
		{"data", strings.Replace(whole, `"data":"`, `"data":"0`, 1), "pass their file with --data FILE"},
		{"another game", strings.Replace(whole, "kuhn:players=2", "kuhn:players=3", 1),
			`the record is of "kuhn:players=3", not of "kuhn:players=2"`},
		{"another action table", strings.Replace(whole, `"action_hash":"`, `"action_hash":"0`, 1),
			"the record was played with another action table of kuhn (hash 0"},
		{"another encoding", strings.Replace(whole, `"encoding":1`, `"encoding":2`, 1), ""},
		{"an agent too many", strings.Replace(whole, `"bob"`, `"bob","eve"`, 1), "the record names 3 agents for 2 seats"},
		{"an agent too few", strings.Replace(whole, `,"bob"`, ``, 1), "the record names 1 agent for 2 seats"},
		{"player", strings.Replace(whole, `"n":1,"player":1`, `"n":1,"player":0`, 1),
			"line 3, decision 1: player 0 is said to act, but it is player 1's decision"},
		{"action", strings.Replace(whole, `"action":"pass"`, `"action":"fold"`, 1),
			`line 2, decision 0: unknown action "fold"`},
		{"chance", strings.Replace(whole, `"chance":[]`, `"chance":["die = 6"]`, 1),
			"line 2, decision 0: chance: the record says [die = 6], the game gives []"},
		{"note", strings.Replace(whole, `"chance":[]`, `"chance":[],"notes":["a card"]`, 1),
			"line 2, decision 0: notes: the record says [a card]"},
		{"no footer", strings.Join(lines[:4], ""), "line 5: the game is over, but the record has no footer"},
		{"footer too early", strings.Join(lines[:3], "") + lines[4], "line 4: a footer, but the game is not over"},
		{"after the end", strings.Join(lines[:4], "") + strings.Replace(lines[3], `"n":2`, `"n":3`, 1),
			`line 5, decision 3: player 0: "bet" after the end of the game (showdown)`},
		{"winners", strings.Replace(whole, `"winners":[`, `"winners":[5,`, 1), "line 5: winners are"},
		{"reason", strings.Replace(whole, `"showdown"`, `"fold"`, 1), `line 5: the reason is "showdown", not "fold"`},
		{"decisions", strings.Replace(whole, `"decisions":3`, `"decisions":4`, 1), "line 5: there were 3 decisions, not 4"},
		{"returns", strings.Replace(whole, `"returns":[`, `"returns":[0,`, 1), "line 5: returns are"},
		{"scores", strings.Replace(whole, `"scores":[`, `"scores":[0,`, 1), "line 5: scores are"},
	} {
		rec, err := record.Read("r", strings.NewReader(envtest.Reseal(tt.text)))
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		err = rec.Replay(kuhn.Open(2), nil)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.what, err, tt.want)
		}
	}
}

func TestReplayVisits(t *testing.T) {
	rec := table(t, 2, 1, kuhn.Pass, kuhn.Bet, kuhn.Bet).Record(nil)
	var actors []env.Player
	visit := func(n int, s env.State) error {
		if n != len(actors) {
			t.Errorf("decision %d is visited after %v", n, actors)
		}
		actors = append(actors, s.Actor())
		return nil
	}
	if err := rec.Replay(kuhn.Open(2), visit); err != nil || !slices.Equal(actors, []env.Player{0, 1, 0, env.Over}) {
		t.Errorf("visited %v, %v", actors, err)
	}
	enough := errors.New("enough")
	if err := rec.Replay(kuhn.Open(2), func(int, env.State) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}

// fromPosition is the record of a game of two that begins after a pass.
func fromPosition(t testing.TB, seed uint64, actions ...env.Action) *record.Record {
	t.Helper()
	ref := must.Have(referee.NewAt(kuhn.Open(2), seed, map[string]any{"history": []any{"pass"}}))(t)
	for _, a := range actions {
		must.Do(t, ref.Play(a))
	}
	return ref.Record([]string{"alice", "bob"})
}

// A game that begins from a position has a record as any other has: written, read, verified, and gone on with.
func TestRecordFromAPosition(t *testing.T) {
	actions := []env.Action{kuhn.Bet, kuhn.Bet}
	for n := range len(actions) + 1 {
		text := written(t, fromPosition(t, 1, actions[:n]...))
		rec := must.Have(record.Read("r", strings.NewReader(text)))(t)
		if again := written(t, rec); again != text {
			t.Errorf("read %s\nwritten %s", text, again)
		}
		if !strings.Contains(text, `"history":["pass"]}`) || (rec.Footer != nil) != (n == len(actions)) {
			t.Errorf("after %d decisions:\n%s", n, text)
		}
		var steps []*env.Step
		err := rec.Follow(kuhn.Open(2), func(_ int, step *env.Step) error {
			steps = append(steps, &env.Step{Before: step.Before, Events: slices.Clone(step.Events)})
			return nil
		})
		if err != nil || len(steps) != n+1 || steps[0].Before != nil || len(steps[0].Events) != 0 {
			t.Errorf("after %d decisions: %v, %d steps", n, err, len(steps))
		}
		ref := must.Have(referee.Resume(rec, kuhn.Open(2)))(t)
		if ref.Actor() != 1 || ref.Seed() != 1 || ref.Decisions() != 0 {
			t.Errorf("set up again, player %d decides on seed %d after %d decisions", ref.Actor(), ref.Seed(), ref.Decisions())
		}
		for _, a := range actions[:n] {
			must.Do(t, ref.Play(a))
		}
		if again := written(t, ref.Record([]string{"alice", "bob"})); again != text {
			t.Errorf("played again, it is\n%s\nand was\n%s", again, text)
		}
	}
	listed := fromPosition(t, 1, actions...)
	listed.Header.Listed, listed.Header.Seed = true, 0
	if err := listed.Replay(kuhn.Open(2), nil); err != nil {
		t.Errorf("with its chance listed: %v", err)
	}
	if _, err := referee.Resume(listed, kuhn.Open(2)); err == nil ||
		!strings.Contains(err.Error(), "no seed for what it will do") {
		t.Errorf("with its chance listed: %v", err)
	}
}

func TestRecordOfAWrongPosition(t *testing.T) {
	whole := fromPosition(t, 1, kuhn.Bet, kuhn.Bet)
	position := string(whole.Header.Position)
	key := strings.Index(position, `"history"`)
	for _, tt := range []struct{ what, position, want string }{
		{"half", position[:len(position)-1], "line 1: position: "},
		{"nothing", "null", "line 1: position: "},
		{"no object", "[]", "line 1: position: "},
		{"another field", "{" + `"stake":1,` + position[1:], "line 1: position: "},
		{"another card", strings.Replace(position, `["pass"]`, `["raise"]`, 1), "line 1: position: history"},
		{"a key twice", position[:key] + `"history":[],` + position[key:], "line 1: position: "},
		{"another order", "{" + strings.TrimSuffix(position[key:], "}") + "," + strings.TrimSuffix(position[1:key], ",") +
			"}", "line 1: position: it is not written as kuhn writes it: " + position},
		{"spaces", strings.Replace(position, ",", ", ", 1), "line 1: position: it is not written as kuhn writes it: " +
			position},
		{"another moment", strings.Replace(position, `["pass"]`, `[]`, 1), "line 2, decision 0: player 1 is said to act, " +
			"but it is player 0's decision"},
	} {
		rec := *whole
		rec.Header.Position = []byte(tt.position)
		if tt.position == position {
			t.Fatalf("%s: it is the position itself", tt.what)
		}
		if err := rec.Replay(kuhn.Open(2), nil); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.what, err, tt.want)
		}
	}
	rec := *whole
	rec.Header.Chance = []string{"deal = queen"}
	if err := rec.Replay(kuhn.Open(2), nil); err == nil ||
		!strings.HasPrefix(err.Error(), "line 1: set-up chance: the record says [deal = queen], the game gives []") {
		t.Errorf("chance of a set-up that there was not: %v", err)
	}
}

func FuzzReadRecord(f *testing.F) {
	ref := must.Have(referee.New(kuhn.Open(2), 1))(f)
	for ref.Actor() != env.Over {
		must.Do(f, ref.Play(kuhn.Pass))
	}
	var b bytes.Buffer
	must.Do(f, ref.Record([]string{"a", "b"}).Write(&b))
	f.Add(b.Bytes())
	f.Add(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	f.Add([]byte("null\nnull\nnull\n"))
	var from bytes.Buffer
	must.Do(f, fromPosition(f, 1, kuhn.Pass).Write(&from))
	f.Add(from.Bytes())
	f.Add(bytes.Replace(from.Bytes(), []byte(`"history":["pass"]`), []byte(`"history":[]`), 1))
	f.Add(bytes.Replace(b.Bytes(), []byte(`"action":`), []byte(`"action":"fold","Action":`), 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = []byte(envtest.Reseal(string(b))) // Behind a wrong checksum there is nothing to be found.
		rec, err := record.Read("r", bytes.NewReader(b))
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		must.Do(t, rec.Write(&once))
		if !bytes.Equal(once.Bytes(), bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))) {
			t.Errorf("read %s\nwritten %s", b, &once)
		}
		again, err := record.Read("r", bytes.NewReader(once.Bytes()))
		if err != nil {
			t.Fatalf("a record that was read is refused when it is written again: %v\n%s", err, &once)
		}
		if err := again.Write(&twice); err != nil || once.String() != twice.String() {
			t.Errorf("written %s\nthen %s (%v)", &once, &twice, err)
		}
		if err := rec.Replay(kuhn.Open(2), nil); err == nil && rec.Footer != nil && rec.Footer.Decisions != len(rec.Moves) {
			t.Errorf("a record verifies that cannot: %s", &once)
		}
	})
}
