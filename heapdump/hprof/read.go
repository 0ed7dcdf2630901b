package hprof

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/internal/fault"
)

// reader reads one dump.
type reader struct {
	ctx     context.Context
	o       Options
	src     *source
	form    *form
	heap    *heapdump.Heap
	names   names
	classes *registry
	stacks  stacks
	losses  lossTable
	total   sums

	view    *view
	decided []bool // by class, whether Keep was asked
	sealed  bool   // objects came
	stale   bool   // classes came after objects

	dumps    int   // heap dumps begun
	open     bool  // a heap dump is under way
	segments bool  // it has segments, so it must have an end
	ended    bool  // it has its end
	cut      bool  // the file ends within a record
	claimed  int64 // where the record ends that was begun last, as it says

	// target is how long chunks are to be, if longer records do not make them so.
	target int

	cur   *chunk
	free  []*chunk
	ring  [lag]*chunk
	seq   int
	jobs  chan *chunk
	group sync.WaitGroup
	team  []*worker

	merger
}

// Read reads a dump from a decompressed stream. It gives an error only when the
// stream is no HPROF dump at all. A dump that ends early, cannot be read further
// or whose reading is interrupted gives what was found until then, with
// [heapdump.Heap.Complete] false and the reason in Why. Close the heap to free
// its stores.
func Read(ctx context.Context, in io.Reader, o Options) (*heapdump.Heap, error) {
	r := &reader{ctx: ctx, o: o, src: newSource(in)}
	if err := r.header(); err != nil {
		return nil, err
	}
	r.start()
	r.records()
	r.finish()
	return r.heap, nil
}

// magic begins every HPROF file; the version follows.
const magic = "JAVA PROFILE 1.0"

func (r *reader) header() error {
	head := r.src.peek(64)
	end := bytes.IndexByte(head, 0)
	if end < 0 || !bytes.HasPrefix(head, []byte(magic)) {
		return fault.NoAnswerf("byte 0: expected a heap dump that begins with %q, found %q", magic, head[:min(len(head), 20)])
	}
	if len(head) < end+13 {
		if err := r.src.failure(); err != nil {
			return fault.NoAnswerf("byte %d: expected the head of a heap dump: %w", len(head), err)
		}
		return fault.NoAnswerf("byte %d: expected the head of a heap dump, found the end of the file", len(head))
	}
	ids := be.Uint32(head[end+1:])
	if ids != 4 && ids != 8 {
		return fault.NoAnswerf("byte %d: expected identifiers of 4 or 8 bytes, found %d", end+1, ids)
	}
	r.form = newForm(int(ids))
	r.heap = &heapdump.Heap{
		Format: string(head[:end]), IDSize: int(ids), Total: r.o.Total,
		Taken: time.UnixMilli(int64(be.Uint64(head[end+5:]))).UTC(),
	}
	r.src.advance(end + 13)
	return nil
}

// start makes the goroutines that go through chunks.
func (r *reader) start() {
	if r.o.Memory <= 0 {
		r.o.Memory = DefaultMemory
		if r.o.Graph != nil {
			r.o.Memory = r.o.Graph.ReaderMemory()
		}
	}
	r.target = r.o.chunk
	if r.o.chunk <= 0 {
		r.o.chunk, r.target = chunkCap, chunkSize
	}
	r.classes = newRegistry(r.form, &r.names)
	r.merger = newMerger(r.o)
	r.view = &view{
		form: r.form, table: newTable(nil), now: r.heap.Taken.UnixMilli(),
		sample: r.texts.bound, big: [2]uint64{minBig, minBig}, values: r.o.Values,
	}
	r.early.linked = r.o.Graph != nil
	r.jobs = make(chan *chunk, lag)
	for range min(runtime.GOMAXPROCS(0), lag) {
		w := new(worker)
		r.team = append(r.team, w)
		r.group.Go(func() {
			for c := range r.jobs {
				w.chunk(c)
				c.done <- struct{}{}
			}
		})
	}
	r.cur = r.newChunk()
}

func (r *reader) newChunk() *chunk {
	if n := len(r.free); n > 0 {
		c := r.free[n-1]
		r.free = r.free[:n-1]
		c.reset()
		return c
	}
	return &chunk{done: make(chan struct{}, 1), found: found{linked: r.o.Graph != nil}}
}

// dispatch hands the chunk that is being filled to the workers, after the results
// of the one lag chunks before were taken in.
func (r *reader) dispatch() {
	if len(r.cur.pieces) == 0 {
		r.cur.n = 0
		return
	}
	r.wait(r.seq)
	if r.stale {
		r.stale = false
		r.seal(false)
	}
	r.cur.view = r.view
	r.ring[r.seq%lag] = r.cur
	r.jobs <- r.cur
	r.seq++
	r.cur = r.newChunk()
	if r.o.Progress != nil {
		r.o.Progress(r.src.at)
	}
}

// wait takes the result of the chunk whose place in the ring the seq-th gets.
func (r *reader) wait(seq int) {
	c := r.ring[seq%lag]
	if c == nil {
		return
	}
	<-c.done
	r.ring[seq%lag] = nil
	r.take(c)
	r.free = append(r.free, c)
}

// drain takes the results of all chunks under way.
func (r *reader) drain() {
	r.dispatch()
	for i := range lag {
		r.wait(r.seq + i)
	}
}

// finish makes the heap of what was read.
func (r *reader) finish() {
	r.drain()
	r.release()
	close(r.jobs)
	r.group.Wait()
	r.heap.Read = r.src.at
	if r.o.Progress != nil {
		r.o.Progress(r.src.at)
	}
	r.conclude()
	r.judge()
}

// judge says whether the dump is complete, and if not why.
func (r *reader) judge() {
	h := r.heap
	failure := r.src.failure()
	switch {
	case r.ctx.Err() != nil:
		h.Why = "reading was interrupted"
	case failure != nil:
		h.Why = fmt.Sprintf("the dump cannot be read further: %v", failure)
	case r.cut:
		h.Why = "the dump ends within a record"
	case r.dumps == 0:
		h.Why = "the dump ends before the objects"
	case r.segments && !r.ended:
		h.Why = "the dump ends without the record that marks its end"
	default:
		h.Complete = true
	}
	switch {
	case h.Complete:
		h.Total = h.Read
	case r.cut && r.ctx.Err() == nil && failure == nil:
		h.Missing = max(r.claimed-h.Read, 0)
	}
}
