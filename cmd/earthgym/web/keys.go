package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/disk"
)

// Keys are the secrets in the links to a table: who has one may do what it opens.
type Keys struct {
	Host  string   `json:"host"`  // all seats of people, from one screen, and who sits where
	Seats []string `json:"seats"` // each one seat
	Watch string   `json:"watch"` // nothing but looking on
}

// NewKey draws a key.
func NewKey() string { return rand.Text() }

// NewKeys draws keys for a table of so many seats.
func NewKeys(players int) Keys {
	k := Keys{Host: NewKey(), Watch: NewKey()}
	for range players {
		k.Seats = append(k.Seats, NewKey())
	}
	return k
}

// A role is what a key opens.
type role struct {
	host  bool
	seats []env.Player // none for one who looks on
	room  guestRole
	table int // of a Room
}

// guestRole is what somebody is in a Room.
type guestRole int

const (
	outside guestRole = iota // at a table
	guest
	teacher
)

// String tells roles apart.
func (r role) String() string { return fmt.Sprint(r.host, r.seats) }

// role is what a key opens; false if it opens nothing. How long it takes says nothing about the keys.
func (k *Keys) role(key string) (role, bool) {
	var found role
	ok := 0
	try := func(right string, r role) {
		if same(key, right) {
			found, ok = r, 1
		}
	}
	all := role{host: true}
	for p, right := range k.Seats {
		all.seats = append(all.seats, env.Player(p))
		try(right, role{seats: []env.Player{env.Player(p)}})
	}
	try(k.Host, all)
	try(k.Watch, role{})
	return found, ok == 1
}

// same says whether a key is the right one. How long it takes says nothing about that.
func same(key, right string) bool {
	given, wanted := sha256.Sum256([]byte(key)), sha256.Sum256([]byte(right))
	return subtle.ConstantTimeCompare(given[:], wanted[:]) == 1
}

// may says whether the role may look from a seat, or as a spectator.
func (r role) may(viewer env.Player) bool {
	return viewer == env.Spectator || slices.Contains(r.seats, viewer)
}

// Endpoint is where a table is to be found, so that its links go on working when the program is started again.
type Endpoint struct {
	Address string `json:"address"`
	Keys    Keys   `json:"keys"`
}

// ReadEndpoint reads the endpoint of a table with so many seats. No file is an error of kind fs.ErrNotExist.
func ReadEndpoint(name string, players int) (*Endpoint, error) {
	b, err := disk.ReadFile(name, 1<<16)
	if err != nil {
		return nil, err
	}
	d := &Endpoint{}
	if err := decode.JSON(b, d); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(d.Keys.Seats) != players || d.Keys.Host == "" || d.Keys.Watch == "" || slices.Contains(d.Keys.Seats, "") {
		return nil, fmt.Errorf("%s: these are not the links to a table of %d seats: remove it, and new ones are made", name,
			players)
	}
	return d, nil
}

// Write writes the endpoint, for its owner alone.
func (d *Endpoint) Write(name string) error { return WriteKept(name, d) }

// WriteKept writes what is kept of tables and their keys, for its owner alone.
func WriteKept(name string, kept any) error {
	b, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	return disk.WriteSecret(name, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
}
