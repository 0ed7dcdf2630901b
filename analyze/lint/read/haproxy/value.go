package haproxy

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/template"
)

// product is the name in the table of defaults.
const product = "haproxy"

// builder fills one document.
type builder struct {
	in       *read.Input
	doc      *model.Document
	sections []*section
	// seen are the places of what is noted already: a setting of a defaults section is
	// met once a proxy.
	seen map[int]bool
}

// first reports whether a place is met for the first time.
func (b *builder) first(at model.Position) bool {
	if b.seen[at.Offset] {
		return false
	}
	b.seen[at.Offset] = true
	return true
}

// environment is a variable as HAProxy expands it: $NAME, ${NAME}, ${NAME-default}.
var environment = regexp.MustCompile(`\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(?:\[\*\])?(?::?-([^}]*))?\})`)

// text is a word as a value, filled where it is known.
func (b *builder) text(w word, key string) model.Value {
	raw := b.shown(w)
	hole := b.in.HoleAt(w.at.Offset, w.at.End)
	text := w.text
	if hole != nil {
		filled, open := b.in.FillText(w.text, w.at)
		if open != nil {
			literal, ok := choice(open.Key)
			if !ok || strings.Trim(w.text, string(rune(template.Filler))) != "" {
				return b.hole(*open, key, w.at)
			}
			filled = literal
		}
		text = filled
	}
	if !w.fixed && strings.Contains(text, "$") {
		filled, open := b.expand(text)
		if open != nil {
			return b.hole(*open, key, w.at)
		}
		text = filled
	}
	return model.Value{Key: key, Raw: raw, Text: text, Origin: model.Set, At: w.at}
}

func (b *builder) hole(v model.Value, key string, at model.Position) model.Value {
	v.Key, v.At, v.Origin = key, at, model.Hole
	if b.first(at) {
		b.doc.Holes = append(b.doc.Holes, v)
	}
	return v
}

// shown is a word as reports write it.
func (b *builder) shown(w word) string { return b.in.Shown(w.text, w.at) }

// expand puts values in the place of environment variables. It returns the first that
// has none.
func (b *builder) expand(text string) (string, *model.Value) {
	var open *model.Value
	out := environment.ReplaceAllStringFunc(text, func(m string) string {
		parts := environment.FindStringSubmatch(m)
		name := parts[1] + parts[2]
		if b.in.Lookup != nil {
			if v, ok := b.in.Lookup(name); ok {
				return v
			}
		}
		if strings.Contains(m, "-") {
			return parts[3]
		}
		if open == nil {
			open = &model.Value{Key: name, Raw: m, Origin: model.Hole, Source: name}
		}
		return m
	})
	return out, open
}

// literals are the strings of an expression.
var literals = regexp.MustCompile(`"([^"]*)"`)

// choice is the value that a template function which takes the first match falls back
// to: its last string.
func choice(expression string) (string, bool) {
	if !strings.HasPrefix(expression, "firstMatch ") {
		return "", false
	}
	all := literals.FindAllStringSubmatch(expression, -1)
	if len(all) == 0 || !strings.HasSuffix(strings.TrimSpace(expression), `"`) {
		return "", false
	}
	return all[len(all)-1][1], true
}

// absent is the default of a setting that an object at a place lacks.
func (b *builder) absent(key string, at model.Position) model.Value {
	return b.in.Defaults.Lookup(product, key, at)
}

// timeUnits are HAProxy's, in seconds.
var timeUnits = map[string]float64{"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400}

// maxTime is the longest timer that HAProxy takes.
const maxTime = math.MaxInt32 / 1000.0

// parseTime reads a time as HAProxy does: a whole number with at most one unit, in
// milliseconds without.
func parseTime(text string) (seconds float64, bare, ok bool) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	number, err := strconv.ParseUint(text[:n], 10, 63)
	if err != nil {
		return 0, false, false
	}
	if n == len(text) {
		return float64(number) / 1000, true, true
	}
	unit, known := timeUnits[text[n:]]
	return float64(number) * unit, false, known
}

// duration is a word as a time. Low is under how many seconds a number without a unit
// is doubtful.
func (b *builder) duration(w word, key string, low float64) model.Value {
	v := b.text(w, key)
	v.Unit = model.Seconds
	if v.Origin != model.Set {
		return v
	}
	seconds, bare, ok := parseTime(v.Text)
	v.Amount, v.Bare = seconds, bare
	switch {
	case !ok || seconds > maxTime:
		b.refuse(&v, ok)
	case bare && seconds > 0 && seconds < low && b.first(v.At):
		b.doc.Units = append(b.doc.Units, model.Slip{
			Value: v,
			Why:   fmt.Sprintf("%s %s has no unit, and HAProxy counts milliseconds: it is %s", key, v.Raw, v),
			Fix:   fmt.Sprintf("%s %ss", key, v.Text), Write: v.Text + "s",
		})
	}
	return v
}

// refuse notes a time that HAProxy does not take, and reads it as it is meant.
func (b *builder) refuse(v *model.Value, tooLong bool) {
	r := model.Rejection{
		Why: fmt.Sprintf("HAProxy refuses the time %q of %s: it takes a whole number with one of us, ms, s, m, h or d", v.Raw, v.Key),
		Fix: v.Key + " with a time such as 5s or 500ms", At: v.At,
	}
	if tooLong {
		r.Why = fmt.Sprintf("HAProxy refuses the time %q of %s: the longest that it takes is 24 days", v.Raw, v.Key)
	} else {
		if n := begins(v.Text); n > 0 {
			r.Why = fmt.Sprintf("HAProxy reads %q of the time %q of %s alone, with a warning; later versions than 2.6 refuse it", v.Text[:n], v.Raw, v.Key)
		}
		meant, _, ok := read.Duration(v.Text, read.BareMillis)
		if v.Amount = meant; !ok {
			v.Amount = math.NaN()
		} else {
			r.Fix = fmt.Sprintf("%s %.0fms", v.Key, meant*1000)
		}
	}
	if b.first(v.At) {
		b.doc.Rejected = append(b.doc.Rejected, r)
	}
}

// begins is how much of a text is a time with its unit, 0 if it does not begin so.
func begins(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	for _, length := range []int{2, 1} {
		if n > 0 && n+length <= len(text) {
			if _, ok := timeUnits[text[n:n+length]]; ok {
				return n + length
			}
		}
	}
	return 0
}

// count is a word as a number of things.
func (b *builder) count(w word, key string) model.Value {
	v := b.text(w, key)
	v.Unit = model.Count
	if v.Origin != model.Set {
		return v
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	if v.Amount = float64(n); err != nil {
		v.Amount = math.NaN()
		if b.first(v.At) {
			b.doc.Rejected = append(b.doc.Rejected, model.Rejection{
				Why: fmt.Sprintf("HAProxy refuses %q for %s: it takes a whole number", v.Raw, v.Key), Fix: key + " with a whole number", At: v.At,
			})
		}
	}
	return v
}

// onWord is a flag that a word on a line switches.
func (b *builder) onWord(w word, key string, on bool) model.Value {
	v := model.Value{Key: key, Raw: b.shown(w), Unit: model.Flag, Origin: model.Set, At: w.at}
	if on {
		v.Amount = 1
	}
	return v
}

// mode is how a section treats what passes: tcp or http. One that is not known counts
// as http, which has more settings.
func (b *builder) mode(s *section) string {
	l := s.lookup("mode")
	if l == nil {
		return "tcp"
	}
	if v := b.text(l.word(1), "mode"); !v.IsHole() {
		return v.Text
	}
	return "http"
}
