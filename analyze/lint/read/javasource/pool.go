package javasource

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
)

// reader makes services of what one file makes.
type reader struct {
	*constants
	in  *read.Input
	doc *model.Document
	// tomcat says that the file sets up Tomcat, whose setters have names that others'
	// have too.
	tomcat bool
	// made are the pools and connectors by the variable that they were last assigned to.
	made map[string]*pool
	// queues are the queues that variables stand for: where there is more than one, which
	// of them is meant is not known.
	queues map[string][]span
	all    []*pool
}

// pool is one pool, connector, socket or semaphore.
type pool struct {
	class, variable string
	at              span
	service         *model.Service
	// most and core are the two numbers of threads of a pool that has both.
	most, core model.Value
	// grows says that the pool starts more threads than its core only when its queue is
	// full.
	grows bool
}

// add notes a new one.
func (r *reader) add(class string, at span, variable string) *pool {
	name := class
	if variable != "" {
		name = variable + " (" + class + ")"
	}
	p := &pool{class: class, variable: variable, at: at, service: &model.Service{Name: name, At: r.position(at)}}
	r.all = append(r.all, p)
	if variable != "" {
		r.made[variable] = p
	}
	return p
}

// look looks at what begins with one token.
func (r *reader) look(i int) {
	switch r.word(i) {
	case "new":
		r.creation(i)
	case "Executors":
		r.executors(i)
	default:
		r.setter(i)
	}
}

// creation reads what new makes.
func (r *reader) creation(i int) {
	class, args, ok := r.creates(i)
	if !ok {
		return
	}
	at := span{i, i + 2}
	name := r.assigned(i)
	switch class {
	case "ThreadPoolExecutor":
		if len(args) >= 5 {
			r.executor(r.add(class, at, name), args)
		}
	case "QueuedThreadPool":
		r.jetty(r.add(class, at, name), args)
	case "ThreadPoolTaskExecutor":
		if len(args) == 0 {
			p := r.add(class, at, name)
			p.grows = true
			where := p.service.At
			p.core, p.most = r.standard("java", "corePoolSize", where), r.standard("java", "maxPoolSize", where)
			p.service.Exec.Queue = r.standard("java", "queueCapacity", where)
		}
	case "Semaphore":
		if n := len(args); n == 1 || n == 2 {
			// One permit is a lock, none a signal: neither is a limit of load.
			if v := r.count(args[0], "permits"); v.Finite() && v.Amount > 1 {
				r.add(class, at, name).service.SheddingLimits = []model.Value{v}
			}
		}
	case "ServerSocket":
		if len(args) >= 2 {
			// 0 and less leave it to the JRE.
			if v := r.count(args[1], "backlog"); v.Known() && v.Amount > 0 {
				r.add(class, at, name).service.Listen.Backlog = v
			}
		}
	default: // a queue, a class of the program's own
		if name != "" && !isQueue(class) {
			delete(r.made, name) // the variable stands for something else from here on
		}
	}
}

// executor reads ThreadPoolExecutor(core, max, keepAlive, unit, queue, …).
func (r *reader) executor(p *pool, args []span) {
	p.grows = true
	p.core, p.most = r.count(args[0], "corePoolSize"), bind.NoLimitFromInt(r.count(args[1], "maximumPoolSize"))
	p.service.Exec.Queue = r.queue(args[4])
}

// jetty reads QueuedThreadPool(max, min, idleTimeout, …, queue): the queue stands at
// different places in different versions.
func (r *reader) jetty(p *pool, args []span) {
	e, where := &p.service.Exec, p.service.At
	e.Threads, e.Min = r.standard("jetty", "maxThreads", where), r.standard("jetty", "minThreads", where)
	e.Queue = r.standard("jetty", "queue", where)
	numbers := 0
	for _, a := range args {
		if q := r.queue(a); q.Known() || r.queueNamed(a) {
			e.Queue = q
			continue
		}
		switch numbers++; numbers {
		case 1:
			e.Threads = r.count(a, "maxThreads")
		case 2:
			e.Min = r.count(a, "minThreads")
		case 4: // reserved threads, or a queue that the file does not make
			if v := r.count(a, "queue"); !v.Known() {
				e.Queue = v
			}
		}
	}
}

// executors reads Executors.newFixedThreadPool(n) and newCachedThreadPool().
func (r *reader) executors(i int) {
	method := r.word(i + 2)
	if r.char(i+1) != '.' || r.char(i+3) != '(' || method != "newFixedThreadPool" && method != "newCachedThreadPool" {
		return
	}
	args, ok := r.args(i + 3)
	if !ok || len(args) > 2 {
		return
	}
	at := span{i, i + 3}
	p := r.add(method, at, r.assigned(i))
	e, where := &p.service.Exec, p.service.At
	if method == "newCachedThreadPool" {
		e.Threads = r.standard("java", "threads of newCachedThreadPool", where)
		r.doc.Code = append(r.doc.Code, model.Code{
			Kind: model.PoolNoLimit, What: p.service.Name, At: p.service.At, Size: e.Threads,
			Detail: "each task that finds no thread free starts one more",
			Fix:    "new ThreadPoolExecutor(n, n, 60, TimeUnit.SECONDS, new ArrayBlockingQueue<>(q)), with n = rate × time of a task, and q = rate × the longest wait that is of use",
		})
		return
	}
	if len(args) == 0 {
		return
	}
	e.Threads = r.count(args[0], "nThreads")
	e.Queue = r.standard("java", "length of the queue of newFixedThreadPool", where)
}

// count computes a number; where that cannot be done it is a hole.
func (r *reader) count(e span, key string) model.Value {
	if e.empty() {
		return model.Value{Key: key}
	}
	v := model.Value{Key: key, Raw: clip(r.text(e.from, e.to)), Unit: model.Count, Origin: model.Hole, At: r.position(e)}
	if n, ok := r.amount(e); ok {
		v.Amount, v.Origin = n, model.Set
	}
	return v
}

// standard is what holds where nothing is written.
func (r *reader) standard(product, key string, at model.Position) model.Value {
	at.Offset, at.End = 0, 0
	return r.in.Defaults.Lookup(product, key, at)
}

// finish works out how many threads each pool can have, and hands out the services.
func (r *reader) finish() {
	for _, p := range r.all {
		e := &p.service.Exec
		if p.grows {
			e.Threads, e.Min = p.most, p.core
			if e.Queue.Unlimited() {
				e.Threads = p.core
				r.neverGrows(p)
			}
		}
		r.longQueue(p)
		r.doc.Services = append(r.doc.Services, p.service)
	}
}

// long is from which length on a queue is worth a word where no capacity is known.
const long = 1000

// longQueue notes a queue whose length is a number of the code. One without a limit is
// found by its length alone, as in any other file.
func (r *reader) longQueue(p *pool) {
	if q := p.service.Exec.Queue; q.IsSet() && q.Finite() && q.Amount >= long {
		r.doc.Code = append(r.doc.Code, model.Code{Kind: model.PoolLongQueue, What: p.service.Name, Size: q, At: q.At})
	}
}

// neverGrows notes a maximum that is never reached: a queue without a limit is never full.
func (r *reader) neverGrows(p *pool) {
	core, most, q := p.core, p.most, p.service.Exec.Queue
	if !core.Finite() || !most.IsSet() || most.Amount <= core.Amount {
		return
	}
	r.doc.Code = append(r.doc.Code, model.Code{
		Kind: model.PoolNeverGrows, What: p.service.Name, Size: most, At: most.At,
		Detail: fmt.Sprintf("threads beyond %s %s are started when the queue is full, and %s has no limit", core.Key, core, q.Key),
		Fix:    fmt.Sprintf("limit the queue, so that the pool can grow to %s, or set %s to the number of threads that is meant", most, core.Key),
	})
}

// maxRaw bounds the text of a value.
const maxRaw = 80

func clip(s string) string {
	if len(s) <= maxRaw {
		return s
	}
	return s[:maxRaw] + "…"
}
