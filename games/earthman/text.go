package earthman

import (
	"fmt"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// The table as people read it (RULES.md 14). Everything is open, so that all viewers see the same; only
// seats that actions name are counted from the one that decides.

// AppendText shows the table to p, and, if p decides, what it may do and what comes of it.
func (s *State) AppendText(dst []byte, p env.Player) []byte {
	t := board.NewPage(dst)
	s.textHead(t)
	s.textSeats(t)
	s.textTechnologies(t)
	s.textPlaces(t)
	t.Line("")
	if s.phase == IsOver {
		t.Line("%s", s.endText())
		return t.Bytes()
	}
	who := fmt.Sprintf("Seat %d decides.", s.seat)
	if s.Actor() == p {
		who = fmt.Sprintf("You decide (seat %d).", s.seat)
	}
	t.Line("%s", who)
	if s.Actor() == p {
		t.Line("%s", s.asked())
	} else {
		t.Line("%s", s.question())
	}
	if jobs := s.nominatedText(); jobs != "" {
		t.Line("Nominated: %s", jobs)
	}
	if s.Actor() == p {
		t.Line("Legal actions:")
		for _, c := range board.Choices(s.game.info, s.legal(), Done, s.about, s.note) {
			t.List("  "+c.About+": ", ", ", c.Actions)
		}
	}
	return t.Bytes()
}

// textHead is the turn and how near the end is.
func (s *State) textHead(t *board.Page) {
	turn := "the game is over"
	if s.phase != IsOver {
		turn = fmt.Sprintf("seat %d's turn: %s", s.actor, phaseTitles[s.phase])
	}
	t.Line("%s: round %d of %d, %s", title, s.round, s.game.rounds, turn)
	t.Line("First player: seat %d. %s.", s.first, s.leadText())
	t.Line("Score: with %d Power or more 1 VP for more than half of the others, and 1 for more than all.",
		s.game.data.Track.Power)
	if s.trigger && s.phase != IsOver {
		t.Line("The end is triggered: seat %d plays last.", s.before(env.Player(s.first)))
	}
	if s.game.skynet {
		t.Line("Skynet: %d of %d Rogue symbols, %s undrawn.", s.rogue, s.game.data.Track.Skynet,
			spelling.Counted(Places(s.undrawn).Count(), "card"))
	}
}

// textSeats is the tracks and the player boards.
func (s *State) textSeats(t *board.Page) {
	t.Line("")
	t.Line("  seat  VP Power Economy Discontent Thoughts Fleets Devs Aside Sanctions Claims Peace Score")
	for q := range env.Player(s.game.players) {
		my := &s.seats[q]
		mark, token := " ", "-"
		switch {
		case s.winners.Has(q):
			mark = "*"
		case int8(q) == s.actor && s.phase != IsOver:
			mark = ">"
		}
		if my.sanction {
			token = fmt.Sprintf("%d of %d", my.token, s.game.data.Track.Sanctions)
		}
		t.Line("%s %4s %3d %5d %7d %10d %8d %6d %4d %5d %9s %6d %5d %s", mark, board.Mark(q),
			my.vp, my.power, my.resource, my.discontent, my.thoughts, my.fleets, my.developments, my.aside, token, my.claims,
			my.peace, s.scoreText(q))
	}
	t.Line("(> has the turn, * has won. Claims and Peace: left. Score: what the next one brings, with the dice")
	t.Line(" for Artificial Intelligence. At most %d fleets.)", s.game.fleetCap)
}

// textTechnologies is the technology board.
func (s *State) textTechnologies(t *board.Page) {
	t.Line("")
	head := fmt.Sprintf("%-24s", "technology")
	for q := range env.Player(s.game.players) {
		head += fmt.Sprintf("%-12s", board.Mark(q))
	}
	t.Line("%s", strings.TrimRight(head, " "))
	var means []string
	for tech := range Tech(NumTechs) {
		about := &s.game.techs[tech]
		if about.levels == 0 {
			continue
		}
		line, touched := fmt.Sprintf("%-24s", tech.ID()), false
		for _, my := range s.seats[:s.game.players] {
			level, counter := my.level[tech], my.counter[tech]
			text := "-"
			if level > 0 {
				text = fmt.Sprint("level ", level)
			}
			if counter > 0 {
				text = fmt.Sprintf("%s %d/%d", strings.TrimPrefix(text, "level "), counter, about.steps)
			}
			line += fmt.Sprintf("%-12s", text)
			touched = touched || level > 0 || counter > 0
		}
		if touched {
			t.Line("%s", strings.TrimRight(line, " "))
		}
		means = append(means, fmt.Sprintf("%s (%d): %s", tech.ID(), about.steps, s.techText(tech)))
	}
	t.Line("(\"2 3/5\": level 2, and 3 of 5 steps towards the next; \"-\": no level; the rest nobody has begun.)")
	t.List("Each level (steps) gives: ", "; ", means)
}

// techText is what a level of a technology does.
func (s *State) techText(t Tech) string {
	d := s.game.data
	switch t {
	case AI:
		return fmt.Sprintf("a Score die, %d+ for 1 VP, and a Thought a turn", d.Track.Score)
	case Attack:
		return "+1 on own dice that fire"
	case Durability:
		return "-1 on dice that fire at you"
	case Defences:
		return "a die more in each region's fire"
	case Influence:
		return "+1 on own Overthrow dice"
	case Unity:
		return "-1 on Overthrow dice against you"
	case Stability:
		return "+1 on Pacification dice"
	case Spaceflight:
		return "one more round of movement a turn"
	case Launch:
		return "a launch before the movement"
	case Research:
		return "+1 on Research dice"
	case Colonisation:
		return "groups that expand count a fleet more"
	case Nanotech:
		return fmt.Sprintf("your regions hold a development more than %d, on Earth %d", d.Capacity.Other, d.Capacity.Home)
	}
	return fmt.Sprintf("a fleet in each orbit may replicate, on %d+", d.Roll.Replicate)
}

// textPlaces is the main board: worlds with their regions, Political Influence and fleets in orbit, then
// the trajectories.
func (s *State) textPlaces(t *board.Page) {
	g := s.game
	var regions [NumWorlds]string
	width := 0
	for w := range g.Worlds().Each {
		for r := range g.regions[w].Count() {
			regions[w] += fmt.Sprintf(" %d:%s", r+1, s.regionText(w, r))
		}
		width = max(width, len(regions[w]))
	}
	t.Line("")
	for w := range g.Worlds().Each {
		line := fmt.Sprintf("%-9s%-*s", w.ID(), width, regions[w])
		if fleets := s.fleetsText(w); fleets != "" {
			line += " | fleets " + fleets
		}
		t.Line("%s", strings.TrimRight(line+s.flagsText(w), " "))
	}
	var away []string
	for at := range (g.places & trajectories).Each {
		if fleets := s.fleetsText(at); fleets != "" {
			away = append(away, at.ID()+" "+fleets)
		}
	}
	t.List("fleets in trajectories: ", "; ", away)
	t.Line("(Regions: 2:p0x3* = region 2 is seat 0's, with 3 developments, At Risk; UN = the UN's; - = empty;")
	t.Line(" #2 = 2 Devastation. Fleets: p0:4+1 = of seat 0, 4 steady and 1 At Risk.)")
	for at := range (g.places & interplanetary).Each {
		var below []string
		for a := range g.down[at].Each {
			below = append(below, fmt.Sprintf("%s (%s)", a.ID(), placeList(g.down[a])))
		}
		t.List(fmt.Sprintf("links of %-7s ", at.ID()+":"), ", ", below)
	}
}

// flagsText is the seats with Political Influence on a world; "" if there are none.
func (s *State) flagsText(at Place) string {
	text := ""
	for q := range env.Player(s.game.players) {
		text += board.When(s.seats[q].counters.Has(at), " %s", board.Mark(q))
	}
	if text != "" {
		text = " | influence" + text
	}
	return text
}

func placeList(set Places) string {
	var ids []string
	for at := range set.Each {
		ids = append(ids, at.ID())
	}
	return strings.Join(ids, ", ")
}

// regionText is a region: owner and developments, * At Risk, # Devastation.
func (s *State) regionText(w Place, r int) string {
	owner := s.Owner(w, r)
	switch n := s.Devastation(w, r); {
	case n > 0:
		return fmt.Sprint("#", n)
	case owner == None:
		return "-"
	case s.shaken[w]>>r&1 != 0:
		return fmt.Sprintf("%sx%d*", markOf(owner), s.devs[w][r])
	}
	return fmt.Sprintf("%sx%d", markOf(owner), s.devs[w][r])
}

// markOf is whose a region is.
func markOf(owner env.Player) string {
	if owner == UN {
		return "UN"
	}
	return board.Mark(owner)
}

// fleetsText is the fleets at a place by seat; "" if there are none.
func (s *State) fleetsText(at Place) string {
	var chips []string
	for q := range s.game.players {
		f := s.seats[q].fleet[at]
		if f == (Fleets{}) {
			continue
		}
		chip := fmt.Sprintf("%s:%v", board.Mark(env.Player(q)), f)
		if worlds.Has(at) && int8(q) == s.actor && s.arrived[at] != (Fleets{}) {
			chip += fmt.Sprintf(" (%v just arrived)", s.arrived[at])
		}
		chips = append(chips, chip)
	}
	return strings.Join(chips, " ")
}

// String is fleets as text: 5, 5+1 with one At Risk.
func (f Fleets) String() string {
	if f.Risk == 0 {
		return fmt.Sprint(f.Steady)
	}
	return fmt.Sprintf("%d+%d", f.Steady, f.Risk)
}

// scoreText is what the next Score gives a seat now: Victory Points, and dice for Artificial Intelligence.
func (s *State) scoreText(q env.Player) string {
	text := fmt.Sprintf("+%d", s.PowerVP(q))
	switch level := s.Level(q, AI); level {
	case 0:
	case 1:
		text += ", 1 die"
	default:
		text += fmt.Sprintf(", %d dice", level)
	}
	return text
}

// leadText is how near the end is (EB-033).
func (s *State) leadText() string {
	lead, most := 0, 0
	for q := range env.Player(s.game.players) {
		lead, most = max(lead, s.Lead(q)), max(most, s.VP(q))
	}
	return fmt.Sprintf("The lead is %d, the most VP %d; more than %d or %d trigger the end", lead, most, s.game.lead,
		s.game.points)
}

// endText says how the game ended.
func (s *State) endText() string {
	how := [numEndings]string{
		endPoints: "by points", endAlone: "nobody else has units left", endClaim: "all agreed to a claim",
		endPeace:  "peace in our time",
		endSkynet: "the machines have taken over, and all have lost", endLimit: "the limit of decisions is reached",
	}[s.end]
	switch winners := s.winners.List(); len(winners) {
	case 0:
		return "The game is over: " + how + "."
	case 1:
		return fmt.Sprintf("The game is over: %s. Seat %d wins.", how, winners[0])
	default:
		named := board.Named(s.winners)
		return fmt.Sprintf("The game is over: %s. S%s share the win.", how, named[1:])
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
	switch s.decision {
	case AtFleetJobs:
		return fmt.Sprintf("%s: %d steady, %d At Risk. Fleets without a job: %d.", s.where(), f.Steady, f.Risk,
			s.idleFleets())
	case AtDevJobs:
		idle := s.idleDevs()
		return fmt.Sprintf("%s has developments without a job: %d in steady regions, %d in regions At Risk.", s.where(),
			idle.Steady, idle.Risk)
	case AtJobCount:
		return fmt.Sprintf("%s: how many for %q?", s.where(), s.game.info.Actions[pd.action].Text)
	case AtLoseFleets:
		return fmt.Sprintf("%s: you lose %d of your fleets [%v]. How many of them are At Risk ones?", s.where(), pd.count, f)
	case AtForfeit:
		return fmt.Sprintf("%d resource are due for the developments that you lost. How do you pay the next?", s.pay.due)
	case AtAddFleet:
		return fmt.Sprintf("%s: %s may be added. How do you pay the next?", s.where(), spelling.Counted(int(pd.add), "fleet"))
	case AtExpandUse, AtPacifyUse, AtTech:
		return fmt.Sprintf("A success: %s. To come: %d more.", s.asking().Asks, pd.left)
	case AtDefensiveFire:
		return fmt.Sprintf("%s: seat %d has arrived, fleets %v. Do you fire? Dice %d, hits %s.", s.where(), s.actor,
			s.seats[s.actor].fleet[pd.at], s.DefensiveDice(env.Player(s.seat), pd.at),
			needText(s.HitNeed(env.Player(s.seat), env.Player(s.actor))))
	case AtThought:
		return s.rollText() + " Do you spend one?"
	case AtShareReply:
		return fmt.Sprintf("Seat %d helps you with %s. Do you accept?", s.actor, s.game.techs[act.tech.Index(pd.action)].name)
	case AtTransferReply:
		if pd.step == giveFleet {
			return fmt.Sprintf("Seat %d offers you %s at %s%s. How many do you accept?", s.actor,
				spelling.Counted(int(pd.count), "fleet"), s.where(), board.When(pd.atRisk, ", At Risk"))
		}
		return fmt.Sprintf("Seat %d offers you region %d of %s with %s. Do you accept?", s.actor, pd.region,
			s.where(), spelling.Counted(int(s.devs[pd.at][pd.region-1]), "development"))
	}
	about := s.asking().Asks
	text := spelling.Capital(about) + "."
	if pd.at >= 0 {
		return s.where() + ": " + text
	}
	return text
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
	return fmt.Sprintf("Roll %q, %d+ needed: %s; %d reach it. Thoughts may still come from %s.",
		eventNames[l.event], l.need, strings.Join(dice, " "), hits, board.Named(s.thinkers()))
}

// nominatedText lists the jobs of the world in hand that are still to be done.
func (s *State) nominatedText() string {
	var parts []string
	add := func(a env.Action) {
		if n := s.Nominated(a); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", s.game.info.Actions[a].Text, n))
		}
	}
	for a := act.fire.First; a <= Replicate; a++ {
		add(a)
	}
	for _, d := range s.pending.defend {
		parts = board.AppendWhen(parts, d.region > 0, "region %d fires at seat %d", d.region, d.target)
	}
	for a := ResearchAct; a < act.reroll.First; a++ {
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
