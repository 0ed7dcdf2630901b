package queuecalc

import (
	"math"
	"math/rand/v2"
)

// order is how the simulated server picks the next request.
type order int

const (
	fifo order = iota
	lifo
	fifoDropExpired // as fifo, but throws a request away that has waited out its deadline
)

// departure is one event: the worker that runs a request ends it.
type departure struct {
	at      float64
	arrived float64
}

// simulation is one M/M/c/K queue with a deadline, event by event: the oracle
// of the closed forms, which shares no formula with them.
type simulation struct {
	s     Station
	order order
	rng   *rand.Rand

	running departures
	waiting ring
	count   [4]int // good, late, expired, refused
	offered int
}

const (
	simGood = iota
	simLate
	simExpired
	simRefused
)

// simulated is a measured share of the arrivals with the half width of its
// interval.
type simulated struct{ mean, half float64 }

// batches is the number of batches of a simulation.
const batches = 40

// simulate runs the queue for batches × length seconds after a warm-up of one
// length, and returns the shares of requests that were good, late, expired and
// refused, each with its 99.9 % interval from batch means.
func simulate(s Station, o order, seed uint64, length float64) [4]simulated {
	q := &simulation{s: s, order: o, rng: rand.New(rand.NewPCG(seed, 7))}
	next := q.exp(s.Arrivals)
	shares := make([][4]float64, 0, batches)
	for b := 0; b <= batches; b++ {
		q.count, q.offered = [4]int{}, 0
		next = q.until(float64(b+1)*length, next)
		if b == 0 {
			continue
		}
		var share [4]float64
		for i, n := range q.count {
			share[i] = float64(n) / (s.Arrivals * length)
		}
		shares = append(shares, share)
	}
	var out [4]simulated
	for i := range out {
		out[i] = batchMeans(shares, i)
	}
	return out
}

// batchMeans returns mean and half width over the batches of column i.
func batchMeans(shares [][4]float64, i int) simulated {
	n := float64(len(shares))
	sum, squares := 0.0, 0.0
	for _, s := range shares {
		sum += s[i]
	}
	for _, s := range shares {
		squares += (s[i] - sum/n) * (s[i] - sum/n)
	}
	const t39 = 3.558 // 99.9 % of Student's t, batches − 1 degrees of freedom
	return simulated{sum / n, t39 * math.Sqrt(squares/(n-1)/n)}
}

func (q *simulation) exp(rate float64) float64 { return q.rng.ExpFloat64() / rate }

// until plays every event before end; next is the instant of the next arrival.
func (q *simulation) until(end, next float64) float64 {
	for {
		if len(q.running) > 0 && q.running[0].at <= next {
			if q.running[0].at >= end {
				return next
			}
			q.depart()
			continue
		}
		if next >= end {
			return next
		}
		q.arrive(next)
		next += q.exp(q.s.Arrivals)
	}
}

func (q *simulation) arrive(now float64) {
	q.offered++
	switch {
	case len(q.running) < q.s.Workers:
		q.start(now, now)
	case InSystem(len(q.running)+q.waiting.n) < q.s.Bound:
		q.waiting.push(now)
	default:
		q.count[simRefused]++
	}
}

func (q *simulation) start(now, arrived float64) {
	q.running.push(departure{now + q.exp(q.s.ServiceRate), arrived})
}

func (q *simulation) depart() {
	d := q.running.pop()
	if d.at-d.arrived <= q.s.Deadline {
		q.count[simGood]++
	} else {
		q.count[simLate]++
	}
	for q.waiting.n > 0 {
		arrived := q.waiting.take(q.order == lifo)
		if q.order == fifoDropExpired && d.at-arrived > q.s.Deadline {
			q.count[simExpired]++
			continue
		}
		q.start(d.at, arrived)
		return
	}
}

// departures is a binary heap of values, the earliest first.
type departures []departure

func (h *departures) push(d departure) {
	*h = append(*h, d)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if s[up].at <= s[i].at {
			break
		}
		s[up], s[i] = s[i], s[up]
		i = up
	}
}

func (h *departures) pop() departure {
	s := *h
	top, last := s[0], len(s)-1
	s[0] = s[last]
	s = s[:last]
	*h = s
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if s[child].at < s[least].at {
				least = child
			}
		}
		if least == i {
			return top
		}
		s[least], s[i] = s[i], s[least]
		i = least
	}
}

// ring is a queue of arrival instants, taken from either end.
type ring struct {
	at      []float64
	head, n int
}

func (r *ring) push(t float64) {
	if r.n == len(r.at) {
		grown := make([]float64, 2*len(r.at)+16)
		for i := range r.n {
			grown[i] = r.at[(r.head+i)%len(r.at)]
		}
		r.at, r.head = grown, 0
	}
	r.at[(r.head+r.n)%len(r.at)] = t
	r.n++
}

func (r *ring) take(newest bool) float64 {
	r.n--
	if newest {
		return r.at[(r.head+r.n)%len(r.at)]
	}
	t := r.at[r.head]
	r.head = (r.head + 1) % len(r.at)
	return t
}
