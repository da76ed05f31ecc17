// Package farm shares the work of one command among machines, without a server between them. Each machine does one
// shard of it ([Begin]) and leaves a folder; whoever has the folders puts them together ([Merge]), and the command,
// run again on what they hold, shows to the digit what one machine would have shown: the same code sums the same
// numbers in the same order.
//
// A piece of work is a block, that is all rotations of the agents over the seats on one seed, or a whole run of
// training. It is named by the SHA-256 of its canonical text ([Share.Piece]), which has all that its result depends
// on.
//
// Live, the command asks for the pieces that lack ([Live], [Job]), and workers do them in bundles ([Worker]), over an
// [Engine] that may lose all it has: the folder of who asks is the truth. FARM.md says how both are used.
package farm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// A Shard is one of N parts of the pieces, the K-th.
type Shard struct{ K, N int }

// MostShards is the most that there are of one command.
const MostShards = 100_000

// ReadShard reads K/N.
func ReadShard(text string) (Shard, error) {
	first, last, found := strings.Cut(text, "/")
	k, wrong := strconv.Atoi(first)
	n, wrongToo := strconv.Atoi(last)
	if !found || wrong != nil || wrongToo != nil || n < 1 || n > MostShards || k < 1 || k > n {
		return Shard{}, fmt.Errorf("%q is no shard: it is K/N, the K-th of N, such as 2/3, with K from 1 to N and N up to %d",
			text, MostShards)
	}
	return Shard{k, n}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.K, s.N) }

// A Ground is what pieces have in common, in lines of "name: value".
type Ground []string

// Repeats is a line of the ground of runs that come out the same wherever they are made, but for how long they take.
const Repeats = "repeats: to the byte"

// Format names the canonical text of pieces and the form of folders.
const Format = "earthgym-shard/1"

// name is the name of a piece: a hash of its ground and of lines of its own.
func (g Ground) name(own []string) string {
	h := sha256.New()
	for _, line := range append([]string{Format}, append(g[:len(g):len(g)], own...)...) {
		_, _ = h.Write(append([]byte(line), '\n')) // A hash takes all.
	}
	return hex.EncodeToString(h.Sum(nil))
}

// differs says in which line a ground is another one, with both values; "" if in none.
func (g Ground) differs(other Ground) (mine, theirs string) {
	for i := range max(len(g), len(other)) {
		mine, theirs = "nothing more", "nothing more"
		if i < len(g) {
			mine = g[i]
		}
		if i < len(other) {
			theirs = other[i]
		}
		if mine != theirs {
			return mine, theirs
		}
	}
	return "", ""
}
