package table_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// settled waits until seat p is asked or the game is over.
func settled(t *testing.T, tab *table.Table, p env.Player) *table.Sight {
	t.Helper()
	for {
		changed := tab.Changed()
		s := must.Have(tab.Look(p))(t)
		if s.Deciding || s.Result != nil {
			return s
		}
		<-changed
	}
}

// A draft changes nothing, what it is sure of comes true when it is played, and what it offers is legal.
func TestDraft(t *testing.T) {
	if testing.Short() {
		t.Skip("what goes on at the same time does so in shorter tests too")
	}
	for _, text := range short {
		g := openGame(t, text)
		t.Run(g.Info().Name, func(t *testing.T) {
			tab := must.Have(table.New(g, 5, seats(t, g, "", "script:greedy"), table.Options{}))(t)
			run(t, tab)
			luck, longest, unsure := env.NewStream(3, "draft"), 0, 0
			for range 40 {
				s := settled(t, tab, 0)
				if s.Result != nil {
					break
				}
				var actions []env.Action
				d := mustDraft(t, tab, s.Step, actions)
				if !slices.Equal(d.Choices, s.Choices) || d.Question != s.Question || d.Board != s.Board {
					t.Fatal("an empty draft is not the table as it is")
				}
				for d.Open && len(actions) < 5 {
					actions = append(actions, d.Choices[luck.Below(len(d.Choices))].Action)
					d = mustDraft(t, tab, s.Step, actions)
				}
				longest = max(longest, len(actions))
				if now, err := tab.Look(0); err != nil || now != s {
					t.Fatal("a draft has changed the table", err)
				}
				if err := tab.PlayAll(0, s.Step, actions); err != nil {
					t.Fatalf("%v: %v", d.Moves, err)
				}
				now := settled(t, tab, 0)
				var told []string
				for _, l := range now.Log[len(s.Log):] {
					told = append(told, l.Text)
				}
				for _, m := range d.Moves {
					unsure += len(m.Perhaps)
					for _, sure := range m.Story {
						if !slices.Contains(told, sure+".") {
							t.Errorf("the draft was sure of %q; it came to %q", sure, told)
						}
					}
				}
			}
			if longest < 2 || unsure == 0 {
				t.Errorf("the longest draft had %d decisions, and %d things were unsure: nothing was tried", longest, unsure)
			}
		})
	}
}

// A choice of which more is asked opens a form: a draft that asks on until the move is whole, which is then played in
// one. The same answer can be given as often as the draft says.
func TestForms(t *testing.T) {
	if testing.Short() {
		t.Skip("what goes on at the same time does so in shorter tests too")
	}
	texts := append(slices.Clone(short), "new-earth:players=3,setup=free",
		"earthmans-burden:players=4,collab=on,territory=on,prelude=on,espionage=on")
	for _, rb := range games.All() {
		texts = append(texts, rb.Variants...)
	}
	long, decisions, whole, alike := len(short)+2, 60, 0, 0
	for i, text := range texts {
		g := openGame(t, text)
		t.Run(text, func(t *testing.T) {
			tab := must.Have(table.New(g, 11, seats(t, g, "", "script:greedy"), table.Options{}))(t)
			run(t, tab)
			luck, forms, same := env.NewStream(4, "form"), 0, 0
			for n := range decisions {
				s := settled(t, tab, 0)
				if s.Result != nil || i >= long && n > 5 {
					break
				}
				c := s.Choices[luck.Below(len(s.Choices))]
				for _, other := range s.Choices {
					if other.More && luck.Below(3) == 0 {
						c = other
					}
				}
				actions := []env.Action{c.Action}
				d := mustDraft(t, tab, s.Step, actions)
				if c.More != (d.Open && d.Inside) {
					t.Fatalf("%s: more is asked of it: %v; the draft asks %q", c.Text, c.More, d.Question)
				}
				for d.Open && d.Inside && len(actions) < 100 {
					if d.Same > 1 {
						same++
						for range d.Same {
							actions = append(actions, actions[len(actions)-1])
						}
					} else {
						actions = append(actions, d.Choices[luck.Below(len(d.Choices))].Action)
					}
					d = mustDraft(t, tab, s.Step, actions)
				}
				if len(actions) > 1 {
					forms++
				}
				if err := tab.PlayAll(0, s.Step, actions); err != nil {
					t.Fatalf("%v: %v", d.Moves, err)
				}
			}
			if whole += forms; forms == 0 && i < long {
				t.Error("no move had several steps")
			}
			alike += same
		})
	}
	if t.Logf("%d forms, %d times the same for all", whole, alike); alike == 0 {
		t.Error("never the same for all")
	}
}

func mustDraft(t *testing.T, tab *table.Table, step int, actions []env.Action) *table.Draft {
	t.Helper()
	return must.Have(tab.Draft(0, step, actions))(t)
}

func TestDraftRefuses(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	tab := must.Have(table.New(g, 5, seats(t, g, ""), table.Options{}))(t)
	parse := func(texts ...string) (list []env.Action) {
		for _, text := range texts {
			a := must.Have(g.Info().Parse(text))(t)
			list = append(list, a)
		}
		return list
	}
	s := must.Have(tab.Look(0))(t)
	for _, test := range []struct {
		name    string
		seat    env.Player
		step    int
		actions []env.Action
		says    string
	}{
		{"another seat's", 1, s.Step, nil, "not this seat's decision"},
		{"at another step", 0, s.Step + 1, nil, "gone on meanwhile"},
		{"illegal", 0, s.Step, parse("dismantle 11"), "illegal action"},
		{"illegal by then", 0, s.Step, parse("settle 11", "settle 11"), "illegal action"},
		{"after the turn", 0, s.Step, parse("done", "done"), "before it, player 1 decides"},
		{"no action", 0, s.Step, []env.Action{999}, "there is no action 999"},
		{"endless", 0, s.Step, make([]env.Action, 201), "200 decisions at most"},
	} {
		if _, err := tab.Draft(test.seat, test.step, test.actions); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("a draft %s: %v", test.name, err)
		}
	}

	// A plan that can't go on stops, and says what stands.
	err := tab.PlayAll(0, s.Step, parse("settle 11", "settle 11", "done"))
	var interrupted *table.InterruptedError
	if !errors.As(err, &interrupted) || interrupted.Played != 1 || interrupted.Planned != 3 {
		t.Errorf("a plan with an illegal decision: %v", err)
	}
	if s, _ = tab.Look(0); s.Decision != 1 {
		t.Errorf("%d decisions were played", s.Decision)
	}
	if err := tab.PlayAll(0, s.Step, parse("done", "settle 12")); !errors.As(err, &interrupted) ||
		!strings.Contains(err.Error(), "asked no more") {
		t.Errorf("a plan beyond the turn: %v", err)
	}
	if err := tab.PlayAll(0, s.Step, nil); err == nil {
		t.Error("a plan without decisions is played")
	}
}

// Sealed choices: everybody sees who has chosen where that is no secret, and how many are still to choose, and nothing
// of what; when all have, no envelope is left.
func TestSealed(t *testing.T) {
	envtest.NothingToRace(t)
	for _, test := range []struct {
		game   string
		hidden bool // nobody sees who is asked
	}{{"one-earth:players=3,mode=advanced", false}, {"new-earth:players=3,turns=3", true}} {
		g := openGame(t, test.game)
		t.Run(g.Info().Name, func(t *testing.T) {
			rounds, envelopes := 0, 0
			for seed := uint64(1); seed < 20 && rounds < 3; seed++ {
				r, e := playSealed(t, g, seed)
				rounds, envelopes = rounds+r, max(envelopes, e)
			}
			if rounds == 0 {
				t.Error("nothing was sealed")
			}
			if test.hidden != (envelopes == 0) {
				t.Errorf("%d envelopes at most; who is asked is hidden: %v", envelopes, test.hidden)
			}
		})
	}
}

// playSealed plays a game by chance, and says how many choices were sealed and how many envelopes lay on the table.
func playSealed(t *testing.T, g env.Game, seed uint64) (rounds, most int) {
	tab, err := table.New(g, seed, seats(t, g, ""), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	luck := env.NewStream(seed, "sealed")
	sights := make([]*table.Sight, 4) // of the seats, and of who looks on
	look := func() {
		for i := range sights {
			p := env.Player(i)
			if i == 3 {
				p = env.Spectator
			}
			if sights[i], err = tab.Look(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	for look(); sights[3].Result == nil; {
		before := slices.Clone(sights)
		p := env.Player(slices.IndexFunc(sights, func(s *table.Sight) bool { return s.Deciding }))
		s := sights[p]
		c := s.Choices[luck.Below(len(s.Choices))]
		must.Do(t, tab.Play(p, s.Step, c.Action))
		look()
		if !s.Sealed {
			if s.Envelopes != 0 || s.ToCome != 0 {
				t.Fatalf("%v and %d to come where nothing is sealed", s.Envelopes, s.ToCome)
			}
			continue
		}
		rounds++
		most = max(most, s.Envelopes.Count())
		if s.Envelopes.Has(p) {
			t.Fatalf("seat %d has chosen already, and is asked again", p)
		}
		if s.Actor >= 0 && s.Envelopes.Count() > 0 && s.Envelopes.Count()+s.ToCome > 3 {
			t.Fatalf("%v have chosen and %d are to come", s.Envelopes, s.ToCome)
		}
		for q := range before {
			for _, l := range sights[q].Log[len(before[q].Log):] {
				if env.Player(q) != p && l.Player == p && l.Kind == table.ActionLine && l.Action >= 0 {
					t.Fatalf("viewer %d sees what seat %d has sealed: %+v", q, p, l)
				}
			}
		}
	}
	return rounds, most
}

// Why an action can't be chosen is told of where the plan leads, not of where the game stands.
func TestWhyAfter(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	tab := must.Have(table.New(g, 5, seats(t, g, "", "script:greedy"), table.Options{}))(t)
	run(t, tab)
	s := settled(t, tab, 0)
	number := func(text string) env.Action {
		return must.Have(g.Info().Parse(text))(t)
	}
	settle, city, done := number("settle 11"), number("city 11"), number("done")
	for _, test := range []struct {
		planned []env.Action
		asked   env.Action
		says    string // "" if it can be chosen
	}{
		{nil, city, "settlement"},
		{nil, settle, ""},
		{[]env.Action{settle}, settle, "occupied by player 0"},
		{[]env.Action{settle}, city, "RES"},
		{[]env.Action{settle}, done, ""},
		{[]env.Action{settle, done}, settle, "player 1 decides"},
	} {
		reasons := must.Have(tab.WhyAfter(0, s.Step, test.planned, []env.Action{test.asked}))(t)
		if (test.says == "") != (reasons[0] == "") || !strings.Contains(reasons[0], test.says) {
			t.Errorf("after %v, %d: %q, want %q", test.planned, test.asked, reasons[0], test.says)
		}
	}
	if _, err := tab.WhyAfter(0, s.Step, []env.Action{city}, nil); err == nil {
		t.Error("a plan that can't be made is taken")
	}
	if _, err := tab.WhyAfter(0, s.Step+1, nil, nil); err == nil {
		t.Error("another step is taken")
	}
}
