package report

import "example.com/kneeline/internal/units"

// format writes v as the axis asks for, cleaned.
func (a Axis) format(v float64) string {
	if a.Format == nil {
		return units.Number(v)
	}
	return clean(a.Format(v))
}

// label is the axis's title with its unit.
func (a Axis) label() string {
	switch {
	case a.Unit == "":
		return clean(a.Title)
	case a.Title == "":
		return clean(a.Unit)
	}
	return clean(a.Title) + " (" + clean(a.Unit) + ")"
}
