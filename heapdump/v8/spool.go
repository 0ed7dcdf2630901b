package v8

import (
	"encoding/binary"
	"fmt"
	"os"
)

// spool is a run of bytes that is written once and then read several times from its
// start: in memory up to a bound, beyond it in a temporary file that has no name
// any more and is gone with the process.
type spool struct {
	dir     string
	most    int64
	chunks  [][]byte
	lengths []int32 // of the pieces in the file
	file    *os.File
}

// spoolChunk is the size of a piece; room is the most bytes of one edge.
const (
	spoolChunk = 64 << 10
	edgeRoom   = 2 * binary.MaxVarintLen64
)

// room is the piece to append to; it has room for one edge.
func (p *spool) room() (*[]byte, error) {
	if n := len(p.chunks); n > 0 && len(p.chunks[n-1])+edgeRoom <= spoolChunk {
		return &p.chunks[n-1], nil
	}
	if int64(len(p.chunks))*spoolChunk >= p.most {
		if err := p.spill(); err != nil {
			return nil, err
		}
	}
	p.chunks = append(p.chunks, make([]byte, 0, spoolChunk))
	return &p.chunks[len(p.chunks)-1], nil
}

// spill moves what is in memory to the file.
func (p *spool) spill() error {
	if p.file == nil {
		f, err := os.CreateTemp(p.dir, "kneeline-edges-")
		if err != nil {
			return fmt.Errorf("cannot keep the edges of the snapshot: %w", err)
		}
		_ = os.Remove(f.Name()) // where a file in use can be removed; else Close does it
		p.file = f
	}
	for _, c := range p.chunks {
		if _, err := p.file.Write(c); err != nil {
			return fmt.Errorf("cannot keep the edges of the snapshot: %w", err)
		}
		p.lengths = append(p.lengths, int32(len(c)))
	}
	p.chunks = p.chunks[:0]
	return nil
}

// pieces gives all of it from the start, in the pieces that it was written in: no edge
// lies in two. What is given may change with the next piece.
func (p *spool) pieces(yield func([]byte) bool) error {
	buf := make([]byte, spoolChunk)
	at := int64(0)
	for _, n := range p.lengths {
		if _, err := p.file.ReadAt(buf[:n], at); err != nil {
			return readError(err)
		}
		at += int64(n)
		if !yield(buf[:n]) {
			return nil
		}
	}
	for _, c := range p.chunks {
		if !yield(c) {
			return nil
		}
	}
	return nil
}

func (p *spool) close() error {
	p.chunks = nil
	if p.file == nil {
		return nil
	}
	name := p.file.Name()
	err := p.file.Close()
	_ = os.Remove(name)
	p.file = nil
	return err
}
