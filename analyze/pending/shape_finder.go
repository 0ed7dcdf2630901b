package pending

import (
	"slices"

	"example.com/kneeline/analyze/pending/clock"
	"example.com/kneeline/heapdump"
)

// finder chooses among paths to stamps, and drops those that other fields of the
// same objects speak against.
type finder struct {
	r     *stampReader
	cfg   clock.Config
	ids   []heapdump.ID
	probe []heapdump.ID
	// refused are the fields that give no ages, with the reasons.
	refused []clock.Refusal
}

// best returns the ages by the best of the paths; nil where none gives any.
func (f *finder) best(q clock.Queue, paths []stampPath) *clock.Ages {
	left := slices.Clone(paths)
	columns := make([]clock.Column, len(left))
	for i, p := range left {
		columns[i] = f.r.column(p, f.ids)
	}
	for len(left) > 0 {
		q.Columns = columns
		got, refused := f.cfg.Ages(q)
		if got == nil {
			f.refused = refused
			return nil
		}
		i := slices.IndexFunc(columns, func(c clock.Column) bool { return c.Source == got.Source && c.Hops == got.Hops })
		if !f.touched(left[i], f.probe) {
			f.refused = refused
			return got
		}
		left, columns = slices.Delete(left, i, i+1), slices.Delete(columns, i, i+1)
	}
	return nil
}

// headProbe is how many entries at the head are looked at for their last use.
const headProbe = 20

// head returns the age of the first entry by a path of the table; nil where
// there is none.
func (f *finder) head(q clock.Queue, paths []stampPath) *clock.Head {
	for _, p := range paths {
		q.Columns = []clock.Column{f.r.column(p, f.ids)}
		if got, ok := f.cfg.HeadOnly(q); ok && !f.touched(p, f.ids[:min(len(f.ids), headProbe)]) {
			return &got
		}
	}
	return nil
}

// touched reports whether the objects at the end of a path were used long after
// the stamp in them. A path to a time of last use is not held against itself.
func (f *finder) touched(p stampPath, ids []heapdump.ID) bool {
	if clock.IsLastUse(p.source) {
		return false
	}
	stamp := f.r.column(p, ids)
	for _, sibling := range f.r.siblings(p, ids) {
		if use := f.r.column(sibling, ids); f.cfg.Touched(&stamp, &use) {
			return true
		}
	}
	return false
}

// siblings returns the paths to the times of last use in the objects that have
// the stamp.
func (r *stampReader) siblings(p stampPath, ids []heapdump.ID) []stampPath {
	var out []stampPath
	seen := make(map[string]bool)
	classes := make(map[*heapdump.Class]bool)
	for _, id := range ids {
		in, ok := r.h.Instance(id)
		if !ok || classes[in.Class] {
			continue
		}
		classes[in.Class] = true
		steps := p.steps
		if p.byClass != nil {
			if steps, ok = p.byClass[in.Class]; !ok {
				continue
			}
		}
		for _, s := range r.lastUses(id, steps) {
			if !seen[s.source] {
				seen[s.source] = true
				s.byClass = nil
				out = append(out, s)
			}
		}
	}
	return out
}

// lastUses returns the paths to the times of last use in the object that has the
// last field of a path.
func (r *stampReader) lastUses(id heapdump.ID, steps []pathStep) []stampPath {
	for k := range len(steps) - 1 {
		in, ok := r.h.Instance(id)
		if !ok {
			return nil
		}
		c := steps[k].columnIn(in.Class)
		if c < 0 || in.Class.Columns[c].Type != typeObject {
			return nil
		}
		id = heapdump.ID(in.At(c))
	}
	in, ok := r.h.Instance(id)
	if !ok {
		return nil
	}
	var out []stampPath
	for _, col := range in.Class.Columns {
		name := col.Class + "#" + col.Name
		if col.Type == typeLong && clock.IsLastUse(name) {
			out = append(out, stampPath{steps: with(steps[:len(steps)-1], name), source: name})
		}
	}
	return out
}
