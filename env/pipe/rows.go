package pipe

import (
	"encoding/binary"
	"unsafe"

	"earthgym/env"
)

// arrays are what shows a batch, and the frame in which they travel.
type arrays struct {
	encoder *encoder
	rows    int // lanes
	blocks  []block
	payload []byte // of a step: in frame, or shared
	frame   []byte // of a step's reply: prefix, head, payload
	shared  *sharedMemory

	mask, observation, reward, actor, end []byte // blocks of payload
}

// layOut makes the blocks for n lanes of so many seats at most, without memory for them.
func (a *arrays) layOut(n, players int, info *env.Info) {
	a.rows = n
	a.blocks = []block{
		{Name: "observation", Type: a.encoder.encoding.observation, Shape: []int{n, info.Observation()}},
		{Name: "mask", Type: typeUint8, Shape: []int{n, a.encoder.maskSize(info)}},
		{Name: "reward", Type: typeFloat32, Shape: []int{n, players}},
		{Name: "actor", Type: typeInt32, Shape: []int{n}},
		{Name: "end", Type: typeUint8, Shape: []int{n}},
	}
	layOut(a.blocks)
}

func (a *arrays) bytes() int {
	last := a.blocks[len(a.blocks)-1]
	return (last.Offset + last.size + 63) &^ 63
}

// place gives the arrays their memory: shared, if there is such, or the payload of its frame.
func (a *arrays) place(shared *sharedMemory) {
	const room = 64 // before the payload, for prefix and head
	n := a.bytes()
	if shared != nil {
		a.shared, a.payload = shared, shared.bytes
		n = 0
	}
	words := make([]uint64, (room+n+64)/8)
	buf := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
	buf = buf[64-uintptr(unsafe.Pointer(unsafe.SliceData(buf)))%64:] // the payload starts at a multiple of 64
	a.frame = buf[room-prefix-len(stepHead{}) : room+n]
	if shared == nil {
		a.payload = buf[room : room+n]
	}
	binary.LittleEndian.PutUint32(a.frame, uint32(len(a.frame)-4))
	binary.LittleEndian.PutUint32(a.frame[4:], uint32(len(stepHead{})))
	for i, dst := range []*[]byte{&a.observation, &a.mask, &a.reward, &a.actor, &a.end} {
		at := a.blocks[i]
		*dst = a.payload[at.Offset : at.Offset+at.size]
	}
}

// stepHead is the head of the reply to step and reset: {"id": n}, always of this length.
type stepHead [13]byte

// reply is the whole frame of the arrays as they are now.
func (a *arrays) reply(id uint64) []byte {
	head := a.frame[prefix : prefix+len(stepHead{})]
	copy(head, "\x81\xa2id\xcf")
	binary.BigEndian.PutUint64(head[5:], id)
	return a.frame
}

func (a *arrays) close() {
	if a.shared != nil {
		a.shared.close()
	}
}

// row is the part of a block that belongs to lane i.
func (a *arrays) row(block []byte, i int) []byte {
	n := len(block) / a.rows
	return block[i*n : (i+1)*n]
}
