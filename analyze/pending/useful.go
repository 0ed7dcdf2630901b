package pending

import (
	"math"
	"strings"
	"time"

	"example.com/kneeline/queuecalc"
)

// Missing says what must be given for the useful length of a queue to be told; it is
// empty where nothing is missing.
func (o Options) Missing() string {
	var what []string
	if o.Capacity == nil && o.ServiceTime == nil {
		what = append(what, "the capacity of the service (--capacity)")
	}
	if o.Timeout == nil {
		what = append(what, "the timeout of its clients (--timeout)")
	}
	if len(what) == 0 {
		return ""
	}
	return "How much of a queue is of use: that needs " + strings.Join(what, " and ") + "."
}

// capacity is the rate at which the service drains a queue, and where it is
// known from; 0 where it is not.
func (a *analysis) capacity(q *Queue) (float64, string) {
	switch {
	case a.o.Capacity != nil && *a.o.Capacity > 0:
		return *a.o.Capacity, FromCapacity
	case a.o.ServiceTime != nil && *a.o.ServiceTime > 0 && a.workersOf(q) > 0:
		return float64(a.workersOf(q)) / *a.o.ServiceTime, FromServiceTime
	}
	return 0, ""
}

// workersOf is how many threads serve what is in a queue, without those that do
// the pool's own business; 0 where that is not known.
func (a *analysis) workersOf(q *Queue) int64 {
	if q.Pool == nil {
		return q.threads
	}
	p := &a.res.Workers[*q.Pool]
	if p.Busy != nil && *p.Busy > 0 {
		return max(*p.Busy-a.ownThreads[*q.Pool], 1)
	}
	return p.Total
}

// rates fills in throughput, the wait of a new request by Little's law, and how
// many positions are of use.
func (a *analysis) rates(q *Queue) {
	if !q.waits() {
		return
	}
	rate, from := a.capacity(q)
	if rate > 0 {
		q.Throughput, q.ThroughputFrom = &rate, from
	} else if q.Age != nil && q.Age.Head > 0 {
		// Those that came before the head are served: a queue that neither grows nor
		// shrinks is drained at n / age of its head.
		steady, err := queuecalc.LittleRate(float64(q.Entries), q.Age.Head)
		if err == nil && !math.IsInf(steady, 0) {
			q.Throughput, q.ThroughputFrom = &steady, FromAges
		}
	}
	a.drainedNow(q)
	if q.Throughput != nil {
		if wait, err := queuecalc.LittleTime(float64(q.Entries), *q.Throughput); err == nil {
			q.WaitOfNew = &wait
		}
	}
	if u, ok := a.useful(q); ok {
		positions := places(u)
		q.UsefulPositions = &positions
		dead := max(q.Entries-positions, 0)
		q.Dead = &dead
	}
}

// slowShare is the share of the capacity below which a queue is told to be drained
// slowly.
const slowShare = 0.8

// drainedNow fills in at what rate a queue is drained by the age of its head, where
// that is clearly less than the capacity that was given: what holds up its workers
// makes it worse than its length says. Those that stand before the head have been
// served within its age; Little's law, and a bound while the queue grows.
func (a *analysis) drainedNow(q *Queue) {
	if q.ThroughputFrom != FromCapacity || q.Age == nil || q.Age.Head <= 0 {
		return
	}
	most, err := queuecalc.LittleRate(float64(q.Entries), q.Age.Head)
	if err == nil && most < slowShare**q.Throughput {
		q.DrainedNow = &most
	}
}

// useful is the useful length of a queue, where capacity and timeout are known.
func (a *analysis) useful(q *Queue) (queuecalc.UsefulQueue, bool) {
	rate, _ := a.capacity(q)
	if rate <= 0 || a.o.Timeout == nil || *a.o.Timeout <= 0 || !q.waits() {
		return queuecalc.UsefulQueue{}, false
	}
	in := queuecalc.UsefulInput{
		Capacity:      queuecalc.Interval{Estimate: rate},
		ClientTimeout: time.Duration(*a.o.Timeout * float64(time.Second)),
		Workers:       int(min(a.workersOf(q), queuecalc.MaxWorkers)),
	}
	if a.o.ServiceTime != nil {
		in.ServiceTime = time.Duration(*a.o.ServiceTime * float64(time.Second))
	}
	u, err := queuecalc.Useful(in)
	if err != nil {
		a.warn("the useful length of the %s could not be computed: %v", q.Name, err)
		return queuecalc.UsefulQueue{}, false
	}
	return u, true
}

// waits reports whether what is in the queue waits for workers, so that Little's
// law says how long.
func (q *Queue) waits() bool {
	return q.Role == RoleRequests || q.Role == RoleConnections || q.Role == RoleTasks || q.Role == RoleWaiters || q.Role == RoleMessages
}
