package graph

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"sync"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph/disk"
	"example.com/kneeline/heapdump/graph/rank"
	"example.com/kneeline/internal/atomicfile"
)

// An index has the parts of a graph one after another as they lie in memory, each at a
// multiple of indexAlign; then what they are, as JSON; then the length and the checksum
// of that in 4 bytes each, and the magic. A file that was cut has no end.
const (
	indexMagic = "KNEEGRPH"
	indexAlign = 4096
	indexEnd   = 4 + 4 + len(indexMagic)
)

// ErrIndex is in the error when an index is there and cannot be used: it is damaged, or
// of another version. It must be made anew.
var ErrIndex = errors.New("the index cannot be used")

// indexHead says what an index has.
type indexHead struct {
	Version  int
	Order    uint16 // of the bytes in numbers
	Identity Identity
	Classes  uint32 // checksum of the classes, whose indices the graph has
	Sums     Sums
	Objects  int
	Shift    uint8
	Unit     uint8
	Lost     int64
	Parts    []indexPart
}

type indexPart struct {
	Name     string
	Off, N   int64 // N in numbers
	Checksum uint32
}

// byteOrder is the order of the bytes in this machine's numbers.
func byteOrder() uint16 { return binary.NativeEndian.Uint16([]byte{1, 2}) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// classesSum is a checksum of what makes the indices of classes what they are.
func classesSum(h *heapdump.Heap) uint32 {
	sum := crc32.New(castagnoli)
	for _, c := range h.Classes {
		fmt.Fprintln(sum, c.ID, c.Name, c.Instances)
	}
	return sum.Sum32()
}

// Save puts the graph into a directory, where [Load] finds it. The file is there in full
// or not at all.
func (g *Graph) Save(dir string, id Identity) error {
	head := indexHead{
		Version: indexVersion, Order: byteOrder(), Identity: id, Classes: classesSum(g.heap), Sums: g.Sums,
		Objects: g.n, Unit: g.retained.unit, Lost: g.lengths.lost,
	}
	set := g.addresses.Parts()
	head.Shift = set.Shift
	long := slices.Sorted(maps.Keys(g.lengths.long))
	lengths := make([]uint32, len(long))
	for i, r := range long {
		lengths[i] = g.lengths.long[r]
	}
	kinds := make([]uint32, len(g.rootKinds))
	for i, k := range g.rootKinds {
		kinds[i] = uint32(k)
	}
	o := Options{Sizes: g.sizes, Ignore: g.ignore, ClassDetails: g.details}
	return atomicfile.Write(indexPath(dir, id, o), func(w io.Writer) error {
		x := &indexWriter{w: w, head: &head}
		writePart(x, "keys", set.Keys)
		writePart(x, "bits", set.Bits.V)
		writePart(x, "counts", set.Counts.V)
		writePart(x, "class", g.class.narrow.V)
		writePart(x, "wide class", g.class.wide.V)
		writePart(x, "arrays", g.lengths.arrays.has.V)
		writePart(x, "arrays below", g.lengths.arrays.below.V)
		writePart(x, "lengths", g.lengths.short.V)
		writePart(x, "long", long)
		writePart(x, "long lengths", lengths)
		writePart(x, "holders", g.holders.has.V)
		writePart(x, "holders below", g.holders.below.V)
		writePart(x, "first", g.first.V)
		writePart(x, "edges", g.edges.V)
		writePart(x, "last", g.last.V)
		writePart(x, "idom", g.idom.V)
		writePart(x, "retained", g.retained.low.V)
		writePart(x, "retained above", g.retained.high.V)
		writePart(x, "roots", g.rootRanks)
		writePart(x, "root kinds", kinds)
		return x.end()
	})
}

type indexWriter struct {
	w    io.Writer
	at   int64
	head *indexHead
	err  error
}

func (x *indexWriter) write(b []byte) {
	if x.err == nil {
		_, x.err = x.w.Write(b)
		x.at += int64(len(b))
	}
}

func writePart[T disk.Number](x *indexWriter, name string, v []T) {
	if n := x.at % indexAlign; n != 0 {
		x.write(make([]byte, indexAlign-n))
	}
	raw := disk.Raw(v)
	x.head.Parts = append(x.head.Parts, indexPart{name, x.at, int64(len(v)), crc32.Checksum(raw, castagnoli)})
	for ; len(raw) > 0; raw = raw[min(len(raw), 1<<20):] {
		x.write(raw[:min(len(raw), 1<<20)])
	}
}

func (x *indexWriter) end() error {
	b, err := json.Marshal(x.head)
	if err != nil {
		return err
	}
	x.write(b)
	tail := binary.LittleEndian.AppendUint32(nil, uint32(len(b)))
	tail = binary.LittleEndian.AppendUint32(tail, crc32.Checksum(b, castagnoli))
	x.write(append(tail, indexMagic...))
	return x.err
}

// Load gives the graph of a dump from a directory. h is the heap as the same dump gave it
// when it was read, with or without a collector. An error with [ErrIndex] says that what
// is there is damaged, one with fs.ErrNotExist that nothing is.
func Load(dir string, id Identity, o Options, h *heapdump.Heap) (*Graph, error) {
	path := indexPath(dir, id, o)
	m, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	g, err := restore(m, id, o, h)
	if err != nil {
		m.Close()
		return nil, fmt.Errorf("%s: %w: %w", path, ErrIndex, err)
	}
	return g, nil
}

// readHead finds what a file has.
func readHead(b []byte) (*indexHead, error) {
	if len(b) < indexEnd || string(b[len(b)-len(indexMagic):]) != indexMagic {
		return nil, fmt.Errorf("expected %q at its end", indexMagic)
	}
	end := b[len(b)-indexEnd:]
	n := int64(binary.LittleEndian.Uint32(end))
	if n > int64(len(b)-indexEnd) {
		return nil, fmt.Errorf("a head of %d bytes in a file of %d", n, len(b))
	}
	text := b[int64(len(b)-indexEnd)-n : len(b)-indexEnd]
	if crc32.Checksum(text, castagnoli) != binary.LittleEndian.Uint32(end[4:]) {
		return nil, errors.New("the checksum of its head is wrong")
	}
	head := new(indexHead)
	if err := json.Unmarshal(text, head); err != nil {
		return nil, err
	}
	if head.Version != indexVersion || head.Order != byteOrder() {
		return nil, fmt.Errorf("it is of version %d for numbers in order %#x, expected %d and %#x", head.Version, head.Order, indexVersion, byteOrder())
	}
	return head, nil
}

// partReader takes the parts in their order.
type partReader struct {
	m     *disk.Mapped
	parts []indexPart
	err   error
}

func readPart[T disk.Number](p *partReader, name string, n int64) disk.Array[T] {
	if p.err != nil {
		return disk.Array[T]{}
	}
	if len(p.parts) == 0 || p.parts[0].Name != name || n >= 0 && p.parts[0].N != n && p.parts[0].N != 0 {
		p.err = fmt.Errorf("the part %q is missing or of another length", name)
		return disk.Array[T]{}
	}
	part := p.parts[0]
	p.parts = p.parts[1:]
	var a disk.Array[T]
	if a, p.err = disk.Part[T](p.m, part.Off, part.N); p.err == nil && crc32.Checksum(disk.Raw(a.V), castagnoli) != part.Checksum {
		p.err = fmt.Errorf("the checksum of the part %q is wrong", name)
	}
	return a
}

func restore(m *disk.Mapped, id Identity, o Options, h *heapdump.Heap) (*Graph, error) {
	head, err := readHead(m.Bytes())
	if err != nil {
		return nil, err
	}
	if head.Identity != id || head.Classes != classesSum(h) {
		return nil, errors.New("it is of another dump")
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	g := &Graph{Sums: head.Sums, heap: h, sizes: o.Sizes, ignore: o.Ignore, details: o.ClassDetails, sizer: newSizer(h)}
	g.n, g.arena = head.Objects, newArena(o)
	n := int64(g.n)
	p := &partReader{m: m, parts: head.Parts}
	set := rank.Parts{Shift: head.Shift, Len: uint32(g.n)}
	set.Keys = readPart[uint64](p, "keys", -1).V
	set.Bits = readPart[uint64](p, "bits", -1)
	set.Counts = readPart[uint32](p, "counts", -1)
	g.class.narrow = readPart[uint16](p, "class", n)
	g.class.wide = readPart[uint32](p, "wide class", n)
	g.lengths.arrays.has = readPart[uint64](p, "arrays", -1)
	g.lengths.arrays.below = readPart[uint32](p, "arrays below", -1)
	g.lengths.short = readPart[uint16](p, "lengths", -1)
	long := readPart[uint32](p, "long", -1).V
	longLengths := readPart[uint32](p, "long lengths", int64(len(long))).V
	g.holders.has = readPart[uint64](p, "holders", -1)
	g.holders.below = readPart[uint32](p, "holders below", -1)
	g.first = readPart[uint32](p, "first", -1)
	g.edges = readPart[uint32](p, "edges", -1)
	g.last = readPart[uint64](p, "last", int64(len(g.edges.V)+63)/64)
	g.idom = column{readPart[uint32](p, "idom", n)}
	g.retained.unit = head.Unit
	g.retained.low = readPart[uint32](p, "retained", n)
	g.retained.high = readPart[uint8](p, "retained above", n)
	g.rootRanks = readPart[uint32](p, "roots", -1).V
	kinds := readPart[uint32](p, "root kinds", int64(len(g.rootRanks))).V
	if p.err = cmp.Or(p.err, g.lengths.arrays.fits(g.n, len(g.lengths.short.V)), g.holders.fits(g.n, len(g.first.V))); p.err != nil {
		return nil, p.err
	}
	g.lengths.long, g.lengths.mu, g.lengths.lost = make(map[uint32]uint32, len(long)), new(sync.Mutex), head.Lost
	for i, r := range long {
		g.lengths.long[r] = longLengths[i]
	}
	for _, k := range kinds {
		g.rootKinds = append(g.rootKinds, RootKinds(k))
	}
	if g.addresses, err = rank.Restore(set); err != nil {
		return nil, err
	}
	g.mirror()
	g.mapped = m
	return g, nil
}
