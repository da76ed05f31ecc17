// Package headless starts a browser without a window for tests of pages.
package headless

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// A Program is a browser that all tests of a package share, which start it with the first of them: to start it takes
// longer than most of them do.
type Program struct {
	ctx  context.Context
	stop context.CancelFunc
}

// Close ends the program, if there is one.
func (p *Program) Close() {
	if p.ctx != nil {
		_ = chromedp.Cancel(p.ctx) // It waits until the program has ended.
		p.stop()
	}
}

// Browser gives a test pages of its own, with their own storage, which end with it, or skips the test where there is no
// browser.
func (p *Program) Browser(t testing.TB) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	if p.ctx == nil {
		p.start(t)
	}
	ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("the browser opens no page: %v", err)
	}
	return ctx
}

func (p *Program) start(t testing.TB) {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"headless-shell"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium or Chrome here to try the page in")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.Flag("force-prefers-reduced-motion", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which root can't have
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		stop()
		t.Fatalf("%s does not start: %v", path, err)
	}
	p.ctx, p.stop = ctx, stop
}
