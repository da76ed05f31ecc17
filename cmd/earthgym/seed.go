package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"earthgym/agents"
)

// defaultSeed is the seed of everything random where the command line names none, in every command. Where somebody
// sits down who must not know the luck to come, a seed that nobody can guess is drawn instead, and help says so.
const defaultSeed = 1

// seedVar defines --seed, of what it is said to be.
func seedVar(f *pflag.FlagSet, seed *uint64, of string) {
	f.Uint64Var(seed, "seed", defaultSeed, "seed of "+of)
}

// seedHelp is what the help of --seed adds where agents may be other people's programs.
const seedHelp = "; drawn if a remote: or llm: agent plays"

// tableSeed is the seed of the games at a table. One that the command line gives counts. Else, if the program of
// somebody plays, it is drawn: who can guess the seed knows the luck to come. What the command writes names it, so
// that the same games can be played again.
func tableSeed(cmd *cobra.Command, given uint64, seated ...string) uint64 {
	if cmd.Flags().Changed("seed") {
		return given
	}
	if slices.ContainsFunc(seated, agents.IsForeign) {
		return secretSeed()
	}
	return given
}
