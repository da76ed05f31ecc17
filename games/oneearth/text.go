package oneearth

import (
	"fmt"
	"math/bits"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// AppendText shows the table to p, and, if p decides, what it may do and what comes of it: never others' sealed bids.
func (s *State) AppendText(dst []byte, p env.Player) []byte {
	t := board.NewPage(dst)
	s.textTable(t)
	s.textRow(t)
	for i := range s.game.Players {
		s.textSeat(t, s.inTurn(i), p)
	}
	if s.game.WithNPC() {
		t.List("  NPC: ", ", ", s.npcWords())
	}
	s.textDecks(t)
	if s.Decision == Over {
		s.textEnd(t)
		return t.Bytes()
	}
	s.textRunning(t, p)
	if s.Actor() == p {
		t.Line("%s", s.Question(p))
		t.Choices(s)
	} else {
		t.Line("%s", s.deciderText())
	}
	return t.Bytes()
}

// bandNames are what a level of Global Emissions brings.
var bandNames = [...]string{"no event", "Warning Event", "Critical Event", "ruin"}

// band is the part of the track on which a level lies.
func (g *Game) band(level int) int {
	k := &g.Components.Constants
	band := 0
	for i, from := range []int{k.WarningFrom, k.CriticalFrom, k.Ruin} {
		if level >= from {
			band = i + 1
		}
	}
	return band
}

// brings is the band of a level by what it brings: with the Military General there are no events, only the ruin, and
// at a larger table a final round has neither (OE-210, OE-212).
func (s *State) brings(level int) int {
	band := s.game.band(level)
	if npc := s.game.WithNPC(); npc && band < len(bandNames)-1 || !npc && s.Final {
		return 0
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

func (s *State) textTable(t *board.Page) {
	final := board.When(s.Final, ", the final one")
	t.Line("Round %d of at most %d%s   target %d Prosperity   Project deck %s", s.Round, s.game.MaxRounds, final,
		s.game.Target, spelling.Counted(int(s.DeckSize), "card"))
	line := fmt.Sprintf("G %d [%s] %s", s.Global, s.track(), bandNames[s.brings(int(s.Global))])
	if !s.game.WithNPC() {
		line += fmt.Sprintf("   Critical Events left %d", bits.OnesCount8(s.criticalsLeft()))
		line += board.When(s.IncomeMod != 0, "   income this round %+d", s.IncomeMod)
	}
	t.Line("%s", line)
	t.Line("(%s)", s.thresholdsText())
	if !s.game.WithNPC() {
		t.List("Warning Events in the deck: ", ", ", events("%s (%s)", s.game.Components.Warnings[:], s.warningsLeft()))
		t.List("Critical Events in the deck: ", ", ", events("%s (%s)", s.game.Components.Criticals[:], s.criticalsLeft()))
	}
	t.Line("(P Prosperity, E a country's Emissions, G Global Emissions, M money; * decides, + upgraded)")
}

// thresholdsText says from which Global Emissions on things happen.
func (s *State) thresholdsText() string {
	k := &s.game.Components.Constants
	text := ""
	switch {
	case s.game.WithNPC():
	case s.Final:
		return "in the final round G brings neither events nor ruin" // OE-210, OE-212
	default:
		text = fmt.Sprintf("a Warning Event comes from G %d on, a Critical Event and perhaps a sanction from %d; ",
			k.WarningFrom, k.CriticalFrom)
	}
	text += board.When(!s.game.Advanced, "nobody wins from %d; ", k.WinBelow)
	text += board.When(s.game.Players == 1, "E above %d costs P 1 a turn, above %d P 2; ", k.SoloPenaltyFrom,
		k.SoloPenaltyTwoFrom)
	return text + fmt.Sprintf("ruin at %d", k.Ruin)
}

// cardText is a Project as cost, Prosperity and Emissions to the seat that reads it.
func (s *State) cardText(x Project, reader int) string {
	return fmt.Sprintf("%d/%d/%d", s.game.cost[x], s.Worth(reader, x, false), s.EmissionWorth(x, false))
}

func (s *State) textRow(t *board.Page) {
	t.Line("Row: place, id, cost/P/E, name, sector, what upgrades it")
	for slot, x := range s.Row {
		if x < 0 {
			t.Line("  %d -", slot+1)
			continue
		}
		card := &s.game.Components.Projects[x]
		t.Line("  %d %-12s %-7s %-26s %-16s %s", slot+1, x, s.cardText(x, s.active()), card.Name, sectorNames[card.Sector],
			s.upgradeText(card))
	}
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

func (s *State) textSeat(t *board.Page, p int, viewer env.Player) {
	c := &s.Countries[p]
	sign, name := " ", seatName(env.Player(p))
	if int(s.Seat) == p {
		sign = "*"
	}
	name += board.When(env.Player(p) == viewer, " (you)")
	parts := []string{fmt.Sprintf("P %d/%d", c.Prosperity, s.game.Target), fmt.Sprintf("E %d", c.Emissions),
		fmt.Sprintf("M %d", c.Money)}
	parts = append(parts, fmt.Sprintf("income %d", s.nextIncome(p))+board.When(s.Fee(p) > 0, " fee %d", s.Fee(p)))
	if c.Leader >= 0 {
		leader := s.game.Components.Leaders[c.Leader].Name
		leader += board.When(c.AbilityUsed, " (used)")
		parts = append(parts, leader)
	}
	parts = board.AppendWhen(parts, s.game.Diplomatic(), "tokens %d, on Resolutions %d", c.Tokens, c.Support)
	parts = board.AppendWhen(parts, s.game.Advanced && env.Player(p) != viewer, "VP now %d", s.VP(p).Total())
	t.List(fmt.Sprintf(" %s%-13s ", sign, name), "  ", parts)
	if s.game.Advanced && env.Player(p) == viewer {
		t.Line("      now %s", s.vpWords(p))
	}
	if c.Leader >= 0 {
		t.Line("      %s", s.leaderText(c.Leader))
	}
	if s.inATurn() && p == s.active() && s.Decision != Over {
		t.Line("      this turn: %s", s.turnText())
	}
	t.List("      ", ", ", s.marks(p))
	t.List("      ", "   ", s.tableauWords(p))
	if c.Said >= 0 || c.PromisesKept+c.PromisesBroken > 0 {
		t.Line("      said %s; promises kept %d, broken %d", s.saidText(p), c.PromisesKept, c.PromisesBroken)
	}
}

// turnText is what the running turn has seen of what is limited.
func (s *State) turnText() string {
	k := &s.game.Components.Constants
	return fmt.Sprintf("%d of %d Projects, %d of %d Technologies, %d of %d Policies", s.Turn.Funded, k.ProjectsPerTurn,
		s.Turn.Technologies, k.TechnologiesPerTurn, s.Turn.Policies, k.PoliciesPerTurn)
}

// tableauWords lists what lies before a seat: Projects by sector, Technologies, Policies.
func (s *State) tableauWords(p int) []string {
	c := &s.Countries[p]
	var parts []string
	for x, types := range s.game.Components.Sectors {
		var names []string
		for set := types & (c.PlainSet | c.UpgradedSet); set != 0; set &= set - 1 {
			project := set.First()
			for range c.Plain[project] {
				names = append(names, project.String())
			}
			for range c.Upgraded[project] {
				names = append(names, project.String()+"+")
			}
		}
		parts = board.AppendWhen(parts, names != nil, "%s: %s", Sector(x), strings.Join(names, " "))
	}
	var technologies, policies []string
	for i := range Technology(NumTechnologies) {
		text := board.When(int(s.Technologies[i]) == p, "%s", i)
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
	parts = board.AppendWhen(parts, technologies != nil, "tech: %s", strings.Join(technologies, " "))
	parts = board.AppendWhen(parts, policies != nil, "policy: %s", strings.Join(policies, " "))
	return parts
}

// npcWords are what is known of the Military General.
func (s *State) npcWords() []string {
	var used []string
	for a, card := range s.game.Components.Automa {
		used = board.AppendWhen(used, s.AutomaDrawn>>a&1 != 0, "%s(%s)", automaIDs[a], automaGroups[card.Group])
	}
	if used == nil {
		used = []string{"none"}
	}
	words := []string{fmt.Sprintf("Automa cards left %d", s.automaLeft()), "used " + strings.Join(used, " ")}
	if s.game.Players == 1 {
		words = append(words, fmt.Sprintf("P %d", s.NPCProsperity),
			fmt.Sprintf("manufacturing taken %d", s.npcManufacturing()),
			fmt.Sprintf("card points %d", s.NPCPoints), fmt.Sprintf("score now %d", s.NPCScore()))
	}
	return words
}

// decksText lists the Technologies and Policies that are left, each written in a form: by id or name, with its price
// and, of a Policy, what it does to Emissions.
func (s *State) decksText(technology, policy string, byID bool) (technologies, policies []string) {
	names := func(id, name string) string {
		if byID {
			return id
		}
		return name
	}
	for i, card := range s.game.Components.Technologies {
		technologies = board.AppendWhen(technologies, card.InBox && s.Technologies[i] == inDeck, technology,
			names(technologyIDs[i], card.Name), card.Cost)
	}
	for i, card := range s.game.Components.Policies {
		policies = board.AppendWhen(policies, card.InBox && s.Policies[i] == inDeck, policy,
			names(policyIDs[i], card.Name), card.Cost, -card.Reduction)
	}
	return technologies, policies
}

func (s *State) textDecks(t *board.Page) {
	technologies, policies := s.decksText("%s(%d)", "%s(%d, %+d)", true)
	t.List("Technologies left (cost): ", " ", technologies)
	t.List("Policies left (cost, E): ", " ", policies)
	var deck []string
	for x, n := range s.Deck {
		deck = board.AppendWhen(deck, n > 0, "%s(%d)", projectIDs[x], n)
	}
	t.List("Project deck (copies): ", " ", deck)
	if !s.game.Diplomatic() {
		return
	}
	for _, standing := range []Standing{Passed, Failed} {
		t.List(fmt.Sprintf("Resolutions %s: ", standing), ", ", s.resolutionTexts(standing))
	}
}

// resolutionTexts are the Resolutions of a standing.
func (s *State) resolutionTexts(standing Standing) (texts []string) {
	for r := range Resolution(NumResolutions) {
		if s.game.Components.Resolutions[r].InBox && s.Resolutions[r] == standing {
			texts = append(texts, s.resolutionState(r))
		}
	}
	return texts
}

// textRunning shows the ballot, request or event that is being decided.
func (s *State) textRunning(t *board.Page, viewer env.Player) {
	if s.Proposal >= 0 {
		t.Line("Proposal: %s%s: %s", s.game.Components.Resolutions[s.Proposal].Name, s.sharedText(),
			s.resolutionText(s.Proposal))
	}
	t.List("Answers: ", ", ", s.answersWords(viewer))
	switch s.Decision {
	case AtImmunity:
		card := &s.game.Components.Criticals[s.Event]
		t.Line("Critical Event: %s: %s", card.Name, card.text())
	case AtAskReply:
		t.Line("%s", s.requestText())
	case AtTarget, AtSecond, AtShared, AtLoose, AtAttach:
		t.Line("Technology: %s", s.game.Components.Technologies[s.Using].Name)
	}
}

// requestText is the Foreign Aid that is asked for.
func (s *State) requestText() string {
	return fmt.Sprintf("%s asks %s for %d and says “%s”", seatName(env.Player(s.active())), seatName(s.Actor()),
		s.Ask.Amount, s.meaning(s.Ask.Say))
}

// deciderText says who decides what.
func (s *State) deciderText() string {
	return fmt.Sprintf("%s decides: %s", seatName(s.Actor()), s.row().Question())
}

func (s *State) sharedText() string {
	if s.Proposal == ShareTech && s.Using >= 0 {
		return " (" + s.game.Components.Technologies[s.Using].Name + ")"
	}
	return ""
}

// answersWords are the answers of the running ballot; the bids of others are sealed.
func (s *State) answersWords(viewer env.Player) []string {
	var parts []string
	for i, a := range s.Votes[:s.NumVotes] {
		p := s.inTurn(i)
		text := s.game.info.Actions[a].Text
		if a := env.Action(a); act.accuse.Has(a) {
			text = "accuses " + seatName(s.seatFrom(env.Player(p), act.accuse.Index(a)))
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

// endingTexts say how a game ended.
var endingTexts = [numEndings]string{
	TargetWon: "A seat has its target.", DeckEmpty: "The Project deck is empty.", RoundsOver: "All rounds are played.",
	Ruined: "The Earth is ruined.", NoCriticals: "The Earth is ruined: no Critical Event is left.",
	FinalPlayed: "The final round is over.", NPCWon: "The Military General has his Prosperity.",
}

func (s *State) winnersText() string {
	if set := s.Winners(); set != env.Nobody {
		return "won by " + board.Named(set)
	}
	return "nobody wins"
}

// textEnd says how the game ended, and the points.
func (s *State) textEnd(t *board.Page) {
	t.Line("%s The game is over; %s.", endingTexts[s.Ending], s.winnersText())
	if !s.game.Advanced {
		return
	}
	for p := range s.game.Players {
		t.Line("  %s", s.vpText(p))
	}
	if s.game.Players == 1 {
		t.Line("  the Military General: %d", s.NPCScore())
	}
}

// vpText is a seat's Victory Points in their parts.
func (s *State) vpText(p int) string { return seatName(env.Player(p)) + ": " + s.vpWords(p) }

// vpWords is vpText without the seat.
func (s *State) vpWords(p int) string {
	v := s.VP(p)
	text := fmt.Sprintf("%d VP:", v.Total())
	for _, part := range []struct {
		name string
		n    int
	}{
		{"trigger", v.Trigger}, {"prosperity", v.Prosperity}, {"emissions", v.Emissions}, {"technology", v.Technology},
		{"policy", v.Policy},
		{"diplomacy", v.Diplomacy}, {"currency", v.Currency}, {"livability", v.Livability}, {"leader", v.Leader},
	} {
		text += board.When(part.n != 0, " %s %d,", part.name, part.n)
	}
	return strings.TrimRight(text, ",:")
}
