package benchmark

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"earthgym/agents"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/decode"
	"earthgym/env/disk"
	"earthgym/env/farm"
	"earthgym/env/registry"
	"earthgym/env/seal"
	"earthgym/env/spelling"
	"earthgym/eval"
)

// Results are what a protocol has shown.
type Results struct {
	Protocol int    `json:"protocol"`
	Quick    bool   `json:"quick"`
	Season   bool   `json:"season,omitempty"` // played with other component data than the protocol's
	Program  string `json:"program"`
	Date     string `json:"date"`    // 2026-11-22
	Command  string `json:"command"` // that made it
	Rows     []Row  `json:"rows"`
}

// A Row is what is told of an agent.
type Row struct {
	Agent string `json:"agent"`
	// hash of the network that it plays by; where each game has its own, of them in the order of contests
	Network   string          `json:"network,omitempty"`
	Contests  []ContestResult `json:"contests"` // those that it can play
	Scenarios []SceneResult   `json:"scenarios"`
	Profile   []Demand        `json:"profile"`
	// Total is the mean of the contests' scores, each with those of its variants; of one that plays all of them.
	Total *eval.Share `json:"total,omitempty"`
}

// A ContestResult is what an agent has made in a contest.
type ContestResult struct {
	Game string `json:"game"`
	Data string `json:"data"`
	// what the agent's text leaves open in this game, such as how a level samples (agents.Maker.Said)
	Made  string `json:"made,omitempty"`
	Games int    `json:"games"` // of the score

	Return eval.Share `json:"return"` // at the reference's table; where all win together, of its own
	// Score is the return from 0, random play's, to 1, the reference's; what the two get is taken as exact.
	Score   eval.Share  `json:"score"`
	Success *eval.Share `json:"success,omitempty"` // games won, where all win together
	Rating  *eval.Share `json:"rating,omitempty"`  // the reference's is 0

	Exploited *Exploited `json:"exploited,omitempty"`
	// where motives are mixed: games in which its own table loses what it shares
	Lost *eval.Share `json:"lost,omitempty"`

	Variants []VariantResult `json:"variants,omitempty"`
}

// A VariantResult is an agent's score in another variant of a contest's rulebook.
type VariantResult struct {
	Variant string     `json:"variant"` // its options
	Games   int        `json:"games"`
	Return  eval.Share `json:"return"`
	Score   eval.Share `json:"score"` // as that of the contest, on the variant's own scale
}

// Exploited is how much the best guest gains at an agent's own table over the agent itself in its place.
type Exploited struct {
	By   string     `json:"by"`
	Gain eval.Share `json:"gain"`
}

// A SceneResult is what an agent has made in a scenario.
type SceneResult struct {
	Scenario string     `json:"scenario"`
	Demands  []string   `json:"demands"`
	Score    eval.Share `json:"score"`
	Return   eval.Share `json:"return"`
	Others   eval.Share `json:"others"` // what the others get more than without it
}

// A Demand is the mean score of the scenarios that demand a thing.
type Demand struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// Options say how a protocol is run.
type Options struct {
	Quick    bool              // fewer games, and no search
	Registry registry.Registry // where the games are
	Games    []string          // names of the games to measure in; all of the protocol's if there are none
	// component data instead of the protocol's; only their games are played then, and no scenario
	Season  []datafile.File
	Workers int
	Dir     string // where measurements and the games of ratings are kept, to go on from; it must be there
	// Share, if not nil, has one shard of the games played (farm.Share.Partial): nothing else is kept then, and no result
	// says anything. Or it has the games of all shards.
	Share *farm.Share
	// Progress, if not nil, is told what is played, and how much of it.
	Progress func(what string, done, total int)
}

// A bench is a protocol that is run.
type bench struct {
	*Protocol
	Options
	rows    []string                     // who is measured
	kept    map[string]json.RawMessage   // by what was measured
	matches map[string]*eval.MatchResult // of the running contest or scenario, by who sat at the table
	log     *disk.Log[keptLine]
	folder  *disk.Folder // Dir, which is held
}

// Run measures agents, the field if none are named, in the games that they play: a network plays one. It goes on with
// what Options.Dir holds of the same measurements.
func (p *Protocol) Run(ctx context.Context, texts []string, o Options) (*Results, error) {
	named := len(texts) > 0
	if !named {
		texts = slices.Clone(p.Field)
		if !o.Quick && p.Search != "" {
			texts = append(texts, p.Search)
		}
	}
	if o.Quick && slices.Contains(texts, p.Search) {
		return nil, &eval.RequestError{
			Err: fmt.Errorf("quickly, %s is not measured: the protocol has no games for it", p.Search)}
	}
	for _, name := range o.Games {
		if !slices.ContainsFunc(p.Contests, func(c Contest) bool { return c.Game == name }) {
			return nil, &eval.RequestError{
				Err: fmt.Errorf("%s is no game of the protocol: %s", name, spelling.Suggest(name, p.names()))}
		}
	}
	b := &bench{Protocol: p, Options: o, rows: texts, kept: map[string]json.RawMessage{},
		matches: map[string]*eval.MatchResult{}}
	if named {
		if err := b.checkRows(); err != nil {
			return nil, err
		}
	}
	if err := b.open(); err != nil {
		return nil, err
	}
	defer b.close()
	r := &Results{Protocol: p.Version, Quick: o.Quick, Season: o.Season != nil}
	for _, text := range texts {
		r.Rows = append(r.Rows, Row{Agent: text, Contests: []ContestResult{}, Scenarios: []SceneResult{},
			Profile: []Demand{}})
	}
	played := 0
	for i := range p.Contests {
		c := &p.Contests[i]
		if !b.plays(c.Game) {
			continue
		}
		g, err := c.open(o.Registry, "", o.Season)
		if err != nil {
			return nil, err
		}
		if err := b.contest(ctx, c, g, r); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Game, err)
		}
		played++
	}
	if played == 0 {
		return nil, errors.New("the protocol has no contest of the games of these data")
	}
	for i := range p.Scenarios {
		if o.Season != nil || !b.plays(p.Scenarios[i].Game) {
			continue
		}
		if err := b.scenario(ctx, &p.Scenarios[i], r); err != nil {
			return nil, fmt.Errorf("scenario %s: %w", p.Scenarios[i].Name, err)
		}
	}
	for i := range r.Rows {
		r.Rows[i].Profile = profile(r.Rows[i].Scenarios)
		r.Rows[i].Total = p.total(r.Rows[i].Contests)
	}
	return r, nil
}

func (p *Protocol) names() []string {
	var names []string
	for _, c := range p.Contests {
		names = append(names, c.Game)
	}
	return names
}

func (b *bench) plays(game string) bool {
	drawn := func(d datafile.File) bool { name, _ := d.Game(); return name == game }
	return (len(b.Options.Games) == 0 || slices.Contains(b.Options.Games, game)) &&
		(b.Season == nil || slices.ContainsFunc(b.Season, drawn))
}

// checkRows finds for every agent a game that it plays, before anything is played.
func (b *bench) checkRows() error {
	for at, text := range b.rows {
		if slices.Contains(b.rows[:at], text) {
			return &eval.RequestError{Err: fmt.Errorf("agent %s is there twice", text)}
		}
		var refused error
		opened := false
		for i := range b.Contests {
			c := &b.Contests[i]
			if !b.plays(c.Game) {
				continue
			}
			g, err := c.open(b.Registry, "", b.Season)
			if err != nil {
				return err
			}
			if _, err = agents.Open(text, g); err == nil {
				opened = true
				break
			}
			refused = cmp.Or(refused, err)
		}
		if !opened && refused != nil {
			return refused
		}
	}
	return nil
}

// profile is the mean score of what each thing is demanded by.
func profile(scenes []SceneResult) []Demand {
	list := []Demand{}
	for _, name := range Demands() {
		sum, n := 0.0, 0
		for _, s := range scenes {
			if slices.Contains(s.Demands, name) && !unknown(s.Score) {
				sum, n = sum+s.Score.Mean, n+1
			}
		}
		if n > 0 {
			list = append(list, Demand{name, sum / float64(n)})
		}
	}
	return list
}

// total is the mean of contests' scores, each with those of its variants, as those of the benchmark's whole are; nil if
// one of them lacks.
func (p *Protocol) total(contests []ContestResult) *eval.Share {
	if len(contests) != len(p.Contests) {
		return nil
	}
	var mean, below, above float64
	for i := range contests {
		c := &contests[i]
		if len(c.Variants) != len(p.Contests[i].Variants) {
			return nil
		}
		scores := []eval.Share{c.Score}
		for _, v := range c.Variants {
			scores = append(scores, v.Score)
		}
		scores = slices.DeleteFunc(scores, unknown)
		if len(scores) == 0 {
			return nil
		}
		weight := 1 / float64(len(contests)*len(scores))
		for _, s := range scores {
			mean += weight * s.Mean
			below += math.Pow(weight*(s.Mean-s.CI[0]), 2)
			above += math.Pow(weight*(s.CI[1]-s.Mean), 2)
		}
	}
	return &eval.Share{Mean: mean, CI: eval.Interval{mean - math.Sqrt(below), mean + math.Sqrt(above)}}
}

// unknown says that nothing is known of a number.
func unknown(s eval.Share) bool { return math.IsInf(s.CI[0], 0) && math.IsInf(s.CI[1], 0) }

// games chooses between full and quick.
func (b *bench) games(n [2]int) int {
	if b.Quick {
		return n[1]
	}
	return n[0]
}

// entrants opens agents for a game; nil is one that does not play it, as a network doesn't that was made for another,
// and the field's search where there is to be none.
func (b *bench) entrants(texts []string, g env.Game, c *Contest) ([]*agents.Maker, error) {
	makers := make([]*agents.Maker, len(texts))
	for i, text := range texts {
		if text == b.Search && !c.Search {
			continue
		}
		m, err := agents.Open(text, g)
		switch {
		case err == nil:
			makers[i] = m
		case !errors.Is(err, shipped.ErrNone) && !slices.Contains(b.rows, text): // A row plays another (checkRows).
			return nil, err
		}
	}
	return makers, nil
}

func playing(m *agents.Maker) bool { return m != nil }

// each does something for every row whose agent plays a game.
func (r *Results) each(makers []*agents.Maker, do func(row *Row, m *agents.Maker) error) error {
	for i, m := range makers {
		if !playing(m) {
			continue
		}
		if err := do(&r.Rows[i], m); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) contest(ctx context.Context, c *Contest, g env.Game, r *Results) error {
	makers, err := b.entrants(b.rows, g, c)
	if err != nil || !slices.ContainsFunc(makers, playing) {
		return err
	}
	clear(b.matches)
	scale, err := b.scale(ctx, g, b.Protocol.Games.Score)
	if err != nil {
		return err
	}
	field, err := b.entrants(b.Field, g, c)
	if err != nil {
		return err
	}
	field = slices.DeleteFunc(field, func(m *agents.Maker) bool { return !playing(m) })
	err = r.each(makers, func(row *Row, m *agents.Maker) error {
		if m.Hash != "" && !strings.Contains(row.Network, m.Hash) {
			row.Network = strings.TrimSpace(row.Network + " " + m.Hash)
		}
		result := ContestResult{Game: c.Game, Data: g.Info().DataHash, Made: m.Said()}
		games := b.Protocol.Games.Score
		if row.Agent == b.Search {
			games = b.Protocol.Games.Search
		}
		v, err := b.guest(ctx, g, m, scale.reference, games)
		result.Games, result.Return, result.Score = v.Games, v.Return, scale.of(v)
		if g.Info().Shared() {
			result.Success = &v.Success
		}
		row.Contests = append(row.Contests, result)
		return err
	})
	if err != nil {
		return err
	}
	// Of the games at the reference's table, which is one of the field, the first tell what it can be exploited by.
	err = r.each(makers, func(row *Row, m *agents.Maker) error {
		if row.Agent == b.Search {
			return nil
		}
		result := &row.Contests[len(row.Contests)-1]
		if err := b.rate(ctx, g, m, field, result); err != nil || g.Info().Shared() {
			return err
		}
		return b.exploit(ctx, g, m, field, result)
	})
	if err != nil || b.Season != nil {
		return err
	}
	for _, variant := range c.Variants {
		if err := b.variant(ctx, c, variant, r); err != nil {
			return fmt.Errorf("%s: %w", variant, err)
		}
	}
	return nil
}

// variant scores all rows in another variant of a contest's rulebook, without search.
func (b *bench) variant(ctx context.Context, c *Contest, variant string, r *Results) error {
	g, err := c.open(b.Registry, variant, nil)
	if err != nil {
		return err
	}
	makers, err := b.entrants(b.rows, g, c)
	if err != nil {
		return err
	}
	clear(b.matches)
	scale, err := b.scale(ctx, g, b.Protocol.Games.Variant)
	if err != nil {
		return err
	}
	return r.each(makers, func(row *Row, m *agents.Maker) error {
		if row.Agent == b.Search {
			return nil
		}
		v, err := b.guest(ctx, g, m, scale.reference, b.Protocol.Games.Variant)
		result := &row.Contests[len(row.Contests)-1]
		result.Variants = append(result.Variants, VariantResult{variant, v.Games, v.Return, scale.of(v)})
		return err
	})
}

// A scale is what scores in a game are counted on: what random play gets at the reference's table is 0, what the
// reference gets there 1.
type scale struct {
	reference *agents.Maker
	zero, one float64
}

func (b *bench) scale(ctx context.Context, g env.Game, games [2]int) (scale, error) {
	reference, err := agents.Open(b.Reference, g)
	if err != nil {
		return scale{}, err
	}
	random, err := agents.Open("random", g)
	if err != nil {
		return scale{}, err
	}
	v, err := b.guest(ctx, g, random, reference, games)
	return scale{reference, v.Return.Mean, v.Own.Mean}, err
}

func (s scale) of(v visit) eval.Share { return between(v.Return, s.zero, s.one) }

// A visit is what a guest makes of a table, as it is kept.
type visit struct {
	Games  int        `json:"games"`
	Return eval.Share `json:"return"` // of the guest; where all win together, of its own table
	Own    eval.Share `json:"own"`    // of the table's agent
	Gain   eval.Share `json:"gain"`   // the difference
	Others eval.Share `json:"others"` // what the others gain by it
	// games won by the table with the guest; where all win together, by the guest's own
	Success eval.Share `json:"success"`
	Kept    eval.Share `json:"kept"` // games in which what is shared was kept
}

// guest plays a guest at an agent's table; where all win together, a table of each.
func (b *bench) guest(ctx context.Context, g env.Game, guest, table *agents.Maker, games [2]int) (visit, error) {
	n := b.games(games)
	v := visit{}
	err := b.measure(fmt.Sprintf("guest %s at %s: %d of %s %s", guest.Identity(), table.Identity(), n, g.Info().Text,
		g.Info().DataHash), &v, func() error {
		options, err := b.options(g, guest.Text+" at "+table.Text, n)
		if err != nil {
			return err
		}
		if g.Info().Shared() {
			return b.compare(ctx, g, guest, table, options, &v)
		}
		return b.play(ctx, g, guest, table, options, &v)
	})
	return v, err
}

// substitute takes over the seats of agents that crash or hang.
const substitute = "script:greedy@1"

func (b *bench) options(g env.Game, what string, games int) (eval.Options, error) {
	o := eval.Options{Games: games, Seed: uint64(b.Seed), Workers: b.Workers, Share: b.Share}
	if b.Progress != nil {
		o.Progress = func(done, total int) { b.Progress(g.Info().Name+": "+what, done, total) }
	}
	var err error
	o.Substitute, err = agents.Open(substitute, g)
	return o, err
}

// play has a guest at a table, and the table without it on the same seeds.
func (b *bench) play(ctx context.Context, g env.Game, guest, table *agents.Maker, o eval.Options, v *visit) error {
	alone := o
	alone.Games = eval.GuestSeeds(o.Games, g.Info().Players)
	own, err := b.match(ctx, g, alone, table)
	if err != nil {
		return err
	}
	if guest.Text == table.Text {
		v.own(own)
		return nil
	}
	with, err := b.match(ctx, g, o, guest, table)
	if err != nil {
		return err
	}
	d, err := eval.NewDeviation(with, own)
	if err != nil {
		return err
	}
	v.Games, v.Return, v.Own, v.Gain, v.Others = with.Games, d.Return, d.Own, d.Gain, d.OthersGain
	v.Success = eval.Share{Mean: with.Agents[0].WinShare, CI: with.Agents[0].WinCI}
	v.Kept = kept(with)
	return nil
}

// match plays a match, unless one of those before it has begun with its games.
func (b *bench) match(ctx context.Context, g env.Game, o eval.Options, table ...*agents.Maker) (*eval.MatchResult,
	error) {
	what := ""
	for _, m := range table {
		what += m.Identity() + ", "
	}
	if longer := b.matches[what]; longer != nil && longer.Games >= o.Games {
		return longer.First(g.Info(), o.Games), nil
	}
	r, err := eval.Match(ctx, g, table, o)
	if err == nil {
		b.matches[what] = r
	}
	return r, err
}

// own is a table of one agent.
func (v *visit) own(r *eval.MatchResult) {
	v.Games, v.Return = r.Games, eval.Share{Mean: r.Agents[0].MeanReturn, CI: r.Agents[0].ReturnCI}
	v.Own, v.Success, v.Kept = v.Return, eval.Share{Mean: r.Agents[0].WinShare, CI: r.Agents[0].WinCI}, kept(r)
}

// compare plays a table of each on the same seeds, where all win together.
func (b *bench) compare(ctx context.Context, g env.Game, guest, table *agents.Maker, o eval.Options, v *visit) error {
	one, err := b.match(ctx, g, o, guest)
	if err != nil {
		return err
	}
	v.own(one)
	if guest.Text == table.Text {
		return nil
	}
	other, err := b.match(ctx, g, o, table)
	if err != nil {
		return err
	}
	c, err := eval.Compare(one, other)
	if err != nil {
		return err
	}
	v.Own = eval.Share{Mean: other.Agents[0].MeanReturn, CI: other.Agents[0].ReturnCI}
	v.Gain = eval.Share{Mean: c.MeanReturn, CI: c.ReturnCI}
	return nil
}

// kept is how often what is shared was kept; always, where nothing is.
func kept(r *eval.MatchResult) eval.Share {
	if r.Commons == nil {
		return eval.Share{Mean: 1, CI: eval.Interval{1, 1}}
	}
	lost := r.Commons.Lost
	return eval.Share{Mean: 1 - lost.Mean, CI: eval.Interval{1 - lost.CI[1], 1 - lost.CI[0]}}
}

// between puts a return on the scale on which two others are 0 and 1. Where the second is no more than the first, as in
// a season in which the reference topples what all share, there is no scale, and nothing is known.
func between(x eval.Share, zero, one float64) eval.Share {
	if one <= zero {
		return eval.Share{CI: eval.Interval{math.Inf(-1), math.Inf(1)}}
	}
	scaled := func(y float64) float64 { return (y - zero) / (one - zero) }
	return eval.Share{Mean: scaled(x.Mean), CI: eval.Interval{scaled(x.CI[0]), scaled(x.CI[1])}}
}

// rate rates an agent in a tournament of the field, in which it takes part.
func (b *bench) rate(ctx context.Context, g env.Game, m *agents.Maker, field []*agents.Maker, r *ContestResult) error {
	entrants, others := slices.Clone(field), []string{}
	if !slices.ContainsFunc(field, func(f *agents.Maker) bool { return f.Text == m.Text }) {
		entrants = append(entrants, m)
	}
	for _, e := range entrants {
		others = append(others, e.Identity())
	}
	n := b.games(b.Protocol.Games.Rating)
	ratings := map[string]eval.Share{}
	key := fmt.Sprintf("ratings of %s: %d of %s %s", strings.Join(others, ", "), n, g.Info().Text, g.Info().DataHash)
	err := b.measure(key, &ratings, func() (err error) {
		options, err := b.options(g, "ratings", n)
		if err != nil {
			return err
		}
		t, err := b.tournament(g, entrants, n, options.Substitute)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, t.Close()) }()
		if err := t.Play(ctx, n, 0, options); err != nil || b.Share.Partial() {
			return err
		}
		result, err := t.Result(b.Reference)
		if err != nil {
			return err
		}
		for _, x := range result.Ratings {
			ratings[x.Agent] = eval.Share{Mean: x.Rating, CI: x.CI}
		}
		return nil
	})
	if rating, ok := ratings[m.Text]; ok {
		r.Rating = &rating
	}
	return err
}

// tournament opens the tournament of a field in a folder of its own, which stays: it is gone on with, and where
// networks have changed since, no more than the games are played in which they sit.
func (b *bench) tournament(g env.Game, entrants []*agents.Maker, games int, substitute *agents.Maker) (*eval.Tournament,
	error) {
	what := fmt.Sprintf("protocol %d, %d of %s %s:", b.Version, games, g.Info().Text, g.Info().DataHash)
	for _, e := range entrants {
		what += " " + e.Text
	}
	sum := sha256.Sum256([]byte(what))
	dir := filepath.Join(b.Dir, fmt.Sprintf("ratings-%s-%x", g.Info().Name, sum[:6]))
	o := eval.TournamentOptions{Seed: uint64(b.Seed), Substitute: substitute, Most: games, Share: b.Share}
	t, err := eval.OpenTournament(dir, g, entrants, o)
	if changed := new(eval.ChangedError); errors.As(err, &changed) {
		o.Again = changed.Agents
		t, err = eval.OpenTournament(dir, g, entrants, o)
	}
	return t, err
}

// exploit has each of the field as a guest at the agent's own table.
func (b *bench) exploit(ctx context.Context, g env.Game, m *agents.Maker, field []*agents.Maker,
	r *ContestResult) error {
	for _, guest := range field {
		if guest.Text == m.Text {
			continue
		}
		v, err := b.guest(ctx, g, guest, m, b.Protocol.Games.Exploit)
		if err != nil {
			return err
		}
		if r.Exploited == nil || v.Gain.Mean > r.Exploited.Gain.Mean {
			r.Exploited = &Exploited{guest.Text, v.Gain}
		}
	}
	if g.Info().Has(env.Mixed) {
		own, err := b.guest(ctx, g, m, m, b.Protocol.Games.Exploit)
		if err != nil {
			return err
		}
		r.Lost = &eval.Share{Mean: 1 - own.Kept.Mean, CI: eval.Interval{1 - own.Kept.CI[1], 1 - own.Kept.CI[0]}}
	}
	return nil
}

func (b *bench) scenario(ctx context.Context, s *Scenario, r *Results) error {
	c := &b.Contests[slices.IndexFunc(b.Contests, func(c Contest) bool { return c.Game == s.Game })]
	g, err := c.open(b.Registry, "", nil)
	if err != nil {
		return err
	}
	makers, err := b.entrants(b.rows, g, c)
	if err != nil || !slices.ContainsFunc(makers, playing) {
		return err
	}
	clear(b.matches)
	background, err := agents.Open(s.Background, g)
	if err != nil {
		return err
	}
	seated := func(m *agents.Maker) (visit, error) {
		games := b.Protocol.Games.Scene
		if m.Text == b.Search {
			games = b.Protocol.Games.Search
		}
		n, v := b.games(games), visit{}
		err := b.measure(fmt.Sprintf("scene %s at %s: %d of %s %s", m.Identity(), s.Background, n, g.Info().Text,
			g.Info().DataHash), &v, func() error {
			options, err := b.options(g, m.Text+" "+s.Name, n)
			if err != nil {
				return err
			}
			return b.play(ctx, g, m, background, options, &v)
		})
		return v, err
	}
	marks := [2]visit{}
	for i, text := range []string{"random", b.Reference} {
		m, err := agents.Open(text, g)
		if err != nil {
			return err
		}
		if marks[i], err = seated(m); err != nil {
			return err
		}
	}
	return r.each(makers, func(row *Row, m *agents.Maker) error {
		v, err := seated(m)
		if err != nil {
			return err
		}
		result := SceneResult{Scenario: s.Name, Demands: s.Demands, Return: v.Return, Others: v.Others}
		switch s.By {
		case byKept:
			result.Score = v.Kept
		case byWon:
			result.Score = v.Success
		default:
			result.Score = between(v.Return, marks[0].Return.Mean, marks[1].Return.Mean)
		}
		row.Scenarios = append(row.Scenarios, result)
		return nil
	})
}

// keptFile has a line for each measurement, in Options.Dir, beside the tournaments that ratings come from.
const keptFile = "measured.jsonl"

type keptLine struct {
	What string          `json:"what"`
	Is   json.RawMessage `json:"is"`
}

// open takes the folder and reads what is kept there.
func (b *bench) open() (err error) {
	if b.Share.Partial() {
		return nil
	}
	if b.folder, err = disk.Hold(b.Dir); err != nil {
		return err
	}
	b.log, err = disk.OpenLog(filepath.Join(b.Dir, keptFile), seal.Begin(keptFile), func(line keptLine) error {
		b.kept[line.What] = line.Is
		return nil
	})
	if err != nil {
		return errors.Join(err, b.folder.Close())
	}
	return nil
}

// close gives the folder back. Every measurement was written when it was made.
func (b *bench) close() {
	if b.log != nil {
		_ = b.log.Close()
		_ = b.folder.Close()
	}
}

// measure makes a measurement, or takes it from what is kept.
func (b *bench) measure(what string, into any, play func() error) error {
	what = fmt.Sprintf("protocol %d, %s", b.Version, what)
	if is, ok := b.kept[what]; ok {
		if err := decode.JSON(is, into); err != nil {
			return fmt.Errorf("%s: what is kept of %s: %w", filepath.Join(b.Dir, keptFile), what, err)
		}
		return nil
	}
	if err := play(); err != nil {
		return err
	}
	if b.Share.Partial() { // Nothing is known of it, and it need not be played again.
		b.kept[what] = json.RawMessage("null")
		return nil
	}
	is, err := json.Marshal(into)
	if err != nil {
		return err
	}
	b.kept[what] = is
	if err := b.log.Add(keptLine{what, is}); err != nil {
		return fmt.Errorf("a measurement can't be kept: %w", err)
	}
	// What was read back is what was measured, to the digit, whether it was kept or not.
	return json.Unmarshal(is, into)
}
