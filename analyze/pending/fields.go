package pending

import (
	"strings"

	"example.com/kneeline/heapdump"
)

// line returns the name of a class and those of its superclasses, nearest first.
func line(h *heapdump.Heap, class int) []string {
	var out []string
	for range maxSupers {
		c := h.Class(class)
		if c == nil {
			break
		}
		out = append(out, c.Name)
		class = c.Super
	}
	return out
}

// maxSupers bounds how far superclasses are followed; a hostile dump may have a
// circle of them.
const maxSupers = 100

// column finds a field of a class; it may be qualified by the last part of the
// name of the class that declares it, as in PoolBase#poolName.
func column(c *heapdump.Class, field string) int {
	class, name, ok := strings.Cut(field, "#")
	if !ok {
		return c.Column(field)
	}
	for i := range c.Columns {
		if col := &c.Columns[i]; col.Name == name && (col.Class == class || strings.HasSuffix(col.Class, "."+class) || strings.HasSuffix(col.Class, "$"+class)) {
			return i
		}
	}
	return -1
}

// refIn is the object that a field of an instance refers to, 0 for null; false
// when it has no such reference.
func refIn(in heapdump.Instance, field string) (heapdump.ID, bool) {
	c := column(in.Class, field)
	if c < 0 || in.Class.Columns[c].Type.Size() != 0 {
		return 0, false
	}
	return heapdump.ID(in.At(c)), true
}

// refFrom returns the object at the end of a path that begins at an instance, 0
// for null, and whether the path could be followed.
func refFrom(h *heapdump.Heap, in heapdump.Instance, path string) (heapdump.ID, bool) {
	for {
		field, rest, more := strings.Cut(path, ".")
		id, ok := refIn(in, field)
		if !more {
			return id, ok
		}
		if in, ok = h.Instance(id); !ok {
			return 0, false
		}
		path = rest
	}
}

// refAt is [refFrom] for who has the address alone.
func refAt(h *heapdump.Heap, from heapdump.ID, path string) (heapdump.ID, bool) {
	in, ok := h.Instance(from)
	if !ok {
		return 0, false
	}
	return refFrom(h, in, path)
}

// numberFrom returns the number at the end of a path that begins at an instance;
// "length" ends a path at an array.
func numberFrom(h *heapdump.Heap, in heapdump.Instance, path string) (int64, bool) {
	if path == "" {
		return 0, false
	}
	for {
		field, rest, more := strings.Cut(path, ".")
		if !more {
			c := column(in.Class, field)
			if c < 0 || in.Class.Columns[c].Type.Size() == 0 {
				return 0, false
			}
			return int64(in.At(c)), true
		}
		id, ok := refIn(in, field)
		if !ok {
			return 0, false
		}
		if rest == "length" {
			if a, ok := h.ArrayHead(id); ok {
				return a.Length, true
			}
		}
		if in, ok = h.Instance(id); !ok {
			return 0, false
		}
		path = rest
	}
}

// numberAt is [numberFrom] for who has the address alone.
func numberAt(h *heapdump.Heap, from heapdump.ID, path string) (int64, bool) {
	if path == "" {
		return 0, false
	}
	in, ok := h.Instance(from)
	if !ok {
		return 0, false
	}
	return numberFrom(h, in, path)
}

// textAt returns the text of a string at the end of a path.
func textAt(h *heapdump.Heap, from heapdump.ID, path string) string {
	if path == "" {
		return ""
	}
	id, ok := refAt(h, from, path)
	if !ok || id == 0 {
		return ""
	}
	text, _ := h.Text(id)
	return text
}

// display is the name of a class for people, with lambdas of one class folded.
func display(c *heapdump.Class) string {
	if c == nil {
		return "unknown class"
	}
	if c.Display != "" {
		return c.Display
	}
	return c.Name
}
