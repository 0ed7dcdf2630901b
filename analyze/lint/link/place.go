package link

import (
	"fmt"
	"slices"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/topology"
)

// own is the program of the pieces that are the topology's own.
const own = "own"

// piece is one object of a file on a hop.
type piece struct {
	chain.Layer
	layer model.Layer
	// program groups the objects of one program: a route and its cluster are one layer. It
	// is own for what the topology says, which belongs to any.
	program string
}

func (b *builder) piece(h *chain.Hop, d *model.Document, m *model.Hop, layer model.Layer, program string) {
	if layer == model.LayerUnknown {
		layer = model.Library
	}
	if d.Format == "nginx" && m.Retry.Tries.Unlimited() && m.Retry.Servers == 0 {
		// Each address of a host is tried once. The file does not tell how many it has; a
		// Service of Kubernetes has one.
		one := *m
		one.Retry.Servers = 1
		m = &one
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
	if from := b.targets(d.File, m.From); len(from) > 0 && !slices.Contains(from, s) {
		b.strangers = append(b.strangers, stranger{d, m, layer})
		return
	}
	targets := b.targets(d.File, m.To)
	for _, to := range targets {
		if to != s && m.Layer == model.Sidecar && b.hop(s, to) == nil { // a rule of a mesh for all callers
			b.strangers = append(b.strangers, stranger{d, m, layer})
			return
		}
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

// foreign puts the routes of a mesh that lie in the file of one service and are for calls
// of another one's name onto the hops that lead to whom they name: that the file's service
// makes such calls does not follow from where it lies.
func (b *builder) foreign() {
	for _, x := range b.strangers {
		for _, to := range b.targets(x.d.File, x.m.To) {
			for _, h := range to.In {
				b.piece(h, x.d, x.m, x.layer, x.d.Format)
			}
		}
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
				if p.layer == first.layer && (p.program == first.program || first.program == own || p.program == own) {
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
			h.PerPair = h.PerPair || l.Hop.Pool.PerServer
		}
	}
}
