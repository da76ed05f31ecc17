package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"earthgym/agents"
	"earthgym/train"
)

// agentsVar defines a flag that takes agents joined by commas, and may be repeated. What the list holds before is its
// default.
func agentsVar(f *pflag.FlagSet, list *[]string, name, usage string) {
	f.Var(&agentList{list: list}, name, usage)
}

// An agentList is the value of a flag that takes agents joined by commas. An agent's own options may follow it as they
// are; what stands in double quotes, as [train.JoinList] writes it, is not split.
type agentList struct {
	list  *[]string
	given bool // the default gives way to what is said first
}

func (l *agentList) Type() string { return "AGENTS" }

func (l *agentList) Allowed() string {
	return "agents, joined by commas; one with a quote in it stands in double quotes, and the quote twice"
}

func (l *agentList) String() string {
	if l.list == nil {
		return "" // asked by pflag of a flag without a value
	}
	return train.JoinList(*l.list)
}

func (l *agentList) Set(text string) error {
	parts, err := train.SplitList(text)
	if err != nil {
		return err
	}
	if !l.given {
		*l.list, l.given = nil, true
	}
	*l.list = append(*l.list, joinOptions(parts)...)
	return nil
}

// joinOptions are the agents that a list of agents and their options, each a part of its own, is of.
func joinOptions(parts []string) []string {
	var list []string
	for i, part := range parts {
		if i > 0 && !beginsAgent(part) && !namesKind(part) {
			list[len(list)-1] += "," + part
			continue
		}
		list = append(list, part)
	}
	return list
}

// namesKind says whether a text begins with a word and a colon, as that of an agent does, be there such a kind or not,
// or that of recorded games as a teacher. Options have an equals sign before any colon.
func namesKind(text string) bool {
	kind, _, ok := strings.Cut(text, ":")
	return ok && len(kind) > 1 && strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz") == ""
}

func beginsAgent(text string) bool {
	return slices.ContainsFunc(agents.Words(), func(w string) bool { return strings.HasPrefix(text, w) })
}
