package cmd

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
)

// TestAddressesTable guards what is shown of each address, and that one address
// alone has no table.
func TestAddressesTable(t *testing.T) {
	mean := 0.012
	res := &headroom.Result{}
	if b := addressesTable(res); b != nil {
		t.Errorf("a table without addresses: %+v", b)
	}
	res.Addresses = []headroom.Address{
		{Address: "10.0.0.1:80", Account: headroom.Account{Planned: 1000, Full: 990, Degraded: 9, TimedOut: 1}, Conns: 3,
			Latency: &headroom.Quantiles{P99: 0.09}, MeanSeconds: &mean},
		{Address: "10.0.0.2:80", Account: headroom.Account{Planned: 1000, Failed: 1000, Causes: map[string]uint64{"connection refused": 1000}}, Conns: 1000,
			Outlier: &headroom.Outlier{By: "bad share", Value: 1, Worst: 9, Seconds: 9}},
	}
	table, ok := addressesTable(res).(report.Table)
	if !ok || len(table.Rows) != 2 {
		t.Fatalf("%+v", table)
	}
	for i, want := range []string{
		"10.0.0.1:80|1,000|0.1%|12ms|90ms|3|",
		"10.0.0.2:80|1,000|100%|||1,000|outlier: connection refused × 1,000",
	} {
		var cells []string
		for _, c := range table.Rows[i] {
			cells = append(cells, c.Text)
		}
		if got := strings.Join(cells, "|"); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
}

// TestConnectionRows guards what is said of the connections, and that what goes
// without saying is not said.
func TestConnectionRows(t *testing.T) {
	rows := func(g *headroom.Generator) string {
		var all []string
		connectionRows(g, func(key, value, note string) { all = append(all, key+"="+value+" ("+note+")") })
		return strings.Join(all, "\n")
	}
	g := &headroom.Generator{Conns: 40, ConnsPeak: 4, Session: &headroom.Session{Protocol: "HTTP/1.1"}}
	if got, want := rows(g), "connections=4 (at once; 40 opened in all)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	g.ConnsBusiest = &headroom.ConnSecond{At: 61, Opened: 30, Mean: 0.5}
	g.Resent = 12
	g.Session = &headroom.Session{Protocol: "HTTP/2", TLS: "TLS 1.3", Handshakes: 40, Resumed: 36, Insecure: true}
	want := `connections=4 (at once; 40 opened in all)
opened in the busiest second=30 (at 1m1s of load; 0.5/s in the mean)
sent again=12 (requests that the service had not processed when it closed their HTTP/2 connection)
protocol=HTTP/2 over TLS 1.3 (40 handshakes, 36 of them resumed; certificates were not checked (--tls-insecure))`
	if got := rows(g); got != want {
		t.Errorf("%q,\nwant %q", got, want)
	}
}
