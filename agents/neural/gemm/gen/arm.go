package main

import (
	"fmt"
	"strings"
)

// arm is NEON. Two of its vectors of 4 float32 make one of 8.
type arm struct{ *generator }

func (a arm) pool() []string {
	return strings.Fields("R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 R19 R20 R21 R22 R23 R24 R25 R26")
}
func (a arm) vectors() int  { return 16 }
func (a arm) perPanel() int { return 2 }

// half is the number of one of the two.
func half(v, h int) int { return 2*v + h }

// The last vector, if one more is wanted.
const spare = 30

func f(i int) string { return fmt.Sprint("F", i) }

// v is a vector with an arrangement of its elements: "B16", "S4", "D2".
func v(i int, arrangement string) string { return fmt.Sprintf("V%d.%s", i, arrangement) }

// word writes an instruction that Go's assembler doesn't know: d = n op m, where op has zeros for the numbers of the
// vectors.
func (a arm) word(op uint32, name string, m, n, d int) {
	a.op(fmt.Sprintf("WORD $0x%08x // %s V%d, V%d, V%d", op|uint32(m)<<16|uint32(n)<<5|uint32(d), name, m, n, d))
}

func (a arm) fetch(argument, r string) { a.op("MOVD", argument, r) }
func (a arm) address(symbol, r string) { a.op("MOVD", "$"+symbol+"<>(SB)", r) }
func (a arm) move(from, to string)     { a.op("MOVD", from, to) }
func (a arm) add(what, r string)       { a.op("ADD", what, r) }
func (a arm) ifZero(r, label string)   { a.op("CBZ", r, label) }

func (a arm) word32(mem, r string) { a.op("MOVWU", mem, r) }

func (a arm) offset(mem, base, r string) {
	a.op("MOVWU", mem, r)
	a.op("ADD", base, r)
}

func (a arm) quarter(r, q string) {
	a.op("LSR", "$2", r, q)
	a.op("AND", "$3", r)
}

func (a arm) countDown(r, label string) {
	a.op("SUBS", "$1", r)
	a.op("BNE", label)
}

func (a arm) copySix(from string, off int, to string) {
	a.op("FMOVQ", at(from, off), "F0")
	a.op("FMOVD", at(from, off+16), "F1")
	a.op("FMOVQ", "F0", at(to, 0))
	a.op("FMOVD", "F1", at(to, 16))
}

func (a arm) leave() { a.op("RET") }

func (a arm) strides(stride string, _ int) []string { return []string{stride} }

// rows takes a register for each.
func (a arm) rows(base string, strides []string, n int) (func(row, off int) string, []string) {
	bases := []string{base}
	for i := 1; i < n; i++ {
		r := a.reg()
		a.op("ADD", strides[0], bases[i-1], r)
		bases = append(bases, r)
	}
	return func(row, off int) string { return at(bases[row], off) }, bases
}

func (a arm) zero(x int) {
	for h := range 2 {
		r := v(half(x, h), "B16")
		a.op("VEOR", r, r, r)
	}
}

func (a arm) pair(x int) string { return fmt.Sprintf("(%s, %s)", f(half(x, 0)), f(half(x, 1))) }

func (a arm) load(mem string, x int)  { a.op("FLDPQ", mem, a.pair(x)) }
func (a arm) store(x int, mem string) { a.op("FSTPQ", a.pair(x), mem) }

// factor is the lowest element alone.
func (a arm) factor(mem string, x int) { a.op("FMOVS", mem, f(half(x, 0))) }

func (a arm) product(factor, b, sum int) {
	for h := range 2 {
		a.word(0x4f801000, "fmla by element 0 of", half(factor, 0), half(b, h), half(sum, h))
	}
}

func (a arm) productOf(factor int, mem string, b, sum int) {
	a.load(mem, b)
	a.product(factor, b, sum)
}

func (a arm) rectify(x, zero int) {
	for h := range 2 {
		i, mask := half(x, h), half(zero, 1)
		a.word(0x4ea0e800, "fcmlt 0", 0, i, mask)
		a.word(0x4e601c00, "bic", mask, i, i)
	}
}

func (a arm) spread(mem string, x int) {
	low := half(x, 0)
	a.op("FMOVS", mem, f(low))
	a.op("VDUP", fmt.Sprintf("V%d.S[0]", low), v(half(x, 1), "S4"))
	a.op("VDUP", fmt.Sprintf("V%d.S[0]", low), v(low, "S4"))
}

// armOperations are the instructions of operations: d = n op m.
var armOperations = map[string]uint32{
	"add": 0x4e20d400, "sub": 0x4ea0d400, "mul": 0x6e20dc00, "div": 0x6e20fc00, "plus": 0x4e20cc00, "minus": 0x4ea0cc00,
	"add64": 0x4e60d400, "plus64": 0x4e60cc00, "sqrt": 0x6ea1f800, "copy": 0x4ea01c00, "round": 0x4e218800,
	"and": 0x4e201c00, "less": 0x6ea0e400,
}

func (a arm) do(op string, operands ...int) {
	n, d := operands[0], operands[len(operands)-1]
	for h := range 2 {
		switch op {
		case "larger": // of a pair of which one is taken over
			m := operands[1]
			a.word(0x6ea0e400, "fcmgt", half(m, h), half(n, h), spare)
			if d == n {
				a.op("VBIF", v(spare, "B16"), v(half(m, h), "B16"), v(half(d, h), "B16"))
			} else {
				a.op("VBIT", v(spare, "B16"), v(half(n, h), "B16"), v(half(d, h), "B16"))
			}
		case "less": // m > n
			a.word(armOperations[op], op, half(n, h), half(operands[1], h), half(d, h))
		case "copy":
			a.word(armOperations[op], op, half(n, h), half(n, h), half(d, h))
		case "sqrt", "round":
			a.word(armOperations[op], op, 0, half(n, h), half(d, h))
		default:
			a.word(armOperations[op], op, half(operands[1], h), half(n, h), half(d, h))
		}
	}
}

func (a arm) choose(mask, other, x int) {
	for h := range 2 {
		a.op("VBIF", v(half(mask, h), "B16"), v(half(other, h), "B16"), v(half(x, h), "B16"))
	}
}

func (a arm) exponent(n, x int) {
	for h := range 2 {
		i, power := half(x, h), half(n, h)
		a.word(0x4e21a800, "fcvtns", 0, power, power)
		a.op("VSHL", "$23", v(power, "S4"), v(power, "S4"))
		a.op("VADD", v(power, "S4"), v(i, "S4"), v(i, "S4"))
	}
}

func (a arm) widen(x, part, d int) {
	a.word(0x0e617800, "fcvtl", 0, half(x, part), half(d, 0))
	a.word(0x4e617800, "fcvtl2", 0, half(x, part), half(d, 1))
}

func (a arm) lanes(mem string, bits, d int) {
	r := a.reg()
	a.op("MOVBU", mem, r)
	a.op("VDUP", r, v(spare, "S4"))
	for h := range 2 {
		a.op("VCMTST", v(half(bits, h), "S4"), v(spare, "S4"), v(half(d, h), "S4"))
	}
	a.give(r)
}

func (a arm) marks(x, _, bits int, mem string) {
	r := a.reg()
	for h := range 2 {
		i := half(x, h)
		a.word(0x4ea0d800, "fcmeq 0", 0, i, i)
		a.word(0x4e601c00, "bic", i, half(bits, h), i)
	}
	low := half(x, 0)
	a.op("VORR", v(low, "B16"), v(half(x, 1), "B16"), v(low, "B16"))
	a.op("VADDV", v(low, "S4"), fmt.Sprint("V", low))
	a.op("FMOVS", f(low), r)
	a.op("MOVB", r, mem)
	a.give(r)
}

func (a arm) highest(x int, result string) {
	low, other := half(x, 0), half(x, 1)
	for i := range 3 {
		switch i {
		case 1:
			a.op("VEXT", "$8", v(low, "B16"), v(low, "B16"), v(other, "B16"))
		case 2:
			a.op("VREV64", v(low, "S4"), v(other, "S4"))
		}
		a.word(0x6ea0e400, "fcmgt", other, low, spare)
		a.op("VBIF", v(spare, "B16"), v(other, "B16"), v(low, "B16"))
	}
	a.op("FMOVS", f(low), result)
}

func (a arm) sum4(x int, result string) {
	low := half(x, 0)
	a.word(armOperations["add64"], "add64", half(x, 1), low, low)
	a.word(0x7e70d800, "faddp", 0, low, low)
	a.op("FMOVD", f(low), result)
}
