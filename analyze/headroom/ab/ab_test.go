package ab

import (
	"context"
	"errors"
	"flag"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/compare"
	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

// The error rate over many comparisons: go test ./analyze/headroom/ab -comparisons 500 -v
var comparisons = flag.Int("comparisons", 150, "how many comparisons the test of the error rate makes")

func service(t testing.TB, demo string, seed uint64) loadgen.Offerer {
	t.Helper()
	c, err := target.ParseDemo(demo)
	if err != nil {
		t.Fatal(err)
	}
	return virtual.New(c, seed)
}

func config(seed uint64, rate float64) Config {
	return Config{
		Headroom: headroom.Config{SLO: slo.Default(400 * time.Millisecond), Timeout: 400 * time.Millisecond, Seed: seed},
		A:        "one", B: "two", Rate: rate, Pairs: 8, Block: 500 * time.Millisecond,
	}
}

// TestErrorRate: of comparisons of services alike at most a share alpha has a
// difference, near capacity too, where blocks are far from independent requests.
func TestErrorRate(t *testing.T) {
	n := *comparisons
	const alpha = 0.1
	wrong := 0
	for i := range n {
		cfg := config(uint64(i), 1150)
		cfg.Alpha = alpha
		r, err := Measure(context.Background(), service(t, "", uint64(2*i)), service(t, "", uint64(2*i+1)), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != compare.NoDifference {
			wrong++
			t.Logf("comparison %d: %s", i, r.Sentence)
		}
	}
	if most := float64(n)*alpha + 3*math.Sqrt(float64(n)*alpha*(1-alpha)); float64(wrong) > most {
		t.Errorf("%d of %d comparisons of services alike have a verdict, at most %.0f expected", wrong, n, most)
	}
	t.Logf("%d of %d", wrong, n)
}

// TestDifferences are seen, in the direction that they have.
func TestDifferences(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		rate float64
		want string
	}{
		{"", "service=exp:13ms", 700, compare.Worse},
		{"service=exp:13ms", "", 700, compare.Better},
		{"", "workers=8", 1000, compare.Worse},
	} {
		r, err := Measure(context.Background(), service(t, tt.a, 1), service(t, tt.b, 2), config(3, tt.rate))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != tt.want || !r.Complete || len(r.Blocks) != 16 || r.A.Account.Planned == 0 {
			t.Errorf("%q and %q: %s", tt.a, tt.b, r.Sentence)
		}
		if lead := map[string]string{compare.Worse: "B is worse than A at", compare.Better: "B is better than A at"}[tt.want]; !strings.HasPrefix(r.Sentence, lead) {
			t.Errorf("sentence %q", r.Sentence)
		}
	}
}

// TestOrder: each pair has a block of each side, and both orders occur.
func TestOrder(t *testing.T) {
	r, err := Measure(context.Background(), service(t, "", 1), service(t, "", 2), config(7, 100))
	if err != nil {
		t.Fatal(err)
	}
	orders := map[string]int{}
	for i := 0; i < len(r.Blocks); i += 2 {
		x, y := r.Blocks[i], r.Blocks[i+1]
		if x.Pair != y.Pair || x.Side == y.Side {
			t.Errorf("blocks %+v and %+v are no pair", x, y)
		}
		orders[x.Side+y.Side]++
	}
	if orders["ab"] == 0 || orders["ba"] == 0 {
		t.Errorf("orders %v", orders)
	}
}

// A generator that stalls voids pairs; too many, and there is no answer.
func TestVoid(t *testing.T) {
	stalled := virtual.New(target.Default(), 1)
	for i := range 100 {
		stalled.Pauses = append(stalled.Pauses, virtual.Pause{At: time.Duration(i) * 300 * time.Millisecond, Length: 250 * time.Millisecond})
	}
	r, err := Measure(context.Background(), stalled, service(t, "", 2), config(1, 300))
	if fault.KindOf(err) != fault.NoAnswer || err == nil || r == nil || r.Complete || r.Verdict != "" {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cfg := config(1, 300)
	seen := 0
	cfg.Headroom.Observe = func(p headroom.Progress) {
		if seen++; seen == 30 {
			cancel(why)
		}
	}
	r, err := Measure(ctx, service(t, "", 1), service(t, "", 2), cfg)
	if !errors.Is(err, why) || r == nil || r.Complete {
		t.Errorf("%v, %+v", err, r)
	}
}

// What ended before its first block is a result too, and says so.
func TestNotBegun(t *testing.T) {
	r := NotBegun(config(1, 0), fault.NoAnswerf("interrupted"))
	if r.Complete || r.Verdict != "" || !strings.HasPrefix(r.Sentence, "No verdict") || r.A.Target != "one" || r.B.Target != "two" ||
		r.Blocks == nil || len(r.Blocks) != 0 || r.Rows == nil || len(r.Rows) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"rate: expected more than 0": func(c *Config) { c.Rate = 0 },
		"at most the rate cap":       func(c *Config) { c.Headroom.Caps.Rate = 10 },
		"pairs: expected 8 or more":  func(c *Config) { c.Pairs = 7 },
		"pairs: expected at most":    func(c *Config) { c.Pairs = 5000 },
		"block: expected":            func(c *Config) { c.Block = time.Millisecond },
		"alpha: expected":            func(c *Config) { c.Alpha = 0.7 },
		"slo: expected":              func(c *Config) { c.Headroom.SLO = slo.SLO{} },
	} {
		cfg := config(1, 100)
		change(&cfg)
		if err := cfg.Validate(); fault.KindOf(err) != fault.Usage || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
