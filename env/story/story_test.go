package story_test

import (
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/env/story"
)

// told is what each viewer hears of a game.
func told(t *testing.T, g env.Game, viewer env.Player, actions ...env.Action) []string {
	t.Helper()
	n := must.Have(story.NewNarrator(g))(t)
	ref := must.Have(referee.New(g, 1))(t)
	var story []string
	ref.Follow(func(step *env.Step) {
		for _, s := range n.Tell(step, viewer) {
			story = append(story, s.Text)
		}
	})
	for _, a := range actions {
		must.Do(t, ref.Play(a))
	}
	if err := n.Err(); err != nil {
		t.Error(err)
	}
	return story
}

func TestStory(t *testing.T) {
	g := kuhn.Open(2)
	for _, c := range []struct {
		viewer env.Player
		deal   []string
	}{
		{0, []string{"Player 0 is dealt the jack"}},
		{1, []string{"Player 1 is dealt the queen"}},
		{env.Spectator, nil},
	} {
		want := append(c.deal, "Player 0 passes", "Player 1 bets", "Player 0 bets",
			"Player 0 shows the jack", "Player 1 shows the queen", "Player 1 takes the pot: chips +2; player 0 chips -2")
		if got := told(t, g, c.viewer, kuhn.Pass, kuhn.Bet, kuhn.Bet); !slices.Equal(got, want) {
			t.Errorf("viewer %d hears %q, want %q", c.viewer, got, want)
		}
	}
}

// Of a game that goes on from a position a seat that asks late is told what has happened since, and not what the same
// decisions would have been after the set-up.
func TestStoryFromAPosition(t *testing.T) {
	ref := must.Have(referee.NewAt(kuhn.Open(2), 1, map[string]any{"history": []any{"pass"}}))(t)
	must.Do(t, ref.Play(kuhn.Bet))
	if got := ref.View().Story(); !slices.Equal(got, []string{"Player 1 bets"}) {
		t.Errorf("player 0 is told %q", got)
	}
}

// A step of which nobody has noted what changed when is told, and the Narrator says what is wrong with it.
func TestStoryOfAnUncountedStep(t *testing.T) {
	ref := must.Have(referee.New(kuhn.Open(2), 1))(t)
	before := ref.State().Game().New()
	for _, a := range []env.Action{kuhn.Bet, kuhn.Pass} {
		before.CopyFrom(ref.State())
		must.Do(t, ref.Play(a))
	}
	n := must.Have(story.NewNarrator(kuhn.Open(2)))(t)
	n.Tell(&env.Step{Before: before, Action: kuhn.Pass, Events: ref.Events(), After: ref.State()}, 0)
	if err := n.Err(); err == nil || !strings.Contains(err.Error(), "Tape.Count") {
		t.Errorf("the Narrator says %v", err)
	}
}

func TestRecordFollow(t *testing.T) {
	g := kuhn.Open(2)
	ref := must.Have(referee.New(g, 1))(t)
	for _, a := range []env.Action{kuhn.Pass, kuhn.Bet, kuhn.Bet} {
		must.Do(t, ref.Play(a))
	}
	rec := ref.Record([]string{"alice", "bob"})
	n := must.Have(story.NewNarrator(g))(t)
	var story []string
	steps := 0
	err := rec.Follow(g, func(i int, step *env.Step) error {
		if i != steps {
			t.Errorf("step %d comes as %d", steps, i)
		}
		steps++
		for _, s := range n.Tell(step, 0) {
			story = append(story, s.Text)
		}
		return nil
	})
	if err != nil || steps != 4 {
		t.Fatalf("%d steps: %v", steps, err)
	}
	if want := told(t, g, 0, kuhn.Pass, kuhn.Bet, kuhn.Bet); !slices.Equal(story, want) {
		t.Errorf("the record tells %q, the referee %q", story, want)
	}
}

func TestWordsRefused(t *testing.T) {
	const general = "[general]\nplayer = \"p{n}\"\nhidden = \"h\"\nand = \"a\"\n"
	for _, c := range []struct{ text, says string }{
		{"", "is missing"},
		{"[sentence]\na = \"b\"", "x.toml:1: unknown key sentence"},
		{general + "[sentences]\nbet = \"{player\"", "a { without its }"},
		{general + "[sentences]\nbet = \"player}\"", "a } without its {"},
		{general + "[sentences]\nbet = \"{player|one}\"", "{name|one|more}"},
		{general + "[sentences]\nbet = \"" + strings.Repeat("{player|", 300) + "\"", "at most 1000 bytes"},
	} {
		if _, err := story.ReadWords(datafile.File{Name: "x.toml", Bytes: []byte(c.text)}); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add([]byte("[general]\nplayer = \"p{n}\"\nhidden = \"h\"\nand = \"a\"\n[sentences]\nbet = " +
		"\"{player|{player}|{player}} x\""))
	f.Fuzz(func(t *testing.T, b []byte) {
		words, err := story.ReadWords(datafile.File{Name: "x.toml", Bytes: b})
		if err != nil {
			return
		}
		for _, key := range words.Keys() {
			// must not panic
			words.Sentence(&story.Fact{Key: key, Args: story.Args{"card": 1}, Changes: []story.Change{{What: "chips", By: 1}}})
		}
	})
}
