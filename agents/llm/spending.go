package llm

import (
	"fmt"
	"strings"

	"earthgym/env/spelling"
)

// Spending is what the instances of an agent have asked of a server so far, and what went wrong.
type Spending struct {
	Decisions int `json:"decisions"`
	Requests  int `json:"requests"`
	// PromptTokens and CompletionTokens are as the server counts them. Uncounted are answers without a count, or with
	// one that can't be: less than nothing, or more than any model reads.
	PromptTokens     int      `json:"prompt_tokens"`
	CompletionTokens int      `json:"completion_tokens"`
	Uncounted        int      `json:"uncounted,omitempty"`
	Cost             *float64 `json:"cost,omitempty"` // nil without prices
	Waits            int      `json:"waits"`          // times that the server asked to wait, or was busy or gone
	Faults           Faults   `json:"faults"`
	Forfeits         int      `json:"forfeits"` // decisions that were given up, each after some of the faults
}

// Faults are answers that could not be played, by kind.
type Faults struct {
	Parsing  int `json:"parsing"`  // no JSON object that names an action of the game
	Legality int `json:"legality"` // an action that is not legal now
	Refusals int `json:"refusals"` // the model, or its server, would not answer
	Time     int `json:"time"`     // none within the limit
	Tokens   int `json:"tokens"`   // none within the budget
}

func (s Spending) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d tokens in and %d out", spelling.Counted(s.Decisions, "decision"),
		spelling.Counted(s.Requests, "request"), s.PromptTokens, s.CompletionTokens)
	if s.Uncounted > 0 {
		fmt.Fprintf(&b, " (%s without a count that can be)", spelling.Counted(s.Uncounted, "answer"))
	}
	if s.Cost != nil {
		fmt.Fprintf(&b, ", cost %.4g", *s.Cost)
	}
	f := s.Faults
	fmt.Fprintf(&b, "; faults: %d of parsing, %d of legality, %s, %d of time, %d of tokens; %s",
		f.Parsing, f.Legality, spelling.Counted(f.Refusals, "refusal"), f.Time, f.Tokens,
		spelling.Counted(s.Forfeits, "forfeit"))
	if s.Waits > 0 {
		fmt.Fprintf(&b, "; waited %s for the server", spelling.Counted(s.Waits, "time"))
	}
	return b.String()
}
