package disk

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"earthgym/env/decode"
	"earthgym/env/seal"
)

// maxLine is the most bytes of a line of a Log.
const maxLine = 1 << 20

// A Log is a file of JSON objects of one type, one a line, each of which is sealed with all lines before it (package
// seal). A process that is killed leaves whole lines and at most the beginning of one more, which the next one cuts
// off.
type Log[L any] struct {
	name  string
	file  *os.File
	chain seal.Chain
	text  []byte // of lines that are added, so that the next ones need no memory of their own
}

// OpenLog opens the log of that name, which it makes if there is none, to add lines to it, and tells each of those that
// are there; an error of each says what is wrong with a line. What the log begins with is not in the file.
func OpenLog[L any](name string, begin seal.Chain, each func(L) error) (*Log[L], error) {
	return openLog(name, begin, func(text []byte, line L) error { return each(line) })
}

// openLog is OpenLog that tells the text of each line as well, without its sum.
func openLog[L any](name string, begin seal.Chain, each func(text []byte, line L) error) (*Log[L], error) {
	if err := noLink(name); err != nil {
		return nil, err
	}
	f, err := OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	l := &Log[L]{name: name, file: f, chain: begin}
	whole, err := l.read(each)
	if err == nil {
		err = f.Truncate(whole)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// read calls each with every whole line, and gives how many bytes these have.
func (l *Log[L]) read(each func(text []byte, line L) error) (whole int64, err error) {
	in := bufio.NewReaderSize(l.file, maxLine)
	for number := 1; ; number++ {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			return whole, nil
		}
		whole += int64(len(line))
		if errors.Is(err, bufio.ErrBufferFull) {
			err = fmt.Errorf("the line is longer than %d bytes", maxLine)
		}
		if err == nil {
			err = l.open(line, each)
		}
		if err != nil {
			return 0, fmt.Errorf("%s:%d: %w", l.name, number, err)
		}
	}
}

func (l *Log[L]) open(text []byte, each func(text []byte, line L) error) error {
	plain, err := l.chain.Open(text)
	if err != nil {
		return err
	}
	var line L
	if err := decode.JSON(plain, &line); err != nil {
		return err
	}
	return each(plain, line)
}

// Add adds lines, in one write.
func (l *Log[L]) Add(lines ...L) error {
	next := l.chain
	all := l.text[:0]
	for _, line := range lines {
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		all = append(all, next.Seal(append(text, '\n'))...)
	}
	l.text = all
	if _, err := l.file.Write(all); err != nil {
		return err
	}
	l.chain = next
	return nil
}

// Sync has all lines on the disk for certain.
func (l *Log[L]) Sync() error { return l.file.Sync() }

// Close ends it.
func (l *Log[L]) Close() error { return errors.Join(l.file.Sync(), l.file.Close()) }

// SelectLog writes a log anew with those of its lines that keep says, whole or not at all.
func SelectLog[L any](name string, begin seal.Chain, keep func(L) bool) error {
	return WriteFile(name, func(w io.Writer) error {
		chain := begin
		l, err := openLog(name, begin, func(text []byte, line L) error {
			if !keep(line) {
				return nil
			}
			_, err := w.Write(chain.Seal(text))
			return err
		})
		if err != nil {
			return err
		}
		return l.Close()
	})
}
