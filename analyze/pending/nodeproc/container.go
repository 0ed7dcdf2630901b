package nodeproc

import (
	"cmp"
	"slices"

	"example.com/kneeline/heapdump/v8"
)

// Kinds of a [container].
const (
	arrayKind = "array"
	mapKind   = "map"
	setKind   = "set"
)

// container is an array, map or set with many entries.
type container struct {
	node    node
	kind    string
	entries int64
	// payload counts the classes of the entries.
	payload map[string]int64
	// holding is how many of the entries are open requests, or refer to one.
	holding, outgoing int64
	// scoped is true when it is a variable without a name of a function, and held
	// says who holds the function.
	scoped  bool
	watched int64 // entries of which what they refer to is looked at
	// held says who holds it: the class and the name of the property or variable.
	held   v8.Edge
	isHeld bool
	below  int64    // the size of the VM's own array or table below it
	places [6]int64 // entries of a table by place modulo 6
}

// sampled is how many entries of a container are looked at for what they refer to.
const sampled = 1 << 16

// survey looks at what is in the containers, what that refers to, and who holds
// them. It goes over the edges three times more.
type survey struct {
	*census
	// entryOf tells which containers an entry is in; an entry in several counts for
	// the first.
	entryOf map[node]*container
	counted map[node]bool
}

func (c *census) survey() (*survey, error) {
	v := &survey{census: c, entryOf: map[node]*container{}, counted: map[node]bool{}}
	for table, owner := range c.tables {
		kind := mapKind
		if c.s.Class(owner) == "Set" {
			kind = setKind
		}
		c.big[table] = &container{node: owner, kind: kind}
	}
	if err := c.s.Edges(func(e v8.Edge) bool { v.entry(e); return true }); err != nil {
		return nil, err
	}
	v.settle()
	if err := c.s.Edges(func(e v8.Edge) bool { v.reference(e); return true }); err != nil {
		return nil, err
	}
	return v, v.climb()
}

// entry notes what is in a container.
func (v *survey) entry(e v8.Edge) {
	if slots, ok := v.ticks[e.From]; ok && e.Kind == v8.Element && v.s.Kind(e.To) == v8.Object {
		v.ticks[e.From] = slots + 1
	}
	b := v.big[e.From]
	if b == nil || !v.real(e.To) {
		return
	}
	switch {
	case b.kind == arrayKind && e.Kind == v8.Element:
	case b.kind != arrayKind && e.Kind == v8.Internal:
		place, ok := v.s.Place(e.Name)
		if !ok {
			return
		}
		// A table has 3 slots an entry in a map, key, value and chain, and 2 in a set.
		b.places[place%6]++
	default:
		return
	}
	if b.payload == nil {
		b.payload = map[string]int64{}
	}
	if class := v.s.Class(e.To); b.payload[class] > 0 || len(b.payload) < maxPayload {
		b.payload[class]++
	}
	if v.open.has(e.To) || v.streams.has(e.To) {
		b.holding++
	} else if v.outgoing.has(e.To) || v.s.Class(e.To) == clientRequest {
		b.outgoing++
	} else if v.s.Kind(e.To) == v8.Object || v.s.Kind(e.To) == v8.Closure {
		if b.watched < sampled && v.entryOf[e.To] == nil {
			b.watched++
			v.entryOf[e.To] = b
		}
	}
}

// maxPayload is how many classes of entries are told apart.
const maxPayload = 64

// settle counts the entries of tables, and drops those with few.
func (v *survey) settle() {
	for n, b := range v.big {
		width := map[string]int{mapKind: 3, setKind: 2}[b.kind]
		for i := range width {
			sum := int64(0)
			for at := i; at < len(b.places); at += width {
				sum += b.places[at]
			}
			b.entries = max(b.entries, sum)
		}
		if b.entries < v.fewest {
			delete(v.big, n)
		}
	}
	for n, b := range v.big {
		if b.kind != arrayKind && n != b.node { // from here on by the map, not by its table
			delete(v.big, n)
			v.big[b.node] = b
		}
	}
}

// reference notes what entries refer to, and who holds a container.
func (v *survey) reference(e v8.Edge) {
	if e.Kind == v8.Weak {
		return
	}
	if b := v.entryOf[e.From]; b != nil && !v.counted[e.From] {
		switch {
		case v.open.has(e.To) || v.streams.has(e.To) || v.sockets.has(e.To):
			b.holding++
			v.counted[e.From] = true
		case v.s.Class(e.To) == clientRequest:
			b.outgoing++
			v.counted[e.From] = true
		}
	}
	if b := v.big[e.From]; b != nil && e.Kind == v8.Internal && (v.words.elements.is(e) || v.words.table.is(e)) {
		b.below = v.s.Size(e.To)
	}
	if b := v.big[e.To]; b != nil && (!b.isHeld || holderRank(v.s, e) > holderRank(v.s, b.held)) && v.s.Kind(e.From) != v8.Synthetic {
		b.held, b.isHeld = e, true
	}
}

// holderRank orders edges by how well their name tells what they are.
func holderRank(s *v8.Snapshot, e v8.Edge) int {
	rank := map[v8.EdgeKind]int{v8.Context: 5, v8.Property: 6, v8.Internal: 1, v8.Element: 2, v8.Shortcut: 0}[e.Kind]
	if e.Kind == v8.Property && s.Class(e.From) == "Object" {
		rank = 4
	}
	if shownName(s, e) == "" {
		rank -= 4
	}
	return rank
}

// maxClimb is how far the holder of a holder is looked for.
const maxClimb = 3

// climb finds, for containers that something without a name holds, what holds that.
func (v *survey) climb() error {
	for range maxClimb {
		above := map[node][]*container{}
		for _, b := range v.big {
			if b.isHeld && (b.holding > 0 || b.outgoing > 0) && !telling(v.s, b.held) {
				above[b.held.From] = append(above[b.held.From], b)
			}
		}
		if len(above) == 0 {
			return nil
		}
		best := map[node]v8.Edge{}
		if err := v.s.Edges(func(e v8.Edge) bool {
			if above[e.To] != nil && e.Kind != v8.Weak && e.From != e.To && v.s.Kind(e.From) != v8.Synthetic {
				if old, ok := best[e.To]; !ok || holderRank(v.s, e) > holderRank(v.s, old) {
					best[e.To] = e
				}
			}
			return true
		}); err != nil {
			return err
		}
		for n, e := range best {
			for _, b := range above[n] {
				b.scoped = b.scoped || v.s.Class(n) == closureScope
				b.held = e
			}
		}
	}
	return nil
}

// list is the containers, the longest first.
func (v *survey) list() []*container {
	out := make([]*container, 0, len(v.big))
	for _, b := range v.big {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b *container) int {
		return cmp.Or(cmp.Compare(b.entries, a.entries), cmp.Compare(a.node, b.node))
	})
	return out
}
