package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// outcomeBlock says what became of all planned requests, each counted once.
func outcomeBlock(res *headroom.Result) report.Block {
	a := &res.Account
	if a.Planned == 0 {
		return nil
	}
	kv := report.KeyValues{Caption: "What became of " + units.Count(a.Planned) + " planned requests"}
	add := func(name string, n uint64, note string, always bool) {
		if n > 0 || always {
			kv.Items = append(kv.Items, report.KeyValue{Key: name, Value: units.Count(n),
				Note: joinNote(units.Share(float64(n)/float64(a.Planned)), note)})
		}
	}
	add("full", a.Full, "Full QoS", true)
	add("degraded", a.Degraded, "Partial QoS", false)
	add("shed", a.Shed, "refused with 429 or 503", false)
	add("failed", a.Failed, causes(a.Causes), false)
	add("timed out", a.TimedOut, "", false)
	add("in flight at the end", a.InFlight, "", false)
	add("never sent", a.NeverSent, "the generator was late", false)
	if r := a.Retries; r != nil {
		kv.Items = append(kv.Items, report.KeyValue{Key: "sent again", Value: units.Count(r.Planned),
			Note: "beside the planned ones: " + units.Count(r.Full) + " full, " + units.Count(r.TimedOut) + " timed out"})
	}
	return kv
}

func joinNote(a, b string) string {
	if b == "" {
		return a
	}
	return a + ", " + b
}

// causes lists causes of failure, the most frequent first.
func causes(byCause map[string]uint64) string {
	names := slices.Collect(maps.Keys(byCause))
	slices.SortFunc(names, func(a, b string) int {
		if byCause[a] != byCause[b] {
			return int(byCause[b]>>1) - int(byCause[a]>>1)
		}
		if a < b {
			return -1
		}
		return 1
	})
	text := ""
	for i, name := range names {
		if i == 4 {
			return text + fmt.Sprintf(", and %d more causes", len(names)-i)
		}
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s × %s", name, units.Count(byCause[name]))
	}
	return text
}

// rightColumn is a column of figures.
func rightColumn(title string) report.Column {
	return report.Column{Title: title, Align: report.Right}
}

// trialsTable lists all stretches of load, the void ones too.
func trialsTable(res *headroom.Result) report.Block {
	if len(res.Result.Trials) == 0 {
		return nil
	}
	t := report.Table{Caption: "Trials", Columns: []report.Column{
		{Title: "phase"}, rightColumn("rate"), rightColumn("for"), rightColumn("p50"), rightColumn("p99"), rightColumn("bad"), {Title: "remark"}}}
	for i := range res.Result.Trials {
		t.Rows = append(t.Rows, trialRow(&res.Result.Trials[i]))
	}
	return t
}

func trialRow(t *headroom.Trial) []report.Cell {
	p50, p99 := "", ""
	if q, ok := t.Latency["full"]; ok {
		p50, p99 = units.Seconds(q.P50), units.Seconds(q.P99)
	}
	bad := 0.0
	for _, share := range t.BadShare {
		bad = max(bad, share)
	}
	remark := report.Cell{Text: t.Stopped}
	if t.Void != "" {
		remark = report.Cell{Text: "void", Level: report.Warn} // the reasons stand with the generator
	}
	return []report.Cell{report.Txt(t.Phase), report.Txt(units.Rate(t.Planned)), report.Txt(units.Seconds(t.Seconds)),
		report.Txt(p50), report.Txt(p99), report.Txt(units.Share(bad)), remark}
}

// generatorBlock shows that the load generator was not the limit.
func generatorBlock(res *headroom.Result) report.Block {
	g := &res.Generator
	kv := report.KeyValues{Caption: "The load generator"}
	add := func(key, value, note string) {
		kv.Items = append(kv.Items, report.KeyValue{Key: key, Value: value, Note: note})
	}
	add("load", units.Seconds(g.LoadSeconds), "")
	if g.SendLagP99 != nil {
		note := ""
		if g.SendLagP50 != nil {
			note = "p50 " + units.Seconds(*g.SendLagP50)
		}
		add("send lag, p99", units.Seconds(*g.SendLagP99), note)
	}
	if g.CPUShare != nil {
		note := "of each of its event loops"
		if g.Session != nil && g.Session.Handshakes > 0 {
			note += ", with TLS handshakes"
		}
		add("CPU", units.Share(*g.CPUShare), note)
	}
	connectionRows(g, add)
	if g.VoidTrials > 0 {
		add("void trials", units.Count(g.VoidTrials), "they count for nothing: "+voidReasons(res.Result.Trials))
	}
	for _, name := range slices.Sorted(maps.Keys(g.Limits)) {
		add("limit met", name, "× "+units.Count(g.Limits[name]))
	}
	return kv
}

// voidReasons says once each why trials are void, without the figures, which
// differ from trial to trial and are in the JSON.
func voidReasons(trials []headroom.Trial) string {
	byReason := map[string]uint64{}
	for i := range trials {
		if reason, _, _ := strings.Cut(trials[i].Void, ":"); reason != "" {
			byReason[strings.TrimLeft(reason, "0123456789 ")]++
		}
	}
	return causes(byReason)
}
