package gc

import (
	"fmt"
	"testing"
	"time"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
)

// What is held does not grow with the log.
func TestMemoryIsBounded(t *testing.T) {
	a, err := New(Config{Timeout: 400 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	p := newTape(t, gcparse.G1)
	for i := range 60_000 {
		p.events = p.events[:0]
		at := float64(i) * 1.5
		p.young(at, 0.9*float64(i/40%2), heapMiB(900, int64(100+i%50), 1000), titled(fmt.Sprint("title ", i), fmt.Sprint("cause ", i)))
		p.event(gcparse.Concurrent, at+0.2, 0.3)
		if i%5 == 0 {
			p.full(at+1.2, 0.01, heapMiB(900, 90, 1000))
		}
		for k := range p.events {
			a.Event(&p.events[k])
		}
	}
	r := a.order[0]
	for s, c := range r.courses {
		if c != nil && (len(c.recent) > 500 || cap(c.recent) > 2000) {
			t.Errorf("%s: %d recent events", Series(s), len(c.recent))
		}
	}
	if len(a.tally.causes.all) > maxNames+1 || len(a.tally.titles.all) > maxNames+1 {
		t.Errorf("%d causes", len(a.tally.causes.all))
	}
	if len(a.violations.all) >= 2*maxViolations || len(r.heap.live.at) > maxSamples || len(r.heap.fullAfter) > maxFull {
		t.Errorf("%d violations, %d samples, %d full collections", len(a.violations.all), len(r.heap.live.at), len(r.heap.fullAfter))
	}
	l := a.Finish(nil)
	if l.Violated <= int64(len(l.Violations)) || len(l.Violations) != maxViolations {
		t.Errorf("%d of %d violations", len(l.Violations), l.Violated)
	}
	if c := series(t, l, Pauses).Curve; len(c.Max) > points || len(l.Heap.Points) > points {
		t.Errorf("%d points", len(c.Max))
	}
}

// Live sees a violation while it goes on, and its end when nothing comes any more.
func TestLive(t *testing.T) {
	a, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := newTape(t, gcparse.G1)
	p.calm(0, 100)
	p.busy(100, 140, 0.6)
	for i := range p.events {
		a.Event(&p.events[i])
	}
	now := a.Live(a.Newest(0))
	if len(now) != 1 || now[0].Series != Pauses || !now[0].Occupied[2] || !now[0].Tiers[2].Violated || now[0].Begin[2] == nil || now[0].Occupied[3] {
		t.Fatalf("%+v", now)
	}
	later := a.Live(a.Newest(40 * time.Second))
	if later[0].Share != 0 || later[0].Occupied[0] {
		t.Errorf("%+v", later[0])
	}
	if l := a.Finish(&p.res); len(l.Incidents) != 1 || !l.Incidents[0].Open {
		t.Errorf("%+v", l.Incidents)
	}
}

func TestConfigRefuses(t *testing.T) {
	for _, c := range []Config{{Window: -1}, {Timeout: time.Microsecond}, {Timeout: time.Second, Service: time.Second},
		{Timeout: 2 * time.Hour}, {Service: time.Second}, {Tiers: tier.List{{}}}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

// A last line whose time cannot be does not stretch the log.
func TestLastLineOfNoTime(t *testing.T) {
	for _, last := range []gcparse.Stamp{
		{Uptime: 1 << 62, HasUptime: true}, {Uptime: ns(1e9), HasUptime: true}, {Wall: 1<<63 - 1, HasWall: true, Uptime: ns(70), HasUptime: true},
	} {
		p := newTape(t, gcparse.G1)
		p.calm(0, 60)
		p.res.Runs[0].Last = last
		if l := p.judge(); l.Observed < 59 || l.Observed > 60 {
			t.Errorf("%+v: observed for %v s", last, l.Observed)
		}
	}
}
