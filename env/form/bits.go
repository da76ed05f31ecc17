package form

import "math/bits"

// SetOf is a small set of members that are counted from 0: bit i stands for member i. To visit them:
// for r := set; r != 0; r = r.Rest() { … r.First() … }, or for m := range set.Each { … }.
type SetOf[M Integer] uint64

// Only is the set of one member.
func Only[M Integer](m M) SetOf[M] { return 1 << uint(m) }

// Has says whether m is in the set.
func (s SetOf[M]) Has(m M) bool { return s>>uint(m)&1 != 0 }

// Count is the number of members.
func (s SetOf[M]) Count() int { return bits.OnesCount64(uint64(s)) }

// First is the lowest member of a set that is not empty.
func (s SetOf[M]) First() M { return M(bits.TrailingZeros64(uint64(s))) }

// Rest is the set without its lowest member.
func (s SetOf[M]) Rest() SetOf[M] { return s & (s - 1) }

// Each gives the members, the lowest first.
func (s SetOf[M]) Each(yield func(M) bool) {
	for ; s != 0; s = s.Rest() {
		if !yield(s.First()) {
			return
		}
	}
}

// When is a set where something holds, and one without members elsewhere.
func When[T Bits](is bool, set T) T {
	if is {
		return set
	}
	return 0
}

// Put takes a member into a set, or out of it.
func Put[T Bits, M Integer](set *T, m M, in bool) {
	*set = *set&^(1<<uint(m)) | When(in, T(1)<<uint(m))
}

// Below is the set of members 0 to n-1, as bits.
func Below(n int) uint64 { return 1<<uint(max(n, 0)) - 1 }

// Between is the set of members low to high, empty where there are none, as bits.
func Between(low, high int) uint64 { return Below(high+1) &^ Below(low) }
