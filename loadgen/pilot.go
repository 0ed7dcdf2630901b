package loadgen

import "time"

// WindowWidth is the width of one [Window] of a [Timeline].
const WindowWidth = 10 * time.Millisecond

// ControlPeriod is how often a [Pilot] is asked for the next step.
const ControlPeriod = 100 * time.Millisecond

// Step is what a pilot wants from now on.
type Step struct {
	// Rate is the planned rate in requests per second; 0 plans nothing.
	Rate float64
	// Segment is the account under which requests planned in this step are
	// kept; segments are numbered from 0 without gaps, in order of first use.
	Segment int
	// Stop ends the schedule; requests under way are waited for until their
	// deadlines, then the run ends.
	Stop bool
}

// Pilot steers a run. Steer is called once before the first request and then
// every [ControlPeriod], from one goroutine; it must not keep tl.
type Pilot interface {
	Steer(tl *Timeline) Step
}

// PilotFunc is a function used as a [Pilot].
type PilotFunc func(tl *Timeline) Step

// Steer calls f.
func (f PilotFunc) Steer(tl *Timeline) Step { return f(tl) }
