// Package graph lists what a chain comes to: each hop with how long a call may take and
// how often it is tried, and each path with how tries multiply along it.
//
// It judges nothing; the rules of lint do.
package graph

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/units"
)

// Schema names the form of the result.
const Schema = "kneeline.lint-graph/v1"

// maxPaths is how many paths are listed, the worst first.
const maxPaths = 50

// Result is what a chain comes to; it is the JSON.
type Result struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	// Verdict is the answer in one sentence.
	Verdict  string    `json:"verdict"`
	Services []Service `json:"services"`
	Hops     []Hop     `json:"hops"`
	// Paths are the ways from where calls begin to where they end, the one along which
	// tries multiply most first. PathCount is how many there are.
	Paths     []Path `json:"paths"`
	PathCount int    `json:"path_count"`
	// Cycle is a way from a service back to itself, if there is one.
	Cycle []string `json:"cycle,omitempty"`
	// Problems are what could not be read or linked.
	Problems []lint.Problem `json:"problems,omitempty"`
}

// Service is one service. Numbers that nobody gave are absent.
type Service struct {
	Name     string         `json:"name"`
	At       model.Position `json:"location"`
	Replicas *float64       `json:"replica_count,omitempty"`
	Capacity *float64       `json:"capacity_per_second,omitempty"`
	Peak     *float64       `json:"peak_per_second,omitempty"`
	// UsefulQueue is how many requests a host finishes while its most impatient caller
	// waits.
	UsefulQueue *float64 `json:"useful_queue_count,omitempty"`
}

// Hop is that one service calls another.
type Hop struct {
	From string         `json:"from"`
	To   string         `json:"to"`
	At   model.Position `json:"location"`
	// Inferred says from what the hop was concluded, where the topology does not have it.
	Inferred string `json:"inferred,omitempty"`
	// Wait is the longest that a call may take, absent where it is not known; with
	// Unlimited there is no limit.
	Wait      *float64 `json:"worst_wait_seconds,omitempty"`
	Unlimited bool     `json:"worst_wait_unlimited,omitempty"`
	// Patience is how long the caller waits for one answer.
	Patience *float64 `json:"patience_seconds,omitempty"`
	// Tries is how many calls the callee gets at most for one; NoBound is that there is
	// none.
	Tries   *float64 `json:"try_count,omitempty"`
	NoBound bool     `json:"tries_unbounded,omitempty"`
	// Amplification is how many calls the callee gets at most for one where calls begin.
	Amplification          *float64 `json:"amplification_ratio,omitempty"`
	AmplificationUnbounded bool     `json:"amplification_unbounded,omitempty"`
	// Inverted says that the call may take longer than the caller of From waits for it.
	Inverted bool    `json:"inverted"`
	Layers   []Layer `json:"layers"`
}

// Layer is one object of a file on a hop, from the caller's code outwards.
type Layer struct {
	Name   string         `json:"name"`
	Layer  model.Layer    `json:"layer"`
	Format string         `json:"format"`
	At     model.Position `json:"location"`
}

// Path is one way through the chain.
type Path struct {
	Services []string `json:"services"`
	// Amplification is how many calls the far end gets at most for one.
	Amplification *float64 `json:"amplification_ratio,omitempty"`
	Unbounded     bool     `json:"amplification_unbounded,omitempty"`
	// FarEnd says what the far end does when it comes to that.
	FarEnd string `json:"far_end"`
	// FirstInverted is the first hop whose call may take longer than the caller before it
	// waits, as FROM → TO.
	FirstInverted string `json:"first_inverted,omitempty"`
}

// Of lists what a chain comes to; columns are those of the files that it was made of.
func Of(c *chain.Chain, columns lint.Columns) *Result {
	r := &Result{Schema: Schema, Complete: true, Services: []Service{}, Hops: []Hop{}, Paths: []Path{}}
	for _, s := range c.Services {
		r.Services = append(r.Services, service(s))
	}
	w := c.Paths()
	reached := w.Amplified()
	for _, h := range c.Hops {
		r.Hops = append(r.Hops, hop(h, reached))
	}
	r.PathCount = len(w.Paths)
	for _, p := range w.Paths[:min(len(w.Paths), maxPaths)] {
		r.Paths = append(r.Paths, path(p))
	}
	for i, h := range w.Cycle {
		if i == 0 {
			r.Cycle = append(r.Cycle, h.From.Name)
		}
		r.Cycle = append(r.Cycle, h.To.Name)
	}
	r.Verdict = r.sentence()
	r.count(columns)
	return r
}

// count has all places count characters.
func (r *Result) count(columns lint.Columns) {
	for i := range r.Services {
		columns.Count(&r.Services[i].At)
	}
	for i := range r.Hops {
		h := &r.Hops[i]
		columns.Count(&h.At)
		for k := range h.Layers {
			columns.Count(&h.Layers[k].At)
		}
	}
}

func known(v model.Value) *float64 {
	if !v.Finite() {
		return nil
	}
	x := v.Amount
	return &x
}

func service(s *chain.Service) Service {
	out := Service{Name: s.Name, At: s.At, Replicas: known(s.Replicas), Capacity: known(s.Capacity), Peak: known(s.Peak)}
	if l, _, ok := s.Patience(); ok {
		if u, ok := s.Useful(l.Seconds); ok {
			x := float64(u.InSystem)
			out.UsefulQueue = &x
		}
	}
	return out
}

func hop(h *chain.Hop, reached map[*chain.Hop]float64) Hop {
	out := Hop{From: h.From.Name, To: h.To.Name, At: h.At, Inferred: h.Inferred, Layers: []Layer{}, Inverted: h.Inverted()}
	if w, ok := h.Wait(); ok {
		out.Wait, out.Unlimited = bounded(w.Seconds)
	}
	if l, ok := h.Patience(); ok {
		out.Patience, _ = bounded(l.Seconds)
	}
	tries := chain.Amplification([]*chain.Hop{h})
	out.Tries, out.NoBound = bounded(tries.Product)
	if x, ok := reached[h]; ok {
		out.Amplification, out.AmplificationUnbounded = bounded(x)
	}
	for _, l := range h.Layers {
		out.Layers = append(out.Layers, Layer{Name: l.Hop.Name, Layer: l.Hop.Layer, Format: l.Document.Format, At: l.Hop.At})
	}
	return out
}

// bounded is a number, or that it has no bound.
func bounded(x float64) (*float64, bool) {
	if math.IsInf(x, 1) {
		return nil, true
	}
	return &x, false
}

func path(p chain.Path) Path {
	out := Path{Services: []string{p.Hops[0].From.Name}, FarEnd: p.Mode.String()}
	out.Amplification, out.Unbounded = bounded(p.Product)
	for _, h := range p.Hops {
		out.Services = append(out.Services, h.To.Name)
		if out.FirstInverted == "" && h.Inverted() {
			out.FirstInverted = h.Name()
		}
	}
	return out
}

// sentence says how many calls come of one, in the words of CHN-02.
func (p Path) sentence() string {
	far := p.Services[len(p.Services)-1]
	switch {
	case p.Amplification == nil:
		return "one call becomes any number at " + far
	case *p.Amplification > 1:
		return fmt.Sprintf("one call becomes up to %s at %s", units.Number(*p.Amplification), far)
	}
	return "no call is tried again"
}

// sentence is the answer in one line.
func (r *Result) sentence() string {
	if len(r.Hops) == 0 {
		return fmt.Sprintf("%s and no hop between them", lint.Counted(len(r.Services), "service"))
	}
	text := fmt.Sprintf("%s and %s", lint.Counted(len(r.Services), "service"), lint.Counted(len(r.Hops), "hop"))
	inverted := 0
	for _, h := range r.Hops {
		if h.Inverted {
			inverted++
		}
	}
	if len(r.Paths) > 0 {
		text += "; " + r.Paths[0].sentence()
	}
	if inverted > 0 {
		text += fmt.Sprintf("; %s may take longer than its caller waits", lint.Counted(inverted, "call"))
	}
	return text
}
