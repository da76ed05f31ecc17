package mcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/registry"
)

// Options say what a server offers.
type Options struct {
	Program string // its name and version
	Games   registry.Registry
	Rules   func(game string) (string, error) // RULES.md of a game
	HowTo   func(game string) (string, error) // HOWTO.md of a game

	Agents   func(text string, g env.Game) (*agents.Maker, error) // that clients may seat
	Opponent func(g env.Game) string                              // who plays against a player that names nobody

	Seed     func() uint64               // of games that are given none: one that nobody can guess
	Tables   int                         // at a time
	Records  string                      // folder that games are saved in; "" = nowhere
	FileName func(info *env.Info) string // what the names of a game's records begin with
	Log      *slog.Logger                // nil = none
}

// A Server plays tables for clients.
type Server struct {
	o         Options
	lobby     *lobby
	server    *sdk.Server
	arguments map[string]*jsonschema.Schema // of each tool
}

const instructions = `Five board games about planet Earth. Start with list_games, then start_table: it gives the id of a table and a key for
each seat that is yours. Wait until it is your decision, look at the table, choose among legal_actions, and act with the exact
text of an action and the step that look gave. What act answers is where you decide next, with all of that: act again, until
the game is over. A wrong action costs nothing: the answer says why, and what is near. explain_rule answers questions about the rules; finish gives the result. Keep your key: who has it
plays your seat.`

// NewServer makes a server; its tables are played until ctx is done.
func NewServer(ctx context.Context, o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	capabilities := &sdk.ServerCapabilities{}
	capabilities.AddExtension(appExtension, map[string]any{"mimeTypes": []string{appType}})
	s := &Server{
		o:     o,
		lobby: &lobby{ctx: ctx, o: o, tables: map[string]*sitting{}},
		server: sdk.NewServer(&sdk.Implementation{Name: "earthgym", Title: "Board games about planet Earth",
			Version: o.Program}, &sdk.ServerOptions{
			Instructions: instructions, Capabilities: capabilities, Logger: o.Log,
		}),
		arguments: map[string]*jsonschema.Schema{},
	}
	s.server.AddReceivingMiddleware(attended, s.fitting)
	s.addTools()
	s.addResources()
	s.addPrompts()
	return s
}

// ServeStdio serves one client until it closes in, or ctx is done.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := s.server.Run(ctx, lines{in, out})
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("serve standard input and output: %w", err)
}
