package kong

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
)

// upstream adds the hop of an upstream's health checks, whose times are seconds.
func upstream(s field.Section, name, to string) {
	checks := s.Sub("healthchecks", "healthchecks")
	if !checks.Node.Present() {
		return
	}
	seconds := *s.Reader
	seconds.Style = field.Seconds
	checks.Reader = &seconds
	h := &model.Hop{Name: name, To: to, Layer: model.Gateway, At: s.At}
	if a := checks.Sub("active", "active"); a.Node.Present() {
		if c, on := active(a); on {
			h.Checks = append(h.Checks, c)
		}
	}
	passive := checks.Sub("passive", "passive").Sub("passive.unhealthy", "unhealthy")
	for _, key := range []string{"http_failures", "tcp_failures", "timeouts"} {
		if v := passive.Count(key); v.IsSet() && v.Amount > 0 && !h.Breaker.Errors.Present() {
			h.Breaker.Errors = v
		}
	}
	s.Hop(h)
}

// active reads an active check; without an interval it is off.
func active(a field.Section) (model.Check, bool) {
	a.Known("timeout", "concurrency", "type", "http_path", "https_verify_certificate", "https_sni", "healthy", "unhealthy", "headers")
	healthy, unhealthy := a.Sub("active.healthy", "healthy"), a.Sub("active.unhealthy", "unhealthy")
	c := model.Check{
		Kind: "health", At: a.At, Timeout: a.Duration("timeout"), Interval: healthy.Duration("interval"), Rises: healthy.Count("successes"),
		Target: strings.TrimSpace("http " + a.Field("http_path").String()), Serves: true,
	}
	for _, key := range []string{"http_failures", "tcp_failures", "timeouts"} {
		if v := unhealthy.Count(key); v.IsSet() && !c.Failures.Present() {
			c.Failures = v
		}
	}
	if !c.Interval.IsSet() || c.Interval.Amount == 0 {
		c.Interval = unhealthy.Duration("interval")
	}
	return c, c.Interval.IsHole() || c.Interval.Finite() && c.Interval.Amount > 0
}
