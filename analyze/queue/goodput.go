package queue

import (
	"math"
	"slices"

	"example.com/kneeline/queuecalc"
)

// rows returns the goodput of the lengths worth comparing, the longest first.
func (m *model) rows() ([]Row, error) {
	type entry struct {
		name string
		q    Length
	}
	of := func(k queuecalc.InSystem) Length {
		return Length{Positions: int64(k.Positions(int(m.running())))}
	}
	safe := "safe, three deviations below"
	if m.useful.ByGoodput {
		safe = "safe, by the exact sums"
	}
	entries := []entry{
		{"4% past the break point", of(justPast(m.useful))},
		{"break point, capacity × timeout", of(m.useful.Sizes.InSystem)},
		{safe, of(m.useful.Sizes.Safe)},
	}
	if set := (Length{Positions: m.advice.Positions}); m.advice.WorkersToSubtract || set == entries[2].q {
		entries[2].name += ", the one to set"
	} else {
		entries = append(entries, entry{"the one to set", set})
	}
	if entries[0].q == entries[1].q { // too few requests for 4% to be one
		entries = entries[1:]
	}
	if m.Queue != nil {
		entries = append([]entry{{"today", *m.Queue}}, entries...)
	}
	var out []Row
	for _, e := range entries {
		row := Row{Name: e.name, InSystem: int64(m.inSystem(e.q)), Positions: e.q.Positions, Unbounded: e.q.Unbounded}
		for _, load := range queuecalc.Loads() {
			g, err := m.goodput(e.q, load)
			if err != nil {
				return nil, err
			}
			row.Goodput = append(row.Goodput, LoadShare{load, g})
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b Row) int { return int(min(max(b.InSystem-a.InSystem, -1), 1)) })
	return out, nil
}

// justPast is as far past the break point as LinkedIn's 500 is past its 480.
func justPast(u queuecalc.UsefulQueue) queuecalc.InSystem {
	return queuecalc.InSystem(math.Round(u.Input.Capacity.Estimate * u.Input.ClientTimeout.Seconds() * 500 / 480))
}

// curveLoads are the loads of the curves.
var curveLoads = []float64{1.0, 1.1, 1.5}

// curves returns goodput and wait against queue length.
func (m *model) curves() ([]Curve, error) {
	lengths := m.curveLengths()
	var out []Curve
	for _, load := range curveLoads {
		c := Curve{Load: load}
		for _, n := range lengths {
			q := Length{Positions: n}
			g, err := m.goodput(q, load)
			if err != nil {
				return nil, err
			}
			w, err := waitQuantile(m.station(q, load), 0.99)
			if err != nil {
				return nil, err
			}
			c.Points = append(c.Points, CurvePoint{n, g, w})
		}
		out = append(out, c)
	}
	return out, nil
}

// curveLengths returns the queue lengths of the curves: from far below the break
// point to past today's, close together where goodput falls.
func (m *model) curveLengths() []int64 {
	x := max(m.Capacity.Estimate*m.Timeout.Seconds(), 1)
	from, to := max(x/20, 1), max(3*x, 8)
	if m.Queue != nil && !m.Queue.Unbounded {
		to = max(to, min(1.2*float64(m.Queue.Positions), 100*x))
	}
	steps, dense := 28, 16
	switch { // a point costs some √x
	case x > 1e7:
		steps, dense = 6, 2
	case x > 1e6:
		steps, dense = 12, 4
	}
	var all []int64
	for i := range steps + 1 {
		all = append(all, int64(math.Round(from*math.Pow(to/from, float64(i)/float64(steps)))))
	}
	for i := range dense + 1 {
		all = append(all, int64(math.Round(x*(0.8+0.4*float64(i)/float64(dense)))))
	}
	all = append(all, m.advice.Positions)
	if q := m.Queue; q != nil && !q.Unbounded && float64(q.Positions) <= to {
		all = append(all, q.Positions)
	}
	all = slices.DeleteFunc(all, func(n int64) bool { return n < 1 })
	slices.Sort(all)
	return slices.Compact(all)
}
