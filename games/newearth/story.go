package newearth

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
)

// The game as a story: what each decision and each draw means, and what followed from it. Of scenes that seats
// act in secretly only what becomes public is told, and to the one who acts its own decisions.

// story is a step that is being told.
type story struct {
	env.Story
	before, after *State
	viewer        env.Player
	turnTold      bool
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []env.Fact, before env.State, seen []env.Seen, viewer env.Player) []env.Fact {
	t := story{Story: env.Story{Facts: dst}, before: s, after: s, viewer: viewer}
	if before != nil {
		t.before = before.(*State)
		t.Changes = env.Changes(t.before.counters(), s.counters())
	}
	for i := 0; i < len(seen); {
		switch e := seen[i]; e.Kind {
		case env.SeenAction:
			i += t.action(e, seen[i+1:])
		case env.SeenChance:
			i += t.chance(seen[i:])
		default:
			t.revealed(e.Text, 1)
			i++
		}
	}
	if before == nil {
		return t.Facts
	}
	t.beginTurn()
	t.hits()
	t.phases()
	t.end()
	t.TakeRest()
	return t.Facts
}

// counters are the public numbers of a position that matter for the story.
func (s *State) counters() []env.Counter {
	var list []env.Counter
	for p := range env.Player(s.game.players) {
		for k := range numKinds {
			list = append(list, env.Counter{Player: p, What: k.String(), Value: int(s.seats[p].has[k])})
		}
		list = append(list, env.Counter{Player: p, What: "cards", Value: s.handSize(p)})
	}
	return list
}

// cardName is a card, a title or a catastrophe.
func (s *State) cardName(c Card) env.Name {
	name := env.Name{Kind: "card", ID: c.String()}
	if d := s.game.data; c.IsCity() {
		name.Text = d.CityCards[c].Title
	} else {
		name.Text = d.Catastrophes[int(c)-NumTitles].Title
	}
	return name
}

// cardNames are those of cards by their ids.
func (s *State) cardNamesOf(ids ...string) (list []any) {
	for _, id := range ids {
		list = append(list, s.cardName(Card(slices.Index(cardNames[:], id))))
	}
	return list
}

func zoneNames(set Zones) (list []any) {
	for ; set != 0; set = set.Rest() {
		list = append(list, set.First().String())
	}
	return list
}

func seatNamesOf(order string) (list []any) {
	for _, digit := range strings.Fields(order) {
		p, _ := strconv.Atoi(digit)
		list = append(list, env.Player(p))
	}
	return list
}

// stays says whether the step has stayed in its turn and phase, so that what has changed is the decision's doing.
func (t *story) stays() bool {
	return t.before.turn == t.after.turn && t.before.phase == t.after.phase
}

// action tells a decision, with what the table is told of it at once, and says how many things it has told.
func (t *story) action(e env.Seen, next []env.Seen) int {
	s, p := t.before, e.Player
	verb, arg, _ := strings.Cut(e.Text, " ")
	key, args := verb, env.Args{}
	if decisions[s.decision].means.Of(verb) != "" || slices.Contains([]Decision{AtAssignMining, AtAssignEnergy}, s.decision) && verb == "amount" ||
		slices.Contains([]Decision{AtOffer, AtOfferReply}, s.decision) && (verb == "yes" || verb == "no") {
		key += "-" + strings.ReplaceAll(s.decision.String(), "_", "-")
	}
	if len(next) > 0 && next[0].Kind == env.SeenNote && s.tellsItself(verb) {
		t.revealed(next[0].Text, 2)
		return 2
	}
	switch verb {
	case "zone", "machine", "worker", "mfg":
		args["zone"] = arg
		if s.decision == AtDevelop {
			z, _ := zoneOf(arg)
			args["n"] = int(t.after.sl[z])
		}
	case "amount":
		n, _ := strconv.Atoi(arg)
		if p == t.viewer { // the others are told the sum
			n += int(s.running)
		}
		args["n"] = n
	case "plus20":
		args["n"] = int(s.running) + amountStep
	case "play", "discard", "sell", "unit", "strike":
		args["card"] = s.cardName(Card(slices.Index(cardNames[:], arg)))
	case "tile":
		args["tile"] = arg
	case "goods":
		args["n"], _ = strconv.Atoi(arg)
	case "raise":
		args["zones"] = zoneNames(t.after.raised &^ s.raised)
	case "mining", "energy":
		args["zone"] = s.chosenZone.String()
	case "propose":
		args["other"] = env.Player(s.offer.partner)
	case "offer":
		places, _ := strconv.Atoi(strings.TrimPrefix(arg, "+"))
		args["other"] = env.Player((int(p) + places) % s.game.players)
	case "give", "want":
		kind, n, _ := strings.Cut(arg, " ")
		args["n"], args["kind"] = n, env.Name{Kind: "kind", ID: kind}
	}
	var changes []env.Change
	switch {
	case s.decision == AtElect || s.decision == AtElectWide || s.scene() != openScene:
	case s.phase < phaseProduction || s.decision == AtAssignMining || s.decision == AtAssignEnergy: // others receive and produce then, too
		changes = t.TakeIf(func(c env.Change) bool { return c.Player == p && t.before.turn == t.after.turn })
	case s.decision == AtDevelop && verb == "done" && t.before.turn == t.after.turn: // goods that are left over
		changes = t.TakeIf(func(c env.Change) bool { return c.Player == p && c.What == "goods" })
	case t.stays():
		changes = t.Take()
	}
	t.Say(key, p, 1, args, changes...)
	if (s.decision == AtCityZone || s.decision == AtCityCard) && t.stays() && t.after.converted != s.converted {
		z := (t.after.converted &^ s.converted).First()
		t.Say("founded", p, 0, env.Args{"zone": z.String(), "n": t.after.city(z)})
	}
	return 1
}

// tellsItself says whether everybody is told of a decision as it is made, so that no more need be said to the one
// who has made it.
func (s *State) tellsItself(verb string) bool {
	switch s.decision {
	case AtCatChoose, AtNegate, AtJoin:
		return verb != "no"
	case AtCatPurge:
		return verb == "play"
	case AtCommitAmount, AtIndepAmount:
		return verb == "sell"
	case AtProduce, AtDevelop: // Transport Links and a Stock Loss
		return verb == "play"
	}
	return false
}

// chance tells the first of some draws and says how many it has told: cards drawn together and the laying of the
// board are one sentence.
func (t *story) chance(seen []env.Seen) int {
	s := t.after
	event, outcome, _ := strings.Cut(seen[0].Text, " = ")
	kind, of, _ := strings.Cut(event, " ")
	switch event {
	case "setup order":
		t.Say("setup-order", env.Over, 1, env.Args{"seats": seatNamesOf(outcome)})
		return 1
	case "initiative":
		t.beginTurn()
		t.Say("initiative", env.Over, 1, env.Args{"seats": seatNamesOf(outcome)})
		return 1
	case "election die":
		t.Say("die", env.Over, 1, env.Args{"die": outcome})
		return 1
	case "roll-off":
		p, _ := strconv.Atoi(outcome)
		t.Say("roll-off", env.Over, 1, env.Args{"winner": env.Player(p)})
		return 1
	}
	switch kind {
	case "tiles":
		n := 1
		for n < len(seen) && strings.HasPrefix(seen[n].Text, "rotate ") {
			n++
		}
		var tiles []any
		for _, place := range s.sectors {
			tiles = append(tiles, tileNames[place.tile])
		}
		t.Say("board", env.Over, n, env.Args{"tiles": tiles})
		return n
	case "deal":
		p, _ := strconv.Atoi(of)
		if t.before.turn > 0 && t.before.turn < s.turn && t.before.phase != phaseLeader {
			t.beginTurn()
		}
		var ids []string
		for _, e := range seen {
			id, same := strings.CutPrefix(e.Text, event+" = ")
			if !same {
				break
			}
			ids = append(ids, id)
		}
		t.Say("deal", env.Player(p), len(ids), env.Args{"cards": s.cardNamesOf(ids...)},
			t.TakeIf(func(c env.Change) bool { return c.Player == env.Player(p) && c.What == "cards" })...)
		return len(ids)
	case "cat": // cat die X
		tile := strings.TrimPrefix(of, "die ")
		t.Say("cat-die", env.Over, 1, env.Args{"tile": tile, "die": outcome, "zone": tile + outcome})
	default: // gigante
		t.Say("gigante", env.Over, 1, env.Args{"card": s.cardNamesOf(outcome)[0]})
	}
	return 1
}

// revealed tells what everybody is told, with its changes of cash and cards.
func (t *story) revealed(text string, tells int) {
	s := t.after
	text = strings.ReplaceAll(text, ", ", ",") // a list of cards is a word then
	var p env.Player
	var a, b string
	var n int
	scan := func(format string, into ...any) bool {
		k, err := fmt.Sscanf(text, format, into...)
		return err == nil && k == len(into)
	}
	say := func(key string, args env.Args) {
		taken := t.TakeIf(func(c env.Change) bool { return c.Player == p && (c.What == "cash" || c.What == "cards") })
		t.Say(key, p, tells, args, taken...)
	}
	cards := func(key string) {
		if a == "no" {
			say(key+"-none", nil)
		} else {
			say(key, env.Args{"cards": s.cardNamesOf(strings.Split(a, ",")...)})
		}
	}
	switch {
	case scan("player %d announces a hand total of %d", &p, &n):
		t.beginTurn()
		t.Say("announces", p, tells, env.Args{"n": n})
	case scan("player %d plays %s and is rid of %s", &p, &a, &b):
		say("purged", env.Args{"card": s.cardNamesOf(a)[0], "catastrophe": s.cardNamesOf(b)[0]})
	case scan("player %d plays %s against %s", &p, &a, &b):
		say("negates", env.Args{"card": s.cardNamesOf(a)[0], "catastrophe": s.cardNamesOf(b)[0]})
	case scan("player %d plays %s", &p, &a):
		cards("plays")
	case scan("player %d shows %s", &p, &a):
		cards("shows")
	case scan("player %d commits %dm for the return of %s", &p, &n, &a):
		say("returns", env.Args{"amount": n, "zone": a})
	case scan("player %d commits %dm for %s", &p, &n, &a):
		say("commits", env.Args{"amount": n, "zone": a})
	case scan("player %d defends %s with %dm", &p, &a, &n):
		say("defends", env.Args{"amount": n, "zone": a})
	case scan("player %d keeps %s", &p, &a):
		say("keeps", env.Args{"zone": a})
	case scan("player %d joins the election in %s", &p, &a):
		say("joins", env.Args{"zone": a})
	case scan("player %d sells %s", &p, &a):
		say("sell", env.Args{"card": s.cardNamesOf(a)[0]})
	case scan("player %d wins %s", &p, &a):
		say("wins-zone", env.Args{"zone": a})
	case scan("the election in %s changes nothing", &a):
		t.Say("unchanged", env.Over, tells, env.Args{"zone": a})
	case scan("%s turns neutral", &a):
		t.Say("neutral", env.Over, tells, env.Args{"zone": a})
	}
}

// beginTurn tells the order of a turn that has begun, once.
func (t *story) beginTurn() {
	if s := t.after; s.turn != t.before.turn && !t.turnTold {
		t.turnTold = true
		if t.before.turn == 0 {
			t.stock()
		}
		var seats []any
		for _, p := range s.order.slice() {
			seats = append(seats, env.Player(p))
		}
		t.Say("turn", env.Over, 0, env.Args{"turn": int(s.turn), "seats": seats})
	}
}

// stock tells what everybody begins with.
func (t *story) stock() {
	start := &t.after.game.data.Start
	var changes []env.Change
	for p := range env.Player(t.after.game.players) {
		for k, n := range [numKinds]int{start.Stock.Mining, start.Stock.Energy, start.Stock.Manufacturing, start.Goods, start.Cash} {
			if n > 0 {
				changes = append(changes, t.Claim(p, Kind(k).String(), n))
			}
		}
	}
	t.Say("stock", env.Over, 0, nil, append(changes, t.Take("cards")...)...)
}

// hits tells which zones a catastrophe has struck, or has been kept off.
func (t *story) hits() {
	b, s := t.before, t.after
	if b.turn != s.turn {
		b = &State{} // nothing had been struck in the turn
	}
	for _, zones := range []struct {
		key string
		set Zones
	}{{"hit", s.affected &^ b.affected}, {"saved", b.affected &^ s.affected}} {
		if zones.set != 0 {
			t.Say(zones.key, env.Over, 0, env.Args{"zones": zoneNames(zones.set), "n": zones.set.Count()})
		}
	}
}

// phases tells what the phases brought that the step has gone through: output, income, upkeep.
func (t *story) phases() {
	b, s := t.before, t.after
	from, to := b.phase, s.phase
	if b.turn != s.turn {
		from = phaseSetUp
	}
	if from < phaseProduction && s.turn > 1 {
		t.effect("receive", "cards")
	}
	if from < phaseProduction && to >= phaseProduction || b.decision == AtAssignMining || b.decision == AtAssignEnergy {
		t.effect("output", "mining", "energy", "manufacturing")
	}
	if from <= phaseProduction && to > phaseProduction && to < phaseOver {
		t.effect("income", "cash")
	}
	if to < phaseConsumption || from > phaseConsumption {
		return
	}
	t.effect("upkeep", "goods")
	if s.decision == AtShortage && b.decision != AtShortage {
		t.Say("shortage", env.Player(s.active), 0, nil)
	}
	var fallen Zones
	for z := range Zone(NumZones) {
		if s.sl[z] < b.sl[z] && b.decision != AtShortage && b.owner(z) == s.owner(z) {
			fallen |= only(z)
		}
	}
	if fallen != 0 {
		t.Say("falls", env.Over, 0, env.Args{"zones": zoneNames(fallen), "n": fallen.Count()})
	}
}

// effect tells a phase that has changed something.
func (t *story) effect(key string, kinds ...string) {
	if changes := t.Take(kinds...); changes != nil {
		t.Say(key, env.Over, 0, nil, changes...)
	}
}

// end tells which storm has come, and who has won.
func (t *story) end() {
	s := t.after
	if s.decision != Over {
		return
	}
	t.Say(s.Reason(), env.Over, 0, nil)
	t.Winners(s.winners, func(p env.Player) int { return int(s.totals[p]) })
}
