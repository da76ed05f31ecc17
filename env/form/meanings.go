package form

// Meanings say what the actions of some families do, in a decision where they do something else than elsewhere.
type Meanings []struct{ Family, Does string }

// Of is what the actions of a family do, or "".
func (m Meanings) Of(family string) string {
	for _, meaning := range m {
		if meaning.Family == family {
			return meaning.Does
		}
	}
	return ""
}
