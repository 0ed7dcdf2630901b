package cmd

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/term"
	"example.com/kneeline/internal/units"
)

// report builds what people read from the result: the verdict, what to change,
// the evidence, and how far to trust it.
func (m *measurement) report(res *headroom.Result, failure error) *report.Report {
	r := &report.Report{Title: "Headroom of " + res.Target, Verdict: m.verdict(res, failure), Notes: m.notes(res)}
	if !res.Complete {
		r.Incomplete = "the measurement did not run to its end"
		if failure != nil && !strings.Contains(r.Verdict.Text, failure.Error()) {
			r.Incomplete += ": " + failure.Error()
		}
	}
	add := func(b report.Block) {
		if b != nil {
			r.Add(b)
		}
	}
	add(m.answerBlock(res))
	add(m.gateBlock(res))
	add(m.known.block(res))
	add(m.traffic.block())
	add(m.latencyPlot(res))
	add(m.goodputPlot(res))
	add(overloadBlock(&res.Result))
	add(signalsBlock(res))
	if len(res.Findings) > 0 {
		r.Add(report.Findings{Caption: "Findings", Findings: res.Findings})
	}
	add(m.settingsBlock(&res.Result))
	add(outcomeBlock(res))
	add(addressesTable(res))
	add(targetsTable(res))
	add(troubleTable(res))
	add(hintBlock(res))
	add(trialsTable(res))
	add(generatorBlock(res))
	return r
}

// notes say how far to trust the figures.
func (m *measurement) notes(res *headroom.Result) []string {
	notes := res.Warnings
	if res.Result.AtLeast != nil && m.opts.cappedByFiles {
		notes = append(slices.Clone(notes), "the cap on the rate follows from the files this process may open: raise 'ulimit -n' to go higher")
	}
	return notes
}

// answerBlock is the answer in figures.
func (m *measurement) answerBlock(res *headroom.Result) report.Block {
	a := &res.Result
	kv := report.KeyValues{Caption: "Answer"}
	add := func(key, value, note string) {
		kv.Items = append(kv.Items, report.KeyValue{Key: key, Value: value, Note: note})
	}
	if c := a.Capacity; c != nil {
		add("capacity", units.Rate(c.Estimate), fmt.Sprintf("95%% interval %s to %s", units.Rate(c.Low), units.Rate(c.High)))
		add("safe to plan with", units.Rate(c.Low), "the low end; gates and headroom use it")
	}
	if key := boundKey(a); key != "" {
		add(key, a.BoundBy, a.BoundByClause)
	}
	if s := a.Saturated; s != nil {
		add("throughput when busy", units.Rate(s.Estimate), fmt.Sprintf("95%% interval %s to %s", units.Rate(s.Low), units.Rate(s.High)))
	}
	if a.FloorSeconds != nil {
		add("response time, unloaded", units.Seconds(*a.FloorSeconds), "mean")
	}
	m.headroomRows(a, add)
	if u := a.UsefulQueue; u != nil {
		add("useful queue", units.Count(u.Positions)+" positions",
			fmt.Sprintf("%s in system is the break point, %s is safe, less %s being served",
				units.Count(u.InSystem), units.Count(u.Safe), units.Count(u.Workers)))
	}
	if a.USL != nil && a.USL.Hint != "" {
		add("what holds it back", a.USL.Hint, "a hint, from the universal scalability law")
	}
	if len(kv.Items) == 0 {
		return nil
	}
	return kv
}

// boundKey says what the limit that was found is to the reader; empty when
// there was none. A rate that held was bound by nothing.
func boundKey(a *headroom.Answer) string {
	switch v := a.Verdict; {
	case a.BoundBy == "" || a.BoundBy == string(slo.LimitNone):
		return ""
	case v == nil || !offersRate(v):
		return "bound by"
	case v.Pass:
		return ""
	}
	return "broken by"
}

func (m *measurement) headroomRows(a *headroom.Answer, add func(key, value, note string)) {
	if a.Headroom != nil {
		add("headroom", units.SignedShare(*a.Headroom), "over the peak of "+units.Rate(m.cfg.Peak))
	}
	if a.HeadroomLessZone != nil {
		add("headroom, one zone lost", units.SignedShare(*a.HeadroomLessZone), fmt.Sprintf("%d of %d zones left", m.cfg.Zones-1, m.cfg.Zones))
	}
	months := func(key string, v *float64) {
		if v == nil {
			return
		}
		text := "already"
		if *v > 0 {
			text = units.Number(*v) + " months"
		}
		add(key, text, "until the peak reaches the low end of capacity, at "+units.Share(m.cfg.Growth)+" a month")
	}
	months("growth eats it in", a.GrowthMonths)
	months("the same, one zone lost", a.GrowthMonthsLessZone)
}

// gateBlock says how the gate was judged.
func (m *measurement) gateBlock(res *headroom.Result) report.Block {
	v := res.Result.Verdict
	if v == nil {
		return nil
	}
	verdict, level := "pass", report.Good
	switch {
	case !gateDecided(&res.Result):
		verdict, level = "undecided", report.Warn
	case !v.Pass:
		verdict, level = "fail", report.Bad
	}
	kv := report.KeyValues{Caption: "Gate", Items: []report.KeyValue{
		{Key: v.Gate, Value: verdict, Note: compareGate(v), Level: level},
		{Key: "rule", Value: v.Rule},
	}}
	if v.WrongPass != nil {
		kv.Items = append(kv.Items, report.KeyValue{Key: "chance of a wrong pass", Value: units.Share(*v.WrongPass)})
	}
	if v.WrongFail != nil {
		kv.Items = append(kv.Items, report.KeyValue{Key: "chance of a wrong fail", Value: units.Share(*v.WrongFail)})
	}
	return kv
}

// overloadBlock is what happened past capacity.
func overloadBlock(a *headroom.Answer) report.Block {
	o := a.Overload
	if o == nil {
		return nil
	}
	kv := report.KeyValues{Caption: "Past capacity"}
	add := func(key, value, note string) {
		kv.Items = append(kv.Items, report.KeyValue{Key: key, Value: value, Note: note})
	}
	add("offered", units.Rate(o.OfferedPerSecond), "")
	note := ""
	if a.GoodputRatio != nil {
		note = units.Share(*a.GoodputRatio) + " of goodput at capacity"
	}
	add("goodput", units.Rate(o.GoodputPerSecond), note)
	if o.QueueWait != nil {
		add("queue wait", units.Seconds(*o.QueueWait), "as patient probes saw it")
	}
	if o.Depth != nil {
		depth := "at most seen"
		if o.Refused {
			depth = "when it began to refuse"
		}
		add("requests in the system", units.Number(*o.Depth), depth)
	}
	if o.HintShare != nil {
		hint := "of refusals"
		if o.HintSeconds != nil {
			hint += ", " + units.Seconds(*o.HintSeconds) + " in the mean"
		}
		add("Retry-After sent with", units.Share(*o.HintShare), hint)
	}
	recoveryRows(a, add)
	return kv
}

func recoveryRows(a *headroom.Answer, add func(key, value, note string)) {
	o := a.Overload
	at := "at " + units.Rate(o.RecoveryRate)
	switch {
	case a.Recovers == nil:
	case *a.Recovers && a.RecoverySeconds != nil:
		add("recovery", units.Seconds(*a.RecoverySeconds), at+", until the objective held again")
	case o.Draining != nil && *o.Draining:
		add("recovery", "not within "+units.Seconds(o.Allowance), at+"; the queue was getting shorter")
	default:
		add("recovery", "none within "+units.Seconds(o.Allowance), at)
	}
}

// settingsBlock is what to change, as settings and values.
func (m *measurement) settingsBlock(a *headroom.Answer) report.Block {
	u := a.UsefulQueue
	if u == nil || m.queuePhrase(a) == "" {
		return nil
	}
	today, _ := m.queueToday(a)
	s := report.Setting{
		Name: "request queue (waiting positions)", Value: units.Count(max(u.Positions, 0)), From: today,
		Why: fmt.Sprintf("A request that waits behind more than %s others is answered after its client has left: "+
			"%s when busy times %s.", units.Count(u.InSystem), units.Rate(a.Saturated.Estimate), units.Duration(m.cfg.Timeout)),
	}
	if m.known != nil {
		s.Lang = "sh"
		s.Code = fmt.Sprintf("%s headroom --demo %s", meta.Name, m.demoWithQueue(u.Positions))
	}
	return report.Settings{Caption: "What to change", Items: []report.Setting{s}}
}

// demoWithQueue is the demo's settings with another queue, to try it.
func (m *measurement) demoWithQueue(positions int64) string {
	c := m.known.config
	c.Queue = int(max(positions, 0))
	return term.Clean(c.String())
}
