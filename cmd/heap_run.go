package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/fleet"
	"example.com/kneeline/analyze/pending/gate"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
)

// run reads what the arguments name, judges it and writes the answer: also of what
// could be read where something could not, and of what was read of an interrupted
// run.
func (r *heapRun) run(ctx context.Context, args []string) error {
	inputs, problems := r.inputs(ctx, args)
	cases, left := heapCases(inputs)
	if len(cases) == 0 {
		return errors.Join(problems...)
	}
	for _, in := range left {
		r.lose(in.Name + " was left out")
		r.notes = append(r.notes, leftWords(in))
	}
	if err := r.foldable(cases); err != nil {
		return err
	}
	if err := r.prepare(); err != nil {
		return err
	}
	a := answer{run: r, of: len(cases), limits: gate.Limits{MaxPending: r.maxPending, FailOn: r.failOn}}
	err := r.out.stream([]string{"csv", "ndjson"}, func(w []streamWriter) error {
		a.sinks = newRowSinks(w)
		problems = append(problems, r.judgeAll(ctx, cases, inputs, &a)...)
		return a.sinks.close()
	})
	if a.only == nil && a.fleet.Len() == 0 {
		return errors.Join(append(problems, err, context.Cause(ctx))...)
	}
	return errors.Join(err, a.write(ctx, problems), r.strictError())
}

// inputs are what the arguments name, recognised. What is in a directory or behind
// a pattern and is nothing of a heap is left out; the problems say so.
func (r *heapRun) inputs(ctx context.Context, args []string) (inputs []*heapInput, problems []error) {
	var paths []string
	for _, arg := range args {
		if !isURL(arg) {
			paths = append(paths, arg)
			continue
		}
		got, err := r.fetch(ctx, arg)
		if err != nil {
			problems = append(problems, err)
		}
		inputs = append(inputs, got...)
	}
	x := input.Expand(paths)
	problems = append(problems, x.Problems...)
	forced, _ := heapinput.Named(r.opts.inputFormat)
	got, errs := recognise(x.Sources, newInterruptible(ctx, r.Stdin), forced)
	return append(inputs, got...), append(problems, errs...)
}

// judgeAll judges one case after the other: each is read on all processors.
func (r *heapRun) judgeAll(ctx context.Context, cases []*heapCase, inputs []*heapInput, a *answer) (problems []error) {
	r.view = newHeapProgress(ctx, r.app, inputs)
	defer r.view.close()
	for _, c := range cases {
		if ctx.Err() != nil {
			break
		}
		res, err := r.judge(ctx, c)
		if err != nil {
			problems = append(problems, err)
		}
		if res != nil {
			a.add(c.name, res, ctx.Err() != nil)
		}
	}
	return problems
}

// answer is what becomes of the judgements.
type answer struct {
	run    *heapRun
	of     int // cases
	limits gate.Limits
	sinks  rowSinks
	// only is the judgement where there is one case, else they are in fleet.
	only  *pending.Result
	fleet fleet.Assembly
}

// add takes a judgement. Its histogram is written in full where that is asked for,
// and then cut to what is shown, so that no output depends on another.
func (a *answer) add(name string, res *pending.Result, interrupted bool) {
	a.sinks.write(name, res)
	res.Histogram = res.Histogram[:min(len(res.Histogram), a.run.shownRows())]
	if interrupted {
		res.Complete = false
	}
	res.Gates = a.limits.Judge(res)
	for _, in := range res.Inputs {
		if !in.Complete {
			a.run.lose(in.Name + " ends too early")
		}
		for _, l := range in.Losses {
			a.run.lose(in.Name + ": " + l.What)
		}
	}
	if a.of == 1 {
		a.only = res
		return
	}
	a.fleet.Add(name, res)
}

// write writes the answer with the notes of the command, and returns what failed
// by it.
func (a *answer) write(ctx context.Context, problems []error) error {
	r := a.run
	notes := append(r.notes, notTaken(problems)...)
	for _, p := range problems {
		r.lose(p.Error())
	}
	errs := slices.DeleteFunc(problems, func(err error) bool { return errors.As(err, new(notOfAHeap)) })
	if ctx.Err() != nil {
		errs = append(errs, context.Cause(ctx))
	}
	if a.only != nil {
		res := a.only
		res.Warnings = append(res.Warnings, notes...)
		return errors.Join(append(errs, r.out.write(result{
			JSON: res, Report: r.viewOf(false).report(res), Page: r.viewOf(true).report(res), Extra: r.extra(res),
		}), toldNothing(res), heapGateErrors(res.Gates))...)
	}
	res := a.fleet.Result()
	res.Warnings = append(res.Warnings, notes...)
	if n := a.of - a.fleet.Len(); n > 0 {
		res.Complete = ctx.Err() == nil
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d of %d heaps could not be judged", n, a.of))
	}
	return errors.Join(append(errs, r.out.write(result{
		JSON: res, Report: r.viewOf(false).fleet(res), Page: r.viewOf(true).fleet(res),
	}), fleetGateErrors(res.Rows))...)
}

// manyOthers is from how many files on that are nothing of a heap one stands for all.
const manyOthers = 4

// notTaken are notes of what could not be used. Of many files that are nothing of a
// heap, as a directory may hold, one stands for all.
func notTaken(problems []error) []string {
	others := 0
	for _, p := range problems {
		if errors.As(p, new(notOfAHeap)) {
			others++
		}
	}
	var notes []string
	told := false
	for _, p := range problems {
		switch {
		case others < manyOthers || !errors.As(p, new(notOfAHeap)):
			notes = append(notes, "left out "+p.Error())
		case !told:
			told = true
			notes = append(notes, fmt.Sprintf("left out %s files that are nothing of a heap, such as %s", units.Count(others), p))
		}
	}
	return notes
}

// lose notes what --strict does not let pass.
func (r *heapRun) lose(what string) { r.lost = append(r.lost, what) }

func (r *heapRun) strictError() error {
	if !r.opts.strict || len(r.lost) == 0 {
		return nil
	}
	slices.Sort(r.lost)
	return fault.NoAnswerf("--strict: %s", strings.Join(slices.Compact(r.lost), "; "))
}

// toldNothing is the error of an input that was read and told nothing at all.
func toldNothing(res *pending.Result) error {
	if res.Verdict.Answer != pending.Unknown || len(res.Groups)+len(res.Queues)+len(res.Histogram) > 0 {
		return nil
	}
	return fault.NoAnswerf("%s", res.Verdict.Sentence)
}

// viewOf is how a report is built.
func (r *heapRun) viewOf(page bool) heapView { return heapView{page: page, top: int(r.opts.top)} }

// shownRows is how many classes a result keeps: as many as a page shows.
func (r *heapRun) shownRows() int { return max(int(r.opts.top)*pageFactor, pending.DefaultRows) }

// allRows is how many classes an output may want.
const allRows = 1 << 20

// wantedRows is how many classes are to be judged.
func (r *heapRun) wantedRows() int {
	if r.everyClass {
		return allRows
	}
	return r.shownRows()
}

// prepare reads what is needed before any input is.
func (r *heapRun) prepare() error {
	var err error
	if r.tables, err = readPatterns(r.opts.patterns); err != nil {
		return err
	}
	r.everyClass = slices.ContainsFunc(r.out.dests, func(d destination) bool { return d.format == "csv" || d.format == "ndjson" })
	return r.readBase()
}

// judge judges the inputs of one process.
func (r *heapRun) judge(ctx context.Context, c *heapCase) (*pending.Result, error) {
	res, err := r.judgeKind(ctx, c)
	if res != nil && r.opts.graph && !hasGraph(c.main.kind) {
		res.Warnings = append(res.Warnings, "--graph was not followed: "+graphlessWords(c.main))
	}
	return res, err
}

func (r *heapRun) judgeKind(ctx context.Context, c *heapCase) (*pending.Result, error) {
	switch c.main.kind {
	case heapinput.HPROF:
		return r.judgeDump(ctx, c)
	case heapinput.V8:
		return r.judgeNode(ctx, c)
	case heapinput.Pprof, heapinput.GoStacks:
		return r.judgeGo(ctx, c)
	}
	return r.judgeText(ctx, c)
}
