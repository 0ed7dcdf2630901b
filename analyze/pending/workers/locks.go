package workers

import "example.com/kneeline/heapdump/stacks"

// holding is who holds what.
type holding struct {
	threads []stacks.Thread
	// byObject is the index of the thread that holds an object, byID that of a thread.
	byObject map[string]int
	byID     map[int64]int
}

// holdersOf finds who holds each object. A thread in Object.wait, or waiting to lock
// again after it, has let go of the monitor although its frame shows it as locked.
func holdersOf(threads []stacks.Thread) holding {
	h := holding{threads: threads, byObject: map[string]int{}, byID: map[int64]int{}}
	for i := range threads {
		if id := threads[i].ID; id != 0 {
			h.byID[id] = i
		}
		released := map[string]bool{}
		for _, l := range threads[i].Locks {
			if l.Kind == stacks.WaitingOn || l.Kind == stacks.Entering {
				released[l.Object] = true
			}
		}
		for _, l := range threads[i].Locks {
			if (l.Kind == stacks.Locked || l.Kind == stacks.Owns) && l.Object != "" && !released[l.Object] {
				h.byObject[l.Object] = i
			}
		}
	}
	return h
}

// of is the thread that holds a lock, where the dump tells it.
func (h holding) of(l *stacks.Lock) (int, bool) {
	if i, ok := h.byID[l.Owner]; ok && l.Owner != 0 {
		return i, true
	}
	i, ok := h.byObject[l.Object]
	return i, ok && l.Object != ""
}

// deadlocksOf finds the circles of threads that wait for each other's locks, beside
// those that the virtual machine reports: its report leaves out virtual threads, and
// the JSON of Thread.dump_to_file has none.
func deadlocksOf(in Input, holders holding) []stacks.Deadlock {
	out := append([]stacks.Deadlock(nil), in.Deadlocks...)
	known := map[string]bool{}
	for _, d := range out {
		for _, w := range d.Waits {
			known[w.Thread] = true
		}
	}
	next := func(i int) (int, *stacks.Lock) {
		l := wanted(&in.Threads[i])
		if l == nil || l.Kind == stacks.WaitingOn {
			return -1, nil
		}
		if h, ok := holders.of(l); ok && h != i {
			return h, l
		}
		return -1, nil
	}
	// 0 not seen, else the number of the walk that came by.
	seen := make([]int, len(in.Threads))
	for start := range in.Threads {
		at := start
		for at >= 0 && seen[at] == 0 {
			seen[at] = start + 1
			at, _ = next(at)
		}
		if at < 0 || seen[at] != start+1 || known[in.Threads[at].Name] {
			continue
		}
		var d stacks.Deadlock
		for i := at; ; {
			to, l := next(i)
			d.Waits = append(d.Waits, stacks.Wait{Thread: in.Threads[i].Name, Holder: in.Threads[to].Name, Object: l.Object, Class: l.Class})
			if i = to; i == at {
				break
			}
		}
		out = append(out, d)
	}
	return out
}
