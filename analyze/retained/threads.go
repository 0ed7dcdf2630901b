package retained

import (
	"cmp"
	"slices"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
)

// localMap is the class of what holds a thread's thread-local variables.
const localMap = "java.lang.ThreadLocal$ThreadLocalMap"

// threadRows are the threads that hold most, how many there are, and what the
// thread-local variables of all retain.
func (j *judge) threadRows() (rows []Thread, count, locals int64) {
	type thread struct {
		name string
		rank graph.Rank
	}
	var all []thread
	seen := map[heapdump.ID]bool{}
	for _, t := range j.h.Threads {
		if r, ok := j.g.Rank(t.ID); ok && !seen[t.ID] && j.g.Reachable(r) {
			seen[t.ID] = true
			all = append(all, thread{t.Name, r})
			locals += j.localsOf(r)
		}
	}
	slices.SortStableFunc(all, func(a, b thread) int {
		return cmp.Or(cmp.Compare(j.g.Retained(b.rank), j.g.Retained(a.rank)), cmp.Compare(a.rank, b.rank))
	})
	rows = []Thread{}
	for _, t := range all[:min(len(all), j.o.Rows)] {
		rows = append(rows, j.threadRow(t.name, t.rank))
	}
	return rows, int64(len(all)), locals
}

// localsOf is what the thread-local variables of a thread retain.
func (j *judge) localsOf(thread graph.Rank) (bytes int64) {
	for c := range j.g.Children(thread) {
		if j.h.IsA(j.g.Class(c), localMap) {
			bytes += j.g.Retained(c)
		}
	}
	return bytes
}

func (j *judge) threadRow(name string, r graph.Rank) Thread {
	row := Thread{Name: name, Retained: j.g.Retained(r), HeapShare: j.share(j.g.Retained(r)), Locals: j.localsOf(r)}
	for _, c := range j.g.LargestChildren(r, 3) { // a thread has two maps of locals at most
		if !j.h.IsA(j.g.Class(c), localMap) {
			o := j.object(c, false)
			row.Largest = &o
			break
		}
	}
	return row
}
