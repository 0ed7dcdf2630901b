package hprof

// seek finds the last object at or below an address that is not below the first
// one: its number and address.
func (p *indexPart) seek(blob []byte, id uint64) (int, uint64) {
	heads := blob[p.off:]
	lo, hi := 0, p.blocks() // the block is before the first that begins above id
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if le.Uint64(heads[12*mid:]) > id {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == 0 {
		return 0, p.first
	}
	b := lo - 1
	addr := le.Uint64(heads[12*b:])
	body := blob[int(p.body)+int(le.Uint32(heads[12*b+8:])):]
	n := b * indexBlock
	end := min(int(p.n), n+indexBlock)
	for n+1 < end {
		d, size := uint64(body[0]), 1
		if d >= 0x80 {
			d, size = varint(body)
		}
		if next := addr + d<<p.shift; next <= id {
			addr = next
		} else {
			break
		}
		body = body[size:]
		n++
	}
	return n, addr
}

// blocks is how many objects have their address in the heads.
func (p *indexPart) blocks() int { return (int(p.n) + indexBlock - 1) / indexBlock }

func varint(b []byte) (v uint64, n int) {
	for shift := 0; ; shift += 7 {
		v |= uint64(b[n]&0x7f) << shift
		n++
		if b[n-1] < 0x80 {
			return v, n
		}
	}
}

func (p *indexPart) class(blob []byte, n int) int {
	at := int(p.off) + 12*p.blocks()
	if p.wide {
		return int(le.Uint32(blob[at+4*n:]))
	}
	return int(le.Uint16(blob[at+2*n:]))
}

// next is the address of the first object of a run above one.
func (p *indexPart) next(blob []byte, addr uint64) (uint64, bool) {
	if addr < p.first {
		return p.first, true
	}
	n, _ := p.seek(blob, addr)
	for n++; n < int(p.n); n++ {
		if at := p.address(blob, n); at > addr {
			return at, true
		}
	}
	return 0, false
}

// address is the address of an object by number.
func (p *indexPart) address(blob []byte, n int) uint64 {
	b := n / indexBlock
	head := blob[int(p.off)+12*b:]
	addr := le.Uint64(head)
	body := blob[int(p.body)+int(le.Uint32(head[8:])):]
	for range n % indexBlock {
		d, size := varint(body)
		addr += d << p.shift
		body = body[size:]
	}
	return addr
}
