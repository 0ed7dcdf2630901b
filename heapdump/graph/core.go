package graph

import (
	"cmp"
	"slices"

	"example.com/kneeline/heapdump/graph/disk"
	"example.com/kneeline/heapdump/graph/dominators"
)

// core is what is not folded, in the numbers in which a depth first visit from the
// roots meets it; 1 stands for the roots.
type core struct {
	*builder
	count uint32 // how many are not folded
	top   uint32 // the highest number
	seen  bits   // what was visited, by rank
	// several and held tell by number which have several that refer to them, and which
	// roots hold.
	several, held bits
	// vert is the object of a number, parent the number from which the visit came.
	vert, parent, semi, label, dom disk.Array[uint32]
	start, in                      disk.Array[uint32]
	links                          pairs
	path                           disk.Array[uint32]
	samples                        []sample
	sampled                        bits // objects that have samples
}

// sample is an object into which an instance of a class is folded whose class object is
// a hub, or that is one itself.
type sample struct{ anchor, mirror uint32 }

// dominate finds the dominators.
func (b *builder) dominate() error {
	b.foldTrees()
	b.live.Free()
	for round := 0; b.ctx.Err() == nil; round++ {
		c := &core{builder: b}
		c.count = uint32(b.g.n)
		for _, w := range b.fold {
			c.count -= ones(w)
		}
		if err := c.room(); err != nil {
			return err
		}
		c.takeSamples()
		c.visit()
		done, err := c.find()
		if err != nil || !done {
			c.free()
			return err
		}
		if c.check(round) {
			c.conclude()
			return nil
		}
		c.undo()
		c.free()
		b.unfold(func(class uint32) bool {
			return class < uint32(len(b.hub)) && b.edge[class] != uint32(None) && !b.hub[class]
		})
	}
	return nil
}

// find finds the dominators of numbers. What only the visit needs is given back before,
// and made again afterwards.
func (c *core) find() (done bool, err error) {
	for _, x := range []*disk.Array[uint32]{&c.semi, &c.label, &c.vert} {
		x.Free()
	}
	if err := c.inbound(); err != nil {
		return false, err
	}
	if err := c.make(&c.semi, &c.label, &c.dom); err != nil {
		return false, err
	}
	if done, err = c.solve(); err != nil || !done {
		return done, err
	}
	for _, x := range []*disk.Array[uint32]{&c.semi, &c.label, &c.start, &c.in, &c.path} {
		x.Free()
	}
	if err := c.make(&c.vert); err != nil {
		return false, err
	}
	for w, word := range c.seen {
		for ; word != 0; word &= word - 1 {
			r := uint32(w)<<6 + uint32(lowest(word))
			c.vert.V[c.pred.V[r]] = r
		}
	}
	return true, nil
}

// make makes arrays with a place for each number.
func (c *core) make(arrays ...*disk.Array[uint32]) (err error) {
	for _, x := range arrays {
		if *x, err = disk.Make[uint32](c.arena, int(c.count)+3); err != nil {
			return err
		}
	}
	return nil
}

// room makes the arrays of the visit.
func (c *core) room() (err error) {
	n := int(c.count) + 3
	if err := c.arena.Check(int64(n) * (4*4 + 8)); err != nil {
		return err
	}
	if err := c.make(&c.vert, &c.parent, &c.semi, &c.label); err != nil {
		return err
	}
	c.seen = newBits(c.g.n)
	c.several, c.held = newBits(n), newBits(n)
	c.links.arena = c.arena
	return nil
}

func (c *core) free() {
	for _, x := range []*disk.Array[uint32]{&c.vert, &c.parent, &c.semi, &c.label, &c.dom, &c.start, &c.in, &c.path} {
		x.Free()
	}
	c.links.free()
}

// hubSamples is how many instances of a class, spread evenly, stand for all of them,
// with as many from either end, where those are that the VM made when it started.
const hubSamples = 512

// takeSamples picks instances of hubs' classes.
func (c *core) takeSamples() {
	g := c.g
	steps := make([]int64, len(c.hub))
	counts := make([]int64, len(c.hub))
	any := false
	for i, h := range c.hub {
		if h {
			steps[i] = max(c.heap.Classes[i].Instances/hubSamples, 1)
			any = true
		}
	}
	c.sampled = newBits(g.n)
	if !any {
		return
	}
	find := newAnchors(c.builder)
	for r := range uint32(g.n) {
		class := g.class.at(r)
		if class >= uint32(len(steps)) || steps[class] == 0 {
			continue
		}
		counts[class]++
		if r%(1<<20) == 0 {
			c.arena.Trim()
		}
		if n := counts[class]; n%steps[class] != 0 && n > hubSamples && n <= c.heap.Classes[class].Instances-hubSamples {
			continue
		}
		if a, _ := find.of(r); a != c.edge[class] {
			c.samples = append(c.samples, sample{a, c.edge[class]})
			c.sampled.set(a)
		}
	}
	slices.SortFunc(c.samples, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.anchor, b.anchor), cmp.Compare(a.mirror, b.mirror))
	})
	c.samples = slices.Compact(c.samples)
}

// samplesOf are the hubs to which an object leads.
func (c *core) samplesOf(r uint32) []sample {
	i, _ := slices.BinarySearchFunc(c.samples, r, func(s sample, r uint32) int { return cmp.Compare(s.anchor, r) })
	k := i
	for k < len(c.samples) && c.samples[k].anchor == r {
		k++
	}
	return c.samples[i:k]
}

// visit goes depth first from the roots through what is not folded.
func (c *core) visit() {
	c.top = 1
	for i, r := range c.g.rootRanks {
		if c.ctx.Err() != nil {
			return
		}
		if !c.seen.has(r) {
			c.from(r)
		}
		if i%1024 == 0 {
			c.tell(Visiting, int64(c.top), int64(c.count))
		}
	}
}

// enter numbers an object.
func (c *core) enter(r, parent uint32) {
	c.top++
	i := c.top
	c.seen.set(r)
	switch c.pred.V[r] {
	case rootHeld:
		c.held.set(i)
	case several:
		c.several.set(i)
	}
	c.pred.V[r] = i
	c.vert.V[i], c.parent.V[i] = r, parent
}

// from visits what can be reached from an object, and notes the references that lead to
// what was visited already. The way back is in two lists by depth: the next of the
// references to follow, and their end or 0 when the class object and the samples are
// next.
func (c *core) from(root uint32) {
	next, end := c.semi.V, c.label.V
	edges, pred := c.g.edges.V, c.pred.V
	c.enter(root, 1)
	depth, at := uint32(0), c.top
	next[0], end[0] = c.span(root)
	for c.links.err == nil {
		child := uint32(None)
		if e := end[depth]; e != 0 {
			i := next[depth]
			for i < e {
				t := edges[i]
				i++
				if c.fold.has(t) {
					continue
				}
				if !c.seen.has(t) {
					child = t
					break
				}
				if j := pred[t]; c.several.has(j) {
					c.links.add(at, j)
				}
			}
			next[depth] = i
			if child == uint32(None) {
				end[depth] = 0
			}
		}
		if child == uint32(None) {
			child = c.classOrSample(c.vert.V[at])
		}
		if child == uint32(None) {
			c.leave(at)
			if depth == 0 {
				return
			}
			depth--
			at = c.parent.V[at]
			continue
		}
		c.enter(child, at)
		at = c.top
		depth++
		next[depth], end[depth] = c.span(child)
		if c.top%walkEvery == 0 {
			c.tell(Visiting, int64(c.top), int64(c.count))
			if c.ctx.Err() != nil {
				return
			}
		}
	}
}

// leave notes the reference to the class object and the samples, which all were visited.
func (c *core) leave(at uint32) {
	r := c.vert.V[at]
	note := func(t uint32) {
		if c.fold.has(t) {
			return
		}
		if j := c.pred.V[t]; c.several.has(j) && c.parent.V[j] != at {
			c.links.add(at, j)
		}
	}
	if m := c.classEdge(r); m != uint32(None) && !c.hub[c.g.class.at(r)] {
		note(m)
	}
	if c.sampled.has(r) {
		for _, s := range c.samplesOf(r) {
			note(s.mirror)
		}
	}
}

// span is where the references of an object are that count.
func (c *core) span(r uint32) (from, to uint32) {
	from, to = c.g.span(r)
	if from < to && c.g.ignore != 0 && c.g.strengthOf(r)&c.g.ignore != 0 {
		from++
	}
	if from == to {
		return 0, 0
	}
	return from, to
}

// classOrSample is a class object to which an object leads and that was not visited.
func (c *core) classOrSample(r uint32) uint32 {
	if m := c.classEdge(r); m != uint32(None) && !c.seen.has(m) && !c.fold.has(m) {
		return m
	}
	if c.sampled.has(r) {
		for _, s := range c.samplesOf(r) {
			if !c.seen.has(s.mirror) && !c.fold.has(s.mirror) {
				return s.mirror
			}
		}
	}
	return uint32(None)
}

// classEdge is the class object that an object holds, None when it does not matter.
func (c *core) classEdge(r uint32) uint32 {
	if class := c.g.class.at(r); class < uint32(len(c.edge)) {
		return c.edge[class]
	}
	return uint32(None)
}

// inbound lists who refers to objects to which several do.
func (c *core) inbound() (err error) {
	if c.links.err != nil {
		return c.links.err
	}
	if c.start, err = disk.Make[uint32](c.arena, int(c.top)+2); err != nil {
		return err
	}
	if c.in, err = disk.Make[uint32](c.arena, int(c.links.n)); err != nil {
		return err
	}
	start, in := c.start.V, c.in.V
	c.links.each(func(_, to uint32) { start[to]++ })
	sum := uint32(0)
	for i := range start {
		sum += start[i]
		start[i] = sum
	}
	c.links.each(func(from, to uint32) {
		start[to]--
		in[start[to]] = from
	})
	c.links.free()
	return nil
}

func (c *core) solve() (bool, error) {
	return dominators.Solve(&dominators.Graph{
		Nodes: c.top, Parent: c.link(), Start: c.start.V, In: c.in.V, Held: c.held.has,
		Semi: c.semi.V, Label: c.label.V, Dominator: c.dom.V,
		Path: func(have []uint32, n int) ([]uint32, error) {
			more, err := disk.Make[uint32](c.arena, max(2*n, 1<<16))
			if err != nil {
				return nil, err
			}
			copy(more.V, have)
			c.path.Free()
			c.path = more
			return more.V, nil
		},
		Tell: func(done uint32) bool {
			c.tell(Dominating, int64(done), int64(c.top))
			return c.ctx.Err() == nil
		},
	})
}

// link is where the parents are that the finding of dominators may write over.
func (c *core) link() []uint32 { return c.parent.V }
