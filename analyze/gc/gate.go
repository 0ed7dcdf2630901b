package gc

import (
	"fmt"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Gates are what a result must hold to pass. Zero fields ask for nothing.
type Gates struct {
	// MaxOverhead is the highest share over the window that is allowed, of every
	// series that counts as overload.
	MaxOverhead float64
	// MaxPause are the longest pauses that are allowed, by quantile.
	MaxPause PauseLimits
	// FailOn is the least severity of a finding that fails.
	FailOn finding.Severity
}

// PauseLimit is the longest pause that is allowed at a quantile: 1 is the maximum.
type PauseLimit struct {
	Quantile float64
	Most     time.Duration
}

// PauseLimits are limits at different quantiles.
type PauseLimits []PauseLimit

// quantileNames are the quantiles that can be asked for.
var quantileNames = []struct {
	name string
	q    float64
	of   func(*Quantiles) float64
}{
	{"p50", 0.5, func(q *Quantiles) float64 { return q.P50 }},
	{"p90", 0.9, func(q *Quantiles) float64 { return q.P90 }},
	{"p99", 0.99, func(q *Quantiles) float64 { return q.P99 }},
	{"p99.9", 0.999, func(q *Quantiles) float64 { return q.P999 }},
	{"max", 1, func(q *Quantiles) float64 { return q.Max }},
}

// name is that of the limit's quantile, with its figure.
func (p PauseLimit) name() (string, func(*Quantiles) float64) {
	for _, n := range quantileNames {
		if n.q == p.Quantile {
			return n.name, n.of
		}
	}
	return "", nil
}

// String returns the limit as [ParsePauseLimits] reads it.
func (p PauseLimit) String() string {
	name, _ := p.name()
	return name + "<" + units.ExactDuration(p.Most)
}

// String returns the limits as [ParsePauseLimits] reads them.
func (l PauseLimits) String() string {
	parts := make([]string, len(l))
	for i, p := range l {
		parts[i] = p.String()
	}
	return strings.Join(parts, ",")
}

// Set makes *PauseLimits the value of a command-line flag.
func (l *PauseLimits) Set(text string) error {
	v, err := ParsePauseLimits(text)
	if err == nil {
		*l = v
	}
	return err
}

// Type returns the word that stands for the value in help.
func (*PauseLimits) Type() string { return "limits" }

// ParsePauseLimits reads limits on the length of pauses:
//
//	limits   = limit { "," limit } .
//	limit    = [ quantile "<" ] duration .   without a quantile it is max
//	quantile = "p50" | "p90" | "p99" | "p99.9" | "max" .
//
// such as "p99<200ms" or "p50<10ms,max<1s".
func ParsePauseLimits(text string) (PauseLimits, error) {
	var l PauseLimits
	for part := range strings.SplitSeq(text, ",") {
		name, length, ok := strings.Cut(part, "<")
		if !ok {
			name, length = "max", part
		}
		p := PauseLimit{}
		for _, n := range quantileNames {
			if strings.EqualFold(strings.TrimSpace(name), n.name) {
				p.Quantile = n.q
			}
		}
		if p.Quantile == 0 {
			return nil, fault.Usagef("pause limit %q: expected p50, p90, p99, p99.9 or max before \"<\", found %q", part, name)
		}
		d, err := units.ParseDuration(strings.TrimPrefix(length, "="))
		if err != nil {
			return nil, fault.Usagef("pause limit %q: %w", part, err)
		}
		if d <= 0 {
			return nil, fault.Usagef("pause limit %q: expected a duration over 0", part)
		}
		for _, x := range l {
			if x.Quantile == p.Quantile {
				return nil, fault.Usagef("pause limits: expected %s once", part[:strings.IndexByte(part+"<", '<')])
			}
		}
		p.Most = d
		l = append(l, p)
	}
	return l, nil
}

// Validate returns a usage error for gates that make no sense.
func (g Gates) Validate() error {
	if !(g.MaxOverhead >= 0 && g.MaxOverhead <= 1) {
		return fault.Usagef("max-overhead: expected 0 to 100%%, found %s", units.Share(g.MaxOverhead))
	}
	return nil
}

// Gate is the decision on one gate.
type Gate struct {
	// Gate is max-overhead, max-pause or fail-on.
	Gate string `json:"gate"`
	Pass bool   `json:"pass"`
	// Wanted is the gate as it was set, Found the worst that was found.
	Wanted string `json:"wanted"`
	Found  string `json:"found"`
	// Log is where that was, with how many logs fail.
	Log    string `json:"log,omitempty"`
	Failed int    `json:"failed_logs"`
	// Undecided counts logs that cannot tell: they do not fail, and they do not
	// pass.
	Undecided int `json:"undecided_logs"`

	worst float64
}

// take compares one log's figure with the gate.
func (g *Gate) take(name string, value, limit float64, found string) {
	if value > limit {
		g.Pass = false
		g.Failed++
	}
	if g.Found == "" || value > g.worst || value == g.worst && name < g.Log {
		g.worst, g.Found, g.Log = value, found, name
	}
}

// check takes one log into the decisions.
func (g Gates) check(gates []Gate, l *Log) {
	for i := range gates {
		x := &gates[i]
		switch x.Gate {
		case "max-overhead":
			peak, series, ok := l.peak()
			if !ok || l.Verdict.Answer == Unknown && peak <= g.MaxOverhead {
				x.Undecided++
				continue
			}
			x.take(l.Name, peak, g.MaxOverhead, fmt.Sprintf("%s (%s)", units.Share(peak), series))
		case "max-pause":
			if l.Pauses.Quantiles == nil {
				if l.Verdict.Answer == Unknown {
					x.Undecided++
				}
				continue
			}
			g.checkPause(x, l)
		case "fail-on":
			worst := finding.MaxSeverity(l.Findings)
			x.take(l.Name, float64(worst), float64(g.FailOn)-0.5, worst.String())
		}
	}
}

// checkPause compares a log with the limit that the gate names.
func (g Gates) checkPause(x *Gate, l *Log) {
	for _, p := range g.MaxPause {
		if p.String() != x.Wanted {
			continue
		}
		_, of := p.name()
		v := of(l.Pauses.Quantiles)
		// Not the limit itself passes: "<" is meant as written.
		if v == p.Most.Seconds() {
			v += 1e-9
		}
		x.take(l.Name, v, p.Most.Seconds(), units.Seconds(v))
	}
}

// open makes the gates that were asked for, all passing so far.
func (g Gates) open() []Gate {
	var out []Gate
	if g.MaxOverhead > 0 {
		out = append(out, Gate{Gate: "max-overhead", Pass: true, Wanted: units.ExactShare(g.MaxOverhead)})
	}
	for _, p := range g.MaxPause {
		out = append(out, Gate{Gate: "max-pause", Pass: true, Wanted: p.String()})
	}
	if g.FailOn > 0 {
		out = append(out, Gate{Gate: "fail-on", Pass: true, Wanted: g.FailOn.String()})
	}
	return out
}

// peak is the highest share over the window of the series that count.
func (l *Log) peak() (peak float64, series string, ok bool) {
	for _, s := range l.Overhead {
		if s.Counts && s.Peak != nil && (!ok || *s.Peak > peak) {
			peak, series, ok = *s.Peak, s.Name, true
		}
	}
	return peak, series, ok
}
