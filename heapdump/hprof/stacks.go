package hprof

import (
	"cmp"
	"slices"

	"example.com/kneeline/heapdump"
)

// stacks are the stack frames and stacks of a dump as their records come, with
// what roots say of threads.
type stacks struct {
	frames  []frameRecord
	traces  []traceRecord
	calls   []uint64 // frames of all traces
	serials map[uint32]uint64
	given   int // frames given to threads
	lost    int64

	roots  []threadRoot
	locals []localRoot
	// over counts threads and locals beyond the limits.
	over int64
}

type frameRecord struct {
	id, method, source uint64
	class              uint32
	line               int32
}

type traceRecord struct {
	serial, thread uint32
	from, n        uint32
}

// class notes which class a serial number stands for.
func (s *stacks) class(serial uint32, id uint64) {
	if s.serials == nil {
		s.serials = map[uint32]uint64{}
	}
	if len(s.serials) < maxClasses {
		s.serials[serial] = id
	}
}

func (s *stacks) frame(f *form, b []byte) {
	if len(s.frames) >= maxFrames {
		s.lost++
		return
	}
	ids := f.ids
	s.frames = append(s.frames, frameRecord{
		id: f.id(b), method: f.id(b[ids:]), source: f.id(b[3*ids:]),
		class: be.Uint32(b[4*ids:]), line: int32(be.Uint32(b[4*ids+4:])),
	})
}

func (s *stacks) trace(f *form, b []byte) {
	claimed := int64(be.Uint32(b[8:]))
	n := int(min(claimed, int64((len(b)-12)/f.ids)))
	if int64(n) < claimed {
		s.lost++
	}
	if n == 0 {
		return
	}
	if len(s.traces) >= maxTraces || len(s.calls)+n > 4*maxFrames {
		s.lost++
		return
	}
	s.traces = append(s.traces, traceRecord{be.Uint32(b), be.Uint32(b[4:]), uint32(len(s.calls)), uint32(n)})
	for i := range n {
		s.calls = append(s.calls, f.id(b[12+i*f.ids:]))
	}
}

// take takes the roots of a chunk that name threads.
func (s *stacks) take(f *found) {
	n := min(len(f.threads), maxThreads-len(s.roots))
	s.roots = append(s.roots, f.threads[:n]...)
	m := min(len(f.locals), maxLocals-len(s.locals))
	s.locals = append(s.locals, f.locals[:m]...)
	s.over += int64(len(f.threads) - n + len(f.locals) - m)
}

// threads puts threads together: roots give object, serial and stack; without
// roots, as in a dump that was cut, stacks alone or thread objects alone.
func (r *reader) threads() []heapdump.Thread {
	s := &r.stacks
	slices.SortStableFunc(s.frames, func(a, b frameRecord) int { return cmp.Compare(a.id, b.id) })
	slices.SortStableFunc(s.traces, func(a, b traceRecord) int { return cmp.Compare(a.serial, b.serial) })
	var out []heapdump.Thread
	at := map[uint32]int{}
	objects := map[uint64]int{}
	for _, root := range s.roots {
		if i, ok := objects[root.id]; ok {
			// Newer dumps may name a thread twice.
			at[root.serial] = i
			if len(out[i].Frames) == 0 {
				out[i].Frames = r.stack(root.trace)
			}
			continue
		}
		objects[root.id] = len(out)
		at[root.serial] = len(out)
		out = append(out, heapdump.Thread{
			Serial: root.serial, ID: heapdump.ID(root.id), Class: -1, Frames: r.stack(root.trace),
		})
	}
	if len(out) == 0 {
		out = r.rootless(at)
	}
	for _, l := range s.locals {
		if i, ok := at[l.serial]; ok {
			out[i].Locals = append(out[i].Locals, heapdump.Local{ID: heapdump.ID(l.id), Frame: l.frame})
		}
	}
	for i := range out {
		r.describe(&out[i])
	}
	slices.SortStableFunc(out, func(a, b heapdump.Thread) int { return cmp.Compare(a.Serial, b.Serial) })
	return out
}

// rootless are the threads of a dump without thread roots.
func (r *reader) rootless(at map[uint32]int) []heapdump.Thread {
	var out []heapdump.Thread
	for _, t := range r.stacks.traces {
		if _, ok := at[t.thread]; ok || t.thread == 0 {
			continue
		}
		at[t.thread] = len(out)
		out = append(out, heapdump.Thread{Serial: t.thread, Class: -1, Frames: r.stack(t.serial)})
	}
	if len(out) > 0 {
		return out
	}
	for _, c := range r.heap.Classes {
		if !r.heap.IsA(c.Index, "java.lang.Thread") {
			continue
		}
		for in := range r.heap.Instances(c.Index) {
			// eetop is the VM's own thread: 0 before the start and after the end.
			if alive, ok := in.Long("eetop"); ok && alive != 0 && len(out) < maxThreads {
				out = append(out, heapdump.Thread{Serial: uint32(len(out) + 1), ID: in.ID, Class: -1})
			}
		}
	}
	return out
}

// describe fills in what the thread's object says.
func (r *reader) describe(t *heapdump.Thread) {
	class, ok := r.heap.ClassOf(t.ID)
	if !ok {
		return
	}
	t.Class = class
	t.Virtual = r.heap.IsA(class, "java.lang.BaseVirtualThread")
	in, ok := r.heap.Instance(t.ID)
	if !ok {
		return
	}
	name, ok := in.Ref("java.lang.Thread#name")
	if !ok {
		name, _ = in.Ref("name")
	}
	t.Name, _ = r.heap.Text(name)
	if t.Daemon, ok = in.Bool("java.lang.Thread#daemon"); !ok {
		if holder, found := in.Ref("java.lang.Thread#holder"); found {
			if h, found := r.heap.Instance(holder); found {
				t.Daemon, _ = h.Bool("daemon")
			}
		}
	}
}

// stack is a stack by its serial number.
func (r *reader) stack(serial uint32) []heapdump.Frame {
	s := &r.stacks
	i, ok := slices.BinarySearchFunc(s.traces, serial, func(t traceRecord, serial uint32) int {
		return cmp.Compare(t.serial, serial)
	})
	if !ok {
		return nil
	}
	t := s.traces[i]
	if s.given += int(t.n); s.given > 4*maxFrames {
		s.lost++ // many threads that share one long stack
		return nil
	}
	out := make([]heapdump.Frame, 0, t.n)
	for _, id := range s.calls[t.from : t.from+t.n] {
		k, ok := slices.BinarySearchFunc(s.frames, id, func(f frameRecord, id uint64) int { return cmp.Compare(f.id, id) })
		if !ok {
			out = append(out, heapdump.Frame{Line: -1})
			continue
		}
		f := s.frames[k]
		frame := heapdump.Frame{Line: f.line}
		frame.Method, _ = r.names.get(f.method)
		frame.Source, _ = r.names.get(f.source)
		if id, ok := s.serials[f.class]; ok {
			frame.Class, _ = r.classes.className(id)
		}
		out = append(out, frame)
	}
	return out
}
