package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/games"
)

var remeasure = flag.Bool("measure", false, "measure the networks that come with the program where their cards do not")

// offTables are the variants of a game, and its tables that differ in one option from its defaults, at which the
// network's card does not measure it.
func offTables(t *testing.T, rb *registry.Rulebook, c *checkpoint.Checkpoint) []string {
	t.Helper()
	texts := slices.Clone(rb.Variants)
	for _, o := range rb.Options {
		for _, value := range choices(o) {
			texts = append(texts, fmt.Sprintf("%s:%s=%s", rb.Name, o.Name, value))
		}
	}
	seen := c.Tables()
	var tables []string
	for _, text := range texts {
		g, err := games.Open(text)
		if err != nil {
			continue // There is no such table.
		}
		if text := g.Info().Text; !slices.Contains(seen, text) {
			seen, tables = append(seen, text), append(tables, g.Info().Short)
		}
	}
	return tables
}

// What the networks that come with the program are worth was measured at every variant, and at every table that is one
// option away from the defaults. An option that is new, and a network that is, must be measured: with -measure.
func TestMeasured(t *testing.T) {
	envtest.NothingToRace(t)
	const file = "../../agents/shipped/measured.json"
	list := must.Have(shipped.ReadMeasured())(t)
	var renewed []shipped.Measured
	for _, rb := range games.All() {
		if !slices.Contains(shipped.Games(), rb.Name) {
			continue // Nobody has trained one.
		}
		c := must.Have(shipped.Network(rb.Name))(t)
		tables := offTables(t, rb, c)
		i := slices.IndexFunc(list, func(m shipped.Measured) bool { return m.Network == c.Hash })
		if *remeasure {
			network := filepath.Join("..", "..", "agents", "shipped", "networks", rb.Name+".safetensors")
			o := exportOptions{variant: tables, against: []string{"script:strong"}, games: 400, seed: 31001, workers: 1}
			if i >= 0 { // what was measured stays
				o.variant = slices.DeleteFunc(tables, func(table string) bool {
					g, err := games.Open(table)
					return err == nil && slices.ContainsFunc(list[i].Strength,
						func(s checkpoint.Strength) bool { return s.Game == g.Info().Text })
				})
			}
			m := shipped.Measured{Network: c.Hash}
			if i >= 0 {
				m = list[i]
			}
			if len(o.variant) > 0 {
				found := must.Have(measure(t.Context(), io.Discard, network, c, o))(t)
				m.Strength = append(m.Strength, found...)
			}
			for _, s := range m.Strength {
				t.Log(strengthLine(s))
			}
			renewed = append(renewed, m)
			continue
		}
		if i < 0 {
			t.Errorf("%s: network %.12s was measured at no table but those of its card", rb.Name, c.Hash)
			continue
		}
		for _, table := range tables {
			g := must.Have(games.Open(table))(t)
			if _, ok := shipped.Shown(g.Info(), "script:strong"); !ok {
				t.Errorf("%s: network %.12s was not measured there", table, c.Hash)
			}
		}
	}
	if *remeasure {
		text := must.Have(json.MarshalIndent(renewed, "", "\t"))(t)
		must.Do(t, os.WriteFile(file, append(text, '\n'), 0o644))
	}
}

// In no variant of a rulebook net: is clearly behind the bot: where the network is not at home the bot plays in its
// place, and where it is a few games, on other seeds than it was measured by, say nothing else.
func TestNetworkIsNotBehind(t *testing.T) {
	envtest.NothingToRace(t) // but for eval.Match, which has tests of its own
	for _, name := range shipped.Games() {
		rb := must.Have(games.Find(name))(t)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := 0
			for _, text := range rb.Variants {
				g := must.Have(games.Open(text))(t)
				if !shipped.AtHome(g.Info()) {
					m, err := agents.Open("net:", g)
					if err != nil || m.Hash != "" || len(agents.Caveats(g, "net:")) != 1 {
						t.Errorf("%s: the network is not at home, and net: is %+v, %v", text, m, err)
					}
					continue
				}
				home++
				notBehind(t, g, "net:")
			}
			t.Logf("%s: at home in %d of %d variants", rb.Name, home, len(rb.Variants))
		})
	}
}

// few are games enough to tell who loses all of them from who wins a fair share, at six seats too.
const few = 120

// notBehind plays a few games of one seat of an agent among the bot, or of two tables where all win together, and more
// where the agent gets less: so few games can't tell who is ahead.
func notBehind(t *testing.T, g env.Game, agent string) {
	t.Helper()
	for _, games := range []int{12, few} {
		o := exportOptions{games: games, seed: 35_002, workers: 1}
		s, err := measureOne(t.Context(), io.Discard, g, strings.TrimPrefix(agent, "net:"), "script:strong", o)
		switch {
		case err != nil:
			t.Fatal(err)
		case s.Return >= 0:
			return
		case games == few && (s.ReturnCI[1] < 0 || !g.Info().Shared() && s.WinsCI[1] < s.Fair):
			t.Errorf("%s is clearly behind: %v", agent, s)
		}
	}
}
