package goproc

import (
	"cmp"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/heapdump/pprof"
)

// Bounds of what is listed.
const (
	maxContention = 20
	maxChanges    = 20
)

// contention adds up the block and mutex profiles by place.
func (a *analysis) contention(profiles []*pprof.Profile) {
	type key struct{ place, profile string }
	rows := map[key]*pending.GoContention{}
	longest := map[string]float64{}
	for _, p := range profiles {
		if p.Kind != pprof.Block && p.Kind != pprof.Mutex {
			continue
		}
		longest[string(p.Kind)] = max(longest[string(p.Kind)], p.Duration.Seconds())
		for i := range p.Samples {
			s := &p.Samples[i]
			at := a.m.seat(&goroutines.Stack{Frames: s.Frames, State: goroutines.StateOf(s.Frames, p.Text), Count: 1})
			k := key{placeName(at.placeFrame()), string(p.Kind)}
			r := rows[k]
			if r == nil {
				r = &pending.GoContention{Place: k.place, Profile: k.profile}
				rows[k] = r
			}
			r.Count += s.Count
			r.Seconds += float64(s.Delay) / 1e9
		}
	}
	for _, r := range rows {
		if r.Count <= 0 {
			continue
		}
		r.Mean = r.Seconds / float64(r.Count)
		if d := longest[r.Profile]; d > 0 {
			r.Rate = ptr(float64(r.Count) / d)
		}
		a.g.Contention = append(a.g.Contention, *r)
	}
	slices.SortFunc(a.g.Contention, func(x, y pending.GoContention) int {
		return cmp.Or(cmp.Compare(y.Seconds, x.Seconds), cmp.Compare(x.Place, y.Place), cmp.Compare(x.Profile, y.Profile))
	})
	a.g.Contention = a.g.Contention[:min(len(a.g.Contention), maxContention)]
}

// blockRate is how many waits at a place end per second; 0 is not known.
func (a *analysis) blockRate(p *place) float64 {
	if c := a.contentionAt(p); c != nil && c.Rate != nil {
		return *c.Rate
	}
	return 0
}

// contentionAt is what the block profile says of a place; nil where it is silent.
func (a *analysis) contentionAt(p *place) *pending.GoContention {
	for i := range a.g.Contention {
		if c := &a.g.Contention[i]; c.Profile == string(pprof.Block) && c.Place == p.name() {
			return c
		}
	}
	return nil
}

// base compares with earlier profiles of the same processes.
func (a *analysis) base(profiles []*pprof.Profile) {
	var sets []*goroutines.Set
	var heaps []*pprof.Profile
	for _, p := range profiles {
		switch p.Kind {
		case pprof.Goroutine:
			sets = append(sets, p.Goroutines())
		case pprof.Heap:
			heaps = append(heaps, p)
		}
	}
	b := &pending.GoBase{Places: []pending.GoChange{}}
	known := false
	if len(sets) > 0 && a.set != nil {
		known = true
		a.compare(goroutines.Merge(sets...), b)
	}
	if len(heaps) > 0 && a.heap != nil {
		known = true
		if before, err := pprof.Merge(heaps...); err == nil {
			var change int64
			if d, err := pprof.Diff(a.heap, before); err == nil {
				for i := range d.Samples {
					change += d.Samples[i].InuseBytes
				}
				if b.Seconds == nil && d.Duration > 0 {
					b.Seconds = ptr(d.Duration.Seconds())
				}
			}
			b.Bytes = &change
		}
	}
	if known {
		a.g.Base = b
	}
}

// compare counts what has changed at each place.
func (a *analysis) compare(before *goroutines.Set, b *pending.GoBase) {
	if !before.Taken.IsZero() && a.set.Taken.After(before.Taken) {
		b.Seconds = ptr(a.set.Taken.Sub(before.Taken).Seconds())
	}
	seats := a.m.seats(before)
	counts := map[placeKey]int64{}
	sample := map[placeKey]*seat{}
	for _, s := range seats {
		b.Goroutines -= s.count()
		if s.request() {
			b.Requests -= s.count()
		}
		counts[keyOf(s)] -= s.count()
		sample[keyOf(s)] = s
	}
	for _, s := range a.seats {
		b.Goroutines += s.count()
		if s.request() {
			b.Requests += s.count()
		}
		counts[keyOf(s)] += s.count()
		sample[keyOf(s)] = s
	}
	for _, list := range [][]*place{a.waits, a.stuck} {
		for _, p := range list {
			if p.scattered > 0 {
				continue
			}
			p.growth = ptr(counts[keyOf(p.seats[0])])
		}
	}
	for k, n := range counts {
		if n == 0 {
			continue
		}
		c := pending.GoChange{Place: placeName(sample[k].placeFrame()), State: stateName(k.state), Change: n}
		if b.Seconds != nil {
			c.Rate = ptr(float64(n) / *b.Seconds)
		}
		b.Places = append(b.Places, c)
	}
	slices.SortFunc(b.Places, func(x, y pending.GoChange) int {
		return cmp.Or(cmp.Compare(abs(y.Change), abs(x.Change)), cmp.Compare(y.Change, x.Change), cmp.Compare(x.Place, y.Place), cmp.Compare(x.State, y.State))
	})
	b.Places = b.Places[:min(len(b.Places), maxChanges)]
}

func abs(n int64) int64 { return max(n, -n) }
