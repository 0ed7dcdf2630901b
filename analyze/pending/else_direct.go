package pending

import (
	"fmt"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/internal/units"
)

// direct is the memory of buffers outside the heap. A process dies of it as well,
// and no byte of it is in the dump.
type direct struct {
	// of says whose account it is.
	of string
	// count is how many buffers there are, 0 where the account has none.
	count int64
	// bytes are reserved, limit is how many may be, 0 where it is not known.
	bytes, limit int64
}

// directAccounts are the static fields in which direct memory is counted: those
// of java.nio.Bits (OpenJDK 8, and 9 and later), and of Netty, which allocates
// without them (netty/netty, common, io.netty.util.internal.PlatformDependent).
var directAccounts = []struct {
	of, class, bytes, count, limit string
}{
	{"java.nio", "java.nio.Bits", "RESERVED_MEMORY", "COUNT", "MAX_MEMORY"},
	{"java.nio", "java.nio.Bits", "reservedMemory", "count", "maxMemory"},
	{"Netty", "io.netty.util.internal.PlatformDependent", "DIRECT_MEMORY_COUNTER", "", "DIRECT_MEMORY_LIMIT"},
}

// directOf returns the accounts of direct memory that the heap has.
func directOf(h *heapdump.Heap) []direct {
	var out []direct
	for _, a := range directAccounts {
		for _, index := range h.ClassNamed(a.class) {
			c := h.Class(index)
			bytes, ok := staticNumber(h, c, a.bytes)
			if !ok || bytes <= 0 {
				continue
			}
			d := direct{of: a.of, bytes: bytes}
			d.count, _ = staticNumber(h, c, a.count)
			d.limit, _ = staticNumber(h, c, a.limit)
			out = append(out, d)
		}
	}
	return out
}

// staticNumber returns the number of a static field, itself or in an atomic.
func staticNumber(h *heapdump.Heap, c *heapdump.Class, name string) (int64, bool) {
	for _, s := range c.Statics {
		if name == "" || s.Name != name {
			continue
		}
		switch s.Type {
		case typeInt, typeLong:
			return int64(s.Value), true
		case typeObject:
			return counterValue(h, heapdump.ID(s.Value))
		}
	}
	return 0, false
}

// worthTelling is the share of the heap, or of what is allowed, from which memory
// outside it is told.
const worthTelling = 0.1

// sentence says how much there is; empty where it does not matter.
func (d direct) sentence(heap int64) string {
	full := d.limit > 0 && float64(d.bytes) >= (1-worthTelling)*float64(d.limit)
	if float64(d.bytes) < worthTelling*float64(heap) && !full {
		return ""
	}
	what := "direct buffers of " + d.of
	if d.count > 0 {
		what = units.Count(d.count) + " " + what
	}
	s := fmt.Sprintf("%s take %s outside the heap, which is in no figure here", what, units.Size(d.bytes))
	if d.limit > 0 {
		s += fmt.Sprintf("; %s are allowed", units.Size(d.limit))
	}
	return s
}
