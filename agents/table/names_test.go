package table

import (
	"testing"

	"earthgym/env"
)

func TestSpoken(t *testing.T) {
	at := &Table{info: &env.Info{}, seats: []seat{{Seat: Seat{Name: "Ada"}}, {}, {Seat: Seat{Name: Person}}}}
	for _, tt := range []struct{ text, nobody, first, second string }{
		{"Player 0 settles field 12.", "Ada settles field 12.", "You settle field 12.", "Ada settles field 12."},
		{"Player 1 has no choice: fleets -1.", "Player 2 has no choice: fleets -1.", "Player 2 has no choice: fleets -1.",
			"You have no choice: fleets -1."},
		{"Round 3: player 1's turn.", "Round 3: Player 2's turn.", "Round 3: Player 2's turn.", "Round 3: your turn."},
		{"Player 0's fleets fly to Earth.", "Ada's fleets fly to Earth.", "Your fleets fly to Earth.",
			"Ada's fleets fly to Earth."},
		{"Risk: 3: player 0 fleets At Risk +1.", "Risk: 3: Ada fleets At Risk +1.", "Risk: 3: your fleets At Risk +1.",
			"Risk: 3: Ada fleets At Risk +1."},
		{"player 2 asks player 0 for 5 RES", "Player 3 asks Ada for 5 RES", "Player 3 asks you for 5 RES",
			"Player 3 asks Ada for 5 RES"},
		{"Player 0 announces that it will place a stone in its next turn.", "Ada announces that it will place a stone in " +
			"its next turn.", "You announce that you will place a stone in your next turn.",
			"Ada announces that it will place a stone in its next turn."},
		{"Player 1 studies Launch.", "Player 2 studies Launch.", "Player 2 studies Launch.", "You study Launch."},
		{"smog costs player 0 up to 3", "smog costs Ada up to 3", "smog costs you up to 3", "smog costs Ada up to 3"},
		{"Seat 7 is nobody's, and nobody is seat 12", "Seat 7 is nobody's, and nobody is seat 12",
			"Seat 7 is nobody's, and nobody is seat 12", "Seat 7 is nobody's, and nobody is seat 12"},
		{"p0:3 p2x1* (p1 = seat 1), p0s; up0 p7 p12", "p1:3 p3x1* (p2 = Player 2), p1s; up0 p7 p12",
			"p1:3 p3x1* (p2 = Player 2), p1s; up0 p7 p12", "p1:3 p3x1* (p2 = you), p1s; up0 p7 p12"},
		{"It is over (player 0)", "It is over (Ada)", "It is over (you)", "It is over (Ada)"},
	} {
		if got := at.spoken(tt.text, 0); got != tt.text {
			t.Errorf("%q as the game has it is %q", tt.text, got)
		}
		at.o.Names = FromOne
		for viewer, want := range map[int]string{-1: tt.nobody, 0: tt.first, 1: tt.second} {
			v := nobody
			if viewer >= 0 {
				v = env.Player(viewer)
			}
			if got := at.spoken(tt.text, v); got != want {
				t.Errorf("%q for %d: %q, want %q", tt.text, viewer, got, want)
			}
		}
		at.o.Names = AsPlayed
	}
}

// A game that has names for its seats keeps them, but for the reader's own.
func TestSpokenOwn(t *testing.T) {
	s := Speaker{Names: FromOne, Seats: []string{"Ada", ""}, Own: []string{"BLUE", "RED"}}
	for _, tt := range []struct{ text, nobody, blue string }{
		{"BLUE holds an election in B1.", "BLUE holds an election in B1.", "You hold an election in B1."},
		{"BLUE's leader goes to B2.", "BLUE's leader goes to B2.", "Your leader goes to B2."},
		{"RED has nothing more to do.", "RED has nothing more to do.", "RED has nothing more to do."},
		{"The set-up goes in the order RED and BLUE.", "The set-up goes in the order RED and BLUE.",
			"The set-up goes in the order RED and you."},
		{"REDS and BLUEPRINTS", "REDS and BLUEPRINTS", "REDS and BLUEPRINTS"},
	} {
		if got := s.Spoken(tt.text, nobody); got != tt.nobody {
			t.Errorf("%q for nobody: %q, want %q", tt.text, got, tt.nobody)
		}
		if got := s.Spoken(tt.text, 0); got != tt.blue {
			t.Errorf("%q for BLUE: %q, want %q", tt.text, got, tt.blue)
		}
	}
}
