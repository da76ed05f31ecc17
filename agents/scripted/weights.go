package scripted

import (
	"fmt"
	"reflect"
	"strconv"
)

// A weight is one number that a bot weighs by. A game's bot declares its weights as a struct of float64 fields with
// tags:
//
//	Fear float64 `low:"0" high:"3" help:"worth of life quality once the tower may fall, in points a point"`
type weight struct {
	name      string
	value     float64 // what the bot plays with
	low, high float64 // within which it makes sense
}

// weightsOf reads a declaration.
func weightsOf(pointer any) ([]weight, error) {
	v := reflect.ValueOf(pointer).Elem()
	var list []weight
	for i := range v.NumField() {
		f := v.Type().Field(i)
		low, lowErr := strconv.ParseFloat(f.Tag.Get("low"), 64)
		high, highErr := strconv.ParseFloat(f.Tag.Get("high"), 64)
		if f.Type.Kind() != reflect.Float64 || lowErr != nil || highErr != nil || f.Tag.Get("help") == "" {
			return nil, fmt.Errorf("%s.%s is no weight: it takes a float64 with low, high and help", v.Type(), f.Name)
		}
		x := v.Field(i).Float()
		if !(x >= low && x <= high) {
			return nil, fmt.Errorf("%s.%s is %v, outside of %v to %v", v.Type(), f.Name, x, low, high)
		}
		list = append(list, weight{f.Name, x, low, high})
	}
	return list, nil
}
