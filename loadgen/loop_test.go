package loadgen

import (
	"math"
	"slices"
	"testing"
	"time"

	"example.com/kneeline/internal/outcome"
)

const ms = int64(time.Millisecond)

func (v *virtual) segment() *Segment {
	v.t.Helper()
	s := v.l.acc.segment(0)
	if !s.Counts.Balanced() {
		v.t.Errorf("planned %d, outcomes %v", s.Counts.Planned, s.Counts.By)
	}
	return s
}

// TestFreeze guards the reason for the package: a service that freezes for 1 s
// of 10 s, and the percentiles are those of the schedule, in closed form.
func TestFreeze(t *testing.T) {
	o := Offer{Timeout: 5 * time.Second, PeakRate: 1000, Arrivals: Constant, Thresholds: []time.Duration{500 * time.Millisecond}}
	v := newVirtual(t, o, func(at int64) served {
		if at >= 5000*ms && at < 6000*ms {
			return served{after: 6000*ms - at, bytes: okBytes}
		}
		return served{bytes: okBytes}
	})
	v.offer(1000, 10*time.Second)
	s := v.segment()
	if s.Counts.Planned != 10000 || s.Counts.By[outcome.Full] != 10000 {
		t.Fatalf("%+v", s.Counts)
	}
	if s.Counts.LateFull[0] != 500 {
		t.Errorf("%d later than 500 ms, want 500", s.Counts.LateFull[0])
	}
	for q, want := range map[float64]float64{0.95: 500, 0.99: 900, 0.999: 990} {
		if got := float64(s.Latency[outcome.Full].Quantile(q)) / 1e6; math.Abs(got-want) > 0.01*want {
			t.Errorf("quantile %v is %.1f ms, want %.1f", q, got, want)
		}
	}
	if v.l.peak != 1000 {
		t.Errorf("%d connections at most, want one for each request of the freeze", v.l.peak)
	}
}

// TestBoundMet guards that a bound on connections makes the schedule lag, keeps
// the latency from the planned instant, and is told from a service that does
// not answer.
func TestBoundMet(t *testing.T) {
	o := Offer{Timeout: 5 * time.Second, PeakRate: 100, Arrivals: Constant, MaxConns: 1}
	v := newVirtual(t, o, func(int64) served { return served{after: 20 * ms, bytes: okBytes} })
	v.offer(100, time.Second)
	s := v.segment()
	// The k-th of 100 requests is planned at 10k ms and begins at 20k ms.
	if got := s.SendLag.Max(); got != 990*ms {
		t.Errorf("the last request began %v late, want 990ms", time.Duration(got))
	}
	if got := s.Latency[outcome.Full].Max(); got != 1010*ms {
		t.Errorf("the last latency is %v, want 1.01s", time.Duration(got))
	}
	if v.l.acc.inTimeHits[0] == 0 || v.l.acc.limits[LimitConns] == 0 {
		t.Errorf("bound not noted: %v", v.l.acc.limits)
	}
}

// TestGeneratorPause guards that a generator which does not get the processor
// for a while sends what is still worth sending, late, and says so.
func TestGeneratorPause(t *testing.T) {
	o := Offer{Timeout: 200 * time.Millisecond, PeakRate: 1000, Arrivals: Constant}
	v := newVirtual(t, o, func(int64) served { return served{bytes: okBytes} })
	v.l.sched.post(change{at: 0, rate: 1000})
	v.now = 500 * ms // it wakes up half a second late
	v.l.sched.post(change{at: 500 * ms, end: true})
	v.run()
	s := v.segment()
	if n := s.Counts.By[outcome.NeverSent]; n < 299 || n > 302 {
		t.Errorf("%d never sent, want about 300 of 500", n)
	}
	if why := s.voidFor(voidFacts{}, o.Timeout); why == "" {
		t.Error("not void")
	}
	if len(v.sentAt) != int(s.Counts.Planned-s.Counts.By[outcome.NeverSent]) {
		t.Errorf("%d sent of %+v", len(v.sentAt), s.Counts)
	}
}

// TestRetries guards that retries have their own account and their own time.
func TestRetries(t *testing.T) {
	o := Offer{Timeout: 100 * time.Millisecond, PeakRate: 100, Arrivals: Constant, Retries: 2, RetryAfter: 50 * time.Millisecond}
	v := newVirtual(t, o, func(int64) served {
		return served{bytes: "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: 3\r\n\r\n"}
	})
	v.l.sched.post(change{at: 0, rate: 100})
	v.l.sched.post(change{at: 100 * ms})
	v.l.sched.post(change{at: 1000 * ms, end: true})
	v.run()
	s := v.segment()
	if s.Counts.Planned != 10 || s.Counts.By[outcome.Shed] != 10 || s.RetryAfterN != 10 || s.RetryAfterSum != 30 {
		t.Errorf("%+v, %d hints of %v s", s.Counts, s.RetryAfterN, s.RetryAfterSum)
	}
	if r := v.l.acc.retries; r.Planned != 20 || r.By[outcome.Shed] != 20 {
		t.Errorf("retries %+v", r)
	}
	if !slices.Contains(v.sentAt, 50*ms) || !slices.Contains(v.sentAt, 100*ms) {
		t.Errorf("sent at %v", v.sentAt)
	}
}

// TestProbes guards that a patient probe is timed out in the account and yet
// measures its wait.
func TestProbes(t *testing.T) {
	o := Offer{Timeout: 100 * time.Millisecond, PeakRate: 100, Arrivals: Constant, ProbeShare: 1, ProbeDeadline: time.Second}
	n := 0
	v := newVirtual(t, o, func(int64) served {
		if n++; n%2 == 0 {
			return served{}
		}
		return served{after: 700 * ms, bytes: okBytes}
	})
	v.offer(100, 100*time.Millisecond)
	s := v.segment()
	if s.Counts.By[outcome.TimedOut] != 10 || s.Probes.Count() != 5 || s.Probes.Min() != 700*ms || s.ProbesLost != 5 {
		t.Errorf("%+v; %d probes from %v, %d lost", s.Counts, s.Probes.Count(), time.Duration(s.Probes.Min()), s.ProbesLost)
	}
	if v.now != 1090*ms {
		t.Errorf("the run ended at %v, want 1.09s: the deadline of the last probe", time.Duration(v.now))
	}
}

// TestOtherFamily guards that a service that listens on one family only is
// found, at no request's cost, and that it is remembered.
func TestOtherFamily(t *testing.T) {
	o := Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}
	v := newVirtual(t, o, fifo(25*time.Millisecond))
	tries := 0
	v.dead = func(addr int) string {
		if tries++; addr == 0 {
			return CauseRefused
		}
		return ""
	}
	v.offer(100, 100*time.Millisecond)
	s := v.segment()
	if s.Counts.By[outcome.Full] != 10 || tries != v.l.peak+1 {
		t.Errorf("%+v with %d tries for %d connections", s.Counts, tries, v.l.peak)
	}
}

// TestFamilyOff guards that a machine without IPv6 is not taken for one without
// free ports.
func TestFamilyOff(t *testing.T) {
	o := Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}
	v := newVirtual(t, o, fifo(0))
	v.dead = func(addr int) string { return []string{CauseRefused, LimitPorts}[addr] }
	v.offer(100, 100*time.Millisecond)
	if s := v.segment(); s.Causes[CauseUnreachable] != 10 || len(v.l.acc.limits) > 0 {
		t.Errorf("causes %v, limits %v", s.Causes, v.l.acc.limits)
	}
}

// TestGeneratorLimits guards that open files and ports run out in the
// generator's name.
func TestGeneratorLimits(t *testing.T) {
	o := Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}
	v := newVirtual(t, o, fifo(25*time.Millisecond))
	opened := 0
	v.dead = func(int) string {
		if opened++; opened > 2 {
			return []string{LimitPorts, LimitFiles}[opened%2]
		}
		return ""
	}
	v.offer(100, 100*time.Millisecond)
	s := v.segment()
	n := s.Causes[LimitPorts] + s.Causes[LimitFiles]
	if n == 0 || n != s.Counts.By[outcome.Failed] || v.l.acc.limitsIn[0] != n || v.l.acc.limits[LimitPorts] != s.Causes[LimitPorts] {
		t.Errorf("%v, causes %v, limits %v", s.Counts.By, s.Causes, v.l.acc.limits)
	}
	if s.voidFor(voidFacts{limits: n}, o.Timeout) == "" {
		t.Error("not void")
	}
}

// TestVoid guards each reason for which a segment is worthless, and its limit.
func TestVoid(t *testing.T) {
	lagging := func(share float64) *Segment {
		s := &Segment{}
		for range 1000 {
			s.SendLag.Record(int64(share * float64(time.Second)))
		}
		return s
	}
	for _, c := range []struct {
		s     *Segment
		f     voidFacts
		sound bool
	}{
		{&Segment{}, voidFacts{}, true},
		{lagging(0.099), voidFacts{cpu: 0.85}, true},
		{lagging(0.102), voidFacts{}, false},
		{&Segment{}, voidFacts{cpu: 0.86}, false},
		{&Segment{}, voidFacts{waited: 1}, false},
		{&Segment{Counts: outcome.Counts{Planned: 1000}}, voidFacts{lateShakes: 10, shakeCPU: 0.85}, true},
		{&Segment{Counts: outcome.Counts{Planned: 1000}}, voidFacts{lateShakes: 11}, false},
		{&Segment{}, voidFacts{shakeCPU: 0.86}, false},
	} {
		if why := c.s.voidFor(c.f, time.Second); (why == "") != c.sound {
			t.Errorf("%+v: %q", c.f, why)
		}
	}
}

// TestWindows guards the fields of a window against a service with a known
// queue: one worker of 20 ms under 100 requests/s, with room for 3.
func TestWindows(t *testing.T) {
	free := int64(0)
	o := Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}
	v := newVirtual(t, o, func(at int64) served {
		if free-at > 40*ms {
			return served{bytes: "HTTP/1.1 429 No\r\nContent-Length: 0\r\n\r\n"}
		}
		free = max(free, at) + 20*ms
		return served{after: free - at, bytes: okBytes}
	})
	v.offer(100, time.Second)
	v.l.acc.roll(v.now + 100*ms)
	var sum Window
	for i, w := range v.l.acc.windows {
		sum.add(&w)
		if w.InFlight > 3 {
			t.Errorf("window %d: %d in flight at its end, and 3 have room", i, w.InFlight)
		}
	}
	s := v.segment()
	if sum.Sent != 100 || sum.Answered != 100 || uint64(sum.Refused) != s.Counts.By[outcome.Shed] || sum.Refused < 45 {
		t.Errorf("%+v", sum)
	}
	mean := sum.RefusedDepthSum / float64(sum.Refused)
	variance := sum.RefusedDepthSq/float64(sum.Refused) - mean*mean
	if mean < 3 || mean > 4 || variance > 0.3 {
		t.Errorf("refused at a depth of %.2f with variance %.2f, want one depth of 3 to 4", mean, variance)
	}
	if v.l.final(v.now) != v.now {
		t.Errorf("final is %v at %v", v.l.final(v.now), v.now)
	}
}

// TestLittle guards InFlight by Little's law.
func TestLittle(t *testing.T) {
	o := Offer{Timeout: time.Second, PeakRate: 500}
	v := newVirtual(t, o, func(int64) served { return served{after: 100 * ms, bytes: okBytes} })
	v.offer(500, 20*time.Second)
	var sum, n float64
	for i := 100; i < 1900; i++ {
		sum += float64(v.l.acc.windows[i].InFlight)
		n++
	}
	if mean := sum / n; math.Abs(mean-50) > 3 {
		t.Errorf("mean in flight %.1f, want 50", mean)
	}
}

// TestNothingAllocated guards the promise of no memory for a request.
func TestNothingAllocated(t *testing.T) {
	o := Offer{Timeout: time.Second, PeakRate: 1e6, Arrivals: Constant, Thresholds: []time.Duration{time.Millisecond}}
	v := newVirtual(t, o, nil)
	q := &quiet{answer: []byte(okBytes)}
	v.l.tr, q.l = q, v.l
	v.l.sched.post(change{at: 0, rate: 1e6})
	one := func() {
		v.now += 1000
		v.l.turn(v.now)
		if q.c != nil {
			v.l.received(q.c, q.answer, v.now)
			q.c = nil
		}
	}
	for range 1000 {
		one()
	}
	if n := testing.AllocsPerRun(1000, one); n != 0 {
		t.Errorf("%v allocations a request", n)
	}
	if v.l.acc.segment(0).Counts.By[outcome.Full] < 1900 {
		t.Errorf("%+v", v.l.acc.segment(0).Counts)
	}
}

// quiet is a network that only remembers the last connection written to.
type quiet struct {
	l      *loop
	c      *conn
	answer []byte
}

func (q *quiet) open(*conn) (bool, string)             { return true, "" }
func (q *quiet) write(c *conn, b []byte) (int, string) { q.c = c; return len(b), "" }
func (q *quiet) shut(*conn)                            {}
