package scripted

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/env/registry"
	"earthgym/env/scenario"
	"earthgym/env/story"
)

// Each game tells its whole story, in the rulebook's examples, in strong games and in wild ones: every event has its
// sentence, no seat hears what it may not know, every sentence of the catalogue is said some time, and none tells a
// change that it is not known to bring: told.golden lists what each says of its player's own numbers, of another's, of
// anybody's where it is about nobody, and of the table's.
func TestStories(t *testing.T) {
	var told strings.Builder
	ears := map[string]*ear{}
	for _, script := range scripts() {
		rb := script.rulebook()
		t.Run(rb.Name, func(t *testing.T) {
			ear := tellExamples(t, rb)
			variants := slices.Concat(rb.Variants, rareVariants[rb.Name])
			for seed := range 4 * uint64(len(variants)) { // beyond the first round only what comes rarely
				if seed >= uint64(len(variants)) && ear.unsaid() == nil {
					break
				}
				g := must.Have(registry.Registry{rb}.Open(variants[seed%uint64(len(variants))]))(t)
				tellGame(t, &script, g, int(seed)%3, seed, ear)
			}
			if never := ear.unsaid(); never != nil {
				t.Errorf("never said: %q", never)
			}
			ears[rb.Name] = ear
			for _, key := range slices.Sorted(maps.Keys(ear.kinds)) {
				kinds := slices.Sorted(maps.Keys(ear.kinds[key]))
				fmt.Fprintf(&told, "%s %s: %s\n", rb.Name, key, strings.Join(kinds, ", "))
			}
		})
	}
	known := golden(t, "told.golden", told.String())
	for game, ear := range ears {
		for key, kinds := range ear.kinds {
			for kind, text := range kinds {
				if !slices.Contains(strings.Split(known[game+" "+key], ", "), kind) {
					t.Errorf("%s tells %s with %q: %q; if it belongs there, -update adds it to told.golden",
						game, kind, key, text)
				}
			}
		}
	}
}

// rareVariants are those in which what is rare elsewhere comes sooner.
var rareVariants = map[string][]string{
	"one-earth": {
		"one-earth:mode=advanced,leaders=random,first_player=random", "one-earth:max_rounds=5",
		"one-earth:players=5,target=60",
	},
	"earthmans-burden": {"earthmans-burden:max_decisions=100", "earthmans-burden:players=2,skynet=on,first=random"},
}

// An ear checks the story of a game's steps and notes what has been said.
type ear struct {
	words    *story.Words
	game     env.Game
	narrator *story.Narrator // of game; to read the catalogue for each step would take longer than to play
	said     map[string]bool
	kinds    map[string]map[string]string // of changes by sentence, with an example
	steps    int
}

// kind notes of what kind a change is that a sentence tells.
func (e *ear) kind(s story.Sentence, c story.Change) {
	whose, sign := "another's", "-"
	switch c.Player {
	case env.Over:
		whose = "the table's"
	case s.Player:
		whose = "its own"
	}
	if s.Player == env.Over && c.Player != env.Over {
		whose = "anybody's"
	}
	if c.By > 0 {
		sign = "+"
	}
	if e.kinds[s.Key] == nil {
		e.kinds[s.Key] = map[string]string{}
	}
	e.kinds[s.Key][whose+" "+c.What+sign] = s.Text
}

// hear checks a step for one viewer after another.
func (e *ear) hear(g env.Game, step *env.Step) error {
	if e.game != g {
		narrator, err := story.NewNarrator(g)
		if err != nil {
			return err
		}
		e.game, e.narrator = g, narrator
	}
	players := g.Info().Players
	viewer := env.Player(e.steps % (players + 1))
	if viewer == env.Player(players) {
		viewer = env.Spectator
	}
	e.steps++
	viewers := []env.Player{env.Spectator}
	if step.Before != nil {
		viewers = append(viewers, step.Before.Actor())
	}
	for _, viewer := range viewers {
		for _, s := range e.narrator.Tell(step, viewer) {
			e.said[s.Key] = true
			for _, c := range s.Changes {
				e.said[c.What] = true
				if !c.Said {
					e.kind(s, c)
				}
			}
		}
	}
	return e.narrator.Check(step, viewer, uint64(e.steps))
}

// unsaid are the sentences and changes of the catalogue that have not been said.
func (e *ear) unsaid() (never []string) {
	for _, key := range slices.Concat(e.words.Keys(), e.words.ChangeKeys()) {
		if !e.said[key] {
			never = append(never, key)
		}
	}
	return never
}

// tellExamples tells the scenarios of a game.
func tellExamples(t *testing.T, rb *registry.Rulebook) *ear {
	t.Helper()
	files, err := filepath.Glob("../../games/*/testdata/scenarios/*.toml")
	if err != nil || files == nil {
		t.Fatalf("no scenarios: %v", err)
	}
	e := &ear{said: map[string]bool{}, kinds: map[string]map[string]string{}}
	for _, file := range files {
		sc := must.Have(scenario.Read(file))(t)
		if name, _, _ := strings.Cut(sc.Game, ":"); name != rb.Name {
			continue
		}
		var g env.Game
		err := sc.Follow(func(game string, data []datafile.File) (env.Game, error) {
			g, err = registry.Registry{rb}.Open(game, data...)
			if err == nil && e.words == nil {
				e.words, err = story.WordsOf(g)
			}
			return g, err
		}, func(step *env.Step) error { return e.hear(g, step) })
		if err != nil {
			t.Error(err)
		}
	}
	return e
}

// tellGame plays a game of strong bots, or a wild one: with weaker bots too, and a random family of actions now and
// then, or always.
func tellGame(t *testing.T, script *script, g env.Game, wild int, seed uint64, ear *ear) {
	t.Helper()
	ref := must.Have(referee.New(g, seed))(t)
	info, luck := g.Info(), env.NewStream(seed, "table")
	var bots []*Bot
	for p := range info.Players {
		level := len(levels) - 1
		if wild > 0 {
			level = (p + int(seed)) % len(levels)
		}
		bots = append(bots, script.open(g, level))
		bots[p].Reset(seed + uint64(p))
	}
	ref.Follow(func(step *env.Step) {
		if err := ear.hear(g, step); err != nil {
			t.Fatalf("%s, seed %d, step %d: %v", info.Text, seed, ear.steps, err)
		}
	})
	for ref.Actor() != env.Over {
		v := ref.View()
		a := bots[v.Player()].Choose(ref.State(), v.Mask())
		if wild > 0 && luck.Below(4) == 0 || wild > 1 {
			a = ofRandomFamily(info, v.Mask(), &luck)
		}
		must.Do(t, ref.Play(a))
	}
}

// ofRandomFamily draws a family evenly among those that have a legal action, and then one of its actions.
func ofRandomFamily(info *env.Info, legal env.Mask, luck *env.Stream) env.Action {
	var families [][]env.Action
	last := ""
	for _, a := range legal.Append(nil) {
		if f := info.Actions[a].Family; f != last || families == nil {
			families = append(families, nil)
			last = f
		}
		families[len(families)-1] = append(families[len(families)-1], a)
	}
	family := families[luck.Below(len(families))]
	return family[luck.Below(len(family))]
}
