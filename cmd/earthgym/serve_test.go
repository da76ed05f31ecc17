package main

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"earthgym/env/envtest/must"
)

// logged is what a server logs, safe to read while it runs.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// serving runs the command line until stop is called, which gives its exit code.
func serving(t *testing.T, args ...string) (log *logged, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	log = &logged{}
	code := make(chan int, 1)
	go func() { code <- run(ctx, append([]string{"serve"}, args...), io.Discard, log) }()
	for start := time.Now(); !strings.Contains(log.String(), "msg=serving"); time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Minute {
			t.Fatalf("it does not serve: %s", log)
		}
	}
	return log, func() int { cancel(); return <-code }
}

func TestServeUnix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	old := must.Have(net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"}))(t)
	old.SetUnlinkOnClose(false) // a server that has died
	old.Close()
	_, stop := serving(t, "--listen", "unix:"+path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", info.Mode(), err)
	}
	var errs strings.Builder
	if code := run(t.Context(), []string{"serve", "--listen", "unix:" + path}, io.Discard, &errs); code != exitFailed ||
		!strings.Contains(errs.String(), "another server") {
		t.Errorf("a second server: %d, %s", code, errs.String())
	}
	if code := stop(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket is still there")
	}
}

func TestServeTCP(t *testing.T) {
	for _, host := range []string{"127.0.0.1:0", "localhost:0"} {
		log, stop := serving(t, "--listen", "tcp:"+host)
		if !strings.Contains(log.String(), "address=tcp:127.0.0.1:") || !strings.Contains(log.String(), "token=false") {
			t.Errorf("%s: %s", host, log)
		}
		if code := stop(); code != exitOK {
			t.Errorf("%s: exit code %d", host, code)
		}
	}
	token := filepath.Join(t.TempDir(), "token")
	must.Do(t, os.WriteFile(token, []byte("secret\n"), 0o600))
	_, stop := serving(t, "--listen", "tcp:0.0.0.0:0", "--token-file", token)
	stop()
}

func TestServeRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		name = filepath.Join(dir, name)
		must.Do(t, os.WriteFile(name, []byte(content), mode))
		return name
	}
	plain := file("plain", "x", 0o600)
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"--listen tcp::0", exitUsage, "open to other machines"},
		{"--listen tcp:0.0.0.0:0", exitUsage, "open to other machines"},
		{"--listen tcp:nonsense", exitUsage, "HOST:PORT"},
		{"--listen unix:", exitUsage, "unix:PATH or tcp:HOST:PORT"},
		{"--listen 127.0.0.1:0", exitUsage, "unix:PATH or tcp:HOST:PORT"},
		{"--listen udp:127.0.0.1:0", exitUsage, "unix:PATH or tcp:HOST:PORT"},
		{"--listen unix:x --nets .", exitUsage, "--nets is for"},
		{"--listen tcp:127.0.0.1:0 --nets " + plain, exitUsage, "no such folder"},
		{"--memory 0", exitUsage, "GiB"},
		{"--token-file " + plain, exitUsage, "--token-file is for"},
		{"--log loud", exitUsage, "info, warn or error"},
		{"--listen tcp:127.0.0.1:0 --token-file " + filepath.Join(dir, "none"), exitFailed, "no such file"},
		{"--listen tcp:127.0.0.1:0 --token-file " + dir, exitFailed, "it is a folder, not a regular file"},
		{"--listen tcp:127.0.0.1:0 --token-file " + file("open", "secret", 0o644), exitFailed, "others may read it"},
		{"--listen tcp:127.0.0.1:0 --token-file " + file("empty", " \n", 0o600), exitFailed, "0 bytes"},
		{"--listen tcp:127.0.0.1:0 --token-file " + file("long", strings.Repeat("x", 2000), 0o600), exitFailed, "2000 bytes"},
		{"--listen unix:" + plain, exitFailed, "it exists and is no socket"},
		{"--listen unix:" + filepath.Join(dir, "no", "such", "folder"), exitFailed, "--listen unix:"},
		{"kuhn", exitUsage, "unexpected"},
	} {
		var errs strings.Builder
		code := run(t.Context(), append([]string{"serve"}, strings.Fields(tt.args)...), io.Discard, &errs)
		if code != tt.code || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("%s: exit code %d, %s; want %d, %q", tt.args, code, errs.String(), tt.code, tt.want)
		}
	}
}
