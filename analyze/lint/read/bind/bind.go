package bind

import (
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/nearest"
)

// MaxNoted bounds how many problems, slips, holes and unknown keys of each kind a
// document lists.
const MaxNoted = 200

// Style is how a program reads a duration.
type Style struct {
	// Bare is what a number alone means; [read.NoBare] where it is refused.
	Bare read.Bare
	// Units says that durations with a unit are read.
	Units bool
	// Expected names what the program reads.
	Expected string
}

// The common styles.
var (
	// Millis is a number of milliseconds: a unit is refused.
	Millis = Style{Bare: read.BareMillis, Expected: "a number of milliseconds"}
	// Seconds is a number of seconds: a unit is refused.
	Seconds = Style{Bare: read.BareSeconds, Expected: "a number of seconds"}
	// MillisOrUnit is a duration in which a number alone counts milliseconds.
	MillisOrUnit = Style{Bare: read.BareMillis, Units: true, Expected: "a duration such as 500ms, or a number of milliseconds"}
	// SecondsOrUnit is a duration in which a number alone counts seconds.
	SecondsOrUnit = Style{Bare: read.BareSeconds, Units: true, Expected: "a duration such as 5s, or a number of seconds"}
	// WithUnit is a duration that needs its unit.
	WithUnit = Style{Units: true, Expected: "a duration with its unit, such as 500ms"}
)

// Binder takes settings for one document.
type Binder struct {
	In  *read.Input
	Doc *model.Document
	// Title is the program's name in messages.
	Title string
	holes map[model.Position]bool
}

// New returns a binder with the document that begins at a line. Product is whose
// version the document is checked for.
func New(in *read.Input, line int, format, product, title string) *Binder {
	doc := &model.Document{File: in.Name, Line: max(line, 1), Format: format, Product: product}
	return &Binder{In: in, Doc: doc, Title: title, holes: map[model.Position]bool{}}
}

// Documents returns the document, and none where nothing was found.
func (b *Binder) Documents() []*model.Document {
	d := b.Doc
	if len(d.Hops)+len(d.Services)+len(d.Rejected)+len(d.Units)+len(d.Problems)+len(d.Includes) == 0 {
		return nil
	}
	return []*model.Document{d}
}

// Default returns the default of a product's setting, for an object that lacks it.
func (b *Binder) Default(product, key string, at model.Position) model.Value {
	if at.File == "" {
		at = model.Position{File: b.In.Name, Line: b.Doc.Line}
	}
	at.Offset, at.End = 0, 0
	return b.In.Defaults.Lookup(product, key, at)
}

// Text takes a setting that is a word.
func (b *Binder) Text(n *tree.Node, key string) model.Value {
	return b.note(b.In.Text(n, key), n, "a word")
}

// Count takes a number.
func (b *Binder) Count(n *tree.Node, key string) model.Value {
	return b.note(b.In.Count(n, key), n, "a number")
}

// Flag takes a setting that is on or off.
func (b *Binder) Flag(n *tree.Node, key string) model.Value {
	return b.note(b.In.Flag(n, key), n, "true or false")
}

// Share takes a share; percent says that a number alone counts hundredths.
func (b *Binder) Share(n *tree.Node, key string, percent bool) model.Value {
	return b.note(b.In.Share(n, key, percent), n, "a share")
}

// Duration takes a duration. A unit that the program does not read is noted, and the
// value is what was meant.
func (b *Binder) Duration(n *tree.Node, key string, style Style) model.Value {
	v := b.In.Duration(n, key, style.Bare)
	if _, err := strconv.ParseFloat(v.Text, 64); style.Bare == read.NoBare && read.Unreadable(v) && err == nil && len(b.Doc.Units) < MaxNoted {
		v.Bare = true
		b.Doc.Units = append(b.Doc.Units, model.Slip{
			Value: v, Refused: true, Fix: v.Text + "ms or " + v.Text + "s, whichever is meant",
			Why: b.Title + " reads " + style.Expected + "; " + v.Text + " is refused",
		})
		return v
	}
	v = b.note(v, n, style.Expected)
	if v.IsSet() && !read.Unreadable(v) && !v.Bare && !style.Units && len(b.Doc.Units) < MaxNoted {
		b.Doc.Units = append(b.Doc.Units, model.Slip{
			Value: v, Refused: true, Fix: style.Written(v.Amount), Write: style.Written(v.Amount),
			Why: b.Title + " reads " + style.Expected + "; " + strings.TrimSpace(v.Text) + " is refused",
		})
	}
	return v
}

// Written returns seconds as the program takes them.
func (s Style) Written(seconds float64) string {
	if s.Bare == read.NoBare || s.Units {
		return read.Written(seconds)
	}
	return number(seconds / float64(s.Bare))
}

// note lists the hole or the problem of a value.
func (b *Binder) note(v model.Value, n *tree.Node, expected string) model.Value {
	switch {
	case v.IsHole():
		b.Hole(v)
	case read.Unreadable(v):
		b.Problem(v.At, v.Key+": expected "+expected+", found "+quoted(v.Text))
	case !v.Present() && n.Present():
		b.Problem(n.At, v.Key+": expected "+expected+", found several values")
	}
	return v
}

// Problem notes what could not be read at a place.
func (b *Binder) Problem(at model.Position, text string) {
	if len(b.Doc.Problems) >= MaxNoted {
		return
	}
	if at.Line < 1 {
		at = model.Position{File: b.In.Name, Line: b.Doc.Line}
	}
	b.Doc.Problems = append(b.Doc.Problems, model.Problem{At: at, Err: text})
}

// Hole notes a value that is not known, each place once.
func (b *Binder) Hole(v model.Value) {
	at := v.At
	at.Offset, at.End = 0, 0
	if !v.IsHole() || b.holes[at] || len(b.Doc.Holes) >= MaxNoted {
		return
	}
	b.holes[at] = true
	b.Doc.Holes = append(b.Doc.Holes, v)
}

// Unknown notes a key that is none of an object's.
func (b *Binder) Unknown(key, object string, known []string, at model.Position) {
	if len(b.Doc.Unknown) >= MaxNoted {
		return
	}
	u := model.UnknownKey{Key: key, In: object, At: at}
	if near, ok := nearest.To(key, known); ok && nearest.Distance(strings.ToLower(key), strings.ToLower(near)) <= 2 {
		u.Nearest = near
	}
	b.Doc.Unknown = append(b.Doc.Unknown, u)
}

// Hop adds a hop.
func (b *Binder) Hop(h *model.Hop) *model.Hop {
	b.Doc.Hops = append(b.Doc.Hops, h)
	return h
}

// Service adds a service.
func (b *Binder) Service(s *model.Service) *model.Service {
	b.Doc.Services = append(b.Doc.Services, s)
	return s
}
