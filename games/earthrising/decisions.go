package earthrising

import (
	"earthgym/env"
	"earthgym/env/form"
)

// A row is what the rules say of a decision.
type (
	row    = form.Decision[State, teller]
	option = form.Move[State, teller]
)

// decisions is the table of what is asked.
func decisions() [numDecisions]row {
	some := func(block form.Block, of func(*State, env.Player) uint64) option {
		return option{Block: block, Needs: []form.Need[State]{{Each: of}}}
	}
	card := func(of func(s *State) Set) option {
		return some(act.discard, func(s *State, _ env.Player) uint64 { return uint64(of(s)) })
	}
	target := some(act.token, func(s *State, _ env.Player) uint64 { return uint64(s.tokenTargets()) })
	other := some(act.to, func(s *State, _ env.Player) uint64 { return uint64(s.inPlay &^ bit(s.active)) })
	table := [numDecisions]row{
		atChoose: {
			Name: "choose", Asks: "a character is being chosen", Rule: "ER-110",
			Direct: "which character do you take?",
			Moves:  []option{some(act.choose, func(s *State, _ env.Player) uint64 { return uint64(^s.inPlay) })},
			Play: func(s *State, _ env.Player, a env.Action, tape *env.Tape) {
				s.pick(Character(a - choose))
				if int(s.castSize) == s.game.cast {
					s.startFirstTurn(tape)
				}
			},
		},
		atWindow: {
			Name: "window", Asks: "the Climatologist is asked for moves; done ends it", Rule: "ER-444",
			Direct: "which strain do you move, if any?",
			Moves:  []option{{Block: act.done}, some(act.move, (*State).movable)}, Play: (*State).applyWindow,
		},
		atDraw: {
			Name: "draw", Asks: "the Eco Investor is drawing: look, draw or done", Rule: "ER-422",
			Direct: "do you look at a card, draw the next one, or stop?",
			Legal: func(s *State, m env.Mask, _ env.Player) {
				m.SetIf(s.lookLegal(), look)
				if s.inside.normals > 0 {
					m.Set(draw)
				} else {
					m.Set(done)
				}
			},
			Play: func(s *State, _ env.Player, a env.Action, tape *env.Tape) {
				switch a {
				case look:
					s.look(tape)
				case draw:
					if s.drawNormal(tape) {
						s.goOnDrawing(tape)
					}
				default:
					s.finishDrawing(tape)
				}
			},
		},
		atLooked: {
			Name: "looked", Rule: "ER-423",
			Direct: "who gets the extra card, or does it go to the bottom?",
			Asks:   "the Eco Investor holds an extra card: give it to a character or put it at the bottom",
			Moves:  []option{other, {Block: act.bottom}},
			Play: func(s *State, _ env.Player, a env.Action, tape *env.Tape) {
				if a == bottom {
					s.buryLooked()
				} else {
					s.giveLooked(Character(a - to))
				}
				s.goOnDrawing(tape)
			},
		},
		atTrim: {
			Name: "trim", Asks: "a token has to be taken off first, as it is no longer supported", Rule: "ER-460",
			Direct: "which token, which nothing supports any more, do you take off?",
			Inside: true, Moves: []option{target},
			Play: func(s *State, _ env.Player, a env.Action, tape *env.Tape) { s.trim(Card(a-token), tape) },
		},
		atDiscard: {
			Name: "discard", Asks: "cards beyond the hand limit have to be discarded first", Rule: "ER-205", Inside: true,
			Direct: "you hold more cards than you may: which one do you discard?",
			Moves:  []option{card(func(s *State) Set { return s.hand[s.active] })},
			Play:   func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.discardSurplus(Card(a - discard)) },
		},
		atActions: {
			Name: "actions", Asks: "the character is taking its actions", Rule: "ER-301",
			Direct: "which action do you take?",
			Legal:  (*State).legalActions, Play: (*State).applyAction,
		},
		atPay: {
			Name: "pay", Asks: "the card that pays has to be chosen first", Rule: "ER-305", Inside: true,
			Direct: "which card pays?",
			Moves:  []option{card(func(s *State) Set { return s.hand[s.active] & Of(s.paidFor()) })},
			Play:   func(s *State, _ env.Player, a env.Action, tape *env.Tape) { s.pay(Card(a-discard), tape) },
		},
		atCircle: {
			Name: "circle", Asks: "the circle of the new counter has to be chosen first", Rule: "ER-012", Inside: true,
			Direct: "in which circle does the new counter lie?",
			Moves: []option{
				some(act.circle, func(s *State, _ env.Player) uint64 { return uint64(s.vacantCircles(s.paidFor())) }),
			},
			Play: func(s *State, _ env.Player, a env.Action, tape *env.Tape) {
				s.create(Card(s.inside.pending-int16(create)), int8(a-circle), tape)
			},
		},
		atClean: {
			Name: "clean", Asks: "the rest of the Clean Up has to be used first", Rule: "ER-310", Inside: true,
			Direct: "from where do you take the rest of the strain off?",
			Moves:  []option{some(act.clean, func(s *State, _ env.Player) uint64 { return s.cleanable(s.inside.credits) })},
			Play:   func(s *State, _ env.Player, a env.Action, tape *env.Tape) { s.cleanUp(a, tape) },
		},
		atTo: {
			Name: "to", Asks: "who gets the card has to be chosen first", Rule: "ER-312", Moves: []option{other},
			Direct: "who gets the card?",
			Inside: true,
			Play:   func(s *State, _ env.Player, a env.Action, tape *env.Tape) { s.give(s.Gift(), Character(a-to), tape) },
		},
		atTokens: {
			Name: "tokens", Asks: "more tokens may be moved in this action; done ends it", Rule: "ER-401, ER-432",
			Direct: "do you move another token in this action?",
			Inside: true, Moves: []option{target, {Block: act.done}},
			Play: func(s *State, _ env.Player, a env.Action, tape *env.Tape) {
				if a == done {
					s.goOnActing(tape)
				} else {
					s.moveToken(Card(a-token), tape)
				}
			},
		},
		atOrder: {
			Name: "order", Asks: "the Politician is putting cards back: top or keep", Rule: "ER-452", Inside: true,
			Direct: "which card lies on top, or do the rest stay as they are?",
			Moves: []option{
				some(act.top, func(s *State, _ env.Player) uint64 { return uint64(s.unordered()) }), {Block: act.keep},
			},
			Play: (*State).rearrange,
		},
		over: {Name: "over", Asks: "the game is over"},
	}
	for d := range table {
		table[d].Why = (*State).why
	}
	return table
}
