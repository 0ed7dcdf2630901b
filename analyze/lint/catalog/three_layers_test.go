package catalog

import (
	"fmt"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/ruletest"
)

// Envoy at the edge, Resilience4j in the application and Istio beside it: tries multiply
// 3 × 3 × 3 along the path, and the call of orders is the first that outlasts its caller;
// each with the lines of both files.
func TestThreeLayers(t *testing.T) {
	l := ruletest.Link(t, "testdata/three-layers")
	if n := len(l.Chain.Hops); n != 2 || len(l.Chain.Hops[1].Layers) != 2 {
		t.Fatalf("%d hops, %+v", n, l.Chain.Hops)
	}
	if p := l.Chain.Paths().Paths[0]; p.Product != 27 || p.Name() != "edge → orders → stock" {
		t.Errorf("%v along %s", p.Product, p.Name())
	}
	for i, h := range l.Chain.Hops {
		if h.Inverted() != (i == 1) {
			t.Errorf("%s: inverted %v", h.Name(), h.Inverted())
		}
	}
	res := l.Judge(All()...)
	for rule, texts := range map[string][]string{
		"CHN-01": {"orders/application.yml:", "orders may wait 6.2s for stock, edge waits 1s for it", "1s (edge/envoy.yaml:18)", "orders/application.yml:8"},
		"CHN-02": {"edge/envoy.yaml:18", "one call becomes up to 27 at stock", "edge/envoy.yaml:18", "orders/application.yml:8", "mesh/stock.yaml:11", "3 × 3 × 3 = 27"},
		"TMO-06": {"mesh/stock.yaml:10", "the sidecar waits up to 10s, 5 times the 2s", "orders/application.yml:13"},
	} {
		text := ""
		for _, f := range res.Findings {
			if f.Rule != rule {
				continue
			}
			text += fmt.Sprintf("%s:%d %s\n", f.Location.File, f.Location.Line, f.Message)
			for _, e := range f.Evidence {
				text += e.Name + ": " + e.Value + "\n"
			}
		}
		for _, part := range texts {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", rule, part, text)
			}
		}
	}
}
