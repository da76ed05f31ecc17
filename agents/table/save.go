package table

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"earthgym/env"
	"earthgym/env/disk"
)

// keep saves, and tells everybody if that fails: the game goes on. The file's name may hold the seed, so it is not
// told.
func (t *Table) keep() {
	err := t.Save()
	text := ""
	if err != nil {
		text = "the game is not saved: its file can't be written"
		if reason := syscall.Errno(0); errors.As(err, &reason) {
			text += " (" + reason.Error() + ")"
		} else if errors.Is(err, errForeign) {
			text = "the game is not saved: its file " + errForeign.Error()
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if text != t.unsaved {
		if t.unsaved = text; err != nil && t.o.Failed != nil {
			t.o.Failed(err)
		}
		t.notify()
	}
}

// LimitMeta is where the header of a saved game says how long people may take for a decision.
const LimitMeta = "limit"

// errForeign is why a file is left alone in which another program has saved the same game.
var errForeign = errors.New("was written by another program")

// same says whether a file is as it was found or left, and not one in its place.
func same(now, before os.FileInfo) bool {
	return before != nil && os.SameFile(now, before) && now.ModTime().Equal(before.ModTime())
}

// Save writes the record, unless the file has it already. While the game is played its seed is secret, so that nobody
// else on this machine may read the file: a program in a seat that runs as another user, say. Of a game that is over it
// is a record like any other.
func (t *Table) Save() error {
	if t.o.File == "" && t.o.Saved == nil {
		return nil
	}
	t.saving.Lock()
	defer t.saving.Unlock()
	t.mu.Lock()
	edition, rec := t.edition, t.ref.Record(t.names())
	if t.o.Limit > 0 {
		rec.Header.Meta = map[string]string{LimitMeta: t.o.Limit.String()}
	}
	write := disk.WriteSecret
	if t.ref.Actor() == env.Over {
		write = disk.WriteFile
	}
	t.lastSave = time.Now()
	t.mu.Unlock()
	if edition == t.saved {
		return nil
	}
	if t.o.File != "" {
		if now, err := os.Stat(t.o.File); err == nil && !same(now, t.file) {
			return fmt.Errorf("%s %w since: the game goes on there", t.o.File, errForeign)
		}
		if err := write(t.o.File, rec.Write); err != nil {
			return err
		}
		t.file, _ = os.Stat(t.o.File)
	}
	if t.o.Saved != nil {
		t.o.Saved(rec)
	}
	t.saved = edition
	return nil
}

func (t *Table) names() []string {
	var names []string
	for _, s := range t.seats {
		names = append(names, s.name())
	}
	return names
}
