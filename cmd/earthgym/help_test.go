package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// commands are those at the top and the tools below dev.
func commands() []*cobra.Command {
	all := newRoot().Commands()
	for _, cmd := range all {
		if cmd.Name() == "dev" || cmd.Name() == "check" || cmd.Name() == "farm" {
			all = append(slices.Clone(all), cmd.Commands()...)
		}
	}
	return all
}

// There are no more commands than fit into a head.
func TestCommandsAreFew(t *testing.T) {
	n := 0
	for _, cmd := range newRoot().Commands() {
		if cmd.GroupID != "" {
			n++
		}
	}
	if n > 24 {
		t.Errorf("%d commands at the top: what maintainers alone use stands below dev, and 24 are enough for the rest", n)
	}
}

// Every command has a description and examples.
func TestHelpHasExamples(t *testing.T) {
	for _, cmd := range commands() {
		if cmd.Short == "" || cmd.Example == "" && cmd.Name() != "help" {
			t.Errorf("%s: its help lacks a description or examples", cmd.Name())
		}
	}
}

func TestHelpGroupsCommands(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		switch cmd.Name() {
		case "help", "completion", "dev", "version":
		default:
			if cmd.GroupID == "" {
				t.Errorf("%s stands in no group of earthgym --help", cmd.Name())
			}
		}
	}
}

func TestWrongFlagsAreFaultsOfUsage(t *testing.T) {
	for line, want := range map[string]string{
		"tournament one-earth random script:strong": "--out FOLDER is missing (see earthgym tournament --help)",
		"dev season": "--out FOLDER and --seed uint are missing (see earthgym dev season --help)",
		"match one-earth random --sprt return0=0,return1=1 --until 0.1": "[sprt until]",
		"match one-earth random --sprt foo":                             `--sprt: unknown option "foo"`,
		"match one-earth random --until x":                              "--until x: it is a number above 0",
		"match one-earth random --forfeit x":                            "--forfeit x: it is takeover or void",
		"record one-earth random --meta foo":                            `--meta cannot be "foo": it is NAME=VALUE pairs`,
		"dev sweep one-earth":                                           "a game, or the file of the settings, is missing",
	} {
		var out, errs strings.Builder
		code := run(t.Context(), strings.Fields(line), &out, &errs)
		if code != exitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit code %d, %q; want %d and %q", line, code, errs.String(), exitUsage, want)
		}
	}
}

// What is wrong with the command line alone ends with 2, also where only opening what it names shows it.
func TestWrongOptionsAreFaultsOfUsage(t *testing.T) {
	envtest.NothingToRace(t)
	dir := t.TempDir()
	network, record := filepath.Join(dir, "net.safetensors"), filepath.Join(dir, "resilience-earth_players=2b.jsonl")
	saveNetwork(t, "resilience-earth:players=2", network)
	writeRecord(t, dir, "resilience-earth:players=2", 1, 3)
	out := filepath.Join(dir, "out")
	train := []string{"train", "one-earth:players=3", "--out", out, "--decisions", "0", "--clone-decisions", "1"}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{append(train, "new-earth"), "one network plays one rulebook: one-earth and new-earth are two"},
		{append(train, "one-earth:players=3"), "is named twice"},
		{[]string{"dev", "puzzles", "one-earth", "one-earth", "--out", out}, "one-earth is named twice"},
		{append(train, "--hidden", "16384,16384,16384"), "is too large"},
		{append(train, "--num-envs", "65536", "--num-steps", "65536"), "this training needs about"},
		{append(train, "--out", ""), "--out names no folder (see earthgym train --help)"},
		{append(train, "--data", ""), "--data names no file"},
		{[]string{"export", network, out, "--against", "foo", "--games", "2"}, `unknown agent "foo"`},
		{[]string{"export", network, out, "--variant", "one-earth", "--games", "2"},
			"--variant one-earth: the network is of resilience-earth"},
		{[]string{"export", record, "--parquet", ""}, "--parquet names no file"},
		{[]string{"export", record, "--parquet", out, "--games", "3"}, "--games goes with a network, not with --parquet"},
		{[]string{"record", "resilience-earth:players=2", "random", "--out", ""}, "--out names no folder"},
		{[]string{"replay", record, "--html", ""}, "--html names no file"},
		{[]string{"replay", record, "--import", "--out", ""}, "--out names no file"},
	} {
		var said strings.Builder
		code := run(t.Context(), slices.Clone(tt.args), &said, &said)
		if code != exitUsage || !strings.Contains(said.String(), tt.want) {
			t.Errorf("%q: exit code %d, %q; want %d and %q", tt.args, code, said.String(), exitUsage, tt.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("%q: something is written", tt.args)
		}
	}
}

// Every command line that help and README show is one.
func TestExamplesParse(t *testing.T) {
	envtest.NothingToRace(t)
	examples := newRoot().Example
	for _, cmd := range commands() {
		examples += "\n" + cmd.Example
	}
	readme := must.Have(os.ReadFile("../../README.md"))(t)
	for block := range strings.SplitSeq(string(readme), "```") {
		examples += "\n" + block
	}
	for _, words := range regexp.MustCompile("`(earthgym [^ `]+ [^`]+)`").FindAllStringSubmatch(string(readme), -1) {
		examples += "\n" + strings.ReplaceAll(words[1], " GAME", " one-earth")
	}
	n := 0
	for line := range strings.Lines(examples) {
		if words := commandLine(line); words != nil {
			n++
			if err := parse(words); err != nil {
				t.Errorf("%s: %v", strings.TrimSpace(line), err)
			}
		}
	}
	if n < 25 {
		t.Errorf("only %d examples found", n)
	}
}

// commandLine is the words after earthgym on a line of a shell, nil if it is none.
func commandLine(line string) []string {
	at := regexp.MustCompile(`^\s*(?:source <\()?(?:bin/)?earthgym( [^#|>)]*)`).FindStringSubmatch(line)
	if at == nil {
		return nil
	}
	words := regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`).FindAllString(at[1], -1)
	for i, w := range words {
		words[i] = strings.Trim(w, `"'`)
	}
	return words
}

// parse checks a command line without running it: command, flags, number of words, game.
func parse(words []string) error {
	cmd, rest, err := newRoot().Find(words)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return flagError(cmd, err)
	}
	args := cmd.Flags().Args()
	if err := cmd.ValidateArgs(args); err != nil {
		return err
	}
	if strings.HasSuffix(cmd.Use, " --out FOLDER") && !cmd.Flags().Changed("out") {
		return errors.New("--out FOLDER is missing")
	}
	var named []string
	switch words := strings.Fields(cmd.Use); {
	case len(words) < 2:
	case strings.Trim(words[1], "[]") == "GAME":
		named = args[:min(1, len(args))]
	case strings.Trim(words[1], "[]") == "GAME…":
		named, _ = gamesAndAgents(args)
	}
	for _, text := range named {
		if _, err := new(gameFlags).open(text); err != nil && !strings.HasSuffix(text, ".toml") {
			return err
		}
	}
	return nil
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{"earthgym mtch", "earthgym games --jsn", "earthgym train chess",
		"earthgym dev sweep chess", "earthgym exploit one-earth net:"} {
		if parse(commandLine(line)) == nil {
			t.Errorf("%s passes", line)
		}
	}
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"runs/first", "runs/second"} {
		must.Do(t, os.MkdirAll(name, 0o755))
	}
	for _, file := range []string{"runs/notes.txt", "runs/best.safetensors"} {
		must.Do(t, os.WriteFile(file, nil, 0o644))
	}
	all := strings.Join(games.All().Names(), " ")
	const none, quiet = cobra.ShellCompDirectiveDefault,
		cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	for _, test := range []struct {
		words     string
		directive cobra.ShellCompDirective
		want      string
	}{
		{"record ", quiet, all},
		{"games ", quiet, all},
		{"record kuhn:", quiet, ""},
		{"record new-earth:", quiet, "new-earth:players= new-earth:setup= new-earth:tiles= new-earth:turns= " +
			"new-earth:end= new-earth:offers= " +
			"new-earth:move_limit= new-earth:bulk_machines= new-earth:announce_totals="},
		{"record new-earth:end=", quiet, "new-earth:end=draw new-earth:end=violent new-earth:end=super " +
			"new-earth:end=mega"},
		{"match new-earth:players=2,bulk_machines=o", quiet, "new-earth:players=2,bulk_machines=on " +
			"new-earth:players=2,bulk_machines=off"},
		{"record new-earth:players=", quiet, "new-earth:players=2 new-earth:players=3 new-earth:players=4"},
		{"record new-earth:players=2,turns=3,setup=free,tiles=fixed,end=mega,offers=0,move_limit=8,", quiet,
			"new-earth:players=2,turns=3,setup=free,tiles=fixed,end=mega,offers=0,move_limit=8,bulk_machines= " +
				"new-earth:players=2,turns=3,setup=free,tiles=fixed,end=mega,offers=0,move_limit=8,announce_totals="},
		{"bench resilience-earth one-earth:target=", quiet, "one-earth:target=0"},
		{"record one-earth:first_player=", quiet, "one-earth:first_player=0 one-earth:first_player=1 " +
			"one-earth:first_player=2 " +
			"one-earth:first_player=3 one-earth:first_player=4 one-earth:first_player=random"},
		{"games resilience-earth ", cobra.ShellCompDirectiveNoFileComp, ""},
		{"bench resilience-earth ", quiet, all},
		{"replay ", none, ""},
		{"scenario ", none, ""},
		{"match ", quiet, all},
		{"match x ", quiet, "random script:naive script:greedy script:strong script:varied net: mcts: level:1 level:2 " +
			"level:3 level:4 level:5 remote: llm:"},
		{"record x random ", quiet, "random script:naive script:greedy script:strong script:varied net: mcts: level:1 " +
			"level:2 level:3 level:4 level:5 remote: llm:"},
		{"match x random net:ru", quiet, "net:runs/"},
		{"match x net:runs/", quiet, "net:runs/best.safetensors net:runs/first/ net:runs/second/"},
		{"match x --against net:ru", quiet, "net:runs/"},
		{"train x --against random,", quiet, "random,random random,script:naive random,script:greedy random,script:strong " +
			"random,script:varied random,net: random,mcts: " +
			"random,level:1 random,level:2 random,level:3 random,level:4 random,level:5 random,remote: random,llm:"},
		{"train x --against random,net:nosuch/", quiet, ""},
		{"match x --data ", cobra.ShellCompDirectiveFilterFileExt, "toml"},
		{"train x --out ", cobra.ShellCompDirectiveFilterDirs, ""},
	} {
		var out, errs strings.Builder
		if code := run(t.Context(), append([]string{"__complete"}, strings.Split(test.words, " ")...), &out,
			&errs); code != exitOK {
			t.Errorf("%q: exit code %d: %s", test.words, code, errs.String())
		}
		got := strings.Fields(regexp.MustCompile(`\t.*`).ReplaceAllString(out.String(), ""))
		want := append(strings.Fields(test.want), fmt.Sprintf(":%d", test.directive))
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", test.words, got, want)
		}
	}
}

// Help fits a screen, and each flag stands in it, or at least in that of --help-all.
func TestHelpFits(t *testing.T) {
	envtest.NothingToRace(t)
	for i, cmd := range append(commands(), newRoot()) {
		flags := map[string]bool{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = isRare(f) })
		short := helpText(cmd, false)
		all := helpText(append(commands(), newRoot())[i], true)
		lines := strings.Split(strings.TrimRight(short, "\n"), "\n")
		if len(lines) > helpLines && cmd.HasParent() { // the program's lists all commands
			t.Errorf("%s: help of %d lines, not %d", cmd.CommandPath(), len(lines), helpLines)
		}
		for line := range strings.Lines(short + all) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > screenWidth {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
		if n := flagAndUsage(short); n > flagLines {
			t.Errorf("%s: usage and flags take %d lines, not %d", cmd.CommandPath(), n, flagLines)
		}
		for name, few := range flags {
			word := regexp.MustCompile(`(?m)^ {2,6}(-\w, )?--` + name + `( |$)`)
			if in := word.MatchString(short); in == few {
				t.Errorf("%s: --%s is rare: %v, in help: %v", cmd.CommandPath(), name, few, in)
			}
			if !word.MatchString(all) {
				t.Errorf("%s: --help-all does not show --%s", cmd.CommandPath(), name)
			}
		}
	}
}

// flagAndUsage counts the lines of the usage and the flags of a help.
func flagAndUsage(help string) int {
	n := 0
	for part := range strings.SplitSeq(help, "\n\n") {
		if strings.HasPrefix(part, "Usage:") || strings.HasPrefix(part, "Flags:") {
			n += len(strings.Split(strings.TrimRight(part, "\n"), "\n"))
		}
	}
	return n
}
