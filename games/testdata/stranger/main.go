// Stranger puts a game of its own beside those of earthgym and does with it what the earthgym program does with
// them: environments, training, a match, a record, and a server for Python.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"

	"example.org/stranger/nim"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/pipe"
	"earthgym/env/record"
	"earthgym/env/referee"
	"earthgym/eval"
	"earthgym/games"
	"earthgym/train"
)

func main() {
	dir, err := os.MkdirTemp("", "stranger")
	if err == nil {
		defer os.RemoveAll(dir)
		err = run(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(dir string) error {
	all := append(games.All(), nim.Rulebook())
	fmt.Println("in a registry:", all.Names()[len(all)-1])
	g, err := all.Open("nim:heap=12")
	if err != nil {
		return err
	}

	// Environments: one, and many together.
	e, err := env.New(g, env.Options{})
	if err != nil {
		return err
	}
	e.Reset(1)
	for !e.Terminated() {
		if err := e.Step(e.Mask().Nth(0)); err != nil {
			return err
		}
	}
	fmt.Println("one environment:", e.State().Reason())
	vec, err := env.NewVec(g, env.VecOptions{Lanes: 64, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		return err
	}
	vec.Close()

	// Training.
	c := train.DefaultFor(g)
	c.Decisions, c.NumEnvs, c.NumSteps, c.Minibatch, c.Hidden = 60_000, 64, 32, 512, []int{32}
	run, err := train.Start(filepath.Join(dir, "run"), c, []env.Game{g}, train.Options{Workers: 1, Program: "stranger"})
	if err != nil {
		return err
	}
	defer run.Close()
	if err := run.Train(context.Background(), func(train.Update) {}); err != nil {
		return err
	}

	// A match.
	var makers []*agents.Maker
	for _, text := range []string{"net:" + filepath.Join(dir, "run") + ",argmax", "random"} {
		m, err := agents.Open(text, g)
		if err != nil {
			return err
		}
		makers = append(makers, m)
	}
	result, err := eval.Match(context.Background(), g, makers, eval.Options{Games: 200, Seed: 1})
	if err != nil {
		return err
	}
	fmt.Println("the trained network wins most games:", result.Agents[0].WinShare > 0.7)

	// A record, written, read and verified.
	ref, err := referee.New(g, 7)
	if err != nil {
		return err
	}
	seats := make([]agents.Agent, 2)
	for p, m := range makers {
		if seats[p], err = m.New(); err != nil {
			return err
		}
	}
	if err := agents.Play(context.Background(), ref, seats, nil); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := ref.Record([]string{"network", "random"}).Write(&b); err != nil {
		return err
	}
	rec, err := record.Read("record", &b)
	if err != nil {
		return err
	}
	if err := rec.Replay(g, nil); err != nil {
		return err
	}
	fmt.Println("a record verifies:", len(rec.Moves) > 0)

	// A server, from which Python's clients make the game by its name.
	ctx, cancel := context.WithCancel(context.Background())
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	server := &pipe.Server{Registry: all, Program: "stranger"}
	go func() { done <- server.Serve(ctx, l) }()
	cancel()
	fmt.Println("a server ends:", <-done)
	return nil
}
