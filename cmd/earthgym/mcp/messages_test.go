package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"earthgym/env/envtest/must"
)

// inexactIDs are numbers that a float64, or an int64, changes.
var inexactIDs = []string{
	"9007199254740993", "-9007199254740993", "123456789012345678901234567890", "1.5", "1e3", "1E+999", "-0", "7.0",
}

// ask is a request of the revision that has no sessions, which needs no other before it.
func ask(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"list_games","arguments":{},` +
		meta + `}}`
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`

// An answer is what a test reads of one.
type answer struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *jsonrpc.Error
}

// overLines are the answers to lines over standard input and output, by their ids.
func overLines(t *testing.T, s *Server, input string) map[string][]answer {
	t.Helper()
	var out output
	must.Do(t, s.ServeStdio(t.Context(), io.NopCloser(strings.NewReader(input)), &out))
	answers := map[string][]answer{}
	for line := range strings.Lines(out.String()) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answers[string(a.ID)] = append(answers[string(a.ID)], a)
	}
	return answers
}

// An output is where a server writes to.
type output struct{ bytes.Buffer }

// Close implements io.Closer.
func (*output) Close() error { return nil }

// A line that is no message is answered, and the session goes on.
func TestLinesThatAreNoMessages(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":5,"method":"` + strings.Repeat("x", 3*maxMessage) + `"}`
	batch := "[" + ask("11") + "," + ask("12") + "]"
	answers := overLines(t, newTestServer(t), strings.Join([]string{
		"x", "{", `"`, "\xff", batch, "[]", "[" + batch + "]", "17", "null", long, "", " \r",
		`{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":6,"method":"ping"}`, `{"jsonrpc":"2.0","id":7,"method":8}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":true,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":[1]}`,
		ask("1") + "\r", ask(`"a"`), ask("2"), // the last without an end
	}, "\n"))
	codes := map[int64]int{}
	for _, a := range answers["null"] {
		codes[a.Error.Code]++
	}
	want := map[int64]int{jsonrpc.CodeParseError: 4, jsonrpc.CodeInvalidRequest: 10}
	if !maps.Equal(codes, want) {
		t.Errorf("got %v, want %v: %+v", codes, want, answers["null"])
	}
	for _, id := range []string{"6", "7"} {
		if a := answers[id]; len(a) != 1 || a[0].Error == nil || a[0].Error.Code != jsonrpc.CodeInvalidRequest {
			t.Errorf("%s: got %+v", id, a)
		}
	}
	for _, id := range []string{"1", `"a"`, "2"} {
		if a := answers[id]; len(a) != 1 || a[0].Error != nil {
			t.Errorf("%s: got %+v", id, a)
		}
	}
	if a := answers["8"]; len(a) != 1 || a[0].Error == nil || a[0].Error.Message != "params are an object of JSON" {
		t.Errorf("8: got %+v", a)
	}
	if len(answers) != 7 {
		t.Errorf("there are answers to %d ids", len(answers))
	}
}

// Every request is answered, with its own id as it was sent.
func TestIDsAreExact(t *testing.T) {
	s := newTestServer(t)
	ids := append([]string{"0", "-3", "9007199254740992", `""`, `"<\"ä"`}, inexactIDs...)
	var input []string
	for _, id := range ids {
		input = append(input, ask(id))
	}
	answers := overLines(t, s, strings.Join(input, "\n"))
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	headers := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call",
		"Mcp-Name": "list_games"}
	for _, id := range ids {
		if a := answers[id]; len(a) != 1 || !strings.Contains(string(a[0].Result), "one-earth") {
			t.Errorf("over standard input and output, %s: got %+v", id, a)
		}
		var a answer
		text := post(t, server, ask(id), headers)
		err := json.Unmarshal([]byte(text), &a)
		if err != nil || string(a.ID) != id || !strings.Contains(string(a.Result), "one-earth") {
			t.Errorf("over HTTP, %s: got %s", id, text)
		}
	}
	if len(answers) != len(ids) {
		t.Errorf("%d answers to %d requests", len(answers), len(ids))
	}
}

// Of requests with one id the first goes on, and each is answered.
func TestRequestsWithOneID(t *testing.T) {
	for _, id := range []string{"7", `"7"`, "9007199254740993"} {
		input, out := strings.Join([]string{ask(id), ask(id), ask(id), ask("8"), ask(id)}, "\n"), &output{}
		c := must.Have(lines{io.NopCloser(strings.NewReader(input)), out}.Connect(t.Context()))(t)
		var read []*jsonrpc.Request
		next := func() {
			t.Helper()
			m := must.Have(c.Read(t.Context()))(t)
			read = append(read, m.(*jsonrpc.Request))
		}
		next()
		next() // two have been refused by now
		must.Do(t, c.Write(t.Context(), &jsonrpc.Response{ID: read[0].ID, Result: json.RawMessage(`{}`)}))
		next()
		if read[1].ID != madeID(t, 8) || read[2].ID != read[0].ID {
			t.Errorf("%s: read %v", id, read)
		}
		text := "another request with the id " + id + " has no answer yet: each has an id of its own"
		wrong := &refusedMessage{json.RawMessage(id), jsonrpc.CodeInvalidRequest, text}
		refusal := string(wrong.encode()) + "\n"
		if want := refusal + refusal + `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` + "\n"; out.String() != want {
			t.Errorf("%s: answered\n%s, want\n%s", id, out, want)
		}
		_ = c.Close()
	}
}

func madeID(t *testing.T, id float64) jsonrpc.ID {
	t.Helper()
	return must.Have(jsonrpc.MakeID(id))(t)
}

// Who cancels a request by a number that is not exact as a float64 cancels that one alone.
func TestCancelIsExact(t *testing.T) {
	for _, id := range inexactIDs {
		asked, wrong := readMessage([]byte(ask(id)))
		if wrong != nil {
			t.Fatal(wrong.text)
		}
		params := `{"requestId":` + id + `,"reason":"x"}`
		cancel, wrong := readMessage([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`))
		if wrong != nil {
			t.Fatal(wrong.text)
		}
		var read struct{ RequestID, Reason any }
		must.Do(t, json.Unmarshal(cancel.Message.(*jsonrpc.Request).Params, &read))
		made, err := jsonrpc.MakeID(read.RequestID)
		if err != nil || made != asked.Message.(*jsonrpc.Request).ID || read.Reason != "x" {
			t.Errorf("%s is cancelled as %#v (%v)", id, read, err)
		}
	}
}

// Over HTTP what is no message is an error of JSON-RPC, too, and a batch is played by no revision.
func TestPostsThatAreNoMessages(t *testing.T) {
	server := httptest.NewServer(newTestServer(t).Handler())
	defer server.Close()
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_rule",` +
		`"arguments":{"game":"new-earth","rule":"the"}}}`
	for _, tt := range []struct {
		body   string
		status int
		code   int64
	}{
		{"x", 400, jsonrpc.CodeParseError},
		{"", 400, jsonrpc.CodeParseError},
		{"[" + strings.Repeat(call+",", 449) + call + "]", 400, jsonrpc.CodeInvalidRequest},
		{"[" + call + "]", 400, jsonrpc.CodeInvalidRequest},
		{`{"jsonrpc":"2.0","id":[],"method":"ping"}`, 400, jsonrpc.CodeInvalidRequest},
		{strings.Repeat(" ", maxMessage) + call, 413, jsonrpc.CodeInvalidRequest},
	} {
		for _, revision := range []string{"", "2025-03-26", "2025-11-25"} {
			headers := map[string]string{}
			if revision != "" {
				headers["Mcp-Protocol-Version"] = revision
			}
			status, text, err := request(t.Context(), server, tt.body, headers)
			var a answer
			read := json.Unmarshal([]byte(text), &a)
			if err != nil || status != tt.status || read != nil || a.Error == nil || a.Error.Code != tt.code {
				t.Errorf("%.60q: got %d %.200s (%v)", tt.body, status, text, err)
			}
		}
	}
}
