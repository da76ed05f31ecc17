package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/spelling"
)

type explainOptions struct {
	game   gameFlags
	at     int
	agent  string
	seed   uint64
	seat   int
	worst  int
	least  float64
	asJSON bool
}

func newExplain() *cobra.Command {
	o := explainOptions{}
	cmd := &cobra.Command{
		Use:   "explain FILE [AGENT]",
		Short: "Find the decisions of a recorded game that cost most",
		Long: `Value each decision of a seat in a recorded game by search: a curve shows what was lost where, then come the
decisions that lost the most expected return, the worst first: the table as the seat saw it, what had
happened, and the choices. Choose again, and see what the search thinks of it. What was chosen is compared
with the best on the samples that tried both, and counts as a loss only beyond its standard error; a search is
not always right all the same, least with few simulations.

With --at it is one decision, and what an agent would play there and why: how likely each action is, the
return that it expects, and, of a search, how often it tried each action and how the game may go on. The agent
sees what the seat saw. Search, networks and bots can explain themselves; a bot says what it scores each
action, in units of its own. A search keeps to what its bot or network would choose unless another action is
ahead by more than luck: how far each one is ahead of the choice or behind it is told for the samples that
tried both, with its standard error.`,
		Example: `  earthgym explain records/resilience-earth-7.jsonl
  earthgym explain game.jsonl mcts:sims=800 --as 2 --worst 3
  earthgym explain game.jsonl --json
  earthgym explain records/resilience-earth-7.jsonl mcts:sims=2000 --at 12
  earthgym explain game.jsonl net:runs/first --at 30 --json`,
		Args: wordsAllowed(1, 2, "the record"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				o.agent = args[1]
			}
			flags := cmd.Flags()
			one, only := flags.Changed("at"), []string{"seed"}
			if one {
				only = []string{"as", "worst", "least"}
			}
			for _, name := range only {
				switch {
				case flags.Changed(name) && one:
					return usagef("--%s goes without --at: it is for all decisions", name)
				case flags.Changed(name):
					return usagef("--%s needs --at, the decision", name)
				}
			}
			if one {
				o.agent = cmp.Or(o.agent, "mcts:sims=1000")
				return runExplain(cmd, args[0], o)
			}
			if o.agent = cmp.Or(o.agent, "mcts:sims=200"); !flags.Changed("as") {
				o.seat = -1
			}
			return runDrill(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = completeFileAndAgents
	f := cmd.Flags()
	f.IntVar(&o.at, "at", 0, "the decision `N`, from 0, alone")
	seedVar(f, &o.seed, "the agent's chance; with --at")
	f.IntVar(&o.seat, "as", 0, "whose decisions: a `SEAT`; if none is given, the first person's, or seat 0's")
	f.IntVar(&o.worst, "worst", 5, "how many decisions to show, at most")
	f.Float64Var(&o.least, "least", 0.05, "the least loss of expected return to show, of 2 that lie between winning "+
		"and losing")
	f.BoolVar(&o.asJSON, "json", false, "for programs, and ask nothing")
	return cmd
}

func runExplain(cmd *cobra.Command, file string, o explainOptions) error {
	rec, g, err := o.game.openRecord(file)
	if err != nil {
		return err
	}
	if o.at < 0 || o.at >= len(rec.Moves) {
		return usagef("--at %d: the record has decisions 0 to %d", o.at, len(rec.Moves)-1)
	}
	makers, err := openAgents(g, o.agent)
	if err != nil {
		return err
	}
	writeCaveats(cmd.ErrOrStderr(), []env.Game{g}, []string{o.agent})
	agent, err := makers[0].New()
	if err != nil {
		return err
	}
	defer agents.Close(agent)
	explainer, ok := agent.(agents.Explainer)
	if !ok {
		return usagef("%s can't explain itself; bots (script:), search (mcts:) and networks (net:) can", o.agent)
	}
	if f, ok := agent.(agents.Follower); ok {
		f.Follow(cmd.Context())
	}
	agent.Reset(o.seed)
	err = rec.Replay(g, func(n int, s env.State) error {
		if n != o.at {
			return nil
		}
		e, err := explainer.Explain(env.ViewOf(s))
		if err != nil {
			return fmt.Errorf("%s: %w", o.agent, err)
		}
		x := explanationOf(s, rec, o, &e)
		if o.asJSON {
			err = writeJSON(cmd.OutOrStdout(), x)
		} else {
			err = x.write(cmd.OutOrStdout())
		}
		return cmp.Or(err, errShown)
	})
	if err != nil && !errors.Is(err, errShown) {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// explanation is an agents.Explanation in the game's words.
type explanation struct {
	Decision int        `json:"decision"`
	Seat     env.Player `json:"seat"`
	Played   string     `json:"played"` // in the record
	Agent    string     `json:"agent"`
	Choice   string     `json:"choice"` // the likeliest action
	// Incumbent is what a search leaves only for what is clearly better: its bot's or network's choice.
	Incumbent string          `json:"incumbent,omitempty"`
	Value     *float64        `json:"value"` // the return that the seat may expect; null if the agent doesn't know
	Actions   []actionThought `json:"actions"`
	Line      []string        `json:"line,omitempty"`
}

// actionThought is what an agent thinks of one legal action.
type actionThought struct {
	Action      string   `json:"action"`
	Probability float32  `json:"probability"`
	Visits      *int32   `json:"visits,omitempty"`
	Value       *float64 `json:"value,omitempty"`
	Lead        *float64 `json:"lead,omitempty"`  // of its value over the choice's, where both were tried
	Error       *float64 `json:"error,omitempty"` // the standard error of the lead
	Score       *float64 `json:"score,omitempty"` // a bot's; none where it sees no use in the action
}

func explanationOf(s env.State, rec *record.Record, o explainOptions, e *agents.Explanation) explanation {
	x := explanation{Decision: o.at, Seat: s.Actor(), Played: rec.Moves[o.at].Action, Agent: o.agent,
		Value: agents.Known(e.Value), Line: e.Line}
	for _, a := range env.LegalActions(s) {
		t := actionThought{Action: env.ActionText(s, a), Probability: e.Probabilities[a]}
		if e.Visits != nil {
			t.Visits, t.Value = &e.Visits[a], agents.Known(e.Values[a])
			t.Lead, t.Error = agents.Known(e.Leads[a]), agents.Known(e.Errors[a])
		}
		if e.Scores != nil && e.Scores[a] > scripted.Unwanted {
			t.Score = agents.Known(e.Scores[a])
		}
		x.Actions = append(x.Actions, t)
	}
	slices.SortStableFunc(x.Actions, func(a, b actionThought) int {
		c := cmp.Compare(b.Probability, a.Probability)
		switch {
		case c == 0 && a.Visits != nil:
			return cmp.Compare(*b.Visits, *a.Visits)
		case c == 0 && a.Score != nil && b.Score != nil:
			return cmp.Compare(*b.Score, *a.Score)
		case c == 0 && a.Score != nil:
			return -1
		case c == 0 && b.Score != nil:
			return 1
		}
		return c
	})
	x.Choice = x.Actions[0].Action
	if e.Visits != nil && e.Incumbent >= 0 {
		x.Incumbent = env.ActionText(s, e.Incumbent)
	}
	return x
}

// table writes the actions, one a line, and says how many it has left out, and why.
func (x *explanation) table(w io.Writer) (left int, why string) {
	searched := x.Actions[0].Visits != nil
	scored := slices.ContainsFunc(x.Actions, func(a actionThought) bool { return a.Score != nil })
	switch {
	case searched:
		fmt.Fprint(w, "action\ttried\treturn\tbeyond the choice\t\n")
		why = "not tried"
	case scored:
		fmt.Fprint(w, "action\tscore\t\n")
		why = "in which it sees no use"
	default:
		fmt.Fprint(w, "action\tprobability\t\n")
		why = "hardly likely"
	}
	for _, a := range x.Actions {
		switch {
		case searched && *a.Visits == 0, scored && a.Score == nil, !searched && !scored && a.Probability < leastProbability:
			left++
		case searched && a.Lead != nil:
			fmt.Fprintf(w, "%s\t%d\t%+.3f\t%+.3f ± %.3f\t\n", a.Action, *a.Visits, *a.Value, *a.Lead, *a.Error)
		case searched:
			fmt.Fprintf(w, "%s\t%d\t%+.3f\t\t\n", a.Action, *a.Visits, *a.Value)
		case scored:
			fmt.Fprintf(w, "%s\t%.4g\t\n", a.Action, *a.Score)
		default:
			fmt.Fprintf(w, "%s\t%.1f %%\t\n", a.Action, 100*a.Probability)
		}
	}
	return left, why
}

// leastProbability is that of a network's actions that the table lists.
const leastProbability = 0.005

func (x *explanation) write(w io.Writer) error {
	fmt.Fprintf(w, "decision %d, seat %d, which played %s\n%s would play %s", x.Decision, x.Seat, x.Played,
		spelling.Printable(x.Agent), x.Choice)
	if x.Value != nil {
		fmt.Fprintf(w, ", expecting a return of %+.2f", *x.Value)
	}
	fmt.Fprint(w, "\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	left, why := x.table(t)
	if err := t.Flush(); err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintf(w, "and %d more, %s\n", left, why)
	}
	switch x.Incumbent {
	case "":
	case x.Choice:
		fmt.Fprintf(w, "\n%s is what it would choose without a search, and nothing is clearly ahead of it\n", x.Incumbent)
	default:
		fmt.Fprintf(w, "\nwithout a search it would choose %s\n", x.Incumbent)
	}
	if len(x.Line) > 0 {
		fmt.Fprintf(w, "\nthe game may go on like this: %s\n", strings.Join(x.Line, "; "))
	}
	return nil
}
