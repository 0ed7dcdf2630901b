package link

import (
	"testing"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/topology"
)

// A host is a service's where it is one inside of a cluster, not where its first part is
// called alike.
func TestHosts(t *testing.T) {
	d := newDirectory()
	orders, test := &chain.Service{Name: "orders"}, &chain.Service{Name: "orders-test"}
	d.addAll(orders, &topology.Service{Name: "orders"})
	d.addAll(test, &topology.Service{Name: "orders-test"})
	d.set("orders.test", test)
	d.set("orders.other", nil)
	for target, want := range map[string]*chain.Service{
		"orders": orders, "http://orders:8080/x": orders, "orders.shop": orders, "orders.shop.svc": orders, "orders.shop.svc.cluster.local": orders, "dns:///orders.shop:9090": orders,
		"orders.test": test, "https://orders.test.svc.cluster.local:443": test,
		"orders.other": nil, "orders.other.svc.cluster.local": nil,
		"https://orders.com/": nil, "orders.io": nil, "orders.co": nil, "orders.example.com": nil, "api.orders.com": nil,
	} {
		if got := d.find(target); got != want {
			t.Errorf("%s: %+v", target, got)
		}
	}
}

// Services of one name in two namespaces lead to the workloads of their own.
func TestNamespaces(t *testing.T) {
	label := func(v string) map[string]string { return map[string]string{"app": v} }
	f := gather([]Fact{
		{Kind: Selects, Name: "orders", Namespace: "shop", Labels: label("a")}, {Kind: Selects, Name: "orders", Namespace: "test", Labels: label("a")}, {Kind: Selects, Name: "stock", Labels: label("s")},
		{Kind: Runs, Name: "one", Namespace: "shop", Labels: label("a")}, {Kind: Runs, Name: "two", Namespace: "test", Labels: label("a")}, {Kind: Runs, Name: "three", Namespace: "shop", Labels: label("s")},
	})
	for name, want := range map[string]string{"orders.shop": "one", "orders.test": "two", "orders": "", "stock": "three"} {
		if got := f.pods[name]; got != want {
			t.Errorf("%s leads to %q, want %q", name, got, want)
		}
	}
}
