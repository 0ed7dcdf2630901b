package v8

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Edge is a reference from one node to another.
type Edge struct {
	// From and To are the nodes' places, in the order of the file.
	From, To uint32
	Kind     EdgeKind
	// Name is the index of the edge's name where the kind has one, see
	// [Snapshot.EdgeName], and the place in an array or table otherwise.
	Name uint32
}

// Edges gives all edges in the order of the file, node by node, until yield returns
// false. It may be called several times, not at once from several goroutines. The
// error is of a temporary file that cannot be read any more.
func (s *Snapshot) Edges(yield func(Edge) bool) error {
	from, left := uint32(0), int64(0)
	if s.counts.n > 0 {
		left = int64(s.counts.at(0))
	}
	damaged := false
	err := s.spool.pieces(func(b []byte) bool {
		for len(b) > 0 {
			for left == 0 {
				from++
				left = int64(s.counts.at(from))
			}
			left--
			head, n := binary.Uvarint(b)
			d, m := binary.Varint(b[max(n, 0):])
			if n <= 0 || m <= 0 {
				damaged = true
				return false
			}
			b = b[n+m:]
			if !yield(Edge{From: from, To: uint32(int64(from) + d), Kind: EdgeKind(head & 15), Name: uint32(head >> 4)}) {
				return false
			}
		}
		return true
	})
	if damaged {
		return readError(io.ErrUnexpectedEOF)
	}
	return err
}

func readError(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("cannot read the edges that were kept: %w", err)
}

// addEdge packs an edge.
func (p *spool) addEdge(e Edge) error {
	c, err := p.room()
	if err != nil {
		return err
	}
	*c = binary.AppendUvarint(*c, uint64(e.Name)<<4|uint64(e.Kind))
	*c = binary.AppendVarint(*c, int64(e.To)-int64(e.From))
	return nil
}
