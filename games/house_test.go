package games_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"earthgym/env/datafile"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/games"
)

const module = "earthgym"

// rooms are the top-level folders of the house.
var rooms = []string{"agents", "cmd", "env", "eval", "games", "train"}

func TestHouse(t *testing.T) {
	for _, fault := range houseFaults(t, os.DirFS("..")) {
		t.Error(fault)
	}
}

func TestGamesAreComplete(t *testing.T) {
	envtest.NothingToRace(t)
	listed := map[string]bool{}
	for _, rb := range games.All() {
		dir, err := gameDir(rb)
		if err != nil {
			t.Error(err)
			continue
		}
		listed[dir] = true
		for _, fault := range gameFaults(filepath.Join("..", filepath.FromSlash(dir)), rb) {
			t.Error(fault)
		}
	}
	for _, fault := range unlisted(os.DirFS(".."), listed) {
		t.Error(fault)
	}
}

// TestRules prints, with -v, how much of each game's rules is tested, and where; TestGamesAreComplete demands
// all.
func TestRules(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		dir := must.Have(gameDir(rb))(t)
		c := must.Have(envtest.RuleCoverage(filepath.Join("..", filepath.FromSlash(dir))))(t)
		tested := len(c.Rules) - len(c.Untested())
		t.Logf("%s: %d of %d rules have a test (%.0f %%)\n%s", rb.Name, tested, len(c.Rules),
			100*float64(tested)/float64(len(c.Rules)), c)
	}
}

// houseFaults reads every Go file below the root and reports imports against the direction of the
// house, and top-level folders that are no room of it.
func houseFaults(t *testing.T, root fs.FS) []string {
	t.Helper()
	var faults []string
	ignored := ignoredFolders(root)
	must.Do(t, fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch base := d.Name(); {
			case name == ".":
				return nil
			case base[0] == '.' || base == "testdata" || slices.Contains(ignored, name):
				return fs.SkipDir
			case !strings.Contains(name, "/") && !slices.Contains(rooms, name):
				faults = append(faults, fmt.Sprintf("the top-level folder %s is no room of the house: %s", name,
					strings.Join(rooms, ", ")))
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		imports, err := imports(root, name)
		if err != nil {
			return err
		}
		for _, to := range imports {
			if !mayImport(path.Dir(name), to, strings.HasSuffix(name, "_test.go")) {
				faults = append(faults, fmt.Sprintf("%s must not import %s", name, to))
			}
		}
		return nil
	}))
	return faults
}

// ignoredFolders are those at the root that .gitignore names.
func ignoredFolders(root fs.FS) []string {
	b, err := fs.ReadFile(root, ".gitignore")
	if err != nil {
		return nil
	}
	var folders []string
	for _, line := range strings.Fields(string(b)) {
		if strings.HasPrefix(line, "/") && strings.HasSuffix(line, "/") {
			folders = append(folders, strings.Trim(line, "/"))
		}
	}
	return folders
}

// imports are the packages of the module that a file imports, by their folders.
func imports(root fs.FS, name string) ([]string, error) {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, b, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if dir, ok := strings.CutPrefix(p, module+"/"); ok {
			list = append(list, dir)
		}
	}
	return list, nil
}

// mayImport says whether code in one folder may import another.
func mayImport(from, to string, test bool) bool {
	if below(to, "env/envtest") && !below(from, "env/envtest") {
		return test // The suite and its test game are for tests.
	}
	room, inside, _ := strings.Cut(from, "/")
	switch {
	case room == "cmd":
		return true
	case from == "env":
		return test && below(to, "env") || below(to, "env/internal") || slices.Contains(leaves, to)
	case room == "env":
		return below(to, "env")
	case from == "games":
		return slices.Contains(gamesUse, to) || to == "env/scenario" || to == "games" && test ||
			strings.HasPrefix(to, "games/")
	case room == "games":
		game, _, _ := strings.Cut(inside, "/")
		return slices.Contains(gamesUse, to) || test && (to == "env/scenario" || to == "env/referee") ||
			below(to, "games/"+game)
	case below(from, "agents/scripted") && strings.HasPrefix(to, "games/"):
		return true // Scripted bots know their games.
	case (below(from, "agents") || below(from, "eval") || from == "train") && to == "games":
		return test // Search, levels, measures and the defaults of training are tried on the games that they are for.
	case (from == "train/sweep" || from == "train/figures") && to == "eval":
		return true // They stand above both rooms: runs are what they judge, matches what they judge by.
	}
	return below(to, "env") || below(to, "agents") || room != "agents" && below(to, room)
}

// leaves are what the contract itself stands on: words, and nothing of games.
var leaves = []string{"env/decode", "env/spelling"}

// gamesUse is what games are made with: the contract, and what they declare themselves with.
var gamesUse = []string{
	"env", "env/alike", "env/board", "env/datafile", "env/form", "env/registry", "env/spelling", "env/story",
}

// below says whether a folder is another or lies in it.
func below(dir, top string) bool { return dir == top || strings.HasPrefix(dir, top+"/") }

// gameDir is the folder of a rulebook's package.
func gameDir(rb *registry.Rulebook) (string, error) {
	g, err := rb.Open("", datafile.File{})
	if err != nil {
		return "", fmt.Errorf("%s does not open at its defaults: %w", rb.Name, err)
	}
	return strings.TrimPrefix(reflect.TypeOf(g).Elem().PkgPath(), module+"/"), nil
}

// unlisted reports folders of games that no rulebook of the registry comes from.
func unlisted(root fs.FS, listed map[string]bool) []string {
	files, err := fs.Glob(root, "games/*/*.go")
	if err != nil {
		return []string{err.Error()}
	}
	var faults []string
	for _, file := range files {
		if dir := path.Dir(file); !listed[dir] {
			listed[dir] = true
			faults = append(faults, dir+" is not in the registry: add a line to games.All")
		}
	}
	return faults
}

// gameFaults reports what a game's package lacks: the call of the suite, a golden record of each
// variant, a test of each rule.
func gameFaults(dir string, rb *registry.Rulebook) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, rb.Name+": "+fmt.Sprintf(format, args...)) }
	if !callsSuite(dir) {
		fault("no test in %s calls envtest.Run", dir)
	}
	for _, variant := range rb.Variants {
		file := filepath.Join(dir, "testdata", "golden", envtest.GoldenName(variant))
		if _, err := os.Stat(file); err != nil {
			fault("variant %s has no golden record: %v", variant, err)
		}
	}
	coverage, err := envtest.RuleCoverage(dir)
	if err != nil {
		fault("%v", err)
		return faults
	}
	for _, id := range coverage.Untested() {
		fault("rule %s has no test that names it", id)
	}
	for _, place := range coverage.Unknown {
		fault("%s, a rule that RULES.md does not have", place)
	}
	return faults
}

// callsSuite says whether a test file of the folder calls envtest.Run.
func callsSuite(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // The pattern is well-formed.
	found := false
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			continue // The compiler says so.
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Run" {
					if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "envtest" {
						found = true
					}
				}
			}
			return true
		})
	}
	return found
}

func TestHouseFaults(t *testing.T) {
	for _, tt := range []struct {
		file, imports string
		wrong         bool
	}{
		{"env/a.go", "fmt", false},
		{"env/a.go", "earthgym/env/pipe", true},
		{"env/a.go", "earthgym/env/spelling", false},
		{"env/a.go", "earthgym/env/decode", false},
		{"env/a.go", "earthgym/env/disk", true},
		{"env/a.go", "earthgym/env/record", true},
		{"env/a_test.go", "earthgym/env/record", false},
		{"env/a.go", "earthgym/env/form", true},
		{"env/a_test.go", "earthgym/env", false},
		{"env/a_test.go", "earthgym/env/envtest/kuhn", false},
		{"env/a_test.go", "earthgym/games", true},
		{"env/pipe/a.go", "earthgym/env", false},
		{"env/pipe/a.go", "earthgym/agents", true},
		{"env/pipe/a.go", "earthgym/env/envtest", true},
		{"env/envtest/a.go", "earthgym/env", false},
		{"env/envtest/kuhn/a_test.go", "earthgym/env/envtest", false},
		{"env/envtest/a.go", "earthgym/games", true},
		{"games/games.go", "earthgym/games/oneearth", false},
		{"games/games.go", "earthgym/env/envtest", true},
		{"games/games_test.go", "earthgym/env/envtest", false},
		{"games/games_test.go", "earthgym/games", false},
		{"games/games.go", "earthgym/agents", true},
		{"games/oneearth/a.go", "earthgym/env", false},
		{"games/oneearth/a.go", "earthgym/env/board", false},
		{"games/oneearth/a.go", "earthgym/env/form", false},
		{"games/oneearth/a.go", "earthgym/env/spelling", false},
		{"games/oneearth/a.go", "earthgym/env/disk", true},
		{"games/oneearth/a.go", "earthgym/env/registry", false},
		{"games/oneearth/a.go", "earthgym/env/referee", true},
		{"games/oneearth/a.go", "earthgym/env/pipe", true},
		{"games/oneearth/a.go", "earthgym/env/envtest", true},
		{"games/oneearth/a_test.go", "earthgym/env/envtest", false},
		{"games/oneearth/a_test.go", "earthgym/games/oneearth", false},
		{"games/oneearth/a_test.go", "earthgym/games", true},
		{"games/oneearth/a.go", "earthgym/games/newearth", true},
		{"agents/a.go", "earthgym/env", false},
		{"agents/mcts/a.go", "earthgym/agents", false},
		{"agents/mcts/a.go", "earthgym/games/oneearth", true},
		{"agents/mcts/a_test.go", "earthgym/env/envtest/kuhn", false},
		{"agents/mcts/a_test.go", "earthgym/games", false},
		{"agents/mcts/a.go", "earthgym/games", true},
		{"agents/mcts/a.go", "earthgym/env/envtest/kuhn", true},
		{"agents/scripted/a.go", "earthgym/games/oneearth", false},
		{"agents/scripted/a.go", "earthgym/games", true},
		{"agents/a.go", "earthgym/train", true},
		{"train/a.go", "earthgym/agents/neural", false},
		{"train/ppo/a.go", "earthgym/train", false},
		{"train/a.go", "earthgym/eval", true},
		{"train/a.go", "earthgym/games", true},
		{"eval/a.go", "earthgym/env/pipe", false},
		{"eval/a.go", "earthgym/train", true},
		{"cmd/earthgym/a.go", "earthgym/train", false},
		{"cmd/earthgym/a.go", "earthgym/env/envtest", true},
		{"util/a.go", "fmt", true},
		{"bin/a.go", "earthgym/games", false},
		{"env/testdata/a.go", "earthgym/games", false},
	} {
		root := fstest.MapFS{
			".gitignore": {Data: []byte("/bin/\n*.test\n")},
			tt.file:      {Data: []byte("package a\n\nimport \"" + tt.imports + "\"\n")},
		}
		if faults := houseFaults(t, root); (len(faults) > 0) != tt.wrong {
			t.Errorf("%s imports %s: got %q, want a fault: %v", tt.file, tt.imports, faults, tt.wrong)
		}
	}
}

func TestGameFaults(t *testing.T) {
	rb := kuhn.Rulebook()
	whole := map[string]string{
		"a_test.go": "package kuhn\nfunc TestSuite(t *testing.T) { envtest.Run(t, nil, " +
			"envtest.Config{}) } // KU-001\n",
		"RULES.md": "| id | rule |\n|---|---|\n| KU-001 | One card each. |\n| KU-002 | " +
			"Ante. |\n",
		"testdata/scenarios/ante.toml":           "# KU-002\n",
		"testdata/golden/kuhn_players=2.jsonl":   "{}\n",
		"testdata/golden/kuhn_players=3.jsonl":   "{}\n",
		"testdata/golden/something else.unknown": "",
	}
	for _, tt := range []struct{ what, file, content, want string }{
		{what: "nothing", want: ""},
		{"no call of the suite", "a_test.go", "package kuhn // envtest.Run( KU-001\n", "calls envtest.Run"},
		{"no golden record", "testdata/golden/kuhn_players=3.jsonl", "", "kuhn:players=3 has no golden record"},
		{"no rules", "RULES.md", "", "RULES.md"},
		{"an untested rule", "testdata/scenarios/ante.toml", "# ante\n", "KU-002 has no test"},
		{"an unknown rule", "testdata/scenarios/ante.toml", "# KU-002, KU-003\n", "KU-003"},
	} {
		dir := t.TempDir()
		for name, content := range whole {
			if name == tt.file {
				content = tt.content
			}
			if content == "" {
				continue
			}
			file := filepath.Join(dir, filepath.FromSlash(name))
			must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
			must.Do(t, os.WriteFile(file, []byte(content), 0o644))
		}
		faults := strings.Join(gameFaults(dir, rb), "\n")
		if tt.want == "" && faults != "" || !strings.Contains(faults, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.what, faults, tt.want)
		}
	}
}

func TestUnlisted(t *testing.T) {
	dir, err := gameDir(kuhn.Rulebook())
	if err != nil || dir != "env/envtest/kuhn" {
		t.Errorf("the folder of kuhn is %q, %v", dir, err)
	}
	root := fstest.MapFS{"games/games.go": {}, "games/one/a.go": {}, "games/two/a.go": {}, "games/two/b.go": {}}
	want := []string{"games/two is not in the registry: add a line to games.All"}
	if got := unlisted(root, map[string]bool{"games/one": true}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
