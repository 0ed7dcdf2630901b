package merge

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen/target"
)

// held is the result of a hold against a service of its own, as a file has it.
func held(t testing.TB, rate float64, seed uint64) *headroom.Result {
	t.Helper()
	res, err := headroom.Measure(context.Background(), virtual.New(target.Default(), seed), headroom.Config{
		Target: "demo", SLO: slo.Default(400 * time.Millisecond), Timeout: 400 * time.Millisecond, Seed: seed,
		Gate: headroom.Gate{HoldRate: rate, HoldFor: 6 * time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	return copied(t, res)
}

// copied is a result as a file gives it back.
func copied(t testing.TB, res *headroom.Result) *headroom.Result {
	t.Helper()
	data, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	back := &headroom.Result{}
	if err := json.Unmarshal(data, back); err != nil {
		t.Fatal(err)
	}
	return back
}

// TestMergedAddsUp: of two holds the counts, the windows and the histograms are the
// sums, whatever the order, and the verdict is that of the rate of both.
func TestMergedAddsUp(t *testing.T) {
	a, b := held(t, 300, 1), held(t, 500, 2)
	res, err := Results([]Input{{Name: "a", Result: a}, {Name: "b", Result: b}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Account.Planned != a.Account.Planned+b.Account.Planned || sum(res.Account) != res.Account.Planned {
		t.Errorf("account %+v", res.Account)
	}
	if v := res.Result.Verdict; v == nil || !v.Pass || res.Settings.HoldRate != 800 || v.WrongPass == nil {
		t.Errorf("verdict %+v at %v/s", v, res.Settings.HoldRate)
	}
	last := res.Result.Trials[1]
	x, y := a.Result.Trials[1], b.Result.Trials[1]
	if last.Planned != x.Planned+y.Planned || last.Kept.Histograms["full"].Count() != last.Account.Full {
		t.Errorf("trial %+v", last)
	}
	for i, n := range last.Kept.Windows.Planned {
		if n != x.Kept.Windows.Planned[i]+y.Kept.Windows.Planned[i] {
			t.Errorf("window %d: %d", i, n)
		}
	}
	turned, err := Results([]Input{{Name: "b", Result: b}, {Name: "a", Result: a}})
	if err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(res.Result.Trials)
	two, _ := json.Marshal(turned.Result.Trials)
	if string(one) != string(two) {
		t.Error("the order of the parts changes the merged trials")
	}
}

// TestMergedIsOneRun: samples dealt out to parts and merged give the histogram of
// the whole, so that every quantile is the same.
func TestMergedIsOneRun(t *testing.T) {
	base := held(t, 100, 3)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "parts")
		parts := make([]Input, n)
		hists := make([]hist.Hist, n)
		var whole hist.Hist
		for _, v := range rapid.SliceOfN(rapid.Int64Range(0, 1e10), 1, 200).Draw(t, "latencies") {
			whole.Record(v)
			hists[rapid.IntRange(0, n-1).Draw(t, "part")].Record(v)
		}
		for i := range parts {
			r := *base
			r.Complete = false // it is not judged, which takes long
			settings := *base.Settings
			settings.Seed = uint64(i)
			r.Settings = &settings
			r.Result.Trials = append([]headroom.Trial(nil), base.Result.Trials...)
			kept := *base.Result.Trials[1].Kept
			kept.Histograms = map[string]*hist.Hist{"full": &hists[i]}
			r.Result.Trials[1].Kept = &kept
			r.Result.Trials[1].Account.Full += hists[i].Count()
			r.Result.Trials[1].Account.Planned += hists[i].Count()
			parts[i] = Input{Name: string(rune('a' + i)), Result: &r}
		}
		res, err := Results(parts)
		if res == nil {
			t.Fatal(err)
		}
		if got, want := res.Result.Trials[1].Latency["full"], headroom.QuantilesOf(&whole); got != want {
			t.Fatalf("merged %+v, one run %+v", got, want)
		}
	})
}

func TestClocks(t *testing.T) {
	a := held(t, 100, 1)
	b := copied(t, a)
	b.Settings.Seed = 2
	at, later := 1000.0, 1002.5
	a.StartedUnix, b.StartedUnix = &at, &later
	res, err := Results([]Input{{Name: "a", Result: a}, {Name: "b", Result: b, ClockAhead: 2 * time.Second}})
	if err != nil || *res.MergedFrom[1].Offset != 0.5 || len(res.Warnings) != 0 {
		t.Errorf("%v: %+v, %q", err, res.MergedFrom, res.Warnings)
	}
	res, err = Results([]Input{{Name: "a", Result: a}, {Name: "b", Result: b}})
	if err != nil || *res.MergedFrom[1].Offset != 2.5 || !strings.Contains(strings.Join(res.Warnings, " "), "began 2.5s after the first") {
		t.Errorf("%v: %+v, %q", err, res.MergedFrom, res.Warnings)
	}
}

// Holds one after the other never offered the sum of their rates.
func TestApart(t *testing.T) {
	a := held(t, 100, 1)
	b := copied(t, a)
	b.Settings.Seed = 2
	at, later := 1000.0, 1000+0.6*a.Settings.HoldSeconds
	a.StartedUnix, b.StartedUnix = &at, &later
	parts := []Input{{Name: "a", Result: a}, {Name: "b", Result: b}}
	res, err := Results(parts)
	if fault.KindOf(err) != fault.NoAnswer || err == nil || res == nil || res.Complete || res.Result.Verdict != nil {
		t.Fatalf("%v: %+v", err, res)
	}
	parts[1].ClockAhead = time.Duration(0.6 * a.Settings.HoldSeconds * float64(time.Second))
	if res, err = Results(parts); err != nil || res.Result.Verdict == nil {
		t.Errorf("%v", err)
	}
}

func TestRefused(t *testing.T) {
	good := held(t, 100, 1)
	edit := func(change func(*headroom.Result)) *headroom.Result {
		r := copied(t, good)
		change(r)
		return r
	}
	for name, tt := range map[string]struct {
		r    *headroom.Result
		want string
	}{
		"a search":       {edit(func(r *headroom.Result) { r.Settings.HoldRate = 0 }), "found a search"},
		"other SLO":      {edit(func(r *headroom.Result) { r.SLO = "errors<1%" }), "expected the objective"},
		"other timeout":  {edit(func(r *headroom.Result) { r.TimeoutSeconds = 2 }), "expected the timeout"},
		"fewer trials":   {edit(func(r *headroom.Result) { r.Result.Trials = r.Result.Trials[:1] }), "expected 2 trials"},
		"other phases":   {edit(func(r *headroom.Result) { r.Result.Trials[0].Phase = "ramp" }), "expected the phase hold"},
		"no histograms":  {edit(func(r *headroom.Result) { r.Result.Trials[1].Kept = nil }), "no histograms"},
		"no balance":     {edit(func(r *headroom.Result) { r.Result.Trials[1].Account.Full++ }), "account that balances"},
		"uneven windows": {edit(func(r *headroom.Result) { w := r.Result.Trials[1].Kept.Windows; w.Good = w.Good[1:] }), "lists of one length"},
		"thresholds":     {edit(func(r *headroom.Result) { r.Result.Trials[1].Kept.LateFull = nil }), "late answers"},
	} {
		_, err := Results([]Input{{Name: "good", Result: good}, {Name: "part.json", Result: tt.r}})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "part.json") {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if _, err := Results([]Input{{Name: "good", Result: good}}); fault.KindOf(err) != fault.Usage {
		t.Errorf("one result: %v", err)
	}
	void := edit(func(r *headroom.Result) { r.Result.Trials[1].Void = "late" })
	res, err := Results([]Input{{Name: "good", Result: good}, {Name: "part.json", Result: void}})
	if err == nil || res == nil || res.Complete || res.Result.Verdict != nil {
		t.Errorf("a void part: %v, %+v", err, res)
	}
}

// Same seeds plan the same instants: said, since the arrivals are then no longer
// those of independent users.
func TestSameSeed(t *testing.T) {
	one := held(t, 100, 1)
	res, err := Results([]Input{{Name: "a", Result: one}, {Name: "b", Result: one}})
	if err != nil || !strings.Contains(strings.Join(res.Warnings, " "), "same seed") {
		t.Errorf("%v, %q", err, res.Warnings)
	}
}
