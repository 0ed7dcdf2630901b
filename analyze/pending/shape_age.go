package pending

import (
	"slices"
	"strings"
	"time"

	"example.com/kneeline/analyze/pending/clock"
	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// Limits of looking for stamps in entries.
const (
	// maxAgedEntries is how many entries of a queue are read for their ages.
	maxAgedEntries = 20_000
	// probedEntries is how many are read first, to see which fields may be stamps.
	probedEntries = 64
	// maxStampHops is how far from an entry a stamp is looked for. Three are needed
	// where an executor wraps a task, the task a lambda, and the lambda a request.
	maxStampHops = 3
	// maxStampPaths bounds the fields that are looked at.
	maxStampPaths = 200
)

// aged is how long the entries of a queue have been waiting, with what was seen
// on the way.
type aged struct {
	ages *clock.Ages
	// head is there instead where only the first entries have a stamp.
	head    *clock.Head
	refused []clock.Refusal
}

// resolution is what stamps are exact to: most count milliseconds, and no age is
// told as zero.
const resolution = time.Millisecond

// shown is a Class#field as people read it: a class made at run time has the name of
// its maker.
func shown(source string) string {
	class, field, ok := strings.Cut(source, "#")
	if !ok {
		return source
	}
	name, _ := heapdump.Fold(class)
	return name + "#" + field
}

// age returns the ages as the result has them; nil where none could be told.
func (a aged) age() *Age {
	if a.head != nil {
		return &Age{
			Head: seconds(a.head.Age), Oldest: seconds(a.head.Oldest), HeadOnly: true,
			Source: shown(a.head.Source), Clock: ClockEpoch, Known: a.head.Known,
		}
	}
	if a.ages == nil {
		return nil
	}
	out := &Age{
		Head: seconds(a.ages.Head), Median: seconds(max(a.ages.Median, resolution)), Tail: seconds(max(a.ages.Tail, resolution)), Oldest: seconds(a.ages.Oldest),
		Source: shown(a.ages.Source), Clock: ClockEpoch, Known: a.ages.Known, Monotone: &a.ages.Monotone,
	}
	for _, step := range a.ages.Steps {
		out.Steps = append(out.Steps, step.Seconds())
	}
	if a.ages.Unit == clock.Nano {
		out.Clock = ClockNano
		// By the collector's clock the ages are at least those given; no spread says so.
		if spread := seconds(a.ages.Spread); !a.ages.AtLeast {
			out.Spread = &spread
		}
	}
	return out
}

// agesOf tells how long the entries of a queue have been waiting. The fields that
// the table names for the classes of the entries are taken first; then all fields
// of 64 bits and all points of time in the entries and what they refer to.
func agesOf(h *heapdump.Heap, cfg clock.Config, table *pattern.Table, e *entries) aged {
	ids, positions := thin(e)
	if len(ids) == 0 {
		return aged{}
	}
	zone, zoned := zoneOffset(h)
	r := stampReader{h: h, zone: zone, zoned: zoned}
	q := clock.Queue{Entries: e.n, Positions: positions}
	f := finder{r: &r, cfg: cfg, ids: ids, probe: spread(ids, probedEntries)}
	byTable := r.preferred(table, ids)
	if got := f.best(q, byTable); got != nil {
		return aged{ages: got, refused: f.refused}
	}
	paths := byTable
	for _, p := range r.paths(f.probe) {
		if c := r.column(p, f.probe); cfg.MayBeStamp(&c) {
			paths = append(paths, p)
		}
	}
	if got := f.best(q, paths); got != nil {
		return aged{ages: got, refused: f.refused}
	}
	return aged{head: f.head(q, byTable), refused: f.refused}
}

// thin returns an even sample of the entries with their places, the first and
// the last among them.
func thin(e *entries) ([]heapdump.ID, []int64) {
	if len(e.ids) <= maxAgedEntries {
		return e.ids, e.positions()
	}
	step := max(e.step, 1)
	ids, positions := make([]heapdump.ID, 0, maxAgedEntries), make([]int64, 0, maxAgedEntries)
	last := len(e.ids) - 1
	for i := range maxAgedEntries {
		k := i * last / (maxAgedEntries - 1)
		ids, positions = append(ids, e.ids[k]), append(positions, int64(k)*step)
	}
	return ids, positions
}

// spread returns at most n of ids, evenly.
func spread(ids []heapdump.ID, n int) []heapdump.ID {
	if len(ids) <= n {
		return ids
	}
	out := make([]heapdump.ID, n)
	for i := range out {
		out[i] = ids[i*(len(ids)-1)/(n-1)]
	}
	return out
}

// stampReader reads stamps along paths.
type stampReader struct {
	h *heapdump.Heap
	// zone is the default time zone of the VM, in seconds east; see [zoneOffset].
	zone  int64
	zoned bool
}

// stampPath leads from an entry to a field.
type stampPath struct {
	steps     []pathStep
	source    string
	hops      int
	preferred bool
	// byClass are the steps of entries of different classes, for paths of the table.
	byClass map[*heapdump.Class][]pathStep
}

// pathStep is one field on a path. It remembers where the field was in the last
// object, as the next one is mostly of the same class.
type pathStep struct {
	field string // as Class#field, or the name alone
	class *heapdump.Class
	index int
}

func (s *pathStep) columnIn(c *heapdump.Class) int {
	if s.class != c {
		s.class, s.index = c, column(c, s.field)
	}
	return s.index
}

// column reads one field from all entries.
func (r *stampReader) column(p stampPath, ids []heapdump.ID) clock.Column {
	out := clock.Column{
		Source: p.source, Hops: p.hops, Preferred: p.preferred,
		Values: make([]int64, len(ids)), Valid: make([]bool, len(ids)), Objects: make([]uint64, len(ids)),
	}
	for i, id := range ids {
		steps := p.steps
		if p.byClass != nil {
			in, ok := r.h.Instance(id)
			if !ok {
				continue
			}
			if steps, ok = p.byClass[in.Class]; !ok {
				continue
			}
		}
		value, holder, unit, ok := r.value(id, steps)
		if !ok {
			continue
		}
		out.Values[i], out.Objects[i], out.Valid[i] = value, uint64(holder), true
		if unit != clock.UnitUnknown {
			out.Unit = unit
		}
	}
	return out
}

// value follows steps to a number, or to an object that stands for a point of
// time.
func (r *stampReader) value(id heapdump.ID, steps []pathStep) (value int64, holder heapdump.ID, unit clock.Unit, ok bool) {
	for k := range steps {
		in, found := r.h.Instance(id)
		if !found {
			return 0, 0, 0, false
		}
		c := steps[k].columnIn(in.Class)
		if c < 0 {
			return 0, 0, 0, false
		}
		raw := in.At(c)
		if in.Class.Columns[c].Type != typeObject {
			return int64(raw), id, clock.UnitUnknown, k == len(steps)-1 && in.Class.Columns[c].Type == typeLong
		}
		id = heapdump.ID(raw)
	}
	return r.moment(id)
}

// preferred returns the paths that the table has for the classes of the entries:
// the first of each class together, then the second.
func (r *stampReader) preferred(table *pattern.Table, ids []heapdump.ID) []stampPath {
	if table == nil {
		return nil
	}
	var out []stampPath
	seen := make(map[*heapdump.Class]bool)
	for _, id := range spread(ids, 16*probedEntries) {
		in, ok := r.h.Instance(id)
		if !ok || seen[in.Class] {
			continue
		}
		seen[in.Class] = true
		item := table.Item(line(r.h, in.Class.Index))
		if item == nil {
			continue
		}
		for k, path := range item.Ages {
			if k == len(out) {
				out = append(out, stampPath{preferred: true, byClass: make(map[*heapdump.Class][]pathStep)})
			}
			steps := stepsOf(path)
			out[k].byClass[in.Class] = steps
			if out[k].source == "" {
				out[k].hops = len(steps) - 1
				out[k].source = r.sourceOf(id, steps)
			}
		}
	}
	return slices.DeleteFunc(out, func(p stampPath) bool { return p.source == "" })
}

// sourceOf names the field at the end of a path as Class#field.
func (r *stampReader) sourceOf(id heapdump.ID, steps []pathStep) string {
	for k := range steps {
		in, ok := r.h.Instance(id)
		if !ok {
			return ""
		}
		c := steps[k].columnIn(in.Class)
		if c < 0 {
			return ""
		}
		if col := in.Class.Columns[c]; k == len(steps)-1 {
			return col.Class + "#" + col.Name
		}
		id = heapdump.ID(in.At(c))
	}
	return ""
}
