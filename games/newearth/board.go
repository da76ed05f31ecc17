package newearth

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// Sizes of the board (RULES.md 2.2).
const (
	NumTiles  = 6
	tileZones = 6
	NumZones  = NumTiles * tileZones
	numSlots  = 6
)

// A Zone is one of the 36 zones: six times the tile's letter plus the printed number, from 0.
type Zone int8

// NoZone stands for none.
const NoZone Zone = -1

// String is the zone's id, "A1" to "F6", or "" for none.
func (z Zone) String() string {
	if z < 0 || z >= NumZones {
		return ""
	}
	return idsOfZones[2*z : 2*z+2]
}

const idsOfZones = "A1A2A3A4A5A6B1B2B3B4B5B6C1C2C3C4C5C6D1D2D3D4D5D6E1E2E3E4E5E6F1F2F3F4F5F6"

// ids are those of the zones of a set.
func ids(set Zones) []string {
	var ids []string
	for z := range set.Each {
		ids = append(ids, z.String())
	}
	return ids
}

// zoneOf finds a zone by its id.
func zoneOf(id string) (Zone, bool) {
	if len(id) == 2 && id[0] >= 'A' && id[0] <= 'F' && id[1] >= '1' && id[1] <= '6' {
		return Zone(id[0]-'A')*tileZones + Zone(id[1]-'1'), true
	}
	return NoZone, false
}

var tileNames = [NumTiles]string{"A", "B", "C", "D", "E", "F"}

// A Zones is a set of zones.
type Zones = form.SetOf[Zone]

const allZones Zones = 1<<NumZones - 1

func only(z Zone) Zones { return form.Only(z) }

// tile is all zones of a tile.
func tile(t int) Zones { return (1<<tileZones - 1) << uint(t*tileZones) }

// A place is where a tile lies: the tile of a sector and its rotation.
type place struct {
	tile, rotation int8
}

// The slots of a sector, clockwise (RULES.md 2.2).
const (
	slotI  = iota // the corner at the centre of the board
	slotL         // between, on the side of the sector before
	slotOL        // the outer corner on that side
	slotOM        // between, at the rim
	slotOR        // the outer corner on the side of the next sector
	slotR         // between, on that side
)

var slotNames = [numSlots]string{"I", "L", "OL", "OM", "OR", "R"}

// at is the zone at a slot of the place.
func (p place) at(slot int) Zone {
	return Zone(int(p.tile)*tileZones + (slot+2*int(p.rotation))%tileZones)
}

// inside are the neighbours of each zone in its own tile: those with the next number either way round,
// and the even numbers among each other.
func inside(z Zone) Zones {
	first, i := z/tileZones*tileZones, z%tileZones
	near := only(first+(i+1)%tileZones) | only(first+(i+5)%tileZones)
	if i%2 == 1 {
		near |= only(first+(i+2)%tileZones) | only(first+(i+4)%tileZones)
	}
	return near
}

// borders are the slots that touch across the border of a sector and the next one.
var borders = [3][2]int{{slotI, slotI}, {slotR, slotL}, {slotOR, slotOL}}

// layOut works out which zones are adjacent (NE-002). Zones out of play are nobody's neighbours.
func (s *State) layOut() {
	s.inPlay = allZones &^ s.game.outOf(&s.sectors)
	s.near = s.game.inside
	for k, here := range s.sectors {
		next := s.sectors[(k+1)%NumTiles]
		for _, b := range borders {
			y, z := here.at(b[0]), next.at(b[1])
			s.near[y] |= only(z)
			s.near[z] |= only(y)
		}
	}
	if s.inPlay == allZones {
		return
	}
	for z := range s.near {
		if s.inPlay.Has(Zone(z)) {
			s.near[z] &= s.inPlay
		} else {
			s.near[z] = 0
		}
	}
}

// outOf are the zones that are not in play when the tiles lie so.
func (g *Game) outOf(sectors *[NumTiles]place) Zones {
	var out Zones
	if g.outSlots == 0 {
		return out
	}
	for k, here := range sectors {
		if g.home[k] {
			continue
		}
		for slot := range numSlots {
			out |= form.When(g.outSlots>>slot&1 != 0, only(here.at(slot)))
		}
	}
	return out
}

// around is all zones adjacent to one of the set.
func (s *State) around(set Zones) Zones {
	var near Zones
	for ; set != 0; set = set.Rest() {
		near |= s.near[set.First()]
	}
	return near
}

// Near are the zones adjacent to z.
func (s *State) Near(z Zone) Zones { return s.near[z] }

// setUpBoard is the first step of the set-up: tiles, rotations, and the order of the seats (G-05).
func (s *State) setUpBoard(tape *env.Tape) {
	g := s.game
	for k := range s.sectors {
		s.sectors[k] = place{tile: int8(k)}
	}
	luck := &s.luck[setUpStream]
	if g.randomTiles {
		tape.Shuffle(luck, env.Everybody, "tiles", NumTiles,
			func(i, j int) { s.sectors[i], s.sectors[j] = s.sectors[j], s.sectors[i] },
			func(i int) string { return tileNames[s.sectors[i].tile] })
		for k := range s.sectors {
			s.sectors[k].rotation = int8(tape.Uniform(luck, env.Everybody, rotateNames[k], 3, strconv.Itoa))
		}
	}
	s.layOut()
	for p := range g.players {
		s.setupOrder.add(env.Player(p))
	}
	o := &s.setupOrder
	tape.Shuffle(luck, env.Everybody, "setup order", g.players,
		func(i, j int) { o.seat[i], o.seat[j] = o.seat[j], o.seat[i] },
		func(i int) string { return strconv.Itoa(int(o.seat[i])) })
}

var rotateNames = [NumTiles]string{"rotate 0", "rotate 1", "rotate 2", "rotate 3", "rotate 4", "rotate 5"}
