// Package fault gives errors the kind that decides the exit code. The mapping
// from kind to code is in cmd alone.
package fault

import (
	"errors"
	"fmt"
)

// Kind says what an error means to the caller of the program.
type Kind uint8

const (
	// NoAnswer is an error after which there is no trustworthy answer:
	// unreadable input, unreachable target, the generator was the limit.
	// It is the kind of every error that has none of its own.
	NoAnswer Kind = iota
	// Usage is a request that makes no sense: flags, config, grammar.
	Usage
	// Gate is a trustworthy answer that fails a gate the user set.
	Gate
)

// Error is an error with a kind and an optional hint for the user.
type Error struct {
	Kind Kind
	Err  error
	// Hint says what to do, as a sentence without period; it may be empty.
	Hint string
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// Usagef returns a usage error.
func Usagef(format string, args ...any) error {
	return &Error{Kind: Usage, Err: fmt.Errorf(format, args...)}
}

// NoAnswerf returns an error that leaves no trustworthy answer.
func NoAnswerf(format string, args ...any) error {
	return &Error{Kind: NoAnswer, Err: fmt.Errorf(format, args...)}
}

// Gatef returns the error of a failed gate.
func Gatef(format string, args ...any) error {
	return &Error{Kind: Gate, Err: fmt.Errorf(format, args...)}
}

// WithHint adds a hint to err, keeping its kind.
func WithHint(err error, hint string) error {
	return &Error{Kind: KindOf(err), Err: err, Hint: hint}
}

// KindOf returns the kind of err, NoAnswer if none is given.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return NoAnswer
}

// HintOf returns the hint of err, empty if none is given.
func HintOf(err error) string {
	var e *Error
	for errors.As(err, &e) {
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Err
	}
	return ""
}
