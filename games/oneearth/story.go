package oneearth

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/story"
)

// The game as a story: what each decision and each draw means, and what followed from it. Nothing here looks at
// sealed bids.

// teller is a step that is being told.
type teller struct {
	story.Story
	before, after *State
	followed      bool // what followed from the step has been told
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []story.Fact, before env.State, beats []story.Beat, _ env.Player) []story.Fact {
	t := teller{Story: story.Story{Facts: dst}, before: s, after: s}
	if before == nil {
		t.Say("start", env.Over, 0, story.Args{"players": s.game.Players})
	} else {
		t.before = asState(before)
	}
	t.Tell(beats, t.beat)
	if before == nil && s.Decision == AtTurn {
		t.turn()
	}
	t.consequences()
	if s.Decision == Over {
		t.end()
	}
	return t.Facts
}

// AppendCounters are the public numbers that matter for the story.
func (s *State) AppendCounters(dst []env.Counter) []env.Counter {
	dst = append(dst, env.Counter{Player: env.Over, What: "global", Value: int(s.Global)},
		env.Counter{Player: env.Over, What: "npc-prosperity", Value: int(s.NPCProsperity)},
		env.Counter{Player: env.Over, What: "npc-points", Value: int(s.NPCPoints)})
	for p := range s.game.Players {
		c, q := &s.Countries[p], env.Player(p)
		dst = append(dst, env.Counter{Player: q, What: "prosperity", Value: int(c.Prosperity)},
			env.Counter{Player: q, What: "emissions", Value: int(c.Emissions)},
			env.Counter{Player: q, What: "money", Value: int(c.Money)})
	}
	return dst
}

// beat tells the first of some beats and says how many it has told: Projects dealt together are one sentence.
func (t *teller) beat(beats []story.Beat) int {
	switch e := beats[0]; e.Rule {
	case "turn":
		t.consequences()
		t.turn()
	case "resolution":
		r := Resolution(e.Player)
		t.Say(t.after.Resolutions[r].String(), env.Over, 0, story.Args{"resolution": t.resolution(r)})
	case "loses":
		p, x := lost(e.Player)
		t.Say("loses", p, 0, story.Args{"project": t.project(x)})
	case "strikes", "npc-moves", "fee", "foreign-aid":
		if t.Changes != nil {
			t.Say(e.Rule, e.Player, 0, nil)
		}
	default:
		switch e.Kind {
		case env.SeenAction:
			t.action(e.Seen)
		case env.SeenChance:
			return t.chance(beats)
		default:
			t.bidShown(e.Seen)
		}
	}
	return 1
}

// lossOf numbers the loss of a seat's Project for a mark, and lost reads it.
func lossOf(p int, x Project) env.Player { return env.Player(p*NumProjects + int(x)) }

func lost(loss env.Player) (env.Player, Project) {
	return loss / NumProjects, Project(loss % NumProjects)
}

// newRound says whether a round has begun in the step, if a turn has.
func (t *teller) newRound() bool {
	return t.before == t.after || t.before.Decision == AtLeader || t.before.Round != t.after.Round
}

func (t *teller) project(x Project) story.Name {
	return story.Name{Kind: "project", ID: projectIDs[x], Text: t.after.game.Components.Projects[x].Name}
}

func (t *teller) technology(k Technology) story.Name {
	return story.Name{Kind: "technology", ID: technologyIDs[k], Text: t.after.game.Components.Technologies[k].Name}
}

func (t *teller) policy(c Policy) story.Name {
	return story.Name{Kind: "policy", ID: policyIDs[c], Text: t.after.game.Components.Policies[c].Name}
}

func (t *teller) leader(l Leader) story.Name {
	return story.Name{Kind: "leader", ID: leaderIDs[l], Text: t.after.game.Components.Leaders[l].Name}
}

func (t *teller) resolution(r Resolution) story.Name {
	return story.Name{Kind: "resolution", ID: resolutionIDs[r], Text: t.after.game.Components.Resolutions[r].Name}
}

// action tells a decision.
func (t *teller) action(e env.Seen) {
	a, err := t.after.game.info.Parse(e.Text)
	if err != nil { // the bid of another
		t.Say("bid-sealed", e.Player, 1, nil)
		return
	}
	if move := t.before.row().Move(a); move != nil && move.Tell != nil {
		move.Tell(t, e.Player, move.Index(a))
		return
	}
	key, args := t.deed(e.Player, a)
	t.Say(key, e.Player, 1, args)
}

// deed is the sentence of an action, which is named after its family if it is the same everywhere, and what stands in
// it.
func (t *teller) deed(p env.Player, a env.Action) (key string, args story.Args) {
	s, info := t.before, &t.before.game.info.Actions[a]
	key, args = info.Family, story.Args{}
	switch {
	case act.leader.Has(a):
		args["leader"] = t.leader(Leader(act.leader.Index(a)))
	case act.fund.Has(a):
		args["project"] = t.project(s.Row[act.fund.Index(a)])
	case act.tech.Has(a):
		if s.Decision == AtPick {
			key = "name"
		}
		args["technology"] = t.technology(Technology(act.tech.Index(a)))
	case act.policy.Has(a):
		args["policy"] = t.policy(Policy(act.policy.Index(a)))
	case act.on.Has(a):
		args["project"], args["technology"] = t.project(Project(act.on.Index(a))), t.technology(t.using())
	case act.discard.Has(a), act.discardUpgraded.Has(a):
		key, args["project"] = "discard", t.project(Project(act.discard.Index(a)%NumProjects))
	case act.apply.Has(a):
		args["technology"] = t.technology(Technology(act.apply.Index(a)))
	case a == UseAbility:
		args["leader"] = t.leader(s.Countries[p].Leader)
	case act.ask.Has(a):
		args["other"] = s.seatFrom(p, act.ask.Index(a)+1)
	case act.share.Has(a):
		args["other"], args["technology"] = s.seatFrom(p, act.share.Index(a)+1), t.technology(t.using())
	case a == Save:
		args["technology"] = t.technology(t.using())
	case act.amount.Has(a):
		args["amount"] = act.amount.Index(a)
		if s.Decision == AtPledge {
			key = "pledge"
		} else {
			args["other"] = env.Player(s.Ask.Seat)
		}
	case act.say.Has(a):
		w := Word(act.say.Index(a))
		key = "say-" + wordIDs[w]
		if s.Decision == AtAskSay && (w == PromisePolicy || w == PromiseClean) { // OE-282
			key += "-now"
		}
	case a == BidNothing:
		key = "bid"
	case act.bidYes.Has(a):
		key, args["amount"] = "bid-yes", act.bidYes.Index(a)+1
	case act.bidNo.Has(a):
		key, args["amount"] = "bid-no", act.bidNo.Index(a)+1
	case act.propose.Has(a):
		args["resolution"] = t.resolution(Resolution(act.propose.Index(a)))
	case act.accuse.Has(a):
		args["other"] = s.seatFrom(p, act.accuse.Index(a))
	}
	return key, args
}

// using is the Technology that the decision was about.
func (t *teller) using() Technology {
	if t.before.Decision == AtLoose {
		return t.before.LooseQueue[0].Technology()
	}
	return t.before.Using
}

// chance tells the first of some draws and says how many it has told: Projects dealt together are one sentence.
func (t *teller) chance(seen []story.Beat) int {
	event, outcome, _ := strings.Cut(seen[0].Text, " = ")
	kind, seat, _ := strings.Cut(event, " ")
	p, _ := strconv.Atoi(seat)
	g := t.after.game
	switch kind {
	case "first-player":
		t.Say("first", env.Over, 1, story.Args{"first": env.Player(t.after.First)})
	case "start":
		t.Say("given", env.Player(p), 1, story.Args{"project": t.project(Project(slices.Index(projectIDs[:], outcome)))})
	case "leader":
		t.Say("leads", env.Player(p), 1, story.Args{"leader": t.leader(Leader(slices.Index(leaderIDs[:], outcome)))})
	case "deal":
		var projects []any
		for _, e := range seen {
			id, dealt := strings.CutPrefix(e.Text, "deal = ")
			if !dealt {
				break
			}
			projects = append(projects, t.project(Project(slices.Index(projectIDs[:], id))))
		}
		t.Say("deal", env.Over, len(projects), story.Args{"n": len(projects), "projects": projects})
		return len(projects)
	case "warning":
		card := &g.Components.Warnings[slices.Index(warningIDs[:], outcome)]
		sign := ""
		if card.All.Income >= 0 {
			sign = "+"
		}
		t.Say("warning", env.Over, 1, story.Args{"event": story.Name{Kind: "event", ID: outcome, Text: card.Name},
			"sign": sign, "income": card.All.Income})
	case "critical":
		card := &g.Components.Criticals[slices.Index(criticalIDs[:], outcome)]
		t.Say("critical", env.Over, 1, story.Args{"event": story.Name{Kind: "event", ID: outcome, Text: card.Name}})
	case "automa":
		t.Say("automa", env.Over, 1, story.Args{"card": outcome})
	case "npc-tech":
		t.Say("npc-tech", env.Over, 1,
			story.Args{"technology": t.technology(Technology(slices.Index(technologyIDs[:], outcome)))})
	case "npc-policy":
		t.Say("npc-policy", env.Over, 1, story.Args{"policy": t.policy(Policy(slices.Index(policyIDs[:], outcome)))})
	}
	return 1
}

// bidShown tells a bid that is opened, and paid.
func (t *teller) bidShown(e env.Seen) {
	who, text, _ := strings.Cut(e.Text, ": ")
	var p env.Player
	fmt.Sscanf(who, "seat %d", &p)
	a, _ := t.after.game.info.Parse(text)
	switch {
	case act.bidYes.Has(a):
		t.Say("shown-yes", p, 1, story.Args{"amount": act.bidYes.Index(a) + 1})
	case act.bidNo.Has(a):
		t.Say("shown-no", p, 1, story.Args{"amount": act.bidNo.Index(a) + 1})
	default:
		t.Say("shown", p, 1, nil)
	}
}

// consequences tells what followed without a decision, once: Projects upgraded, words kept and broken, sanctions, the
// final round.
func (t *teller) consequences() {
	b, s := t.before, t.after
	if t.followed {
		return
	}
	t.followed = true
	for p := range s.game.Players {
		t.upgrades(p)
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
	switch {
	case !s.Final || b.Final || s.Decision == Over:
	case s.Trigger >= 0:
		t.Say("final-target", env.Player(s.Trigger), 0, nil)
	default:
		t.Say("final-deck", env.Over, 0, nil)
	}
}

// upgrades tells which Projects of a seat were upgraded, but for those that its own decision was about.
func (t *teller) upgrades(p int) {
	old, now := &t.before.Countries[p], &t.after.Countries[p]
	for _, f := range t.Facts {
		if f.Player == env.Player(p) && (f.Key == "on" || f.Key == "attach-yes") {
			return
		}
	}
	for x := range Project(NumProjects) {
		if now.Upgraded[x] > old.Upgraded[x] {
			t.Say("upgraded", env.Player(p), 0, story.Args{"project": t.project(x)})
		}
	}
}

// turn tells whose turn begins with its income, and which round, if it is a new one.
func (t *teller) turn() {
	s := t.after
	if t.newRound() {
		t.Say("round", env.Over, 0, story.Args{"round": int(s.Round), "first": env.Player(s.First)})
	}
	t.Say("turn", env.Player(s.active()), 0, nil)
}

// end tells how the game has ended, and who has won.
func (t *teller) end() {
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
		t.Say("culprits", env.Over, 0, story.Args{"seats": seats})
	}
	if s.game.Players == 1 && s.Ending != Ruined {
		t.Say("npc-score", env.Over, 0, story.Args{"n": s.NPCScore()})
	}
	scores := make([]float64, s.game.Players)
	s.Scores(scores)
	t.Winners(s.Winners(), func(p env.Player) int { return int(scores[p]) })
	if s.Winners() == env.Nobody {
		t.Say("nobody", env.Over, 0, nil)
	}
}
