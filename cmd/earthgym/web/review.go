package web

import (
	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/env"
)

// reviewer is the search that is asked at the end of a game what its decisions have cost.
const reviewer = "mcts:sims=200"

// recordingAnswers are those questions about a recorded game that pages of tables ask too.
func recordingAnswers(w *Watch) map[string]answer {
	return map[string]answer{
		"GET /api/film":  func(r *request) (any, error) { return w.describe(r) },
		"GET /api/story": func(r *request) (any, error) { return w.story(r) },
		"GET /api/at":    func(r *request) (any, error) { return w.at(r) },
		"GET /api/think": func(r *request) (any, error) { return w.think(r) },
		"GET /api/curve": func(r *request) (any, error) { return w.curve(r) },
		"GET /api/file":  func(r *request) (any, error) { return w.file(r) },
		"GET /api/run":   func(r *request) (any, error) { return w.run(r) },
	}
}

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
	all := map[string]answer{}
	for pattern := range recordingAnswers(nil) {
		all[pattern] = func(r *request) (any, error) {
			w, err := s.review()
			if err != nil {
				return nil, err
			}
			return recordingAnswers(w)[pattern](r)
		}
	}
	return all
}
