package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// addressesTable is the account by address, where the service has several.
func addressesTable(res *headroom.Result) report.Block {
	if len(res.Addresses) == 0 {
		return nil
	}
	t := report.Table{Caption: "Addresses", Columns: []report.Column{
		{Title: "address"}, rightColumn("requests"), rightColumn("bad"), rightColumn("mean"), rightColumn("p99"), rightColumn("connections"), {Title: "remark"}}}
	for i := range res.Addresses {
		t.Rows = append(t.Rows, addressRow(&res.Addresses[i]))
	}
	return t
}

func addressRow(a *headroom.Address) []report.Cell {
	n := &a.Account
	mean, p99 := "", ""
	if q := a.Latency; q != nil {
		mean, p99 = units.Seconds(*a.MeanSeconds), units.Seconds(q.P99)
	}
	bad := n.Planned - n.Full - n.Degraded
	remark := report.Cell{Text: causes(n.Causes)}
	if a.Outlier != nil { // the finding says in what
		remark = report.Cell{Text: strings.TrimSuffix("outlier: "+remark.Text, ": "), Level: report.Bad}
	}
	return []report.Cell{report.Txt(a.Address), report.Txt(units.Count(n.Planned)),
		report.Txt(units.Share(float64(bad) / float64(n.Planned))), report.Txt(mean), report.Txt(p99),
		report.Txt(units.Count(a.Conns)), remark}
}

// connectionRows say what the connections were.
func connectionRows(g *headroom.Generator, add func(key, value, note string)) {
	add("connections", units.Count(g.ConnsPeak), "at once; "+units.Count(g.Conns)+" opened in all")
	if b := g.ConnsBusiest; b != nil {
		add("opened in the busiest second", units.Count(b.Opened),
			fmt.Sprintf("at %s of load; %s/s in the mean", units.Seconds(b.At), units.Number(b.Mean)))
	}
	if g.Resent > 0 {
		add("sent again", units.Count(g.Resent), "requests that the service had not processed when it closed their HTTP/2 connection")
	}
	s := g.Session
	if s == nil || s.TLS == "" && s.Protocol == "HTTP/1.1" {
		return
	}
	value, note := s.Protocol, ""
	if s.TLS != "" {
		value += " over " + s.TLS
		note = countOf(s.Handshakes, "handshake") + ", " + units.Count(s.Resumed) + " of them resumed"
	}
	if s.Insecure {
		note += "; certificates were not checked (--tls-insecure)"
	}
	add("protocol", value, note)
}
