package envtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/registry"
)

// encodingFile holds, for each golden record, the encoding version, a signature of the record and one of
// what all seats observe in its game.
const encodingFile = "encoding.txt"

// signed is a line of it.
type signed struct {
	encoding             int
	record, observations string
}

// goldenEncoding tests that observations of the golden records in a folder are what they were. Where a
// record is as it was and its observations are not, the encoding version must have been raised; update
// rewrites the file then, and wherever records have changed.
func goldenEncoding(rb *registry.Rulebook, dir string, update bool) error {
	file := filepath.Join(dir, encodingFile)
	old, err := readSigned(file)
	if err != nil && !(update && os.IsNotExist(err)) {
		return fmt.Errorf("%w; -update writes it", err)
	}
	var b strings.Builder
	for _, text := range rb.Variants {
		name := GoldenName(text)
		now, err := signRecord(rb, text, filepath.Join(dir, name))
		if err != nil {
			return err
		}
		was, ok := old[name]
		switch same := was.record == now.record && was.observations == now.observations; {
		case ok && was.record == now.record && was.encoding == now.encoding && !same:
			return fmt.Errorf("%s: the observations of the game of %s are others, but the encoding version is still %d: "+
				"raise it, so that networks, clients and data of the old encoding are told apart", file, name, now.encoding)
		case !update && (was.encoding != now.encoding || !same):
			return fmt.Errorf("%s: got %s of %s (encoding version %d), want %s (version %d); -update rewrites it", file,
				now.observations, name, now.encoding, was.observations, was.encoding)
		}
		fmt.Fprintf(&b, "%s %d %s %s\n", name, now.encoding, now.record, now.observations)
	}
	if update {
		return os.WriteFile(file, []byte(b.String()), 0o644)
	}
	if names := slices.Sorted(maps.Keys(old)); len(names) != len(rb.Variants) {
		return fmt.Errorf("%s: it has lines for %q; the rulebook has %d variants", file, names, len(rb.Variants))
	}
	return nil
}

func readSigned(file string) (map[string]signed, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	list := map[string]signed{}
	for n, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		var name string
		var s signed
		if _, err := fmt.Sscan(line, &name, &s.encoding, &s.record, &s.observations); err != nil {
			return nil, fmt.Errorf("%s:%d: %q: %w", file, n+1, line, err)
		}
		list[name] = s
	}
	return list, nil
}

// signRecord replays a record and signs what all seats observe before each decision. The record's own
// signature is that of chance and decisions.
func signRecord(rb *registry.Rulebook, text, file string) (signed, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return signed{}, err
	}
	rec, err := record.Read(file, bytes.NewReader(b))
	if err != nil {
		return signed{}, err
	}
	g, err := registry.Registry{rb}.Open(text)
	if err != nil {
		return signed{}, err
	}
	info, sum := g.Info(), sha256.New()
	row := make([]float32, info.Observation())
	err = rec.Replay(g, func(_ int, st env.State) error {
		for p := range env.Player(info.Players) {
			st.Observe(row, p)
			sumRow(sum, row)
		}
		return nil
	})
	_, moves, _ := bytes.Cut(b, []byte("\n"))
	played := append([]byte(strings.Join(rec.Header.Chance, "\n")), moves...)
	return signed{info.Encoding, short(sha256.Sum256(played)), short([sha256.Size]byte(sum.Sum(nil)))}, err
}

// sumRow adds a row to a sum, in hundred-thousandths: what machines round differently is the same.
func sumRow(sum hash.Hash, row []float32) {
	b := make([]byte, 0, 4*len(row))
	for _, x := range row {
		n := int32(math.Round(float64(x) * 1e5))
		b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	sum.Write(b)
}

func short(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:8]) }
