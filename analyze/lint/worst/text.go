package worst

import (
	"math"
	"time"

	"example.com/kneeline/internal/units"
)

// Product is a times b, in which 0 times no limit (+Inf) is 0: tries that take no time take
// none however many they are.
func Product(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}

// Text writes seconds as reports do, to the microsecond, "no limit" for +Inf.
func Text(seconds float64) string {
	if math.IsInf(seconds, 1) || seconds*float64(time.Second) >= math.MaxInt64 {
		return "no limit"
	}
	return units.ExactDuration(time.Duration(math.Round(seconds*1e6)) * time.Microsecond)
}

// About writes seconds that follow from measured figures: to three digits, which is more
// than those have.
func About(seconds float64) string { return Text(threeDigits(seconds, math.Round)) }

// AtMost writes seconds as a limit is set, to three digits and never more than they are.
func AtMost(seconds float64) string { return Text(threeDigits(seconds, units.Floor)) }

func threeDigits(seconds float64, cut func(float64) float64) float64 {
	if !(seconds > 0) || math.IsInf(seconds, 1) {
		return seconds
	}
	unit := math.Pow(10, math.Floor(math.Log10(seconds))-2)
	return cut(seconds/unit) * unit
}
