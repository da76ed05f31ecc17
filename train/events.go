package train

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"earthgym/env/disk"
)

// EventsFile is the name of the metrics in a run's directory as TensorBoard reads them: a scalar for each number of
// an Update, over the decisions learnt from. Its times are the seconds of the run, from 0.
const EventsFile = "events.out.tfevents.0.earthgym"

// An events file is a list of records: the length of the message, the check sum of these eight bytes, the message, its
// check sum. The messages are protocol buffers of TensorFlow's event.proto and summary.proto:
//
//	Event    1: double wall_time   2: int64 step   3: string file_version   5: Summary summary
//	Summary  1: repeated Value     Value 1: string tag   2: float simple_value

// appendEvents adds the updates, those of a run that has taken some seconds before them.
func appendEvents(dst []byte, updates []Update, seconds float64) ([]byte, error) {
	for _, u := range updates {
		seconds += u.Seconds()
		text, err := json.Marshal(u)
		if err != nil {
			return nil, fmt.Errorf("write events: %w", err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			return nil, fmt.Errorf("write events: %w", err)
		}
		event := eventAt(seconds)
		event = binary.AppendUvarint(append(event, 2<<3), uint64(u.Cloned+u.Decisions))
		dst = appendRecord(dst, appendText(event, 5, string(appendScalars(nil, "", fields))))
	}
	return dst, nil
}

// Seconds is how long the update took.
func (u *Update) Seconds() float64 { return u.CollectSeconds + u.LearnSeconds + u.EvaluateSeconds }

// appendScalars adds a Value for each number, under the names that lead to it.
func appendScalars(dst []byte, prefix string, fields map[string]any) []byte {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch x := fields[name].(type) {
		case float64:
			value := appendText(nil, 1, prefix+name)
			value = binary.LittleEndian.AppendUint32(append(value, 2<<3|5), math.Float32bits(float32(x)))
			dst = appendText(dst, 1, string(value))
		case map[string]any:
			dst = appendScalars(dst, prefix+name+"/", x)
		}
	}
	return dst
}

// eventAt begins an Event with its time.
func eventAt(seconds float64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{1<<3 | 1}, math.Float64bits(seconds))
}

func appendText(dst []byte, field byte, text string) []byte {
	return append(binary.AppendUvarint(append(dst, field<<3|2), uint64(len(text))), text...)
}

func appendRecord(dst, message []byte) []byte {
	at := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(message)))
	dst = binary.LittleEndian.AppendUint32(dst, checkSum(dst[at:]))
	dst = append(dst, message...)
	return binary.LittleEndian.AppendUint32(dst, checkSum(message))
}

// checkSum is the masked CRC-32C of these records.
func checkSum(b []byte) uint32 {
	c := crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
	return (c>>15 | c<<17) + 0xa282ead8
}

func (r *Run) addEvents(u Update) error {
	b, err := appendEvents(nil, []Update{u}, r.eventSeconds)
	if err != nil {
		return err
	}
	r.eventSeconds += u.Seconds()
	return r.appendTo(EventsFile, b)
}

func (r *Run) rewriteEvents(updates []Update) error {
	b, err := appendEvents(appendRecord(nil, appendText(eventAt(0), 3, "brain.Event:2")), updates, 0)
	if err != nil {
		return err
	}
	r.eventSeconds = 0
	for i := range updates {
		r.eventSeconds += updates[i].Seconds()
	}
	return disk.Write(filepath.Join(r.dir, EventsFile), b)
}
