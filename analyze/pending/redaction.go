package pending

import (
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/heapdump"
)

// Redaction says which numbers of a dump [Analyze] reads, so that a copy without all
// others gives the same answer.
type Redaction struct {
	heap  *heapdump.Heap
	table *pattern.Table
	// steps are the fields that paths of the table lead through beyond their first,
	// such as "value" of count.value.
	steps map[string]bool
}

// NewRedaction is for a dump that was read with [Keeper] of the same table.
func NewRedaction(h *heapdump.Heap, t *pattern.Table) *Redaction {
	r := &Redaction{heap: h, table: t, steps: map[string]bool{}}
	for i := range t.Queues {
		q := &t.Queues[i]
		r.path(q.Head, q.Count, q.CountWith, q.Capacity)
	}
	for i := range t.Owners {
		o := &t.Owners[i]
		r.path(o.Capacity, o.MaxThreads, o.MinThreads)
	}
	for i := range t.Limits {
		r.path(t.Limits[i].Field)
	}
	return r
}

func (r *Redaction) path(paths ...string) {
	for _, p := range paths {
		if parts := strings.Split(p, "."); len(parts) > 1 {
			r.steps[parts[len(parts)-1]] = true
		}
	}
}

// Field is what a number in a field is to the report.
type Field uint8

const (
	// Unread: the report does not depend on it.
	Unread Field = iota
	// Read: counts, limits, indices of queues and pools, flags of threads.
	Read
	// ReadTime: it is read if it is a time.
	ReadTime
)

// OfField says what a field of the instances of a class is to the report.
func (r *Redaction) OfField(class int, f heapdump.Column) Field {
	names := line(r.heap, class)
	switch {
	case len(names) == 0 || f.Type.Size() == 0:
		return Unread
	case ofThread(names) && slices.Contains(threadNumbers, f.Name):
		return Read
	case slices.Contains(names, "java.lang.String") && f.Name == "coder":
		return Read // whether a name has one byte a character or two
	case f.Type != typeInt && f.Type != typeLong && f.Type != typeShort:
		return Unread
	case r.ofTable(names, f.Name):
		return Read
	case isCounter(f.Class) && f.Name == "value", f.Class == "java.util.concurrent.atomic.Striped64" && f.Name == "base":
		return Read
	case f.Class == "sun.util.calendar.ZoneInfo" && (f.Name == "rawOffset" || f.Name == "dstSavings"):
		return Read // by which dates without a zone are set
	case names[0] == "jdk.internal.vm.StackChunk" && f.Name == "size":
		return Read
	}
	if f.Type == typeLong {
		if hasWord(f.Name, stampWords) {
			return Read
		}
	}
	// Queues of the application are found by their shape: what holds objects, with the
	// numbers that a queue has.
	if !ofJDK(names[0]) && r.holds(class) && hasQueueWord(f.Name) {
		return Read
	}
	if f.Type == typeLong {
		return ReadTime
	}
	return Unread
}

// OfStatic is the same for a static field.
func (r *Redaction) OfStatic(class int, f heapdump.Field) Field {
	if f.Type != typeInt && f.Type != typeLong {
		return Unread
	}
	c := r.heap.Class(class)
	if c == nil {
		return Unread
	}
	for _, row := range directAccounts {
		if row.class == c.Name && (f.Name == row.bytes || f.Name == row.count || f.Name == row.limit) {
			return Read
		}
	}
	switch {
	case c.Name == "java.lang.ref.SoftReference" && f.Name == "clock":
		return Read // the VM's own counter, by which ages are set
	case f.Type == typeLong:
		return ReadTime
	}
	return Unread
}

// threadNumbers are fields of threads that reports tell of.
var threadNumbers = []string{"daemon", "tid", "threadStatus"}

func ofThread(names []string) bool {
	return slices.Contains(names, "java.lang.Thread") || slices.Contains(names, "java.lang.Thread$FieldHolder")
}

// ofTable says whether the table of patterns or that of threads reads a field.
func (r *Redaction) ofTable(names []string, field string) bool {
	has := func(paths ...string) bool {
		return slices.ContainsFunc(paths, func(p string) bool {
			first, _, _ := strings.Cut(p, ".")
			if i := strings.IndexByte(first, '#'); i >= 0 {
				first = first[i+1:]
			}
			return first == field
		})
	}
	if q := r.table.Queue(names); q != nil && has(q.Fields()...) {
		return true
	}
	for _, o := range r.table.OwnersOf(names) {
		if has(o.Capacity, o.MaxThreads, o.MinThreads) {
			return true
		}
	}
	for _, l := range r.table.LimitsOf(names) {
		if has(l.Field) {
			return true
		}
	}
	if fields, ok := workers.Keep(names); ok && slices.Contains(fields, field) {
		return true
	}
	if _, ok := r.table.Via(names); ok && r.steps[field] {
		return true
	}
	return false
}

// holds says whether the instances of a class hold other objects, as a queue does.
func (r *Redaction) holds(class int) bool {
	return slices.ContainsFunc(r.heap.AllFields(class), func(f heapdump.Column) bool { return f.Type == typeObject })
}

// stampWords are the words of fields that hold a time by a clock of the VM, which
// their values do not tell.
var stampWords = wordSet("time nano nanos millis stamp timestamp created start started begin enqueued queued submitted arrival arrived received accepted")

// hasQueueWord says whether a field is named as a count, limit or index of a queue.
func hasQueueWord(name string) bool {
	for _, set := range []map[string]bool{countWords, capacityWords, headWords, tailWords, indexWords} {
		if hasWord(name, set) {
			return true
		}
	}
	return false
}

var indexWords = wordSet("index idx pos position cursor sequence mask thread pool ctl base top")

// Names are the names that reports print: of threads, pools and connectors. They are
// in the dump as texts like all others.
func (r *Redaction) Names() []string {
	set := map[string]bool{}
	for i := range r.heap.Threads {
		set[r.heap.Threads[i].Name] = true
	}
	for _, c := range r.heap.Classes {
		for _, o := range r.table.OwnersOf(line(r.heap, c.Index)) {
			if o.Named == "" {
				continue
			}
			for in := range r.heap.Instances(c.Index) {
				set[textAt(r.heap, in.ID, o.Named)] = true
			}
		}
	}
	delete(set, "")
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Arrays are the arrays of numbers in which queues keep their indices.
func (r *Redaction) Arrays() map[heapdump.ID]bool {
	out := map[heapdump.ID]bool{}
	for _, c := range r.heap.Classes {
		q := r.table.Queue(line(r.heap, c.Index))
		if q == nil || q.Indexes == "" {
			continue
		}
		for in := range r.heap.Instances(c.Index) {
			if id, ok := refFrom(r.heap, in, q.Indexes); ok && id != 0 {
				out[id] = true
			}
		}
	}
	return out
}

// NamesTime says whether a field is named as a time.
func NamesTime(field string) bool { return hasWord(field, stampWords) }
