package graph

import "example.com/kneeline/heapdump/graph/disk"

// pairs is a list of references between numbers that grows.
type pairs struct {
	arena  *disk.Arena
	pieces []disk.Array[uint32]
	last   []uint32 // what is free of the last piece
	n      int64
	err    error
}

// pairPiece is how many numbers a piece has; the first one is small.
const pairPiece = 1 << 21

func (p *pairs) add(from, to uint32) {
	if len(p.last) == 0 && !p.grow() {
		return
	}
	p.last[0], p.last[1] = from, to
	p.last = p.last[2:]
	p.n++
}

func (p *pairs) grow() bool {
	if p.n >= 1<<32-1 {
		p.err = tooMany(p.n)
	}
	if p.err != nil {
		return false
	}
	size := pairPiece
	if len(p.pieces) == 0 {
		size = 1 << 12
	}
	piece, err := disk.Make[uint32](p.arena, size)
	if err != nil {
		p.err = err
		return false
	}
	p.pieces = append(p.pieces, piece)
	p.last = piece.V
	return true
}

func (p *pairs) each(do func(from, to uint32)) {
	for i, piece := range p.pieces {
		v := piece.V
		if i == len(p.pieces)-1 {
			v = v[:len(v)-len(p.last)]
		}
		for ; len(v) >= 2; v = v[2:] {
			do(v[0], v[1])
		}
	}
}

func (p *pairs) free() {
	for i := range p.pieces {
		p.pieces[i].Free()
	}
	p.pieces, p.last, p.n = nil, nil, 0
}
