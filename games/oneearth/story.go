package oneearth

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
)

// The game as a story: what each decision and each draw means, and what followed from it. Nothing here looks at
// sealed bids.

// story is a step that is being told.
type story struct {
	env.Story
	before, after *State
	income        []env.Change // that began the turn of the one who acts now
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []env.Fact, before env.State, seen []env.Seen, _ env.Player) []env.Fact {
	t := story{Story: env.Story{Facts: dst}, after: s}
	if before == nil {
		t.before = s
		t.Say("start", env.Over, 0, env.Args{"players": s.game.Players})
	} else {
		t.before = asState(before)
		t.Changes = env.Changes(t.before.counters(), s.counters())
		t.setIncomeAside()
	}
	for i := 0; i < len(seen); i++ {
		switch e := seen[i]; e.Kind {
		case env.SeenAction:
			t.action(e)
		case env.SeenChance:
			i += t.chance(seen[i:]) - 1
		default:
			t.bidShown(e)
		}
	}
	t.consequences()
	t.TakeRest()
	t.next(before == nil)
	return t.Facts
}

// counters are the public numbers of a position that matter for the story.
func (s *State) counters() []env.Counter {
	list := []env.Counter{
		{Player: env.Over, What: "global", Value: int(s.Global)},
		{Player: env.Over, What: "npc-prosperity", Value: int(s.NPCProsperity)},
		{Player: env.Over, What: "npc-points", Value: int(s.NPCPoints)},
	}
	for p := range s.game.Players {
		c, q := &s.Countries[p], env.Player(p)
		list = append(list, env.Counter{Player: q, What: "prosperity", Value: int(c.Prosperity)},
			env.Counter{Player: q, What: "emissions", Value: int(c.Emissions)}, env.Counter{Player: q, What: "money", Value: int(c.Money)})
	}
	return list
}

// newTurn says whether a turn has begun in the step, and newRound whether a round has.
func (t *story) newTurn() bool {
	b, s := t.before, t.after
	return s.Decision == AtTurn && (b.Decision == AtLeader || b.TurnsDone != s.TurnsDone || b.Round != s.Round)
}

func (t *story) newRound() bool {
	return t.before.Decision == AtLeader || t.before.Round != t.after.Round
}

// setIncomeAside takes what a new turn began with out of the changes: the income, or, where fees or foreign aid are
// paid at once, all that has changed of the money of the seats concerned. A lone player loses Prosperity then.
func (t *story) setIncomeAside() {
	s := t.after
	if !t.newTurn() {
		return
	}
	p := env.Player(s.active())
	if s.Fee(int(p)) > 0 || s.Donors.Has(p) {
		t.income = t.TakeIf(func(c env.Change) bool {
			return c.What == "money" && (c.Player == p || s.Donors.Has(p) && s.Recipients.Has(c.Player))
		})
	} else if income := s.Income(int(p)); income > 0 {
		t.income = []env.Change{t.Claim(p, "money", income)}
	}
	if s.game.Players == 1 {
		t.income = append(t.income, t.TakeIf(func(c env.Change) bool { return c.What == "prosperity" })...)
	}
}

func (t *story) project(x Project) env.Name {
	return env.Name{Kind: "project", ID: projectIDs[x], Text: t.after.game.Components.Projects[x].Name}
}

func (t *story) technology(k Technology) env.Name {
	return env.Name{Kind: "technology", ID: technologyIDs[k], Text: t.after.game.Components.Technologies[k].Name}
}

func (t *story) policy(c Policy) env.Name {
	return env.Name{Kind: "policy", ID: policyIDs[c], Text: t.after.game.Components.Policies[c].Name}
}

func (t *story) leader(l Leader) env.Name {
	return env.Name{Kind: "leader", ID: leaderIDs[l], Text: t.after.game.Components.Leaders[l].Name}
}

func (t *story) resolution(r Resolution) env.Name {
	return env.Name{Kind: "resolution", ID: resolutionIDs[r], Text: t.after.game.Components.Resolutions[r].Name}
}

// action tells a decision.
func (t *story) action(e env.Seen) {
	a, err := t.after.game.info.Parse(e.Text)
	if err != nil { // the bid of another
		t.Say("bid-sealed", e.Player, 1, nil)
		return
	}
	key, args := t.deed(e.Player, a)
	t.Say(key, e.Player, 1, args, t.takeAtOnce(e.Player)...)
}

// takeAtOnce takes what a decision changes at once, unless a next turn begins or a meeting goes on, where other things
// change too.
func (t *story) takeAtOnce(p env.Player) []env.Change {
	s := t.before
	switch {
	case s.inATurn() && s.Decision != AtLeader && s.Decision != AtBid && s.Round == t.after.Round && s.TurnsDone == t.after.TurnsDone,
		s.Decision == AtLoose, s.Decision == AtImmunity:
		return t.Take()
	case s.Decision == AtAudit:
		return t.TakeIf(func(c env.Change) bool { return c.Player == p || c.What == "global" })
	}
	return nil
}

// deed is the sentence of an action, which is named after its family if it is the same everywhere, and what stands in
// it.
func (t *story) deed(p env.Player, a env.Action) (key string, args env.Args) {
	s := t.before
	clockwise := func(first env.Action, from int) env.Player {
		return env.Player((int(p) + int(a-first) + from) % s.game.Players)
	}
	key, args = s.game.info.Actions[a].Family, env.Args{}
	switch {
	case a < Fund:
		args["leader"] = t.leader(Leader(a))
	case a < Tech:
		args["project"] = t.project(s.Row[a-Fund])
	case a < FundPolicy:
		if s.Decision == AtPick {
			key = "name"
		}
		args["technology"] = t.technology(Technology(a - Tech))
	case a < On:
		args["policy"] = t.policy(Policy(a - FundPolicy))
	case a < Discard:
		args["project"], args["technology"] = t.project(Project(a-On)), t.technology(t.using())
	case a < ApplyUse:
		key, args["project"] = "discard", t.project(Project((a-Discard)%NumProjects))
	case a < Refresh:
		args["technology"] = t.technology(Technology(a - ApplyUse))
	case a == UseAbility:
		args["leader"] = t.leader(s.Countries[p].Leader)
	case a >= Ask && a < Share:
		args["other"] = clockwise(Ask, 1)
	case a >= Share && a < Save:
		args["other"], args["technology"] = clockwise(Share, 1), t.technology(t.using())
	case a == Save:
		args["technology"] = t.technology(t.using())
	case a >= Amount && a < Say:
		args["amount"] = int(a - Amount)
		if s.Decision == AtPledge {
			key = "pledge"
		} else {
			args["other"] = env.Player(s.Ask.Seat)
		}
	case a >= Say && a < Yes:
		key = "say-" + wordIDs[a-Say]
	case a == BidNothing:
		key = "bid"
	case a > BidNothing && a < BidNo:
		key, args["amount"] = "bid-yes", int(a-BidYes)+1
	case a >= BidNo && a < Propose:
		key, args["amount"] = "bid-no", int(a-BidNo)+1
	case a >= Propose && a < Accuse:
		args["resolution"] = t.resolution(Resolution(a - Propose))
	case a >= Accuse && a < Pass:
		args["other"] = clockwise(Accuse, 0)
	case a == Yes || a == No || a == Pass:
		return t.answer(key)
	}
	return key, args
}

// answers are the sentences of yes, no and pass where a question is behind them.
var answers = map[Decision]map[string]string{
	AtAskReply: {"yes": "aid-yes", "no": "aid-no"},
	AtSanction: {"yes": "sanction-yes", "no": "sanction-no"},
	AtVote:     {"yes": "vote-yes", "no": "vote-no"},
	AtVeto:     {"yes": "veto-yes", "no": "veto-no"},
	AtImmunity: {"yes": "immune", "no": "struck"},
	AtAttach:   {"yes": "attach-yes", "no": "attach-no"},
	AtShared:   {"no": "shared-no"},
	AtLoose:    {"pass": "loose-pass"},
	AtAccuse:   {"pass": "accuse-nobody"},
	AtPropose:  {"pass": "propose-nothing"},
}

// answer is deed for yes, no and pass.
func (t *story) answer(word string) (key string, args env.Args) {
	s := t.before
	key, args = answers[s.Decision][word], env.Args{}
	switch s.Decision {
	case AtAttach:
		args["project"], args["technology"] = t.project(s.Attach), t.technology(t.using())
	case AtShared, AtLoose:
		args["technology"] = t.technology(t.using())
	}
	if key == "" {
		key = word
	}
	return key, args
}

// using is the Technology that the decision was about.
func (t *story) using() Technology {
	if t.before.Decision == AtLoose {
		return t.before.LooseQueue[0].Technology()
	}
	return t.before.Using
}

// chance tells the first of some draws and says how many it has told: Projects dealt together are one sentence.
func (t *story) chance(seen []env.Seen) int {
	event, outcome, _ := strings.Cut(seen[0].Text, " = ")
	kind, seat, _ := strings.Cut(event, " ")
	p, _ := strconv.Atoi(seat)
	g := t.after.game
	switch kind {
	case "first-player":
		t.Say("first", env.Over, 1, env.Args{"first": env.Player(t.after.First)})
	case "start":
		t.Say("given", env.Player(p), 1, env.Args{"project": t.project(Project(slices.Index(projectIDs[:], outcome)))})
	case "leader":
		t.Say("leads", env.Player(p), 1, env.Args{"leader": t.leader(Leader(slices.Index(leaderIDs[:], outcome)))})
	case "deal":
		var projects []any
		for _, e := range seen {
			id, dealt := strings.CutPrefix(e.Text, "deal = ")
			if !dealt {
				break
			}
			projects = append(projects, t.project(Project(slices.Index(projectIDs[:], id))))
		}
		t.Say("deal", env.Over, len(projects), env.Args{"n": len(projects), "projects": projects})
		return len(projects)
	case "warning":
		card := &g.Components.Warnings[slices.Index(warningIDs[:], outcome)]
		sign := ""
		if card.All.Income >= 0 {
			sign = "+"
		}
		t.Say("warning", env.Over, 1, env.Args{"event": env.Name{Kind: "event", ID: outcome, Text: card.Name}, "sign": sign, "income": card.All.Income})
	case "critical":
		var changes []env.Change
		if t.after.Decision != AtImmunity {
			changes = t.Take()
		}
		card := &g.Components.Criticals[slices.Index(criticalIDs[:], outcome)]
		t.Say("critical", env.Over, 1, env.Args{"event": env.Name{Kind: "event", ID: outcome, Text: card.Name}}, changes...)
	case "automa":
		t.Say("automa", env.Over, 1, env.Args{"card": outcome}, t.Take("global", "npc-prosperity", "npc-points")...)
	case "npc-tech":
		t.Say("npc-tech", env.Over, 1, env.Args{"technology": t.technology(Technology(slices.Index(technologyIDs[:], outcome)))})
	case "npc-policy":
		t.Say("npc-policy", env.Over, 1, env.Args{"policy": t.policy(Policy(slices.Index(policyIDs[:], outcome)))})
	}
	return 1
}

// bidShown tells a bid that is opened, and paid.
func (t *story) bidShown(e env.Seen) {
	who, text, _ := strings.Cut(e.Text, ": ")
	var p env.Player
	fmt.Sscanf(who, "seat %d", &p)
	a, _ := t.after.game.info.Parse(text)
	switch bid := int(bidOf(a)); {
	case bid > 0:
		t.Say("shown-yes", p, 1, env.Args{"amount": bid}, t.Claim(p, "money", -bid))
	case bid < 0:
		t.Say("shown-no", p, 1, env.Args{"amount": -bid}, t.Claim(p, "money", bid))
	default:
		t.Say("shown", p, 1, nil)
	}
}

// consequences tells what followed without a decision: Resolutions, Projects upgraded and lost, words kept and
// broken, sanctions.
func (t *story) consequences() {
	b, s := t.before, t.after
	for r := range Resolution(NumResolutions) {
		if b.Resolutions[r] == s.Resolutions[r] {
			continue
		}
		t.Say(s.Resolutions[r].String(), env.Over, 0, env.Args{"resolution": t.resolution(r)}, t.Take()...)
	}
	for p := range s.game.Players {
		t.projects(p)
		old, now := &b.Countries[p], &s.Countries[p]
		if now.PromisesKept > old.PromisesKept {
			t.Say("kept", env.Player(p), 0, nil)
		}
		if now.PromisesBroken > old.PromisesBroken {
			t.Say("broken", env.Player(p), 0, nil)
		}
	}
	voted := b.Decision == AtSanction && s.Decision != AtSanction
	switch {
	case voted && s.Sanctioned < 0:
		t.Say("unpunished", env.Over, 0, nil)
	case s.Sanctioned >= 0 && s.Sanctioned != b.Sanctioned:
		t.Say("sanctioned", env.Player(s.Sanctioned), 0, nil)
	case s.Sanctioned < 0 && b.Sanctioned >= 0:
		t.Say("lifted", env.Player(b.Sanctioned), 0, nil)
	}
	if s.Accused >= 0 && b.Accused < 0 {
		t.Say("accused", env.Player(s.Accused), 0, nil)
	}
}

// projects tells which Projects of a seat were upgraded or lost, but for those that its own decision was about.
func (t *story) projects(p int) {
	old, now := &t.before.Countries[p], &t.after.Countries[p]
	chosen := len(t.Facts) > 0 && t.Facts[0].Player == env.Player(p) && slices.Contains([]string{"on", "attach-yes", "discard"}, t.Facts[0].Key)
	for x := range Project(NumProjects) {
		lost := int(old.Plain[x] + old.Upgraded[x] - now.Plain[x] - now.Upgraded[x])
		args := env.Args{"project": t.project(x)}
		if !chosen && lost <= 0 && now.Upgraded[x] > old.Upgraded[x] {
			t.Say("upgraded", env.Player(p), 0, args)
		}
		for range lost - index(chosen && t.Facts[0].Key == "discard" && lost > 0) {
			t.Say("loses", env.Player(p), 0, args,
				t.TakeIf(func(c env.Change) bool { return c.Player == env.Player(p) || c.What == "global" })...)
		}
	}
}

// next tells how the game goes on: the final round, the next round and turn, or the end.
func (t *story) next(setUp bool) {
	b, s := t.before, t.after
	if s.Final && !b.Final && s.Decision != Over {
		if s.Trigger >= 0 {
			t.Say("final-target", env.Player(s.Trigger), 0, nil)
		} else {
			t.Say("final-deck", env.Over, 0, nil)
		}
	}
	switch {
	case s.Decision == Over:
		t.end()
	case setUp && s.Decision == AtTurn, !setUp && t.newTurn():
		if setUp || t.newRound() {
			t.Say("round", env.Over, 0, env.Args{"round": int(s.Round), "first": env.Player(s.First)})
		}
		t.Say("turn", env.Player(s.active()), 0, nil, t.income...)
	}
}

// end tells how the game has ended, and who has won.
func (t *story) end() {
	s := t.after
	p, key := env.Over, s.Ending.String()
	switch s.Ending {
	case TargetWon:
		p = env.Player(s.Reach[0])
	case NoCriticals:
		key = "critical-end"
	}
	t.Say(key, p, 0, nil)
	if s.Culprits != env.Nobody {
		var seats []any
		for _, q := range s.Culprits.List() {
			seats = append(seats, env.Player(q))
		}
		t.Say("culprits", env.Over, 0, env.Args{"seats": seats})
	}
	scores := make([]float64, s.game.Players)
	s.Scores(scores)
	t.Winners(s.Winners(), func(p env.Player) int { return int(scores[p]) })
	if s.Winners() == env.Nobody {
		t.Say("nobody", env.Over, 0, nil)
	}
}
