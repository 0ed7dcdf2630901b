package cmd

import (
	"fmt"
	"math"
	"slices"

	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// queuesizeReport builds what people read from the result.
func queuesizeReport(res *queue.Result) *report.Report {
	r := &report.Report{
		Title:   "Useful queue",
		Verdict: report.Verdict{Text: res.Verdict, Level: levelOf(finding.MaxSeverity(res.Findings))},
		Notes:   res.Warnings,
	}
	r.Add(adviceBlock(res))
	if b, ok := todayBlock(res); ok {
		r.Add(b)
	}
	r.Add(goodputTable(res))
	if res.Today != nil && len(res.Today.Orders) > 0 {
		r.Add(ordersTable(res.Today.Orders))
	}
	if len(res.Findings) > 0 {
		r.Add(report.Findings{Caption: "Findings", Findings: res.Findings})
	}
	if res.Server != nil {
		addServer(r, res.Server)
	}
	if res.Sweep != nil {
		r.Add(sweepTable(res))
	}
	r.Add(goodputPlot(res), waitPlot(res))
	if len(res.Formulas) > 0 {
		r.Add(formulaTable(res.Formulas))
	}
	if len(res.Missing) > 0 {
		kv := report.KeyValues{Caption: "Not given, and what it would tell"}
		for _, m := range res.Missing {
			kv.Items = append(kv.Items, report.KeyValue{Key: "--" + m.Input, Value: m.Use})
		}
		r.Add(kv)
	}
	return r
}

func levelOf(s finding.Severity) report.Level {
	switch s {
	case finding.Error:
		return report.Bad
	case finding.Warning:
		return report.Warn
	}
	return report.Good
}

// rows collects named figures.
type rows struct{ report.KeyValues }

func (r *rows) add(key, value, note string) {
	r.Items = append(r.Items, report.KeyValue{Key: key, Value: value, Note: note})
}

// adviceBlock is what to set.
func adviceBlock(res *queue.Result) report.Block {
	a, in := res.Advice, res.Input
	kv := &rows{report.KeyValues{Caption: "What to set"}}
	b := a.Basis
	note := fmt.Sprintf("%s × %s = %s in the system is the break point, %s is safe", units.Rate(b.Capacity), units.Seconds(b.Wait),
		units.Count(b.BreakPoint), units.Count(b.Safe))
	note += takenOff(in, a)
	if a.PositionsHigh != nil {
		note += fmt.Sprintf("; %s at the high end of the capacity", units.Count(*a.PositionsHigh))
	}
	kv.add("request queue", units.Count(a.Positions)+" positions", note)
	if a.PositionsByTimeout != nil {
		kv.add("the same without hedging", units.Count(*a.PositionsByTimeout)+" positions",
			fmt.Sprintf("a hedge after %s sends everything twice once the wait reaches it", units.Seconds(*in.HedgeAfter)))
	}
	kv.add("longest useful wait", units.Seconds(a.MaxWait), "for servers that limit the wait in the queue")
	if w := a.Workers; w != nil {
		note := fmt.Sprintf("%s busy at capacity", units.Number(w.BusyAtCapacity))
		if w.BusyAtPeak != nil {
			note += fmt.Sprintf(", %s at the peak", units.Number(*w.BusyAtPeak))
		}
		kv.add("workers", units.Count(w.Set), note+fmt.Sprintf("; at most %s", units.Count(w.Most)))
	}
	kv.add("accept queue", units.Count(a.AcceptQueue), "the margin between break point and safe value; a pause fills it, nothing else should")
	if p := a.Pool; p != nil {
		kv.add("connections per client", fmt.Sprintf("%s to %s", units.Count(p.Min), units.Count(p.Max)), fmt.Sprintf("%s in all at the server", units.Count(p.Total)))
	}
	kv.add("rate limit", units.Rate(a.RateLimit.Rate), fmt.Sprintf("answer 429 above it; burst %s", units.Count(a.RateLimit.Burst)))
	retryRows(kv, a.Retry, in)
	return kv.KeyValues
}

// takenOff says what of the safe value is not for waiting.
func takenOff(in queue.Input, a queue.Advice) string {
	workers, own := 0, 0.0
	if in.Workers != nil {
		workers = *in.Workers
	}
	if in.ServiceP99 != nil {
		own = a.Basis.Capacity * *in.ServiceP99
	}
	switch {
	case own > float64(workers):
		return fmt.Sprintf(", less %s for a service time of up to %s", units.Number(own), units.Seconds(*in.ServiceP99))
	case workers > 0:
		return fmt.Sprintf(", of which %s run", units.Count(workers))
	case a.WorkersToSubtract:
		return "; subtract the worker threads"
	}
	return ""
}

func retryRows(kv *rows, r *queue.Retry, in queue.Input) {
	if r == nil {
		return
	}
	if r.Budget != nil {
		kv.add("retry budget", "at most "+units.Share(*r.Budget), fmt.Sprintf("per destination; headroom over the peak of %s is %s", units.Rate(*in.Peak), units.SignedShare(*r.Headroom)))
	}
	if r.HiddenCapacity != nil {
		kv.add("recovers by itself below", units.Rate(*r.HiddenCapacity), fmt.Sprintf("with %d retries and no budget", *in.Retries))
	}
	if r.UsefulAfter != nil {
		kv.add("break point of a retry", units.Count(*r.UsefulAfter), fmt.Sprintf("in the system; %s after a refusal so much of the timeout is left", units.Seconds(*in.RetryAfter)))
	}
}

// todayBlock is what today's values do.
func todayBlock(res *queue.Result) (report.Block, bool) {
	t := res.Today
	if t == nil {
		return nil, false
	}
	kv := &rows{report.KeyValues{Caption: "Today"}}
	if t.TimesUseful != nil {
		kv.add("request queue", fmt.Sprintf("%s positions", units.Count(*res.Input.Queue)), fmt.Sprintf("%s times the break point of %s", oneDecimal(*t.TimesUseful), units.Count(res.Advice.BreakPoint)))
	}
	if t.Dead != nil && *t.Dead > 0 {
		kv.add("dead on arrival", fmt.Sprintf("%s of a full queue", units.Count(*t.Dead)), units.Share(*t.DeadShare)+" are served after their clients have left")
	}
	if t.AcceptWait != nil {
		kv.add("wait before accept", units.Seconds(*t.AcceptWait), fmt.Sprintf("behind %s connections in the kernel", units.Count(*t.AcceptQueue)))
	}
	if t.QueueWait != nil {
		kv.add("full queue drains in", units.Seconds(*t.QueueWait), fmt.Sprintf("clients wait %s", units.Seconds(res.Input.Timeout)))
		if t.AcceptWait != nil {
			kv.add("both waits in series", units.Seconds(*t.TotalWait), "")
		}
	}
	if t.FillSeconds != nil && t.Dead != nil && *t.Dead > 0 {
		kv.add("fills in", units.Seconds(*t.FillSeconds), "at 1.1 × capacity; from then on everything is late")
	}
	if t.Memory != nil {
		kv.add("memory of a full queue", units.Size(*t.Memory), fmt.Sprintf("%s for the advised one", units.Size(*t.MemoryAdvised)))
	}
	if t.Refused != nil {
		kv.add("refused at the peak", units.Share(*t.Refused), "")
	}
	if t.Recovers != nil {
		value, note := "never", "the peak with its retries is not below capacity"
		if *t.Recovers {
			value, note = units.Seconds(*t.RecoverySeconds), "after a burst that filled every queue, while the peak goes on"
		}
		kv.add("recovers in", value, note)
	}
	if t.Connections != nil {
		kv.add("connections at the server", units.Count(*t.Connections), "all pools together")
	}
	return kv.KeyValues, true
}

func oneDecimal(v float64) string { return units.Number(math.Round(v*10) / 10) }

// percentOf writes a goodput with one decimal.
func percentOf(share float64) string { return units.Share(math.Round(share*1000) / 1000) }

// ordersTable compares orders of service for today's queue.
func ordersTable(orders []queue.Order) report.Block {
	t := report.Table{
		Caption: fmt.Sprintf("Today's queue under other orders of service, at %.1f × capacity", orders[0].Load),
		Columns: []report.Column{{Title: "order of service"}, {Title: "goodput", Align: report.Right}},
	}
	for _, o := range orders {
		t.Rows = append(t.Rows, append(report.Row(o.Name), goodputCells([]queue.LoadShare{{Load: o.Load, Goodput: o.Goodput}})...))
	}
	return t
}

// goodputTable compares queue lengths.
func goodputTable(res *queue.Result) report.Block {
	t := report.Table{Caption: "Goodput as a share of capacity", Columns: []report.Column{
		{Title: "queue"}, {Title: "positions", Align: report.Right}, {Title: "in the system", Align: report.Right},
	}}
	// Without the number of workers the two counts cannot be told apart.
	unknown := res.Input.Workers == nil
	if unknown {
		t.Columns = slices.Delete(t.Columns, 1, 2)
	}
	for _, g := range res.Goodput[0].Goodput {
		t.Columns = append(t.Columns, report.Column{Title: fmt.Sprintf("at %.1f ×", g.Load), Align: report.Right})
	}
	for _, row := range res.Goodput {
		cells := report.Row(row.Name, units.Count(row.Positions), units.Count(row.InSystem))
		if row.Unbounded {
			cells = report.Row(row.Name, unboundedWord, unboundedWord)
		}
		if unknown {
			cells = slices.Delete(cells, 1, 2)
		}
		t.Rows = append(t.Rows, append(cells, goodputCells(row.Goodput)...))
	}
	return t
}

func goodputCells(shares []queue.LoadShare) []report.Cell {
	var cells []report.Cell
	for _, g := range shares {
		level := report.Good
		switch {
		case g.Goodput < 0.5:
			level = report.Bad
		case g.Goodput < 0.95:
			level = report.Warn
		}
		cells = append(cells, report.Cell{Text: percentOf(g.Goodput), Level: level})
	}
	return cells
}
