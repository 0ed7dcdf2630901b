package haproxy

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// frontend adds the service of a section that takes connections.
func (b *builder) frontend(s *section) {
	svc := &model.Service{Name: b.title(s), At: s.head.at(), Extra: map[string]model.Value{}}
	b.listen(svc, s)
	http := b.mode(s) == "http"
	svc.Listen.GapRead = b.timer(s, "client", lowTimeout)
	svc.Listen.Write = svc.Listen.GapRead
	if http {
		svc.Listen.Header = b.timer(s, "http-request", lowTimeout)
		svc.Listen.Idle = b.idle(s, svc)
		if s.option("http-buffer-request") != nil { // the body counts as the head does
			svc.Listen.Body = svc.Listen.Header
		}
	}
	if l := s.lookup("rate-limit", "sessions"); l != nil {
		v := b.count(l.word(2), "rate-limit sessions")
		v.Unit = model.PerSecond
		svc.SheddingLimits = append(svc.SheddingLimits, v)
	}
	if l := b.global("hard-stop-after"); l != nil {
		svc.Drain.Stop = b.duration(l.word(1), "hard-stop-after", lowTimeout)
	}
	b.doc.Services = append(b.doc.Services, svc)
}

// idle is how long a connection between two requests is kept: the first of three
// timers that is set.
func (b *builder) idle(s *section, svc *model.Service) model.Value {
	if s.lookup("timeout", "http-keep-alive") != nil {
		if v := b.timer(s, "http-keep-alive", lowTimeout); !v.Unlimited() { // 0 is as if it were not set
			return v
		}
	}
	if v := svc.Listen.Header; v.IsHole() || v.IsSet() && !v.Unlimited() {
		return v
	}
	return svc.Listen.GapRead
}

// listen is the address with its queue and its bound of connections.
func (b *builder) listen(svc *model.Service, s *section) {
	for _, l := range s.lines {
		if !l.is("bind") {
			continue
		}
		if svc.Listen.Address == "" {
			svc.Listen.Address = b.shown(l.word(1))
		}
		if w, ok := after(l, "backlog", 2); ok && !svc.Listen.Backlog.Present() {
			svc.Listen.Backlog = b.count(w, "backlog")
		}
	}
	switch l := s.lookup("maxconn"); {
	case l != nil:
		svc.Listen.MaxConnections = b.count(l.word(1), "maxconn")
	default:
		if g := b.global("maxconn"); g != nil {
			svc.Listen.MaxConnections = b.count(g.word(1), "global maxconn")
		}
	}
	if l := s.lookup("backlog"); l != nil && !svc.Listen.Backlog.Present() {
		svc.Listen.Backlog = b.count(l.word(1), "backlog")
	}
	if most := svc.Listen.MaxConnections; !svc.Listen.Backlog.Present() && most.Finite() {
		v := model.Of(model.Count, most.Amount, strings.TrimSpace(most.Key+", since backlog is not set"))
		v.Key, v.At = "backlog", most.At
		svc.Listen.Backlog = v
	}
}

// global returns the last line of the global sections that begins with a word.
func (b *builder) global(name string) *line {
	for i := len(b.sections) - 1; i >= 0; i-- {
		if b.sections[i].kind == "global" {
			if l := b.sections[i].own(name); l != nil {
				return l
			}
		}
	}
	return nil
}
