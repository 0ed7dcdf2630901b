package pending

import (
	"slices"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// Limits of looking for chains.
const (
	// maxChainSteps is how many nodes are gone along in one heap, all chains
	// together: a few seconds of work at most, and far above any queue that fits a
	// laptop's idea of one.
	maxChainSteps = 8 << 20
	// maxHeads is how many beginnings of chains of one class are tried.
	maxHeads = 1000
	// chainSpread is from how many kept nodes the few are taken that tell how the
	// class is linked.
	chainSpread = 1024
)

// chainClass is a class whose objects form chains.
type chainClass struct {
	class *heapdump.Class
	// next is the column of the link, item that of the entry, -1 when the node is
	// the entry itself.
	next, item int
}

// chainShapes finds chains of nodes that an object or a static field of the
// application holds.
func chainShapes(h *heapdump.Heap, table *pattern.Table) []shape {
	chains := make(map[int]chainClass)
	for _, c := range h.Classes {
		if c.Kept < minShape || ofJDK(c.Name) || table != nil && table.IsPlain(line(h, c.Index)) != nil {
			continue
		}
		if cc, ok := chainOf(h, c); ok {
			chains[c.Index] = cc
		}
	}
	if len(chains) == 0 {
		return nil
	}
	w := chainWalker{h: h, left: maxChainSteps, tried: make(map[int]int)}
	var out []shape
	for _, c := range h.Classes {
		// The nodes refer to their neighbours: they are holders of nothing.
		if _, node := chains[c.Index]; node {
			continue
		}
		if s, ok := w.statics(c, chains); ok {
			out = append(out, s)
		}
		refs := refColumns(c)
		if len(refs) == 0 || !isHolder(c) || knownHolder(h, table, c) {
			continue
		}
		for in := range h.Instances(c.Index) {
			if s, ok := w.held(in, refs, chains); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// chainOf reports whether the objects of a class form chains: most refer, by one
// field, to another of the class. Fields of trees and ways back are no links, and
// nodes that a hash table holds as well are entries of a map in the order of
// their use.
func chainOf(h *heapdump.Heap, c *heapdump.Class) (chainClass, bool) {
	for _, index := range h.ClassNamed(c.Name + "[]") {
		if 2*h.Class(index).Filled >= c.Instances {
			return chainClass{}, false
		}
	}
	nodes := someNodes(h, c)
	cc := chainClass{class: c, next: -1, item: -1}
	selves := 0
	for _, col := range refColumns(c) {
		filled, same := 0, 0
		var targets []heapdump.ID
		for _, in := range nodes {
			id := heapdump.ID(in.At(col))
			if id == 0 {
				continue
			}
			filled++
			targets = append(targets, id)
			if index, ok := h.ClassOf(id); ok && related(h, index, c.Index) && id != in.ID {
				same++
			}
		}
		name := c.Columns[col].Name
		switch {
		case 2*filled < len(nodes):
		case float64(same) >= mainShare*float64(filled):
			selves++
			if hasWord(name, notNextWords) {
				continue
			}
			if cc.next < 0 || hasWord(name, nextWords) && !hasWord(c.Columns[cc.next].Name, nextWords) {
				cc.next = col
			}
		default:
			if main, s := mainClass(h, targets); main != nil && s >= mainShare && !isValue(main) && cc.betterItem(name) {
				cc.item = col
			}
		}
	}
	// Three links and more are those of a graph or a tree.
	return cc, cc.next >= 0 && selves <= 2
}

// betterItem reports whether a field is a likelier entry than the one so far.
func (cc *chainClass) betterItem(name string) bool {
	return cc.item < 0 || hasWord(name, itemWords) && !hasWord(cc.class.Columns[cc.item].Name, itemWords)
}

// someNodes returns a few kept objects of a class, spread over the first many.
func someNodes(h *heapdump.Heap, c *heapdump.Class) []heapdump.Instance {
	step := max(min(c.Kept, chainSpread)/shapeSample, 1)
	var out []heapdump.Instance
	n := int64(0)
	for in := range h.Instances(c.Index) {
		if n%step == 0 {
			out = append(out, in)
		}
		if n++; len(out) >= shapeSample {
			break
		}
	}
	return out
}

// related reports whether one class is the other or inherits from it.
func related(h *heapdump.Heap, a, b int) bool {
	if a == b {
		return true
	}
	isBelow := func(a, b int) bool {
		for range maxSupers {
			c := h.Class(a)
			if c == nil {
				return false
			}
			if a = c.Super; a == b {
				return h.Class(b) != nil && h.Class(b).Name != "java.lang.Object"
			}
		}
		return false
	}
	return isBelow(a, b) || isBelow(b, a)
}

// chainWalker goes along chains, no further than its steps last.
type chainWalker struct {
	h     *heapdump.Heap
	left  int
	tried map[int]int // beginnings tried, by class of nodes
}

// statics reads the longest chain that the static fields of a class begin. A
// single field is the head of any list that a program keeps, and is passed over
// unless the names say that it is a queue.
func (w *chainWalker) statics(c *heapdump.Class, chains map[int]chainClass) (shape, bool) {
	var heads []heapdump.ID
	var numbers []number
	field, named := "", false
	for _, f := range c.Statics {
		id := heapdump.ID(f.Value)
		switch f.Type {
		case typeInt, typeLong, typeShort:
			numbers = append(numbers, number{f.Name, int64(f.Value)})
		case typeObject:
			if n, ok := counterValue(w.h, id); ok {
				numbers = append(numbers, number{f.Name, n})
			} else if index, ok := w.h.ClassOf(id); ok && chains[index].class != nil {
				heads = append(heads, id)
				named = named || hasWord(f.Name, queueWords)
				if field == "" || hasWord(f.Name, headWords) {
					field = f.Name
				}
			}
		}
	}
	if len(heads) < 2 && !named && !hasWord(display(c), queueWords) {
		return shape{}, false
	}
	s, ok := w.longest(shape{found: found{class: c, kind: KindLinked, instances: 1}}, heads, numbers, chains)
	if ok {
		// There is no object that is the queue: its first node stands for it.
		s.id, s.class = s.first, w.classOf(s.first)
		s.owner = owner{class: c, field: field, static: true}
	}
	return s, ok
}

func (w *chainWalker) classOf(id heapdump.ID) *heapdump.Class {
	index, _ := w.h.ClassOf(id)
	return w.h.Class(index)
}

// held reads the longest chain that an object begins.
func (w *chainWalker) held(in heapdump.Instance, refs []int, chains map[int]chainClass) (shape, bool) {
	var heads []heapdump.ID
	for _, col := range refs {
		if id := heapdump.ID(in.At(col)); id != 0 {
			if index, ok := w.h.ClassOf(id); ok && chains[index].class != nil {
				heads = append(heads, id)
			}
		}
	}
	if len(heads) == 0 {
		return shape{}, false
	}
	return w.longest(shape{found: found{id: in.ID, class: in.Class, kind: KindLinked, instances: 1}}, heads, numbersOf(w.h, in), chains)
}

// longest reads the chains from some nodes on and returns the longest.
func (w *chainWalker) longest(like shape, heads []heapdump.ID, numbers []number, chains map[int]chainClass) (shape, bool) {
	var best shape
	var chain chainClass
	for i, id := range heads {
		cc, ok := w.chainAt(id, chains)
		if !ok || slices.Contains(heads[:i], id) {
			continue
		}
		s := like
		s.first = id
		if w.read(&s, id, cc); s.n > best.n {
			best, chain = s, cc
		}
	}
	if best.n < minShape {
		return shape{}, false
	}
	w.weigh(&best, numbers, heads, chain)
	return best, true
}

// weigh says how much of the holder agrees with a queue: a count that is right,
// and both ends.
func (w *chainWalker) weigh(s *shape, numbers []number, ends []heapdump.ID, cc chainClass) {
	if s.count = countOf(numbers, s.n); s.count != nil {
		s.structure++
	}
	for _, end := range ends {
		node, ok := w.h.Instance(end)
		if ok && node.Class == cc.class && node.At(cc.next) == 0 {
			s.structure++
			break
		}
	}
	if s.capacity = capacityOf(numbers, s.n); s.capacity == nil {
		s.unbounded = true
	}
}

// chainAt returns the chain class that an object is a node of.
func (w *chainWalker) chainAt(id heapdump.ID, chains map[int]chainClass) (chainClass, bool) {
	index, ok := w.h.ClassOf(id)
	if !ok {
		return chainClass{}, false
	}
	cc, ok := chains[index]
	if !ok || w.tried[index] >= maxHeads {
		return chainClass{}, false
	}
	w.tried[index]++
	return cc, true
}

// read goes along a chain from a node on.
func (w *chainWalker) read(s *shape, first heapdump.ID, cc chainClass) {
	limit := w.left
	for id := first; id != 0; limit-- {
		in, ok := w.h.Instance(id)
		if !ok || limit <= 0 {
			s.cut = "a node of the chain is not in the dump"
			if ok {
				s.cut = "the chain is longer than is gone along, or runs in a circle"
			}
			break
		}
		next, item := cc.next, cc.item
		if in.Class != cc.class {
			next = in.Class.Column(columnName(cc.class, cc.next))
			if item >= 0 {
				item = in.Class.Column(columnName(cc.class, cc.item))
			}
			if next < 0 {
				break
			}
		}
		entry := id
		if item >= 0 {
			entry = heapdump.ID(in.At(item))
		}
		if entry != 0 {
			s.add(entry)
		}
		following := heapdump.ID(in.At(next))
		if following == id || following == first {
			break // a ring of nodes, or one that was taken out
		}
		id = following
	}
	w.left = limit
	s.payload, _ = mainClass(w.h, spread(s.ids, 16*shapeSample))
	if s.payload != nil && isValue(s.payload) {
		s.payload = nil
	}
}

func columnName(c *heapdump.Class, col int) string {
	return c.Columns[col].Class + "#" + c.Columns[col].Name
}
