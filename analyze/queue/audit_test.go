package queue

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/queuecalc"
)

// followFeed is LinkedIn's case: the settings, and clients whose number, peak and
// size of a request are made up.
func followFeed() Config {
	return Config{
		Capacity: queuecalc.Interval{Estimate: 1200}, Timeout: 400 * time.Millisecond,
		ServiceTime: 10 * time.Millisecond, Workers: 12,
		Queue: &Length{Positions: 5000}, AcceptQueue: new(int64(2000)),
		Retries: new(2), RetryAfter: 150 * time.Millisecond, Peak: 950,
		BytesPerRequest: 15 << 10, Clients: 500, Pool: 100,
	}
}

func audit(t *testing.T, c Config) Result {
	t.Helper()
	r, err := Audit(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestFollowFeed(t *testing.T) {
	r := audit(t, followFeed())
	a, d := r.Advice, r.Today
	for _, n := range []struct {
		what      string
		got, want int64
	}{
		{"break point", a.BreakPoint, 480}, {"safe value", a.Safe, 414}, {"positions", a.Positions, 402},
		{"accept queue", a.AcceptQueue, 66}, {"workers", int64(a.Workers.Set), 15}, {"most workers", int64(a.Workers.Most), 24},
		{"largest pool", a.Pool.Max, 4}, {"smallest pool", a.Pool.Min, 1}, {"connections", a.Pool.Total, 2000},
		{"connections today", *d.Connections, 50_000}, {"dead on arrival", *d.Dead, 4532},
		{"memory", *d.Memory, 5000 * 15 << 10}, {"advised memory", *d.MemoryAdvised, 402 * 15 << 10},
		{"break point of a retry", *a.Retry.UsefulAfter, 300}, {"burst", a.RateLimit.Burst, 402},
	} {
		if n.got != n.want {
			t.Errorf("%s: %d, want %d", n.what, n.got, n.want)
		}
	}
	for _, n := range []struct {
		what      string
		got, want float64
	}{
		{"times useful", *d.TimesUseful, 10.4}, {"drain", *d.QueueWait, 4.17}, {"wait before accept", *d.AcceptWait, 1.67},
		{"total wait", *d.TotalWait, 5.83}, {"headroom", *a.Retry.Headroom, 0.263}, {"budget", *a.Retry.Budget, 0.26},
		{"hidden capacity", *a.Retry.HiddenCapacity, 400}, {"rate limit", a.RateLimit.Rate, 1200}, {"fills in", *d.FillSeconds, 41.67},
		{"longest useful wait", a.MaxWait, 0.39},
	} {
		if !near(n.got, n.want, 0.02) {
			t.Errorf("%s: %v, want %v", n.what, n.got, n.want)
		}
	}
	if *d.Recovers {
		t.Error("three attempts of 950/s are over 1,200/s: it cannot recover")
	}
	want := map[string]finding.Severity{
		"QUE-01": finding.Error, "LSN-02": finding.Warning, "POL-01": finding.Warning, "BUD-01": finding.Error,
	}
	if got := severities(r.Findings); !equalMaps(got, want) {
		t.Errorf("findings %v, want %v", got, want)
	}
}

func severities(findings []finding.Finding) map[string]finding.Severity {
	out := map[string]finding.Severity{}
	for _, f := range findings {
		out[f.Rule] = max(out[f.Rule], f.Severity)
	}
	return out
}

func equalMaps(a, b map[string]finding.Severity) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// A hedge after 150 ms moves the break point to 180, and with an interval its low
// end counts.
func TestHedgeAndInterval(t *testing.T) {
	c := followFeed()
	c.HedgeAfter = 150 * time.Millisecond
	r := audit(t, c)
	if b := r.Advice.Basis; b.BreakPoint != 180 || b.Safe != 139 || r.Advice.Positions != 127 || *r.Advice.PositionsByTimeout != 402 {
		t.Errorf("with a hedge: %+v", r.Advice)
	}
	c.HedgeAfter = time.Second
	r = audit(t, c)
	if r.Advice.Positions != 402 || r.Advice.PositionsByTimeout != nil {
		t.Errorf("a hedge after the timeout changed the answer: %+v", r.Advice)
	}
	c.HedgeAfter = 0
	c.Capacity = queuecalc.Interval{Estimate: 1200, Low: 1100, High: 1300}
	r = audit(t, c)
	// 440 − 3√440 − 12 and 520 − 3√520 − 12.
	if r.Advice.Positions != 365 || *r.Advice.PositionsHigh != 439 || r.Advice.RateLimit.Rate != 1100 {
		t.Errorf("with an interval: %+v", r.Advice)
	}
	c.Sustained = queuecalc.Interval{Estimate: 1050, Low: 1000, High: 1090}
	r = audit(t, c)
	if r.Advice.RateLimit.Rate != 1000 || r.Advice.Positions != 365 || !near(*r.Advice.Retry.Headroom, 1000.0/950-1, 1e-9) {
		t.Errorf("with the rate of the objective: %+v", r.Advice)
	}
}

// The 99th percentile of the service time takes more than the workers' share.
func TestServiceP99TakesPlaces(t *testing.T) {
	c := followFeed()
	c.ServiceP99 = 140 * time.Millisecond
	if r := audit(t, c); r.Advice.Positions != 246 { // 414.3 − 168
		t.Errorf("positions %d, want 246", r.Advice.Positions)
	}
}

// Only capacity and timeout are known.
func TestTheLeastInput(t *testing.T) {
	r := audit(t, Config{Capacity: queuecalc.Interval{Estimate: 1200}, Timeout: 400 * time.Millisecond})
	if r.Advice.Positions != 414 || !r.Advice.WorkersToSubtract || r.Today != nil || len(r.Findings) != 0 {
		t.Errorf("%+v", r)
	}
	if len(r.Missing) != 10 {
		t.Errorf("%d inputs are missing", len(r.Missing))
	}
}

// The goodput of the sizes that research computed and simulated, for one worker.
func TestGoodputRows(t *testing.T) {
	c := Config{Capacity: queuecalc.Interval{Estimate: 1200}, Timeout: 400 * time.Millisecond}
	for _, q := range []struct {
		inSystem  int64
		at11, tol float64
	}{{400, 1, 0.001}, {440, 0.985, 0.001}, {480, 0.661, 0.001}, {500, 0.337, 0.001}, {5000, 0, 1e-6}} {
		c.Queue = &Length{Positions: q.inSystem - 1}
		r := audit(t, c)
		i := slices.IndexFunc(r.Goodput, func(row Row) bool { return row.Name == "today" })
		if got := r.Goodput[i].Goodput[1]; got.Load != 1.1 || !near(got.Goodput, q.at11, q.tol) {
			t.Errorf("K = %d: %+v, want %v", q.inSystem, got, q.at11)
		}
	}
}

func TestSeverityOfTheQueue(t *testing.T) {
	c := followFeed()
	for _, q := range []struct {
		length Length
		rule   string
		want   finding.Severity
	}{
		{Length{Positions: 402}, "QUE-01", 0}, {Length{Positions: 403}, "QUE-01", 0}, {Length{Positions: 430}, "QUE-01", finding.Note},
		{Length{Positions: 468}, "QUE-01", finding.Note}, {Length{Positions: 469}, "QUE-01", finding.Warning},
		{Length{Positions: 1920}, "QUE-01", finding.Warning}, {Length{Positions: 1921}, "QUE-01", finding.Error},
		{Length{Unbounded: true}, "QUE-04", finding.Error}, {Length{Positions: 0}, "QUE-01", 0},
		{Length{Positions: 2}, "QUE-03", finding.Warning}, {Length{Positions: 100}, "QUE-03", 0},
	} {
		c.Queue = &q.length
		if got := severities(audit(t, c).Findings)[q.rule]; got != q.want {
			t.Errorf("%+v: %s is %s, want %s", q.length, q.rule, got, q.want)
		}
	}
}

func TestFindingsOfOtherSettings(t *testing.T) {
	for _, f := range []struct {
		name   string
		change func(*Config)
		rule   string
		want   finding.Severity
	}{
		{"cut by the kernel", func(c *Config) { c.Somaxconn = new(int64(128)) }, "LSN-02", finding.Warning},
		{"the default of Java", func(c *Config) { c.AcceptQueue, c.Queue = new(int64(50)), nil }, "LSN-02", 0},
		{"a pause over the backlog", func(c *Config) { c.AcceptQueue, c.AcceptPause = new(int64(50)), 100*time.Millisecond }, "LSN-01", finding.Warning},
		{"a pause within it", func(c *Config) { c.AcceptQueue, c.AcceptPause = new(int64(50)), 50*time.Millisecond }, "LSN-01", 0},
		{"many workers", func(c *Config) { c.Workers = 200 }, "CON-01", finding.Warning},
		{"workers that fit", func(c *Config) { c.Workers = 24 }, "CON-01", 0},
		{"pools that fit", func(c *Config) { c.Pool = 8 }, "POL-01", 0},
		{"pools too small", func(c *Config) { c.Clients, c.Pool = 2, 5 }, "POL-04", finding.Warning},
		{"retries below hidden capacity", func(c *Config) { c.Peak = 300 }, "BUD-01", finding.Warning},
		{"a budget that fits", func(c *Config) { c.RetryBudget = new(0.26) }, "BUD-04", 0},
		{"a budget over the headroom", func(c *Config) { c.RetryBudget = new(0.27) }, "BUD-04", finding.Warning},
		{"a small budget over 40 groups", func(c *Config) { c.RetryBudget, c.BudgetOver = new(0.025), 40 }, "BUD-03", finding.Error},
		{"one that fits all the same", func(c *Config) { c.RetryBudget, c.BudgetOver = new(0.025), 4 }, "BUD-03", finding.Warning},
		{"one for each", func(c *Config) { c.RetryBudget, c.BudgetOver = new(0.025), 1 }, "BUD-03", 0},
		{"a budget instead of none", func(c *Config) { c.RetryBudget = new(0.27) }, "BUD-01", 0},
	} {
		c := followFeed()
		f.change(&c)
		if got := severities(audit(t, c).Findings)[f.rule]; got != f.want {
			t.Errorf("%s: %s is %s, want %s", f.name, f.rule, got, f.want)
		}
	}
}

// A budget within the headroom lets the server recover, in a time that is the
// backlog beyond one timeout over what is left of the capacity.
func TestRecovery(t *testing.T) {
	c := followFeed()
	c.RetryBudget = new(0.1)
	d := audit(t, c).Today
	want := (5000.0 + 2000 + 12 - 480) / (1200 - 950*1.1)
	if !*d.Recovers || !near(*d.RecoverySeconds, want, 1e-9) {
		t.Errorf("recovers in %v, want %v", *d.RecoverySeconds, want)
	}
	c.Queue, c.AcceptQueue = &Length{Positions: 402}, new(int64(66))
	if d := audit(t, c).Today; *d.RecoverySeconds != 0 {
		t.Errorf("the advised queues take %vs to recover", *d.RecoverySeconds)
	}
}

// Where few requests fit into a timeout the margin of three deviations would take
// nearly all of them. The advice is then by the exact sums, and a queue that is
// longer and does no harm is left alone.
func TestFewRequestsWithinATimeout(t *testing.T) {
	c := Config{Capacity: queuecalc.Interval{Estimate: 0.5}, Timeout: 30 * time.Second, ServiceTime: time.Second, Queue: &Length{Positions: 9}, Explain: true}
	r := audit(t, c)
	if r.Advice.Positions != 6 || len(r.Findings) != 0 || !strings.HasPrefix(r.Verdict, "keep the request queue of 9: ") {
		t.Errorf("%d positions, %v, %s", r.Advice.Positions, r.Findings, r.Verdict)
	}
	best := 0.0
	for _, p := range r.Curves[1].Points {
		best = max(best, p.Goodput)
	}
	if got := r.Goodput[len(r.Goodput)-1].Goodput[1].Goodput; got < best-queuecalc.SafeLoss || got < 0.9 {
		t.Errorf("goodput %v with the advice, %v with the best", got, best)
	}
	if !strings.Contains(strings.Join(r.Warnings, "\n"), "exact sums") || r.Formulas[1].Figure != "safe value" || !strings.Contains(r.Formulas[1].Numbers, "loses over 2%") {
		t.Errorf("nothing says where the safe value comes from: %v, %+v", r.Warnings, r.Formulas[1])
	}
	c.HedgeAfter = 20 * time.Second // a wait that makes clients ask twice is no gain
	if r := audit(t, c); !strings.HasPrefix(r.Verdict, "set ") {
		t.Errorf("with a hedge: %s", r.Verdict)
	}
}

// The first line says why nobody is to wait, and what no queue helps against.
func TestVerdictsWithoutAQueue(t *testing.T) {
	for _, c := range []struct {
		change func(*Config)
		says   []string
	}{
		{func(c *Config) { c.Timeout = time.Microsecond }, []string{"set no request queue", "less than one request"}},
		{func(c *Config) { c.Workers = 1_000_000 }, []string{"set no request queue", "1,000,000 workers hold"}},
		{func(c *Config) { c.ServiceP99 = 500 * time.Millisecond }, []string{"set no request queue", "the slowest take 500ms"}},
		{func(c *Config) { c.Timeout = time.Millisecond }, []string{"set no request queue", "the one that runs"}},
		{func(c *Config) { c.HedgeAfter = time.Nanosecond }, []string{"set no request queue", "nearly everything twice"}},
		{func(c *Config) { c.Peak, c.Workers, c.Queue = 5000, 12, &Length{Positions: 400} }, []string{"keep", "no queue helps against a peak of 5,000/s"}},
	} {
		cfg := Config{Capacity: queuecalc.Interval{Estimate: 1200}, Timeout: 400 * time.Millisecond}
		c.change(&cfg)
		r := audit(t, cfg)
		for _, says := range c.says {
			if !strings.Contains(r.Verdict, says) {
				t.Errorf("%q does not say %q", r.Verdict, says)
			}
		}
		if got := severities(r.Findings)["CON-01"] != 0; got != (cfg.Workers > 480) {
			t.Errorf("%d workers: findings %v", cfg.Workers, r.Findings)
		}
	}
}
