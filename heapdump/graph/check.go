package graph

import (
	mathbits "math/bits"
	"slices"

	"example.com/kneeline/heapdump/graph/disk"
)

func lowest(w uint64) int { return mathbits.TrailingZeros64(w) }

func ones(w uint64) uint32 { return uint32(mathbits.OnesCount64(w)) }

// check says whether the dominators are exact. They were found with two liberties.
//
// An instance of a class whose class object is a hub may be folded into what holds it
// although it refers to the class object: that reference then is one of the latter. This
// is wrong only where something within the folded tree dominates the class object, so
// not where the roots alone do, and not where its dominator refers to the class object
// itself, or has no such instance folded into it, or several in different trees.
//
// And of all instances a sample stood for the rest. More references can only raise a
// dominator, and only those from what it does not dominate.
//
// A class object of which this cannot be said is a hub no longer, and the finding is done
// again with its instances as what they are; with all instances after the second time.
func (c *core) check(round int) bool {
	doubt := map[uint32][]int{} // classes by the dominator of the class object
	for i, h := range c.hub {
		if m := c.edge[i]; h && !c.fold.has(m) {
			d := uint32(0) // not visited
			if c.seen.has(m) {
				d = c.dom.V[c.pred.V[m]]
			}
			if d != 1 {
				doubt[d] = append(doubt[d], i)
			}
		}
	}
	exact := true
	for d, classes := range doubt {
		for _, i := range classes {
			if len(doubt) > maxDoubts || !c.stands(d, i) {
				c.hub[i] = false
				exact = false
			}
		}
	}
	if !exact && round > 0 {
		clear(c.hub)
	}
	return exact
}

// maxDoubts is how many dominators of class objects are looked into.
const maxDoubts = 64

// stands says whether number d dominates all instances of a class so that it is the
// dominator of the class object whatever the sample, and nothing that is folded into it.
// Where it is not, and the class object leads to nothing that depends on it, the true
// dominator is found and set.
func (c *core) stands(d uint32, class int) bool {
	for {
		up, ok := c.raise(d, class)
		if !ok || up == d {
			return ok
		}
		m := c.edge[class]
		if d == 0 || !c.ends(m) {
			return false
		}
		c.dom.V[c.pred.V[m]] = up
		if d = up; d == 1 {
			return true
		}
	}
}

// raise gives the nearest number that dominates d and all instances of a class. When it is
// d itself ok says whether nothing that is folded into d can dominate the class object.
func (c *core) raise(d uint32, class int) (up uint32, ok bool) {
	below := newBits(int(c.top) + 1)
	if d != 0 {
		below.set(d)
		for i := d + 1; i <= c.top; i++ {
			if below.has(c.dom.V[i]) {
				below.set(i)
			}
		}
	}
	apart := d != 0 && c.refersTo(c.vert.V[d], class)
	tree := uint32(None) // the one in which instances folded into d are
	find := newAnchors(c.builder)
	up = d
	steps := 0
	for r := range uint32(c.g.n) {
		if c.g.class.at(r) != uint32(class) {
			continue
		}
		a, under := find.of(r)
		if !c.seen.has(a) {
			continue
		}
		i := c.pred.V[a]
		if !below.has(i) {
			// A dominator has a lower number than what it dominates.
			for i != up {
				if i > up {
					i = c.dom.V[i]
				} else {
					up = c.dom.V[up]
				}
				steps++
			}
			if up == 1 {
				return 1, true
			}
			if up == 0 || steps > int(c.top) {
				return d, false
			}
			continue
		}
		if i == d && a != r {
			apart = apart || tree != uint32(None) && tree != under
			tree = under
		}
	}
	return up, up != d || apart || tree == uint32(None)
}

// ends says whether another dominator of a class object is none to anything but itself and
// what it dominates: whatever it leads to is folded into it or the roots dominate it.
func (c *core) ends(m uint32) bool {
	for _, t := range append(slices.Clone(c.g.follow(m, c.g.ignore)), c.classEdge(m)) {
		if t == uint32(None) || c.fold.has(t) {
			continue
		}
		if c.dom.V[c.pred.V[t]] != 1 {
			return false
		}
	}
	return true
}

// refersTo says whether an object itself refers to the class object of a class.
func (c *core) refersTo(r uint32, class int) bool {
	m := c.edge[class]
	return c.classEdge(r) == m || slices.Contains(c.g.follow(r, c.g.ignore), m)
}

// undo makes the state of what was visited what it was before.
func (c *core) undo() {
	for i := uint32(2); i <= c.top; i++ {
		r := c.vert.V[i]
		switch {
		case c.held.has(i):
			c.pred.V[r] = rootHeld
		case c.several.has(i):
			c.pred.V[r] = several
		default:
			c.pred.V[r] = c.vert.V[c.before(i)] + 1
		}
	}
}

// before is the dominator of an object with a single referrer: that referrer, whatever
// the finding of dominators made of the parents.
func (c *core) before(i uint32) uint32 { return c.dom.V[i] }

// conclude makes the dominators of numbers those of objects, and adds up.
func (c *core) conclude() {
	g := c.g
	for i := c.top; i >= 2; i-- {
		if i%walkEvery == 0 {
			c.tell(Summing, int64(c.top-i), int64(c.top))
		}
		if d := c.dom.V[i]; d != 1 {
			g.retained.move(c.vert.V[d], c.vert.V[i])
		} else {
			g.TopLevel++
			g.Bytes += int64(g.retained.at(c.vert.V[i]))
		}
	}
	dead := c.dead()
	for r := range uint32(g.n) {
		if r%(1<<20) == 0 {
			c.arena.Trim()
		}
		p := &c.pred.V[r]
		switch {
		case c.fold.has(r):
			if *p--; dead != nil && dead.has(r) {
				*p = uint32(None)
				continue
			}
		case !c.seen.has(r):
			*p = uint32(None)
			continue
		default:
			if d := c.dom.V[*p]; d == 1 {
				*p = uint32(Root)
			} else {
				*p = c.vert.V[d]
			}
		}
		g.Objects++
	}
	c.free()
	g.idom = column{c.pred}
	c.pred = disk.Array[uint32]{}
}

// dead is what is folded into objects that no root reaches, nil when there are none.
func (c *core) dead() bits {
	g := c.g
	if c.top-1 == c.count {
		return nil
	}
	dead := newBits(g.n)
	var stack []uint32
	for r := range uint32(g.n) {
		if c.seen.has(r) || c.fold.has(r) {
			continue
		}
		stack = append(stack, r)
		for len(stack) > 0 {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			take := func(t uint32) {
				if t < uint32(g.n) && c.fold.has(t) && !dead.has(t) && c.pred.V[t] == x+1 {
					dead.set(t)
					stack = append(stack, t)
				}
			}
			for _, t := range g.follow(x, g.ignore) {
				take(t)
			}
			take(c.classEdge(x))
		}
	}
	return dead
}

// finish counts what is left.
func (b *builder) finish() error {
	g := b.g
	g.Unreachable = int64(g.n) - g.Objects
	g.UnreachableBytes = int64(b.sum) - g.Bytes
	g.MemoryPeak, g.DiskPeak = b.arena.Peak()
	b.tell(Summing, 1, 1)
	return nil
}
