package main

import "fmt"

// x86 is AVX2 with fused multiply-add or, for tiles, AVX-512.
type x86 struct {
	*generator
	letter string // of its vectors
	count  int    // of them
	parts  int    // of a panel
}

func (x x86) pool() []string {
	return []string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13"}
}
func (x x86) vectors() int  { return x.count }
func (x x86) perPanel() int { return x.parts }

func (x x86) v(i int) string { return fmt.Sprint(x.letter, i) }
func xmm(i int) string       { return fmt.Sprint("X", i) }

func (x x86) fetch(argument, r string) { x.op("MOVQ", argument, r) }
func (x x86) move(from, to string)     { x.op("MOVQ", from, to) }
func (x x86) add(what, r string)       { x.op("ADDQ", what, r) }

func (x x86) word32(mem, r string) { x.op("MOVL", mem, r) }

func (x x86) offset(mem, base, r string) {
	x.op("MOVL", mem, r)
	x.op("ADDQ", base, r)
}

func (x x86) quarter(r, q string) {
	x.op("MOVQ", r, q)
	x.op("SHRQ", "$2", q)
	x.op("ANDQ", "$3", r)
}

func (x x86) ifZero(r, label string) {
	x.op("TESTQ", r, r)
	x.op("JZ", label)
}

func (x x86) countDown(r, label string) {
	x.op("DECQ", r)
	x.op("JNZ", label)
}

func (x x86) copySix(from string, off int, to string) {
	x.op("VMOVUPS", at(from, off), "X0")
	x.op("VMOVSD", at(from, off+16), "X1")
	x.op("VMOVUPS", "X0", at(to, 0))
	x.op("VMOVSD", "X1", at(to, 16))
}

func (x x86) address(symbol, r string) { x.op("LEAQ", symbol+"<>(SB)", r) }

func (x x86) leave() {
	x.op("VZEROUPPER")
	x.op("RET")
}

// strides adds three times the stride where that is wanted.
func (x x86) strides(stride string, n int) []string {
	if n <= 3 {
		return []string{stride, ""}
	}
	three := x.reg()
	x.op("LEAQ", fmt.Sprintf("(%s)(%s*2)", stride, stride), three)
	return []string{stride, three}
}

// rows reaches three rows from one register, or four if that is all.
func (x x86) rows(base string, strides []string, n int) (func(row, off int) string, []string) {
	bases := []string{base}
	if n > 4 {
		second := x.reg()
		x.op("LEAQ", fmt.Sprintf("(%s)(%s*1)", base, strides[1]), second)
		bases = append(bases, second)
	}
	return func(row, off int) string {
		switch {
		case row == 0:
			return at(base, off)
		case row < 3:
			return fmt.Sprintf("%s(%s*%d)", at(base, off), strides[0], row)
		case n == 4:
			return fmt.Sprintf("%s(%s*1)", at(base, off), strides[1])
		case row == 3:
			return at(bases[1], off)
		}
		return fmt.Sprintf("%s(%s*%d)", at(bases[1], off), strides[0], row-3)
	}, bases
}

func (x x86) zero(v int) {
	if x.letter == "Z" {
		x.op("VPXORD", x.v(v), x.v(v), x.v(v))
	} else {
		x.op("VXORPS", x.v(v), x.v(v), x.v(v))
	}
}

func (x x86) load(mem string, v int)     { x.op("VMOVUPS", mem, x.v(v)) }
func (x x86) store(v int, mem string)    { x.op("VMOVUPS", x.v(v), mem) }
func (x x86) factor(mem string, v int)   { x.op("VBROADCASTSS", mem, x.v(v)) }
func (x x86) spread(mem string, v int)   { x.op("VBROADCASTSS", mem, x.v(v)) }
func (x x86) product(factor, b, sum int) { x.op("VFMADD231PS", x.v(b), x.v(factor), x.v(sum)) }
func (x x86) rectify(v, zero int)        { x.op("VMAXPS", x.v(v), x.v(zero), x.v(v)) }

func (x x86) productOf(factor int, mem string, _, sum int) {
	x.op("VFMADD231PS", mem, x.v(factor), x.v(sum))
}

// x86Operations are the instructions of operations. The first operand of the assembler is the second of Intel's.
var x86Operations = map[string]string{
	"add": "VADDPS", "sub": "VSUBPS", "mul": "VMULPS", "div": "VDIVPS", "plus": "VFMADD231PS", "minus": "VFNMADD231PS",
	"add64": "VADDPD", "plus64": "VFMADD231PD", "sqrt": "VSQRTPS", "copy": "VMOVAPS", "round": "VROUNDPS $0,",
	"and": "VANDPS", "larger": "VMAXPS", "less": "VCMPPS $1,",
}

func (x x86) do(op string, operands ...int) {
	n := len(operands) - 1
	var list []string
	for i := range n {
		list = append(list, x.v(operands[n-1-i]))
	}
	x.op(x86Operations[op], append(list, x.v(operands[n]))...)
}

func (x x86) choose(mask, other, v int) { x.op("VBLENDVPS", x.v(mask), x.v(v), x.v(other), x.v(v)) }

func (x x86) exponent(n, v int) {
	x.op("VCVTPS2DQ", x.v(n), x.v(n))
	x.op("VPSLLD", "$23", x.v(n), x.v(n))
	x.op("VPADDD", x.v(n), x.v(v), x.v(v))
}

func (x x86) widen(v, half, d int) {
	if half == 1 {
		x.op("VEXTRACTF128", "$1", x.v(v), xmm(d))
		v = d
	}
	x.op("VCVTPS2PD", xmm(v), x.v(d))
}

func (x x86) lanes(mem string, bits, d int) {
	r := x.reg()
	x.op("MOVBLZX", mem, r)
	x.op("VMOVD", r, xmm(d))
	x.op("VPBROADCASTD", xmm(d), x.v(d))
	x.op("VPAND", x.v(bits), x.v(d), x.v(d))
	x.op("VPCMPEQD", x.v(bits), x.v(d), x.v(d))
	x.give(r)
}

func (x x86) marks(v, zero, _ int, mem string) {
	r := x.reg()
	x.op("VCMPPS", "$4", x.v(v), x.v(zero), x.v(v)) // true for NaN
	x.op("VMOVMSKPS", x.v(v), r)
	x.op("MOVB", r, mem)
	x.give(r)
}

func (x x86) highest(v int, result string) {
	x.op("VEXTRACTF128", "$1", x.v(v), "X15")
	x.op("VMAXPS", "X15", xmm(v), xmm(v))
	x.op("VPERMILPS", "$0x4e", xmm(v), "X15")
	x.op("VMAXPS", "X15", xmm(v), xmm(v))
	x.op("VPERMILPS", "$0xb1", xmm(v), "X15")
	x.op("VMAXPS", "X15", xmm(v), xmm(v))
	x.op("VMOVSS", xmm(v), result)
}

func (x x86) sum4(v int, result string) {
	x.op("VEXTRACTF128", "$1", x.v(v), "X15")
	x.op("VADDPD", "X15", xmm(v), xmm(v))
	x.op("VHADDPD", xmm(v), xmm(v), xmm(v))
	x.op("VMOVSD", xmm(v), result)
}
