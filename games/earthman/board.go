package earthman

import (
	"math/bits"
	"slices"
)

// A Place is one of the 26 spaces that a fleet can be in: the orbits of the worlds, then the
// trajectories, ring by ring. The place of a world's orbit also stands for the world.
type Place int8

// The worlds and the trajectories (RULES.md 2.1, 2.2).
const (
	Nowhere Place = iota - 1
	Mercury
	Venus
	Earth
	Luna
	Mars
	Ceres
	Io
	Europa
	Ganymede
	Callisto
	Titan
	Triton
	MercuryApproach
	VenusApproach
	EarthApproach
	MarsApproach
	BeltApproach
	InnerJovianApproach
	OuterJovianApproach
	SaturnApproach
	NeptuneApproach
	Inner
	Middle
	Outer
	Far
	Solar
)

// Sizes of the board.
const (
	NumPlaces  = int(Solar) + 1
	NumWorlds  = int(MercuryApproach)
	MaxRegions = 7 // of a world
)

var placeIDs = [NumPlaces]string{
	"mercury", "venus", "earth", "luna", "mars", "ceres", "io", "europa", "ganymede", "callisto", "titan", "triton",
	"mercury-approach", "venus-approach", "earth-approach", "mars-approach", "belt-approach", "inner-jovian-approach",
	"outer-jovian-approach", "saturn-approach", "neptune-approach", "inner", "middle", "outer", "far", "solar",
}

// ID is the place's word in actions and positions.
func (p Place) ID() string {
	if p < 0 {
		return ""
	}
	return placeIDs[p]
}

// Places is a set of places; a set of worlds has its lowest NumWorlds bits alone.
type Places uint32

// The rings.
const (
	worlds         Places = 1<<MercuryApproach - 1
	approaches     Places = 1<<Inner - 1<<MercuryApproach
	interplanetary Places = 1<<Solar - 1<<Inner
	centre         Places = 1 << Solar
	trajectories          = approaches | interplanetary | centre
)

// Has says whether at is in the set.
func (s Places) Has(at Place) bool { return s>>uint(at)&1 != 0 }

// Count is the number of places in the set.
func (s Places) Count() int { return bits.OnesCount32(uint32(s)) }

// first is the place with the lowest number in the set, or Nowhere.
func (s Places) first() Place {
	if s == 0 {
		return Nowhere
	}
	return Place(bits.TrailingZeros32(uint32(s)))
}

// after is the set without at and all places below it; all of the set after Nowhere.
func (s Places) after(at Place) Places { return s >> uint(at+1) << uint(at+1) }

// only is the set of at alone.
func only(at Place) Places { return 1 << uint(at) }

// Each gives the places of the set in number order.
func (s Places) Each(yield func(Place) bool) {
	for ; s != 0; s &= s - 1 {
		if !yield(s.first()) {
			return
		}
	}
}

// Regions is a set of regions of one world: bit k-1 stands for region k.
type Regions uint8

// Count is the number of regions in the set.
func (r Regions) Count() int { return bits.OnesCount8(uint8(r)) }

// first is the region with the lowest number in the set, from 0.
func (r Regions) first() int { return bits.TrailingZeros8(uint8(r)) }

// atlas is the map as sets.
type atlas struct {
	home    Place
	places  Places             // that the data file has
	up      [NumPlaces]Places  // one step skyward
	down    [NumPlaces]Places  // one step worldward
	skyward [NumPlaces]Places  // any number of steps skyward
	below   [NumPlaces]Places  // worlds that forced movement can lead to
	regions [NumWorlds]Regions // all of the world's
	rubble  [NumWorlds][2]Regions
	names   [NumPlaces]string
}

// newAtlas makes the map of checked data.
func newAtlas(m *Map) atlas {
	var b atlas
	add := func(id, name string) Place {
		at := placeOf(id)
		b.places |= only(at)
		b.names[at] = name
		return at
	}
	link := func(lower, upper Place) {
		b.up[lower] |= only(upper)
		b.down[upper] |= only(lower)
	}
	solar := add(m.Centre.ID, m.Centre.Name)
	for _, i := range m.Interplanetary {
		link(add(i.ID, i.Name), solar)
	}
	for _, a := range m.Approaches {
		at := add(a.ID, a.Name)
		for _, id := range a.Skyward {
			link(at, placeOf(id))
		}
	}
	for _, w := range m.Worlds {
		at := add(w.ID, w.Name)
		link(at, placeOf(w.Approach))
		b.regions[at] = 1<<len(w.Devastation) - 1
		for k, n := range w.Devastation {
			for more := range n {
				b.rubble[at][more] |= 1 << k
			}
		}
	}
	b.home = placeOf(m.Home)
	for at := Solar; at >= 0; at-- { // rings from the centre outwards
		for up := range b.up[at].Each {
			b.skyward[at] |= only(up) | b.skyward[up]
		}
	}
	for at := range Place(NumPlaces) {
		for down := range b.down[at].Each {
			b.below[at] |= only(down)&worlds | b.below[down]
		}
	}
	return b
}

// placeOf is the place of an id, or Nowhere.
func placeOf(id string) Place { return Place(slices.Index(placeIDs[:], id)) }
