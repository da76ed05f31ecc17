// Package form is what a game declares once instead of writing it, reading it and checking it by hand.
//
// # Positions
//
// A position is JSON in the rulebook's terms: other programs read it, scenarios patch it, snapshots keep it. A game
// declares its fields in one function, in the order of its RULES.md, each with its name and its range:
//
//	func (s *State) form(f *form.Position) {
//		form.Int(f, "round", &s.round, 1, s.game.rounds)
//		form.Word(f, "phase", &s.phase, phaseNames[:])
//		form.Ints(f, "cash", s.cash[:s.game.players], 0, maxCash)
//	}
//
// [AppendPosition] writes that declaration, [ReadPosition] reads it, and [PatchPosition] lays a patch on a State
// through it. Reading refuses what is missing, unknown, twice there, of another type or out of its range, in one
// sentence for each kind of fault, in all games: the path of the field, what it is, and what is allowed. Nothing
// else needs to list the fields. Rules that span fields are the game's: short functions that check a State after it
// has been read.
//
// A field's functions take its name, which is [Element] in a list, and a pointer to the value:
//
//   - one value: [Int], [Bool], [Flag], [Word], [WordOrNone], [Text], [Parsed];
//   - a list with one value for each place: [Ints], [Bools], [Words], and [List] for anything else;
//   - a list of changing length: [Distinct], and [ListUpTo] for anything else;
//   - a set, written as the list of its members: [Set], [OrderedSet], [Numbers];
//   - an object: [Object], [Maybe]; with a list of keys [By], [IntsBy], [WordsBy], [Sparse];
//   - what some seats may not know: [Secret], [FaceDown], [FaceDownSet]; [AppendKnown] writes the position for a seat;
//   - what may be left out: [Optional]; what means nothing unless something else is so: [If]; what follows from the
//     rest and is written only: [Derived]; what a patch may say in a word: [Shorthand].
//
// A value that the State keeps in another shape goes through a variable: it is set from the State, declared, and put
// back if [Position.Reads].
//
// # Faults
//
// The first fault is kept, and nothing is read after it: variables hold what they held, and [Position.Reads] is false,
// so that a declaration needs no checks of its own. What spans fields is checked after it, with [Faults].
//
// # Actions and decisions
//
// What players do is declared twice over: [Actions] lists the action table in [Block]s of one shape each, and a table
// of [Decision]s says of each question who is asked, which blocks may be played and why not others, what they do, and
// how they are told. State.Actor, Legal, Why and Apply are a line each then, and so are the words of env.Asker.
// games/ADDING.md goes through one.
//
// # Observations
//
// An observation is one struct of float32 arrays: [Features] makes the layout of it, and [Observation] the memory that
// State.Observe fills in by its names: yes and no by [Bit], numbers by [Share], [Part] and [Scaled], one-hots by
// [Count], sets by [UpTo] and [Ones]. Tags say what a feature means, whose it is and how its places are called, so that
// env.Info.Describe tells any row in sentences. RESEARCH.md beside this file tells what observing costs.
package form
