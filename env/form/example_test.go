package form_test

import (
	"errors"
	"fmt"

	"earthgym/env/form"
)

// garden is the position of a small game.
type garden struct {
	round  int16
	season uint8
	apples [2]int8
	trees  uint8 // a set
}

var (
	seasons = []string{"spring", "summer", "autumn"}
	trees   = []string{"oak", "elm", "yew"}
)

// form declares the position once: to be written, read and patched.
func (g *garden) form(f *form.Position) {
	form.Int(f, "round", &g.round, 1, 12)
	form.Word(f, "season", &g.season, seasons)
	form.Ints(f, "apples", g.apples[:], 0, 9)
	form.Set(f, "trees", &g.trees, trees)
	form.Derived(f, "left", func() any { return 18 - g.apples[0] - g.apples[1] })
}

// check looks at rules that span fields.
func (g *garden) check() error {
	if seasons[g.season] == "spring" && g.apples != [2]int8{} {
		return errors.New("apples: nobody has any in spring")
	}
	return nil
}

func Example() {
	g := garden{round: 3, season: 2, apples: [2]int8{4, 0}, trees: 0b101}
	fmt.Printf("%s\n", form.AppendPosition(nil, g.form))

	for _, text := range []string{
		`{"round":4,"season":"summer","apples":[1,2],"trees":["yew"]}`,
		`{"round":13,"season":"summer","apples":[1,2],"trees":["yew"]}`,
		`{"round":4,"season":"sumer","apples":[1,2],"trees":["yew"]}`,
		`{"round":4,"season":"summer","trees":["yew"]}`,
		`{"round":4,"season":"spring","apples":[1,2],"trees":[]}`,
	} {
		var read garden
		fmt.Println(form.ReadPosition([]byte(text), &read, garden{}, (*garden).form, (*garden).check))
	}

	err := form.PatchPosition([]byte(`{"apples":[4,1]}`), &g, (*garden).form, (*garden).check)
	fmt.Println(g, err)

	// Output:
	// {"round":3,"season":"autumn","apples":[4,0],"trees":["oak","yew"],"left":14}
	// <nil>
	// round: 13 is not in 1 to 12
	// season: unknown word "sumer": did you mean "summer"? there are: spring, summer, autumn
	// apples is missing
	// apples: nobody has any in spring
	// {3 2 [4 1] 5} <nil>
}
