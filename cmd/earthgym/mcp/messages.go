package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage bounds a message in bytes.
const maxMessage = 1 << 16

// A message is one of a client, as the library may read it.
type message struct {
	jsonrpc.Message
	data []byte // of which it was read
	// number is the id of a request, if it is a number that the library would change by making a float64 of it. In the
	// message stands its text then, as a string; exactID puts the number into the answer.
	number string
}

// readMessage reads the bytes of one message. What is wrong with them is an answer.
func readMessage(data []byte) (m message, wrong *refusedMessage) {
	var fields map[string]json.RawMessage
	switch first := bytes.TrimLeft(data, " \t\r\n"); {
	case len(data) > maxMessage:
		return m, tooLong
	case !json.Valid(data):
		const form = "it is no JSON: a message is one object of JSON, on a line of its own over standard input"
		return m, &refusedMessage{nil, jsonrpc.CodeParseError, form}
	case first[0] == '[':
		return m, &refusedMessage{nil, jsonrpc.CodeInvalidRequest, "batches are not taken: send each message alone"}
	case json.Unmarshal(data, &fields) != nil:
		return m, &refusedMessage{nil, jsonrpc.CodeInvalidRequest, "a message is one object of JSON"}
	}
	id, changed := fields["id"], false
	if id != nil && !isID(id) {
		return m, &refusedMessage{nil, jsonrpc.CodeInvalidRequest, "an id is a text or a number"}
	}
	if params := fields["params"]; id != nil && json.Unmarshal(params, &map[string]any{}) != nil && params != nil {
		return m, &refusedMessage{id, jsonrpc.CodeInvalidParams, "params are an object of JSON"}
	}
	if inexact(id) {
		m.number, changed = string(id), true
		fields["id"] = quoted(id)
	}
	if string(fields["method"]) == `"notifications/cancelled"` {
		var params map[string]json.RawMessage
		if json.Unmarshal(fields["params"], &params) == nil && inexact(params["requestId"]) {
			params["requestId"] = quoted(params["requestId"])
			fields["params"], changed = encode(params), true
		}
	}
	if changed {
		data = encode(fields)
	}
	read, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		const form = `it is no message of JSON-RPC 2.0: {"jsonrpc": "2.0", "id": …, "method": "…", "params": {…}}`
		return m, &refusedMessage{id, jsonrpc.CodeInvalidRequest, form}
	}
	m.Message, m.data = read, data
	return m, nil
}

// isID says whether some JSON is a text or a number.
func isID(id json.RawMessage) bool { return bytes.IndexByte([]byte(`"-0123456789`), id[0]) >= 0 }

// inexact says whether some JSON is a number that is not written the same after it has been a float64 and then an
// int64.
func inexact(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || !isID(id) {
		return false
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err != nil || n > 1<<53 || n < -1<<53 || strconv.FormatInt(n, 10) != string(id)
}

func quoted(number json.RawMessage) json.RawMessage { return encode(string(number)) }

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and what was read as JSON
	}
	return b
}

// exactID gives the answer to a request whose id is a number, as the library has written it, that number back.
func exactID(answer []byte, number string) []byte {
	if number == "" {
		return answer
	}
	const head = `{"jsonrpc":"2.0","id":`
	return bytes.Replace(answer, []byte(head+`"`+number+`"`), []byte(head+number), 1)
}

// A refusedMessage is the answer to a message that the library doesn't get to see.
type refusedMessage struct {
	id   json.RawMessage // nil if there is none that can be trusted
	code int64
	text string
}

var tooLong = &refusedMessage{
	nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", maxMessage),
}

func (r *refusedMessage) encode() []byte {
	id := r.id
	if id == nil {
		id = json.RawMessage("null")
	}
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, &jsonrpc.Error{Code: r.code, Message: r.text}})
}
