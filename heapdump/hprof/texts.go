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

// mix hashes two numbers. A second one of mix2 would give 0 for all first ones.
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
		h = mix(le.Uint64(b)^h, uint64(len(b)))
		b = b[8:]
	}
	tail := uint64(1)
	for _, c := range b {
		tail = tail<<8 | uint64(c)
	}
	return mix(tail^h, mix1)
}

func (w *worker) sample(h uint64, data []byte, t heapdump.Type, n uint32) {
	s := sample{hash: h, sum: mix(contentHash(data), uint64(t)), typ: t, n: n}
	if w.view.values {
		s.shown = shownText(data[:min(len(data), maxShown)], t)
	}
	w.found.samples = append(w.found.samples, s)
}

// sketch is the sample of contents: those whose hash is below a bound that falls
// as contents come, so that never more than maxSampled are in it. All copies of
// a content in it were counted from the first. It is a hash table with linear
// probing by the sum of the content.
type sketch struct {
	bound uint64
	used  int
	slots []content
	shown map[uint64]string // by sum, when values may be kept
}

type content struct {
	sum, hash uint64
	count     int64 // 0 is a free slot
	n         uint32
	typ       heapdump.Type
}

func newSketch() *sketch {
	return &sketch{bound: math.MaxUint64, slots: make([]content, 1<<10), shown: map[uint64]string{}}
}

func (k *sketch) add(samples []sample) {
	for i := range samples {
		s := &samples[i]
		if s.hash > k.bound {
			continue
		}
		c := k.slot(s.sum)
		if c.count > 0 {
			c.count++
			continue
		}
		*c = content{s.sum, s.hash, 1, s.n, s.typ}
		if s.shown != "" {
			k.shown[s.sum] = s.shown
		}
		if k.used++; k.used >= maxSampled {
			k.halve()
		} else if 2*k.used > len(k.slots) {
			k.rebuild(2 * len(k.slots))
		}
	}
}

// slot is where a content is, or may be put.
func (k *sketch) slot(sum uint64) *content {
	mask := uint64(len(k.slots) - 1)
	for i := sum & mask; ; i = (i + 1) & mask {
		if c := &k.slots[i]; c.count == 0 || c.sum == sum {
			return c
		}
	}
}

// rebuild keeps the contents below the bound, in a table of n slots.
func (k *sketch) rebuild(n int) {
	old := k.slots
	k.slots, k.used = make([]content, n), 0
	for _, c := range old {
		switch {
		case c.count == 0:
		case c.hash > k.bound:
			delete(k.shown, c.sum)
		default:
			*k.slot(c.sum) = c
			k.used++
		}
	}
}

// halve lowers the bound until at least a part of the contents is gone.
func (k *sketch) halve() {
	for k.used >= maxSampled && k.bound > 0 {
		k.bound /= 2
		k.rebuild(len(k.slots))
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
	if k.used == 0 {
		return out
	}
	out.Share = float64(k.bound) / math.MaxUint64
	wasted := int64(0)
	var top []content
	for _, c := range k.slots {
		if c.count > 1 {
			wasted += c.wasted(l)
			top = append(top, c)
		}
	}
	out.Distinct = int64(math.Round(float64(k.used) / out.Share))
	out.Wasted = int64(math.Round(float64(wasted) / out.Share))
	slices.SortFunc(top, func(a, b content) int {
		return cmp.Or(cmp.Compare(b.wasted(l), a.wasted(l)), cmp.Compare(a.sum, b.sum))
	})
	for _, c := range top[:min(len(top), topTexts)] {
		out.Top = append(out.Top, heapdump.Duplicate{Count: c.count, BytesEach: int64(l.Array(c.typ, uint64(c.n))), Text: k.shown[c.sum]})
	}
	return out
}

// wasted is what all copies but one take.
func (c *content) wasted(l *layout.Layout) int64 {
	return (c.count - 1) * int64(l.Array(c.typ, uint64(c.n)))
}
