//go:build unix

package agents

import (
	"os"
	"strings"
	"testing"
	"time"

	"earthgym/env/envtest/must"
)

// A program that reads nothing is no reason to wait for ever to be read, whoever holds the pipe.
func TestProgramThatReadsNothing(t *testing.T) {
	t.Setenv("EARTHGYM_TEST_AGENT", "escape and squat") // see TestMain
	p := must.Have(StartProgram([]string{os.Args[0]}, nil))(t)
	hello := make([]byte, 8)
	if _, err := p.out.Read(hello); err != nil { // The child that escapes is there by now.
		t.Fatal(err)
	}
	err := p.within(t.Context(), 300*time.Millisecond, func() error {
		_, err := p.in.Write(make([]byte, 1<<20)) // more than any pipe holds
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "no answer within 300ms") {
		t.Errorf("got %v", err)
	}
	_ = p.End(endLimit)
}
