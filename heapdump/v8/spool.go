package v8

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// spool is a run of bytes that is written once and then read several times from its
// start: in memory up to a bound, beyond it in a temporary file that has no name
// any more and is gone with the process.
type spool struct {
	dir    string
	most   int64
	chunks [][]byte
	inFile int64
	file   *os.File
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
		n, err := p.file.Write(c)
		p.inFile += int64(n)
		if err != nil {
			return fmt.Errorf("cannot keep the edges of the snapshot: %w", err)
		}
	}
	p.chunks = p.chunks[:0]
	return nil
}

// reader reads all of it from the start.
func (p *spool) reader() io.Reader {
	readers := make([]io.Reader, 0, len(p.chunks)+1)
	if p.file != nil {
		readers = append(readers, io.NewSectionReader(p.file, 0, p.inFile))
	}
	for _, c := range p.chunks {
		readers = append(readers, newPiece(c))
	}
	return io.MultiReader(readers...)
}

// piece reads bytes that are in memory.
type piece struct{ rest []byte }

func newPiece(b []byte) *piece { return &piece{b} }

func (p *piece) Read(dst []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(dst, p.rest)
	p.rest = p.rest[n:]
	return n, nil
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
