package link

import (
	"fmt"
	"path"
	"path/filepath"

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
	b.foreign()
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
	// strangers are hops in files of a service that are by their names another's.
	strangers []stranger
}

// stranger is one such hop.
type stranger struct {
	d     *model.Document
	m     *model.Hop
	layer model.Layer
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
		b.piece(h, doc, m, m.Layer, own)
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
