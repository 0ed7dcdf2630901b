package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/compare"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
)

// failOnGrows is the value of --fail-on of heap compare.
const failOnGrows = "grows"

// heapCompareOptions are the flags of `kneeline heap compare` beside those of heap that
// it has too.
type heapCompareOptions struct {
	heap   heapOptions
	limit  units.SizeValue
	failOn string
}

func newHeapCompare(a *app) *cobra.Command {
	o := &heapCompareOptions{}
	c := &cobra.Command{
		Use:   "compare BEFORE AFTER",
		Short: "What grew in memory, how fast, and when is it full?",
		Long: `Compares two heaps of one process: by how much the heap, its classes and its queues grew, how
many requests came and were served meanwhile, and when queue or heap are full if it goes on.
The first line names what grew most. Each of BEFORE and AFTER is what kneeline heap takes for
one process, a dump, a snapshot, profiles, a class histogram, or a result of it (-o json).

The time between the two is taken from them; where they do not tell, give --interval.`,
		Example: examples(
			"heap compare before.hprof after.hprof", "",
			"heap compare before.heapsnapshot after.heapsnapshot --interval 60s", "Node: snapshots have no time",
			"heap compare before.json after.json --heap-limit 8GiB", "saved results; when is the heap full?",
			"heap compare base.txt now.txt --interval 30s --fail-on grows", "class histograms, and a gate"),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fault.Usagef("%s: expected two heaps, found %d", c.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runHeapCompare(c.Context(), a, o, args, c.Flags().Changed)
		},
	}
	h := &o.heap
	f := c.Flags()
	f.SortFlags = false
	h.minEntries, h.top = usualEntries, usualTop
	f.Var(&h.interval, "interval", "the time from BEFORE to AFTER, where they do not tell it")
	f.Var(&o.limit, "heap-limit", "the most that the heap may be, such as -Xmx: tells when it is full")
	f.StringArrayVar(&h.patterns, "patterns", nil, "names of your own queues, pools and requests from `FILE`, see docs/heap.md; may be repeated")
	f.Var(&h.minEntries, "min-entries", "how many entries a queue must have to be looked at")
	f.Var(&h.top, "top", "how many classes are shown; a page shows five times as many")
	enumVar(c, f, &h.inputFormat, "input-format", anyFormat, "what the inputs are, where their content does not tell", append([]string{anyFormat}, heapinput.Names()...)...)
	f.StringArrayVar(&h.allowHosts, "allow-host", nil, "allow fetching from this `HOST`, which is not loopback; may be repeated")
	f.BoolVar(&h.graph, "graph", false, "make the graphs of both: which objects retain more than before")
	h.ofGraph.addFlags(c)
	enumVar(c, f, &o.failOn, "fail-on", noGate, "gate: fail if a queue of requests or the heap grows", failOnGrows, noGate)
	f.BoolVar(&h.strict, "strict", false, "exit code 3 if anything could not be read or was cut off")
	notFromProject(f, "allow-host", "patterns")
	return c
}

func runHeapCompare(ctx context.Context, a *app, o *heapCompareOptions, args []string, given func(string) bool) error {
	defer tightGC()()
	for _, f := range []struct {
		flag string
		zero bool
	}{{"interval", o.heap.interval == 0}, {"heap-limit", o.limit == 0}} {
		if given(f.flag) && f.zero {
			return fault.Usagef("--%s: expected more than 0, found 0", f.flag)
		}
	}
	r := &heapRun{app: a, opts: &o.heap}
	if err := r.oneStdin(args); err != nil {
		return err
	}
	if err := r.settle(given); err != nil {
		return err
	}
	if err := r.prepare(); err != nil {
		return err
	}
	r.everyClass = true
	var sides [2]*pending.Result
	all := true
	for i, arg := range args {
		res, saved, err := r.oneHeap(ctx, arg)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		sides[i], all = res, all && !saved
	}
	res := compare.Compare(sides[0], sides[1], compare.Options{
		Elapsed: time.Duration(o.heap.interval), HeapLimit: int64(o.limit), AllClasses: all, Rows: r.shownRows(), Graphs: o.heap.graph,
	})
	res.Warnings = append(res.Warnings, r.notes...)
	err := r.out.write(result{JSON: res, Report: r.viewOf(false).compared(res), Page: r.viewOf(true).compared(res)})
	if o.failOn == failOnGrows && res.Verdict == compare.Growing {
		err = errors.Join(err, fault.Gatef("gate failed: --fail-on grows: %s", res.Sentence))
	}
	if res.Verdict == compare.CannotTell {
		err = errors.Join(err, fault.NoAnswerf("%s", res.Sentence))
	}
	return errors.Join(err, r.strictError())
}

// oneHeap judges an argument that stands for one process; saved is true where it is a
// result.
func (r *heapRun) oneHeap(ctx context.Context, arg string) (res *pending.Result, saved bool, err error) {
	if res, err = savedHeap(arg); res != nil || err != nil {
		return res, true, err
	}
	inputs, problems := r.inputs(ctx, []string{arg})
	cases, left := heapCases(inputs)
	for _, in := range left {
		r.lose(in.Name + " was left out")
		r.notes = append(r.notes, leftWords(in))
	}
	switch {
	case len(cases) == 0 && len(problems) > 0:
		return nil, false, errors.Join(problems...)
	case len(cases) != 1:
		return nil, false, fault.Usagef("%s: expected the heap of one process, found %d", arg, len(cases))
	}
	r.notes = append(r.notes, notTaken(problems)...)
	r.view = newHeapProgress(ctx, r.app, inputs)
	defer r.view.close()
	res, err = r.judge(ctx, cases[0])
	if err != nil && res == nil {
		return nil, false, err
	}
	if err != nil {
		r.lose(err.Error())
		r.notes = append(r.notes, "left out "+err.Error())
	}
	for _, in := range res.Inputs {
		if !in.Complete {
			r.lose(in.Name + " ends too early")
		}
	}
	if r.opts.graph && res.Graph == nil {
		for _, w := range res.Warnings {
			if note := cases[0].name + ": " + w; !slices.Contains(r.notes, note) {
				r.notes = append(r.notes, note) // among them is why there is none
			}
		}
	}
	return res, false, nil
}

// resultHead is how a result of heap begins.
var resultHead = regexp.MustCompile(`^\s*\{\s*"schema":\s*"(kneeline\.heap[^"]*)"`)

// maxSavedHeap bounds a saved result.
const maxSavedHeap = 256 << 20

// savedHeap reads a result of heap; nil where a file is something else.
func savedHeap(path string) (*pending.Result, error) {
	if path == input.Stdin || isURL(path) {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil // the reader of dumps says what is wrong
	}
	src, err := input.Source{Name: path, Path: path}.Open(nil)
	if err != nil {
		return nil, nil
	}
	defer src.Close()
	head := make([]byte, 200)
	n, _ := io.ReadFull(src, head)
	found := resultHead.FindSubmatch(head[:n])
	if found == nil {
		return nil, nil
	}
	if schema := string(found[1]); schema != pending.Schema {
		return nil, fault.NoAnswerf("%s: expected a result of kneeline heap of one process (%s), found %s", path, pending.Schema, schema)
	}
	rest, err := io.ReadAll(io.LimitReader(src, maxSavedHeap))
	if err != nil {
		return nil, fault.NoAnswerf("cannot read %s: %w", path, err)
	}
	var res pending.Result
	if err := json.Unmarshal(append(head[:n], rest...), &res); err != nil {
		return nil, fault.NoAnswerf("%s: expected a result of kneeline heap: %w", path, err)
	}
	return &res, nil
}

// changeOf is a change with its sign.
func changeOf(n int64) string { return fmt.Sprintf("%s%s", sign(n), units.Count(max(n, -n))) }

// changeBytes is a change in bytes with its sign.
func changeBytes(n int64) string { return sign(n) + units.Size(max(n, -n)) }

func sign(n int64) string {
	switch {
	case n > 0:
		return "+"
	case n < 0:
		return "-"
	}
	return ""
}
