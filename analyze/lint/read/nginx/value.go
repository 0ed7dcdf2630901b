package nginx

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// product is the name in the table of defaults.
const product = "nginx"

// builder fills one document.
type builder struct {
	in  *read.Input
	doc *model.Document
	// seen are the places of holes and slips that are listed already: an inherited
	// setting is met once a location.
	seen map[int]bool
	// zones are rates and keys of limit_req_zone and limit_conn_zone, by name.
	zones     map[string]zone
	upstreams map[string]*upstream
	// servers is how many server blocks there are.
	servers int
	main    []*directive
}

// first reports whether a place is met for the first time.
func (b *builder) first(at model.Position) bool {
	if b.seen[at.Offset] {
		return false
	}
	b.seen[at.Offset] = true
	return true
}

// shellName is a variable that envsubst fills: nginx's own are in lower case.
var shellName = regexp.MustCompile(`\$\{?([A-Z][A-Z0-9_]*)\}?`)

// text is a word as a value, filled where it is known.
func (b *builder) text(w word, key string) model.Value {
	return b.filled(w.text, w.at, key)
}

func (b *builder) filled(raw string, at model.Position, key string) model.Value {
	text, hole := b.in.FillText(raw, at)
	if hole == nil {
		text, hole = b.shell(text, at)
	}
	raw = b.in.Shown(raw, at)
	if hole == nil {
		return model.Value{Key: key, Raw: raw, Text: text, Origin: model.Set, At: at}
	}
	v := *hole
	v.Key, v.At, v.Origin = key, at, model.Hole
	if b.first(at) {
		b.doc.Holes = append(b.doc.Holes, v)
	}
	return v
}

// shown is a word as reports write it.
func (b *builder) shown(w word) string { return b.in.Shown(w.text, w.at) }

// shell fills $NAME, which has no braces and so is left by FillText.
func (b *builder) shell(text string, at model.Position) (string, *model.Value) {
	for range 8 {
		m := shellName.FindStringSubmatchIndex(text)
		if m == nil {
			return text, nil
		}
		name := text[m[2]:m[3]]
		value, known := "", false
		if b.in.Lookup != nil {
			value, known = b.in.Lookup(name)
		}
		if !known {
			return text, &model.Value{Key: name, Raw: text[m[0]:m[1]], Origin: model.Hole, Source: name, At: at}
		}
		text = text[:m[0]] + value + text[m[1]:]
	}
	return text, nil
}

// absent is the default of a setting that an object at a place lacks.
func (b *builder) absent(key string, at model.Position) model.Value {
	return b.in.Defaults.Lookup(product, key, at)
}

// duration is a word as a time.
func (b *builder) duration(w word, key string) model.Value {
	return b.timed(b.text(w, key))
}

// timed reads the text of a value as a time.
func (b *builder) timed(v model.Value) model.Value {
	v.Unit = model.Seconds
	if v.Origin != model.Set {
		return v
	}
	seconds, bare, ok := parseTime(v.Text, inSeconds[v.Key])
	v.Amount, v.Bare = seconds, bare
	if !ok {
		meant, _, readable := read.Duration(v.Text, read.BareSeconds)
		if v.Amount = meant; !readable {
			v.Amount = math.NaN()
		}
		if b.first(v.At) {
			b.refuse(v, readable)
		}
		return v
	}
	if bare && doubtful(v.Amount) && b.first(v.At) {
		b.doc.Units = append(b.doc.Units, model.Slip{
			Value: v,
			Why:   fmt.Sprintf("%s %s has no unit, and nginx counts seconds: it is %s; as milliseconds it would be %s", v.Key, v.Raw, v, written(v.Amount/1000)),
			Fix:   fmt.Sprintf("%s %s", v.Key, written(v.Amount/1000)), Write: written(v.Amount / 1000),
		})
	}
	return v
}

// refuse notes a time that nginx does not take.
func (b *builder) refuse(v model.Value, readable bool) {
	r := model.Rejection{
		Why: fmt.Sprintf("nginx refuses the time %q of %s: it takes whole numbers with w, d, h, m, s%s, largest first", v.Raw, v.Key, milliseconds(v.Key)),
		Fix: v.Key + " with a time such as 5s or 500ms", At: v.At,
	}
	if readable {
		r.Fix = fmt.Sprintf("%s %s", v.Key, written(v.Amount))
	}
	b.doc.Rejected = append(b.doc.Rejected, r)
}

// inSeconds are the settings that nginx keeps in whole seconds.
var inSeconds = map[string]bool{"fail_timeout": true, "resolver valid": true}

// milliseconds names that unit where a setting takes it.
func milliseconds(key string) string {
	if inSeconds[key] {
		return ""
	}
	return " or ms"
}

// written is a time as nginx takes it.
func written(seconds float64) string {
	if seconds == math.Trunc(seconds) {
		return fmt.Sprintf("%.0fs", seconds)
	}
	return fmt.Sprintf("%.0fms", seconds*1000)
}

// doubtful tells bare numbers that were meant in milliseconds: whole thousands that are
// no whole or half hours.
func doubtful(seconds float64) bool {
	return seconds >= 1000 && math.Mod(seconds, 1000) == 0 && math.Mod(seconds, 1800) != 0
}

// timeUnits are nginx's units, in the order in which it takes them.
var timeUnits = []struct {
	suffix  string
	seconds float64
}{{"y", 365 * 86400}, {"M", 30 * 86400}, {"w", 7 * 86400}, {"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}}

// parseTime reads a time as ngx_parse_time does: parts from large to small, a last
// number without a unit in seconds. Settings that nginx keeps in milliseconds take no
// years and months, those that it keeps in whole seconds no milliseconds.
func parseTime(text string, whole bool) (seconds float64, bare, ok bool) {
	rest, largest := strings.TrimSpace(text), 0
	if rest == "" {
		return 0, false, false
	}
	for parts := 0; rest != ""; parts++ {
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		number, err := strconv.ParseUint(rest[:n], 10, 40)
		if err != nil {
			return 0, false, false
		}
		rest = rest[n:]
		if rest == "" {
			return seconds + float64(number), parts == 0, true
		}
		m := 0
		for m < len(rest) && rest[m] != ' ' && (rest[m] < '0' || rest[m] > '9') {
			m++
		}
		unit := -1
		for i := largest; i < len(timeUnits); i++ {
			if s := timeUnits[i].suffix; s == rest[:m] && (whole && s != "ms" || !whole && s != "y" && s != "M") {
				unit = i
				break
			}
		}
		if unit < 0 {
			return 0, false, false
		}
		seconds += float64(number) * timeUnits[unit].seconds
		largest = unit + 1
		rest = strings.TrimLeft(rest[m:], " ")
	}
	return seconds, false, true
}

// count is a value as a number of things.
func (b *builder) count(v model.Value) model.Value {
	v.Unit = model.Count
	if v.Origin != model.Set {
		return v
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	if v.Amount = float64(n); err != nil {
		v.Amount = math.NaN()
		if b.first(v.At) {
			b.doc.Rejected = append(b.doc.Rejected, model.Rejection{
				Why: fmt.Sprintf("nginx refuses %q for %s: it takes a whole number", v.Raw, v.Key), Fix: v.Key + " with a whole number", At: v.At,
			})
		}
	}
	return v
}

// flag is a value as on or off.
func (b *builder) flag(v model.Value) model.Value {
	v.Unit = model.Flag
	if v.Origin == model.Set && v.Text == "on" {
		v.Amount = 1
	}
	return v
}

// param finds name=value among the arguments of a directive, with the place of the
// value alone.
func (b *builder) param(d *directive, name string) (model.Value, bool) {
	for _, w := range d.args {
		raw, ok := strings.CutPrefix(w.text, name+"=")
		if !ok {
			continue
		}
		at := w.at
		if !w.quoted {
			at.Offset += len(name) + 1
			at.Column += len(name) + 1
		}
		return b.filled(raw, at, name), true
	}
	return model.Value{Key: name}, false
}
