// Package gate tells which of many sets of words have a word in a text, in one pass
// over its bytes, so that files that no reader has a use for are not parsed.
//
// It is the automaton of Aho and Corasick ("Efficient string matching", CACM 18(6),
// 1975) with its failure links resolved: one step a byte, however many words there are.
package gate

import "slices"

// Gate finds words. It is safe for concurrent use.
type Gate struct {
	sets int
	// class makes few of the values that a byte may have: those in words each have one
	// of their own, all others share class 0.
	class   [256]uint8
	classes int
	// next is the state after a state and a class; states are numbered by the place of
	// their row in it.
	next []uint32
	// accept is the row from which on states end words; found are the sets of those.
	accept uint32
	found  [][]int
}

// New returns a gate for sets of words. Empty words are never found.
func New(sets [][]string) *Gate {
	g := &Gate{sets: len(sets), classes: 1}
	for _, words := range sets {
		for _, w := range words {
			for i := range len(w) {
				if g.class[w[i]] == 0 {
					g.class[w[i]] = uint8(g.classes)
					g.classes++
				}
			}
		}
	}
	b := builder{g: g}
	b.node()
	for set, words := range sets {
		for _, w := range words {
			b.add(w, set)
		}
	}
	b.link()
	b.number()
	return g
}

// builder is the automaton while it is made.
type builder struct {
	g     *Gate
	edges [][]int32 // by node and class; -1 for none
	out   [][]int
}

func (b *builder) node() int32 {
	row := make([]int32, b.g.classes)
	for i := range row {
		row[i] = -1
	}
	b.edges = append(b.edges, row)
	b.out = append(b.out, nil)
	return int32(len(b.edges) - 1)
}

func (b *builder) add(word string, set int) {
	if word == "" {
		return
	}
	at := int32(0)
	for i := range len(word) {
		c := b.g.class[word[i]]
		if b.edges[at][c] < 0 {
			n := b.node()
			b.edges[at][c] = n
		}
		at = b.edges[at][c]
	}
	b.out[at] = append(b.out[at], set)
}

// link fills in the steps that no word has: those of the longest end of what was read
// that begins a word.
func (b *builder) link() {
	fail := make([]int32, len(b.edges))
	var queue []int32
	for c, n := range b.edges[0] {
		if n < 0 {
			b.edges[0][c] = 0
		} else {
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		b.out[at] = append(b.out[at], b.out[fail[at]]...)
		for c, n := range b.edges[at] {
			if n < 0 {
				b.edges[at][c] = b.edges[fail[at]][c]
				continue
			}
			fail[n] = b.edges[fail[at]][c]
			queue = append(queue, n)
		}
	}
}

// number gives the states that end words the highest numbers, so that one comparison
// tells them.
func (b *builder) number() {
	rows := make([]uint32, len(b.edges))
	n := uint32(0)
	for _, accepting := range []bool{false, true} {
		if accepting {
			b.g.accept = n * uint32(b.g.classes)
		}
		for i := range b.edges {
			if (len(b.out[i]) > 0) != accepting {
				continue
			}
			rows[i] = n * uint32(b.g.classes)
			n++
			if accepting {
				slices.Sort(b.out[i])
				b.g.found = append(b.g.found, slices.Compact(b.out[i]))
			}
		}
	}
	b.g.next = make([]uint32, len(b.edges)*b.g.classes)
	for i, row := range b.edges {
		for c, to := range row {
			b.g.next[int(rows[i])+c] = rows[to]
		}
	}
}

// Match reports for each set whether data has a word of it, and whether any has.
func (g *Gate) Match(data []byte) (sets []bool, some bool) {
	left := g.sets
	state := uint32(0)
	for _, c := range data {
		state = g.next[state+uint32(g.class[c])]
		if state < g.accept {
			continue
		}
		if sets == nil {
			sets = make([]bool, g.sets)
		}
		for _, set := range g.found[(state-g.accept)/uint32(g.classes)] {
			if !sets[set] {
				sets[set] = true
				left--
			}
		}
		if left == 0 {
			break
		}
	}
	return sets, sets != nil
}

// Any reports whether data has a word of any set.
func (g *Gate) Any(data []byte) bool {
	state := uint32(0)
	for _, c := range data {
		if state = g.next[state+uint32(g.class[c])]; state >= g.accept {
			return true
		}
	}
	return false
}
