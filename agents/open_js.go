package agents

import (
	"errors"

	"earthgym/env"
)

// openRemote opens nothing: a page can't start programs.
func openRemote(string, string, env.Game) (*Maker, error) {
	return nil, &TextError{errors.New("a page can't start programs: there is no remote: here")}
}

// openModel opens nothing: a page asks no servers but its own.
func openModel(string, string, env.Game) (*Maker, error) {
	return nil, &TextError{errors.New("a page asks no servers of others: there is no llm: here")}
}
