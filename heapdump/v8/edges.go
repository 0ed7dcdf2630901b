package v8

import (
	"bufio"
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
	r := bufio.NewReaderSize(s.spool.reader(), 256<<10)
	left := s.edges
	for from := uint32(0); left > 0 && int(from) < s.counts.n; from++ {
		for n := min(int64(s.counts.at(from)), left); n > 0; n-- {
			head, err := binary.ReadUvarint(r)
			if err != nil {
				return readError(err)
			}
			d, err := binary.ReadVarint(r)
			if err != nil {
				return readError(err)
			}
			left--
			if !yield(Edge{From: from, To: uint32(int64(from) + d), Kind: EdgeKind(head & 15), Name: uint32(head >> 4)}) {
				return nil
			}
		}
	}
	return nil
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
