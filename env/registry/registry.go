package registry

import (
	"fmt"
	"strings"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/spelling"
)

// A Registry is a list of rulebooks, from which games are opened by their text.
type Registry []*Rulebook

// Names are the names of the rulebooks, in order.
func (s Registry) Names() []string {
	names := make([]string, len(s))
	for i, rb := range s {
		names[i] = rb.Name
	}
	return names
}

// Find is the rulebook of a name. An unknown name is an error with the near miss and all names.
func (s Registry) Find(name string) (*Rulebook, error) {
	for _, rb := range s {
		if rb.Name == name {
			return rb, nil
		}
	}
	return nil, fmt.Errorf("unknown game %q: %s", name, spelling.Suggest(name, s.Names()))
}

// misspelt is the text of a game that somebody meant who did not put a colon after its name, as in
// "one-earth,players=3" and "one-earth players=3"; "" if there is none.
func (s Registry) misspelt(text string) string {
	at := strings.IndexAny(text, ", ")
	if at < 0 {
		return ""
	}
	if _, err := s.Find(text[:at]); err != nil {
		return ""
	}
	return text[:at] + ":" + strings.Join(strings.FieldsFunc(text[at:], func(r rune) bool { return r == ',' || r == ' ' }),
		",")
}

// Open makes the Game of a text, "name" or "name:option=value,…". Of the data files it takes the one
// whose first key names the game; the others must be for other games of the registry, and no game may
// have two.
func (s Registry) Open(text string, data ...datafile.File) (env.Game, error) {
	name, options, _ := strings.Cut(text, ":")
	rb, err := s.Find(name)
	if meant := s.misspelt(text); err != nil && meant != "" {
		return nil, fmt.Errorf("unknown game %q: did you mean %q? options follow a colon, joined by commas", text, meant)
	}
	if err != nil {
		return nil, err
	}
	own, err := s.dataOf(name, data)
	if err != nil {
		return nil, err
	}
	return rb.Open(options, own)
}

// dataOf is the data file of one game, empty if there is none. All are checked.
func (s Registry) dataOf(name string, data []datafile.File) (own datafile.File, err error) {
	files := map[string]string{}
	for _, d := range data {
		game, err := d.Game()
		if err != nil {
			return datafile.File{}, err
		}
		if _, err := s.Find(game); err != nil {
			return datafile.File{}, fmt.Errorf("%s: %w", d.Name, err)
		}
		if other, ok := files[game]; ok {
			return datafile.File{}, fmt.Errorf("%s and %s are both component data of %s: give one of them", other, d.Name, game)
		}
		files[game] = d.Name
		if game == name {
			own = d
		}
	}
	return own, nil
}

// ReadData reads data files and checks that each is for a game of the registry, and no two for the same.
func (s Registry) ReadData(files []string) ([]datafile.File, error) {
	var data []datafile.File
	for _, file := range files {
		d, _, err := datafile.Read(file)
		if err != nil {
			return nil, err
		}
		data = append(data, d)
	}
	_, err := s.dataOf("", data)
	return data, err
}
