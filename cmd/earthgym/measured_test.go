package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/agents/shipped"
	"earthgym/env/registry"
	"earthgym/games"
)

var remeasure = flag.Bool("measure", false, "measure the networks that come with the program again, where they were not trained")

// offTables are the tables of a game that differ in one option from its defaults and that the network was not trained at. A
// number goes through all its values where these are few, and else half of the way to either end.
func offTables(t *testing.T, rb *registry.Rulebook, c *checkpoint.Checkpoint) []string {
	t.Helper()
	seen := c.Trained()
	var tables []string
	for _, o := range rb.Options {
		values := slices.Clone(o.Values)
		switch o.Kind {
		case registry.Bool:
			values = []string{"on", "off"}
		case registry.List:
			values = []string{"random", "choose", "draft"} // the words in place of a list
		case registry.Int, registry.Number:
			usual, err := strconv.ParseFloat(o.Default, 64)
			switch {
			case o.Max-o.Min <= 6 && o.Kind == registry.Int:
				for n := int(o.Min); n <= int(o.Max); n++ {
					values = append(values, strconv.Itoa(n))
				}
			case o.Kind == registry.Int && err == nil:
				for _, end := range []float64{o.Min, o.Max} {
					values = append(values, strconv.Itoa(int((max(usual, o.Min)+end)/2)))
				}
			default:
				values = append(values, fmt.Sprint(o.Min), fmt.Sprint(o.Max))
			}
		}
		for _, value := range values {
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
