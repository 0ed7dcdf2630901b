package hprof

import (
	"math/bits"
	"strings"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/layout"
)

// rowMode is what becomes of the instances of a class.
type rowMode uint8

const (
	rowsNone rowMode = iota
	rowsTry          // kept until there are many, then decided by what they hold
	rowsKeep
)

// column is where the value of a kept field is in an instance record.
type column struct {
	off  uint32
	typ  heapdump.Type
	size uint8
}

// classView is what going through objects needs of a class.
type classView struct {
	mode rowMode
	// size is the length of the fields of an instance in the file.
	size    uint32
	columns []column
	link    linkView
}

// view is what the goroutines that go through objects know of the dump. It does
// not change; decisions make a new one.
type view struct {
	form    *form
	table   table
	classes []classView
	arrays  [12]int32 // classes of primitive arrays by element type
	// now is the time of the dump, epoch ms.
	now int64
	// sample is the bound of hashes of contents that are sampled.
	sample uint64
	// big is the length in bytes above which arrays are among the biggest, by
	// whether they are of objects.
	big [2]uint64
	// values says that contents may be kept.
	values bool
}

// table finds classes by identifier: open addressing, as it is asked once for
// every object.
type table struct {
	slots []slot
	shift uint8
}

type slot struct {
	key   uint64
	value int32
}

func newTable(at map[uint64]int32) table {
	n := bits.Len(uint(max(8, 2*len(at))))
	t := table{slots: make([]slot, 1<<n), shift: uint8(64 - n)}
	for i := range t.slots {
		t.slots[i].value = -1
	}
	for key, value := range at {
		i := t.home(key)
		for t.slots[i].value >= 0 {
			i = (i + 1) & uint64(len(t.slots)-1)
		}
		t.slots[i] = slot{key, value}
	}
	return t
}

// hashFactor spreads identifiers: 2^64 divided by the golden ratio.
const hashFactor = 0x9e3779b97f4a7c15

func (t *table) home(key uint64) uint64 { return (key * hashFactor) >> t.shift }

// find is the class with an identifier, -1 for none.
func (t *table) find(key uint64) int32 {
	i := t.home(key)
	for {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if s.key == key || s.value < 0 {
			return s.value
		}
		i++
	}
}

// seal makes the view of the classes so far, asking of each new one what to keep.
// A class whose superclass is still to come is left out unless force is set: its
// instances are kept back, as their fields cannot be told apart yet.
func (r *reader) seal(force bool) {
	g := r.classes
	g.link()
	for t, name := range primitiveArrays {
		if name != "" {
			g.primitive(heapdump.Type(t))
		}
	}
	heap := &heapdump.Heap{Format: r.heap.Format, IDSize: r.heap.IDSize, Taken: r.heap.Taken, Classes: g.models()}
	heap.Seal()
	var strengths []graph.Strength
	if r.o.Graph != nil {
		strengths = graph.Strengths(heap)
	}
	v := *r.view
	v.arrays = g.arrays
	v.classes = append(make([]classView, 0, len(g.list)), v.classes...)
	ready := make(map[uint64]int32, len(g.at))
	for i, c := range g.list {
		if i >= len(v.classes) {
			v.classes = append(v.classes, classView{})
			r.decided = append(r.decided, false)
		}
		if !force && !g.known(i) {
			continue
		}
		if id := uint64(c.model.ID); id != 0 || !c.model.Undescribed {
			ready[id] = int32(i)
		}
		if !r.decided[i] && !c.model.Undescribed {
			r.decided[i] = true
			v.classes[i] = r.decide(heap, i, strengths)
		}
	}
	v.table = newTable(ready)
	r.view = &v
}

// decide asks what to keep of a class and finds where its fields are.
func (r *reader) decide(heap *heapdump.Heap, i int, strengths []graph.Strength) classView {
	m := heap.Classes[i]
	all := heap.AllFields(i)
	cv := classView{}
	offsets := make([]uint32, len(all))
	for k, f := range all {
		offsets[k] = cv.size
		cv.size += uint32(r.form.width(f.Type))
	}
	if strengths != nil {
		cv.link = r.linkView(m, all, offsets, strengths[i])
	}
	if m.IsArray() {
		if m.Element == 2 {
			cv.mode = rowsTry // for arrays of less than minSlots slots
		}
		return cv
	}
	keep := heapdump.Keep{}
	if r.o.Keep != nil {
		keep = r.o.Keep(heap, i)
	}
	keep = ownKeep(heap, i, keep)
	switch keep.Mode {
	case heapdump.KeepNothing:
		return cv
	case heapdump.KeepAuto:
		cv.mode = rowsTry
		if linked(all) {
			cv.mode = rowsKeep
		}
	default:
		cv.mode = rowsKeep
	}
	m.Columns = nil
	for k, f := range all {
		if keep.Mode == heapdump.KeepFields && !wanted(keep.Fields, f) {
			continue
		}
		m.Columns = append(m.Columns, f)
		cv.columns = append(cv.columns, column{offsets[k], f.Type, uint8(r.form.width(f.Type))})
	}
	return cv
}

func wanted(fields []string, c heapdump.Column) bool {
	for _, f := range fields {
		if f == c.Name || f == c.Class+"#"+c.Name {
			return true
		}
	}
	return false
}

// ownKeep adds what the reader needs itself: threads for their names, and
// strings to find the texts.
func ownKeep(heap *heapdump.Heap, i int, keep heapdump.Keep) heapdump.Keep {
	if keep.Mode == heapdump.KeepWhole {
		return keep
	}
	name := heap.Classes[i].Name
	switch {
	case name == "java.lang.String":
		own := []string{"value", "coder", "offset", "count"}
		return heapdump.Keep{Mode: heapdump.KeepFields, Fields: append(own, keep.Fields...)}
	case name == layout.StackChunk:
		return heapdump.Keep{Mode: heapdump.KeepFields, Fields: append([]string{stackWords}, keep.Fields...)}
	case heap.IsA(i, "java.lang.Thread") || name == "java.lang.Thread$FieldHolder":
		return heapdump.Keep{Mode: heapdump.KeepWhole}
	case keep.Mode == heapdump.KeepAuto && counters[name]:
		return heapdump.Keep{Mode: heapdump.KeepWhole}
	case keep.Mode == heapdump.KeepAuto && entries[name]:
		return heapdump.Keep{Mode: heapdump.KeepNothing}
	}
	return keep
}

// counters hold the lengths of queues and are small.
var counters = map[string]bool{
	"java.util.concurrent.atomic.AtomicInteger": true,
	"java.util.concurrent.atomic.AtomicLong":    true,
}

// entries have links and are no queues.
var entries = map[string]bool{
	"java.util.HashMap$Node": true, "java.util.HashMap$TreeNode": true, "java.util.LinkedHashMap$Entry": true,
	"java.util.Hashtable$Entry": true, "java.util.TreeMap$Entry": true, "java.util.WeakHashMap$Entry": true,
	"java.util.concurrent.ConcurrentHashMap$Node": true, "java.util.concurrent.ConcurrentHashMap$TreeNode": true,
	"java.lang.ref.WeakReference": true, "java.lang.ref.SoftReference": true,
}

// linked says whether fields look by name as if instances form a chain or carry
// times: then all are kept from the first.
func linked(fields []heapdump.Column) bool {
	for _, f := range fields {
		name := strings.ToLower(f.Name)
		switch {
		case f.Type == 2 && (name == "next" || name == "_next" || name == "nextnode" || name == "link"):
			return true
		case f.Type == 11:
			for _, word := range times {
				if strings.Contains(name, word) {
					return true
				}
			}
		}
	}
	return false
}

// times are parts of the names of fields that hold times.
var times = []string{"time", "stamp", "nano", "millis", "created", "start", "queued", "arriv", "deadline", "received", "accept"}
