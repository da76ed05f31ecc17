package eval

import (
	"fmt"
	"io"
	"strings"

	"earthgym/env"
)

// WriteCrossPlay writes the tables as plain text: a matrix for each thing that they say.
func WriteCrossPlay(w io.Writer, c *CrossPlay) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, seed %d; each row is the table of an agent, with each agent as a guest in one seat;\n* differs from the table without a guest (95 %%)\n",
		c.Short, count(c.Blocks, "game seed"), c.Seed)
	apart := func(s Share) bool { return s.CI.Above(0) || s.CI.Below(0) }
	if c.Shared {
		c.matrix(&b, "games won, in %", func(t *Table) (string, bool) { return fmt.Sprintf("%.1f", 100*t.Success.Mean), apart(t.Gain) })
		c.matrix(&b, "return", func(t *Table) (string, bool) { return fmt.Sprintf("%+.2f", t.Return.Mean), apart(t.Gain) })
	} else {
		c.matrix(&b, "return of the guest", func(t *Table) (string, bool) { return fmt.Sprintf("%+.2f", t.Return.Mean), apart(t.Gain) })
		c.matrix(&b, "return of each of the others", func(t *Table) (string, bool) { return fmt.Sprintf("%+.2f", t.Others.Mean), apart(t.OthersGain) })
	}
	if c.Best != nil {
		c.matrix(&b, "games in which what is shared was lost, in %", func(t *Table) (string, bool) { return fmt.Sprintf("%.1f", 100*t.Commons.Lost.Mean), false })
		c.matrix(&b, "of them pushed over by the guest, in % of its games", func(t *Table) (string, bool) {
			return fmt.Sprintf("%.1f", 100*t.Commons.Agents[0].Pushed.Mean), false
		})
		c.matrix(&b, "Gini coefficient of the scores", func(t *Table) (string, bool) { return fmt.Sprintf("%.2f", t.Commons.Gini.Mean), false })
	}
	b.WriteByte('\n')
	writeList(&b, "own tables", []string{"return " + signed(c.Self.Mean, c.Self.CI)})
	writeList(&b, "as guests", []string{"return " + signed(c.Cross.Mean, c.Cross.CI), "minus that " + signed(c.Gap.Mean, c.Gap.CI)})
	if c.Best != nil {
		with := ""
		if c.Best.Guest != c.Best.Agent {
			with = " with " + env.Printable(c.Best.Guest) + " as a guest"
		}
		writeList(&b, "best table", []string{env.Printable(c.Best.Agent) + with, "return of all " + signed(c.Best.Commons.Welfare.Mean, c.Best.Commons.Welfare.CI)})
		for i, p := range c.Price {
			name := ""
			if i == 0 {
				name = "price"
			}
			short := "falls short of that by " + plain(p.Mean, p.CI)
			if c.Best.Guest == c.Best.Agent && c.Best.Agent == c.Agents[i] {
				short = "is that"
			}
			writeList(&b, name, []string{fmt.Sprintf("%s: its own table %s", env.Printable(c.Agents[i]), short)})
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// matrix writes one thing that the tables say; a star marks what differs.
func (c *CrossPlay) matrix(b *strings.Builder, what string, of func(t *Table) (text string, star bool)) {
	b.WriteString("\n" + what + "\n\n")
	head := []string{"table, guest"}
	for i := range c.Agents {
		head = append(head, fmt.Sprint(i+1))
	}
	rows := [][]string{head}
	for i, agent := range c.Agents {
		row := []string{fmt.Sprintf("%d %s", i+1, env.Printable(agent))}
		for j := range c.Agents {
			text, star := of(&c.Tables[i][j])
			if star && i != j {
				text += "*"
			} else {
				text += " "
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	writeColumns(b, rows)
}
