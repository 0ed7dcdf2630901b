package pending

import (
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/kneeline/analyze/queue/server"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

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
	if q.Throughput != nil {
		if wait, err := queuecalc.LittleTime(float64(q.Entries), *q.Throughput); err == nil {
			q.WaitOfNew = &wait
		}
	}
	if u, ok := a.useful(q); ok {
		positions := int64(u.Positions)
		q.UsefulPositions = &positions
		dead := max(q.Entries-positions, 0)
		q.Dead = &dead
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

// setting says what to change, with the value that the useful length gives.
func (a *analysis) setting(f *found, q *Queue) {
	if !q.waits() {
		return
	}
	s := &Setting{Name: "capacity of the " + q.Name, Source: "useful queue: capacity × timeout (docs/methods/queueing.md)"}
	if q.Capacity != nil {
		s.Today = units.Count(*q.Capacity)
	} else if q.Unbounded {
		s.Today = "no limit"
	}
	if f.owner.row != nil && f.owner.row.Setting != "" {
		s.Name, s.Note, s.Source = f.owner.row.Setting, f.owner.row.Note, f.owner.row.Source
	}
	if q.Role == RoleWaiters {
		// More places for those that wait would help nobody.
		if f.owner.row != nil && f.owner.row.Setting != "" {
			q.Setting = s
		}
		return
	}
	u, ok := a.useful(q)
	if !ok {
		s.Note = note(s.Note, "the value follows from --capacity and --timeout")
		q.Setting = s
		return
	}
	s.Value = units.Count(int64(u.Positions))
	if v := javaQueue(f, int64(u.Positions)); v != "" {
		s.Value = v
	}
	rate, _ := a.capacity(q)
	s.Note = note(s.Note, fmt.Sprintf("%s × %s = %s in the system, less what runs and a margin", units.Rate(rate), units.Seconds(*a.o.Timeout), units.Count(int64(u.InSystem))))
	a.dialect(q, s, u)
	q.Setting = s
}

// javaQueue is how a program makes the queue with a limit, for queues of the Java
// library; empty for others.
func javaQueue(f *found, n int64) string {
	if f.row == nil || !strings.HasPrefix(f.class.Name, "java.util.concurrent.") {
		return ""
	}
	switch name := simple(f.class.Name); name {
	case "LinkedBlockingQueue", "LinkedBlockingDeque", "ArrayBlockingQueue":
		return fmt.Sprintf("new %s<>(%d)", name, n)
	}
	return ""
}

func note(first, second string) string {
	if first == "" {
		return second
	}
	return first + "; " + second
}

// dialect writes the setting as the server's own configuration has it, where the
// queue is that of its requests.
func (a *analysis) dialect(q *Queue, s *Setting, u queuecalc.UsefulQueue) {
	if q.Role != RoleRequests || q.Server != "jetty" && q.Server != "tomcat" && q.Server != "undertow" {
		return
	}
	v := server.Values{Queue: int64(u.Positions), InSystem: int64(u.Safe), Workers: int(a.workersOf(q)),
		Timeout: time.Duration(*a.o.Timeout * float64(time.Second))}
	settings, err := server.Write(q.Server, v)
	if err != nil || len(settings.Items) == 0 {
		return
	}
	for _, item := range settings.Items {
		if item.Kind == server.Queue && item.Key != "" {
			s.Name, s.Value, s.Source = item.Key, item.Value, item.Source
			break
		}
	}
	if len(settings.Snippets) > 0 {
		s.Snippet = settings.Snippets[0].Code
	}
}
