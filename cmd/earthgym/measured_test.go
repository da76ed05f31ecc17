package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/games"
)

var remeasure = flag.Bool("measure", false, "measure the networks that come with the program again, where they were not trained")

// offTables are the tables of a game that differ in one option from its defaults and that the network was not trained
// at.
func offTables(t *testing.T, rb *env.Rulebook, c *checkpoint.Checkpoint) []string {
	t.Helper()
	seen := c.Trained()
	var tables []string
	for _, o := range rb.Options {
		for _, value := range choices(o) {
			g, err := games.Open(fmt.Sprintf("%s:%s=%s", rb.Name, o.Name, value))
			if err != nil {
				continue // There is no such table.
			}
			if text := g.Info().Text; !slices.Contains(seen, text) {
				seen, tables = append(seen, text), append(tables, g.Info().Short)
			}
		}
	}
	return tables
}

// What the networks that come with the program are worth was measured at every table that is one option away from those that
// they were trained at. An option that is new, and a network that is, must be measured: with -measure.
func TestMeasured(t *testing.T) {
	const file = "../../agents/shipped/measured.json"
	list, err := shipped.ReadMeasured()
	if err != nil {
		t.Fatal(err)
	}
	var renewed []shipped.Measured
	for _, rb := range games.All() {
		c, err := shipped.Network(rb.Name)
		if err != nil {
			t.Fatal(err)
		}
		tables := offTables(t, rb, c)
		i := slices.IndexFunc(list, func(m shipped.Measured) bool { return m.Network == c.Hash })
		if *remeasure {
			network := filepath.Join("..", "..", "agents", "shipped", "networks", rb.Name+".safetensors")
			o := exportOptions{variant: tables, against: []string{"script:strong"}, games: 100, seed: 31001, workers: 1}
			if i >= 0 { // what was measured stays
				o.variant = slices.DeleteFunc(tables, func(table string) bool {
					g, err := games.Open(table)
					return err == nil && slices.ContainsFunc(list[i].Strength, func(s checkpoint.Strength) bool { return s.Game == g.Info().Text })
				})
			}
			m := shipped.Measured{Network: c.Hash}
			if i >= 0 {
				m = list[i]
			}
			if len(o.variant) > 0 {
				found, err := measure(t.Context(), io.Discard, network, c, o)
				if err != nil {
					t.Fatal(err)
				}
				m.Strength = append(m.Strength, found...)
			}
			for _, s := range m.Strength {
				t.Log(strengthLine(s))
			}
			renewed = append(renewed, m)
			continue
		}
		if i < 0 {
			t.Errorf("%s: network %.12s was measured at no table that it was not trained at", rb.Name, c.Hash)
			continue
		}
		for _, table := range tables {
			g, err := games.Open(table)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := shipped.Shown(g.Info(), "script:strong"); !ok {
				t.Errorf("%s: network %.12s was not measured there", table, c.Hash)
			}
		}
	}
	if *remeasure {
		text, err := json.MarshalIndent(renewed, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
