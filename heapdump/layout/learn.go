package layout

import "math/bits"

const (
	// fewObjects is below how many objects an alignment of more than 8 bytes is
	// taken for chance.
	fewObjects = 64
	// tight is from which share of exact distances on the heap counts as
	// compacted. Measured on JDK 17 and 25: 0.98 for Serial and Parallel, 0.95 to
	// 0.98 for G1 and ZGC, 0.87 to 0.90 for Shenandoah.
	tight = 0.95
	// word is how far any distance may exceed the rules and be believed: most
	// fields that the VM injects are one pointer, and a dead object leaves 16
	// bytes or more.
	word = 8
	// padding is what @Contended costs in HotSpot: 128 bytes before the fields
	// and behind (ContendedPaddingWidth); a group more costs as much again, which
	// only several instances can tell.
	padding = 2 * 128
	// beyond is how far several distances that agree may exceed the rules.
	beyond = 1024
)

// Learn finds the layout that explains the distances best and computes the size
// of every class by it. A class whose distances exceed the rules either holds
// more than the file tells, or a hole follows its objects: it gets what they say
// when the difference is one word or that of padded fields, or when the heap is
// compacted and several objects agree; else what the rules say.
//
// It never fails: without usable distances it assumes the commonest layout.
func Learn(o *Observations) *Layout {
	mend(o)
	order := supersFirst(o.Classes)
	shapes := make([]shape, len(o.Classes))
	var best verdict
	for i, r := range candidates(o.IDSize, alignmentOf(o)) {
		v := judge(o, r, order, shapes)
		if i == 0 || v.score > best.score {
			best = v
		}
	}
	r := best.rules
	l := &Layout{
		Header: r.header, Ref: r.ref, Alignment: r.align, Packed: r.packed,
		Tight: best.tight, Explained: best.explained, Contradicted: best.contradicted,
		Sizes: make([]uint64, len(o.Classes)), Mirrors: make([]uint64, len(o.Classes)),
	}
	for t := range l.Bases {
		l.Bases[t] = r.base(r.element(Type(t)))
	}
	l.size(o, r, order, shapes)
	l.mirrors(o, r)
	return l
}

// mend takes superclasses that cannot be for unknown, so that nothing below has
// to check.
func mend(o *Observations) {
	for i := range o.Classes {
		if c := &o.Classes[i]; int(c.Super) >= len(o.Classes) || int(c.Super) == i {
			c.Super = -1
		}
	}
}

// alignmentOf is the lowest bit of all distances, within what HotSpot takes.
func alignmentOf(o *Observations) uint64 {
	var objects int64
	for i := range o.Classes {
		objects += o.Classes[i].Count
	}
	if o.Or == 0 || objects < fewObjects {
		return 8
	}
	return min(max(o.Or&-o.Or, 8), 256)
}

// verdict is how well rules explain the observations.
type verdict struct {
	rules
	score                   int
	explained, contradicted int
	kinds, near             int
	tight                   float64
}

func (v *verdict) vote(g Gap, size uint64) {
	weight := bits.Len32(g.Seen)
	v.kinds++
	if g.Min <= size+max(word, v.align) {
		v.near++
	}
	switch {
	case g.Min == size:
		v.explained++
		v.score += weight
	case g.Min < size:
		v.contradicted++
		v.score -= weight
	}
}

// judge compares what rules say with the distances of short arrays and of
// classes. Shorter arrays of a class of object arrays and instances both depend
// on the reference size, so a heap without object arrays is still understood.
func judge(o *Observations, r rules, order []int, shapes []shape) verdict {
	v := verdict{rules: r}
	for t := range o.Arrays {
		for n := range o.Arrays[t] {
			if g := o.Arrays[t][n]; g.Min != 0 {
				v.vote(g, r.array(Type(t), uint64(n)))
			}
		}
	}
	for _, i := range order {
		c := &o.Classes[i]
		shapes[i] = r.add(inherited(c, r, shapes), c.own())
		g := c.gap()
		if c.Array != 0 || g.Min == 0 {
			continue
		}
		v.vote(g, align(shapes[i].end, r.align))
	}
	if v.kinds > 0 {
		v.tight = float64(v.near) / float64(v.kinds)
	}
	return v
}

func inherited(c *Class, r rules, shapes []shape) shape {
	if c.Super < 0 || shapes[c.Super].end == 0 {
		return r.root()
	}
	return shapes[c.Super]
}

// size computes all classes, superclasses first, so that what a superclass holds
// beside the file's fields is in its subclasses too.
func (l *Layout) size(o *Observations, r rules, order []int, shapes []shape) {
	clear(shapes)
	for _, i := range order {
		c := &o.Classes[i]
		s := r.add(inherited(c, r, shapes), c.own())
		if c.Array == 0 {
			rule := align(s.end, r.align)
			if size := l.believe(c.gap(), rule); size != rule {
				s = shape{end: s.end + size - rule}
			}
			l.Sizes[i] = align(s.end, r.align)
		}
		shapes[i] = s
	}
}

// believe decides between a distance and the rules.
func (l *Layout) believe(g Gap, rule uint64) uint64 {
	if g.Min == 0 {
		return rule
	}
	if g.Min <= rule {
		return max(g.Min, align(l.Header, l.Alignment))
	}
	step := max(word, l.Alignment)
	switch more := g.Min - rule; {
	case more <= step,
		more >= padding-step && more <= padding+step,
		more <= beyond && g.Seen > 1 && l.Tight >= tight:
		return g.Min
	}
	return rule
}

// mirrors computes the class objects: an instance of java.lang.Class with the
// fields that the VM injects, then the class's static fields.
func (l *Layout) mirrors(o *Observations, r rules) {
	var base Gap
	var rule uint64
	if i := o.ClassClass; i >= 0 && i < len(o.Classes) {
		base, rule = o.Classes[i].Gap, l.Sizes[i]
	}
	for i := range o.Classes {
		if c := &o.Classes[i]; c.MirrorGap != 0 && c.Statics == (Fields{}) {
			base.Merge(Gap{Min: c.MirrorGap, At: c.Mirror, Seen: 1})
		}
	}
	size := l.believe(base, rule)
	if base.Seen > 1 && base.Min > rule && base.Min <= rule+beyond {
		size = base.Min // class objects always hold more than the file tells
	}
	if i := o.ClassClass; i >= 0 && i < len(o.Classes) {
		l.Sizes[i] = size
	}
	for i := range o.Classes {
		c := &o.Classes[i]
		if c.Mirror == 0 {
			continue
		}
		l.Mirrors[i] = align(size+r.statics(c.Statics), r.align)
		if c.MirrorGap != 0 && c.MirrorGap < l.Mirrors[i] && c.MirrorGap >= size {
			l.Mirrors[i] = c.MirrorGap
		}
	}
}
