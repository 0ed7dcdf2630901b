package cmd

import (
	"cmp"
	"math"
	"slices"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
)

// curve returns the points in the order of offered load. Left out are those in
// which the queue was filling or emptying, so that what came out says nothing of
// the rate: the end of the ramp, the probe of the queue's depth, the filling of the
// queue before the check, the recovery. The load past capacity is one point, of the
// stretch in which it was judged.
//
// One rate, as that of a hold or a replay, is no curve: its parts differ by chance
// alone.
func curve(res *headroom.Result) []headroom.Point {
	var points []headroom.Point
	if !slices.ContainsFunc(res.Result.Curve, func(p headroom.Point) bool {
		return p.Phase != headroom.PhaseHold && p.Phase != headroom.PhaseReplay
	}) {
		return nil
	}
	for _, p := range res.Result.Curve {
		switch p.Phase {
		case headroom.PhaseDepth, headroom.PhaseRecovery, headroom.PhaseOverload:
		case headroom.PhaseRamp, headroom.PhaseCheck:
			if c := res.Result.Capacity; c == nil || p.OfferedPerSecond <= c.High {
				points = append(points, p)
			}
		default:
			points = append(points, p)
		}
	}
	if o := res.Result.Overload; o != nil && res.Result.GoodputRatio != nil {
		points = append(points, headroom.Point{Phase: headroom.PhaseOverload,
			OfferedPerSecond: o.OfferedPerSecond, GoodputPerSecond: o.GoodputPerSecond})
	}
	slices.SortStableFunc(points, func(a, b headroom.Point) int {
		return cmp.Compare(a.OfferedPerSecond, b.OfferedPerSecond)
	})
	return points
}

var offered = report.Axis{Title: "offered load", Unit: "requests/s", Format: units.Number}

// latencyPlot is latency against offered load, with the objective's limits.
func (m *measurement) latencyPlot(res *headroom.Result) report.Block {
	var p50, p99 []report.Point
	for _, p := range curve(res) {
		if p.P50Seconds != nil {
			p50 = append(p50, report.Point{X: p.OfferedPerSecond, Y: *p.P50Seconds})
		}
		if p.P99Seconds != nil {
			p99 = append(p99, report.Point{X: p.OfferedPerSecond, Y: *p.P99Seconds})
		}
	}
	if len(p50) < 2 {
		return nil
	}
	plot := report.Plot{
		Title: "Latency against offered load", X: offered,
		Y:      report.Axis{Title: "latency from the planned instant", Format: units.Seconds, Log: true},
		Series: []report.Series{{Name: "p99", Points: p99}, {Name: "p50", Points: p50}},
	}
	for _, c := range m.cfg.SLO.Clauses {
		if c.Kind == slo.Latency {
			plot.Marks = append(plot.Marks, report.Mark{Dir: report.Horizontal, At: c.Threshold.Seconds(), Label: c.String(), Level: report.Warn})
		}
	}
	markCapacity(&plot, res.Result.Capacity)
	return plot
}

// goodputPlot is goodput against offered load.
func (m *measurement) goodputPlot(res *headroom.Result) report.Block {
	var good, ideal []report.Point
	most := 0.0
	for _, p := range curve(res) {
		good = append(good, report.Point{X: p.OfferedPerSecond, Y: p.GoodputPerSecond})
		most = math.Max(most, p.OfferedPerSecond)
	}
	if len(good) < 2 {
		return nil
	}
	if c := res.Result.Capacity; c != nil {
		ideal = []report.Point{{X: 0, Y: 0}, {X: c.Estimate, Y: c.Estimate}, {X: math.Max(most, c.Estimate*1.01), Y: c.Estimate}}
	}
	plot := report.Plot{
		Title: "Goodput against offered load", X: offered,
		Y:      report.Axis{Title: "goodput", Unit: "requests/s", Format: units.Number},
		Series: []report.Series{{Name: "goodput", Points: good}},
	}
	if ideal != nil {
		plot.Series = append(plot.Series, report.Series{Name: "ideal: all up to capacity", Points: ideal})
	}
	markCapacity(&plot, res.Result.Capacity)
	return plot
}

func markCapacity(plot *report.Plot, c *headroom.Interval) {
	if c == nil {
		return
	}
	plot.Marks = append(plot.Marks, report.Mark{Dir: report.Vertical, At: c.Estimate, Label: "capacity " + units.Rate(c.Estimate), Level: report.Good})
	plot.Bands = append(plot.Bands, report.Band{From: c.Low, To: c.High, Label: "95% interval"})
}
