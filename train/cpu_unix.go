//go:build unix

package train

import "syscall"

// cpuSeconds is the processor time that this process has taken.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0 // nobody knows
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
