package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
)

// A gzip stream may be many members one after the other. HotSpot writes heap dumps
// so (jcmd GC.heap_dump -gz=N, jmap -dump:gz=N): each block of about 1 MiB is a
// member of its own, and the comment in its header says "HPROF BLOCKSIZE=1048576".
// Members whose headers are known byte for byte are found without unpacking what
// is before them, and so they are unpacked on all processors.
//
// What looks like a header need not be one. A piece that does not unpack to its
// end is therefore no error yet: from it on the stream is unpacked in sequence, as
// any other is, which tells what is really there.

const (
	// blockComment begins the comment of members that were written as blocks.
	blockComment = "HPROF BLOCKSIZE="
	// maxPiece is the longest packed block, maxBlock the longest unpacked one, that
	// is held in memory. Where one is longer the rest is unpacked in sequence.
	maxPiece = 4 << 20
	maxBlock = 4 << 20
	// usualBlock is the size of HotSpot's blocks.
	usualBlock = 1 << 20
	// readStep is how much is read at once when the end of a piece is looked for.
	readStep = 128 << 10

	// flagComment is FLG of a member with a comment and nothing else (RFC 1952),
	// fixedHeader the length of a header before its comment.
	flagComment = 0x10
	fixedHeader = 10
	maxHeader   = 64
)

// blockHeader returns the header of a stream that was written in blocks: the bytes
// that each block begins with; nil for any other stream.
func blockHeader(b *bufio.Reader) []byte {
	head, _ := b.Peek(maxHeader) // a short stream has a short head
	if len(head) < fixedHeader || detect(head) != Gzip || head[3] != flagComment || !bytes.HasPrefix(head[fixedHeader:], []byte(blockComment)) {
		return nil
	}
	end := bytes.IndexByte(head[fixedHeader:], 0)
	if end < 0 {
		return nil
	}
	return bytes.Clone(head[:fixedHeader+end+1])
}

// piece is the packed bytes from one header to the next.
type piece struct {
	packed []byte
	// next is how the stream goes on where it does not in blocks, failed why it does
	// not go on, if that is not its end.
	next   io.Reader
	failed error
	done   chan unpacked
}

// unpacked is what a piece holds; not ok where it cannot be unpacked by itself, or
// not in the memory there is.
type unpacked struct {
	data *bytes.Buffer
	ok   bool
}

// blocks reads a stream of blocks, unpacked on several processors, in order.
type blocks struct {
	order chan *piece
	stop  chan struct{}
	// sequence is set when pieces are not to be unpacked by themselves any more.
	sequence atomic.Bool
	buffers  sync.Pool

	data   *bytes.Buffer // what is left of a block
	err    error         // what comes after data
	packed *packedStream
	slow   *gzip.Reader // reads packed, in sequence
}

func newBlocks(b *bufio.Reader, header []byte) *blocks {
	workers := runtime.GOMAXPROCS(0)
	s := &blocks{order: make(chan *piece, workers), stop: make(chan struct{})}
	s.buffers.New = func() any { return bytes.NewBuffer(make([]byte, 0, usualBlock+bytes.MinRead)) }
	work := make(chan *piece)
	for range workers {
		go func() {
			z := new(gzip.Reader)
			for p := range work {
				p.done <- s.unpack(z, p.packed)
			}
		}()
	}
	go s.split(&cutter{src: b, header: header}, work)
	return s
}

// split hands each piece to the reader, in order, and to a worker.
func (s *blocks) split(c *cutter, work chan<- *piece) {
	defer close(s.order)
	defer close(work)
	for p := c.next(); p != nil; p = c.next() {
		p.done = make(chan unpacked, 1)
		select {
		case s.order <- p:
		case <-s.stop:
			return
		}
		select {
		case work <- p:
		case <-s.stop:
			return
		}
	}
}

// unpack unpacks a piece that holds whole members.
func (s *blocks) unpack(z *gzip.Reader, packed []byte) unpacked {
	if s.sequence.Load() || z.Reset(bytes.NewReader(packed)) != nil {
		return unpacked{}
	}
	out := s.buffers.Get().(*bytes.Buffer)
	out.Reset()
	n, err := io.Copy(out, io.LimitReader(z, maxBlock+1))
	return unpacked{out, err == nil && n <= maxBlock}
}

// Read reads unpacked bytes.
func (s *blocks) Read(p []byte) (int, error) {
	for s.data == nil {
		if s.slow != nil {
			return s.slow.Read(p)
		}
		if s.err != nil {
			return 0, s.err
		}
		s.advance()
	}
	n, _ := s.data.Read(p) // its only error is that it is empty
	if s.data.Len() == 0 {
		s.buffers.Put(s.data)
		s.data = nil
	}
	return n, nil
}

// advance goes to the next block, or to reading in sequence.
func (s *blocks) advance() {
	p, more := <-s.order
	if !more {
		s.err = io.EOF
		return
	}
	u := <-p.done // also where it is of no use: its worker reads the packed bytes
	if u.ok && p.next == nil {
		s.data, s.err = u.data, p.failed
		return
	}
	s.sequence.Store(true)
	s.packed = &packedStream{blocks: s, now: p}
	if s.slow, s.err = gzip.NewReader(bufio.NewReader(s.packed)); s.err != nil {
		s.slow = nil
	}
}

// failure is why the packed stream could not be read; nil where it could.
func (s *blocks) failure() error {
	if s.packed != nil {
		return s.packed.failed
	}
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

func (s *blocks) close() error {
	close(s.stop)
	return nil
}

// packedStream is the packed stream again, from a piece on.
type packedStream struct {
	blocks *blocks
	now    *piece
	failed error
}

func (r *packedStream) Read(p []byte) (int, error) {
	for {
		if n := copy(p, r.now.packed); n > 0 {
			r.now.packed = r.now.packed[n:]
			return n, nil
		}
		switch {
		case r.now.failed != nil:
			r.failed = r.now.failed
			return 0, r.failed
		case r.now.next != nil:
			n, err := r.now.next.Read(p)
			if err != nil && err != io.EOF {
				r.failed = err
			}
			return n, err
		}
		next, more := <-r.blocks.order
		if !more {
			return 0, io.EOF
		}
		<-next.done // its worker reads the packed bytes
		r.now = next
	}
}

// cutter cuts a stream before each header.
type cutter struct {
	src    io.Reader
	header []byte
	buf    []byte
	err    error // why src has no more
	ended  bool
}

// next returns the next piece, nil at the end.
func (c *cutter) next() *piece {
	from := 1 // what is before is the piece's own header
	for !c.ended {
		if from < len(c.buf) {
			if i := bytes.Index(c.buf[from:], c.header); i >= 0 {
				return c.take(from + i)
			}
			from = max(len(c.buf)-len(c.header)+1, 1)
		}
		switch {
		case c.err != nil:
			return c.last()
		case len(c.buf) >= maxPiece:
			c.ended = true
			p := c.take(len(c.buf))
			p.next = c.src
			return p
		}
		n := len(c.buf)
		c.buf = append(c.buf, make([]byte, readStep)...)
		var got int
		got, c.err = io.ReadFull(c.src, c.buf[n:])
		c.buf = c.buf[:n+got]
	}
	return nil
}

// last returns what is left when there is no more.
func (c *cutter) last() *piece {
	c.ended = true
	atEnd := errors.Is(c.err, io.EOF) || errors.Is(c.err, io.ErrUnexpectedEOF)
	if atEnd && len(c.buf) == 0 {
		return nil
	}
	p := c.take(len(c.buf))
	if !atEnd {
		p.failed = c.err
	}
	return p
}

// take makes a piece of the first n bytes that were read.
func (c *cutter) take(n int) *piece {
	p := &piece{packed: bytes.Clone(c.buf[:n])}
	c.buf = append(c.buf[:0], c.buf[n:]...)
	return p
}
