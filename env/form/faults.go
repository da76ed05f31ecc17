package form

import "fmt"

// Faults keeps the first thing that is wrong with a position.
type Faults struct{ Err error }

// Need notes a fault, in words, unless something holds.
func (f *Faults) Need(holds bool, format string, args ...any) {
	if !holds && f.Err == nil {
		f.Err = fmt.Errorf(format, args...)
	}
}

// NeedAt is Need for a field of the position.
func (f *Faults) NeedAt(holds bool, path, format string, args ...any) {
	if !holds {
		f.Fail(path, format, args...)
	}
}

// Fail notes a fault of a field.
func (f *Faults) Fail(path, format string, args ...any) {
	f.Need(false, "%s: %s", path, fmt.Sprintf(format, args...))
}

// FirstFault makes checks one after the other, until one finds a fault.
func FirstFault(checks ...func(*Faults)) error {
	var f Faults
	for _, check := range checks {
		if check(&f); f.Err != nil {
			break
		}
	}
	return f.Err
}
