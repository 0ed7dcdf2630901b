package link

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/topology"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/nearest"
	"example.com/kneeline/internal/units"
)

// application reads the settings of an application's own file, whose names the topology
// gives.
func (b *builder) application(s *chain.Service, c topology.Config, name string) {
	data, ok := b.Own[name]
	if !ok {
		b.problem(c.At, "service %s: %s was not read", s.Name, name)
		return
	}
	hops := s.Out
	if c.To != "" {
		to := b.out.Service(c.To)
		if b.hop(s, to) == nil {
			b.connect(s, to, c.At, "config of "+s.Name)
		}
		hops = []*chain.Hop{b.hop(s, to)}
	}
	if len(hops) != 1 {
		b.problem(c.At, "service %s: config %s: expected to, the service that these settings are for, since it calls %d", s.Name, name, len(hops))
		return
	}
	r := &appReader{builder: b, name: name, settings: map[string]*tree.Node{}}
	r.parse(data)
	m := r.hop(c.Keys)
	m.Name, m.From, m.To = "client of "+hops[0].To.Name, s.Name, hops[0].To.Name
	doc := &model.Document{File: name, Line: 1, Format: topology.AppClient, Hops: []*model.Hop{m}}
	b.piece(hops[0], doc, m, model.App, topology.AppClient)
}

type appReader struct {
	*builder
	name     string
	settings map[string]*tree.Node
	names    []string
}

// parse reads a file in the syntax of its name: properties unless that says otherwise.
func (r *appReader) parse(data []byte) {
	var roots []*tree.Node
	var errs []*tree.Error
	one := func(n *tree.Node, err *tree.Error) {
		roots = []*tree.Node{n}
		if err != nil {
			errs = append(errs, err)
		}
	}
	switch strings.ToLower(path.Ext(r.name)) {
	case ".yaml", ".yml":
		roots, errs = tree.YAML(r.name, data)
	case ".json":
		one(tree.JSON(r.name, data))
	case ".toml":
		one(tree.TOML(r.name, data))
	case ".ini", ".cfg", ".conf":
		one(tree.INI(r.name, data), nil)
	default:
		one(tree.Properties(r.name, data), nil)
	}
	for _, e := range errs {
		r.problem(model.Position{File: r.name, Line: e.Line, Column: e.Column}, "%s", e.Error())
	}
	for _, n := range roots {
		r.flatten(n)
	}
	for name := range r.settings {
		r.names = append(r.names, name)
	}
	slices.Sort(r.names)
}

func (r *appReader) flatten(n *tree.Node) {
	if n == nil {
		return
	}
	if n.Kind == tree.Scalar {
		r.settings[n.Path()] = n
	}
	for _, c := range n.Children {
		r.flatten(c)
	}
}

// hop puts the settings into a hop of the application.
func (r *appReader) hop(keys map[string]topology.Key) *model.Hop {
	h := &model.Hop{Layer: model.App, At: model.Position{File: r.name, Line: 1}}
	h.Total, h.PerTry, h.Connect = r.duration(keys, "total"), r.duration(keys, "per_try"), r.duration(keys, "connect")
	h.Retry.Tries = r.take(keys, "tries", model.Count, count)
	h.Retry.Written = h.Retry.Tries
	h.Backoff.Base = r.duration(keys, "backoff")
	h.Hedge = hedge(r.duration(keys, "hedge_after"), r.take(keys, "hedge_max", model.Count, count))
	h.Budget.Ratio = r.take(keys, "budget_ratio", model.Ratio, units.ParseShare)
	h.Budget.Supported = h.Budget.Ratio.Present()
	h.Pool.Min, h.Pool.Max = r.take(keys, "pool_min", model.Count, count), r.take(keys, "pool_max", model.Count, count)
	h.Pool.Wait = r.duration(keys, "pool_wait")
	for _, v := range []model.Value{h.Total, h.PerTry, h.Retry.Tries, h.Hedge.Delay} {
		if v.At.Line > 0 {
			h.At = v.At
			h.At.Offset, h.At.End = 0, 0
			break
		}
	}
	return h
}

func count(text string) (float64, error) {
	n, err := units.ParseCount(text)
	return float64(n), err
}

// take reads one setting; one that is missing is a problem of the topology.
func (r *appReader) take(keys map[string]topology.Key, field string, unit model.Unit, parse func(string) (float64, error)) model.Value {
	k, ok := keys[field]
	if !ok {
		return model.Value{}
	}
	n := r.settings[k.Name]
	if n == nil {
		if near, ok := nearest.To(k.Name, r.names); ok {
			r.problem(k.At, "keys.%s: expected a setting of %s, found %q, perhaps %q is meant", field, r.name, k.Name, near)
		} else {
			r.problem(k.At, "keys.%s: expected a setting of %s, found %q", field, r.name, k.Name)
		}
		return model.Value{}
	}
	v := model.Value{Key: k.Name, Raw: n.Text, Text: n.Text, Unit: unit, Origin: model.Set, At: n.At}
	if n.Hole != nil && n.Hole.IsHole() {
		v.Origin = model.Hole
		return v
	}
	x, err := parse(strings.TrimSpace(n.Text))
	if err != nil || !(x >= 0) {
		r.problem(n.At, "%s: expected a value that keys.%s can have, found %q", k.Name, field, n.Text)
		return model.Value{}
	}
	v.Amount = x
	return v
}

// duration reads a duration; a number alone counts what the end of its setting's name
// says.
func (r *appReader) duration(keys map[string]topology.Key, field string) model.Value {
	unit := bareUnit(keys[field].Name)
	return r.take(keys, field, model.Seconds, func(text string) (float64, error) {
		if f, err := strconv.ParseFloat(text, 64); err == nil && unit > 0 {
			return f * unit, nil
		}
		d, err := units.ParseDuration(text)
		return d.Seconds(), err
	})
}

// bareUnit is the unit that the end of a setting's name says, in seconds, 0 for none.
func bareUnit(name string) float64 {
	lower := strings.ToLower(name)
	for _, u := range []struct {
		ends []string
		unit float64
	}{
		{[]string{"milliseconds", "millis", ".ms", "_ms", "-ms"}, 1e-3},
		{[]string{"seconds", "secs", ".sec", "_sec", ".s", "_s", "-s"}, 1},
	} {
		for _, end := range u.ends {
			if strings.HasSuffix(lower, end) {
				return u.unit
			}
		}
	}
	if strings.HasSuffix(name, "Ms") || strings.HasSuffix(name, "InMs") {
		return 1e-3
	}
	return 0
}
