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
func (d Decision) String() string { return decisions[d].name }

// A decision is a row of the table: all that the rules say of what a seat is asked.
type decision struct {
	name   string // in positions
	asks   string // what is asked, by which rule
	verb   string // what is decided, in brief
	phases uint8  // in which it is asked, as bits
	others bool   // others are asked than the seat whose step it is
	scene  scene  // what those see of it who are not asked

	// Legal adds what the seat that is asked may do (RULES.md 5.4): zones alone, or anything.
	zones func(s *State, p env.Player) Zones
	legal func(s *State, m env.Mask, p env.Player)
	// Play does it, and leaves the next decision to be asked.
	play func(s *State, p env.Player, a env.Action, tape *env.Tape)

	means form.Meanings // of families of actions that do something else here than elsewhere
}

// decisions is the table, in the order of a turn.
var decisions = [numDecisions]decision{
	AtSetupTile: {
		name: "setup_tile", asks: "a home tile that lies in a home sector and is free is to be taken (NE-006)",
		verb: "take a home tile", phases: 1 << phaseSetUp,
		legal: func(s *State, m env.Mask, _ env.Player) { m.Block(tile0, s.freeTiles()) },
		play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.takeTile(p, int(a-tile0)) },
	},
	AtSetupClaim: {
		name: "setup_claim", asks: "a free zone is to be claimed (NE-010)",
		verb: "claim a zone", phases: 1 << phaseSetUp,
		zones: func(s *State, p env.Player) Zones { return s.claimable(p) },
		play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.claim(p, Zone(a-zone0)) },
		means: form.Meanings{{"zone", "Claim"}},
	},
	AtSetupMine: {
		name: "setup_mine", asks: "the three mining zones are to be picked, in ascending order (NE-006)",
		verb: "pick a mining zone", phases: 1 << phaseSetUp,
		zones: func(s *State, p env.Player) Zones { return s.minable(p) },
		play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.mine(p, Zone(a-zone0)) },
		means: form.Meanings{{"zone", "Mining in"}},
	},
	AtSetupPlant: {
		name: "setup_plant", asks: "the zone of the plant is to be picked (NE-006)",
		verb: "place the plant", phases: 1 << phaseSetUp,
		zones: func(s *State, p env.Player) Zones { return s.owned[p] },
		play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.placePlant(Zone(a - zone0)) },
		means: form.Meanings{{"zone", "The plant and its worker in"}},
	},
	AtSetupLeader: {
		name: "setup_leader", asks: "the leader's zone is to be picked (NE-006)",
		verb: "place the leader", phases: 1 << phaseSetUp,
		zones: func(s *State, p env.Player) Zones { return s.owned[p] },
		play:  func(s *State, p env.Player, a env.Action, tape *env.Tape) { s.placeLeader(p, Zone(a-zone0), tape) },
		means: form.Meanings{{"zone", "The leader in"}},
	},
	AtReceive: {
		name: "receive", asks: "a card is taken or passed on (NE-030)",
		verb: "receive a card?", phases: 1 << phaseCatastrophes,
		legal: (*State).legalReceive,
		play:  (*State).receive,
		means: form.Meanings{{"yes", "Take it"}, {"no", "Leave it"}},
	},
	AtOverflow: {
		name: "overflow", asks: "City cards are to be discarded or traded in until the hand limit is kept (NE-031)",
		verb: "get rid of a card", phases: 1<<phaseCatastrophes | 1<<phaseConsumption | 1<<phaseElections | 1<<phaseLeader,
		legal: (*State).legalOverflow,
		play:  (*State).reduce,
	},
	AtCatChoose: {
		name: "cat_choose", asks: "one of the playable Catastrophe cards is to be played (NE-040)",
		verb: "play a Catastrophe card", phases: 1 << phaseCatastrophes, scene: strikeScene,
		legal: func(s *State, m env.Mask, p env.Player) { m.Block(strike0, uint64(s.playable(p)>>NumTitles)) },
		play: func(s *State, p env.Player, a env.Action, tape *env.Tape) {
			s.strike(p, CivilDisorder+Card(a-strike0), tape)
		},
	},
	AtCatPurge: {
		name: "cat_purge", asks: "Transport Links can be played against a held Stock Loss, or done (NE-038)",
		verb: "get rid of a Stock Loss?", phases: 1 << phaseCatastrophes, scene: strikeScene,
		legal: func(_ *State, m env.Mask, _ env.Player) { m.Set(Play(TransportLinks), Done) },
		play:  (*State).purgeFirst,
		means: form.Meanings{{"play", "Be rid of it with"}, {"done", "Keep it"}},
	},
	AtCatZone: {
		name: "cat_zone", asks: "the zone that the card strikes is to be picked (NE-046, NE-049)",
		verb: "pick the zone it strikes", phases: 1 << phaseCatastrophes,
		zones: func(s *State, p env.Player) Zones { return s.strikable(p) },
		play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.strikeZone(p, Zone(a-zone0)) },
		means: form.Meanings{{"zone", "Strike"}},
	},
	AtNegate: {
		name: "negate", asks: "a City card can be played against the catastrophe, or no (NE-044)",
		verb: "negate the catastrophe?", phases: 1 << phaseCatastrophes, others: true, scene: negateScene,
		legal: (*State).legalNegate,
		play:  (*State).answerCatastrophe,
		means: form.Meanings{{"play", "Negate with"}, {"no", "Let it strike"}},
	},
	AtNegateZone: {
		name: "negate_zone", asks: "the zone that the card saves is to be picked (NE-044)",
		verb: "pick the zone to save", phases: 1 << phaseCatastrophes, others: true,
		zones: func(s *State, p env.Player) Zones { return s.hit & s.owned[p] },
		play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.saveZone(Zone(a - zone0)) },
		means: form.Meanings{{"zone", "Save"}},
	},
	AtIndepAmount: {
		name: "indep_amount", asks: "cash is to be committed for the zone's return (NE-050)",
		verb: "commit cash for the zone's return", phases: 1 << phaseCatastrophes, scene: returnScene,
		legal: (*State).legalIndependence,
		play:  (*State).number,
		means: form.Meanings{{"amount", "Commit"}},
	},
	AtIndepCard: {
		name: "indep_card", asks: "City cards can be committed, or done (NE-066)",
		verb: "commit cards for it", phases: 1 << phaseCatastrophes, scene: returnScene,
		legal: (*State).legalCards,
		play:  (*State).playForReturn,
		means: form.Meanings{{"play", "Commit"}, {"done", "No more cards"}},
	},
	AtAssignMining: {
		name: "assign_mining", asks: "the machines of mixed mining zones that serve manufacturing are to be numbered (NE-102)",
		verb: "machines of mixed mining zones that serve manufacturing", phases: 1 << phaseProduction,
		legal: func(s *State, m env.Mask, p env.Player) { s.legalAmount(m, 0, s.mixedMachines(p, s.mining)) },
		play:  (*State).number,
		means: form.Meanings{{"amount", "Machines that serve manufacturing"}},
	},
	AtAssignEnergy: {
		name: "assign_energy", asks: "the machines of mixed energy zones that serve manufacturing are to be numbered (NE-102)",
		verb: "machines of mixed energy zones that serve manufacturing", phases: 1 << phaseProduction,
		legal: func(s *State, m env.Mask, p env.Player) { s.legalAmount(m, 0, s.mixedMachines(p, s.energy)) },
		play:  (*State).number,
		means: form.Meanings{{"amount", "Machines that serve manufacturing"}},
	},
	AtProduce: {
		name: "produce", asks: "it is a production turn (NE-103)",
		verb: "produce", phases: 1 << phaseProduction,
		legal: (*State).legalProduce,
		play:  (*State).produce,
		means: form.Meanings{{"play", "Be rid of a stock loss with"}},
	},
	AtBulkPlace: {
		name: "bulk_place", asks: "the machines that were bought together are to be placed (NE-104)",
		verb: "place the machines bought", phases: 1 << phaseProduction,
		legal: (*State).legalPlacement,
		play:  (*State).produce,
		means: form.Meanings{{"machine", "A machine in"}, {"worker", "A worker in"}, {"mfg", "A manufacturing worker in"}},
	},
	AtPlantZone: {
		name: "plant_zone", asks: "the plant that was bought is to be placed (NE-105)",
		verb: "place the plant", phases: 1 << phaseProduction,
		zones: func(s *State, p env.Player) Zones { return s.sound(p) &^ s.plants },
		play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.build(Zone(a - zone0)) },
		means: form.Meanings{{"zone", "The plant stands in"}},
	},
	AtOffer: {
		name: "offer", asks: "the terms of an offer are to be named (NE-106)",
		verb: "make an offer", phases: 1 << phaseProduction,
		legal: (*State).legalTerms,
		play:  (*State).term,
	},
	AtOfferReply: {
		name: "offer_reply", asks: "the offer is to be accepted or declined (NE-106)",
		verb: "accept the offer?", phases: 1 << phaseProduction, others: true,
		legal: func(_ *State, m env.Mask, _ env.Player) { m.Set(Yes, No) },
		play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.reply(a == Yes) },
	},
	AtShortage: {
		name: "shortage", asks: "levels are to be given up for lack of goods (NE-121)",
		verb: "drop a level", phases: 1 << phaseConsumption,
		zones: func(s *State, p env.Player) Zones { return s.owned[p] &^ s.level[0] },
		play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.drop(p, Zone(a-zone0)) },
		means: form.Meanings{{"zone", "A level less in"}},
	},
	AtDevelop: {
		name: "develop", asks: "zones can be raised and cities founded (NE-126)",
		verb: "raise zones and found cities", phases: 1 << phaseConsumption,
		legal: (*State).legalDevelop,
		play:  (*State).develop,
		means: form.Meanings{{"zone", "Raise by a level (for goods)"}, {"play", "Fortify a city, or be rid of a stock loss, with"}},
	},
	AtCityZone: {
		name: "city_zone", asks: "the zone that becomes a city is to be picked (NE-123)",
		verb: "pick the zone of the city", phases: 1 << phaseConsumption,
		zones: func(s *State, p env.Player) Zones { return s.owned[p] &^ s.cities },
		play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.cityZone(Zone(a - zone0)) },
		means: form.Meanings{{"zone", "The city is"}},
	},
	AtCityCard: {
		name: "city_card", asks: "the four cards of the conversion are to be picked, in ascending order (NE-123)",
		verb: "pick the cards of the set", phases: 1 << phaseConsumption,
		legal: func(s *State, m env.Mask, p env.Player) { m.Block(play0, uint64(s.nextOfSet(p))) },
		play:  func(s *State, p env.Player, a env.Action, tape *env.Tape) { s.pickCard(p, Card(a-play0), tape) },
		means: form.Meanings{{"play", "Into the set"}},
	},
	AtFortifyZone: {
		name: "fortify_zone", asks: "the city to be fortified is to be picked (NE-124)",
		verb: "fortify a city", phases: 1 << phaseConsumption,
		zones: func(s *State, p env.Player) Zones { return s.fortifiable(p, s.chosenCard) },
		play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.fortify(Zone(a - zone0)) },
		means: form.Meanings{{"zone", "Fortify"}},
	},
	AtElect: {
		name: "elect", asks: "elections can be started (NE-060)",
		verb: "start an election", phases: 1 << phaseElections,
		legal: (*State).legalElect,
		play:  (*State).elect,
		means: form.Meanings{{"zone", "Election in"}, {"play", "Open further zones with"}, {"done", "No election"}},
	},
	AtElectWide: {
		name: "elect_wide", asks: "a target that Transport Links opens is to be picked (NE-062)",
		verb: "target with Transport Links", phases: 1 << phaseElections,
		zones: func(s *State, p env.Player) Zones { return s.wideTargets(p) },
		play:  func(s *State, p env.Player, a env.Action, tape *env.Tape) { s.startElection(p, Zone(a-zone0), tape) },
		means: form.Meanings{{"zone", "Election in"}},
	},
	AtJoin: {
		name: "join", asks: "the seat joins the election or not (NE-064)",
		verb: "join the election?", phases: 1 << phaseElections, others: true, scene: electScene,
		legal: (*State).legalJoin,
		play:  (*State).answerElection,
		means: form.Meanings{{"yes", "Join"}, {"play", "Join with"}, {"no", "Stay out"}},
	},
	AtCommitAmount: {
		name: "commit_amount", asks: "cash is to be committed in secret (NE-065)",
		verb: "commit cash", phases: 1 << phaseElections, others: true, scene: electScene,
		legal: (*State).legalCommitment,
		play:  (*State).number,
		means: form.Meanings{{"amount", "Commit"}},
	},
	AtCommitCard: {
		name: "commit_card", asks: "City cards can be committed, or done (NE-066)",
		verb: "commit cards", phases: 1 << phaseElections, others: true, scene: electScene,
		legal: (*State).legalCards,
		play:  (*State).playForElection,
		means: form.Meanings{{"play", "Commit"}, {"done", "No more cards"}},
	},
	AtNewWorker: {
		name: "new_worker", asks: "the type of the zone is to be chosen (NE-073)",
		verb: "choose the zone's type", phases: 1 << phaseElections, others: true,
		legal: func(_ *State, m env.Mask, _ env.Player) { m.Set(MiningZone, EnergyZone) },
		play:  (*State).typeZone,
	},
	AtLeader: {
		name: "leader", asks: "the leader can move to an adjacent own zone (NE-080)",
		verb: "move the leader", phases: 1 << phaseLeader,
		legal: (*State).legalLead,
		play:  (*State).moveLeader,
		means: form.Meanings{{"zone", "The leader goes to"}, {"done", "The leader stays"}},
	},
	AtMovePick: {
		name: "move_pick", asks: "a piece can be picked up to be moved (NE-082)",
		verb: "pick up a piece", phases: 1 << phaseLeader,
		legal: (*State).legalMoves,
		play:  (*State).pickPiece,
		means: form.Meanings{{"machine", "Pick up a machine in"}, {"worker", "Pick up a worker in"}, {"mfg", "Pick up a manufacturing worker in"}},
	},
	AtMoveTo: {
		name: "move_to", asks: "the piece is to be put down in an adjacent own zone that may hold it (NE-082)",
		verb: "put it down", phases: 1 << phaseLeader,
		zones: func(s *State, p env.Player) Zones { return s.destinations(p, s.chosenUnit, s.chosenZone) },
		play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.move(p, Zone(a-zone0)) },
		means: form.Meanings{{"zone", "Put it down in"}},
	},
	Over: {
		name: "over", asks: "the game is over (NE-093)",
		phases: 1 << phaseOver,
	},
}

// play is one answer to what is asked.
func (s *State) play(a env.Action, tape *env.Tape) {
	decisions[s.decision].play(s, env.Player(s.seat), a, tape)
}
