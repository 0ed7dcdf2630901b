package units

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// What formatters print for values that are no finite number.
const (
	NotAvailable = "n/a"
	Unbounded    = "unbounded"
)

// notFinite returns the words for a value that is no finite number, empty for
// one that is.
func notFinite(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return Unbounded
	case math.IsNaN(v), math.IsInf(v, -1):
		return NotAvailable
	}
	return ""
}

// Number formats v with thousands commas and about three significant digits:
// whole from 100 up, else as many decimals as three digits need, without
// trailing zeros.
func Number(v float64) string {
	if w := notFinite(v); w != "" {
		return w
	}
	a := math.Abs(v)
	if a != 0 && (a < 1e-4 || a >= 1e15) {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := strconv.FormatFloat(v, 'f', decimals(a), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		s = "0"
	}
	return groupThousands(s)
}

// decimals returns how many decimals show three significant digits of a.
func decimals(a float64) int {
	if a == 0 {
		return 0
	}
	return min(max(2-int(math.Floor(math.Log10(a))), 0), 7)
}

// groupThousands puts commas into the whole part of a decimal number.
func groupThousands(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, frac := s, ""
	if i := strings.IndexByte(s, '.'); i >= 0 {
		whole, frac = s[:i], s[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole + frac
}

// Rate formats a rate per second: "1,188/s", "88.5/s", "0.42/s".
func Rate(perSecond float64) string {
	if w := notFinite(perSecond); w != "" {
		return w
	}
	return Number(perSecond) + "/s"
}

// Integer is any integer type.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Count formats a whole number in full: "5,000".
func Count[T Integer](n T) string {
	if n < 0 {
		return groupThousands(strconv.FormatInt(int64(n), 10))
	}
	return groupThousands(strconv.FormatUint(uint64(n), 10))
}

// Duration formats d in Go's syntax with three significant digits below a
// minute, whole seconds below an hour and whole minutes above: "402ms",
// "2.34s", "1m20s", "1h5m".
func Duration(d time.Duration) string {
	return ExactDuration(d.Round(durationStep(d.Abs())))
}

func durationStep(d time.Duration) time.Duration {
	switch {
	case d >= time.Hour-30*time.Second:
		return time.Minute
	case d >= time.Minute-50*time.Millisecond:
		return time.Second
	}
	step := time.Duration(1)
	for d >= 1000*step {
		step *= 10
	}
	return step
}

// ExactDuration formats d in Go's syntax without rounding and without the zero
// units that Go appends: "2m" where Go writes "2m0s".
func ExactDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Seconds formats a time in seconds as [Duration] does.
func Seconds(s float64) string {
	if w := notFinite(s); w != "" {
		return w
	}
	const most = float64(math.MaxInt64) / float64(time.Second)
	switch {
	case s >= most:
		return "over 292 years"
	case s <= -most:
		return NotAvailable
	case s != 0 && math.Abs(s) < 0.5e-9:
		return Number(s*1e9) + "ns"
	}
	return Duration(time.Duration(math.Round(s * float64(time.Second))))
}

// Size formats bytes in powers of 1024 with about three significant digits:
// "123B", "15KiB", "7.5GiB".
func Size[T Integer](bytes T) string {
	v := float64(bytes)
	names := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	i := 0
	// 1023.5 is where a value rounds to 1024 of its unit.
	for i < len(names)-1 && math.Abs(v) >= 1023.5 {
		v /= 1024
		i++
	}
	return strings.ReplaceAll(Number(v), ",", "") + names[i]
}

// Share formats a ratio as a percentage with three significant digits:
// "1.23%", "50%". It never rounds to none or to all: what is not quite 0 or 1
// keeps the digits that show it, down to "<0.0001%" and ">99.9999%".
func Share(ratio float64) string {
	if w := notFinite(ratio); w != "" {
		return w
	}
	p := ratio * 100
	switch {
	case p > 0 && p < 0.9999e-4:
		return "<0.0001%"
	case p < 0 && p > -0.9999e-4:
		return ">-0.0001%"
	case p >= 99.95 && p < 100:
		return nearlyAll(p)
	}
	return Number(p) + "%"
}

// nearlyAll formats a percentage below 100 that three digits would round to it,
// with the decimals that show one digit of what is missing.
func nearlyAll(p float64) string {
	missing := 100 - p
	if missing < 0.9999e-4 {
		return ">99.9999%"
	}
	digits := int(math.Ceil(-math.Log10(missing) - 1e-6))
	return strconv.FormatFloat(p, 'f', digits, 64) + "%"
}

// SignedShare formats a ratio as [Share] does, with a sign before positive ones
// too: "+34%", "-6%". It is for differences.
func SignedShare(ratio float64) string {
	s := Share(ratio)
	if ratio > 0 && s != Unbounded {
		return "+" + s
	}
	return s
}

// ExactShare formats a ratio as a percentage without rounding; [ParseShare]
// reads the same ratio back.
func ExactShare(ratio float64) string {
	if w := notFinite(ratio); w != "" {
		return w
	}
	// The point is moved in the text: a product by 100 would round.
	whole, frac, _ := strings.Cut(strconv.FormatFloat(ratio, 'f', -1, 64), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	frac += "00"
	whole = strings.TrimLeft(whole+frac[:2], "0")
	frac = strings.TrimRight(frac[2:], "0")
	if whole == "" {
		whole = "0"
	}
	if frac != "" {
		whole += "." + frac
	}
	return sign + whole + "%"
}

// ExactRate formats a rate per second without rounding; [ParseRate] reads the
// same rate back.
func ExactRate(perSecond float64) string {
	if w := notFinite(perSecond); w != "" {
		return w
	}
	return strconv.FormatFloat(perSecond, 'f', -1, 64) + "/s"
}
