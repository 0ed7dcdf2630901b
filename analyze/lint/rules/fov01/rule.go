// Package fov01 finds groups of hosts whose survivors cannot carry the load of one that is
// gone.
package fov01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is FOV-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "FOV-01", Name: "replica-group-concentration", Severity: finding.Error, Since: "0.1",
		Title: "a group of hosts cannot carry the load of one that is gone",
		Why: `Where the same data is on the same few hosts, the load of one that is gone falls on those alone, however many others there are: of four
hosts each of the three left gets a third more. If that is over their capacity, they slow down, their callers try again, and the next one goes.
Spread so that each part of one host's data has its copies on other hosts, the load is shared by many.`,
		Formula: `n hosts of a group, load of a survivor = peak × n / (n − 1)
found: load of a survivor > capacity
safe peak = capacity × (n − 1) / n
spread over as many hosts as there are partitions: peak × (1 + 1 / partitions)`,
		Sources: []string{
			"LinkedIn Engineering, FollowFeed 2018-02: groups of four hosts with the same partitions",
			"H.-I. Hsiao and D. J. DeWitt, Chained Declustering (ICDE 1990): copies spread so that all hosts share a failure",
		},
		Bad:  "160 hosts in groups of 4 with the same 20 partitions, peak 950/s, capacity 1,200/s: 1,267/s each when one is gone",
		Good: "the copies of each partition of a host on another host: 998/s",
		Fix:  "Spread the copies of a host's partitions over as many hosts, or keep the peak below the safe one.",
	},
	Needs: rule.Topology | rule.Load,
	Chain: check,
}

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		n := s.GroupSize
		if !n.Finite() || n.Amount < 1 || s.Replicas.Finite() && s.Replicas.Amount < n.Amount {
			continue
		}
		switch {
		case !s.Capacity.Finite():
			p.Lacks(n.At, "whether a group of "+s.Name+" can lose a host", "capacity", s.Name)
		case !s.Peak.Finite():
			p.Lacks(n.At, "whether a group of "+s.Name+" can lose a host", "peak", s.Name)
		default:
			group(p, s)
		}
	}
}

func group(p *rule.Pass, s *chain.Service) {
	n, peak, c := s.GroupSize.Amount, s.Peak, s.Capacity
	if n == 1 {
		p.Report(s.GroupSize.At, s.Name, s.GroupSize.Key, "a group is one host: when it is gone, nobody has its data").
			Because(s.GroupSize, peak).Formula("%s × 1 / 0", peak).Fix("keep each partition on 2 hosts or more")
		return
	}
	load := peak.Amount * n / (n - 1)
	if load <= c.Amount {
		return
	}
	safe := c.Amount * (n - 1) / n
	f := p.Report(s.GroupSize.At, s.Name, s.GroupSize.Key, fmt.Sprintf("when one of %s hosts of a group is gone, each of the others gets %s, %s, and can do %s", s.GroupSize, units.Rate(load), units.SignedShare(n/(n-1)-1), c))
	f.Because(s.GroupSize, peak, c).Formula("%s × %s / %s = %s > %s; safe peak = %s × %s / %s = %s", peak, s.GroupSize, units.Number(n-1), units.Rate(load), c, c, units.Number(n-1), s.GroupSize, units.Rate(safe))
	if k := s.Partitions; k.Finite() && k.Amount > n-1 {
		f.Because(k)
		spread := peak.Amount * (1 + 1/k.Amount)
		f.Fix("spread the copies of a host's %s partitions over %s other hosts: %s each, %s; until then keep the peak at %s or less", k, k, units.SignedShare(1/k.Amount), units.Rate(spread), units.Rate(safe))
		return
	}
	f.Fix("spread the copies of a host's data over more hosts, or keep the peak at %s or less", units.Rate(safe))
}
