//go:build !js

// Package check tests programs against the protocol of env/pipe, clause by clause: [Agent] those that sit at a table,
// [Client] those that own environments.
//
// A program is talked to by the same code that plays with it, through a wire that makes what it hears as awkward as the
// protocol allows (a byte at a time, numbers of any width, fields that it doesn't know), and that reads what it says on
// its own.
package check

import (
	"fmt"
	"io"
)

// A Clause is one thing that the protocol demands.
type Clause struct {
	Name    string
	Demands string // in a sentence
	Fault   string // what the program does instead; "" if it does what is demanded
	Skipped bool   // it could not be tested: Fault says why
}

// Report writes clauses, a line each, and says whether all hold.
func Report(w io.Writer, clauses []Clause) (holds bool) {
	failed, skipped := 0, 0
	for _, c := range clauses {
		switch {
		case c.Skipped:
			skipped++
			fmt.Fprintf(w, "skip  %-10s %s: %s\n", c.Name, c.Demands, c.Fault)
		case c.Fault != "":
			failed++
			fmt.Fprintf(w, "FAIL  %-10s %s\n%17s%s\n", c.Name, c.Demands, "", c.Fault)
		default:
			fmt.Fprintf(w, "ok    %-10s %s\n", c.Name, c.Demands)
		}
	}
	if failed+skipped == 0 {
		fmt.Fprintf(w, "every clause holds (%d)\n", len(clauses))
		return true
	}
	fmt.Fprintf(w, "%d of %d clauses fail, %d were not tested\n", failed, len(clauses), skipped)
	return false
}
