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
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

// inBlocks packs data as Java VMs do: blocks of size bytes, the first with a
// comment that tells it.
func inBlocks(t testing.TB, data []byte, size, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	comment := fmt.Sprintf("HPROF BLOCKSIZE=%d", size)
	for first := true; first || len(data) > 0; first = false {
		z, err := gzip.NewWriterLevel(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		if first {
			z.Comment = comment
		}
		n := min(size, len(data))
		if _, err := z.Write(data[:n]); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		data = data[n:]
	}
	return b.Bytes()
}

// sequential is what reading one member after the other gives.
func sequential(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// parallel reads packed as Source.Open would, without this package's names for
// errors; it fails if packed is not taken for blocks.
func parallel(t interface{ Fatal(...any) }, src io.Reader) ([]byte, error) {
	r, err := NewReader("in", src)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.blocks == nil {
		t.Fatal("not read in blocks")
	}
	return io.ReadAll(r.blocks)
}

// words are data that compress, noise data that do not.
func words(n int) []byte { return bytes.Repeat([]byte("a heap of words "), n/16+1)[:n] }

func noise(n int) []byte {
	b := make([]byte, n)
	for i, r := 0, rand.New(rand.NewPCG(1, 2)); i < n; i++ {
		b[i] = byte(r.Uint32())
	}
	return b
}

// deceptive has headers of members in data that deflate stores as they are.
func deceptive(n int) []byte {
	b := noise(n)
	for i := 0; i+memberLead < n; i += 700 {
		copy(b[i:], "\x1f\x8b\x08\x00\x00\x00\x00\x00")
	}
	return b
}

func same(t interface{ Fatalf(string, ...any) }, what string, got []byte, gotErr error, want []byte, wantErr error) {
	if !bytes.Equal(got, want) || !errors.Is(gotErr, wantErr) {
		t.Fatalf("%s: %d bytes and %v, want %d and %v", what, len(got), gotErr, len(want), wantErr)
	}
}

func TestBlocks(t *testing.T) {
	const size = 10_000
	whole := inBlocks(t, words(95_000), size, 1)
	tests := map[string][]byte{
		"words":             whole,
		"noise":             inBlocks(t, noise(95_000), size, 1),
		"deceptive":         inBlocks(t, deceptive(95_000), size, gzip.NoCompression),
		"exact":             inBlocks(t, words(3*size), size, 6),
		"nothing":           inBlocks(t, nil, size, 1),
		"one member":        inBlocks(t, words(100), size, 1),
		"bigger than told":  inBlocks(t, words(3<<20), 3<<20, 1),
		"noise, not blocks": bytes.Replace(inBlocks(t, noise(300_000), 300_000, 1), []byte("=300000"), []byte("=100000"), 1),
		"another dump":      append(bytes.Clone(whole), whole...),
		"a member without":  append(bytes.Clone(whole), gzipped(t, "the end")...),
		"an empty member":   append(append(bytes.Clone(whole), gzipped(t, "")...), whole...),
		"rubbish after":     append(bytes.Clone(whole), "rubbish"...),
		"half a header":     append(bytes.Clone(whole), whole[:5]...),
		"cut":               whole[:len(whole)-3],
		"cut in a header":   whole[:bytes.LastIndex(whole, memberMagic)+9],
		"cut in the middle": whole[:len(whole)/2],
	}
	tests["bigger than told"] = bytes.Replace(tests["bigger than told"], []byte("=3145728"), []byte("=0001000"), 1)
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 0x55
	tests["damaged"] = damaged
	wrong := bytes.Clone(whole)
	wrong[len(wrong)-6] ^= 1 // the checksum
	tests["wrong checksum"] = wrong
	for name, packed := range tests {
		t.Run(name, func(t *testing.T) {
			want, wantErr := sequential(packed)
			got, err := parallel(t, bytes.NewReader(packed))
			same(t, "whole", got, err, want, wantErr)
			got, err = parallel(t, iotest.HalfReader(bytes.NewReader(packed)))
			same(t, "in halves", got, err, want, wantErr)
		})
	}
}

// TestBlocksProperty guards that where the bytes are cut, changed, and how they
// arrive makes no difference between both ways of reading.
func TestBlocksProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(1, 3000).Draw(rt, "size")
		n := rapid.IntRange(0, 20_000).Draw(rt, "length")
		data := rapid.SampledFrom([]func(int) []byte{words, noise, deceptive}).Draw(rt, "content")(n)
		packed := inBlocks(t, data, max(size, n/40), rapid.SampledFrom([]int{0, 1, 6}).Draw(rt, "level"))
		packed = packed[:max(40, rapid.IntRange(len(packed)*9/10, len(packed)).Draw(rt, "cut"))]
		if rapid.Bool().Draw(rt, "damage") {
			i := rapid.IntRange(40, len(packed)).Draw(rt, "at")
			if i < len(packed) {
				packed[i] ^= byte(rapid.IntRange(1, 255).Draw(rt, "bits"))
			}
		}
		want, wantErr := sequential(packed)
		got, err := parallel(rt, bytes.NewReader(packed))
		same(rt, "parallel", got, err, want, wantErr)
	})
}

func TestNotBlocks(t *testing.T) {
	for comment, packed := range map[string]bool{
		"HPROF BLOCKSIZE=1048576": true,
		"HPROF BLOCKSIZE=4194304": true,
		"HPROF BLOCKSIZE=4194305": false,
		"HPROF BLOCKSIZE=0":       false,
		"HPROF BLOCKSIZE=-5":      false,
		"HPROF BLOCKSIZE=":        false,
		"HPROF BLOCKSIZE=1e3":     false,
		"HPROF BLOCK":             false,
		strings.Repeat("x", 200):  false,
	} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Comment = comment
		io.WriteString(z, "text")
		z.Close()
		r, err := NewReader("in", &b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if n := b.Len(); n != 0 || r.PackedRead() == 0 {
			t.Errorf("%q: %d bytes left, %d read", comment, n, r.PackedRead())
		}
		if (r.blocks != nil) != packed || string(got) != "text" || err != nil {
			t.Errorf("%q: blocks %v, %q, %v", comment, r.blocks != nil, got, err)
		}
		r.Close()
	}
}

// TestBlocksErrors guards the words for what is wrong, and where it is.
func TestBlocksErrors(t *testing.T) {
	packed := inBlocks(t, words(95_000), 10_000, 1)
	cause := errors.New("disk on fire")
	for name, tt := range map[string]struct {
		src  io.Reader
		says string
	}{
		"cut":     {bytes.NewReader(packed[:len(packed)-3]), fmt.Sprintf("in: expected more gzip data, found the end at byte %d", len(packed)-3)},
		"rubbish": {strings.NewReader(string(packed) + "no gzip at all"), "in: expected gzip data, found it damaged before byte "},
		"source":  {io.MultiReader(bytes.NewReader(packed[:len(packed)/2]), iotest.ErrReader(cause)), "cannot read in: disk on fire"},
	} {
		r, err := NewReader("in", tt.src)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = io.Copy(io.Discard, r); err == nil || !strings.HasPrefix(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %s", name, err, tt.says)
		}
		if _, again := r.Read(make([]byte, 1)); again == nil {
			t.Errorf("%s: no error when read again", name)
		}
		r.Close()
	}
}

// TestBlocksClosedEarly guards that a reader who has seen enough leaves nothing
// running, and that one who only looked has started nothing.
func TestBlocksClosedEarly(t *testing.T) {
	packed := inBlocks(t, words(3_000_000), 10_000, 1)
	for _, n := range []int{0, 1, 25_000} {
		r, err := NewReader("in", bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r, make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		r.Close()
		r.Close()
	}
}

// TestMain fails when a goroutine outlives the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// FuzzBlocks holds any bytes behind a first member against the sequential way.
func FuzzBlocks(f *testing.F) {
	whole := inBlocks(f, words(5000), 1000, 1)
	f.Add(whole)
	f.Add(whole[:len(whole)-4])
	f.Add(inBlocks(f, deceptive(5000), 1000, gzip.NoCompression))
	head := inBlocks(f, words(1000), 1000, 1)
	f.Fuzz(func(t *testing.T, data []byte) {
		packed := append(bytes.Clone(head), data...)
		want, wantErr := sequential(packed)
		got, err := parallel(t, bytes.NewReader(packed))
		if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) {
			t.Fatalf("%d bytes and %v, want %d and %v", len(got), err, len(want), wantErr)
		}
	})
}

func BenchmarkBlocks(b *testing.B) {
	data := words(64 << 20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < len(data); i += 2 + r.IntN(20) {
		data[i] = byte(r.Uint32())
	}
	packed := inBlocks(b, data, 1<<20, 1)
	run := func(b *testing.B, open func() io.Reader) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if n, err := io.Copy(io.Discard, open()); err != nil || n != int64(len(data)) {
				b.Fatal(n, err)
			}
		}
	}
	b.Run("parallel", func(b *testing.B) {
		run(b, func() io.Reader { return newBlocks(bytes.NewReader(packed), 1<<20) })
	})
	b.Run("sequential", func(b *testing.B) {
		run(b, func() io.Reader {
			z, err := gzip.NewReader(bytes.NewReader(packed))
			if err != nil {
				b.Fatal(err)
			}
			return z
		})
	})
}
