package histoonly

import (
	"fmt"
	"slices"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/heapdump/classhisto"
	"example.com/kneeline/heapdump/stacks"
)

// Input is what was taken of one process.
type Input struct {
	// Histograms and Threads are the files, in the order in which they were given.
	Histograms []Histograms
	Threads    []Threads
	// Interval is the time from one histogram to the next where the files do not tell
	// it, 0 where it is not known.
	Interval time.Duration
}

// Histograms is a file of class histograms.
type Histograms struct {
	Name string
	File *classhisto.File
}

// Threads is a file of thread dumps.
type Threads struct {
	Name string
	File *stacks.File
}

// histograms are all of an input, the earliest first where every one has a time by
// the same clock, else in the order in which they were given.
func (in Input) histograms() []*classhisto.Histogram {
	var out []*classhisto.Histogram
	for _, f := range in.Histograms {
		for i := range f.File.Histograms {
			out = append(out, &f.File.Histograms[i])
		}
	}
	for i := 1; i < len(out); i++ {
		if _, ok := classhisto.Between(out[0], out[i]); !ok {
			return out
		}
	}
	slices.SortStableFunc(out, func(a, b *classhisto.Histogram) int {
		d, _ := classhisto.Between(b, a)
		return int(min(max(d, -1), 1))
	})
	return out
}

// threads are those of the last dump that has any.
func (in Input) threads() (workers.Input, bool) {
	for _, f := range slices.Backward(in.Threads) {
		for i := range slices.Backward(f.File.Dumps) {
			if d := &f.File.Dumps[i]; len(d.Threads) > 0 {
				return workers.FromDump(d), true
			}
		}
	}
	return workers.Input{}, false
}

// rows are the inputs as the result names them.
func (in Input) rows() []pending.Input {
	out := []pending.Input{}
	for _, f := range in.Histograms {
		row := pending.Input{Name: f.Name, Format: "class histogram", Complete: true, Losses: []pending.Loss{}}
		for i := range f.File.Histograms {
			h := &f.File.Histograms[i]
			row.Version = h.Form
			row.Complete = row.Complete && h.Complete()
			taken(&row, h.Stamp.Zoned, h.Stamp.Time)
			lost(&row, "rows left out of a histogram", h.Missing)
			lost(&row, "rows over what is kept", h.Dropped)
			if !h.Agrees() {
				row.Losses = append(row.Losses, pending.Loss{What: "rows that do not sum up to the total of their histogram"})
			}
		}
		lost(&row, "lines of a histogram that could not be read"+firstLine(f.File.Problems), f.File.Unreadable)
		lost(&row, "lines cut at their greatest length", f.File.Cut)
		out = append(out, row)
	}
	for _, f := range in.Threads {
		out = append(out, threadsRow(f))
	}
	return out
}

func threadsRow(f Threads) pending.Input {
	row := pending.Input{Name: f.Name, Format: "thread dump", Complete: true, Losses: []pending.Loss{}}
	for i := range f.File.Dumps {
		d := &f.File.Dumps[i]
		row.Version = d.VM
		row.Complete = row.Complete && !d.CutShort
		taken(&row, d.Stamp.Zoned, d.Stamp.Time)
		if n := d.Stated - javaThreads(d); d.Stated >= 0 && n > 0 {
			lost(&row, "threads that a dump says it has and has not", n)
		}
	}
	what := "lines of a thread dump that could not be read"
	if len(f.File.Problems) > 0 && f.File.Problems[0].Line > 0 {
		what += fmt.Sprintf(", the first is %d", f.File.Problems[0].Line)
	}
	lost(&row, what, f.File.Unreadable)
	lost(&row, "lines cut at their greatest length", f.File.Cut)
	lost(&row, "threads over what is kept", f.File.Dropped)
	lost(&row, "stacks over what is kept", f.File.DroppedStacks)
	return row
}

func javaThreads(d *stacks.Dump) int64 {
	n := int64(0)
	for i := range d.Threads {
		if d.Threads[i].Java {
			n++
		}
	}
	return n
}

func taken(row *pending.Input, zoned bool, at time.Time) {
	if zoned && !at.IsZero() {
		row.Taken = &at
	}
}

func lost(row *pending.Input, what string, n int64) {
	if n > 0 {
		row.Losses = append(row.Losses, pending.Loss{What: what, Count: &n})
	}
}

func firstLine(problems []classhisto.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	return fmt.Sprintf(", the first is %d", problems[0].Line)
}
