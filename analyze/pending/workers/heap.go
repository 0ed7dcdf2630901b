package workers

import (
	"slices"
	"strings"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/stacks"
)

// memberRow is a class that ties a thread to its executor.
type memberRow struct{ class, thread, executor string }

// memberRows are the classes whose instances a reader should keep with these fields.
// The workers of an executor know both; a thread of a fork-join pool knows its pool.
var memberRows = []memberRow{
	{"java.util.concurrent.ThreadPoolExecutor$Worker", "thread", "this$0"},
	{"org.apache.tomcat.util.threads.ThreadPoolExecutor$Worker", "thread", "this$0"},
	{"java.util.concurrent.ForkJoinWorkerThread", "", "pool"},
}

// Keep says which fields of a class's instances [FromHeap] makes use of; names are
// the class and its superclasses.
func Keep(names []string) (fields []string, ok bool) {
	for _, r := range memberRows {
		if !slices.Contains(names, r.class) {
			continue
		}
		if r.thread != "" {
			fields = append(fields, r.thread)
		}
		return append(fields, r.executor), true
	}
	return nil, false
}

// FromHeap takes the threads of a heap dump. It tells no states and no locks; what a
// thread waits for is told by its stack.
func FromHeap(h *heapdump.Heap) Input {
	in := Input{
		Threads: make([]stacks.Thread, len(h.Threads)), Objects: make([]heapdump.ID, len(h.Threads)),
		Executors: map[heapdump.ID]string{},
	}
	index := map[heapdump.ID]int{}
	for i := range h.Threads {
		in.Threads[i], in.Objects[i] = fromHeap(&h.Threads[i]), h.Threads[i].ID
		index[h.Threads[i].ID] = i
	}
	in.Members = members(h, index, len(h.Threads))
	for _, id := range in.Members {
		if class, ok := h.ClassOf(id); id != 0 && ok {
			in.Executors[id] = h.Class(class).Name
		}
	}
	in.Locals = func(i int) []string { return localsOf(h, &h.Threads[i]) }
	return in
}

// nativeLine is how HPROF marks the line of a native frame.
const nativeLine = -3

func fromHeap(t *heapdump.Thread) stacks.Thread {
	out := stacks.Thread{Name: t.Name, Java: true, Daemon: t.Daemon, Virtual: t.Virtual, CPU: -1, Elapsed: -1, Allocated: -1}
	for _, f := range t.Frames {
		frame := stacks.Frame{Class: f.Class, Method: f.Method, File: f.Source, Line: max(f.Line, 0)}
		if f.Line == nativeLine {
			frame.File = "Native Method"
		}
		out.Frames = append(out.Frames, frame)
	}
	return out
}

// members finds each thread's executor by the instances that tie them.
func members(h *heapdump.Heap, index map[heapdump.ID]int, threads int) []heapdump.ID {
	out := make([]heapdump.ID, threads)
	for class := range h.Classes {
		for _, r := range memberRows {
			if !h.IsA(class, r.class) {
				continue
			}
			for in := range h.Instances(class) {
				thread := in.ID
				if r.thread != "" {
					thread, _ = in.Ref(r.thread)
				}
				executor, ok := in.Ref(r.executor)
				if i, known := index[thread]; known && ok {
					out[i] = executor
				}
			}
		}
	}
	return out
}

// plainLocals are classes of which every stack has objects, and which say nothing.
var plainLocals = map[string]bool{"java.lang.Class": true, "java.lang.String": true, "java.lang.Object": true}

// localsOf are the classes of the objects on a thread's stack, each once.
func localsOf(h *heapdump.Heap, t *heapdump.Thread) []string {
	seen := map[string]bool{}
	var out []string
	for _, l := range t.Locals {
		class, ok := h.ClassOf(l.ID)
		if !ok {
			continue
		}
		name := fold(h.Class(class).Name)
		if seen[name] || plainLocals[name] || strings.HasSuffix(name, "[]") || strings.HasSuffix(name, "$$Lambda") || h.IsA(class, "java.lang.Thread") {
			continue
		}
		seen[name] = true
		out = append(out, name)
	}
	return out
}
