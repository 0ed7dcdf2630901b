package headroom

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen/target"
)

var (
	studyRuns = flag.Int("study", 0, "measurements a service in TestStudy; 0 skips it")
	studyOnly = flag.String("study-only", "", "name of the one service to study")
	studyEach = flag.Bool("study-each", false, "print each measurement")
	studyDemo = flag.Bool("study-demo", false, "use the budget of the demo")
)

// subject is a simulated service of which the capacity is known.
type subject struct {
	name  string
	cfg   target.Config
	limit time.Duration
}

func service(workers int, law string, edit ...func(*target.Config)) target.Config {
	c := target.Default()
	c.Workers = workers
	c.Queue = target.Unbounded
	l, err := target.ParseLaw(law)
	if err != nil {
		panic(err)
	}
	c.Service = l
	for _, e := range edit {
		e(&c)
	}
	return c
}

const ms = time.Millisecond

func subjects() []subject {
	stall := func(c *target.Config) { c.Stall = target.Stall{Length: 300 * ms, Every: 10 * time.Second} }
	queue := func(n int) func(*target.Config) { return func(c *target.Config) { c.Queue = n } }
	return []subject{
		{"12 × exp 10ms", service(12, "exp:10ms"), 400 * ms},
		{"1 × exp 10ms", service(1, "exp:10ms"), 400 * ms},
		{"1 × exp 1ms", service(1, "exp:1ms"), 400 * ms},
		{"1 × exp 1ms, T 50ms", service(1, "exp:1ms"), 50 * ms},
		{"12 × fixed 10ms", service(12, "fixed:10ms"), 400 * ms},
		{"1 × fixed 10ms", service(1, "fixed:10ms"), 400 * ms},
		{"12 × lognormal 10ms cv 1", service(12, "lognormal:10ms,cv=1"), 400 * ms},
		{"12 × lognormal 10ms cv 1.5", service(12, "lognormal:10ms,cv=1.5"), 400 * ms},
		{"1 × lognormal 10ms cv 1", service(1, "lognormal:10ms,cv=1"), 400 * ms},
		{"1 × lognormal 10ms cv 1.5", service(1, "lognormal:10ms,cv=1.5"), 400 * ms},
		{"1 × lognormal 1ms cv 1.5", service(1, "lognormal:1ms,cv=1.5"), 400 * ms},
		{"12 × exp 10ms, stall 300ms/10s", service(12, "exp:10ms", stall), 400 * ms},
		{"12 × exp 10ms, queue 400", service(12, "exp:10ms", queue(400)), 400 * ms},
		{"12 × exp 10ms, queue 5000", service(12, "exp:10ms", queue(5000)), 400 * ms},
		{"12 × exp 10ms, queue 50", service(12, "exp:10ms", queue(50)), 400 * ms},
		{"12 × exp 10ms, queue 0", service(12, "exp:10ms", queue(0)), 400 * ms},
		{"limit 500/s burst 50", service(12, "exp:10ms", func(c *target.Config) { c.RateLimit = target.RateLimit{PerSecond: 500, Burst: 50} }), 400 * ms},
		{"12 × exp 10ms, lifo", service(12, "exp:10ms", func(c *target.Config) { c.Discipline = target.LIFO }), 400 * ms},
		{"4 × exp 4ms, T 100ms, pause 60ms/5s", service(4, "exp:4ms", func(c *target.Config) { c.Stall = target.Stall{Length: 60 * ms, Every: 5 * time.Second} }), 100 * ms},
		{"4 × lognormal 4ms cv 1.8, T 100ms", service(4, "lognormal:4ms,cv=1.8"), 100 * ms},
	}
}

func truthOf(t testing.TB, s subject) float64 {
	c, err := target.Truth(s.cfg, target.Goal{Threshold: s.limit, Budget: 0.01}, target.Effort{Horizon: secs(max(8000, 2e7/s.cfg.RawRate()))})
	if err != nil {
		t.Fatal(err)
	}
	return c.PerSecond
}

func (s subject) config(seed uint64) Config {
	return Config{SLO: slo.Default(s.limit), Timeout: s.limit, Seed: seed, Budget: DefaultBudget()}
}

// study is what many measurements of one service came to.
type study struct {
	name                    string
	truth                   float64
	errs, halves, bad, load []float64
	held                    int
	methods                 map[string]int
	failures                int
}

func (st *study) add(r *Result, err error, load time.Duration) {
	if st.methods == nil {
		st.methods = map[string]int{}
	}
	if err != nil || r.Result.Capacity == nil {
		st.failures++
		st.methods[fmt.Sprint("none: ", err)]++
		return
	}
	c := r.Result.Capacity
	st.errs = append(st.errs, c.Estimate/st.truth-1)
	st.halves = append(st.halves, (c.High-c.Low)/2/c.Estimate)
	if c.Low <= st.truth && st.truth <= c.High {
		st.held++
	}
	n := r.Account
	st.bad = append(st.bad, 1-float64(n.Full)/float64(n.Planned))
	st.load = append(st.load, load.Seconds())
	st.methods[r.Result.Method+" "+r.Result.Discipline+" "+r.Result.BoundBy]++
}

func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	x = slices.Sorted(slices.Values(x))
	return x[int(q*float64(len(x)-1)+0.5)]
}

func (st *study) row() string {
	abs := make([]float64, len(st.errs))
	in := 0
	for i, e := range st.errs {
		abs[i] = math.Abs(e)
		if abs[i] <= 0.05 {
			in++
		}
	}
	n := max(len(st.errs), 1)
	return fmt.Sprintf("| %s | %.0f | %+.1f %% | %.1f %% | %d %% | %.1f %% | %d %% | %.1f %% | %.0f s | %v",
		st.name, st.truth, 100*quantile(st.errs, .5), 100*quantile(abs, .9), 100*in/n, 100*quantile(st.halves, .5), 100*st.held/n,
		100*quantile(st.bad, .5), quantile(st.load, .5), st.methods)
}

// TestStudy measures each service many times in virtual time and prints the table
// of docs/benchmarks.md.
func TestStudy(t *testing.T) {
	if *studyRuns == 0 {
		t.Skip("-study N runs it")
	}
	for _, s := range subjects() {
		if *studyOnly != "" && s.name != *studyOnly {
			continue
		}
		st := study{name: s.name, truth: truthOf(t, s)}
		began := time.Now()
		for seed := range uint64(*studyRuns) {
			v := virtual.New(s.cfg, 1000+seed)
			cfg := s.config(seed + 1)
			if *studyDemo {
				cfg.Budget = DemoBudget()
			}
			r, err := Measure(context.Background(), v, cfg)
			st.add(r, err, v.Load())
			if a := r.Result; *studyEach && a.Capacity != nil {
				fmt.Printf("  seed %d error %+.1f%% capacity %.1f [%.1f %.1f] saturated %.1f dispersion %.2f %s %s check %+v stalls %+v trend %+v\n", seed,
					100*(a.Capacity.Estimate/st.truth-1), a.Capacity.Estimate, a.Capacity.Low, a.Capacity.High, deref(&a.Saturated.Estimate), deref(a.Dispersion), a.Method, a.Discipline, a.Check, a.Stalls, a.Trend)
			}
		}
		fmt.Println(st.row(), "|", naiveRow(s, st.truth, *studyRuns), "|", time.Since(began).Round(time.Second))
	}
}

// naiveRow is what doubling and halving with trials of 10 s comes to.
func naiveRow(s subject, truth float64, runs int) string {
	var errs, abs, loads []float64
	for seed := range uint64(runs) {
		found, load := naive(s.cfg, s.limit, 10*time.Second, 500+1000*seed)
		errs = append(errs, found/truth-1)
		abs = append(abs, math.Abs(found/truth-1))
		loads = append(loads, load.Seconds())
	}
	return fmt.Sprintf("naive %+.1f %% | %.1f %% | %.0f s", 100*quantile(errs, .5), 100*quantile(abs, .9), quantile(loads, .5))
}

func deref(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}
