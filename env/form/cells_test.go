package form_test

import (
	"slices"
	"testing"

	"earthgym/env/form"
)

// Numbers keep to their range, whole at its ends, and are the nearest there are between them.
func TestCells(t *testing.T) {
	for _, most := range []int{1, 3, 7, 20, 41, 60, 100} {
		for n := -3; n <= 300; n++ {
			want := float32(float64(min(n, most)) / float64(most))
			if got := form.Share(n, most); got != want {
				t.Errorf("Share(%d, %d) = %v, want %v", n, most, got, want)
			}
			if got := form.Part(n, most); got-want > 1e-7 || want-got > 1e-7 || n >= most && got != 1 {
				t.Errorf("Part(%d, %d) = %v, want %v", n, most, got, want)
			}
		}
	}
	for n, want := range map[int16]float32{-300: -10, -200: -10, -10: -0.5, 0: 0, 20: 1, 200: 10, 3000: 10} {
		if got := form.Scaled(n, 20, 10); got != want {
			t.Errorf("Scaled(%d, 20, 10) = %v, want %v", n, got, want)
		}
	}
	if form.Bit(true) != 1 || form.Bit(false) != 0 {
		t.Errorf("bits %v, %v", form.Bit(true), form.Bit(false))
	}
	for _, tt := range []struct {
		what  string
		write func(dst []float32)
		want  []float32
	}{
		{"Count(-2)", func(dst []float32) { form.Count(dst, int8(-2)) }, []float32{1, 0, 0, 0}},
		{"Count(2)", func(dst []float32) { form.Count(dst, 2) }, []float32{0, 0, 1, 0}},
		{"Count(200)", func(dst []float32) { form.Count(dst, uint8(200)) }, []float32{0, 0, 0, 1}},
		{"UpTo(-1)", func(dst []float32) { form.UpTo(dst, int8(-1)) }, []float32{0, 0, 0, 0}},
		{"UpTo(2)", func(dst []float32) { form.UpTo(dst, 2) }, []float32{1, 1, 0, 0}},
		{"UpTo(9)", func(dst []float32) { form.UpTo(dst, 9) }, []float32{1, 1, 1, 1}},
		{"Ones(0)", func(dst []float32) { form.Ones(dst, uint8(0)) }, []float32{0, 0, 0, 0}},
		{"Ones(5)", func(dst []float32) { form.Ones(dst, uint64(5)) }, []float32{1, 0, 1, 0}},
	} {
		dst := make([]float32, 4)
		if tt.write(dst); !slices.Equal(dst, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, dst, tt.want)
		}
	}
}
