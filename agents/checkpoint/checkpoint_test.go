package checkpoint_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/agents/neural/safetensors"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

var update = flag.Bool("update", false, "rewrite the golden network")

func network(t testing.TB, info *env.Info) *neural.Params {
	t.Helper()
	p, err := neural.NewParams(neural.Spec{Inputs: info.Observation(), Actions: len(info.Actions), Hidden: []int{5, 3}})
	if err != nil {
		t.Fatal(err)
	}
	p.Init(4)
	return p
}

func example(t testing.TB) *checkpoint.Checkpoint {
	info := kuhn.Open(2).Info()
	c := checkpoint.New(info, network(t, info))
	c.Decisions, c.Update, c.Seed, c.CreatedBy = 4096, 12, 1<<63+1, "earthgym 0.1"
	c.Tensors = []safetensors.Tensor{safetensors.New("adam.m", []float32{1, 2, 3}, 3)}
	c.Texts = map[string]string{"league": `["random"]`}
	return c
}

func TestRoundTrip(t *testing.T) {
	want := example(t)
	path := filepath.Join(t.TempDir(), checkpoint.FileName(12))
	must.Do(t, checkpoint.Write(path, want))
	got := must.Have(checkpoint.Read(path))(t)
	if len(got.Hash) != 64 {
		t.Errorf("its hash is %q", got.Hash)
	}
	want.Hash = got.Hash
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v\nwrote\n%+v", got, want)
	}
	if err := got.Check(kuhn.Open(3).Info()); err != nil {
		t.Errorf("a variant of the game: %v", err)
	}
}

// A card comes back as it was, and numbers of half the size as the nearest there are. Both change the hash.
func TestCardAndHalf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.safetensors")
	read := func(c *checkpoint.Checkpoint) *checkpoint.Checkpoint {
		t.Helper()
		must.Do(t, checkpoint.Write(path, c))
		return must.Have(checkpoint.Read(path))(t)
	}
	whole := read(example(t))
	c := example(t)
	c.Half = true
	c.Card = &checkpoint.Card{
		Config: "seed = 1\n", Teachers: []string{"script:strong"}, Opponents: []string{"random", "script:greedy"},
		Parent: whole.Hash, Seconds: 600.5,
		Strength: []checkpoint.Strength{{
			Agent: "net", Opponent: "script:strong", Game: "kuhn:players=2", Program: "earthgym 0.1", Games: 400, Seed: 7,
			Return: 0.25, ReturnCI: [2]float64{0.125, 0.375}, Wins: 0.625, WinsCI: [2]float64{0.5, 0.75}, Fair: 0.5,
		}},
	}
	got := read(c)
	if !reflect.DeepEqual(got.Card, c.Card) || !got.Half || got.Hash == whole.Hash {
		t.Errorf("the card came back as %+v, halved %v, hash %s", got.Card, got.Half, got.Hash)
	}
	for i, x := range c.Network.Flat() {
		if y := got.Network.Flat()[i]; math.Abs(float64(x-y)) > math.Abs(float64(x))/2048+1e-7 {
			t.Fatalf("parameter %d is %v, was %v", i, y, x)
		}
	}
	want := "net against script:strong: return +0.250 [+0.125, +0.375], wins 62.5 % [50.0, 75.0], alike 50.0 %; " +
		"kuhn:players=2, 400 games, seed 7, earthgym 0.1"
	if line := got.Card.Strength[0].String(); line != want {
		t.Errorf("got %s, want %s", line, want)
	}
	many := checkpoint.Strength{Game: "kuhn:players=2 kuhn:players=3 kuhn:players=4"}.String()
	if !strings.Contains(many, "; kuhn:players=2 and 2 more, 0 games") {
		t.Errorf("of three variants: %s", many)
	}
	if again := read(got); again.Hash != got.Hash {
		t.Error("reading and writing it has changed its hash")
	}
}

// A network's tables are those of its strength, each once, and without any those of its training.
func TestTables(t *testing.T) {
	at := func(games ...string) (list []checkpoint.Strength) {
		for _, g := range games {
			list = append(list, checkpoint.Strength{Game: g})
		}
		return list
	}
	const config = "games = ['kuhn:players=3', 'kuhn:players=2']\n"
	for _, tt := range []struct {
		card *checkpoint.Card
		want []string
	}{
		{nil, []string{"kuhn"}},
		{&checkpoint.Card{}, []string{"kuhn"}},
		{&checkpoint.Card{Config: config}, []string{"kuhn:players=3", "kuhn:players=2"}},
		{&checkpoint.Card{Config: "seed = 1\n", Strength: at("kuhn:players=4", "kuhn")}, []string{"kuhn:players=4", "kuhn"}},
		{
			&checkpoint.Card{Config: config, Strength: at("kuhn:players=2", "kuhn:players=4", "kuhn:players=4")},
			[]string{"kuhn:players=2", "kuhn:players=4"},
		},
	} {
		c := &checkpoint.Checkpoint{Game: "kuhn", Card: tt.card}
		if got := c.Tables(); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %q, want %q", tt.card, got, tt.want)
		}
	}
}

// The layout of the metadata is pinned: other programs read it.
func TestMetadata(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.safetensors")
	must.Do(t, checkpoint.Write(path, example(t)))
	f := must.Have(safetensors.Read(path))(t)
	info := kuhn.Open(2).Info()
	// The checksum is that of the file with zeros in its place, as anybody can compute it.
	data := must.Have(os.ReadFile(path))(t)
	zeros := strings.Repeat("0", 64)
	sum := sha256.Sum256(bytes.Replace(data, []byte(f.Metadata["checksum"]), []byte(zeros), 1))
	want := map[string]string{
		"format": "earthgym-checkpoint/2", "checksum": hex.EncodeToString(sum[:]), "game": "kuhn:players=2", "name": "kuhn",
		"rules": "1",
		"data":  info.DataHash, "actions": info.ActionHash(), "observation": info.ObservationHash(), "encoding": "1",
		"spec": `{"inputs":19,"actions":2,"hidden":[5,3]}`, "decisions": "4096", "update": "12",
		"seed": "9223372036854775809", "created_by": "earthgym 0.1", "league": `["random"]`,
	}
	if !reflect.DeepEqual(f.Metadata, want) {
		t.Errorf("metadata\n%v\nwant\n%v", f.Metadata, want)
	}
}

func TestWriteRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.safetensors")
	for _, test := range []struct {
		change func(*checkpoint.Checkpoint)
		want   string
	}{
		{func(c *checkpoint.Checkpoint) { c.Texts["seed"] = "7" }, `"seed" is a checkpoint's own field`},
		{func(c *checkpoint.Checkpoint) { c.Tensors[0].Name = "trunk.2.weight" },
			`tensor "trunk.2.weight" of the trainer is named as those of the network`},
	} {
		c := example(t)
		test.change(c)
		if err := checkpoint.Write(path, c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a file was written")
		}
	}
}

func TestReadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.safetensors")
	for _, test := range []struct {
		change func(*safetensors.File)
		want   string
	}{
		{func(f *safetensors.File) { f.Metadata = nil }, "not a checkpoint: the file's metadata have no format"},
		{func(f *safetensors.File) { f.Metadata["format"] = "earthgym-checkpoint/3" },
			`not a checkpoint of a format that this program reads: they are "earthgym-checkpoint/2" and "earthgym-checkpoint/1"`},
		{func(f *safetensors.File) { f.Metadata["format"] = "earthgym-checkpoint/2" },
			"its content does not match its checksum: the file is damaged"},
		{func(f *safetensors.File) { delete(f.Metadata, "actions") }, `its metadata lack "actions"`},
		{func(f *safetensors.File) { f.Metadata["rules"] = "-1" }, `its metadata "rules" is "-1", not a whole number from 0`},
		{func(f *safetensors.File) { f.Metadata["update"] = "" }, `its metadata "update" is "", not a whole number from 0`},
		{func(f *safetensors.File) { f.Metadata["card"] = "ace" },
			`its metadata "card" are no card: it is not JSON: byte 1: 'a' stands where a value is due`},
		{func(f *safetensors.File) { f.Metadata["seed"] = "x" }, `its metadata "seed" is "x", not a whole number from 0`},
		{func(f *safetensors.File) { f.Metadata["spec"] = `{"inputs":19,"actions":2,"hidden":[5,4]}` },
			`read network: tensor "trunk.1.weight" has shape [5 3], want [5 4]`},
		{func(f *safetensors.File) {
			f.Metadata["spec"] = `{"inputs":19,"actions":2,"hidden":[5,3],"attention":true}`
		},
			`its metadata "spec" say no shape of a network that this program knows: unknown field "attention": there are: actions, family, features, hidden, inputs, name, objects, pointers, residual, values, width`},
		{func(f *safetensors.File) {
			f.Metadata["spec"] = `{"inputs":19,"actions":2,"hidden":[5,3],"objects":[{"name":"card"}]}`
		}, `read network: objects "card": a name, objects, features, a width and pointers are needed`},
		{func(f *safetensors.File) {
			f.Tensors = slices.DeleteFunc(f.Tensors, func(t safetensors.Tensor) bool { return t.Name == "head.bias" })
		}, `read network: there is no tensor "head.bias"`},
	} {
		must.Do(t, checkpoint.Write(path, example(t)))
		f := must.Have(safetensors.Read(path))(t)
		withoutSum(f)
		test.change(f)
		must.Do(t, os.WriteFile(path, must.Have(safetensors.Encode(f))(t), 0o600))
		_, err := checkpoint.Read(path)
		if want := "checkpoint " + path + ": " + test.want; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// withoutSum makes a file one of the format that came before.
func withoutSum(f *safetensors.File) {
	f.Metadata["format"] = "earthgym-checkpoint/1"
	delete(f.Metadata, "encoding") // Encodings had no versions then: it is of the first.
	delete(f.Metadata, "checksum")
}

func TestFormatWithoutChecksumIsRead(t *testing.T) {
	path, want := filepath.Join(t.TempDir(), "c.safetensors"), example(t)
	must.Do(t, checkpoint.Write(path, want))
	f := must.Have(safetensors.Read(path))(t)
	withoutSum(f)
	must.Do(t, os.WriteFile(path, must.Have(safetensors.Encode(f))(t), 0o600))
	data := must.Have(os.ReadFile(path))(t)
	hash := sha256.Sum256(data)
	want.Hash = hex.EncodeToString(hash[:])
	if got, err := checkpoint.Read(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v (%v)\nwrote\n%+v", got, err, want)
	}
}

// Whatever byte of a checkpoint is damaged, it is refused.
func TestChecksumCoversEveryByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.safetensors")
	must.Do(t, checkpoint.Write(path, example(t)))
	data := must.Have(os.ReadFile(path))(t)
	for i := range data {
		data[i] ^= 1
		must.Do(t, os.WriteFile(path, data, 0o600))
		if _, err := checkpoint.Read(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("byte %d of %d damaged: error %v", i, len(data), err)
		}
		data[i] ^= 1
	}
}

func TestReadLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.safetensors")
	must.Do(t, checkpoint.Write(path, example(t)))
	at := must.Have(os.Stat(path))(t)
	if _, err := checkpoint.ReadLarge(path, at.Size()); err != nil {
		t.Error(err)
	}
	if _, err := checkpoint.ReadLarge(path, at.Size()-1); err == nil || !strings.Contains(err.Error(), path) ||
		!strings.Contains(err.Error(), "are read") {
		t.Errorf("one byte more than allowed: %v", err)
	}
}

func TestCheck(t *testing.T) {
	info := kuhn.Open(2).Info()
	for _, test := range []struct {
		change func(*checkpoint.Checkpoint)
		want   string
	}{
		{func(c *checkpoint.Checkpoint) { c.Name = "one-earth" }, "it is of game one-earth, not kuhn"},
		{func(c *checkpoint.Checkpoint) { c.Actions = "abc" },
			"it was trained with another action table of kuhn (hash abc, this program's is " + info.ActionHash() + ")"},
		{func(c *checkpoint.Checkpoint) { c.Observation = "abc" },
			"it was trained with another observation layout of kuhn (hash abc, this program's is " + info.ObservationHash() +
				")"},
		{func(c *checkpoint.Checkpoint) { c.Encoding = 2 },
			"it was trained with version 2 of the encoding of observations of kuhn; this program has version 1"},
		{func(c *checkpoint.Checkpoint) {
			c.Network, _ = neural.NewParams(neural.Spec{Inputs: 19, Actions: 3})
		}, "its network has 19 inputs and 3 actions; kuhn has 19 and 2"},
	} {
		c := example(t)
		test.change(c)
		if err := c.Check(info); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

// TestObjects: a network with pointers comes back as it was, and plays the game whose objects it was made for.
func TestObjects(t *testing.T) {
	garden := func(beds ...string) *env.Info {
		i := env.Info{
			Name: "garden", Text: "garden", Players: 2, MostPlayers: 3,
			Features: []env.Feature{{Name: "beds", Shape: []int{2, 2}}, {Name: "owner", Shape: []int{3, 2}}},
			Actions: []env.ActionInfo{{Family: "plant", Text: "plant 0"}, {Family: "plant", Text: "plant 1"},
				{Family: "rest", Text: "rest"}},
		}
		if len(beds) > 0 {
			i.Objects = []env.Objects{{Name: "bed", Count: 2, Features: beds}}
			i.Actions[0].Objects, i.Actions[1].Objects = []env.ObjectRef{{Kind: "bed", Index: 0}},
				[]env.ObjectRef{{Kind: "bed", Index: 1}}
		}
		return must.Have(env.NewInfo(i))(t)
	}
	info := garden("owner", "beds")
	spec := neural.NewSpec(info, []int{4, 4})
	spec.Residual = true
	network := must.Have(neural.NewParams(spec))(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range network.Flat() { // nothing is as small as what training starts from
		network.Flat()[i] = float32(rng.NormFloat64())
	}
	path := filepath.Join(t.TempDir(), "garden.safetensors")
	must.Do(t, checkpoint.Write(path, checkpoint.New(info, network)))
	c, err := checkpoint.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%+v", c.Network.Spec()), fmt.Sprintf("%+v", network.Spec()); got != want ||
		!slices.Equal(c.Network.Flat(), network.Flat()) {
		t.Errorf("%s came back as %s", want, got)
	}
	if err := c.Check(info); err != nil {
		t.Error(err)
	}
	other := "its network points at other objects, or by other actions, than garden declares now; train another"
	for _, info := range []*env.Info{garden("beds"), garden("beds", "owner"), garden()} {
		if err := c.Check(info); err == nil || err.Error() != other {
			t.Errorf("error %v, want %s", err, other)
		}
	}
	// Python's tests read the same file and compare what it computes.
	golden, answers := filepath.Join("testdata", "garden.safetensors"), filepath.Join("testdata", "garden.json")
	if *update {
		b := must.Have(os.ReadFile(path))(t)
		must.Do(t, os.WriteFile(golden, b, 0o644))
	}
	if c, err = checkpoint.Read(golden); err != nil {
		t.Fatal(err)
	}
	policy, _, err := c.Policy(info)
	if err != nil {
		t.Fatal(err)
	}
	type answered struct {
		Observation []float32 `json:"observation"`
		Logits      []float32 `json:"logits"`
		Values      []float32 `json:"values"`
	}
	observation := []float32{1, 0, 0.5, -0.25, 0, 1, 0.75, 2, 0, -1, 0, 0, 0, 1, 1, 0.5, 0, 0, 0.125, 4}
	var ws neural.Workspace
	logits, values := policy.Evaluate(&ws, observation, nil, 2)
	if *update {
		b := must.Have(json.Marshal(answered{observation, logits, values}))(t)
		must.Do(t, os.WriteFile(answers, append(b, '\n'), 0o644))
	}
	b := must.Have(os.ReadFile(answers))(t)
	var want answered
	must.Do(t, json.Unmarshal(b, &want))
	for i, x := range slices.Concat(logits, values) {
		if y := slices.Concat(want.Logits, want.Values)[i]; math.Abs(float64(x-y)) > 1e-5 {
			t.Errorf("answer %d is %v, was %v when %s was written", i, x, y, answers)
		}
	}
	// A network without pointers or with one value needs nothing of them.
	plain := must.Have(neural.NewParams(neural.Spec{Inputs: 10, Actions: 3}))(t)
	if err := checkpoint.New(info, plain).Check(info); err != nil {
		t.Error(err)
	}
	two := must.Have(neural.NewParams(neural.Spec{Inputs: 10, Actions: 3, Values: 2}))(t)
	if err := checkpoint.New(info, two).Check(info); err == nil || err.Error() != "its network gives the values of 2 "+
		"seats; garden has up to 3" {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	run := t.TempDir()
	refuses := func(path, want string) {
		t.Helper()
		if file, err := checkpoint.Find(path); err == nil || err.Error() != want {
			t.Errorf("found %q, error %v, want %s", file, err, want)
		}
	}
	missing := filepath.Join(run, "nothing")
	refuses(missing, "there is no checkpoint and no run directory "+missing)
	none := "the directory " + run + " holds no checkpoint: there is no " +
		filepath.Join(run, "checkpoints", "checkpoint-*.safetensors")
	refuses(run, none)
	dir := filepath.Join(run, "checkpoints")
	must.Do(t, os.Mkdir(dir, 0o755))
	touch := func(name string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	for _, name := range []string{"checkpoint-7.safetensors", "checkpoint-+00009.safetensors",
		".checkpoint-000009.safetensors.1", "checkpoint-000009.tmp", "best.safetensors"} {
		touch(name)
	}
	refuses(run, none)
	for _, n := range []int64{999_999, 20, 1_000_000, 3} {
		touch(checkpoint.FileName(n))
	}
	got, err := checkpoint.Find(run)
	if want := filepath.Join(dir, "checkpoint-1000000.safetensors"); err != nil || got != want {
		t.Errorf("newest is %s (%v), want %s", got, err, want)
	}
	single := filepath.Join(dir, "best.safetensors")
	if got, err := checkpoint.Find(single); err != nil || got != single {
		t.Errorf("file %s is found as %s (%v)", single, got, err)
	}
	best := filepath.Join(run, checkpoint.Best)
	must.Do(t, os.Mkdir(best, 0o755))
	if again, err := checkpoint.Find(run); err != nil || again != filepath.Join(dir, "checkpoint-1000000.safetensors") {
		t.Errorf("with a folder of that name, the best is %s (%v)", again, err)
	}
	must.Do(t, errors.Join(os.Remove(best), os.WriteFile(best, nil, 0o644)))
	if got, err := checkpoint.Find(run); err != nil || got != best {
		t.Errorf("the run stands for %s (%v), want its best %s", got, err, best)
	}
}
