package pending

import (
	"cmp"
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// ringShapes finds the arrays that an object of the application uses as a queue.
func ringShapes(h *heapdump.Heap, table *pattern.Table) []shape {
	arrays := fullArrays(h)
	if len(arrays) == 0 {
		return nil
	}
	var out []shape
	for _, c := range h.Classes {
		refs := refColumns(c)
		if len(refs) == 0 || !isHolder(c) || knownHolder(h, table, c) {
			continue
		}
		for in := range h.Instances(c.Index) {
			for _, col := range refs {
				a, ok := arrays[heapdump.ID(in.At(col))]
				if !ok {
					continue
				}
				s := shape{found: found{id: in.ID, class: c, kind: KindArray, instances: 1}}
				s.owner = owner{}
				s.readRing(h, in, a)
				out = append(out, s)
			}
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

// fullArrays returns the kept arrays with enough entries of one class, the
// fullest of them.
func fullArrays(h *heapdump.Heap) map[heapdump.ID]heapdump.Array {
	var all []heapdump.Array
	for a := range h.Arrays(-1) {
		if a.Filled < minShape || isTable(a.Class) {
			continue
		}
		all = append(all, heapdump.Array{ID: a.ID, Filled: a.Filled})
		if len(all) >= 4*maxShapes {
			all = fullest(all)
		}
	}
	out := make(map[heapdump.ID]heapdump.Array)
	for _, at := range fullest(all) {
		a, ok := h.Array(at.ID)
		if !ok {
			continue
		}
		c, share := mainClass(h, nonNull(a.Refs, shapeSample))
		if c != nil && share >= mainShare && !isValue(c) {
			out[a.ID] = a
		}
	}
	return out
}

func fullest(all []heapdump.Array) []heapdump.Array {
	slices.SortFunc(all, func(a, b heapdump.Array) int {
		return cmp.Or(cmp.Compare(b.Filled, a.Filled), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), maxShapes)]
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
