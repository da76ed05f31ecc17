package oneearth_test

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/games/oneearth"
)

// The first purchases of a game: the Entertainer's festival, then a Project from the row.
func Example() {
	g, err := oneearth.Rulebook().Open("players=3,mode=advanced,leaders=entertainer+tycoon+scientist", datafile.File{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var tape env.Tape
	tape.Force("deal = hospital", "deal = coal", "deal = school", "deal = farm", "deal = oil", "deal = metro")
	s := g.New().(*oneearth.State)
	s.Reset(1, &tape)
	s.Apply(oneearth.UseAbility, nil)
	s.Apply(oneearth.Fund+0, nil)
	me := &s.Countries[0]
	fmt.Println("Prosperity", me.Prosperity, "Emissions", me.Emissions, "money", me.Money, "Global Emissions", s.Global)
	fmt.Println("points now", s.VP(0).Total())
	fmt.Println(s.Why(oneearth.UseAbility))
	// Output:
	// Prosperity 4 Emissions 3 money 2 Global Emissions 3
	// points now 5
	// the ability has been used (OE-090)
}
