package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Java VMs write gzipped heap dumps (jmap -dump:gz=N) in blocks of at most a
// size that the comment of the first member tells, each block a member of its
// own. Members can be found by their headers and inflated side by side.
const (
	// maxBlock is the largest block that is inflated in parallel; HotSpot's have
	// 1 MiB. It bounds memory: per block in flight twice its size.
	maxBlock = 4 << 20
	// maxInflaters bounds how many blocks are inflated at once.
	maxInflaters = 16
)

var (
	blockComment = []byte("HPROF BLOCKSIZE=")
	memberMagic  = []byte{0x1f, 0x8b, 0x08}
)

// blockSize reads the size of blocks out of the beginning of a gzip stream; 0
// when it does not tell any, or one that is not worth it.
func blockSize(head []byte) int {
	const fixed, hasComment = 10, 0x10
	if !memberBegins(head) || head[3] != hasComment || len(head) < fixed {
		return 0
	}
	digits, ok := bytes.CutPrefix(head[fixed:], blockComment)
	end := bytes.IndexByte(digits, 0)
	if !ok || end < 0 {
		return 0
	}
	n, err := strconv.Atoi(string(digits[:end]))
	if err != nil || n < 1 || n > maxBlock {
		return 0
	}
	return n
}

// blockSizeOf looks further into a stream only when its first bytes announce a
// comment. An input that ends before is left to fail where it is read.
func blockSizeOf(b *bufio.Reader, head []byte) int {
	const enough = 64
	if len(head) < 4 || head[3] != 0x10 {
		return 0
	}
	more, _ := b.Peek(enough)
	return blockSize(more)
}

// memberLead is how many bytes memberBegins looks at: magic number, method,
// flags without any but a comment, and no time.
const memberLead = 8

func memberBegins(b []byte) bool {
	return len(b) >= memberLead && bytes.HasPrefix(b, memberMagic) && b[3]&^0x10 == 0 &&
		b[4]|b[5]|b[6]|b[7] == 0
}

// nextMember is where in b, not before from, a member seems to begin, or -1. The
// bytes of a compressed block may look the same: who relies on it has to check.
func nextMember(b []byte, from int) int {
	for from < len(b) {
		i := bytes.Index(b[from:], memberMagic)
		if i < 0 {
			return -1
		}
		if from += i; memberBegins(b[from:]) {
			return from
		}
		from++
	}
	return -1
}

// blockReader inflates a gzip stream of blocks on all cores. It gives the bytes and
// the errors that reading one member after the other does: a piece that is not
// exactly one member of the size told is read again that way.
//
// Close ends its goroutines, but for one that waits for its source.
type blockReader struct {
	src   io.Reader
	size  int
	begin sync.Once
	end   sync.Once
	stop  chan struct{}

	packed packed
	out    []byte       // inflated, to be read
	serial *gzip.Reader // for members that are no piece
	inside bool         // of a member that serial reads
	err    error        // after out
}

func newBlocks(src io.Reader, size int) *blockReader {
	return &blockReader{src: src, size: size, stop: make(chan struct{})}
}

// start begins with the first read, so that looking at an input costs nothing.
func (b *blockReader) start() {
	inflaters := min(runtime.GOMAXPROCS(0), maxInflaters)
	pieces, work := make(chan *piece, 2*inflaters), make(chan *piece)
	b.packed.pieces = pieces
	for range inflaters {
		go func() {
			i := inflater{size: b.size}
			for p := range work {
				i.inflate(p)
				close(p.done)
			}
		}()
	}
	go (&splitter{src: b.src, size: b.size, pieces: pieces, work: work, stop: b.stop, pool: &b.packed.pool}).run()
}

func (b *blockReader) Close() error {
	b.end.Do(func() { close(b.stop) })
	return nil
}

func (b *blockReader) Read(p []byte) (int, error) {
	b.begin.Do(b.start)
	for len(p) > 0 {
		switch {
		case len(b.out) > 0:
			n := copy(p, b.out)
			b.out = b.out[n:]
			return n, nil
		case b.err != nil:
			return 0, b.err
		case b.inside:
			n, err := b.serial.Read(p)
			if err == io.EOF {
				b.after()
			} else if err != nil {
				b.err = err
			}
			if n > 0 {
				return n, nil
			}
		default:
			b.next()
		}
	}
	return 0, nil
}

// next takes the next piece, at the beginning of a member.
func (b *blockReader) next() {
	p, ok := b.packed.next()
	switch {
	case !ok:
		b.err = io.ErrClosedPipe
	case len(p.packed) == 0:
		b.err = b.packed.ended()
	default:
		<-p.done
		if !p.whole {
			b.header()
			return
		}
		b.out, b.err = p.plain, b.packed.ended()
		b.packed.skip()
	}
}

// header begins to read a member from where packed is.
func (b *blockReader) header() {
	if b.serial == nil {
		b.serial = new(gzip.Reader)
	}
	if b.err = b.serial.Reset(&b.packed); b.err == nil {
		b.serial.Multistream(false)
		b.inside = true
	}
}

// after follows the end of a member that was read on its own: the rest of its
// piece, or the next one.
func (b *blockReader) after() {
	b.inside = false
	if len(b.packed.rest) > 0 {
		b.header()
	} else {
		b.err = b.packed.ended()
	}
}

// piece is what lies between two headers of members, or what seem to be.
type piece struct {
	packed []byte
	err    error // that follows packed; io.EOF at the end of the stream
	plain  []byte
	whole  bool // plain is all of packed
	done   chan struct{}
}

// packed reads the pieces' packed bytes in their order. It is an io.ByteReader,
// so that flate takes no byte beyond a member's end.
type packed struct {
	pieces <-chan *piece
	pool   sync.Pool
	piece  *piece
	rest   []byte
	at     int64 // bytes read
	err    error // of the source, when it was met
}

func (r *packed) next() (*piece, bool) {
	if r.piece != nil {
		<-r.piece.done
		r.pool.Put(r.piece)
		r.piece = nil
	}
	p, ok := <-r.pieces
	if ok {
		r.piece, r.rest = p, p.packed
	}
	return p, ok
}

// ended is the error after the piece under way, nil when another follows.
func (r *packed) ended() error {
	if r.piece == nil || r.piece.err == nil {
		return nil
	}
	if r.piece.err != io.EOF {
		r.err = r.piece.err
	}
	return r.piece.err
}

// skip takes the rest of a piece as read.
func (r *packed) skip() {
	r.at += int64(len(r.rest))
	r.rest = nil
}

// fill makes rest not empty.
func (r *packed) fill() error {
	for len(r.rest) == 0 {
		if err := r.ended(); err != nil {
			return err
		}
		if _, ok := r.next(); !ok {
			return io.ErrClosedPipe
		}
	}
	return nil
}

func (r *packed) Read(p []byte) (int, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	r.at += int64(n)
	return n, nil
}

func (r *packed) ReadByte() (byte, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	r.at++
	return c, nil
}

// splitter cuts a stream into pieces and hands each to the inflaters and, in
// order, to the reader.
type splitter struct {
	src    io.Reader
	size   int
	pieces chan<- *piece
	work   chan<- *piece
	stop   <-chan struct{}
	pool   *sync.Pool
}

func (s *splitter) run() {
	defer close(s.work)
	defer close(s.pieces)
	// what deflate cannot shrink grows a little; more is no block, and is cut
	// anywhere to bound memory
	longest := s.size + s.size/8 + bufferSize
	buf := make([]byte, 0, longest+bufferSize)
	from := 1
	var err error
	for {
		end := nextMember(buf, from)
		switch {
		case end >= 0:
			from = 1
			if end == 0 {
				continue
			}
		case err == nil && len(buf) < longest:
			from = max(from, len(buf)-memberLead+1)
			var n int
			n, err = s.src.Read(buf[len(buf):min(len(buf)+bufferSize, cap(buf))])
			buf = buf[:len(buf)+n]
			continue
		default:
			end, from = len(buf), 0
		}
		last := err != nil && end == len(buf)
		if !s.give(buf[:end], last, err) || last {
			return
		}
		buf = buf[:copy(buf, buf[end:])]
	}
}

// give hands out a piece; false when the reader was closed.
func (s *splitter) give(packed []byte, last bool, err error) bool {
	p, _ := s.pool.Get().(*piece)
	if p == nil {
		p = new(piece)
	}
	*p = piece{packed: append(p.packed[:0], packed...), plain: p.plain, done: make(chan struct{})}
	if last {
		p.err = err
	}
	select {
	case s.pieces <- p:
	case <-s.stop:
		return false
	}
	select {
	case s.work <- p:
		return true
	case <-s.stop:
		close(p.done)
		return false
	}
}

// inflater inflates pieces that are one member.
type inflater struct {
	size int
	src  bytes.Reader
	gzip gzip.Reader
}

func (i *inflater) inflate(p *piece) {
	i.src.Reset(p.packed)
	if i.gzip.Reset(&i.src) != nil {
		return // the reader will find the same, and say it
	}
	i.gzip.Multistream(false)
	if cap(p.plain) <= i.size {
		p.plain = make([]byte, i.size+1) // one more, to see the end
	}
	p.plain = p.plain[:i.size+1]
	for n := 0; n < len(p.plain); {
		m, err := i.gzip.Read(p.plain[n:])
		if n += m; err != nil {
			p.plain, p.whole = p.plain[:n], errors.Is(err, io.EOF) && i.src.Len() == 0
			return
		}
	}
}
