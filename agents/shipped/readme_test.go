package shipped

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/env/envtest/readme"
	"earthgym/games"
)

var update = flag.Bool("update", false, "rewrite the table in README.md")

// README.md shows what the cards of the networks say.
func TestReadme(t *testing.T) {
	var table strings.Builder
	table.WriteString("| | seats | games | wins against `script:strong` (alike) | return beyond `script:strong` | `script:greedy` | `script:naive` |\n|---|---|---|---|---|---|---|\n")
	for _, name := range Games() {
		c, err := Network(name)
		if err != nil {
			t.Fatal(err)
		}
		rows := strengthRows(t, c)
		for i, row := range rows {
			game := ""
			if i == 0 {
				game = "`" + name + "`"
			}
			fmt.Fprintf(&table, "| %s | %s |\n", game, row.text)
		}
	}
	readme.Check(t, "../../README.md", "networks", "go test ./agents/shipped -run Readme -update", table.String(), *update)
}

// A strengthRow is what a card says of one table.
type strengthRow struct {
	players int
	text    string
}

// strengthRows are those of all tables at which a network met the strong bot, by their seats.
func strengthRows(t *testing.T, c *checkpoint.Checkpoint) []strengthRow {
	t.Helper()
	lead := func(game, opponent string) string {
		i := slices.IndexFunc(c.Card.Strength, func(s checkpoint.Strength) bool { return s.Game == game && s.Opponent == opponent })
		if i < 0 {
			return "-"
		}
		s := c.Card.Strength[i]
		return fmt.Sprintf("%+.3f [%.3f, %.3f]", s.Return, s.ReturnCI[0], s.ReturnCI[1])
	}
	var rows []strengthRow
	for _, s := range c.Card.Strength {
		if s.Opponent != "script:strong" {
			continue
		}
		g, err := games.All().Open(s.Game)
		if err != nil {
			t.Fatal(err)
		}
		n := g.Info().Players
		rows = append(rows, strengthRow{n, fmt.Sprintf("%d | %d | %.1f %% [%.1f, %.1f] (%.3g %%) | %s | %s | %s", n, s.Games,
			100*s.Wins, 100*s.WinsCI[0], 100*s.WinsCI[1], 100*s.Fair, lead(s.Game, s.Opponent), lead(s.Game, "script:greedy"), lead(s.Game, "script:naive"))})
	}
	slices.SortStableFunc(rows, func(a, b strengthRow) int { return cmp.Compare(a.players, b.players) })
	return rows
}
