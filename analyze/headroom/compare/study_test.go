package compare

import (
	"context"
	"flag"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen/target"
)

// The error rates of the verdicts, on services in virtual time. More pairs:
//
//	go test ./analyze/headroom/compare -run Study -pairs 200 -v -timeout 2h
var pairs = flag.Int("pairs", 0, "measure so many pairs of each kind in the study of error rates")

// measured is one measurement of a demo service in virtual time.
func measured(t testing.TB, demo string, seed uint64, change func(*headroom.Config)) *headroom.Result {
	t.Helper()
	service, err := target.ParseDemo(demo)
	if err != nil {
		t.Fatal(err)
	}
	cfg := headroom.Config{
		Target: "demo " + demo, SLO: slo.Default(400 * time.Millisecond), Timeout: 400 * time.Millisecond,
		Budget: headroom.Budget{Search: 16 * time.Second, Overload: 6 * time.Second, Recovery: 18 * time.Second},
		Seed:   seed,
	}
	change(&cfg)
	res, err := headroom.Measure(context.Background(), virtual.New(service, seed), cfg)
	if err != nil {
		t.Fatalf("%s, seed %d: %v", demo, seed, err)
	}
	return res
}

func search(c *headroom.Config) { c.Overload = true }

func holding(rate float64, d time.Duration) func(*headroom.Config) {
	return func(c *headroom.Config) { c.Gate = headroom.Gate{HoldRate: rate, HoldFor: d} }
}

// tally counts the verdicts of pairs, of the whole and of each figure.
func tally(t testing.TB, n int, before, after string, change func(*headroom.Config)) map[string]map[string]int {
	t.Helper()
	count := map[string]map[string]int{"all": {}}
	for i := range n {
		b := measured(t, before, uint64(2*i+1), change)
		a := measured(t, after, uint64(2*i+2), change)
		c, err := Results(b, a, Config{})
		if err != nil {
			t.Fatal(err)
		}
		count["all"][c.Verdict]++
		for _, r := range c.Rows {
			if r.Verdict == "" {
				continue
			}
			name, _, _ := cut(r.Name)
			if count[name] == nil {
				count[name] = map[string]int{}
			}
			count[name][r.Verdict]++
		}
		if c.Verdict != NoDifference {
			t.Logf("pair %d: %s", i, c.Sentence)
		}
	}
	return count
}

func cut(name string) (string, string, bool) {
	for i := range name {
		if len(name)-i > 4 && name[i:i+4] == " at " {
			return name[:i], name[i:], true
		}
	}
	return name, "", false
}

func TestStudy(t *testing.T) {
	n := *pairs
	if n == 0 {
		t.Skip("the study takes long: give -pairs")
	}
	for _, s := range []struct {
		name, before, after string
		change              func(*headroom.Config)
	}{
		{"search, alike", "", "", search},
		{"search, queue 400, alike", "queue=400", "queue=400", search},
		{"search, 11 of 12 workers", "", "workers=11", search},
		{"search, queue 5000 then 400", "", "queue=400", search},
		{"hold 900/s, alike", "", "", holding(900, 60*time.Second)},
		{"hold 1100/s, alike", "", "", holding(1100, 60*time.Second)},
		{"hold 900/s, 5 % slower", "", "service=exp:10.5ms", holding(900, 60*time.Second)},
	} {
		began := time.Now()
		count := tally(t, n, s.before, s.after, s.change)
		t.Logf("%s: %v (%s)", s.name, count, time.Since(began).Round(time.Second))
	}
}
