package resilience

import (
	"fmt"
	"strconv"

	"earthgym/env"
)

// The action table (RULES.md 5.4): blocks of numbers, one per family.
const (
	settle0    env.Action = 0                      // + field
	city0                 = settle0 + NumFields    // + field
	industry0             = city0 + NumFields      // + field
	dismantle0            = industry0 + NumFields  // + field
	Sabbatical            = dismantle0 + NumFields // pay 1 RES, 8 LQ at the allocation, end the turn
	Done                  = Sabbatical + 1         // end the turn
	offer0                = Done + 1               // + 4 x (places clockwise - 1) + kind
	amount0               = offer0 + numOffers     // + RES - 1
	Yes                   = amount0 + maxAmount    // accept the offer
	No                    = Yes + 1                // refuse it
	say0                  = No + 1                 // + word - 1
	numActions            = int(say0) + int(numWords-Calm)
	numOffers             = (maxPlayers - 1) * env.Action(numKinds)
)

// Settle founds a settlement.
func Settle(f Field) env.Action { return settle0 + env.Action(f) }

// BuildCity turns a settlement into a city.
func BuildCity(f Field) env.Action { return city0 + env.Action(f) }

// BuildIndustry turns a settlement into an industry.
func BuildIndustry(f Field) env.Action { return industry0 + env.Action(f) }

// Dismantle takes a building down by one step; in Pick it is the one that the deal is about.
func Dismantle(f Field) env.Action { return dismantle0 + env.Action(f) }

// Offer opens a deal with the seat that sits places (1 to 3) clockwise from the active one.
func Offer(places int, k Kind) env.Action {
	return offer0 + env.Action(places-1)*env.Action(numKinds) + env.Action(k)
}

// Amount names the RES of an offer, 1 to 20.
func Amount(k int) env.Action { return amount0 + env.Action(k-1) }

// Say makes a statement.
func Say(w Word) env.Action { return say0 + env.Action(w-Calm) }

var (
	kindTexts = [numKinds]string{"gift", "ask", "hire", "serve"}
	wordTexts = [numWords]string{"", "calm", "cut", "rest", "grow", "warn"}
)

// actionTable is the same for every configuration.
func actionTable() []env.ActionInfo {
	table := make([]env.ActionInfo, 0, numActions)
	add := func(family string, args ...string) *env.ActionInfo {
		text := family
		for _, arg := range args {
			text += " " + arg
		}
		table = append(table, env.ActionInfo{Family: family, Args: args, Text: text})
		return &table[len(table)-1]
	}
	for _, family := range []string{"settle", "city", "industry", "dismantle"} {
		for f, field := range fieldNames {
			add(family, field).Objects = []env.ObjectRef{{Kind: fieldObject, Index: f}}
		}
	}
	add("sabbatical")
	add("done")
	for places := 1; places < maxPlayers; places++ {
		for _, kind := range kindTexts {
			add("offer", "+"+strconv.Itoa(places), kind).Objects = []env.ObjectRef{{Kind: seatObject, Index: places}}
		}
	}
	for k := 1; k <= maxAmount; k++ {
		add("amount", strconv.Itoa(k))
	}
	add("yes")
	add("no")
	for _, word := range wordTexts[Calm:] {
		add("say", word)
	}
	return table
}

// clockwise is the seat so many places clockwise from the active one.
func (s *State) clockwise(places int) env.Player {
	return env.Player((int(s.Active()) + places) % s.game.players)
}

// offerOf gives the kind and the seat asked of an offer.
func (s *State) offerOf(a env.Action) (Kind, env.Player) {
	i := a - offer0
	return Kind(i % env.Action(numKinds)), s.clockwise(int(i)/int(numKinds) + 1)
}

// Legal is what the actor may do: RULES.md 5.2 and 5.3.
func (s *State) Legal(m env.Mask) {
	m.Clear()
	switch s.phase {
	case Turn:
		s.legalTurn(m)
	case AmountOf:
		put(m, amount0, 1<<s.mostAmount()-1)
	case Reply:
		put(m, Yes, 0b11)
	case Pick:
		put(m, dismantle0, uint64(s.removable(s.Actor())))
	}
}

func (s *State) legalTurn(m env.Mask) {
	p := s.Active()
	put(m, settle0, uint64(s.settleable(p)))
	put(m, city0, uint64(s.developable(p, City)))
	put(m, industry0, uint64(s.developable(p, Industry)))
	put(m, dismantle0, uint64(s.land[p]))
	rest := uint64(1) << (Done - Sabbatical)
	if s.sabbaticalPossible(p) {
		rest |= 1
	}
	put(m, Sabbatical, rest)
	if s.game.deals {
		put(m, offer0, s.legalOffers())
	}
	if s.game.talk && !s.said {
		put(m, say0, 1<<(numWords-Calm)-1)
	}
}

func (s *State) legalOffers() uint64 {
	var offers uint64
	for places := 1; places < s.game.players; places++ {
		offers |= s.offersTo(s.clockwise(places)) << (Offer(places, Gift) - offer0)
	}
	return offers
}

// put lays a block of bits into the mask, from action a on.
func put(m env.Mask, a env.Action, block uint64) {
	word, shift := a>>6, uint(a)&63
	m[word] |= block << shift
	if shift > 0 {
		if over := block >> (64 - shift); over != 0 {
			m[word+1] |= over
		}
	}
}

// Why says why an action is not legal, with the rule's id.
func (s *State) Why(a env.Action) string {
	if a < 0 || int(a) >= numActions {
		return fmt.Sprintf("there is no action %d; they go from 0 to %d", a, numActions-1)
	}
	switch s.phase {
	case Over:
		return "the game is over (" + s.Reason() + ")"
	case AmountOf:
		return s.whyNotAmount(a)
	case Reply:
		if a == Yes || a == No {
			return ""
		}
		return fmt.Sprintf("player %d must answer yes or no to the offer first (RE-132)", s.partner)
	case Pick:
		return s.whyNotPick(a)
	}
	return s.whyNotInTurn(a)
}

func (s *State) whyNotAmount(a env.Action) string {
	if a < amount0 || a >= Yes {
		return "the offer needs its amount first (RE-130)"
	}
	if k := int(a-amount0) + 1; k > s.mostAmount() {
		payer := s.payer(s.kind, env.Player(s.partner))
		return fmt.Sprintf("player %d has only %d RES to pay with (RE-130)", payer, s.res[payer])
	}
	return ""
}

func (s *State) whyNotPick(a env.Action) string {
	if a < dismantle0 || a >= Sabbatical {
		return fmt.Sprintf("player %d must choose the city or industry to dismantle first (RE-132)", s.Actor())
	}
	if f := Field(a - dismantle0); !s.removable(s.Actor()).Has(f) {
		return fmt.Sprintf("%s has no city or industry of player %d (RE-131)", f, s.Actor())
	}
	return ""
}

func (s *State) whyNotInTurn(a env.Action) string {
	p := s.Active()
	switch {
	case a < city0:
		return s.whyNotSettle(p, Field(a-settle0))
	case a < industry0:
		return s.whyNotDevelop(p, Field(a-city0), City)
	case a < dismantle0:
		return s.whyNotDevelop(p, Field(a-industry0), Industry)
	case a < Sabbatical:
		if f := Field(a - dismantle0); !s.land[p].Has(f) {
			return fmt.Sprintf("player %d has nothing on %s (RE-045)", p, f)
		}
	case a == Sabbatical:
		return s.whyNoSabbatical(p)
	case a == Done:
	case a < amount0:
		return s.whyNotOffer(a)
	case a < Yes:
		return "an amount belongs to an offer, and none has been opened (RE-130)"
	case a < say0:
		return "there is no offer to answer (RE-132)"
	case !s.game.talk:
		return "this game is played without talk (RE-140, option talk)"
	case s.said:
		return "one statement a turn, and it has been made (RE-140)"
	}
	return ""
}

func (s *State) whyNotSettle(p env.Player, f Field) string {
	price := s.SettlePrice(p, f)
	switch {
	case s.Owner(f) >= 0:
		return fmt.Sprintf("%s is occupied by player %d (RE-030)", f, s.Owner(f))
	case s.Covered().Has(f):
		return fmt.Sprintf("%s is covered (RE-034)", f)
	case s.PiecesLeft(p, Settlement) <= 0:
		return fmt.Sprintf("player %d has no settlement left: all %d are on the board (RE-035)", p, s.game.pieces[Settlement])
	case int(s.res[p]) < price && price > int(s.game.cost[Settlement]):
		return fmt.Sprintf("it costs %d RES, as settlers must travel to %s, and player %d has %d (RE-032, RE-004)", price, f, p, s.res[p])
	case int(s.res[p]) < price:
		return fmt.Sprintf("it costs %d RES, and player %d has %d (RE-031, RE-004)", price, p, s.res[p])
	}
	return ""
}

func (s *State) whyNotDevelop(p env.Player, f Field, level Level) string {
	switch {
	case !s.land[p].Has(f):
		return fmt.Sprintf("player %d has no settlement on %s (%s)", p, f, developRule[level])
	case s.Level(f) != Settlement:
		return fmt.Sprintf("%s is developed already (%s); dismantle it first (RE-040)", f, s.game.data.Buildings[s.Level(f)-1].Name)
	case s.Covered().Has(f):
		return fmt.Sprintf("%s is covered (RE-039)", f)
	case s.PiecesLeft(p, level) <= 0:
		return fmt.Sprintf("player %d has no %s left: all %d are on the board (RE-041)", p, s.game.data.Buildings[level-1].Name, s.game.pieces[level])
	case s.res[p] < s.game.cost[level]:
		return fmt.Sprintf("it costs %d RES, and player %d has %d (%s, RE-004)", s.game.cost[level], p, s.res[p], developRule[level])
	}
	return ""
}

var developRule = [numLevels]string{City: "RE-037", Industry: "RE-038"}

func (s *State) whyNoSabbatical(p env.Player) string {
	switch {
	case s.built:
		return fmt.Sprintf("player %d has settled or developed in this turn (RE-051)", p)
	case s.sabbaticalsUsedUp(p):
		return fmt.Sprintf("player %d has taken all %d sabbaticals (RE-054)", p, s.game.sabbaticals)
	case s.res[p] < int32(s.game.data.SabbaticalRES):
		return fmt.Sprintf("it costs %d RES, and player %d has %d (RE-050)", s.game.data.SabbaticalRES, p, s.res[p])
	}
	return ""
}

func (s *State) whyNotOffer(a env.Action) string {
	places := int(a-offer0)/int(numKinds) + 1
	if !s.game.deals {
		return "this game is played without deals (RE-130, option deals)"
	}
	if places >= s.game.players {
		return fmt.Sprintf("nobody sits %d places on: there are %d players (RE-001)", places, s.game.players)
	}
	kind, partner := s.offerOf(a)
	payer := s.payer(kind, partner)
	d := s.dismantler(kind, partner)
	switch {
	case s.asked[partner]:
		return fmt.Sprintf("player %d has had an offer in this turn (RE-130)", partner)
	case s.res[payer] < 1:
		return fmt.Sprintf("player %d has no RES to pay with (RE-130)", payer)
	case d >= 0 && s.removable(d) == 0:
		return fmt.Sprintf("player %d has no city or industry to dismantle (RE-133)", d)
	}
	return ""
}
