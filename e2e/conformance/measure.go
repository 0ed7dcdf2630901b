package conformance

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"
)

const (
	// tolerance is by how much a wait may differ from the model.
	tolerance = 0.05
	// quick is how long a request may last that the model says takes no time.
	quick = 0.25
	// rounds is how many rounds count, all how many are begun at most, void ones
	// included.
	rounds, all = 3, 12
	// tick is how often the machine is asked whether it lags.
	tick = 5 * time.Millisecond
)

// Lag measures by how much sleeps are late while f runs.
func Lag(f func()) time.Duration {
	ctx, cancel := context.WithCancel(context.Background())
	worst := make(chan time.Duration)
	go func() {
		var most time.Duration
		for ctx.Err() == nil {
			before := time.Now()
			time.Sleep(tick)
			most = max(most, time.Since(before)-tick)
		}
		worst <- most
	}()
	f()
	cancel()
	return <-worst
}

// Check measures until a round agrees with the model, and fails when none of three does.
// Tries have to agree exactly, waits within 5 %. A round in which the machine lagged by
// more than half of what a wait may differ is void; when all are, the test is skipped
// but for the tries, which do not depend on the machine.
func Check(t *testing.T, want Outcome, measure func(t *testing.T) Outcome) {
	t.Helper()
	allowed := max(want.Seconds*tolerance, 0.01)
	if want.Seconds == 0 {
		allowed = quick
	}
	var said []string
	counted, tries := 0, 0
	for range all {
		var got Outcome
		lag := Lag(func() { got = measure(t) })
		if t.Failed() {
			return
		}
		said = append(said, fmt.Sprintf("%v tries, %.3f s, lag %v", got.Tries, got.Seconds, lag))
		agrees, off := got.Tries == want.Tries, math.Abs(got.Seconds-want.Seconds)
		if got.Seconds > want.Seconds {
			off = max(0, off-want.Late)
		}
		if agrees && off <= allowed {
			return
		}
		// What is off by more than the lag, once for each time that something waits, is
		// not the machine's doing.
		if explained := allowed + (want.Tries+2)*lag.Seconds(); lag.Seconds() > allowed/2 && off <= explained {
			if agrees {
				tries++
			}
			continue
		}
		if counted++; counted == rounds {
			break
		}
	}
	if counted < rounds && tries > 0 {
		t.Skipf("the machine lagged too much for waits; the tries agree with the model (%v, %.3f s): %v", want.Tries, want.Seconds, said)
	}
	t.Errorf("the model says %v tries and %.3f s; measured: %v", want.Tries, want.Seconds, said)
}
