package newearth

import "testing"

func TestFeatures(t *testing.T) {
	at := map[string]int{
		"own": atOwn, "out": atOut, "level": atLevel, "type": atType, "raw": atRaw, "mfg": atMakers, "machines": atMachines,
		"people_limit": atPeopleLimit, "machine_limit": atMachineLimit, "plant": atPlant, "city": atCity, "fortified": atFort,
		"affected": atAffected, "elected": atElected, "converted": atConverted, "raised": atRaised, "leader": atLeader,
		"reach": atReach, "question": atQuestion, "picked": atPicked, "arrived": atArrived, "sector": atSector,
		"rotation": atRotation, "holdings": atHoldings, "seat": atSeat, "known": atKnown, "hand": atHand, "unseen": atUnseen,
		"output": atOutput, "commit": atCommit, "commit_cards": atCommitCards, "numbers": atNumbers, "titles": atTitles,
		"piece": atPiece, "catastrophe": atCatastrophe, "used": atUsed, "offer": atOffer, "partner": atPartner, "node": atNode,
		"phase": atPhase, "acting": atActing, "turn": atTurn, "deck": atDeck, "players": atPlayers, "options": atOptions, "storm": atStorm,
	}
	info := openGame(t, "").info
	if got := info.Observation(); got != numFeatures {
		t.Errorf("the features are %d numbers, Observe writes %d", got, numFeatures)
	}
	for _, f := range info.Features {
		if want, ok := at[f.Name]; !ok || f.Offset != want {
			t.Errorf("feature %s stands at %d; it is written at %d", f.Name, f.Offset, want)
		}
	}
}
