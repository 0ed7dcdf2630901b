package redact

import (
	"bufio"
	"context"

	"io"
	"math"

	"example.com/kneeline/heapdump"
)

// Summary is what became of a dump.
type Summary struct {
	// Read and Written are bytes, unpacked.
	Read, Written int64
	// Zeroed is how many bytes of contents became zero, Kept how many numbers in
	// fields and statics stayed, Names how many arrays with a name.
	Zeroed, Kept, Names int64
	// Hidden is how many texts of the dump's table of names became question marks,
	// since they are the name of nothing in it.
	Hidden int64
	// Unknown is how many instances were zeroed with their references, as the dump
	// does not describe their class.
	Unknown int64
	// Lost is how many bytes were left out, Why says why; Complete is false where the
	// dump ends too early.
	Lost     int64
	Why      string
	Complete bool
}

// Options are how a copy is made.
type Options struct {
	Rules Rules
	// Progress is told now and then how many bytes were read; it may be nil.
	Progress func(int64)
}

// Used reads a dump and returns the names that classes, fields, methods and files
// have in it, by their identifiers. All other texts in its table of names are
// contents: HotSpot writes the constants of the program there too.
func Used(ctx context.Context, src io.Reader, progress func(int64)) (*Names, error) {
	u := &used{names: map[uint64]bool{}}
	w := &walker{ctx: ctx, src: bufio.NewReaderSize(src, window), v: u, progress: progress}
	_, err := w.walk()
	return &Names{ids: u.names, size: w.at}, err
}

// Names are the names that a dump has a use for.
type Names struct {
	ids map[uint64]bool
	// size is how many bytes the dump has: an array that claims more is cut off.
	size int64
}

// Copy copies a dump without its contents. heap is what was read of the same dump
// before, which tells its classes; used is what [Used] returned.
func Copy(ctx context.Context, dst io.Writer, src io.Reader, heap *heapdump.Heap, used *Names, o Options) (Summary, error) {
	c := &copier{dst: bufio.NewWriterSize(dst, window), heap: heap, used: used.ids, rules: o.Rules, names: contents(o.Rules.Names),
		classes: map[uint64]int{}, plans: map[uint64]*plan{}, millis: heap.Taken.UnixMilli()}
	for _, k := range heap.Classes {
		c.classes[uint64(k.ID)] = k.Index
	}
	w := &walker{ctx: ctx, src: bufio.NewReaderSize(src, window), v: c, progress: o.Progress, size: used.size}
	complete, err := w.walk()
	if err != nil {
		return c.sum, err
	}
	if err := c.flush(); err != nil {
		return c.sum, err
	}
	c.sum.Complete, c.sum.Read, c.sum.Why = complete, w.at, w.why
	c.sum.Lost += w.lost
	return c.sum, c.dst.Flush()
}

// copier writes what a walker reads.
type copier struct {
	dst     *bufio.Writer
	heap    *heapdump.Heap
	used    map[uint64]bool
	rules   Rules
	names   map[string]bool
	classes map[uint64]int
	plans   map[uint64]*plan
	millis  int64
	ids     int
	seg     []byte // records of a heap dump that are yet to be written
	open    bool   // segments were written, and no end of the dump
	sum     Summary
}

func (c *copier) write(b []byte) error {
	n, err := c.dst.Write(b)
	c.sum.Written += int64(n)
	return err
}

func (c *copier) head(b []byte, ids int) error {
	c.ids = ids
	if err := c.write(b); err != nil {
		return err
	}
	return c.write(marker(c.heap.Texts, ids))
}

func (c *copier) record(tag byte, time uint32, body []byte) error {
	if err := c.flush(); err != nil {
		return err
	}
	h := [9]byte{tag}
	be.PutUint32(h[1:], time)
	be.PutUint32(h[5:], uint32(len(body)))
	if err := c.write(h[:]); err != nil {
		return err
	}
	if tag == recString && len(body) > c.ids && !c.used[number(body, c.ids)] {
		if _, again := heapdump.ParseRedacted(string(body[c.ids:])); !again {
			hidden := make([]byte, len(body))
			for i := range hidden {
				hidden[i] = '?'
			}
			copy(hidden, body[:c.ids])
			c.sum.Hidden++
			c.sum.Zeroed += int64(len(body) - c.ids)
			body = hidden
		}
	}
	return c.write(body)
}

// flush writes the records so far as a segment.
func (c *copier) flush() error {
	if len(c.seg) == 0 {
		return nil
	}
	if err := c.segment(int64(len(c.seg))); err != nil {
		return err
	}
	err := c.write(c.seg)
	c.seg = c.seg[:0]
	return err
}

// segment begins a segment.
func (c *copier) segment(n int64) error {
	h := [9]byte{recSegment}
	be.PutUint32(h[5:], uint32(n))
	c.open = true
	return c.write(h[:])
}

func (c *copier) ended(whole bool) error {
	if err := c.flush(); err != nil || !whole || !c.open {
		return err
	}
	c.open = false
	return c.write([]byte{recDumpEnd, 0, 0, 0, 0, 0, 0, 0, 0})
}

func (c *copier) object(rec []byte) error {
	if len(c.seg)+len(rec) > window {
		if err := c.flush(); err != nil {
			return err
		}
	}
	at := len(c.seg)
	c.seg = append(c.seg, rec...)
	rec = c.seg[at:]
	switch rec[0] {
	case subInstance:
		c.instance(rec)
	case subPrimitives:
		c.primitives(rec)
	case subClass:
		c.class(rec)
	}
	return nil
}

// primitives zeroes an array, but for names and what the rules keep.
func (c *copier) primitives(rec []byte) {
	body := rec[10+c.ids:]
	if kind := rec[9+c.ids]; kind == 5 || kind == 8 {
		if len(body) > 0 && len(body) <= longestName && c.names[string(body)] {
			c.sum.Names++
			return
		}
	} else if c.rules.Arrays[heapdump.ID(number(rec[1:], c.ids))] {
		c.sum.Kept += int64(be.Uint32(rec[5+c.ids:]))
		return
	}
	clear(body)
	c.sum.Zeroed += int64(len(body))
}

// array copies an array that is too large for memory: references as they are, zeros
// for all else.
func (c *copier) array(head []byte, body io.Reader, n int64) error {
	if err := c.flush(); err != nil {
		return err
	}
	total := int64(len(head)) + n
	if total > math.MaxUint32 {
		c.sum.Lost += total
		c.sum.Why = "an array that is longer than a segment can be was left out"
		_, err := io.Copy(io.Discard, body)
		return err
	}
	if err := c.segment(total); err != nil {
		return err
	}
	if err := c.write(head); err != nil {
		return err
	}
	copied := int64(0)
	if head[0] == subObjects {
		var err error
		copied, err = io.CopyN(c.dst, body, n)
		c.sum.Written += copied
		if err != nil && err != io.EOF {
			return err
		}
	}
	zeros := make([]byte, 64<<10)
	for left := n - copied; left > 0; {
		part := min(left, int64(len(zeros)))
		if err := c.write(zeros[:part]); err != nil {
			return err
		}
		left -= part
		c.sum.Zeroed += part
	}
	return nil
}
