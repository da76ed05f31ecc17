package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"earthgym": main, "bystander": bystander})
}

// TestScripts runs testdata/script, each in a folder of its own, with earthgym as a command. $ROOT is the
// repository.
func TestScripts(t *testing.T) {
	root := must.Have(filepath.Abs("../.."))(t)
	// What is started by a test that runs under nohup would ignore the signal too.
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangUps) })
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root)
			e.Setenv("LATIN", "\xe5") // å where texts are not UTF-8
			for _, name := range []string{"GORACE", "GOGC"} {
				e.Setenv(name, os.Getenv(name))
			}
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"keys": keys, "value": value, "subst": subst, "same": same, "await": await, "fails": fails,
		},
	})
}

// fails: fails CODE ARG… runs earthgym, which must exit with the code, print nothing to stdout and one
// line that begins with its name to stderr.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: fails CODE ARG…")
	}
	err := ts.Exec("earthgym", args[1:]...)
	if err == nil || !strings.Contains(err.Error(), "exit status "+args[0]) {
		ts.Fatalf("earthgym ended with %v, not exit status %s", err, args[0])
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("unexpected output: %q", out)
	}
	line, rest, _ := strings.Cut(ts.ReadFile("stderr"), "\n")
	if !strings.HasPrefix(line, "earthgym: ") || rest != "" {
		ts.Fatalf("the error is not one line")
	}
}

// keys: keys PATH KEY… demands that the objects at the path of the JSON on stdout have exactly the keys;
// after a +, at least those.
func keys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: keys PATH [+] KEY…")
	}
	for _, v := range lookUp(ts, args[0]) {
		object, ok := v.(map[string]any)
		if !ok {
			ts.Fatalf("%s is no object: %v", args[0], v)
		}
		if args[1] == "+" {
			for _, key := range args[2:] {
				if _, ok := object[key]; !ok {
					ts.Fatalf("%s lacks %q", args[0], key)
				}
			}
			continue
		}
		got, want := slices.Sorted(maps.Keys(object)), slices.Sorted(slices.Values(args[1:]))
		if !slices.Equal(got, want) {
			ts.Fatalf("%s has keys %q, not %q", args[0], got, want)
		}
	}
}

// value: value PATH JSON demands that every value at the path of the JSON on stdout is the given one.
// A JSON of number, text, list or object stands for any of that kind.
func value(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: value PATH JSON")
	}
	kinds := map[string]any{"number": 0.0, "text": "", "list": []any{}, "object": map[string]any{}}
	for _, got := range lookUp(ts, args[0]) {
		if kind, ok := kinds[args[1]]; ok {
			if reflect.TypeOf(got) != reflect.TypeOf(kind) {
				ts.Fatalf("%s is %v, no %s", args[0], got, args[1])
			}
			continue
		}
		var want any
		ts.Check(json.Unmarshal([]byte(args[1]), &want))
		if !reflect.DeepEqual(got, want) {
			ts.Fatalf("%s is %v, not %v", args[0], got, want)
		}
	}
}

// lookUp gives what is at a dotted path of the JSON on stdout: keys, indices, * for all elements, . for
// the whole.
func lookUp(ts *testscript.TestScript, path string) []any {
	out := ts.ReadFile("stdout")
	if strings.Count(out, "\n") != 1 {
		ts.Fatalf("the JSON is not on one line: %q", out)
	}
	var root any
	ts.Check(json.Unmarshal([]byte(out), &root))
	found := []any{root}
	for _, part := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		var next []any
		for _, v := range found {
			switch v := v.(type) {
			case map[string]any:
				x, ok := v[part]
				if !ok {
					ts.Fatalf("%s: there is no %q", path, part)
				}
				next = append(next, x)
			case []any:
				if part == "*" {
					next = append(next, v...)
					continue
				}
				i, err := strconv.Atoi(part)
				ts.Check(err)
				if i >= len(v) {
					ts.Fatalf("%s: there are %d elements", path, len(v))
				}
				next = append(next, v[i])
			default:
				ts.Fatalf("%s: nothing below %v", path, v)
			}
		}
		found = next
	}
	if len(found) == 0 {
		ts.Fatalf("there is nothing at %s", path)
	}
	return found
}

// subst: subst REGEXP TEXT FROM TO copies a file with the first match replaced, and the checksums of what it says then.
func subst(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: subst REGEXP TEXT FROM TO")
	}
	b := []byte(ts.ReadFile(args[2]))
	at := regexp.MustCompile(args[0]).FindIndex(b)
	if at == nil {
		ts.Fatalf("%s does not match %s", args[2], args[0])
	}
	b = slices.Concat(b[:at[0]], []byte(args[1]), b[at[1]:])
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), []byte(envtest.Reseal(string(b))), 0o644))
}

// same: same A B demands that two files are equal, or with ! that they differ.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] same A B")
	}
	a, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	b, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	if bytes.Equal(a, b) == neg {
		ts.Fatalf("%s and %s are equal: %v", args[0], args[1], neg)
	}
}

// await: await FILE [LINES] waits until the file has as many lines, 1 if they are not given.
func await(ts *testscript.TestScript, neg bool, args []string) {
	lines := 1
	if len(args) == 2 {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		lines = n
	}
	for start := time.Now(); time.Since(start) < 10*time.Minute; time.Sleep(2 * time.Millisecond) {
		if b, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && bytes.Count(b, []byte("\n")) >= lines {
			return
		}
	}
	ts.Fatalf("%s does not get %d lines", args[0], lines)
}
