package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/env/referee"
	"earthgym/games"
)

// writeRecord plays a game at random and writes its record into a folder, or only its beginning.
func writeRecord(t *testing.T, folder, game string, seed uint64, decisions int) *record.Record {
	t.Helper()
	g := must.Have(games.All().Open(game))(t)
	ref := must.Have(referee.New(g, seed))(t)
	luck := env.NewStream(seed, "random")
	for n := 0; ref.Actor() != env.Over && n < decisions; n++ {
		legal := ref.View().Mask().Append(nil)
		must.Do(t, ref.Play(legal[luck.Below(len(legal))]))
	}
	rec := ref.Record(slices.Repeat([]string{"random"}, g.Info().Players))
	var b bytes.Buffer
	must.Do(t, rec.Write(&b))
	name := filepath.Join(folder, strings.ReplaceAll(game, ":", "_")+string(rune('a'+seed))+".jsonl")
	must.Do(t, os.WriteFile(name, b.Bytes(), 0o644))
	return rec
}

// Every decision of a game is a row, as its seat saw it, and what is paid adds up.
func TestExportParquet(t *testing.T) {
	cup := filepath.Join(t.TempDir(), "cup [1]")
	folder := filepath.Join(cup, "000") // as a tournament keeps records
	must.Do(t, os.MkdirAll(folder, 0o755))
	const whole = 1 << 30
	records := []*record.Record{
		writeRecord(t, folder, "one-earth:players=2", 1, whole), writeRecord(t, folder, "one-earth:players=3", 2, whole),
	}
	writeRecord(t, folder, "one-earth:players=2", 3, 5) // left out, not being over
	to := filepath.Join(t.TempDir(), "games.parquet")
	var out bytes.Buffer
	must.Do(t, runExportParquet(&out, []string{cup}, to, &gameFlags{}))
	if !strings.HasSuffix(out.String(), " of 2 games, without 1 that are not over\n") {
		t.Errorf("it says %q", out.String())
	}
	rows := must.Have(parquet.ReadFile[sample](to))(t)
	for i, rec := range records {
		g := must.Have(games.All().Open(rec.Header.Game))(t)
		info := g.Info()
		paid := make([]float64, info.Players)
		want := make([]float32, info.Observation())
		mask := make(env.Mask, info.MaskWords())
		if err := rec.Replay(g, func(n int, s env.State) error {
			seats := []env.Player{s.Actor()}
			if s.Actor() == env.Over {
				seats = seats[:0]
				for p := range info.Players {
					seats = append(seats, env.Player(p))
				}
			}
			s.Legal(mask)
			for _, p := range seats {
				row := rows[0]
				rows = rows[1:]
				s.Observe(want, p)
				switch {
				case int(row.Episode) != i || int(row.Decision) != n || row.Seat != int32(p) || row.Game != info.Text ||
					row.Seed != rec.Header.Seed:
					t.Fatalf("game %d, decision %d of %d: the row is %d, %d of %d", i, n, p, row.Episode, row.Decision, row.Seat)
				case !slices.Equal(row.Observation, want):
					t.Fatalf("decision %d: not what the seat sees", n)
				case row.Return != rec.Footer.Returns[p]:
					t.Fatalf("decision %d: return %v", n, row.Return)
				case s.Actor() == env.Over:
					if row.Action != -1 || slices.Contains(row.Mask, true) || row.Reward != 0 {
						t.Fatalf("at the end: %+v", row)
					}
					continue
				case info.Actions[row.Action].Text != row.Text || rec.Moves[n].Action != row.Text || !row.Mask[row.Action]:
					t.Fatalf("decision %d: %d, %q", n, row.Action, row.Text)
				}
				for a, may := range row.Mask {
					if may != mask.Has(env.Action(a)) {
						t.Fatalf("decision %d: action %d is %v", n, a, may)
					}
				}
				if paid[p] += row.Reward; row.Terminated != (paid[p] == rec.Footer.Returns[p] && paid[p] != 0) &&
					rec.Footer.Returns[p] != 0 {
					t.Fatalf("decision %d of %d: terminated %v, paid %v of %v", n, p, row.Terminated, paid[p], row.Return)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(paid, rec.Footer.Returns) {
			t.Errorf("paid %v, returns %v", paid, rec.Footer.Returns)
		}
	}
	if len(rows) != 0 {
		t.Errorf("%d rows are left", len(rows))
	}
	in := must.Have(os.Open(to))(t)
	defer in.Close()
	size := must.Have(in.Seek(0, io.SeekEnd))(t)
	file := must.Have(parquet.OpenFile(in, size))(t)
	if doc, ok := file.Lookup("earthgym.info"); !ok || !strings.Contains(doc, `"name":"one-earth"`) {
		t.Errorf("the metadata are %.80q", doc)
	}
}

// What can't be a data set is refused by name, and leaves no file.
func TestExportParquetRefuses(t *testing.T) {
	two, mixed, empty := t.TempDir(), t.TempDir(), t.TempDir()
	unfinished := filepath.Join(two, "resilience-earth_players=2b.jsonl")
	writeRecord(t, two, "resilience-earth:players=2", 1, 5)
	writeRecord(t, mixed, "one-earth:players=2", 1, 1<<30)
	writeRecord(t, mixed, "resilience-earth:players=2", 2, 1<<30)
	for _, c := range []struct{ place, want string }{
		{two, "no game in"},
		{unfinished, "the game is not over"},
		{mixed, "a data set is of one"},
		{empty, "holds no records"},
		{filepath.Join(empty, "x.jsonl"), "no such file"},
	} {
		to := filepath.Join(t.TempDir(), "games.parquet")
		err := runExportParquet(io.Discard, []string{c.place}, to, &gameFlags{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%s: a file was written", c.want)
		}
	}
}
