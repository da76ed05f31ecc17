//go:build unix

package main

import "syscall"

// ownerOnly lets files be made for their owner alone until restore is called.
func ownerOnly() (restore func()) {
	old := syscall.Umask(0o177)
	return func() { syscall.Umask(old) }
}
