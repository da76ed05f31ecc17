package newearth

import (
	"fmt"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// The table as people read it: RULES.md 14. What is secret is read of the viewer's own seat alone, and of
// secret questions of others only what decisionSeenBy and its kin let through.

// seatNames are the colours of the seats.
var seatNames = [maxPlayers]string{"BLUE", "RED", "GREEN", "YELLOW"}

func seatName(p env.Player) string {
	if p < 0 {
		return "neutral"
	}
	return seatNames[p]
}

// AppendText shows the table to p, and, if p decides, what it may do and what comes of it.
func (s *State) AppendText(dst []byte, p env.Player) []byte {
	t := board.NewPage(dst)
	s.textHead(t)
	s.textBoard(t)
	for q := range env.Player(s.game.players) {
		s.textSeat(t, q, p)
	}
	s.textPiles(t, p)
	write := func(lines []string) {
		for _, line := range lines {
			t.Line("%s", line)
		}
	}
	write(s.pending())
	if s.decision == Over {
		write(s.ending())
		return t.Bytes()
	}
	if p >= 0 {
		s.textHand(t, p)
	}
	if env.Player(s.seat) != p {
		t.Line("%s.", s.waiting())
		return t.Bytes()
	}
	t.Line("%s", s.Question(p))
	write(s.prospects(p))
	t.Line("Legal actions:")
	plain := func(env.Action) string { return "" } // without a note
	for _, c := range board.Choices(s.game.info, s.legal(), Done, s.about, plain) {
		t.List("  "+c.About+": ", ", ", c.Actions)
	}
	return t.Bytes()
}

var phaseNames = [...]string{"set-up", "catastrophes", "production", "income", "consumption and cities", "elections",
	"leaders and reallocation", "over"}

// seatTitle is a seat's colour and its number, for p.
func seatTitle(q, p env.Player) string {
	if q == p {
		return fmt.Sprintf("%s (seat %d, you)", seatNames[q], q)
	}
	return fmt.Sprintf("%s (seat %d)", seatNames[q], q)
}

func (s *State) textHead(t *board.Page) {
	t.Line("%s: %s", title, s.headline())
	if s.order.n > 0 {
		t.Line("Order of the turn: %s", s.namesOf(s.order))
	}
}

// headline is where the game stands.
func (s *State) headline() string {
	switch s.phase {
	case phaseSetUp:
		return "set-up, in the order " + s.namesOf(s.setupOrder)
	case phaseOver:
		return "over after " + spelling.Counted(int(s.turn), "turn")
	}
	return fmt.Sprintf("turn %d of %d, phase %d: %s", s.turn, s.game.turns, s.phase, phaseNames[s.phase])
}

func (s *State) namesOf(l seatList) string {
	var names []string
	for _, p := range l.slice() {
		names = append(names, seatNames[p])
	}
	return strings.Join(names, ", ")
}

// waiting says who decides what, as far as the others may know.
func (s *State) waiting() string {
	switch s.scene() {
	case strikeScene:
		return "Somebody considers a Catastrophe card"
	case negateScene:
		return "Somebody may negate the catastrophe"
	case returnScene:
		return seatName(env.Player(s.active)) + " considers the zone's return"
	case electScene:
		return "The election is being joined and paid for in secret"
	}
	return seatName(env.Player(s.seat)) + " decides: " + s.row().Brief
}

func (s *State) textBoard(t *board.Page) {
	t.Line("")
	t.Line("Zone, owner, Society Level and type, people, machines, zones of other tiles beside it, marks:")
	for k, place := range s.sectors {
		if s.phase == phaseSetUp { // later all that counts of where a tile lies is what lies beside its zones
			t.Line("sector %d", k)
		}
		for i := range tileZones {
			s.textZone(t, Zone(int(place.tile)*tileZones+i))
		}
	}
	t.Line("(people 3+1/4: 3 workers of the zone's type, 1 in manufacturing, at most 4; machines 1/3: at most 3.")
	t.Line(" On a tile 1 to 6 lie in a ring, and 2, 4 and 6 beside each other. AFFECTED: no output, no income,")
	t.Line(" nothing new this turn. M, E, F: mining, energy, manufacturing.")
	t.Line(" %s)", s.scoringText())
	t.Line("")
}

// scoringText is what counts at the end.
func (s *State) scoringText() string {
	p, levels := &s.game.data.Points, []string(nil)
	for _, n := range s.game.data.Levels.Points[1:] {
		levels = append(levels, fmt.Sprint(n))
	}
	return fmt.Sprintf("Points: levels 1 to %d count %s, machine %d, plant %d, city %d, fortified %d; equal levels %d, "+
		"most zones %d",
		len(levels), strings.Join(levels, " "), p.Machine, p.Plant, p.City, p.Fortified, p.Balanced, p.MostZones)
}

func (s *State) textZone(t *board.Page, z Zone) {
	if !s.inPlay.Has(z) {
		t.Line("%s not in play", z)
		return
	}
	workers := fmt.Sprintf("%s/%d", sum(s.raw[z], s.makers[z]), s.game.people[z])
	kind := fmt.Sprintf("%d %s", s.sl[z], typeNames[s.typeOf(z)])
	if kind == "0 none" {
		kind = ""
	}
	t.Line("%s", strings.TrimRight(fmt.Sprintf("%s %-7s %-8s %-5s %d/%d %-5s %s", z, seatName(s.Owner(z)), kind,
		workers, s.machines[z], s.game.machines[z], strings.Join(ids(s.near[z]&^s.game.inside[z]), " "),
		strings.Join(s.marks(z), ", ")), " "))
}

// sum is a number and what more there is of another sort, which is left out where there is none.
func sum(n, more int8) string {
	if more == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d+%d", n, more)
}

// marks are what lies and stands in a zone beside workers and machines.
func (s *State) marks(z Zone) []string {
	var marks []string
	for _, m := range []struct {
		set  Zones
		name string
	}{{s.plants, "plant"}, {s.forts, "fortified city"}, {s.cities &^ s.forts, "city"}, {s.affected, "AFFECTED"},
		{s.elected, "elected"}, {s.raised, "raised"}, {s.converted, "converted"}} {
		if m.set.Has(z) {
			marks = append(marks, m.name)
		}
	}
	for p := range env.Player(s.game.players) {
		marks = board.AppendWhen(marks, s.seats[p].leader == z, "%s's leader", seatNames[p])
	}
	marks = board.AppendWhen(marks, s.hit.Has(z), "HIT")
	marks = board.AppendWhen(marks, s.target == z, "ELECTION")
	return marks
}

func (s *State) textSeat(t *board.Page, q, p env.Player) {
	seat := &s.seats[q]
	t.Line("%s: %dm, stocks M %d E %d F %d, goods %d (levels need %d), %s", seatTitle(q, p), seat.has[Cash],
		seat.has[Mining], seat.has[Energy], seat.has[Manufacturing], seat.has[Goods], s.need(q), s.handText(q, p))
	if s.turn == 0 {
		return
	}
	made := s.Output(q)
	t.Line("  %s, output M %d E %d F %d, income %dm, elections %d of %d, points %s",
		spelling.Counted(s.owned[q].Count(), "zone"), made[Mining], made[Energy], made[Manufacturing],
		s.Income(q), seat.electionsUsed, s.game.data.Elections, s.pointsText(q))
}

// pointsText are the points under each storm, bonuses included.
func (s *State) pointsText(q env.Player) string {
	return fmt.Sprintf("%d violent, %d super, %d mega", s.Total(q, Violent), s.Total(q, Super), s.Total(q, Mega))
}

// handText is what everybody knows of a hand.
func (s *State) handText(q, p env.Player) string {
	text := spelling.Counted(int(s.HandSize(q)), "card")
	text += board.When(s.turn > 0 && (s.game.announce || q == p), " (announced %d)", s.seats[q].announced)
	if known := s.seats[q].known; known != 0 {
		text += ", known: " + titles(known)
	}
	return text
}

// textPiles shows the deck and the discard pile, and before it what p can't see.
func (s *State) textPiles(t *board.Page, p env.Player) {
	head, words := "discarded: ", pileTexts(&s.discard, Card.String)
	if p >= 0 {
		head, words = "not seen + discarded: ", nil
		unseen := s.unseen(p)
		for c, gone := range s.discard {
			words = board.AppendWhen(words, gone+unseen[c] > 0, "%s %s", sum(unseen[c], gone), cardNames[c])
		}
	}
	t.List(fmt.Sprintf("deck %s; %s", spelling.Counted(int(s.decked), "card"), head), ", ", words)
}

// unseen are the cards that p can't see: the deck, and what the others hold and have committed.
func (s *State) unseen(p env.Player) Pile {
	unseen := s.deck
	for q := range env.Player(s.game.players) {
		if q == p {
			continue
		}
		for c, n := range s.seats[q].hand {
			unseen[c] += n
		}
		for set := s.seats[q].commitCards; set != 0; set = set.Rest() {
			unseen[set.First()]++
		}
	}
	return unseen
}

func pileTexts(pile *Pile, name func(Card) string) []string {
	var words []string
	for c, n := range pile {
		words = board.AppendWhen(words, n > 0, "%d %s", n, name(Card(c)))
	}
	if words == nil {
		return []string{"none"}
	}
	return words
}

// pending is what is being resolved, as everybody sees it.
func (s *State) pending() (lines []string) {
	if s.catastrophe != NoCard {
		lines = append(lines, fmt.Sprintf("Catastrophe of %s: %s (%s); still hit: %s", seatName(env.Player(s.active)),
			s.game.titleOf(s.catastrophe), s.game.strikeText(s.catastrophe), zoneList(s.hit)))
	}
	if s.target != NoZone {
		list := s.participants()
		text := fmt.Sprintf("Election in %s (value %dm, workers %d, cards a side at most %d): %s", s.target,
			s.game.zoneValue[s.sl[s.target]], s.raw[s.target]+s.makers[s.target], s.cardLimit(s.target),
			s.namesOf(s.inOrder(0, list.has)))
		if s.defender >= 0 {
			text += " against " + seatNames[s.defender]
		}
		lines = append(lines, text)
	}
	if s.offer.partner >= 0 {
		lines = append(lines, fmt.Sprintf("Offer of %s to %s: gives %s, wants %s", seatName(env.Player(s.active)),
			seatNames[s.offer.partner], s.offer.give, s.offer.want))
	}
	return lines
}

// String lists what there is of each kind.
func (h holdings) String() string {
	var words []string
	for k, n := range h {
		words = board.AppendWhen(words, n > 0, "%d %s", n, kindNames[k])
	}
	if words == nil {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

// titleOf is the printed title of a card.
func (g *Game) titleOf(c Card) string {
	if c.IsCity() {
		return g.data.CityCards[c].Title
	}
	return g.data.Catastrophes[c-CivilDisorder].Title
}

// actionOf is what a City card does when it is played.
func actionOf(c Card) string {
	switch c {
	case UrbanPlanning:
		return "cheaper conversion"
	case StormDefence:
		return "fortifies, in a set or alone"
	case TechnologyResearch:
		return "fortifies an older city"
	case TransportLinks:
		return "elections next to any own zone"
	}
	return ""
}

// strikeText is what a Catastrophe card does.
func (g *Game) strikeText(c Card) string {
	switch c {
	case CivilDisorder:
		return fmt.Sprintf("a die for each tile: the zones hit are affected, and their owners pay %dm each",
			g.data.CivilDisorder.Cash)
	case Anarchists:
		return "a zone of the holder with a plant is affected"
	case VirusLocal:
		return "a die for each tile with zones of the holder: those hit are affected"
	case VirusPandemic:
		return "a die for each tile: the zones hit are affected, of all"
	case FloodLocal:
		return "a die for each tile with zones of the holder: those hit are affected, unless fortified"
	case FloodGeneral:
		return "a die for each tile: the zones hit are affected, of all, unless fortified"
	case Independence:
		return "a zone of the holder, one of its lowest, must be won back in an election or turns neutral"
	}
	return "the holder's stock of " + kindNames[Mining+Kind(c-StockLossMining)] + " is lost"
}

// cardText is all that is printed on a card.
func (g *Game) cardText(c Card) string {
	words := []string{fmt.Sprintf("%s (%d)", g.titleOf(c), g.value[c])}
	if !c.IsCity() {
		return words[0] + "; " + g.strikeText(c)
	}
	if action := actionOf(c); action != "" {
		words = append(words, action)
	}
	if n := g.initiator[c]; n != 0 {
		words = append(words, "In "+modifierText(n))
	}
	if n := g.defending[c]; n != 0 {
		words = append(words, "Def "+modifierText(n))
	}
	var against, inOneZone []string
	for i := range g.negatesAll {
		switch {
		case g.negatesAll[i].Has(c):
			with := board.When(NumTitles+i == int(Independence), " with %s", UrbanPlanning)
			against = append(against, cardNames[NumTitles+i]+with)
		case g.negatesOne[i].Has(c):
			inOneZone = append(inOneZone, cardNames[NumTitles+i])
		}
	}
	against = board.AppendWhen(against, c == UrbanPlanning, "%s with one of %s", cardNames[Independence],
		titles(g.negatesAll[Independence-CivilDisorder]))
	against = board.AppendWhen(against, inOneZone != nil, "in one zone %s", strings.Join(inOneZone, ", "))
	words = board.AppendWhen(words, against != nil, "negates %s", strings.Join(against, ", "))
	words = board.AppendWhen(words, g.sellable.Has(c), "sells for %dm", g.sale[c])
	words = board.AppendWhen(words, g.tradable.Has(c), "brings 1 %s", kindNames[g.unit[c]])
	return strings.Join(words, "; ")
}

func modifierText(n int32) string {
	if n == 0 {
		return "*"
	}
	return fmt.Sprintf("%+d", n)
}

func (s *State) textHand(t *board.Page, p env.Player) {
	seat := &s.seats[p]
	if s.turn == 0 {
		return
	}
	t.Line("Your hand (In, Def: added to the die of elections, as claimant and as owner):")
	for set := s.held[p]; set != 0; set = set.Rest() {
		c := set.First()
		t.Line("  %d x %s", seat.hand[c], s.game.cardText(c))
	}
	if s.held[p] == 0 {
		t.Line("  no cards")
	}
	if seat.commitCash >= 0 {
		t.Line("You have committed %dm and %s.", seat.commitCash, titles(seat.commitCards))
	}
}

// ending is El Gigante and the score sheet.
func (s *State) ending() []string {
	lines := []string{fmt.Sprintf("El Gigante: a %s storm%s", stormNames[s.storm], s.drawnText())}
	for p := range env.Player(s.game.players) {
		lines = append(lines, fmt.Sprintf("  %s: %s", seatNames[p], s.scoreText(p)))
	}
	return append(lines, "Won by "+s.winnersText())
}

// drawnText is the two cards of El Gigante in brackets; "" if it was agreed.
func (s *State) drawnText() string {
	if s.stormCards[0] == NoCard {
		return ""
	}
	return fmt.Sprintf(" (%s and %s)", s.game.cardName(s.stormCards[0]), s.game.cardName(s.stormCards[1]))
}

// cardName is a card's title and value.
func (g *Game) cardName(c Card) string { return fmt.Sprintf("%s %d", g.titleOf(c), g.value[c]) }

func (s *State) winnersText() string {
	var names []string
	for _, p := range s.winners.List() {
		names = append(names, seatNames[p])
	}
	return strings.Join(names, ", ")
}

// scoreText is a seat's line of the score sheet.
func (s *State) scoreText(p env.Player) string {
	set := s.counting(p, s.storm)
	zones := int32(0)
	for rest := set; rest != 0; rest = rest.Rest() {
		zones += s.ZoneValue(rest.First())
	}
	text := fmt.Sprintf("%s: %d in %d of %s", spelling.Counted(int(s.totals[p]), "point"), zones, set.Count(),
		spelling.Counted(s.owned[p].Count(), "zone"))
	text += board.When(s.balanced(p), ", %d for equal levels", s.game.data.Points.Balanced)
	text += board.When(s.hasMostZones(p), ", %d for most zones", s.game.data.Points.MostZones)
	return text
}

// prospects is what comes of the answers to the question.
func (s *State) prospects(p env.Player) []string {
	seat := &s.seats[p]
	text := ""
	switch s.decision {
	case AtAssignMining, AtAssignEnergy:
		return s.assignments(p)
	case AtProduce:
		return s.chart(p)
	case AtElect, AtElectWide:
		return s.targetTexts()
	case AtCommitAmount:
		return s.bidTexts(p)
	case AtIndepAmount:
		return []string{
			fmt.Sprintf("  named so far %d; 0 gives the zone up; its value is %dm", s.running,
				s.game.zoneValue[s.sl[s.hit.First()]]),
			s.oddsText("  chance by excess", 0),
		}
	case AtBulkPlace:
		text = fmt.Sprintf("  %s still to be placed", spelling.Counted(int(s.placing), "machine"))
	case AtShortage:
		text = fmt.Sprintf("  goods: the levels need %d, and %d were paid", s.need(p), seat.expended)
	case AtDevelop:
		text = fmt.Sprintf("  goods %d, expended %d; when you end the phase %d are kept and %d lost", seat.has[Goods],
			seat.expended, seat.has[Goods]-s.surplus(p), s.surplus(p))
	case AtMovePick:
		text = fmt.Sprintf("  %d of %d moves used", seat.movesUsed, s.game.moveLimit)
	case AtCityCard:
		text = fmt.Sprintf("  %s becomes a city; picked: %s", s.chosenZone, titles(s.pickedCards))
	case AtMoveTo:
		text = fmt.Sprintf("  you hold the %s", s.chosenText())
	case AtNewWorker:
		text = fmt.Sprintf("  %s is yours", s.chosenZone)
	default:
		return nil
	}
	return []string{text}
}

func (s *State) assignments(p env.Player) (lines []string) {
	of := s.mining
	if s.decision == AtAssignEnergy {
		of = s.energy
	}
	for k := range s.mixedMachines(p, of) + 1 {
		mining, energy := s.assigned, k
		if s.decision == AtAssignMining {
			mining, energy = k, 0
		}
		made := s.outputWith(p, mining, energy)
		text := fmt.Sprintf("  %d: output M %d, E %d, F %d", k, made[Mining], made[Energy], made[Manufacturing])
		lines = append(lines, text)
	}
	return lines
}

var lotNames = [numLots]string{"goods 5", "goods 10", "machine", "bulk (4 machines)", "plant"}

// chart is the production chart, with what the seat can pay.
func (s *State) chart(p env.Player) (lines []string) {
	for i, name := range lotNames {
		if i == lotBulk && !s.game.bulk {
			continue
		}
		price := &s.game.lots[i]
		affordable := "too dear"
		if s.seats[p].has.covers(price) {
			affordable = "affordable"
		}
		cash := board.When(price[Cash] > 0, " and %dm", price[Cash])
		lines = append(lines, fmt.Sprintf("  %s: M %d E %d F %d%s, %s", name, price[Mining], price[Energy],
			price[Manufacturing], cash, affordable))
	}
	return append(lines, fmt.Sprintf("  a machine becomes a worker for %dm more", s.game.data.Chart.Automation))
}

// chance is the chance to win with an excess and a modifier of the die.
func (g *Game) chance(excess, modifier int32) float64 {
	n := 0
	for die := int32(1); die <= 6; die++ {
		if g.wins(excess, die+modifier) {
			n++
		}
	}
	return float64(n) / 6
}

// oddsText is the chance of each column of the table; an owner's bid comes off the excess.
func (s *State) oddsText(label string, modifier int32) string {
	var words []string
	for excess := int32(1); excess <= maxExcess; excess++ {
		more := board.When(excess == maxExcess, "+")
		words = append(words, fmt.Sprintf("%d%sm %.0f %%", excess, more, 100*s.game.chance(excess, modifier)))
	}
	return label + ": " + strings.Join(words, ", ")
}

// targetTexts are who rules the legal targets and what they take, of all that are alike in one line.
func (s *State) targetTexts() (lines []string) {
	var terms []string
	alike := map[string][]string{}
	for z := range Zone(NumZones) {
		if !s.legal().Has(PickZone(z)) {
			continue
		}
		e := &s.game.data.Election
		takes := fmt.Sprintf("least bid %dm", e.LeastContested)
		if s.Owner(z) == nobody {
			takes = fmt.Sprintf("least bid %dm (%dm if another joins)", e.LeastAlone, e.LeastContested)
		}
		takes += board.When(s.sl[z] == 0, ", and goods %d and %dm if it is won", e.Goods, e.Cash)
		term := fmt.Sprintf("%s, value %dm, %s", seatName(s.Owner(z)), s.game.zoneValue[s.sl[z]], takes)
		if alike[term] == nil {
			terms = append(terms, term)
		}
		alike[term] = append(alike[term], z.String())
	}
	for _, term := range terms {
		lines = append(lines, fmt.Sprintf("  %s: %s", strings.Join(alike[term], ", "), term))
	}
	return append(lines, s.oddsText("  chance by excess (bid - value - defence)", 0))
}

// bidTexts are the range of the bid and its chances.
func (s *State) bidTexts(p env.Player) (lines []string) {
	least, most := s.bidRange(p)
	if most < least {
		return []string{fmt.Sprintf("  %dm are needed, %dm can be committed: sell cards, or withdraw with 0", least, most)}
	}
	lines = append(lines, fmt.Sprintf("  %dm to %dm; named so far %d", least, most, s.running))
	lines = board.AppendWhen(lines, int8(p) == s.defender,
		"  what the claimant's bid exceeds value and defence by decides the column:")
	return append(lines, s.oddsText("  chance by excess without cards", 0))
}
