package graph

import (
	"slices"
	"sync/atomic"

	"example.com/kneeline/heapdump"
)

// hubMin is how many instances make the class object of a class a hub. That every
// object refers to its class would keep all from being folded and make the search for
// dominators look at each; of hubs a sample of instances is enough, see [builder.check].
const hubMin = 1000

// linker turns the references of jobs into ranks; one goroutine has it.
type linker struct {
	*builder
	bufs  [3][]byte
	list  []uint32
	sums  linkSums
	owned bits // objects that were met, when some are recorded twice
}

type linkSums struct{ references, dangling int64 }

// link makes the references and finds the objects that only one other refers to.
func (b *builder) link() error {
	b.classEdges()
	b.tell(Linking, 0, 1000)
	starts := make([]int64, len(b.jobs)+1)
	at := int64(1)
	for i := range b.jobs {
		starts[i] = at
		at += b.jobs[i].words
	}
	team := make([]*linker, workers())
	for i := range team {
		team[i] = &linker{builder: b}
	}
	first := team[0]
	if b.g.Repeated > 0 {
		first.owned = newBits(b.g.n)
	}
	for _, r := range b.g.rootRanks {
		b.pred.V[r] = rootHeld
	}
	end := first.classObjects(at)
	var err error
	if b.g.Repeated > 0 {
		// The first record of an object counts, so they are taken in their order.
		for i := range b.jobs {
			if err = first.job(&b.jobs[i], starts[i]); err != nil || b.ctx.Err() != nil {
				break
			}
		}
	} else {
		err = b.parallel(len(b.jobs), Linking, 0, 1, func(w, i int) error { return team[w].job(&b.jobs[i], starts[i]) })
	}
	if err == nil {
		first.threads(end)
	}
	for _, l := range team {
		b.g.References += l.sums.references
		b.g.Dangling += l.sums.dangling
	}
	b.spill.close()
	return err
}

// threads adds to the references of threads what their frames hold, from a place in
// the list of references on. That of a thread that has more references than any class
// has fields is held by the root instead.
func (l *linker) threads(at int64) {
	g := l.g
	for i := 0; i < len(l.locals); {
		r := l.locals[i].thread
		own := g.targets(r)
		l.list = append(l.list[:0], own[:min(len(own), threadRefs)]...)
		from := i
		for ; i < len(l.locals) && l.locals[i].thread == r; i++ {
			if len(own) <= threadRefs {
				l.list = append(l.list, l.locals[i].object)
			} else {
				l.holdLate(l.locals[i].object)
			}
		}
		if len(own) > threadRefs {
			continue
		}
		live := int(l.live.V[r])
		for _, x := range l.locals[from:i] {
			live += l.see(r, x.object)
		}
		l.live.V[r] = uint8(min(live, manyLive))
		at = g.put(r, at, l.list)
		l.sums.references += int64(i - from)
	}
}

// threadRefs is how many references a thread may have beside what its frames hold.
const threadRefs = 256

// holdLate makes an object held by a root when the roots are known already.
func (l *linker) holdLate(r uint32) {
	if l.root.has(r) {
		return
	}
	l.root.set(r)
	l.pred.V[r] = rootHeld
	i, _ := slices.BinarySearch(l.g.rootRanks, r)
	l.g.rootRanks = slices.Insert(l.g.rootRanks, i, r)
	l.g.rootKinds = slices.Insert(l.g.rootKinds, i, RootKinds(1<<JavaFrame))
	l.g.Held++
	l.g.ByKind[JavaFrame]++
}

// classEdges says of each class which class object its instances hold.
func (b *builder) classEdges() {
	n := len(b.heap.Classes)
	b.g.mirror()
	b.edge, b.hub = make([]uint32, n), make([]bool, n)
	for i, r := range b.g.mirrors {
		b.edge[i] = uint32(None)
		if r != None && !b.root.has(uint32(r)) {
			b.edge[i] = uint32(r)
			b.hub[i] = b.heap.Classes[i].Instances >= b.hubMin
		}
	}
}

// mirror finds the class objects, and what kinds of references there are.
func (g *Graph) mirror() {
	n := len(g.heap.Classes)
	g.mirrors, g.mirrorAt = make([]Rank, n), make(map[Rank]int, n)
	g.strength = Strengths(g.heap)
	for i, c := range g.heap.Classes {
		g.mirrors[i] = None
		if !described(c) {
			continue
		}
		r, ok := g.Rank(c.ID)
		if !ok {
			continue
		}
		if _, taken := g.mirrorAt[r]; !taken {
			g.mirrorAt[r] = i
		}
		g.mirrors[i] = r
	}
}

// Strengths tells by class which kind of reference its instances are, 0 for other
// classes: a [Block] must have the referent of those first.
func Strengths(h *heapdump.Heap) []Strength {
	kinds := map[string]Strength{
		"java.lang.ref.SoftReference": Soft, "java.lang.ref.WeakReference": Weak,
		"java.lang.ref.PhantomReference": Phantom, "java.lang.ref.FinalReference": Final,
	}
	own := make([]Strength, len(h.Classes))
	for name, s := range kinds {
		for _, i := range h.ClassNamed(name) {
			own[i] = s
		}
	}
	out := make([]Strength, len(own))
	for i := range out {
		class := i
		for range maxSupers {
			if class < 0 || class >= len(own) {
				break
			}
			if own[class] != 0 {
				out[i] = own[class]
				break
			}
			class = h.Classes[class].Super
		}
	}
	return out
}

// maxSupers bounds how far superclasses are followed, which may form a circle.
const maxSupers = 1000

// classObjects links the class objects: java.lang.Class, superclass, loader, static
// fields, and with [Options.ClassDetails] signers and protection domain. It gives where the next references go.
func (l *linker) classObjects(at int64) int64 {
	g := l.g
	for i, c := range l.heap.Classes {
		m := g.mirrors[i]
		if m == None || g.mirrorAt[m] != i {
			continue
		}
		r := uint32(m)
		if l.owned != nil {
			if l.owned.has(r) {
				continue
			}
			l.owned.set(r)
		}
		l.list = l.list[:0]
		if s := l.heap.Class(c.Super); s != nil {
			l.add(uint64(s.ID))
		}
		l.add(uint64(c.Loader))
		if l.o.ClassDetails {
			l.add(uint64(c.Signers))
			l.add(uint64(c.Domain))
		}
		for _, s := range c.Statics {
			if s.Type == 2 {
				l.add(s.Value)
			}
		}
		if g.sizer.mirror != noClass {
			g.class.set(r, g.sizer.mirror)
		}
		at = l.store(r, g.sizer.mirror, at)
	}
	return at
}

// add translates a reference.
func (l *linker) add(id uint64) {
	if id == 0 {
		return
	}
	if t, ok := l.g.addresses.Rank(id); ok {
		l.list = append(l.list, t)
	} else {
		l.sums.dangling++
	}
}

// dedupe is the length up to which references of one object to one other are found.
const dedupe = 24

// store writes the references of an object and lets them count; it gives where the
// next ones go.
func (l *linker) store(r, class uint32, at int64) int64 {
	list := l.list
	strength := Strength(0)
	if class < uint32(len(l.g.strength)) {
		strength = l.g.strength[class]
	}
	if len(list) <= dedupe && len(list) > 1 {
		list = l.distinct(strength != 0)
	}
	live := 0
	at = l.g.put(r, at, list)
	l.sums.references += int64(len(list))
	for i, t := range list {
		if i == 0 && strength != 0 {
			if t == r {
				l.sums.references--
			}
			if strength&l.g.ignore != 0 {
				continue
			}
		}
		live += l.see(r, t)
	}
	if class < uint32(len(l.edge)) {
		if m := l.edge[class]; m != uint32(None) {
			if s := l.see(r, m); !l.hub[class] {
				live += s
			}
		}
	}
	l.live.V[r] = uint8(min(live, manyLive))
	return at
}

// manyLive is a number of references that is not counted down any more.
const manyLive = 255

// see notes that u refers to v and gives 1 if that keeps u from being folded.
func (b *builder) see(u, v uint32) int {
	if u == v {
		return 0
	}
	p := &b.pred.V[v]
	for {
		switch was := atomic.LoadUint32(p); was {
		case rootHeld:
			return 0
		case several, u + 1:
			return 1
		case unseen:
			if atomic.CompareAndSwapUint32(p, unseen, u+1) {
				return 1
			}
		default:
			if atomic.CompareAndSwapUint32(p, was, several) {
				return 1
			}
		}
	}
}

// distinct leaves out repeated references, but for a referent, which keeps its place.
func (l *linker) distinct(referent bool) []uint32 {
	list := l.list
	n, from := 0, 0
	if referent {
		n, from = 1, 1
	}
next:
	for _, t := range list[n:] {
		for _, u := range list[from:n] {
			if t == u {
				continue next
			}
		}
		list[n] = t
		n++
	}
	return list[:n]
}

// refs reads the references of a job, which may go on from part to part.
type refs struct {
	l    *linker
	j    *job
	part int
	b    []byte
	at   int
}

func (s *refs) next() (err error) {
	s.at = 0
	for s.b = nil; len(s.b) == 0 && s.part < len(s.j.refs); s.part++ {
		if s.b, err = s.l.spill.read(s.j.refs[s.part], &s.l.bufs[1]); err != nil {
			return err
		}
	}
	return nil
}

// job links the objects of a job.
func (l *linker) job(j *job, at int64) error {
	g := l.g
	heads, err := l.spill.read(j.heads, &l.bufs[0])
	if err != nil {
		return err
	}
	s := refs{l: l, j: j}
	id := uint64(0)
	for h := 0; h < len(heads); {
		var v, class, length uint64
		v, h = get(heads, h)
		class, h = get(heads, h)
		length, h = get(heads, h)
		id += unfold(v)
		r, _ := g.addresses.Rank(id)
		l.list = l.list[:0]
		if err := l.read(&s, id, r, uint32(class)); err != nil {
			return err
		}
		if l.owned != nil {
			if l.owned.has(r) {
				continue
			}
			l.owned.set(r)
		}
		g.class.set(r, uint32(class))
		if length >>= 1; length != 0 {
			g.lengths.set(r, uint32(length))
		}
		at = l.store(r, uint32(class), at)
	}
	return nil
}

// read reads the references of an object into the list.
func (l *linker) read(s *refs, id uint64, r, class uint32) error {
	strength := class < uint32(len(l.g.strength)) && l.g.strength[class] != 0
	for {
		if s.at >= len(s.b) {
			if err := s.next(); err != nil {
				return err
			}
			if len(s.b) == 0 {
				return nil
			}
		}
		var v uint64
		if v, s.at = get(s.b, s.at); v == 0 {
			return nil
		}
		t, ok := l.g.addresses.Rank(id + unfold(v-1))
		switch {
		case ok:
			l.list = append(l.list, t)
		case strength && len(l.list) == 0:
			// A referent that is not in the dump is as none.
			l.list = append(l.list, r)
			l.sums.dangling++
		default:
			l.sums.dangling++
		}
	}
}
