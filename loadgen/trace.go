package loadgen

import (
	"iter"
	"sync"
	"time"
)

// Arrival is one planned request of a run that follows a [Trace].
type Arrival struct {
	// At is the planned instant, counted from the first step with a rate over 0.
	At time.Duration
	// Kind is the index of what is sent in [Options.Requests]; AnyKind has it drawn
	// by weight.
	Kind int32
}

// AnyKind is the kind of an arrival that says nothing of what is sent.
const AnyKind int32 = -1

// Trace lists arrivals in order of their instants: those of a log, say. It is read
// as the run goes on, from one goroutine, a bounded number ahead.
type Trace = iter.Seq[Arrival]

const (
	// traceChunk arrivals go to an event loop at a time, and traceAhead such chunks
	// wait for it.
	traceChunk = 512
	traceAhead = 4
	// traceLook is how soon a loop looks again when the trace's source is slow.
	traceLook = int64(time.Millisecond)
)

// feed deals the arrivals of a trace out to the loops of a run in turn.
type feed struct {
	queues []*traceQueue
	stop   chan struct{}
	done   sync.WaitGroup
}

// traceQueue is one loop's part of a trace.
type traceQueue struct {
	in    chan []Arrival
	now   []Arrival
	over  bool
	begun bool
	zero  int64 // the run's instant from which arrivals count
}

// newFeed begins to read a trace for n loops, and waits until each has its first
// arrivals, so that a slow source does not make the first requests late.
func newFeed(trace Trace, n int) *feed {
	f := &feed{stop: make(chan struct{})}
	for range n {
		f.queues = append(f.queues, &traceQueue{in: make(chan []Arrival, traceAhead)})
	}
	f.done.Go(func() { f.read(trace) })
	for _, q := range f.queues {
		q.next(true)
	}
	return f
}

// read deals until the trace ends or the run does.
func (f *feed) read(trace Trace) {
	parts := make([][]Arrival, len(f.queues))
	send := func(i int) bool {
		select {
		case f.queues[i].in <- parts[i]:
			parts[i] = nil
			return true
		case <-f.stop:
			return false
		}
	}
	i := 0
	for a := range trace {
		parts[i] = append(parts[i], a)
		if len(parts[i]) == traceChunk && !send(i) {
			return
		}
		i = (i + 1) % len(parts)
	}
	for i := range parts {
		if len(parts[i]) > 0 && !send(i) {
			return
		}
		close(f.queues[i].in)
	}
}

// close ends the reading, whether the trace has ended or not.
func (f *feed) close() {
	if f == nil {
		return
	}
	close(f.stop)
	f.done.Wait()
}

// queue is the part of loop i; nil without a trace.
func (f *feed) queue(i int) *traceQueue {
	if f == nil {
		return nil
	}
	return f.queues[i]
}

// next returns the next arrival of the queue; nil where none is there (yet).
func (q *traceQueue) next(wait bool) *Arrival {
	if len(q.now) == 0 && !q.over {
		var ok bool
		if wait {
			q.now, ok = <-q.in
			q.over = !ok
			return nil
		}
		select {
		case q.now, ok = <-q.in:
			q.over = !ok
		default:
		}
	}
	if len(q.now) == 0 {
		return nil
	}
	return &q.now[0]
}

// peek returns the instant of the next arrival: [never] before the start and after
// the end, and soon where it is not known yet.
func (q *traceQueue) peek(now int64) int64 {
	if !q.begun {
		return never
	}
	a := q.next(false)
	switch {
	case a != nil:
		return q.zero + int64(a.At)
	case q.over:
		return never
	}
	return now + traceLook
}

// take moves past the arrival that peek saw and returns its kind.
func (q *traceQueue) take() int32 {
	kind := q.now[0].Kind
	q.now = q.now[1:]
	return kind
}

// begin puts the start of the trace at an instant.
func (q *traceQueue) begin(at int64) {
	if !q.begun {
		q.begun, q.zero = true, at
	}
}
