package rule

import (
	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/finding"
)

// Needs is what a rule must know before it can say anything.
type Needs uint8

// The needs.
const (
	// Config alone: what a file sets.
	Config Needs = 1 << iota
	// Defaults of the program that reads the file.
	Defaults
	// Topology: which hop leads to which.
	Topology
	// Load: capacity, service times, peak.
	Load
)

// Rule is one rule.
type Rule struct {
	finding.Rule
	Needs Needs
	// Check looks at what files come to and reports what it finds. It is called for each
	// file apart, and at the same time for several.
	Check func(*Pass)
	// Across marks a rule that looks at several files at once: Check is then called once,
	// with what Across leaves of the documents of all files. It returns nil for a document
	// that the rule has no use for; what it leaves stays in memory until the end.
	Across func(*model.Document) *model.Document
	// Chain looks at how services call each other, once, where the run has a topology:
	// [Pass.Chain] is then not nil. A rule has Check, Chain or both.
	Chain func(*Pass)
}

// Pass is one rule's look at a run.
type Pass struct {
	Graph *model.Graph

	rule     *Rule
	findings []finding.Finding
	missing  []Missing
	wanted   []Wanted
	asked    map[place]bool
	chain    *chain.Chain
	settled  Settled
}

// Settled are the places that a rule has decided on with the chain, so that what it says
// of them without the chain is moot.
type Settled struct {
	// Known are those that it could not check before; Overruled are those on which, beside
	// that, it has found nothing or something else.
	Known, Overruled []model.Position
}

// Missing is what a rule could not check.
type Missing struct {
	Rule string `json:"rule"`
	// What says it, and what would make it possible.
	What string         `json:"what"`
	At   model.Position `json:"location"`
}

// Run checks one rule and returns its findings, in the order found, and what it
// could not check.
func Run(r *Rule, g *model.Graph) ([]finding.Finding, []Missing) {
	return RunEdits(r, g, nil)
}

// RunChain holds one rule against a chain. Beside its findings and what it could not
// check it returns the places that it has decided on: what the rule says of them without
// the chain is moot.
func RunChain(r *Rule, c *chain.Chain) ([]finding.Finding, []Missing, Settled) {
	p := &Pass{Graph: &model.Graph{}, rule: r, chain: c}
	r.Chain(p)
	return p.findings, p.missing, p.settled
}

// Chain is how services call each other, nil where the run has no topology.
func (p *Pass) Chain() *chain.Chain { return p.chain }

// Settle says that the rule has, with the chain, what it lacked at a place.
func (p *Pass) Settle(at model.Position) { p.settled.Known = append(p.settled.Known, at) }

// Overrule says that the rule, with the chain, has decided on a setting, whether or not it
// has found anything: what it finds there without the chain is left out.
func (p *Pass) Overrule(at model.Position) { p.settled.Overruled = append(p.settled.Overruled, at) }

// Lacks reports that a rule needs a number of a service or hop that the topology does
// not give.
func (p *Pass) Lacks(at model.Position, what, number, of string) {
	p.CouldNot(at, what+" (add `"+number+"` of "+of+" to the topology)")
}

// Hops calls f for each hop with the document that it is in.
func (p *Pass) Hops(f func(d *model.Document, h *model.Hop)) {
	for _, d := range p.Graph.Documents {
		for _, h := range d.Hops {
			f(d, h)
		}
	}
}

// Services calls f for each service with the document that it is in.
func (p *Pass) Services(f func(d *model.Document, s *model.Service)) {
	for _, d := range p.Graph.Documents {
		for _, s := range d.Services {
			f(d, s)
		}
	}
}

// CouldNot reports what the rule lacks at a place.
func (p *Pass) CouldNot(at model.Position, what string) {
	p.missing = append(p.missing, Missing{Rule: p.rule.ID, What: what, At: at})
}

// Report adds a finding of the rule at a place, with the severity of its page, and
// returns it so that the check can add to it. Object is the hop or service, key the
// setting that it is about; both are part of the fingerprint.
func (p *Pass) Report(at model.Position, object, key, message string) *Found {
	loc := finding.Location{File: at.File, Line: at.Line, Column: at.Column, Object: object}
	p.findings = append(p.findings, p.rule.Found(loc, key, message))
	return &Found{f: &p.findings[len(p.findings)-1], p: p}
}
