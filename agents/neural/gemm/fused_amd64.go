package gemm

import "golang.org/x/sys/cpu"

// has says whether this machine can run a path.
func has(p path) bool {
	switch p {
	case avx2:
		return cpu.X86.HasAVX2 && cpu.X86.HasFMA
	case avx512:
		return cpu.X86.HasAVX512F && has(avx2)
	}
	return p == portable
}
