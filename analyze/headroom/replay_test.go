package headroom_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

// evenly is a replay of n arrivals at one rate, in bursts of so many at once.
func evenly(n, burst int, rate float64) *headroom.Replay {
	gap := time.Duration(1e9 / rate)
	return &headroom.Replay{
		Trace: func(context.Context) loadgen.Trace {
			return func(yield func(loadgen.Arrival) bool) {
				for i := range n {
					if !yield(loadgen.Arrival{At: time.Duration(i/burst*burst) * gap, Kind: loadgen.AnyKind}) {
						return
					}
				}
			}
		},
		Requests: uint64(n), Length: time.Duration(n) * gap,
		PerSecond: rate, PeakPerSecond: rate + float64(burst), UnderWay: rate + float64(burst),
	}
}

func replayConfig(t *testing.T, r *headroom.Replay) headroom.Config {
	t.Helper()
	return headroom.Config{SLO: slo.Default(400 * time.Millisecond), Timeout: 400 * time.Millisecond, Replay: r, Seed: 1}
}

// TestReplay guards that a replay is judged over all its requests: the same number of
// requests at the same mean rate passes when they come evenly and fails in bursts.
func TestReplay(t *testing.T) {
	for _, tt := range []struct {
		name  string
		burst int
		pass  bool
	}{{"even", 1, true}, {"bursts", 900, false}} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := replayConfig(t, evenly(9000, tt.burst, 900))
			res, err := headroom.Measure(t.Context(), virtual.New(target.Default(), 1), cfg)
			if err != nil {
				t.Fatal(err)
			}
			v := res.Result.Verdict
			if v == nil || v.Gate != headroom.GateReplay || v.Pass != tt.pass || v.Wanted != 0.01 {
				t.Fatalf("verdict %+v", v)
			}
			if tt.pass && res.Account.Planned != 9000 || !res.Complete || res.Settings.Arrivals != "replay" || res.Settings.SearchSeconds != 0 {
				t.Errorf("planned %d, settings %+v", res.Account.Planned, res.Settings)
			}
			if len(res.Result.Trials) != 1 || res.Result.Trials[0].Phase != headroom.PhaseReplay || res.Result.Capacity != nil {
				t.Errorf("%+v", res.Result.Trials)
			}
			if a := res.Account; a.Planned != a.Full+a.Degraded+a.Shed+a.Failed+a.TimedOut+a.InFlight+a.NeverSent {
				t.Errorf("unbalanced: %+v", a)
			}
		})
	}
}

// TestReplayCaps guards that the caps hold for a replay before it begins, and that it
// uses them up to the last request.
func TestReplayCaps(t *testing.T) {
	for want, change := range map[string]func(*headroom.Config){
		"rate cap of 800/s":           func(c *headroom.Config) { c.Caps.Rate = 800 },
		"cap of 8,999 requests":       func(c *headroom.Config) { c.Caps.Requests = 8999 },
		"expected no other beside it": func(c *headroom.Config) { c.Gate.SLOAt = 100 },
		"expected arrivals":           func(c *headroom.Config) { c.Replay.Requests = 0 },
		"at most 6h of load":          func(c *headroom.Config) { c.Replay.Length = 7 * time.Hour },
	} {
		cfg := replayConfig(t, evenly(9000, 1, 900))
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	cfg := replayConfig(t, evenly(900, 1, 900))
	cfg.Caps.Requests = 900
	res, err := headroom.Measure(t.Context(), virtual.New(target.Default(), 1), cfg)
	if err != nil || res.Account.Planned != 900 {
		t.Errorf("%d planned of as many as the cap allows: %v", res.Account.Planned, err)
	}
	if p := headroom.Plan(cfg); len(p.Phases) != 1 || p.Requests != 900 || p.PastCapacity {
		t.Errorf("plan %+v", p)
	}
}

// TestReplayCut guards that a log that cannot be read to its end gives no verdict.
func TestReplayCut(t *testing.T) {
	cfg := replayConfig(t, evenly(900, 1, 900))
	cfg.Replay.Err = func() error { return errors.New("the file is gone") }
	res, err := headroom.Measure(t.Context(), virtual.New(target.Default(), 1), cfg)
	if err == nil || !strings.Contains(err.Error(), "cut short: the file is gone") || res.Result.Verdict != nil {
		t.Errorf("%v, %+v", err, res.Result.Verdict)
	}
}
