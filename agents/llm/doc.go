// Package llm plays by a language model behind any server that speaks the chat-completions protocol.
//
// At each decision the model is told how the game goes (the introduction of the game), what has happened since its last
// decision, the table as its seat sees it, and what is legal; it answers with a JSON object that names an action. Each
// decision is a conversation of its own, so that a long game costs no more a decision than a short one. The text of an
// action alone is an answer too. One that can't be played is told the reason and asked again; nothing is ever played in
// its place. Who runs out of tries, time or tokens has forfeited.
//
// # Options
//
// The text behind "llm:" is a URL and options, "http://127.0.0.1:8080/v1,model=NAME,legal=families":
//
//	model=NAME       that the server knows; needed
//	legal=list       what the model is told of the legal actions: list (all, with what they do), families (their kinds,
//	                 with how many there are of each), none (the rules and the table must do)
//	limit=2m         time for one decision, tries and waits for the server included
//	tries=3          answers that the model may give for one decision
//	tokens=1024      length of one answer at the most
//	budget=0         tokens that one game may take, in and out, by the server's count; where it has none, or none that
//	                 can be, a token is four bytes; 0 is any number
//	format=schema    how the server is asked for JSON: schema (a JSON schema), json (a JSON object), text (not at all);
//	                 one that refuses is asked in the next of these ways
//	temperature=T    of the model; the server's default if left out
//	price=IN/OUT     per million tokens, to count the cost
//	key=NAME         environment variable with the server's key, EARTHGYM_LLM_KEY if left out; there need be none
//	log=FILE         a file that every request and answer is appended to, as JSON Lines
//
// The key is read from the environment and goes to the server alone: it stands in no error, record or transcript,
// whatever the server repeats, and is sent over plain HTTP to this machine only. Programs in other seats are started
// without EARTHGYM_LLM_KEY; a variable that key= names is theirs to read, as everything else that this program was
// given.
//
// What the model says is not determined by the game's seed.
package llm
