package merge

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/headroom"
)

// TestPartsByAddressAndKind: accounts by address and by kind are merged by name, with
// what was spoken, and a part that has none of them is said to have none.
func TestPartsByAddressAndKind(t *testing.T) {
	one := held(t, 100, 1)
	part := func(seed, n uint64, addresses ...string) *headroom.Result {
		r := copied(t, one)
		r.Settings.Seed = seed
		r.Complete = false // it is not judged, which takes long
		r.Generator.Resent = n
		r.Generator.Session = &headroom.Session{Protocol: "HTTP/2", TLS: "TLS 1.3", Handshakes: n, Resumed: 1}
		for _, a := range addresses {
			r.Addresses = append(r.Addresses, headroom.Address{Address: a, Conns: n, Account: headroom.Account{Planned: n, Full: n}, Kept: &headroom.Kept{}})
			r.Targets = append(r.Targets, headroom.Target{Name: "GET /" + a, Account: headroom.Account{Planned: n, Failed: n},
				Kept: &headroom.Kept{LateFull: []uint64{0}, LateDegraded: []uint64{0}}})
		}
		return r
	}
	merged := func(a, b *headroom.Result) *headroom.Result {
		res, err := Results([]Input{{Name: "a", Result: a}, {Name: "b", Result: b}})
		if res == nil {
			t.Fatal(err)
		}
		return res
	}
	res := merged(part(1, 3, "x", "y"), part(2, 5, "y", "x"))
	if strings.Contains(strings.Join(res.Warnings, "\n"), "by ") || len(res.Addresses) != 2 || len(res.Targets) != 2 {
		t.Fatalf("%q, %+v, %+v", res.Warnings, res.Addresses, res.Targets)
	}
	for i := range 2 {
		if a := res.Addresses[i]; a.Account.Full != 8 || a.Conns != 8 {
			t.Errorf("%+v", a)
		}
		if k := res.Targets[i]; k.Account.Failed != 8 || k.BadShare != 1 {
			t.Errorf("%+v", k)
		}
	}
	if g := res.Generator; g.Resent != 8 || g.Session.Handshakes != 8 || g.Session.Resumed != 2 || g.Session.Protocol != "HTTP/2" {
		t.Errorf("%+v, %+v", g, g.Session)
	}
	other := part(3, 1)
	other.Generator.Session.Protocol = "HTTP/1.1"
	res = merged(part(1, 3, "x", "y"), other)
	warned := strings.Join(res.Warnings, "\n")
	for _, want := range []string{"1 of 2 parts have no accounts by address", "1 of 2 parts have no accounts by kind of request", "b spoke another version"} {
		if !strings.Contains(warned, want) {
			t.Errorf("%q, want %q", warned, want)
		}
	}
	old := part(4, 1, "x", "y")
	old.Addresses[0].Kept = nil
	res = merged(part(1, 3, "x", "y"), old)
	if warned = strings.Join(res.Warnings, "\n"); !strings.Contains(warned, "lacks the counts behind its accounts by address") || res.Addresses[0].Account.Full != 4 {
		t.Errorf("%q, %+v", warned, res.Addresses)
	}
}
