package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// A lobby is a Room with its server.
type lobby struct {
	site
	room *Room
	mu   sync.Mutex
	kept []RoomTable
}

func openRoom(t testing.TB, most int) *lobby {
	t.Helper()
	l := &lobby{}
	l.t = t
	lay := func(at RoomTable, goesOn bool) (*Server, func(), error) {
		g, err := games.Open(at.Game)
		if err != nil {
			return nil, nil, err
		}
		if g.Info().Players != len(at.Seats) {
			return nil, nil, errors.New("other seats")
		}
		open := func(text string) (*agents.Maker, error) { return agents.Open(text, g) }
		var seats []table.Seat
		for _, text := range at.Seats {
			if name, ok := strings.CutPrefix(text, table.Person); ok {
				seats = append(seats, table.Seat{Name: strings.TrimPrefix(name, ":")})
				continue
			}
			m, err := open(text)
			if err != nil {
				return nil, nil, err
			}
			seats = append(seats, table.Seat{Agent: m})
		}
		tab, err := table.New(g, 6, seats, table.Options{Names: table.FromOne})
		if err != nil {
			return nil, nil, err
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); _ = tab.Run(ctx) }()
		s := NewServer(tab, Options{Keys: at.Keys, Agents: []string{"random", "script:greedy"}, Open: open})
		return s, func() { cancel(); <-done }, nil
	}
	l.room = NewRoom(RoomOptions{
		Keys: RoomKeys{"guest", "teacher"}, Most: most, Lay: lay,
		Variants: []string{"one-earth", "one-earth:players=2"},
		Save: func(tables []RoomTable, _ int) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.kept = tables
			return nil
		},
	}, nil, func(number int, err error) { t.Errorf("table %d: %v", number, err) })
	l.http = httptest.NewServer(l.room.Handler())
	t.Cleanup(func() {
		l.http.CloseClientConnections()
		l.http.Close()
		l.room.Close()
	})
	return l
}

// wants asks, and says what does not come as wanted; it gives what does.
func (l *lobby) wants(key, method, path, body string, status int, says string) string {
	l.t.Helper()
	got, text := l.ask(method, "/api/"+path, key, body)
	if got != status || !strings.Contains(text, says) {
		l.t.Errorf("%s %s %s by %s: %d %s, want %d %s", method, path, body, key, got, text, status, says)
	}
	return text
}

// sits asks for a seat, and gives its key.
func (l *lobby) sits(path, body string) string {
	l.t.Helper()
	var sits struct{ Key string }
	if err := json.Unmarshal([]byte(l.wants("guest", "POST", path, body, 200, "table.html")), &sits); err != nil {
		l.t.Fatal(err)
	}
	return sits.Key
}

// list is what the list of tables says.
func (l *lobby) list() string {
	l.t.Helper()
	b, err := l.room.list()
	if err != nil {
		l.t.Fatal(err)
	}
	return string(b)
}

const threeSeats = `{"game":"resilience-earth:players=3","name":" Ada  L. ","seats":["","random"]}`

func TestRoom(t *testing.T) {
	l := openRoom(t, 2)
	ada := l.sits("open", threeSeats)
	l.wants("guest", "GET", "lobby", "", 200, `"teacher":false`)
	l.wants("teacher", "GET", "lobby", "", 200, `"teacher":true`)
	for _, says := range []string{`"called":"Ada L."`, `"open":true`, `"name":"random","person":false`, `"number":1`} {
		if text := l.list(); !strings.Contains(text, says) {
			t.Errorf("the list says %s, not %s", text, says)
		}
	}

	// Who may what.
	l.wants("nobody", "GET", "lobby", "", 401, wrongKey)
	l.wants(ada, "GET", "lobby", "", 403, "not the room")
	l.wants("guest", "GET", "table", "", 403, "not a table")
	l.wants(ada, "GET", "table", "", 200, `"room":"guest"`)
	l.wants("guest", "POST", "close", `{"table":1}`, 403, "only the teacher's")
	l.wants("guest", "POST", "free", `{"table":1,"seat":0}`, 403, "only the teacher's")
	l.wants("guest", "POST", "join", `{"table":1,"seat":0}`, 409, "somebody sits there already")
	l.wants("guest", "POST", "join", `{"table":1,"seat":3}`, 400, "seats 0 to 2")
	l.wants("guest", "POST", "join", `{"table":7,"seat":0}`, 404, "no table 7")
	l.wants("guest", "POST", "join", `{"table":1,"seat":1,"name":"`+strings.Repeat("x", 41)+`"}`, 400, "40 letters")
	l.wants("guest", "POST", "open", `{"game":"chess","seats":[]}`, 422, "chess")
	l.wants("guest", "POST", "open", `{"game":"resilience-earth:players=3","seats":[]}`, 422, "seats")
	l.wants("guest", "POST", "open", `{"colour":1}`, 400, "colour")
	l.wants("guest", "GET", "view?table=x", "", 400, "no table")
	l.wants("guest", "GET", "view?table=1", "", 200, "svg")

	// A seat that somebody takes, and leaves.
	ben := l.sits("join", `{"table":1,"seat":1,"name":"Ben"}`)
	events := follow(t, l.http.Client(), l.http.URL, ben, "?seat=1")
	must.Have(events.body.ReadString('\n'))(t)
	l.wants(ben, "POST", "say", `{"say":2}`, 200, "")
	l.wants(ben, "POST", "say", `{"say":2}`, 429, "quick")
	l.wants(ada, "POST", "say", `{"say":99}`, 400, "phrases")
	l.wants(ben, "POST", "begin", `{"game":"x","seats":[]}`, 409, "not over")
	l.wants(ben, "POST", "leave", `{}`, 200, "")
	for line := ""; ; {
		var err error
		if line, err = events.body.ReadString('\n'); err != nil { // The stream has ended with the seat.
			break
		}
		if strings.HasPrefix(line, "data: ") && strings.Contains(line, `"phrase"`) &&
			!strings.Contains(line, Phrases[2]) {
			t.Errorf("what was said comes as %s", line)
		}
	}
	l.wants(ben, "GET", "table", "", 401, wrongKey)
	eve := l.sits("join", `{"table":1,"seat":1,"name":"Eve"}`)
	l.wants(eve, "GET", "table", "", 200, `"seats":[1]`)
	l.wants("teacher", "POST", "free", `{"table":1,"seat":1}`, 200, "")
	l.wants(eve, "GET", "table", "", 401, wrongKey)
	l.sits("join", `{"table":1,"seat":2,"name":"Kim"}`) // takes over from random

	// The table goes on to its end without people, and begins again with who sat there.
	l.sits("open", `{"game":"one-earth:players=1","name":"","seats":[]}`)
	l.wants("guest", "POST", "open", threeSeats, 503, "2 tables")
	for _, p := range []string{"0", "1", "2"} {
		l.room.mu.Lock()
		k := l.room.tables[0].Keys.Seats
		l.room.mu.Unlock()
		if p == "1" {
			k[1] = l.sits("join", `{"table":1,"seat":1}`)
		}
		l.wants(k[slices.Index([]string{"0", "1", "2"}, p)], "POST", "sit", `{"seat":`+p+`,"agent":"random"}`, 200, "")
	}
	l.ended(1)
	must.Come(t, "no game is over", func() bool { return strings.Contains(l.list(), `"over":"`) })
	l.wants(ada, "POST", "begin", `{"game":"x","seats":[]}`, 200, "table.html")
	l.ended(1)
	// The oldest one that is over makes room, for a game that there is.
	l.wants("guest", "POST", "open", `{"game":"chess","seats":[]}`, 422, "chess")
	l.wants("guest", "GET", "view?table=1", "", 200, "svg")
	l.sits("open", threeSeats)
	if text := l.list(); strings.Contains(text, `"number":1,`) || !strings.Contains(text, `"number":3,`) {
		t.Errorf("the list says %s", text)
	}
	// So does one whose people have gone, but not at once, and not while one of them is there.
	full := func(status int, says string) {
		t.Helper()
		l.wants("guest", "POST", "open", threeSeats, status, says)
	}
	full(503, "2 tables")
	l.room.mu.Lock()
	two := l.room.find(2)
	two.since = time.Now().Add(-2 * abandoned)
	key := two.Keys.Seats[0]
	l.room.mu.Unlock()
	there := follow(t, l.http.Client(), l.http.URL, key, "?seat=0")
	full(503, "2 tables")
	must.Do(t, there.stop())
	must.Come(t, "who has gone still follows", func() bool { return !two.server.followed() })
	full(200, "table.html")
	l.wants("teacher", "POST", "close", `{"table":3}`, 200, "")
	l.wants("guest", "GET", "view?table=3", "", 404, "no table 3")
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) != 1 || l.kept[0].Number != 4 || l.kept[0].Keys.Host != "" {
		t.Errorf("%+v is kept", l.kept)
	}
	if err := CheckRoom(RoomKeys{"a", "b"}, l.kept, 4); err != nil {
		t.Error(err)
	}
	// Whoever could not be given a link holds no seat.
	l.room.mu.Lock()
	save := l.room.o.Save
	l.room.o.Save = func([]RoomTable, int) error { return errors.New("the disk is full") }
	l.room.mu.Unlock()
	l.wants("guest", "POST", "open", threeSeats, 422, "the disk is full")
	l.wants("guest", "POST", "join", `{"table":4,"seat":1}`, 422, "the disk is full")
	// What is done all the same says so.
	l.wants("teacher", "POST", "free", `{"table":4,"seat":0}`, 422, "this is done, but the room can't be saved: the disk")
	l.room.mu.Lock()
	l.room.o.Save = save
	if len(l.room.tables) != 1 || l.room.tables[0].Taken[1] {
		t.Errorf("there are tables %+v", l.room.tables)
	}
	l.room.mu.Unlock()
}

// ended waits until the game at a table is over.
func (l *lobby) ended(number int) {
	l.t.Helper()
	for {
		l.room.mu.Lock()
		tab := l.room.find(number).server.table
		l.room.mu.Unlock()
		next := tab.Changed()
		if _, err := tab.Record(); err == nil {
			return
		}
		<-next
	}
}

// What an agent holds in secret is for nobody who may play another seat.
func TestRoomKeepsSecrets(t *testing.T) {
	l := openRoom(t, 1)
	l.sits("open", `{"game":"new-earth:players=2","seats":["random"]}`)
	tab := l.room.tables[0].server.table
	for !tab.Private(1) {
		next := tab.Changed()
		now := must.Have(tab.Look(0))(t)
		if now.Result != nil {
			t.Fatal("there are no secrets in the whole game")
		}
		if !now.Deciding {
			<-next
			continue
		}
		must.Do(t, tab.Play(0, now.Step, now.Choices[0].Action))
	}
	l.wants("guest", "POST", "join", `{"table":1,"seat":1}`, 403, "holds in secret")
}

func TestCheckRoom(t *testing.T) {
	keys := RoomKeys{"a", "b"}
	fine := RoomTable{Number: 1, Games: 1, Seats: []string{"human"}, Keys: Keys{Seats: []string{"k"}, Watch: "w"},
		Taken: []bool{true}}
	with := func(change func(*RoomTable)) []RoomTable {
		bad := fine
		change(&bad)
		return []RoomTable{bad}
	}
	for name, test := range map[string]struct {
		keys   RoomKeys
		tables []RoomTable
	}{
		"no keys":    {RoomKeys{}, nil},
		"one key":    {RoomKeys{"a", "a"}, nil},
		"number 0":   {keys, with(func(t *RoomTable) { t.Number = 0 })},
		"number 2":   {keys, with(func(t *RoomTable) { t.Number = 2 })},
		"no seats":   {keys, with(func(t *RoomTable) { t.Taken = nil })},
		"no key":     {keys, with(func(t *RoomTable) { t.Keys.Seats = []string{""} })},
		"no watch":   {keys, with(func(t *RoomTable) { t.Keys.Watch = "" })},
		"two of one": {keys, []RoomTable{fine, fine}},
	} {
		if err := CheckRoom(test.keys, test.tables, 1); err == nil {
			t.Errorf("%s: nothing is wrong", name)
		}
	}
	if err := CheckRoom(keys, []RoomTable{fine}, 1); err != nil {
		t.Error(err)
	}
}

// roomMeasure lists what is wrong with the page of a room as it lies.
const roomMeasure = `(() => {
	const faults = [], seen = (e) => e.getClientRects().length > 0;
	if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is " + document.documentElement.scrollWidth + " wide");
	for (const e of document.querySelectorAll("button, input, select, h2, h3, li span, p")) {
		if (!seen(e)) continue;
		const r = e.getBoundingClientRect();
		if (r.right > innerWidth + 1 || r.left < -1) faults.push("sticks out: " + e.outerHTML.slice(0, 80));
		if (parseFloat(getComputedStyle(e).fontSize) < 11) faults.push("small: " + e.outerHTML.slice(0, 80));
		if (e.nodeName === "BUTTON" && e.scrollWidth > e.clientWidth + 1) faults.push("is cut off: " + e.outerHTML.slice(0, 80));
	}
	return faults.slice(0, 8);
})()`

// storeless is a browser that keeps nothing.
const storeless = `for (const name of ["localStorage", "sessionStorage"])
	Object.defineProperty(window, name, { get() { throw new DOMException("refused", "SecurityError"); } })`

func TestRoomPage(t *testing.T) {
	ctx := browser(t)
	l := openRoom(t, 9)
	for _, at := range []string{"new-earth:players=2", "earthmans-burden:players=6,collab=on,territory=on,prelude=on"} {
		g := must.Have(games.Open(at))(t)
		others := strings.Repeat(`,"random"`, g.Info().Players-1)[1:]
		l.sits("open", fmt.Sprintf(`{"game":%q,"name":"Somebody with a name as long as it gets","seats":[%s]}`, at, others))
	}
	w := newWindow(t, ctx, &l.site, 0, 1280, 720)
	w.do(chromedp.Navigate(l.http.URL + "/#teacher"))
	w.until(`document.querySelectorAll("#list > li").length === 2`)
	eval[bool](w, `(document.querySelector("#boards").click(), true)`)
	w.until(`document.querySelectorAll("#list .small svg").length === 2`)
	if text := eval[string](w, `document.querySelector("#list").textContent`); strings.Contains(text, "seat 0") {
		t.Errorf("boards of the room count seats from 0: %s", text)
	}
	eval[bool](w, `(document.querySelector("#invite").click(), true)`)
	w.until(`document.querySelector("#invited .qr svg path") && document.querySelector("#invited input").value.endsWith("#guest")`)
	w.axe("room")
	for _, screen := range screens {
		w.do(chromedp.EmulateViewport(screen.width, screen.height))
		for _, fault := range eval[[]string](w, roomMeasure) {
			t.Errorf("%s: %s", screen.name, fault)
		}
		w.keep("room " + screen.name)
	}
	// A guest opens a table, plays, speaks, leaves, and is back in the room; so does one whose browser keeps nothing.
	for n, source := range []string{"", storeless} {
		w.begins(source)
		w.do(chromedp.EmulateViewport(390, 844), chromedp.Navigate("about:blank"), chromedp.Navigate(l.http.URL+"/#guest"))
		w.until(`document.querySelector("#game option")`)
		eval[bool](w, `(document.querySelector("#name").value = "Ada", document.querySelector("#game").value = "one-earth", `+
			`document.querySelector("#game").dispatchEvent(new Event("change")), `+
			`document.querySelector("#others").value = "level:1", document.querySelector("#opening button").click(), true)`)
		w.until(`location.pathname === "/table.html" && document.querySelector("#choices button")`)
		eval[bool](w, `(document.querySelector("#people").click(), document.querySelector("#links .phrases button").click(), true)`)
		w.until(`document.querySelector("#toast").textContent.includes("Hello!")`)
		if wide := eval[int](w, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("the table is %d wide on a phone", wide)
		}
		w.keep("room table phone")
		eval[bool](w, `(document.querySelector("#people").click(), document.querySelector("#leave").click(), true)`)
		w.until(`location.pathname === "/" && document.querySelector("#list li button")`)
		if text := l.list(); !strings.Contains(text, fmt.Sprintf(`"number":%d`, 3+n)) || strings.Contains(text, "Ada") {
			t.Errorf("after she has left, the list says %s", text)
		}
		if eval[bool](w, `document.querySelector("#list").textContent.includes("Back to your seat")`) {
			t.Error("the room leads back to a seat that has been left")
		}
	}
}

// A code of version 1 to 40 has 17 + 4 times that modules a side, and its first corner is a dark frame.
func TestQR(t *testing.T) {
	svg, err := picture("http://192.168.1.17:8080/#ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if err != nil || !strings.Contains(svg, `viewBox="0 0 41 41"`) || !strings.Contains(svg, "M4 4h1v1h-1zM5 4h1") ||
		strings.Contains(svg, "M5 5h1v1h-1z") {
		t.Errorf("%.200s … %v", svg, err)
	}
	l := openRoom(t, 1)
	l.wants("nobody", "POST", "qr", `{"link":"x"}`, 401, wrongKey)
	l.wants("guest", "POST", "qr", `{"link":"x"}`, 200, "svg")
	l.wants("guest", "POST", "qr", `{"text":"x"}`, 400, "text")
	l.wants("guest", "POST", "qr", `{"link":"`+strings.Repeat("x", 3000)+`"}`, 422, "can't be drawn")
}

// BenchmarkRoom is how long the four people of one table of fifty wait until they see a decision there, while all
// tables are played at, and what memory the room takes.
func BenchmarkRoom(b *testing.B) {
	const tables, people = 50, 4
	l := openRoom(b, tables)
	var keys [tables][people]string
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range tables {
		keys[i][0] = l.sits("open", `{"game":"one-earth:players=4","seats":["","",""]}`)
		for p := 1; p < people; p++ {
			keys[i][p] = l.sits("join", fmt.Sprintf(`{"table":%d,"seat":%d}`, i+1, p))
		}
	}
	heard := make(chan time.Time, tables*people)
	for i := range tables {
		for p := range people {
			f := follow(b, l.http.Client(), l.http.URL, keys[i][p], fmt.Sprintf("?seat=%d", p))
			go func() {
				for {
					line, err := f.body.ReadString('\n')
					if err != nil {
						return
					}
					if strings.HasPrefix(line, "data: ") && i == 0 {
						select {
						case heard <- time.Now():
						default:
						}
					}
				}
			}()
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	play := func(i int) {
		l.room.mu.Lock()
		tab := l.room.tables[i].server.table
		l.room.mu.Unlock()
		for p := range env.Player(people) {
			now, err := tab.Look(p)
			if err != nil {
				b.Error(err)
				return
			}
			if now.Deciding {
				if err := tab.Play(p, now.Step, now.Choices[0].Action); err != nil {
					b.Error(err)
				}
				return
			}
		}
	}
	var times []time.Duration
	for b.Loop() {
		for i := 1; i < tables; i++ {
			play(i)
		}
		for len(heard) > 0 {
			<-heard
		}
		begun := time.Now()
		play(0)
		for range people {
			select {
			case at := <-heard:
				times = append(times, at.Sub(begun))
			case <-time.After(10 * time.Second):
				b.Fatal("nobody is told")
			}
		}
	}
	report(b, "told", shownMark, times)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB")
}

// Whatever size somebody chooses on a cover, there is such a game.
func TestCovers(t *testing.T) {
	for _, c := range Covers() {
		found := false
		for _, size := range c.Sizes {
			g, err := games.Open(size.Game)
			if err != nil {
				t.Errorf("%s with %d: %v", c.Game, size.Seats, err)
				continue
			}
			if n := g.Info().Players; n != size.Seats || g.Info().Name != c.Game {
				t.Errorf("%s has %d seats, not %d", size.Game, n, size.Seats)
			}
			found = found || size.Seats == c.Size
		}
		if !found {
			t.Errorf("%s has no size %d", c.Game, c.Size)
		}
	}
	for game, want := range map[string]string{"earthmans-burden": "more than 30, or leads by more than 10.",
		"earthmans-burden:points=10,lead=3": "more than 10, or leads by more than 3.",
		"earth-rising":                      "a win has 100 or more"} { // and the years left
		g := must.Have(games.Open(game))(t)
		if text, points, _ := aim(g.Info()); !strings.Contains(text+points, want) {
			t.Errorf("%s: the page says %q and %q", game, text, points)
		}
	}
}
