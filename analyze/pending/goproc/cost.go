package goproc

import (
	"cmp"
	"math"
	"slices"

	"example.com/kneeline/analyze/pending"
)

// mostError is the error of the estimate beyond which no size is told: the truth
// may be twice as much, or nothing.
const mostError = 1

// maxSites bounds the places of allocation that a cluster lists.
const maxSites = 12

// memory says what is in use and what requests and connections cost.
func (a *analysis) memory() {
	c := a.m.costsOf(a.heap)
	a.costs = c
	var objects int64
	for i := range a.heap.Samples {
		objects += a.heap.Samples[i].InuseObjects
	}
	a.res.Histogram = a.m.histogram(a.heap, a.o.Rows)
	a.res.Heap = &pending.HeapSummary{Objects: objects, Bytes: c.total}
	mem := &pending.GoMemory{Bytes: c.total, Period: a.heap.Period, Handlers: c.handlers}
	var conns, reqs int64
	for _, n := range c.connections {
		mem.Connections += n
	}
	for _, n := range c.requests {
		mem.Requests += n
	}
	for p, n := range a.connections {
		if c.connections[p] > 0 {
			conns += n
		}
	}
	for p, n := range a.byProtocol {
		if c.requests[p] > 0 {
			reqs += n
		}
	}
	if conns > 0 {
		mem.EachConnection = ptr(float64(mem.Connections) / float64(conns))
	}
	if reqs > 0 {
		mem.EachRequest = ptr(float64(mem.Requests) / float64(reqs))
	}
	if sum := mem.Connections + mem.Requests; sum > 0 && c.variance > 0 {
		mem.Error = ptr(2 * math.Sqrt(c.variance) / float64(sum))
	}
	a.sized = mem.Error == nil || *mem.Error <= mostError
	if n, ok := a.heap.Stats["Stack"]; ok {
		mem.Stacks = &n
	}
	a.g.Memory = mem
}

// each is what one request of a protocol costs: what its server allocated for it,
// and its connection where it has one for itself. 0 is not known.
func (a *analysis) each(protocol string) float64 {
	if !a.sized {
		return 0
	}
	each := 0.0
	if n := a.byProtocol[protocol]; n > 0 {
		each = float64(a.costs.requests[protocol]) / float64(n)
	}
	if n := a.connections[protocol]; n > 0 && protocol == "HTTP/1.1" {
		each += float64(a.costs.connections[protocol]) / float64(n)
	}
	return each
}

// eachOf is the mean over the requests at a place.
func (a *analysis) eachOf(seats []*seat) (float64, bool) {
	var sum, count float64
	for _, s := range seats {
		each := a.each(s.serve.Protocol)
		if each <= 0 {
			return 0, false
		}
		sum += each * float64(s.count())
		count += float64(s.count())
	}
	return sum / count, count > 0
}

// clusters are the requests by protocol, with what each costs, where that is known.
func (a *analysis) clusters() {
	if !a.sized {
		return
	}
	for _, p := range protocols(a.byProtocol) {
		each := a.each(p.Protocol)
		c := pending.Cluster{
			Name: p.Protocol + " request", Count: p.Count, BytesEach: each, Bytes: int64(math.Round(each * float64(p.Count))),
			Classes: []pending.ClusterClass{}, Request: true, Confidence: pending.ConfidenceHigh,
			Why: "each is a goroutine in a handler of its server",
		}
		c.HeapShare = share(c.Bytes, a.costs.total)
		if len(a.byProtocol) == 1 {
			c.Classes = a.costs.rows(p.Count)
		}
		a.res.Clusters = append(a.res.Clusters, c)
	}
}

// rows are the places of allocation with the most bytes.
func (c *costs) rows(requests int64) []pending.ClusterClass {
	out := []pending.ClusterClass{}
	for _, s := range c.sites {
		out = append(out, pending.ClusterClass{Class: s.name, Count: s.objects, Bytes: s.bytes, Each: float64(s.objects) / float64(requests)})
	}
	slices.SortFunc(out, func(a, b pending.ClusterClass) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Class, b.Class))
	})
	return out[:min(len(out), maxSites)]
}
