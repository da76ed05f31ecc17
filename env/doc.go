// Package env is the contract between games and everything that plays them.
//
// A [Rulebook] is a game as it stands on the [Shelf]; opening it with options and component data
// gives a [Game], one configuration of it. A Game makes [State] values: flat positions with their
// own luck, which are reset, stepped, masked and observed without allocating. Three ways of playing
// a State are built on top:
//
//   - [Env]: step and reset over one State, every action checked, with rewards per player.
//   - [Vec]: many Envs stepped together into contiguous arrays, for training and throughput.
//   - [Referee]: one game at a table of agents. It hands each agent a [View], which holds what its
//     seat may know and nothing else, and keeps the [Record] of the game.
//
// All chance passes one door, the [Tape]: nil in plain play, it logs and can force every event.
// Records and scenarios are made of its texts.
//
// # Where to begin
//
//   - To step a game: [Shelf] opens it (that of package games has them all), [Env] and [Vec] play it, [Info] says what its
//     actions and features mean, [Result] how it ended.
//   - To write an agent: [Agent], and the [View] that it is given; [Deputy], if many games at once are faster for it.
//   - To write a game: [Rulebook], [Game] and [State], then [Option], [DataFile] with [DataCheck], [ActionTable] and
//     [Feature]. What some games lack is an interface of its own, which a State has or has not: [ActionTexter],
//     [ActorHider], [Asker], [Checker], [Commons], [Drawer], [Measurer], [Outlook], [PositionPatcher], [Potential],
//     [Teller], [Texter], [Witness]; or a Game: [Storied].
//   - To read games again: [Record], [Transcript] (a game that people played elsewhere), [Scenario]; [Branches] follows a
//     small game every way it may go.
//
// # Who acts
//
// At any moment exactly one seat decides, or the game is over. Votes and sealed bids are asked one
// seat at a time; what others must not know of them is left out of their observations, of what they
// witness ([Witness]), and, where a rulebook hides even who is asked, of who is said to act
// ([ActorHider]). Whoever shows a game, live or recorded, tells each viewer what its [Onlooker] says, and counts what that
// counts. Which decisions with one legal action are asked is the game's matter: nothing here
// skips or adds a decision.
//
// # Determinism
//
// A seed and a list of actions determine a game to the bit. Each source of chance has a [Stream] of
// its own, seeded from the game's seed and the stream's name, so that two games on one seed meet the
// same luck where they draw the same things.
//
// # The story
//
// A State that is a Teller says of each Step what happened in it, as Facts; Words, a catalogue that every game brings and
// that a file in another language replaces, make Sentences of them. A Narrator tells a viewer what it may know: it shows
// the Teller States in which all else is drawn anew.
package env
