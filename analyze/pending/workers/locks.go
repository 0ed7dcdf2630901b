package workers

import "example.com/kneeline/heapdump/stacks"

// holdersOf finds who holds each object. A thread in Object.wait, or waiting to lock
// again after it, has let go of the monitor although its frame shows it as locked.
func holdersOf(threads []stacks.Thread) map[string]int {
	holders := map[string]int{}
	for i := range threads {
		released := map[string]bool{}
		for _, l := range threads[i].Locks {
			if l.Kind == stacks.WaitingOn || l.Kind == stacks.Entering {
				released[l.Object] = true
			}
		}
		for _, l := range threads[i].Locks {
			if (l.Kind == stacks.Locked || l.Kind == stacks.Owns) && l.Object != "" && !released[l.Object] {
				holders[l.Object] = i
			}
		}
	}
	return holders
}

// holder is the thread that holds a lock, where the dump tells it.
func (a *analysis) holder(l *stacks.Lock) (int, bool) {
	return holderOf(a.in.Threads, a.holders, l)
}

func holderOf(threads []stacks.Thread, holders map[string]int, l *stacks.Lock) (int, bool) {
	if l.Owner != 0 {
		for i := range threads {
			if threads[i].ID == l.Owner {
				return i, true
			}
		}
	}
	i, ok := holders[l.Object]
	return i, ok && l.Object != ""
}

// deadlocksOf finds the circles of threads that wait for each other's locks, beside
// those that the virtual machine reports: its report leaves out virtual threads, and
// the JSON of Thread.dump_to_file has none.
func deadlocksOf(in Input, holders map[string]int) []stacks.Deadlock {
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
		if h, ok := holderOf(in.Threads, holders, l); ok && h != i {
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
