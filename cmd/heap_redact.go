package cmd

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/redact"
	"example.com/kneeline/internal/atomicfile"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/input"
)

// redactOptions are the flags of `kneeline heap redact`.
type redactOptions struct {
	to       string
	names    string
	times    string
	patterns []string
	dryRun   bool
	strict   bool
}

// What becomes of names and times.
const (
	keepThem = "keep"
	zeroThem = "zero"
)

func newHeapRedact(a *app) *cobra.Command {
	o := &redactOptions{}
	c := &cobra.Command{
		Use:   "redact DUMP -O FILE",
		Short: "Copy a heap dump without its contents, to share it",
		Long: `Copies a Java heap dump (HPROF) without what it contains: texts and other arrays of numbers,
and numbers in fields and statics, become zero, and so do texts in its table of names that
name nothing. Sizes, identifiers, classes, references, roots and stacks stay, so that a
report of the copy is that of the dump. For that the numbers stay which the report is made
of: counts, limits and indices of queues and pools, flags of threads, and times; and the
names of threads and pools. --dry-run lists them, --names and --times zero those as well.

DUMP is a file, also packed by gzip or zstd, or - for stdin, which is kept in a temporary
file without a name meanwhile. FILE is written in full or not at all; it is packed if its
name ends in .gz.`,
		Example: examples(
			"heap redact dump.hprof -O shareable.hprof", "",
			"heap redact dump.hprof.gz -O shareable.hprof.gz --names zero", "without the names of threads either",
			"heap redact dump.hprof --dry-run", "what would stay"),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fault.Usagef("%s: expected one dump, found %d", c.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runHeapRedact(c.Context(), a, o, args[0]) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.to, "to", "O", "", "write the copy to `FILE`; packed if it ends in .gz")
	enumVar(c, f, &o.names, "names", keepThem, "the names of threads and pools", keepThem, zeroThem)
	enumVar(c, f, &o.times, "times", keepThem, "times within 30 days before the dump, and fields named as times", keepThem, zeroThem)
	f.StringArrayVar(&o.patterns, "patterns", nil, "also keep what these patterns of your own queues read, from `FILE`; may be repeated")
	f.BoolVar(&o.dryRun, "dry-run", false, "write nothing; list what would stay")
	f.BoolVar(&o.strict, "strict", false, "exit code 3 if anything of the dump was left out or is missing")
	onlyByHand(f, "to")
	notFromProject(f, "names", "times", "patterns")
	return c
}

// redactRun is one run of the command.
type redactRun struct {
	*app
	opts *redactOptions
	in   *heapInput
	view *heapProgress
	res  redactResult
}

func runHeapRedact(ctx context.Context, a *app, o *redactOptions, path string) error {
	defer tightGC()()
	if o.to == "" && !o.dryRun {
		return fault.WithHint(fault.Usagef("expected -O FILE, the file to write the copy to"), "--dry-run lists what the copy would keep")
	}
	r := &redactRun{app: a, opts: o}
	if err := r.checkOutput(path); err != nil {
		return err
	}
	done, err := r.open(ctx, path)
	if err != nil {
		return err
	}
	defer done()
	r.view = newHeapProgress(ctx, a, []*heapInput{r.in})
	defer r.view.close()
	if err := r.run(ctx); err != nil {
		return err
	}
	err = r.out.write(result{JSON: &r.res, Report: r.res.report()})
	if o.strict && (r.res.Lost > 0 || !r.res.Complete || r.res.UnknownInstances > 0) {
		err = errors.Join(err, fault.NoAnswerf("--strict: the copy lacks something: %s", or(r.res.Why, "instances of classes that the dump does not describe")))
	}
	return err
}

// checkOutput refuses to write over the input, and finds out early what cannot be
// written.
func (r *redactRun) checkOutput(path string) error {
	if r.opts.to == "" || r.opts.dryRun {
		return nil
	}
	if r.opts.to == input.Stdin {
		return fault.Usagef("-O: expected a file: the copy of a dump goes to no terminal")
	}
	if in, err := os.Stat(path); err == nil && path != input.Stdin {
		if out, err := os.Stat(r.opts.to); err == nil && os.SameFile(in, out) {
			return fault.Usagef("-O %s: expected another file than the dump itself", r.opts.to)
		}
	}
	if err := atomicfile.Check(r.opts.to); err != nil {
		return fault.NoAnswerf("%w", err)
	}
	return nil
}

// open recognises the dump. What can be read once alone is copied to a temporary file
// that has no name: the dump is read three times.
func (r *redactRun) open(ctx context.Context, path string) (done func(), err error) {
	done = func() {}
	src := input.Source{Name: path, Path: path}
	if path == input.Stdin {
		src.Name = "stdin"
	}
	in, err := recogniseOne(src, newInterruptible(ctx, r.Stdin), heapinput.Unknown)
	if err != nil {
		return done, err
	}
	if in.kind != heapinput.HPROF {
		return done, fault.WithHint(fault.NoAnswerf("%s: expected a Java heap dump (HPROF), found %s, which cannot be redacted", src.Name, in.kind.Title()),
			"share the report instead: kneeline heap FILE -o html=heap.html has no contents")
	}
	if in.stream != nil {
		f, err := os.CreateTemp("", "kneeline-redact-")
		if err != nil {
			return done, fault.NoAnswerf("cannot keep %s for reading it again: %w", src.Name, pathReason(err))
		}
		_ = os.Remove(f.Name())
		done = func() {
			f.Close()
			_ = os.Remove(f.Name()) // where it could not be removed before
		}
		if in.size, err = io.Copy(f, in.stream); err != nil {
			return done, fault.NoAnswerf("cannot keep %s for reading it again: %w", src.Name, pathReason(err))
		}
		in.stream = io.NewSectionReader(f, 0, in.size)
	}
	r.in = in
	return done, nil
}

// reading opens the dump from its start.
func (r *redactRun) reading() (*input.Reader, error) {
	if s, ok := r.in.stream.(*io.SectionReader); ok {
		if _, err := s.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
	}
	return r.in.open()
}

// run reads the dump, decides what stays, and writes the copy.
func (r *redactRun) run(ctx context.Context) error {
	tables, err := readPatterns(r.opts.patterns)
	if err != nil {
		return err
	}
	src, err := r.reading()
	if err != nil {
		return err
	}
	h, err := hprof.Read(ctx, src, hprof.Options{Keep: pending.Keeper(tables.java), Progress: func(int64) { r.view.at(src.PackedRead()) }})
	if err := errors.Join(named(r.in.Name, err), src.Close()); err != nil {
		return err
	}
	defer h.Close()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	rules := r.rules(h, pending.NewRedaction(h, tables.java))
	r.res.begin(r.in.Name, r.opts)
	r.res.Fields = keptFields(h, rules)
	r.res.Names = len(rules.Names)
	if r.opts.dryRun {
		r.res.Complete = h.Complete
		return nil
	}
	return r.copy(ctx, h, rules)
}

// rules put what the report reads into the terms of the copy.
func (r *redactRun) rules(h *heapdump.Heap, red *pending.Redaction) redact.Rules {
	use := func(f pending.Field, name string) redact.Use {
		switch {
		case f == pending.Read && r.opts.times == zeroThem && pending.NamesTime(name):
			return redact.Zero
		case f == pending.Read:
			return redact.Keep
		case f == pending.ReadTime && r.opts.times == keepThem:
			return redact.KeepTime
		}
		return redact.Zero
	}
	rules := redact.Rules{
		Field:  func(class int, f heapdump.Column) redact.Use { return use(red.OfField(class, f), f.Name) },
		Static: func(class int, f heapdump.Field) redact.Use { return use(red.OfStatic(class, f), f.Name) },
		Arrays: red.Arrays(),
	}
	if r.opts.names == keepThem {
		rules.Names = red.Names()
	}
	return rules
}

// copy reads the dump twice more: for the names in use, and for the copy.
func (r *redactRun) copy(ctx context.Context, h *heapdump.Heap, rules redact.Rules) error {
	src, err := r.reading()
	if err != nil {
		return err
	}
	used, err := redact.Used(ctx, src, func(int64) { r.view.at(src.PackedRead()) })
	if err := errors.Join(named(r.in.Name, err), src.Close()); err != nil {
		return err
	}
	if src, err = r.reading(); err != nil {
		return err
	}
	var sum redact.Summary
	err = atomicfile.Write(r.opts.to, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		var out io.Writer = b
		var z *gzip.Writer
		if strings.HasSuffix(r.opts.to, ".gz") {
			if z, err = gzip.NewWriterLevel(b, gzip.BestSpeed); err != nil {
				return err
			}
			out = z
		}
		sum, err = redact.Copy(ctx, out, src, h, used, redact.Options{Rules: rules, Progress: func(int64) { r.view.at(src.PackedRead()) }})
		if err != nil {
			return named(r.in.Name, err)
		}
		if z != nil {
			if err := z.Close(); err != nil {
				return err
			}
		}
		return b.Flush()
	})
	if err := errors.Join(err, src.Close()); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fault.NoAnswerf("%w", err)
	}
	r.res.end(sum)
	return nil
}

// keptField is a field whose numbers stay.
func keptFields(h *heapdump.Heap, rules redact.Rules) []redactField {
	out := []redactField{}
	seen := map[string]int{}
	for _, c := range h.Classes {
		if c.Instances == 0 || c.IsArray() {
			continue
		}
		for _, f := range h.AllFields(c.Index) {
			use := redact.Zero
			if f.Type.Size() > 0 {
				use = rules.Field(c.Index, f)
			}
			if use == redact.Zero {
				continue
			}
			key := fmt.Sprint(f.Class, "#", f.Name, use)
			at, ok := seen[key]
			if !ok {
				at = len(out)
				seen[key] = at
				out = append(out, redactField{Class: f.Class, Field: f.Name, OnlyTimes: use == redact.KeepTime})
			}
			out[at].Instances += c.Instances
		}
	}
	return out
}
