package env

import (
	"fmt"
	"slices"
)

// Objects is a kind of thing that actions point at: zones, fields, cards on offer. A network can then learn once what
// makes such a thing a good one, instead of once for each of them.
//
// The features named are parts of the observation with one dimension for the objects: the first one, or else the
// last, has the length Count. The features of object k are what stands at index k of that dimension in each of them,
// one feature after the other.
//
// Observations number seats from the observer. Where the action table numbers them otherwise, its actions can't point
// at seats.
type Objects struct {
	Name     string   `json:"name"` // of one of them: "zone"
	Count    int      `json:"count"`
	Features []string `json:"features"` // names of features of the observation
}

// ObjectRef is one object that an action points at.
type ObjectRef struct {
	Kind  string `json:"kind"`  // Name of the Objects
	Index int    `json:"index"` // 0 to Count-1
}

// ObjectFeatures says where the features of the objects of a kind, Objects[kind], stand in the observation: for each
// object the same number of places.
func (i *Info) ObjectFeatures(kind int) [][]int {
	o := i.Objects[kind]
	places := make([][]int, o.Count)
	for _, name := range o.Features {
		f := i.Features[slices.IndexFunc(i.Features, func(f Feature) bool { return f.Name == name })]
		each := f.Size() / o.Count
		for k := range places {
			for n := range each {
				at := f.Offset + k*each + n
				if f.Shape[0] != o.Count {
					at = f.Offset + n*o.Count + k
				}
				places[k] = append(places[k], at)
			}
		}
	}
	return places
}

// checkObjects reports objects and references to them that contradict each other or the observation.
func (i *Info) checkObjects() error {
	kinds := map[string]int{}
	for _, o := range i.Objects {
		switch _, twice := kinds[o.Name]; {
		case o.Name == "":
			return fmt.Errorf("%s: objects without a name", i.Name)
		case twice:
			return fmt.Errorf("%s: objects %q are listed twice", i.Name, o.Name)
		case o.Count < 1 || len(o.Features) == 0:
			return fmt.Errorf("%s: objects %q: there are %d, with %d features; at least one of each is needed", i.Name, o.Name,
				o.Count, len(o.Features))
		}
		kinds[o.Name] = o.Count
		for n, name := range o.Features {
			at := slices.IndexFunc(i.Features, func(f Feature) bool { return f.Name == name })
			if at < 0 {
				return fmt.Errorf("%s: objects %q: there is no feature %q", i.Name, o.Name, name)
			}
			if slices.Contains(o.Features[:n], name) {
				return fmt.Errorf("%s: objects %q: feature %q is listed twice", i.Name, o.Name, name)
			}
			if shape := i.Features[at].Shape; len(shape) == 0 || shape[0] != o.Count && shape[len(shape)-1] != o.Count {
				return fmt.Errorf("%s: objects %q: feature %q has the shape %v; its first or last dimension must be %d", i.Name,
					o.Name, name, shape, o.Count)
			}
		}
	}
	families := map[string]ActionInfo{}
	for _, a := range i.Actions {
		for _, ref := range a.Objects {
			count, ok := kinds[ref.Kind]
			if !ok {
				return fmt.Errorf("%s: action %q points at a %q, but there are no such objects", i.Name, a.Text, ref.Kind)
			}
			if ref.Index < 0 || ref.Index >= count {
				return fmt.Errorf("%s: action %q points at %s %d; there are 0 to %d", i.Name, a.Text, ref.Kind, ref.Index, count-1)
			}
		}
		first, ok := families[a.Family]
		if !ok {
			families[a.Family] = a
			continue
		}
		if !slices.EqualFunc(a.Objects, first.Objects, func(x, y ObjectRef) bool { return x.Kind == y.Kind }) {
			return fmt.Errorf("%s: actions %q and %q of one family point at different kinds of objects", i.Name, first.Text,
				a.Text)
		}
	}
	return nil
}
