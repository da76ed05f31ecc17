package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/record"
	"earthgym/env/spelling"
)

// sample is a row of a data set: one decision, as who decided saw it; or, with action -1, what a seat that has decided
// saw at the end of the game.
type sample struct {
	Game        string    `parquet:"game,dict"`        // with every option
	Episode     int64     `parquet:"episode,delta"`    // from 0, in the order of the records
	Seed        uint64    `parquet:"seed"`             // of the game
	Decision    int32     `parquet:"decision,delta"`   // number in the game, from 0
	Seat        int32     `parquet:"seat"`             // who decides
	Agent       string    `parquet:"agent,dict"`       // who sat there, as the record says
	Observation []float32 `parquet:"observation,list"` // what the seat saw
	Mask        []bool    `parquet:"action_mask,list"` // what it might do
	Action      int32     `parquet:"action"`           // what it did
	Text        string    `parquet:"action_text,dict"` // the same in the game's words
	Reward      float64   `parquet:"reward"`           // what it was paid until its next decision, or the end
	Return      float64   `parquet:"return"`           // what the game paid it
	Terminated  bool      `parquet:"terminated"`       // whether this was its last decision
}

// rowGroup is how many rows of a data set are written at once: what a writer, and a reader, holds in memory.
const rowGroup = 4096

// runExportParquet writes the decisions of records, which are all of one rulebook and over, as a data set. Games of a
// folder that aren't over are left out.
func runExportParquet(w io.Writer, places []string, to string, flags *gameFlags) error {
	if err := disk.CheckFile(to); err != nil {
		return fmt.Errorf("--parquet: %w", err)
	}
	files, err := disk.Below("records", ".jsonl", places...)
	if err != nil {
		return fmt.Errorf("records: %w", err)
	}
	var rows, games, unfinished int
	err = disk.WriteFile(to, func(out io.Writer) error {
		var info *env.Info
		var writer *parquet.GenericWriter[sample]
		for _, file := range files {
			rec, g, err := flags.openRecord(file)
			if err != nil {
				return err
			}
			if rec.Footer == nil && !slices.Contains(places, file) {
				unfinished++
				continue
			}
			if info == nil {
				info = g.Info()
				options, err := dataSetOptions(info)
				if err != nil {
					return err
				}
				writer = parquet.NewGenericWriter[sample](out, options...)
			}
			if name := g.Info().Name; name != info.Name {
				return fmt.Errorf("%s is a game of %s, and %s one of %s: a data set is of one", file, name, files[0], info.Name)
			}
			samples, err := samplesOf(rec, g, int64(games))
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			if _, err := writer.Write(samples); err != nil {
				return err
			}
			rows, games = rows+len(samples), games+1
		}
		if writer == nil {
			return fmt.Errorf("no game in %s is over", strings.Join(places, ", "))
		}
		return writer.Close()
	})
	if err != nil {
		return err
	}
	note := ""
	if unfinished > 0 {
		note = fmt.Sprintf(", without %d that are not over", unfinished)
	}
	_, err = fmt.Fprintf(w, "%s: %d rows of %s%s\n", to, rows, spelling.Counted(games, "game"), note)
	return err
}

func dataSetOptions(info *env.Info) ([]parquet.WriterOption, error) {
	doc, err := json.Marshal(info)
	if err != nil {
		return nil, err
	}
	return []parquet.WriterOption{
		parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&zstd.Codec{}),
		parquet.CreatedBy("earthgym", version, ""),
		parquet.KeyValueMetadata("earthgym.info", string(doc)),
	}, nil
}

// samplesOf plays a record again, which verifies it, and gives its decisions and what each seat saw at the end.
func samplesOf(rec *record.Record, g env.Game, episode int64) ([]sample, error) {
	if rec.Footer == nil {
		return nil, errors.New("the game is not over, so nobody knows what its decisions are worth")
	}
	info := g.Info()
	if err := rec.Check(info); err != nil {
		return nil, err
	}
	rows := make([]sample, 0, len(rec.Moves)+info.Players)
	last := make([]int, info.Players) // row of each seat's last decision, from 1
	seen := func(s env.State, n int, p env.Player) sample {
		row := sample{
			Game: info.Text, Episode: episode, Seed: rec.Header.Seed, Decision: int32(n), Seat: int32(p),
			Agent:       rec.Header.Agents[p],
			Observation: make([]float32, info.Observation()), Mask: make([]bool, len(info.Actions)), Action: -1,
			Return: rec.Footer.Returns[p],
		}
		s.Observe(row.Observation, p)
		return row
	}
	err := rec.Replay(g, func(n int, s env.State) error {
		p := s.Actor()
		if p == env.Over {
			for q := range info.Players {
				if last[q] > 0 {
					rows = append(rows, seen(s, n, env.Player(q)))
				}
			}
			return nil
		}
		row := seen(s, n, p)
		for _, a := range env.LegalActions(s) {
			row.Mask[a] = true
		}
		a, err := info.Parse(rec.Moves[n].Action)
		if err != nil {
			return err
		}
		row.Action, row.Text = int32(a), rec.Moves[n].Action
		rows = append(rows, row)
		last[p] = len(rows)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for p, n := range last {
		if n > 0 {
			rows[n-1].Reward, rows[n-1].Terminated = rec.Footer.Returns[p], true
		}
	}
	return rows, nil
}
