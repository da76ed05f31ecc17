package env_test

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
)

// Step and reset, with the legal actions as a mask.
func Example() {
	e, err := env.New(kuhn.Open(2), env.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e.Reset(7)
	for !e.Terminated() {
		fmt.Println("player", e.Actor(), "may", env.LegalTexts(e.State()))
		if err := e.Step(e.Mask().Nth(0)); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("rewards", e.Rewards(), "reason", e.State().Reason())
	fmt.Println(e.Step(0))
	// Output:
	// player 0 may [pass bet]
	// player 1 may [pass bet]
	// rewards [0.5 -0.5] reason checked
	// illegal action "pass": the game is over (checked); reset it
}

// Many games side by side, in contiguous arrays.
func ExampleVec() {
	v, err := env.NewVec(kuhn.Open(3), env.VecOptions{Lanes: 4, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer v.Close()
	actions := make([]env.Action, v.Lanes())
	for range 3 {
		for lane := range actions {
			actions[lane] = kuhn.Pass
		}
		if err := v.Step(actions); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(v.Terminated, v.Rewards[:3], v.Episode(0).Reason)
	// Output: [true true true true] [-0.25 -0.25 0.5] checked
}

// A tape forces chance, and logs it with all that it could have been.
func ExampleTape() {
	s := kuhn.Open(2).New()
	var tape env.Tape
	tape.Force("card 0 = king", "card 1 = jack")
	s.Reset(0, &tape)
	fmt.Println(tape.Texts(), tape.Events()[1].Outcomes, tape.Err())
	// Output: [card 0 = king card 1 = jack] [{jack 1} {queen 1}] <nil>
}
