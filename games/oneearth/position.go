package oneearth

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/form"
)

// maxMarker bounds the numbers without a maximum in a position that is read.
const maxMarker = 999

var pileWords = []string{"deck", "discard"}

// AppendPosition writes section 3.1 of RULES.md.
func (s *State) AppendPosition(dst []byte) []byte { return form.AppendPosition(dst, s.form) }

// AppendKnown writes what a seat may know of it.
func (s *State) AppendKnown(dst []byte, p env.Player) []byte { return form.AppendKnown(dst, p, s.form) }

// ReadPosition reads section 3.1 of RULES.md, and checks what it says there. The first thing wrong is
// the error.
func (s *State) ReadPosition(data []byte) error {
	return form.ReadPosition(data, s, State{Position: s.game.cleared(), game: s.game, luck: s.luck}, (*State).form,
		(*State).Check)
}

// PatchPosition lays a patch on the position.
func (s *State) PatchPosition(patch []byte) error {
	return form.PatchPosition(patch, s, (*State).form, (*State).Check)
}

// form declares the position: section 3.1 of RULES.md, line by line.
func (s *State) form(f *form.Position) {
	g, n := s.game, s.game.Players
	countries := func(name string, field func(c *Country)) {
		form.List(f, name, n, func(p int) { field(&s.Countries[p]) })
	}
	form.Int(f, "round", &s.Round, 1, g.MaxRounds)
	form.Int(f, "first", &s.First, 0, n-1)
	form.Int(f, "turns_done", &s.TurnsDone, 0, n)
	form.Word(f, "phase", &s.Decision, decisionNames)
	form.Int(f, "seat", &s.Seat, -1, n-1)
	form.List(f, "row", RowSize, func(i int) { form.WordOrNone(f, form.Element, &s.Row[i], projectIDs[:]) })
	form.IntsBy(f, "deck", g.words.projects, s.Deck[:], 0, g.mostCopies())
	form.IntsBy(f, "gone", g.words.projects, s.Gone[:], 0, g.mostCopies())
	form.IntsBy(f, "npc_taken", g.words.projects, s.NPCTaken[:], 0, g.mostCopies())
	countries("p", func(c *Country) { form.Int(f, form.Element, &c.Prosperity, 0, maxMarker) })
	countries("e", func(c *Country) { form.Int(f, form.Element, &c.Emissions, 0, maxMarker) })
	countries("m", func(c *Country) { form.Int(f, form.Element, &c.Money, 0, maxMarker) })
	form.Int(f, "g", &s.Global, 0, maxMarker)
	countries("tab", func(c *Country) { s.formTableau(f, c) })
	form.IntsBy(f, "tech", g.words.technologies, s.Technologies[:], withNPC, n-1)
	form.IntsBy(f, "policy", g.words.policies, s.Policies[:], withNPC, n-1)
	countries("saved", func(c *Country) { s.formUses(f, &c.Saved) })
	countries("loose", func(c *Country) { s.formUses(f, &c.Loose) })
	countries("leader", func(c *Country) { form.WordOrNone(f, form.Element, &c.Leader, leaderIDs[:]) })
	countries("ability_used", func(c *Country) { form.Bool(f, form.Element, &c.AbilityUsed) })
	countries("tokens", func(c *Country) { form.Int(f, form.Element, &c.Tokens, 0, 9) })
	countries("support", func(c *Country) { form.Int(f, form.Element, &c.Support, 0, 9) })
	form.WordsBy(f, "resolution", g.words.resolutions, s.Resolutions[:], standingIDs[:])
	form.By(f, "yes_voters", g.words.resolutions, func(k form.Key) { form.Seats(f, k.Name, &s.YesVoters[k.Index], n) })
	form.WordOrNone(f, "shared_tech", &s.SharedTech, technologyIDs[:])
	form.List(f, "mars_funder", n, func(p int) {
		formIn(f, p, &s.MarsFunders, func(v *bool) { form.Bool(f, form.Element, v) })
	})
	form.Object(f, "aid_round", func() {
		form.Seats(f, "donors", &s.Donors, n)
		form.Seats(f, "recipients", &s.Recipients, n)
	})
	form.Int(f, "income_mod", &s.IncomeMod, -9, 9)
	formPile(f, "warning", g.words.warnings, &s.WarningsDrawn)
	formPile(f, "critical", g.words.criticals, &s.CriticalsDrawn)
	formPile(f, "automa", g.words.automa, &s.AutomaDrawn)
	form.Int(f, "sanctioned", &s.Sanctioned, -1, n-1)
	form.Int(f, "accused", &s.Accused, -1, n-1)
	form.If(f, s.Decision != Over, "turn", func() { s.formTurn(f) })
	form.Distinct(f, "reach", s.Reach[:], &s.NumReach, 0, n-1)
	form.Int(f, "trigger", &s.Trigger, -1, n-1)
	form.Bool(f, "final", &s.Final)
	s.formRunning(f)
	countries("said", func(c *Country) { form.WordOrNone(f, form.Element, &c.Said, wordIDs[:]) })
	countries("pending", func(c *Country) { formPromises(f, c) })
	countries("kept", func(c *Country) { form.Int(f, form.Element, &c.PromisesKept, 0, 200) })
	countries("broken", func(c *Country) { form.Int(f, form.Element, &c.PromisesBroken, 0, 200) })
	form.Int(f, "npc_p", &s.NPCProsperity, 0, maxMarker)
	form.Int(f, "npc_vp", &s.NPCPoints, 0, maxMarker)
	form.Word(f, "over", &s.Ending, endingIDs[:])
	form.Seats(f, "culprits", &s.Culprits, n)
	s.formDerived(f)
	if f.Reads() {
		s.derive()
	}
}

// formRunning declares what a ballot, a Technology's use or a request is about.
func (s *State) formRunning(f *form.Position) {
	g, k, n := s.game, &s.game.Components.Constants, s.game.Players
	running := func(name string, field func()) { form.If(f, s.Decision != Over, name, field) }
	running("proposal", func() { form.WordOrNone(f, "proposal", &s.Proposal, resolutionIDs[:]) })
	running("votes", func() {
		form.ListUpTo(f, "votes", &s.NumVotes, n, func(i int) {
			form.Parsed(f, form.Element, &s.Votes[i], g.voteText, g.parseVote)
		})
	})
	running("bids", func() {
		form.ListUpTo(f, "bids", &s.NumBids, n, func(i int) {
			form.Secret(f, s.knowBid(i), form.Element, func() {
				form.Int(f, form.Element, &s.Bids[i], -k.MaxAmount, k.MaxAmount)
			})
		})
	})
	running("pledges", func() {
		form.ListUpTo(f, "pledges", &s.NumPledges, n, func(i int) {
			form.Int(f, form.Element, &s.Pledges[i], 0, k.MaxPledge)
		})
	})
	running("using", func() { form.WordOrNone(f, "using", &s.Using, technologyIDs[:]) })
	running("fresh", func() { form.Bool(f, "fresh", &s.Fresh) })
	running("attach", func() { form.WordOrNone(f, "attach", &s.Attach, projectIDs[:]) })
	running("offered", func() { form.Distinct(f, "offered", s.Offered[:], &s.NumOffered, 0, n-1) })
	running("loose_queue", func() { s.formLooseQueue(f) })
	running("ask", func() {
		form.Object(f, "ask", func() {
			form.Int(f, "seat", &s.Ask.Seat, -1, n-1)
			form.Int(f, "amount", &s.Ask.Amount, 0, k.MaxAmount)
			form.WordOrNone(f, "say", &s.Ask.Say, wordIDs[:])
		})
	})
	running("event", func() { form.WordOrNone(f, "event", &s.Event, criticalIDs[:]) })
}

// formDerived declares what is written only.
func (s *State) formDerived(f *form.Position) {
	form.Derived(f, "target", func() any { return s.game.Target })
	form.Derived(f, "vp", func() any {
		if !s.game.Advanced {
			return nil
		}
		points := make([]vpJSON, s.game.Players)
		for p := range points {
			v := s.VP(p)
			points[p] = vpJSON{v.Trigger, v.Prosperity, v.Emissions, v.Technology, v.Policy, v.Diplomacy, v.Currency,
				v.Livability, v.Leader, v.Total()}
		}
		return points
	})
	form.Derived(f, "npc_score", func() any {
		if s.game.Players > 1 {
			return nil
		}
		return s.NPCScore()
	})
}

type vpJSON struct {
	Trigger    int `json:"trigger"`
	Prosperity int `json:"prosperity"`
	Emissions  int `json:"emissions"`
	Technology int `json:"technology"`
	Policy     int `json:"policy"`
	Diplomacy  int `json:"diplomacy"`
	Currency   int `json:"currency"`
	Livability int `json:"livability"`
	Leader     int `json:"leader"`
	Total      int `json:"total"`
}

// formTableau declares the copies before a seat, as [plain, upgraded].
func (s *State) formTableau(f *form.Position, c *Country) {
	form.Sparse(f, form.Element, s.game.words.projects, nil, func(k form.Key) {
		form.List(f, k.Name, 2, func(i int) {
			copies := [...]*int8{&c.Plain[k.Index], &c.Upgraded[k.Index]}[i]
			form.Int(f, form.Element, copies, 0, s.game.Components.Projects[k.Index].Copies)
		})
	})
}

// formUses declares the unspent uses of Technologies.
func (s *State) formUses(f *form.Position, uses *[NumTechnologies]int8) {
	form.Sparse(f, form.Element, s.game.words.technologies, nil, func(k form.Key) {
		form.Int(f, k.Name, &uses[k.Index], 0, maxLoose)
	})
}

// formIn declares whether i is in a set.
func formIn[T form.Bits](f *form.Position, i int, set *T, field func(v *bool)) {
	in := *set>>i&1 != 0
	if field(&in); f.Reads() {
		form.Put(set, i, in)
	}
}

// formPile declares where each card of a pile is.
func formPile[T form.Bits](f *form.Position, name string, keys []form.Key, drawn *T) {
	form.By(f, name, keys, func(k form.Key) {
		formIn(f, k.Index, drawn, func(v *bool) {
			at := index(*v)
			form.Word(f, k.Name, &at, pileWords)
			*v = at == 1
		})
	})
}

// formTurn declares what the running turn has seen.
func (s *State) formTurn(f *form.Position) {
	k := &s.game.Components.Constants
	form.Object(f, "turn", func() {
		form.Int(f, "funded", &s.Turn.Funded, 0, k.ProjectsPerTurn)
		form.Int(f, "tech", &s.Turn.Technologies, 0, k.TechnologiesPerTurn)
		form.Int(f, "policy", &s.Turn.Policies, 0, k.PoliciesPerTurn)
		form.Int(f, "refreshes", &s.Turn.Refreshes, 0, k.MaxRefreshes)
		form.Seats(f, "asked", &s.Turn.Asked, s.game.Players)
		form.Int(f, "e_start", &s.Turn.EmissionsAtStart, 0, maxMarker)
	})
}

// formLooseQueue declares the open decisions, each as [seat, Technology].
func (s *State) formLooseQueue(f *form.Position) {
	n := 0
	for n < maxLoose && s.LooseQueue[n] != 0 {
		n++
	}
	form.ListUpTo(f, "loose_queue", &n, maxLoose, func(i int) {
		var seat int
		var t Technology
		if u := s.LooseQueue[i]; u != 0 {
			seat, t = u.Seat(), u.Technology()
		}
		form.List(f, form.Element, 2, func(part int) {
			if part == 0 {
				form.Int(f, form.Element, &seat, 0, s.game.Players-1)
			} else {
				form.Word(f, form.Element, &t, technologyIDs[:])
			}
		})
		if f.Reads() {
			s.LooseQueue[i] = looseUse(seat, t)
		}
	})
	if f.Reads() {
		clear(s.LooseQueue[n:])
	}
}

// formPromises declares the open promises of a seat.
func formPromises(f *form.Position, c *Country) {
	open := uint8(index(c.PendingPolicy) | index(c.PendingClean)<<1)
	form.OrderedSet(f, form.Element, &open, []string{PromisePolicy.String(), PromiseClean.String()})
	if f.Reads() {
		c.PendingPolicy, c.PendingClean = open&1 != 0, open&2 != 0
	}
}

func (g *Game) voteText(a uint8) string { return g.info.Actions[a].Text }

func (g *Game) parseVote(text string) (uint8, error) {
	a, err := g.info.Parse(text)
	if err == nil && a != Yes && a != No && a != Pass && (!act.accuse.Has(a) || act.accuse.Index(a) >= g.Players) {
		err = fmt.Errorf("%q answers no ballot", text)
	}
	return uint8(a), err
}

// mostCopies is the number of copies of the most frequent Project.
func (g *Game) mostCopies() int {
	most := 0
	for i := range g.Components.Projects {
		most = max(most, g.Components.Projects[i].Copies)
	}
	return most
}

// derive works out what follows from what has been read; after the end nothing is asked and nothing promised.
func (s *State) derive() {
	s.DeckSize = 0
	for _, n := range s.Deck {
		s.DeckSize += n
	}
	for p := range s.game.Players {
		c := &s.Countries[p]
		for x := range NumProjects {
			form.Put(&c.PlainSet, x, c.Plain[x] > 0)
			form.Put(&c.UpgradedSet, x, c.Upgraded[x] > 0)
		}
		if s.Decision == Over {
			c.PendingPolicy, c.PendingClean = false, false
		}
	}
	if s.Decision == Over {
		s.Ask = s.game.cleared().Ask
	}
}

// formWords are the ids of a Game's component data, in the order in which a position has them.
type formWords struct {
	projects, technologies, policies, resolutions, warnings, criticals, automa []form.Key
}

func (g *Game) newFormWords() formWords {
	c := g.Components
	keys := func(ids []string, inBox func(i int) bool) []form.Key { return form.Sorted(form.Keys(ids, inBox)) }
	return formWords{
		projects:     keys(projectIDs[:], func(x int) bool { return g.listed.Has(Project(x)) }),
		technologies: keys(technologyIDs[:], func(t int) bool { return c.Technologies[t].InBox }),
		policies:     keys(policyIDs[:], func(i int) bool { return c.Policies[i].InBox }),
		resolutions:  keys(resolutionIDs[:], func(r int) bool { return c.Resolutions[r].InBox }),
		warnings:     keys(warningIDs[:], func(w int) bool { return c.Warnings[w].InBox }),
		criticals:    keys(criticalIDs[:], func(e int) bool { return c.Criticals[e].InBox }),
		automa:       keys(automaIDs[:], func(a int) bool { return c.Automa[a].InBox }),
	}
}
