//go:build !js

package disk

import "syscall"

// nonblocking opens a pipe without waiting for somebody at its other end.
const nonblocking = syscall.O_NONBLOCK
