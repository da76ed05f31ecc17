package oneearth

import (
	"fmt"
	"strings"

	"earthgym/env"
)

// The table as people read it: section 14 of RULES.md. Nothing here looks at the sealed bids of others.

// page appends lines of text.
type page struct{ dst []byte }

func (t *page) line(format string, args ...any) {
	t.dst = append(fmt.Appendf(t.dst, format, args...), '\n')
}

// AppendText shows the table to p, and, if p decides, what it may do and what comes of it.
func (s *State) AppendText(dst []byte, p env.Player) []byte {
	t := page{dst}
	s.textTable(&t)
	s.textRow(&t)
	for i := range s.game.Players {
		s.textSeat(&t, s.inTurn(i), p)
	}
	if s.game.WithNPC() {
		t.line("  NPC: %s", strings.Join(s.npcWords(), ", "))
	}
	s.textDecks(&t)
	if s.Phase == OverPhase {
		s.textEnd(&t)
		return t.dst
	}
	s.textRunning(&t, p)
	if s.Actor() == p {
		s.textChoices(&t)
	} else {
		t.line("%s decides: %s", seatName(s.Actor()), phaseQuestions[s.Phase])
	}
	return t.dst
}

// bandNames are what a level of Global Emissions brings.
var bandNames = [...]string{"no event", "Warning Event", "Critical Event", "ruin"}

// band is the part of the track on which a level lies.
func (s *State) band(level int) int {
	k := &s.game.Components.Constants
	band := 0
	for i, from := range []int{k.WarningFrom, k.CriticalFrom, k.Ruin} {
		if level >= from {
			band = i + 1
		}
	}
	return band
}

// track draws Global Emissions up to the ruin, with a mark where each band begins.
func (s *State) track() string {
	k := &s.game.Components.Constants
	var b strings.Builder
	for step := 1; step <= k.Ruin; step++ {
		if step == k.WarningFrom || step == k.CriticalFrom || step == k.WinBelow || step == k.Ruin {
			b.WriteByte('|')
		}
		if step <= int(s.Global) {
			b.WriteByte('#')
		} else {
			b.WriteByte('.')
		}
	}
	return b.String()
}

func (s *State) textTable(t *page) {
	events := ""
	if !s.game.WithNPC() {
		events = fmt.Sprintf("   Critical Events left %d", s.CriticalsLeft())
		if s.IncomeMod != 0 {
			events += fmt.Sprintf("   income this round %+d", s.IncomeMod)
		}
	}
	final := ""
	if s.Final {
		final = ", the final one"
	}
	t.line("Round %d of at most %d%s   G %d [%s] %s%s   target %d   deck %d", s.Round, s.game.MaxRounds, final,
		s.Global, s.track(), bandNames[s.band(int(s.Global))], events, s.game.Target, s.DeckSize)
}

// cardText is a Project as cost, Prosperity and Emissions to the seat that reads it.
func (s *State) cardText(x Project, reader int) string {
	return fmt.Sprintf("%d/%d/%d", s.game.cost[x], s.Worth(reader, x, false), s.EmissionWorth(x, false))
}

func (s *State) textRow(t *page) {
	t.line("row (cost/prosperity/emissions, sector, what upgrades it)")
	for slot, x := range s.Row {
		if x < 0 {
			t.line("  %d -", slot+1)
			continue
		}
		card := &s.game.Components.Projects[x]
		t.line("  %d %-12s %-7s %-13s %s", slot+1, x, s.cardText(x, s.active()), card.Sector, upgradeText(card))
	}
}

// upgradeText says what a Technology does to a Project.
func upgradeText(card *ProjectCard) string {
	if card.Technology < 0 {
		return "no upgrade"
	}
	text := card.Technology.String()
	if card.DP != 0 {
		text += fmt.Sprintf(" P %+d", card.DP)
	}
	if card.DE != 0 {
		text += fmt.Sprintf(" E %+d", card.DE)
	}
	return text
}

// marks are the words that say what is true of a seat now.
func (s *State) marks(p int) []string {
	seat, c := env.Player(p), &s.Countries[p]
	var marks []string
	mark := func(is bool, text string) {
		if is {
			marks = append(marks, text)
		}
	}
	mark(p == int(s.First), "first player")
	mark(p == int(s.Sanctioned), "SANCTIONED")
	mark(p == int(s.Accused), "ACCUSED")
	mark(s.game.Players >= 3 && s.Highest().Has(seat) && s.Highest() != s.all(), "highest emitter")
	mark(s.MarsFunders.Has(seat), "Mars funder")
	mark(s.Donors.Has(seat), "gives aid this round")
	mark(s.Recipients.Has(seat), "receives aid this round")
	mark(p == int(s.Trigger), "trigger")
	mark(s.NumReach > 0 && int(s.Reach[0]) == p, "first at the target")
	mark(c.PendingPolicy, "promised a Policy")
	mark(c.PendingClean, "promised to stay clean")
	return marks
}

func (s *State) textSeat(t *page, p int, viewer env.Player) {
	c := &s.Countries[p]
	sign, name := " ", seatName(env.Player(p))
	if int(s.Seat) == p {
		sign = "*"
	}
	if env.Player(p) == viewer {
		name += " (you)"
	}
	line := fmt.Sprintf(" %s%-13s P %d/%d  E %d  M %d  income %d", sign, name, c.Prosperity, s.game.Target, c.Emissions, c.Money, s.Income(p))
	if fee := s.Fee(p); fee > 0 {
		line += fmt.Sprintf(" fee %d", fee)
	}
	if c.Leader >= 0 {
		line += "  " + s.game.Components.Leaders[c.Leader].Name
		if c.AbilityUsed {
			line += " (used)"
		}
	}
	if s.game.Diplomatic() {
		line += fmt.Sprintf("  tokens %d+%d", c.Tokens, c.Support)
	}
	if s.game.Advanced {
		line += fmt.Sprintf("  VP now %d", s.VP(p).Total())
	}
	if marks := s.marks(p); len(marks) > 0 {
		line += "  [" + strings.Join(marks, ", ") + "]"
	}
	t.line("%s", line)
	if owned := s.tableauText(p); owned != "" {
		t.line("      %s", owned)
	}
	if c.Said >= 0 || c.PromisesKept+c.PromisesBroken > 0 {
		t.line("      last said %q; promises kept %d, broken %d", c.Said, c.PromisesKept, c.PromisesBroken)
	}
}

// tableauText lists what lies before a seat: Projects by sector, Technologies, Policies.
func (s *State) tableauText(p int) string {
	c := &s.Countries[p]
	var parts []string
	for x, types := range s.game.Components.Sectors {
		var names []string
		for set := types & (c.PlainSet | c.UpgradedSet); set != 0; set &= set - 1 {
			project := set.first()
			for range c.Plain[project] {
				names = append(names, project.String())
			}
			for range c.Upgraded[project] {
				names = append(names, project.String()+"+")
			}
		}
		if names != nil {
			parts = append(parts, Sector(x).String()+": "+strings.Join(names, " "))
		}
	}
	var technologies, policies []string
	for i := range Technology(NumTechnologies) {
		text := ""
		if int(s.Technologies[i]) == p {
			text = i.String()
		}
		if c.Saved[i] > 0 {
			text = i.String() + " (saved)"
		}
		if c.Loose[i] > 0 {
			text = fmt.Sprintf("%s (%d loose)", i, c.Loose[i])
		}
		if text != "" {
			technologies = append(technologies, text)
		}
	}
	for i := range Policy(NumPolicies) {
		if int(s.Policies[i]) == p {
			policies = append(policies, i.String())
		}
	}
	if technologies != nil {
		parts = append(parts, "tech: "+strings.Join(technologies, " "))
	}
	if policies != nil {
		parts = append(parts, "policy: "+strings.Join(policies, " "))
	}
	return strings.Join(parts, "   ")
}

// npcWords are what is known of the Military General.
func (s *State) npcWords() []string {
	var used []string
	for a, card := range s.game.Components.Automa {
		if s.AutomaDrawn>>a&1 != 0 {
			used = append(used, automaIDs[a]+"("+automaGroups[card.Group]+")")
		}
	}
	words := []string{fmt.Sprintf("Automa cards left %d", s.automaLeft()), "used " + orNone(used)}
	if s.game.Players == 1 {
		words = append(words, fmt.Sprintf("P %d", s.NPCProsperity), fmt.Sprintf("manufacturing taken %d", s.npcManufacturing()),
			fmt.Sprintf("card points %d", s.NPCPoints), fmt.Sprintf("score now %d", s.NPCScore()))
	}
	return words
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, " ")
}

// decksText lists the Technologies and Policies that are left, with their prices.
func (s *State) decksText() (technologies, policies []string) {
	for i, card := range s.game.Components.Technologies {
		if card.InBox && s.Technologies[i] == inDeck {
			technologies = append(technologies, fmt.Sprintf("%s(%d)", technologyIDs[i], card.Cost))
		}
	}
	for i, card := range s.game.Components.Policies {
		if card.InBox && s.Policies[i] == inDeck {
			policies = append(policies, fmt.Sprintf("%s(%d, E %+d)", policyIDs[i], card.Cost, -card.Reduction))
		}
	}
	return technologies, policies
}

func (s *State) textDecks(t *page) {
	technologies, policies := s.decksText()
	t.line("Technologies left: %s", orNone(technologies))
	t.line("Policies left: %s", orNone(policies))
	var deck []string
	for x, n := range s.Deck {
		if n > 0 {
			deck = append(deck, fmt.Sprintf("%s(%d)", projectIDs[x], n))
		}
	}
	t.line("Project deck: %s", orNone(deck))
	if !s.game.Diplomatic() {
		return
	}
	for _, standing := range []Standing{Passed, Failed} {
		var list []string
		for r := range Resolution(NumResolutions) {
			if s.game.Components.Resolutions[r].InBox && s.Resolutions[r] == standing {
				text := s.game.Components.Resolutions[r].Name
				if voters := s.YesVoters[r]; voters != env.Nobody {
					text += " (yes: " + voters.String() + ")"
				}
				if r == ShareTech && s.SharedTech >= 0 {
					text += " (" + s.SharedTech.String() + ")"
				}
				list = append(list, text)
			}
		}
		if list != nil {
			t.line("Resolutions %s: %s", standing, strings.Join(list, ", "))
		}
	}
}

// textRunning shows the ballot, request or event that is being decided.
func (s *State) textRunning(t *page, viewer env.Player) {
	if s.Proposal >= 0 {
		t.line("Proposal: %s%s", s.game.Components.Resolutions[s.Proposal].Name, s.sharedText())
	}
	if answers := s.answersWords(viewer); answers != nil {
		t.line("Answers: %s", strings.Join(answers, ", "))
	}
	switch s.Phase {
	case ImmunityPhase:
		t.line("Critical Event: %s", s.game.Components.Criticals[s.Event].Name)
	case AskReplyPhase:
		t.line("%s asks %s for %d and says %q", seatName(env.Player(s.active())), seatName(s.Actor()), s.Ask.Amount, s.Ask.Say)
	case TargetPhase, SecondPhase, SharedPhase, LoosePhase, AttachPhase:
		t.line("Technology: %s", s.game.Components.Technologies[s.Using].Name)
	}
}

func (s *State) sharedText() string {
	if s.Proposal == ShareTech && s.Using >= 0 {
		return " (" + s.Using.String() + ")"
	}
	return ""
}

// answersWords are the answers of the running ballot; the bids of others are sealed.
func (s *State) answersWords(viewer env.Player) []string {
	var parts []string
	for i, a := range s.Votes[:s.NumVotes] {
		p := s.inTurn(i)
		text := s.game.info.Actions[a].Text
		if env.Action(a) >= Accuse && env.Action(a) != Pass {
			text = "accuses " + seatName(env.Player((p+int(env.Action(a)-Accuse))%s.game.Players))
		}
		parts = append(parts, fmt.Sprintf("%s %s", seatName(env.Player(p)), text))
	}
	for i, bid := range s.Bids[:s.NumBids] {
		p := s.inTurn(i)
		text := "sealed"
		if env.Player(p) == viewer {
			text = fmt.Sprintf("%+d", bid)
		}
		parts = append(parts, fmt.Sprintf("%s bids %s", seatName(env.Player(p)), text))
	}
	for i, amount := range s.Pledges[:s.NumPledges] {
		parts = append(parts, fmt.Sprintf("%s pledges %d", seatName(env.Player(s.inTurn(i))), amount))
	}
	return parts
}

// textChoices lists the legal actions with their names and effects.
func (s *State) textChoices(t *page) {
	t.line("You decide: %s", phaseQuestions[s.Phase])
	legal := make(env.Mask, maskWords)
	s.Legal(legal)
	var plain []string
	for _, a := range legal.Append(nil) {
		text := s.game.info.Actions[a].Text
		if effect := s.effectText(a); effect != "" {
			t.line("  %-22s %s", text, effect)
		} else {
			plain = append(plain, text)
		}
	}
	if plain != nil {
		t.line("  %s", strings.Join(plain, ", "))
	}
}

// effectText is what an action of the turn's menu does to the own markers and to Global Emissions, and
// whether it ends the game. It is "" where that is not the point, or where the luck of a draw decides.
func (s *State) effectText(a env.Action) string {
	p := int(s.Seat)
	c := &s.Countries[p]
	dp, de, dg, dm, name := 0, 0, 0, 0, ""
	down := func(steps int) int { return max(steps, -int(c.Emissions)) }
	switch {
	case s.Phase == TurnPhase && a >= Fund && a < Tech:
		x := s.Row[a-Fund]
		name = s.game.Components.Projects[x].Name
		dp, de, dm = s.Worth(p, x, false), s.EmissionWorth(x, false), -int(s.game.cost[x])
	case s.Phase == TurnPhase && a >= Tech && a < FundPolicy:
		card := &s.game.Components.Technologies[a-Tech]
		name, dm = card.Name, -card.Cost
		if x := s.Targets(p, Technology(a-Tech)); x&(x-1) == 0 {
			dp, de = s.game.Components.Projects[x.first()].DP, down(s.game.Components.Projects[x.first()].DE)
		}
	case s.Phase == TurnPhase && a >= FundPolicy && a < On:
		card := &s.game.Components.Policies[a-FundPolicy]
		name, de, dm = card.Name, down(-card.Reduction), -card.Cost
	case a >= On && a < Discard:
		x := Project(a - On)
		name = s.game.Components.Projects[x].Name
		dp, de = s.game.Components.Projects[x].DP, down(s.game.Components.Projects[x].DE)
	case a >= Discard && a < ApplyUse:
		x, upgraded := Project((a-Discard)%NumProjects), a >= DiscardUpgraded
		name = s.game.Components.Projects[x].Name
		dp, de, dm = -s.Worth(p, x, upgraded), down(-s.EmissionWorth(x, upgraded)), s.Compensation(x)
	case a == UseAbility:
		steps := s.game.Components.Leaders[c.Leader].Ability
		name = s.game.Components.Leaders[c.Leader].Name
		if c.Leader == Environmentalist {
			dg = max(-steps, -int(s.Global))
		} else {
			dp, de = steps, steps
		}
	case a == JoinMars:
		name, dp, dm = "Colonize Mars", s.game.Components.Constants.MarsGain, -s.game.Components.Constants.MarsShare
	case a >= Propose && a < Accuse:
		return s.game.Components.Resolutions[a-Propose].Name
	case a >= ChooseLeader && a < Fund:
		return s.game.Components.Leaders[a-ChooseLeader].Name
	case a == Refresh:
		name, dm = "six other Projects", -s.game.Components.Constants.RefreshPrice
	default:
		return ""
	}
	dg += de
	text := name
	if s.Phase == TurnPhase && a >= Fund && a < Tech && s.DeckSize == 1 {
		text += "  (takes the last card of the deck)"
	}
	for _, change := range []struct {
		letter string
		by     int
	}{{"P", dp}, {"E", de}, {"G", dg}, {"M", dm}} {
		if change.by != 0 {
			text += fmt.Sprintf("  %s %+d", change.letter, change.by)
		}
	}
	return text + s.outcomeText(int(c.Prosperity)+dp, int(s.Global)+dg)
}

// outcomeText says what the own Prosperity and Global Emissions after an action mean.
func (s *State) outcomeText(prosperity, global int) string {
	text := ""
	if band := s.band(global); band != s.band(int(s.Global)) {
		text = "  (then " + bandNames[band] + ")"
	}
	if prosperity < s.game.Target || s.Final {
		return text
	}
	switch {
	case s.game.Advanced && s.band(global) < len(bandNames)-1:
		text += "  starts the final round"
	case !s.game.Advanced && global < s.game.Components.Constants.WinBelow && s.NumReach == 0:
		text += "  wins"
	}
	return text
}

// textEnd says how the game ended, and the points.
func (s *State) textEnd(t *page) {
	words := [numEndings]string{
		TargetWon: "A seat has its target.", DeckEmpty: "The Project deck is empty.", RoundsOver: "All rounds are played.",
		Ruined: "The Earth is ruined.", NoCriticals: "The Earth is ruined: no Critical Event is left.",
		FinalPlayed: "The final round is over.", NPCWon: "The Military General has his Prosperity.",
	}
	winners := "nobody wins"
	if set := s.Winners(); set != env.Nobody {
		winners = "seats that win: " + set.String()
	}
	t.line("%s The game is over; %s.", words[s.Ending], winners)
	if !s.game.Advanced {
		return
	}
	for p := range s.game.Players {
		v := s.VP(p)
		t.line("  %s: trigger %d, prosperity %d, emissions %d, technology %d, policy %d, diplomacy %d, currency %d, livability %d, leader %d: %d",
			seatName(env.Player(p)), v.Trigger, v.Prosperity, v.Emissions, v.Technology, v.Policy, v.Diplomacy, v.Currency, v.Livability, v.Leader, v.Total())
	}
	if s.game.Players == 1 {
		t.line("  the Military General: %d", s.NPCScore())
	}
}
