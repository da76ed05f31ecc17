package oneearth

import "earthgym/env"

// ask is OE-100 and OE-102: a request to another seat, once in a turn.
func (s *State) ask(p, offset int) {
	q := (p + offset) % s.game.Players
	s.Turn.Asked = s.Turn.Asked.With(env.Player(q))
	s.Ask.Seat = int8(q)
	s.decide(AtAskAmount, p)
}

// maxRequest is the most that may be asked of a seat, OE-100.
func (s *State) maxRequest(q int) int {
	return min(s.game.Components.Constants.MaxAmount, int(s.Countries[q].Money))
}

func (s *State) askAmount(amount int8) {
	s.Ask.Amount = amount
	if s.game.Talk {
		s.decide(AtAskSay, s.active())
		return
	}
	s.askSay(SayNothing)
}

func (s *State) askSay(w Word) {
	s.Ask.Say = w
	s.say(s.active(), w)
	s.decide(AtAskReply, int(s.Ask.Seat))
}

// askReply is OE-101: all of it or nothing. The promise is opened only if the request is granted
// (OE-283); it is about the turn that is running (OE-282).
func (s *State) askReply(yes bool) {
	p := s.active()
	if yes {
		s.Countries[s.Ask.Seat].Money -= int16(s.Ask.Amount)
		s.Countries[p].Money += int16(s.Ask.Amount)
		s.promise(p, s.Ask.Say)
	}
	s.Ask = Request{-1, 0, NoWord}
	s.menu()
}
