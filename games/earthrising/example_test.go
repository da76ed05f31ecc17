package earthrising_test

import (
	"fmt"

	"earthgym/env/datafile"
	"earthgym/games/earthrising"
)

// A solo game, in which the position is set up and a segment transformed.
func Example() {
	g, err := earthrising.Rulebook().Open("variant=solo,characters=ecologist+activist+innovator", datafile.File{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := g.New().(*earthrising.State)
	s.Reset(1, nil)
	s.Apply(earthrising.Clean(earthrising.Agriculture, 2), nil)
	s.Apply(earthrising.Clean(earthrising.Industry, 2), nil)
	s.Apply(earthrising.Major(earthrising.Agriculture), nil)
	fmt.Println("segments in the centre:", s.Segments())
	fmt.Println("actions left:", s.ActionsLeft())
	fmt.Println("people in poverty:", s.Poverty())
	fmt.Println(s.Why(earthrising.Minor(earthrising.Agriculture)))
	// Output:
	// segments in the centre: 1
	// actions left: 3
	// people in poverty: 18
	// the Major of infrastructure is not in the centre (ER-323)
}
