package earthman

import (
	"fmt"
	"strings"

	"earthgym/env"
)

// The table as people read it (RULES.md 14). Everything is open, so that all viewers see the same; only
// seats that actions name are counted from the one that decides.

// page appends lines of text.
type page struct{ dst []byte }

func (t *page) line(format string, args ...any) {
	t.dst = append(fmt.Appendf(t.dst, format, args...), '\n')
}

// AppendText shows the table to p, and, if p decides, what it may do and what comes of it.
func (s *State) AppendText(dst []byte, p env.Player) []byte {
	t := &page{dst}
	t.line("%s", s.headline())
	s.textFleets(t)
	s.textWorlds(t)
	for q := range env.Player(s.game.players) {
		s.textSeat(t, q)
	}
	t.line("next Score: %s", s.scoreText())
	if s.game.skynet {
		t.line("Skynet: %d of %d Rogue symbols, %d cards undrawn", s.rogue, s.game.data.Track.Skynet, Places(s.undrawn).Count())
	}
	switch {
	case s.phase == IsOver:
		t.line("%s", s.endText())
	case s.Actor() == p:
		t.line("%s", s.question())
		s.textPending(t)
		for _, a := range env.Mask(s.mask[:]).Append(nil) {
			text := s.game.info.Actions[a].Text
			if hint := s.hint(a); hint != "" {
				t.line("  %-20s %s", text, hint)
			} else {
				t.line("  %s", text)
			}
		}
	default:
		t.line("Seat %d decides: %s", s.seat, s.question())
		s.textPending(t)
	}
	return t.dst
}

// headline is `round 7 seat 2 fleet | vp 3 9 0 4 | power 8 12 5 9`.
func (s *State) headline() string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d seat %d %s | vp", s.round, s.actor, phaseNames[s.phase])
	for q := range s.game.players {
		fmt.Fprintf(&b, " %d", s.seats[q].vp)
	}
	b.WriteString(" | power")
	for q := range s.game.players {
		fmt.Fprintf(&b, " %d", s.seats[q].power)
	}
	fmt.Fprintf(&b, " | first %d", s.first)
	if s.trigger {
		fmt.Fprintf(&b, " | the end is triggered: seat %d plays last", s.before(env.Player(s.first)))
	}
	return b.String()
}

// String is fleets as text: 5, 5+1 with one At Risk.
func (f Fleets) String() string {
	if f.Risk == 0 {
		return fmt.Sprint(f.Steady)
	}
	return fmt.Sprintf("%d+%d", f.Steady, f.Risk)
}

// textFleets lists the places with fleets.
func (s *State) textFleets(t *page) {
	for at := range s.game.places.Each {
		var chips []string
		for q := range s.game.players {
			f := s.seats[q].fleet[at]
			if f == (Fleets{}) {
				continue
			}
			chip := fmt.Sprintf("%d:%v", q, f)
			if worlds.Has(at) && int8(q) == s.actor && s.arrived[at] != (Fleets{}) {
				chip += fmt.Sprintf(" (%v just arrived)", s.arrived[at])
			}
			chips = append(chips, chip)
		}
		if chips != nil {
			t.line("fleets %s %s", at.ID(), strings.Join(chips, " "))
		}
	}
}

// textWorlds lists the regions: owner, developments as a letter from a, * At Risk, # Devastation.
func (s *State) textWorlds(t *page) {
	for w := range s.game.Worlds().Each {
		var b strings.Builder
		for r := range s.game.regions[w].Count() {
			fmt.Fprintf(&b, " %d:", r+1)
			switch owner := s.Owner(w, r); {
			case s.Devastation(w, r) > 0:
				fmt.Fprintf(&b, "#%d", s.Devastation(w, r))
			case owner == None:
				b.WriteByte('-')
			default:
				fmt.Fprintf(&b, "%s%c", ownerText(owner), 'a'+s.devs[w][r]-1)
			}
			if s.shaken[w]>>r&1 != 0 {
				b.WriteByte('*')
			}
		}
		for q := range s.game.players {
			if s.seats[q].counters.Has(w) {
				fmt.Fprintf(&b, " influence:%d", q)
			}
		}
		t.line("%s%s", w.ID(), b.String())
	}
}

func ownerText(owner env.Player) string {
	if owner == UN {
		return "u"
	}
	return digits[owner]
}

// textSeat shows the pools, the technologies and what is left of a seat.
func (s *State) textSeat(t *page, q env.Player) {
	my := &s.seats[q]
	var b strings.Builder
	fmt.Fprintf(&b, "seat %d: E %d, X %d, Thoughts %d, fleets %d of %d, developments %d", q, my.e, my.x, my.thoughts, my.fleets, s.game.fleetCap, my.developments)
	if my.aside > 0 {
		fmt.Fprintf(&b, ", aside %d", my.aside)
	}
	if my.sanction {
		fmt.Fprintf(&b, ", UN Sanctions (%d of %d)", my.token, s.game.data.Track.Sanctions)
	}
	for t, id := range techIDs {
		switch level, counter := my.level[t], my.counter[t]; {
		case level > 0 && counter > 0:
			fmt.Fprintf(&b, ", %s %d (%d/%d)", id, level, counter, s.game.techs[t].steps)
		case level > 0:
			fmt.Fprintf(&b, ", %s %d", id, level)
		case counter > 0:
			fmt.Fprintf(&b, ", %s - (%d/%d)", id, counter, s.game.techs[t].steps)
		}
	}
	fmt.Fprintf(&b, "; claims %d, peace %d left", my.claims, my.peace)
	t.line("%s", b.String())
}

// scoreText is the Score helper: what each seat would get now, and the largest lead.
func (s *State) scoreText() string {
	var parts []string
	for q := range env.Player(s.game.players) {
		part := fmt.Sprintf("seat %d +%d", q, s.PowerVP(q))
		if level := s.Level(q, AI); level > 0 {
			part += fmt.Sprintf(" and %d AI dice", level)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ") + "; " + s.leadText()
}

// leadText is how near the end is (EB-033).
func (s *State) leadText() string {
	lead, most := 0, 0
	for q := range env.Player(s.game.players) {
		lead, most = max(lead, s.Lead(q)), max(most, s.VP(q))
	}
	return fmt.Sprintf("the lead is %d and the most VP %d; more than %d or %d trigger the end", lead, most, s.game.lead, s.game.points)
}

// endText says how the game ended.
func (s *State) endText() string {
	how := [numEndings]string{
		endPoints: "by points", endAlone: "nobody else has units left", endClaim: "all agreed to a claim", endPeace: "peace in our time",
		endSkynet: "the machines have taken over, and all have lost", endLimit: "the limit of decisions is reached",
	}[s.end]
	switch winners := s.winners.List(); len(winners) {
	case 0:
		return "The game is over: " + how + "."
	case 1:
		return fmt.Sprintf("The game is over: %s. Seat %d wins.", how, winners[0])
	default:
		return fmt.Sprintf("The game is over: %s. Seats %v share the win.", how, s.winners)
	}
}

// where names the place in hand.
func (s *State) where() string {
	if s.pending.at < 0 {
		return ""
	}
	return s.game.names[s.pending.at]
}

// question is the decision in one sentence.
func (s *State) question() string {
	pd := &s.pending
	f := Fleets{}
	if pd.at >= 0 && s.seat >= 0 {
		f = s.seats[s.seat].fleet[pd.at]
	}
	switch s.point {
	case AtFleetJobs:
		return fmt.Sprintf("%s: %d steady, %d At Risk. Fleets without a job: %d.", s.where(), f.Steady, f.Risk, s.idleFleets())
	case AtDevJobs:
		idle := s.idleDevs()
		return fmt.Sprintf("%s: %d developments in steady regions and %d in regions At Risk have no job.", s.where(), idle.Steady, idle.Risk)
	case AtJobCount:
		return fmt.Sprintf("%s: how many for %q?", s.where(), s.game.info.Actions[pd.action].Text)
	case AtLoseFleets:
		return fmt.Sprintf("%s: %d of your fleets [%v] are lost. How many of them are At Risk ones?", s.where(), pd.count, f)
	case AtForfeit:
		return fmt.Sprintf("%d resource are due for the developments that you lost. How do you pay the next?", s.pay.due)
	case AtAddFleet:
		return fmt.Sprintf("%s: %d fleets may be added. How do you pay the next?", s.where(), pd.add)
	case AtExpandUse, AtPacifyUse, AtTech:
		return fmt.Sprintf("A success: %s. To come: %d more.", asked[s.point].about, pd.left)
	case AtDefensiveFire:
		return fmt.Sprintf("%s: seat %d has arrived with %v fleets. Do you fire %d dice at %s?", s.where(), s.actor, s.seats[s.actor].fleet[pd.at],
			s.DefensiveDice(env.Player(s.seat), pd.at), needText(s.hitNeed(env.Player(s.seat), env.Player(s.actor))))
	case AtThought:
		return s.rollText() + " Do you spend a Thought?"
	case AtShareReply:
		return fmt.Sprintf("Seat %d helps you with %s. Do you accept?", s.actor, s.game.techs[pd.action-tech0].name)
	case AtTransferReply:
		if pd.step == giveFleet {
			return fmt.Sprintf("Seat %d offers you %d fleets at %s%s. How many do you accept?", s.actor, pd.count, s.where(), s.statusText())
		}
		return fmt.Sprintf("Seat %d offers you region %d of %s with %d developments. Do you accept?", s.actor, pd.region, s.where(), s.devs[pd.at][pd.region-1])
	}
	about := asked[s.point].about
	text := strings.ToUpper(about[:1]) + about[1:] + "."
	if pd.at >= 0 {
		return s.where() + ": " + text
	}
	return text
}

func (s *State) statusText() string {
	if s.pending.atRisk {
		return ", At Risk"
	}
	return ""
}

// rollText shows the dice of a Thought window.
func (s *State) rollText() string {
	l := &s.lot
	var dice []string
	hits := 0
	for _, d := range l.dice[:l.n] {
		mark := ""
		if atLeast(d, l.need) == 1 {
			mark = "!"
			hits++
		}
		dice = append(dice, fmt.Sprintf("%d%s", d, mark))
	}
	return fmt.Sprintf("Roll %q, %d+ needed: %s; %d reach it. Thoughts may still come from seats %v.",
		eventNames[l.event], l.need, strings.Join(dice, " "), hits, s.thinkers())
}

// textPending shows what has been nominated on the world in hand.
func (s *State) textPending(t *page) {
	if jobs := s.nominatedText(); jobs != "" {
		t.line("nominated: %s", jobs)
	}
}

// nominatedText lists the jobs of the world in hand that are still to be done.
func (s *State) nominatedText() string {
	var parts []string
	add := func(a env.Action) {
		if n := s.Nominated(a); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", s.game.info.Actions[a].Text, n))
		}
	}
	for a := fire0; a <= Replicate; a++ {
		add(a)
	}
	for _, d := range s.pending.defend {
		if d.region > 0 {
			parts = append(parts, fmt.Sprintf("region %d fires at seat %d", d.region, d.target))
		}
	}
	for a := ResearchAct; a < rerollLow; a++ {
		add(a)
	}
	return strings.Join(parts, ", ")
}

// needText is a number needed with its chance: "5+ (1 in 3)".
func needText(need int) string {
	odds := [...]string{"", "certain", "5 in 6", "2 in 3", "1 in 2", "1 in 3", "1 in 6", "1 in 12", "1 in 36"}
	switch {
	case need <= automatic:
		return "no roll (certain)"
	case need >= impossible:
		return fmt.Sprintf("%d+ (impossible)", need)
	}
	return fmt.Sprintf("%d+ (%s)", need, odds[need])
}

// hint says what an action needs and what comes of it.
func (s *State) hint(a env.Action) string {
	p, pd := env.Player(s.seat), &s.pending
	roll := &s.game.data.Roll
	switch {
	case s.point == AtFleetJobs && a >= fire0 && a < expand0:
		i := int(a-fire0) % numTargets
		target, penalty := s.targetOwner(i), int(a-fire0)/numTargets%2
		name := "the UN"
		if target < UN {
			name = fmt.Sprintf("seat %d", target)
		}
		if a < overthrow0 {
			return fmt.Sprintf("%s: %s per die", name, needText(s.hitNeed(p, target)+penalty))
		}
		return fmt.Sprintf("%s: %s per die, two make a blow", name, needText(s.OverthrowNeed(p, target, pd.at)+penalty))
	case s.point == AtFleetJobs && a >= expand0 && a < Pacify:
		return needText(s.ExpandNeed(p, 3-int(a-expand0))) + " per group"
	case a == Pacify:
		return needText(roll.Pacify-int(s.seats[p].level[Stability])) + " per die, two make one use"
	case a == Replicate:
		return needText(roll.Replicate) + " per die adds a fleet, a 1 shakes one"
	case s.point == AtInfluenceCount && a != All:
		return needText(int(s.game.influence[a-count0]))
	case s.point == AtInfluenceCount:
		return needText(int(s.game.influence[s.seats[p].fleet[pd.at].Count()]))
	case a == ResearchAct:
		return needText(s.researchNeed(p)) + " per die"
	case a == ResearchRisk:
		return needText(s.researchNeed(p)+1) + " per die"
	case a == Study && s.point == AtAssist:
		return fmt.Sprintf("%d dice at %s", assistanceDice, needText(s.researchNeed(p)))
	case a == build0:
		return "two fleets a group, Risk roll " + needText(roll.Twice)
	case a == build0+3:
		return "one fleet a group, Risk roll " + needText(roll.Once)
	case a > build0 && a < rerollLow:
		return "one fleet a group, no roll"
	case s.point == AtDevJobs && a >= region0 && a < seat0:
		return fmt.Sprintf("fires %d dice", 3+int(s.seats[p].level[Defences]))
	case s.point == AtSpyTarget:
		return needText(s.SpyNeed(p, s.seatOf(a)))
	case s.point == AtTech && a >= tech0:
		t := Tech(a - tech0)
		return fmt.Sprintf("%d of %d towards level %d", s.seats[p].counter[t]+1, s.game.techs[t].steps, s.seats[p].level[t]+1)
	}
	return ""
}
