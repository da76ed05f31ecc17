package games_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/games"
)

const pythonCatalogue = "../env/pipe/python/src/earthgym/catalogue.py"

// What the Python package says of games and their options is written by make golden, from what they declare.
func TestPythonCatalogue(t *testing.T) {
	text := pythonCatalogueOf(t, games.All())
	if flag.Lookup("update").Value.String() == "true" {
		must.Do(t, os.WriteFile(pythonCatalogue, text, 0o644))
	}
	if stored, err := os.ReadFile(pythonCatalogue); err != nil || !bytes.Equal(stored, text) {
		t.Errorf("%s is not what the games declare (%v): make golden writes it", pythonCatalogue, err)
	}
}

// One more game is listed with its options, and changes nothing of the others'.
func TestPythonCatalogueOfOneMoreGame(t *testing.T) {
	all, more := pythonCatalogueOf(t, games.All()), pythonCatalogueOf(t, append(games.All(), kuhn.Rulebook()))
	if want := bytes.Replace(all, []byte("}\n"), []byte("    \"kuhn\": 1,\n}\n"), 1); !bytes.Equal(more, want) {
		t.Errorf("with Kuhn poker it is %s", more)
	}
}

// pythonCatalogueOf is the catalogue of a registry.
func pythonCatalogueOf(t *testing.T, all registry.Registry) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("\"\"\"The games and their options, as the program declares them: written by ``make " +
		"golden``.\"\"\"\n\n" +
		"from __future__ import annotations\n\nfrom collections.abc import Sequence\nfrom typing import TypedDict\n\n")
	b.WriteString("GAMES = {\n")
	for _, rb := range all {
		g := must.Have(all.Open(rb.Name))(t)
		fmt.Fprintf(&b, "    %q: %d,\n", rb.Name, g.Info().Rules)
	}
	b.WriteString("}\n\"\"\"The games of the program that this package is made for, with the versions of their " +
		"rules.\"\"\"\n\n\n" +
		"class GameOptions(TypedDict, total=False):\n" +
		"    \"\"\"Every option of every game; which of them a game has, and what they may be, ``earthgym games`` says.\n\n" +
		"    Earthman's Burden has one more, ``max_decisions``, to be put into the game's text: as an argument it " +
		"truncates.\n" +
		"    \"\"\"\n")
	listed := map[string]bool{"max_decisions": true}
	for _, rb := range all {
		head := fmt.Sprintf("\n    # %s\n", rb.Title)
		for _, o := range rb.Options {
			if listed[o.Name] {
				continue
			}
			listed[o.Name] = true
			b.WriteString(head)
			head = ""
			fmt.Fprintf(&b, "    %s: %s\n", o.Name, pythonType(o))
		}
	}
	return b.Bytes()
}

// pythonType is the type of an option's values; numbers whose Values are words may be these too.
func pythonType(o registry.Option) string {
	words := ""
	for _, v := range o.Values {
		if strings.ToLower(v) != strings.ToUpper(v) {
			words = " | str"
		}
	}
	switch o.Kind {
	case registry.Bool:
		return "bool"
	case registry.Int:
		return "int" + words
	case registry.Number:
		return "float" + words
	case registry.List:
		return "str | Sequence[str]"
	}
	return "str"
}
