package link_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/lint/link"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/ruletest"
	"example.com/kneeline/analyze/lint/topology"
)

// read reads files as lint does.
func read(t *testing.T, files map[string]string) link.Input {
	t.Helper()
	in := link.Input{Own: map[string][]byte{}}
	c := ruletest.Collector(t)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		data := []byte(strings.TrimPrefix(files[name], "\n"))
		if name == "topology.yaml" {
			in.Topology = topology.Read(name, data)
			continue
		}
		in.Documents = append(in.Documents, c.Read(name, data).Documents...)
		in.Facts = append(in.Facts, link.Facts(name, data)...)
		in.Own[name] = data
	}
	return in
}

// kubernetes is Envoy in front of two services of Kubernetes whose settings are in
// ConfigMaps.
var kubernetes = map[string]string{
	"envoy/envoy.yaml": `
static_resources:
  clusters:
  - name: to_orders
    connect_timeout: 0.25s
    load_assignment:
      cluster_name: to_orders
      endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: orders-api.shop.svc.cluster.local, port_value: 80}}}}]}]
  listeners:
  - name: main
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes: [{match: {prefix: /}, route: {cluster: to_orders, timeout: 1s}}]
`,
	"k8s/orders.yaml": `
apiVersion: v1
kind: Service
metadata: {name: orders-api}
spec: {selector: {app: orders}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: orders}
spec:
  replicas: 3
  template:
    metadata: {labels: {app: orders, tier: back}}
    spec:
      containers: [{name: nginx, image: nginx, livenessProbe: {httpGet: {path: /, port: 80}}}]
      volumes: [{name: conf, configMap: {name: orders-conf}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: orders-conf}
data:
  nginx.conf: |
    events {}
    http {
      upstream back { server stock-1:8080; server stock-2:8080; }
      server { location / { proxy_pass http://back; proxy_read_timeout 5s; } }
    }
`,
}

// From an Envoy cluster by its address to a Service, its Deployment, the ConfigMap that it
// mounts, and to the upstream in that.
func TestKubernetes(t *testing.T) {
	files := map[string]string{"topology.yaml": `
version: 1
services:
  edge: {config: [envoy/envoy.yaml]}
  orders: {config: [k8s/orders.yaml]}
  stock: {names: [stock-1, stock-2]}
hops: []
`}
	for k, v := range kubernetes {
		files[k] = v
	}
	in := read(t, files)
	c := link.Build(in)
	var got []string
	for _, h := range c.Hops {
		line := h.Name() + ":"
		for _, l := range h.Layers {
			line += fmt.Sprintf(" %s %s", l.Hop.Layer, l.Document.Format)
		}
		p, _ := h.Patience()
		got = append(got, fmt.Sprintf("%s %vs (%s)", line, p.Seconds, h.Inferred))
	}
	want := []string{
		"edge → orders: gateway envoy 1s (cluster to_orders in envoy/envoy.yaml:3)",
		"orders → stock: gateway nginx 65s (location / in k8s/orders.yaml:27)",
	}
	for i, w := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], strings.SplitN(w, " (", 2)[0]) {
			t.Errorf("%q\nwant %q", got, want)
			break
		}
	}
	if s := c.Service("orders"); len(s.Parts) == 0 || len(c.Problems) > 0 {
		t.Errorf("%+v %+v", s.Parts, c.Problems)
	}
	if w, ok := c.Hops[0].Wait(); !ok || w.Seconds != 1 {
		t.Errorf("%+v", w)
	}
}

// A skeleton is what the same files tell without a topology, and lint takes it at once.
func TestSkeleton(t *testing.T) {
	in := read(t, kubernetes)
	s := link.MakeSkeleton(in.Documents, in.Facts, ".")
	f := topology.Read("t.yaml", s.Text)
	for _, p := range f.Problems {
		t.Errorf("%d: %s", p.At.Line, p.Err)
	}
	var got []string
	for _, h := range f.Hops {
		got = append(got, h.From+" → "+h.To)
	}
	if strings.Join(got, ", ") != "envoy → orders, orders → stock" || f.Service("orders").Replicas.Amount != 3 || s.Services != 3 || s.Hops != 2 || s.Missing == 0 {
		t.Errorf("%q of\n%s", got, s.Text)
	}
	in.Topology = f
	if c := link.Build(in); len(c.Hops) != 2 || len(c.Hops[0].Layers) == 0 || len(c.Hops[1].Layers) == 0 || len(c.Problems) > 0 {
		t.Errorf("%+v %+v", c.Hops, c.Problems)
	}
}

// Each way in which files name whom they call.
func TestInferred(t *testing.T) {
	for name, tt := range map[string]struct {
		file, text string
		hops       string
	}{
		"proxy_pass":   {"front/nginx.conf", "events {}\nhttp { server { location / { proxy_pass http://storage:8080/x; } } }\n", "front → storage"},
		"HAProxy":      {"front/haproxy.cfg", "defaults\n  timeout server 5s\nbackend be\n  server s1 storage-1:80\n  server s2 storage-2:80\n", "front → storage"},
		"addresses":    {"front/haproxy.cfg", "defaults\n  timeout server 5s\nbackend storage\n  server s1 10.0.0.1:80\n  server s2 10.0.0.2:80\n", "front → storage"},
		"Feign":        {"orders/application.yml", "spring:\n  application: {name: shop-orders}\nfeign:\n  client:\n    config:\n      stock: {connectTimeout: 500, readTimeout: 1000}\n", "shop-orders → stock"},
		"D2":           {"query/d2.json", `{"d2Clusters": {"c": {"services": {"storage": {"transportClientProperties": {"http.requestTimeout": 400}}}}}}`, "query → storage"},
		"a variable":   {"front/nginx.conf", "events {}\nhttp { server { location / { proxy_pass http://$backend; proxy_read_timeout 5s; } } }\n", ""},
		"Istio":        {"mesh/vs.yaml", "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: storage}\nspec:\n  hosts: [storage]\n  http: [{route: [{destination: {host: storage.shop.svc.cluster.local}}], timeout: 2s}]\n", "policy of storage"},
		"Gateway API":  {"mesh/route.yaml", "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\nspec:\n  rules: [{backendRefs: [{name: storage, port: 80}], timeouts: {request: 2s}}]\n", "policy of storage"},
		"gRPC service": {"front/sc.json", `{"methodConfig": [{"name": [{"service": "shop.Stock"}], "timeout": "1s"}]}`, ""},
	} {
		in := read(t, map[string]string{tt.file: tt.text})
		s := link.MakeSkeleton(in.Documents, in.Facts, ".")
		f := topology.Read("t.yaml", s.Text)
		if len(f.Problems) > 0 {
			t.Errorf("%s: %+v\n%s", name, f.Problems, s.Text)
		}
		var got []string
		for _, h := range f.Hops {
			got = append(got, h.From+" → "+h.To)
		}
		if of, ok := strings.CutPrefix(tt.hops, "policy of "); ok {
			if x := f.Service(of); x == nil || len(x.Configs) != 1 || len(got) > 0 {
				t.Errorf("%s: %q\n%s", name, got, s.Text)
			}
			continue
		}
		if strings.Join(got, ", ") != tt.hops {
			t.Errorf("%s: %q, want %q\n%s", name, got, tt.hops, s.Text)
		}
	}
}

// Whatever files are called and say, a skeleton is a topology without problems.
func TestSkeletonProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var docs []*model.Document
		name := rapid.OneOf(rapid.SampledFrom([]string{"a", "true", "1.5", "x:80", "a.b.svc", "-x", "", "a#b", "\"", "a: b", "\u0080", "\ufffe\uffff"}), rapid.String())
		for range rapid.IntRange(0, 4).Draw(t, "documents") {
			file := filepath.ToSlash(name.Draw(t, "file"))
			d := &model.Document{File: file, Line: 1, Format: rapid.SampledFrom([]string{"nginx", "istio"}).Draw(t, "format")}
			for range rapid.IntRange(0, 2).Draw(t, "hops") {
				d.Hops = append(d.Hops, &model.Hop{Name: name.Draw(t, "hop"), To: name.Draw(t, "to"), At: model.Position{File: file, Line: 2}})
			}
			docs = append(docs, d)
		}
		s := link.MakeSkeleton(docs, nil, ".")
		f := topology.Read("t.yaml", s.Text)
		if len(f.Problems) > 0 || len(f.Services) != s.Services || len(f.Hops) != s.Hops {
			t.Fatalf("%+v\n%s", f.Problems, s.Text)
		}
	})
}

func FuzzFacts(f *testing.F) {
	for name, text := range kubernetes {
		f.Add(name, []byte(text))
	}
	f.Add("h.cfg", []byte("backend b\n server s a:1\n"))
	f.Add("n.conf", []byte("upstream a { server b; }"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		lines := strings.Count(string(data), "\n") + 1
		for _, x := range link.Facts(name, data) {
			if x.Kind == 0 || x.Name == "" || x.At.Line < 1 || x.At.Line > lines || x.Last > lines+1 {
				t.Fatalf("%+v in %d lines", x, lines)
			}
		}
	})
}

// A file with the routes of several services is in the list of one of them: it calls the
// others no more for that.
func TestRoutesOfOthersAreNoCalls(t *testing.T) {
	files := map[string]string{
		"routes.yaml": `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: ratings}
spec: {hosts: [ratings], http: [{timeout: 2s, route: [{destination: {host: ratings}}]}]}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: reviews}
spec: {hosts: [reviews], http: [{timeout: 5s, route: [{destination: {host: reviews}}]}]}
`,
	}
	files["topology.yaml"] = "version: 1\nservices:\n  details: {config: [routes.yaml]}\n  reviews:\n  ratings:\nhops:\n  - {from: reviews, to: ratings}\n"
	c := link.Build(read(t, files))
	if len(c.Hops) != 1 || c.Hops[0].Name() != "reviews → ratings" || len(c.Hops[0].Layers) != 1 || c.Hops[0].Layers[0].Hop.Total.Amount != 2 {
		t.Errorf("expected the one hop with its limit of 2s, found %d hops: %+v", len(c.Hops), c.Hops)
	}
}
