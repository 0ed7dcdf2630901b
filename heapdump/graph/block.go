package graph

// Block is what a reader found in a part of a dump: objects with their references, and
// roots. One goroutine fills it; it is used again when [Collector.Add] has taken it.
//
// Objects are in two streams of variable-length numbers: heads have the distance of the
// address to the one before, the class, and the length doubled, plus 1 for those that
// refer to something; refs have for each object the distances from it to what it refers
// to, and a 0.
type Block struct {
	heads, refs, roots []byte
	last               uint64
	length             int // where the length of the last object is in heads
	or                 uint64
	objects, links     int64
	open               bool
}

// Reset empties the block.
func (b *Block) Reset() {
	*b = Block{heads: b.heads[:0], refs: b.refs[:0], roots: b.roots[:0]}
}

// Object begins an object: its address, the index of its class, and the length of an
// array or the words of a stack chunk, 0 of others. Of an instance of a
// java.lang.ref.Reference the referent must be the first of its references, its own
// address standing for null.
func (b *Block) Object(id uint64, class, length uint32) {
	b.heads = put(b.heads, fold(id-b.last))
	b.heads = put(b.heads, uint64(class))
	b.length = len(b.heads)
	b.heads = put(b.heads, uint64(length)<<1)
	b.last = id
	b.or |= id
	b.objects++
	b.open = true
}

// Ref adds a reference of the object; 0 is null and left out.
func (b *Block) Ref(id uint64) {
	if id == 0 {
		return
	}
	v := fold(id - b.last)
	if v == 1<<64-1 {
		v-- // an address that is next to none; nothing is there either
	}
	b.refers()
	b.refs = put(b.refs, v+1)
	b.links++
}

// refers notes in its head that the last object refers to something; in a block that
// goes on with the references of an object the block before has its head.
func (b *Block) refers() {
	if b.objects > 0 {
		b.heads[b.length] |= 1
	}
}

// End ends the references of the object.
func (b *Block) End() {
	b.refs = append(b.refs, 0)
	b.open = false
}

// More begins a block that goes on with the references of an object at an address,
// which the block before has begun and not ended.
func (b *Block) More(id uint64) {
	b.Reset()
	b.last, b.open = id, true
}

// Root adds a root: what it holds, and for those that name a thread its number.
func (b *Block) Root(kind RootKind, id uint64, thread uint32) {
	b.roots = append(b.roots, byte(kind))
	b.roots = put(b.roots, id)
	b.roots = put(b.roots, uint64(thread))
}

// Len is about how many bytes the block has.
func (b *Block) Len() int { return len(b.heads) + len(b.refs) + len(b.roots) }

// fold makes small numbers of distances in either direction that are multiples of 8,
// as nearly all are, and can be undone for all others.
func fold(d uint64) uint64 {
	z := d<<1 ^ uint64(int64(d)>>63)
	z ^= -(z & 1) & 0xe
	return z&1 | z>>4<<1 | z>>1<<61
}

func unfold(v uint64) uint64 {
	z := v&1 | v<<3&^0xf | v>>61<<1
	z ^= -(z & 1) & 0xe
	return z>>1 ^ -(z & 1)
}

func put(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// get reads a number at a place; what the numbers end with is whole, as they were
// written here.
func get(b []byte, at int) (uint64, int) {
	v := uint64(b[at])
	at++
	if v < 0x80 {
		return v, at
	}
	v &= 0x7f
	for shift := 7; ; shift += 7 {
		c := b[at]
		at++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, at
		}
	}
}
