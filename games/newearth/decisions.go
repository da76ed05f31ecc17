package newearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// A Decision is what a seat is asked (RULES.md 5.2).
type Decision int8

// The decisions.
const (
	AtSetupTile    Decision = iota // home tile
	AtSetupClaim                   // free set-up: claim a zone
	AtSetupMine                    // mining zones, three times
	AtSetupPlant                   // plant and manufacturing worker
	AtSetupLeader                  // leader
	AtReceive                      // take a card in spite of a full hand?
	AtOverflow                     // get rid of a card above the hand limit
	AtCatChoose                    // which Catastrophe card to play
	AtCatPurge                     // be rid of a Stock Loss that can't be played?
	AtCatZone                      // the zone that the card strikes
	AtNegate                       // play a card against the catastrophe?
	AtNegateZone                   // which zone it saves
	AtIndepAmount                  // cash for the zone's return
	AtIndepCard                    // cards for it
	AtAssignMining                 // machines of mixed mining zones that serve manufacturing
	AtAssignEnergy                 // those of mixed energy zones
	AtProduce                      // production turn
	AtBulkPlace                    // placement of the machines of a bulk lot
	AtPlantZone                    // place of a plant
	AtOffer                        // terms of an offer
	AtOfferReply                   // the partner's answer
	AtShortage                     // which zone loses a level
	AtDevelop                      // raise zones, found cities
	AtCityZone                     // zone of a conversion
	AtCityCard                     // its cards, four times
	AtFortifyZone                  // city to fortify
	AtElect                        // start an election
	AtElectWide                    // target with Transport Links
	AtJoin                         // join the election?
	AtCommitAmount                 // secret cash
	AtCommitCard                   // secret cards
	AtNewWorker                    // type of a zone won
	AtLeader                       // leader's move
	AtMovePick                     // piece to reallocate
	AtMoveTo                       // where it goes
	Over
	numDecisions
)

// String is the decision's name in positions.
func (d Decision) String() string { return decisionNames[d] }

var decisionNames = namesOf(decisions())

func namesOf(table [numDecisions]decision) []string { return form.DecisionNames(table[:]) }

type (
	decision = form.Decision[State, teller]
	move     = form.Move[State, teller]
	need     = form.Need[State]
)

// another is asked than the seat whose step it is.
const another = 1

// decisions is the table of what a seat is asked, in the order of a turn.
func decisions() [numDecisions]decision {
	table := [numDecisions]decision{
		AtSetupTile: {
			Name: "setup_tile", Asks: "a home tile that lies in a home sector and is free is to be taken", Rule: "NE-006",
			Direct: "Which home tile do you take, of those in your home sectors that are free?",
			Brief:  "take a home tile", Phases: 1 << phaseSetUp,
			Legal: func(s *State, m env.Mask, _ env.Player) { m.Block(act.tile.First, s.freeTiles()) },
			Play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.takeTile(p, int(act.tile.Index(a))) },
		},
		AtSetupClaim: {
			Name: "setup_claim", Asks: "a free zone is to be claimed", Rule: "NE-010",
			Direct: "Which free zone do you claim?",
			Brief:  "claim a zone", Phases: 1 << phaseSetUp,
			Moves: pickZone("Claim", (*State).claimable, func(s *State, p env.Player, z Zone, _ *env.Tape) { s.claim(p, z) }),
		},
		AtSetupMine: {
			Name: "setup_mine", Asks: "the three mining zones are to be picked, in ascending order", Rule: "NE-006",
			Direct: "Which three zones are your mining zones? They are picked in ascending order.",
			Brief:  "pick a mining zone", Phases: 1 << phaseSetUp, Inside: true,
			Moves: pickZone("Mining in", (*State).minable, func(s *State, p env.Player, z Zone, _ *env.Tape) { s.mine(p, z) }),
		},
		AtSetupPlant: {
			Name: "setup_plant", Asks: "the zone of the plant is to be picked", Rule: "NE-006", Inside: true,
			Direct: "In which zone do your plant and its worker stand?",
			Brief:  "place the plant", Phases: 1 << phaseSetUp,
			Moves: pickZone("The plant and its worker in", func(s *State, p env.Player) Zones { return s.owned[p] },
				func(s *State, _ env.Player, z Zone, _ *env.Tape) { s.placePlant(z) }),
		},
		AtSetupLeader: {
			Name: "setup_leader", Asks: "the leader's zone is to be picked", Rule: "NE-006", Inside: true,
			Direct: "In which zone does your leader begin?",
			Brief:  "place the leader", Phases: 1 << phaseSetUp,
			Moves: pickZone("The leader in", func(s *State, p env.Player) Zones { return s.owned[p] },
				func(s *State, p env.Player, z Zone, tape *env.Tape) { s.placeLeader(p, z, tape) }),
		},
		AtReceive: {
			Name: "receive", Asks: "a card is taken or passed on", Rule: "NE-030",
			Direct: "Your hand is full: do you draw a card all the same, and give up another one?",
			Brief:  "receive a card?", Phases: 1 << phaseCatastrophes,
			Legal: (*State).legalReceive, Play: (*State).receive,
			Moves: []move{{Block: act.yes, Does: "Take it"}, {Block: act.no, Does: "Leave it"}},
		},
		AtOverflow: {
			Name: "overflow", Asks: "City cards are to be discarded or traded in until the hand limit is kept", Rule: "NE-031",
			Direct: "You hold more cards than you may: which one do you discard, or trade in?",
			Inside: true,
			Brief:  "get rid of a card", Phases: 1<<phaseCatastrophes | 1<<phaseConsumption | 1<<phaseElections | 1<<phaseLeader,
			Legal: (*State).legalOverflow, Play: (*State).reduce,
		},
		AtCatChoose: {
			Name: "cat_choose", Asks: "one of the playable Catastrophe cards is to be played", Rule: "NE-040",
			Direct: "Which Catastrophe card do you play?",
			Brief:  "play a Catastrophe card", Phases: 1 << phaseCatastrophes, Scene: strikeScene,
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.strike.First, uint64(s.playable(p, s.held[p])>>NumTitles))
			},
			Play: func(s *State, p env.Player, a env.Action, tape *env.Tape) {
				s.strike(p, CivilDisorder+Card(act.strike.Index(a)), tape)
			},
		},
		AtCatPurge: {
			Name: "cat_purge", Asks: "Transport Links can be played against a held Stock Loss, or done", Rule: "NE-038",
			Direct: "You hold a Stock Loss that can't be played: do you get rid of it with Transport Links?",
			Brief:  "get rid of a Stock Loss?", Phases: 1 << phaseCatastrophes, Scene: strikeScene,
			Legal: func(_ *State, m env.Mask, _ env.Player) { m.Set(Play(TransportLinks), Done) },
			Play:  (*State).purgeFirst,
			Moves: []move{{Block: act.play, Does: "Be rid of it with"}, {Block: act.done, Does: "Keep it"}},
		},
		AtCatZone: {
			Name: "cat_zone", Asks: "the zone that the card strikes is to be picked", Rule: "NE-046, NE-049", Inside: true,
			Brief: "pick the zone it strikes", Phases: 1 << phaseCatastrophes,
			Moves: pickZone("Strike", (*State).strikable,
				func(s *State, p env.Player, z Zone, _ *env.Tape) { s.strikeZone(p, z) }),
		},
		AtNegate: {
			Name: "negate", Asks: "a City card can be played against the catastrophe, or no", Rule: "NE-044",
			Brief: "negate the catastrophe?", Phases: 1 << phaseCatastrophes, Who: another, Scene: negateScene,
			Legal: (*State).legalNegate, Play: (*State).answerCatastrophe,
			Moves: []move{{Block: act.play, Does: "Negate with"}, {Block: act.no, Does: "Let it strike"}},
		},
		AtNegateZone: {
			Name: "negate_zone", Asks: "the zone that the card saves is to be picked", Rule: "NE-044", Inside: true,
			Brief: "pick the zone to save", Phases: 1 << phaseCatastrophes, Who: another,
			Moves: pickZone("Save", func(s *State, p env.Player) Zones { return s.hit & s.owned[p] },
				func(s *State, _ env.Player, z Zone, _ *env.Tape) { s.saveZone(z) }),
		},
		AtIndepAmount: {
			Name: "indep_amount", Asks: "cash is to be committed for the zone's return", Rule: "NE-050", Inside: true,
			Brief: "commit cash for the zone's return", Phases: 1 << phaseCatastrophes, Scene: returnScene,
			Legal: (*State).legalIndependence, Play: (*State).number,
			Moves: []move{{Block: act.amount, Does: "Commit"}},
		},
		AtIndepCard: {
			Name: "indep_card", Asks: "City cards can be committed, or done", Rule: "NE-066", Inside: true,
			Brief: "commit cards for it", Phases: 1 << phaseCatastrophes, Scene: returnScene,
			Legal: (*State).legalCards, Play: (*State).playForReturn,
			Moves: []move{{Block: act.play, Does: "Commit"}, {Block: act.done, Does: "No more cards"}},
		},
		AtAssignMining: {
			Name: "assign_mining", Asks: "the machines of mixed mining zones that serve manufacturing are to be numbered",
			Direct: "How many machines of your mixed mining zones serve manufacturing?",
			Rule:   "NE-102", Inside: true,
			Brief: "machines of mixed mining zones that serve manufacturing", Phases: 1 << phaseProduction,
			Legal: func(s *State, m env.Mask, p env.Player) { s.legalAmount(m, 0, s.mixedMachines(p, s.mining)) },
			Play:  (*State).number,
			Moves: []move{{Block: act.amount, Does: "Machines that serve manufacturing"}},
		},
		AtAssignEnergy: {
			Name: "assign_energy", Asks: "the machines of mixed energy zones that serve manufacturing are to be numbered",
			Direct: "How many machines of your mixed energy zones serve manufacturing?",
			Rule:   "NE-102", Inside: true,
			Brief: "machines of mixed energy zones that serve manufacturing", Phases: 1 << phaseProduction,
			Legal: func(s *State, m env.Mask, p env.Player) { s.legalAmount(m, 0, s.mixedMachines(p, s.energy)) },
			Play:  (*State).number,
			Moves: []move{{Block: act.amount, Does: "Machines that serve manufacturing"}},
		},
		AtProduce: {
			Name: "produce", Asks: "it is a production turn", Rule: "NE-103",
			Brief: "produce", Phases: 1 << phaseProduction, Legal: (*State).legalProduce, Play: (*State).produce,
			Moves: []move{{Block: act.play, Does: "Be rid of a stock loss with"}},
		},
		AtBulkPlace: {
			Name: "bulk_place", Asks: "the machines that were bought together are to be placed", Rule: "NE-104", Inside: true,
			Brief: "place the machines bought", Phases: 1 << phaseProduction,
			Legal: (*State).legalPlacement, Play: (*State).produce,
			Moves: []move{{Block: act.machine, Does: "A machine in"}, {Block: act.worker, Does: "A worker in"},
				{Block: act.mfg, Does: "A manufacturing worker in"}},
		},
		AtPlantZone: {
			Name: "plant_zone", Asks: "the plant that was bought is to be placed", Rule: "NE-105", Inside: true,
			Direct: "In which zone does the plant stand that you have bought?",
			Brief:  "place the plant", Phases: 1 << phaseProduction,
			Moves: pickZone("The plant stands in", func(s *State, p env.Player) Zones { return s.sound(p) &^ s.plants },
				func(s *State, _ env.Player, z Zone, _ *env.Tape) { s.build(z) }),
		},
		AtOffer: {
			Name: "offer", Asks: "the terms of an offer are to be named", Rule: "NE-106", Inside: true,
			Brief: "make an offer", Phases: 1 << phaseProduction, Legal: (*State).legalTerms, Play: (*State).term,
		},
		AtOfferReply: {
			Name: "offer_reply", Asks: "the offer is to be accepted or declined", Rule: "NE-106",
			Brief: "accept the offer?", Phases: 1 << phaseProduction, Who: another,
			Legal: func(_ *State, m env.Mask, _ env.Player) { m.Set(Yes, No) },
			Play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.reply(a == Yes) },
		},
		AtShortage: {
			Name: "shortage", Asks: "levels are to be given up for lack of goods", Rule: "NE-121", Inside: true,
			Direct: "You lack goods for your Society Levels: which zone loses a level?",
			Brief:  "drop a level", Phases: 1 << phaseConsumption,
			Moves: pickZone("A level less in", func(s *State, p env.Player) Zones { return s.owned[p] &^ s.level[0] },
				func(s *State, p env.Player, z Zone, _ *env.Tape) { s.drop(p, z) }),
		},
		AtDevelop: {
			Name: "develop", Asks: "zones can be raised and cities founded", Rule: "NE-126",
			Direct: "Which zones do you raise, and do you found a city?",
			Brief:  "raise zones and found cities", Phases: 1 << phaseConsumption,
			Legal: (*State).legalDevelop, Play: (*State).develop,
			Moves: []move{{Block: act.zone, Does: "Raise by a level (for goods)"},
				{Block: act.play, Does: "Fortify a city, or be rid of a stock loss, with"}},
		},
		AtCityZone: {
			Name: "city_zone", Asks: "the zone that becomes a city is to be picked", Rule: "NE-123", Inside: true,
			Direct: "Which zone becomes a city?",
			Brief:  "pick the zone of the city", Phases: 1 << phaseConsumption,
			Moves: pickZone("The city is", func(s *State, p env.Player) Zones { return s.owned[p] &^ s.cities },
				func(s *State, _ env.Player, z Zone, _ *env.Tape) { s.cityZone(z) }),
		},
		AtCityCard: {
			Name: "city_card", Asks: "the four cards of the conversion are to be picked, in ascending order", Rule: "NE-123",
			Direct: "Which four cards pay for the city? They are picked in ascending order.",
			Brief:  "pick the cards of the set", Phases: 1 << phaseConsumption, Inside: true,
			Legal: func(s *State, m env.Mask, p env.Player) { m.Block(act.play.First, uint64(s.nextOfSet(p))) },
			Play: func(s *State, p env.Player, a env.Action, tape *env.Tape) {
				s.pickCard(p, Card(act.play.Index(a)), tape)
			},
			Moves: []move{{Block: act.play, Does: "Into the set"}},
		},
		AtFortifyZone: {
			Name: "fortify_zone", Asks: "the city to be fortified is to be picked", Rule: "NE-124", Inside: true,
			Brief: "fortify a city", Phases: 1 << phaseConsumption,
			Moves: pickZone("Fortify", func(s *State, p env.Player) Zones { return s.fortifiable(p, s.chosenCard) },
				func(s *State, _ env.Player, z Zone, _ *env.Tape) { s.fortify(z) }),
		},
		AtElect: {
			Name: "elect", Asks: "elections can be started", Rule: "NE-060",
			Direct: "Do you start an election, and in which zone?",
			Brief:  "start an election", Phases: 1 << phaseElections, Legal: (*State).legalElect, Play: (*State).elect,
			Moves: []move{{Block: act.zone, Does: "Election in"}, {Block: act.play, Does: "Open further zones with"},
				{Block: act.done, Does: "No election"}},
		},
		AtElectWide: {
			Name: "elect_wide", Asks: "a target that Transport Links opens is to be picked", Rule: "NE-062", Inside: true,
			Direct: "In which zone, beside any of yours, is the election?",
			Brief:  "target with Transport Links", Phases: 1 << phaseElections,
			Moves: pickZone("Election in", (*State).wideTargets,
				func(s *State, p env.Player, z Zone, tape *env.Tape) { s.startElection(p, z, tape) }),
		},
		AtJoin: {
			Name: "join", Asks: "the seat joins the election or not", Rule: "NE-064",
			Brief: "join the election?", Phases: 1 << phaseElections, Who: another, Scene: electScene,
			Legal: (*State).legalJoin, Play: (*State).answerElection,
			Moves: []move{{Block: act.yes, Does: "Join"}, {Block: act.play, Does: "Join with"},
				{Block: act.no, Does: "Stay out"}},
		},
		AtCommitAmount: {
			Name: "commit_amount", Asks: "cash is to be committed in secret", Rule: "NE-065", Inside: true,
			Brief: "commit cash", Phases: 1 << phaseElections, Who: another, Scene: electScene,
			Legal: (*State).legalCommitment, Play: (*State).number, Moves: []move{{Block: act.amount, Does: "Commit"}},
		},
		AtCommitCard: {
			Name: "commit_card", Asks: "City cards can be committed, or done", Rule: "NE-066", Inside: true,
			Brief: "commit cards", Phases: 1 << phaseElections, Who: another, Scene: electScene,
			Legal: (*State).legalCards, Play: (*State).playForElection,
			Moves: []move{{Block: act.play, Does: "Commit"}, {Block: act.done, Does: "No more cards"}},
		},
		AtNewWorker: {
			Name: "new_worker", Asks: "the type of the zone is to be chosen", Rule: "NE-073",
			Direct: "Is the zone that you have won a mining or an energy zone?",
			Brief:  "choose the zone's type", Phases: 1 << phaseElections, Who: another,
			Legal: func(_ *State, m env.Mask, _ env.Player) { m.Set(MiningZone, EnergyZone) },
			Play:  (*State).typeZone,
		},
		AtLeader: {
			Name: "leader", Asks: "the leader can move to an adjacent own zone", Rule: "NE-080",
			Direct: "Does your leader move to a zone beside it?",
			Brief:  "move the leader", Phases: 1 << phaseLeader, Legal: (*State).legalLead, Play: (*State).moveLeader,
			Moves: []move{{Block: act.zone, Does: "The leader goes to"}, {Block: act.done, Does: "The leader stays"}},
		},
		AtMovePick: {
			Name: "move_pick", Asks: "a piece can be picked up to be moved", Rule: "NE-082",
			Direct: "Which piece do you move, if any?",
			Brief:  "pick up a piece", Phases: 1 << phaseLeader, Legal: (*State).legalMoves, Play: (*State).pickPiece,
			Moves: []move{{Block: act.machine, Does: "Pick up a machine in"}, {Block: act.worker, Does: "Pick up a worker in"},
				{Block: act.mfg, Does: "Pick up a manufacturing worker in"}},
		},
		AtMoveTo: {
			Name: "move_to", Asks: "the piece is to be put down in an adjacent own zone that may hold it", Rule: "NE-082",
			Brief: "put it down", Phases: 1 << phaseLeader, Inside: true,
			Moves: pickZone("Put it down in", func(s *State, p env.Player) Zones {
				return s.destinations(p, s.chosenUnit, s.chosenZone)
			},
				func(s *State, p env.Player, z Zone, _ *env.Tape) { s.move(p, z) }),
		},
		Over: {
			Name: "over", Asks: "the game is over", Rule: "NE-093", Phases: 1 << phaseOver,
		},
	}
	for d := range table {
		table[d].Why = (*State).reason
	}
	return table
}

// pickZone is the choice of a zone of a set.
func pickZone(does string, of func(*State, env.Player) Zones, play func(*State, env.Player, Zone, *env.Tape)) []move {
	return []move{{
		Block: act.zone, Does: does,
		Needs: []need{{Each: func(s *State, p env.Player) uint64 { return uint64(of(s, p)) }}},
		Play:  func(s *State, p env.Player, i int, tape *env.Tape) { play(s, p, Zone(i), tape) },
	}}
}

// row is what is asked.
func (s *State) row() *decision { return &s.game.decisions[s.decision] }

// play is one answer to what is asked.
func (s *State) play(a env.Action, tape *env.Tape) {
	s.row().Apply(s, env.Player(s.seat), a, tape)
}
