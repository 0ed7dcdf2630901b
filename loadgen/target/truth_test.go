package target

import (
	"math"
	"testing"
	"time"

	"example.com/kneeline/internal/fault"
)

var demoGoal = Goal{Threshold: 400 * time.Millisecond, Budget: 0.01}

func demo(t *testing.T, settings string) Config {
	t.Helper()
	cfg, err := ParseDemo(settings)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestTruthClosedForm pins the demo's capacity. For one worker the response
// time of M/M/1 is exponential, so the capacity is mu - ln(1/b)/T.
func TestTruthClosedForm(t *testing.T) {
	for settings, want := range map[string]float64{
		"":                          1188.27,
		"workers=1,queue=unbounded": 100 - math.Log(100)/0.4,
		"degraded=5%":               0,
	} {
		c, err := Truth(demo(t, settings), demoGoal, Effort{})
		if err != nil || math.Abs(c.PerSecond-want) > 0.01 || c.Method != ClosedForm {
			t.Errorf("%q: %+v, %v; want %.2f", settings, c, err, want)
		}
	}
}

// TestTruthSimulated checks the simulation against the closed form, and where
// there is none against what bounds the capacity.
func TestTruthSimulated(t *testing.T) {
	t.Parallel()
	effort := Effort{Horizon: 2500 * time.Second, Simulate: true}
	for _, settings := range []string{"workers=1", "workers=2,queue=3", "workers=1,degraded=0.2%"} {
		cfg := demo(t, settings)
		exact, err := Truth(cfg, demoGoal, Effort{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Truth(cfg, demoGoal, effort)
		if err != nil || c.Method != Simulated {
			t.Fatalf("%q: %+v, %v", settings, c, err)
		}
		off := math.Abs(c.PerSecond - exact.PerSecond)
		if off > 4*c.StdErr || off > 0.04*exact.PerSecond || c.StdErr <= 0 || c.StdErr > 0.02*exact.PerSecond {
			t.Errorf("%q: simulated %.2f ± %.2f, closed form %.2f", settings, c.PerSecond, c.StdErr, exact.PerSecond)
		}
	}
	// M/D/1 loses less to queueing than M/M/1, a variable service more.
	steady, _ := Truth(demo(t, "workers=1,service=fixed:10ms"), demoGoal, effort)
	wild, _ := Truth(demo(t, "workers=1,service=lognormal:10ms,cv=1.5"), demoGoal, effort)
	if !(wild.PerSecond < 84 && 91 < steady.PerSecond && steady.PerSecond < 100) {
		t.Errorf("capacity %.1f fixed, %.1f lognormal; want them about 88.5", steady.PerSecond, wild.PerSecond)
	}
	// A rate limit of 50/s with a budget of 1 % takes at most 50/0.99.
	limited, _ := Truth(demo(t, "workers=1,rate-limit=50/s:20"), demoGoal, effort)
	if limited.PerSecond < 46 || limited.PerSecond > 50/0.99+0.3 {
		t.Errorf("capacity %.2f behind a rate limit of 50/s", limited.PerSecond)
	}
	// A stall longer than the threshold spoils more than the budget at any rate.
	frozen, _ := Truth(demo(t, "workers=1,stall=2s/10s"), demoGoal, effort)
	if frozen.PerSecond != 0 {
		t.Errorf("capacity %.2f with stalls of 2s in every 10s, want 0", frozen.PerSecond)
	}
}

// TestTruthAllowsDegraded checks that a partial answer in time can be allowed.
func TestTruthAllowsDegraded(t *testing.T) {
	cfg, goal := demo(t, "workers=1,degraded=5%"), demoGoal
	goal.AllowDegraded = true
	c, err := Truth(cfg, goal, Effort{})
	if err != nil || math.Abs(c.PerSecond-88.487) > 0.01 {
		t.Errorf("closed form: %+v, %v; want 88.487", c, err)
	}
	c, err = Truth(cfg, goal, Effort{Horizon: 4000 * time.Second, Simulate: true})
	if err != nil || math.Abs(c.PerSecond-88.487) > 3 {
		t.Errorf("simulated: %+v, %v; want about 88.5", c, err)
	}
}

func TestTruthIsRepeatable(t *testing.T) {
	cfg := demo(t, "workers=2,service=lognormal:10ms,cv=1")
	effort := Effort{Horizon: 300 * time.Second, Seed: 5}
	a, _ := Truth(cfg, demoGoal, effort)
	b, _ := Truth(cfg, demoGoal, effort)
	if a != b || a.PerSecond == 0 {
		t.Errorf("two runs of one seed: %+v and %+v", a, b)
	}
}

func TestTruthRefuses(t *testing.T) {
	bad := Default()
	bad.Workers = 0
	for name, err := range map[string]error{
		"config":     second(Truth(bad, demoGoal, Effort{})),
		"threshold":  second(Truth(Default(), Goal{Budget: 0.01}, Effort{})),
		"budget":     second(Truth(Default(), Goal{Threshold: time.Second, Budget: math.NaN()}, Effort{})),
		"serve-dead": second(Truth(demo(t, "serve-dead=false"), demoGoal, Effort{})),
	} {
		if err == nil || fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: error %v, want a usage error", name, err)
		}
	}
}

func second[A, B any](_ A, b B) B { return b }

// TestOverloadAgainstClosedForm checks the share missed past capacity, where
// dead work takes the workers' time: M/M/1/K with 1,200/s, a deadline of 400 ms
// and K requests in the system at 1.1 times the service rate.
func TestOverloadAgainstClosedForm(t *testing.T) {
	for _, c := range []struct {
		inSystem int
		goodput  float64 // over the service rate, by the closed form
	}{{400, 1.000}, {440, 0.985}, {480, 0.661}, {500, 0.337}} {
		cfg := plain(1, "exp:10ms")
		cfg.Service.Mean = time.Second / 1200
		cfg.Queue = c.inSystem - 1
		missed, ok := ExactMissed(cfg, 1320, demoGoal)
		if got := (1 - missed) * 1.1; !ok || math.Abs(got-c.goodput) > 0.001 {
			t.Errorf("K=%d: closed form %.4f, want %.3f", c.inSystem, got, c.goodput)
		}
		trial := runTrial(cfg, demoGoal, 1320, 600*time.Second, Effort{Seed: 3})
		if got := (1 - trial.missed) * 1.1; math.Abs(got-c.goodput) > 0.03 {
			t.Errorf("K=%d: simulated %.4f, want %.3f", c.inSystem, got, c.goodput)
		}
	}
}

// TestTruthStopped guards that a simulation which would take minutes ends when
// it is told to, with an error and no figure.
func TestTruthStopped(t *testing.T) {
	done := make(chan struct{})
	close(done)
	cfg := Default()
	cfg.Workers, cfg.Service.Kind = 100_000, Fixed
	if c, err := Truth(cfg, demoGoal, Effort{Done: done}); err == nil || c != (Capacity{}) {
		t.Errorf("a simulation that was ended answered %+v, %v", c, err)
	}
}

// TestHorizon guards the bounds of the default: the demo is simulated for the
// usual time, a fast service for less, a slow one and one with rare stalls for
// more.
func TestHorizon(t *testing.T) {
	of := func(workers int, mean, every time.Duration) float64 {
		cfg := Default()
		cfg.Workers, cfg.Service.Mean = workers, mean
		if every > 0 {
			cfg.Stall = Stall{Length: every / 10, Every: every}
		}
		return horizonOf(cfg).Seconds()
	}
	for _, c := range []struct {
		got, want float64
	}{
		{of(12, 10*time.Millisecond, 0), 8000},
		{of(100_000, 10*time.Millisecond, 0), 2},
		{of(1, 100*time.Millisecond, 0), 400_000},
		{of(100_000, 10*time.Millisecond, 10*time.Second), 2000},
		{of(1, time.Hour, 0), 1e8},
	} {
		if c.got != c.want {
			t.Errorf("horizon %g s, want %g s", c.got, c.want)
		}
	}
}
