package goproc

import (
	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/heapdump/pprof"
	"example.com/kneeline/internal/finding"
)

// Input is the profiles of one process, or of several that are to be added up.
type Input struct {
	// Profiles are of any kinds, in any order.
	Profiles []*pprof.Profile
	// Texts are the texts of all goroutines. They tell how long goroutines wait;
	// their counts are used where there is no goroutine profile.
	Texts []*goroutines.Set
	// Base are earlier profiles of the same processes.
	Base []*pprof.Profile
}

// Options are by what a process is judged. Zero values are not known or the
// defaults.
type Options struct {
	// Table is the functions that goroutines are told by, the built-in ones if nil.
	Table *Table
	// Patterns are the files that were added to the table, for the record.
	Patterns []string
	// Capacity is how many requests per second the service sustains, Timeout how
	// many seconds its clients wait, ServiceTime how many seconds a request takes
	// once it has its turn.
	Capacity, Timeout, ServiceTime *float64
	// MinEntries is how many requests must wait at a place to be a pile-up.
	MinEntries int64
	// Rows is how many rows the histogram has at most.
	Rows int
}

// Bounds and thresholds.
const (
	// manyFactor times MinEntries goroutines are many of a kind that may be as it
	// should: requests in service, goroutines that are no requests.
	manyFactor = 10
	// maxPlaces bounds the places of which is asked who is past them, maxGroups and
	// maxPools what the result lists.
	maxPlaces = 50
	maxGroups = 100
	maxPools  = 10
	// leastPool is how many goroutines make a pool worth listing.
	leastPool = 4
	// fullShare of the heap, and fullBytes, at one place of allocation is what a
	// heap is called full of.
	fullShare = 0.5
	fullBytes = 64 << 20
)

// Judge judges the profiles. It does not fill in the inputs of the result.
func Judge(in Input, o Options) *pending.Result {
	a := newAnalysis(in, o)
	if a.set != nil {
		a.count()
		a.findPlaces()
	}
	if a.heap != nil {
		a.memory()
	}
	a.contention(in.Profiles)
	a.base(in.Base)
	a.describe()
	a.judge()
	a.unsaid()
	return a.res
}

// analysis is one process being judged.
type analysis struct {
	m   *matcher
	o   Options
	res *pending.Result
	g   *pending.Go

	// set is all goroutines, sets those of each process; nil without any.
	set  *goroutines.Set
	sets []*goroutines.Set
	// texts are what tells of ages; nil without any.
	texts *goroutines.Set
	heap  *pprof.Profile
	costs *costs
	// sized is true when costs rest on samples enough.
	sized bool

	seats    []*seat
	requests []*seat
	// waits are the places at which requests wait, stuck those at which goroutines
	// wait that are no requests, busy where requests are in service; the largest
	// first.
	waits, stuck, busy []*place
	pools              []*pool
	// byProtocol counts the requests.
	byProtocol map[string]int64
	// connections counts connections by protocol.
	connections map[string]int64
	// ages are the waits that the texts tell of, once they are asked for.
	ages map[textKey][]goroutines.Wait
	// hidden is true when the profile was in the text form, which hides what the
	// goroutines wait for.
	hidden bool
}

func newAnalysis(in Input, o Options) *analysis {
	if o.Table == nil {
		o.Table = Default()
	}
	if o.MinEntries <= 0 {
		o.MinEntries = pending.DefaultMinEntries
	}
	if o.Rows <= 0 {
		o.Rows = pending.DefaultRows
	}
	a := &analysis{m: newMatcher(o.Table), o: o, byProtocol: map[string]int64{}, connections: map[string]int64{}}
	a.g = &pending.Go{States: []pending.GoState{}, Requests: pending.GoRequests{Protocols: []pending.GoProtocol{}}}
	a.res = &pending.Result{
		Schema: pending.Schema, Complete: true,
		Settings: pending.Settings{Capacity: o.Capacity, Timeout: o.Timeout, ServiceTime: o.ServiceTime, MinEntries: o.MinEntries, Patterns: o.Patterns},
		Inputs:   []pending.Input{}, Queues: []pending.Queue{}, Clusters: []pending.Cluster{}, Workers: []pending.Pool{}, Groups: []pending.Group{},
		Limits: []pending.Limit{}, Histogram: []pending.ClassRow{}, Arrays: []pending.ArrayRow{}, CollectionFill: []pending.FillRow{},
		Findings: []finding.Finding{}, CouldNotSay: []string{}, Warnings: []string{}, Go: a.g,
	}
	a.gather(in)
	return a
}

// gather puts together what is of one kind. Two forms of one profile, as who saves
// all of a process has them, are counted once.
func (a *analysis) gather(in Input) {
	of := func(keep func(*pprof.Profile) bool) []*pprof.Profile {
		var out []*pprof.Profile
		for _, p := range in.Profiles {
			if keep(p) {
				out = append(out, p)
			}
		}
		return out
	}
	either := func(kind pprof.Kind, second func(*pprof.Profile) bool) []*pprof.Profile {
		first := of(func(p *pprof.Profile) bool { return p.Kind == kind && !second(p) })
		if len(first) > 0 {
			return first
		}
		return of(func(p *pprof.Profile) bool { return p.Kind == kind })
	}
	for _, p := range either(pprof.Goroutine, func(p *pprof.Profile) bool { return p.Text }) {
		a.sets = append(a.sets, p.Goroutines())
		a.hidden = a.hidden || p.Text
	}
	heaps := either(pprof.Heap, func(p *pprof.Profile) bool { return p.Allocs })
	if len(in.Texts) > 0 {
		a.texts = goroutines.Merge(in.Texts...)
	}
	if len(a.sets) == 0 || a.hidden && len(in.Texts) == len(a.sets) {
		// the text of all goroutines has the states that the other text hides
		if len(in.Texts) > 0 {
			a.sets, a.hidden = in.Texts, false
		}
	}
	if len(a.sets) > 0 {
		a.set = goroutines.Merge(a.sets...)
	}
	if len(heaps) > 0 {
		a.heap, _ = pprof.Merge(heaps...) // of one kind
	}
}
