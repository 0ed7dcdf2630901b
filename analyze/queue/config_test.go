package queue

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/queuecalc"
)

func TestSenselessInputsAreRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*Config)
		says   string
	}{
		{func(c *Config) { c.Capacity.Estimate = 0 }, "the capacity is missing: the useful queue is capacity × timeout"},
		{func(c *Config) { c.Timeout = 0 }, "the timeout is missing"},
		{func(c *Config) { c.Capacity.Estimate = -1 }, "expected a rate over 0"},
		{func(c *Config) { c.Capacity.Estimate = math.Inf(1) }, "expected a rate over 0"},
		{func(c *Config) { c.Capacity.Estimate = math.NaN() }, "expected a rate over 0"},
		{func(c *Config) { c.Peak = 2e9 }, "the most that one server could see"},
		{func(c *Config) { c.Capacity = queuecalc.Interval{Estimate: 100, Low: 110, High: 120} }, "ascending order"},
		{func(c *Config) { c.Timeout = -time.Second }, "timeout of -1s"},
		{func(c *Config) { c.Timeout = 25 * time.Hour }, "at most 24h"},
		{func(c *Config) { c.Capacity.Estimate, c.Timeout = 1e9, time.Hour }, "check the unit of the timeout"},
		{func(c *Config) { c.ServiceTime = time.Second }, "an idle server answers too late"},
		{func(c *Config) { c.ServiceP99 = time.Millisecond }, "is one of them swapped?"},
		{func(c *Config) { c.Workers = 6 }, "6 workers of 10ms each serve at most 600/s, less than the capacity of 1,200/s"},
		{func(c *Config) { c.Workers = -1 }, "workers of -1"},
		{func(c *Config) { c.Queue = &Length{Positions: -1} }, "queue of -1"},
		{func(c *Config) { c.AcceptQueue = new(int64(1 << 33)) }, "accept queue of 8,589,934,592"},
		{func(c *Config) { c.Clients = 0 }, "give --clients"},
		{func(c *Config) { c.BudgetOver = 4 }, "give --budget"},
		{func(c *Config) { c.Retries = nil }, "give --retries"},
		{func(c *Config) { c.Retries = new(-1) }, "-1 retries"},
		{func(c *Config) { c.RetryBudget = new(-0.1) }, "retry budget"},
		{func(c *Config) { c.Server = "apache" }, "expected one of jetty, tomcat"},
		{func(c *Config) {
			c.Workers, c.ServiceTime, c.ServiceP99, c.Capacity.Estimate, c.Timeout = 0, 40*time.Second, 0, 1e6, 50*time.Second
		},
			"check the unit of the service time"},
		{func(c *Config) { c.WhatIf = &WhatIf{Input: "workers", Values: []float64{12, 6}} }, "what-if workers=6: 6 workers of 10ms"},
	} {
		cfg := followFeed()
		c.change(&cfg)
		_, err := Audit(cfg)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v does not say %q", err, c.says)
			continue
		}
		if fault.KindOf(err) != fault.Usage {
			t.Errorf("%v is no usage error", err)
		}
	}
}

func TestHugeServersAreAnswered(t *testing.T) {
	c := Config{
		Capacity: queuecalc.Interval{Estimate: 1e7}, Timeout: time.Second, Workers: 1_000_000,
		Queue: &Length{Positions: 10_000_000}, AcceptQueue: new(int64(65535)), Peak: 9e6,
	}
	r := audit(t, c)
	// 10⁷ − 3√10⁷ − 10⁶, less because a tenth of the timeout goes into the service
	if a := r.Advice; a.Positions > 8_990_513*3/4 || a.Positions < 5_000_000 {
		t.Errorf("positions %d", a.Positions)
	}
}

func TestParseWhatIf(t *testing.T) {
	for _, c := range []struct {
		text string
		want []float64
	}{
		{"queue=500..5000", []float64{500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000}},
		{"queue=10..1000/3", []float64{10, 100, 1000}},
		{"queue=0..4/3", []float64{0, 2, 4}},
		{"queue=400,100,400", []float64{100, 400}},
		{"workers=8,12", []float64{8, 12}},
		{"timeout=100ms..300ms/3", []float64{0.1, 0.2, 0.3}},
		{"capacity=900..1300/s/3", []float64{900, 1100, 1300}},
		{"capacity=900/s,1k/s", []float64{900, 1000}},
	} {
		w, err := ParseWhatIf(c.text)
		if err != nil || !slices.EqualFunc(w.Values, c.want, func(a, b float64) bool { return near(a, b, 1e-9) }) {
			t.Errorf("%s: %+v, %v", c.text, w, err)
		}
	}
	for _, text := range []string{"", "queue", "queue=", "queue=5..2", "queue=5..5", "depth=1..2", "queue=1..2/1", "queue=1..2/5000",
		"timeout=100..300", "queue=a..b", "queue=1..", "capacity=0..5/s", "queue=1.5..2", "workers=0..10", "timeout=0s,1s"} {
		if w, err := ParseWhatIf(text); err == nil {
			t.Errorf("%q gave %+v", text, w)
		}
	}
}

func FuzzParseWhatIf(f *testing.F) {
	for _, s := range []string{"queue=500..5000", "timeout=100ms..1s/4", "capacity=900..1300/s", "workers=1,2,3", "queue=..", "=/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseWhatIf(text)
		if err != nil {
			return
		}
		if len(w.Values) == 0 || len(w.Values) > maxSweep || !slices.IsSorted(w.Values) {
			t.Errorf("%q gave %v", text, w.Values)
		}
		for _, v := range w.Values {
			if !(v >= 0) || math.IsInf(v, 0) {
				t.Errorf("%q gave %v", text, v)
			}
		}
	})
}

func TestSweeps(t *testing.T) {
	c := followFeed()
	for _, s := range []struct {
		what    string
		advised []int64
		queue   []int64
	}{
		{"queue=402,5000", []int64{402, 402}, []int64{402, 5000}},
		{"timeout=200ms,400ms", []int64{181, 402}, []int64{5000, 5000}}, // 240 − 3√240 − 12
		{"workers=12,24", []int64{402, 390}, []int64{5000, 5000}},
		{"capacity=900,1200", []int64{291, 402}, []int64{5000, 5000}}, // 360 − 3√360 − 12
	} {
		w, err := ParseWhatIf(s.what)
		if err != nil {
			t.Fatal(err)
		}
		c.WhatIf = w
		r := audit(t, c)
		for i, row := range r.Sweep.Rows {
			if row.Advised != s.advised[i] || row.Queue != s.queue[i] || *row.Memory != row.Queue*c.BytesPerRequest || len(row.Goodput) != 4 {
				t.Errorf("%s: row %d is %+v", s.what, i, row)
			}
		}
	}
}

func TestRules(t *testing.T) {
	reg, err := finding.NewRegistry(Rules())
	if err != nil {
		t.Fatal(err)
	}
	if len(reg.All()) != 11 {
		t.Errorf("%d rules", len(reg.All()))
	}
}

// TestKeys pins the keys of the JSON: those of a result that has everything.
func TestKeys(t *testing.T) {
	c := followFeed()
	c.Capacity = queuecalc.Interval{Estimate: 1200, Low: 1190, High: 1210}
	c.Sustained = queuecalc.Interval{Estimate: 1188, Low: 1171, High: 1203}
	c.HedgeAfter, c.ServiceP99, c.AcceptPause = 150*time.Millisecond, 46*time.Millisecond, 50*time.Millisecond
	c.RetryBudget, c.BudgetOver = new(0.1), 2
	c.Somaxconn, c.Server, c.Explain = new(int64(4096)), "jetty", true
	c.WhatIf = &WhatIf{Input: "queue", Values: []float64{400}}
	r := audit(t, c)
	r.Missing = []Missing{{}}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	collect(v, "", got)
	var keys []string
	for k := range got {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	want := strings.Fields(pinnedKeys)
	if !reflect.DeepEqual(keys, want) {
		t.Errorf("the keys of the JSON changed; they are an interface:\n%s", strings.Join(keys, "\n"))
	}
}

func collect(v any, path string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, below := range v {
			into[path+k] = true
			collect(below, path+k+".", into)
		}
	case []any:
		for _, below := range v {
			collect(below, path, into)
		}
	}
}
