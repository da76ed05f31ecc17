package table

import (
	"time"

	"earthgym/env/disk"
)

// keep saves, and tells everybody if that fails: the game goes on.
func (t *Table) keep() {
	err := t.save()
	text := ""
	if err != nil {
		text = "the game is not saved: " + err.Error()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if text != t.unsaved {
		t.unsaved = text
		t.notify()
	}
}

// save writes the record, unless the file has it already.
func (t *Table) save() error {
	if t.o.File == "" && t.o.Saved == nil {
		return nil
	}
	t.saving.Lock()
	defer t.saving.Unlock()
	t.mu.Lock()
	edition, rec := t.edition, t.ref.Record(t.names())
	t.lastSave = time.Now()
	t.mu.Unlock()
	if edition == t.saved {
		return nil
	}
	if t.o.File != "" {
		if err := disk.WriteFile(t.o.File, rec.Write); err != nil {
			return err
		}
	}
	if t.o.Saved != nil {
		t.o.Saved(rec)
	}
	t.saved = edition
	return nil
}

// names are those of the seats, as records have them.
func (t *Table) names() []string {
	var names []string
	for _, s := range t.seats {
		names = append(names, s.name())
	}
	return names
}
