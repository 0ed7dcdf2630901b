package jetty

import (
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// ini reads the properties that Jetty's own XML files take. A file of them says which
// parts it sets up by its keys, a module by its XML files.
func (r *reader) ini(root *tree.Node) {
	set := properties(root)
	part := func(prefix string) (model.Position, bool) {
		var at model.Position
		for key, p := range set {
			if strings.HasPrefix(key, prefix) && (at.Line == 0 || p.node.KeyAt.Line < at.Line) {
				at = p.node.KeyAt
			}
		}
		return at, at.Line > 0
	}
	threads, pool := part("jetty.threadPool.")
	if m := module(root); !pool && m != nil && path.Base(m.Key) == "jetty-threadpool.xml" {
		threads, pool = m.KeyAt, true
	}
	stop := r.Duration(set["jetty.server.stopTimeout"].node, "jetty.server.stopTimeout", bind.Millis)
	var exec model.Exec
	if pool {
		exec = model.Exec{
			Threads: r.iniCount(set, "jetty.threadPool.maxThreads", "maxThreads", threads),
			Min:     r.iniCount(set, "jetty.threadPool.minThreads", "minThreads", threads),
			Queue:   r.Default("jetty", "queue", threads),
		}
	}
	found := false
	for _, c := range []string{"jetty.http", "jetty.ssl", "jetty.quic"} {
		at, ok := part(c + ".")
		if m := module(root); !ok && m != nil && "jetty."+strings.TrimSuffix(strings.TrimPrefix(path.Base(m.Key), "jetty-"), ".xml") == c {
			at, ok = m.KeyAt, true
		}
		if !ok {
			continue
		}
		found = true
		s := &model.Service{Name: c, At: at, Exec: exec, Drain: model.Drain{Stop: stop}}
		s.Listen.Address = set[c+".port"].node.String()
		s.Listen.Idle = bind.NoLimitAtMost(bind.Or(r.Duration(firstOf(set[c+".idleTimeout"].node, set[c+".timeout"].node), c+".idleTimeout", bind.Millis), r.Default("jetty", "idleTimeout", at)))
		s.Listen.Backlog = r.backlog(r.Count(set[c+".acceptQueueSize"].node, c+".acceptQueueSize"), at)
		r.Service(s)
	}
	if limit := r.Count(set["jetty.connectionlimit.maxConnections"].node, "jetty.connectionlimit.maxConnections"); limit.Present() {
		found = true
		r.Service(&model.Service{Name: "connection limit", At: limit.At, Listen: model.Listen{MaxConnections: limit}, SheddingLimits: []model.Value{limit}})
	}
	if !found && (pool || stop.Present()) {
		if !pool {
			threads = stop.At
		}
		r.Service(&model.Service{Name: "jetty", At: threads, Exec: exec, Drain: model.Drain{Stop: stop}})
	}
}

func firstOf(all ...*tree.Node) *tree.Node {
	for _, n := range all {
		if n.Present() {
			return n
		}
	}
	return nil
}

func (r *reader) iniCount(set map[string]property, key, name string, at model.Position) model.Value {
	return bind.Or(r.Count(set[key].node, key), r.Default("jetty", name, at))
}

// backlog is the length of the accept queue. Jetty hands 0 on to the JRE, which listens
// with 50 then.
func (r *reader) backlog(v model.Value, at model.Position) model.Value {
	if !v.Present() {
		return r.Default("jetty", "acceptQueueSize", at)
	}
	if v.IsSet() && v.Amount < 1 {
		out := model.Of(model.Count, 50, v.Key+" "+v.Raw+": the JRE listens with 50")
		out.Key, out.At, out.Raw = v.Key, v.At, v.Raw
		return out
	}
	return v
}
