// Package scripted holds bots with written-down strategies, three for each game: a naive one that plays
// as somebody does who has just read the rules, a greedy one that takes what looks best now, and a strong
// one that plans. They are the fixed marks that other agents are measured by, and the hands with which
// search plays games on.
//
// A bot reads the game's own State: at a table one that is redealt from its View, so that it knows no more than
// any other agent, and in a search the sample itself. What is hidden must not change its choice.
package scripted

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/form"
	"earthgym/env/registry"
	"earthgym/env/spelling"
)

// A Bot is a scripted agent for one game, which always finds a legal action. An instance belongs to one
// seat and one goroutine.
type Bot struct {
	policy policy
	sample env.State
}

// A policy is what makes one bot another.
type policy interface {
	// Choose chooses one of the legal actions of the seat that decides in the State, by what that seat may
	// know. It changes and keeps neither.
	Choose(state env.State, legal env.Mask) env.Action
}

// A gambler is a policy that does things by chance.
type gambler interface {
	// Seed comes before each game. All chance comes from the seed.
	Seed(seed uint64)
}

// A planner is a policy that remembers something of the game.
type planner interface {
	// Forget comes before each game.
	Forget()
}

// Reset comes before each game. All chance comes from the seed.
func (b *Bot) Reset(seed uint64) { reset(b.policy, seed) }

func reset(p policy, seed uint64) {
	if g, ok := p.(gambler); ok {
		g.Seed(seed)
	}
	if f, ok := p.(planner); ok {
		f.Forget()
	}
}

// A rememberer is a policy whose choices from a State on may depend on more than its seed and what it is asked then: on
// what it has drawn, or on a plan.
type rememberer interface {
	Remembers(state env.State) bool
}

// gambling is the chance of a policy that goes on drawing where it has stopped.
type gambling struct{ luck env.Stream }

// Seed seeds it.
func (g *gambling) Seed(seed uint64) { g.luck = env.NewStream(seed, "naive") }

// Remembers says that it does.
func (g *gambling) Remembers(env.State) bool { return true }

// Remembers says whether what the bot chooses from s on may depend on what it was asked before. If not, it goes on as
// one that was just reset with the same seed.
func (b *Bot) Remembers(s env.State) bool { return remembers(b.policy, s) }

func remembers(p policy, s env.State) bool {
	r, ok := p.(rememberer)
	return ok && r.Remembers(s)
}

// Steady says whether the bot does nothing by chance, so that its choices don't depend on the seed.
func (b *Bot) Steady() bool {
	_, gambles := b.policy.(gambler)
	return !gambles
}

// Act chooses one of the legal actions of v.
func (b *Bot) Act(v *env.View) env.Action {
	v.SampleInto(b.sample, 0) // The key does not matter: nothing hidden is read.
	return b.policy.Choose(b.sample, v.Mask())
}

// Choose chooses one of the legal actions for the seat that decides in a State which the caller may see whole, such as
// a sample. It neither changes nor keeps what it is given.
func (b *Bot) Choose(s env.State, legal env.Mask) env.Action { return b.policy.Choose(s, legal) }

// A scorer is a policy that works by scores: it chooses the legal action that it scores highest.
type scorer interface {
	// Scores writes what each legal action is worth to the bot, in units of its own, best highest, and minus infinity for
	// those that are not legal. dst has one entry for each action of the game.
	Scores(state env.State, legal env.Mask, dst []float64)
}

// Scores writes what each legal action is worth to the bot in a State that the caller may see whole, in units of the
// bot's own: the highest is what Choose chooses, those that it sees no use in have Unwanted, and actions that are not
// legal minus infinity. dst has one entry for each action of the game. It is false, and dst untouched, where the bot
// does not work by scores.
func (b *Bot) Scores(s env.State, legal env.Mask, dst []float64) bool {
	p, ok := b.policy.(scorer)
	if ok {
		p.Scores(s, legal, dst)
	}
	return ok
}

// Scored says whether the bot works by scores, so that Scores gives some.
func (b *Bot) Scored() bool {
	_, ok := b.policy.(scorer)
	return ok
}

// A sight is what a bot sees of a game of its own types: where it decides, who it is, and what is legal.
type sight[G env.Game, S env.State] struct {
	game  G
	state S
	me    env.Player
	mask  env.Mask
}

func newSight[G env.Game, S env.State](g env.Game) sight[G, S] { return sight[G, S]{game: g.(G)} }

// look takes in the position.
func (t *sight[G, S]) look(state env.State, legal env.Mask) {
	t.state, t.me, t.mask = state.(S), state.Actor(), legal
}

// first is the first legal action of a list, or else of all.
func (t *sight[G, S]) first(wishes ...env.Action) env.Action {
	if a := firstOf(t.mask, wishes...); a >= 0 {
		return a
	}
	return t.mask.Nth(0)
}

// others are the seats but the one that decides.
func (t *sight[G, S]) others(yield func(env.Player) bool) {
	for q := range env.Player(t.game.Info().Players) {
		if q != t.me && !yield(q) {
			return
		}
	}
}

// firstOf is the first legal action of a list, or -1.
func firstOf(legal env.Mask, wishes ...env.Action) env.Action {
	for _, a := range wishes {
		if legal.Has(a) {
			return a
		}
	}
	return -1
}

// among goes through those of n actions in a row that are legal, with what each is about: a field, a card, a place.
func among[T form.Integer](legal env.Mask, first env.Action, n int) iter.Seq2[T, env.Action] {
	return func(yield func(T, env.Action) bool) {
		for i := range n {
			if a := first + env.Action(i); legal.Has(a) && !yield(T(i), a) {
				return
			}
		}
	}
}

// A choice is the best of several things; of those worth the same, the first.
type choice[T any] struct {
	best T
	top  float64
}

// undecided is a choice among actions before any is put: -1.
func undecided() choice[env.Action] { return choice[env.Action]{-1, math.Inf(-1)} }

// put notes what a thing is worth.
func (c *choice[T]) put(x T, worth float64) {
	if worth > c.top {
		c.best, c.top = x, worth
	}
}

// A ranking collects the scores of one decision.
type ranking struct {
	choice[env.Action]
	all []float64 // nil if only the best is asked for
}

// Unwanted is the score of a legal action that a bot sees no use in.
const Unwanted = -1e6

// begin starts a decision. What is not put has the score Unwanted, or, if it is not legal, minus infinity.
func (r *ranking) begin(legal env.Mask, all []float64) {
	r.choice, r.all = undecided(), all
	for a := range all {
		all[a] = math.Inf(-1)
		if legal.Has(env.Action(a)) {
			all[a] = Unwanted
		}
	}
}

// put notes the score of a legal action; of equal ones the first is chosen.
func (r *ranking) put(a env.Action, score float64) {
	r.choice.put(a, score)
	if r.all != nil {
		r.all[a] = score
	}
}

// The levels, from weak to strong.
const (
	Naive  = "naive"
	Greedy = "greedy"
	Strong = "strong"
)

// levels are all levels, in the order of script.bots.
var levels = [...]string{Naive, Greedy, Strong}

// Levels are the names of all levels, from weak to strong.
func Levels() []string { return slices.Clone(levels[:]) }

// Names are those of all bots that every game has: the levels and Varied.
func Names() []string { return append(Levels(), Varied) }

// A script is the three bots of one game.
type script struct {
	rulebook func() *registry.Rulebook
	bots     [len(levels)]bot
	// earlier are, by level, the versions before that of bots, from version 1 on: what has been measured against a bot
	// means something for as long as that bot can be played against.
	earlier [len(levels)][]bot
}

// version is that of the bot of a level today.
func (s *script) version(level int) int { return len(s.earlier[level]) + 1 }

// A bot makes the policies of one level.
type bot struct {
	// weights returns a pointer to a struct of the numbers that the policy weighs by (weight), with the values that suit
	// the game; nil if it has none.
	weights func(g env.Game) any
	// create makes a policy with such weights, which it reads only.
	create func(g env.Game, weights any) policy
}

// plain is a bot without weights.
func plain(create func(g env.Game) policy) bot {
	return bot{create: func(g env.Game, _ any) policy { return create(g) }}
}

func scripts() []script {
	return []script{oneEarthBots, risingBots, newEarthBots, resilienceBots, earthmanBots}
}

// open makes the bot.
func (b *bot) open(g env.Game) *Bot {
	var weights any
	if b.weights != nil {
		weights = b.weights(g)
	}
	return &Bot{b.create(g, weights), g.New()}
}

// Plays says whether there are bots for a game.
func Plays(g env.Game) bool {
	_, _, err := find(scripts(), g, Strong)
	return err == nil
}

// find looks up the bot of a level that plays g, as it is today. The caller also takes others, which an error names
// too.
func find(scripts []script, g env.Game, level string, others ...string) (*script, int, error) {
	for i := range scripts {
		s := &scripts[i]
		if s.rulebook().Name != g.Info().Name {
			continue
		}
		if k := slices.Index(levels[:], level); k >= 0 {
			return s, k, nil
		}
		return nil, 0, fmt.Errorf("unknown level %q of scripted bots: %s", level,
			spelling.Suggest(level, append(Levels(), others...)))
	}
	return nil, 0, fmt.Errorf("%s has no scripted bots", g.Info().Name)
}

// Open finds the bot of a level that plays g: "strong", or "strong@1" for the version of that number, whatever has come
// after it; or the strong one with another character, "varied" or "varied@7" ([Varied]). What it returns makes one
// instance at each call.
func Open(g env.Game, level string) (func() *Bot, error) { return open(scripts(), g, level) }

func open(scripts []script, g env.Game, level string) (func() *Bot, error) {
	name := level
	level, number, versioned := strings.Cut(name, "@")
	if level == Varied {
		return openVaried(scripts, g, name)
	}
	s, k, err := find(scripts, g, level, Varied)
	if err != nil {
		return nil, err
	}
	b := &s.bots[k]
	if versioned {
		n, err := strconv.Atoi(number)
		switch newest := s.version(k); {
		case err != nil || n < 1 || n > newest || number != strconv.Itoa(n):
			return nil, fmt.Errorf("there is no version %q of script:%s of %s: there are 1 to %d", number, level, g.Info().Name,
				newest)
		case n < newest:
			b = &s.earlier[k][n-1]
		}
	}
	return func() *Bot { return b.open(g) }, nil
}

// Version is the number of the bot of a level that plays g: raised whenever its choices change.
func Version(g env.Game, level string) (int, error) {
	s, k, err := find(scripts(), g, level)
	if err != nil {
		return 0, err
	}
	return s.version(k), nil
}
