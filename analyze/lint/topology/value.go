package topology

import (
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/nearest"
	"example.com/kneeline/internal/units"
)

// Fields are the meanings that a setting of an application's own file can have.
func Fields() []string {
	return []string{"total", "per_try", "connect", "tries", "backoff", "hedge_after", "hedge_max", "budget_ratio", "pool_min", "pool_max", "pool_wait"}
}

// plain is a position without the bytes of its value, which is what an object has.
func plain(at model.Position) model.Position {
	at.Offset, at.End = 0, 0
	return at
}

// maxShown is how many bytes of a text of the file a message quotes.
const maxShown = 60

// clip shortens what a message quotes.
func clip(text string) string {
	if len(text) > maxShown {
		return strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}

func kindOf(n *tree.Node) string {
	switch n.Kind {
	case tree.Map:
		return "a map"
	case tree.List:
		return "a list"
	case tree.Scalar:
		return "\"" + clip(n.Text) + "\""
	}
	return "nothing"
}

func (f *File) text(n *tree.Node, key string) string {
	if n.Kind != tree.Scalar || strings.TrimSpace(n.Text) == "" {
		f.problem(n.At, "%s: expected a word, found %s", key, kindOf(n))
		return ""
	}
	return strings.TrimSpace(n.Text)
}

func (f *File) word(n *tree.Node, key string) (model.Value, bool) {
	text := f.text(n, key)
	return model.Value{Key: key, Raw: text, Text: text, Origin: model.Set, At: n.At}, text != ""
}

func (f *File) words(n *tree.Node, key string) []string {
	var out []string
	for c := range n.Items() {
		if text := f.text(c, key); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// oneOf reads one of a few words, empty where it is none.
func (f *File) oneOf(n *tree.Node, key string, words ...string) string {
	text := f.text(n, key)
	if text == "" || slices.Contains(words, text) {
		return text
	}
	if near, ok := nearest.To(text, words); ok {
		f.problem(n.At, "%s: unknown word %q, perhaps %q is meant", key, clip(text), near)
	} else {
		f.problem(n.At, "%s: expected one of %s, found %q", key, strings.Join(words, ", "), clip(text))
	}
	return ""
}

// number makes what takes one quantity, with what its format is and what it may be.
func (f *File) number(to *model.Value, key, expected string, unit model.Unit, parse func(string) (float64, error), least float64) take {
	return func(n *tree.Node) {
		if n.Kind != tree.Scalar {
			f.problem(n.At, "%s: expected %s, found %s", key, expected, kindOf(n))
			return
		}
		x, err := parse(n.Text)
		if err != nil || !(x >= least) {
			f.problem(n.At, "%s: expected %s, found %q", key, expected, clip(n.Text))
			return
		}
		*to = model.Value{Key: key, Raw: n.Text, Text: n.Text, Amount: x, Unit: unit, Origin: model.Set, At: n.At}
	}
}

// tiny is above nothing: what must not be 0.
const tiny = 1e-9

func (f *File) rate(to *model.Value, key string) take {
	return f.number(to, key, "a rate over 0 such as 1200/s", model.PerSecond, units.ParseRate, tiny)
}

func (f *File) duration(to *model.Value, key string) take {
	return f.number(to, key, "a duration over 0 with its unit, such as 400ms", model.Seconds, func(s string) (float64, error) {
		d, err := units.ParseDuration(s)
		return d.Seconds(), err
	}, tiny)
}

func (f *File) share(to *model.Value, key string) take {
	return f.number(to, key, "a share such as 2.5%", model.Ratio, units.ParseShare, 0)
}

func (f *File) count(to *model.Value, key string, least float64) take {
	expected := "a number of 1 or more"
	if least == 0 {
		expected = "a number of 0 or more"
	}
	return f.number(to, key, expected, model.Count, func(s string) (float64, error) {
		n, err := units.ParseCount(s)
		return float64(n), err
	}, least)
}

func (f *File) flag(to *model.Value, key string) take {
	return func(n *tree.Node) {
		switch n.String() {
		case "true", "false":
			*to = model.Value{Key: key, Raw: n.Text, Text: n.Text, Unit: model.Flag, Origin: model.Set, At: n.At}
			if n.Text == "true" {
				to.Amount = 1
			}
		default:
			f.problem(n.At, "%s: expected true or false, found %s", key, kindOf(n))
		}
	}
}
