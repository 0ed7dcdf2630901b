// Package outcome names what can become of one planned request and counts it.
//
// It is the vocabulary that the load generator, the SLO grammar and the
// analyses share. It does not decide which class an answer belongs to (the
// load generator does) nor whether a count is acceptable (package slo does).
package outcome

// Class is what became of one planned request. Each planned request ends in
// exactly one class.
type Class uint8

const (
	// Full is a complete answer with a success status and no sign of being
	// degraded.
	Full Class = iota
	// Degraded is a complete success answer that a degraded rule matched.
	Degraded
	// Shed is a refusal by the service: status 429 or 503.
	Shed
	// Failed is any other failure, always with a named cause.
	Failed
	// TimedOut is a request whose deadline passed before its answer was complete.
	TimedOut
	// InFlight is a request that was sent and neither answered nor expired when
	// the run was ended.
	InFlight
	// NeverSent is a request that was not sent by its deadline; it voids a trial.
	NeverSent
	// NumClasses is the number of classes.
	NumClasses
)

var names = [NumClasses]string{"full", "degraded", "shed", "failed", "timed out", "in flight", "never sent"}

// String returns the class's name as reports print it.
func (c Class) String() string {
	if c < NumClasses {
		return names[c]
	}
	return "unknown"
}

// MaxThresholds bounds how many latency thresholds one run counts against.
const MaxThresholds = 4

// Counts is an account of planned requests. Counts of disjoint sets of
// requests add up.
type Counts struct {
	Planned uint64
	By      [NumClasses]uint64
	// LateFull[i] and LateDegraded[i] are how many of the full and the degraded
	// answers came later than the run's i-th latency threshold.
	LateFull     [MaxThresholds]uint64
	LateDegraded [MaxThresholds]uint64
}

// Add adds another account to c.
func (c *Counts) Add(o Counts) {
	c.Planned += o.Planned
	for i := range c.By {
		c.By[i] += o.By[i]
	}
	for i := range c.LateFull {
		c.LateFull[i] += o.LateFull[i]
		c.LateDegraded[i] += o.LateDegraded[i]
	}
}

// Balanced reports whether every planned request is in exactly one class.
func (c Counts) Balanced() bool {
	var sum uint64
	for _, n := range c.By {
		sum += n
	}
	return sum == c.Planned
}

// Share returns the share of planned requests in class k, 0 when nothing was
// planned.
func (c Counts) Share(k Class) float64 {
	if c.Planned == 0 {
		return 0
	}
	return float64(c.By[k]) / float64(c.Planned)
}

// Counts32 is [Counts] at half the size, for windows of which a run keeps many.
type Counts32 struct {
	Planned      uint32
	By           [NumClasses]uint32
	LateFull     [MaxThresholds]uint32
	LateDegraded [MaxThresholds]uint32
}

// Wide returns c as [Counts].
func (c *Counts32) Wide() Counts {
	w := Counts{Planned: uint64(c.Planned)}
	for i, n := range c.By {
		w.By[i] = uint64(n)
	}
	for i := range c.LateFull {
		w.LateFull[i] = uint64(c.LateFull[i])
		w.LateDegraded[i] = uint64(c.LateDegraded[i])
	}
	return w
}
