package main

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/env"
	"earthgym/env/pipe"
	"earthgym/env/spelling"
)

// openOpponent opens agents for clients, who must not start programs here.
func openOpponent(text string, g env.Game) (pipe.Maker, error) {
	if agents.IsForeign(text) {
		return pipe.Maker{}, errors.New("remote: and llm: agents sit at matches only: a client cannot start programs on " +
			"the server's machine, nor have it ask other servers")
	}
	if err := agents.Unknown(text, false); err != nil {
		return pipe.Maker{}, err
	}
	m, err := agents.Open(text, g)
	if err != nil {
		return pipe.Maker{}, err
	}
	return pipe.Maker{New: m.New, Memory: m.Memory}, nil
}

// strangers opens agents for clients of other machines: those that are cheap. Of this machine's files they reach the
// networks below one folder, and what is wrong with these is for the log: an error may quote what it has found in a
// file.
type strangers struct {
	nets string // the folder; "" = none
	log  *slog.Logger
}

func (s strangers) open(text string, g env.Game) (pipe.Maker, error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch kind {
	case "random", "script", "remote":
		return openOpponent(text, g)
	case "net":
	default:
		return pipe.Maker{}, fmt.Errorf("unknown agent %q: %s", text,
			spelling.Suggest(kind, []string{"random", "script", "net"}))
	}
	if path, _, _ := strings.Cut(rest, ","); path == "" { // what comes with the program is nobody's file
		return openOpponent(text, g)
	}
	if s.nets == "" {
		return pipe.Maker{}, errors.New("this server has no networks for clients of other machines: its owner can name " +
			"their folder (serve --nets)")
	}
	path, option, _ := strings.Cut(rest, ",")
	m, err := s.network(path, option, g)
	if err != nil {
		s.log.Warn("no network", "agent", text, "reason", err.Error())
		return pipe.Maker{}, fmt.Errorf("agent %q: the server's folder of networks holds none of this name that plays %s",
			text, g.Info().Name)
	}
	return m, nil
}

// network opens the network of a path below the folder.
func (s strangers) network(path, option string, g env.Game) (pipe.Maker, error) {
	if !filepath.IsLocal(path) {
		return pipe.Maker{}, errors.New("the path leads out of the folder")
	}
	folder, err := filepath.EvalSymlinks(s.nets)
	if err != nil {
		return pipe.Maker{}, err
	}
	target, err := checkpoint.Find(filepath.Join(folder, path))
	if err != nil {
		return pipe.Maker{}, err
	}
	if target, err = filepath.EvalSymlinks(target); err != nil {
		return pipe.Maker{}, err
	}
	if inside, err := filepath.Rel(folder, target); err != nil || !filepath.IsLocal(inside) {
		return pipe.Maker{}, errors.New("the path is a link that leads out of the folder")
	}
	text := "net:" + target
	if option != "" {
		text += "," + option
	}
	return openOpponent(text, g)
}
