// Package chn03 tells of services that give their callees as much time as ever, however
// much of it their callers have left.
package chn03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is CHN-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CHN-03", Name: "no-deadline-carried", Severity: finding.Note, Since: "0.1",
		Title: "calls have a fixed limit, whatever time the caller has left",
		Why: `A request that has waited in queues on its way has only a part of its caller's time left. A service that gives each of its own calls the
same limit does not know, and starts work that cannot be answered in time. Where the deadline goes along with the call, every service on
the way stops when the first one would.`,
		Formula: `found: the caller's wait is limited, the service's own call has a limit of its own, and no file says that a deadline is
taken over or carried along`,
		Sources: []string{
			"grpc.io/docs/guides/deadlines: deadline propagation",
			"envoyproxy/data-plane-api route_components.proto: max_stream_duration.grpc_timeout_header_max takes the caller's deadline",
		},
		Bad:  "edge → orders: 400ms\norders → stock: 350ms, fixed: 200ms after the request came in it still waits 350ms",
		Good: "orders → stock: what is left of the caller's 400ms, at most 350ms",
		Fix:  "Take the limit from the caller's deadline: grpc_timeout_header_max in Envoy, the context of the call in gRPC; write deadline_carried in the topology where it is so.",
	},
	Needs: rule.Config | rule.Topology,
	Chain: check,
}

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		if deadline(s) {
			continue
		}
		l, in, ok := s.Patience()
		if !ok || in.Abandons() {
			continue
		}
		for _, out := range s.Out {
			fixed, ok := out.Deadline()
			if !ok || out.Abandons() || !fixed.Value.IsSet() {
				continue
			}
			p.Report(rule.At(fixed.Value, out.At), s.Name, fixed.Value.Key, fmt.Sprintf("%s gives %s %s, however little of the %s of %s is left", s.Name, out.To.Name, fixed.Value, l.Value, in.From.Name)).
				Because(l.Value, fixed.Value).Formula("time left = %s − time since the call was made; given: %s", l.Value, fixed.Value).
				Fix("take the smaller one of %s and what the caller has left; where that is so, say deadline_carried: true of the hop %s", fixed.Value, in.Name())
			break // once a service
		}
	}
}

// deadline reports whether a file of the service says that callers' deadlines hold.
func deadline(s *chain.Service) bool {
	for _, part := range s.Parts {
		if d := part.Service.Deadline; d.On() || d.Finite() && d.Unit == model.Seconds {
			return true
		}
	}
	return false
}
