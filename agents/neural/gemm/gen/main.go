// Command gen writes the kernels of package gemm: for each architecture the assembly and its Go declarations.
//
// A kernel is written once (tiles.go, vectors.go), in steps that each instruction set (x86.go, arm.go) puts in its own
// words. Run it through go generate in the parent directory. A test here fails when what is checked in isn't what gen
// writes.
package main

import (
	"log"
	"maps"
	"os"
)

func main() {
	for name, data := range generate() {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			log.Fatalf("gen: %v", err)
		}
	}
}

// generate returns the files by name.
func generate() map[string][]byte {
	amd := newGenerator("amd64")
	avx2 := x86{amd, "Y", 16, 2}
	amd.products("avx2", avx2, narrow)
	amd.products("avx512", x86{amd, "Z", 32, 1}, wide)
	amd.others(avx2)

	other := newGenerator("arm64")
	neon := arm{other}
	other.products("neon", neon, narrow)
	other.others(neon)

	files := amd.files()
	maps.Copy(files, other.files())
	return files
}
