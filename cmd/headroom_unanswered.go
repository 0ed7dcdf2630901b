package cmd

import (
	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// unanswered is the error of a measurement in which the service answered not one
// request rightly, the first ones included, for which it had been idle. That
// says nothing of load: the path, the credentials or the service itself are
// wrong, or a limit had been used up before.
//
// failure is what the analysis says of the run. Its word stands where nothing
// came back that has a cause: no answer in time, or a generator that did not send.
func unanswered(res *headroom.Result, failure error) error {
	a := &res.Account
	if a.Planned == 0 || a.Full+a.Degraded > 0 || failure != nil && a.Failed+a.Shed == 0 {
		return nil
	}
	return fault.WithHint(
		fault.NoAnswerf("not one of %s was answered in full: %s", countOf(a.Planned, "request"), badness(a)),
		whatToTry(a.Causes))
}

// whatToTry is what to do about a service that answers nothing rightly, by the
// most frequent cause.
func whatToTry(causes map[string]uint64) string {
	most := ""
	for cause, n := range causes {
		if n > causes[most] || n == causes[most] && cause < most {
			most = cause
		}
	}
	switch most {
	case loadgen.CauseCertAuthority:
		return "name the authority with --tls-ca FILE, or take any certificate with --tls-insecure"
	case loadgen.CauseCertName:
		return "ask for the name in the certificate with --tls-server-name NAME"
	case loadgen.CauseNotTLS:
		return "the URL of a service without TLS begins with http://"
	case loadgen.CauseNoH2, loadgen.CauseSpeaks1, "TLS alert from the service: no application protocol":
		return "leave --http at auto, or set it to 1.1"
	}
	return "send one such request by hand; --dry-run prints it"
}

// badness lists what became of the requests that had no right answer.
func badness(a *headroom.Account) string {
	text := causes(a.Causes)
	for _, part := range []struct {
		name string
		n    uint64
	}{{"shed with 429 or 503", a.Shed}, {"timed out", a.TimedOut}, {"never sent", a.NeverSent}, {"in flight", a.InFlight}} {
		if part.n == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += part.name + " × " + units.Count(part.n)
	}
	return text
}

// withdraw takes back what the analysis made of requests that all went wrong:
// its figures of a service under load, and what it judged by them.
func withdraw(res *headroom.Result) {
	res.Complete = false
	a := &res.Result
	a.Floor, a.FloorSeconds, a.Verdict = nil, nil, nil
	a.BoundBy, a.BoundByClause, a.Method = "", "", ""
	res.Findings = nil
}
