// Package env is the contract between games and everything that plays them.
//
// A [Game] is one configuration of a rulebook: its options and its component data. It makes [State] values: flat
// positions with their own luck, which are reset, stepped, masked and observed without allocating. On top of a State
// stand:
//
//   - [Env]: step and reset over one State, every action checked, with rewards per player.
//   - [Vec]: many Envs stepped together into contiguous arrays, for training and throughput; [Lane] is one of them.
//   - [View]: what the seat that decides may know of it and nothing else, for an [Agent]. An [Onlooker] is the same for
//     those who follow a game.
//
// All chance passes one place, the [Tape]: nil in plain play, it logs and can force every event.
// Records and scenarios are made of its texts.
//
// # Where to begin
//
//   - To step a game: package games opens it (package registry opens others), [Env] and [Vec] play it, [Info] says what
//     its actions and features mean, [Result] how it ended.
//   - To write an agent: [Agent], and the [View] that it is given; [Deputy], if many games at once are faster for it.
//   - To write a game: [Game] and [State], then [ActionTable] and [Feature], and below this package registry for its
//     options, datafile for its component data, form for its positions and observations, story for its story. What some
//     games lack is an interface of its own, which a State has or has not: [ActionTexter], [ActorHider], [Asker],
//     [Checker], [Commons], [Counted], [Drawer], [Measurer], [Outlook], [PositionPatcher], [Potential], [Texter],
//     [Witness].
//   - To run a game at a table of agents: package referee. To read games again: package record; package scenario plays
//     small tests of the rules.
//
// # Who acts
//
// At any moment exactly one seat decides, or the game is over. Votes and sealed bids are asked one seat at a time; what
// others must not know of them is left out of their observations, of what they witness ([Witness]), and, where a
// rulebook hides even who is asked, of who is said to act ([ActorHider]). Whoever shows a game, live or recorded, tells
// each viewer what its [Onlooker] says, and counts what that counts. Which decisions with one legal action are asked is
// the game's matter: nothing here skips or adds a decision.
//
// # Determinism
//
// A seed and a list of actions determine a game to the bit. Each source of chance has a [Stream] of
// its own, seeded from the game's seed and the stream's name, so that two games on one seed meet the
// same luck where they draw the same things.
package env
