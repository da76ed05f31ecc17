package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"earthgym/agents/neural/gemm"
	"earthgym/games"
)

// version of the program: that of the first section of CHANGELOG.md, with -dev until it is released. The Python
// package has the same.
const version = "0.2.0-dev"

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the version of the program and of every game's rules",
		Example: "  earthgym version",
		Args:    wordsAllowed(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runVersion(cmd.OutOrStdout()) },
	}
}

func runVersion(w io.Writer) error {
	fmt.Fprintln(w, programText())
	kernels, err := gemm.Select()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s, %s/%s, %s kernels\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, kernels.Name())
	for _, rb := range games.All() {
		g, err := games.All().Open(rb.Name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: rules %d, data %s\n", rb.Name, g.Info().Rules, g.Info().DataHash)
	}
	return nil
}

// programText is the program with its version, as reports say it.
func programText() string { return "earthgym " + version + revision() }

// revision is the commit that the program was built from, if it is known.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return " (" + s.Value[:12] + ")"
		}
	}
	return ""
}
