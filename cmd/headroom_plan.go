package cmd

import (
	"fmt"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// planResult is what `kneeline headroom --dry-run -o json` writes.
type planResult struct {
	Schema         string      `json:"schema"`
	Target         string      `json:"target"`
	SLO            string      `json:"slo"`
	TimeoutSeconds float64     `json:"timeout_seconds"`
	Phases         []planPhase `json:"phases"`
	// The bounds hold for all phases together.
	LoadSeconds  float64 `json:"load_seconds_at_most"`
	Requests     uint64  `json:"requests_at_most"`
	Failed       uint64  `json:"failed_at_most"`
	RatePerSec   float64 `json:"rate_per_second_at_most"`
	PastCapacity bool    `json:"past_capacity"`
	// Request is the request as it would be sent.
	Request string `json:"request,omitempty"`
	// Traffic is what was read of real traffic.
	Traffic *trafficResult `json:"traffic,omitempty"`
}

type planPhase struct {
	Name         string  `json:"name"`
	What         string  `json:"what"`
	Rate         string  `json:"rate"`
	Seconds      float64 `json:"seconds_at_most"`
	PastCapacity bool    `json:"past_capacity"`
}

func (m *measurement) plan(request string) planResult {
	p := headroom.Plan(m.cfg)
	res := planResult{
		Schema: meta.Name + ".headroom-plan/v1", Target: m.cfg.Target,
		SLO: m.cfg.SLO.String(), TimeoutSeconds: m.cfg.Timeout.Seconds(),
		LoadSeconds: p.Duration.Seconds(), Requests: p.Requests, Failed: p.Failed,
		RatePerSec: p.Rate, PastCapacity: p.PastCapacity, Request: request,
	}
	for _, ph := range p.Phases {
		res.Phases = append(res.Phases, planPhase{ph.Name, ph.What, ph.Rate, ph.Duration.Seconds(), ph.PastCapacity})
	}
	return res
}

// pastCapacity says how far past capacity a plan goes.
func (p planResult) pastCapacity() string {
	if p.PastCapacity {
		return "goes past capacity on purpose: yes"
	}
	return "goes past capacity on purpose: no"
}

// bounds says in a phrase what the service has to bear at most.
func (p planResult) bounds() string {
	return fmt.Sprintf("at most %s of load, %s, %s in all, %s of them failed",
		units.Seconds(p.LoadSeconds), units.Rate(p.RatePerSec), countOf(p.Requests, "request"), units.Count(p.Failed))
}

// announce prints the plan before the first request.
func (m *measurement) announce() {
	p := m.plan("")
	m.Notef("measuring %s", p.Target)
	m.Notef("objective %s; clients wait %s", p.SLO, units.Seconds(p.TimeoutSeconds))
	m.Notef("%s; %s", p.bounds(), p.pastCapacity())
	for _, ph := range p.Phases {
		m.Verbosef("%s: %s, %s, at most %s", ph.Name, ph.Rate, ph.What, units.Seconds(ph.Seconds))
	}
}

func (m *measurement) dryRun(request string) error {
	p := m.plan(request)
	p.Traffic = m.traffic.document()
	r := p.report()
	if b := m.traffic.block(); b != nil {
		r.Add(b)
	}
	return m.out.write(result{JSON: p, Report: r})
}

func (p planResult) report() *report.Report {
	r := &report.Report{Title: "Plan for " + p.Target}
	r.Verdict.Text = p.bounds() + "; " + p.pastCapacity()
	r.Add(report.KeyValues{Items: []report.KeyValue{
		{Key: "target", Value: p.Target},
		{Key: "objective", Value: p.SLO},
		{Key: "clients wait", Value: units.Seconds(p.TimeoutSeconds)},
	}})
	t := report.Table{Caption: "Phases", Columns: []report.Column{
		{Title: "phase"}, {Title: "rate"}, {Title: "at most", Align: report.Right}, {Title: "what happens"}}}
	for _, ph := range p.Phases {
		t.Rows = append(t.Rows, report.Row(ph.Name, ph.Rate, units.Seconds(ph.Seconds), ph.What))
	}
	r.Add(t)
	if p.Request != "" {
		r.Add(report.Code{Caption: "The request", Text: shownRequest(p.Request), Lang: "http"})
	}
	return r
}
