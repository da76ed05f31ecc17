package scripted

import (
	"earthgym/env"
	"earthgym/games/newearth"
)

// Elections, as the strong bot of New Earth holds them: cash that is not needed for goods buys zones, at the odds of
// the Election Results Table; on the last turn, when cash is worth nothing, whatever scores.

// prize is what winning a zone is worth, its owner's loss included.
func (b *newEarthStrong) prize(z newearth.Zone) float64 {
	if b.state.LastTurn() {
		return b.lastPrize(z)
	}
	if b.state.Owner(z) < 0 {
		return b.weights.Land + b.units(z)
	}
	return b.worth(z)
}

// lastPrize is what a zone adds to the score, bonuses included, and takes from its owner's.
func (b *newEarthStrong) lastPrize(z newearth.Zone) float64 {
	s, points := b.state, &b.game.Data().Points
	value := float64(s.ZoneValue(z))
	level := s.Level(z)
	if level == 0 {
		level = 1
		value += float64(b.game.Data().Levels.Points[1] - b.game.Data().Levels.Points[0])
	}
	prize := float64(b.counted(z) * value)
	owner := s.Owner(z)
	if owner >= 0 {
		prize += float64(b.weights.Rob * b.counted(z) * float64(s.ZoneValue(z)))
	}
	mine, most := s.Owned(b.me).Count(), 0
	for q := range b.others {
		zones := s.Owned(q).Count()
		if q == owner {
			zones--
		}
		most = max(most, zones)
	}
	if mine <= most && mine+1 > most || owner >= 0 && mine == most+1 && s.Owned(owner).Count() >= mine {
		prize += float64(points.MostZones)
	}
	balanced := true
	for own := s.Owned(b.me); own != 0; own = own.Rest() {
		balanced = balanced && s.Level(own.First()) == s.Level(s.Owned(b.me).First())
	}
	if balanced && level != s.Level(s.Owned(b.me).First()) {
		prize -= float64(points.Balanced)
	}
	return prize
}

// campaign is what an election in a zone promises above its cost, and the cash to commit.
func (b *newEarthStrong) campaign(z newearth.Zone) (worth float64, bid int) {
	s, d := b.state, b.game.Data()
	e, spare := &d.Election, b.spare()
	infrastructure, least, against := 0, e.LeastAlone, 0
	if s.Level(z) == 0 {
		infrastructure = e.Cash
	}
	if owner := s.Owner(z); owner >= 0 {
		least = e.LeastContested
		defence := b.weights.Defence
		if s.LastTurn() {
			defence = b.weights.Stand
		}
		against = d.Levels.Election[s.Level(z)] + min(s.Has(owner, newearth.Cash), int(defence))
	}
	prize, coin := b.prize(z), b.weights.Coin
	if s.LastTurn() {
		coin = 0.01
	}
	worth = Unwanted
	for excess := 1; excess <= len(e.Die); excess++ {
		cash := max(least, against+excess)
		if cash+infrastructure > spare {
			break
		}
		chance := min(1, float64(7-e.Die[excess-1])/6)
		if w := float64(chance*(prize-float64(coin*float64(infrastructure)))) - float64(coin*float64(cash)); w > worth {
			worth, bid = w, cash
		}
	}
	return worth, bid
}

// elect scores elections by what they promise, against none.
func (b *newEarthStrong) elect() {
	s, r := b.state, &b.ranking
	r.put(newearth.Done, 0)
	stretched := b.stretched()
	for set := b.zones(); set != 0; set = set.Rest() {
		if z := set.First(); s.Level(z) > 0 || !stretched || s.Count(z, newearth.Maker) > 0 {
			worth, _ := b.campaign(z)
			r.put(newearth.PickZone(z), worth)
		}
	}
	if s.LastTurn() {
		// What is not committed by now brings its cash first.
		if c, ok := b.bestCard(newearth.Sell, func(c newearth.Card) float64 { return float64(b.game.Sale(c)) }); ok {
			r.put(newearth.Sell(c), -Unwanted)
			return
		}
	}
	if links := newearth.Play(newearth.TransportLinks); r.best == newearth.Done && b.mask.Has(links) && !stretched &&
		float64(b.spare()) >= b.weights.Links {
		r.put(links, 1)
	}
}

// stretched says whether another zone would take more goods than manufacturing can make, with something
// left to grow. Two units of manufacturing make ten goods.
func (b *newEarthStrong) stretched() bool {
	s := b.state
	makers := s.Output(b.me)[newearth.Manufacturing] + int32(s.MixedMachines(b.me, s.Owned(b.me)))
	return b.left() > 1 && s.Need(b.me) >= int(b.weights.Strain*float64(makers))
}

// join enters an election of others for a zone that is worth the contest.
func (b *newEarthStrong) join() env.Action {
	if float64(b.spare()) >= b.weights.Join && b.prize(b.state.Target()) >= b.weights.Prize {
		return b.first(newearth.Yes, newearth.No)
	}
	return newearth.No
}

// commitment is the bid that the zone takes, and in defence an unpredictable sum, on the last turn all there is.
func (b *newEarthStrong) commitment() int {
	s := b.state
	least, most := s.CommitRange(b.me)
	z := s.Target()
	switch {
	case s.Owner(z) == b.me && s.LastTurn():
		return most
	case s.Owner(z) == b.me:
		return min(most, b.bluff(1+int(b.weights.Guard*b.worth(z))))
	case most < least:
		return 0 // it withdraws
	}
	_, bid := b.campaign(z)
	switch {
	case s.Owner(z) < 0 && s.Participants() == 1:
		bid = min(bid, len(b.game.Data().Election.Die))
	case s.LastTurn():
		bid = most
	case s.Participants() > 1:
		bid += 1 + b.bluff(3)
	}
	if !s.LastTurn() {
		most = min(most, max(b.spare(), least))
	}
	return max(least, min(most, bid))
}

// march scores where the leader may go by the targets that it reaches next turn, and by what it guards: a zone with a
// leader cannot be attacked, and a move brings a card.
func (b *newEarthStrong) march() {
	b.ranking.put(newearth.Done, b.post(b.state.Leader(b.me)))
	for set := b.zones(); set != 0; set = set.Rest() {
		b.ranking.put(newearth.PickZone(set.First()), b.post(set.First())+b.weights.Move)
	}
}

// post is what the leader is worth in a zone.
func (b *newEarthStrong) post(z newearth.Zone) float64 {
	s := b.state
	first, second, exposed := 0.0, 0.0, false
	for y := range (s.Near(z) &^ s.Owned(b.me)).Each {
		owned := s.Owner(y) >= 0
		exposed = exposed || owned
		if owned && s.Level(y) > s.Level(z) {
			continue
		}
		switch w := b.prize(y); {
		case w > first:
			first, second = w, first
		case w > second:
			second = w
		}
	}
	guard := 0.1
	if exposed {
		guard = 0.35
	}
	return float64(b.weights.Reach*(first+float64(second/2))) + float64(b.weights.Shield*guard*b.worth(z))
}
