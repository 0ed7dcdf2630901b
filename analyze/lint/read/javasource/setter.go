package javasource

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
)

// setter reads variable.setSomething(…), which sets what the variable was last made.
func (r *reader) setter(i int) {
	method := r.word(i + 2)
	if r.char(i+1) != '.' || r.char(i+3) != '(' || !strings.HasPrefix(method, "set") {
		return
	}
	args, ok := r.args(i + 3)
	if !ok || len(args) == 0 {
		return
	}
	variable, at := r.word(i), span{i, i + 3}
	p := r.made[variable]
	switch {
	case method == "setAcceptQueueSize":
		// 0 and less leave it to the JRE.
		if v := r.count(args[0], "acceptQueueSize"); v.Known() && v.Amount > 0 {
			r.connector("ServerConnector", variable, at).service.Listen.Backlog = v
		}
	case p != nil && p.class == "QueuedThreadPool":
		switch method {
		case "setMaxThreads":
			p.service.Exec.Threads = r.count(args[0], "maxThreads")
		case "setMinThreads":
			p.service.Exec.Min = r.count(args[0], "minThreads")
		}
	case p != nil && p.class == "ThreadPoolTaskExecutor":
		r.spring(p, method, args[0])
	case p != nil && p.class == "ThreadPoolExecutor":
		switch method {
		case "setCorePoolSize":
			p.core = r.count(args[0], "corePoolSize")
		case "setMaximumPoolSize":
			p.most = bind.NoLimitFromInt(r.count(args[0], "maximumPoolSize"))
		}
	case r.tomcat:
		r.tomcatSetter(variable, at, method, args)
	}
}

// spring reads the setters of Spring's ThreadPoolTaskExecutor.
func (r *reader) spring(p *pool, method string, arg span) {
	switch method {
	case "setCorePoolSize":
		p.core = r.count(arg, "corePoolSize")
	case "setMaxPoolSize":
		p.most = bind.NoLimitFromInt(r.count(arg, "maxPoolSize"))
	case "setQueueCapacity":
		v := bind.NoLimitFromInt(r.count(arg, "queueCapacity"))
		if v.Known() && v.Amount < 0 {
			v.Amount = 0 // Spring makes a SynchronousQueue of it
		}
		p.service.Exec.Queue = v
	}
}

// connector is what stands for a variable whose making the file does not show, or not as
// a pool.
func (r *reader) connector(class, variable string, at span) *pool {
	if p := r.made[variable]; p != nil && p.class == class {
		return p
	}
	return r.add(class, at, variable)
}

// tomcatSetter reads connector.setProperty("maxThreads", "200") and what has the same
// names as setters.
func (r *reader) tomcatSetter(variable string, at span, method string, args []span) {
	key, value := "", args[0]
	switch method {
	case "setProperty", "setAttribute":
		if len(args) != 2 || args[0].to-args[0].from != 1 || r.tokens[args[0].from].kind != text {
			return
		}
		key, value = strings.Trim(r.text(args[0].from, args[0].to), `"`), args[1]
	case "setMaxThreads", "setAcceptCount", "setMaxConnections":
		if len(args) != 1 {
			return
		}
		key = "m" + method[len("setM"):]
		if method == "setAcceptCount" {
			key = "acceptCount"
		}
	}
	var to func(*model.Service) *model.Value
	switch key {
	case "maxThreads":
		to = func(s *model.Service) *model.Value { return &s.Exec.Threads }
	case "acceptCount":
		to = func(s *model.Service) *model.Value { return &s.Listen.Backlog }
	case "maxConnections":
		to = func(s *model.Service) *model.Value { return &s.Listen.MaxConnections }
	default:
		return
	}
	v := r.quotedCount(value, key)
	switch {
	case !v.Known() && !v.IsHole():
		return
	case key == "maxConnections":
		v = bind.NoLimitBelow(v)
	}
	*to(r.connector("Connector", variable, at).service) = v
}

// quotedCount computes a number that may be written as a string.
func (r *reader) quotedCount(e span, key string) model.Value {
	if e.to-e.from == 1 && r.tokens[e.from].kind == text {
		v := model.Value{Key: key, Raw: r.text(e.from, e.to), Unit: model.Count, Origin: model.Hole, At: r.position(e)}
		if n, ok := wholeNumber(strings.Trim(v.Raw, `"`)); ok {
			v.Raw, v.Amount, v.Origin = strings.Trim(v.Raw, `"`), n, model.Set
		}
		return v
	}
	return r.count(e, key)
}
