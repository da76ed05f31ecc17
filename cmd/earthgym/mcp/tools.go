package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/cmd/earthgym/rulebook"
	"earthgym/env"
	"earthgym/env/spelling"
)

const (
	// manyActions is how many legal actions are listed at once; of more the families are.
	manyActions = 40
	// longestWait bounds a call of wait: clients give up after a minute.
	longestWait = 50 * time.Second
	defaultWait = 20 * time.Second
	// standInWait is how long finish waits for a stand-in to play the game to its end.
	standInWait = 2 * time.Second
	// longestText bounds the texts that are looked for: of an action, and the words of a rule.
	longestText = 200
	// longestHistory is how many lines of what has happened look shows unless it is asked for more, and wholeHistory
	// how many at most.
	longestHistory = 60
	wholeHistory   = 1000
	// longestRules is how many bytes of the rules an answer tells: more than any rule has, and any section below a
	// chapter.
	longestRules = 12_000
)

// Arguments of the tools.
type (
	tableArgument struct {
		Table string `json:"table" jsonschema:"id of the table"`
	}
	nameArgument struct {
		Name string `json:"name,omitempty" jsonschema:"what you are called in the record"`
	}
	startArguments struct {
		nameArgument
		Game  string   `json:"game" jsonschema:"the game, with options if need be: one-earth or resilience-earth:players=3,supply=tight (list_games)"`
		Seats []string `json:"seats,omitempty" jsonschema:"who sits where, from seat 0 on, the last one in all seats that are left: me (you), open (a player that joins by join_table), or an agent: level:1 (a beginner) to level:5, script:strong, random. Left out: you in seat 0, against agents"`
		Seed  seed     `json:"seed,omitempty" jsonschema:"the seed of all chance of the game, 0 to 18446744073709551615, above 9007199254740992 as a text; left out: one that nobody can guess"`
	}
	joinArguments struct {
		tableArgument
		nameArgument
	}
	viewArguments struct {
		tableArgument
		Key string `json:"key,omitempty" jsonschema:"key of your seat; left out: you look on"`
	}
	lookArguments struct {
		viewArguments
		History int `json:"history,omitempty" jsonschema:"how many lines of what has happened to tell, at most 1000; left out: all since your last decision"`
	}
	seatArguments struct {
		tableArgument
		Key string `json:"key" jsonschema:"key of your seat"`
	}
	legalArguments struct {
		seatArguments
		Family string `json:"family,omitempty" jsonschema:"list the actions of this family alone"`
	}
	actArguments struct {
		seatArguments
		Step   int    `json:"step" jsonschema:"the step of the table that you decided at, as look or wait gave it"`
		Action string `json:"action" jsonschema:"the exact text of a legal action"`
	}
	whyArguments struct {
		seatArguments
		Action string `json:"action" jsonschema:"the text of an action"`
	}
	waitArguments struct {
		viewArguments
		Seconds int `json:"seconds,omitempty" jsonschema:"how long to wait at most, 1 to 50; left out: 20"`
	}
	ruleArguments struct {
		Game string `json:"game" jsonschema:"the game: one-earth"`
		Rule string `json:"rule" jsonschema:"the id of a rule (OE-031), the number of a section (6.2), or words that all have to stand in a passage; contents lists the sections"`
	}
	finishArguments struct {
		seatArguments
		StandIn string `json:"stand_in,omitempty" jsonschema:"if the game is not over, leave it to this agent, such as level:3, which then plays your seat and those that nobody has taken"`
	}
)

// A seed is as the protocol library leaves it, which makes a float64 of a number; seedOf reads it as it was sent.
type seed any

// seedOf is the seed among the arguments of a call; nil if there is none.
func seedOf(arguments json.RawMessage) (*uint64, error) {
	var sent struct {
		Seed json.RawMessage `json:"seed"`
	}
	if err := json.Unmarshal(arguments, &sent); err != nil {
		return nil, errors.New("the arguments are no object of JSON")
	}
	if sent.Seed == nil || string(sent.Seed) == "null" {
		return nil, nil
	}
	text := string(sent.Seed)
	if text[0] == '"' {
		text, _ = strconv.Unquote(text) // If it has a backslash, it is no number.
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return nil, errors.New("seed: it is a whole number from 0 to 18446744073709551615, or the text of one")
	}
	return &n, nil
}

// status is what programs are told of a table beside the text; it says where the game stands, and nothing of its
// position.
type status struct {
	Table  string `json:"table"`
	Seat   *int   `json:"seat,omitempty"` // of the caller; a spectator has none
	Step   int    `json:"step"`
	Yours  bool   `json:"your_decision"`
	Decide *int   `json:"decides,omitempty"` // the seat, if it may be known
	Over   bool   `json:"over"`
}

func (s *Server) addTools() {
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true}
	plays := &sdk.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)}
	ends := &sdk.ToolAnnotations{DestructiveHint: new(true), OpenWorldHint: new(bool)}
	addTool(s, "list_games", reads, nil, s.listGames, "List the games, what they are about, and their options.")
	addTool(s, "start_table", plays, nil, s.startTable, "Start a game. Gives the id of the table, and a key for each "+
		"seat that is yours.")
	addTool(s, "join_table", plays, nil, s.joinTable, "Take the first open seat at a table that somebody has started. "+
		"Gives the key of the seat.")
	addTool(s, "look", reads, nil, s.look, "Read the table as your seat sees it: the board, what has happened since "+
		"your last decision, what is asked, what is legal. Without a key: as those who look on see it.")
	addTool(s, "legal_actions", reads, nil, s.legalActions, "List what you may do now, each action with what it does. If "+
		"that is more than "+strconv.Itoa(manyActions)+", the families of actions are listed: ask for one by its name.")
	addTool(s, "act", plays, nil, s.act, "Play an action, wait until the agents have played theirs, and read what wait, "+
		"look and legal_actions would tell then. One that can't be played is answered with the reason and the nearest "+
		"legal ones, and costs nothing.")
	addTool(s, "why_not", reads, nil, s.whyNot, "Say why you can't choose an action now, with the rule that forbids it.")
	addTool(s, "wait", reads, nil, s.wait, "Wait until it is your decision or the game is over, at most some seconds; "+
		"without a key, until something happens.")
	addTool(s, "explain_rule", reads, nil, s.explainRule, "Tell a rule by its id, a section by its number, or every "+
		"passage of the rules with some words.")
	addTool(s, "finish", ends, nil, s.finish, "Give the result and the record of a game that is over. With stand_in, "+
		"leave one that isn't to an agent.")
	addTool(s, "board", reads, sdk.Meta{"ui": map[string]any{"resourceUri": appURI}}, s.board, "Show the board as your "+
		"seat sees it, as a picture for people. (look tells you more.)")
}

func addTool[In, Out any](s *Server, name string, hints *sdk.ToolAnnotations, meta sdk.Meta,
	handler sdk.ToolHandlerFor[In, Out], description string) {
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[seed](): {Types: []string{"null", "integer", "string"}},
		reflect.TypeFor[int]():  {Type: "integer", Minimum: new(0.0), Maximum: new(1e9)},
	}})
	if err != nil {
		panic(err) // of types that are written above
	}
	s.arguments[name] = schema
	sdk.AddTool(s.server, &sdk.Tool{Name: name, InputSchema: schema, Annotations: hints, Meta: meta,
		Description: description}, handler)
}

// fitting refuses what a tool does not take, and what it lacks, before the library does, which would not say what it
// takes. What a resource or a prompt refuses is the client's mistake too: without a code the library sends 0.
func (s *Server) fitting(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if call, ok := r.(*sdk.CallToolRequest); ok {
			if err := s.misfit(call.Params); err != nil {
				var refused sdk.CallToolResult
				refused.SetError(err)
				return &refused, nil
			}
		}
		result, err := next(ctx, method, r)
		if err != nil && !errors.As(err, new(*jsonrpc.Error)) && ctx.Err() == nil {
			err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		return result, err
	}
}

func (s *Server) misfit(call *sdk.CallToolParamsRaw) error {
	var given map[string]json.RawMessage
	takes := s.arguments[call.Name]
	if takes == nil {
		return nil // The library knows what it is.
	}
	if len(call.Arguments) > 0 && json.Unmarshal(call.Arguments, &given) != nil {
		return fmt.Errorf("%s: the arguments are no object of JSON", call.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		its := takes.Properties[name]
		if its == nil {
			return fmt.Errorf("%s has no argument %q: %s", call.Name, spelling.Printable(name),
				spelling.Suggest(name, takes.PropertyOrder))
		}
		var value any
		kind, err := its.Resolve(nil)
		if err == nil && json.Unmarshal(given[name], &value) == nil && kind.Validate(value) != nil {
			text := given[name][:min(len(given[name]), longestText)]
			return fmt.Errorf("%s: %s cannot be %s: %s", call.Name, name, spelling.Printable(string(text)), its.Description)
		}
	}
	for _, name := range takes.Required {
		if _, ok := given[name]; !ok {
			return fmt.Errorf("%s needs %s: %s", call.Name, name, takes.Properties[name].Description)
		}
	}
	return nil
}

// said is a result of text, which stands for itself.
func said(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

func (s *Server) listGames(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
	var b strings.Builder
	for _, rb := range s.o.Games {
		fmt.Fprintf(&b, "%s: %s (%s)\n", rb.Name, rb.Title, strings.Join(rb.Traits, ", "))
		for _, o := range rb.Options {
			fmt.Fprintf(&b, "  %s=%s  %s", o.Name, o.Allowed(), o.Help)
			if o.Default != "" {
				fmt.Fprintf(&b, " [%s]", o.Default)
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("A game is written name, or name:option=value,…; what is left out is as in brackets. The prompt " +
		"introduce, and the resources of a game, teach it.")
	return said(b.String()), nil, nil
}

type startResult struct {
	Table string    `json:"table"`
	Game  string    `json:"game"`
	Seats []newSeat `json:"seats"`
}

func (s *Server) startTable(ctx context.Context, r *sdk.CallToolRequest, a startArguments) (*sdk.CallToolResult,
	startResult, error) {
	seed, err := seedOf(r.Params.Arguments)
	if err != nil {
		return nil, startResult{}, err
	}
	by, _ := callerOf(ctx)
	sitting, seats, err := s.lobby.start(by.client, a.Game, a.Seats, seed, a.Name)
	if err != nil {
		return nil, startResult{}, err
	}
	started := startResult{sitting.id, sitting.game.Info().Short, seats}
	var b strings.Builder
	fmt.Fprintf(&b, "Table %s: %s\n", sitting.id, sitting.game.Info().Short)
	if seed != nil { // The client may have rounded it.
		fmt.Fprintf(&b, "seed %d\n", *seed)
	}
	for _, seat := range seats {
		switch {
		case seat.Key != "":
			fmt.Fprintf(&b, "seat %d: you, key %s\n", seat.Seat, seat.Key)
		case seat.Who == seatOpen:
			fmt.Fprintf(&b, "seat %d: open, for a player that calls join_table with the id\n", seat.Seat)
		default:
			fmt.Fprintf(&b, "seat %d: %s\n", seat.Seat, seat.Who)
		}
	}
	for _, caveat := range agents.Caveats(sitting.game, a.Seats...) {
		fmt.Fprintf(&b, "note: %s\n", caveat)
	}
	b.WriteString("Next: wait, until it is your decision.")
	return said(b.String()), started, nil
}

type joinResult struct {
	Table string `json:"table"`
	Seat  int    `json:"seat"`
	Key   string `json:"key"`
}

func (s *Server) joinTable(_ context.Context, _ *sdk.CallToolRequest, a joinArguments) (*sdk.CallToolResult, joinResult,
	error) {
	sitting, err := s.lobby.find(a.Table)
	if err != nil {
		return nil, joinResult{}, err
	}
	p, key, err := sitting.join(a.Name)
	if err != nil {
		return nil, joinResult{}, err
	}
	return said(fmt.Sprintf("Table %s: %s\nseat %d: you, key %s\nNext: wait, until it is your decision.", sitting.id,
			sitting.game.Info().Short, p, key)),
		joinResult{sitting.id, int(p), key}, nil
}

// told says where a table stands, in a line, and for programs.
func (s *sitting) told(now *table.Sight) (string, status) {
	r := status{Table: s.id, Step: now.Step, Yours: now.Deciding, Over: now.Result != nil}
	var b strings.Builder
	fmt.Fprintf(&b, "Table %s, step %d. ", s.id, now.Step)
	if now.Viewer >= 0 {
		r.Seat = new(int(now.Viewer))
		fmt.Fprintf(&b, "You are seat %d. ", now.Viewer)
	}
	switch {
	case now.Result != nil:
		b.WriteString("The game is over: " + resultText(now.Result) + ".")
	case now.Deciding:
		b.WriteString("It is your decision. " + now.Question)
	case now.Actor >= 0:
		b.WriteString(s.waitsFor(now))
	default:
		b.WriteString("Others decide. " + now.Question)
	}
	if now.Actor >= 0 {
		r.Decide = new(int(now.Actor))
	}
	if now.Trouble != "" {
		fmt.Fprintf(&b, "\nTrouble: %s", now.Trouble)
	}
	return strings.TrimSpace(b.String()), r
}

func (s *sitting) waitsFor(now *table.Sight) string {
	seat := now.Seats[now.Actor]
	s.mu.Lock()
	open := s.open[now.Actor]
	s.mu.Unlock()
	switch {
	case open:
		return fmt.Sprintf("Seat %d decides, which nobody has taken yet (join_table).", now.Actor)
	case seat.Name != "":
		return fmt.Sprintf("Seat %d (%s) decides.", now.Actor, seat.Name)
	}
	return fmt.Sprintf("Seat %d decides.", now.Actor)
}

func resultText(r *env.Result) string {
	var scores []string
	for p, x := range r.Scores {
		scores = append(scores, fmt.Sprintf("seat %d %g", p, x))
	}
	return fmt.Sprintf("%s after %s (%s); scores: %s", r.Verdict(), spelling.Counted(r.Decisions, "decision"), r.Reason,
		strings.Join(scores, ", "))
}

// history tells lines, the last ones if they are more than most.
func history(b *strings.Builder, lines []table.Line, most int) {
	if left := len(lines) - most; left > 0 {
		fmt.Fprintf(b, "(%s before)\n", spelling.Counted(left, "line"))
		lines = lines[left:]
	}
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
}

func (s *Server) look(_ context.Context, _ *sdk.CallToolRequest, a lookArguments) (*sdk.CallToolResult, status, error) {
	sitting, p, now, err := s.lobby.at(a.Table, a.Key)
	if err != nil {
		return nil, status{}, err
	}
	if a.History < 0 {
		return nil, status{}, errors.New("history is a number of lines")
	}
	lines, most := now.Since(), longestHistory
	if a.History > 0 {
		lines, most = now.Log, min(a.History, wholeHistory)
	}
	var b strings.Builder
	r := sitting.tell(&b, now, lines, most, sitting.table.Text(p))
	return said(b.String()), r, nil
}

func (s *sitting) tell(b *strings.Builder, now *table.Sight, lines []table.Line, most int, text string) status {
	b.WriteString("What has happened:\n")
	history(b, lines, most)
	b.WriteString("\n" + text + "\n")
	line, r := s.told(now)
	b.WriteString(line)
	return r
}

// A family is a kind of actions that are legal now.
type family struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	First string `json:"first"` // an action of it
}

// A choice is a legal action.
type choice struct {
	Text string `json:"text"`
	What string `json:"what"` // it does
}

// What is legal: actions, or the families of too many.
type legal struct {
	Families []family `json:"families,omitempty"`
	Actions  []choice `json:"actions,omitempty"`
}

type legalResult struct {
	status
	legal
}

func (s *Server) legalActions(_ context.Context, _ *sdk.CallToolRequest, a legalArguments) (*sdk.CallToolResult,
	legalResult, error) {
	sitting, _, now, err := s.lobby.seated(a.Table, a.Key)
	if err != nil {
		return nil, legalResult{}, err
	}
	line, st := sitting.told(now)
	r := legalResult{status: st}
	if !now.Deciding {
		return nil, r, errors.New("nothing is legal for you now. " + line)
	}
	var b strings.Builder
	b.WriteString(line + "\n")
	choices, most := now.Choices, manyActions
	if a.Family != "" {
		choices = slices.DeleteFunc(slices.Clone(choices), func(c table.Choice) bool { return c.Family != a.Family })
		if len(choices) == 0 {
			var names []string
			for _, f := range familiesOf(now.Choices) {
				names = append(names, f.Name)
			}
			return nil, r, fmt.Errorf("no action of the family %q is legal now: %s", spelling.Printable(a.Family),
				spelling.Suggest(a.Family, names))
		}
		most = len(choices)
	}
	r.legal = list(&b, choices, most)
	return said(b.String()), r, nil
}

// list lists choices, or, if they are more than most, their families.
func list(b *strings.Builder, choices []table.Choice, most int) (l legal) {
	if len(choices) > most {
		l.Families = familiesOf(choices)
		fmt.Fprintf(b, "%d actions are legal, of these families (legal_actions lists one of them):\n", len(choices))
		for _, f := range l.Families {
			fmt.Fprintf(b, "%s: %d, such as %q\n", f.Name, f.Count, f.First)
		}
		return l
	}
	for _, c := range choices {
		l.Actions = append(l.Actions, choice{c.Text, c.InWords()})
		fmt.Fprintf(b, "%s — %s\n", c.Text, c.InWords())
	}
	return l
}

func familiesOf(choices []table.Choice) []family {
	var all []family
	for _, c := range choices {
		i := slices.IndexFunc(all, func(f family) bool { return f.Name == c.Family })
		if i < 0 {
			i = len(all)
			all = append(all, family{Name: c.Family, First: c.Text})
		}
		all[i].Count++
	}
	return all
}

// refusal says why an action is not played, and what is near it.
func refusal(now *table.Sight, text, reason string) error {
	var legal []string
	for _, c := range now.Choices {
		legal = append(legal, c.Text)
	}
	near := spelling.NearestOf(text, legal)
	return fmt.Errorf("not played: %s. Nothing has changed, and you decide still (step %d). Nearest legal actions: %s "+
		"(%d are legal: legal_actions)",
		strings.TrimSuffix(reason, "."), now.Step, strings.Join(near, "; "), len(now.Choices))
}

type actResult struct {
	status
	legal
	Played string `json:"played"`
}

func (s *Server) act(ctx context.Context, _ *sdk.CallToolRequest, a actArguments) (*sdk.CallToolResult, actResult,
	error) {
	sitting, p, before, err := s.lobby.seated(a.Table, a.Key)
	if err != nil {
		return nil, actResult{}, err
	}
	line, _ := sitting.told(before)
	switch {
	case before.Result != nil:
		return nil, actResult{}, errors.New("not played. " + line)
	case a.Step != before.Step:
		return nil, actResult{},
			fmt.Errorf("not played: you decided at step %d, and the game has gone on, perhaps by another call with your key: "+
				"look again. %s", a.Step, line)
	case !before.Deciding:
		return nil, actResult{}, errors.New("not played: it is not your decision. " + line)
	}
	info := sitting.game.Info()
	if len(a.Action) > longestText {
		return nil, actResult{},
			refusal(before, "", fmt.Sprintf("the action has %d bytes; it is the exact text of one legal action", len(a.Action)))
	}
	action, err := info.Parse(a.Action)
	if err != nil {
		return nil, actResult{},
			refusal(before, a.Action, fmt.Sprintf("%q is no action of this game", spelling.Printable(a.Action)))
	}
	text := info.Actions[action].Text
	if i := slices.IndexFunc(before.Choices, func(c table.Choice) bool { return c.Action == action }); i >= 0 {
		text = before.Choices[i].Text
	}
	if err := sitting.table.Play(p, a.Step, action); err != nil {
		if illegal, ok := errors.AsType[*env.IllegalActionError](err); ok {
			return nil, actResult{}, refusal(before, a.Action, illegal.Text+": "+illegal.Reason)
		}
		return nil, actResult{}, fmt.Errorf("not played: %w", err)
	}
	r := actResult{Played: text}
	now, err := sitting.await(ctx, p, defaultWait, askedPerson)
	if err != nil {
		return nil, r, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Played: %s\n", text)
	r.status = sitting.tell(&b, now, now.Since(), longestHistory, env.WithoutActions(sitting.table.Text(p)))
	if now.Deciding {
		b.WriteString("\nYou may:\n")
		r.legal = list(&b, now.Choices, manyActions)
	}
	return said(b.String()), r, nil
}

// askedPerson says whether a person decides, as far as the viewer may know: one that may take long.
func askedPerson(now *table.Sight) bool { return now.Actor >= 0 && now.Seats[now.Actor].Person }

type whyResult struct {
	Legal  bool   `json:"legal"`
	Reason string `json:"reason,omitempty"`
}

func (s *Server) whyNot(_ context.Context, _ *sdk.CallToolRequest, a whyArguments) (*sdk.CallToolResult, whyResult,
	error) {
	sitting, p, _, err := s.lobby.seated(a.Table, a.Key)
	if err != nil {
		return nil, whyResult{}, err
	}
	if len(a.Action) > longestText {
		return nil, whyResult{}, fmt.Errorf("the action has %d bytes; it is the text of one action", len(a.Action))
	}
	action, err := sitting.game.Info().Parse(a.Action)
	if err != nil {
		return nil, whyResult{}, err
	}
	why, err := sitting.table.Why(p, action)
	if err != nil {
		return nil, whyResult{}, err
	}
	if why == "" {
		return said(a.Action + " is legal now."), whyResult{Legal: true}, nil
	}
	return said(a.Action + " is not legal now: " + why), whyResult{Reason: why}, nil
}

func (s *Server) wait(ctx context.Context, _ *sdk.CallToolRequest, a waitArguments) (*sdk.CallToolResult, status,
	error) {
	sitting, p, _, err := s.lobby.at(a.Table, a.Key)
	if err != nil {
		return nil, status{}, err
	}
	if most := int(longestWait / time.Second); a.Seconds < 0 || a.Seconds > most {
		return nil, status{}, fmt.Errorf("seconds: 1 to %d", most)
	}
	now, err := sitting.await(ctx, p, cmp.Or(time.Duration(a.Seconds)*time.Second, defaultWait), nil)
	if err != nil {
		return nil, status{}, err
	}
	line, r := sitting.told(now)
	if !now.Deciding && now.Result == nil && p != env.Spectator && now.Trouble == "" {
		line += "\nNot yet: wait again."
	}
	return said(line), r, nil
}

// await looks until a viewer has something to do, enough is seen (nil: nothing is), the game can't go on, or time is
// up; a spectator until something happens.
func (s *sitting) await(ctx context.Context, p env.Player, limit time.Duration,
	enough func(*table.Sight) bool) (*table.Sight, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var first *table.Sight
	for {
		changed := s.table.Changed()
		now, err := s.table.Look(p)
		if err != nil || now.Deciding || now.Result != nil || now.Trouble != "" || enough != nil && enough(now) {
			return now, err
		}
		if first == nil {
			first = now
		}
		if p == env.Spectator && now.Edition != first.Edition {
			return now, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return now, nil
		case <-s.ended:
			return s.table.Look(p)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *Server) explainRule(_ context.Context, _ *sdk.CallToolRequest, a ruleArguments) (*sdk.CallToolResult, any,
	error) {
	text, err := s.rule(a.Game, a.Rule)
	if err != nil {
		return nil, nil, err
	}
	return said(text), nil, nil
}

// rule is what the rules of a game say to some words.
func (s *Server) rule(game, words string) (string, error) {
	if len(words) > longestText {
		return "", fmt.Errorf("the rule has %d bytes; it is an id, the number of a section, or some words", len(words))
	}
	name, _, _ := strings.Cut(game, ":")
	text, err := s.o.Rules(name)
	if err != nil {
		return "", err
	}
	book := rulebook.Read(text)
	var b strings.Builder
	if fields := strings.Fields(words); len(fields) > 0 && !slices.Equal(fields, []string{"contents"}) {
		if err := book.Find(&b, rulebook.Plain, name, fields); err != nil {
			return "", errors.New(strings.ReplaceAll(err.Error(), "--contents", "contents"))
		}
		return shortened(b.String()), nil
	}
	return strings.Join(book.Sections(), "\n"), nil
}

// shortened is what the rules say as far as an answer tells it, in whole lines.
func shortened(text string) string {
	if len(text) <= longestRules {
		return text
	}
	told := text[:strings.LastIndexByte(text[:longestRules], '\n')+1]
	return fmt.Sprintf("%s\n(%s. Ask for less: more words, the id of a rule, or the number of a section "+
		"below a chapter, such as 6.2; contents lists them.)",
		told, spelling.Counted(strings.Count(text[len(told):], "\n"), "more line"))
}

type finishResult struct {
	status
	Winners []int     `json:"winners,omitempty"`
	Scores  []float64 `json:"scores,omitempty"`
	Returns []float64 `json:"returns,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Record  string    `json:"record,omitempty"` // its resource
}

func (s *Server) finish(ctx context.Context, _ *sdk.CallToolRequest, a finishArguments) (*sdk.CallToolResult,
	finishResult, error) {
	sitting, p, now, err := s.lobby.seated(a.Table, a.Key)
	if err != nil {
		return nil, finishResult{}, err
	}
	if now.Result == nil && a.StandIn != "" {
		m, err := s.o.Agents(a.StandIn, sitting.game)
		if err != nil {
			return nil, finishResult{}, err
		}
		if err := sitting.leave(p, m); err != nil {
			return nil, finishResult{}, err
		}
		if now, err = sitting.await(ctx, p, standInWait, nil); err != nil {
			return nil, finishResult{}, err
		}
	}
	line, st := sitting.told(now)
	r := finishResult{status: st}
	switch {
	case now.Result == nil && a.StandIn == "":
		return nil, r, errors.New("the game is not over: play on, or name a stand_in that plays on for you. " + line)
	case now.Result == nil:
		return said(line + "\n" + a.StandIn + " plays your seat; call finish again for the result."), r, nil
	}
	select {
	case <-sitting.ended: // It is saved then.
	case <-ctx.Done():
		return nil, r, ctx.Err()
	}
	r.Winners, r.Scores, r.Returns, r.Reason = now.Result.Winners.List(), now.Result.Scores, now.Result.Returns,
		now.Result.Reason
	r.Record = recordURI(sitting.id)
	result := said(line)
	result.Content = append(result.Content,
		&sdk.ResourceLink{URI: r.Record, Name: "record", Title: "The record of the game", MIMEType: recordType})
	return result, r, nil
}

func (s *Server) board(_ context.Context, _ *sdk.CallToolRequest, a viewArguments) (*sdk.CallToolResult, any, error) {
	sitting, _, now, err := s.lobby.at(a.Table, a.Key)
	if err != nil {
		return nil, nil, err
	}
	if now.Board == "" {
		return nil, nil, fmt.Errorf("%s has no drawing: look tells the table in words", sitting.game.Info().Title)
	}
	line, _ := sitting.told(now)
	result := said(line + "\nThe board is shown where pictures can be; look tells it in words.")
	result.Meta = sdk.Meta{boardKey: now.Board} // which hosts keep from the model
	return result, nil, nil
}
