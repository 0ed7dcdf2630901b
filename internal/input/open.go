package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

const (
	// bufferSize is how much is read from a file at once; smallBuffer of a file that is
	// smaller, so that many small files do not fill the memory with empty buffers.
	bufferSize  = 64 << 10
	smallBuffer = 16 << 10
	// maxWindow is the largest window of a zstd stream that is decoded: what
	// `zstd --ultra --long=27` makes. It bounds the memory that a hostile input
	// can ask for.
	maxWindow = 128 << 20
)

// Compression is how an input was packed.
type Compression string

const (
	None Compression = ""
	Gzip Compression = "gzip"
	Zstd Compression = "zstd"
)

// Reader is an open input, decompressed.
type Reader struct {
	// Name is what messages call the input.
	Name string
	// Compression is how the content was packed.
	Compression Compression

	packed *counter
	plain  io.Reader
	blocks *blockReader // plain, where the stream was packed in blocks
	close  []func() error
}

// Open opens the source. stdin is what [Stdin] stands for; it is not closed.
func (s Source) Open(stdin io.Reader) (*Reader, error) {
	if s.Path == Stdin {
		return NewReader(s.Name, stdin)
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, fault.NoAnswerf("cannot read %s: %w", s.Name, reason(err))
	}
	size := bufferSize
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() < smallBuffer {
		size = smallBuffer
	}
	r, err := newReader(s.Name, f, size)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.close = append(r.close, f.Close)
	return r, nil
}

// NewReader reads the content of src, decompressing it if it begins as gzip or
// zstd does. name is for messages.
func NewReader(name string, src io.Reader) (*Reader, error) {
	return newReader(name, src, bufferSize)
}

func newReader(name string, src io.Reader, buffer int) (*Reader, error) {
	r := &Reader{Name: name, packed: &counter{r: src}}
	b := bufio.NewReaderSize(r.packed, buffer)
	head, err := b.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fault.NoAnswerf("cannot read %s: %w", name, reason(err))
	}
	switch r.Compression = detect(head); r.Compression {
	case Gzip:
		if size := blockSizeOf(b, head); size > 0 {
			r.blocks = newBlocks(b, size)
			r.plain, r.close = r.blocks, append(r.close, r.blocks.Close)
			break
		}
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, r.failure(err)
		}
		// What it could not unpack, Read has said; to close says it again.
		r.plain, r.close = z, append(r.close, func() error { _ = z.Close(); return nil })
	case Zstd:
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, r.failure(err)
		}
		r.plain, r.close = z, append(r.close, func() error { z.Close(); return nil })
	default:
		r.plain = b
	}
	return r, nil
}

// detect tells the compression by the magic number of RFC 1952 and RFC 8878.
func detect(head []byte) Compression {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Gzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return Zstd
	}
	return None
}

// Read reads decompressed bytes. Its errors name the input, and the position in
// the packed bytes when the packing is damaged.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.plain.Read(p)
	if err != nil && err != io.EOF {
		err = r.failure(err)
	}
	return n, err
}

// PackedRead returns how many bytes of the packed input were read so far, some of
// which may wait to be unpacked. It may be called from any goroutine.
func (r *Reader) PackedRead() int64 { return r.packed.n.Load() }

// position is how many packed bytes were taken, and why the packed input could
// not be read; nil where it could.
func (r *Reader) position() (int64, error) {
	if r.blocks != nil { // the counter runs ahead, in another goroutine
		return r.blocks.packed.at, r.blocks.packed.err
	}
	return r.PackedRead(), r.packed.err
}

func (r *Reader) failure(err error) error {
	at, cause := r.position()
	if cause != nil {
		return fault.NoAnswerf("cannot read %s: %w", r.Name, reason(cause))
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return fault.NoAnswerf("%s: expected more %s data, found the end at byte %d", r.Name, r.Compression, at)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return fault.NoAnswerf("%s: expected a zstd window of at most %d MiB, found a larger one", r.Name, maxWindow>>20)
	}
	return fault.NoAnswerf("%s: expected %s data, found it damaged before byte %d: %w", r.Name, r.Compression, at, err)
}

// Close closes what was opened; not stdin.
func (r *Reader) Close() error {
	var first error
	for _, c := range r.close {
		if err := c(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// counter counts the packed bytes and keeps the error of reading them, which
// decompressors wrap or replace.
type counter struct {
	r   io.Reader
	n   atomic.Int64
	err error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// ReadFile reads the whole of a small file as it is, without decompression: a
// request body, a list of headers. path may be [Stdin]. More than limit bytes
// are an error.
func ReadFile(path string, stdin io.Reader, limit int64) ([]byte, error) {
	src, name := stdin, "stdin"
	if path != Stdin {
		f, err := os.Open(path)
		if err != nil {
			return nil, fault.NoAnswerf("cannot read %s: %w", path, reason(err))
		}
		defer f.Close()
		src, name = f, path
	}
	data, err := io.ReadAll(io.LimitReader(src, limit+1))
	switch {
	case err != nil:
		return nil, fault.NoAnswerf("cannot read %s: %w", name, reason(err))
	case int64(len(data)) > limit:
		return nil, fault.NoAnswerf("%s: expected at most %d bytes, found more", name, limit)
	}
	return data, nil
}

// ReadAll reads the whole of an input, unpacked, that has at most limit bytes.
func (s Source) ReadAll(stdin io.Reader, limit int64) ([]byte, error) {
	r, err := s.Open(stdin)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fault.NoAnswerf("%s: expected at most %s, found more", s.Name, units.Size(limit))
	}
	return data, err
}
