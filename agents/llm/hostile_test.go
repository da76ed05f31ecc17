//go:build !js

package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

// raw is a server that answers every request with these bytes.
func raw(t *testing.T, answer string) (address string) {
	t.Helper()
	l := must.Have(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					if _, err := bytes.NewBuffer(nil).ReadFrom(r.Body); err != nil {
						return
					}
					if _, err := c.Write([]byte(answer)); err != nil || !strings.Contains(answer, "keep-alive") {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// A server that repeats the key, wherever it does, has it written nowhere: in no error, transcript, log or output.
func TestKeyIsHidden(t *testing.T) {
	_, v := opening(t, "one-earth:players=3")
	text := func(x any) string {
		return string(must.Have(json.Marshal(x))(t))
	}
	choice := func(content, refusal, finish string) string {
		return text(map[string]any{
			"choices": []any{map[string]any{"message": map[string]any{"content": content, "refusal": refusal},
				"finish_reason": finish}}})
	}
	var printed bytes.Buffer
	log.SetOutput(&printed)
	defer log.SetOutput(os.Stderr)
	for _, key := range []string{"sk-SECRET-0123456789", `sk-"SE<C>R&ET'\+/é`} {
		t.Setenv("EARTHGYM_LLM_KEY", key)
		inJSON := text(key)
		escaped := `"`
		for _, c := range key {
			escaped += fmt.Sprintf(`\u%04x`, c)
		}
		escaped += `"`
		with := func(status, body string) string {
			return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
		}
		answers := []string{
			key + "\r\n\r\n", "HTTP/1.1 " + key + "\r\n\r\n", "HTTP/" + key + " 500\r\n\r\n", "HTTP/1.1 200" + key + "\r\n\r\n",
			"HTTP/1.1 500 x\n" + key + "\r\n\r\n", "HTTP/1.1 500 x\r\n" + key + "\r\n\r\n", "HTTP/1.1 500 x\r\n" + key +
				": 1 \x00\r\n\r\n",
			"HTTP/1.1 400 x\r\nContent-Length: " + key + "\r\n\r\n", "HTTP/1.1 400 x\r\nTransfer-Encoding: " + key + "\r\n\r\n",
			"HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n" + key + "\r\n",
			"HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n1\r\nx\r\n0\r\n" + key + "\r\n\r\n",
			"HTTP/1.1 429 x\r\nRetry-After: " + key + "\r\nContent-Length: 0\r\n\r\n",
			"HTTP/1.1 200 x\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n" + key,
			"HTTP/1.1 103 " + key + "\r\nLink: " + key + "\r\n\r\n" + with("500 "+key, key),
			"HTTP/1.1 302 " + key + "\r\nLocation: http://" + key + "/\r\n\r\n", "HTTP/1.1 307 x\r\nLocation: /" + key + "?" +
				key + "\r\n\r\n",
			"HTTP/1.1 308 x\r\nLocation: http://127.0.0.1:1/%zz" + key + "\r\n\r\n", "HTTP/1.1 301 " + key + "\r\n\r\n",
			with("200 "+key, choice(key, "", "stop")), with("200 OK", choice("", key, "stop")),
			with("200 OK", choice("", "", key)),
			with("200 OK", choice(`{"action": `+inJSON+`}`, "", "stop")),
			with("200 OK", choice(`{"action": `+escaped+`}`, "", "stop")),
			with("200 OK", `{"choices": `+inJSON+`}`), with("200 OK", `{"choices": `+escaped+`}`), with("200 OK", key),
			with("200 OK", `{"usage": {"prompt_tokens": `+inJSON+`}, "choices": [{"message": {"content": "x"}}]}`),
			strings.Replace(with("200 OK", choice("x", "", "stop")), "\r\n", "\r\nConnection: keep-alive\r\n", 1) +
				with("500 "+key, key),
			"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + key,
		}
		for _, status := range []int{204, 400, 401, 403, 404, 418, 429, 500, 503, 599, 999} {
			answers = append(answers, with(fmt.Sprintf("%d %s", status, key), ""), with(fmt.Sprint(status), key),
				with(fmt.Sprintf("%d\t%s x", status, key), `{"error": `+escaped+`}`),
				with(fmt.Sprintf("%d x", status), `{"error": {"message": `+inJSON+`}}`),
				with(fmt.Sprintf("%d x", status), strings.Repeat("x", maxSaid-8)+key))
		}
		for _, answer := range answers {
			file := filepath.Join(t.TempDir(), "log")
			p, spent := player(t, v, "http://"+raw(t, answer)+"/v1,model=m,limit=400ms,tries=2,log="+file)
			_, err := p.Act(v)
			if err == nil {
				t.Errorf("%q: no error", answer)
				continue
			}
			logged, readErr := os.ReadFile(file)
			if readErr != nil {
				t.Fatal(readErr)
			}
			for what, said := range map[string]string{
				"error": err.Error(), "transcript": string(p.Transcript()), "log": string(logged), "output": spent().String() +
					printed.String(),
			} {
				if strings.Contains(said, "sk-") || strings.Contains(said, "SECRET") || strings.Contains(said, "R&ET") {
					t.Errorf("%q: the %s has the key: %s", answer, what, said)
				}
			}
		}
	}
}

// A count of tokens that can't be is none, and a budget ends all the same.
func TestCountsThatCannotBe(t *testing.T) {
	_, v := opening(t, "one-earth:players=3")
	for _, counts := range []string{
		`{"prompt_tokens": -1000000000000, "completion_tokens": 10}`, `{"prompt_tokens": 100, "completion_tokens": -1}`,
		`{"prompt_tokens": 9223372036854775807, "completion_tokens": 9223372036854775807}`,
		`{"prompt_tokens": 1e30, "completion_tokens": 1}`,
		`{"prompt_tokens": 1.5, "completion_tokens": 1}`, `{"prompt_tokens": "100", "completion_tokens": 1}`,
		`{"prompt_tokens": 200000000, "completion_tokens": 1}`,
		`{}`, `[]`, `null`, `7`,
	} {
		f := newFake(t, func(_ int, _ *request, w http.ResponseWriter) {
			fmt.Fprintf(w, `{"choices": [{"message": {"content": %q}}], "usage": %s}`, decision(v.ActionText(v.Mask().Nth(0))),
				counts)
		})
		p, spent := player(t, v, f.URL+"/v1,model=m,budget=20000,price=1/2")
		decided := 0
		for ; decided < 100; decided++ {
			if _, err := p.Act(v); err != nil {
				if want := "its 20000 tokens for the game are used up"; err.Error() != want {
					t.Errorf("%s: %v, want %s", counts, err, want)
				}
				break
			}
		}
		s := spent()
		if decided == 0 || decided == 100 || s.Uncounted != decided || s.PromptTokens != 0 || s.CompletionTokens != 0 ||
			*s.Cost != 0 {
			t.Errorf("%s: %d decisions, %v", counts, decided, s)
		}
		if want := fmt.Sprintf("(%d answers without a count that can be)", decided); !strings.Contains(s.String(), want) {
			t.Errorf("%s: told %s, want %s", counts, s, want)
		}
	}
	for _, price := range []string{"inf/1", "1/nan", "-1/1", fmt.Sprintf("1/%g", math.MaxFloat64)} {
		if _, _, err := Open("http://127.0.0.1:1/v1,model=m,price="+price, v.Info()); err == nil {
			t.Errorf("price=%s is taken", price)
		}
	}
}
