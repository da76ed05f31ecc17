package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"earthgym/env/spelling"
	"earthgym/eval"
)

// liveStandings shows how a tournament stands while it is played, on a terminal; elsewhere nothing.
type liveStandings struct {
	w     io.Writer // nil where nothing is shown
	t     *eval.Tournament
	start time.Time
	from  int       // games that were there at the start
	shown time.Time // when it was shown last
	lines int       // that it took
	clock func() time.Time
}

// refresh is how often standings are shown anew.
const refresh = time.Second

// mostStanding is how many agents are shown, the best.
const mostStanding = 12

func newLiveStandings(w io.Writer, t *eval.Tournament) *liveStandings {
	if !isDrawable(w) {
		w = nil
	}
	return &liveStandings{w: w, t: t, clock: time.Now}
}

func (l *liveStandings) set(done, total int) {
	now := l.clock()
	if l.start.IsZero() {
		l.start, l.from, l.shown = now, done-1, now
	}
	if l.w == nil || now.Sub(l.shown) < refresh && done < total {
		return
	}
	l.shown = now
	l.clear()
	text := standingsText(l.t.Standings(), done, total, left(now.Sub(l.start), done-l.from, total-done))
	l.lines = strings.Count(text, "\n")
	fmt.Fprint(l.w, text)
}

// done takes away what has been shown.
func (l *liveStandings) done() {
	if l.w != nil {
		l.clear()
	}
}

// clear takes away what has been shown: the cursor goes up, and what is below it goes.
func (l *liveStandings) clear() {
	if l.lines > 0 {
		fmt.Fprintf(l.w, "\x1b[%dA\x1b[J", l.lines)
	}
	l.lines = 0
}

// left is about how long the games that are left take, if they take as long as those before.
func left(took time.Duration, played, games int) time.Duration {
	return time.Duration(float64(took) / float64(max(1, played)) * float64(games))
}

// standingsText is what is shown, in lines of less than 80 columns.
func standingsText(standings []eval.Standing, done, total int, left time.Duration) string {
	const name = 40
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s  %7s  %7s  %8s\n", name, fmt.Sprintf("%d of %d games, %s left", done, total, roughly(left)),
		"games", "return", "wins")
	for i, s := range standings {
		if i == mostStanding {
			fmt.Fprintf(&b, "and %d more\n", len(standings)-i)
			break
		}
		agent := []rune(fmt.Sprintf("%d %s", i+1, spelling.Printable(s.Agent)))
		if len(agent) > name {
			agent = append(agent[:name-1], '…')
		}
		fmt.Fprintf(&b, "%-*s  %7d  %+7.3f  %6.1f %%\n", name, string(agent), s.Games, s.MeanReturn, 100*s.WinShare)
	}
	return b.String()
}

// roughly writes a time as people say it.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}
