// Package fov02 finds services that cannot lose a host at their peak.
package fov02

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is FOV-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "FOV-02", Name: "no-spare-host", Severity: finding.Error, Since: "0.1",
		Title: "the hosts of a service cannot carry its peak without one of them",
		Why: `Hosts go, by failure and by every deployment. If the others are then over their capacity, latency rises, callers give up and try again,
and health checks take the next one out: a service that was one host short is none after some minutes.`,
		Formula: `N hosts, k of them gone (spare, 1 where nothing is said)
load of the others = peak × N / (N − k)
found: load > capacity
hosts needed = ⌈N × peak / capacity⌉ + k`,
		Sources: []string{
			"Site Reliability Engineering (Google, 2016), chapter 22, Preventing Server Overload: provision for N + 2",
			"Amazon Builders' Library, Static stability using Availability Zones",
		},
		Bad:  "replicas 3, peak 950/s a host, capacity 1,200/s: 1,425/s when one is gone",
		Good: "replicas 4: 713/s a host, 950/s when one is gone",
		Fix:  "Add hosts until the others carry the peak.",
	},
	Needs: rule.Topology | rule.Load,
	Chain: check,
}

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		if !s.Replicas.Finite() || !s.Peak.Finite() || s.GroupSize.Finite() {
			continue // what a group loses is FOV-01's
		}
		if !s.Capacity.Finite() {
			p.Lacks(s.Replicas.At, "whether "+s.Name+" can lose a host", "capacity", s.Name)
			continue
		}
		one(p, s)
	}
}

func one(p *rule.Pass, s *chain.Service) {
	k := s.Spare
	if !k.Known() {
		k = model.Value{Key: "spare", Unit: model.Count, Amount: 1, Origin: model.Derived, Source: "one host, where nothing is said"}
	}
	n := s.Replicas.Amount
	load := math.Inf(1)
	if n > k.Amount {
		load = s.Peak.Amount * n / (n - k.Amount)
	}
	if load <= s.Capacity.Amount {
		return
	}
	need := units.Ceil(n*s.Peak.Amount/s.Capacity.Amount) + k.Amount
	message := fmt.Sprintf("without %s of %s hosts each of the others gets %s at the peak and can do %s", k, s.Replicas, units.Rate(load), s.Capacity)
	formula := fmt.Sprintf("%s × %s / (%s − %s) = %s > %s", s.Peak, s.Replicas, s.Replicas, k, units.Rate(load), s.Capacity)
	if math.IsInf(load, 1) {
		message = fmt.Sprintf("without %s of %s hosts none is left", k, s.Replicas)
		formula = fmt.Sprintf("%s − %s = 0", s.Replicas, k)
	}
	p.Report(s.Replicas.At, s.Name, s.Replicas.Key, message).Because(s.Replicas, k, s.Peak, s.Capacity).Formula("%s", formula).
		Fix("set replicas to %s: %s × %s / %s, rounded up, and %s", units.Number(need), s.Replicas, s.Peak, s.Capacity, k)
}
