package spring

import (
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
)

// server reads the embedded server. Its threads and queues are taken only where a key
// of that very server tells which one it is.
func (r *reader) server() {
	n := r.s.get("server")
	phase := r.s.get("spring.lifecycle.timeout-per-shutdown-phase")
	async := r.s.get("spring.mvc.async.request-timeout")
	if !n.get("tomcat").own() && !n.get("jetty").own() && !n.get("undertow").own() && !n.get("netty").own() &&
		!n.get("shutdown").own() && !phase.own() && !async.own() {
		return
	}
	svc := &model.Service{Name: r.named("server"), At: n.place(phase.place(async.place(r.at)))}
	svc.Exec.Total = bind.NoLimitAtMost(r.Duration(async.scalar(), "spring.mvc.async.request-timeout", bind.MillisOrUnit))
	r.shutdown(svc, n.get("shutdown"), phase)
	switch r.embedded(n) {
	case "tomcat":
		r.tomcat(svc, n)
	case "jetty":
		r.jetty(svc, n)
	case "undertow":
		r.undertow(svc, n)
	case "netty":
		r.netty(svc, n.get("netty"))
	}
	r.knownServer(n)
	r.Service(svc)
}

// embedded is the server whose keys the document sets, or else the one whose keys hold
// for all profiles.
func (r *reader) embedded(n *settings) string {
	held := ""
	for _, name := range []string{"netty", "undertow", "jetty", "tomcat"} {
		k := n.get(name)
		if k.own() {
			return name
		}
		if k.present() {
			held = name
		}
	}
	return held
}

func (r *reader) shutdown(svc *model.Service, n, phase *settings) {
	v := bind.Or(r.Text(n.scalar(), "server.shutdown"), r.Default("spring-boot", "server.shutdown", svc.At))
	switch v.Text {
	case "graceful", "GRACEFUL":
		v.Unit, v.Amount = model.Flag, 1
	case "immediate", "IMMEDIATE":
		v.Unit, v.Amount = model.Flag, 0
	}
	svc.Drain.Graceful = v
	if v.On() || phase.present() {
		svc.Drain.Stop = r.duration("spring-boot", phase, "spring.lifecycle.timeout-per-shutdown-phase", svc.At)
	}
}

// duration returns a duration of Spring Boot, or its default.
func (r *reader) duration(product string, n *settings, key string, at model.Position) model.Value {
	return bind.Or(r.Duration(n.scalar(), key, bind.MillisOrUnit), r.Default(product, key, at))
}

// count returns a number, or its default.
func (r *reader) count(product string, n *settings, key string, at model.Position) model.Value {
	return bind.Or(r.Count(n.scalar(), key), r.Default(product, key, at))
}

func (r *reader) tomcat(svc *model.Service, server *settings) {
	n := server.get("tomcat")
	at := n.place(svc.At)
	l := &svc.Listen
	svc.Exec.Threads = r.count("spring-boot", n.first("threads.max", "max-threads"), "server.tomcat.threads.max", at)
	svc.Exec.Min = r.count("spring-boot", n.first("threads.min-spare", "min-spare-threads"), "server.tomcat.threads.min-spare", at)
	svc.Exec.Queue = bind.NoLimitFromInt(r.count("spring-boot", n.get("threads.max-queue-capacity"), "server.tomcat.threads.max-queue-capacity", at))
	l.Backlog = r.count("spring-boot", n.get("accept-count"), "server.tomcat.accept-count", at)
	l.MaxConnections = bind.NoLimitBelow(r.count("spring-boot", n.get("max-connections"), "server.tomcat.max-connections", at))
	l.Header = bind.NoLimitBelow(r.duration("spring-boot", firstOf(n.get("connection-timeout"), server.get("connection-timeout")), "server.tomcat.connection-timeout", at))
	l.Idle = bind.NoLimitBelow(r.Duration(n.get("keep-alive-timeout").scalar(), "server.tomcat.keep-alive-timeout", bind.MillisOrUnit))
	if !l.Idle.Present() && l.Header.Known() {
		l.Idle = model.Of(model.Seconds, l.Header.Amount, "keep-alive-timeout is as long as connection-timeout where it is not set")
		l.Idle.Key, l.Idle.At = "server.tomcat.keep-alive-timeout", l.Header.At
	}
	l.KeepRequests = bind.NoLimitBelow(r.count("spring-boot", n.get("max-keep-alive-requests"), "server.tomcat.max-keep-alive-requests", at))
}

func firstOf(all ...*settings) *settings {
	for _, s := range all {
		if s.present() {
			return s
		}
	}
	return nil
}

func (r *reader) jetty(svc *model.Service, server *settings) {
	n := server.get("jetty")
	at := n.place(svc.At)
	svc.Exec.Threads = r.count("spring-boot", n.first("threads.max", "max-threads"), "server.jetty.threads.max", at)
	svc.Exec.Min = r.count("spring-boot", n.first("threads.min", "min-threads"), "server.jetty.threads.min", at)
	svc.Exec.Queue = r.count("spring-boot", n.first("threads.max-queue-capacity", "max-queue-capacity"), "server.jetty.threads.max-queue-capacity", at)
	svc.Listen.MaxConnections = bind.NoLimitBelow(r.count("spring-boot", n.get("max-connections"), "server.jetty.max-connections", at))
	svc.Listen.Idle = r.duration("spring-boot", firstOf(n.get("connection-idle-timeout"), server.get("connection-timeout")), "server.jetty.connection-idle-timeout", at)
	svc.Listen.Backlog = r.Default("spring-boot", "jetty backlog", at)
}

func (r *reader) undertow(svc *model.Service, server *settings) {
	n := server.get("undertow")
	at := n.place(svc.At)
	svc.Exec.Threads = r.Count(n.first("threads.worker", "worker-threads").scalar(), "server.undertow.threads.worker")
	svc.Listen.Idle = r.duration("spring-boot", firstOf(n.get("no-request-timeout"), server.get("connection-timeout")), "server.undertow.no-request-timeout", at)
	svc.Listen.Backlog = r.Count(n.get("options.socket.backlog").scalar(), "server.undertow.options.socket.backlog")
}

func (r *reader) netty(svc *model.Service, n *settings) {
	svc.Listen.Idle = r.Duration(n.get("idle-timeout").scalar(), "server.netty.idle-timeout", bind.MillisOrUnit)
	if svc.Listen.Idle.IsSet() && svc.Listen.Idle.Amount <= 0 {
		svc.Listen.Idle.Amount = math.Inf(1)
	}
	svc.Listen.KeepRequests = r.Count(n.get("max-keep-alive-requests").scalar(), "server.netty.max-keep-alive-requests")
}

// armeria reads how a server of Armeria ends. A negative time switches waiting off.
func (r *reader) armeria() {
	n := r.s.get("armeria")
	stop := n.get("graceful-shutdown-timeout-millis")
	if !stop.own() {
		return
	}
	svc := &model.Service{Name: r.named("armeria"), At: n.place(r.at)}
	svc.Drain.Stop = r.Duration(stop.scalar(), "armeria.graceful-shutdown-timeout-millis", bind.Millis)
	svc.Exec.Total = bind.NoLimitAtMost(r.Duration(n.get("request-timeout-millis").scalar(), "armeria.request-timeout-millis", bind.Millis))
	r.Service(svc)
}
