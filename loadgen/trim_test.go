package loadgen

import (
	"testing"
	"time"
)

// TestTrim guards that a long run keeps each window once, and that none is lost or
// changed by it: a run in virtual time is read every second, as a pilot does.
func TestTrim(t *testing.T) {
	const rate = 500
	length := 5 * trimWindows * WindowWidth
	r := &run{}
	serve, sent := fifo(time.Millisecond), 0
	v := newVirtual(t, Offer{Timeout: time.Second, PeakRate: rate, Arrivals: Constant}, func(at int64) served {
		if sent++; sent%rate == 0 {
			r.collect()
			if n := len(r.loops[0].acc.windows); n > 2*trimWindows+200 {
				t.Fatalf("at %v the loop holds %d windows", time.Duration(at), n)
			}
		}
		return serve(at)
	})
	r.loops = []*loop{v.l}
	v.l.sched.post(change{at: 0, rate: rate})
	v.l.sched.post(change{at: int64(length), end: true})
	v.run()
	r.collect()
	if v.l.acc.base < 3*trimWindows {
		t.Errorf("%d windows were trimmed", v.l.acc.base)
	}
	n, events := r.timeline.Sum(0, length+WindowWidth)
	if want := uint64(rate * length.Seconds()); n.Planned != want || !n.Balanced() || uint64(events.Answered) != want {
		t.Errorf("planned %d, answered %d, want %d; %v", n.Planned, events.Answered, want, n.By)
	}
}
