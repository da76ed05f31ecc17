package envtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// A Chooser makes what chooses the actions of one game, on a seed.
type Chooser func(g env.Game, seed uint64) (func(v *env.View) env.Action, error)

func weighted(c Config) Chooser {
	return func(g env.Game, seed uint64) (func(v *env.View) env.Action, error) {
		pick := newPicker(g.Info(), c.Weights, seed)
		return func(v *env.View) env.Action { return pick.action(v.Mask()) }, nil
	}
}

// Complete tests that observations are complete: each fact of a position that a seat may know shows in
// what some seat that may know it observes, or RULES.md of the directory lists the field with its reason.
//
// It takes positions of a game of every variant and changes them: one field after the other, to what it
// could also be; where the rules tie a field to others, two at a time. A change that reading a position
// accepts is a fact. A seat may know of it if redeals for the seat tell the two positions apart. A field
// that has been changed without any seat's observation changing is a gap. The gaps of RULES.md are the rows
// of the table below a heading that ends in "What observations leave out".
//
// The games are weighted play, or what choose chooses, if it is not nil. With -soak 10 and above many more places are
// changed, -v shows what became of each field, and a listed gap that is found nowhere is an error.
func Complete(t *testing.T, rb *registry.Rulebook, c Config, dir string, choose Chooser) {
	t.Helper()
	listed := must.Have(leftOut(dir))(t)
	f := must.Have(newFacts(rb, c, choose))(t)
	f.changeAll(placesOfAField * (1 + 4*min(*soak, thorough)))
	t.Log(f)
	for _, err := range f.faults(listed, *soak >= thorough && choose == nil) {
		t.Error(err)
	}
}

// thorough is the soak from which on every listed gap must be found.
const thorough = 10

// faults compares the gaps with those that are listed.
func (f *facts) faults(listed map[string]string, all bool) []error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(f.fields)) {
		if gap := f.fields[name].gap; gap != "" && listed[name] == "" {
			faults = append(faults, fmt.Errorf("no observation shows that %s changes: %s; show it, or list it with the "+
				"reason in RULES.md", name, gap))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if x := f.fields[name]; all && (x == nil || x.gap == "") {
			faults = append(faults, fmt.Errorf("RULES.md says that observations leave out %s, but no position bears it out",
				name))
		}
	}
	return faults
}

// A field is all places of a position that have one name, such as zones.*.owner.
type field struct {
	refused int    // changes that the rules do not allow
	derived int    // changes that reading a position takes no notice of
	shown   int    // changes that some observation shows
	secret  int    // changes that nobody may know of
	gap     string // the first change that somebody may know of and no observation shows
	places  []found
}

// A place is one value inside a decoded position.
type place struct {
	field string
	keys  []any // string or int, from the top
}

type found struct{ sample, place int }

// facts are positions, and what changing them has shown.
type facts struct {
	samples []*sample
	fields  map[string]*field
	values  map[string][]any // of each field, as the positions have them
	rng     env.Stream
}

type sample struct {
	game         env.Game
	info         *env.Info
	state        env.State
	position     any
	places       []place
	observations [][]float32
}

// sampled are the positions taken of one game.
const sampled = 4

// newFacts takes positions of one game of each variant.
func newFacts(rb *registry.Rulebook, c Config, choose Chooser) (*facts, error) {
	f := &facts{fields: map[string]*field{}, values: map[string][]any{}, rng: env.NewStream(1, "facts")}
	for i, text := range rb.Variants {
		g, err := registry.Registry{rb}.Open(text)
		if err == nil {
			err = f.take(g, c, uint64(i), choose)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	return f, nil
}

// take plays a game and takes positions of it. The final one is not among them: it asks nobody.
func (f *facts) take(g env.Game, c Config, seed uint64, choose Chooser) error {
	if choose == nil {
		choose = weighted(c)
	}
	act, err := choose(g, seed)
	if err != nil {
		return err
	}
	st := g.New()
	st.Reset(seed, nil)
	var game []env.State
	for st.Actor() != env.Over {
		game = append(game, copyOf(st))
		st.Apply(act(env.ViewOf(st)), nil)
	}
	for i := range sampled {
		x := &sample{game: g, info: g.Info(), state: game[(2*i+1)*len(game)/(2*sampled)]}
		x.observations = x.observe(x.state)
		if err := decode.Numbers(x.state.AppendPosition(nil), &x.position); err != nil {
			return err
		}
		top := x.position.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(top)) {
			x.places = appendPlaces(x.places, k, []any{k}, top[k])
		}
		for k, pl := range x.places {
			f.learn(pl.field, at(x.position, pl.keys))
			f.fields[pl.field].places = append(f.fields[pl.field].places, found{len(f.samples), k})
		}
		f.samples = append(f.samples, x)
	}
	return nil
}

// vocabulary is how many values of one field are remembered.
const vocabulary = 24

func (f *facts) learn(name string, v any) {
	if f.fields[name] == nil {
		f.fields[name] = &field{}
	}
	known := f.values[name]
	text := decode.Compact(v)
	if len(known) < vocabulary && !slices.ContainsFunc(known, func(o any) bool { return decode.Compact(o) == text }) {
		f.values[name] = append(known, v)
	}
}

// appendPlaces lists the places below a value: every scalar, every list, and every table. Tables whose
// values are alike, such as zones by name, and lists give their elements one name.
func appendPlaces(list []place, name string, keys []any, v any) []place {
	list = append(list, place{name, slices.Clone(keys)})
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			list = appendPlaces(list, name, append(slices.Clone(keys), i), e)
		}
	case map[string]any:
		shared := alike(v)
		for _, k := range slices.Sorted(maps.Keys(v)) {
			inner := name + "." + k
			if shared {
				inner = name + ".*"
			}
			list = appendPlaces(list, inner, append(slices.Clone(keys), k), v[k])
		}
	}
	return list
}

// alike says whether the values of a table have one form.
func alike(m map[string]any) bool {
	form := ""
	for _, v := range m {
		if o := formOf(v); form == "" {
			form = o
		} else if o != form {
			return false
		}
	}
	return true
}

func formOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		if alike(v) && len(v) != 0 {
			return "table"
		}
		return "{" + strings.Join(slices.Sorted(maps.Keys(v)), ",") + "}"
	case []any:
		return "list"
	}
	return fmt.Sprintf("%T", v)
}

func at(tree any, keys []any) any {
	for _, k := range keys {
		switch k := k.(type) {
		case string:
			tree = tree.(map[string]any)[k]
		case int:
			tree = tree.([]any)[k]
		}
	}
	return tree
}

// with is the tree with other values at places; what is not on the way to them is shared.
func with(tree any, keys []any, v any) any {
	if len(keys) == 0 {
		return v
	}
	switch k := keys[0].(type) {
	case string:
		m := maps.Clone(tree.(map[string]any))
		m[k] = with(m[k], keys[1:], v)
		return m
	default:
		l := slices.Clone(tree.([]any))
		l[k.(int)] = with(l[k.(int)], keys[1:], v)
		return l
	}
}

const (
	placesOfAField = 6 // that are changed
	placesTried    = 3 // times as many are tried, where the rules refuse changes
	changeTries    = 2 // values of other positions, at one place
	pairTries      = 8 // other places, for one that cannot be changed alone
)

// changeAll changes places of every field, at first alone. Those that the rules have kept from changing are
// then changed together with others.
func (f *facts) changeAll(enough int) {
	f.eachPlace(enough, func(x *sample, pl place) bool { return f.change(x, pl) })
	f.eachPlace(enough, func(x *sample, pl place) bool {
		if o := f.fields[pl.field]; o.shown+o.secret+o.derived > 0 {
			return true
		}
		return f.changePair(x, pl)
	})
}

// eachPlace calls change for places of each field, drawn from all positions, until enough of them have been
// changed or a gap is found.
func (f *facts) eachPlace(enough int, change func(x *sample, pl place) bool) {
	for _, name := range slices.Sorted(maps.Keys(f.fields)) {
		fd := f.fields[name]
		list := slices.Clone(fd.places)
		for changed, tried := 0, 0; len(list) > 0 && changed < enough && tried < placesTried*enough && fd.gap == ""; tried++ {
			i := f.rng.Below(len(list))
			x := f.samples[list[i].sample]
			if change(x, x.places[list[i].place]) {
				changed++
			}
			list[i] = list[len(list)-1]
			list = list[:len(list)-1]
		}
	}
}

// change changes one place in some ways, and says whether one was accepted.
func (f *facts) change(x *sample, pl place) bool {
	old := at(x.position, pl.keys)
	accepted := false
	for _, v := range f.others(pl.field, old) {
		accepted = f.compare(x, pl, x.state, x.observations, with(x.position, pl.keys, v),
			fmt.Sprintf("%s to %s", decode.Compact(old), decode.Compact(v))) || accepted
	}
	f.saturate(x, pl, old)
	return accepted
}

// changePair changes a place together with another one that observations show.
func (f *facts) changePair(x *sample, pl place) bool {
	for range pairTries {
		o := x.places[f.rng.Below(len(x.places))]
		if fd := f.fields[o.field]; fd.derived > 0 || fd.gap != "" {
			continue
		}
		if tree, what := f.together(x, pl, o); tree != nil && f.compare(x, pl, x.state, x.observations, tree, what) {
			return true
		}
	}
	return false
}

// others are values that a place could have instead.
func (f *facts) others(name string, old any) []any {
	var list []any
	switch v := old.(type) {
	case bool:
		return []any{!v}
	case json.Number:
		if n, err := strconv.Atoi(string(v)); err == nil {
			list = append(list, json.Number(strconv.Itoa(n+1)), json.Number(strconv.Itoa(n-1)))
		}
	case []any:
		if n := len(v); n > 0 {
			list = append(list, v[:n-1])
		}
		for i := 1; i < len(v); i++ {
			if decode.Compact(v[i]) != decode.Compact(v[0]) {
				l := slices.Clone(v)
				l[0], l[i] = l[i], l[0]
				list = append(list, l)
				break
			}
		}
	}
	known := f.values[name]
	for range changeTries {
		v := known[f.rng.Below(len(known))]
		if fmt.Sprintf("%T", v) == fmt.Sprintf("%T", old) && decode.Compact(v) != decode.Compact(old) {
			list = append(list, v)
		}
	}
	return list
}

// together changes two places at once: it swaps their values, or moves something from one to the other.
func (f *facts) together(x *sample, one, two place) (any, string) {
	a, b := at(x.position, one.keys), at(x.position, two.keys)
	if within(one.keys, two.keys) || within(two.keys, one.keys) || decode.Compact(a) == decode.Compact(b) &&
		fmt.Sprintf("%T", a) != "json.Number" {
		return nil, ""
	}
	both := func(a2, b2 any) (any, string) {
		return with(with(x.position, one.keys, a2), two.keys, b2),
			fmt.Sprintf("%s to %s, and %s %s to %s", decode.Compact(a), decode.Compact(a2), two.field, decode.Compact(b),
				decode.Compact(b2))
	}
	switch a := a.(type) {
	case json.Number:
		if b, ok := b.(json.Number); ok {
			n, err1 := strconv.Atoi(string(a))
			m, err2 := strconv.Atoi(string(b))
			if err1 != nil || err2 != nil {
				return nil, ""
			}
			d := 1 - 2*f.rng.Below(2)
			return both(json.Number(strconv.Itoa(n+d)), json.Number(strconv.Itoa(m-d)))
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) > 0 {
			i := f.rng.Below(len(a))
			return both(slices.Delete(slices.Clone(a), i, i+1), append(slices.Clone(b), a[i]))
		}
	case string:
		if one.field == two.field {
			return both(b, a)
		}
	}
	return nil, ""
}

func within(a, b []any) bool { return len(a) <= len(b) && slices.Equal(a, b[:len(a)]) }

// steps are how far a number is raised before it is raised by one more, to see where a feature ends.
var steps = []int{4, 16, 64, 256}

func (f *facts) saturate(x *sample, pl place, old any) {
	v, ok := old.(json.Number)
	if !ok {
		return
	}
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return
	}
	for _, step := range steps {
		raised := x.game.New()
		if raised.ReadPosition([]byte(decode.Compact(with(x.position, pl.keys, json.Number(strconv.Itoa(n+step)))))) != nil {
			return
		}
		f.compare(x, pl, raised, x.observe(raised), with(x.position, pl.keys, json.Number(strconv.Itoa(n+step+1))),
			fmt.Sprintf("%d to %d", n+step, n+step+1))
	}
}

func (x *sample) observe(st env.State) [][]float32 {
	rows := make([][]float32, x.info.Players)
	for p := range rows {
		rows[p] = make([]float32, x.info.Observation())
		st.Observe(rows[p], env.Player(p))
	}
	return rows
}

// compare reads the changed position and notes what became of it. It says whether it is another.
func (f *facts) compare(x *sample, pl place, st env.State, base [][]float32, tree any, what string) bool {
	changed := x.game.New()
	fd := f.fields[pl.field]
	switch {
	case changed.ReadPosition([]byte(decode.Compact(tree))) != nil:
		fd.refused++
		return false
	case changed.EqualPosition(st):
		fd.derived++
		return false
	}
	rows := x.observe(changed)
	known := false
	for p := range rows {
		if !slices.Equal(rows[p], base[p]) {
			fd.shown++
			return true
		}
		known = known || tells(st, changed, env.Player(p))
	}
	switch {
	case !known:
		fd.secret++
	case fd.gap == "":
		fd.gap = fmt.Sprintf("%s: %s from %s", x.info.Short, pathOf(pl.keys), what)
	}
	return true
}

func pathOf(keys []any) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(keys), "[]"), " ", ".")
}

// tells says whether p may know which of two positions it is in: redeals depend on what p knows and on
// nothing else.
func tells(a, b env.State, p env.Player) bool {
	one, two := copyOf(a), copyOf(b)
	one.Redeal(p, 1)
	two.Redeal(p, 1)
	return !one.EqualPosition(two)
}

// String says what became of each field.
func (f *facts) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d positions\n", len(f.samples))
	for _, name := range slices.Sorted(maps.Keys(f.fields)) {
		x := f.fields[name]
		fmt.Fprintf(&b, "%-30s refused %5d, derived %3d, shown %5d, secret %5d  %s\n", name, x.refused, x.derived, x.shown,
			x.secret, x.gap)
	}
	return b.String()
}

var leftOutRow = regexp.MustCompile("^\\| `([^`]+)` \\| (.+) \\|$")

// leftOut reads the table of RULES.md: the fields that observations leave out, and why.
func leftOut(dir string) (map[string]string, error) {
	book, err := os.ReadFile(filepath.Join(dir, "RULES.md"))
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	inside := false
	for _, line := range strings.Split(string(book), "\n") {
		if strings.HasPrefix(line, "#") {
			inside = strings.HasSuffix(line, "What observations leave out")
		}
		if m := leftOutRow.FindStringSubmatch(line); inside && m != nil {
			list[m[1]] = m[2]
		}
	}
	return list, nil
}
