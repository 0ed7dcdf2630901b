package goroutines

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Frame is one call on a stack.
type Frame struct {
	// Func is the name as the linker has it, "net/http.(*conn).serve".
	Func string
	// File is as the compiler saw it; empty where the source does not tell.
	File string
	// Line is 0 where the source does not tell.
	Line int
}

// Wait is how many goroutines of a group have waited for so many whole minutes.
type Wait struct {
	Minutes int64
	Count   int64
}

// Stack is all goroutines of one stack and one state.
type Stack struct {
	// Frames are the innermost first. Those of a profile begin with the runtime's
	// own; the text leaves them out.
	Frames []Frame
	// State is one of the constants of this package, or the runtime's own word
	// where it is none of them; [StateUnknown] where the source does not tell.
	State string
	Count int64
	// Creator is the call that started them, known from text alone.
	Creator Frame
	// Creators is how many goroutines started them, counted up to [MaxCreators];
	// 0 is not known.
	Creators int64
	// Waits are the whole minutes they have waited, ascending; those below a minute
	// are at 0. It is empty where the source does not tell, and may hold fewer
	// than Count after a merge with such a source.
	Waits []Wait
}

// Set is the goroutines of one process at one moment, or of several processes.
type Set struct {
	// Stacks are in a fixed order: the largest count first, then by frames.
	Stacks []Stack
	// Processes is how many snapshots were merged, 1 for one.
	Processes int
	// Taken is when, the latest of several; zero where the source does not tell.
	Taken time.Time
	// Waits is true when the source tells how long goroutines wait.
	Waits bool
	// Cut is true when the end is missing. The runtime itself cuts the text at
	// 64 MiB (runtime/pprof.writeGoroutineStacks).
	Cut bool
	// Unread counts lines or samples that could not be understood, Elided the
	// stacks with frames left out.
	Unread int64
	Elided int64
}

// Total is the number of goroutines.
func (s *Set) Total() int64 {
	var n int64
	for i := range s.Stacks {
		n += s.Stacks[i].Count
	}
	return n
}

// key is what makes two stacks the same.
func key(frames []Frame, state string, creator Frame) string {
	var b strings.Builder
	b.WriteString(state)
	write := func(f Frame) {
		b.WriteByte(0)
		b.WriteString(f.Func)
		b.WriteByte(1)
		b.WriteString(f.File)
		b.WriteByte(1)
		b.WriteString(strconv.Itoa(f.Line))
	}
	write(creator)
	for _, f := range frames {
		write(f)
	}
	return b.String()
}

// New makes a set of stacks, joining equal ones, in the fixed order.
func New(stacks []Stack) *Set {
	type entry struct {
		key   string
		stack Stack
	}
	index := make(map[string]int, len(stacks))
	var all []entry
	for _, s := range stacks {
		if s.Count <= 0 {
			continue
		}
		k := key(s.Frames, s.State, s.Creator)
		i, ok := index[k]
		if !ok {
			s.Waits = mergeWaits(s.Waits, nil)
			index[k] = len(all)
			all = append(all, entry{k, s})
			continue
		}
		e := &all[i].stack
		e.Count += s.Count
		e.Creators = min(e.Creators+s.Creators, MaxCreators)
		e.Waits = mergeWaits(e.Waits, s.Waits)
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.stack.Count, a.stack.Count), cmp.Compare(a.key, b.key))
	})
	set := &Set{Processes: 1}
	for _, e := range all {
		set.Stacks = append(set.Stacks, e.stack)
		set.Waits = set.Waits || len(e.stack.Waits) > 0
	}
	return set
}

// Merge adds up the goroutines of several sets. The order does not matter.
func Merge(sets ...*Set) *Set {
	var stacks []Stack
	for _, s := range sets {
		stacks = append(stacks, s.Stacks...)
	}
	m := New(stacks)
	m.Processes = 0
	for _, s := range sets {
		m.Processes += s.Processes
		if s.Taken.After(m.Taken) {
			m.Taken = s.Taken
		}
		m.Waits = m.Waits || s.Waits
		m.Cut = m.Cut || s.Cut
		m.Unread += s.Unread
		m.Elided += s.Elided
	}
	return m
}

// mergeWaits adds up two lists by minute.
func mergeWaits(a, b []Wait) []Wait {
	if len(a)+len(b) == 0 {
		return nil
	}
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y Wait) int { return cmp.Compare(x.Minutes, y.Minutes) })
	out := all[:0]
	for _, w := range all {
		if n := len(out); n > 0 && out[n-1].Minutes == w.Minutes {
			out[n-1].Count += w.Count
			continue
		}
		out = append(out, w)
	}
	return out
}
