package traffic

import (
	"cmp"
	"container/heap"
	"slices"

	"example.com/kneeline/internal/accesslog"
	"example.com/kneeline/internal/fault"
)

// maxOpen bounds the logs that are read side by side because they overlap in time.
const maxOpen = 256

// merge gives out the arrivals of all files in order. A file is opened when its
// first arrival is due, and closed after its last.
type merge struct {
	r     *Replay
	order []int // files, by first arrival; those still to be opened
	open  heads
	err   error
	loss  accesslog.Loss
}

// head is an open file with its next arrival.
type head struct {
	s    *stream
	next arrival
	file int
}

type heads []head

func (h heads) Len() int { return len(h) }
func (h heads) Less(i, j int) bool {
	return h[i].next.at < h[j].next.at || h[i].next.at == h[j].next.at && h[i].file < h[j].file
}
func (h heads) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *heads) Push(x any)   { *h = append(*h, x.(head)) }
func (h *heads) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

func newMerge(r *Replay) *merge {
	m := &merge{r: r}
	for i, f := range r.files {
		if f.any && f.last >= r.start && f.first < r.end {
			m.order = append(m.order, i)
		}
	}
	slices.SortStableFunc(m.order, func(a, b int) int { return cmp.Compare(r.files[a].first, r.files[b].first) })
	return m
}

func (m *merge) next(kind func(*accesslog.Record) (int32, bool)) (arrival, bool) {
	for len(m.order) > 0 && (len(m.open) == 0 || m.r.files[m.order[0]].first <= m.open[0].next.at) {
		i := m.order[0]
		m.order = m.order[1:]
		if err := m.openFile(i, kind); err != nil {
			m.err = err
			return arrival{}, false
		}
	}
	if len(m.open) == 0 {
		return arrival{}, false
	}
	h := &m.open[0]
	a := h.next
	n, ok := h.s.next(kind)
	if ok {
		h.next = n
		heap.Fix(&m.open, 0)
		return a, true
	}
	done := heap.Pop(&m.open).(head)
	done.s.src.Close()
	return a, true
}

func (m *merge) openFile(i int, kind func(*accesslog.Record) (int32, bool)) error {
	if len(m.open) >= maxOpen {
		return fault.NoAnswerf("more than %d logs overlap in time", maxOpen)
	}
	src, err := m.r.logs.Inputs[i].Open(nil)
	if err != nil {
		return err
	}
	log, err := accesslog.NewReader(src.Name, src, m.r.logs.Options, &m.loss)
	if err != nil {
		src.Close()
		return err
	}
	s := &stream{src: src, log: log, spread: newSpread(m.r.opts.Seed, i), lag: m.r.files[i].lag, last: -1 << 62}
	if next, ok := s.next(kind); ok {
		heap.Push(&m.open, head{s, next, i})
		return nil
	}
	return src.Close()
}

func (m *merge) close() {
	for _, h := range m.open {
		h.s.src.Close()
	}
}
