package workload

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

var probeKeys = []string{
	"exec", "httpGet", "tcpSocket", "grpc", "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold",
	"terminationGracePeriodSeconds",
}

// probes adds the probes of a container.
func (p *pod) probes(s *model.Service, container *tree.Node) {
	kinds := [...]string{"liveness", "readiness", "startup"}
	var found [len(kinds)]*tree.Node
	count := 0
	for i, kind := range kinds {
		if n := container.Get(kind + "Probe"); n != nil && n.Kind == tree.Map {
			found[i] = n
			count++
		}
	}
	if count == 0 {
		return
	}
	s.Probes = make([]model.Check, 0, count)
	for i, n := range found {
		if n != nil {
			s.Probes = append(s.Probes, p.probe(kinds[i], container, n))
		}
	}
}

func (p *pod) probe(kind string, container, n *tree.Node) model.Check {
	s := p.Section("probe", n, container.At)
	s.Known(probeKeys...)
	c := model.Check{
		Kind: kind, At: s.At,
		Delay: s.Duration("initialDelaySeconds"), Timeout: positive(s, "timeoutSeconds", field.Section.Duration),
		Interval: positive(s, "periodSeconds", field.Section.Duration), Failures: positive(s, "failureThreshold", field.Section.Count),
		Rises: positive(s, "successThreshold", field.Section.Count),
	}
	if r := c.Rises; kind != "readiness" && r.IsSet() && r.Amount > 1 {
		p.Reject(r.At, "successThreshold: 1", "successThreshold of a %s probe is 1 or nothing, found %s", kind, r.Raw)
	}
	c.Target, c.Serves = p.asks(container, n)
	return c
}

// positive is a setting of which a 0 stands for the default and less is refused.
func positive(s field.Section, key string, take func(field.Section, string) model.Value) model.Value {
	v := take(s, key)
	switch {
	case !v.IsSet():
	case v.Amount == 0:
		return s.Default(key)
	case v.Amount < 0:
		s.Reject(v.At, "", "%s: expected 1 or more, found %s", key, v.Raw)
		return s.Default(key)
	}
	return v
}

// asks is what a probe asks, and whether it waits behind requests for the answer: a
// probe by TCP does not, the kernel answers it.
func (p *pod) asks(container, n *tree.Node) (target string, serves bool) {
	for _, how := range []string{"httpGet", "grpc", "tcpSocket"} {
		ask := n.Get(how)
		if ask == nil || ask.Kind != tree.Map {
			continue
		}
		port := field.Label(ask.Get("port"))
		serves = p.serving(container, port)
		switch how {
		case "httpGet":
			path := field.Label(ask.Get("path"))
			if path == "" {
				path = "/"
			}
			return "http :" + port + " " + path, serves
		case "grpc":
			return strings.TrimSpace("grpc :" + port + " " + field.Label(ask.Get("service"))), serves
		}
		return "tcp :" + port, false
	}
	var words []string
	for w := range n.Get("exec", "command").Items() {
		words = append(words, field.Label(w))
	}
	if len(words) == 0 {
		return "", false
	}
	return "exec " + strings.Join(strings.Fields(strings.Join(words, " ")), " "), false
}
