package nginx

import (
	"net"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// upstream is a group of servers.
type upstream struct {
	dir     *directive
	servers []*directive
	// walked is how many servers a call can walk through, 0 where names stand for an
	// unknown number of addresses.
	walked int
}

func newUpstream(d *directive) *upstream {
	u := &upstream{dir: d}
	known := true
	for _, c := range d.block {
		if c.name != "server" || hasWord(c, "down") {
			continue
		}
		u.servers = append(u.servers, c)
		if !isAddress(c.arg(0)) {
			known = false
		}
	}
	if u.walked = len(u.servers); !known && u.walked < 2 {
		u.walked = 0
	}
	return u
}

// single reports whether a group is one server of one address.
func (u *upstream) single() bool { return u != nil && len(u.servers) == 1 && u.walked == 1 }

// isAddress tells an address, which is one server, from a name, which may be several.
func isAddress(server string) bool {
	if strings.HasPrefix(server, "unix:") {
		return true
	}
	host := server
	if h, _, err := net.SplitHostPort(server); err == nil {
		host = h
	}
	return net.ParseIP(strings.Trim(host, "[]")) != nil
}

func hasWord(d *directive, word string) bool {
	for _, a := range d.args[min(1, len(d.args)):] {
		if a.text == word {
			return true
		}
	}
	return false
}

// upstreamHop is what an upstream block sets for all that pass requests to it.
func (b *builder) upstreamHop(d *directive, stream bool) {
	u := newUpstream(d)
	h := &model.Hop{Name: "upstream " + b.shown(d.word(0)), From: "nginx", To: b.shown(d.word(0)), Layer: model.Gateway, At: d.at, Extra: map[string]model.Value{}}
	h.Retry.Servers = u.walked
	h.Caps.PerServer = true
	b.serverLines(h, u)
	for _, c := range d.block {
		switch c.name {
		case "queue":
			h.Caps.Queue = b.count(b.word(c, 0, "queue"))
			h.Caps.QueueWait = b.absent("queue timeout", c.at)
			if v, ok := b.param(c, "timeout"); ok {
				v.Key = "queue timeout"
				h.Caps.QueueWait = b.timed(v)
			}
		case "keepalive":
			h.Extra["keepalive"] = b.count(b.word(c, 0, "keepalive"))
		case "keepalive_requests":
			h.Pool.Requests = b.count(b.word(c, 0, c.name))
		case "keepalive_timeout":
			h.Idle = b.duration(c.word(0), c.name)
		case "keepalive_time":
			h.Pool.Lifetime = b.duration(c.word(0), c.name)
		}
	}
	if !stream {
		b.keepAlive(h, d)
	}
	b.doc.Hops = append(b.doc.Hops, h)
}

// keepAlive fills in what an upstream block says nothing of.
func (b *builder) keepAlive(h *model.Hop, d *directive) {
	if !h.Extra["keepalive"].Present() {
		h.Extra["keepalive"] = b.absent("keepalive", d.at)
	}
	kept := h.Extra["keepalive"]
	if kept.IsHole() || !kept.Present() {
		return
	}
	h.Pool.KeepAlive = kept
	h.Pool.KeepAlive.Unit = model.Flag
	if kept.Amount != 0 {
		h.Pool.KeepAlive.Amount = 1
		if !h.Idle.Present() {
			h.Idle = b.absent("upstream_keepalive_timeout", d.at)
			h.Idle.Key = "keepalive_timeout"
		}
		if !h.Pool.Requests.Present() {
			h.Pool.Requests = b.absent("upstream_keepalive_requests", d.at)
			h.Pool.Requests.Key = "keepalive_requests"
		}
		if !h.Pool.Lifetime.Present() {
			h.Pool.Lifetime = b.absent("upstream_keepalive_time", d.at)
			h.Pool.Lifetime.Key = "keepalive_time"
		}
	}
}

// serverLines takes the weakest of what the servers of a group set: the most
// connections, and checks that are off if they are off for one.
func (b *builder) serverLines(h *model.Hop, u *upstream) {
	for _, s := range u.servers {
		conns, ok := b.param(s, "max_conns")
		if !ok {
			conns = b.absent("max_conns", s.at)
		} else {
			conns = unlimitedAtZero(b.count(conns))
		}
		if !h.Caps.Connections.Present() || conns.Known() && conns.Amount > h.Caps.Connections.Amount {
			h.Caps.Connections = conns
		}
		fails, ok := b.param(s, "max_fails")
		if !ok {
			fails = b.absent("max_fails", s.at)
		}
		fails = b.count(fails)
		wait, ok := b.param(s, "fail_timeout")
		if !ok {
			wait = b.absent("fail_timeout", s.at)
		}
		wait = b.timed(wait)
		if !h.Breaker.Errors.Present() || fails.Finite() && h.Breaker.Errors.Finite() && fails.Amount < h.Breaker.Errors.Amount {
			h.Breaker.Errors, h.Breaker.Window, h.Breaker.Open = fails, wait, wait
		}
		for _, v := range []model.Value{fails, wait} {
			if v.IsSet() && v.Amount == 0 && !h.Breaker.Off.Present() {
				h.Breaker.Off = v
				h.Breaker.Off.Unit, h.Breaker.Off.Amount = model.Flag, 1
			}
		}
	}
}
