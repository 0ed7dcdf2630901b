package read

import (
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/units"
)

// Bare is what a number without a unit means in a format.
type Bare float64

// The meanings, in seconds. NoBare is for formats that refuse such a number.
const (
	NoBare      Bare = 0
	BareSeconds Bare = 1
	BareMillis  Bare = 1e-3
	BareMicros  Bare = 1e-6
	BareNanos   Bare = 1e-9
	BareMinutes Bare = 60
)

// Text returns a scalar as a word. It is absent where the node is.
func (in *Input) Text(n *tree.Node, key string) model.Value {
	if !n.Present() || n.Kind != tree.Scalar {
		return model.Value{Key: key}
	}
	v := model.Value{Key: key, Raw: n.Text, Text: n.Text, Origin: model.Set, At: n.At}
	if n.Hole != nil {
		v = *n.Hole
		v.Key, v.At, v.Origin = key, n.At, model.Hole
	}
	return v
}

// Duration returns a scalar as a duration. What cannot be read as one has the amount
// NaN; see [Unreadable].
func (in *Input) Duration(n *tree.Node, key string, bare Bare) model.Value {
	return amount(in.Text(n, key), model.Seconds, func(v *model.Value) (float64, bool) {
		d, isBare, ok := Duration(v.Text, bare)
		v.Bare = isBare
		return d, ok
	})
}

// Count returns a scalar as a number of things.
func (in *Input) Count(n *tree.Node, key string) model.Value {
	return amount(in.Text(n, key), model.Count, func(v *model.Value) (float64, bool) {
		f, err := strconv.ParseFloat(strings.ReplaceAll(v.Text, "_", ""), 64)
		return f, err == nil
	})
}

// Share returns a scalar as a share: 20% and 0.2 are the same; percent says that a
// bare number counts hundredths.
func (in *Input) Share(n *tree.Node, key string, percent bool) model.Value {
	return amount(in.Text(n, key), model.Ratio, func(v *model.Value) (float64, bool) {
		text, isPercent := strings.CutSuffix(strings.TrimSpace(v.Text), "%")
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if isPercent || percent {
			f /= 100
		}
		return f, err == nil
	})
}

// Bytes returns a scalar as a size.
func (in *Input) Bytes(n *tree.Node, key string) model.Value {
	return amount(in.Text(n, key), model.Bytes, func(v *model.Value) (float64, bool) {
		size, err := units.ParseSize(v.Text)
		return float64(size), err == nil
	})
}

// Flag returns a scalar as on or off.
func (in *Input) Flag(n *tree.Node, key string) model.Value {
	return amount(in.Text(n, key), model.Flag, func(v *model.Value) (float64, bool) {
		switch strings.ToLower(v.Text) {
		case "true", "on", "yes", "1", "enabled":
			return 1, true
		case "false", "off", "no", "0", "disabled":
			return 0, true
		}
		return 0, false
	})
}

func amount(v model.Value, unit model.Unit, parse func(*model.Value) (float64, bool)) model.Value {
	if !v.Present() {
		return v
	}
	v.Unit = unit
	if v.Origin == model.Hole {
		return v
	}
	f, ok := parse(&v)
	if !ok {
		f = math.NaN()
	}
	v.Amount = f
	return v
}

// Unreadable reports whether a value is set to what the format cannot read.
func Unreadable(v model.Value) bool { return v.IsSet() && math.IsNaN(v.Amount) }

// durationUnits are the units that formats write, in seconds.
var durationUnits = map[string]float64{
	"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400,
	"nanoseconds": 1e-9, "nanosecond": 1e-9, "microseconds": 1e-6, "microsecond": 1e-6, "milliseconds": 1e-3, "millisecond": 1e-3,
	"seconds": 1, "second": 1, "sec": 1, "secs": 1, "min": 60, "mins": 60, "minutes": 60, "minute": 60, "hours": 3600, "hour": 3600, "days": 86400, "day": 86400,
}

// Duration reads a duration in seconds as formats write them: 1m30s, 1.5s, 500 ms,
// PT1.5S, or a number, which means what bare says. Negative ones are kept: formats
// give them meanings of their own.
func Duration(text string, bare Bare) (seconds float64, isBare, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, false, false
	}
	if f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
		return f * float64(bare), true, bare != NoBare || f == 0
	}
	if upper := strings.ToUpper(text); strings.HasPrefix(upper, "PT") || strings.HasPrefix(upper, "P") && strings.Contains(upper, "T") {
		f, ok := isoDuration(upper)
		return f, false, ok
	}
	sign := 1.0
	if rest, found := strings.CutPrefix(text, "-"); found {
		sign, text = -1, rest
	}
	if text == "" {
		return 0, false, false
	}
	total, rest := 0.0, text
	for rest != "" {
		n := 0
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.') {
			n++
		}
		f, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil {
			return 0, false, false
		}
		rest = strings.TrimLeft(rest[n:], " ")
		n = 0
		for n < len(rest) && rest[n] != ' ' && (rest[n] < '0' || rest[n] > '9') {
			n++
		}
		unit, known := durationUnits[strings.ToLower(rest[:n])]
		if !known {
			return 0, false, false
		}
		if rest[:n] == "M" { // nginx writes months so
			unit = 30 * 86400
		}
		total += f * unit
		rest = strings.TrimLeft(rest[n:], " ")
	}
	return sign * total, false, true
}

// isoDuration reads ISO 8601 as Java writes it: PT1H2M3.5S, P1DT2H.
func isoDuration(text string) (float64, bool) {
	total, inTime := 0.0, false
	for rest := text[1:]; rest != ""; {
		if rest[0] == 'T' {
			inTime, rest = true, rest[1:]
			continue
		}
		n := strings.IndexAny(rest, "DHMS")
		if n < 1 {
			return 0, false
		}
		f, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil {
			return 0, false
		}
		switch {
		case rest[n] == 'D' && !inTime:
			total += f * 86400
		case rest[n] == 'H' && inTime:
			total += f * 3600
		case rest[n] == 'M' && inTime:
			total += f * 60
		case rest[n] == 'S' && inTime:
			total += f
		default:
			return 0, false
		}
		rest = rest[n+1:]
	}
	return total, len(text) > 2
}

// Unlimited returns v as no limit where its amount is one of those by which the format
// says so.
func Unlimited(v model.Value, amounts ...float64) model.Value {
	for _, a := range amounts {
		if v.Known() && v.Amount == a {
			v.Amount = math.Inf(1)
		}
	}
	return v
}

// Written returns a duration as a format with units takes it.
func Written(seconds float64) string {
	return units.ExactDuration(time.Duration(seconds * float64(time.Second)))
}
