package pending

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/internal/units"
)

// Limits of what is told of a heap that is full of something else.
const (
	// maxFillRows is how many classes of arrays are shown.
	maxFillRows = 10
	// minFillShare is the share of the heap that empty slots must take for their
	// class to be shown.
	minFillShare = 0.001
	// fullShare is the share of the heap from which one thing is what it is full of.
	fullShare = 0.2
)

// fillOf returns how full the arrays below collections are, those with the most
// bytes in empty slots first. Arrays that are as they must be are none of
// interest.
func fillOf(h *heapdump.Heap) []FillRow {
	slot := int64(8)
	if h.Layout != nil && h.Layout.Ref > 0 {
		slot = int64(h.Layout.Ref)
	}
	byName := make(map[string]*FillRow)
	for _, c := range h.Classes {
		if c.Slots == 0 || c.Slots < c.Filled {
			continue
		}
		r := byName[display(c)]
		if r == nil {
			r = &FillRow{Class: display(c)}
			byName[r.Class] = r
		}
		r.Count += c.Instances
		r.Slots += c.Slots
		r.Used += c.Filled
	}
	out := []FillRow{}
	for _, r := range byName {
		r.Fill = float64(r.Used) / float64(r.Slots)
		r.Wasted = slot * (r.Slots - r.Used)
		if float64(r.Wasted) >= minFillShare*float64(h.Bytes) && r.Wasted > 0 {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b FillRow) int {
		return cmp.Or(cmp.Compare(b.Wasted, a.Wasted), cmp.Compare(a.Class, b.Class))
	})
	return out[:min(len(out), maxFillRows)]
}

// stringsOf returns what equal texts cost; nil when none were compared. Contents
// are passed on only when they may be shown.
func stringsOf(h *heapdump.Heap, show bool) *StringRow {
	t := h.Texts
	if t.Arrays == 0 || t.Share <= 0 {
		return nil
	}
	row := &StringRow{
		Count: t.Arrays, Bytes: t.Bytes, Duplicates: max(t.Arrays-t.Distinct, 0), Wasted: t.Wasted, Sampled: t.Share < 1,
	}
	for _, d := range t.Top {
		if d.Count < 2 {
			continue
		}
		v := StringValue{Length: d.BytesEach, Count: d.Count, Wasted: (d.Count - 1) * d.BytesEach}
		if show && d.Text != "" {
			text := d.Text
			v.Value = &text
		}
		row.Top = append(row.Top, v)
	}
	return row
}

// textError returns the relative standard error of an estimate of distinct
// contents from a sample by hash: with a share p of the contents sampled, the
// number seen is binomial. 0 when all were compared.
func textError(t heapdump.Texts) float64 {
	seen := t.Share * float64(t.Distinct)
	if t.Share >= 1 || seen <= 0 {
		return 0
	}
	return math.Sqrt((1 - t.Share) / seen)
}

// filler is one thing that takes much of a heap.
type filler struct {
	what  string
	bytes int64
}

// fillers returns what a heap is full of, the largest first: classes with the
// arrays that can be told to belong to them, single arrays, equal texts.
func fillers(h *heapdump.Heap, own owners) []filler {
	var out []filler
	for _, row := range histogramOf(h, maxFillRows) {
		out = append(out, filler{units.Count(row.Count) + " " + plainName(row.Class), row.Bytes})
	}
	if len(h.Biggest) > 0 {
		b := h.Biggest[0]
		what := "one " + display(h.Class(b.Class))
		if o, ok := own[b.ID]; ok && o.class != nil {
			what += " of " + simple(display(o.class)) + "." + o.field
		}
		out = append(out, filler{what, b.Bytes})
	}
	if h.Texts.Wasted > 0 {
		out = append(out, filler{"copies of equal texts", h.Texts.Wasted})
	}
	slices.SortStableFunc(out, func(a, b filler) int { return cmp.Compare(b.bytes, a.bytes) })
	return out
}

// plainName is a class name as a sentence has it.
func plainName(class string) string {
	if strings.HasSuffix(class, "[]") && !strings.Contains(class, ".") {
		return class
	}
	return simple(class)
}

// fullOf returns the thing that a heap is full of, if one takes enough of it.
func fullOf(h *heapdump.Heap, own owners) (filler, bool) {
	all := fillers(h, own)
	if len(all) == 0 || float64(all[0].bytes) < fullShare*float64(h.Bytes) {
		return filler{}, false
	}
	return all[0], true
}
