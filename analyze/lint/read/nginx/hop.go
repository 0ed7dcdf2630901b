package nginx

import (
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// word returns an argument, an empty one at the directive's place past the last.
func (d *directive) word(i int) word {
	if i < len(d.args) {
		return d.args[i]
	}
	return word{at: d.at}
}

func (b *builder) word(d *directive, i int, key string) model.Value { return b.text(d.word(i), key) }

func unlimitedAtZero(v model.Value) model.Value { return read.Unlimited(v, 0) }

// hops adds a hop for each way in which a block passes requests on.
func (b *builder) hops(s *scope) {
	for _, f := range families {
		pass := s.own[f+"_pass"]
		if pass == nil || s.dir.name == "http" || s.dir.name == "stream" {
			continue
		}
		s.mark(f)
		h := &model.Hop{Name: b.name(s), From: "nginx", To: target(b.shown(pass.word(0))), Layer: model.Gateway, At: s.dir.at, Match: b.match(s), Extra: map[string]model.Value{}}
		u := b.upstreams[h.To]
		h.Retry.Servers = servers(u, h.To)
		if s.stream {
			b.streamLimits(h, s)
		} else {
			b.limits(h, s, f)
			b.sideCalls(h, s)
		}
		b.retry(h, s, f, u)
		b.check(h, s)
		b.doc.Hops = append(b.doc.Hops, h)
	}
}

// servers is how many servers a call can walk through, 0 where that is not known.
func servers(u *upstream, to string) int {
	switch {
	case u != nil:
		return u.walked
	case isAddress(to):
		return 1
	}
	return 0
}

// name calls a block as reports do, with its server where the file has several.
func (b *builder) name(s *scope) string {
	name := s.dir.name
	if m := b.match(s); m != "" && s.dir.name != "server" {
		name += " " + m
	}
	if s.server == nil {
		return name
	}
	label := b.serverLabel(s.server)
	if s.dir.name == "server" {
		return label
	}
	if s.dir.name == "if" && s.parent != nil && s.parent.dir != nil {
		name = s.parent.dir.name + " " + b.match(s.parent) + " if"
	}
	if b.servers > 1 && label != "server" {
		name += " of " + label
	}
	return name
}

// match is which requests a block is for.
func (b *builder) match(s *scope) string {
	var words []string
	for _, a := range s.dir.args {
		words = append(words, b.shown(a))
	}
	return strings.Join(words, " ")
}

func (b *builder) serverLabel(s *scope) string {
	for _, key := range []string{"server_name", "listen"} {
		if d := s.own[key]; d != nil && d.arg(0) != "" && d.arg(0) != "_" {
			return "server " + b.shown(d.args[0])
		}
	}
	return "server"
}

// target is whom a pass names: an upstream, or host and port.
func target(pass string) string {
	if _, rest, ok := strings.Cut(pass, "://"); ok {
		pass = rest
	}
	if !strings.HasPrefix(pass, "unix:") {
		pass, _, _ = strings.Cut(pass, "/")
	}
	return pass
}

// setting returns a time of a block, with the default where the file and those that it
// takes in say nothing.
func (b *builder) setting(s *scope, key, row string) model.Value {
	if d := s.lookup(key); d != nil {
		return b.duration(d.word(0), key)
	}
	if s.isOpen() {
		return model.Value{Key: key}
	}
	v := b.absent(row, s.at(b.in.Name))
	v.Key = key
	return v
}

func (b *builder) limits(h *model.Hop, s *scope, family string) {
	h.Connect = b.setting(s, family+"_connect_timeout", family+"_connect_timeout")
	h.GapRead = b.setting(s, family+"_read_timeout", family+"_read_timeout")
	h.GapSend = b.setting(s, family+"_send_timeout", family+"_send_timeout")
	h.Streams = upgrades(s)
	key := family + "_ignore_client_abort"
	if family != "grpc" && family != "memcached" {
		v := b.absent(key, s.at(b.in.Name))
		if d := s.lookup(key); d != nil {
			v = b.flag(b.word(d, 0, key))
		}
		if v.Known() {
			v.Amount = 1 - v.Amount
		}
		h.CancelsWork = v
	}
	if d := s.lookup("proxy_http_version"); d != nil && family == "proxy" {
		h.Extra["proxy_http_version"] = b.word(d, 0, "proxy_http_version")
	}
	if d := s.lookup("resolver_timeout"); d != nil {
		h.Extra["resolver_timeout"] = b.duration(d.word(0), "resolver_timeout")
	}
}

// upgrades reports whether a block passes WebSocket connections on.
func upgrades(s *scope) bool {
	for ; s != nil && s.dir != nil; s = s.parent {
		found := false
		for _, d := range s.dir.block {
			if d.name == "proxy_set_header" || d.name == "grpc_set_header" {
				found = true
				if strings.EqualFold(d.arg(0), "upgrade") && d.arg(1) != "" {
					return true
				}
			}
		}
		if found { // headers of outer blocks do not hold any more
			return false
		}
	}
	return false
}

// streamLimits are those of the stream module, which relays bytes.
func (b *builder) streamLimits(h *model.Hop, s *scope) {
	h.Connect = b.setting(s, "proxy_connect_timeout", "stream.proxy_connect_timeout")
	h.GapRead = b.setting(s, "proxy_timeout", "stream.proxy_timeout")
	h.GapSend = h.GapRead
}

// retry is when a request is passed to a further server.
func (b *builder) retry(h *model.Hop, s *scope, family string, u *upstream) {
	prefix := ""
	if s.stream {
		prefix = "stream."
	}
	h.Backoff.None = true
	h.Retry.SameHost = model.Of(model.Flag, 0, "nginx goes on to the next server")
	key := family + "_next_upstream_timeout"
	h.StartTry = unlimitedAtZero(b.setting(s, key, prefix+key))
	key = family + "_next_upstream_tries"
	tries := b.absent(prefix+key, s.at(b.in.Name))
	if d := s.lookup(key); d != nil {
		tries = unlimitedAtZero(b.count(b.word(d, 0, key)))
	} else if s.isOpen() {
		tries = model.Value{Key: key}
	}
	tries.Key = key
	h.Retry.Tries, h.Retry.Written = tries, tries
	b.conditions(h, s, family, prefix)
	switch {
	case b.switchedOff(h, s, family):
	case u.single() || u == nil && h.Retry.Servers == 1:
		h.Retry.Tries = model.Of(model.Count, 1, "there is one server")
		h.Retry.Tries.Key, h.Retry.Tries.At = key, tries.At
	case tries.Finite() && u != nil && u.walked > 0 && allAddresses(u) && float64(u.walked) < tries.Amount:
		h.Retry.Tries = model.Of(model.Count, float64(u.walked), "each server of the upstream is tried once")
		h.Retry.Tries.Key, h.Retry.Tries.At = key, tries.At
	}
	h.Retry.Implicit = !tries.IsSet() && s.lookup(family+"_next_upstream") == nil
}

func allAddresses(u *upstream) bool {
	return !slices.ContainsFunc(u.servers, func(d *directive) bool { return !isAddress(d.arg(0)) })
}

// switchedOff puts one try where further servers are not asked at all.
func (b *builder) switchedOff(h *model.Hop, s *scope, family string) bool {
	d := s.lookup(family + "_next_upstream")
	if d == nil || d.arg(0) != "off" {
		return false
	}
	v := b.word(d, 0, d.name)
	v.Unit, v.Amount = model.Count, 1
	h.Retry.Tries = v
	return true
}

var causes = map[string]model.Cause{
	"error": model.Reset, "timeout": model.TimedOut, "invalid_header": model.Unavailable, "http_500": model.ServerFault, "http_502": model.Unavailable,
	"http_503": model.Shed, "http_504": model.Unavailable, "http_403": model.ClientFault, "http_404": model.ClientFault, "http_429": model.Shed,
}

// conditions are on what a request is passed on.
func (b *builder) conditions(h *model.Hop, s *scope, family, prefix string) {
	key := family + "_next_upstream"
	d := s.lookup(key)
	if d == nil {
		if s.isOpen() {
			return
		}
		v := b.absent(prefix+key, s.at(b.in.Name))
		for _, w := range strings.Fields(v.Text) {
			h.Retry.On = append(h.Retry.On, model.Condition{Cause: causes[w], Word: w, At: v.At, Default: true})
		}
		if prefix != "" {
			h.Retry.On = append(h.Retry.On, model.Condition{Cause: model.ConnectFailure, Word: "on", At: v.At, Default: true})
		}
		h.Retry.AllMethods = model.Of(model.Flag, 0, key+" is without non_idempotent")
		return
	}
	all := model.Of(model.Flag, 0, key+" is without non_idempotent")
	for _, a := range d.args {
		switch a.text {
		case "off":
		case "on":
			h.Retry.On = append(h.Retry.On, model.Condition{Cause: model.ConnectFailure, Word: a.text, At: a.at})
		case "non_idempotent":
			all = model.Value{Key: key, Raw: a.text, Unit: model.Flag, Amount: 1, Origin: model.Set, At: a.at}
		default:
			if v := b.text(a, key); v.IsHole() {
				all = v
				continue
			}
			h.Retry.On = append(h.Retry.On, model.Condition{Cause: causes[a.text], Word: a.text, At: a.at})
		}
	}
	h.Retry.AllMethods = all
}

// check is an active check of the commercial product.
func (b *builder) check(h *model.Hop, s *scope) {
	d := s.own["health_check"]
	if d == nil {
		return
	}
	c := model.Check{Kind: "health", At: d.at, Target: h.To}
	for _, p := range []struct {
		name string
		to   *model.Value
		time bool
	}{{"interval", &c.Interval, true}, {"fails", &c.Failures, false}, {"passes", &c.Rises, false}} {
		v, ok := b.param(d, p.name)
		if !ok {
			v = b.absent("health_check "+p.name, d.at)
			v.Key = p.name
		}
		if p.time {
			*p.to = b.timed(v)
		} else {
			*p.to = b.count(v)
		}
	}
	if d := s.lookup("health_check_timeout"); d != nil && s.stream {
		c.Timeout = b.duration(d.word(0), d.name)
	}
	h.Checks = append(h.Checks, c)
}

// sideCalls are the limits of the request that auth_request makes first.
func (b *builder) sideCalls(h *model.Hop, s *scope) {
	d := s.lookup("auth_request")
	if d == nil || d.arg(0) == "off" || s.server == nil {
		return
	}
	for _, c := range s.server.dir.block {
		if c.name != "location" || len(c.args) == 0 || c.args[len(c.args)-1].text != d.arg(0) || c == s.dir {
			continue
		}
		side := newScope(s.server, c, c.block)
		for _, f := range families {
			if side.own[f+"_pass"] != nil {
				h.SideCalls = append(h.SideCalls, b.setting(side, f+"_read_timeout", f+"_read_timeout"))
			}
		}
	}
}

// unused adds a hop for limits that a block sets while nothing in it passes requests
// on, as for Lua or for files that it takes in. What is not set there is left open.
func (b *builder) unused(s *scope) {
	if s.dir != nil && s.dir.name == "if" {
		return
	}
	for _, f := range families {
		if s.used[f] {
			continue
		}
		h := &model.Hop{From: "nginx", Layer: model.Gateway}
		found := false
		for _, l := range []struct {
			suffix string
			to     *model.Value
		}{
			{"_connect_timeout", &h.Connect}, {"_read_timeout", &h.GapRead}, {"_send_timeout", &h.GapSend}, {"_next_upstream_timeout", &h.StartTry},
		} {
			if d := s.own[f+l.suffix]; d != nil {
				*l.to = b.duration(d.word(0), d.name)
				found = true
			}
		}
		if h.StartTry.Present() {
			h.StartTry = unlimitedAtZero(h.StartTry)
		}
		if d := s.own[f+"_next_upstream_tries"]; d != nil {
			h.Retry.Tries = unlimitedAtZero(b.count(b.word(d, 0, d.name)))
			h.Retry.Written = h.Retry.Tries
			found = true
		}
		if d := s.own[f+"_next_upstream"]; d != nil {
			b.conditions(h, s, f, "")
			b.switchedOff(h, s, f)
			found = true
		}
		if !found {
			continue
		}
		h.At = s.at(b.in.Name)
		h.Name = f + " settings"
		if s.dir != nil {
			h.Name += " of " + b.name(s)
		}
		b.doc.Hops = append(b.doc.Hops, h)
	}
}
