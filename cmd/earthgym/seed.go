package main

import (
	"github.com/spf13/cobra"

	"earthgym/agents"
)

// seedHelp is what the help of --seed adds where agents may be other people's programs.
const seedHelp = "; if none is given and a remote: or llm: agent plays, one that it can't guess"

// tableSeed is the seed of the games at a table. One that the command line gives counts. Else, if the program of
// somebody plays, it is drawn: who can guess the seed knows the luck to come. What the command writes names it, so
// that the same games can be played again.
func tableSeed(cmd *cobra.Command, given uint64, seated ...string) uint64 {
	if cmd.Flags().Changed("seed") {
		return given
	}
	for _, text := range seated {
		if agents.IsForeign(text) {
			return secretSeed()
		}
	}
	return given
}
