package hprof

import (
	"bytes"
	"context"
	"testing"
	"testing/iotest"

	"example.com/kneeline/heapdump/hprofgen"
)

// Whatever the bytes are, reading ends without panic, nothing is counted that
// cannot be there, and it does not matter how the bytes arrive.
func FuzzRead(f *testing.F) {
	for _, o := range shapes {
		d := hprofgen.New(o)
		d.Thread("main", nil, hprofgen.At("p.Main", "main", 3)).Local(0, d.String("local"))
		d.Array("java.lang.Object", make([]uint64, 120)...)
		d.Ints(1, 2, 3)
		f.Add(d.Encode().Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := Read(context.Background(), bytes.NewReader(data), Options{chunk: 1 << 12})
		if err != nil {
			if h != nil {
				t.Fatal("a heap and an error")
			}
			return
		}
		defer h.Close()
		if h.Read > int64(len(data)) || h.Objects > int64(len(data)) || h.Objects < 0 {
			t.Fatalf("read %d of %d bytes, %d objects", h.Read, len(data), h.Objects)
		}
		again, err := Read(context.Background(), iotest.HalfReader(bytes.NewReader(data)), Options{chunk: 1 << 12, Memory: 1, TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		same(t, "in other parts", describe(again), describe(h))
	})
}
