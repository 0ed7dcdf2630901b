package merge

import "example.com/kneeline/analyze/headroom"

// session merges what was spoken with the service.
func (m *merger) session(name string, s *headroom.Session) {
	g := &m.out.Generator
	switch {
	case s == nil:
		return
	case g.Session == nil:
		c := *s
		g.Session = &c
		return
	case g.Session.Protocol != s.Protocol || g.Session.TLS != s.TLS:
		m.warn("%s spoke another version of HTTP or TLS than the first", name)
	}
	g.Session.Handshakes += s.Handshakes
	g.Session.Resumed += s.Resumed
	g.Session.Insecure = g.Session.Insecure || s.Insecure
}

// byAddressAndKind merges the accounts by address and by kind of request. A part that
// has none where others do went to one address, or sent one kind, that it does not name.
func (m *merger) byAddressAndKind() {
	var addresses [][]headroom.Address
	var targets [][]headroom.Target
	for _, p := range m.parts {
		if a := p.Result.Addresses; len(a) > 0 {
			addresses = append(addresses, a)
		}
		if t := p.Result.Targets; len(t) > 0 {
			targets = append(targets, t)
		}
	}
	tell := func(what string, n int, whole bool) {
		switch {
		case n > 0 && n < len(m.parts):
			m.warn("%d of %d parts have no accounts by %s: the merged ones are of the others", len(m.parts)-n, len(m.parts), what)
		case !whole:
			m.warn("a part lacks the counts behind its accounts by %s: the merged ones have no latencies", what)
		}
	}
	var whole bool
	m.out.Addresses, whole = headroom.JoinAddresses(addresses...)
	tell("address", len(addresses), whole)
	m.out.Targets, whole = headroom.JoinTargets(m.objective, targets...)
	tell("kind of request", len(targets), whole)
}
