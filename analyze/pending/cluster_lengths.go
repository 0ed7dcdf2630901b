package pending

import (
	"fmt"

	"example.com/kneeline/heapdump"
)

// lengthsOf are the arrays of a heap by class and length, as rows of a census of
// their own: there are many lengths, and more numbers to be hit by chance would
// hide which classes are equal.
func lengthsOf(h *heapdump.Heap) (census, map[string]string) {
	var rows []classCount
	of := make(map[string]string)
	for _, c := range h.Classes {
		for _, l := range c.Lengths {
			r := classCount{fmt.Sprintf("%s of %d", display(c), l.Length), l.Count, l.Bytes}
			rows = append(rows, r)
			of[r.name] = display(c)
		}
	}
	return newCensus(rows), of
}

// buffers adds to a cluster the arrays of one length that are there as often as
// what the cluster is of, or a few times as often: the buffers that each request
// has. Arrays that are in it as a whole class are not counted twice.
func (c *clusterer) buffers(m *members) {
	if m.n < minByChance {
		return
	}
	whole := make(map[string]bool)
	for _, r := range m.rows {
		whole[r.name] = true
	}
	for k := 1.0; k <= maxMultiple; k++ {
		width := clusterWidth
		if k > 1 {
			width = multipleWidth
		}
		e := c.lengths.around(k*m.n, width)
		if e.expected > maxStray*float64(len(e.classes)) {
			continue
		}
		for _, r := range e.classes {
			if !whole[c.lengthOf[r.name]] {
				m.add(r)
			}
		}
	}
}
