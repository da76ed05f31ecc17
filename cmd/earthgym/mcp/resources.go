package mcp

import (
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The MCP App that shows a board (extension SEP-1865, specification of 2026-01-26).
const (
	appExtension = "io.modelcontextprotocol/ui"
	appType      = "text/html;profile=mcp-app"
	appURI       = "ui://earthgym/board"
	boardKey     = "earthgym/board" // in the metadata of board's result
)

// Types of what can be read.
const (
	markdownType = "text/markdown"
	recordType   = "application/jsonl"
	pictureType  = "image/svg+xml"
)

//go:embed board.html
var boardPage string

func recordURI(table string) string { return "earthgym://tables/" + table + "/record" }

func (s *Server) addResources() {
	for _, rb := range s.o.Games {
		for _, text := range []struct {
			name, title string
			read        func(string) (string, error)
		}{{"rules", "the rules", s.o.Rules}, {"howto", "an introduction", s.o.HowTo}} {
			uri := "earthgym://games/" + rb.Name + "/" + text.name
			s.server.AddResource(&sdk.Resource{URI: uri, Name: rb.Name + "-" + text.name, Title: rb.Title + ": " + text.title,
				MIMEType: markdownType},
				func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
					t, err := text.read(rb.Name)
					return contents(uri, markdownType, t), err
				})
		}
	}
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: "earthgym://games/{game}/rules/{rule}", Name: "rule",
		Title: "A rule by its id, or a section by its number", MIMEType: "text/plain",
	}, s.readRule)
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: "earthgym://tables/{table}/record", Name: "record", Title: "The record of a game that is over",
		MIMEType: recordType,
	}, s.readRecord)
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: "earthgym://tables/{table}/board.svg", Name: "board", Title: "The board as those who look on see it",
		MIMEType: pictureType,
	}, s.readBoard)
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: "earthgym://tables/{table}/keys/{key}/board.svg", Name: "seat-board",
		Title: "The board as the seat of a key sees it", MIMEType: pictureType,
	}, s.readBoard)
	s.server.AddResource(&sdk.Resource{URI: appURI, Name: "board-app", Title: "The board",
		Description: "Shows the result of the tool board.", MIMEType: appType},
		func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return contents(appURI, appType, boardPage), nil
		})
}

func contents(uri, kind, text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: kind, Text: text}}}
}

// words are the parts of a resource's path, the first of which follows earthgym://.
func words(uri string) []string {
	parts := strings.Split(strings.TrimPrefix(uri, "earthgym://"), "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil {
			parts[i] = plain
		}
	}
	return parts
}

func (s *Server) readRule(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	at := words(r.Params.URI) // games, GAME, rules, RULE
	text, err := s.rule(at[1], at[3])
	if err != nil {
		return nil, err
	}
	return contents(r.Params.URI, "text/plain", text), nil
}

func (s *Server) readRecord(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	sitting, err := s.lobby.find(words(r.Params.URI)[1]) // tables, TABLE, record
	if err != nil {
		return nil, err
	}
	record, err := sitting.table.Record()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	if err := record.Write(&b); err != nil {
		return nil, err
	}
	return contents(r.Params.URI, recordType, b.String()), nil
}

func (s *Server) readBoard(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	at, key := words(r.Params.URI), "" // tables, TABLE[, keys, KEY], board.svg
	if at[2] == "keys" {
		key = at[3]
	}
	_, _, now, err := s.lobby.at(at[1], key)
	if err != nil {
		return nil, err
	}
	if now.Board == "" {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	picture := contents(r.Params.URI, pictureType, now.Board)
	picture.CacheScope = "private" // It is of this moment, and perhaps of one seat.
	return picture, nil
}

func (s *Server) addPrompts() {
	s.server.AddPrompt(&sdk.Prompt{
		Name: "introduce", Title: "Learn a game and sit down", Description: "Introduces a game to a player, with what to " +
			"do to play it here.",
		Arguments: []*sdk.PromptArgument{{Name: "game", Description: "the game, such as one-earth", Required: true}},
	}, s.introduce)
}

func (s *Server) introduce(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	game := r.Params.Arguments["game"]
	name, _, _ := strings.Cut(game, ":")
	howTo, err := s.o.HowTo(name)
	if err != nil {
		return nil, err
	}
	g, err := s.o.Games.Open(game)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf(`Play a game of %s with me watching. This is what it is about:

%s
To play here: start_table with game %q (by itself you sit in seat 0 against %s); then, until the game is over, wait until it
is your decision, look at the table, and act with the exact text of one legal action and the step that you looked at. Ask
explain_rule where you are not sure of a rule, and why_not where you do not see why something is not legal. At the end call
finish, and tell me how it went.`, g.Info().Title, howTo, g.Info().Short, s.o.Opponent(g))
	return &sdk.GetPromptResult{
		Description: "An introduction to " + g.Info().Title,
		Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
	}, nil
}
