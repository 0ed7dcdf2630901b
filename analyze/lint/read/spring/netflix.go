package spring

import (
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
)

// netflix reads Hystrix, Ribbon and Zuul. A command of Hystrix is the limit of the whole
// call around the tries of the Ribbon client of its name, and one hop with it.
func (r *reader) netflix() {
	commands, global := r.s.get("hystrix.command"), r.s.get("ribbon")
	flavour := ""
	for _, key := range []string{"spring", "zuul", "feign", "hystrix", "eureka"} {
		if r.s.get(key).present() {
			flavour = "spring."
		}
	}
	seen := map[string]bool{}
	var named []*settings
	for _, k := range r.s.below() {
		if c := k.get("ribbon"); len(c.below()) > 0 {
			named = append(named, k)
		}
	}
	for _, k := range named {
		command := commands.get(k.name)
		if k.get("ribbon").own() || command.own() {
			seen[k.name] = true
			r.ribbon(k.name, k.get("ribbon"), global, command, flavour)
		}
	}
	for _, c := range commands.below() {
		if seen[c.name] || !c.own() && !(c.name == "default" && global.own()) {
			continue
		}
		seen[c.name] = true
		switch {
		case len(global.below()) > 0 && (c.name == "default" || len(named) == 0):
			r.ribbon(c.name, global, global, c, flavour)
		default:
			h := &model.Hop{Name: r.named("hystrix " + c.name), Layer: model.App, At: c.place(r.at)}
			if c.name != "default" {
				h.To = c.name
			}
			r.hystrix(h, c)
			r.Hop(h)
		}
	}
	if global.own() && !seen["default"] {
		r.ribbon("default", global, global, commands.get("default"), flavour)
	}
	r.zuulHost()
}

// ribbon reads one client. Keys of the client win over those of all clients.
func (r *reader) ribbon(name string, client, global, command *settings, flavour string) {
	h := &model.Hop{Name: r.named("ribbon " + name), Layer: model.Library, At: client.place(r.at)}
	if name != "default" {
		h.To = name
	}
	find := func(keys ...string) (*settings, string) {
		for _, key := range keys {
			if s := firstOf(client.get(key), global.get(key)); s != nil {
				return s, "ribbon." + key
			}
		}
		return nil, "ribbon." + keys[0]
	}
	ms := func(product string, keys ...string) model.Value {
		s, key := find(keys...)
		return bind.Or(r.Duration(s.scalar(), key, bind.Millis), r.Default("ribbon", product+keys[0], h.At))
	}
	number := func(keys ...string) model.Value {
		s, key := find(keys...)
		return bind.Or(r.Count(s.scalar(), key), r.Default("ribbon", keys[0], h.At))
	}
	h.Connect, h.GapRead = ms(flavour, "ConnectTimeout"), ms(flavour, "ReadTimeout")
	product(&h.Retry, number("MaxAutoRetries"), number("MaxAutoRetriesNextServer"))
	all, key := find("OkToRetryOnAllOperations", "RequestSpecificRetryOn")
	h.Retry.AllMethods = bind.Or(r.Flag(all.scalar(), key), r.Default("ribbon", "OkToRetryOnAllOperations", h.At))
	codes, _ := find("retryableStatusCodes")
	h.Retry.On = append(statuses(codes.words()),
		model.Condition{Cause: model.ConnectFailure, Word: "connect", At: h.At, Default: true}, model.Condition{Cause: model.TimedOut, Word: "read timeout", At: h.At, Default: true})
	h.Backoff.Base = ms("", "BackoffInterval")
	h.Pool.Max = number("MaxConnectionsPerHost", "MaxHttpConnectionsPerHost")
	bind.Set(&h.Extra, number("MaxTotalConnections", "MaxTotalHttpConnections"))
	h.Pool.Wait, h.Pool.IdleEvict = ms("", "ConnectionManagerTimeout"), ms("", "ConnIdleEvictTimeMilliSeconds")
	r.around(h, name, command)
	if host := r.s.get("zuul.host"); host.present() && name == "default" {
		r.double(h, h.Connect, host.get("connect-timeout-millis"), "zuul.host.connect-timeout-millis")
		r.double(h, h.GapRead, host.get("socket-timeout-millis"), "zuul.host.socket-timeout-millis")
	}
	r.Hop(h)
}

// around puts the limit of Hystrix around a hop: of its own command, of all commands,
// or the default where Feign says that it runs in Hystrix.
func (r *reader) around(h *model.Hop, name string, command *settings) {
	all := r.s.get("hystrix.command.default")
	switch {
	case len(command.below()) > 0 || len(all.below()) > 0:
		if !command.present() {
			command = all
		}
		r.hystrix(h, command)
		h.Layer, h.Name = model.App, r.named("hystrix and ribbon "+name)
	case r.s.get("feign.hystrix.enabled").text() == "true":
		r.hystrix(h, nil)
		h.Layer, h.Name = model.App, r.named("hystrix and ribbon "+name)
	}
}

func (r *reader) double(h *model.Hop, wins model.Value, n *settings, key string) {
	if v := r.Duration(n.scalar(), key, bind.Millis); v.IsSet() && wins.Present() {
		h.Doubles = append(h.Doubles, [2]model.Value{wins, v})
	}
}

// hystrix reads one command, over the one called default.
func (r *reader) hystrix(h *model.Hop, c *settings) {
	all := r.s.get("hystrix.command.default")
	pick := func(key string) *settings { return firstOf(c.get(key), all.get(key)) }
	number := func(key string) model.Value {
		return bind.Or(r.Count(pick(key).scalar(), "hystrix."+key), r.Default("hystrix", key, h.At))
	}
	ms := func(key string) model.Value {
		return bind.Or(r.Duration(pick(key).scalar(), "hystrix."+key, bind.Millis), r.Default("hystrix", key, h.At))
	}
	h.Total = ms("execution.isolation.thread.timeoutInMilliseconds")
	if on := r.Flag(pick("execution.timeout.enabled").scalar(), "hystrix.execution.timeout.enabled"); on.Off() {
		h.Total = on
		h.Total.Unit, h.Total.Amount = model.Seconds, math.Inf(1)
	}
	h.CancelsWork = bind.Or(r.Flag(pick("execution.isolation.thread.interruptOnTimeout").scalar(), "hystrix.execution.isolation.thread.interruptOnTimeout"),
		r.Default("hystrix", "execution.isolation.thread.interruptOnTimeout", h.At))
	b := &h.Breaker
	b.MinCalls = number("circuitBreaker.requestVolumeThreshold")
	b.Rate = bind.Or(r.Share(pick("circuitBreaker.errorThresholdPercentage").scalar(), "hystrix.circuitBreaker.errorThresholdPercentage", true), r.Default("hystrix", "circuitBreaker.errorThresholdPercentage", h.At))
	b.Open, b.Window = ms("circuitBreaker.sleepWindowInMilliseconds"), ms("metrics.rollingStats.timeInMilliseconds")
	if on := r.Flag(pick("circuitBreaker.enabled").scalar(), "hystrix.circuitBreaker.enabled"); on.Off() {
		b.Off = on
		b.Off.Amount = 1
	}
	if pick("execution.isolation.strategy").text() == "SEMAPHORE" {
		h.Caps.Requests = number("execution.isolation.semaphore.maxConcurrentRequests")
		return
	}
	r.threadPool(h, c)
}

// threadPool reads the pool that a command runs in.
func (r *reader) threadPool(h *model.Hop, c *settings) {
	pools := r.s.get("hystrix.threadpool")
	all := pools.get("default")
	own := all
	if c != nil && pools.get(c.name).present() {
		own = pools.get(c.name)
	}
	pick := func(key string) model.Value {
		return bind.Or(r.Count(firstOf(own.get(key), all.get(key)).scalar(), "hystrix.threadpool."+key), r.Default("hystrix", "threadpool."+key, h.At))
	}
	h.Caps.Requests = pick("coreSize")
	h.Caps.Queue = pick("maxQueueSize")
	if h.Caps.Queue.Known() && h.Caps.Queue.Amount < 0 {
		h.Caps.Queue.Amount = 0 // handed over to a thread or refused
	}
	reject := pick("queueSizeRejectionThreshold")
	if h.Caps.Queue.Finite() && h.Caps.Queue.Amount > 0 && reject.Finite() && reject.Amount < h.Caps.Queue.Amount {
		h.Caps.Queue = reject
	}
}

// zuulHost reads the client of Zuul for routes with an address of their own.
func (r *reader) zuulHost() {
	n := r.s.get("zuul.host")
	if !n.own() {
		return
	}
	h := &model.Hop{Name: r.named("zuul host"), To: "zuul host", Layer: model.Gateway, At: n.place(r.at)}
	ms := func(key string) model.Value {
		return bind.Or(r.Duration(n.get(key).scalar(), "zuul.host."+key, bind.Millis), r.Default("zuul", "host."+key, h.At))
	}
	h.Connect, h.GapRead = ms("connect-timeout-millis"), bind.NoLimitAtMost(ms("socket-timeout-millis"))
	h.Pool.Max = bind.Or(r.Count(n.get("max-per-route-connections").scalar(), "zuul.host.max-per-route-connections"), r.Default("zuul", "host.max-per-route-connections", h.At))
	h.Pool.Wait = bind.NoLimitBelow(ms("connection-request-timeout-millis"))
	r.Hop(h)
}
