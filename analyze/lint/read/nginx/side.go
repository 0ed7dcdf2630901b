package nginx

import "example.com/kneeline/analyze/lint/model"

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
