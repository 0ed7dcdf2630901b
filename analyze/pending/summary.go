package pending

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/layout"
)

// inputOf tells what was read.
func inputOf(h *heapdump.Heap, name string) Input {
	in := Input{Name: name, Format: "hprof", Version: h.Format, Complete: h.Complete, Read: &h.Read, Losses: []Loss{}}
	if h.Total > 0 {
		share := float64(h.Read) / float64(h.Total)
		in.Total, in.Share = &h.Total, &share
	}
	if h.Missing > 0 {
		in.Missing = &h.Missing
	}
	if !h.Complete {
		if most, ok := h.Referred(); ok {
			in.AtMost = &most
		}
	}
	if h.Taken.Unix() > 0 {
		taken := h.Taken
		in.Taken = &taken
	}
	for _, l := range h.Losses {
		loss := Loss{What: l.What}
		if l.Count > 0 {
			loss.Count = &l.Count
		}
		if l.Bytes > 0 {
			loss.Bytes = &l.Bytes
		}
		in.Losses = append(in.Losses, loss)
	}
	return in
}

// summaryOf is the heap as a whole.
func summaryOf(h *heapdump.Heap) *HeapSummary {
	s := &HeapSummary{Objects: h.Objects, Classes: int64(len(h.Classes)), Bytes: h.Bytes, MATBytes: &h.MATBytes, IDBytes: &h.IDSize}
	if len(h.Threads) > 0 {
		n := int64(len(h.Threads))
		s.Threads = &n
	}
	if len(h.Roots) > 0 {
		s.Roots = map[string]int64{}
		for _, r := range h.Roots {
			s.Roots[r.Kind] += r.Count
		}
	}
	if l := h.Layout; l != nil {
		s.describeLayout(l)
	}
	return s
}

// describeLayout tells how the VM lays out objects. An array of int tells the
// header of arrays.
func (s *HeapSummary) describeLayout(l *layout.Layout) {
	put := func(to **int, v uint64) {
		if v > 0 {
			n := int(v)
			*to = &n
		}
	}
	put(&s.HeaderBytes, l.Header)
	put(&s.ArrayHeader, l.Bases[typeInt])
	put(&s.ReferenceBytes, l.Ref)
	put(&s.Alignment, l.Alignment)
	learned := l.Explained > 0
	s.Learned = &learned
}

// histogramOf is the classes with the most bytes, classes made at run time of one
// kind together.
func histogramOf(h *heapdump.Heap, rows int) []ClassRow {
	byName := map[string]*ClassRow{}
	for _, c := range h.Classes {
		if c.Instances == 0 {
			continue
		}
		name := display(c)
		r, ok := byName[name]
		if !ok {
			r = &ClassRow{Class: name, MATBytes: new(int64)}
			byName[name] = r
		}
		r.Count += c.Instances
		r.Bytes += c.Bytes
		*r.MATBytes += c.MATBytes
	}
	out := make([]ClassRow, 0, len(byName))
	for _, r := range byName {
		r.HeapShare = share(r.Bytes, h.Bytes)
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y ClassRow) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(y.Count, x.Count), cmp.Compare(x.Class, y.Class))
	})
	return out[:min(len(out), rows)]
}

// share is part of whole, nil where there is no whole.
func share(part, whole int64) *float64 {
	if whole <= 0 {
		return nil
	}
	s := float64(part) / float64(whole)
	return &s
}

// arraysOf is the largest single arrays.
func arraysOf(h *heapdump.Heap) []ArrayRow {
	out := []ArrayRow{}
	for _, b := range h.Biggest {
		row := ArrayRow{Class: display(h.Class(b.Class)), Address: hex(b.ID), Length: b.Length, Bytes: b.Bytes}
		if a, ok := h.ArrayHead(b.ID); ok {
			row.NonNil = &a.Filled
		}
		out = append(out, row)
	}
	return out
}

func hex(id heapdump.ID) string { return fmt.Sprintf("0x%x", uint64(id)) }

// maxLimits is how many settings are shown of one class: of many connectors or
// pools with one setting each the first tell enough.
const maxLimits = 20

// limitsOf is the settings that the dump holds.
func limitsOf(h *heapdump.Heap, t *pattern.Table) []Limit {
	out := []Limit{}
	for i, c := range h.Classes {
		if c.Kept == 0 {
			continue
		}
		rows := t.LimitsOf(line(h, i))
		if len(rows) == 0 {
			continue
		}
		seen := map[Limit]bool{}
		for in := range h.Instances(i) {
			for _, row := range rows {
				v, ok := numberFrom(h, in, row.Field)
				if !ok {
					continue
				}
				l := Limit{Object: display(c), Field: row.Field, Name: row.Name, Value: v, Unit: row.Unit, Unbounded: v >= noLimit || v < 0}
				if !seen[l] && len(seen) < maxLimits {
					seen[l] = true
					out = append(out, l)
				}
			}
		}
	}
	return out
}
