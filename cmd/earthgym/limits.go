package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/pbnjay/memory"

	"earthgym/eval"
)

// Beyond these a command line is a slip, and better refused than tried.
const (
	maxWorkers = 1024
	maxRecords = 1_000_000 // files of one folder
)

func checkWorkers(workers int) error {
	if workers < 0 || workers > maxWorkers {
		return usagef("--workers cannot be %d: it is a number from 0 (one on each core) to %d", workers, maxWorkers)
	}
	return nil
}

// checkGames checks the --games of a match, all of whose results are kept until its end.
func checkGames(games int) error {
	if games < 1 {
		return usagef("--games %d: at least 1", games)
	}
	return checkResults("--games", games)
}

// checkFloor checks --floor, whose games are kept alike.
func checkFloor(games int) error {
	if games < eval.DefaultFloor {
		return usagef("--floor %d: at least 0", games)
	}
	return checkResults("--floor", games)
}

// gameBytes is what the result of a game takes, at least.
const gameBytes = 1000

// mostGames is of how many games there is memory for the results; 0 is unknown.
func mostGames() int { return int(machineMemory() / gameBytes) }

func checkResults(flag string, games int) error {
	if most := mostGames(); most > 0 && games > most {
		return usagef("%s %d: the results of so many need about %.0f GB of memory, and there are %.0f GB: at most %d games",
			flag, games, float64(games)*gameBytes/1e9, float64(machineMemory())/1e9, most)
	}
	return nil
}

// machineMemory is the memory in bytes that this process may have: that of the machine, or of the container
// that it runs in. 0 is unknown.
func machineMemory() uint64 {
	total := memory.TotalMemory()
	b, err := os.ReadFile("/sys/fs/cgroup/memory.max") // Linux, in a container
	if err != nil {
		return total
	}
	limit, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	if err != nil || total > 0 && total < limit { // "max" is no limit
		return total
	}
	return limit
}
