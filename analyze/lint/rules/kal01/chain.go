package kal01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// margin is how much longer a server keeps a connection than its client, in seconds.
const margin = 5

// checkChain finds servers that close kept connections before their callers do.
func checkChain(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		for _, part := range s.Parts {
			if v := part.Service.Listen.Idle; v.Finite() && v.Amount > 0 && v.Unit == model.Seconds {
				against(p, s, part.Service)
			}
		}
	}
}

// against holds a server's idle limit against the longest one of its callers.
func against(p *rule.Pass, s *chain.Service, m *model.Service) {
	v := m.Listen.Idle
	at := rule.At(v, m.At)
	client, of := longest(s)
	if of == nil {
		return
	}
	p.Overrule(at)
	if v.Amount > client.Amount || !v.IsSet() && !client.IsSet() || !p.First(at, v.Key) {
		return
	}
	f := p.Report(at, s.Name, v.Key, fmt.Sprintf("%s closes kept connections after %s, %s keeps them for %s: requests go into connections that are being closed", s.Name, v, of.From.Name, client))
	f.Severity(finding.Error)
	f.Because(v, client)
	if client.Unlimited() {
		f.Formula("%s < no limit", v).Fix("set an idle limit of %s below the %s of the server", of.Name(), v)
		return
	}
	f.Formula("%s ≤ %s, %s times", v, client, units.Number(client.Amount/v.Amount)).
		Fix("set %s to %s: %s + %ds", setting(v), worst.Text(client.Amount+margin), client, margin)
}

// longest is the longest time for which a caller keeps a silent connection to the
// service. The layer that is next to the service is the one that has the connection.
func longest(s *chain.Service) (model.Value, *chain.Hop) {
	var out model.Value
	var of *chain.Hop
	for _, h := range s.In {
		for i := len(h.Layers) - 1; i >= 0; i-- {
			l := h.Layers[i].Hop
			v := l.Idle
			if !v.Known() {
				v = l.Pool.IdleEvict
			}
			if !v.Known() || v.Unit != model.Seconds {
				continue
			}
			if of == nil || v.Amount > out.Amount {
				out, of = v, h
			}
			break
		}
	}
	return out, of
}
