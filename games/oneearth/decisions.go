package oneearth

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/form"
	"earthgym/env/story"
)

// A Decision is what is to be decided next (section 5.2 of RULES.md).
type Decision uint8

// The Decisions.
const (
	AtLeader Decision = iota
	AtTurn
	AtTarget
	AtAttach
	AtSecond
	AtShared
	AtLoose
	AtAskAmount
	AtAskSay
	AtAskReply
	AtAudit
	AtImmunity
	AtAccuse
	AtPlea
	AtSanction
	AtPropose
	AtPick
	AtDiscuss
	AtVote
	AtBid
	AtVeto
	AtPledge
	Over
	NumDecisions = iota
)

// String is the decision's name in positions.
func (d Decision) String() string { return decisionNames[d] }

var decisionNames = namesOf(decisions())

func namesOf(table [NumDecisions]decision) []string { return form.DecisionNames(table[:]) }

type (
	decision = form.Decision[State, teller]
	move     = form.Move[State, teller]
	need     = form.Need[State]
)

// decisions is the table: all that the rules say of what a seat is asked.
func decisions() [NumDecisions]decision {
	seat := func(of func(s *State) int) func(*State) env.Player {
		return func(s *State) env.Player { return env.Player(of(s)) }
	}
	table := [NumDecisions]decision{
		AtLeader: {
			Name: "leader", Asks: "a leader is chosen", Rule: "OE-017",
			Direct: "Which leader do you take?",
			Seat:   seat((*State).nextLeaderless), Check: (*State).lacksDraft,
			Moves: []move{{
				Block: act.leader,
				Needs: []need{{
					Each: func(s *State, _ env.Player) uint64 { return uint64(s.leadersLeft()) },
					Why:  (*State).whyNoLeader,
				}},
				Play: func(s *State, _ env.Player, i int, tape *env.Tape) { s.chooseLeader(Leader(i), tape) },
				About: func(s *State, _ env.Player, i int) (string, []env.Effect) {
					return "Choose the " + s.game.Components.Leaders[i].Name + ", " + s.leaderText(Leader(i)), nil
				},
			}},
		},
		AtTurn: {
			Name: "turn", Asks: "fund Projects, a Technology, a Policy, or pass", Rule: "OE-030",
			Seat: seat((*State).active), Legal: (*State).legalTurn, Why: (*State).whyNotInTurn,
			Moves: []move{
				deed(act.fund, func(s *State, i int) string { return "Fund " + s.game.Components.Projects[s.Row[i]].Name },
					func(s *State, p env.Player, i int, tape *env.Tape) { s.fund(int(p), i, tape) }),
				deed(act.tech, func(s *State, i int) string { return "Fund " + s.game.Components.Technologies[i].Name },
					func(s *State, p env.Player, i int, _ *env.Tape) { s.fundTechnology(int(p), Technology(i)) }),
				deed(act.policy, func(s *State, i int) string { return "Fund " + s.game.Components.Policies[i].Name },
					func(s *State, p env.Player, i int, _ *env.Tape) { s.fundPolicy(int(p), Policy(i)) }),
				{
					Block: act.apply,
					Play:  func(s *State, p env.Player, i int, _ *env.Tape) { s.chooseTarget(int(p), Technology(i)) },
					About: func(s *State, _ env.Player, i int) (string, []env.Effect) {
						return "Use the loose " + s.game.Components.Technologies[i].Name, nil
					},
				},
				deed(act.refresh, func(*State, int) string { return "Lay out six other Projects" },
					func(s *State, p env.Player, _ int, tape *env.Tape) { s.refresh(int(p), tape) }),
				deed(act.ability, func(s *State, _ int) string {
					return "Use the ability of the " + s.game.Components.Leaders[s.Countries[s.Seat].Leader].Name
				}, func(s *State, p env.Player, _ int, _ *env.Tape) { s.ability(int(p)) }),
				deed(act.mars, func(*State, int) string { return "Fund Colonize Mars" },
					func(s *State, p env.Player, _ int, _ *env.Tape) { s.joinMars(int(p)) }),
				{
					Block: act.ask,
					Play:  func(s *State, p env.Player, i int, _ *env.Tape) { s.ask(int(p), i+1) },
					About: func(s *State, p env.Player, i int) (string, []env.Effect) {
						return "Ask " + seatName(s.seatFrom(p, i+1)) + " for money", nil
					},
				},
				{
					Block: act.pass, Does: "End the turn",
					Play: func(s *State, p env.Player, _ int, tape *env.Tape) { s.endTurn(int(p), tape) },
				},
			},
		},
		AtTarget: {
			Name: "target", Asks: "on which own plain Project the Technology is used: on …", Rule: "OE-061", Inside: true,
			Seat: seat((*State).active), Check: (*State).lacksUse,
			Moves: []move{upgrade(func(s *State, p env.Player, i int, _ *env.Tape) { s.target(int(p), Project(i)) })},
		},
		AtAttach: {
			Name: "attach", Asks: "whether the held Technology is attached to the new Project: yes or no", Rule: "OE-052",
			Seat: seat((*State).active), Check: (*State).lacksAttach, Inside: true,
			Play: func(s *State, p env.Player, a env.Action, tape *env.Tape) { s.attach(int(p), a == Yes, tape) },
			Moves: []move{
				answer(act.yes, "Attach the held Technology", "attach-yes"),
				answer(act.no, "Keep it for a later Project", "attach-no"),
			},
		},
		AtSecond: {
			Name: "second", Asks: "the Technology's second use: on …, share …, or save", Rule: "OE-064", Inside: true,
			Seat: seat((*State).active), Check: (*State).lacksOwnUse,
			Moves: []move{
				upgrade((*State).useNew),
				{
					Block: act.share,
					Needs: []need{{
						Each: func(s *State, p env.Player) uint64 { return s.offsets(p, s.sharers(int(p))) >> 1 },
						Why:  (*State).whyNotShared,
					}},
					Play: func(s *State, p env.Player, i int, _ *env.Tape) { s.share(s.seatFrom(p, i+1)) },
					About: func(s *State, p env.Player, i int) (string, []env.Effect) {
						return "Share the Technology with " + seatName(s.seatFrom(p, i+1)), nil
					},
				},
				{
					Block: act.save, Does: "Keep the second use for a later Project",
					Play: func(s *State, p env.Player, _ int, _ *env.Tape) { s.save(int(p)) },
				},
			},
		},
		AtShared: {
			Name: "shared", Asks: "whether it uses the Technology that is shared with it: on … or no", Rule: "OE-065",
			Seat: seat((*State).lastOffered), Check: (*State).lacksOwnUse,
			Play:  func(s *State, _ env.Player, _ env.Action, _ *env.Tape) { s.secondUse(s.active()) },
			Moves: []move{upgrade((*State).useNew), answer(act.no, "Don't use the Technology", "shared-no")},
		},
		AtLoose: {
			Name: "loose", Asks: "whether it uses the loose Technology now: on … or pass", Rule: "OE-069", Inside: true,
			Seat: seat((*State).nextLoose), Check: (*State).lacksLoose,
			Play:  func(s *State, _ env.Player, _ env.Action, tape *env.Tape) { s.nextUse(tape) },
			Moves: []move{upgrade((*State).useLoose), answer(act.pass, "Not now", "loose-pass")},
		},
		AtAskAmount: {
			Name: "ask_amount", Asks: "the amount it asks for", Rule: "OE-100", Inside: true,
			Seat: seat((*State).active), Check: (*State).lacksAsked,
			Moves: []move{{
				Block: act.amount, Does: "Ask for so much money",
				Needs: []need{{
					Each: func(s *State, _ env.Player) uint64 { return form.Between(1, s.maxRequest(int(s.Ask.Seat))) },
					Why: func(s *State, _ env.Player, _ int) string {
						return fmt.Sprintf("amounts are 1 to %d: what %s has, at most %d (OE-100)", s.maxRequest(int(s.Ask.Seat)),
							seatName(env.Player(s.Ask.Seat)), s.game.Components.Constants.MaxAmount)
					},
				}},
				Play: func(s *State, _ env.Player, i int, _ *env.Tape) { s.askAmount(int8(i)) },
			}},
		},
		AtAskSay: {
			Name: "ask_say", Asks: "what it promises: say …", Rule: "OE-100, OE-281", Inside: true,
			Seat: seat((*State).active), Check: (*State).lacksRequest,
			Moves: say(func(s *State, _ env.Player, i int, _ *env.Tape) { s.askSay(Word(i)) }),
		},
		AtAskReply: {
			Name: "ask_reply", Asks: "whether it grants the aid: yes or no", Rule: "OE-101",
			Seat:  func(s *State) env.Player { return env.Player(s.Ask.Seat) },
			Check: (*State).lacksRequest,
			Play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.askReply(a == Yes) },
			Moves: []move{answer(act.yes, "Grant the aid", "aid-yes"), answer(act.no, "Refuse it", "aid-no")},
		},
		AtAudit: {
			Name: "audit", Asks: "which of its dirtiest Projects it discards", Rule: "OE-117", Inside: true,
			Direct: "You are sanctioned, and emit most: which of your dirtiest Projects do you discard?",
			Seat:   func(s *State) env.Player { return env.Player(s.Sanctioned) },
			Check:  (*State).lacksSanctioned,
			Moves:  []move{discard(act.discard, false), discard(act.discardUpgraded, true)},
		},
		AtImmunity: {
			Name: "immunity", Asks: "whether it is immune to the Critical Event: yes or no", Rule: "OE-124",
			Seat:  func(s *State) env.Player { return env.Player(s.reacts(General)) },
			Check: (*State).lacksEvent,
			Play:  func(s *State, p env.Player, a env.Action, tape *env.Tape) { s.immunity(int(p), a == Yes, tape) },
			Moves: []move{
				answer(act.yes, "Be immune to the event, once in the game", "immune"), answer(act.no, "Bear the event", "struck"),
			},
		},
		AtAccuse: {
			Name: "accuse", Asks: "which of the tied highest emitters it accuses, or pass", Rule: "OE-132",
			Direct: "Which of those who emit most do you accuse, if any?",
			Seat:   seat((*State).nextVoter), Check: (*State).lacksAccusations,
			Play: func(s *State, _ env.Player, a env.Action, tape *env.Tape) { s.accuse(a, tape) },
			Moves: []move{
				{
					Block: act.accuse,
					Needs: []need{{
						Rule: "OE-132", Says: "only the seats with the highest Emissions can be accused",
						Each: func(s *State, p env.Player) uint64 { return s.offsets(p, s.Highest()) },
					}},
					About: func(s *State, p env.Player, i int) (string, []env.Effect) {
						return "Accuse " + seatName(s.seatFrom(p, i)), nil
					},
				},
				answer(act.pass, "Accuse nobody", "accuse-nobody"),
			},
		},
		AtPlea: {
			Name: "plea", Asks: "what the accused says: say …", Rule: "OE-133, OE-281",
			Direct: "You are accused of emitting most: what do you say?",
			Seat:   func(s *State) env.Player { return env.Player(s.Accused) },
			Check:  (*State).lacksAccused,
			Moves:  say(func(s *State, p env.Player, i int, _ *env.Tape) { s.plea(int(p), Word(i)) }),
		},
		AtSanction: {
			Name: "sanction", Asks: "whether the accused is sanctioned: yes or no", Rule: "OE-134",
			Seat: seat((*State).nextVoter), Check: (*State).lacksAccused,
			Play: func(s *State, _ env.Player, a env.Action, tape *env.Tape) { s.voteSanction(a, tape) },
			Moves: []move{
				answer(act.yes, "Sanction the accused", "sanction-yes"), answer(act.no, "Spare the accused", "sanction-no"),
			},
		},
		AtPropose: {
			Name: "propose", Asks: "which Resolution it proposes, or pass", Rule: "OE-140",
			Direct: "Which Resolution do you propose, if any?",
			Seat:   func(s *State) env.Player { return env.Player(s.First) },
			Play:   func(s *State, _ env.Player, _ env.Action, tape *env.Tape) { s.startRound(tape) },
			Moves: []move{
				{
					Block: act.propose,
					Needs: []need{{
						Each: func(s *State, _ env.Player) uint64 { return uint64(s.proposals()) },
						Why:  (*State).whyNotProposed,
					}},
					Play: func(s *State, _ env.Player, i int, tape *env.Tape) { s.propose(Resolution(i), tape) },
					About: func(s *State, _ env.Player, i int) (string, []env.Effect) {
						return "Propose " + s.game.Components.Resolutions[i].Name + ", " + s.resolutionText(Resolution(i)), nil
					},
				},
				answer(act.pass, "Propose nothing", "propose-nothing"),
			},
		},
		AtPick: {
			Name: "pick", Asks: "which Technology is to be shared: tech …", Rule: "OE-142", Inside: true,
			Direct: "Which Technology may every seat but its funder use once?",
			Seat:   func(s *State) env.Player { return env.Player(s.First) },
			Check:  func(s *State, f *form.Faults) { s.lacksProposal(f, ShareTech) },
			Moves: []move{{
				Block: act.tech,
				Needs: []need{{
					Rule: "OE-142", Says: "{1} is not in the box",
					Each: func(s *State, _ env.Player) uint64 { return uint64(s.game.boxTechnologies) },
				}},
				Play: func(s *State, _ env.Player, i int, tape *env.Tape) { s.pick(Technology(i), tape) },
				About: func(s *State, _ env.Player, i int) (string, []env.Effect) {
					return "Share " + s.game.Components.Technologies[i].Name, nil
				},
			}},
		},
		AtDiscuss: {
			Name: "discuss", Asks: "what it says to the proposal: say …", Rule: "OE-143, OE-281", Inside: true,
			Seat:  func(s *State) env.Player { return env.Player(s.Seat) },
			Check: (*State).lacksDiscussion,
			Moves: say(func(s *State, p env.Player, i int, tape *env.Tape) { s.statement(int(p), Word(i), tape) }),
		},
		AtVote: {
			Name: "vote", Asks: "its vote: yes or no", Rule: "OE-144",
			Seat: seat((*State).nextVoter), Check: (*State).lacksVoter,
			Play:  func(s *State, _ env.Player, a env.Action, tape *env.Tape) { s.vote(a, tape) },
			Moves: []move{answer(act.yes, "Vote for the Resolution", "vote-yes"), answer(act.no, "Vote against it", "vote-no")},
		},
		AtBid: {
			Name: "bid", Asks: "its sealed bid: bid 0, bid yes … or bid no …", Rule: "OE-147",
			Seat:  func(s *State) env.Player { return env.Player(s.inTurn(int(s.NumBids))) },
			Check: (*State).lacksTie,
			Moves: []move{
				{
					Block: act.bidNothing, Does: "Bid nothing",
					Play: func(s *State, _ env.Player, _ int, tape *env.Tape) { s.bid(0, tape) },
				},
				bid(act.bidYes, "Bid for the Resolution", 1), bid(act.bidNo, "Bid against the Resolution", -1),
			},
		},
		AtVeto: {
			Name: "veto", Asks: "whether it vetoes the Resolution: yes or no", Rule: "OE-151",
			Seat:  func(s *State) env.Player { return env.Player(s.reacts(Diplomat)) },
			Check: (*State).lacksVotes,
			Play:  func(s *State, p env.Player, a env.Action, tape *env.Tape) { s.veto(int(p), a == Yes, tape) },
			Moves: []move{
				answer(act.yes, "Veto the Resolution, once in the game", "veto-yes"), answer(act.no, "Let it pass", "veto-no"),
			},
		},
		AtPledge: {
			Name: "pledge", Asks: "its pledge to Colonize Mars: amount …", Rule: "OE-170",
			Seat:  func(s *State) env.Player { return env.Player(s.inTurn(int(s.NumPledges))) },
			Check: func(s *State, f *form.Faults) { s.lacksProposal(f, Mars) },
			Moves: []move{{
				Block: act.amount, Does: "Pledge so much money",
				Needs: []need{{
					Each: func(s *State, p env.Player) uint64 { return form.Below(s.maxPledge(int(p)) + 1) },
					Why: func(s *State, p env.Player, _ int) string {
						return fmt.Sprintf("pledges are 0 to %d: what %s has, at most %d (OE-170)", s.maxPledge(int(p)),
							seatName(p), s.game.Components.Constants.MaxPledge)
					},
				}},
				Play: func(s *State, _ env.Player, i int, tape *env.Tape) { s.pledge(int8(i), tape) },
			}},
		},
		Over: {Name: "over", Why: func(*State, env.Player, env.Action) string { return errOver.Error() }},
	}
	for d := range table {
		table[d].Else = "seat {p} decides: " + table[d].Question()
	}
	return table
}

// deed is a move that moves markers or money: its name, and what comes of it.
func deed(block form.Block, name func(s *State, i int) string, play func(*State, env.Player, int, *env.Tape)) move {
	return move{Block: block, Play: play, About: func(s *State, _ env.Player, i int) (string, []env.Effect) {
		return s.outcome(name(s, i), block.At(i))
	}}
}

// upgrade is the use of a Technology on an own plain Project (OE-060, OE-066).
func upgrade(play func(s *State, p env.Player, i int, tape *env.Tape)) move {
	m := deed(act.on, func(s *State, i int) string { return "Upgrade " + s.game.Components.Projects[i].Name }, play)
	m.Needs = []need{{
		Each: func(s *State, p env.Player) uint64 { return uint64(s.Targets(int(p), s.Using)) },
		Why:  (*State).whyNotOn,
	}}
	return m
}

// discard is the loss of one of the dirtiest Projects (OE-117).
func discard(block form.Block, upgraded bool) move {
	m := deed(block, func(s *State, i int) string { return "Discard " + s.game.Components.Projects[i].Name },
		func(s *State, p env.Player, i int, tape *env.Tape) {
			s.auditDiscard(int(p), Project(i), upgraded, tape)
		})
	m.Needs = []need{{
		Rule: "OE-117", Says: "it is not one of the seat's Projects with the greatest emissions",
		Each: func(s *State, p env.Player) uint64 {
			plain, others := s.dirtiest(int(p))
			if upgraded {
				return uint64(others)
			}
			return uint64(plain)
		},
	}}
	return m
}

// bid is a sealed bid for yes, or with the sign -1 for no (OE-147).
func bid(block form.Block, does string, sign int8) move {
	return move{
		Block: block, Does: does,
		Needs: []need{{
			Each: func(s *State, p env.Player) uint64 { return form.Below(s.maxBid(int(p))) },
			Why: func(s *State, p env.Player, _ int) string {
				return fmt.Sprintf("%s has %d money, and bids are at most %d (OE-147)", seatName(p), s.Countries[p].Money,
					s.game.Components.Constants.MaxAmount)
			},
		}},
		Play: func(s *State, _ env.Player, i int, tape *env.Tape) { s.bid(sign*int8(i+1), tape) },
	}
}

// say is a statement (OE-281).
func say(play func(s *State, p env.Player, i int, tape *env.Tape)) []move {
	return []move{{Block: act.say, Play: play, About: func(s *State, _ env.Player, i int) (string, []env.Effect) {
		return "Say “" + s.meaning(Word(i)) + "”", nil
	}}}
}

// answer is yes, no or pass where a question is behind it, with the key of its sentence.
func answer(block form.Block, does, key string) move {
	return move{Block: block, Does: does, Tell: func(t *teller, p env.Player, _ int) {
		args := story.Args{}
		switch t.before.Decision {
		case AtAttach:
			args["project"], args["technology"] = t.project(t.before.Attach), t.technology(t.using())
		case AtShared, AtLoose:
			args["technology"] = t.technology(t.using())
		}
		t.Say(key, p, 1, args)
	}}
}
