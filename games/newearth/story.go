package newearth

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/story"
)

// The game as a story: what each decision and each draw means, and what followed from it. Of scenes that seats
// act in secretly only what becomes public is told, and to the one who acts its own decisions.

// teller is a step that is being told.
type teller struct {
	story.Story
	before, after *State
	viewer        env.Player
	struck        bool // what the catastrophes of the turn have hit has been told
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []story.Fact, before env.State, beats []story.Beat, viewer env.Player) []story.Fact {
	t := teller{Story: story.Story{Facts: dst}, before: s, after: s, viewer: viewer}
	if before != nil {
		t.before = before.(*State)
	}
	t.Tell(beats, t.beat)
	if before != nil {
		t.hits()
		t.end()
	}
	return t.Facts
}

// AppendCounters are the public numbers that matter for the story.
func (s *State) AppendCounters(dst []env.Counter) []env.Counter {
	for p := range env.Player(s.game.players) {
		for k := range numKinds {
			dst = append(dst, env.Counter{Player: p, What: k.String(), Value: int(s.seats[p].has[k])})
		}
		dst = append(dst, env.Counter{Player: p, What: "cards", Value: s.HandSize(p)})
	}
	return dst
}

// beat tells the first of some beats and says how many it has told.
func (t *teller) beat(beats []story.Beat) int {
	switch e := beats[0]; e.Rule {
	case "":
	case "turn":
		var seats []any
		for _, p := range t.after.order.slice() {
			seats = append(seats, env.Player(p))
		}
		t.Say("turn", env.Over, 0, story.Args{"turn": int(t.after.turn), "seats": seats})
		return 1
	case "draws":
		return t.draws(beats)
	case "output":
		t.hits()
		t.effect(e.Rule, env.Over)
		return 1
	case "upkeep":
		t.effect(e.Rule, e.Player)
		t.shortage(e.Player)
		return 1
	default:
		t.effect(e.Rule, e.Player)
		return 1
	}
	switch e := beats[0]; e.Kind {
	case env.SeenAction:
		return t.action(e.Seen, beats[1:])
	case env.SeenChance:
		return t.chance(beats)
	default:
		t.revealed(e.Text, 1)
	}
	return 1
}

// effect tells a rule that has changed something.
func (t *teller) effect(key string, p env.Player) {
	if t.Changes != nil {
		t.Say(key, p, 0, nil, t.Take()...)
	}
}

// draws tells cards that are drawn, to those who don't see them: those drawn together are one sentence.
func (t *teller) draws(beats []story.Beat) int {
	n, key, p := 0, "draws", beats[0].Player
	for n < len(beats) && beats[n].Rule == "draws" {
		if n+1 < len(beats) && strings.HasPrefix(beats[n+1].Text, "deal ") { // the card is seen
			break
		}
		if beats[n].Player != p {
			key, p = "receive", env.Over
		}
		n++
	}
	if n == 0 {
		return 1
	}
	if slices.ContainsFunc(beats[:n], func(e story.Beat) bool { return e.Changes != nil }) {
		t.Say(key, p, 0, nil)
	}
	return n
}

// cardName is a card, a title or a catastrophe.
func (s *State) cardName(c Card) story.Name {
	return story.Name{Kind: "card", ID: c.String(), Text: s.game.titleOf(c)}
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

// action tells a decision, with what the table is told of it at once, and says how many things it has told.
func (t *teller) action(e env.Seen, next []story.Beat) int {
	s, p := t.before, e.Player
	verb, arg, _ := strings.Cut(e.Text, " ")
	key, args := verb, story.Args{}
	if s.meant(verb) || slices.Contains([]Decision{AtAssignMining, AtAssignEnergy}, s.decision) && verb == "amount" ||
		slices.Contains([]Decision{AtOffer, AtOfferReply}, s.decision) && (verb == "yes" || verb == "no") {
		key += "-" + strings.ReplaceAll(s.decision.String(), "_", "-")
	}
	if len(next) > 0 && next[0].Rule == "" && next[0].Kind == env.SeenNote && s.tellsItself(verb) {
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
		args["zones"] = zoneNames(s.raisable(p))
	case "mining", "energy":
		args["zone"] = s.chosenZone.String()
	case "propose":
		args["other"] = env.Player(s.offer.partner)
	case "offer":
		places, _ := strconv.Atoi(strings.TrimPrefix(arg, "+"))
		args["other"] = env.Player((int(p) + places) % s.game.players)
	case "give", "want":
		kind, n, _ := strings.Cut(arg, " ")
		args["n"], args["kind"] = n, story.Name{Kind: "kind", ID: kind}
	}
	t.Say(key, p, 1, args, t.Take()...)
	converts := s.decision == AtCityZone || s.decision == AtCityCard
	if founded := t.after.converted &^ s.converted; converts && t.after.turn == s.turn && founded != 0 {
		z := founded.First()
		t.Say("founded", p, 0, story.Args{"zone": z.String(), "n": t.after.city(z)})
	}
	return 1
}

// meant says whether the actions of a family do something here that they don't elsewhere.
func (s *State) meant(family string) bool {
	return slices.ContainsFunc(s.row().Moves, func(m move) bool {
		return m.Does != "" && s.game.info.Actions[m.First].Family == family
	})
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
func (t *teller) chance(seen []story.Beat) int {
	s := t.after
	event, outcome, _ := strings.Cut(seen[0].Text, " = ")
	kind, of, _ := strings.Cut(event, " ")
	switch event {
	case "setup order":
		t.Say("setup-order", env.Over, 1, story.Args{"seats": seatNamesOf(outcome)})
		return 1
	case "initiative":
		t.Say("initiative", env.Over, 1, story.Args{"seats": seatNamesOf(outcome)})
		return 1
	case "election die":
		t.Say("die", env.Over, 1, story.Args{"die": outcome})
		return 1
	case "roll-off":
		p, _ := strconv.Atoi(outcome)
		t.Say("roll-off", env.Over, 1, story.Args{"winner": env.Player(p)})
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
		t.Say("board", env.Over, n, story.Args{"tiles": tiles})
		return n
	case "deal":
		p, _ := strconv.Atoi(of)
		var ids []string
		n := 0
		for n < len(seen) {
			id, same := strings.CutPrefix(seen[n].Text, event+" = ")
			if same {
				ids = append(ids, id)
			} else if seen[n].Rule != "draws" || n+1 == len(seen) || !strings.HasPrefix(seen[n+1].Text, event+" = ") {
				break
			}
			n++
		}
		t.Say("deal", env.Player(p), len(ids), story.Args{"cards": s.cardNamesOf(ids...)})
		return n
	case "cat": // cat die X
		tile := strings.TrimPrefix(of, "die ")
		t.Say("cat-die", env.Over, 1, story.Args{"tile": tile, "die": outcome, "zone": tile + outcome})
	default: // gigante
		t.Say("gigante", env.Over, 1, story.Args{"card": s.cardNamesOf(outcome)[0]})
	}
	return 1
}

// revealed tells what everybody is told.
func (t *teller) revealed(text string, tells int) {
	s := t.after
	text = strings.ReplaceAll(text, ", ", ",") // a list of cards is a word then
	var p env.Player
	var a, b string
	var n int
	scan := func(format string, into ...any) bool {
		k, err := fmt.Sscanf(text, format, into...)
		return err == nil && k == len(into)
	}
	say := func(key string, args story.Args) { t.Say(key, p, tells, args) }
	cards := func(key string) {
		if a == "no" {
			say(key+"-none", nil)
		} else {
			say(key, story.Args{"cards": s.cardNamesOf(strings.Split(a, ",")...)})
		}
	}
	switch {
	case scan("player %d announces a hand total of %d", &p, &n):
		say("announces", story.Args{"n": n})
	case scan("player %d plays %s and is rid of %s", &p, &a, &b):
		say("purged", story.Args{"card": s.cardNamesOf(a)[0], "catastrophe": s.cardNamesOf(b)[0]})
	case scan("player %d plays %s against %s", &p, &a, &b):
		played := s.cardNamesOf(a)
		if b == Independence.String() { // NE-050
			played = append(played, s.cardName(UrbanPlanning))
		}
		say("negates", story.Args{"card": played, "catastrophe": s.cardNamesOf(b)[0]})
	case scan("player %d plays %s", &p, &a):
		cards("plays")
	case scan("player %d shows %s", &p, &a):
		cards("shows")
	case scan("player %d commits %dm for the return of %s", &p, &n, &a):
		say("returns", story.Args{"amount": n, "zone": a})
	case scan("player %d commits %dm for %s", &p, &n, &a):
		say("commits", story.Args{"amount": n, "zone": a})
	case scan("player %d defends %s with %dm", &p, &a, &n):
		say("defends", story.Args{"amount": n, "zone": a})
	case scan("player %d keeps %s", &p, &a):
		say("keeps", story.Args{"zone": a})
	case scan("player %d joins the election in %s", &p, &a):
		say("joins", story.Args{"zone": a})
	case scan("player %d sells %s", &p, &a):
		say("sell", story.Args{"card": s.cardNamesOf(a)[0]})
	case scan("player %d wins %s", &p, &a):
		say("wins-zone", story.Args{"zone": a})
	case scan("the election in %s changes nothing", &a):
		t.Say("unchanged", env.Over, tells, story.Args{"zone": a})
	case scan("%s turns neutral", &a):
		t.Say("neutral", env.Over, tells, story.Args{"zone": a})
	}
}

// hits tells which zones a catastrophe has struck, or has been kept off, once.
func (t *teller) hits() {
	b, s := t.before, t.after
	if t.struck {
		return
	}
	t.struck = true
	if b.turn != s.turn {
		b = &State{} // nothing had been struck in the turn
	}
	for _, zones := range []struct {
		key string
		set Zones
	}{{"hit", s.affected &^ b.affected}, {"saved", b.affected &^ s.affected}} {
		if zones.set != 0 {
			t.Say(zones.key, env.Over, 0, story.Args{"zones": zoneNames(zones.set), "n": zones.set.Count()})
		}
	}
}

// shortage tells what a seat's upkeep has brought where its goods were too few.
func (t *teller) shortage(p env.Player) {
	b, s := t.before, t.after
	if s.decision == AtShortage && env.Player(s.active) == p {
		t.Say("shortage", p, 0, nil)
		return
	}
	var fallen Zones
	for own := b.owned[p] & s.owned[p]; own != 0; own = own.Rest() {
		if z := own.First(); s.sl[z] < b.sl[z] {
			fallen |= only(z)
		}
	}
	if fallen != 0 {
		t.Say("falls", env.Over, 0, story.Args{"zones": zoneNames(fallen), "n": fallen.Count()})
	}
}

// end tells which storm has come, and who has won.
func (t *teller) end() {
	s := t.after
	if s.decision != Over {
		return
	}
	t.Say(s.Reason(), env.Over, 0, nil)
	t.Winners(s.winners, func(p env.Player) int { return int(s.totals[p]) })
}
