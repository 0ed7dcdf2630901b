package defaults

import (
	"math"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
)

// Every row that is built in is whole.
func TestBuiltIn(t *testing.T) {
	table, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if table.Products()["nginx"] < 10 {
		t.Errorf("products %v", table.Products())
	}
}

func TestLookup(t *testing.T) {
	at := model.Position{File: "f", Line: 3}
	newest, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	old, err := Load(map[string]string{"nginx": "1.28.0"})
	if err != nil {
		t.Fatal(err)
	}
	if v := newest.Lookup("nginx", "keepalive", at); v.Amount != 32 || v.At != at || v.Origin != model.Default || v.Source == "" {
		t.Errorf("%+v", v)
	}
	if v := old.Lookup("nginx", "keepalive", at); v.Amount != 0 {
		t.Errorf("%+v", v)
	}
	if v := newest.Lookup("nginx", "proxy_next_upstream_timeout", at); !v.Unlimited() || v.Unit != model.Seconds {
		t.Errorf("%+v", v)
	}
	if v := newest.Lookup("nginx", "nothing", at); v.Present() {
		t.Errorf("%+v", v)
	}
}

func TestRowsThatAreRefused(t *testing.T) {
	for in, want := range map[string]string{
		"product: p\nrows: [{key: a, value: 1s}]":                    "expected a source",
		"product: p\nrows: [{value: 1s, source: s}]":                 "expected a key",
		"product: p\nrows: [{key: a, source: s}]":                    "expected a value",
		"product: p\nrows: [{key: a, value: 1, unit: x, source: s}]": "expected a unit",
		"rows: []": "expected a product",
		"product: p\nrows: [{key: a, value: 1, source: s}, {key: a, value: 2, source: s}]":                           "row before ends",
		"product: p\nrows: [{key: a, value: 1, source: s, until: '2'}, {key: a, value: 2, source: s, since: '1.9'}]": "row before ends",
		"product: p\nrows: [{key: a, values: 1, source: s}]":                                                         "not found",
	} {
		table := &Table{rows: map[string][]Row{}}
		if err := table.read("f.yaml", []byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for _, tt := range []struct {
		value, unit string
		want        model.Unit
		amount      float64
	}{
		{"60s", "", model.Seconds, 60}, {"25ms", "", model.Seconds, 0.025}, {"1024", "", model.Count, 1024}, {"20%", "", model.Ratio, 0.2},
		{"none", "", model.Seconds, math.Inf(1)}, {"none", "count", model.Count, math.Inf(1)}, {"off", "", model.Flag, 0}, {"64KiB", "bytes", model.Bytes, 65536},
		{"10/s", "per_second", model.PerSecond, 10},
	} {
		unit, amount, _, err := amount(tt.value, tt.unit)
		if err != nil || unit != tt.want || amount != tt.amount {
			t.Errorf("%s %s: %v %v %v", tt.value, tt.unit, unit, amount, err)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"1.29.7", "1.29.10", -1}, {"1.9", "1.29", -1}, {"2", "1.99", 1}, {"1.0", "1", 0}, {"1.2", "1.2.x", 0}} {
		if got := compareVersions(tt.a, tt.b); got != tt.want {
			t.Errorf("%s against %s: %d", tt.a, tt.b, got)
		}
	}
}
