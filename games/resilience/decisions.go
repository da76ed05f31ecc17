package resilience

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/form"
)

type (
	decision = form.Decision[State, teller]
	move     = form.Move[State, teller]
	need     = form.Need[State]
)

// decisions is the table of what is asked (RULES.md 5.2 and 5.3).
func decisions() [numDecisions]decision {
	const offer = " decides on an offer"
	return [numDecisions]decision{
		AtTurn: {
			Name: "turn", Rule: "RE-020", Asks: "Your turn", Brief: "'s turn", Seat: (*State).Active,
			Check: (*State).checkNoDeal,
			Legal: (*State).legalTurn,
			Moves: []move{
				{
					Block: act.settle,
					Needs: []need{{Each: (*State).settleable, Why: (*State).whyNotSettle}},
					Play:  func(s *State, p env.Player, i int, tape *env.Tape) { s.settle(p, Field(i), tape) },
					About: (*State).aboutSettling,
					Tell:  (*teller).settles,
				},
				developing(act.city, City, "RE-037"), developing(act.industry, Industry, "RE-038"),
				{
					Block: act.dismantle,
					Needs: []need{{Rule: "RE-045", Says: "player {p} has nothing on {1}", Each: (*State).dismantlable}},
					Play:  func(s *State, p env.Player, i int, _ *env.Tape) { s.dismantle(p, Field(i)) },
					About: (*State).aboutDismantling,
					Tell:  (*teller).dismantles,
				},
				{
					Block: act.sabbatical,
					Needs: []need{{All: (*State).sabbaticalPossible, Why: (*State).whyNoSabbatical}},
					Play:  func(s *State, p env.Player, _ int, tape *env.Tape) { s.takeSabbatical(p, tape) },
					About: (*State).aboutSabbatical,
				},
				{
					Block: act.done,
					Play:  func(s *State, _ env.Player, _ int, tape *env.Tape) { s.endTurn(tape) }, About: (*State).aboutDone,
				},
				{
					Block: act.offer,
					Needs: []need{{Each: (*State).offers, Why: (*State).whyNotOffer}},
					Play:  func(s *State, _ env.Player, i int, _ *env.Tape) { s.offer(s.offerOf(i)) },
					About: (*State).aboutOffer,
					Tell:  (*teller).offers,
				},
				{
					Block: act.say,
					Needs: []need{{All: (*State).mayTalk, Why: (*State).whyNoTalk}},
					Play:  func(s *State, _ env.Player, i int, _ *env.Tape) { s.say(Calm + Word(i)) },
					About: (*State).aboutWord,
					Tell:  func(t *teller, p env.Player, i int) { t.Say("say-"+wordTexts[Calm+Word(i)], p, 1, nil) },
				},
				{
					Block: act.amount,
					Needs: []need{{Rule: "RE-130", Says: "an amount belongs to an offer, and none has been opened"}},
				},
				{Block: act.yes, Needs: []need{{Rule: "RE-132", Says: "there is no offer to answer"}}},
				{Block: act.no, Needs: []need{{Rule: "RE-132", Says: "there is no offer to answer"}}},
			},
		},
		AtAmount: {
			Name: "amount", Rule: "RE-130", Asks: "You make an offer", Brief: offer, Seat: (*State).Active, Inside: true,
			Check: (*State).checkDeal,
			Else:  "the offer needs its amount first (RE-130)",
			Moves: []move{{
				Block: act.amount,
				Needs: []need{{
					Each: func(s *State, _ env.Player) uint64 { return form.Below(s.mostAmount()) },
					Why: func(s *State, _ env.Player, _ int) string {
						payer := s.payer(s.kind, env.Player(s.partner))
						return fmt.Sprintf("player %d has only %d RES to pay with (RE-130)", payer, s.res[payer])
					},
				}},
				Play: func(s *State, _ env.Player, i int, _ *env.Tape) { s.amount, s.decision = int8(i)+1, AtReply },
				Does: "So many RES",
				Tell: (*teller).names,
			}},
		},
		AtReply: {
			Name: "reply", Rule: "RE-131", Asks: "You are made an offer", Brief: offer,
			Seat:  func(s *State) env.Player { return env.Player(s.partner) },
			Check: (*State).checkDeal,
			Else:  "player {p} must answer yes or no to the offer first (RE-132)",
			Moves: []move{
				{
					Block: act.yes,
					Play:  func(s *State, _ env.Player, _ int, _ *env.Tape) { s.accept() }, About: (*State).aboutAgreeing,
					Tell: (*teller).agrees,
				}, {
					Block: act.no,
					Play:  func(s *State, _ env.Player, _ int, _ *env.Tape) { s.endDeal() }, About: (*State).aboutDeclining,
				},
			},
		},
		AtPick: {
			Name: "pick", Rule: "RE-132", Asks: "Agreed", Brief: offer, Inside: true,
			Seat:  func(s *State) env.Player { return s.dismantler(s.kind, env.Player(s.partner)) },
			Check: (*State).checkDeal,
			Else:  "player {p} must choose the city or industry to dismantle first (RE-132)",
			Moves: []move{{
				Block: act.dismantle,
				Needs: []need{{
					Rule: "RE-131", Says: "{1} has no city or industry of player {p}",
					Each: func(s *State, p env.Player) uint64 { return uint64(s.removable(p)) },
				}},
				Play: func(s *State, _ env.Player, i int, _ *env.Tape) { s.pick(Field(i)) }, About: (*State).aboutPicking,
				Tell: (*teller).dismantles,
			}},
		},
		Over: {
			Name:  "over",
			Check: (*State).checkNoDeal,
			Why:   func(s *State, _ env.Player, _ env.Action) string { return "the game is over (" + s.Reason() + ")" },
		},
	}
}

// developing is the move of building a city or an industry.
func developing(block form.Block, level Level, rule string) move {
	return move{
		Block: block,
		Needs: []need{{
			Each: func(s *State, p env.Player) uint64 { return s.developable(p, level) },
			Why:  func(s *State, p env.Player, i int) string { return s.whyNotDevelop(p, Field(i), level, rule) },
		}},
		Play: func(s *State, p env.Player, i int, tape *env.Tape) { s.develop(p, Field(i), level, tape) },
		About: func(s *State, p env.Player, i int) (string, []env.Effect) {
			return s.aboutDeveloping(p, Field(i), level)
		},
	}
}

// legalTurn is what the needs of the moves of a turn leave: it is asked so often that it goes straight to them.
func (s *State) legalTurn(m env.Mask, p env.Player) {
	m.Block(act.settle.First, s.settleable(p))
	m.Block(act.city.First, s.developable(p, City))
	m.Block(act.industry.First, s.developable(p, Industry))
	m.Block(act.dismantle.First, s.dismantlable(p))
	m.Set(Done)
	m.SetIf(s.sabbaticalPossible(p), Sabbatical)
	m.Block(act.offer.First, s.offers(p))
	if s.mayTalk(p) {
		m.Block(act.say.First, act.say.All())
	}
}
