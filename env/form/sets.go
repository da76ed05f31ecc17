package form

import (
	"math/bits"
	"slices"

	"earthgym/env"
	"earthgym/env/decode"
)

// Bits is any type of sets: bit i says whether member i is in it.
type Bits interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Set is a set of words: a list that is written in their order and read in any. A place without a word, "", is no
// member.
func Set[T Bits](f *Position, name string, v *T, words []string) {
	set(f, name, v, func(i int) (int, bool) { return f.member(i, words) }, false)
}

// OrderedSet is Set where the order is part of the form.
func OrderedSet[T Bits](f *Position, name string, v *T, words []string) {
	set(f, name, v, func(i int) (int, bool) { return f.member(i, words) }, true)
}

// member declares a member of a set of words.
func (f *Position) member(i int, words []string) (int, bool) {
	if f.mode == writing {
		f.key(Element)
		f.quote(words[i])
		return i, true
	}
	return f.word(Element, i, noNone, words)
}

// Numbers is a set of numbers, which ascend: member i is numbers[i]. It is written as an ascending list.
func Numbers[T Bits](f *Position, name string, v *T, numbers []int) {
	set(f, name, v, func(i int) (int, bool) {
		n := numbers[0] - 1 // which is out of range, as i is
		if i < len(numbers) {
			n = numbers[i]
		}
		Int(f, Element, &n, numbers[0], numbers[len(numbers)-1])
		at, ok := slices.BinarySearch(numbers, n)
		if !ok {
			f.wrong(Element, "%d is none of %v", n, numbers)
		}
		return at, ok
	}, true)
}

var seatNumbers = [env.MaxPlayers]int{0, 1, 2, 3, 4, 5, 6, 7}

// Seats is a set of seats, written as an ascending list.
func Seats[T Bits](f *Position, name string, v *T, players int) {
	Numbers(f, name, v, seatNumbers[:players])
}

// set is a list of the members of v. Function member declares one by its number and gives the one that is read.
func set[T Bits](f *Position, name string, v *T, member func(i int) (int, bool), ordered bool) {
	left, now := uint64(*v), uint64(0)
	f.list(name, bits.OnesCount64(left), 0, 64, func(int) {
		if f.mode == zeroing {
			return
		}
		i, ok := member(bits.TrailingZeros64(left))
		left &= left - 1
		switch {
		case f.mode == writing || f.err != nil || !ok:
		case now>>i&1 != 0:
			f.wrong(Element, "%s is there twice", shorten(decode.Compact(f.in.items[f.in.next-1])))
		case ordered && now>>i != 0:
			f.wrong(Element, "%s comes after a later one; they are in order", shorten(decode.Compact(f.in.items[f.in.next-1])))
		default:
			now |= 1 << i
		}
	})
	if f.mode != writing && f.err == nil {
		*v = T(now)
	}
}
