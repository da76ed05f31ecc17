package pipe

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// canShare says whether arrays can lie in memory that a client maps too.
const canShare = true

// sharedMemory is a file in memory, without a name on any disk, that server and client both map. It ends
// with those who use it, however they end.
type sharedMemory struct {
	name  string // while the client may still open it
	fd    int
	bytes []byte
}

func newSharedMemory(size int) (*sharedMemory, error) {
	m := &sharedMemory{fd: -1}
	if err := m.open(size); err != nil {
		m.close()
		return nil, fmt.Errorf("no shared memory of %d bytes: %w", size, err)
	}
	m.name = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), m.fd)
	return m, nil
}

func (m *sharedMemory) open(size int) (err error) {
	if m.fd, err = unix.MemfdCreate("earthgym", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING); err != nil {
		return err
	}
	// Reserved and sealed: a write to memory that is not there, or that the client has cut off, would kill
	// the server.
	if err = unix.Fallocate(m.fd, 0, 0, int64(size)); err != nil {
		return err
	}
	if _, err = unix.FcntlInt(uintptr(m.fd), unix.F_ADD_SEALS,
		unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err != nil {
		return err
	}
	m.bytes, err = unix.Mmap(m.fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return err
}

// unlink ends the time in which the client can open it.
func (m *sharedMemory) unlink() {
	if m.fd >= 0 {
		_ = unix.Close(m.fd) // Nothing is written through it.
		m.fd, m.name = -1, ""
	}
}

func (m *sharedMemory) close() {
	m.unlink()
	if m.bytes != nil {
		_ = unix.Munmap(m.bytes) // It was mapped above.
		m.bytes = nil
	}
}
