package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastAnswers bounds how long answers are still written after the input has ended.
const lastAnswers = 5 * time.Second

// lines is the transport of one client that writes a message on each line and reads the answers from lines. A line
// that is no message is answered, and the session goes on; what was asked before the input ended is answered, too: a
// script writes its requests and closes.
type lines struct {
	in  io.ReadCloser
	out io.WriteCloser
}

// Connect implements sdk.Transport.
func (l lines) Connect(context.Context) (sdk.Connection, error) {
	c := &lineConnection{
		in: l.in, out: l.out, read: make(chan []byte), closed: make(chan struct{}),
		asked: map[jsonrpc.ID]string{}, answered: make(chan struct{}, 1),
	}
	go c.listen()
	return c, nil
}

type lineConnection struct {
	in     io.ReadCloser
	read   chan []byte // lines; nil is one that is too long
	ended  error       // why nothing is read any more, once read is closed
	once   sync.Once   // closes
	closed chan struct{}

	writing sync.Mutex // to out
	out     io.WriteCloser

	mu       sync.Mutex
	asked    map[jsonrpc.ID]string // requests without an answer, with the number that each has for an id (message)
	open     int                   // how many answers are not written yet
	answered chan struct{}         // has a token when one has been written
}

// SessionID implements sdk.Connection.
func (c *lineConnection) SessionID() string { return "" }

// listen reads lines until the input ends or the connection is closed. A read can't be broken off.
func (c *lineConnection) listen() {
	defer close(c.read)
	in := bufio.NewReaderSize(c.in, maxMessage+2) // with the line's end
	for c.ended == nil {
		var line []byte
		line, c.ended = in.ReadSlice('\n')
		line = bytes.Clone(line)
		for errors.Is(c.ended, bufio.ErrBufferFull) {
			line = nil
			_, c.ended = in.ReadSlice('\n')
		}
		if line != nil {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
		}
		select {
		case c.read <- line:
		case <-c.closed:
			return
		}
	}
}

// Read implements sdk.Connection.
func (c *lineConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case line, ok := <-c.read:
			if !ok {
				c.settle(ctx)
				return nil, c.ended
			}
			m, wrong := c.accept(line)
			if wrong == nil {
				return m, nil
			}
			if err := c.writeLine(wrong.encode()); err != nil {
				return nil, err
			}
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// accept reads the message of a line, and notes what it asks.
func (c *lineConnection) accept(line []byte) (jsonrpc.Message, *refusedMessage) {
	if line == nil {
		return nil, tooLong
	}
	m, wrong := readMessage(line)
	if wrong != nil {
		return nil, wrong
	}
	r, ok := m.Message.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return m.Message, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.asked[r.ID]; ok {
		id := encode(r.ID.Raw())
		if m.number != "" {
			id = []byte(m.number)
		}
		text := fmt.Sprintf("another request with the id %s has no answer yet: each has an id of its own", id)
		return nil, &refusedMessage{id, jsonrpc.CodeInvalidRequest, text}
	}
	c.asked[r.ID] = m.number
	c.open++
	return m.Message, nil
}

// settle waits until everything is answered.
func (c *lineConnection) settle(ctx context.Context) {
	timer := time.NewTimer(lastAnswers)
	defer timer.Stop()
	for {
		c.mu.Lock()
		open := c.open
		c.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Write implements sdk.Connection.
func (c *lineConnection) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.writeLine(data)
	}
	c.mu.Lock()
	number := c.asked[r.ID]
	delete(c.asked, r.ID) // Who reads the answer may use the id again.
	c.mu.Unlock()
	err = c.writeLine(exactID(data, number))
	c.mu.Lock()
	c.open--
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default:
	}
	return err
}

func (c *lineConnection) writeLine(data []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// Close implements sdk.Connection.
func (c *lineConnection) Close() (err error) {
	c.once.Do(func() {
		close(c.closed)
		err = errors.Join(c.in.Close(), c.out.Close())
	})
	return err
}
