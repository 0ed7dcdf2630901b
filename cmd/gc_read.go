package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/progress"
	"example.com/kneeline/internal/units"
)

// readLog reads one log.
func (r *gcRun) readLog(ctx context.Context, stream gcparse.Stream, workers int, seen func(*gcparse.Event)) (*gc.Log, error) {
	a, err := gc.New(r.cfg)
	if err != nil {
		return nil, err
	}
	cut := newCutter(r.cut)
	res, err := gcparse.Read(ctx, stream, gcparse.Options{Stdin: r.Stdin, Workers: workers}, func(e *gcparse.Event) {
		seen(e)
		r.take(a, cut, e, &stream)
	})
	return r.finish(a, cut, res), err
}

// take hands an event to the judge and to the outputs of events.
func (r *gcRun) take(a *gc.Analyzer, cut *cutter, e *gcparse.Event, stream *gcparse.Stream) {
	if !cut.keep(e) {
		return
	}
	a.Event(e)
	for _, s := range r.sinks {
		s.event(e, stream)
	}
}

// finish ends the judgement of one log; nil where no part of it is to be judged.
func (r *gcRun) finish(a *gc.Analyzer, cut *cutter, res *gcparse.Result) *gc.Log {
	if cut.isSet() && cut.kept == 0 && len(res.Runs) > 0 && res.Complete {
		r.outside(cut.emptyRange(res))
		return nil
	}
	clipped := *res
	clipped.Runs = cut.clip(res.Runs)
	l := a.Finish(&clipped)
	if !r.cut.isSet() {
		return l
	}
	l.Warnings = append(l.Warnings, "only a part of the log was judged: "+r.cut.words())
	if cut.unplaced > 0 {
		clock := "uptime"
		if r.cut.since.isWall || r.cut.until.isWall {
			clock = "wall clock"
		}
		l.Warnings = append(l.Warnings, fmt.Sprintf("%s left out, since the log does not tell their time on the %s", counted(cut.unplaced, "event was", "events were"), clock))
	}
	return l
}

// outside notes a log that has nothing in the part that is judged.
func (r *gcRun) outside(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.empty = append(r.empty, why)
}

// read reads all logs, as many at once as there are processors. Where events are
// written one log is read after the other, since their order is that of the logs.
func (r *gcRun) read(ctx context.Context, streams []gcparse.Stream) (*gc.Result, error) {
	all, err := r.assemble()
	if err != nil {
		return nil, err
	}
	workers := runtime.GOMAXPROCS(0)
	atOnce := min(workers, len(streams))
	if len(r.sinks) > 0 {
		atOnce = 1
	}
	view := newReadView(ctx, r.app, streams)
	defer view.close()
	next := atomic.Int64{}
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(streams) {
					return
				}
				seen, done := view.log(i)
				l, err := r.readLog(ctx, streams[i], workers/atOnce, seen)
				all.add(i, l, err)
				done()
			}
		})
	}
	wg.Wait()
	view.close()
	return all.result(ctx, len(streams))
}

// gathering takes the judgements of logs, which end in any order, in the order of
// the logs.
type gathering struct {
	run *gcRun
	mu  sync.Mutex // guards what follows
	all *gc.Assembly
	// next is the log that is wanted next, early are those that came before it.
	next  int
	early map[int]*gc.Log
	errs  []error
	added int
	// others are files without a line of a GC log.
	others []string
}

func (r *gcRun) assemble() (*gathering, error) {
	all, err := gc.NewAssembly(r.cfg, r.gates)
	return &gathering{run: r, all: all, early: map[int]*gc.Log{}}, err
}

// add takes log i; l is nil where it could not be judged at all.
func (g *gathering) add(i int, l *gc.Log, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		g.errs = append(g.errs, err)
	}
	g.early[i] = l
	for {
		l, ok := g.early[g.next]
		if !ok {
			return
		}
		delete(g.early, g.next)
		g.next++
		if l != nil {
			g.take(l)
		}
	}
}

// take adds a log to the result, or to the files that are none.
func (g *gathering) take(l *gc.Log) {
	g.run.notesLost(l)
	if l.RunCount == 0 && l.Complete {
		g.others = append(g.others, notALog(l))
		return
	}
	g.all.Add(l)
	g.added++
}

// notALog says why a file is no GC log.
func notALog(l *gc.Log) string {
	if len(l.Input.Problems) > 0 {
		return strings.Join(l.Input.Problems, "; ")
	}
	lines := int64(0)
	for _, n := range l.Input.Lines {
		lines += n
	}
	if lines == 0 {
		return l.Name + ": expected lines of a GC log, found an empty file"
	}
	return fmt.Sprintf("%s: expected lines of a GC log, found none among %s", l.Name, counted(lines, "line", "lines"))
}

// notesLost notes what --strict does not let pass.
func (r *gcRun) notesLost(l *gc.Log) {
	if n := l.Input.Lines[gcparse.UnknownLine.String()]; n > 0 {
		r.lost = append(r.lost, fmt.Sprintf("%s: %s not understood", l.Name, counted(n, "line was", "lines were")))
	}
	r.lost = append(r.lost, l.Input.Problems...)
}

// result is the answer over the logs that were read, of all there are.
func (g *gathering) result(ctx context.Context, all int) (*gc.Result, error) {
	err := errors.Join(g.errs...)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if g.added == 0 {
		var errs []error
		for _, o := range append(g.others, g.run.empty...) {
			errs = append(errs, fault.NoAnswerf("%s", o))
		}
		return nil, errors.Join(append(errs, err)...)
	}
	res := g.all.Result()
	for _, o := range g.others {
		g.run.lost = append(g.run.lost, o)
		res.Warnings = append(res.Warnings, "left out "+o)
	}
	for _, o := range g.run.empty {
		res.Warnings = append(res.Warnings, "left out "+o)
	}
	if g.next < all {
		res.Complete = false
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d of %d logs were not read", all-g.next, all))
	}
	return res, err
}

// readView shows how far the reading is.
type readView struct {
	live  *progress.Live
	sizes [][]int64 // of the sources of each stream
	total int64
	takes time.Duration // at usualSpeed

	read, ended atomic.Int64
}

const (
	// bigInput is from how many bytes on progress is shown.
	bigInput = 64 << 20
	// usualSpeed is how many bytes of a log a processor reads in a second, for the
	// time that is shown as left.
	usualSpeed = 250e6
)

func newReadView(ctx context.Context, a *app, streams []gcparse.Stream) *readView {
	v := &readView{}
	for _, s := range streams {
		var sizes []int64
		for _, src := range s.Sources {
			size := int64(0)
			if info, err := os.Stat(src.Path); err == nil && src.Path != input.Stdin {
				size = info.Size()
			}
			sizes = append(sizes, size)
			v.total += size
		}
		v.sizes = append(v.sizes, sizes)
	}
	if v.total < bigInput {
		return v
	}
	v.live = a.display(ctx)
	if !a.progressOn() {
		v.live.Phase("reading "+units.Size(v.total), 0)
		return v
	}
	v.takes = time.Duration(float64(v.total) / (usualSpeed * float64(runtime.GOMAXPROCS(0))) * float64(time.Second))
	v.live.Phase("reading", v.takes)
	return v
}

func (v *readView) close() { v.live.Close() }

// log returns what is to be called for each event of a log, and at its end.
func (v *readView) log(i int) (seen func(*gcparse.Event), done func()) {
	if v.live == nil {
		return func(*gcparse.Event) {}, func() {}
	}
	at, n := int64(0), 0
	source, before := int32(0), int64(0)
	whole := int64(0)
	for _, size := range v.sizes[i] {
		whole += size
	}
	move := func(to int64) {
		v.read.Add(to - at)
		at = to
	}
	return func(e *gcparse.Event) {
			if n++; n%4096 != 0 {
				return
			}
			for source < e.Source {
				before += v.sizes[i][source]
				source++
			}
			move(min(before+e.Offset, whole))
			v.draw()
		}, func() {
			move(whole)
			v.ended.Add(1)
			v.draw()
		}
}

func (v *readView) draw() {
	read := v.read.Load()
	status := fmt.Sprintf("%s of %s", units.Size(read), units.Size(v.total))
	if n := len(v.sizes); n > 1 {
		status += fmt.Sprintf(", %s of %s logs", units.Count(v.ended.Load()), units.Count(n))
	}
	v.live.Update(time.Duration(float64(v.takes)*float64(read)/float64(v.total)), status)
}
