package pending

import (
	"strings"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// owner is who holds a queue.
type owner struct {
	row    *pattern.Owner // nil where the table has none
	class  *heapdump.Class
	id     heapdump.ID // 0 for a static field
	field  string
	static bool
}

// owners are the holders of queues, by the address of the queue.
type owners map[heapdump.ID]owner

// ownersByTable finds the queues that the table's owners hold.
func ownersByTable(h *heapdump.Heap, t *pattern.Table) owners {
	found := owners{}
	for i, c := range h.Classes {
		if c.Kept == 0 {
			continue
		}
		rows := t.OwnersOf(line(h, i))
		if len(rows) == 0 {
			continue
		}
		for in := range h.Instances(i) {
			for _, row := range rows {
				id, ok := refFrom(h, in, row.Field)
				if !ok || id == 0 {
					continue
				}
				held := []heapdump.ID{id}
				if row.Each {
					a, _ := h.Array(id)
					held = a.Refs
				}
				for _, id := range held {
					// A holder with a name tells more: a Spring executor than the pool in it.
					if old, taken := found[id]; id != 0 && (!taken || old.row.Named == "" && row.Named != "") {
						found[id] = owner{row: row, class: c, id: in.ID, field: row.Field}
					}
				}
			}
		}
	}
	return found
}

// maxHolders bounds the instances of one class that are looked through for the
// holder of a queue. Holders of queues are few; what there are many of holds
// entries.
const maxHolders = 20000

// complete finds holders for the queues in wanted that have none: static fields
// first, then any kept object that refers to one. A class of the JDK is taken
// only where nothing else holds the queue.
func (o owners) complete(h *heapdump.Heap, wanted map[heapdump.ID]bool) {
	for id := range wanted {
		if _, ok := o[id]; ok {
			delete(wanted, id)
		}
	}
	if len(wanted) == 0 {
		return
	}
	for _, c := range h.Classes {
		for _, s := range c.Statics {
			if s.Type.Size() == 0 && wanted[heapdump.ID(s.Value)] {
				o.take(heapdump.ID(s.Value), owner{class: c, field: s.Name, static: true})
			}
		}
	}
	for i, c := range h.Classes {
		var refs []int
		for col := range c.Columns {
			if c.Columns[col].Type.Size() == 0 {
				refs = append(refs, col)
			}
		}
		if len(refs) == 0 || c.Kept == 0 || c.Kept > maxHolders {
			continue
		}
		for in := range h.Instances(i) {
			for _, col := range refs {
				if id := heapdump.ID(in.At(col)); wanted[id] && id != in.ID && !partOf(h, c, id) {
					o.take(id, owner{class: c, id: in.ID, field: c.Columns[col].Name})
				}
			}
		}
	}
}

// partOf reports whether a class is declared inside that of an object: it refers
// to it because it belongs to it, and not the other way round.
func partOf(h *heapdump.Heap, c *heapdump.Class, id heapdump.ID) bool {
	class, ok := h.ClassOf(id)
	return ok && strings.HasPrefix(c.Name, h.Class(class).Name+"$")
}

// take keeps the more telling of two holders.
func (o owners) take(id heapdump.ID, new owner) {
	if old, ok := o[id]; ok && rank(old) >= rank(new) {
		return
	}
	o[id] = new
}

// rank orders holders: an application's field, its static field, one of the JDK.
func rank(o owner) int {
	switch {
	case ofJDK(o.class.Name):
		return 0
	case o.static:
		return 2
	}
	return 3
}
