package cmd

import (
	"errors"
	"io"
	"slices"

	"example.com/kneeline/internal/atomicfile"
	"example.com/kneeline/internal/fault"
)

// streamWriter is an open destination of a format.
type streamWriter struct {
	format string
	io.Writer
}

// stream opens the destinations of formats that are written while the work goes
// on, calls work with their writers, and completes the files when it returns:
// what it returns with an error is complete in itself, such as the events of an
// interrupted run, and stays. The destinations are then done with: write writes
// only the others.
func (o *output) stream(formats []string, work func(writers []streamWriter) error) error {
	var streamed []destination
	o.dests = slices.DeleteFunc(o.dests, func(d destination) bool {
		is := slices.Contains(formats, d.format)
		if is {
			streamed = append(streamed, d)
		}
		return is
	})
	var result error
	err := o.openStreams(streamed, nil, func(w []streamWriter) { result = work(w) })
	return errors.Join(result, err)
}

// openStreams opens the first destination and, within it, the rest.
func (o *output) openStreams(dests []destination, writers []streamWriter, work func([]streamWriter)) error {
	if len(dests) == 0 {
		work(writers)
		return nil
	}
	d, rest := dests[0], dests[1:]
	if d.path == toStdout {
		return o.openStreams(rest, append(writers, streamWriter{d.format, o.app.Stdout}), work)
	}
	var inner error
	err := atomicfile.Write(d.path, func(w io.Writer) error {
		inner = o.openStreams(rest, append(writers, streamWriter{d.format, w}), work)
		return nil
	})
	if err != nil {
		return errors.Join(inner, &fault.Error{Kind: fault.NoAnswer, Err: err})
	}
	o.app.Notef("wrote %s to %s", d.format, d.path)
	return inner
}
