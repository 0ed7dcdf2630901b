package hist

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// latencies are exponential with a mean of 10 ms, as a service gives them.
func latencies() []int64 {
	rng := rand.New(rand.NewPCG(1, 2))
	v := make([]int64, 1<<12)
	for i := range v {
		v[i] = int64(-10e6 * math.Log(1-rng.Float64()))
	}
	return v
}

func BenchmarkRecord(b *testing.B) {
	v := latencies()
	b.Run("hist", func(b *testing.B) {
		var h Hist
		b.ReportAllocs()
		for i := range b.N {
			h.Record(v[i%len(v)])
		}
	})
	b.Run("hdr-2-digits", func(b *testing.B) { benchHDR(b, v, 2) })
	b.Run("hdr-3-digits", func(b *testing.B) { benchHDR(b, v, 3) })
}

func benchHDR(b *testing.B, v []int64, digits int) {
	h := hdrhistogram.New(1, Limit, digits)
	b.ReportAllocs()
	b.ReportMetric(float64(h.ByteSize()), "bytes")
	for i := range b.N {
		if err := h.RecordValue(v[i%len(v)]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuantile(b *testing.B) {
	v := latencies()
	var h Hist
	o := hdrhistogram.New(1, Limit, 2)
	for _, ns := range v {
		h.Record(ns)
		if err := o.RecordValue(ns); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("hist", func(b *testing.B) {
		for b.Loop() {
			h.Quantile(0.99)
		}
	})
	b.Run("hdr-2-digits", func(b *testing.B) {
		for b.Loop() {
			o.ValueAtQuantile(99)
		}
	})
}

func BenchmarkMerge(b *testing.B) {
	v := latencies()
	var h, part Hist
	o, opart := hdrhistogram.New(1, Limit, 2), hdrhistogram.New(1, Limit, 2)
	for _, ns := range v {
		part.Record(ns)
		if err := opart.RecordValue(ns); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("hist", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			h.Merge(&part)
		}
	})
	b.Run("hdr-2-digits", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			o.Merge(opart)
		}
	})
}
