package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Join is the path of a named value inside another: "buildings.0" and "cost" make "buildings.0.cost". Either may be
// empty.
func Join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}

// Compact is a decoded value as JSON, for errors.
func Compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// Numbers decodes JSON of our own making into dst and keeps numbers as they are written (json.Number).
func Numbers(data []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(dst)
}
