package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help of a command fits a screen. What most who use it need comes first: paragraphs and examples are shown from the
// top on as far as there is room, and flags that few need are marked by rare. --help-all shows everything.
const (
	helpLines    = 40 // of the help of a command
	flagLines    = 24 // of these, its usage and its flags
	helpExamples = 4
)

const rareMark = "rare"

// rare marks the flags of a command that only --help-all shows.
func rare(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		_ = cmd.Flags().SetAnnotation(name, rareMark, nil)
	}
}

func workersVar(f *pflag.FlagSet, workers *int) {
	f.IntVar(workers, "workers", 0, "goroutines that work side by side; 0 = one on each core")
	_ = f.SetAnnotation("workers", rareMark, nil)
}

func isRare(f *pflag.Flag) bool {
	_, ok := f.Annotations[rareMark]
	return ok
}

// fitHelp gives every command the help that fits, and --help-all.
func fitHelp(root *cobra.Command) {
	root.SetUsageTemplate(strings.NewReplacer(
		".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", screenWidth),
		"\n\nUse \"{{.CommandPath}} [command] --help\" for more information about a command.", "",
	).Replace(root.UsageTemplate()))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		all, _ := cmd.Flags().GetBool(helpAllName)
		fmt.Fprint(cmd.OutOrStdout(), helpText(cmd, all))
	})
	var add func(cmd *cobra.Command)
	add = func(cmd *cobra.Command) {
		completeFlags(cmd)
		f := cmd.Flags().VarPF(new(helpAll), helpAllName, "", "all flags, examples and details")
		f.NoOptDefVal = "true"
		for _, below := range cmd.Commands() {
			add(below)
		}
	}
	add(root)
}

// completeFlags completes the flags of a command by what their help says that they take.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch takes, _ := pflag.UnquoteUsage(f); {
		case takes == "FOLDER":
			_ = cmd.MarkFlagDirname(f.Name)
		case takes == "AGENT":
			_ = cmd.RegisterFlagCompletionFunc(f.Name, completeAgent)
		case takes == "AGENTS":
			_ = cmd.RegisterFlagCompletionFunc(f.Name, completeAgents)
		case f.Name == "data":
			_ = cmd.MarkFlagFilename(f.Name, "toml")
		}
	})
}

const helpAllName = "help-all"

// helpAll is the value of --help-all. Like --help it ends the reading of the command line, whatever else is wrong
// with that.
type helpAll bool

func (h *helpAll) String() string { return fmt.Sprint(*h) }
func (h *helpAll) Type() string   { return "bool" }
func (h *helpAll) Set(string) error {
	*h = true
	return pflag.ErrHelp
}

// helpText is the help of a command, all of it or what fits; that of the program, which lists the commands, is whole.
// It leaves the command fit for nothing else.
func helpText(cmd *cobra.Command, all bool) string {
	all = all || !cmd.HasParent()
	paragraphs := strings.Split(strings.TrimSpace(cmd.Long), "\n\n")
	if cmd.Long == "" {
		paragraphs = []string{cmd.Short}
	}
	left := 0 // what --help leaves out
	if !all {
		if examples := slices.Collect(strings.Lines(cmd.Example)); len(examples) > helpExamples {
			cmd.Example, left = strings.TrimRight(strings.Join(examples[:helpExamples], ""), "\n"), 1
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if isRare(f) {
				f.Hidden, left = true, 1
			}
		})
	}
	usage := cmd.UsageString()
	more := fmt.Sprintf("\n%s --%s shows all flags, examples and details.\n", cmd.CommandPath(), helpAllName)
	room := helpLines - strings.Count(usage, "\n") - strings.Count(more, "\n")
	var b strings.Builder
	for i, paragraph := range paragraphs {
		text := filled(paragraph) + "\n"
		if room -= strings.Count(text, "\n"); i > 0 && room < 0 && !all {
			left = 1
			break
		}
		b.WriteString(text)
	}
	b.WriteString(usage)
	if left > 0 {
		b.WriteString(more)
	}
	return b.String()
}

// filled breaks the lines of a paragraph anew for the screen, but for those that are indented.
func filled(paragraph string) string {
	var b strings.Builder
	text := ""
	flush := func() {
		if text != "" {
			_ = writeWrapped(&b, "", text) // A Builder takes everything.
		}
		text = ""
	}
	for line := range strings.Lines(paragraph) {
		if strings.HasPrefix(line, " ") {
			flush()
			b.WriteString(strings.TrimRight(line, "\n") + "\n")
			continue
		}
		text += " " + line
	}
	flush()
	return b.String()
}
