package topology

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/nearest"
)

// Read reads a topology file. What it cannot take is in [File.Problems].
func Read(name string, data []byte) *File {
	f := &File{Name: name, Defaults: map[string]model.Value{}}
	roots, errs := tree.YAML(name, data)
	for _, e := range errs {
		f.problem(model.Position{File: name, Line: e.Line, Column: e.Column}, "%s", e.Error())
	}
	switch {
	case len(roots) == 0 || !roots[0].Present():
		if len(errs) == 0 {
			f.problem(model.Position{File: name, Line: 1}, "expected version, services and hops, found nothing")
		}
		f.lost()
		return f
	case len(roots) > 1:
		f.problem(roots[1].At, "expected one document, found %d: the first is read", len(roots))
	}
	f.root(roots[0])
	f.check()
	if f.Unusable == nil && !slices.ContainsFunc([]string{"version", "services", "hops"}, func(key string) bool { return roots[0].Get(key).Present() }) {
		f.problem(roots[0].At, "expected version, services and hops, found none of them")
		f.lost()
	}
	return f
}

func (f *File) problem(at model.Position, format string, args ...any) {
	f.Problems = append(f.Problems, model.Problem{At: at, Err: fmt.Sprintf(format, args...)})
}

// lost says that the last problem leaves no topology.
func (f *File) lost() {
	if f.Unusable == nil && len(f.Problems) > 0 {
		f.Unusable = &f.Problems[len(f.Problems)-1]
	}
}

// take is what a key of an object does with its value.
type take func(n *tree.Node)

// object hands the values of a map to their keys and names the keys that it does not
// know. Of a key that stands twice the last counts, of which the parser tells; over one
// that << merges in another is meant.
func (f *File) object(n *tree.Node, what string, keys map[string]take) {
	if n.Kind != tree.Map {
		f.problem(n.At, "%s: expected a map, found %s", what, kindOf(n))
		return
	}
	for key, c := range n.Fields() {
		t, ok := keys[key]
		switch {
		case !ok:
			f.unknown(c.KeyAt, key, what, keys)
		case n.Get(key) == c && c.Present():
			t(c)
		}
	}
}

func (f *File) unknown(at model.Position, key, what string, keys map[string]take) {
	var names []string
	for k := range keys {
		names = append(names, k)
	}
	slices.Sort(names)
	if near, ok := nearest.To(key, names); ok {
		f.problem(at, "%s: unknown key %q, perhaps %q is meant", what, key, near)
		return
	}
	f.problem(at, "%s: unknown key %q: expected one of %s", what, key, strings.Join(names, ", "))
}

func (f *File) root(n *tree.Node) {
	if n.Kind != tree.Map {
		f.problem(n.At, "topology: expected a map, found %s", kindOf(n))
		f.lost()
		return
	}
	version := false
	f.object(n, "topology", map[string]take{
		"version": func(n *tree.Node) {
			version = true
			if n.String() != fmt.Sprint(Version) {
				f.problem(n.At, "version: expected %d, found %q", Version, clip(n.String()))
				f.lost()
			}
		},
		"defaults": func(n *tree.Node) {
			if n.Kind != tree.Map {
				f.problem(n.At, "defaults: expected a map of versions by product, found %s", kindOf(n))
				return
			}
			for key, c := range n.Fields() {
				if v, ok := f.word(c, "defaults."+key); ok {
					f.Defaults[key] = v
				}
			}
		},
		"services": f.services,
		"hops":     f.hops,
	})
	if !version {
		f.problem(n.At, "expected version: %d, found none", Version)
	}
}

func (f *File) services(n *tree.Node) {
	if n.Kind != tree.Map {
		f.problem(n.At, "services: expected a map of services by name, found %s", kindOf(n))
		f.lost()
		return
	}
	for name, c := range n.Fields() {
		if len(f.Services) == MaxServices {
			f.problem(c.KeyAt, "more than %d services: the rest is not read", MaxServices)
			return
		}
		if n.Get(name) != c {
			continue // the last counts
		}
		s := &Service{Name: name, At: plain(c.KeyAt)}
		f.Services = append(f.Services, s)
		if c.Present() { // one of which nothing is known has an empty value
			f.service(s, c)
		}
	}
}

func (f *File) service(s *Service, n *tree.Node) {
	what := "service " + clip(s.Name)
	f.object(n, what, map[string]take{
		"names":           func(n *tree.Node) { s.Names = f.words(n, what+": names") },
		"replicas":        f.count(&s.Replicas, "replicas", 1),
		"capacity":        f.rate(&s.Capacity, "capacity"),
		"peak":            f.rate(&s.Peak, "peak"),
		"pause":           f.duration(&s.Pause, "pause"),
		"max_connections": f.count(&s.MaxConnections, "max_connections", 1),
		"reserved":        f.count(&s.Reserved, "reserved", 0),
		"spare":           f.count(&s.Spare, "spare", 0),
		"group": func(n *tree.Node) {
			f.object(n, what+": group", map[string]take{
				"size": f.count(&s.GroupSize, "group.size", 1), "partitions": f.count(&s.Partitions, "group.partitions", 1),
			})
		},
		"service_time": func(n *tree.Node) {
			f.object(n, what+": service_time", map[string]take{
				"mean": f.duration(&s.Mean, "service_time.mean"), "p50": f.duration(&s.P50, "service_time.p50"),
				"p95": f.duration(&s.P95, "service_time.p95"), "p99": f.duration(&s.P99, "service_time.p99"),
			})
		},
		"config": func(n *tree.Node) {
			for c := range n.Items() {
				if len(s.Configs) == MaxConfigs {
					f.problem(c.At, "%s: more than %d files: the rest is not read", what, MaxConfigs)
					return
				}
				f.config(s, c, what)
			}
		},
	})
}

func (f *File) config(s *Service, n *tree.Node, what string) {
	c := Config{At: plain(n.At)}
	if n.Kind == tree.Scalar { // a file alone
		c.File = n.Text
	} else {
		f.object(n, what+": config", map[string]take{
			"file": func(n *tree.Node) { c.File = f.text(n, "file") },
			"as":   func(n *tree.Node) { c.As = f.as(n) },
			"to":   func(n *tree.Node) { c.To = f.text(n, "to") },
			"keys": func(n *tree.Node) { c.Keys = f.keys(n) },
		})
	}
	switch {
	case c.File == "":
		f.problem(n.At, "%s: config: expected a file, found none", what)
		return
	case c.As.Keys && len(c.Keys) == 0:
		f.problem(c.As.At, "%s: config %s: expected keys, the names of the application's settings by what they mean, found none", what, clip(c.File))
	case len(c.Keys) > 0 && !c.As.Keys:
		f.problem(n.At, "%s: config %s: keys: expected as: %s with them", what, clip(c.File), AppClient)
	}
	s.Configs = append(s.Configs, c)
}

func (f *File) keys(n *tree.Node) map[string]Key {
	out := map[string]Key{}
	takes := map[string]take{}
	for _, field := range Fields() {
		takes[field] = func(n *tree.Node) {
			if name := f.text(n, field); name != "" {
				out[field] = Key{Name: name, At: plain(n.At)}
			}
		}
	}
	f.object(n, "keys", takes)
	return out
}

// check holds what belongs together against each other.
func (f *File) check() {
	var names []string
	for _, s := range f.Services {
		names = append(names, s.Name)
	}
	known := func(at model.Position, key, name string) bool {
		if f.Service(name) != nil {
			return true
		}
		if near, ok := nearest.To(name, names); ok {
			f.problem(at, "%s: no service %q, perhaps %q is meant", key, clip(name), near)
		} else {
			f.problem(at, "%s: no service %q: expected one of services", key, clip(name))
		}
		return false
	}
	f.Hops = slices.DeleteFunc(f.Hops, func(h *Hop) bool {
		return !known(h.At, "from", h.From) || !known(h.At, "to", h.To)
	})
	for _, s := range f.Services {
		for i := range s.Configs {
			if c := &s.Configs[i]; c.To != "" && !known(c.At, "to", c.To) {
				c.To = ""
			}
		}
		f.ordered(s)
	}
}

// ordered finds numbers of a service that contradict each other.
func (f *File) ordered(s *Service) {
	if r, g := s.Replicas, s.GroupSize; r.Known() && g.Known() && g.Amount > r.Amount {
		f.problem(g.At, "group.size: expected at most the %s replicas, found %s", r, g)
		s.GroupSize = model.Value{}
	}
	last := model.Value{}
	for _, v := range []model.Value{s.P50, s.P95, s.P99} {
		if v.Known() && last.Known() && v.Amount < last.Amount {
			f.problem(v.At, "%s: expected at least %s of %s, found %s", v.Key, last, last.Key, v)
		}
		if v.Known() {
			last = v
		}
	}
}
