package field

import (
	"math"
	"strconv"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
)

// Duration returns a setting's duration, or its default.
func (s Section) Duration(key string) model.Value {
	n := s.Field(key)
	if !n.Present() {
		return s.Default(key)
	}
	return s.DurationOf(n, key)
}

// DurationOf returns a node's duration and notes what the program would not take.
func (r *Reader) DurationOf(n *tree.Node, key string) model.Value {
	v := r.In.Text(n, key)
	if !v.Present() {
		if r.Structs && n != nil && n.Kind == tree.Map {
			return r.structOf(n, key)
		}
		if n.Present() {
			r.Reject(n.At, "", "%s: expected a duration, found an object or a list", key)
		}
		return v
	}
	v.Unit = model.Seconds
	if v.IsHole() {
		r.Hole(v)
		return v
	}
	f, ok, expected := r.Style(v.Text)
	v.Amount = f
	if _, isBare, readable := read.Duration(v.Text, read.BareSeconds); readable {
		v.Bare = isBare
	}
	switch {
	case ok:
	case math.IsNaN(f):
		r.Reject(v.At, "", "%s: expected %s, found %q", key, expected, v.Text)
	default:
		r.slip(model.Slip{Value: v, Refused: true, Fix: r.written(f), Write: r.written(f), Why: r.Title + " reads " + expected + "; " + v.Text + " is refused"})
	}
	return v
}

// structOf returns a duration that is written as an object of seconds and nanoseconds.
func (r *Reader) structOf(n *tree.Node, key string) model.Value {
	v := model.Value{Key: key, Unit: model.Seconds, Origin: model.Set, At: n.At, Raw: "{seconds: " + n.Get("seconds").String() + "}"}
	for part, unit := range map[string]float64{"seconds": 1, "nanos": 1e-9} {
		if c := n.Get(part); c.Present() {
			number := r.CountOf(c, part)
			if number.IsHole() {
				return number
			}
			v.Amount += number.Amount * unit
		}
	}
	return v
}

// written is a duration in the program's own style.
func (r *Reader) written(seconds float64) string {
	for _, text := range []string{read.Written(seconds), plain(seconds) + "s", plain(seconds), plain(seconds * 1000)} {
		if f, ok, _ := r.Style(text); ok && math.Abs(f-seconds) <= 1e-9*math.Abs(seconds) {
			return text
		}
	}
	return read.Written(seconds)
}

// Count returns a setting's number, or its default.
func (s Section) Count(key string) model.Value {
	n := s.Field(key)
	if !n.Present() {
		return s.Default(key)
	}
	return s.CountOf(n, key)
}

// CountOf returns a node's number and notes what the program would not take.
func (r *Reader) CountOf(n *tree.Node, key string) model.Value {
	return r.checked(r.In.Count(n, key), n, "a number")
}

// Share returns a setting's share, or its default; percent says that bare numbers
// count hundredths.
func (s Section) Share(key string, percent bool) model.Value {
	n := s.Field(key)
	if !n.Present() {
		return s.Default(key)
	}
	return s.checked(s.In.Share(n, key, percent), n, "a share")
}

// Flag returns a setting that is on or off, or its default.
func (s Section) Flag(key string) model.Value {
	n := s.Field(key)
	if !n.Present() {
		return s.Default(key)
	}
	return s.checked(s.In.Flag(n, key), n, "true or false")
}

// Text returns a setting that is a word, or its default.
func (s Section) Text(key string) model.Value {
	n := s.Field(key)
	if !n.Present() {
		return s.Default(key)
	}
	v := s.In.Text(n, key)
	s.Hole(v)
	return v
}

// checked notes a value's hole, and refuses what is no such value.
func (r *Reader) checked(v model.Value, n *tree.Node, expected string) model.Value {
	r.Hole(v)
	if read.Unreadable(v) || n.Present() && !v.Present() {
		r.Reject(n.At, "", "%s: expected %s, found %q", v.Key, expected, n.String())
	}
	return v
}

// ZeroIsNone returns a value as no limit where the format says so by 0.
func ZeroIsNone(v model.Value) model.Value { return read.Unlimited(v, 0) }

// ZeroIsDefault returns a duration of which a 0 does not switch the limit off: the
// default holds, and the 0 is kept in the hop's Extra as "zero" and the key.
func (s Section) ZeroIsDefault(key string, h *model.Hop) model.Value {
	v := s.Duration(key)
	if !v.IsSet() || v.Amount != 0 {
		return v
	}
	if h.Extra == nil {
		h.Extra = map[string]model.Value{}
	}
	h.Extra["zero "+key] = v
	return s.Default(key)
}

// Tries fills in a retry's number in a dialect that does not count the first try.
func Tries(r *model.Retry, written model.Value) {
	r.Written, r.Dialect, r.Tries = written, model.ExtraTries, written
	if written.Finite() {
		r.Tries.Amount = max(written.Amount, 0) + 1
	}
}

// TotalTries fills in a retry's number in a dialect that counts the first try.
func TotalTries(r *model.Retry, written model.Value) {
	r.Written, r.Dialect, r.Tries = written, model.TotalTries, written
	if written.Finite() {
		r.Tries.Amount = max(written.Amount, 1)
	}
}

// NoRetry is the one try of a call that is not retried.
func NoRetry(at model.Position, why string) model.Retry {
	v := model.Of(model.Count, 1, why)
	v.At = at
	return model.Retry{Tries: v}
}

// Backoff is the wait between tries of Envoy and of the programs built on it: doubling,
// up to 10 times the first wait unless a setting says otherwise. Either key may be
// empty where the format has no such setting.
func Backoff(s Section, base, most string) model.Backoff {
	b := model.Backoff{Base: s.Duration(base), Multiplier: s.Default("multiplier"), Jitter: s.Default("jitter"), Hint: s.Default("hint")}
	if most != "" {
		b.Max = s.Duration(most)
	}
	if !b.Max.Present() && b.Base.Finite() {
		b.Max = model.Of(model.Seconds, 10*b.Base.Amount, "10 times the first wait")
		b.Max.Key, b.Max.At = base, s.At
	}
	return b
}

// WholeCall is the limit of one try where only the one of the whole call is set.
func WholeCall(key string, total model.Value, at model.Position) model.Value {
	if !total.Finite() && !total.Unlimited() {
		return model.Value{Key: key}
	}
	return model.Value{Key: key, Unit: model.Seconds, Amount: total.Amount, Origin: model.Derived, At: at,
		Source: "not set: the limit of the call, so that a try that has timed out is never repeated"}
}

// plain writes a number without an exponent.
func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
