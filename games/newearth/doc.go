// Package newearth plays New Earth: the last continent, twelve years until the storm.
//
// Two to four players govern six zones each. Workers mine, win energy and manufacture; what they make
// buys consumer goods, machines, more workers and plants. Goods keep up and raise the Society Levels of
// the zones, sets of City cards found cities, and elections, decided by secret cash, secret cards and a
// die, win neutral and foreign zones. Catastrophe cards strike in between. After the last turn El Gigante
// comes, and the kind of storm decides whether all zones count, or only cities, or only fortified ones.
//
// RULES.md numbers the rules; the names NE-nnn in comments and messages are those numbers. Start reading
// at flow.go, the order of a game and a turn, and go on to the chapter in question: board.go, setup.go,
// initiative.go, cards.go, catastrophes.go, production.go, trade.go, consumption.go, cities.go,
// elections.go, leader.go and scoring.go.
//
// The box has tile limits, card effects and card counts that the rulebook does not print. Section 2 of
// RULES.md says which of them are reconstructed; all of them stand in data.toml and can be replaced. The
// rulebook gives two prices for machines, one by one and four together; we sell both (ruling G-08).
package newearth
