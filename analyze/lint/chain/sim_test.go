package chain

import (
	"container/heap"
	"math"
	"math/rand/v2"

	"example.com/kneeline/analyze/lint/model"
)

// sim plays single calls through a path by events: every layer's limits are timers,
// every wait is drawn, and a caller that gives up does not stop its callee. It knows
// nothing of the formulas that are held against it.
type sim struct {
	now    float64
	queue  events
	serial int
	random *rand.Rand
	mode   Mode
	layers []*model.Hop
	// leaf counts the calls that the far end gets.
	leaf int
}

type event struct {
	at     float64
	serial int
	do     func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].serial < e[j].serial
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}

func (s *sim) after(wait float64, do func()) {
	if math.IsInf(wait, 1) {
		return
	}
	s.serial++
	heap.Push(&s.queue, event{s.now + wait, s.serial, do})
}

// play returns how many calls the far end gets for one, and when the caller's call ends,
// +Inf for never.
func play(layers []*model.Hop, mode Mode, seed uint64) (calls int, ended float64) {
	s := &sim{random: rand.New(rand.NewPCG(seed, 7)), mode: mode, layers: layers}
	ended = math.Inf(1)
	s.call(0, func() { ended = s.now })
	for s.queue.Len() > 0 {
		e := heap.Pop(&s.queue).(event)
		s.now = e.at
		e.do()
	}
	return s.leaf, ended
}

// call begins a call of a layer; done is called once, when it has failed.
func (s *sim) call(i int, done func()) {
	if i == len(s.layers) {
		s.leaf++
		if s.mode == Fails {
			done()
		}
		return
	}
	h, begun, over := s.layers[i], s.now, false
	end := func() {
		if !over {
			over = true
			done()
		}
	}
	s.after(limit(h.Total), end)
	var try func(n float64)
	try = func(n float64) {
		if over {
			return
		}
		ended := false
		next := func() {
			if ended || over {
				return
			}
			ended = true
			if n >= h.Retry.Tries.Amount {
				end()
				return
			}
			wait := s.wait(h.Backoff, n)
			if s.now+wait-begun >= limit(h.StartTry) {
				end()
				return
			}
			s.after(wait, func() { try(n + 1) })
		}
		s.after(limit(h.PerTry), next)
		s.call(i+1, next)
	}
	try(1)
	s.hedges(i, h, func() bool { return over })
}

// hedges sends further requests beside the first while the call goes on. The first one's
// limit ends the call if nothing else is tried.
func (s *sim) hedges(i int, h *model.Hop, over func() bool) {
	begun := s.now
	for n := 1.0; n < h.Hedge.Max.Amount; n++ {
		s.after(n*h.Hedge.Delay.Amount, func() {
			if !over() && s.now-begun < limit(h.StartTry) {
				s.call(i+1, func() {})
			}
		})
	}
}

// wait draws the wait after the n-th try.
func (s *sim) wait(b model.Backoff, n float64) float64 {
	length := b.Base.Amount * math.Pow(max(b.Multiplier.Amount, 1), n-1)
	if b.Max.Amount > 0 {
		length = min(length, b.Max.Amount)
	}
	j := b.Jitter.Amount
	if j == 1 {
		return length * s.random.Float64()
	}
	return length * (1 + j*(2*s.random.Float64()-1))
}
