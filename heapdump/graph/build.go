package graph

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph/disk"
	"example.com/kneeline/heapdump/graph/rank"
)

// builder makes a graph; what only the making needs is here.
type builder struct {
	*Collector
	ctx  context.Context
	g    *Graph
	heap *heapdump.Heap

	root   bits // what roots hold
	locals []local
	extras int      // threads that hold more than their fields
	edge   []uint32 // by class: the class object that instances hold, None where it does not matter
	hub    []bool   // by class, see [hubMin]
	// pred is, by rank, who alone refers to an object, plus 1, or one of the states
	// below. What takes part in finding dominators has its number in the visit there
	// once it was visited.
	pred    disk.Array[uint32]
	live    disk.Array[uint8] // references that keep an object from being folded
	sum     uint64            // of all shallow sizes
	trimmed int64             // how far the work was when files were last looked at
	fold    bits              // what is folded into its only referrer
	// arrays are the objects that have a length, holders those that may have references.
	arrays, holders disk.Array[uint64]
}

// local is what a frame of a thread holds.
type local struct{ thread, object uint32 }

// States of pred.
const (
	unseen   = 0
	rootHeld = 1<<32 - 2
	several  = 1<<32 - 1
)

// Build makes the graph of a dump that was read. When it cannot be made the error says
// why; what the heap has stands. The collector is used up.
func (c *Collector) Build(ctx context.Context, h *heapdump.Heap) (*Graph, error) {
	b := &builder{Collector: c, ctx: ctx, heap: h}
	g, err := b.build()
	c.spill.close()
	if err != nil {
		c.Close()
		return nil, err
	}
	c.arena = nil
	return g, nil
}

func (b *builder) build() (*Graph, error) {
	if b.err != nil {
		return nil, unfit("%w", b.err)
	}
	b.g = &Graph{heap: b.heap, sizes: b.o.Sizes, ignore: b.o.Ignore, details: b.o.ClassDetails, sizer: newSizer(b.heap)}
	b.g.arena = b.arena
	for _, step := range []func() error{b.number, b.roots, b.allocate, b.link, b.weigh, b.dominate, b.finish} {
		if err := step(); err != nil {
			return nil, unfit("%w", err)
		}
		if b.ctx.Err() != nil {
			return nil, unfit("it was interrupted")
		}
	}
	return b.g, nil
}

// trims is how often in a phase it is looked at how much of files is in the process.
const trims = 256

// tell tells how far a phase is.
func (b *builder) tell(p Phase, done, total int64) {
	if step := int64(p)<<8 | done*trims/max(total, 1); step != b.trimmed {
		b.trimmed = step
		b.arena.Trim()
	}
	if b.o.Progress != nil {
		b.o.Progress(Progress{p, done, total})
	}
}

// each calls do for every job on all processors; do gets the number of the goroutine.
func (b *builder) each(p Phase, from, to float64, do func(worker int, j *job) error) error {
	return b.parallel(len(b.jobs), p, from, to, func(w, i int) error { return do(w, &b.jobs[i]) })
}

// workers is how many goroutines parallel uses.
func workers() int { return max(1, min(runtime.GOMAXPROCS(0), 8)) }

// parallel calls do for 0 to n-1 on all processors. The shares of the phase that are
// done before and after it are from and to.
func (b *builder) parallel(n int, p Phase, from, to float64, do func(worker, i int) error) error {
	var next, done atomic.Int64
	var group sync.WaitGroup
	var once sync.Once
	var failed error
	var stop atomic.Bool
	for w := range workers() - 1 {
		group.Go(func() {
			for !stop.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(w+1, i); err != nil {
					once.Do(func() { failed = err })
					stop.Store(true)
				}
				done.Add(1)
			}
		})
	}
	for !stop.Load() {
		i := int(next.Add(1)) - 1
		if i >= n {
			break
		}
		if err := do(0, i); err != nil {
			once.Do(func() { failed = err })
			stop.Store(true)
		}
		d := done.Add(1)
		if b.ctx.Err() != nil {
			stop.Store(true)
		}
		if d%4 == 0 {
			b.tell(p, int64((from+(to-from)*float64(d)/float64(n))*1000), 1000)
		}
	}
	group.Wait()
	return failed
}

// number gives all addresses their ranks.
func (b *builder) number() error {
	b.tell(Numbering, 0, 1000)
	for _, c := range b.heap.Classes {
		if described(c) {
			b.or |= uint64(c.ID)
		}
	}
	shift := uint8(3)
	if b.or&7 != 0 {
		shift = 0
	}
	plans := make([]*rank.Plan, workers())
	bufs := make([][]byte, workers())
	for i := range plans {
		plans[i] = rank.NewPlan(shift, b.o.Memory/4)
	}
	err := b.each(Numbering, 0, 0.5, func(w int, j *job) error {
		return b.addresses(j, &bufs[w], func(id, _ uint64) { plans[w].Note(id) })
	})
	if err != nil {
		return err
	}
	plan := plans[0]
	for _, p := range plans[1:] {
		plan.Merge(p)
	}
	records := b.counts.objects
	for _, c := range b.heap.Classes {
		if described(c) {
			plan.Note(uint64(c.ID))
			records++
		}
	}
	set, err := plan.Make(b.arena)
	if err != nil {
		return err
	}
	var arrays, holders rank.Marks
	if arrays, err = set.Marks(b.arena); err != nil {
		return err
	}
	if holders, err = set.Marks(b.arena); err != nil {
		return err
	}
	err = b.each(Numbering, 0.5, 1, func(w int, j *job) error {
		return b.addresses(j, &bufs[w], func(id, length uint64) {
			set.Add(id)
			if length > 1 {
				set.Mark(arrays, id)
			}
			if length&1 != 0 {
				set.Mark(holders, id)
			}
		})
	})
	if err != nil {
		return err
	}
	for _, c := range b.heap.Classes {
		if described(c) {
			set.Add(uint64(c.ID))
			set.Mark(holders, uint64(c.ID))
		}
	}
	n, ok := set.Seal()
	if !ok || n > MaxObjects {
		return tooMany(n)
	}
	b.g.addresses, b.g.n = set, int(n)
	b.g.Repeated = records - n
	if b.arrays, err = set.Numbers(b.arena, &arrays); err != nil {
		return err
	}
	b.holders, err = set.Numbers(b.arena, &holders)
	return err
}

// described says whether a class has a class object in the dump.
func described(c *heapdump.Class) bool { return c.ID != 0 && !c.Undescribed }

// addresses gives the addresses of a job to note, with the lengths as heads have them.
func (b *builder) addresses(j *job, buf *[]byte, note func(id, length uint64)) error {
	heads, err := b.spill.read(j.heads, buf)
	if err != nil {
		return err
	}
	id := uint64(0)
	for at := 0; at < len(heads); {
		var v, length uint64
		v, at = get(heads, at)
		id += unfold(v)
		_, at = get(heads, at)
		length, at = get(heads, at)
		note(id, length)
	}
	return nil
}

// allocate makes the arrays, after it is known that all will find room.
func (b *builder) allocate() error {
	g := b.g
	n := g.n
	words := b.counts.words + int64(b.statics()) + 1
	words += int64(len(b.locals)) + int64(b.extras)*(1+threadRefs)
	if words >= 1<<32 {
		return tooMany(words)
	}
	claimed := uint64(b.heap.Bytes)
	if b.o.Sizes == MATSizes {
		claimed = uint64(b.heap.MATBytes)
	}
	if claimed>>b.unit() > maxAmount {
		return tooLarge(claimed)
	}
	for _, l := range b.locals {
		b.holders.V[l.thread>>6] |= 1 << (l.thread & 63)
	}
	perObject := int64(2 + 4 + 4)
	partly := int64(countOnes(b.arrays.V))*2 + int64(countOnes(b.holders.V))*4
	if err := b.arena.Check(int64(n)*perObject + partly + words*4 + words/8 + int64(float64(n)*coreShare)*coreBytes); err != nil {
		return err
	}
	var err error
	make := func(step func() error) {
		if err == nil {
			err = step()
		}
	}
	make(func() (e error) { b.pred, e = disk.Make[uint32](b.arena, n); return })
	make(func() (e error) { b.live, e = disk.Make[uint8](b.arena, n); return })
	make(func() (e error) { g.class, e = newClasses(b.arena, n, len(b.heap.Classes)); return })
	make(func() (e error) { g.lengths, e = newLengths(b.arena, b.arrays); return })
	make(func() (e error) { g.links, e = newLinks(b.arena, b.holders, int(words)); return })
	return err
}

const (
	// coreShare is which part of the objects is taken to remain for the finding of
	// dominators, for the check of the disk: measured are 0.2 to 0.4. It is checked
	// again when it is known.
	coreShare = 0.4
	// coreBytes is what each of them takes then.
	coreBytes = 24
)

// unit is what all sizes are multiples of, as a power of two.
func (b *builder) unit() uint8 {
	t := &b.g.sizer.by[b.o.Sizes]
	all := b.heap.Layout.Alignment
	for _, list := range [][]uint64{t.sizes, t.mirrors} {
		for _, size := range list {
			all |= size
		}
	}
	if all&7 == 0 {
		return 3
	}
	return 0
}

// statics is how many words the references of class objects may take.
func (b *builder) statics() int {
	n := 0
	for _, c := range b.heap.Classes {
		if described(c) {
			n += len(c.Statics) + 6
		}
	}
	return n
}
