package agents

import (
	"errors"

	"earthgym/env"
)

// openRemote: a page can't start programs.
func openRemote(string, string, env.Game) (*Maker, error) {
	return nil, &TextError{errors.New("remote: a page can't start programs")}
}
