package cmd

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/fault"
)

// app is one run of the program: what all its commands share.
type app struct {
	*State
	*messages
	global globalOptions
	// out is where the results go; it is set before a command's own code runs.
	out *output
	// running says that a command's own code has begun, so that an error
	// without a kind is no longer one of the flag library's.
	running bool
	profile *cpuProfile
	stdout  *checkedWriter
}

func newApp(st *State) *app {
	stdout := &checkedWriter{w: st.Stdout}
	st.Stdout = stdout
	if _, isFile := st.Stderr.(*os.File); !isFile { // files can be written to by several at once
		st.Stderr = &sharedWriter{w: st.Stderr}
	}
	return &app{State: st, messages: &messages{w: st.Stderr}, stdout: stdout}
}

// checkedWriter remembers whether anything was lost on stdout, for what the
// command-line library writes without telling of failures: help, the version.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

// sharedWriter lets several goroutines write: messages, progress, and what a signal
// says in the middle of either.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, state State) int {
	a := newApp(state.withDefaults())
	return a.run(ctx, newRoot(a))
}

func (a *app) run(ctx context.Context, root *cobra.Command) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer a.watchSignals(cancel)()

	a.markRunning(root)
	root.SetArgs(a.Args)
	ran, err := root.ExecuteContextC(ctx)
	if e := a.profile.stop(); e != nil {
		err = errors.Join(err, e)
	}
	if e := a.stdout.err; e != nil && !errors.Is(err, e) {
		err = errors.Join(err, fault.NoAnswerf("cannot write to stdout: %w", e))
	}
	if typed := new(*fault.Error); err != nil && !a.running && a.stdout.err == nil && !errors.As(err, typed) {
		err = &fault.Error{Kind: fault.Usage, Err: err} // the flag library's
	}
	if err != nil {
		a.failure(ctx, err, ran.CommandPath())
	}
	return exitCode(ctx, err)
}

// watchSignals ends the context at the first signal, and the process at the
// second, until the function it returns is called.
func (a *app) watchSignals(cancel context.CancelCauseFunc) (stop func()) {
	var watch sync.WaitGroup
	done := make(chan struct{})
	watch.Go(func() {
		var first *Interrupted
		for {
			select {
			case <-done:
				return
			case sig := <-a.Signals:
				i := &Interrupted{Signal: sig}
				if first != nil {
					a.Exit(i.code())
					return
				}
				first = i
				a.interruption(i) // before the command can say anything of it
				cancel(i)
			}
		}
	})
	return func() {
		close(done)
		watch.Wait()
	}
}

// markRunning notes when the code of cmd or of a command under it begins.
func (a *app) markRunning(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(c *cobra.Command, args []string) error {
			a.running = true
			return run(c, args)
		}
	}
	for _, sub := range cmd.Commands() {
		a.markRunning(sub)
	}
}
