package headroom

import (
	"math/rand/v2"
	"testing"

	"example.com/kneeline/internal/slo"
)

// The virtual queue against closed form M/M/1 with a trace of Poisson counts.
func TestBenchMM1(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ mu, limit, served, floor, want float64 }{
		{1000, 0.05, 1, 0.001, 908}, {100, 0.4, 1, 0.01, 88.5}, {1200, 0.4, 12, 0.01, 1188.5},
	} {
		cfg := Config{SLO: slo.Default(secs(c.limit)), Timeout: secs(c.limit)}
		m := poissonModel(cfg, c.mu, rng)
		m.served, m.floor = c.served, []float64{0.05 * c.floor, 0.2 * c.floor, 0.5 * c.floor, c.floor, 1.5 * c.floor, 2.75 * c.floor}
		m.settle()
		s := newSolver(cfg.SLO, m, rng)
		k := s.knee(0.8*c.mu, c.mu)
		t.Logf("mu %.1f knee %.1f want %.1f; diff %.2f want %.2f", m.rate(), k, c.want, m.rate()-k, c.mu-c.want)
	}
}
