package loadgen

import (
	"time"

	"example.com/kneeline/internal/outcome"
)

// places is what one loop knows by address of the service, and by second of its
// connections.
type places struct {
	all   []AddressAccount
	opens []uint64 // connections opened, by second of the run
}

func newPlaces(addrs []address) *places {
	p := &places{all: make([]AddressAccount, len(addrs))}
	for i := range p.all {
		p.all[i] = AddressAccount{Address: addrs[i].String(), Causes: map[string]uint64{}}
	}
	return p
}

// opened counts a connection to an address.
func (p *places) opened(addr int, t int64) {
	if p == nil {
		return
	}
	p.all[addr].Conns++
	s := int(t / int64(time.Second))
	for s >= len(p.opens) {
		p.opens = append(p.opens, 0)
	}
	p.opens[s]++
}

// of returns the account of the address to which a planned request went, or nil.
func (p *places) of(r *request) *AddressAccount {
	if p == nil || r.place == 0 || r.attempt > 0 {
		return nil
	}
	return &p.all[r.place-1]
}

// class counts what became of a request.
func (p *places) class(r *request, c outcome.Class) {
	if a := p.of(r); a != nil {
		a.Counts.Planned++
		a.Counts.By[c]++
	}
}

// settle adds the latency and the cause of a request.
func (p *places) settle(r *request, latency int64, c outcome.Class, cause string) {
	a := p.of(r)
	if a == nil {
		return
	}
	s := int(r.planned / int64(time.Second))
	for s >= len(a.Seconds) {
		a.Seconds = append(a.Seconds, AddressSecond{})
	}
	sec := &a.Seconds[s]
	sec.Planned++
	switch c {
	case outcome.Full, outcome.Degraded:
		a.Latency.Record(latency)
		sec.LatencySum += float64(latency) / 1e9
		return
	case outcome.Failed:
		a.Causes[cause]++
	}
	sec.Bad++
}

// addTo adds the account of this loop to a run's.
func (p *places) addTo(res *Result) {
	if p == nil {
		return
	}
	if res.Addresses == nil {
		res.Addresses = make([]AddressAccount, len(p.all))
		for i := range p.all {
			res.Addresses[i] = AddressAccount{Address: p.all[i].Address, Causes: map[string]uint64{}}
		}
	}
	for i := range p.all {
		res.Addresses[i].Merge(&p.all[i])
	}
	for i, n := range p.opens {
		if i == len(res.ConnsPerSecond) {
			res.ConnsPerSecond = append(res.ConnsPerSecond, 0)
		}
		res.ConnsPerSecond[i] += n
	}
}

// Merge adds another account of the same address over the same seconds.
func (a *AddressAccount) Merge(o *AddressAccount) {
	if a.Causes == nil {
		a.Causes = map[string]uint64{}
	}
	a.Counts.Add(o.Counts)
	for cause, n := range o.Causes {
		a.Causes[cause] += n
	}
	a.Latency.Merge(&o.Latency)
	a.Conns += o.Conns
	for i, s := range o.Seconds {
		if i == len(a.Seconds) {
			a.Seconds = append(a.Seconds, AddressSecond{})
		}
		a.Seconds[i].Planned += s.Planned
		a.Seconds[i].Bad += s.Bad
		a.Seconds[i].LatencySum += s.LatencySum
	}
}
