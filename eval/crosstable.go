package eval

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"earthgym/env/spelling"
)

// A crossMatrix is one thing that the tables of a CrossPlay say.
type crossMatrix struct {
	title string
	cell  func(t *Table) crossCell
}

// A crossCell is a number of a matrix.
type crossCell struct {
	text string
	star bool    // it differs from the table without a guest; never at that one
	heat float64 // how good it is for those who play, from -1 to 1
}

// marked is the text, with a star if the guest makes a difference.
func (c crossCell) marked() string {
	if c.star {
		return c.text + "*"
	}
	return c.text
}

func (c *CrossPlay) matrices() []crossMatrix {
	returns := func(x Share, clear bool) crossCell {
		return crossCell{fmt.Sprintf("%+.2f", x.Mean), clear, x.Mean}
	}
	if c.Shared {
		return []crossMatrix{
			{"games won, in %", func(t *Table) crossCell {
				return crossCell{fmt.Sprintf("%.1f", 100*t.Success.Mean), t.GainClear, 2*t.Success.Mean - 1}
			}},
			{"return", func(t *Table) crossCell { return returns(t.Return, t.GainClear) }},
		}
	}
	list := []crossMatrix{
		{"return of the guest", func(t *Table) crossCell { return returns(t.Return, t.GainClear) }},
		{"return of each of the others", func(t *Table) crossCell { return returns(t.Others, t.OthersClear) }},
	}
	if c.Best == nil {
		return list
	}
	return append(list,
		crossMatrix{"games in which what is shared was lost, in %", func(t *Table) crossCell {
			return crossCell{text: fmt.Sprintf("%.1f", 100*t.Commons.Lost.Mean), heat: -t.Commons.Lost.Mean}
		}},
		crossMatrix{"games in which the guest has pushed it over, in %", func(t *Table) crossCell {
			pushed := t.Commons.Agents[0].Pushed.Mean
			return crossCell{text: fmt.Sprintf("%.1f", 100*pushed), heat: -pushed}
		}},
		crossMatrix{"Gini coefficient of the scores", func(t *Table) crossCell {
			return crossCell{text: fmt.Sprintf("%.2f", t.Commons.Gini.Mean), heat: -t.Commons.Gini.Mean}
		}})
}

// summary are lists that say what all tables say together.
func (c *CrossPlay) summary() []note {
	notes := []note{
		{"own tables", []string{"return " + signed(c.Self.Mean, c.Self.CI)}},
		{"as guests", []string{"return " + signed(c.Cross.Mean, c.Cross.CI), "minus that " + signed(c.Gap.Mean, c.Gap.CI)}},
	}
	name := "noise"
	for i, x := range c.Floor {
		text := ": as a guest at its own table a copy gains " + signed(x.Mean, x.CI)
		if x == (Share{}) {
			text = ": none, as it does nothing by chance"
		}
		notes = append(notes, note{name, []string{spelling.Printable(c.Agents[i]) + text}})
		name = ""
	}
	if c.Best == nil {
		return notes
	}
	with := ""
	if c.Best.Guest != c.Best.Agent {
		with = " with " + spelling.Printable(c.Best.Guest) + " as a guest"
	}
	notes = append(notes, note{
		"best table", []string{spelling.Printable(c.Best.Agent) + with, "return of all " +
			signed(c.Best.Commons.Welfare.Mean, c.Best.Commons.Welfare.CI)}})
	name = "price"
	for i, p := range c.Price {
		short := "falls short of that by " + plain(p.Mean, p.CI)
		if c.Best.Guest == c.Best.Agent && c.Best.Agent == c.Agents[i] {
			short = "is that"
		}
		notes = append(notes, note{
			name, []string{fmt.Sprintf("%s: its own table %s", spelling.Printable(c.Agents[i]), short)}})
		name = ""
	}
	return notes
}

// WriteCrossPlay writes the tables as plain text: a matrix for each thing that they say.
func WriteCrossPlay(w io.Writer, c *CrossPlay) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, seed %d; each row is the table of an agent, with each agent as a guest in one seat;\n* "+
		"differs from the table without a guest, for all guests together (Holm, 5 %%)\n",
		c.Short, spelling.Counted(c.Blocks, "game seed"), c.Seed)
	for _, m := range c.matrices() {
		b.WriteString("\n" + m.title + "\n\n")
		writeStarred(&b, c.rows("table, guest", m))
	}
	b.WriteByte('\n')
	for _, n := range c.summary() {
		writeList(&b, n.name, n.items)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// rows are one thing that the tables say, below the numbers of the guests; a star marks what differs.
func (c *CrossPlay) rows(corner string, m crossMatrix) [][]string {
	rows := [][]string{{corner}}
	for i, agent := range c.Agents {
		rows[0] = append(rows[0], fmt.Sprint(i+1))
		row := []string{fmt.Sprintf("%d %s", i+1, agent)}
		for j := range c.Agents {
			row = append(row, m.cell(&c.Tables[i][j]).marked())
		}
		rows = append(rows, row)
	}
	return rows
}

// A crossPage is a CrossPlay in a report.
type crossPage struct {
	Game, Design string
	Matrices     []crossTable
	Summary      []string
}

type crossTable struct {
	Title string
	Rows  []crossRow
}

type crossRow struct {
	Place int
	Agent template.HTML
	Cells []heat
}

func (c *CrossPlay) page() *crossPage {
	p := &crossPage{Game: c.Short, Design: fmt.Sprintf("%s, seed %d", spelling.Counted(c.Blocks, "game seed"), c.Seed)}
	for _, m := range c.matrices() {
		t := crossTable{Title: spelling.Capital(m.title)}
		for i, agent := range c.Agents {
			row := crossRow{Place: i + 1, Agent: breakable(agent)}
			for j, guest := range c.Agents {
				cell := m.cell(&c.Tables[i][j])
				row.Cells = append(row.Cells, newHeat(cell.marked(),
					spelling.Printable(guest)+" at the table of "+spelling.Printable(agent), cell.heat))
			}
			t.Rows = append(t.Rows, row)
		}
		p.Matrices = append(p.Matrices, t)
	}
	p.Summary = linesOf(c.summary())
	return p
}
