package hprof

import (
	"cmp"
	"slices"

	"example.com/kneeline/heapdump/graph"
)

// minBig is the length in bytes below which no array is among the biggest.
const minBig = 4096

// merger has what was found in the chunks, in the order of the file.
type merger struct {
	blobs  *blobs
	index  []indexRun
	rows   [][]*rowBlock // by class
	trials []trial       // by class
	arrays directory
	prims  directory
	words  []textBlockRef
	texts  *sketch
	bigs   [2][]bigArray

	roots    [256]int64
	early    found // roots before the first object
	deferred []byte
	any      bool
	last     uint64
	lastKind kind

	skipped int    // further dumps that were passed over
	spare   []byte // for what goes by
}

// trial is what is known of a class of which it is not decided whether its
// instances are worth keeping.
type trial struct {
	rows                  int64
	links, times, sampled int64
	dropped               bool
}

func newMerger(o Options) merger {
	return merger{blobs: &blobs{bound: o.Memory, dir: o.TempDir}, texts: newSketch()}
}

// change makes a new view for the chunks to come.
func (r *reader) change(by func(*view)) {
	v := *r.view
	by(&v)
	r.view = &v
}

// setMode changes what becomes of the instances of a class.
func (r *reader) setMode(class int32, mode rowMode) {
	if r.view.classes[class].mode == mode {
		return
	}
	r.change(func(v *view) {
		v.classes = slices.Clone(v.classes)
		v.classes[class].mode = mode
	})
}

// take takes in what was found in a chunk; chunks come in the order of the file.
func (r *reader) take(c *chunk) {
	f := &c.found
	if f.any {
		if r.any {
			r.total.grow(len(c.view.classes))
			r.between(f.first)
		}
		r.any, r.last, r.lastKind = true, f.last, f.lastKind
	}
	if n, ok := r.blobs.add(f.blob); ok {
		r.takeStores(f, n)
	} else {
		r.losses.add(lossStore, int64(f.index.n), 0, -1)
	}
	bound := r.texts.bound
	if r.texts.add(f.samples); r.texts.bound != bound {
		r.change(func(v *view) { v.sample = r.texts.bound })
	}
	r.takeBigs(f.bigs)
	for tag, n := range f.roots {
		r.roots[tag] += n
	}
	r.stacks.take(f)
	r.takeLate(f.late)
	r.takeDeferred(f.deferred)
	r.losses.merge(&f.losses)
	if f.linked {
		var more []graph.Kept
		if c.giant != nil && c.giant.links != nil {
			more = c.giant.links.kept
		}
		r.o.Graph.Add(&f.graph, more...)
	}
}

// between notes the distance from the last object of a chunk to the first of the
// next.
func (r *reader) between(first uint64) {
	w := worker{sums: r.total, prevID: r.last}
	w.prev = r.total.gap(r.lastKind)
	w.note(first, nil)
	r.total.or |= w.or
}

func (r *reader) takeStores(f *found, blob int32) {
	if f.index.n > 0 {
		r.index = append(r.index, indexRun{addresses{first: f.index.first, last: f.index.last}, blob, f.index})
	}
	for _, p := range f.rows {
		r.takeRows(p, blob)
	}
	for _, a := range f.arrays {
		if len(r.arrays) >= maxArrays {
			r.losses.add(lossArrays, 1, 0, -1)
			continue
		}
		r.arrays = append(r.arrays, place{a.id, blob, a.off})
		r.countArray(int32(le.Uint32(f.blob[a.off:])))
	}
	for _, a := range f.prims {
		if len(r.prims) < maxArrays {
			r.prims = append(r.prims, place{a.id, blob, a.off})
		} else {
			r.losses.add(lossArrays, 1, 0, -1)
		}
	}
	if t := f.texts; t.n > 0 {
		r.words = append(r.words, textBlockRef{blob, t.off, t.n})
	}
}

// countArray stops keeping short arrays of a class when there are many.
func (r *reader) countArray(class int32) {
	t := r.trial(class)
	if t.rows++; t.rows == smallKept {
		r.setMode(class, rowsNone)
	}
}

func (r *reader) trial(class int32) *trial {
	for len(r.trials) <= int(class) {
		r.trials = append(r.trials, trial{})
		r.rows = append(r.rows, nil)
	}
	return &r.trials[class]
}

func (r *reader) takeRows(p rowsPart, blob int32) {
	t := r.trial(p.class)
	if t.dropped {
		return
	}
	t.rows += int64(p.n)
	t.links += int64(p.links)
	t.times += int64(p.times)
	t.sampled += int64(p.sampled)
	r.rows[p.class] = append(r.rows[p.class], &rowBlock{
		r.blobs, blob, p.off, p.n,
	})
	if r.view.classes[p.class].mode != rowsTry || t.rows < smallKept {
		return
	}
	if t.worthy() {
		r.setMode(p.class, rowsKeep)
		return
	}
	r.setMode(p.class, rowsNone)
	t.dropped = true
	r.rows[p.class] = nil
}

const (
	// minLinks is how many sampled instances of a class must refer to others of
	// it to make it a chain: chance has no part in it, but a parent is no chain.
	minLinks = 8
	// minTimes is the share of sampled instances that must have a plausible time.
	minTimes = 0.5
)

// worthy says whether instances form chains or carry times.
func (t *trial) worthy() bool {
	return t.links >= minLinks || float64(t.times) >= minTimes*float64(t.sampled)
}

// takeBigs keeps the biggest arrays.
func (r *reader) takeBigs(bigs []bigArray) {
	for _, b := range bigs {
		k := 0
		if r.classes.list[b.class].model.Element == 2 {
			k = 1
		}
		r.bigs[k] = append(r.bigs[k], b)
	}
	for k := range r.bigs {
		if len(r.bigs[k]) < 2*maxBig {
			continue
		}
		sortBigs(r.bigs[k])
		r.bigs[k] = r.bigs[k][:maxBig]
		r.change(func(v *view) { v.big[k] = r.bigs[k][maxBig-1].bytes })
	}
}

func sortBigs(b []bigArray) {
	slices.SortFunc(b, func(a, b bigArray) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.id, b.id))
	})
}

// takeLate takes class records that came after objects.
func (r *reader) takeLate(late []byte) {
	for len(late) > 0 {
		n, _ := r.form.extent(late)
		r.classes.add(late[:n])
		late = late[n:]
		r.stale = true
	}
}

// takeDeferred keeps objects back whose class was not described.
func (r *reader) takeDeferred(b []byte) {
	if len(r.deferred)+len(b) <= maxDeferred {
		r.deferred = append(r.deferred, b...)
		return
	}
	for len(b) > 0 {
		n, _ := r.form.extent(b)
		r.losses.add(lossDeferred, 1, n, -1)
		b = b[n:]
	}
}

// release goes through the objects that were kept back, now that no more classes
// will come.
func (r *reader) release() {
	b := r.deferred
	if len(b) == 0 {
		return
	}
	ids := r.form.ids
	for rest := b; len(rest) > 0; {
		n, _ := r.form.extent(rest)
		at := 5 + ids // of an instance; an array has its length before
		if rest[0] == subObjects {
			at = 9 + ids
		}
		r.classes.placeholder(r.form.id(rest[at:]))
		rest = rest[n:]
	}
	r.seal(true)
	r.stale = false
	c := r.cur
	for len(b) > 0 {
		n, _ := r.form.extent(b)
		if c.n+int(n) > r.target {
			c.pieces = append(c.pieces, piece{0, c.n, -1})
			r.dispatch()
			c = r.cur
		}
		c.room(c.n + int(n))
		c.n += copy(c.buf[c.n:], b[:n])
		b = b[n:]
	}
	c.pieces = append(c.pieces, piece{0, c.n, -1})
	r.deferred = nil
	r.drain()
}
