// Package checkpoint is the file in which training leaves a network, and from which agents and further
// training take it.
//
// A checkpoint is one safetensors file: the network's tensors (trunk.0.weight, …, head.bias, embed.zone.weight, …), the
// trainer's own tensors under other names, and as metadata what the network was made for and how far
// training had come:
//
//	format        "earthgym-checkpoint/2"
//	checksum      SHA-256 of the file, in hexadecimal, with zeros in place of these 64 digits
//	game          game text of the training, with every option
//	name          name of the rulebook
//	rules         version of its rules
//	data          hash of its component data
//	actions       hash of its action table
//	observation   hash of its observation layout
//	spec          shape of the network: {"inputs":…,"actions":…,"hidden":[…]}, with "residual", "values" and
//	              "objects" where it has residual layers, several values, or pointers to objects (see
//	              [neural.Spec])
//	decisions     decisions that it has been trained on
//	update        updates made, which also number the file
//	seed          seed of the training
//	created_by    program and version
//	card          how it came about and what it is worth, as JSON (Card); left out if nobody knows
//
// and, under further keys, the trainer's own texts. Files of format earthgym-checkpoint/1, which are the same but for
// the checksum, are read too. The numbers of a network may be float16. The checksum is the network's name. A run's
// directory keeps them as checkpoints/checkpoint-000123.safetensors.
package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"earthgym/agents/neural"
	"earthgym/agents/neural/safetensors"
	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/disk"
)

// Format names the form of checkpoints that this package writes.
const Format = "earthgym-checkpoint/2"

// formatWithoutSum is the form that is read too.
const formatWithoutSum = "earthgym-checkpoint/1"

// Dir is the folder of a run's directory that holds its checkpoints.
const Dir = "checkpoints"

// Best is the name of the checkpoint in a run's directory that did best in the matches of its training, if there were
// any.
const Best = "best.safetensors"

const (
	prefix = "checkpoint-"
	suffix = ".safetensors"
)

// A Checkpoint is a network with what is known of it.
type Checkpoint struct {
	Game        string // game text of the training
	Name        string // of the rulebook
	Rules       int    // version of its rules
	Data        string // hash of its component data
	Actions     string // hash of its action table
	Observation string // hash of its observation layout
	Encoding    int    // version of its encoding of observations
	Decisions   int64  // trained on
	Update      int64  // updates made
	Seed        uint64 // of the training
	CreatedBy   string // program and version
	Card        *Card  // how it came about; nil if nobody knows
	Hash        string // SHA-256 of the file that it was read from, which names the network; "" if it was made here

	Network *neural.Params
	Half    bool // the file has, or is to have, the network's numbers as float16

	// What the trainer needs to go on, beside the network:

	Tensors []safetensors.Tensor // no name starts as those of the network do, with "trunk.", "head." or "embed."
	Texts   map[string]string    // no key is one of the list above
}

// New is a checkpoint of a network for a game, before its first update.
func New(info *env.Info, network *neural.Params) *Checkpoint {
	return &Checkpoint{
		Game: info.Text, Name: info.Name, Rules: info.Rules, Data: info.DataHash,
		Actions: info.ActionHash(), Observation: info.ObservationHash(), Encoding: info.Encoding,
		Network: network,
	}
}

// specText is the shape of a network as metadata, in which 1 value is left out.
func specText(s neural.Spec) string {
	if s.Values == 1 {
		s.Values = 0
	}
	s.Hidden = append([]int{}, s.Hidden...) // [] and not null
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // numbers alone
	}
	return string(b)
}

// fields are the metadata of every checkpoint.
func (c *Checkpoint) fields() map[string]string {
	return map[string]string{
		"format": Format, "game": c.Game, "name": c.Name, "rules": strconv.Itoa(c.Rules), "data": c.Data,
		"actions": c.Actions, "observation": c.Observation, "encoding": strconv.Itoa(c.Encoding),
		"spec":      specText(c.Network.Spec()),
		"decisions": strconv.FormatInt(c.Decisions, 10), "update": strconv.FormatInt(c.Update, 10),
		"seed": strconv.FormatUint(c.Seed, 10), "created_by": c.CreatedBy,
	}
}

// ofNetwork says whether a tensor of that name belongs to the network.
func ofNetwork(name string) bool {
	return strings.HasPrefix(name, "trunk.") || strings.HasPrefix(name, "head.") || strings.HasPrefix(name, "embed.")
}

// Write makes c the file at path, whole or not at all.
func Write(path string, c *Checkpoint) error {
	data, err := Encode(c)
	if err != nil {
		return fmt.Errorf("write checkpoint %s: %w", path, err)
	}
	return disk.Write(path, data)
}

// Encode is the file of c; Decode reads it.
func Encode(c *Checkpoint) ([]byte, error) {
	f, err := c.file()
	if err != nil {
		return nil, err
	}
	data, err := safetensors.Encode(f)
	if err != nil {
		return nil, err
	}
	seal(data)
	return data, nil
}

// The checksum as the header writes it; a quote cannot stand inside another text of the header like this.
const (
	sumKey = `"checksum":"`
	sumLen = 2 * sha256.Size
)

var noSum = bytes.Repeat([]byte{'0'}, sumLen)

// findSum is where the digits of the checksum stand in the bytes of a file, -1 if there are none.
func findSum(data []byte) int {
	at := bytes.Index(data, []byte(sumKey))
	if at < 0 || at+len(sumKey)+sumLen > len(data) {
		return -1
	}
	return at + len(sumKey)
}

// sum computes the checksum of a file whose digits stand at a place.
func sum(data []byte, at int) []byte {
	h := sha256.New()
	h.Write(data[:at])
	h.Write(noSum)
	h.Write(data[at+sumLen:])
	return hex.AppendEncode(nil, h.Sum(nil))
}

// seal writes the checksum into the bytes of a file, in place of its zeros.
func seal(data []byte) {
	at := findSum(data)
	copy(data[at:], sum(data, at))
}

// intact reports a file that is not as it was sealed.
func intact(data []byte) error {
	if at := findSum(data); at < 0 || !bytes.Equal(data[at:at+sumLen], sum(data, at)) {
		return errors.New("its content does not match its checksum: the file is damaged")
	}
	return nil
}

func (c *Checkpoint) file() (*safetensors.File, error) {
	f := &safetensors.File{Metadata: c.fields()}
	f.Metadata["checksum"] = string(noSum)
	if c.Card != nil {
		card, err := c.Card.text()
		if err != nil {
			return nil, err
		}
		f.Metadata["card"] = card
	}
	for k, v := range c.Texts {
		if _, ok := f.Metadata[k]; ok {
			return nil, fmt.Errorf("%q is a checkpoint's own field, not a text of the trainer", k)
		}
		f.Metadata[k] = v
	}
	for _, t := range c.Tensors {
		if ofNetwork(t.Name) {
			return nil, fmt.Errorf("tensor %q of the trainer is named as those of the network are", t.Name)
		}
	}
	f.Tensors = slices.Clone(c.Tensors)
	if c.Half {
		f.Tensors = c.Network.AppendHalf(f.Tensors)
	} else {
		f.Tensors = c.Network.Append(f.Tensors)
	}
	return f, nil
}

// Read reads the checkpoint at path, or, if path is a run's directory, its newest. Errors name the file.
func Read(path string) (*Checkpoint, error) {
	path, err := Find(path)
	if err != nil {
		return nil, err
	}
	return ReadLarge(path, safetensors.MaxFile)
}

// Policy is the network for the game of info, and about how many bytes it takes.
func (c *Checkpoint) Policy(info *env.Info) (policy *neural.Policy, memory int64, err error) {
	if err := c.Check(info); err != nil {
		return nil, 0, err
	}
	if policy, err = neural.NewPolicy(c.Network); err != nil {
		return nil, 0, err
	}
	return policy, 4 * int64(len(c.Network.Flat())), nil
}

// ReadLarge reads the checkpoint that is the file at path, of at most so many bytes: one with which a run goes on
// holds more than a network.
func ReadLarge(path string, most int64) (*Checkpoint, error) {
	data, err := disk.ReadFile(path, most)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	c, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return c, nil
}

// Decode reads the bytes of a checkpoint.
func Decode(data []byte) (*Checkpoint, error) {
	f, err := safetensors.Decode(data)
	if err != nil {
		return nil, err
	}
	switch format, ok := f.Metadata["format"]; {
	case !ok:
		return nil, errors.New("not a checkpoint: the file's metadata have no format")
	case format == Format:
		if err := intact(data); err != nil {
			return nil, err
		}
	case format != formatWithoutSum:
		return nil, fmt.Errorf("not a checkpoint of a format that this program reads: they are %q and %q", Format,
			formatWithoutSum)
	}
	c, err := fromFile(f)
	if err != nil {
		return nil, err
	}
	if at := findSum(data); f.Metadata["format"] == Format {
		c.Hash = string(data[at : at+sumLen])
	} else {
		hash := sha256.Sum256(data)
		c.Hash = hex.EncodeToString(hash[:])
	}
	return c, nil
}

func fromFile(f *safetensors.File) (*Checkpoint, error) {
	meta := maps.Clone(f.Metadata)
	delete(meta, "checksum")
	c := &Checkpoint{}
	var errs []error
	text := func(key string) string {
		v, ok := meta[key]
		if !ok {
			errs = append(errs, fmt.Errorf("its metadata lack %q", key))
		}
		delete(meta, key)
		return v
	}
	number := func(key string) int64 {
		v := text(key)
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 0 {
			errs = append(errs, fmt.Errorf("its metadata %q is %q, not a whole number from 0", key, v))
		}
		return n
	}
	text("format")
	c.Game, c.Name, c.Data = text("game"), text("name"), text("data")
	c.Actions, c.Observation, c.CreatedBy = text("actions"), text("observation"), text("created_by")
	c.Rules, c.Decisions, c.Update = int(number("rules")), number("decisions"), number("update")
	if c.Encoding = 1; meta["encoding"] != "" { // Before encodings had versions, they were at the first.
		c.Encoding = int(number("encoding"))
	}
	seed := text("seed")
	var err error
	if c.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		errs = append(errs, fmt.Errorf("its metadata %q is %q, not a whole number from 0", "seed", seed))
	}
	if _, ok := meta["card"]; ok {
		if c.Card, err = readCard(text("card")); err != nil {
			errs = append(errs, err)
		}
	}
	shape := text("spec")
	if len(errs) > 0 {
		return nil, errs[0] // the others often follow from it, and one line is asked for
	}
	var network neural.Spec
	// A network with more to it than is known here would play as another one.
	if err := decode.JSON([]byte(shape), &network); err != nil {
		return nil, fmt.Errorf("its metadata %q say no shape of a network that this program knows: %w", "spec", err)
	}
	if c.Network, err = neural.FromFile(f, network); err != nil {
		return nil, err
	}
	for _, t := range f.Tensors {
		c.Half = c.Half || ofNetwork(t.Name) && t.Type == safetensors.F16
		if !ofNetwork(t.Name) {
			c.Tensors = append(c.Tensors, t)
		}
	}
	if len(meta) > 0 {
		c.Texts = meta
	}
	return c, nil
}

// Check says why the network can't play a game. Every variant, option and data file of the rulebook that
// it was trained on will do, as they share action table and observation layout.
func (c *Checkpoint) Check(info *env.Info) error {
	switch {
	case c.Name != info.Name:
		return fmt.Errorf("it is of game %s, not %s", c.Name, info.Name)
	case c.Actions != info.ActionHash():
		return fmt.Errorf("it was trained with another action table of %s (hash %s, this program's is %s)", c.Name, c.Actions,
			info.ActionHash())
	case c.Observation != info.ObservationHash():
		return fmt.Errorf("it was trained with another observation layout of %s (hash %s, this program's is %s)", c.Name,
			c.Observation, info.ObservationHash())
	case c.Encoding != info.Encoding:
		return fmt.Errorf("it was trained with version %d of the encoding of observations of %s; this program has version %d",
			c.Encoding, c.Name, info.Encoding)
	}
	return c.Network.Spec().Fits(info)
}

// CheckData says whether the component data of a game are those that the network was trained with, as they have to be
// where its training goes on or is told of.
func (c *Checkpoint) CheckData(info *env.Info) error {
	if c.Data == info.DataHash {
		return nil
	}
	return fmt.Errorf("it was trained with component data %s, which are missing (loaded are %s): pass their file with "+
		"--data FILE", c.Data, info.DataHash)
}

// FileName is the name of the checkpoint after a number of updates.
func FileName(update int64) string { return fmt.Sprintf("%s%06d%s", prefix, update, suffix) }

// update is the number in a checkpoint's file name.
func update(name string) (int64, bool) {
	middle, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0, false
	}
	if middle, ok = strings.CutSuffix(middle, suffix); !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(middle, 10, 64)
	return n, err == nil && FileName(n) == name
}

func isFile(name string) bool {
	at, err := os.Stat(name)
	return err == nil && at.Mode().IsRegular()
}

// Find returns the file that path stands for: itself, or of a run's directory the best network, and where none has been
// measured the newest checkpoint.
func Find(path string) (file string, err error) {
	name := path
	if path, err = disk.Named(name); err != nil {
		return "", err
	}
	defer func() {
		if err == nil {
			disk.FoundNamed(name, file)
		}
	}()
	at, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no checkpoint and no run directory %s", path)
	case err != nil:
		return "", fmt.Errorf("find checkpoint: %w", err)
	case !at.IsDir():
		return path, nil
	}
	if best := filepath.Join(path, Best); isFile(best) {
		return best, nil
	}
	return Newest(path)
}

// Newest returns the newest checkpoint of a run's directory, the best network or not.
func Newest(path string) (string, error) {
	files, err := os.ReadDir(filepath.Join(path, Dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("find checkpoint: %w", err)
	}
	newest, name := int64(-1), ""
	for _, f := range files {
		if n, ok := update(f.Name()); ok && n > newest {
			newest, name = n, f.Name()
		}
	}
	if name == "" {
		return "", fmt.Errorf("the directory %s holds no checkpoint: there is no %s", path,
			filepath.Join(path, Dir, prefix+"*"+suffix))
	}
	return filepath.Join(path, Dir, name), nil
}
