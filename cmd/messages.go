package cmd

// The rules of what the program says on stderr:
//
//   - stdout is the result, stderr the conversation; nothing here goes to stdout;
//   - a line begins with the program's name, goes on in lower case and has no
//     full stop;
//   - what to do about an error is a line of its own that begins with "hint:";
//   - notes and warnings are silenced by --quiet, errors are not;
//   - text from outside (files, servers, arguments) is cleaned of escape
//     sequences before it reaches a terminal.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/progress"
	"example.com/kneeline/internal/term"
)

// messages writes the conversation. The signal handler speaks while a command
// runs, so lines are written whole, under a lock.
type messages struct {
	mu             sync.Mutex
	w              io.Writer
	quiet, verbose bool
	// live is what is drawn on the terminal, if anything is: lines go above it.
	live *progress.Live
}

// display begins to show how far a command is.
func (a *app) display(ctx context.Context) *progress.Live {
	l := progress.New(ctx, progress.Options{Out: a.Stderr, TTY: a.progressOn(), Quiet: a.quiet, Width: a.Width()})
	if a.progressOn() && !a.quiet {
		a.mu.Lock()
		a.live = l
		a.mu.Unlock()
	}
	return l
}

// Notef says something the user may want to know.
func (m *messages) Notef(format string, args ...any) {
	if !m.quiet {
		m.line("", format, args...)
	}
}

// Verbosef says something that only --verbose asks for.
func (m *messages) Verbosef(format string, args ...any) {
	if m.verbose && !m.quiet {
		m.line("", format, args...)
	}
}

// Warnf says that something is likely not what the user wants.
func (m *messages) Warnf(format string, args ...any) {
	if !m.quiet {
		m.line("warning: ", format, args...)
	}
}

// line writes one message; a message of several lines keeps them.
func (m *messages) line(prefix, format string, args ...any) {
	m.say(meta.Name + ": " + prefix + fmt.Sprintf(format, args...))
}

// say writes text, above what is drawn.
func (m *messages) say(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text = term.CleanLines(text)
	if m.live == nil {
		fmt.Fprintln(m.w, text)
		return
	}
	for line := range strings.Lines(text) {
		m.live.Note(strings.TrimSuffix(line, "\n"))
	}
}

func (m *messages) hint(text string) {
	m.say("hint: " + text)
}

// failure says why a command failed, a line for each of joined errors, and what
// to do: the error's own hint, or how to get help when the request made no
// sense. helpFor is the command line to which "--help" can be added.
func (m *messages) failure(ctx context.Context, err error, helpFor string) {
	usage := false
	for _, e := range parts(err) {
		var i *Interrupted
		if errors.As(e, &i) || interruptedBy(ctx) != nil && errors.Is(e, context.Canceled) {
			continue // said when the signal came
		}
		m.line("", "%s", e)
		if h := fault.HintOf(e); h != "" {
			m.hint(h)
		} else if fault.KindOf(e) == fault.Usage {
			usage = true
		}
	}
	if usage {
		m.hint(fmt.Sprintf("run '%s --help' for usage and examples", helpFor))
	}
}

// parts takes joined errors apart, however deep; an error that merely wraps
// several keeps its own text.
func parts(err error) []error {
	multi, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var texts []string
	var out []error
	for _, e := range multi.Unwrap() {
		texts = append(texts, e.Error())
		out = append(out, parts(e)...)
	}
	if strings.Join(texts, "\n") != err.Error() {
		return []error{err}
	}
	return out
}

// interruption says at once that a signal was received and what happens now.
func (m *messages) interruption(i *Interrupted) {
	again := "a second signal ends at once"
	if i.Signal == os.Interrupt {
		again = "press Ctrl-C again to end at once"
	}
	m.line("", "%s; finishing with what there is (%s)", i, again)
}
