package pending

import (
	"slices"

	"example.com/kneeline/heapdump"
)

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
	var in heapdump.Instance
	for id := first; id != 0; limit-- {
		var ok bool
		in, ok = w.h.InstanceNear(in, id)
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
