package cmd

import (
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/units"
)

// plan says what the comparison does to the two services.
func (r *abRun) plan() planResult {
	c := r.config(float64(r.opts.ab.rate))
	load := c.Load()
	caps := r.cfg.Caps.OrDefault() // for each side
	p := planResult{Schema: meta.Name + ".headroom-plan/v1", Target: r.urls[0] + " and " + r.urls[1],
		SLO: r.cfg.SLO.String(), TimeoutSeconds: r.cfg.Timeout.Seconds(), RatePerSec: c.Rate, Failed: 2 * caps.Failed}
	words := units.Rate(c.Rate)
	if c.Rate == 0 {
		p.RatePerSec = caps.Rate
		words = units.Share(underCapacity) + " of the lower capacity"
		for i := range r.urls {
			p.Phases = append(p.Phases, planPhase{Name: "search " + sideNames[i], What: "a short search for capacity",
				Rate: "up to " + units.Rate(caps.Rate), Seconds: r.cfg.Budget.Search.Seconds()})
			p.LoadSeconds += r.cfg.Budget.Search.Seconds()
		}
	}
	p.Phases = append(p.Phases, planPhase{Name: "blocks", What: "blocks of load in pairs, one to each, in random order", Rate: words, Seconds: load.Seconds()})
	p.LoadSeconds += load.Seconds()
	p.Requests = min(2*caps.Requests, uint64(p.RatePerSec*p.LoadSeconds))
	p.Failed = min(p.Failed, p.Requests)
	return p
}

func (r *abRun) dryRun() error {
	p := r.plan()
	p.Request = string(r.clients[0].RequestBytes())
	return r.out.write(result{JSON: p, Report: p.report()})
}
