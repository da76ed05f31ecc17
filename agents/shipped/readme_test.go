package shipped

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/env/envtest/must"
	"earthgym/env/envtest/readme"
	"earthgym/games"
)

var update = flag.Bool("update", false, "rewrite the table in README.md")

// README.md shows what the cards of the networks say.
func TestReadme(t *testing.T) {
	var table strings.Builder
	table.WriteString("| | games | wins against `script:strong` (alike) | return beyond `script:strong` | " +
		"`script:greedy` | `script:naive` |\n|---|---|---|---|---|---|\n")
	for _, name := range Games() {
		c := must.Have(Network(name))(t)
		writeStrength(t, &table, c)
	}
	readme.Check(t, "README.md", "networks", "go test ./agents/shipped -run Readme -update", table.String(), *update)
}

// writeStrength writes a row for each table at which a network met the strong bot.
func writeStrength(t *testing.T, w io.Writer, c *checkpoint.Checkpoint) {
	t.Helper()
	lead := func(game, opponent string) string {
		i := slices.IndexFunc(c.Card.Strength, func(s checkpoint.Strength) bool {
			return s.Game == game &&
				s.Opponent == opponent
		})
		if i < 0 {
			return "-"
		}
		s := c.Card.Strength[i]
		return fmt.Sprintf("%+.3f [%.3f, %.3f]", s.Return, s.ReturnCI[0], s.ReturnCI[1])
	}
	for _, s := range c.Card.Strength {
		if s.Opponent != "script:strong" {
			continue
		}
		g := must.Have(games.All().Open(s.Game))(t)
		fmt.Fprintf(w, "| `%s` | %d | %.1f %% [%.1f, %.1f] (%.3g %%) | %s | %s | %s |\n", g.Info().Short, s.Games,
			100*s.Wins, 100*s.WinsCI[0], 100*s.WinsCI[1], 100*s.Fair, lead(s.Game, s.Opponent), lead(s.Game, "script:greedy"),
			lead(s.Game, "script:naive"))
	}
}
