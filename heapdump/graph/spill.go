package graph

import (
	"fmt"
	"os"

	"example.com/kneeline/heapdump/graph/disk"
)

// spill keeps what readers found until the end of the dump: in memory up to a bound,
// above it in a file without a name.
type spill struct {
	arena  *disk.Arena
	bound  int64
	dir    string
	inside int64
	pieces []disk.Array[uint8]
	free   []byte // of the last piece of memory
	file   *os.File
	length int64
}

// part is a run of bytes in the spill.
type part struct {
	bytes []byte
	off   int64
	n     int
}

// Memory is taken in pieces that grow from the first one to the largest, so that little
// is taken of a small dump.
const (
	spillFirst = 64 << 10
	spillPiece = 4 << 20
)

func (s *spill) add(b []byte) (part, error) {
	if len(b) == 0 {
		return part{}, nil
	}
	if s.inside+int64(len(b)) <= s.bound {
		if len(b) > len(s.free) {
			size := min(max(s.inside, spillFirst), spillPiece)
			piece, err := disk.Make[uint8](s.arena, max(int(size), len(b)))
			if err != nil {
				return part{}, err
			}
			s.inside += int64(len(piece.V))
			s.pieces = append(s.pieces, piece)
			s.free = piece.V
		}
		kept := s.free[:len(b):len(b)]
		copy(kept, b)
		s.free = s.free[len(b):]
		return part{bytes: kept, n: len(b)}, nil
	}
	if err := s.write(b); err != nil {
		return part{}, fmt.Errorf("the references cannot be kept: %w", err)
	}
	p := part{off: s.length, n: len(b)}
	s.length += int64(len(b))
	s.arena.Wrote(int64(len(b)))
	return p, nil
}

func (s *spill) write(b []byte) error {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "graph-*")
		if err != nil {
			return err
		}
		// Without a name the file goes when the process does; where that is not
		// possible close removes it.
		_ = os.Remove(f.Name())
		s.file = f
	}
	_, err := s.file.WriteAt(b, s.length)
	return err
}

// read gives a part; buf is used when it is in the file. Several goroutines may read.
func (s *spill) read(p part, buf *[]byte) ([]byte, error) {
	if p.bytes != nil || p.n == 0 {
		return p.bytes, nil
	}
	if cap(*buf) < p.n {
		*buf = make([]byte, p.n)
	}
	b := (*buf)[:p.n]
	if _, err := s.file.ReadAt(b, p.off); err != nil {
		return nil, fmt.Errorf("the references cannot be read back: %w", err)
	}
	return b, nil
}

func (s *spill) close() {
	for i := range s.pieces {
		s.pieces[i].Free()
	}
	s.pieces, s.inside, s.free = nil, 0, nil
	if s.file != nil {
		name := s.file.Name()
		s.file.Close()
		_ = os.Remove(name)
		s.file = nil
		s.arena.Wrote(-s.length)
		s.length = 0
	}
}
