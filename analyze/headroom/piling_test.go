package headroom

import (
	"testing"
	"time"

	"example.com/kneeline/loadgen"
)

// queued is a run in pieces of one second at these rates, on a service that
// completes so many a second and lets the rest wait.
func queued(completes int, rates ...int) ([]piece, *loadgen.Timeline) {
	tl := &loadgen.Timeline{}
	perSecond := int(time.Second / loadgen.WindowWidth)
	waiting := 0
	var pieces []piece
	for i, rate := range rates {
		for w := range perSecond {
			var win loadgen.Window
			arrive := rate*(w+1)/perSecond - rate*w/perSecond
			done := min(waiting+arrive, completes*(w+1)/perSecond-completes*w/perSecond)
			waiting += arrive - done
			win.Cohort.Planned = uint32(arrive)
			win.Answered, win.InFlight = uint32(done), uint32(waiting)
			tl.Windows = append(tl.Windows, win)
		}
		from := time.Duration(i) * time.Second
		pieces = append(pieces, piece{from: from, to: from + time.Second, rate: float64(rate)})
	}
	tl.Now = time.Duration(len(rates)) * time.Second
	tl.Final = tl.Now
	return pieces, tl
}

// A curve of short pieces may see its first bad requests far beyond what the
// service completes; capacity is not beyond that.
func TestPilingBoundsCurve(t *testing.T) {
	pieces, tl := queued(1200, 970, 1110, 1280, 1470, 1690, 1950)
	c := &Interval{Estimate: 1819, Low: 1642, High: 1997}
	if !findPiling(pieces, tl, c.Estimate).bound(c) {
		t.Fatal("a growing queue is not seen")
	}
	if c.Estimate < 1150 || c.Estimate > 1250 || c.High < c.Estimate || c.High > 1.06*c.Estimate || c.Low > 1200 || c.Low < 900 {
		t.Errorf("%+v", c)
	}
	// A service that bears all of them has its capacity from the curve.
	pieces, tl = queued(3000, 970, 1110, 1280, 1470, 1690, 1950)
	c = &Interval{Estimate: 1819, Low: 1642, High: 1997}
	if findPiling(pieces, tl, c.Estimate).bound(c) || c.Estimate != 1819 {
		t.Errorf("%+v", c)
	}
}
