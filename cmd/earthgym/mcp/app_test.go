package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earthgym/cmd/earthgym/internal/headless"
	"earthgym/env/envtest/must"
)

// hostPage is a host of MCP Apps as the specification of 2026-01-26 has it: the app runs in a frame that may only run
// scripts, under the policy for apps that ask for no other origins; the host answers ui/initialize, sends what the tool
// was called with and its result once the app is ready, and says when it ends. It keeps all that the app says.
const hostPage = `<!doctype html>
<meta charset="utf-8">
<iframe id="app" width="900" height="700" sandbox="allow-scripts" srcdoc="%s"></iframe>
<script>
"use strict";
window.said = [];
const app = document.getElementById("app");
const tell = (message) => app.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", ({ source, data }) => {
  if (source !== app.contentWindow) return;
  window.said.push(data);
  if (data.method === "ui/initialize") {
    tell({ id: data.id, result: {
      protocolVersion: data.params.protocolVersion, hostInfo: { name: "test", version: "1" },
      hostCapabilities: {}, hostContext: { theme: "light", displayMode: "inline", availableDisplayModes: ["inline"] },
    } });
  }
  if (data.method === "ui/notifications/initialized") {
    tell({ method: "ui/notifications/tool-input", params: { arguments: {} } });
    setTimeout(() => tell({ method: "ui/notifications/tool-result", params: %s }), 200);
  }
});
</script>`

// policy is what a host grants an app that asks for nothing.
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">`

// appSaid is a message of the app.
type appSaid struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

// The app keeps to the protocol of its host, and shows the board in the confines of a frame.
func TestAppInAHost(t *testing.T) {
	var program headless.Program
	defer program.Close()
	browser := program.Browser(t)
	c := connections["http"](t, newTestServer(t))()
	_, started := called(t, c, "start_table",
		map[string]any{"game": "one-earth:players=3", "seats": []string{"me", "random"}, "seed": 3})
	key := started["seats"].([]any)[0].(map[string]any)["key"]
	result := must.Have(c.CallTool(t.Context(),
		&sdk.CallToolParams{Name: "board", Arguments: map[string]any{"table": started["table"], "key": key}}))(t)
	drawn, err := json.Marshal(result) // whose < and > are escaped
	if err != nil {
		t.Fatal(err)
	}
	page := must.Have(c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: appURI}))(t)
	framed := strings.Replace(page.Contents[0].Text, "<meta charset", policy+"<meta charset", 1)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, hostPage, html.EscapeString(framed), drawn)
	}))
	t.Cleanup(host.Close)

	ctx, cancel := context.WithTimeout(browser, 10*time.Minute)
	defer cancel()
	must.Do(t, chromedp.Do(ctx, chromedp.EmulateViewport(920, 720), chromedp.Navigate(host.URL)))
	said := func(enough func(said []appSaid) bool) []appSaid {
		t.Helper()
		for {
			text := must.Have(chromedp.Run(ctx, chromedp.Evaluate[string]("JSON.stringify(window.said)")))(t)
			var said []appSaid
			must.Do(t, json.Unmarshal([]byte(text), &said))
			if enough(said) {
				return said
			}
			select {
			case <-ctx.Done():
				t.Fatalf("the app has said no more than %s", text)
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	heightOf := func(m appSaid) (height float64) {
		var size struct{ Height float64 }
		if m.Method == "ui/notifications/size-changed" && json.Unmarshal(m.Params, &size) == nil {
			height = size.Height
		}
		return height
	}
	// The board is there.
	all := said(func(said []appSaid) bool { return len(said) > 0 && heightOf(said[len(said)-1]) > 300 })
	first := func(method string) int {
		for i, m := range all {
			if m.Method == method {
				return i
			}
		}
		return -1
	}
	asked, ready := first("ui/initialize"), first("ui/notifications/initialized")
	if asked < 0 || ready < asked {
		t.Errorf("the app says %+v: ui/initialize, and ui/notifications/initialized once that is answered", all)
	}
	var hello struct {
		AppInfo         struct{ Name, Version string }
		AppCapabilities map[string]any
		ProtocolVersion string
	}
	if err := json.Unmarshal(all[asked].Params, &hello); err != nil || hello.AppInfo.Name == "" ||
		hello.AppInfo.Version == "" ||
		hello.AppCapabilities == nil || hello.ProtocolVersion != "2026-01-26" {
		t.Errorf("it introduces itself by %s (%v)", all[asked].Params, err)
	}
	for _, m := range all[:ready] {
		if heightOf(m) > 300 {
			t.Errorf("it is %v high before it knows of a board", heightOf(m))
		}
	}
	if colours := coloursOf(t, ctx); colours < 8 {
		t.Errorf("%d colours are to be seen: the board is not drawn", colours)
	}
	if _, err := chromedp.Run(ctx,
		chromedp.Evaluate[bool](`(tell({ id: 77, method: "ui/resource-teardown", params: {} }), true)`)); err != nil {
		t.Fatal(err)
	}
	said(func(said []appSaid) bool {
		last := said[len(said)-1]
		return last.ID == 77. && string(last.Result) == "{}"
	})
}

// coloursOf counts the colours of what the page shows.
func coloursOf(t *testing.T, ctx context.Context) int {
	t.Helper()
	shot := must.Have(chromedp.Run(ctx, chromedp.CaptureScreenshot()))(t)
	picture := must.Have(png.Decode(bytes.NewReader(shot)))(t)
	colours := map[[3]uint32]bool{}
	for y := 0; y < picture.Bounds().Dy(); y += 2 {
		for x := 0; x < picture.Bounds().Dx(); x += 2 {
			r, g, b, _ := picture.At(x, y).RGBA()
			colours[[3]uint32{r >> 12, g >> 12, b >> 12}] = true
		}
	}
	return len(colours)
}
