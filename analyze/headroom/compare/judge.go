package compare

import (
	"fmt"
	"math"
	"strings"

	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/units"
)

// The least changes that count, whatever a test says.
const (
	// LatencyMargin is that of a response time: below it a histogram's bucket and
	// another cable are the difference.
	LatencyMargin = 0.03
	// ShareMargin is that of a share of bad requests: no objective knows of less.
	ShareMargin = 0.0005
)

// Judge gives the verdicts on figures that have a p-value, together: the chance that
// one of them is wrong about two services that are alike is at most alpha.
func Judge(rows []*Row, alpha float64) {
	p := make([]float64, len(rows))
	for i, r := range rows {
		p[i] = *r.P
	}
	for i, adjusted := range stat.Holm(p) {
		r := rows[i]
		r.PAdjusted = &adjusted
		r.Verdict = NoDifference
		if adjusted <= alpha && r.Change != nil && math.Abs(r.Change.Value) >= r.Margin {
			r.Verdict = direction(r.Change.Value, r.MoreIsBetter)
		}
	}
}

// direction is the verdict on a change.
func direction(change float64, moreIsBetter bool) string {
	if (change > 0) == moreIsBetter {
		return Better
	}
	return Worse
}

// Overall is the verdict on all figures, and those that decide it in words: worse
// when one is worse, else better when one is better. Without a figure that is judged
// the two are not comparable.
func Overall(rows []Row, words func(*Row) string) (verdict, figures string) {
	by := map[string][]string{}
	for i := range rows {
		if v := rows[i].Verdict; v != "" {
			by[v] = append(by[v], words(&rows[i]))
		}
	}
	worse, better := strings.Join(by[Worse], "; "), strings.Join(by[Better], "; ")
	switch {
	case worse != "" && better != "":
		return Worse, worse + "; better: " + better
	case worse != "":
		return Worse, worse
	case better != "":
		return Better, better
	case len(by[NoDifference]) > 0:
		return NoDifference, by[NoDifference][0]
	}
	return NotComparable, ""
}

// NewChange is a change with its interval; an infinite one is none.
func NewChange(value, low, high float64) *Change {
	c := &Change{Value: value}
	if !math.IsInf(low, 0) && !math.IsInf(high, 0) && !math.IsNaN(low+high) {
		c.Low, c.High = &low, &high
	}
	return c
}

// Value writes a value of the figure with its unit.
func (r *Row) Value(v float64) string {
	switch r.Unit {
	case PerSecond:
		return units.Rate(v)
	case Seconds:
		return units.Seconds(v)
	}
	return units.Share(v)
}

// ChangeRange writes the interval of the change; empty where there is none.
func (r *Row) ChangeRange() string {
	c := r.Change
	if c == nil || c.Low == nil || c.High == nil {
		return ""
	}
	return fmt.Sprintf("%s to %s%s", units.SignedShare(*c.Low), units.SignedShare(*c.High), r.points())
}

// ChangeText writes the change: its interval, or its value where it has none.
func (r *Row) ChangeText() string {
	if text := r.ChangeRange(); text != "" || r.Change == nil {
		return text
	}
	return units.SignedShare(r.Change.Value) + r.points()
}

// points stands behind a change of shares, which is a difference and no ratio.
func (r *Row) points() string {
	if r.Unit == Ratio {
		return " points"
	}
	return ""
}
