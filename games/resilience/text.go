package resilience

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// The table as people read it: RULES.md 14. Nothing here looks at the hidden length before the end.

// AppendText shows the table to p, and, if p decides, what it may do and what comes of it.
func (s *State) AppendText(dst []byte, p env.Player) []byte {
	t := board.NewPage(dst)
	s.textMiddle(t)
	s.textBoard(t)
	for q := range env.Player(s.game.players) {
		s.textSeat(t, q, p)
	}
	t.Line("(LQ due: at the next allocation, for new settlements and a sabbatical. %%: LQ of both; !: beyond")
	t.Line("80:20 either way, which takes %d off the total.)", s.game.data.Penalty)
	if s.decision != Over {
		t.Line("%s %s", s.farText(), s.eventsText())
		t.Line("%s", s.pricesText())
	}
	t.Line("")
	switch {
	case s.decision == Over:
		s.textEnd(t)
	case s.Actor() == p:
		s.textChoice(t)
	case s.decision == AtTurn:
		t.Line("%s.", s.waits())
	default:
		t.Line("%s: %s.", s.waits(), s.offerText())
	}
	return t.Bytes()
}

// clockText is the time used, and of how much: the range of the hidden length, or what is known of it.
func (s *State) clockText() string {
	least, most := s.game.Lengths()
	length := fmt.Sprintf("%d-%d", least/60, most/60)
	if s.decision == Over || !s.game.random {
		length = fmt.Sprint(s.limit / 60)
	}
	return timeText(int(s.clock)) + " of " + length + " min"
}

// timeText is a time in minutes, with seconds if there are any.
func timeText(seconds int) string {
	text := fmt.Sprint(seconds / 60)
	if rest := seconds % 60; rest != 0 {
		text += fmt.Sprintf(":%02d", rest)
	}
	return text
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// farStones is how far ahead the danger of the tower is told.
const farStones = 10

// farText is the danger of more stones.
func (s *State) farText() string {
	n := min(farStones, s.game.Stones()-s.Tower())
	return fmt.Sprintf("A fall within the next %s: %s.", spelling.Counted(n, "stone"), percent(s.FallWithin(n)))
}

// stonesText is what the next stones mean.
func (s *State) stonesText() string {
	left := s.game.Stones() - s.Tower()
	if left == 0 {
		return "no stone left"
	}
	text := "risk of collapse: next stone " + percent(s.NextFall(0))
	if left > 1 {
		text += ", the one after " + percent(s.NextFall(1))
	}
	if n := s.UntilEvent(); n == left {
		return text + fmt.Sprintf("; the game ends after %d", n)
	}
	return text + "; event in " + spelling.Counted(s.UntilEvent(), "stone")
}

func (s *State) textMiddle(t *board.Page) {
	t.Line("Round %d, turn %d of %d   %s, %s a round   ends with this turn: %s", s.round, s.turn+1, s.game.players,
		s.clockText(), timeText(s.game.RoundTime()), percent(s.EndChance()))
	t.Line("Tower %d [%s|%s]  %s", s.tower, strings.Repeat("#", s.Tower()), strings.Repeat(".", s.game.Stones()-s.Tower()),
		s.stonesText())
	var stacks []string
	for i, size := range s.game.data.Stacks {
		switch left := s.Stack(i); left {
		case 0:
			stacks = append(stacks, "-")
		case size:
			stacks = append(stacks, fmt.Sprint(size))
		default:
			stacks = append(stacks, fmt.Sprintf("%d/%d", left, size))
		}
	}
	t.Line("Stacks %s (stones left)   cover cards %d of %d   deck %d of %d", strings.Join(stacks, " "),
		s.game.data.Markers-s.Covered().Count(), s.game.data.Markers, s.DeckLeft(), len(s.game.events))
	t.List("Events drawn: ", ", ", s.drawnEvents())
	t.Line("")
}

// drawnEvents names the event cards drawn since the last shuffle.
func (s *State) drawnEvents() (names []string) {
	for i, card := range s.game.data.Events {
		names = board.AppendWhen(names, s.deck>>i&1 == 0, "%s", card.Name)
	}
	return names
}

// eventsText is what the next event may do, without the parts that would leave the board (RE-093).
func (s *State) eventsText() string {
	deck := s.deck
	if deck == 0 { // RE-090
		deck = s.game.fullDeck
	}
	throws, parts := float64(bits.OnesCount32(deck)*NumFields), map[bool]int{}
	for r := deck; r != 0; r &= r - 1 {
		for _, p := range s.game.events[bits.TrailingZeros32(r)].parts {
			for _, f := range p.target[0] {
				if f >= 0 {
					parts[p.destroys]++
				}
			}
		}
	}
	return fmt.Sprintf("An event strikes any of the %d fields and some around it: the cards left block %.1f and "+
		"destroy %.1f on average.", NumFields, float64(parts[false])/throws, float64(parts[true])/throws)
}

// pricesText is what buildings and sabbaticals cost and bring.
func (s *State) pricesText() string {
	g := s.game
	var words []string
	for level := Settlement; level < numLevels; level++ {
		words = append(words, fmt.Sprintf("%s %d RES, %d a round, %d on the tower", g.data.Buildings[level-1].Name,
			g.cost[level], g.production[level], g.buildingStones[level]))
	}
	return fmt.Sprintf("Prices: %s; %d RES more to settle away from own fields; sabbatical %d RES and the round's "+
		"income, %d LQ.", strings.Join(words, "; "), g.data.Travel, g.data.SabbaticalRES, g.data.SabbaticalLQ)
}

func roundsText(rounds int, whole string) string {
	if rounds == wholeGame {
		return whole
	}
	return fmt.Sprint(rounds)
}

var levelLetters = [numLevels]string{"", "s", "c", "i"}

// fieldText is owner and building, smog, and cover: p0s settlement, p1c city, p2i industry, ~ smog, B2, D*.
func (s *State) fieldText(f Field) string {
	text := "."
	if p := s.Owner(f); p >= 0 {
		text = board.Mark(p) + levelLetters[s.Level(f)]
	}
	text += board.When(s.smogged.Has(f), "~")
	if s.left[f] > 0 {
		text += s.coverLetter(f) + roundsText(int(s.left[f]), "*")
	}
	return text
}

// textBoard draws the hexagon in columns, sector 1 upwards.
func (s *State) textBoard(t *board.Page) {
	const width, columns = 10, 7
	for y := -6; y <= 6; y++ {
		var line [columns * width]byte
		for i := range line {
			line[i] = ' '
		}
		for q := -3; q <= 3; q++ {
			if (y-q)%2 != 0 {
				continue
			}
			text := ""
			at := hex{q, (y - q) / 2}
			if f := s.game.fieldAt(at); f >= 0 {
				text = f.String() + " " + s.fieldText(f)
			} else if at == (hex{}) {
				text = fmt.Sprintf("TOWER %d", s.tower)
			}
			copy(line[(q+3)*width:], text)
		}
		t.Line("%s", strings.TrimRight(string(line[:]), " "))
	}
	t.Line("(field: owner, p0 for player 0, with s settlement, c city, i industry; ~ smog paid; B2 blocked for 2")
	t.Line("rounds, brings nothing; D* destroyed for the whole game, the building is gone; a dot is empty.")
	t.Line("Fields touch above, below and at an angle.)")
	t.Line("")
}

func (s *State) textSeat(t *board.Page, q, viewer env.Player) {
	mark, you := " ", ""
	if s.Active() == q {
		mark = ">"
	}
	if q == viewer {
		you = " (you)"
	}
	you += board.When(s.Leader() == q, " leads")
	share := ""
	if sum := s.RES(q) + s.LQ(q); sum > 0 {
		share = fmt.Sprintf(" (%d %%", (100*s.LQ(q)+sum/2)/sum)
		share += board.When(s.Unequal(q), "!")
		share += ")"
	}
	t.Line("%s player %d%s  RES %d  LQ %d%s  income %d  LQ due %d  total %d", mark, q, you,
		s.RES(q), s.LQ(q), share, s.Income(q), s.LQDue(q), s.Total(q))
	words := []string{fmt.Sprintf("fields %d of %d, cities %d of %d, industries %d of %d",
		s.land[q].Count(), s.game.pieces[Settlement], s.Cities(q).Count(), s.game.pieces[City],
		(s.land[q] & s.industries).Count(), s.game.pieces[Industry])}
	words = board.AppendWhen(words, s.sabbaticals[q] > 0, "sabbaticals %d", s.sabbaticals[q])
	words = board.AppendWhen(words, s.resting[q], "on sabbatical now")
	if w := s.promise[q]; w != NoWord {
		words = append(words, "promised "+wordMeanings[w])
	}
	words = board.AppendWhen(words, s.Active() == q && s.promiseNew != NoWord, "promises for the next turn %s",
		wordMeanings[s.promiseNew])
	if kept, broken := s.Kept(q); kept+broken > 0 {
		words = append(words, fmt.Sprintf("kept %s, broke %d", spelling.Counted(kept, "promise"), broken))
	}
	t.List("    ", "; ", words)
}

// textEnd is the cause, the culprit, and how everybody's points are made up.
func (s *State) textEnd(t *board.Page) {
	switch s.ending {
	case Collapse:
		t.Line("The tower fell in the turn of player %d. LQ alone counts.", s.culprit)
	case Stones:
		t.Line("All stones are used, and the tower stands.")
	default:
		t.Line("The time is up, and the tower stands.")
	}
	t.Line("The game was set to %s.", minutesText(s.limit))
	for q := range env.Player(s.game.players) {
		won := board.When(s.Winners().Has(q), "  wins")
		if s.ending == Collapse {
			t.Line("  player %d: %d LQ%s", q, s.LQ(q), won)
			continue
		}
		penalty := board.When(s.Unequal(q), " - %d beyond 80:20", s.game.data.Penalty)
		t.Line("  player %d: %d RES + %d LQ%s = %d%s", q, s.RES(q), s.LQ(q), penalty, s.Total(q), won)
	}
}

var kindWords = [numKinds]string{
	"player %d gives player %d %d RES as a present",
	"player %d asks player %d for %d RES",
	"player %d pays player %d %d RES to dismantle a city or industry now",
	"player %d dismantles a city or industry of its own now, and player %d pays %d RES for it",
}

// offerText is the running offer.
func (s *State) offerText() string {
	if s.amount == 0 {
		return fmt.Sprintf("%s from player %d to player %d, amount to come", kindTexts[s.kind], s.Active(), s.partner)
	}
	return fmt.Sprintf(kindWords[s.kind], s.Active(), s.partner, s.amount)
}

// textChoice is what the actor may do.
func (s *State) textChoice(t *board.Page) {
	t.Line("%s.", s.asks())
	t.Line("Legal actions:")
	type choice struct {
		what  string
		which []string
	}
	var choices []choice
	legal := make(env.Mask, s.game.info.MaskWords())
	s.Legal(legal)
	for _, a := range legal.Append(nil) {
		what, which := s.About(a)
		i := slices.IndexFunc(choices, func(c choice) bool { return c.what == what })
		if i < 0 || which == "" {
			choices = append(choices, choice{what, []string{s.game.info.Actions[a].Text}})
			continue
		}
		choices[i].which = append(choices[i].which, which)
	}
	for _, c := range choices {
		if s.decision == AtAmount {
			c.which = []string{fmt.Sprintf("amount 1-%d", s.mostAmount())}
		}
		t.List("  "+c.what+": ", ", ", c.which)
	}
}

// smogText says who pays how much for an industry on f.
func (s *State) smogText(f Field) string {
	var payers []string
	for q := range env.Player(s.game.players) {
		if n := s.SmogPayers(q, f).Count(); n > 0 {
			payers = append(payers, fmt.Sprintf("player %d up to %d LQ", q, n*s.game.data.SmogLQ))
		}
	}
	if payers == nil {
		return "no smog"
	}
	text := "smog costs " + strings.Join(payers, ", ")
	text += board.When(s.game.smogRounds, " in each round")
	return text
}

// eventText says whether some more stones end the game or bring an event.
func (s *State) eventText(stones int) string {
	for k := int(s.tower) + 1; k <= min(int(s.tower)+stones, int(s.game.stones)); k++ {
		switch {
		case k == int(s.game.stones):
			return ", the last stone"
		case s.game.empties>>k&1 != 0:
			return ", brings an event"
		}
	}
	return ""
}
