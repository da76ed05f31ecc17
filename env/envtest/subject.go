package envtest

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/registry"
)

// A subject is one configuration under test, with games that have been played of it.
type subject struct {
	rb      *registry.Rulebook
	config  Config
	variant bool // one of the rulebook's variants, not a drawn combination
	game    env.Game
	info    *env.Info
	first   *env.Info // of the rulebook's first variant
	plays   []*play
	secrets *secretPlaces // of all subjects
}

// A play is a random game: what was played, and what went wrong, if anything did.
type play struct {
	seed    uint64
	weights map[string]float64 // nil = evenly
	actions []env.Action
	err     error
}

// newSubjects opens the variants and a number of option combinations, and plays all of them.
func newSubjects(rb *registry.Rulebook, c Config) ([]*subject, error) {
	if len(rb.Variants) == 0 {
		return nil, fmt.Errorf("%s lists no variants", rb.Name)
	}
	var subjects []*subject
	for i, text := range rb.Variants {
		g, err := registry.Registry{rb}.Open(text)
		if err != nil {
			return nil, fmt.Errorf("variant %s: %w", text, err)
		}
		s := &subject{rb: rb, config: c, variant: true, game: g, info: g.Info()}
		subjects = append(subjects, s)
		s.first = subjects[0].info
		for k := range cmp.Or(c.Games, 2) {
			s.plays = append(s.plays, &play{seed: uint64(100*i + k)})
			if c.Weights != nil {
				s.plays = append(s.plays, &play{seed: uint64(100*i + 50 + k), weights: c.Weights})
			}
		}
	}
	combinations, err := combine(rb, cmp.Or(c.Combinations, 12))
	if err != nil {
		return nil, err
	}
	for i, g := range combinations {
		s := &subject{rb: rb, config: c, game: g, info: g.Info(), first: subjects[0].info}
		if slices.ContainsFunc(subjects, func(o *subject) bool { return o.info.Text == s.info.Text }) {
			continue
		}
		p := &play{seed: 1<<32 + uint64(i)}
		if c.Weights != nil && i%2 == 1 {
			p.weights = c.Weights
		}
		s.plays = []*play{p}
		subjects = append(subjects, s)
	}
	secrets := &secretPlaces{left: map[string]bool{}, moved: map[string]bool{}}
	for _, s := range subjects {
		s.secrets = secrets
		if err := checkWeights(s.info, c.Weights); err != nil {
			return nil, err
		}
		for _, p := range s.plays {
			p.err = guard(func() error { return s.perform(p) })
		}
	}
	return subjects, nil
}

// conform goes through the checks, but not on after broken invariants. Test says whether one passed.
func (s *subject) conform(test func(c check) bool) {
	for i, c := range checks {
		if !test(c) && i == 0 {
			return
		}
	}
}

// run runs a check and turns a panic into a failure.
func (s *subject) run(c check) error {
	if err := guard(func() error { return c.run(s) }); err != nil {
		return fmt.Errorf("%s: %w", s.info.Text, err)
	}
	return nil
}

func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

// perform plays a game for the first time, with all invariants checked at each decision.
func (s *subject) perform(p *play) error { return s.performOn(s.game.New(), p) }

// performOn is perform on a State of the caller, which is left at the end of the game.
func (s *subject) performOn(st env.State, p *play) error {
	st.Reset(p.seed, nil)
	pick := newPicker(s.info, p.weights, p.seed)
	mask := make(env.Mask, s.info.MaskWords())
	for n := 0; ; n++ {
		if err := s.sound(st, mask); err != nil {
			return err
		}
		switch {
		case st.Actor() == env.Over:
			return nil
		case n >= s.info.MaxDecisions:
			return fmt.Errorf("the game goes on after %d decisions, the bound of Info.MaxDecisions", n)
		}
		a := pick.action(mask)
		p.actions = append(p.actions, a)
		st.Apply(a, nil)
	}
}

// sound says whether a State keeps its invariants, and leaves its legal actions in mask.
func (s *subject) sound(st env.State, mask env.Mask) error {
	for i := range mask {
		mask[i] = ^uint64(0) // Legal must overwrite all of it.
	}
	st.Legal(mask)
	if c, ok := st.(env.Checker); ok {
		if err := c.Check(); err != nil {
			return fmt.Errorf("an invariant is broken: %w", err)
		}
	}
	actor, n := st.Actor(), mask.Count()
	switch {
	case actor != env.Over && (actor < 0 || int(actor) >= s.info.Players):
		return fmt.Errorf("player %d is to act; there are players 0 to %d", actor, s.info.Players-1)
	case actor == env.Over && n > 0:
		return fmt.Errorf("the game is over, but the mask has %d actions", n)
	case actor != env.Over && n == 0:
		return fmt.Errorf("player %d is to act, but the mask is empty", actor)
	}
	if n > 0 {
		if last := mask.Nth(n - 1); int(last) >= len(s.info.Actions) {
			return fmt.Errorf("the mask has action %d; the table ends with %d", last, len(s.info.Actions)-1)
		}
	}
	return nil
}

// walk plays p again, on the tape if there is one, and calls visit before each decision n, and at last
// for the final position with n = len(p.actions).
func (s *subject) walk(p *play, tape *env.Tape, visit func(st env.State, n int) error) error {
	st := s.game.New()
	st.Reset(p.seed, tape)
	return s.walkFrom(st, p, 0, tape, visit)
}

// walkFrom is walk from decision n on.
func (s *subject) walkFrom(st env.State, p *play, n int, tape *env.Tape, visit func(st env.State, n int) error) error {
	mask := make(env.Mask, s.info.MaskWords())
	for ; ; n++ {
		if err := visit(st, n); err != nil {
			return s.at(p, n, err)
		}
		if n == len(p.actions) {
			return nil
		}
		if st.Legal(mask); !mask.Has(p.actions[n]) {
			return s.at(p, n, fmt.Errorf("%q was legal when the game was played first, and is not now",
				s.info.Actions[p.actions[n]].Text))
		}
		if tape != nil {
			tape.Rewind()
		}
		st.Apply(p.actions[n], tape)
	}
}

// looks are made at each play by checks that look closely.
const looks = 12

// look visits some decisions of every play, spread evenly, the first and the final position among
// them. Visit may use st as it likes.
func (s *subject) look(visit func(st env.State, p *play, n int) error) error {
	return s.lookAlso(func(env.State) bool { return false }, visit)
}

// lookAlso is look, and visits besides all decisions at which also holds.
func (s *subject) lookAlso(also func(env.State) bool, visit func(st env.State, p *play, n int) error) error {
	for _, p := range s.plays {
		err := s.walk(p, nil, func(st env.State, n int) error {
			if !looksAt(p, n) && !also(st) {
				return nil
			}
			return visit(copyOf(st), p, n)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// copyOf is a new State that holds what st does.
func copyOf(st env.State) env.State {
	c := st.Game().New()
	c.CopyFrom(st)
	return c
}

func looksAt(p *play, n int) bool {
	last := len(p.actions)
	return n == last || last <= looks || (n*looks)/last != ((n-1)*looks)/last || n == 0
}

// shown is how many actions a failure lists.
const shown = 40

func (s *subject) at(p *play, n int, err error) error {
	n = min(n, len(p.actions))
	var b strings.Builder
	for _, a := range p.actions[max(0, n-shown):n] {
		b.WriteString("; ")
		if int(a) < len(s.info.Actions) {
			b.WriteString(s.info.Actions[a].Text)
		} else {
			b.WriteString(strconv.Itoa(int(a)))
		}
	}
	history := strings.TrimPrefix(b.String(), "; ")
	if n > shown {
		history = fmt.Sprintf("(%d before) … %s", n-shown, history)
	}
	how := "even"
	if p.weights != nil {
		how = "weighted"
	}
	return fmt.Errorf("seed %d, %s play, decision %d: %w\n\tactions so far: %s", p.seed, how, n, err, history)
}

// combine opens n option combinations of a rulebook, drawn from a fixed seed.
func combine(rb *registry.Rulebook, n int) ([]env.Game, error) {
	if len(rb.Options) == 0 {
		return nil, nil
	}
	rng := env.NewStream(1, "combinations of "+rb.Name)
	var games []env.Game
	tried := 0
	var refused error
	for ; len(games) < n && tried < 4*n; tried++ {
		text := rb.Name + ":" + drawOptions(rb, &rng)
		g, err := registry.Registry{rb}.Open(text)
		if err != nil {
			refused = fmt.Errorf("%s: %w", text, err)
			continue
		}
		games = append(games, g)
	}
	if len(games) < n {
		return nil, fmt.Errorf("%s: of %d option combinations only %d open; the last refusal: %w", rb.Name, tried, len(games),
			refused)
	}
	return games, nil
}

// drawOptions leaves each option at its default half of the time.
func drawOptions(rb *registry.Rulebook, rng *env.Stream) string {
	var parts []string
	for _, o := range rb.Options {
		values := optionValues(o, rng)
		if value := values[rng.Below(len(values))]; rng.Below(2) == 0 {
			parts = append(parts, o.Name+"="+value)
		}
	}
	return strings.Join(parts, ",")
}

// optionValues are values that an option can have: all words, both ends of a range and one number
// between them, single elements of a list and one longer list.
func optionValues(o registry.Option, rng *env.Stream) []string {
	values := slices.Clone(o.Values)
	switch o.Kind {
	case registry.Bool:
		return []string{"on", "off"}
	case registry.Int:
		low, high := int(o.Min), int(o.Max)
		for _, v := range []int{low, high, low + rng.Below(high-low+1)} {
			values = append(values, strconv.Itoa(v))
		}
	case registry.Number:
		for _, v := range []float64{o.Min, o.Max, o.Min + (o.Max-o.Min)*rng.Float64()} {
			values = append(values, strconv.FormatFloat(v, 'g', 6, 64))
		}
	case registry.List:
		words := slices.Clone(o.Values)
		for i := len(words) - 1; i > 0; i-- {
			j := rng.Below(i + 1)
			words[i], words[j] = words[j], words[i]
		}
		values = append(values, strings.Join(words[:min(len(words), 2+rng.Below(4))], "+"))
	}
	if o.Default != "" && !slices.Contains(values, o.Default) {
		values = append(values, o.Default)
	}
	return values
}

// checkOptions opens every value of every option over the defaults and plays a game of each that the
// rulebook does not refuse.
func checkOptions(rb *registry.Rulebook, c Config) error {
	all := registry.Registry{rb}
	defaults, err := all.Open(rb.Name)
	if err != nil {
		return fmt.Errorf("%s does not open at its defaults: %w", rb.Name, err)
	}
	if traits := defaults.Info().Traits; !slices.Equal(rb.Traits, traits) {
		return fmt.Errorf("%s has the traits %v, but its default configuration %v", rb.Name, rb.Traits, traits)
	}
	rng := env.NewStream(2, "options of "+rb.Name)
	for i, o := range rb.Options {
		if o.Name == "" || o.Help == "" {
			return fmt.Errorf("%s: option %d (%q) lacks a name or a help line", rb.Name, i, o.Name)
		}
		if _, err := rb.ParseValues(o.Name + "=" + o.Default); err != nil {
			return fmt.Errorf("%s: the default of option %s is not one of its values: %w", rb.Name, o.Name, err)
		}
		opened := 0
		for _, value := range optionValues(o, &rng) {
			option := o.Name + "=" + value
			err := guard(func() error {
				v, err := rb.ParseValues(option)
				if err != nil {
					return err
				}
				again, err := rb.ParseValues(o.Name + "=" + v.Text(o.Name))
				if err != nil || again.Text(o.Name) != v.Text(o.Name) {
					return fmt.Errorf("its canonical value %q is read as %q: %w", v.Text(o.Name), again.Text(o.Name), err)
				}
				g, err := all.Open(rb.Name + ":" + option)
				if err != nil {
					return nil // Other options must go with it.
				}
				opened++
				s := &subject{rb: rb, config: c, game: g, info: g.Info()}
				p := &play{seed: uint64(i), weights: c.Weights}
				if err := s.perform(p); err != nil {
					return s.at(p, len(p.actions), err)
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("%s:%s: %w", rb.Name, option, err)
			}
		}
		if opened == 0 {
			return fmt.Errorf("%s: no value of option %s opens over the defaults", rb.Name, o.Name)
		}
	}
	return nil
}

// A picker draws random actions.
type picker struct {
	rng     env.Stream
	even    bool
	family  []int     // by action
	weight  []float64 // by family
	legal   []int     // how many actions of each family are legal now
	actions []env.Action
}

func newPicker(info *env.Info, weights map[string]float64, seed uint64) *picker {
	p := &picker{rng: env.NewStream(seed, "player"), even: weights == nil}
	var families []string
	for _, a := range info.Actions {
		f := slices.Index(families, a.Family)
		if f < 0 {
			f = len(families)
			families = append(families, a.Family)
			w, ok := weights[a.Family]
			if !ok {
				w = 1
			}
			p.weight = append(p.weight, w)
		}
		p.family = append(p.family, f)
	}
	p.legal = make([]int, len(families))
	return p
}

// action draws one of the mask, which has at least one.
func (p *picker) action(m env.Mask) env.Action {
	if p.even {
		return m.Nth(p.rng.Below(m.Count()))
	}
	p.actions = m.Append(p.actions[:0])
	clear(p.legal)
	for _, a := range p.actions {
		p.legal[p.family[a]]++
	}
	total := 0.0
	for f, n := range p.legal {
		if n > 0 {
			total += p.weight[f]
		}
	}
	x := p.rng.Float64() * total
	for f, n := range p.legal {
		if n == 0 || p.weight[f] == 0 {
			continue
		}
		if x -= p.weight[f]; x < 0 {
			n = p.rng.Below(n)
			i := slices.IndexFunc(p.actions, func(a env.Action) bool {
				if p.family[a] == f {
					n--
				}
				return n < 0
			})
			return p.actions[i]
		}
	}
	return p.actions[p.rng.Below(len(p.actions))] // Only families without weight, or a rounding at the very end.
}

func checkWeights(info *env.Info, weights map[string]float64) error {
	for family, w := range weights {
		if w < 0 {
			return fmt.Errorf("the weight %v of %q is negative", w, family)
		}
		if !slices.ContainsFunc(info.Actions, func(a env.ActionInfo) bool { return a.Family == family }) {
			return fmt.Errorf("weights name %q, which is no action family of %s", family, info.Name)
		}
	}
	return nil
}
