package retained

import (
	"fmt"
	"strings"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
)

// className is the name of a class as people read it.
func (j *judge) className(class int) string {
	if c := j.h.Class(class); c != nil {
		return c.Display
	}
	return "unknown class"
}

// object describes one object; counted asks for its children too.
func (j *judge) object(r graph.Rank, counted bool) Object {
	g := j.g
	o := Object{
		Class: j.className(g.Class(r)), Name: j.threads[r], Address: fmt.Sprintf("%#x", uint64(g.ID(r))), ID: g.ID(r),
		Shallow: g.Shallow(r), Retained: g.Retained(r), HeapShare: j.share(g.Retained(r)),
	}
	if class, ok := g.Described(r); ok {
		o.Name = j.className(class)
	}
	if kinds := g.RootHolds(r); kinds != 0 {
		o.Roots = kinds.String()
	}
	if counted {
		n := int64(0)
		for range g.Children(r) {
			n++
		}
		o.Children = &n
	}
	return o
}

func (j *judge) objects(ranks []graph.Rank, counted bool) []Object {
	out := make([]Object, len(ranks))
	for i, r := range ranks {
		out[i] = j.object(r, counted)
	}
	return out
}

// path describes the objects of a path with the fields that lead to them, where
// they are known.
func (j *judge) path(steps []graph.Step) []Object {
	out := make([]Object, len(steps))
	for i, s := range steps {
		out[i] = j.object(s.Rank, false)
		if s.Strength != 0 {
			out[i].Strength = s.Strength.String()
		}
		switch {
		case i == 0:
		case s.Class:
			out[i].Field = "<class>"
		default:
			out[i].Field = j.fields.between(j.g.ID(steps[i-1].Rank), j.g.ID(s.Rank))
		}
	}
	return out
}

// fields finds by which field an object holds another. Kept objects alone tell.
type fields struct{ h *heapdump.Heap }

func (f fields) between(from, to heapdump.ID) string {
	if name := f.local(from, to); name != "" {
		return name
	}
	if in, ok := f.h.Instance(from); ok {
		for i, c := range in.Class.Columns {
			if c.Type.Size() == 0 && heapdump.ID(in.At(i)) == to {
				return c.Name
			}
		}
	}
	if a, ok := f.h.Array(from); ok {
		for i, id := range a.Refs {
			if id == to {
				return fmt.Sprintf("[%d]", int64(i)*a.Step)
			}
		}
	}
	for _, c := range f.h.Classes {
		if c.ID != from {
			continue
		}
		for _, s := range c.Statics {
			if s.Type.Size() == 0 && heapdump.ID(s.Value) == to {
				return s.Name
			}
		}
	}
	return ""
}

// local is the frame of a thread that holds an object.
func (f fields) local(thread, to heapdump.ID) string {
	for i := range f.h.Threads {
		t := &f.h.Threads[i]
		if t.ID != thread {
			continue
		}
		for _, l := range t.Locals {
			if l.ID != to {
				continue
			}
			if l.Frame >= 0 && int(l.Frame) < len(t.Frames) {
				frame := t.Frames[l.Frame]
				return "local of " + frame.Class[strings.LastIndexByte(frame.Class, '.')+1:] + "." + frame.Method
			}
			return "local"
		}
	}
	return ""
}
