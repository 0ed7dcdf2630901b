package v8

import (
	"fmt"
	"math"
)

// node takes the numbers of a node.
func (r *reading) node(v []uint64) error {
	s, f := r.s, &r.s.Meta.node
	if s.counts.n >= maxNodes {
		return fmt.Errorf("offset %d: expected at most %d nodes", r.pos(), uint64(maxNodes))
	}
	n := uint32(s.counts.n)
	kind := OtherNode
	if t := v[f.kind]; t < uint64(len(s.Meta.NodeTypes)) {
		kind = nodeKinds[s.Meta.NodeTypes[t]]
	} else {
		r.lose("nodes of a type that the snapshot does not describe")
	}
	name := v[f.name]
	if name > math.MaxUint32 {
		name = 0
		r.lose("nodes whose name is no index of a string")
	} else if kind.hasClass() {
		r.classes.set32(name)
	}
	size := v[f.size]
	if size >= tooLarge {
		if len(s.large) < maxLarge {
			s.large[n] = int64(size)
			size = tooLarge
		} else {
			size = tooLarge - 1
			r.lose("sizes of nodes above 4 GiB")
		}
	}
	count := v[f.edges]
	if count > math.MaxUint32 {
		return fmt.Errorf("offset %d: expected fewer than 2^32 edges of a node, found %d", r.pos(), count)
	}
	id := uint64(0)
	if f.id >= 0 && v[f.id] <= math.MaxUint32 {
		id = v[f.id]
	}
	s.kinds.add(kind)
	s.names.add(uint32(name))
	s.sizes.add(uint32(size))
	s.counts.add(uint32(count))
	s.ids.add(uint32(id))
	return nil
}

// maxLarge is how many sizes above 4 GiB are kept.
const maxLarge = 1 << 16

// maxWanted is the highest index of a string whose text may be needed: a snapshot
// that claims more costs no memory for it.
const maxWanted = 1 << 28

func (b *bits) set32(v uint64) {
	if v < maxWanted {
		b.set(uint32(v))
	}
}

// readEdges reads the edges of all nodes, in the order of the nodes.
func (r *reading) readEdges() error {
	s, f := r.s, &r.s.Meta.edge
	width := uint64(s.Meta.node.width)
	from, left := uint32(0), int64(0)
	nodes := uint32(s.counts.n)
	if nodes > 0 {
		left = int64(s.counts.at(0))
	}
	return r.array(f.width, func(v []uint64) error {
		for left == 0 {
			if from++; from >= nodes {
				return fmt.Errorf("offset %d: expected no edge after those of the last node", r.pos())
			}
			left = int64(s.counts.at(from))
		}
		left--
		e := Edge{From: from, To: from, Kind: OtherEdge}
		if t := v[f.kind]; t < uint64(len(s.Meta.EdgeTypes)) {
			e.Kind = edgeKinds[s.Meta.EdgeTypes[t]]
		} else {
			r.lose("edges of a type that the snapshot does not describe")
		}
		if to := v[f.to]; to%width == 0 && to/width < uint64(nodes) {
			e.To = uint32(to / width)
		} else {
			// It stays as an edge to itself, which keeps nothing alive, so that the
			// edges behind it stay those of their nodes.
			e.Kind = OtherEdge
			r.lose("edges to a place where no node is")
		}
		if name := v[f.name]; name <= math.MaxUint32 {
			e.Name = uint32(name)
			if e.Kind.named() {
				r.labels.set32(name)
			}
		}
		s.edges++
		return s.spool.addEdge(e)
	})
}
