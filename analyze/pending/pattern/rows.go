package pattern

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

func text(s *string) field   { return field{text: s} }
func path(s *string) field   { return field{text: s, path: true} }
func flag(b *bool) field     { return field{flag: b} }
func list(l *[]string) field { return field{list: l, path: true} }
func classes(l *[]string) field {
	return field{list: l}
}
func oneOf(s *string, words []string) field {
	return field{text: s, oneOf: words}
}

func (p *parser) queue(n *yaml.Node) {
	var q Queue
	ok := p.row(n, "a queue", map[string]field{
		"name": text(&q.Name), "class": text(&q.Class), "server": text(&q.Server), "source": text(&q.Source),
		"kind": oneOf(&q.Kind, Kinds()), "role": oneOf(&q.Role, Roles()),
		"array": path(&q.Array), "head": path(&q.Head), "indexes": path(&q.Indexes),
		"first": list(&q.First), "next": path(&q.Next), "item": list(&q.Item),
		"count": path(&q.Count), "minus": path(&q.CountWith), "capacity": path(&q.Capacity),
		"unbounded": flag(&q.Unbounded), "self": flag(&q.Self), "collection": flag(&q.Collection), "via": classes(&q.Via),
	}, "name", "class", "kind", "source")
	if !ok {
		return
	}
	if q.Role == "" {
		q.Role = Tasks
	}
	for _, need := range []struct {
		kinds      []string
		key, value string
	}{
		{[]string{Ring, Array, Heap, Chunks}, "array", q.Array},
		{[]string{Linked}, "first", strings.Join(q.First, "")},
		{[]string{Linked}, "next", q.Next},
		{[]string{Map, Count, Chunks}, "count", q.Count},
	} {
		for _, k := range need.kinds {
			if k == q.Kind && need.value == "" {
				p.problem(n.Line, "", "a queue of kind %s: expected the key %q, found none", q.Kind, need.key)
			}
		}
	}
	if q.Kind == Ring && q.Head == "" && q.Indexes == "" {
		p.problem(n.Line, "", "a queue of kind ring: expected the key \"head\" or \"indexes\", found none")
	}
	q.re, q.via = p.class(n, q.Class), matchers(q.Via)
	p.table.Queues = append(p.table.Queues, q)
}

func (p *parser) owner(n *yaml.Node) {
	var o Owner
	if p.row(n, "an owner", map[string]field{
		"class": text(&o.Class), "server": text(&o.Server), "field": path(&o.Field), "what": text(&o.What),
		"role": oneOf(&o.Role, Roles()), "each": flag(&o.Each), "named": path(&o.Named), "capacity": path(&o.Capacity),
		"max_threads": path(&o.MaxThreads), "min_threads": path(&o.MinThreads),
		"setting": text(&o.Setting), "note": text(&o.Note), "source": text(&o.Source),
	}, "class", "field", "what", "source") {
		o.re = p.class(n, o.Class)
		p.table.Owners = append(p.table.Owners, o)
	}
}

func (p *parser) item(n *yaml.Node) {
	var i Item
	if p.row(n, "an item", map[string]field{
		"class": text(&i.Class), "server": text(&i.Server), "means": text(&i.Means), "source": text(&i.Source),
		"request": flag(&i.Request), "internal": flag(&i.Internal), "ages": list(&i.Ages), "via": classes(&i.Via), "keep": list(&i.Keep),
	}, "class", "means", "source") {
		i.re, i.via = p.class(n, i.Class), matchers(i.Via)
		p.table.Items = append(p.table.Items, i)
	}
}

func (p *parser) limit(n *yaml.Node) {
	var l Limit
	if p.row(n, "a limit", map[string]field{
		"class": text(&l.Class), "server": text(&l.Server), "field": path(&l.Field), "name": text(&l.Name),
		"unit": text(&l.Unit), "source": text(&l.Source),
	}, "class", "field", "name", "source") {
		l.re = p.class(n, l.Class)
		p.table.Limits = append(p.table.Limits, l)
	}
}

func (p *parser) plain(n *yaml.Node) {
	var r Plain
	if p.row(n, "a plain class", map[string]field{
		"class": text(&r.Class), "why": text(&r.Why), "source": text(&r.Source),
	}, "class", "why", "source") {
		r.re = p.class(n, r.Class)
		p.table.Plain = append(p.table.Plain, r)
	}
}
