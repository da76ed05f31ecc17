package train

import (
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
)

// A memoryUse is what one part of a run needs.
type memoryUse struct {
	what  string
	bytes float64
	lower string // the settings that it follows
}

// memory is about what a run needs at its most, the largest part first. It counts what grows with settings.
func (c *Config) memory(games []env.Game) []memoryUse {
	const (
		envBytes = 16 << 10 // two States, a snapshot of one, an Episode
		garbage  = 1.6      // measured: what is allocated to what is in use
	)
	info, seats := games[0].Info(), 0
	for _, g := range games {
		seats = max(seats, g.Info().Players)
	}
	var (
		inputs, actions = float64(info.Observation()), float64(len(info.Actions))
		envs, players   = float64(c.NumEnvs), float64(seats)
		decisions       = float64(rolloutCapacity(seats, c))
		rest            = 8*float64(info.MaskWords()) + 5*4 + 3*4*float64(info.MostPlayers)
		decision        = inputs + rest // measured: numbers that are not 0, and where they stand, are a tenth to a fifth
		rows            = min(decisions, 1.5*float64(c.Minibatch))
		params, widths  = c.size(inputs, actions)
	)
	uses := []memoryUse{
		{fmt.Sprintf("%d decisions (%d games of %d steps) of %s each", int64(decisions), c.NumEnvs, c.NumSteps,
			size(decision)),
			decisions * decision, "num_envs or num_steps"},
		{fmt.Sprintf("%d games", c.NumEnvs), envs * (float64(len(games))*envBytes + players*(4*inputs+decision)), "num_envs"},
		// Activations and their gradients, packed and not, beside the gathered decisions, a list of what is not 0 by rows
		// and by columns, and the reference's logits.
		{fmt.Sprintf("minibatches of %d decisions", c.Minibatch), rows * (2*inputs + rest + 4*(4*widths+3*actions)),
			"minibatch"},
		// Weights, gradients and two moments; packed for acting and for learning; the reference; a copy while they are saved.
		{fmt.Sprintf("the network of %d parameters", int64(params)), params * 4 * (4 + 3 + 2 + 7), "hidden"},
		{fmt.Sprintf("%d past selves", c.PoolSize), params * 4 * 4 * float64(c.PoolSize), "pool_size or hidden"},
	}
	for i := range uses {
		uses[i].bytes *= garbage
	}
	slices.SortStableFunc(uses, func(a, b memoryUse) int { return int(b.bytes/1024 - a.bytes/1024) })
	return uses
}

// checkMemory refuses a run that needs more than there is; 0 is unknown. It comes before anything is allocated.
func (c *Config) checkMemory(games []env.Game, available uint64) error {
	info := games[0].Info()
	if err := c.network(info).Check(); err != nil {
		return err
	}
	uses, total := c.memory(games), 0.0
	for _, u := range uses {
		total += u.bytes
	}
	if available == 0 || total <= float64(available) {
		return nil
	}
	var parts []string
	for _, u := range uses {
		if u.bytes > total/100 {
			parts = append(parts, fmt.Sprintf("%s for %s", size(u.bytes), u.what))
		}
	}
	return fmt.Errorf("this training needs about %s of memory, and there are %s: %s. Lower %s",
		size(total), size(float64(available)), strings.Join(parts, ", "), uses[0].lower)
}

// size is a number of bytes for people.
func size(bytes float64) string {
	units := []string{"bytes", "KB", "MB", "GB", "TB", "PB"}
	i := 0
	for bytes >= 1000 && i < len(units)-1 {
		bytes /= 1000
		i++
	}
	if i == 0 || bytes >= 10 {
		return fmt.Sprintf("%.0f %s", bytes, units[i])
	}
	return fmt.Sprintf("%.1f %s", bytes, units[i])
}
