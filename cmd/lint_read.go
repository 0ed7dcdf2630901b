package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/rendered"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/progress"
	"example.com/kneeline/internal/units"
)

// all reads the sources, as many at once as there are processors, and calls then with
// what each came to: memory holds as many files, and of those before what then leaves.
func (in *lintRead) all(ctx context.Context, a *app, c *lint.Collector, sources []input.Source, then func(*lint.Collected)) {
	type one struct {
		files   []lint.Collected
		streams []renderedFile
		err     error
	}
	out := make([]one, len(sources))
	// Results come over a channel and the last reads are not waited for when ctx ends:
	// one of a pipe, or of a terminal, may never return.
	type numbered struct {
		one
		i int
	}
	results := make(chan numbered, len(sources))
	var next atomic.Int64
	view := newLintView(ctx, a, len(sources))
	defer view.live.Close()
	for range min(runtime.GOMAXPROCS(0), len(sources)) {
		go func() {
			for ctx.Err() == nil {
				o := numbered{i: int(next.Add(1)) - 1}
				if o.i >= len(sources) {
					return
				}
				o.files, o.streams, o.err = in.readSource(c, sources[o.i], a.Stdin)
				for i := range o.files {
					then(&o.files[i])
				}
				results <- o
			}
		}()
	}
	for done := 0; done < len(sources) && ctx.Err() == nil; {
		select {
		case o := <-results:
			out[o.i] = o.one
			done++
			view.update(done, len(sources))
		case <-ctx.Done():
		}
	}
	for _, o := range out {
		in.files = append(in.files, o.files...)
		in.streams = append(in.streams, o.streams...)
		if o.err != nil {
			in.errs = append(in.errs, o.err)
		}
	}
}

// readSource reads one input. One that is no text is not read to its end, nor one that
// is packed unless an argument names it: directories hold packed data, whole or damaged.
func (in *lintRead) readSource(c *lint.Collector, src input.Source, stdin io.Reader) ([]lint.Collected, []renderedFile, error) {
	packed := []lint.Collected{{Name: filepath.ToSlash(src.Name), State: lint.Binary}}
	r, err := src.Open(stdin)
	if err != nil {
		if !in.named[src.Path] && !errors.As(err, new(syscall.Errno)) {
			return packed, nil, nil // the system gave the file, the packing is damaged
		}
		return nil, nil, err
	}
	defer r.Close()
	if r.Compression != input.None && !in.named[src.Path] {
		return packed, nil, nil
	}
	data, err := readText(r, sizeOf(src))
	if err != nil {
		return nil, nil, err
	}
	if src.Path == input.Stdin && rendered.IsStream(data) {
		files, streams := readStream(c, data)
		return files, streams, nil
	}
	if in.facts != nil {
		in.facts.take(filepath.ToSlash(src.Name), data)
	}
	return []lint.Collected{c.Read(filepath.ToSlash(src.Name), data)}, nil, nil
}

// sizeOf is the size of a file, 0 where it is not known.
func sizeOf(src input.Source) int64 {
	if src.Path == input.Stdin {
		return 0
	}
	info, err := os.Stat(src.Path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// readText reads to the end, of a text, and to just over the largest size that is
// looked into; of anything else the beginning.
func readText(r io.Reader, size int64) ([]byte, error) {
	const head = 8 << 10
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, head); err == io.EOF {
		return b.Bytes(), nil
	} else if err != nil {
		return nil, err
	}
	if bytes.IndexByte(b.Bytes(), 0) >= 0 {
		return b.Bytes(), nil
	}
	b.Grow(int(min(max(size-head, 0), lint.MaxFile)) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(r, lint.MaxFile+1-head))
	return b.Bytes(), err
}

// lintView shows how far the reading is.
type lintView struct{ live *progress.Live }

// newLintView begins to show it where there are many files.
func newLintView(ctx context.Context, a *app, files int) lintView {
	if files < manyFiles {
		return lintView{}
	}
	live := a.display(ctx)
	live.Phase("reading "+units.Count(files)+" files", 0)
	return lintView{live}
}

func (v lintView) update(done, all int) {
	if v.live != nil && done%64 == 0 {
		v.live.Update(0, fmt.Sprintf("%s of %s", units.Count(done), units.Count(all)))
	}
}

// renderedFile is a template of a stream.
type renderedFile struct {
	name  string
	lines *rendered.Lines // nil where the template was not found
}

// readStream reads what helm template has written.
func readStream(c *lint.Collector, data []byte) ([]lint.Collected, []renderedFile) {
	var files []lint.Collected
	var streams []renderedFile
	for _, p := range rendered.Split(data) {
		f := renderedFile{name: p.Source}
		if p.Source == "" {
			f.name = "stdin"
		} else if path, template := findTemplate(p.Source); template != nil {
			f.name, f.lines = path, rendered.NewLines(template, p.Data)
		}
		files = append(files, c.Read(f.name, p.Data))
		if p.Source != "" {
			streams = append(streams, f)
		}
	}
	return files, streams
}

// findTemplate looks for the template of a mark, which begins with the name of the
// chart, from the working directory: the directory above the chart, or the chart.
func findTemplate(source string) (path string, data []byte) {
	source = filepath.ToSlash(filepath.Clean(source))
	if filepath.IsAbs(source) || strings.HasPrefix(source, "..") {
		return source, nil
	}
	_, inside, _ := strings.Cut(source, "/")
	for _, path := range []string{source, inside} {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue // a stream is not to have devices and pipes read
		}
		data, err := input.ReadFile(path, nil, lint.MaxFile)
		if err == nil {
			return path, data
		}
	}
	return source, nil
}
