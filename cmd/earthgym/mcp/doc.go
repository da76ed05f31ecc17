// Package mcp lets language models sit down at tables, by the Model Context Protocol.
//
// A [Server] offers tools (list_games, start_table, join_table, look, legal_actions, act, why_not, wait, board,
// explain_rule, finish), the rules of every game as resources (whole, by section, by id), boards as SVG and as an MCP
// App, and a prompt that introduces a game.
//
// Nothing depends on a session: a table is named by the id that start_table gives, a seat by a key that only the one
// who has taken it is told. So the same calls work over standard input and output and over HTTP, in protocol revision
// 2026-07-28, which has no sessions, and in those before it, from 2024-11-05 on. Nothing is sent that was not asked
// for: act waits for the agents at the table, wait for anybody, and both answer after a bounded time.
//
// A seat is told what its [table.Sight] holds and nothing else. An action that can't be played is answered with the
// reason and the nearest legal ones; nothing is ever played in its place, and the game goes on. An act names the step
// that it was decided at, so that a call that is sent twice, or by two clients of one seat, is played once.
//
// A message is read here before the library sees it, over standard input and output and over HTTP alike. Batches are
// refused: of all revisions only 2025-03-26 asks servers to take them, 2025-06-18 took them out again, and one message
// would ask for hundreds of answers. For the same reason messages, and answers about rules, are bounded.
//
// # What the protocol library lacks
//
// Package mcp of github.com/modelcontextprotocol/go-sdk 1.8 speaks revision 2026-07-28 over HTTP only if it keeps no
// sessions for the older revisions either; this server needs none. It knows nothing of MCP Apps but the place for
// extensions in the capabilities: the resource of the app, its MIME type and the metadata of the tool that shows it
// are written here, after the extension's specification of 2026-01-26. Tasks, by which a call could outlast its
// request, it does not have: waiting is a bounded call. Numbers are float64 to it, the ids of requests too, so that
// seeds are read from the arguments as they were sent, and ids that it would change are kept from it. Over standard
// input and output a line that is no message ends its session, the second of two requests with one id has no answer,
// and neither has what is asked right before the input ends; the transport here answers them all. Over HTTP it lets a
// call go on after its client has left.
package mcp
