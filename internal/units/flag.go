package units

import (
	"strconv"
	"time"
)

// The types below hold the value of a command-line flag. They satisfy the flag
// library's Value interface by their methods alone, so that this package need
// not know the library. Their zero value reads as unset in help.

// RateValue is a flag's rate in events per second; 0 when unset.
type RateValue float64

// Set parses text with [ParseRate].
func (r *RateValue) Set(text string) error { return set((*float64)(r), text, ParseRate) }

// String returns the rate exactly, empty when unset.
func (r *RateValue) String() string {
	if *r == 0 {
		return ""
	}
	return ExactRate(float64(*r))
}

// Type returns the word that stands for the value in help.
func (*RateValue) Type() string { return "rate" }

// DurationValue is a flag's duration.
type DurationValue time.Duration

// Set parses text with [ParseDuration].
func (d *DurationValue) Set(text string) error { return set((*time.Duration)(d), text, ParseDuration) }

// String returns the duration exactly.
func (d *DurationValue) String() string {
	if *d == 0 {
		return "0"
	}
	return ExactDuration(time.Duration(*d))
}

// Type returns the word that stands for the value in help.
func (*DurationValue) Type() string { return "duration" }

// ShareValue is a flag's share as a ratio.
type ShareValue float64

// Set parses text with [ParseShare].
func (s *ShareValue) Set(text string) error { return set((*float64)(s), text, ParseShare) }

// String returns the share exactly, as a percentage.
func (s *ShareValue) String() string {
	if *s == 0 {
		return "0"
	}
	return ExactShare(float64(*s))
}

// Type returns the word that stands for the value in help.
func (*ShareValue) Type() string { return "share" }

// SizeValue is a flag's size in bytes.
type SizeValue int64

// Set parses text with [ParseSize].
func (s *SizeValue) Set(text string) error { return set((*int64)(s), text, ParseSize) }

// String returns the size exactly: in the greatest unit that divides it.
func (s *SizeValue) String() string {
	if *s == 0 {
		return "0"
	}
	n := int64(*s)
	names := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for i < len(names)-1 && n%1024 == 0 {
		n /= 1024
		i++
	}
	return strconv.FormatInt(n, 10) + names[i]
}

// Type returns the word that stands for the value in help.
func (*SizeValue) Type() string { return "size" }

// CountValue is a flag's whole number.
type CountValue int64

// Set parses text with [ParseCount].
func (c *CountValue) Set(text string) error { return set((*int64)(c), text, ParseCount) }

// String returns the number exactly.
func (c *CountValue) String() string { return strconv.FormatInt(int64(*c), 10) }

// Type returns the word that stands for the value in help.
func (*CountValue) Type() string { return "count" }

// set leaves the flag alone when the text is wrong.
func set[T any](to *T, text string, parse func(string) (T, error)) error {
	v, err := parse(text)
	if err == nil {
		*to = v
	}
	return err
}
