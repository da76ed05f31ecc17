// Package seal has checksums that JSON carries with it, so that results which a disk has spoilt, or a hand has changed,
// are refused and stand in no table. They prove nothing against somebody who writes the checksums, too.
//
// What is sealed has "sum" as its last field: the first 16 digits of a SHA-256 of all else in it, to the byte, and of
// all that came before it. So each line of a file vouches for those above it, and a file that was cut off after a line
// is the beginning of what it was: it is gone on with. These files vouch for themselves, and for what stands beside
// them:
//
//	file                          its sum covers                            as well
//	record of a game (.jsonl)     header; last: header, decisions, result   what was played, by replaying (record.Record)
//	tournament.json               all of it                                 the field: hashes of networks and settings
//	games.jsonl, floor.jsonl      what is played, all lines before          seeds, seats, drawn anew; records/ if kept
//	measured.jsonl (benchmark)    all lines before
//	shard.json (--shard)          all of it
//	pieces.jsonl (--shard)        the command, all lines before
//	results.json (sweep)          all of it, and plan.toml
//	log.jsonl (tune)              config.toml, and all lines before
//	networks, resume files        all of the file (agents/checkpoint)
//
// Nothing vouches for a run's metrics.jsonl and events, for reports, tables and pages, or for a record's agents before
// its game is over beyond the header.
package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// A Chain is what has been sealed, or opened, so far. It is a value: a copy goes on from where it was copied.
type Chain struct{ sum [sha256.Size]byte }

// Begin begins a chain with texts that its first seal covers, too.
func Begin(texts ...string) Chain {
	var c Chain
	for _, text := range texts {
		c.Add([]byte(text))
	}
	return c
}

// Add takes a text into the chain that carries no sum of its own.
func (c *Chain) Add(text []byte) {
	h := sha256.New()
	h.Write(c.sum[:])
	h.Write(text)
	h.Sum(c.sum[:0])
}

const (
	field  = `"sum":`
	digits = 16
)

// Seal gives a JSON object, indented or on one line, with its sum, and takes it into the chain. The object is not
// empty.
func (c *Chain) Seal(text []byte) []byte {
	c.Add(text)
	end := bytes.LastIndexByte(text, '}')
	head := bytes.TrimRight(text[:end], " \t\n")
	between := text[1:bytes.IndexByte(text, '"')] // what parts it from the field before it
	sealed := append(bytes.Clone(head), ',')
	sealed = append(append(sealed, between...), field...)
	if len(between) > 0 {
		sealed = append(sealed, ' ')
	}
	sealed = append(sealed, '"')
	sealed = hex.AppendEncode(sealed, c.sum[:digits/2])
	sealed = append(sealed, '"')
	return append(sealed, text[len(head):]...)
}

// Errors of Open.
var (
	ErrNone    = errors.New("it carries no checksum: it is of an earlier program, or was written by hand")
	ErrChanged = errors.New("its checksum is another one: something was changed or left out here, or before")
)

// Open gives a text that Seal has made without its sum, and takes it into the chain, or says why it is none.
func (c *Chain) Open(text []byte) ([]byte, error) {
	at := bytes.LastIndex(text, []byte(field))
	if at < 0 {
		return nil, ErrNone
	}
	head := bytes.TrimRight(text[:at], " \t\n")
	tail := bytes.TrimPrefix(text[at+len(field):], []byte(" "))
	if len(head) < 2 || head[0] != '{' || bytes.IndexByte(head, '"') < 0 || len(tail) < digits+3 ||
		bytes.IndexByte(tail[digits+2:], '}') < 0 {
		return nil, ErrChanged
	}
	plain := append(bytes.Clone(head[:len(head)-1]), tail[digits+2:]...)
	next := *c
	if !bytes.Equal(next.Seal(plain), text) {
		return nil, ErrChanged
	}
	*c = next
	return plain, nil
}
