package hprof

import "example.com/kneeline/heapdump"

// rowBlock is the kept instances of one class in one chunk. The blocks of a class
// are in the order of the file, so by the numbers of their blobs.
type rowBlock struct {
	blobs *blobs
	blob  int32
	off   uint32
	n     uint32
}

// Value implements [heapdump.Rows].
func (b *rowBlock) Value(row, column int) uint64 {
	blob := b.blobs.get(b.blob)
	if blob == nil {
		return 0
	}
	return columnAt(blob, int(b.off)+columnHead*(1+column), row)
}

func (b *rowBlock) id(blob []byte, row int) uint64 { return columnAt(blob, int(b.off), row) }

// find gives the row with an identifier.
func (b *rowBlock) find(id uint64) (int, bool) {
	blob := b.blobs.get(b.blob)
	if blob == nil {
		return 0, false
	}
	return searchColumn(blob, int(b.off), int(b.n), id)
}

// nearRows is how many rows after one are looked at for the next instance asked for.
const nearRows = 4

// Near gives the row with an identifier if it is among the next few after a row.
func (b *rowBlock) Near(row int, id heapdump.ID) (int, bool) {
	blob := b.blobs.get(b.blob)
	if blob == nil {
		return 0, false
	}
	for end := min(row+nearRows, int(b.n)-1); row < end; {
		row++
		if at := heapdump.ID(b.id(blob, row)); at >= id {
			return row, at == id
		}
	}
	return 0, false
}

// searchColumn finds a value in a sorted column.
func searchColumn(blob []byte, head, n int, id uint64) (int, bool) {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if columnAt(blob, head, mid) < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < n && columnAt(blob, head, lo) == id
}
