package ingressnginx_test

import (
	"testing"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/ingressnginx"
	"example.com/kneeline/analyze/lint/read/nginx"
	"example.com/kneeline/analyze/lint/readtest"
)

// What stands in a snippet has its place in the file.
func TestSnippetInPlace(t *testing.T) {
	data := "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: a\n  annotations:\n    nginx.ingress.kubernetes.io/configuration-snippet: |\n      # limits\n      proxy_read_timeout 5000;\nspec: {}\n"
	in := readtest.Input(t, "a.yaml", []byte(data))
	c := lint.Collector{Texts: []read.Text{nginx.Reader}, Objects: []read.Object{ingressnginx.Reader}, Defaults: in.Defaults}
	got := c.Read("a.yaml", []byte(data))
	if len(got.Documents) != 2 || len(got.Documents[1].Hops) != 1 || len(got.Documents[1].Units) != 1 {
		t.Fatalf("%+v\n%s", got.Problems, readtest.Table(got.Documents))
	}
	v := got.Documents[1].Hops[0].GapRead
	if v.At.Line != 8 || v.At.Column != 26 || data[v.At.Offset:v.At.End] != "5000" {
		t.Errorf("%+v", v.At)
	}
}
