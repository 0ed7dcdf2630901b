package kube

import (
	"testing"

	"example.com/kneeline/analyze/lint/tree"
)

func TestObjects(t *testing.T) {
	const text = `
routes:
- {apiVersion: g.io/v1, kind: A, metadata: {name: a, namespace: n, annotations: {x: y}}, spec: {s: 1}}
- {apiVersion: other.io/v1, kind: B}
---
apiVersion: v1
kind: List
items:
- {apiVersion: g.io/v1, kind: C, metadata: {name: c}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {x: [{apiVersion: g.io/v1, kind: Inner}]}}
---
just: text
`
	roots, errs := tree.YAML("f", []byte(text))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	got := Of(roots, "g.io")
	if len(got) != 2 || got[0].Title() != "A a" || got[0].Namespace != "n" || got[0].Spec.Get("s") == nil || got[0].Annotations.Get("x").String() != "y" || got[1].Title() != "C c" {
		t.Errorf("%+v", got)
	}
	if core := Of(roots, ""); len(core) != 1 || core[0].Kind != "Pod" || core[0].At().Line != 11 {
		t.Errorf("%+v", core)
	}
	if all := All(roots[2]); len(all) != 1 || all[0].Kind != "Pod" {
		t.Errorf("%+v", all)
	}
	if Has(roots[3], "g.io") || !Has(roots[1], "g.io") {
		t.Error("has")
	}
}
