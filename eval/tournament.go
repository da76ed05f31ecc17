package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/disk"
	"earthgym/env/farm"
	"earthgym/env/seal"
	"earthgym/env/spelling"
)

// A Tournament plays agents against each other in all mixes that a table has room for, and keeps every game in a
// folder: tournament.json says what is played, and games.jsonl has a line for each game, in the order in which they
// ended, as floor.jsonl has for those of the noise floor. A tournament that ends in the middle, however it does, goes
// on where it was: nothing is played twice, and the result is the same to the last digit.
//
// A mix is a choice of agents for the seats in which at least two differ; the agents of one mix play a block, that is
// all rotations on one seed. The mixes come in an order drawn from the seed, all of them before any comes again, so
// that each agent meets each other one equally often. Where motives are mixed, agents play among themselves, too: that
// is a mix of one. Where all seats win and lose together a block is one game for each agent, which holds all seats.
//
// The noise floor (NoiseFloor) is beside the field: games of an agent with a copy of itself, of which ratings and
// standings know nothing. Where all seats win and lose together they are tables of the copy alone, on the seeds of the
// field's.
//
// Agents that are programs start anew for the games of each block. An agent that has changed under its name, as a
// network does that is trained on, or a level that is fitted again, is refused; or its games are played again
// (TournamentOptions.Again), and those of others stay: the result is that of a tournament played anew.
type Tournament struct {
	schedule
	header  TournamentSettings
	floor   *schedule // nil without
	floorOf int       // the agent whose copy plays in the floor
	steady  bool      // nobody does anything by chance, so that there is no noise to show
	running []Standing
	took    Thinking
	dir     string
	folder  *disk.Folder // dir, which is held
}

// A schedule is games in a fixed order, of which those that were played are in a file.
type schedule struct {
	series *series
	tables []int   // where all seats win and lose together, the agents, of which each holds a table in every block
	mixes  [][]int // elsewhere
	order  env.Stream
	cycle  []int // mixes in the order of the running pass
	sizes  []int // games before each block
	kept   bool  // their records
	most   int   // more than so many games are read of no file; 0 for any number
	log    *disk.Log[gameLine]
}

// TournamentFormat names the form of a tournament's folder.
const TournamentFormat = "earthgym-tournament/4"

// TournamentFile is the file of a tournament's folder that says what is played.
const TournamentFile = "tournament.json"

const (
	gamesFile     = "games.jsonl"
	floorFile     = "floor.jsonl"
	recordsFolder = "records"
)

// mostMixes bounds the mixes of a tournament: with more agents than this allows, most of them would never come.
const mostMixes = 1_000_000

// TournamentSettings are what a tournament is: tournament.json.
type TournamentSettings struct {
	Format string   `json:"format"`
	Game   string   `json:"game"` // the full game text
	Rules  int      `json:"rules"`
	Data   string   `json:"data"`
	Agents []string `json:"agents"` // at least two
	// of the networks that the agents play by, "" for none; left out if none does
	Hashes []string `json:"hashes,omitempty"`
	// what their texts leave open (agents.Maker.Said), "" for nothing; left out if it is nothing
	Made       []string `json:"made,omitempty"`
	Floor      int      `json:"floor,omitempty"` // as in TournamentOptions
	Seed       uint64   `json:"seed"`
	Substitute string   `json:"substitute"` // takes over seats that are forfeited; "" makes such games void
	Records    bool     `json:"records,omitempty"`

	// Until when it was to be played the last time (Tournament.Play), 0 for no such bound: nothing that games depend on.
	Games     int     `json:"games,omitempty"`
	HalfWidth float64 `json:"half_width,omitempty"`
}

// ReadTournament reads what is played in a folder.
func ReadTournament(dir string) (h TournamentSettings, err error) {
	name := filepath.Join(dir, TournamentFile)
	data, err := disk.ReadFile(name, 1<<20)
	if err != nil {
		return h, fmt.Errorf("%s is no folder of a tournament: %w", dir, err)
	}
	var other struct{ Format string }
	if json.Unmarshal(data, &other); other.Format != "" && other.Format != TournamentFormat { // It may have other fields.
		return h, fmt.Errorf("%s: format %q; this program reads %s", name, other.Format, TournamentFormat)
	}
	if data, err = new(seal.Chain).Open(data); err != nil {
		return h, fmt.Errorf("%s: %w", name, err)
	}
	if err := decode.JSON(data, &h); err != nil {
		return h, fmt.Errorf("%s: %w", name, err)
	}
	if h.Format == "" {
		return h, fmt.Errorf("%s: it does not say the format, %s", name, TournamentFormat)
	}
	switch {
	case len(h.Agents) < 2:
		return h, fmt.Errorf("%s: %s; a tournament has at least 2", name, spelling.Counted(len(h.Agents), "agent"))
	case h.Floor < DefaultFloor || h.Games < 0 || h.HalfWidth < 0:
		return h, fmt.Errorf("%s: floor %d, games %d and half_width %v: they are not below 0", name, h.Floor, h.Games,
			h.HalfWidth)
	}
	return h, nil
}

// TournamentOptions say how a tournament is played.
type TournamentOptions struct {
	Seed       uint64        // of all chance of the tournament
	Substitute *agents.Maker // takes over seats that are forfeited; nil makes such games void (Options.Substitute)
	// games of the noise floor, at least; 0 for none, DefaultFloor for as many as suit the tournament
	Floor   int
	Records bool   // the record of every game of the field is kept in the folder (RecordFile)
	Program string // what plays, for the records

	// Most bounds what a folder may ask for, its games and those of its noise floor, by what there is memory for; 0 does
	// not.
	Most int

	// Share, if not nil, has one shard of the games played, and kept there alone (farm.Share.Partial): there is no result
	// then. Or it has all games of the shards, which are taken into the folder.
	Share *farm.Share

	// Again are texts of agents that have changed: the games in which they sit, and no others, are played again.
	Again []string
}

// A ChangedError says that agents of a tournament are made of something else now, under the same names.
type ChangedError struct {
	Dir    string
	Agents []string // their texts
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s was played by others of the same name, by another network or by other settings: %s", e.Dir,
		strings.Join(e.Agents, ", "))
}

// OpenTournament begins a tournament in a folder, which it makes, or goes on with the one that is there if it is the
// same: another game, version of the rules, field of agents or seed is refused, and with a ChangedError agents that
// are made of something else, and that TournamentOptions.Again does not name. Close gives the folder back.
func OpenTournament(dir string, g env.Game, makers []*agents.Maker, o TournamentOptions) (_ *Tournament, err error) {
	info := g.Info()
	h := TournamentSettings{
		Format: TournamentFormat, Game: info.Text, Rules: info.Rules, Data: info.DataHash, Seed: o.Seed, Floor: o.Floor,
		Records: o.Records,
	}
	if o.Substitute != nil {
		h.Substitute = o.Substitute.Text
	}
	for i, m := range makers {
		if slices.Contains(h.Agents, m.Text) {
			return nil, requestf("agent %d, %s, is there twice", i, m.Text)
		}
		h.Agents, h.Hashes, h.Made = append(h.Agents, m.Text), append(h.Hashes, m.Hash), append(h.Made, m.Said())
	}
	h.Hashes, h.Made = anySaid(h.Hashes), anySaid(h.Made)
	for _, text := range o.Again {
		if !slices.Contains(h.Agents, text) {
			return nil, requestf("%s, whose games are to be played again, is none of the agents %v", text, h.Agents)
		}
	}
	if len(makers) < 2 {
		return nil, requestf("%s; a tournament has at least 2", spelling.Counted(len(makers), "agent"))
	}
	t := &Tournament{header: h, dir: dir}
	t.order = env.NewStream(o.Seed, "tournament order")
	if info.Shared() {
		for i := range makers {
			t.tables = append(t.tables, i)
		}
	} else if t.mixes, err = mixes(len(makers), info.Players, info.Has(env.Mixed)); err != nil {
		return nil, err
	}
	options := Options{Substitute: o.Substitute, Fresh: true, Program: o.Program, Share: o.Share}
	t.kept, t.most = o.Records, o.Most
	t.series = newSchedule(g, makers, env.NewStream(o.Seed, "tournament"), options)
	for _, m := range makers {
		t.running = append(t.running, Standing{Agent: m.Text})
	}
	if o.Floor != 0 {
		t.openFloor(g, makers, options)
	}
	if o.Records {
		t.series.left = RecordFile
	}
	if o.Share.Partial() && !o.Share.Asking() {
		t.series.log = func(i int, o *Outcome, thought []thought) error {
			t.count(o, thought)
			return t.keepRecord(i, o)
		}
		return t, nil
	}
	if t.folder, err = disk.Hold(dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = t.Close()
		}
	}()
	if err := t.claim(o.Again); err != nil {
		return nil, err
	}
	if err := t.read(filepath.Join(dir, gamesFile), seal.Begin(t.header.identity()), t.count); err != nil {
		return nil, err
	}
	if !o.Share.Asking() { // What others have played may prove to be wrong as long as anything is asked for.
		t.series.log = t.write
	}
	if t.floor != nil {
		t.floor.most = o.Most
		if err := t.floor.read(filepath.Join(dir, floorFile), seal.Begin(t.header.identity()), nil); err != nil {
			return nil, err
		}
		if !o.Share.Asking() {
			t.floor.series.log = t.floor.write
		}
	}
	return t, nil
}

// claim makes the folder this tournament's, or finds that it is: other tournaments are refused, and agents that have
// changed, but for those whose games are to be played again.
func (t *Tournament) claim(again []string) error {
	old, err := ReadTournament(t.dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(filepath.Join(t.dir, gamesFile)); err == nil {
			return fmt.Errorf("%s has games and no %s", t.dir, TournamentFile)
		}
		return t.writeHeader()
	case err != nil:
		return err
	}
	if most := t.most; most > 0 && max(old.Games, old.Floor) > most {
		return fmt.Errorf("%s asks for %d games and a noise floor of %d: at most %d can be played here", t.dir, old.Games,
			old.Floor, most)
	}
	if what := t.header.differs(old); what != "" {
		return fmt.Errorf("%s is another tournament: %s", t.dir, what)
	}
	if changed := t.header.changed(old, again); changed != nil {
		return &ChangedError{Dir: t.dir, Agents: changed}
	}
	t.header.Games, t.header.HalfWidth = old.Games, old.HalfWidth
	if again != nil {
		return t.drop(again)
	}
	return nil
}

// newSchedule makes the series of a schedule, of which nothing has been played.
func newSchedule(g env.Game, makers []*agents.Maker, seeds env.Stream, o Options) *series {
	s := &series{game: g, makers: makers, seeds: seeds, options: o}
	s.usage = NewUsageCounter(g.Info(), s.names())
	return s
}

// openFloor draws up the noise floor: of the first agent that does anything by chance.
func (t *Tournament) openFloor(g env.Game, makers []*agents.Maker, o Options) {
	t.floorOf = slices.IndexFunc(makers, func(m *agents.Maker) bool { return !m.Steady })
	if t.floorOf < 0 {
		t.floorOf, t.steady = 0, true
		return
	}
	m, info := makers[t.floorOf], g.Info()
	t.floor = &schedule{order: env.NewStream(t.header.Seed, "floor order")}
	seeds := env.NewStream(t.header.Seed, "floor")
	if info.Shared() {
		// The agent has played on them in the field.
		t.floor.tables, seeds = []int{1}, env.NewStream(t.header.Seed, "tournament")
	} else {
		t.floor.mixes, _ = mixes(2, info.Players, false) // as many as there are seats, less one
	}
	t.floor.series = newSchedule(g, []*agents.Maker{m, m.Copy()}, seeds, o)
}

// differs says in what a tournament is another than the one in its folder.
func (h *TournamentSettings) differs(old TournamentSettings) string {
	switch {
	case h.Game != old.Game:
		return fmt.Sprintf("its game is %s, not %s", old.Game, h.Game)
	case h.Rules != old.Rules:
		return fmt.Sprintf("it was played by rules version %d; this program has version %d", old.Rules, h.Rules)
	case h.Data != old.Data:
		return fmt.Sprintf("it was played with component data %s, and loaded are %s: pass their file with --data FILE",
			old.Data, h.Data)
	case !slices.Equal(h.Agents, old.Agents):
		was, is := spelling.Apart(strings.Join(old.Agents, " "), strings.Join(h.Agents, " "))
		return fmt.Sprintf("its agents are [%s], not [%s]", was, is)
	case h.Seed != old.Seed:
		return fmt.Sprintf("its seed is %d, not %d", old.Seed, h.Seed)
	case h.Substitute != old.Substitute:
		return fmt.Sprintf("forfeited seats are taken over by %q, not by %q", old.Substitute, h.Substitute)
	case h.Floor != old.Floor:
		return "its noise floor is of another length"
	case h.Records != old.Records:
		return "it keeps records, or keeps none"
	}
	return ""
}

// identity is what the games of a tournament are sealed after: what it is, but for what may change while its games
// stay.
func (h TournamentSettings) identity() string {
	h.Hashes, h.Made, h.Games, h.HalfWidth = nil, nil, 0, 0
	text, _ := json.Marshal(h) // Of numbers and texts there is always one.
	return string(text)
}

// changed are the agents that are made of something else than in the folder, but for those of which that is known.
func (h *TournamentSettings) changed(old TournamentSettings, known []string) []string {
	said := func(list []string, i int) string {
		if i < len(list) {
			return list[i]
		}
		return ""
	}
	var list []string
	for i, text := range h.Agents {
		same := said(h.Hashes, i) == said(old.Hashes, i) && said(h.Made, i) == said(old.Made, i)
		if !same && !slices.Contains(known, text) {
			list = append(list, text)
		}
	}
	return list
}

func (t *Tournament) writeHeader() error {
	text, err := json.MarshalIndent(t.header, "", "  ")
	if err != nil {
		return err
	}
	return disk.Write(filepath.Join(t.dir, TournamentFile), new(seal.Chain).Seal(append(text, '\n')))
}

// drop takes the games of agents out of the folder, and then says in tournament.json who the agents are now: a process
// that is killed in between leaves the tournament as it was, with fewer games.
func (t *Tournament) drop(texts []string) error {
	again := func(text string) bool { return slices.Contains(texts, text) }
	// Which agent the noise floor is of depends on it and on those before it.
	if slices.ContainsFunc(t.header.Agents[:t.floorOf+1], again) {
		if err := os.Remove(filepath.Join(t.dir, floorFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	name := filepath.Join(t.dir, gamesFile)
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) { // It was killed before its first game.
		return t.writeHeader()
	}
	var dropped []int
	err := disk.SelectLog(name, seal.Begin(t.header.identity()), func(line gameLine) bool {
		if !slices.ContainsFunc(line.Seats, again) {
			return true
		}
		dropped = append(dropped, line.Game)
		return false
	})
	if err != nil {
		return err
	}
	if t.header.Records {
		for _, game := range dropped {
			if err := os.Remove(filepath.Join(t.dir, RecordFile(game))); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return t.writeHeader()
}

// mixes are all choices of n agents for the seats, in which order doesn't count, with or without those of one agent
// alone.
func mixes(n, seats int, alone bool) ([][]int, error) {
	count := 1.0
	for k := range seats {
		count = count * float64(n+k) / float64(k+1)
	}
	if count > mostMixes {
		return nil, requestf("%d agents have %.0f mixes for %d seats; there may be %d", n, count, seats, mostMixes)
	}
	var all [][]int
	mix := make([]int, seats)
	for {
		if alone || mix[0] != mix[seats-1] {
			all = append(all, slices.Clone(mix))
		}
		k := seats - 1
		for k >= 0 && mix[k] == n-1 {
			k--
		}
		if k < 0 {
			return all, nil
		}
		mix[k]++
		for i := k + 1; i < seats; i++ {
			mix[i] = mix[k]
		}
	}
}

// extend adds the games of the next block.
func (s *schedule) extend() {
	seatings, seed := s.seatings(), s.series.seeds.Uint64()
	s.sizes = append(s.sizes, len(s.series.outcomes))
	for _, seating := range seatings {
		s.series.outcomes = append(s.series.outcomes, Outcome{Block: len(s.sizes) - 1, Seed: seed, Seating: seating,
			kept: s.kept})
	}
}

func (s *schedule) seatings() [][]int {
	if s.tables != nil {
		var all [][]int
		for _, i := range s.tables {
			all = append(all, slices.Repeat([]int{i}, s.series.game.Info().Players))
		}
		return all
	}
	if len(s.cycle) == 0 {
		s.cycle = make([]int, len(s.mixes))
		for i := range s.cycle {
			s.cycle[i] = i
			j := s.order.Below(i + 1)
			s.cycle[i], s.cycle[j] = s.cycle[j], s.cycle[i]
		}
	}
	mix := s.mixes[s.cycle[0]]
	s.cycle = s.cycle[1:]
	// Where each of a mix's agents sits beside which others is drawn, too: rotations keep neighbours.
	seats := slices.Clone(mix)
	for i := range seats {
		j := s.order.Below(i + 1)
		seats[i], seats[j] = seats[j], seats[i]
	}
	return rotations(seats)
}

// RecordFile is where the record of a game of a tournament is kept, seen from its folder.
func RecordFile(game int) string {
	return filepath.Join(recordsFolder, fmt.Sprintf("%03d", game/1000), fmt.Sprintf("%06d.jsonl", game))
}

// write adds a game to the folder, its record first and its line in one write, so that a process that is killed leaves
// whole lines and at most the beginning of one more.
func (t *Tournament) write(i int, o *Outcome, thought []thought) error {
	if err := t.keepRecord(i, o); err != nil {
		return notKept(i, err)
	}
	if err := t.schedule.write(i, o, thought); err != nil {
		return err
	}
	t.count(o, thought)
	return nil
}

// write adds a game to the file, in one write.
func (s *schedule) write(i int, o *Outcome, thought []thought) error {
	if err := s.log.Add(s.series.line(i, thought)); err != nil {
		return notKept(i, err)
	}
	return nil
}

// keepRecord writes the record of a game, if records are kept.
func (t *Tournament) keepRecord(i int, o *Outcome) error {
	if o.Record == nil {
		return nil
	}
	name := filepath.Join(t.dir, RecordFile(i))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	record := o.Record
	o.Record, o.Transcripts = nil, nil // Thousands of them would not be needed in memory.
	return disk.WriteFile(name, record.Write)
}

// A Standing is how an agent stands while a tournament is played.
type Standing struct {
	Agent      string
	Games      int // seats taken
	MeanReturn float64
	WinShare   float64
}

// count adds a game to the standings.
func (t *Tournament) count(o *Outcome, thought []thought) {
	for p, a := range o.Seating {
		s := &t.running[a]
		if p < len(thought) {
			t.took.add(s.Agent, thought[p])
		}
		if o.Void && !o.forfeited(p) {
			continue
		}
		s.Games++
		s.MeanReturn += (o.Returns[p] - s.MeanReturn) / float64(s.Games)
		s.WinShare += (o.Wins[p] - s.WinShare) / float64(s.Games)
	}
}

// Standings are those of all games played so far, the best first. It may be called from Options.Progress.
func (t *Tournament) Standings() []Standing {
	list := slices.Clone(t.running)
	slices.SortStableFunc(list, func(a, b Standing) int {
		if (a.Games == 0) != (b.Games == 0) {
			return cmp.Compare(b.Games, a.Games)
		}
		return cmp.Compare(b.MeanReturn, a.MeanReturn)
	})
	return list
}

// Thinking is how long the agents have thought in all games so far, as the folder tells it.
func (t *Tournament) Thinking() *Thinking { return &t.took }

// read takes the games that are in the file, and tells count of each, if that is not nil.
func (s *schedule) read(name string, begin seal.Chain, count func(o *Outcome, thought []thought)) (err error) {
	s.log, err = disk.OpenLog(name, begin, func(line gameLine) error {
		o, took, err := s.take(line)
		if err == nil && count != nil {
			count(o, took)
		}
		return err
	})
	return err
}

// take fills in the outcome of a line, and gives it with how long its seats have thought.
func (s *schedule) take(line gameLine) (*Outcome, []thought, error) {
	// Games end out of order, but not by more than there are workers.
	if line.Game < 0 || line.Game > len(s.series.outcomes)+1<<16 || s.most > 0 && line.Game > s.most+1<<16 {
		return nil, nil, fmt.Errorf("game %d is not one of this tournament", line.Game)
	}
	for line.Game >= len(s.series.outcomes) {
		s.extend()
	}
	o := &s.series.outcomes[line.Game]
	took, err := s.series.fill(o, line)
	return o, took, err
}

// Close gives the folder back to others.
func (t *Tournament) Close() error {
	err := t.schedule.close()
	if t.floor != nil {
		err = errors.Join(err, t.floor.close())
	}
	return errors.Join(err, t.folder.Close())
}

func (s *schedule) close() error {
	if s.log == nil {
		return nil
	}
	err := s.log.Close()
	s.log = nil
	return err
}

// Seed is the seed of all chance of the tournament.
func (t *Tournament) Seed() uint64 { return t.header.Seed }

// Passes is how many games it takes until every mix has come as often as every other one.
func (t *Tournament) Passes() int {
	if t.tables != nil {
		return len(t.tables)
	}
	games := 0
	for _, mix := range t.mixes {
		games += len(rotations(mix))
	}
	return games
}

// Play plays until there are games games of the field, in whole blocks, or, if halfWidth is above 0, until the interval
// of every agent's mean return is at most that wide to either side, and then those of the noise floor. Games that are
// in the folder count.
func (t *Tournament) Play(ctx context.Context, games int, halfWidth float64, o Options) error {
	if games < 1 {
		return fmt.Errorf("a tournament has at least 1 game, not %d", games)
	}
	share := t.series.options.Share
	if share.Carries() {
		return t.carry(ctx, o)
	}
	if share.Partial() && !share.Asking() {
		halfWidth = 0 // What others play decides it, when all is put together.
	} else if games != t.header.Games || halfWidth != t.header.HalfWidth {
		t.header.Games, t.header.HalfWidth = games, halfWidth
		if err := t.writeHeader(); err != nil {
			return err
		}
	}
	total := games // at the most
	if halfWidth == 0 {
		total = t.upTo(games)
		total += t.floorGames(t.series.outcomes[:total])
	}
	if err := t.playField(ctx, games, total, halfWidth, o); err != nil {
		return err
	}
	if halfWidth > 0 && share.Asking() && share.Lacking() {
		return nil // How many games of the floor there are is not known yet.
	}
	played := len(t.whole())
	floor := t.floorGames(t.series.outcomes[:played])
	if floor == 0 {
		return nil
	}
	s := t.floor.series
	s.options.Workers, s.total = o.Workers, floor
	if o.Progress != nil {
		s.options.Progress = func(done, _ int) { o.Progress(played+done, played+floor) }
	}
	return amid(t.floor.playFirst(ctx, floor), played, played+floor)
}

// carry plays the games of a bundle, and draws up no others than those before them.
func (t *Tournament) carry(ctx context.Context, o Options) error {
	for _, s := range []*schedule{&t.schedule, t.floor} {
		if s == nil {
			continue
		}
		g, err := s.series.sharedGround()
		if err != nil {
			return err
		}
		blocks := s.series.options.Share.Blocks(g)
		most := max(0, blocks-len(s.sizes)) * s.series.game.Info().Players
		for s.series.outcomes = slices.Grow(s.series.outcomes, most); len(s.sizes) < blocks; {
			s.extend()
		}
		s.series.options.Workers = o.Workers
		if err := s.playFirst(ctx, len(s.series.outcomes)); err != nil {
			return err
		}
	}
	return nil
}

// playField plays the games that ratings come from, of which, with those of the noise floor, there are total if
// halfWidth does not end them.
func (t *Tournament) playField(ctx context.Context, games, total int, halfWidth float64, o Options) error {
	t.series.options.Workers, t.series.options.Progress, t.series.total = o.Workers, o.Progress, total
	for target := 0; target < games; {
		if halfWidth > 0 {
			target += max(t.Passes(), target/4)
		} else {
			target = games
		}
		// The groups are the same wherever an earlier process has stopped.
		n := t.upTo(min(target, games))
		if err := t.playFirst(ctx, n); err != nil {
			return err
		}
		if share := t.series.options.Share; share.Asking() && share.Lacking() {
			if share.Enough() {
				return nil
			}
		} else if halfWidth > 0 && t.widest(n) <= halfWidth {
			return nil
		}
	}
	return nil
}

// playFirst plays those of the first n games that have not been played.
func (s *schedule) playFirst(ctx context.Context, n int) error {
	outcomes := s.series.outcomes
	s.series.outcomes = outcomes[:n]
	err := s.series.playAll(ctx, 0)
	s.series.outcomes = outcomes
	return err
}

// floorGames is how many games the noise floor has beside these of the field.
func (t *Tournament) floorGames(field []Outcome) int {
	switch {
	case t.floor == nil:
		return 0
	case t.header.Floor > 0:
		return t.floor.upTo(t.header.Floor)
	}
	seats := 0
	for _, o := range field {
		for _, a := range o.Seating {
			if a == t.floorOf {
				seats++
			}
		}
	}
	return t.floor.within(floorGames(len(field), seats, t.series.game.Info().Players))
}

// upTo adds blocks until there are n games, and returns how many there are by the end of the block of the last one.
func (s *schedule) upTo(n int) int {
	s.series.outcomes = slices.Grow(s.series.outcomes, max(0, n-len(s.series.outcomes)))
	for len(s.series.outcomes) < n {
		s.extend()
	}
	if k, _ := slices.BinarySearch(s.sizes, n); k < len(s.sizes) {
		return s.sizes[k]
	}
	return len(s.series.outcomes)
}

// within adds blocks until there are more than n games, and returns how many there are in the whole blocks among the
// first n; 0 if that is less than two blocks, which show no noise.
func (s *schedule) within(n int) int {
	for len(s.series.outcomes) <= n {
		s.extend()
	}
	k, exact := slices.BinarySearch(s.sizes, n)
	if !exact {
		k--
	}
	if k < 2 {
		return 0
	}
	return s.sizes[k]
}

// widest is the half width of the widest interval of a return in the first n games.
func (t *Tournament) widest(n int) float64 {
	widest := 0.0
	for _, a := range summarise(t.series.game.Info(), t.header.Seed, t.series.names(), t.series.outcomes[:n]).Agents {
		widest = max(widest, (a.ReturnCI[1]-a.ReturnCI[0])/2)
	}
	return widest
}

// whole are the games of blocks before the first one of which a game has not been played.
func (s *schedule) whole() []Outcome {
	n := slices.IndexFunc(s.series.outcomes, func(o Outcome) bool { return !o.played })
	if n < 0 {
		return s.series.outcomes
	}
	return s.series.outcomes[:s.sizes[s.series.outcomes[n].Block]]
}
