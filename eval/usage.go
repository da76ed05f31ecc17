package eval

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/spelling"
)

// Usage is what agents have chosen, by families of the action table.
type Usage []AgentUsage

// AgentUsage is what one agent has chosen. It names every family of the table, in the order of the table.
type AgentUsage struct {
	Agent    string
	Families []FamilyUsage
}

// FamilyUsage is how often a family was chosen, and at how many decisions it could have been, for one seat in
// one game on average.
type FamilyUsage struct {
	Family       string  `json:"-"`
	PerGame      float64 `json:"per_game"`
	LegalPerGame float64 `json:"legal_per_game"`
}

// MarshalJSON writes {AGENT: {FAMILY: {"per_game": …, "legal_per_game": …}}}, in the order of agents and table.
func (u Usage) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	key := func(i int, name string) error {
		if i > 0 {
			b.WriteByte(',')
		}
		text, err := json.Marshal(name)
		b.Write(text)
		b.WriteByte(':')
		return err
	}
	b.WriteByte('{')
	for i, agent := range u {
		if err := key(i, agent.Agent); err != nil {
			return nil, err
		}
		b.WriteByte('{')
		for j, f := range agent.Families {
			if err := key(j, f.Family); err != nil {
				return nil, err
			}
			counts, err := json.Marshal(f)
			if err != nil {
				return nil, err
			}
			b.Write(counts)
		}
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Never lists the families that were legal for the agent and never chosen.
func (a *AgentUsage) Never() []string {
	var names []string
	for _, f := range a.Families {
		if f.PerGame == 0 && f.LegalPerGame > 0 {
			names = append(names, f.Family)
		}
	}
	return names
}

// A UsageCounter counts what agents choose. It belongs to one goroutine.
type UsageCounter struct {
	families []string // of the table, in its order
	of       []int    // family of each action
	end      []int    // of each action: the first after it that is of another family
	counted  []uint64 // by family: the number of the last decision at which it was legal
	decision uint64   // from 1
	agents   []string
	seats    []uint64   // by agent: seats in the games so far
	chosen   [][]uint64 // by agent and family
	legal    [][]uint64 // decisions at which an action of the family was legal
}

// NewUsageCounter counts for the agents of the given names.
func NewUsageCounter(info *env.Info, agents []string) *UsageCounter {
	c := &UsageCounter{agents: agents, seats: make([]uint64, len(agents)), of: make([]int, len(info.Actions)),
		end: make([]int, len(info.Actions))}
	for a, action := range info.Actions {
		f := slices.Index(c.families, action.Family)
		if f < 0 {
			f = len(c.families)
			c.families = append(c.families, action.Family)
		}
		c.of[a] = f
	}
	for a := len(c.of) - 1; a >= 0; a-- {
		c.end[a] = a + 1
		if a+1 < len(c.of) && c.of[a+1] == c.of[a] {
			c.end[a] = c.end[a+1]
		}
	}
	c.counted = make([]uint64, len(c.families))
	c.chosen, c.legal = grid[uint64](len(agents), len(c.families)), grid[uint64](len(agents), len(c.families))
	return c
}

// Seat counts a seat of the agent of the given number in a further game.
func (c *UsageCounter) Seat(agent int) { c.seats[agent]++ }

// Choose counts a decision of the agent of the given number. It allocates nothing.
func (c *UsageCounter) Choose(agent int, legal env.Mask, a env.Action) {
	c.chosen[agent][c.of[a]]++
	c.decision++
	counts := c.legal[agent]
	for w, word := range legal {
		for word != 0 { // From one family to the next: few are legal, and their actions stand together in the table.
			next := w<<6 + bits.TrailingZeros64(word)
			if f := c.of[next]; c.counted[f] != c.decision {
				c.counted[f] = c.decision
				counts[f]++
			}
			word &= ^uint64(0) << (c.end[next] - w<<6) // none is left where the shift is 64 or more
		}
	}
}

// Add adds what another counter of the same game and agents has counted.
func (c *UsageCounter) Add(other *UsageCounter) {
	for i := range c.agents {
		c.seats[i] += other.seats[i]
		for f := range c.families {
			c.chosen[i][f] += other.chosen[i][f]
			c.legal[i][f] += other.legal[i][f]
		}
	}
}

// clear forgets what has been counted.
func (c *UsageCounter) clear() {
	clear(c.seats)
	for i := range c.agents {
		clear(c.chosen[i])
		clear(c.legal[i])
	}
}

// counts are the families that agents could choose from: the agent and the family as one number, how often it was
// chosen, and at how many decisions it was legal.
func (c *UsageCounter) counts() (all []byte) {
	for i := range c.agents {
		for f, legal := range c.legal[i] {
			if legal > 0 {
				all = binary.AppendUvarint(all, uint64(i*len(c.families)+f))
				all = binary.AppendUvarint(binary.AppendUvarint(all, c.chosen[i][f]), legal)
			}
		}
	}
	return all
}

// eachCount tells what counts has; it is false if that is not of these agents and families.
func (c *UsageCounter) eachCount(counts []byte, each func(agent, family int, chosen, legal uint64)) bool {
	for len(counts) > 0 {
		var x [3]uint64
		for k := range x {
			n := 0
			if x[k], n = binary.Uvarint(counts); n <= 0 {
				return false
			}
			counts = counts[n:]
		}
		families := uint64(len(c.families))
		if x[0] >= families*uint64(len(c.agents)) || x[1] > x[2] || x[2] > mostScore {
			return false
		}
		each(int(x[0]/families), int(x[0]%families), x[1], x[2])
	}
	return true
}

func (c *UsageCounter) addGame(seating []int, counts []byte) {
	c.eachCount(counts, func(agent, family int, chosen, legal uint64) {
		c.chosen[agent][family] += chosen
		c.legal[agent][family] += legal
	})
	for _, agent := range seating {
		c.Seat(agent)
	}
}

// Usage is what has been counted.
func (c *UsageCounter) Usage() Usage {
	usage := make(Usage, len(c.agents))
	for i, name := range c.agents {
		usage[i] = AgentUsage{Agent: name, Families: make([]FamilyUsage, len(c.families))}
		seats := float64(max(1, c.seats[i]))
		for f, family := range c.families {
			usage[i].Families[f] = FamilyUsage{family, float64(c.chosen[i][f]) / seats, float64(c.legal[i][f]) / seats}
		}
	}
	return usage
}

// WriteUsage writes what agents have chosen as plain text: how often each family was chosen and how often it
// was legal, and which families that were legal an agent has never chosen.
func WriteUsage(w io.Writer, u Usage) error {
	var b strings.Builder
	b.WriteString("\nchosen, of the decisions at which it was legal, for a seat in a game\n\n")
	header := []string{"family"}
	for _, a := range u {
		header = append(header, cut(spelling.Printable(a.Agent), max(shortest, (tableWidth-20)/len(u)-2)))
	}
	rows := [][]string{header}
	for f := range u.families() {
		row, legal := []string{u[0].Families[f].Family}, false
		for _, a := range u {
			row = append(row, a.Families[f].text())
			legal = legal || a.Families[f].LegalPerGame > 0
		}
		if legal {
			rows = append(rows, row)
		}
	}
	writeColumns(&b, rows)
	b.WriteByte('\n')
	for _, a := range u {
		never := a.Never()
		if len(never) == 0 {
			never = []string{"nothing that was legal"}
		}
		writeList(&b, "never", append([]string{"by " + cut(spelling.Printable(a.Agent), tableWidth/2) + ": " + never[0]},
			never[1:]...))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (u Usage) families() int {
	if len(u) == 0 {
		return 0
	}
	return len(u[0].Families)
}

// text writes the counts: 9.3 of 12.1.
func (f *FamilyUsage) text() string {
	if f.LegalPerGame == 0 {
		return "-"
	}
	return frequency(f.PerGame) + " of " + frequency(f.LegalPerGame)
}

// frequency writes a number with as many digits as its size asks for; what happened at all is not 0.
func frequency(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.005:
		return "<0.01"
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.1f", x)
}
