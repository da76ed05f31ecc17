package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"earthgym/cmd/earthgym/web"
	"earthgym/env/decode"
	"earthgym/env/disk"
	"earthgym/env/spelling"
	"earthgym/games"
)

type hostOptions struct {
	out   string
	most  int
	limit time.Duration
	web   webOptions
}

// mostTables bounds what one room is asked to hold.
const mostTables = 1000

func newHost() *cobra.Command {
	o := hostOptions{web: webOptions{web: true}}
	cmd := &cobra.Command{
		Use:   "host",
		Short: "Open a room with many tables for people in browsers",
		Long: `Open a room: a page behind one link, on which people open tables, sit down at them under a name, look on,
leave, take over a seat that is free or that an agent plays, and play again with those who are there. A
second link, the teacher's, also frees seats and closes tables. --listen lets other machines reach it:
a link is then only as secret as the way it takes, so give a certificate (--tls-cert, --tls-key), or put a
proxy with one before it.

What a guest may ask for is bounded: agents that come with the program, --tables at a time (of those that
are over the oldest goes, then one whose people have all gone), twelve phrases to say in place of free talk.

Games are saved in --out after every decision, and so are seats and links: the same command goes on with
all of them.`,
		Example: `  earthgym host
  earthgym host --listen 0.0.0.0:8080 --limit 2m --out class`,
		Args: wordsAllowed(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runHost(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "room", "`FOLDER` that games, seats and links are saved in")
	f.IntVar(&o.most, "tables", 64, "tables at a time")
	f.DurationVar(&o.limit, "limit", 0, "how long a person may take for a decision, such as 2m; then level:3 decides")
	o.web.addServing(cmd, "")
	return cmd
}

// room is what is kept of a room beside its games.
type room struct {
	Address string          `json:"address"`
	Keys    web.RoomKeys    `json:"keys"`
	Tables  []web.RoomTable `json:"tables"`
	Last    int             `json:"last"` // number of the table that was opened last
}

const (
	roomFile = "room.json"
	// maxRoomFile bounds it: a table has six seats at most, and some hundred bytes for each.
	maxRoomFile = mostTables << 12
)

// readRoom reads what is kept of a room; without the file, it is a new one.
func readRoom(name string) (*room, error) {
	b, err := disk.ReadFile(name, maxRoomFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &room{Keys: web.RoomKeys{Guest: web.NewKey(), Teacher: web.NewKey()}}, nil
	}
	if err != nil {
		return nil, err
	}
	r := &room{}
	if err = decode.JSON(b, r); err == nil {
		err = web.CheckRoom(r.Keys, r.Tables, r.Last)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; without the file, the room begins anew", name, err)
	}
	return r, nil
}

func runHost(ctx context.Context, w, stderr io.Writer, o hostOptions) (err error) {
	if err := o.web.check(); err != nil {
		return err
	}
	if o.most < 1 || o.most > mostTables {
		return usagef("--tables %d: a room has 1 to %d", o.most, mostTables)
	}
	if o.limit < 0 {
		return usagef("--limit %v: it is a time such as 90s or 2m", o.limit)
	}
	folder, err := disk.Hold(o.out)
	if err != nil {
		return fmt.Errorf("--out %s: %w", o.out, err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	file := filepath.Join(o.out, roomFile)
	kept, err := readRoom(file)
	if err != nil {
		return err
	}
	at, err := o.web.listenAt(ctx, kept.Address)
	if err != nil {
		return err
	}
	defer at.Close()
	kept.Address = at.Addr().String()
	if err := web.WriteKept(file, kept); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h := &hosting{ctx: ctx, o: o, stderr: stderr, hosts: at.hosts}
	hosted := web.NewRoom(web.RoomOptions{
		Keys: kept.Keys, Hosts: h.hosts, Most: o.most, Variants: allVariants(), Lay: h.lay, Last: kept.Last,
		Save: func(tables []web.RoomTable, last int) error {
			kept.Tables, kept.Last = tables, last
			err := web.WriteKept(file, kept)
			if err != nil { // Guests hear nothing of this machine's folders.
				fmt.Fprintln(stderr, spelling.Printable(err.Error()))
				err = errors.New("tell the host")
			}
			return err
		},
	}, kept.Tables, func(number int, err error) {
		fmt.Fprintf(stderr, "table %d can't go on: %s\n", number, spelling.Printable(err.Error()))
	})
	defer hosted.Close()
	teacher := at.link("", kept.Keys.Teacher)
	fmt.Fprintf(w, "the room:      %s\nthe teacher's: %s\n", at.link("", kept.Keys.Guest), teacher)
	at.warn(w)
	fmt.Fprintf(w, "Games are saved in %s; Ctrl-C ends, and the same command goes on.\n", o.out)
	defer o.web.open(w, teacher)()
	return web.Serve(ctx, at, hosted.Handler())
}

// allVariants are the games that guests are shown when they begin one.
func allVariants() (texts []string) {
	for _, rb := range games.All() {
		texts = append(texts, rb.Name)
		texts = append(texts, rb.Variants...)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// hosting lays the tables of a room.
type hosting struct {
	ctx    context.Context
	o      hostOptions
	stderr io.Writer
	hosts  []string
}

func (h *hosting) lay(t web.RoomTable, goesOn bool) (*web.Server, func(), error) {
	file := filepath.Join(h.o.out, fmt.Sprintf("table-%d-%d.jsonl", t.Number, t.Games))
	o := playOptions{
		seed: secretSeed(), limit: h.o.limit, out: file, web: h.o.web,
		failed: func(err error) {
			fmt.Fprintf(h.stderr, "table %d: %s\n", t.Number, spelling.Printable(err.Error()))
		},
	}
	args := append([]string{t.Game}, t.Seats...)
	if goesOn {
		args = nil
	}
	for _, text := range t.Seats {
		if !isPerson(text) && !comesWith(text) {
			return nil, nil, fmt.Errorf("%s can't be seated from a page", spelling.Printable(text))
		}
	}
	if !goesOn {
		// A table's next game has a file already where the room could not be saved after it began: it goes on.
		if _, err := os.Lstat(file); err == nil && t.Games == 1 {
			o.failed(fmt.Errorf("%s exists", file)) // left by a room that has lost its file
			return nil, nil, errors.New("the game can't be saved: tell the host")
		}
		if g, err := games.Open(t.Game); err != nil {
			return nil, nil, err
		} else if n := g.Info().Players; n != len(t.Seats) {
			return nil, nil, fmt.Errorf("%s has %s, not %d", g.Info().Short, spelling.Counted(n, "seat"), len(t.Seats))
		}
	}
	l, err := layTable(args, o)
	if _, ok := errors.AsType[*fs.PathError](err); ok && !goesOn { // Guests hear nothing of this machine's folders.
		o.failed(err)
		return nil, nil, errors.New("the game can't be saved: tell the host")
	}
	if err != nil {
		return nil, nil, err
	}
	if l.game.Info().Players != len(t.Seats) {
		return nil, nil, fmt.Errorf("%s has %d seats, not %d", file, l.game.Info().Players, len(t.Seats))
	}
	const streams = 200 // of one link
	s, stop, err := l.run(h.ctx, web.Options{Keys: t.Keys, Hosts: h.hosts, MaxStreams: streams})
	return s, func() {
		if err := stop(); err != nil {
			o.failed(fmt.Errorf("what was played is not saved: %w", err))
		}
	}, err
}
