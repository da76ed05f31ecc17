package farm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"earthgym/env/disk"
)

// Merge puts the folders of shards together in a folder, which may hold what was put together before, and gives what
// the command is run on again, which does nothing anew. Folders of other work are refused, and pieces of which two have
// other results; what lacks is no error before the command asks for it (Share.Missing).
func Merge(out, program string, dirs ...string) (_ *Share, err error) {
	into := newShare(out)
	var all []*Share
	for _, dir := range dirs {
		if same(dir, out) {
			return nil, refuse("%s is to be put together in itself", dir)
		}
		if !there(dir) {
			return nil, refuse("%s is no folder of a shard: there is no %s", dir, filepath.Join(folderName, headerFile))
		}
		held, err := disk.Hold(filepath.Join(dir, folderName))
		if err != nil {
			return nil, err
		}
		from, err := read(dir)
		if err = errors.Join(err, held.Close()); err != nil {
			return nil, err
		}
		all = append(all, from)
	}
	into.header = all[0].header
	if into.header.Program != program {
		return nil, refuse("%s was made by %q; this is %q", all[0].dir, into.header.Program, program)
	}
	sources := map[part]*Share{}
	for _, from := range all {
		if err := into.add(from, all[0], sources); err != nil {
			return nil, err
		}
	}
	if into.held, err = disk.Hold(filepath.Join(out, folderName)); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, into.Close()) }()
	if there(out) {
		before, err := read(out)
		if err == nil {
			err = into.add(before, all[0], sources)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := into.copy(sources); err != nil {
		return nil, err
	}
	return into, into.write()
}

// there says whether a folder has shards.
func there(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, folderName, headerFile))
	return !errors.Is(err, fs.ErrNotExist)
}

func same(a, b string) bool {
	one, err := os.Stat(a)
	other, wrong := os.Stat(b)
	return err == nil && wrong == nil && os.SameFile(one, other)
}

// read reads what a folder has that is held.
func read(dir string) (*Share, error) {
	s := newShare(dir)
	h, err := readHeader(dir)
	if err != nil {
		return nil, err
	}
	s.header = *h
	log, err := disk.OpenLog(filepath.Join(dir, folderName, piecesFile), h.chain(), s.take)
	if err != nil {
		return nil, err
	}
	return s, log.Close()
}

// add adds what another share of the same command has.
func (s *Share) add(from, first *Share, sources map[part]*Share) error {
	if what := first.header.differs(&from.header); what != "" {
		return refuse("%s and %s are shards of different work: %s", first.dir, from.dir, what)
	}
	for n, g := range from.grounds {
		if n == len(s.grounds) {
			s.ground(g)
		}
		if mine, theirs := s.grounds[n].differs(g); mine != theirs {
			return refuse("%s was done with other things than %s: %s, and %s", from.dir, first.dir, theirs, mine)
		}
	}
	for _, l := range from.sorted() {
		at := part{l.Piece, l.Part}
		there, twice := s.parts[at]
		if !twice {
			s.parts[at], sources[at] = l, from
		} else if !bytes.Equal(there.Is, l.Is) {
			return refuse("%s and %s have different results of game %d of block %d: %s", sources[at].dir, from.dir, l.Part,
				l.Block, difference(there.Is, l.Is))
		}
	}
	s.header.Shards = union(s.header.Shards, from.header.Shards)
	return nil
}

// difference says in what two results are others, with both values.
func difference(a, b json.RawMessage) string {
	const most = 200
	short := func(text []byte) string {
		if len(text) > most {
			return string(text[:most]) + "…"
		}
		return string(text)
	}
	var one, other map[string]json.RawMessage
	if json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil {
		both := maps.Clone(one)
		maps.Copy(both, other)
		for _, name := range slices.Sorted(maps.Keys(both)) {
			if !bytes.Equal(one[name], other[name]) {
				return fmt.Sprintf("%s is %s, and %s", name, short(one[name]), short(other[name]))
			}
		}
	}
	return fmt.Sprintf("%s, and %s", short(a), short(b))
}

// copy takes over what pieces have left: of each file or folder that of the share that has done most for it, for a
// later piece may go on with what an earlier one has left.
func (s *Share) copy(sources map[part]*Share) error {
	type source struct {
		from *Share
		n    int
	}
	best, count := map[string]source{}, map[string]map[*Share]int{}
	for _, l := range s.sorted() {
		if l.Left == "" {
			continue
		}
		if count[l.Left] == nil {
			count[l.Left] = map[*Share]int{}
		}
		from := sources[part{l.Piece, l.Part}]
		count[l.Left][from]++
		if n := count[l.Left][from]; n > best[l.Left].n {
			best[l.Left] = source{from, n}
		}
	}
	for left, source := range best {
		if source.from.dir == s.dir {
			continue
		}
		if err := copyTree(filepath.Join(source.from.dir, left), filepath.Join(s.dir, left)); err != nil {
			return fmt.Errorf("what a piece has left: %w", err)
		}
	}
	return nil
}

// copyTree copies a file, or a folder with all that is in it but for the lock and what a share has of its own. Nothing
// else is followed.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil || d.Name() == disk.LockFile {
			return err
		}
		target := filepath.Join(to, inside)
		switch {
		case d.IsDir() && d.Name() == folderName:
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return err
		}
		in, err := disk.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		return disk.WriteFile(target, func(w io.Writer) error {
			_, err := io.Copy(w, in)
			return err
		})
	})
}

// sorted are the pieces in the order of the command.
func (s *Share) sorted() []line {
	return slices.SortedFunc(maps.Values(s.parts), func(a, b line) int {
		return cmp.Or(cmp.Compare(a.Series, b.Series), cmp.Compare(a.Block, b.Block), cmp.Compare(a.Piece, b.Piece),
			cmp.Compare(a.Part, b.Part))
	})
}

// write writes all that was put together, the pieces in the order of the command, and the header last.
func (s *Share) write() error {
	chain := s.header.chain()
	name := filepath.Join(s.dir, folderName, piecesFile)
	err := disk.WriteFile(name, func(w io.Writer) error {
		add := func(l line) error {
			text, err := json.Marshal(l)
			if err == nil {
				_, err = w.Write(chain.Seal(append(text, '\n')))
			}
			return err
		}
		for n, g := range s.grounds {
			if err := add(line{Series: n, Ground: g}); err != nil {
				return err
			}
		}
		for _, l := range s.sorted() {
			if err := add(l); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.writeHeader()
}

// Command is what was shared: its words, and the flags that say what is done.
func (s *Share) Command() []string { return s.header.Command }
