package hprof

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/layout"
)

const (
	mix1 = 0x9e3779b97f4a7c15
	mix2 = 0xd6e8feb86659fd93
)

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^mix1, b^mix2)
	return hi ^ lo
}

// sampleHash decides whether a content is in the sample: by its length, its
// first and its last eight bytes, which costs little for every array.
func sampleHash(b []byte) uint64 {
	var first, last uint64
	if len(b) >= 8 {
		first, last = le.Uint64(b), le.Uint64(b[len(b)-8:])
	} else {
		for _, c := range b {
			first = first<<8 | uint64(c)
		}
	}
	return mix(mix(first, last), uint64(len(b)))
}

// contentHash tells contents apart.
func contentHash(b []byte) uint64 {
	h := uint64(len(b))
	for len(b) >= 16 {
		h = mix(le.Uint64(b)^h, le.Uint64(b[8:]))
		b = b[16:]
	}
	if len(b) >= 8 {
		h = mix(le.Uint64(b)^h, mix2)
		b = b[8:]
	}
	tail := uint64(1)
	for _, c := range b {
		tail = tail<<8 | uint64(c)
	}
	return mix(tail^h, mix1)
}

func (w *worker) sample(h uint64, data []byte, t heapdump.Type, n uint32) {
	s := sample{hash: h, sum: contentHash(data), typ: t, n: n}
	if w.view.values {
		s.shown = shownText(data[:min(len(data), maxShown)], t)
	}
	w.found.samples = append(w.found.samples, s)
}

// sketch is the sample of contents: those whose hash is below a bound that falls
// as contents come, so that never more than maxSampled are in it. All copies of
// a content in it were counted from the first.
type sketch struct {
	bound uint64
	seen  map[contentKey]*content
}

type contentKey struct {
	sum uint64
	n   uint32
	typ heapdump.Type
}

type content struct {
	hash  uint64
	count int64
	shown string
}

func newSketch() *sketch { return &sketch{bound: math.MaxUint64, seen: map[contentKey]*content{}} }

func (k *sketch) add(samples []sample) {
	for i := range samples {
		s := &samples[i]
		if s.hash > k.bound {
			continue
		}
		key := contentKey{s.sum, s.n, s.typ}
		if c := k.seen[key]; c != nil {
			c.count++
			continue
		}
		if len(k.seen) >= maxSampled {
			k.halve()
			if s.hash > k.bound {
				continue
			}
		}
		k.seen[key] = &content{hash: s.hash, count: 1, shown: s.shown}
	}
}

// halve lowers the bound until at least a part of the contents is gone.
func (k *sketch) halve() {
	for len(k.seen) >= maxSampled && k.bound > 0 {
		k.bound /= 2
		for key, c := range k.seen {
			if c.hash > k.bound {
				delete(k.seen, key)
			}
		}
	}
}

// texts is the estimate from the sample, with sizes by a layout.
func (k *sketch) texts(l *layout.Layout, s *sums, arrays [12]int32) heapdump.Texts {
	var out heapdump.Texts
	for _, t := range []heapdump.Type{5, 8} {
		class := arrays[t]
		if class < 0 || int(class) >= len(s.lengths) || s.lengths[class] == nil {
			continue
		}
		all := *s.lengths[class]
		all.Sum -= s.long[t].Sum
		for i, n := range s.long[t].Residue {
			all.Residue[i] -= n
		}
		out.Arrays += int64(all.Count())
		out.Bytes += int64(l.Arrays(t, &all))
	}
	if len(k.seen) == 0 {
		return out
	}
	out.Share = float64(k.bound) / math.MaxUint64
	wasted := int64(0)
	type item struct {
		key contentKey
		d   heapdump.Duplicate
	}
	var top []item
	for key, c := range k.seen {
		if c.count < 2 {
			continue
		}
		each := int64(l.Array(key.typ, uint64(key.n)))
		wasted += (c.count - 1) * each
		top = append(top, item{key, heapdump.Duplicate{Count: c.count, BytesEach: each, Text: c.shown}})
	}
	out.Distinct = int64(math.Round(float64(len(k.seen)) / out.Share))
	out.Wasted = int64(math.Round(float64(wasted) / out.Share))
	slices.SortFunc(top, func(a, b item) int {
		return cmp.Or(cmp.Compare((b.d.Count-1)*b.d.BytesEach, (a.d.Count-1)*a.d.BytesEach),
			cmp.Compare(a.key.sum, b.key.sum), cmp.Compare(a.key.n, b.key.n), cmp.Compare(a.key.typ, b.key.typ))
	})
	for _, it := range top[:min(len(top), topTexts)] {
		out.Top = append(out.Top, it.d)
	}
	return out
}
