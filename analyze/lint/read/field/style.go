package field

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/analyze/lint/read"
)

// Style is how a program reads durations. It returns the amount in seconds as it was
// meant, whether the program takes it so, and what it expects if it does not. An
// amount that cannot even be guessed is not ok.
type Style func(text string) (seconds float64, ok bool, expected string)

// Proto is a duration of Protocol Buffers in JSON: seconds with a fraction and the
// letter s, nothing else.
func Proto(text string) (float64, bool, string) {
	const expected = "seconds with the unit s, such as 0.25s"
	if number, found := strings.CutSuffix(text, "s"); found {
		if f, err := strconv.ParseFloat(number, 64); err == nil && strings.Trim(number, "-0123456789.") == "" {
			return f, true, ""
		}
	}
	return meant(text, expected)
}

// Go is a duration as Go writes it, and 0 without a unit.
func Go(text string) (float64, bool, string) {
	const expected = "a duration with its unit, such as 1.5s"
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds(), true, ""
	}
	return meant(text, expected)
}

var gatewayDuration = regexp.MustCompile(`^([0-9]{1,5}(h|m|s|ms)){1,4}$`)

// Gateway is a duration of the Gateway API (GEP-2257): up to four whole numbers of up
// to five digits with the units h, m, s and ms.
func Gateway(text string) (float64, bool, string) {
	const expected = "whole numbers with the units h, m, s or ms, such as 1s500ms"
	if d, err := time.ParseDuration(text); err == nil && gatewayDuration.MatchString(text) {
		return d.Seconds(), true, ""
	}
	return meant(text, expected)
}

// Seconds is a number of seconds, with or without a unit.
func Seconds(text string) (float64, bool, string) { return bare(text, read.BareSeconds) }

// Millis is a number of milliseconds without a unit.
func Millis(text string) (float64, bool, string) { return only(text, read.BareMillis, "milliseconds") }

// WholeSeconds is a number of seconds without a unit.
func WholeSeconds(text string) (float64, bool, string) {
	return only(text, read.BareSeconds, "seconds")
}

// Nanos is a duration as Go writes it, or a number of nanoseconds.
func Nanos(text string) (float64, bool, string) { return bare(text, read.BareNanos) }

func bare(text string, unit read.Bare) (float64, bool, string) {
	f, _, ok := read.Duration(text, unit)
	if !ok {
		f = nan
	}
	return f, ok, "a duration"
}

// only is for programs that read a number and refuse a unit.
func only(text string, unit read.Bare, name string) (float64, bool, string) {
	f, isBare, ok := read.Duration(text, unit)
	if ok && isBare {
		return f, true, ""
	}
	if !ok {
		return nan, false, "a number of " + name
	}
	return f, false, "a number of " + name + " without a unit"
}

// meant is what a duration that the program refuses stands for, if that can be told.
func meant(text, expected string) (float64, bool, string) {
	if f, _, ok := read.Duration(text, read.BareSeconds); ok {
		return f, false, expected
	}
	return nan, false, expected
}
