package queuecalc

import (
	"fmt"
	"math"
	"testing"
)

// The closed forms lie within the interval of a simulation that shares no
// formula with them: 12 workers, μT = 120, a queue past its break point, so that
// every fate is common. Dropping expired work is an approximation between its
// exact ends and is allowed its documented error on top.
func TestAgreesWithSimulation(t *testing.T) {
	for _, load := range []float64{0.8, 1.0, 1.1, 1.5} {
		s := Station{Arrivals: 1200 * load, ServiceRate: 100, Workers: 12, Bound: 130, Deadline: 0.1}
		for i, o := range []order{fifo, lifo, fifoDropExpired} {
			name := []string{"fifo", "lifo", "drop expired"}[i]
			allowed := []float64{0, 0, 0.015}[i]
			t.Run(fmt.Sprintf("%s/load=%v", name, load), func(t *testing.T) {
				t.Parallel()
				f, err := disciplines[name](s)
				compare(t, s, must(t, f, err), simulate(s, o, 1, 20), allowed)
			})
		}
	}
}

// The same for the storage host of FollowFeed at 1.1 times its capacity, with
// the sizes that matter there.
func TestAgreesWithSimulationOfFollowFeed(t *testing.T) {
	for _, v := range []struct {
		o       order
		name    string
		k       InSystem
		good    float64 // published, from a simulation
		within  float64
		allowed float64
	}{
		{lifo, "lifo", 5000, 1185, 4, 0},
		{fifoDropExpired, "drop expired", 5000, 548, 6, 0},
		{fifoDropExpired, "drop expired", 500, 825, 20, 0.015},
		{fifoDropExpired, "drop expired", 240, 1200, 1, 0},
		{fifo, "fifo", 480 + 12, 0.48 * 1200, 6, 0},
		{fifo, "fifo", 414 + 12, 0.992 * 1200, 4, 0},
	} {
		t.Run(fmt.Sprintf("%s/K=%d", v.name, v.k), func(t *testing.T) {
			t.Parallel()
			s := station(1.1, v.k)
			f, err := disciplines[v.name](s)
			if must(t, f, err); math.Abs(f.Good-v.good) > v.within {
				t.Errorf("got %v/s, published %v/s", f.Good, v.good)
			}
			compare(t, s, f, simulate(s, v.o, 2, 30), v.allowed)
		})
	}
}

// compare holds the four fates against the simulated shares.
func compare(t *testing.T, s Station, f Fates, measured [4]simulated, allowed float64) {
	t.Helper()
	for i, rate := range []float64{f.Good, f.Late, f.Expired, f.Refused} {
		what := []string{"good", "late", "expired", "refused"}[i]
		m, share := measured[i], rate/s.Arrivals
		if math.Abs(share-m.mean) > m.half+allowed+1e-5 {
			t.Errorf("%s: closed form %.5f, simulation %.5f ± %.5f", what, share, m.mean, m.half)
		}
	}
}
