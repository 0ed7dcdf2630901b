package haproxy

import (
	"fmt"
	"math"
	"strconv"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// Under these a number without a unit is too short for what the timer is for, in
// seconds: it was meant in seconds.
const (
	lowConnect = 0.05
	lowTimeout = 0.3
)

// timer returns a timer of a section, with the default where nothing says it.
func (b *builder) timer(s *section, name string, low float64) model.Value {
	key := "timeout " + name
	if l := s.lookup("timeout", name); l != nil {
		return noLimitAtZero(b.duration(l.word(2), key, low))
	}
	return b.absent(key, s.head.at())
}

// noLimitAtZero is a timer for which 0 stands for none.
func noLimitAtZero(v model.Value) model.Value { return read.Unlimited(v, 0) }

// backend adds the hop of a section with servers, and reports whether there is one.
func (b *builder) backend(s *section) bool {
	servers := s.servers()
	if len(servers) == 0 && s.own("timeout", "server") == nil && s.own("timeout", "connect") == nil {
		return false
	}
	h := &model.Hop{
		Name: b.title(s), From: "haproxy", To: s.name, Layer: model.Balancer, At: s.head.at(),
		Connect: b.timer(s, "connect", lowConnect), GapRead: b.timer(s, "server", lowTimeout), Extra: map[string]model.Value{},
	}
	h.GapSend = h.GapRead
	h.To = b.target(s, servers)
	h.Extra["mode"] = model.Value{Key: "mode", Text: b.mode(s), Origin: model.Derived, Source: "mode of the section or its defaults"}
	for _, name := range []string{"tunnel", "server-fin"} {
		if l := s.lookup("timeout", name); l != nil {
			h.Extra["timeout "+name] = noLimitAtZero(b.duration(l.word(2), "timeout "+name, lowTimeout))
		}
	}
	if l := s.own("fullconn"); l != nil {
		h.Extra["fullconn"] = b.count(l.word(1), "fullconn")
	}
	b.retry(h, s, servers)
	b.caps(h, s, servers)
	b.pool(h, s, servers)
	b.checks(h, s, servers)
	b.doc.Hops = append(b.doc.Hops, h)
	return true
}

// target is the address of the only server, otherwise the section's name.
func (b *builder) target(s *section, servers []server) string {
	if len(servers) == 1 && servers[0].line.is("server") {
		return b.shown(servers[0].line.word(2))
	}
	return b.shown(s.head.word(1))
}

// retry is when and where a request is sent again.
func (b *builder) retry(h *model.Hop, s *section, servers []server) {
	h.Retry.Dialect = model.ExtraTries
	h.Backoff.None = true
	if l := s.lookup("retries"); l != nil {
		h.Retry.Written = b.count(l.word(1), "retries")
	} else {
		h.Retry.Written = b.absent("retries", s.head.at())
		h.Retry.Implicit = true
	}
	h.Retry.Tries = extra(h.Retry.Written)
	for _, sv := range servers {
		h.Retry.Servers += b.standsFor(sv)
	}
	wide := b.conditions(h, s)
	b.methods(h, s, wide)
	h.Retry.SameHost = b.absent("option redispatch", s.head.at())
	if l := s.option("redispatch"); l != nil {
		h.Retry.SameHost = b.onWord(l.word(1), "option redispatch", true)
	}
	redispatch := h.Retry.SameHost.On()
	if h.Retry.SameHost.Present() {
		h.Retry.SameHost.Amount = 1 - h.Retry.SameHost.Amount
	}
	if !redispatch && h.Connect.Known() && !math.IsNaN(h.Connect.Amount) {
		h.Backoff.Refused = true
		h.Backoff.Base = model.Of(model.Seconds, min(h.Connect.Amount, 1), "timeout connect, at most 1s, before the same server is tried again")
		h.Backoff.Base.Key, h.Backoff.Base.At = "retries", h.Connect.At
	}
}

func (b *builder) standsFor(sv server) int {
	if !sv.line.is("server-template") {
		return 1
	}
	n, err := strconv.Atoi(sv.line.word(2).text)
	if err != nil || n < 1 || n > 1<<20 {
		return 1
	}
	return n
}

var causes = map[string]model.Cause{
	"conn-failure": model.ConnectFailure, "empty-response": model.Reset, "junk-response": model.Unavailable, "response-timeout": model.TimedOut, "0rtt-rejected": model.Refused,
	"401": model.ClientFault, "403": model.ClientFault, "404": model.ClientFault, "408": model.Unavailable, "421": model.Unavailable, "425": model.Unavailable, "429": model.Shed,
	"500": model.ServerFault, "501": model.ServerFault, "502": model.Unavailable, "503": model.Shed, "504": model.Unavailable,
}

// retryable is what all-retryable-errors stands for.
var retryable = []string{"conn-failure", "empty-response", "junk-response", "response-timeout", "0rtt-rejected", "500", "502", "503", "504"}

// conditions fills in on what a request is sent again, and reports whether that is more
// than a connection that cannot be made.
func (b *builder) conditions(h *model.Hop, s *section) (wide bool) {
	l := s.lookup("retry-on")
	if l == nil || b.mode(s) != "http" {
		v := b.absent("retry-on", s.head.at())
		if v.Present() {
			h.Retry.On = append(h.Retry.On, model.Condition{Cause: causes[v.Text], Word: v.Text, At: v.At, Default: true})
		}
		return false
	}
	for _, w := range l.words[1:] {
		switch w.text {
		case "none":
			h.Retry.Tries = b.onWord(w, "retry-on", true)
			h.Retry.Tries.Unit = model.Count
		case "all-retryable-errors":
			for _, r := range retryable {
				h.Retry.On = append(h.Retry.On, model.Condition{Cause: causes[r], Word: w.text, At: w.at})
			}
			wide = true
		default:
			if v := b.text(w, "retry-on"); v.IsHole() {
				continue
			}
			h.Retry.On = append(h.Retry.On, model.Condition{Cause: causes[w.text], Word: w.text, At: w.at})
			wide = wide || w.text != "conn-failure" && w.text != "0rtt-rejected"
		}
	}
	return wide
}

// methods says whether POST is sent again too: it is, unless a rule keeps it from that.
func (b *builder) methods(h *model.Hop, s *section, wide bool) {
	if !wide {
		h.Retry.AllMethods = model.Of(model.Flag, 0, "retry-on is for connections that could not be made: nothing was sent")
		return
	}
	for d := s; d != nil; d = d.defaults {
		for _, l := range d.lines {
			if l.is("http-request", "disable-l7-retry") {
				h.Retry.AllMethods = b.onWord(l.word(1), "http-request disable-l7-retry", false)
				return
			}
		}
	}
	h.Retry.AllMethods = b.onWord(widest(s.lookup("retry-on")), "retry-on", true)
}

// widest is the first condition of a line that a request may meet after it was sent.
func widest(l *line) word {
	for _, w := range l.words[1:] {
		if w.text != "conn-failure" && w.text != "0rtt-rejected" {
			return w
		}
	}
	return l.word(1)
}

// caps takes the weakest of what the servers set, since a call may go to any.
func (b *builder) caps(h *model.Hop, s *section, servers []server) {
	h.Caps.PerServer = true
	for _, sv := range servers {
		conns := b.absent("maxconn", sv.line.at())
		if w, ok := sv.param("maxconn"); ok {
			conns = read.Unlimited(b.count(w, "maxconn"), 0)
		}
		h.Caps.Connections = weaker(h.Caps.Connections, conns)
		queue := b.absent("maxqueue", sv.line.at())
		if w, ok := sv.param("maxqueue"); ok {
			queue = read.Unlimited(b.count(w, "maxqueue"), 0)
		}
		h.Caps.Queue = weaker(h.Caps.Queue, queue)
	}
	if h.Caps.Connections.Unlimited() && !h.Caps.Queue.IsSet() {
		h.Caps.Queue = model.Value{} // nothing waits where nothing is limited
	}
	if l := s.lookup("timeout", "queue"); l != nil {
		h.Caps.QueueWait = b.duration(l.word(2), "timeout queue", lowTimeout)
	}
	switch w := h.Caps.QueueWait; {
	case w.Present() && !(w.Known() && w.Amount == 0): // 0 is as if it were not set
	case h.Caps.Queue.Present() && h.Connect.Known():
		h.Caps.QueueWait = model.Of(model.Seconds, h.Connect.Amount, "timeout connect, since timeout queue is not set")
		h.Caps.QueueWait.Key, h.Caps.QueueWait.At = "timeout queue", h.Connect.At
	}
}

// weaker returns the larger of two bounds. One that is not known counts for nothing
// beside one that is.
func weaker(a, c model.Value) model.Value {
	if !a.Present() || c.Known() && !math.IsNaN(c.Amount) && (!a.Known() || c.Amount > a.Amount) {
		return c
	}
	return a
}

// pool is how connections to servers are kept.
func (b *builder) pool(h *model.Hop, s *section, servers []server) {
	if b.mode(s) != "http" {
		return
	}
	h.Pool.KeepAlive = b.absent("http-reuse", s.head.at())
	if l := s.lookup("http-reuse"); l != nil {
		h.Pool.KeepAlive = b.onWord(l.word(1), "http-reuse", l.word(1).text != "never")
	}
	for _, name := range []string{"httpclose", "http-server-close", "forceclose"} {
		if l := s.option(name); l != nil {
			h.Pool.KeepAlive = b.onWord(l.word(1), "option "+name, false)
		}
	}
	for _, sv := range servers {
		if w, ok := sv.param("max-reuse"); ok {
			h.Pool.Requests = b.count(w, "max-reuse")
		}
		if w, ok := sv.param("pool-purge-delay"); ok {
			h.Pool.IdleEvict = b.duration(w, "pool-purge-delay", lowTimeout)
		}
		if w, ok := sv.param("pool-max-conn"); ok {
			h.Extra["pool-max-conn"] = read.Unlimited(b.count(w, "pool-max-conn"), -1)
		}
	}
}

// checks takes the checks of the first server that has them; others are written alike.
func (b *builder) checks(h *model.Hop, s *section, servers []server) {
	for _, sv := range servers {
		w, ok := sv.flag("check")
		if !ok {
			continue
		}
		c := model.Check{Kind: "health", At: w.at, Target: checkTarget(s)}
		for _, p := range []struct {
			name string
			to   *model.Value
			time bool
		}{{"inter", &c.Interval, true}, {"fall", &c.Failures, false}, {"rise", &c.Rises, false}} {
			w, ok := sv.param(p.name)
			switch {
			case !ok:
				*p.to = b.absent(p.name, sv.line.at())
			case p.time:
				*p.to = b.duration(w, p.name, lowTimeout)
			default:
				*p.to = b.count(w, p.name)
			}
		}
		if l := s.lookup("timeout", "check"); l != nil {
			c.Timeout = b.duration(l.word(2), "timeout check", lowTimeout)
		}
		h.Checks = append(h.Checks, c)
		b.observe(h, sv)
		return
	}
}

// observe is a server that is left out for what its traffic shows.
func (b *builder) observe(h *model.Hop, sv server) {
	if _, ok := sv.param("observe"); !ok {
		return
	}
	h.Breaker.Errors = b.absent("error-limit", sv.line.at())
	if w, ok := sv.param("error-limit"); ok {
		h.Breaker.Errors = b.count(w, "error-limit")
	}
}

// checkTarget is what checks ask.
func checkTarget(s *section) string {
	l := s.option("httpchk")
	if l == nil {
		return "tcp"
	}
	path := "/"
	for _, w := range l.words[2:] {
		if len(w.text) > 0 && w.text[0] == '/' {
			path = w.text
		}
	}
	for d := s; d != nil; d = d.defaults {
		if send := d.own("http-check", "send"); send != nil {
			if w, ok := after(send, "uri", 2); ok {
				path = w.text
			}
		}
	}
	return fmt.Sprintf("http %s", path)
}
