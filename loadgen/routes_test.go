package loadgen

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/internal/fault"
)

func addressesOf(list ...string) []address {
	var out []address
	for _, a := range list {
		out = append(out, address{ip: netip.AddrPortFrom(netip.MustParseAddr(a), 80)})
	}
	return out
}

// TestRoutesShares guards that replicas have equal shares to within one request,
// whichever of them refuse.
func TestRoutesShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 9).Draw(t, "addresses")
		n := rapid.IntRange(0, 200).Draw(t, "requests")
		var list []string
		for i := range k {
			list = append(list, fmt.Sprintf("10.0.0.%d", i+1))
		}
		r := newRoutes(addressesOf(list...), true, rapid.IntRange(0, 20).Draw(t, "first"))
		share := make([]int, k)
		for range n {
			a := r.take()
			share[a]++
			if _, ok := r.instead(a, 1, CauseRefused); ok {
				t.Fatal("a refusal of one replica is hidden by another")
			}
		}
		for _, s := range share {
			if s < n/k || s > n/k+1 {
				t.Fatalf("%d requests over %d addresses: %v", n, k, share)
			}
		}
	})
}

// TestRoutesFamilies guards that a family to which the machine has no way is left
// out, and only before anything of it ever answered.
func TestRoutesFamilies(t *testing.T) {
	addrs := addressesOf("10.0.0.1", "10.0.0.2", "fd00::1", "fd00::2")
	if !replicas(addrs) || replicas(addressesOf("10.0.0.1", "fd00::1")) || replicas(addressesOf("10.0.0.1")) {
		t.Error("one host of two families is not several hosts, and the other way about")
	}
	r := newRoutes(addrs, true, 0)
	if to, ok := r.instead(2, 1, CauseUnreachable); !ok || addrs[to].family() != 0 {
		t.Errorf("no IPv6: goes to %d, %v", to, ok)
	}
	for range 8 {
		if a := r.take(); addrs[a].family() != 0 {
			t.Errorf("address %d of the family that is off", a)
		}
	}
	if _, ok := r.instead(0, 1, CauseUnreachable); ok {
		t.Error("both families are off")
	}
	r = newRoutes(addrs, true, 0)
	r.took(2)
	if _, ok := r.instead(3, 1, CauseUnreachable); ok {
		t.Error("a replica that cannot be reached is hidden by the family's other one")
	}
	one := newRoutes(addressesOf("127.0.0.1", "::1"), false, 0)
	if to, ok := one.instead(0, 1, CauseRefused); !ok || to != 1 {
		t.Errorf("one host: goes to %d, %v", to, ok)
	}
	if _, ok := one.instead(1, 2, CauseRefused); ok {
		t.Error("one host: tried for ever")
	}
}

func TestParsePin(t *testing.T) {
	for text, want := range map[string]string{
		"shop.test:80:127.0.0.1":              "shop.test 80 [127.0.0.1]",
		"shop.test:80:127.0.0.1,127.0.0.2":    "shop.test 80 [127.0.0.1 127.0.0.2]",
		"shop.test:443:[::1],::2":             "shop.test 443 [::1 ::2]",
		"[::1]:8080:127.0.0.1":                "::1 8080 [127.0.0.1]",
		"shop.test:80:::ffff:127.0.0.1":       "shop.test 80 [127.0.0.1]",
		"shop.test:80: 127.0.0.1 , 127.0.0.2": "shop.test 80 [127.0.0.1 127.0.0.2]",
	} {
		p, err := ParsePin(text)
		if got := fmt.Sprint(p.Host, " ", p.Port, " ", p.Addrs); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "shop.test", "shop.test:80", ":80:127.0.0.1", "[::1:80:127.0.0.1", "a:x:127.0.0.1", "a:0:127.0.0.1",
		"a:70000:127.0.0.1", "a:80:", "a:80:b", "a:80:127.0.0.1,", "a:80:fe80::1%eth0"} {
		if p, err := ParsePin(text); err == nil || fault.KindOf(err) != fault.Usage {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
}

// FuzzParsePin holds what is accepted to what it says.
func FuzzParsePin(f *testing.F) {
	for _, seed := range []string{"shop.test:80:127.0.0.1", "[::1]:8080:127.0.0.1,[::2]", "a:80:", "::"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePin(text)
		if err != nil {
			if !strings.Contains(err.Error(), "expected") {
				t.Errorf("%q: %v does not say what was expected", text, err)
			}
			return
		}
		if p.Host == "" || p.Port == 0 || len(p.Addrs) == 0 {
			t.Errorf("%q: %+v", text, p)
		}
		for _, a := range p.Addrs {
			if !a.IsValid() || a.Zone() != "" {
				t.Errorf("%q: address %v", text, a)
			}
		}
	})
}
