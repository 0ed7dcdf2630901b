package gc

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/gcparse"
)

// drawEvent makes any event, likely or not.
func drawEvent(t *rapid.T) gcparse.Event {
	size := rapid.SampledFrom([]int64{0, 1, 1 << 20, 100 << 20, 1 << 30, 1 << 62, -1})
	length := rapid.SampledFrom([]int64{0, 1, 1e3, 1e6, 3e8, 5e9, 1e12, 1e15, math.MaxInt64, -1, math.MinInt64})
	stamp := rapid.SampledFrom([]int64{0, 1, 5e9, 59e9, 61e9, 1e12, 2e12, 1e15, 1_800_000_000e9, math.MaxInt64, math.MinInt64, -1})
	flag := rapid.Bool()
	space := func(name string) gcparse.Space {
		return gcparse.Space{Before: size.Draw(t, name), After: size.Draw(t, name), Capacity: size.Draw(t, name),
			HasBefore: flag.Draw(t, name), HasAfter: flag.Draw(t, name), HasCapacity: flag.Draw(t, name)}
	}
	return gcparse.Event{
		Run: rapid.Int32Range(0, 3).Draw(t, "run"), Kind: gcparse.Kind(rapid.IntRange(1, 8).Draw(t, "kind")),
		Collector:  gcparse.Collector(rapid.IntRange(0, 17).Draw(t, "collector")),
		Generation: gcparse.Generation(rapid.IntRange(0, 4).Draw(t, "generation")),
		Flags:      gcparse.Flags(rapid.Uint32Range(0, 1<<20-1).Draw(t, "flags")),
		Start:      gcparse.Stamp{Uptime: stamp.Draw(t, "uptime"), Wall: stamp.Draw(t, "wall"), HasUptime: flag.Draw(t, "up"), HasWall: flag.Draw(t, "has wall")},
		Duration:   length.Draw(t, "duration"), HasDuration: flag.Draw(t, "has duration"),
		ID: rapid.Int64Range(0, 2).Draw(t, "id"), HasID: flag.Draw(t, "has id"),
		Heap: space("heap"), Young: space("young"), Old: space("old"),
		HasCPU: flag.Draw(t, "cpu"), User: length.Draw(t, "user"), Sys: length.Draw(t, "sys"), Real: length.Draw(t, "real"),
		TimeToSafepoint: length.Draw(t, "wait"), HasTimeToSafepoint: flag.Draw(t, "has wait"),
		Workers: rapid.Int32Range(-1, 8).Draw(t, "workers"), Procs: rapid.Int32Range(-1, 8).Draw(t, "procs"),
		Count: rapid.Int64Range(-1, 100).Draw(t, "count"), Promoted: size.Draw(t, "promoted"), HasPromoted: flag.Draw(t, "has promoted"),
		Incremental: length.Draw(t, "incremental"),
	}
}

// Whatever events come, there is a result that can be written, and shares are
// shares.
func TestAnyEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := New(Config{Timeout: 400 * time.Millisecond, OnEvents: rapid.Bool().Draw(t, "on events")})
		if err != nil {
			t.Fatal(err)
		}
		res := &gcparse.Result{Runs: make([]gcparse.Run, 4), Complete: true}
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			e := drawEvent(t)
			a.Event(&e)
			a.Live(e.Start)
		}
		s, err := NewAssembly(Config{}, Gates{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range res.Runs {
			res.Runs[i].Last = drawEvent(t).Start // of any line, not of events only
		}
		l := a.Finish(res)
		s.Add(l)
		if _, err := json.Marshal(s.Result()); err != nil {
			t.Fatal(err)
		}
		if l.Observed < 0 || l.Verdict.Sentence == "" {
			t.Fatalf("%v s, %q", l.Observed, l.Verdict.Sentence)
		}
		for _, x := range l.Overhead {
			if x.Peak != nil && !(*x.Peak >= 0 && *x.Peak <= 1+1e-9) || !(x.Overall >= -1e-9 && x.Overall <= 1+1e-9) || x.Busy < 0 {
				t.Fatalf("%s: overall %v, peak %v, busy %v", x.Name, x.Overall, *x.Peak, x.Busy)
			}
		}
	})
}
