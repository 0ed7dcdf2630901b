package report

import (
	"math"
	"strconv"
	"strings"
)

// Number writes v with at most four significant digits and thousands
// separators: 1,188, 0.022, 1.2e+07 beyond twelve digits.
func Number(v float64) string {
	abs := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return "–"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	case abs == 0:
		return "0"
	case abs >= 1e12 || abs < 1e-4:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case abs >= 1000:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	decimals := 3 - int(math.Floor(math.Log10(abs)))
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// group puts a comma before every third digit of an integer.
func group(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// format writes v as the axis asks for, cleaned.
func (a Axis) format(v float64) string {
	if a.Format == nil {
		return Number(v)
	}
	return clean(a.Format(v))
}

// label is the axis's title with its unit.
func (a Axis) label() string {
	switch {
	case a.Unit == "":
		return clean(a.Title)
	case a.Title == "":
		return clean(a.Unit)
	}
	return clean(a.Title) + " (" + clean(a.Unit) + ")"
}
