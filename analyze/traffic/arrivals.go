package traffic

import (
	"container/heap"
	"math/rand/v2"
	"time"

	"example.com/kneeline/internal/accesslog"
	"example.com/kneeline/internal/input"
)

// maxPending bounds the requests that wait in one file for their turn, to 24 MB:
// servers write a line when the answer is complete, so that a slow request stands
// behind many that came after it.
const maxPending = 1 << 20

// arrival is one request of a log as it is replayed.
type arrival struct {
	at   int64 // ns since 1970
	seq  uint64
	kind int32
}

type arrivalHeap []arrival

func (h arrivalHeap) Len() int { return len(h) }
func (h arrivalHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].seq < h[j].seq
}
func (h arrivalHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *arrivalHeap) Push(x any)   { *h = append(*h, x.(arrival)) }
func (h *arrivalHeap) Pop() any {
	a := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return a
}

// spreadStream tells the random numbers of instants within a second from others of
// the same seed.
const spreadStream = 0x7261666669

// spread turns the times of a file's lines into instants: within a second of which a
// line tells no more, an instant drawn evenly. The same seed and file give the same
// instants each time the file is read.
type spread struct{ rng *rand.Rand }

func newSpread(seed uint64, file int) spread {
	return spread{rand.New(rand.NewPCG(seed, spreadStream<<16+uint64(file)))}
}

func (s spread) arrival(r *accesslog.Record) int64 {
	at := r.Arrival()
	if r.Resolution > time.Millisecond {
		at += s.rng.Int64N(int64(r.Resolution))
	}
	return at
}

// disorder is how far behind the latest arrival before it an arrival of a file came
// at most, and when the first one was.
type disorder struct {
	any              bool
	first, last, lag int64
}

func (d *disorder) see(at int64) {
	if !d.any {
		d.any, d.first, d.last = true, at, at
		return
	}
	d.first = min(d.first, at)
	d.lag = max(d.lag, d.last-at)
	d.last = max(d.last, at)
}

// stream gives out the arrivals of one file in order.
type stream struct {
	src     *input.Reader
	log     *accesslog.Reader
	spread  spread
	lag     int64
	latest  int64
	seq     uint64
	pending arrivalHeap
	last    int64 // given out
	ended   bool
}

// next returns the next arrival. kind says what a record is, and whether it is sent.
func (s *stream) next(kind func(*accesslog.Record) (int32, bool)) (arrival, bool) {
	var rec accesslog.Record
	for !s.ended && (len(s.pending) == 0 || s.pending[0].at > s.latest-s.lag) && len(s.pending) < maxPending {
		if !s.log.Next(&rec) {
			s.ended = true // what broke it off was told when the logs were surveyed
			break
		}
		k, ok := kind(&rec)
		at := s.spread.arrival(&rec)
		if !ok {
			continue
		}
		if s.seq == 0 {
			s.latest = at
		}
		s.seq++
		s.latest = max(s.latest, at)
		heap.Push(&s.pending, arrival{at, s.seq, k})
	}
	if len(s.pending) == 0 {
		return arrival{}, false
	}
	a := heap.Pop(&s.pending).(arrival)
	a.at = max(a.at, s.last) // only where the bound on what waits was met
	s.last = a.at
	return a, true
}
