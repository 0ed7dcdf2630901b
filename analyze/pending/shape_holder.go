package pending

import (
	"strings"

	"example.com/kneeline/heapdump"
)

// number is a whole number that a holder keeps, itself or in an atomic or padded
// object of its own.
type number struct {
	name  string
	value int64
}

// numbersOf returns the numbers of an object.
func numbersOf(h *heapdump.Heap, in heapdump.Instance) []number {
	var out []number
	for i, col := range in.Class.Columns {
		v := in.At(i)
		switch col.Type {
		case typeInt, typeLong, typeShort:
			out = append(out, number{col.Name, int64(v)})
		case typeObject:
			if n, ok := counterValue(h, heapdump.ID(v)); ok {
				out = append(out, number{col.Name, n})
			}
		}
	}
	return out
}

const typeShort heapdump.Type = 9

// counterValue reads an object that is there for one number: AtomicInteger,
// AtomicLong, and the padded sequences of ring buffers, whose field has the same
// name.
func counterValue(h *heapdump.Heap, id heapdump.ID) (int64, bool) {
	in, ok := h.Instance(id)
	if !ok {
		return 0, false
	}
	switch n := in.Class.Name; {
	case isCounter(n):
		return in.Long("value")
	case n == "java.util.concurrent.atomic.LongAdder":
		// What threads that met have added lies in cells; without such it is all here.
		if cells, _ := in.Ref("cells"); cells == 0 {
			return in.Long("base")
		}
	}
	return 0, false
}

// isCounter says whether a class is there for one number.
func isCounter(class string) bool {
	return strings.HasSuffix(class, "AtomicInteger") || strings.HasSuffix(class, "AtomicLong") || strings.HasSuffix(class, "Sequence") || strings.HasSuffix(class, "Counter")
}

// capacityOf returns the number that limits a queue of n entries: one that is
// named so and not below it.
func capacityOf(numbers []number, n int64) *int64 {
	for _, x := range numbers {
		if x.value >= n && x.value > 0 && hasWord(x.name, capacityWords) {
			return &x.value
		}
	}
	return nil
}

// countOf returns the number that counts n entries, a named one first. A
// capacity that happens to be equal is none, nor is the place of the tail, which
// is equal while the head has not moved.
func countOf(numbers []number, n int64) *int64 {
	var any *int64
	for _, x := range numbers {
		if x.value != n || hasWord(x.name, capacityWords) || hasWord(x.name, tailWords) && !hasWord(x.name, countWords) {
			continue
		}
		if hasWord(x.name, countWords) {
			return &x.value
		}
		if any == nil {
			any = &x.value
		}
	}
	return any
}

// refColumns are the columns of a class that hold references.
func refColumns(c *heapdump.Class) []int {
	var out []int
	for i := range c.Columns {
		if c.Columns[i].Type == typeObject {
			out = append(out, i)
		}
	}
	return out
}

// isHolder reports whether objects of a class may be the queue around an array
// or a chain: not of the Java library, whose queues the table knows, and few.
func isHolder(c *heapdump.Class) bool {
	return c.Kept > 0 && c.Kept <= maxHolders && !ofJDK(c.Name)
}
