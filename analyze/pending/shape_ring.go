package pending

import (
	"strings"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// maxRings is how many objects a class has at most that are looked at for a queue
// in each: what there are more of is a buffer of each connection or session.
const maxRings = 2000

// ringShapes finds the arrays that an object of the application uses as a queue.
// It goes from holders to arrays, not the other way round: holders of queues are
// few, long arrays may be the whole heap.
func ringShapes(h *heapdump.Heap, table *pattern.Table) []shape {
	mayHold := arrayClasses(h)
	if len(mayHold) == 0 {
		return nil
	}
	var out []shape
	left := maxShapes
	for _, c := range h.Classes {
		refs := refColumns(c)
		if len(refs) == 0 || c.Kept > maxRings || !isHolder(c) || knownHolder(h, table, c) {
			continue
		}
		for in := range h.Instances(c.Index) {
			for _, col := range refs {
				a, ok := arrayAt(h, heapdump.ID(in.At(col)), mayHold)
				if !ok || left <= 0 {
					continue
				}
				left--
				s := shape{found: found{id: in.ID, class: c, kind: KindArray, instances: 1}}
				s.readRing(h, in, a)
				out = append(out, s)
			}
		}
	}
	return out
}

// arrayAt returns the array at an address if it has enough entries of one class
// and may be of a queue.
func arrayAt(h *heapdump.Heap, id heapdump.ID, mayHold map[int]bool) (heapdump.Array, bool) {
	if id == 0 {
		return heapdump.Array{}, false
	}
	index, ok := h.ClassOf(id)
	if !ok || !mayHold[index] {
		return heapdump.Array{}, false
	}
	a, ok := h.Array(id)
	if !ok || a.Filled < minShape {
		return heapdump.Array{}, false
	}
	c, share := mainClass(h, nonNull(a.Refs, shapeSample))
	return a, c != nil && share >= mainShare && !isValue(c)
}

// arrayClasses are the classes of arrays that may hold a queue.
func arrayClasses(h *heapdump.Heap) map[int]bool {
	out := make(map[int]bool)
	for i, c := range h.Classes {
		if c.Filled >= minShape && !isTable(c) {
			out[i] = true
		}
	}
	return out
}

// knownHolder reports whether the table has a class: as a queue, which is read
// by its row, or as something that is none.
func knownHolder(h *heapdump.Heap, table *pattern.Table, c *heapdump.Class) bool {
	if table == nil {
		return false
	}
	names := line(h, c.Index)
	return table.Queue(names) != nil || table.IsPlain(names) != nil
}

// isTable reports whether an array is the table of a hash map or of values.
func isTable(c *heapdump.Class) bool {
	element := strings.TrimSuffix(c.Name, "[]")
	last := wordsOf(element)
	if len(last) > 0 && slotWords[last[len(last)-1]] {
		return true
	}
	return strings.HasSuffix(element, "[]") || element == "java.lang.String" || element == "java.lang.Class"
}

// nonNull returns at most n of the references that lead to an object, evenly.
func nonNull(refs []heapdump.ID, n int) []heapdump.ID {
	var out []heapdump.ID
	// A stride that is no divisor of anything likely does not beat with the array.
	step := max(len(refs)/(4*n), 1)
	for i := 0; i < len(refs) && len(out) < 4*n; i += step {
		if refs[i] != 0 {
			out = append(out, refs[i])
		}
	}
	if len(out) == 0 && step > 1 {
		for _, id := range refs {
			if id != 0 {
				out = append(out, id)
			}
		}
	}
	return spread(out, n)
}

// readRing reads the entries of an array from its head on, and says how much of
// the holder agrees with a queue.
func (s *shape) readRing(h *heapdump.Heap, in heapdump.Instance, a heapdump.Array) {
	numbers := numbersOf(h, in)
	start, end, runs := occupied(a)
	if s.count = countOf(numbers, a.Filled); s.count != nil {
		s.structure++
	}
	head, tail := int64(-1), false
	for _, x := range numbers {
		at := mod(x.value, a.Length)
		switch {
		case x.value < 0 || hasWord(x.name, capacityWords):
		case hasWord(x.name, headWords) && (runs == 0 || near(at, start, a.Step)):
			head = at
		// Without a name to go by, a number that is where a run begins that does not
		// begin with the array is no coincidence.
		case runs == 1 && start > 0 && head < 0 && near(at, start, a.Step) && !near(start, end, a.Step):
			head = at
		case (hasWord(x.name, tailWords) || runs == 1 && end%a.Length > 0) && (runs == 0 || near(at, mod(end, a.Length), a.Step) || near(at, end-1, a.Step)):
			tail = true
		}
	}
	if tail {
		s.structure++
	}
	if head >= 0 {
		s.structure++
		s.kind = KindRing
		readRing(a, head, &s.entries)
	} else {
		readArray(a, -1, &s.entries)
		// A list has an array and a count as well.
		s.structure = min(s.structure, 1)
	}
	if s.capacity = capacityOf(numbers, a.Filled); s.capacity == nil && s.kind == KindRing {
		length := a.Length
		s.capacity = &length
	}
	s.payload, _ = mainClass(h, spread(s.ids, 16*shapeSample))
}

// occupied returns the filled part of an array, which may go round its end: its
// first slot and the one after its last. It returns no run for a full array,
// which has no beginning, and two for any that has gaps.
func occupied(a heapdump.Array) (start, end int64, runs int) {
	n := len(a.Refs)
	if n == 0 || a.Filled == a.Length {
		return 0, 0, 0
	}
	for i := range n {
		before := a.Refs[(i+n-1)%n]
		switch {
		case a.Refs[i] != 0 && before == 0:
			start, runs = int64(i)*a.Step, runs+1
		case a.Refs[i] == 0 && before != 0:
			end = int64(i) * a.Step
		}
	}
	if end <= start {
		end += a.Length
	}
	return start, end, min(runs, 2)
}

// near reports whether two places agree as well as a sample tells them.
func near(a, b, step int64) bool { return max(a-b, b-a) < max(step, 1) }

func mod(a, n int64) int64 {
	if n <= 0 {
		return 0
	}
	return ((a % n) + n) % n
}
