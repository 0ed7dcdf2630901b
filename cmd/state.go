package cmd

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"example.com/kneeline/internal/term"
)

// State is everything of the process that a command may touch. [Main] builds it
// from the real process; a test builds its own and runs a whole command with
// [Run], without a subprocess.
type State struct {
	// Args are the arguments without the program's name.
	Args []string

	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// StdinTTY, StdoutTTY and StderrTTY say which of them are terminals.
	StdinTTY, StdoutTTY, StderrTTY bool
	// Width returns the columns of the terminal on stdout, 0 when it is none.
	Width func() int

	// Environ is the environment as "NAME=value".
	Environ []string
	// Now is the wall clock, used for dates in results only; durations are
	// measured by the packages that need them.
	Now func() time.Time
	// Seed returns a new seed for random numbers.
	Seed func() uint64
	// Getwd returns the directory from which the project's config file is
	// searched upward.
	Getwd func() (string, error)
	// Build is what the toolchain recorded of the build; nil if nothing.
	Build *debug.BuildInfo

	// Signals delivers SIGINT and SIGTERM; nil when there are none.
	Signals <-chan os.Signal
	// Exit ends the process at once; it is called for the second signal only.
	Exit func(code int)
}

// LookupEnv returns the value of an environment variable and whether it is set.
func (st *State) LookupEnv(name string) (string, bool) {
	value, found := "", false
	for _, kv := range st.Environ {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			value, found = v, true // the last one counts, as in os/exec
		}
	}
	return value, found
}

// Getenv returns the value of an environment variable, empty if it is not set.
func (st *State) Getenv(name string) string {
	v, _ := st.LookupEnv(name)
	return v
}

// withDefaults fills what a test left out, so that a State of streams and
// arguments alone works.
func (st State) withDefaults() *State {
	if st.Stdin == nil {
		st.Stdin = strings.NewReader("")
	}
	if st.Stdout == nil {
		st.Stdout = io.Discard
	}
	if st.Stderr == nil {
		st.Stderr = io.Discard
	}
	if st.Width == nil {
		st.Width = func() int { return 0 }
	}
	if st.Now == nil {
		st.Now = time.Now
	}
	if st.Seed == nil {
		st.Seed = rand.Uint64
	}
	if st.Getwd == nil {
		st.Getwd = os.Getwd
	}
	if st.Exit == nil {
		st.Exit = os.Exit
	}
	return &st
}

// Main runs the program as the operating system started it and returns its exit
// code.
func Main() int {
	if asVetTool(os.Args[1:]) {
		vet()
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	build, _ := debug.ReadBuildInfo()
	return Run(context.Background(), State{
		Args:      os.Args[1:],
		Stdin:     os.Stdin,
		Stdout:    os.Stdout,
		Stderr:    os.Stderr,
		StdinTTY:  term.IsTerminal(os.Stdin),
		StdoutTTY: term.IsTerminal(os.Stdout),
		StderrTTY: term.IsTerminal(os.Stderr),
		Width:     func() int { return term.Columns(os.Stdout) },
		Environ:   os.Environ(),
		Build:     build,
		Signals:   signals,
	})
}
