package mcts

import (
	"context"
	"flag"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

var (
	gainGame    = flag.String("gain.game", "resilience-earth", "game of BenchmarkGain")
	gainOptions = flag.String("gain.options", "sims=64,net=", "searches that BenchmarkGain compares, with semicolons "+
		"between them")
	gainAmong = flag.String("gain.among", "script:strong", "who plays the other seats in BenchmarkGain: a bot, or "+
		"argmax for the network that comes with the program")
	gainSamples = flag.Int("gain.samples", 64, "fresh samples by which BenchmarkGain judges an action")
	gainEvery   = flag.Int("gain.every", 1, "one of how many decisions BenchmarkGain searches")
)

// BenchmarkGain searches the decisions of games in which one seat plays as the search's incumbent does, and prints
//
//	gain/game  how much more the search's choices return than the incumbent's, on fresh samples to the end of the game,
//	           all the others being who they are, added up over a game
//	±gain      half of its 95 % interval, over games
//	changed    decisions of a game at which search chooses something else
//	own        the seat's return without search
//
// Games are the same for all searches, and there are as many as -benchtime says:
//
//	go test ./agents/mcts -run '^$' -bench Gain -benchtime 40x -gain.game one-earth \
//	    -gain.options 'sims=64,net=;sims=64,net=,width=0'
//
// A few dozen games tell options apart where hundreds of a match don't. But the game goes on with the incumbent's
// choice, so that what is missed several times counts as often: gains say which search is better, and only a match how
// much it wins.
func BenchmarkGain(b *testing.B) {
	for options := range strings.SplitSeq(*gainOptions, ";") {
		b.Run(*gainGame+"/"+options, func(b *testing.B) { benchGain(b, options) })
	}
}

func benchGain(b *testing.B, options string) {
	g := must.Have(games.Open(*gainGame))(b)
	config := must.Have(Parse(options, g))(b)
	own, guided := config.Rollout, config.Guided || *gainAmong == "argmax"
	policy, _, _, err := shipped.Policy(config.Net, g.Info())
	if err != nil && guided {
		b.Fatal(err)
	}
	if config.Guided {
		own = "argmax"
	}
	open := func(text string) opener {
		return must.Have(openPlayer(text, g, guided, policy))(b)
	}
	search := newSearch(b, options, g)
	table := newSimulator(g, 0, policy, open(own), []opener{open(*gainAmong)})
	judge := newSimulator(g, 0, policy, open(own), []opener{open(*gainAmong)})
	worth := func(v *env.View, a env.Action, key uint64) float64 {
		sum := 0.0
		for i := range *gainSamples {
			judge.sample(v, env.Mix(key+uint64(i)))
			judge.state.Apply(a, nil)
			judge.playOn()
			sum += judge.returns[judge.me]
		}
		return sum / float64(*gainSamples)
	}
	var gains, returns []float64
	changed := 0
	for b.Loop() {
		seed := env.Mix(uint64(len(gains)) + 1)
		luck := env.NewStream(seed, "gain")
		table.state.Reset(seed, nil)
		table.me = env.Player(len(gains) % g.Info().Players)
		for p := range table.own {
			table.player(env.Player(p)).Reset(env.SeatSeed(seed, env.Player(p)))
		}
		search.Reset(seed)
		gain := 0.0
		for table.state.Actor() != env.Over {
			table.state.Legal(table.legal)
			if table.state.Actor() != table.me || table.legal.Nth(1) < 0 || luck.Below(*gainEvery) > 0 {
				table.act()
				continue
			}
			v, key := env.ViewOf(table.state), luck.Uint64()
			r, err := search.Search(context.Background(), v)
			if err != nil {
				b.Fatal(err)
			}
			incumbent := table.choose()
			if r.Action != incumbent {
				changed++
				gain += float64(*gainEvery) * (worth(v, r.Action, key) - worth(v, incumbent, key))
			}
			table.state.Apply(incumbent, nil)
		}
		table.state.Returns(table.returns)
		gains, returns = append(gains, gain), append(returns, table.returns[table.me])
	}
	mean, deviation := stat.MeanStdDev(gains, nil)
	b.ReportMetric(0, "ns/op") // of games and judging together
	b.ReportMetric(mean, "gain/game")
	b.ReportMetric(1.96*stat.StdErr(deviation, float64(len(gains))), "±gain")
	b.ReportMetric(float64(changed*(*gainEvery))/float64(len(gains)), "changed")
	b.ReportMetric(stat.Mean(returns, nil), "own")
}
