package jetty

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// pool reads the thread pool that a file makes, or sets on the server's own.
func (r *reader) pool(root *tree.Node) (model.Exec, model.Position) {
	var exec model.Exec
	var at model.Position
	take := func(n *tree.Node) {
		at = n.At
		args, list := r.args(n)
		plain, queue := r.constructor(list)
		count := func(key string, place int) model.Value {
			v := r.Count(firstOf(r.setting(n, key), r.value(args[key])), key)
			if !v.Present() && place < len(plain) && len(args) == 0 {
				v = r.Count(plain[place], key)
			}
			return bind.Or(v, r.Default("jetty", key, n.At))
		}
		exec.Threads, exec.Min = count("maxThreads", 0), count("minThreads", 1)
		exec.Queue = bind.Or(queue, bind.Or(r.queueIn(args["queue"]), r.Default("jetty", "queue", n.At)))
	}
	root.Each("New", func(n *tree.Node) {
		if class(n) == "QueuedThreadPool" || class(n) == "ExecutorThreadPool" {
			take(n)
		}
	})
	for _, c := range children(root, "Configure") {
		if class(c) == "QueuedThreadPool" {
			take(c)
		}
	}
	root.Each("Get", func(n *tree.Node) {
		if name := n.Get("name").String(); at.Line == 0 && (name == "ThreadPool" || name == "threadPool") && len(children(n, "Set")) > 0 {
			take(n)
		}
	})
	return exec, at
}

// constructor sorts the arguments of a pool's constructor into numbers and its queue.
func (r *reader) constructor(list []*tree.Node) (plain []*tree.Node, queue model.Value) {
	for _, a := range list {
		if q := r.queueIn(a); q.Present() {
			queue = q
			continue
		}
		if v := r.value(a); v.Present() {
			plain = append(plain, v)
		}
	}
	return plain, queue
}

// queueIn reads the queue that an argument makes.
func (r *reader) queueIn(arg *tree.Node) model.Value {
	if arg == nil {
		return model.Value{}
	}
	for _, n := range children(arg, "New") {
		name := class(n)
		var sizes []*tree.Node
		for _, a := range children(n, "Arg") {
			if v := r.value(a); v.Present() {
				sizes = append(sizes, v)
			}
		}
		switch name {
		case "BlockingArrayQueue": // a size, or a size, what it grows by and where it ends
			switch len(sizes) {
			case 0, 2:
				return r.endless(n, name)
			case 1:
				return r.Count(sizes[0], name)
			}
			return bind.NoLimitFromInt(r.Count(sizes[2], name))
		case "ArrayBlockingQueue", "LinkedBlockingQueue", "LinkedBlockingDeque", "PriorityBlockingQueue":
			if len(sizes) == 0 || name == "PriorityBlockingQueue" {
				return r.endless(n, name)
			}
			return bind.NoLimitFromInt(r.Count(sizes[0], name))
		case "SynchronousQueue":
			v := r.endless(n, name)
			v.Amount = 0
			return v
		}
	}
	return model.Value{}
}

// endless is a queue that the file makes without a size.
func (r *reader) endless(n *tree.Node, name string) model.Value {
	v := model.Value{Key: name, Raw: name + " without a limit", Text: name, Unit: model.Count, Amount: 1 << 31, Origin: model.Set, At: n.At}
	return bind.NoLimitFromInt(v)
}

// limiters reads what refuses or holds back requests and connections.
func (r *reader) limiters(root *tree.Node) (sheds []model.Value, most model.Value, extra map[string]model.Value) {
	root.Each("New", func(n *tree.Node) {
		_, list := r.args(n)
		number := func(key string) model.Value {
			v := r.Count(r.setting(n, key), key)
			if !v.Present() && len(list) > 0 && (key == "maxConnections" || key == "acceptRateLimit") {
				v = r.Count(r.value(list[0]), key)
			}
			return v
		}
		switch class(n) {
		case "ConnectionLimit", "NetworkConnectionLimit":
			if most = number("maxConnections"); most.Present() {
				sheds = append(sheds, most)
			}
		case "AcceptRateLimit":
			if v := number("acceptRateLimit"); v.Present() {
				v.Unit = model.PerSecond
				sheds = append(sheds, v)
			}
		case "QoSHandler", "QoSFilter":
			if v := bind.Or(number("maxRequestCount"), number("maxRequests")); v.Present() && v.Amount > 0 {
				sheds = append(sheds, v)
			}
			bind.Set(&extra, bind.NoLimitBelow(number("maxSuspendedRequestCount")))
			bind.Set(&extra, bind.NoLimitAtMost(r.Duration(firstOf(r.setting(n, "maxSuspend"), r.setting(n, "maxSuspendTime")), "maxSuspend", bind.Millis)))
		case "LowResourceMonitor":
			bind.Set(&extra, r.Duration(r.setting(n, "lowResourcesIdleTimeout"), "lowResourcesIdleTimeout", bind.Millis))
			bind.Set(&extra, r.Duration(r.setting(n, "maxLowResourcesTime"), "maxLowResourcesTime", bind.Millis))
		case "ThreadLimitHandler":
			bind.Set(&extra, number("threadLimit"))
		}
	})
	return sheds, most, extra
}
