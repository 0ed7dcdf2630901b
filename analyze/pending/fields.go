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

// follow goes along all fields of a path but the last and returns the object that
// has the last one, and its name.
func follow(h *heapdump.Heap, from heapdump.ID, path string) (heapdump.ID, string) {
	for {
		field, rest, more := strings.Cut(path, ".")
		if !more {
			return from, path
		}
		var ok bool
		if from, ok = refOf(h, from, field); !ok || from == 0 {
			return 0, ""
		}
		path = rest
	}
}

func refOf(h *heapdump.Heap, id heapdump.ID, field string) (heapdump.ID, bool) {
	in, ok := h.Instance(id)
	if !ok {
		return 0, false
	}
	c := column(in.Class, field)
	if c < 0 || in.Class.Columns[c].Type.Size() != 0 {
		return 0, false
	}
	return heapdump.ID(in.At(c)), true
}

// refAt returns the object at the end of a path, 0 for null, and whether the
// path could be followed.
func refAt(h *heapdump.Heap, from heapdump.ID, path string) (heapdump.ID, bool) {
	id, field := follow(h, from, path)
	if field == "" {
		return 0, false
	}
	return refOf(h, id, field)
}

// numberAt returns the number at the end of a path; "length" ends a path at an
// array.
func numberAt(h *heapdump.Heap, from heapdump.ID, path string) (int64, bool) {
	if path == "" {
		return 0, false
	}
	id, field := follow(h, from, path)
	if field == "" {
		return 0, false
	}
	if field == "length" {
		if a, ok := h.Array(id); ok {
			return a.Length, true
		}
	}
	in, ok := h.Instance(id)
	if !ok {
		return 0, false
	}
	c := column(in.Class, field)
	if c < 0 || in.Class.Columns[c].Type.Size() == 0 {
		return 0, false
	}
	return int64(in.At(c)), true
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
