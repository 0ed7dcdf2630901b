package nodeproc

import "example.com/kneeline/heapdump/v8"

// maxReach bounds the edges that are kept to follow them: 4 bytes each.
const maxReach = 128 << 20

// links are the edges that keep something alive, node by node.
type links struct {
	from []uint32 // where the edges of a node begin in to, and where the last ends
	to   []node
}

// linksOf reads the edges that keep alive what they refer to, as Chrome's DevTools
// follow them: no weak ones, and shortcuts from the root alone. It is nil where
// there are too many.
func linksOf(s *v8.Snapshot) (*links, error) {
	if s.EdgeCount() > maxReach {
		return nil, nil
	}
	l := &links{from: make([]uint32, s.Nodes()+1), to: make([]node, 0, s.EdgeCount())}
	at := node(0)
	err := s.Edges(func(e v8.Edge) bool {
		for at < e.From {
			at++
			l.from[at] = uint32(len(l.to))
		}
		if e.Kind != v8.Weak && (e.Kind != v8.Shortcut || e.From == 0) && e.From != e.To {
			l.to = append(l.to, e.To)
		}
		return true
	})
	for at < s.Nodes() {
		at++
		l.from[at] = uint32(len(l.to))
	}
	return l, err
}

// reach is what can be reached from the root without going through a set of nodes;
// a nil set stops at nothing.
func (l *links) reach(s *v8.Snapshot, without func(node) bool) *members {
	seen := newMembers(s.Nodes())
	stack := []node{0}
	seen.add(0)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, to := range l.to[l.from[n]:l.from[n+1]] {
			if (without == nil || !without(to)) && seen.add(to) {
				stack = append(stack, to)
			}
		}
	}
	return seen
}

// retained is the size of all that goes when a set of nodes goes: what can be reached
// from the root, less what still can without the set.
func (l *links) retained(s *v8.Snapshot, set *members) (bytes, nodes int64) {
	all, rest := l.reach(s, nil), l.reach(s, set.has)
	for n := range s.Nodes() {
		if all.has(n) && !rest.has(n) {
			bytes += s.Size(n)
			nodes++
		}
	}
	return bytes, nodes
}
