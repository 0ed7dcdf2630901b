package queuecalc

import (
	"errors"
	"math"
	"testing"
)

// near fails unless got is want within a relative tolerance.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s: got %.12g, want %.12g within %g", what, got, want, tolerance)
	}
}

// must returns v and fails the test on an error.
func must[T any](t fataler, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
	return v
}

// fataler is what *testing.T and *rapid.T have in common here.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// refused fails unless err names the argument.
func refused(t *testing.T, arg string, err error) {
	t.Helper()
	var e *ArgError
	if !errors.As(err, &e) || e.Arg != arg {
		t.Errorf("want an error about %q, got %v", arg, err)
	}
}
