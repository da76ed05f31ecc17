package datafile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"earthgym/env/datafile"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
)

type box struct {
	Game  string         `toml:"game"`
	Cards []card         `toml:"cards"`
	Track []int          `toml:"track"`
	Cost  map[string]int `toml:"cost"`
	Board board          `toml:"board"`
}

type card struct {
	Name string `toml:"name"`
	Cost int    `toml:"cost"`
}

type board struct {
	Size  int   `toml:"size"`
	Start place `toml:"start"`
}

type place struct {
	X int `toml:"x"`
	Y int `toml:"y"`
}

const boxData = `# the box
game = "box"
track = [1,
  2,
  3]
cost.wood = 1

[board]
size = 4
start = { x = 1,
  y = 2 }

[[cards]]
name = "a"
cost = 1

[[cards]]
name = "b"
cost = 2
`

func TestDecode(t *testing.T) {
	var b box
	lines := must.Have(datafile.File{Name: "box.toml", Bytes: []byte(boxData)}.Decode(&b))(t)
	if len(b.Cards) != 2 || b.Cards[1].Cost != 2 || b.Board.Start.Y != 2 || b.Cost["wood"] != 1 {
		t.Errorf("decoded %+v", b)
	}
	for path, want := range map[string]string{
		"game":           "box.toml:2: bad",
		"track":          "box.toml:3: bad",
		"track.1":        "box.toml:4: bad",
		"track.9":        "box.toml:3: bad", // the nearest there is
		"cost.wood":      "box.toml:6: bad",
		"board":          "box.toml:8: bad",
		"board.size":     "box.toml:9: bad",
		"board.start":    "box.toml:10: bad",
		"board.start.x":  "box.toml:10: bad",
		"board.start.y":  "box.toml:11: bad",
		"cards.0":        "box.toml:13: bad",
		"cards.0.cost":   "box.toml:15: bad",
		"cards.1":        "box.toml:17: bad",
		"cards.1.name":   "box.toml:18: bad",
		"cards.1.colour": "box.toml:17: bad",
		"nowhere":        "box.toml: bad",
		"":               "box.toml: bad",
	} {
		if got := lines.Errorf(path, "bad").Error(); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"size = 4", "sise = 4", "box.toml:9: unknown key board.sise"},
		{"  y = 2 }", "  z = 2 }", "box.toml:11: unknown key board.start.z"},
		{"name = \"b\"", "nane = \"b\"", "box.toml:18: unknown key cards.1.nane"},
		{"size = 4\n", "", "box.toml:8: board.size is missing"},
		{",\n  y = 2", "", "box.toml:10: board.start.y is missing"},
		{"name = \"b\"\n", "", "box.toml:17: cards.1.name is missing"},
		{"cost.wood = 1\n", "", "box.toml: cost is missing"},
		{"size = 4", "size = \"4\"", "box.toml:9: "},
		{"  2,", "  \"2\",", "box.toml:4: "},
		{"name = \"b\"\ncost = 2", "name = \"b\"\ncost = 2.5", "box.toml:19: "},
		{"size = 4", "size = ", "box.toml:9: "},
		{"size = 4", "size = 4\nsize = 5", "box.toml:10: "},
		{"size = 4", "size = 99999999999999999999", "box.toml:9: "},
		{"size = 4", "size = 4\ngröße = 5", "box.toml:10: "},
		{"size = 4", "size = 4\nü = 5", "box.toml:10: a key has plain letters, and the file is UTF-8"},
		{"# the box", "\xff\xfe#\x00", "box.toml:1: a key has plain letters, and the file is UTF-8"},
	} {
		if !strings.Contains(boxData, tt.old) {
			t.Fatalf("no %q in the data", tt.old)
		}
		var b box
		_, err := datafile.File{Name: "box.toml", Bytes: []byte(strings.Replace(boxData, tt.old, tt.new, 1))}.Decode(&b)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q: got %v, want %s", tt.new, tt.old, err, tt.want)
		}
	}
}

func TestReadDataFile(t *testing.T) {
	for _, tt := range []struct{ content, game, want string }{
		{boxData, "box", ""},
		{"\ufeff" + boxData, "box", ""}, // as some editors begin a file
		{"game = 'go'", "go", ""},
		{"size = 4\ngame = \"box\"\n", "", "the first key must say whose data these are"},
		{"[game]\n", "", "the first key must say whose data these are"},
		{"game = 4\n", "", "the first key must say whose data these are"},
		{"", "", "the first key must say whose data these are"},
		{"game = \"box\n", "", "x.toml:1: "},
	} {
		file := filepath.Join(t.TempDir(), "x.toml")
		must.Do(t, os.WriteFile(file, []byte(tt.content), 0o644))
		d, game, err := datafile.Read(file)
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: got %v, want %q", tt.content, err, tt.want)
			}
		} else if err != nil || game != tt.game || d.Name != file || string(d.Bytes) != tt.content {
			t.Errorf("%q: game %q, %v", tt.content, game, err)
		}
	}
	var marked, plain box
	_, err := datafile.File{Name: "box.toml", Bytes: []byte("\ufeff" + boxData)}.Decode(&marked)
	_, _ = datafile.File{Name: "box.toml", Bytes: []byte(boxData)}.Decode(&plain)
	if err != nil || fmt.Sprint(marked) != fmt.Sprint(plain) {
		t.Errorf("with a byte order mark: %v, %v, not %v", err, marked, plain)
	}
	file := filepath.Join(t.TempDir(), "big.toml")
	must.Do(t, os.WriteFile(file, make([]byte, 5<<20), 0o644))
	if _, _, err := datafile.Read(file); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a huge file: %v", err)
	}
}

// Files that are made to cost time with the square of their length are refused at once.
func TestDecodeBounds(t *testing.T) {
	envtest.NothingToRace(t)
	const head = "game = \"box\"\n"
	fill := func(before, text, after string) string {
		return head + before + strings.Repeat(text, (datafile.MaxSize-len(head)-len(before)-len(after))/len(text)) + after
	}
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return head + b.String()
	}
	for _, tt := range []struct{ what, data, want string }{
		{"dotted key", fill("", "a.", "a = 1\n"),
			`box.toml:2: the key "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a."… is longer than 200 bytes`},
		{"dotted table", fill("[", "a.", "a]\n"), "box.toml:2: the key "},
		{"dotted key in a list", fill("[[cards]]\ncost = 1\n", "a.", "a = 1\n"), `box.toml:4: the key "cards.0.a`},
		{"dotted key of an inline table", fill("a = {", "a.", "a = 1}\n"), "box.toml:2: the key "},
		{"long key", fill("", "a", " = 1\n"), "box.toml:2: the key "},
		{"key of line ends", fill(`"`, `\n`, `" = 1`), `box.toml:2: the key "\n\n`},
		{"keys of one table", numbered("a%d = 1\n", 1001), "box.toml:1001: more than 1000 keys in one table"},
		{"keys of one dotted table", numbered("cost.a%d = 1\n", 1001), "box.toml:1002: more than 1000 keys in one table"},
		{"tables", numbered("[a%d]\n", 1001), "box.toml:1001: more than 1000 keys in one table"},
		{"lists of tables", fill("", "[[cards]]\n[cards.a]\n[[cards.a.b]]\n", ""), "more than 50000 keys and values"},
		{"numbers", fill("track = [", "1,", "]\n"), "box.toml:2: more than 50000 keys and values"},
		{"lists in lists", head + "a = " + strings.Repeat("[", 200) + strings.Repeat("]", 200),
			`box.toml:2: the lists in "a.0.0`},
		{"deep lists", fill("a = ", "[", ""), "box.toml:2: arrays and inline tables are nested"},
		{"deep tables", fill("a = ", "{a=", ""), "box.toml:2: arrays and inline tables are nested"},
		{"too large", fill("", "#", "") + "#", "box.toml: component data are at most 4194304 bytes"},
	} {
		var b box
		_, err := datafile.File{Name: "box.toml", Bytes: []byte(tt.data)}.Decode(&b)
		if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 200 ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %.300v, want %q", tt.what, err, tt.want)
		}
	}
	if _, err := (datafile.File{Name: "box.toml", Bytes: []byte("game = \"" + strings.Repeat("x", 1<<20) + "\"\n")}).
		Game(); err == nil || len(err.Error()) > 200 {
		t.Errorf("a name of 1 MiB: %.300v", err)
	}
	// What is just within the bounds is read: a thousand prices, and as many cards as a large box may have.
	data := strings.Replace(boxData, "cost.wood = 1\n", strings.TrimPrefix(numbered("cost.a%d = 1\n", 1000), head), 1) +
		strings.Repeat("[[cards]]\nname = \"c\"\ncost = 3\n", 10_000)
	var b box
	if _, err := (datafile.File{Name: "box.toml", Bytes: []byte(data)}).Decode(&b); err != nil || len(b.Cost) != 1000 ||
		len(b.Cards) != 10_002 {
		t.Errorf("%d prices, %d cards, %v", len(b.Cost), len(b.Cards), err)
	}
}

func TestDataHash(t *testing.T) {
	hash := func(old, new string) string {
		var b box
		if _, err := (datafile.File{Name: "box.toml", Bytes: []byte(strings.Replace(boxData, old, new, 1))}).
			Decode(&b); err != nil {
			t.Fatal(err)
		}
		return datafile.Hash(b)
	}
	if len(hash("", "")) != 16 || hash("", "") != hash("# the box\n", "# another comment\n\n") {
		t.Error("a comment changes the hash of the data")
	}
	if hash("", "") == hash("size = 4", "size = 5") {
		t.Error("a number does not change the hash of the data")
	}
}

// A large file takes no longer for each line than a small one.
func BenchmarkDecode(b *testing.B) {
	for _, cards := range []int{100, 10000} {
		data := []byte("game = \"box\"\ntrack = []\ncost = {}\nboard = { size = 1, start = { x = 1, y = 1 } }\n" +
			strings.Repeat("[[cards]]\nname = \"a\"\ncost = 1\n", cards))
		b.Run(strconv.Itoa(cards), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v box
				if _, err := (datafile.File{Name: "box.toml", Bytes: data}).Decode(&v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(boxData))
	f.Add([]byte("game = \"box\"\n" + strings.Repeat("a.", 200) + "a = 1\n"))
	f.Add([]byte("game = \"box\"\na = [[[[[{b.c = [{}]}]]]]]\n"))
	f.Add([]byte("game = \"box\"\n[[cards]]\n[cards.x]\na = [{b = 1}]\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v box
		d := datafile.File{Name: "f", Bytes: b}
		lines, err := d.Decode(&v)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		if got := lines.Errorf("cards.0.cost", "bad").Error(); !strings.HasPrefix(got, "f") {
			t.Error(got)
		}
		if _, err := d.Game(); err != nil && !strings.HasPrefix(err.Error(), "f") {
			t.Errorf("the error does not name the file: %v", err)
		}
	})
}

func TestDataCheckKeepsTheFirstFault(t *testing.T) {
	var sheet struct {
		Game string `toml:"game"`
		Cost int    `toml:"cost"`
		Gain int    `toml:"gain"`
	}
	file := datafile.File{Name: "data.toml", Bytes: []byte("game = \"x\"\ncost = 3\ngain = 90\n")}
	for _, tt := range []struct {
		highGain int
		want     error
	}{{90, nil}, {9, errors.New("data.toml:3: gain 90 is not in 0 to 9")}} {
		err := file.Read(&sheet, func(c *datafile.Check) {
			c.In("cost", sheet.Cost, 1, 3)
			c.In("gain", sheet.Gain, 0, tt.highGain)
			if tt.want != nil {
				c.Fail("cost", "another")
			}
		})
		if fmt.Sprint(err) != fmt.Sprint(tt.want) {
			t.Errorf("got %v, want %v", err, tt.want)
		}
	}
}

// Lines are counted by what people read, not by bytes.
func TestDataLines(t *testing.T) {
	for text, want := range map[string]string{
		"": "%", "äöü漢": "", "äöü漢字": "%", "a\tb": "%", "a\n": "%", "\ufffd": "%", "ü\u200c": "",
	} {
		var sheet struct {
			Name string `toml:"name"`
		}
		file := datafile.File{Name: "f", Bytes: fmt.Appendf(nil, "name = %q\n", text)}
		want = strings.ReplaceAll(want, "%", fmt.Sprintf("f:1: name: %q is not one line of 1 to 4 characters", text))
		if err := file.Read(&sheet, func(c *datafile.Check) { c.Line("name", sheet.Name, 4) }); err == nil && want != "" ||
			err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Ranges stand in tags: of a number, or of all numbers in a list or a table.
func TestDataRanges(t *testing.T) {
	const good = "game = \"x\"\nany = -7\nlist = [1, 9]\n[prices]\nfirst = 99\nsecond = -2\n[[cards]]\ncost = 3\n"
	for _, tt := range []struct{ from, to, want string }{
		{"", "", ""},
		{"any = -7", "any = 1000", ""},
		{"9]", "10]", "f:3: list.1 10 is not in 1 to 9"},
		{"[1,", "[0,", "f:3: list.0 0 is not in 1 to 9"},
		{"first = 99", "first = 100", "f:5: prices.first 100 is not in 0 to 99"},
		{"first = 99", "first = -1", "f:5: prices.first -1 is not in 0 to 99"},
		{"second = -2", "second = 1", "f:6: prices.second 1 is not in -2 to 0"},
		{"cost = 3", "cost = 4", "f:8: cards.0.cost 4 is not in 0 to 3"},
	} {
		var sheet struct {
			Game   string `toml:"game"`
			Any    int    `toml:"any"`
			List   []int  `toml:"list" low:"1" high:"9"`
			Prices struct {
				First  int `toml:"first"`
				Second int `toml:"second" low:"-2" high:"0"`
			} `toml:"prices" high:"99"`
			Cards []struct {
				Cost int `toml:"cost" high:"3"`
			} `toml:"cards"`
		}
		_, err := datafile.File{Name: "f", Bytes: []byte(strings.Replace(good, tt.from, tt.to, 1))}.Decode(&sheet)
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.to, err, tt.want)
		}
	}
}
