package goproc

import (
	"cmp"
	"math"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/heapdump/pprof"
)

// costs are what servers allocated for connections and requests, by protocol.
type costs struct {
	connections, requests map[string]int64
	handlers, total       int64
	// variance is of the sum over both maps.
	variance float64
	// sites are the places of allocation behind both maps.
	sites map[string]*site
}

type site struct {
	name           string
	objects, bytes int64
}

// costsOf sorts the samples of a heap profile.
func (m *matcher) costsOf(p *pprof.Profile) *costs {
	c := &costs{connections: map[string]int64{}, requests: map[string]int64{}, sites: map[string]*site{}}
	for i := range p.Samples {
		s := &p.Samples[i]
		c.total += s.InuseBytes
		if s.InuseBytes <= 0 {
			continue
		}
		owner, protocol := m.ownerOf(s.Frames)
		switch owner {
		case ownerConnection:
			c.connections[protocol] += s.InuseBytes
		case ownerRequest:
			c.requests[protocol] += s.InuseBytes
		case ownerHandler:
			c.handlers += s.InuseBytes
			continue
		default:
			continue
		}
		c.variance += variance(s, p.Period)
		name := siteName(m, s.Frames)
		t := c.sites[name]
		if t == nil {
			t = &site{name: name}
			c.sites[name] = t
		}
		t.objects += s.InuseObjects
		t.bytes += s.InuseBytes
	}
	return c
}

// Owners of memory.
const (
	ownerElse = iota
	ownerConnection
	ownerRequest
	ownerHandler
)

// ownerOf tells by the stack of an allocation whose memory it is.
func (m *matcher) ownerOf(frames []goroutines.Frame) (owner int, protocol string) {
	var serve, connection, request *Row
	serveAt := -1
	for _, h := range m.hits(frames) {
		switch h.row.Role {
		case roleSelf:
			return ownerElse, ""
		case roleRequest, roleWork:
			if serve == nil || h.frame > serveAt {
				serve, serveAt = h.row, h.frame
			}
		case roleMemoryRequest:
			request = h.row
		case roleConnection, roleMemoryConnection, roleIdle, roleReading, roleCompanion:
			if connection == nil || connection.Protocol == "" {
				connection = h.row
			}
		}
	}
	switch {
	case serve != nil:
		// what the handler and what it calls allocate may be kept for longer
		for _, f := range frames[:serveAt] {
			if !isStandard(m.name(f.Func)) && moduleOf(m.name(f.Func)) != moduleOf(serve.Function) {
				return ownerHandler, serve.Protocol
			}
		}
		return ownerRequest, serve.Protocol
	case request != nil:
		return ownerRequest, request.Protocol
	case connection != nil && connection.Protocol != "":
		return ownerConnection, connection.Protocol
	}
	return ownerElse, ""
}

// variance is that of a sample's bytes. The runtime samples an object of s bytes
// with the probability p = 1 - exp(-s/period) and counts it as 1/p objects, so the
// estimate n of the number has the variance n(1-p)/p (runtime/mprof.go,
// runtime/pprof/protomem.go: scaleHeapSample).
func variance(s *pprof.Sample, period int64) float64 {
	if period <= 1 || s.InuseObjects <= 0 {
		return 0
	}
	each := float64(s.InuseBytes) / float64(s.InuseObjects)
	p := -math.Expm1(-each / float64(period))
	if p <= 0 {
		return 0
	}
	return each * each * float64(s.InuseObjects) * (1 - p) / p
}

// siteName names the place of an allocation: the function, and the first one of
// the program that called it.
func siteName(m *matcher, frames []goroutines.Frame) string {
	if len(frames) == 0 {
		return "unknown"
	}
	inner := frames[0].Func
	for _, f := range frames {
		if n := m.name(f.Func); !isPlumbing(n) {
			inner = f.Func
			break
		}
	}
	for _, f := range frames {
		if n := m.name(f.Func); !isStandard(n) {
			if f.Func == inner {
				return inner
			}
			return inner + " for " + f.Func
		}
	}
	for _, f := range frames {
		for _, r := range m.of(f.Func) {
			if slices.Contains(servingRoles, m.rows[r].Role) && f.Func != inner && m.rows[r].Role != roleIdle {
				return inner + " for " + f.Func
			}
		}
	}
	return inner
}

// histogram is the places of allocation with the most bytes in use.
func (m *matcher) histogram(p *pprof.Profile, rows int) []pending.ClassRow {
	index := map[string]*pending.ClassRow{}
	var total int64
	for i := range p.Samples {
		s := &p.Samples[i]
		total += s.InuseBytes
		name := siteName(m, s.Frames)
		r := index[name]
		if r == nil {
			r = &pending.ClassRow{Class: name}
			index[name] = r
		}
		r.Count += s.InuseObjects
		r.Bytes += s.InuseBytes
	}
	out := []pending.ClassRow{}
	for _, r := range index {
		if r.Bytes != 0 || r.Count != 0 {
			r.HeapShare = share(r.Bytes, total)
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b pending.ClassRow) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Class, b.Class))
	})
	return out[:min(len(out), rows)]
}

func share(part, whole int64) *float64 {
	if whole <= 0 {
		return nil
	}
	v := float64(part) / float64(whole)
	return &v
}

func ptr[T any](v T) *T { return &v }
