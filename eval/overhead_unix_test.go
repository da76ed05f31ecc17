//go:build unix

package eval

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
)

// BenchmarkMatch plays matches of a bot with itself, and says what share of their CPU time the rules take, what share
// the bot's thinking, and what the harness takes beside both: blocks, seats, counting, results. Rules are the same
// decisions played again, and thinking is what is more in games that are nothing but the bots and a referee. With
// Thinking the clock is read twice a decision. Matches are long enough for their intervals, half a millisecond whatever
// the length, not to count.
//
//	go test ./eval -run '^$' -bench 'Match$' -benchtime 5x
func BenchmarkMatch(b *testing.B) {
	for game, games := range map[string]int{
		"resilience-earth:players=2": 4000, "one-earth:players=3": 6000, "earth-rising:players=2": 1000,
		"new-earth:players=2": 400, "earthmans-burden:players=2": 400,
	} {
		g, field := opened(b, game, "script:greedy")
		b.Run(game, func(b *testing.B) {
			p := &bare{game: g, maker: field[0]}
			var rules, play, match, timed time.Duration
			for b.Loop() {
				o := Options{Games: games, Seed: 1, Workers: 1}
				play += p.play(b, games)
				rules += p.replay(b)
				match += matchTime(b, g, field, o)
				o.Thinking = &Thinking{}
				timed += matchTime(b, g, field, o)
			}
			share := func(d time.Duration) float64 { return 100 * d.Seconds() / match.Seconds() }
			b.ReportMetric(share(rules), "rules-%")
			b.ReportMetric(share(play-rules), "thinking-%")
			b.ReportMetric(share(match-play), "harness-%")
			b.ReportMetric(100*(timed-play).Seconds()/timed.Seconds(), "timed-harness-%")
			b.ReportMetric(match.Seconds()*1e9/float64(b.N*len(p.actions)), "ns/decision")
		})
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", game, workers), func(b *testing.B) {
				for b.Loop() {
					if _, err := Match(context.Background(), g, field, Options{Games: games, Seed: 1, Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*games)/b.Elapsed().Seconds(), "games/s")
			})
		}
	}
}

// cpu is the CPU time that this process has taken.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func matchTime(b *testing.B, g env.Game, field []*agents.Maker, o Options) time.Duration {
	start := cpu(b)
	must.Have(Match(context.Background(), g, field, o))(b)
	return cpu(b) - start
}

// bare is games with nothing around them.
type bare struct {
	game    env.Game
	maker   *agents.Maker
	seeds   []uint64
	actions []env.Action // of all games, one after the other
}

// play plays the games of a match with seed 1.
func (p *bare) play(b *testing.B, games int) time.Duration {
	p.seeds, p.actions = p.seeds[:0], p.actions[:0]
	luck := env.NewStream(1, "match")
	for range games {
		p.seeds = append(p.seeds, luck.Uint64())
	}
	var seats []agents.Agent
	for range p.game.Info().Players {
		agent := must.Have(p.maker.New())(b)
		seats = append(seats, agent)
	}
	return p.each(b, func(ref *referee.Referee) {
		for seat, agent := range seats {
			agent.Reset(p.maker.Seed(ref.Seed(), env.Player(seat)))
		}
		for q := ref.Actor(); q != env.Over; q = ref.Actor() {
			a, err := seats[q].Act(ref.View())
			if err == nil {
				err = ref.Play(a)
			}
			if err != nil {
				b.Fatal(err)
			}
			p.actions = append(p.actions, a)
		}
	})
}

// replay plays the same games by their actions.
func (p *bare) replay(b *testing.B) time.Duration {
	next := 0
	return p.each(b, func(ref *referee.Referee) {
		for ref.Actor() != env.Over {
			ref.View()
			must.Do(b, ref.Play(p.actions[next]))
			next++
		}
	})
}

func (p *bare) each(b *testing.B, play func(ref *referee.Referee)) time.Duration {
	start := cpu(b)
	ref := must.Have(referee.NewQuiet(p.game, 0))(b)
	for _, seed := range p.seeds {
		ref.Again(seed)
		play(ref)
		ref.Result()
	}
	return cpu(b) - start
}

// cup is the folder of a tournament of 20 agents and 100,000 games.
func cup(b *testing.B) (open func() *Tournament) {
	g, field, dir := kuhn.Open(2), gamblers(20), b.TempDir()
	open = func() *Tournament {
		return must.Have(OpenTournament(dir, g, field, TournamentOptions{Seed: 1}))(b)
	}
	t := open()
	must.Do(b, t.Play(context.Background(), 100_000, 0, Options{}))
	must.Do(b, t.Close())
	return open
}

func BenchmarkResume(b *testing.B) {
	open := cup(b)
	start := cpu(b)
	for b.Loop() {
		if err := open().Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpu(b)-start).Seconds()/float64(b.N), "cpu-s/op")
}

func BenchmarkResult(b *testing.B) {
	open := cup(b)
	t := open()
	defer t.Close()
	start := cpu(b)
	for b.Loop() {
		if _, err := t.Result(""); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpu(b)-start).Seconds()/float64(b.N), "cpu-s/op")
}
