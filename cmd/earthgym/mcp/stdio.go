package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastAnswers bounds how long answers are still written after the input has ended.
const lastAnswers = 5 * time.Second

// A patient transport answers what was asked before the input ended: a script writes its requests and closes.
type patient struct{ sdk.Transport }

func (t patient) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &patientConnection{Connection: c, answered: make(chan struct{}, 1)}, nil
}

type patientConnection struct {
	sdk.Connection
	mu       sync.Mutex
	open     int           // requests without an answer
	answered chan struct{} // has a token when one has been answered
}

// Read implements sdk.Connection.
func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.mu.Lock()
		c.open++
		c.mu.Unlock()
	}
	if errors.Is(err, io.EOF) {
		c.settle(ctx)
	}
	return m, err
}

// settle waits until everything is answered.
func (c *patientConnection) settle(ctx context.Context) {
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
func (c *patientConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		c.open--
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}
