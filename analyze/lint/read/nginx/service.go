package nginx

import (
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// zone is what limit_req_zone or limit_conn_zone declares.
type zone struct {
	key  string // what requests are told apart by
	rate model.Value
}

func (b *builder) zone(d *directive) {
	z := zone{key: d.arg(0)}
	name := ""
	for _, a := range d.args {
		if n, ok := strings.CutPrefix(a.text, "zone="); ok {
			name, _, _ = strings.Cut(n, ":")
		}
	}
	if v, ok := b.param(d, "rate"); ok {
		z.rate = perSecond(v)
	}
	b.zones[d.name+" "+name] = z
}

// perSecond reads a rate: 10r/s, 30r/m.
func perSecond(v model.Value) model.Value {
	v.Unit = model.PerSecond
	if v.Origin != model.Set {
		return v
	}
	number, per, _ := strings.Cut(v.Text, "r/")
	n, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || per != "s" && per != "m":
		return model.Value{Key: v.Key}
	case per == "m":
		n /= 60
	}
	v.Amount = n
	return v
}

// service is what a server block accepts, or an http block or a file without any.
func (b *builder) service(s *scope) {
	svc := &model.Service{Name: "nginx", At: s.at(b.in.Name), Extra: map[string]model.Value{}}
	if s.dir != nil && s.dir.name == "server" {
		svc.Name = "nginx " + b.serverLabel(s)
	}
	b.listen(svc, s)
	if s.stream {
		for _, key := range []string{"preread_timeout", "proxy_protocol_timeout"} {
			if d := s.lookup(key); d != nil {
				svc.Listen.Header = b.duration(d.word(0), key)
			}
		}
	} else {
		for _, l := range []struct {
			key string
			to  *model.Value
		}{
			{"client_header_timeout", &svc.Listen.Header}, {"client_body_timeout", &svc.Listen.GapRead},
			{"send_timeout", &svc.Listen.Write}, {"keepalive_timeout", &svc.Listen.Idle},
		} {
			*l.to = b.setting(s, l.key, l.key)
		}
		svc.Listen.KeepRequests = b.absent("keepalive_requests", svc.At)
		if d := s.lookup("keepalive_requests"); d != nil {
			svc.Listen.KeepRequests = b.count(b.word(d, 0, d.name))
		}
	}
	b.program(svc)
	b.sheds(svc, s)
	b.doc.Services = append(b.doc.Services, svc)
}

// listen takes the backlog of the first address that sets one.
func (b *builder) listen(svc *model.Service, s *scope) {
	if s.dir == nil {
		return
	}
	for _, d := range s.dir.block {
		if d.name != "listen" {
			continue
		}
		if svc.Listen.Address == "" {
			svc.Listen.Address = b.shown(d.word(0))
		}
		if v, ok := b.param(d, "backlog"); ok && !svc.Listen.Backlog.Present() {
			svc.Listen.Backlog = b.count(v)
		}
	}
	if svc.Listen.Address == "" || svc.Listen.Backlog.Present() {
		return
	}
	svc.Listen.Backlog = b.absent("backlog", s.own["listen"].at)
}

// program adds what the whole program sets.
func (b *builder) program(svc *model.Service) {
	for _, d := range b.main {
		switch d.name {
		case "worker_processes":
			v := b.word(d, 0, d.name)
			if v.Text != "auto" {
				v = b.count(v)
			}
			svc.Extra[d.name] = v
		case "worker_shutdown_timeout":
			svc.Drain.Stop = b.duration(d.word(0), d.name)
		case "events":
			svc.Extra["worker_connections"] = b.absent("worker_connections", d.at)
			for _, c := range d.block {
				if c.name == "worker_connections" {
					svc.Extra[c.name] = b.count(b.word(c, 0, c.name))
				}
			}
		}
	}
	workers, each := svc.Extra["worker_processes"], svc.Extra["worker_connections"]
	if workers.Finite() && workers.Unit == model.Count && each.Finite() {
		v := model.Of(model.Count, workers.Amount*each.Amount, "worker_processes × worker_connections, those to upstreams included")
		v.Key, v.At = "worker_connections", each.At
		svc.Listen.MaxConnections = v
	}
}

// sheds gathers the limits over which requests are refused, in the block, in those
// around it and in those below.
func (b *builder) sheds(svc *model.Service, s *scope) {
	for up := s.parent; up != nil && up.dir != nil; up = up.parent {
		b.shedsOf(svc, up.dir.block, false)
	}
	if s.dir != nil {
		b.shedsOf(svc, s.dir.block, true)
	}
}

func (b *builder) shedsOf(svc *model.Service, block []*directive, deep bool) {
	for _, d := range block {
		switch {
		case d.name == "limit_req":
			name, _ := b.param(d, "zone")
			z := b.zones["limit_req_zone "+name.Text]
			v := z.rate
			if v.Present() {
				v.Key, v.Text = d.name, z.key
				svc.SheddingLimits = append(svc.SheddingLimits, v)
			}
			if v, ok := b.param(d, "burst"); ok && !hasWord(d, "nodelay") && svc.Extra["limit_req burst"].Key == "" {
				v.Key = "limit_req burst"
				svc.Extra[v.Key] = b.count(v)
			}
		case d.name == "limit_conn":
			v := b.count(b.word(d, 1, d.name))
			v.Text = b.zones["limit_conn_zone "+d.arg(0)].key
			svc.SheddingLimits = append(svc.SheddingLimits, v)
		case deep && (d.name == "location" || d.name == "if"):
			b.shedsOf(svc, d.block, true)
		}
	}
}
