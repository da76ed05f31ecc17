package gemm

// has says whether this machine can run a path. Every arm64 has NEON.
func has(p path) bool { return p == neon || p == portable }
