package web

import (
	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/env"
)

// reviewer is the search that is asked at the end of a game what its decisions have cost.
const reviewer = "mcts:sims=200"

// review lets the game of a table be looked at once it is over, whole: nothing is hidden any more.
func (s *Server) review() (*Watch, error) {
	rec, err := s.table.Record()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording == nil {
		w := NewWatch(WatchOptions{Open: func(text string, _ env.Game) (*agents.Maker, error) { return s.o.Open(text) }})
		asked := []string{reviewer}
		if scripted.Plays(s.table.Game()) {
			asked = []string{"script:strong", reviewer}
		}
		if err := w.Show(rec, s.table.Game(), asked); err != nil {
			return nil, err
		}
		s.recording = w
	}
	return s.recording, nil
}

// reviewed are the answers to questions about the game once it is over.
func (s *Server) reviewed() map[string]answer {
	all := (&Watch{}).answers()
	for pattern := range all {
		all[pattern] = func(r *request) (any, error) {
			w, err := s.review()
			if err != nil {
				return nil, err
			}
			return w.answers()[pattern](r)
		}
	}
	return all
}
