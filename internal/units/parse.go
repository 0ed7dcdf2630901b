package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// refuse is the one form of a parse error: what was read, what was expected,
// what was found.
func refuse(kind, text, expected, found string) error {
	if len(text) > maxText {
		text = text[:maxText] + "..."
	}
	return fmt.Errorf("%s %q: expected %s, %s", kind, text, expected, found)
}

// ParseRate reads a rate in events per second: "1200/s", "1200rps", "1.2k/s",
// "72000/min", "3600/h", or a plain number, which is per second. The rate is
// finite and over 0.
func ParseRate(text string) (float64, error) {
	const expected = "a rate over 0 such as 1200/s, 1200rps, 1.2k/s or 72000/min"
	q, err := parseQuantity(text)
	if err != nil {
		return 0, refuse("rate", text, expected, err.Error())
	}
	prefix, seconds, ok := rateUnit(q.unit)
	factor, known := scale[prefix]
	if !ok || !known {
		return 0, refuse("rate", text, expected, fmt.Sprintf("found the unit %q", q.unit))
	}
	v := q.value * factor / seconds
	if math.IsInf(v, 0) {
		return 0, refuse("rate", text, expected, "found a number out of range")
	}
	if v <= 0 {
		return 0, refuse("rate", text, expected, "found 0")
	}
	return v, nil
}

// rateUnit splits a rate's unit into an SI prefix and the seconds of its period.
func rateUnit(unit string) (prefix string, seconds float64, ok bool) {
	if p, found := strings.CutSuffix(unit, "rps"); found {
		return p, 1, true
	}
	p, period, found := strings.Cut(unit, "/")
	p = strings.TrimSpace(p)
	if !found {
		return p, 1, true
	}
	switch strings.TrimSpace(period) {
	case "s", "sec", "second":
		return p, 1, true
	case "min", "minute":
		return p, 60, true
	case "h", "hour":
		return p, 3600, true
	}
	return "", 0, false
}

// ParseDuration reads a duration of 0 or more in Go's syntax, such as "400ms",
// "1.5s" or "1m20s". A number without a unit is refused, 0 excepted.
func ParseDuration(text string) (time.Duration, error) {
	const expected = "a duration with its unit such as 400ms, 1.5s or 2m"
	s := strings.TrimSpace(text)
	if len(s) > maxText {
		return 0, refuse("duration", text, expected, fmt.Sprintf("found %d characters", len(s)))
	}
	d, err := time.ParseDuration(s)
	switch {
	case err == nil && d >= 0:
		return d, nil
	case strings.HasPrefix(s, "-"):
		return 0, refuse("duration", text, expected, "found a negative one")
	case s == "":
		return 0, refuse("duration", text, expected, "found nothing")
	}
	if _, nerr := strconv.ParseFloat(s, 64); nerr == nil {
		return 0, refuse("duration", text, expected,
			fmt.Sprintf("found no unit; write %sms for milliseconds or %ss for seconds", s, s))
	}
	if q, qerr := parseQuantity(s); qerr == nil && goUnit(q.unit) {
		return 0, refuse("duration", text, expected, "found a number out of range")
	}
	return 0, refuse("duration", text, expected, "found neither")
}

func goUnit(unit string) bool {
	switch unit {
	case "ns", "us", "µs", "μs", "ms", "s", "m", "h":
		return true
	}
	return false
}

// sizeUnit is the bytes of each unit of size. Bare k, m and g are left out: the
// JVM means powers of two by them and most other programs powers of ten.
var sizeUnit = map[string]float64{
	"B":  1,
	"kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50,
}

// ParseSize reads a size of 0 or more in bytes: "123B", "15KiB", "100MB",
// "7.5GiB". Units with an i are powers of 1024, the others of 1000. The result
// is rounded to whole bytes. A number without a unit is refused, 0 excepted.
func ParseSize(text string) (int64, error) {
	const expected = "a size with its unit such as 123B, 15KiB, 100MB or 7.5GiB"
	q, err := parseQuantity(text)
	if err != nil {
		return 0, refuse("size", text, expected, err.Error())
	}
	if q.unit == "" && q.value == 0 {
		return 0, nil
	}
	factor, ok := sizeUnit[q.unit]
	switch {
	case q.unit == "":
		return 0, refuse("size", text, expected,
			fmt.Sprintf("found no unit; write %sB for bytes or %sMiB for mebibytes", q.number, q.number))
	case !ok:
		return 0, refuse("size", text, expected, fmt.Sprintf("found the unit %q", q.unit))
	}
	// Whole bytes are read as integers: a float64 holds them up to 2^53 alone.
	if n, err := strconv.ParseInt(q.number, 10, 64); err == nil && n <= math.MaxInt64/int64(factor) {
		return n * int64(factor), nil
	}
	v := math.Round(q.value * factor)
	if v >= math.MaxInt64 {
		return 0, refuse("size", text, expected, "found a number out of range")
	}
	return int64(v), nil
}

// ParseShare reads a share as a ratio: "2.5%" and "0.025" are both 0.025. A
// percentage may exceed 100 %; a number without % may not exceed 1, since 30
// would mean 30 % to one reader and thirtyfold to another.
func ParseShare(text string) (float64, error) {
	const expected = "a share such as 2.5% or 0.025"
	q, err := parseQuantity(text)
	if err != nil {
		return 0, refuse("share", text, expected, err.Error())
	}
	switch q.unit {
	case "%":
		return percent(q), nil
	case "":
		if q.value > 1 {
			return 0, refuse("share", text, expected,
				fmt.Sprintf("found a number over 1 without %%; write %s%% if that is meant", q.number))
		}
		return q.value, nil
	}
	return 0, refuse("share", text, expected, fmt.Sprintf("found the unit %q", q.unit))
}

// percent divides by 100 in decimal: 99.9/100 in binary is 0.9990000000000001.
func percent(q quantity) float64 {
	if strings.ContainsAny(q.number, "eE") {
		return q.value / 100
	}
	v, err := strconv.ParseFloat(q.number+"e-2", 64)
	if err != nil { // cannot be: q.number was parsed before
		return q.value / 100
	}
	return v
}

// ParseCount reads a whole number of 0 or more: "5000", "5,000", "5k", "1.5M".
func ParseCount(text string) (int64, error) {
	const expected = "a whole number such as 5000, 5,000 or 5k"
	q, err := parseQuantity(text)
	if err != nil {
		return 0, refuse("count", text, expected, err.Error())
	}
	factor, ok := scale[q.unit]
	if !ok {
		return 0, refuse("count", text, expected, fmt.Sprintf("found the unit %q", q.unit))
	}
	if n, err := strconv.ParseInt(q.number, 10, 64); err == nil && n <= math.MaxInt64/int64(factor) {
		return n * int64(factor), nil
	}
	v := q.value * factor
	switch {
	case v >= math.MaxInt64:
		return 0, refuse("count", text, expected, "found a number out of range")
	case v != math.Trunc(v):
		return 0, refuse("count", text, expected, "found a fraction")
	}
	return int64(v), nil
}
