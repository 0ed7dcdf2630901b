package model

import (
	"math"
	"time"

	"example.com/kneeline/internal/units"
)

// Position is a place in a file. The zero value is no place.
type Position struct {
	File string `json:"file,omitempty"`
	// Line and Column count from 1, columns in bytes.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Offset and End are the bytes of the value itself, [Offset, End), so that it can
	// be replaced; both 0 where that is not known.
	Offset int `json:"-"`
	End    int `json:"-"`
}

// Origin says where a value comes from.
type Origin uint8

// The origins.
const (
	Absent  Origin = iota // neither set nor is a default known
	Set                   // written in the file
	Default               // the program's own, from the table of defaults
	Derived               // computed from other values; Source says how
	Hole                  // a template expression or variable whose value is not known
)

var originNames = [...]string{"absent", "set", "default", "derived", "hole"}

// String returns the origin as reports write it.
func (o Origin) String() string {
	if int(o) < len(originNames) {
		return originNames[o]
	}
	return "unknown"
}

// MarshalText writes the origin as a word.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Unit is what an amount counts.
type Unit uint8

// The units. Amounts are in base SI units.
const (
	None      Unit = iota // text only
	Seconds               // a duration
	Count                 // connections, requests, tries
	Ratio                 // a share: 0.2 is 20 %
	Bytes                 // a size
	PerSecond             // a rate
	Flag                  // 0 off, 1 on
)

var unitNames = [...]string{"none", "seconds", "count", "ratio", "bytes", "per_second", "flag"}

// String returns the unit as a word.
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return "unknown"
}

// MarshalText writes the unit as a word.
func (u Unit) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// Value is one setting as the program takes it. The zero value is absent.
//
// A tree of many files has hundreds of thousands of values, so the small fields stand
// together.
type Value struct {
	// Key is the setting's name in its format, such as proxy_read_timeout.
	Key string
	// Raw is the text of the file, or of the default's row.
	Raw string
	// Amount is in the base unit; +Inf stands for no limit.
	Amount float64
	Unit   Unit
	Origin Origin
	// Unverified marks a default that nobody has seen in a source; findings that
	// rest on it are notes.
	Unverified bool
	// Bare marks a number that was written without a unit.
	Bare bool
	// Text is the value of settings that are words.
	Text string
	// Source is where a default comes from, or how a value was derived.
	Source string
	// At is where the value is written. For a default it is the object that lacks the
	// setting.
	At Position
}

// Present reports whether anything is known of the setting, a hole included.
func (v Value) Present() bool { return v.Origin != Absent }

// Known reports whether the setting has an amount or a text.
func (v Value) Known() bool { return v.Origin == Set || v.Origin == Default || v.Origin == Derived }

// IsSet reports whether the file says it.
func (v Value) IsSet() bool { return v.Origin == Set }

// IsHole reports whether the file sets it to what is not known.
func (v Value) IsHole() bool { return v.Origin == Hole }

// Unlimited reports whether the setting is known to be no limit.
func (v Value) Unlimited() bool { return v.Known() && math.IsInf(v.Amount, 1) }

// Finite reports whether the setting is known to be a number.
func (v Value) Finite() bool { return v.Known() && !math.IsInf(v.Amount, 0) && !math.IsNaN(v.Amount) }

// On reports whether a flag is known to be on.
func (v Value) On() bool { return v.Known() && v.Unit == Flag && v.Amount != 0 }

// Off reports whether a flag is known to be off.
func (v Value) Off() bool { return v.Known() && v.Unit == Flag && v.Amount == 0 }

// Duration returns the amount of a duration, the longest there is for one without
// limit.
func (v Value) Duration() time.Duration {
	s := v.Amount * float64(time.Second)
	if s >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(s)
}

// String returns the amount with its unit as people read it, and "no limit" for what
// has none.
func (v Value) String() string {
	switch {
	case v.Origin == Absent:
		return "not set"
	case v.Origin == Hole:
		return v.Raw
	case math.IsNaN(v.Amount): // set to what the format cannot read
		return v.Raw
	case math.IsInf(v.Amount, 1):
		return "no limit"
	}
	switch v.Unit {
	case Seconds:
		return units.ExactDuration(v.Duration())
	case Count:
		if v.Amount != math.Trunc(v.Amount) { // a multiplier
			return units.Number(v.Amount)
		}
		return units.Count(int64(v.Amount))
	case Ratio:
		return units.ExactShare(v.Amount)
	case Bytes:
		return units.Size(int64(v.Amount))
	case PerSecond:
		return units.ExactRate(v.Amount)
	case Flag:
		if v.Amount != 0 {
			return "on"
		}
		return "off"
	}
	return v.Text
}

// Of returns a derived value.
func Of(unit Unit, amount float64, how string) Value {
	return Value{Unit: unit, Amount: amount, Origin: Derived, Source: how}
}
