package main

import (
	"encoding/binary"
	"io"
	"os"

	"github.com/vmihailenco/msgpack/v5"
)

// bystander is a program that takes its seat as an agent, for tests in which it is never asked to act.
func bystander() {
	say := func(head map[string]any) {
		h, err := msgpack.Marshal(head)
		if err != nil {
			panic(err)
		}
		b := binary.LittleEndian.AppendUint32(nil, uint32(4+len(h)))
		os.Stdout.Write(append(binary.LittleEndian.AppendUint32(b, uint32(len(h))), h...))
	}
	os.Stdout.WriteString("EARTHGYM\x01\x00\x00\x00")
	say(map[string]any{"id": 1, "op": "hello", "protocol": []int{1, 0}, "role": "seat"})
	_, _ = io.Copy(io.Discard, os.Stdin)
}
