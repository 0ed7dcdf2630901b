package link

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/topology"
)

// Input is what a chain is made of.
type Input struct {
	Topology *topology.File
	// Documents are those of all files of the run.
	Documents []*model.Document
	// Own are the texts of applications' own files, by their names.
	Own map[string][]byte
	// Facts are what files say of each other.
	Facts []Fact
}

// Chain is a chain with what could not be linked.
type Chain struct {
	*chain.Chain
	Problems []model.Problem
}

// Path is a file of the topology as findings name it: from where the program runs.
func Path(t *topology.File, file string) string {
	file = filepath.ToSlash(file)
	if path.IsAbs(file) {
		return file
	}
	return path.Join(path.Dir(filepath.ToSlash(t.Name)), file)
}

// Build makes a chain.
func Build(in Input) *Chain {
	b := &builder{Input: in, out: &Chain{Chain: &chain.Chain{File: in.Topology.Name}}, names: newDirectory(), byFile: map[string][]*model.Document{}, used: map[*model.Document]bool{}}
	for _, d := range in.Documents {
		name := path.Clean(d.File)
		b.byFile[name] = append(b.byFile[name], d)
	}
	b.services()
	b.hops()
	b.infer()
	for _, s := range in.Topology.Services {
		for _, c := range s.Configs {
			b.config(b.out.Service(s.Name), s, c)
		}
	}
	b.rest()
	b.stack()
	return b.out
}

type builder struct {
	Input
	out    *Chain
	names  *directory
	byFile map[string][]*model.Document
	// used are the documents that belong to a service of the topology.
	used  map[*model.Document]bool
	facts *facts
	// pieces are the objects of each hop, in the order in which they were found.
	pieces map[*chain.Hop][]piece
}

// piece is one object of a file on a hop.
type piece struct {
	chain.Layer
	layer model.Layer
	// program groups the objects of one program: a route and its cluster are one layer.
	program string
}

func (b *builder) problem(at model.Position, format string, args ...any) {
	b.out.Problems = append(b.out.Problems, model.Problem{At: at, Err: fmt.Sprintf(format, args...)})
}

func (b *builder) services() {
	for _, t := range b.Topology.Services {
		s := &chain.Service{
			Name: t.Name, At: t.At, Replicas: t.Replicas, GroupSize: t.GroupSize, Partitions: t.Partitions, Capacity: t.Capacity, Peak: t.Peak,
			Mean: t.Mean, P50: t.P50, P95: t.P95, P99: t.P99, Pause: t.Pause, MaxConnections: t.MaxConnections, Reserved: t.Reserved, Spare: t.Spare,
		}
		b.out.Services = append(b.out.Services, s)
	}
	for i, t := range b.Topology.Services { // names of services before names that stand for them
		b.names.addAll(b.out.Services[i], &topology.Service{Name: t.Name})
	}
	for i, t := range b.Topology.Services {
		b.names.addAll(b.out.Services[i], t)
	}
}

func (b *builder) hops() {
	b.pieces = map[*chain.Hop][]piece{}
	for _, t := range b.Topology.Hops {
		from, to := b.out.Service(t.From), b.out.Service(t.To)
		if h := b.hop(from, to); h != nil {
			b.problem(t.At, "hop: %s stands twice, at line %d before", h.Name(), h.At.Line)
			continue
		}
		h := b.connect(from, to, t.At, "")
		h.Rate, h.Fan, h.PerPair = t.Rate, t.Fan, t.PoolPerPair
		b.own(h, t)
	}
}

// hop returns the hop between two services, nil if there is none.
func (b *builder) hop(from, to *chain.Service) *chain.Hop {
	for _, h := range from.Out {
		if h.To == to {
			return h
		}
	}
	return nil
}

func (b *builder) connect(from, to *chain.Service, at model.Position, inferred string) *chain.Hop {
	h := &chain.Hop{From: from, To: to, At: at, Inferred: inferred}
	from.Out, to.In = append(from.Out, h), append(to.In, h)
	b.out.Hops = append(b.out.Hops, h)
	return h
}

// own takes what the topology itself says of a hop: the application's limits, and those
// of the library under it.
func (b *builder) own(h *chain.Hop, t *topology.Hop) {
	doc := &model.Document{File: b.Topology.Name, Line: t.At.Line, Format: "topology"}
	app := &model.Hop{
		Name: "hop " + h.Name(), From: h.From.Name, To: h.To.Name, Layer: model.App, At: t.At, Total: t.Total, PerTry: t.PerTry,
		Retry: model.Retry{Tries: t.Tries, Written: t.Tries}, Backoff: model.Backoff{Base: t.Backoff}, CancelsWork: t.DeadlineCarried,
		Hedge:  hedge(t.HedgeAfter, t.HedgeMax),
		Budget: model.Budget{Ratio: t.BudgetRatio, Scope: t.BudgetScope, Supported: t.BudgetRatio.Present()},
	}
	library := &model.Hop{Name: app.Name + " (library)", From: h.From.Name, To: h.To.Name, Layer: model.Library, At: t.At, Total: t.LibraryTotal, Pool: model.Pool{Min: t.PoolMin, Max: t.PoolMax}}
	for _, m := range []*model.Hop{app, library} {
		doc.Hops = append(doc.Hops, m)
		b.piece(h, doc, m, m.Layer, "own")
	}
}

// hedge is a second request after a delay; max counts those beyond the first.
func hedge(after, most model.Value) model.Hedge {
	if most.Known() {
		n := model.Of(model.Count, most.Amount+1, "the first request and "+most.String()+" more")
		n.Key, n.At = most.Key, most.At
		most = n
	}
	return model.Hedge{Delay: after, Max: most}
}

func (b *builder) piece(h *chain.Hop, d *model.Document, m *model.Hop, layer model.Layer, program string) {
	if layer == model.LayerUnknown {
		layer = model.Library
	}
	b.pieces[h] = append(b.pieces[h], piece{chain.Layer{Document: d, Hop: m}, layer, program})
}

// config puts the objects of a service's file where they belong.
func (b *builder) config(s *chain.Service, of *topology.Service, c topology.Config) {
	name := Path(b.Topology, c.File)
	if c.As.Keys {
		b.application(s, c, name)
		return
	}
	docs := b.byFile[name]
	if len(docs) == 0 {
		b.problem(c.At, "service %s: %s was not read, or nothing in it is of a format that is read", s.Name, name)
		return
	}
	found := false
	for _, d := range docs {
		if c.As.Format != "" && d.Format != c.As.Format && d.Product != c.As.Format {
			continue
		}
		found = true
		if b.others(s, d) {
			continue
		}
		b.used[d] = true
		if !c.As.Client {
			b.parts(s, d)
		}
		if !c.As.Server {
			for _, h := range d.Hops {
				b.place(s, d, h, c)
			}
		}
	}
	if !found {
		b.problem(c.As.At, "service %s: as %s: expected %s in %s, found %s", s.Name, c.As.Word, c.As.Format, name, docs[0].Format)
	}
}

// parts adds the services of a document, but for those that are by their names another
// service's: a file may have the objects of many.
func (b *builder) parts(s *chain.Service, d *model.Document) {
	for _, m := range d.Services {
		if other := b.names.find(objectName(m.Name)); other != nil && other != s {
			continue
		}
		s.Parts = append(s.Parts, chain.Part{Document: d, Service: m})
	}
}

// place puts one object on the hop that it sets: from s to whom it names, or what callers
// of s do where it names s itself. One that names nobody is for the only hop there is.
func (b *builder) place(s *chain.Service, d *model.Document, m *model.Hop, c topology.Config) {
	layer := m.Layer
	if c.As.Layer != model.LayerUnknown {
		layer = c.As.Layer
	}
	if c.To != "" {
		b.onto(s, b.out.Service(c.To), d, m, layer)
		return
	}
	targets := b.targets(d.File, m.To)
	for _, to := range targets {
		if to != s {
			b.onto(s, to, d, m, layer)
			continue
		}
		for _, h := range s.In {
			b.piece(h, d, m, layer, d.Format)
		}
	}
	if len(targets) == 0 && m.To == "" && len(s.Out) == 1 {
		b.piece(s.Out[0], d, m, layer, d.Format)
	}
}

func (b *builder) onto(from, to *chain.Service, d *model.Document, m *model.Hop, layer model.Layer) {
	h := b.hop(from, to)
	if h == nil {
		h = b.connect(from, to, m.At, fmt.Sprintf("%s in %s:%d", m.Name, m.At.File, m.At.Line))
	}
	b.piece(h, d, m, layer, d.Format)
}

// rest puts objects of files that no service lists, such as the routes of a mesh: on all
// hops to whom they name, or from whom they name.
func (b *builder) rest() {
	for _, d := range b.Documents {
		if b.used[d] {
			continue
		}
		for _, m := range d.Services {
			if s := b.names.find(objectName(m.Name)); s != nil {
				s.Parts = append(s.Parts, chain.Part{Document: d, Service: m})
			}
		}
		from := b.names.find(b.facts.owner(d))
		for _, m := range d.Hops {
			if from == nil {
				from = b.names.find(m.From)
			}
			for _, to := range b.targets(d.File, m.To) {
				if from != nil && from != to && b.hop(from, to) == nil {
					b.onto(from, to, d, m, m.Layer)
					continue
				}
				for _, h := range to.In {
					if from == nil || h.From == from {
						b.piece(h, d, m, m.Layer, d.Format)
					}
				}
			}
		}
	}
}

// stack orders the objects of each hop into layers and makes one of those of one program.
func (b *builder) stack() {
	for _, h := range b.out.Hops {
		pieces := b.pieces[h]
		slices.SortStableFunc(pieces, func(x, y piece) int { return int(x.layer) - int(y.layer) })
		for len(pieces) > 0 {
			first := pieces[0]
			var same, others []piece
			for _, p := range pieces {
				if p.layer == first.layer && (p.program == first.program || first.program == "own" || p.program == "own") {
					same = append(same, p)
				} else {
					others = append(others, p)
				}
			}
			pieces = others
			if l, ok := merge(same, h); ok {
				h.Layers = append(h.Layers, l)
			}
		}
		for _, l := range h.Layers {
			h.PerPair = h.PerPair || l.Document.Format == "d2"
		}
	}
}
