package goproc

import (
	"fmt"
	"math"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// describe puts what was found into the result.
func (a *analysis) describe() {
	a.clusters()
	for _, p := range a.waits[:min(len(a.waits), maxPlaces)] {
		if p.count >= a.o.MinEntries {
			a.queue(p)
		}
	}
	a.workers()
	a.groups()
}

// queue describes one place at which requests wait.
func (a *analysis) queue(p *place) {
	q := pending.Queue{
		Name: "wait at " + p.name(), Class: p.frame.Func, Kind: pending.KindGoroutines, Role: pending.RoleRequests,
		Entries: p.count, Instances: 1, Unbounded: true, Payload: payload(p), Requests: true,
		Confidence: p.confidence(), Age: a.ageOf(p),
	}
	if p.wait != nil {
		q.Pattern, q.Role = p.wait.Function, pending.RoleWaiters
	}
	if each, ok := a.eachOf(p.seats); ok {
		bytes := int64(math.Round(each * float64(p.count)))
		q.BytesEach, q.Bytes, q.HeapShare = &each, &bytes, share(bytes, a.costs.total)
		q.Counted = "what the server allocated for a request and its connection, sampled; without stacks and what handlers allocated"
	}
	if len(a.res.Clusters) == 1 {
		q.Cluster = ptr(0)
	}
	if p.pool != nil || p.past > 0 {
		q.Pool = ptr(len(a.res.Workers))
		a.res.Workers = append(a.res.Workers, a.servers(p))
	}
	if n := p.limit(); n > 0 && p.pastHigh == 0 && p.pool == nil {
		a.res.Limits = append(a.res.Limits, pending.Limit{Object: p.name(), Field: "requests past it", Value: n, Unit: "requests"})
	}
	a.rates(p, &q)
	q.Setting = a.setting(p, &q)
	a.res.Queues = append(a.res.Queues, q)
}

// confidence is how sure it is that the requests wait for a turn.
func (p *place) confidence() string {
	switch {
	case p.how != howUnclear:
		return pending.ConfidenceHigh
	case p.pilesUp():
		return pending.ConfidenceMedium
	}
	return pending.ConfidenceLow
}

// payload is the requests by protocol.
func payload(p *place) []pending.PayloadShare {
	counts := map[string]int64{}
	for _, s := range p.seats {
		counts[s.serve.Protocol] += s.count()
	}
	var out []pending.PayloadShare
	for _, c := range protocols(counts) {
		out = append(out, pending.PayloadShare{
			Class: c.Protocol + " request", Count: c.Count, Share: float64(c.Count) / float64(p.count), Means: stateName(p.state),
		})
	}
	return out
}

// servers are those that a place's requests wait for: the requests past it, or the
// goroutines that work for it.
func (a *analysis) servers(p *place) pending.Pool {
	if p.pool != nil {
		w := a.poolOf(p.pool)
		w.Max = ptr(p.pool.total)
		return w
	}
	w := pending.Pool{
		Name: "requests past " + p.name(), Class: p.frame.Func,
		Total: p.past, Busy: ptr(p.past), Idle: ptr(int64(0)), Groups: a.groupsOf(p.pastSeats, p.past),
	}
	if p.limit() > 0 && p.how == howLimit {
		w.Max = ptr(p.past)
	}
	return w
}

// poolOf describes goroutines that began in one function.
func (a *analysis) poolOf(p *pool) pending.Pool {
	return pending.Pool{
		Name: "goroutines of " + p.root, Class: p.root, Total: p.total, Busy: ptr(p.busy()), Idle: ptr(p.idle),
		Groups: a.groupsOf(p.seats, p.total),
	}
}

// workers adds the largest pools that are not there already.
func (a *analysis) workers() {
	there := map[string]bool{}
	for _, w := range a.res.Workers {
		there[w.Class] = true
	}
	listed := 0
	for _, p := range a.pools {
		if p.total < leastPool || there[p.root] || listed == maxPools {
			continue
		}
		listed++
		a.res.Workers = append(a.res.Workers, a.poolOf(p))
	}
}

// groups lists all goroutines by place.
func (a *analysis) groups() {
	a.res.Groups = a.groupsOf(a.seats, a.g.Goroutines)
	for i := range a.res.Groups {
		g := &a.res.Groups[i]
		if each, ok := a.groupBytes(g); ok {
			g.Bytes = &each
		}
	}
}

// groupBytes is what the requests of a group hold; the queue of the same place has
// it.
func (a *analysis) groupBytes(g *pending.Group) (int64, bool) {
	for _, q := range a.res.Queues {
		if g.Requests && q.Name == "wait at "+g.Place && q.Entries == g.Count && q.Bytes != nil {
			return *q.Bytes, true
		}
	}
	return 0, false
}

// groupsOf groups seats by place, the largest first.
func (a *analysis) groupsOf(seats []*seat, of int64) []pending.Group {
	out := []pending.Group{}
	for _, p := range places(seats, func(*seat) bool { return true }) {
		if len(out) == maxGroups {
			break
		}
		s := p.seats[0]
		g := pending.Group{
			Count: p.count, Share: share(p.count, of), State: stateName(p.state), Place: p.name(),
			WaitsFor: s.seatWords(), Stack: stackOf(s), Requests: p.requests,
		}
		if age := a.ageOf(p); age != nil {
			g.Oldest = &age.Oldest
		}
		out = append(out, g)
	}
	return out
}

// maxStack bounds the frames of a stack in the result.
const maxStack = 24

// stackOf is a stack for people, without the plumbing at its top.
func stackOf(s *seat) []string {
	var out []string
	for _, f := range s.stack.Frames[min(s.at, len(s.stack.Frames)):] {
		if len(out) == maxStack {
			break
		}
		out = append(out, placeName(f))
	}
	return out
}

// rates fills in how fast the place is drained, how long a new request waits, and
// how many positions are of use.
func (a *analysis) rates(p *place, q *pending.Queue) {
	limit := p.limit()
	rate, from := 0.0, ""
	switch {
	case a.o.Capacity != nil && *a.o.Capacity > 0:
		rate, from = *a.o.Capacity, pending.FromCapacity
	case a.o.ServiceTime != nil && *a.o.ServiceTime > 0 && limit > 0:
		rate, from = float64(limit) / *a.o.ServiceTime, pending.FromServiceTime
	default:
		if r := a.blockRate(p); r > 0 {
			rate, from = r, pending.FromBlock
		}
	}
	if rate > 0 {
		q.Throughput, q.ThroughputFrom = &rate, from
		if wait, err := queuecalc.LittleTime(float64(q.Entries), rate); err == nil {
			q.WaitOfNew = &wait
		}
	}
	if from == pending.FromBlock || rate <= 0 || a.o.Timeout == nil || *a.o.Timeout <= 0 {
		return
	}
	in := queuecalc.UsefulInput{
		Capacity: queuecalc.Interval{Estimate: rate}, ClientTimeout: seconds(*a.o.Timeout),
		Workers: int(min(limit, queuecalc.MaxWorkers)),
	}
	if a.o.ServiceTime != nil {
		in.ServiceTime = seconds(*a.o.ServiceTime)
	}
	u, err := queuecalc.Useful(in)
	if err != nil {
		a.res.Warnings = append(a.res.Warnings, fmt.Sprintf("how many may usefully %s could not be computed: %v", q.Name, err))
		return
	}
	useful := int64(u.Positions)
	q.UsefulPositions, q.Dead = &useful, ptr(max(q.Entries-useful, 0))
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// setting is what to change at a place.
func (a *analysis) setting(p *place, q *pending.Queue) *pending.Setting {
	s := &pending.Setting{Today: "no limit", Source: "useful queue: capacity × timeout (docs/methods/queueing.md)"}
	deadline := ""
	if a.o.Timeout != nil && *a.o.Timeout > 0 {
		deadline = units.Seconds(*a.o.Timeout)
	}
	switch {
	case p.wait != nil && p.wait.Setting != "":
		s.Name, s.Source = p.wait.Setting, p.wait.Source
		if deadline != "" {
			s.Value = "a deadline of at most " + deadline
		}
		s.Note = "who waits beyond the client's timeout holds its place for nothing"
		return s
	case p.how == howLock:
		s.Name = "the lock at " + p.name()
		s.Note = "a lock bounds no waiting: hold it for less, or let a bounded number of requests up to it"
	case p.pool != nil:
		s.Name = "the wait for " + p.pool.root + " at " + p.name()
		s.Note = "a channel with room for the useful positions, a send that gives up at the deadline, and 503 for the rest"
	default:
		s.Name = "the admission at " + p.name()
		s.Note = "take the slot in a select with a deadline, and answer 503 to who does not get it; http.Server has no limit of its own, netutil.LimitListener bounds its connections"
	}
	if q.UsefulPositions != nil {
		s.Value = fmt.Sprintf("at most %s waiting, each for less than %s", units.Count(*q.UsefulPositions), deadline)
	} else {
		s.Note += "; how many may wait follows from --capacity and --timeout"
	}
	s.Snippet = snippet(a.o.Timeout, q.UsefulPositions)
	return s
}

// snippet is an admission with a bound and a deadline.
func snippet(timeout *float64, useful *int64) string {
	wait, room := "timeout", "positions"
	if timeout != nil {
		wait = fmt.Sprintf("%d*time.Millisecond", int64(math.Round(*timeout*1000)))
	}
	if useful != nil {
		room = fmt.Sprint(*useful)
	}
	return fmt.Sprintf(`// slots has room for those in service, queue for these and %s more that wait
select {
case queue <- struct{}{}:
	defer func() { <-queue }()
default:
	http.Error(w, "overloaded", http.StatusServiceUnavailable)
	return
}
ctx, cancel := context.WithTimeout(r.Context(), %s)
defer cancel()
select {
case slots <- struct{}{}:
	defer func() { <-slots }()
case <-ctx.Done():
	http.Error(w, "overloaded", http.StatusServiceUnavailable)
	return
}`, room, wait)
}
