package graph

import (
	"fmt"

	"example.com/kneeline/heapdump/graph/disk"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// Collector takes the objects of a dump from its reader.
type Collector struct {
	o      Options
	arena  *disk.Arena
	spill  spill
	jobs   []job
	or     uint64
	counts struct{ objects, words int64 }
	err    error

	hubMin int64 // see [hubMin]
}

// job is what one goroutine goes through at once: a block, with those that go on with
// the references of its last object.
type job struct {
	objects      int64
	words        int64 // how many references there are at most
	heads, roots part
	refs         []part
}

const (
	// spillShare and readerShare are the parts of the memory for what is kept of the
	// references and for what the reader keeps of the dump itself.
	spillShare  = 3
	readerShare = 8
	// fixedMemory is for the buffers of the reader and for tables. What the reader keeps
	// weighs half as much again until the collector of garbage has been there.
	fixedMemory = 48 << 20
	// readerMost is what a reader may keep in memory whatever there is.
	readerMost = 512 << 20
	// diskPerDumpByte is how many bytes of temporary files a byte of dump may cost
	// when nothing stays in memory: measured are 0.4 to 0.55 on dumps of services, whose
	// objects take 50 to 60 bytes in the file.
	diskPerDumpByte = 0.6
)

// NewCollector makes a collector. It gives an error when the memory is less than
// [MinMemory], or when the disk has no room for what a dump of that size may need.
func NewCollector(o Options) (*Collector, error) {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.Memory < MinMemory {
		return nil, fault.Usagef("the graph needs %s of memory at least, not %s", units.Size(int64(MinMemory)), units.Size(o.Memory))
	}
	c := &Collector{o: o, arena: newArena(o), hubMin: hubMin}
	c.spill = spill{arena: c.arena, bound: o.Memory / spillShare, dir: o.TempDir}
	c.arena.Reserve(c.GoMemory())
	if err := c.arena.Check(int64(diskPerDumpByte * float64(o.Total))); err != nil {
		return nil, fault.NoAnswerf("the graph: %w", err)
	}
	return c, nil
}

// newArena leaves a quarter of the memory to the pages of mapped files that are in the
// process at a time, see [disk.Arena.Trim].
func newArena(o Options) *disk.Arena { return disk.New(o.Memory-o.Memory/4, o.TempDir) }

// ReaderMemory is how much the reader may keep in memory for itself.
func (c *Collector) ReaderMemory() int64 { return min(c.o.Memory/readerShare, readerMost) }

// GoMemory is how much of the memory is for what Go's collector of garbage looks after:
// the reader and tables. The arrays of the graph are not among it. A program that is to
// keep its bound gives it to [runtime/debug.SetMemoryLimit] while it reads and builds.
func (c *Collector) GoMemory() int64 { return fixedMemory + c.ReaderMemory()*3/2 }

// Kept is a block that was put away and not yet counted; see [Collector.Put].
type Kept struct {
	refs  part
	links int64
}

// Put puts the references of a block away that goes on with an object, see
// [Block.More], for [Collector.Add] to take with the block that begins it.
func (c *Collector) Put(b *Block) Kept {
	if c.err != nil {
		return Kept{}
	}
	var k Kept
	k.refs, c.err = c.spill.add(b.refs)
	k.links = b.links
	return k
}

// Add takes a block, and those that go on with the references of its last object. The
// order of blocks does not matter unless an object is recorded twice: then the first
// one counts. The block may be used again.
func (c *Collector) Add(b *Block, more ...Kept) {
	if c.err != nil || b.objects == 0 && len(b.roots) == 0 {
		return
	}
	j := job{objects: b.objects, words: b.links, refs: make([]part, 1, 1+len(more))}
	keep := func(p *part, bytes []byte) {
		if c.err == nil {
			*p, c.err = c.spill.add(bytes)
		}
	}
	if b.open {
		b.refers() // maybe in what follows
	}
	keep(&j.heads, b.heads)
	keep(&j.refs[0], b.refs)
	keep(&j.roots, b.roots)
	if b.objects > 0 && b.open {
		for _, k := range more {
			j.words += k.links
			if k.refs.n > 0 {
				j.refs = append(j.refs, k.refs)
			}
		}
		p, err := c.spill.add([]byte{0})
		if c.err == nil {
			c.err = err
		}
		j.refs = append(j.refs, p)
	}
	c.or |= b.or
	c.counts.objects += j.objects
	c.counts.words += j.words
	c.jobs = append(c.jobs, j)
}

// Close frees everything, unless Build gave a graph, which then owns it.
func (c *Collector) Close() {
	if c.arena != nil {
		c.spill.close()
		_ = c.arena.Close()
		c.arena = nil
	}
}

// unfit is why there is no graph.
func unfit(format string, args ...any) error {
	return fault.NoAnswerf("there is no graph: %w", fmt.Errorf(format, args...))
}
