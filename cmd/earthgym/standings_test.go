package main

import (
	"testing"
	"time"

	"earthgym/eval"
)

func TestStandingsText(t *testing.T) {
	standings := []eval.Standing{
		{Agent: "script:strong", Games: 40, MeanReturn: 0.25, WinShare: 0.625},
		{Agent: "net:runs/a-folder-with-a-name-that-is-longer-than-it-need-be", Games: 40, MeanReturn: -0.25,
			WinShare: 0.375},
	}
	const want = `40 of 200 games, 2 min left                 games   return      wins
1 script:strong                                40   +0.250    62.5 %
2 net:runs/a-folder-with-a-name-that-is…       40   -0.250    37.5 %
`
	if got := standingsText(standings, 40, 200, left(30*time.Second, 40, 160)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for d, want := range map[time.Duration]string{4 * time.Second: "4 s", 90 * time.Minute: "1.5 h"} {
		if got := roughly(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
