package nginx

import (
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

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
