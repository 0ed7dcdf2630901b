// Package rty10 finds further tries that go to the host that has just failed.
package rty10

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is RTY-10.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-10", Name: "same-host-again", Severity: finding.Warning, Since: "0.1",
		Title: "a further try may go to the host that has just failed",
		Why: `One host of many that is full, paused or gone is what retries help against best, and only if the next try goes elsewhere. Sent to the
same host again it meets the same pause, and adds to the queue that made the first one fail.`,
		Formula: `n hosts; share of further tries that meet the same host = 1 if the program stays with it, 1/n if it picks at random
found: the program stays with the host or picks it again, by a setting
note: by its default, while the file lists several hosts`,
		Sources: []string{
			"haproxy/haproxy doc/configuration.txt: option redispatch",
			"envoyproxy/envoy api/envoy/config/route/v3/route_components.proto: retry_host_predicate, previous_hosts",
			"Netflix/ribbon CommonClientConfigKey: MaxAutoRetries counts tries at the same server",
		},
		Bad:  "ribbon.MaxAutoRetries=1\nribbon.MaxAutoRetriesNextServer=1",
		Good: "ribbon.MaxAutoRetries=0\nribbon.MaxAutoRetriesNextServer=1",
		Fix:  "Let each further try go to another host.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		same := h.Retry.SameHost
		if !same.On() || !h.Retry.Retries() || h.Retry.Implicit || h.Retry.Servers == 1 || h.Streams {
			return
		}
		chosen := same.IsSet() || same.Origin == model.Derived
		if !chosen && h.Retry.Servers < 2 {
			return
		}
		at := rule.At(same, rule.At(h.Retry.Written, h.At))
		if !p.First(at, same.Key) {
			return
		}
		f := p.Report(at, h.Name, same.Key, message(h))
		if !chosen {
			f.Severity(finding.Note)
		}
		f.Because(same, h.Retry.Tries)
		if n := h.Retry.Servers; n > 1 {
			f.Formula("%s hosts, picked at random: 1/%s = %s of further tries meet the same one; more where the program stays with it",
				units.Number(float64(n)), units.Number(float64(n)), units.Share(1/float64(n)))
		} else {
			f.Formula("up to %s tries meet the host that failed", worst.TriesText(h))
		}
		f.Fix("%s", fix(same))
	})
}

func message(h *model.Hop) string {
	if !h.Retry.SameHost.IsSet() && h.Retry.SameHost.Origin != model.Derived {
		return fmt.Sprintf("%s is not set: further tries may go to the host that has failed, of %d", name(h.Retry.SameHost), h.Retry.Servers)
	}
	return "further tries go to the host that has failed"
}

func name(v model.Value) string {
	switch v.Key {
	case "":
		return "another host for each try"
	case "same_host": // what the predicate decides
		return "retry_host_predicate"
	}
	return v.Key
}

// fix names what the setting is to be, in the words of the formats that have one.
func fix(v model.Value) string {
	switch v.Key {
	case "option redispatch":
		return "set option redispatch 1"
	case "same_host", "retry_host_predicate":
		return "add the predicate envoy.retry_host_predicates.previous_hosts to retry_host_predicate"
	}
	if strings.HasSuffix(v.Key, "MaxAutoRetries") {
		return fmt.Sprintf("set %s to 0: tries at the next server are MaxAutoRetriesNextServer's", v.Key)
	}
	if v.Key != "" && v.Unit == model.Flag {
		return fmt.Sprintf("set %s so that a further try goes to another host", v.Key)
	}
	return "let each further try go to another host"
}
