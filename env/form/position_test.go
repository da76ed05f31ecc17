package form_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/form"
)

// table is a position with a field of each kind.
type table struct {
	round  int16
	phase  uint8
	over   bool
	dealt  bool
	leader int8 // -1: none
	note   string
	next   int
	cash   [3]int32
	asked  [3]bool
	said   [3]uint8
	reach  [3]int8
	n      int8 // of reach
	bids   [3]struct{ seat, amount int8 }
	bidden int8
	deck   uint16
	open   uint8
	cards  uint32
	voters env.Seats
	land   [3]int8
	mark   [3]uint8
	saved  [2][3]int8
	shown  [3]uint8
	deal   struct{ there, fair bool }
	price  int
	found  [2]int
	seek   struct {
		what  uint8
		where [2]uint8
		n     uint8
		who   int
		all   uint8
	}
	extra int
}

var (
	phases  = []string{"turn", "reply"}
	leaders = []string{"tycoon", "", "general"} // the second is not in this game
	words   = []string{"", "calm", "grow"}
	events  = []string{"flood", "drought", "", "thaw"}
	fields  = form.Keys([]string{"c", "a", "b"}, nil)
	seats   = form.Counted(0, 2)
)

func (s *table) form(f *form.Position) {
	form.Int(f, "round", &s.round, 1, 20)
	form.Word(f, "phase", &s.phase, phases)
	form.Bool(f, "over", &s.over)
	form.Flag(f, "dealt", &s.dealt)
	form.WordOrNone(f, "leader", &s.leader, leaders)
	form.Text(f, "note", &s.note)
	form.Parsed(f, "next", &s.next, func(n int) string { return fmt.Sprint("go ", n) },
		func(text string) (n int, err error) {
			if _, err = fmt.Sscanf(text, "go %d", &n); err != nil {
				err = errors.New(`it is "go" and a number`)
			}
			return
		})
	form.Ints(f, "cash", s.cash[:], 0, 10*int(s.round))
	form.Bools(f, "asked", s.asked[:])
	form.Words(f, "said", s.said[:], words)
	form.Distinct(f, "reach", s.reach[:], &s.n, 0, 2)
	form.ListUpTo(f, "bids", &s.bidden, 3, func(i int) {
		form.Object(f, form.Element, func() {
			form.Int(f, "seat", &s.bids[i].seat, 0, 2)
			form.Int(f, "amount", &s.bids[i].amount, -9, 9)
		})
	})
	form.Set(f, "deck", &s.deck, events)
	form.OrderedSet(f, "open", &s.open, []string{"policy", "clean"})
	form.Numbers(f, "cards", &s.cards, []int{11, 12, 21})
	form.Seats(f, "voters", &s.voters, 3)
	form.IntsBy(f, "land", fields, s.land[:], -1, 2)
	form.WordsBy(f, "mark", form.Sorted(fields), s.mark[:], words)
	form.List(f, "saved", 2, func(p int) {
		form.Sparse(f, form.Element, fields, nil, func(k form.Key) { form.Int(f, k.Name, &s.saved[p][k.Index], 0, 9) })
	})
	form.Sparse(f, "shown", seats, func(i int) bool { return s.shown[i] != 0 }, func(k form.Key) {
		form.Set(f, k.Name, &s.shown[k.Index], events)
	})
	form.Maybe(f, "deal", &s.deal.there, func() {
		form.Bool(f, "fair", &s.deal.fair)
		form.Int(f, "price", &s.price, 0, 9)
	})
	form.List(f, "found", 2, func(i int) { form.Int(f, form.Element, &s.found[i], 0, 9) })
	seeks := s.phase == 1
	form.If(f, seeks, "what", func() { form.Word(f, "what", &s.seek.what, words) })
	form.If(f, seeks, "where", func() { form.Distinct(f, "where", s.seek.where[:], &s.seek.n, 1, 5) })
	form.If(f, seeks, "who", func() { form.Int(f, "who", &s.seek.who, -1, 2) })
	form.If(f, seeks, "all", func() { form.Set(f, "all", &s.seek.all, leaders) })
	form.Optional(f, "extra", func() { form.Int(f, "extra", &s.extra, 0, 9) })
	form.Derived(f, "sum", func() any { return s.cash[0] + s.cash[1] + s.cash[2] })
	if f.Reads() && s.found[0] > s.found[1] {
		f.Fail("found", "%d is more than %d", s.found[0], s.found[1])
	}
}

func (s *table) check() error {
	if s.over && s.phase == 0 {
		return errors.New("over: not in a turn")
	}
	return nil
}

func (s *table) append() string { return string(form.AppendPosition([]byte("{"), s.form)[1:]) }

func (s *table) read(text string) error {
	return form.ReadPosition([]byte(text), s, table{}, (*table).form, (*table).check)
}

func (s *table) patch(text string) error {
	return form.PatchPosition([]byte(text), s, (*table).form, (*table).check)
}

// full is a position in which nothing is empty, and its form.
func full() table {
	s := table{round: 3, phase: 1, over: true, dealt: true, leader: 2, note: "\"é\"\n", next: 7, cash: [3]int32{1, 0, 30},
		asked: [3]bool{true, false, true}, said: [3]uint8{0, 1, 2}, reach: [3]int8{2, 0}, n: 2, bidden: 1, deck: 0b1010,
		open:  0b11,
		cards: 0b101, voters: 0b110, land: [3]int8{-1, 2, 0}, mark: [3]uint8{1, 0, 2},
		saved: [2][3]int8{{1, 0, 0}, {0, 0, 2}},
		shown: [3]uint8{0, 1, 0}, price: 4, found: [2]int{1, 2}}
	s.bids[0].seat, s.bids[0].amount = 1, -9
	s.deal.there, s.deal.fair = true, true
	s.seek.what, s.seek.where, s.seek.n, s.seek.who, s.seek.all = 2, [2]uint8{3, 1}, 2, -1, 0b101
	s.extra = 6
	return s
}

const fullText = `{"round":3,"phase":"reply","over":true,"dealt":1,"leader":"general","note":"\"é\"\n","next":"go 7","cash":[1,0,30],` +
	`"asked":[true,false,true],"said":["","calm","grow"],"reach":[2,0],"bids":[{"seat":1,"amount":-9}],"deck":["drought","thaw"],` +
	`"open":["policy","clean"],"cards":[11,21],"voters":[1,2],"land":{"c":-1,"a":2,"b":0},"mark":{"a":"","b":"grow","c":"calm"},` +
	`"saved":[{"c":1,"a":0,"b":0},{"c":0,"a":0,"b":2}],"shown":{"1":["flood"]},"deal":{"fair":true,"price":4},"found":[1,2],` +
	`"what":"grow","where":[3,1],"who":-1,"all":["tycoon","general"],"extra":6,"sum":31}`

// emptyText is the position with as little as can be.
const emptyText = `{"round":1,"phase":"turn","over":false,"dealt":0,"leader":"","note":"","next":"go 0","cash":[0,0,0],` +
	`"asked":[false,false,false],"said":["","",""],"reach":[],"bids":[],"deck":[],"open":[],"cards":[],"voters":[],` +
	`"land":{"c":0,"a":0,"b":0},"mark":{"a":"","b":"","c":""},"saved":[{"c":0,"a":0,"b":0},{"c":0,"a":0,"b":0}],"shown":{},"deal":{},"found":[0,0],` +
	`"what":"","where":[],"who":0,"all":[],"extra":0,"sum":0}`

func TestRoundTrip(t *testing.T) {
	s := full()
	if got := s.append(); got != fullText {
		t.Errorf("got  %s\nwant %s", got, fullText)
	}
	for _, text := range []string{fullText, emptyText} {
		read := full()
		must.Do(t, read.read(text))
		if got := read.append(); got != text {
			t.Errorf("got  %s\nwant %s", got, text)
		}
	}
	s = table{round: 1}
	if err := s.patch(fullText); err != nil || s != full() {
		t.Errorf("a whole position as a patch: %v\ngot  %+v\nwant %+v", err, s, full())
	}
}

// A key left out of a sparse object is zero, sets of words are read in any order, what is derived may be missing or
// anything.
func TestLeave(t *testing.T) {
	want := full()
	for _, change := range [][2]string{
		{`{"c":1,"a":0,"b":0}`, `{"c":1}`},
		{`"deck":["drought","thaw"]`, `"deck":["thaw","drought"]`},
		{`,"sum":31`, ``},
		{`"sum":31`, `"sum":{"x":null}`},
		{`{"round"`, " {\n\t\"round\""},
		{`"round":3,"phase":"reply"`, `"phase":"reply","round":3`},
	} {
		s := table{}
		if err := s.read(replace(t, fullText, change[0], change[1])); err != nil || s != want {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", change[1], err, s, want)
		}
	}
}

func replace(t *testing.T, text, old, with string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is %d times in the text", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, with, 1)
}

// Each kind of fault has one sentence: the path, what is there, what may be.
func TestFaults(t *testing.T) {
	long := strings.Repeat("é", 50_000)
	for _, tt := range []struct{ old, with, want string }{
		{`"round":3`, `"round":0`, "round: 0 is not in 1 to 20"},
		{`"round":3`, `"round":3.0`, "round: 3.0 is not a whole number from 1 to 20"},
		{`"round":3`, `"round":1e400`, "round: 1e400 is not a whole number from 1 to 20"},
		{`"round":3`, `"round":65537`, "round: 65537 is not in 1 to 20"},
		{`"round":3`, `"round":18446744073709551617`, "round: 18446744073709551617 is not a whole number from 1 to 20"},
		{`"round":3`, `"round":` + strings.Repeat("9", 500), "round: " + strings.Repeat("9", 60) +
			"… is not a whole number from 1 to 20"},
		{`"round":3`, `"Round":3`, "round is missing"},
		{`"round":3,`, ``, "round is missing"},
		{`"round":3`, `"round":3,"round":3`, "round is there twice"},
		{`"round":3`, `"round":3,"weather":1`,
			`unknown field weather: did you mean "leader"? there are: round, phase, over, dealt, leader, note, next, cash, asked, said, reach, bids, deck, open, cards, voters, land, mark, saved, shown, deal, found, what, where, who, all, extra`},
		{`"round":3`, `"round":3,"we\nather ":1`, `unknown field "we\nather ": `},
		{`"round":3`, `"round":3,"` + long + `":1`, `unknown field "` + strings.Repeat("é", 30) + `…": there are: `},
		{`"round":3`, `"round":3,"` + long + `":1,"` + long + `":2`, `"` + strings.Repeat("é", 30) + `…" is there twice`},
		{`"phase":"reply"`, `"phase":"repli"`, `phase: unknown word "repli": did you mean "reply"? there are: turn, reply`},
		{`"phase":"reply"`, `"phase":""`, `phase: unknown word "": there are: turn, reply`},
		{`"phase":"reply"`, `"phase":"` + long + `"`, `phase: unknown word "` + strings.Repeat("é", 30) +
			`…": there are: turn, reply`},
		{`"phase":"reply"`, `"phase":1`, `phase: 1 is not a text`},
		{`"over":true`, `"over":1`, "over: 1 is not true or false"},
		{`"dealt":1`, `"dealt":2`, "dealt: 2 is not in 0 to 1"},
		{`"dealt":1`, `"dealt":true`, "dealt: true is not a whole number from 0 to 1"},
		{`"leader":"general"`, `"leader":"genera"`,
			`leader: unknown word "genera": did you mean "general"? there are: tycoon, general`},
		{`"leader":"general"`, `"leader":null`, `leader: null is not a text`},
		{`"note":"\"é\"\n"`, `"note":["x"]`, `note: ["x"] is not a text`},
		{`"next":"go 7"`, `"next":"stay"`, `next: it is "go" and a number`},
		{`"next":"go 7"`, `"next":7`, `next: 7 is not a text`},
		{`[1,0,30]`, `[1,0]`, "cash: 2 elements; there must be 3"},
		{`[1,0,30]`, `[1,0,31]`, "cash.2: 31 is not in 0 to 30"},
		{`[1,0,30]`, `{"0":1}`, `cash: {"0":1} is not a list`},
		{`[true,false,true]`, `[true,"no",true]`, `asked.1: "no" is not true or false`},
		{`["","calm","grow"]`, `["","calm","grew"]`,
			`said.2: unknown word "grew": did you mean "grow"? there are: calm, grow`},
		{`"reach":[2,0]`, `"reach":[2,2]`, "reach.1: 2 is there twice"},
		{`"reach":[2,0]`, `"reach":[0,1,2,0]`, "reach: 4 elements; there are at most 3"},
		{`{"seat":1,"amount":-9}`, `{"seat":1}`, "bids.0.amount is missing"},
		{`{"seat":1,"amount":-9}`, `{"seat":1,"amount":-9,"a":1}`, "unknown field bids.0.a: did you mean \"amount\"? " +
			"there are: seat, amount"},
		{`{"seat":1,"amount":-9}`, `{"seat":1,"amount":-9,"seat":1}`, "bids.seat is there twice"},
		{`{"seat":1,"amount":-9}`, `7`, "bids.0: 7 is not an object"},
		{`["drought","thaw"]`, `["drought","drought"]`, `deck.1: "drought" is there twice`},
		{`["drought","thaw"]`, `["drought",""]`, `deck.1: unknown word "": there are: flood, drought, thaw`},
		{`["policy","clean"]`, `["clean","policy"]`, `open.1: "policy" comes after a later one; they are in order`},
		{`"cards":[11,21]`, `"cards":[21,11]`, "cards.1: 11 comes after a later one; they are in order"},
		{`"cards":[11,21]`, `"cards":[11,13]`, "cards.1: 13 is none of [11 12 21]"},
		{`"cards":[11,21]`, `"cards":[11,22]`, "cards.1: 22 is not in 11 to 21"},
		{`"voters":[1,2]`, `"voters":[1,3]`, "voters.1: 3 is not in 0 to 2"},
		{`{"c":-1,"a":2,"b":0}`, `{"c":-1,"a":2}`, "land.b is missing"},
		{`{"c":-1,"a":2,"b":0}`, `{"c":-1,"a":3,"b":0}`, "land.a: 3 is not in -1 to 2"},
		{`{"c":-1,"a":2,"b":0}`, `{"c":-1,"a":2,"b":0,"d":0}`, "unknown field land.d: there are: c, a, b"},
		{`"b":"grow"`, `"b":"grows"`, `mark.b: unknown word "grows": did you mean "grow"? there are: calm, grow`},
		{`{"c":1,"a":0,"b":0}`, `{"c":1,"x":0}`, "unknown field saved.0.x: there are: c, a, b"},
		{`{"1":["flood"]}`, `{"1":["rain"]}`, `shown.1.0: unknown word "rain": there are: flood, drought, thaw`},
		{`{"1":["flood"]}`, `{"3":["flood"]}`, `unknown field shown.3: there are: 0, 1, 2`},
		{`{"fair":true,"price":4}`, `{"fair":true}`, "deal.price is missing"},
		{`"found":[1,2]`, `"found":[3,2]`, "found: 3 is more than 2"},
		{`"phase":"reply"`, `"phase":"turn"`, "over: not in a turn"},
		{`"cash":[1,0,30]`, `"cash":` + strings.Repeat("[", 20) + strings.Repeat("]", 20),
			"cash: more than 16 lists and objects in each other"},
		{`"cash":[1,0,30]`, `"cash":` + strings.Repeat("[", 100_000), "it is not JSON that is read here: too many lists " +
			"and objects in each other"},
		{`"sum":31}`, `"sum":31`, "it is not JSON: it ends too early"},
		{`"sum":31}`, `"sum":31}}`, "it is not JSON: byte 566: '}' stands after the end"},
		{`"sum":31}`, `"sum":31} {}`, "it is not JSON: byte 567: '{' stands after the end"},
		{`"sum":31}`, `"sum":31]`, "it is not JSON: byte 565: ']' stands where a comma or } is due"},
	} {
		s := full()
		text := replace(t, fullText, tt.old, tt.with)
		err := s.read(text)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\n\t") ||
			len(err.Error()) > 600 {
			t.Errorf("%.100s: got  %v\nwant %s", tt.with, err, tt.want)
		}
		if s != full() {
			t.Errorf("%s: the refused position has changed the State", tt.with)
		}
	}
	s := full()
	if err := s.read(replace(t, fullText, `"extra":6,`, "")); err != nil || s.extra != 0 {
		t.Errorf("without what is optional: %v, %d", err, s.extra)
	}
	for _, text := range []string{"", "null", "[]", "7", `"x"`, "{", "{} x", "\x00", "nul"} {
		if err := new(table).read(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// places visits every field and list element of a decoded position, and hands over how to change it.
func places(v any, path string, visit func(path string, old any, set func(any))) {
	at := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			old := v[k]
			visit(at(k), old, func(x any) { v[k] = x })
			v[k] = old
			places(old, at(k), visit)
		}
	case []any:
		for i, old := range v {
			visit(at(fmt.Sprint(i)), old, func(x any) { v[i] = x })
			v[i] = old
			places(old, at(fmt.Sprint(i)), visit)
		}
	}
}

// A value of any other type than the field's is refused with the field's path, in a position and in a patch; and every
// field must be there, but for those of sparse objects.
func TestTypes(t *testing.T) {
	var whole map[string]any
	must.Do(t, json.Unmarshal([]byte(fullText), &whole))
	read := func(of func(*table, string) error) error {
		b := must.Have(json.Marshal(whole))(t)
		s := full()
		return of(&s, string(b))
	}
	places(whole, "", func(path string, old any, set func(any)) {
		if path == "sum" {
			return
		}
		for _, x := range []any{nil, true, 1.5, 77777.0, "?", []any{}, map[string]any{"?": 1}, []any{[]any{1}}} {
			if fmt.Sprintf("%T", x) == fmt.Sprintf("%T", old) && path != "note" && x != 1.5 && x != "?" {
				continue // It may be in range.
			}
			if path == "note" && x == "?" {
				continue
			}
			set(x)
			for name, of := range map[string]func(*table, string) error{"read": (*table).read, "patch": (*table).patch} {
				if err := read(of); err == nil || !strings.Contains(err.Error(), path) {
					t.Errorf("%s, %s = %v: got %v", name, path, x, err)
				}
			}
		}
	})
	for key, value := range whole {
		delete(whole, key)
		if err := read((*table).read); key != "sum" && key != "extra" && (err == nil || err.Error() != key+" is missing") {
			t.Errorf("without %s: %v", key, err)
		}
		whole[key] = value
	}
}

// A patch changes what it names; what it leaves out must still fit.
func TestPatch(t *testing.T) {
	idle := []string{`"what":"grow","where":[3,1],"who":-1,"all":["tycoon","general"]`,
		`"what":"","where":[],"who":0,"all":[]`}
	for _, tt := range []struct {
		patch, err string
		changes    []string // of the text
	}{
		{`{}`, "", nil},
		{`{"round":4}`, "", []string{`"round":3`, `"round":4`}},
		{`{"round":2}`, "cash.2: 30 is not in 0 to 20", nil},
		{`{"round":2,"cash":[1,2,3]}`, "", []string{`"round":3`, `"round":2`, `[1,0,30]`, `[1,2,3]`, `31}`, `6}`}},
		{`{"over":false,"phase":"turn"}`, "", append(idle, `"phase":"reply","over":true`, `"phase":"turn","over":false`)},
		{`{"over":false,"phase":"turn","what":"wine","where":[9,9,9],"who":70,"all":["all"]}`, "",
			append(idle, `"phase":"reply","over":true`, `"phase":"turn","over":false`)},
		{`{"over":false,"phase":"turn","what":1}`, "what: 1 is not a text", nil},
		{`{"over":false,"phase":"turn","where":[9,"x"]}`, `where.1: "x" is not a whole number`, nil},
		{`{"over":false,"phase":"turn","who":null}`, "who: null is not a whole number", nil},
		{`{"over":false,"phase":"turn","all":[1]}`, "all.0: 1 is not a text", nil},
		{`{"what":"wine"}`, `what: unknown word "wine"`, nil},
		{`{"phase":"turn"}`, "over: not in a turn", nil},
		{`{"leader":""}`, "", []string{`"leader":"general"`, `"leader":""`}},
		{`{"land":{"a":1}}`, "", []string{`"a":2`, `"a":1`}},
		{`{"land":{"d":1}}`, "unknown field land.d: ", nil},
		{`{"wind":1}`, "unknown field wind: ", nil},
		{`{"sum":1}`, "", nil},
		{`{"land":4}`, "land: 4 is not an object", nil},
		{`{"cash":[1]}`, "cash: 1 elements; there must be 3", nil},
		{`{"bids":[{"seat":2}]}`, "bids.0.amount is missing", nil},
		{`{"bids":[]}`, "", []string{`{"seat":1,"amount":-9}`, ``}},
		{`{"reach":[1]}`, "", []string{`"reach":[2,0]`, `"reach":[1]`}},
		{`{"deck":["flood"]}`, "", []string{`"deck":["drought","thaw"]`, `"deck":["flood"]`}},
		{`{"saved":[{},{"a":1}]}`, "", []string{`[{"c":1,"a":0,"b":0},{"c":0,"a":0,"b":2}]`,
			`[{"c":0,"a":0,"b":0},{"c":0,"a":1,"b":0}]`}},
		{`{"shown":{"2":["thaw"]}}`, "", []string{`{"1":["flood"]}`, `{"1":["flood"],"2":["thaw"]}`}},
		{`{"shown":{"1":[]}}`, "", []string{`{"1":["flood"]}`, `{}`}},
		{`{"deal":{"price":5}}`, "", []string{`"price":4`, `"price":5`}},
		{`{"deal":{}}`, "", nil},
		{`{"found":[2,1]}`, "found: 2 is more than 1", nil},
	} {
		s := full()
		err := s.patch(tt.patch)
		want := strings.NewReplacer(tt.changes...).Replace(fullText)
		switch {
		case tt.err == "" && (err != nil || s.append() != want):
			t.Errorf("%s: %v\ngot  %s\nwant %s", tt.patch, err, s.append(), want)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) || s != full()):
			t.Errorf("%s: got %v, want %s", tt.patch, err, tt.err)
		}
	}
	// What a patch takes away leaves nothing behind.
	s := full()
	if err := s.patch(`{"bids":[],"reach":[],"saved":[{},{}],"shown":{"1":[]}}`); err != nil || s.bids != (table{}).bids ||
		s.reach != (table{}).reach {
		t.Errorf("%v: %+v", err, s)
	}
	// An object that stands for none may be given in part.
	s = table{round: 1}
	if err := s.patch(`{"deal":{"price":5}}`); err != nil || !s.deal.there || s.price != 5 {
		t.Errorf("%v: %+v", err, s)
	}
}

// A value that the State holds against its own range is refused where a patch leaves it.
func TestPatchChecksWhatIsKept(t *testing.T) {
	for _, spoil := range []func(s *table){
		func(s *table) { s.round = 0 }, func(s *table) { s.phase = 2 }, func(s *table) { s.leader = 1 }, func(s *table) {
			s.leader = 3
		},
		func(s *table) { s.said[2] = 3 }, func(s *table) { s.n = 4 }, func(s *table) { s.deck = 0b100 }, func(s *table) {
			s.voters = 0b1000
		},
		func(s *table) { s.land[1] = 3 }, func(s *table) { s.saved[1][1] = 10 }, func(s *table) { s.price = 10 },
		func(s *table) { s.bids[0].seat = 3 },
	} {
		s := full()
		spoil(&s)
		if err := s.patch(`{"over":false}`); err == nil {
			t.Errorf("%+v was kept", s)
		}
	}
}

// Writing allocates for the Position and for what grows, and what is derived: 12 times, and once more under the race
// detector.
func TestAppendAllocates(t *testing.T) {
	s := full()
	s.note = ""
	dst := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() { form.AppendPosition(dst, s.form) }); n > 13 {
		t.Errorf("%v allocations", n)
	}
}

// Any bytes are refused in a line, or are a position that is written and read again as it is.
func FuzzPosition(f *testing.F) {
	f.Add([]byte(fullText), false)
	f.Add([]byte(emptyText), false)
	f.Add([]byte(`{"bids":[{"seat":2,"amount":1},{"seat":0,"amount":0}],"shown":{"0":["thaw"]}}`), true)
	f.Fuzz(func(t *testing.T, data []byte, patch bool) {
		s := full()
		before := s
		var err error
		if patch {
			err = s.patch(string(data))
		} else {
			err = s.read(string(data))
		}
		if err != nil {
			if s != before || strings.ContainsAny(err.Error(), "\n\x00") || len(err.Error()) > 2000 {
				t.Fatalf("refused: %q", err)
			}
			return
		}
		again := table{}
		if err := again.read(s.append()); err != nil || again != s {
			t.Fatalf("%v: written and read again\ngot  %+v\nwant %+v", err, again, s)
		}
	})
}
