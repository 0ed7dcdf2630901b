package cmd

import (
	"context"
	"errors"
	"os"
	"syscall"

	"example.com/kneeline/internal/fault"
)

// The exit codes. This file is the only place where errors become codes, and
// no output format has a say in it.
const (
	exitOK          = 0
	exitGate        = 1
	exitUsage       = 2
	exitNoAnswer    = 3
	exitInterrupted = 130 // 128 + SIGINT
	exitTerminated  = 143 // 128 + SIGTERM
)

// exitCodes is the table that `kneeline help exit-codes` prints.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "a trustworthy answer, and no gate failed"},
	{exitGate, "a trustworthy answer that fails a gate you set, such as --min-headroom, --max-overhead or --fail-on"},
	{exitUsage, "the request makes no sense: flags, arguments, config files"},
	{exitNoAnswer, "no trustworthy answer: unreadable input, a target that cannot be reached or answers nothing rightly, the load generator was the limit, output not written"},
	{exitInterrupted, "interrupted by Ctrl-C (SIGINT); the report so far is written with \"complete\": false"},
	{exitTerminated, "terminated (SIGTERM); the report so far is written with \"complete\": false"},
}

// Interrupted is the cause with which a command's context ends when a signal
// arrives. A command that returns early because of it writes what it has, marked
// as incomplete, and returns the cause.
type Interrupted struct {
	Signal os.Signal
}

func (e *Interrupted) Error() string {
	if e.Signal == syscall.SIGTERM {
		return "terminated"
	}
	return "interrupted"
}

// code returns the exit code the shell expects after the signal.
func (e *Interrupted) code() int {
	if e.Signal == syscall.SIGTERM {
		return exitTerminated
	}
	return exitInterrupted
}

// interruptedBy returns the signal that ended ctx, nil if none did.
func interruptedBy(ctx context.Context) *Interrupted {
	var i *Interrupted
	if errors.As(context.Cause(ctx), &i) {
		return i
	}
	return nil
}

// exitCode maps the end of a command to the process's exit code. After a signal
// it is the signal's code whatever else went wrong, since what else went wrong
// is likely its consequence. Of several errors the worst counts: 3 before 2
// before 1.
func exitCode(ctx context.Context, err error) int {
	if i := interruptedBy(ctx); i != nil {
		return i.code()
	}
	var i *Interrupted
	if errors.As(err, &i) {
		return i.code()
	}
	return worst(err)
}

// worst returns the highest code among the errors that err is made of. The
// outermost kind counts; an error without one has that of what it wraps, and
// [fault.NoAnswer] at the end of the chain.
func worst(err error) int {
	if err == nil {
		return exitOK
	}
	if f, ok := err.(*fault.Error); ok && fault.KindOf(f.Err) != f.Kind {
		return codeOf(f.Kind)
	}
	// What remains of *fault.Error added a hint to err and kept its kind, which
	// for joined errors is only that of the first.
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		code := exitOK
		for _, part := range e.Unwrap() {
			code = max(code, worst(part))
		}
		return code
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return worst(inner)
		}
	}
	return exitNoAnswer
}

func codeOf(k fault.Kind) int {
	switch k {
	case fault.Gate:
		return exitGate
	case fault.Usage:
		return exitUsage
	default:
		return exitNoAnswer
	}
}
