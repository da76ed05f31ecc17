package oneearth

import (
	"earthgym/env"
	"earthgym/env/form"
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
func (d Decision) String() string { return decisions[d].name }

// A decision is a row of the table: all that the rules say of what a seat is asked.
type decision struct {
	name  string                // in positions
	asks  string                // what is asked, by which rule
	seat  func(s *State) int    // who is asked, or noSeat where the position has nobody to ask
	lacks func(s *State) string // what the position needs for it and has not got, or ""; nil if it needs nothing

	means form.Meanings // of families of actions that do something else here than elsewhere

	legal func(s *State, m env.Mask, p int) // sets what the seat that is asked may do
	play  func(s *State, p int, a env.Action, tape *env.Tape)
}

// decisions is the table.
var decisions = [NumDecisions]decision{
	AtLeader: {
		name: "leader", asks: "a leader is chosen (OE-017)",
		seat:  (*State).nextLeaderless,
		lacks: (*State).lacksDraft,
		legal: func(s *State, m env.Mask, _ int) { m.Block(ChooseLeader, uint64(s.leadersLeft())) },
		play:  func(s *State, _ int, a env.Action, tape *env.Tape) { s.chooseLeader(Leader(a-ChooseLeader), tape) },
	},
	AtTurn: {
		name: "turn", asks: "fund Projects, a Technology, a Policy, or pass (OE-030)",
		seat:  (*State).active,
		legal: (*State).legalTurn,
		play:  (*State).playTurn,
		means: form.Meanings{{"pass", "End the turn"}},
	},
	AtTarget: {
		name: "target", asks: "on which own plain Project the Technology is used: on … (OE-061)",
		seat:  (*State).active,
		lacks: (*State).lacksUse,
		legal: func(s *State, m env.Mask, p int) { m.Block(On, uint64(s.Targets(p, s.Using))) },
		play:  func(s *State, p int, a env.Action, _ *env.Tape) { s.target(p, Project(a-On)) },
	},
	AtAttach: {
		name: "attach", asks: "whether the held Technology is attached to the new Project: yes or no (OE-052)",
		seat:  (*State).active,
		lacks: (*State).lacksAttach,
		legal: legalAnswer,
		play:  func(s *State, p int, a env.Action, tape *env.Tape) { s.attach(p, a == Yes, tape) },
		means: form.Meanings{{"yes", "Attach the held Technology"}, {"no", "Keep it for a later Project"}},
	},
	AtSecond: {
		name: "second", asks: "the Technology's second use: on …, share …, or save (OE-064)",
		seat:  (*State).active,
		lacks: (*State).lacksOwnUse,
		legal: (*State).legalSecond,
		play:  func(s *State, p int, a env.Action, _ *env.Tape) { s.second(p, a) },
	},
	AtShared: {
		name: "shared", asks: "whether it uses the Technology that is shared with it: on … or no (OE-065)",
		seat:  (*State).lastOffered,
		lacks: (*State).lacksOwnUse,
		legal: func(s *State, m env.Mask, p int) {
			m.Block(On, uint64(s.Targets(p, s.Using)))
			m.Set(No)
		},
		play:  func(s *State, p int, a env.Action, _ *env.Tape) { s.shared(p, a) },
		means: form.Meanings{{"no", "Don't use the Technology"}},
	},
	AtLoose: {
		name: "loose", asks: "whether it uses the loose Technology now: on … or pass (OE-069)",
		seat:  (*State).nextLoose,
		lacks: (*State).lacksLoose,
		legal: func(s *State, m env.Mask, p int) {
			m.Block(On, uint64(s.Targets(p, s.Using)))
			m.Set(Pass)
		},
		play:  (*State).useLoose,
		means: form.Meanings{{"pass", "Not now"}},
	},
	AtAskAmount: {
		name: "ask_amount", asks: "the amount it asks for (OE-100)",
		seat:  (*State).active,
		lacks: (*State).lacksAsked,
		legal: func(s *State, m env.Mask, _ int) { m.Block(Amount+1, 1<<s.maxRequest(int(s.Ask.Seat))-1) },
		play:  func(s *State, _ int, a env.Action, _ *env.Tape) { s.askAmount(int8(a - Amount)) },
		means: form.Meanings{{"amount", "Ask for so much money"}},
	},
	AtAskSay: {
		name: "ask_say", asks: "what it promises: say … (OE-100, OE-281)",
		seat:  (*State).active,
		lacks: (*State).lacksRequest,
		legal: legalWords,
		play:  func(s *State, _ int, a env.Action, _ *env.Tape) { s.askSay(Word(a - Say)) },
	},
	AtAskReply: {
		name: "ask_reply", asks: "whether it grants the aid: yes or no (OE-101)",
		seat:  func(s *State) int { return int(s.Ask.Seat) },
		lacks: (*State).lacksRequest,
		legal: legalAnswer,
		play:  func(s *State, _ int, a env.Action, _ *env.Tape) { s.askReply(a == Yes) },
		means: form.Meanings{{"yes", "Grant the aid"}, {"no", "Refuse it"}},
	},
	AtAudit: {
		name: "audit", asks: "which of its dirtiest Projects it discards (OE-117)",
		seat:  func(s *State) int { return int(s.Sanctioned) },
		lacks: (*State).lacksSanctioned,
		legal: (*State).legalAudit,
		play: func(s *State, p int, a env.Action, tape *env.Tape) {
			s.auditDiscard(p, Project((a-Discard)%NumProjects), a >= DiscardUpgraded, tape)
		},
	},
	AtImmunity: {
		name: "immunity", asks: "whether it is immune to the Critical Event: yes or no (OE-124)",
		seat:  func(s *State) int { return s.reacts(General) },
		lacks: (*State).lacksEvent,
		legal: legalAnswer,
		play:  func(s *State, p int, a env.Action, tape *env.Tape) { s.immunity(p, a == Yes, tape) },
		means: form.Meanings{{"yes", "Be immune to the event, once in the game"}, {"no", "Bear the event"}},
	},
	AtAccuse: {
		name: "accuse", asks: "which of the tied highest emitters it accuses, or pass (OE-132)",
		seat:  (*State).nextVoter,
		lacks: (*State).lacksAccusations,
		legal: func(s *State, m env.Mask, p int) {
			m.Block(Accuse, s.offsets(p, s.Highest()))
			m.Set(Pass)
		},
		play:  func(s *State, _ int, a env.Action, tape *env.Tape) { s.accuse(a, tape) },
		means: form.Meanings{{"pass", "Accuse nobody"}},
	},
	AtPlea: {
		name: "plea", asks: "what the accused says: say … (OE-133, OE-281)",
		seat:  func(s *State) int { return int(s.Accused) },
		lacks: (*State).lacksAccused,
		legal: legalWords,
		play:  func(s *State, p int, a env.Action, _ *env.Tape) { s.plea(p, Word(a-Say)) },
	},
	AtSanction: {
		name: "sanction", asks: "whether the accused is sanctioned: yes or no (OE-134)",
		seat:  (*State).nextVoter,
		lacks: (*State).lacksAccused,
		legal: legalAnswer,
		play:  func(s *State, _ int, a env.Action, tape *env.Tape) { s.voteSanction(a, tape) },
		means: form.Meanings{{"yes", "Sanction the accused"}, {"no", "Spare the accused"}},
	},
	AtPropose: {
		name: "propose", asks: "which Resolution it proposes, or pass (OE-140)",
		seat: func(s *State) int { return int(s.First) },
		legal: func(s *State, m env.Mask, _ int) {
			m.Block(Propose, uint64(s.proposals()))
			m.Set(Pass)
		},
		play:  func(s *State, _ int, a env.Action, tape *env.Tape) { s.propose(a, tape) },
		means: form.Meanings{{"pass", "Propose nothing"}},
	},
	AtPick: {
		name: "pick", asks: "which Technology is to be shared: tech … (OE-142)",
		seat:  func(s *State) int { return int(s.First) },
		lacks: func(s *State) string { return s.lacksProposal(ShareTech) },
		legal: func(s *State, m env.Mask, _ int) { m.Block(Tech, uint64(s.game.boxTechnologies)) },
		play:  func(s *State, _ int, a env.Action, tape *env.Tape) { s.pick(Technology(a-Tech), tape) },
	},
	AtDiscuss: {
		name: "discuss", asks: "what it says to the proposal: say … (OE-143, OE-281)",
		seat:  func(s *State) int { return int(s.Seat) },
		lacks: (*State).lacksDiscussion,
		legal: legalWords,
		play:  func(s *State, p int, a env.Action, tape *env.Tape) { s.statement(p, Word(a-Say), tape) },
	},
	AtVote: {
		name: "vote", asks: "its vote: yes or no (OE-144)",
		seat:  (*State).nextVoter,
		lacks: (*State).lacksVoter,
		legal: legalAnswer,
		play:  func(s *State, _ int, a env.Action, tape *env.Tape) { s.vote(a, tape) },
		means: form.Meanings{{"yes", "Vote for the Resolution"}, {"no", "Vote against it"}},
	},
	AtBid: {
		name: "bid", asks: "its sealed bid: bid 0, bid yes … or bid no … (OE-147)",
		seat:  func(s *State) int { return s.inTurn(int(s.NumBids)) },
		lacks: (*State).lacksTie,
		legal: (*State).legalBid,
		play:  func(s *State, _ int, a env.Action, tape *env.Tape) { s.bid(bidOf(a), tape) },
	},
	AtVeto: {
		name: "veto", asks: "whether it vetoes the Resolution: yes or no (OE-151)",
		seat:  func(s *State) int { return s.reacts(Diplomat) },
		lacks: (*State).lacksVotes,
		legal: legalAnswer,
		play:  func(s *State, p int, a env.Action, tape *env.Tape) { s.veto(p, a == Yes, tape) },
		means: form.Meanings{{"yes", "Veto the Resolution, once in the game"}, {"no", "Let it pass"}},
	},
	AtPledge: {
		name: "pledge", asks: "its pledge to Colonize Mars: amount … (OE-170)",
		seat:  func(s *State) int { return s.inTurn(int(s.NumPledges)) },
		lacks: func(s *State) string { return s.lacksProposal(Mars) },
		legal: func(s *State, m env.Mask, p int) { m.Block(Amount, 1<<(s.maxPledge(p)+1)-1) },
		play:  func(s *State, _ int, a env.Action, tape *env.Tape) { s.pledge(int8(a-Amount), tape) },
		means: form.Meanings{{"amount", "Pledge so much money"}},
	},
	Over: {name: "over"},
}
