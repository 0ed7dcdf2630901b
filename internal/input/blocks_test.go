package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
)

// inBlocks packs data as HotSpot does: a member a block, each with the comment.
func inBlocks(t testing.TB, data []byte, size, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	for first := true; first || len(data) > 0; first = false {
		n := min(size, len(data))
		z, err := gzip.NewWriterLevel(&out, level)
		if err != nil {
			t.Fatal(err)
		}
		z.Comment = fmt.Sprintf("%s%d", blockComment, size)
		if _, err := z.Write(data[:n]); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		data = data[n:]
	}
	return out.Bytes()
}

// bytesOf returns bytes that pack to about half.
func bytesOf(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.IntN(16))
	}
	return out
}

func readAll(t *testing.T, src io.Reader) ([]byte, *Reader, error) {
	t.Helper()
	r, err := NewReader("in", src)
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(r)
	if e := r.Close(); e != nil {
		t.Error(e)
	}
	return data, r, err
}

// inSequence unpacks as any gzip reader does.
func inSequence(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func TestBlocks(t *testing.T) {
	data := bytesOf(300_000)
	header := inBlocks(t, nil, 10_000, 1)[:26]
	hostile := bytes.Clone(data)
	for at := 1000; at < len(hostile); at += 30_011 {
		copy(hostile[at:], header)
	}
	tests := []struct {
		name   string
		packed []byte
		want   []byte
	}{
		{"many", inBlocks(t, data, 10_000, 1), data},
		{"one", inBlocks(t, data, 1<<20, 1), data},
		{"empty", inBlocks(t, nil, 10_000, 1), nil},
		{"larger than is held", inBlocks(t, make([]byte, maxBlock+5000), 2*maxBlock, 1), make([]byte, maxBlock+5000)},
		{"headers within", inBlocks(t, hostile, 10_000, 0), hostile},
		{"another member behind", append(inBlocks(t, data, 100_000, 1), packedPlainly(t, data)...), append(bytes.Clone(data), data...)},
		{"no header for long", append(inBlocks(t, data, 100_000, 1), packedPlainly(t, make([]byte, maxPiece+5000))...), append(bytes.Clone(data), make([]byte, maxPiece+5000)...)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, src := range []io.Reader{bytes.NewReader(tt.packed), iotest.HalfReader(bytes.NewReader(tt.packed))} {
				got, r, err := readAll(t, src)
				if err != nil || !bytes.Equal(got, tt.want) {
					t.Fatalf("%d bytes of %d, %v", len(got), len(tt.want), err)
				}
				if r.Compression != Gzip || r.blocks == nil || r.PackedRead() != int64(len(tt.packed)) {
					t.Errorf("read as %q, in blocks %v, %d bytes of %d", r.Compression, r.blocks != nil, r.PackedRead(), len(tt.packed))
				}
			}
		})
	}
}

func packedPlainly(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A stream that is cut or damaged gives what any gzip reader gives, then an error
// with the place.
func TestBlocksDamaged(t *testing.T) {
	packed := inBlocks(t, bytesOf(40_000), 10_000, 1)
	check := func(what string, damaged []byte) {
		t.Helper()
		want, wantErr := inSequence(damaged)
		got, _, err := readAll(t, bytes.NewReader(damaged))
		if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %d bytes and %v, want %d and %v", what, len(got), err, len(want), wantErr)
		}
		if err != nil && !strings.Contains(err.Error(), "in: expected") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for cut := 30; cut <= len(packed); cut += 97 {
		check(fmt.Sprintf("cut at %d", cut), packed[:cut])
	}
	for at := 30; at < len(packed); at += 211 {
		damaged := bytes.Clone(packed)
		damaged[at] ^= 0x55
		check(fmt.Sprintf("damaged at %d", at), damaged)
	}
}

// What was read before the stream fails is delivered, then the failure.
func TestBlocksOfAFailingReader(t *testing.T) {
	data := bytesOf(40_000)
	packed := inBlocks(t, data, 10_000, 1)
	broken := errors.New("the disk is gone")
	got, _, err := readAll(t, io.MultiReader(bytes.NewReader(packed), iotest.ErrReader(broken)))
	if !bytes.Equal(got, data) || !errors.Is(err, broken) || err.Error() != "cannot read in: the disk is gone" {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// A reader that is closed early leaves nothing running that waits for it.
func TestBlocksClosedEarly(t *testing.T) {
	packed := inBlocks(t, bytesOf(400_000), 1000, 1)
	r, err := NewReader("in", bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, make([]byte, 5000)); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for range r.blocks.order { // ends when the cutter has
	}
}

func BenchmarkBlocks(b *testing.B) {
	data := bytesOf(32 << 20)
	packed := inBlocks(b, data, 1<<20, 1)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r, err := NewReader("in", bytes.NewReader(packed))
		if err != nil {
			b.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, r); err != nil || n != int64(len(data)) {
			b.Fatal(n, err)
		}
		r.Close()
	}
}
