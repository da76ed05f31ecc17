//go:build !js

package web

import (
	"encoding/json"
	"fmt"
	"image/color"
	"net/http"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
)

// quiet is how many modules round a QR code stay light (ISO/IEC 18004).
const quiet = 4

// picture draws a link as a QR code, in SVG.
func picture(link string) (string, error) {
	code, err := qr.Encode(link, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("this link can't be drawn: %w", err)
	}
	var b strings.Builder
	size := code.Bounds().Dx()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="`, size+2*quiet)
	for y := range size {
		for x := range size {
			if dark(code, x, y) {
				fmt.Fprintf(&b, "M%d %dh1v1h-1z", x+quiet, y+quiet)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.String(), nil
}

func dark(code barcode.Barcode, x, y int) bool { return code.At(x, y) == color.Black }

// answerQR answers with the picture of a link. What is drawn is what the page asks for, so it tells nobody anything; a
// key is asked for all the same, as it costs time.
func answerQR(d *API) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		to := &reply{w: w, r: r, control: http.NewResponseController(w)}
		key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if _, ok := d.auth(key); !ok {
			refuse(to, &fault{unknown, d.refused})
			return
		}
		var ask struct {
			Link string `json:"link"`
		}
		err := (&request{body: bounded{http.MaxBytesReader(w, r.Body, maxBody)}}).read(&ask)
		var svg string
		if err == nil {
			svg, err = picture(ask.Link)
		}
		if err != nil {
			refuse(to, err)
			return
		}
		text, _ := json.Marshal(map[string]string{"svg": svg}) // Texts can be encoded.
		to.Begin(fine, "application/json")
		_ = to.Send(text) // to whoever is still there
	}
}
