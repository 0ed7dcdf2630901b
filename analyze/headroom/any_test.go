package headroom

import (
	"context"
	"flag"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen/target"
)

// Whatever the service, a measurement ends in time and within its caps, with an
// account that balances, and with an answer or an error that says why there is
// none.
func TestAnyService(t *testing.T) {
	// A measurement takes a tenth of a second, so that a hundred would be too many
	// for every run of the tests; -rapid.checks on the command line is not heard.
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	if err := checks.Value.Set("30"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = checks.Value.Set(before) }()
	rapid.Check(t, func(t *rapid.T) {
		svc := target.Default()
		svc.Workers = rapid.IntRange(1, 30).Draw(t, "workers")
		svc.Service = target.Law{
			Kind: target.LawKind(rapid.IntRange(0, 1).Draw(t, "law")),
			Mean: time.Duration(rapid.IntRange(1, 200).Draw(t, "mean")) * ms,
		}
		svc.Queue = rapid.SampledFrom([]int{0, 3, 50, 1000, target.Unbounded}).Draw(t, "queue")
		svc.Discipline = target.Discipline(rapid.IntRange(0, 1).Draw(t, "discipline"))
		svc.ServeDead = rapid.Bool().Draw(t, "serve dead")
		svc.Degraded = rapid.SampledFrom([]float64{0, 0, 0.003, 0.2}).Draw(t, "degraded")
		if rapid.IntRange(0, 3).Draw(t, "limited") == 0 {
			svc.RateLimit = target.RateLimit{PerSecond: 200, Burst: 10}
		}
		if rapid.IntRange(0, 3).Draw(t, "stalls") == 0 {
			svc.Stall = target.Stall{Length: 100 * ms, Every: 3 * time.Second}
		}
		limit := time.Duration(rapid.IntRange(20, 1000).Draw(t, "timeout")) * ms
		cfg := Config{
			SLO: slo.Default(limit), Timeout: limit, Seed: 1, Overload: rapid.Bool().Draw(t, "overload"),
			Budget:  Budget{Search: 8 * time.Second, Overload: 2 * time.Second, Recovery: 2 * time.Second},
			Caps:    Caps{Rate: 3000, Requests: 20_000, Failed: 3000},
			Retries: rapid.IntRange(0, 1).Draw(t, "retries"), RetryAfter: 10 * ms,
		}
		v := virtual.New(svc, rapid.Uint64Range(0, 1000).Draw(t, "seed"))
		r, err := Measure(context.Background(), v, cfg)
		if r == nil {
			t.Fatalf("no result, error %v", err)
		}
		a := r.Result
		switch {
		case err != nil && fault.KindOf(err) != fault.NoAnswer:
			t.Errorf("error %v is of the wrong kind", err)
		case err == nil && a.Capacity == nil && a.AtLeast == nil && a.Floor == nil:
			t.Error("neither an answer nor an error")
		case a.Capacity != nil && !(a.Capacity.Low >= 0 && a.Capacity.Low <= a.Capacity.Estimate && a.Capacity.Estimate <= a.Capacity.High && !math.IsInf(a.Capacity.High, 0)):
			t.Errorf("capacity %+v", a.Capacity)
		}
		n := r.Account
		if n.Full+n.Degraded+n.Shed+n.Failed+n.TimedOut+n.InFlight+n.NeverSent != n.Planned {
			t.Errorf("account %+v does not balance", n)
		}
		if n.Planned > cfg.Caps.Requests {
			t.Errorf("%d requests planned under a cap of %d", n.Planned, cfg.Caps.Requests)
		}
		// The probes of the overload are waited for, and so is the end of each run.
		if most := 12*time.Second + 2*probeDeadline + 10*limit; v.Load() > most {
			t.Errorf("%s of load", v.Load())
		}
	})
}
