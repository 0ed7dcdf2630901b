package nginx

import (
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
	if d := s.lookup("resolver"); d != nil {
		if v, ok := b.param(d, "valid"); ok {
			v.Key = "resolver valid"
			h.Extra["resolver valid"] = b.timed(v)
		}
	}
}

// upgrades reports whether a block passes WebSocket connections on: it says so itself,
// or inherits it without a map that tells them from requests.
func upgrades(s *scope) bool {
	inner := true
	for ; s != nil && s.dir != nil; s = s.parent {
		found, upgrade, always := false, false, false
		for _, d := range s.dir.block {
			if d.name != "proxy_set_header" && d.name != "grpc_set_header" {
				continue
			}
			found = true
			upgrade = upgrade || strings.EqualFold(d.arg(0), "upgrade") && d.arg(1) != ""
			always = always || strings.EqualFold(d.arg(0), "connection") && strings.EqualFold(d.arg(1), "upgrade")
		}
		if found { // headers of outer blocks do not hold any more
			return upgrade && (inner || always)
		}
		inner = false
	}
	return false
}

// streamLimits are those of the stream module, which relays bytes.
func (b *builder) streamLimits(h *model.Hop, s *scope) {
	h.Connect = b.setting(s, "proxy_connect_timeout", "stream.proxy_connect_timeout")
	h.GapRead = b.setting(s, "proxy_timeout", "stream.proxy_timeout")
	h.GapSend = h.GapRead
}
