package pending

import (
	"math"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/internal/finding"
)

// What to set is never nothing, is never more than what is there already, and is
// given only where work piles up.
func TestSettingWithinReason(t *testing.T) {
	for _, c := range []struct {
		n, cap            int
		capacity, timeout float64
		useful            int64 // 0 for any
		value             string
	}{
		{n: 500, cap: 5_000, capacity: 1000, timeout: 1, value: "new LinkedBlockingQueue<>("},
		{n: 500, cap: math.MaxInt32, capacity: 1000, timeout: 1, value: "new LinkedBlockingQueue<>("},
		{n: 500, cap: 5_000, capacity: 0.5, timeout: 0.01, useful: 1, value: "new LinkedBlockingQueue<>(1)"},
		{n: 500, cap: 5_000, capacity: 1e-6, timeout: 1e-3, useful: 1, value: "new LinkedBlockingQueue<>(1)"},
		{n: 500, cap: 900, capacity: 1000, timeout: 1},
		{n: 500, cap: 900, capacity: 1e9, timeout: 1000},
		{n: 500, cap: math.MaxInt32, capacity: 1e9, timeout: 1000},
	} {
		w := newWorld()
		queue := w.linked(c.cap, c.n, w.orders(c.n, 20, 1))
		w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 8, "maximumPoolSize": 8})
		r := Analyze(w.Heap(), Options{Capacity: &c.capacity, Timeout: &c.timeout})
		q := r.Queues[0]
		if q.UsefulPositions != nil && (*q.UsefulPositions < 1 || c.useful > 0 && *q.UsefulPositions != c.useful) {
			t.Errorf("%+v: %d positions of use", c, *q.UsefulPositions)
		}
		switch {
		case c.value == "" && q.Setting != nil && q.Setting.Value != "":
			t.Errorf("%+v: set %+v", c, q.Setting)
		case c.value != "" && (q.Setting == nil || !strings.HasPrefix(q.Setting.Value, c.value)):
			t.Errorf("%+v: set %+v", c, q.Setting)
		}
		if c.value == "" && strings.Contains(r.Verdict.Sentence, ": set ") {
			t.Errorf("%+v: %s", c, r.Verdict.Sentence)
		}
	}
}

// A queue of which all that waits is served in time is no error.
func TestPileUpThatIsInTime(t *testing.T) {
	w := newWorld()
	queue := w.linked(900, 500, w.orders(500, 1.5, 1))
	w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 8, "maximumPoolSize": 8})
	for timeout, want := range map[float64]finding.Severity{3: finding.Warning, 1.2: finding.Error} {
		r := Analyze(w.Heap(), Options{Capacity: p(1000.0), Timeout: &timeout})
		if f, ok := rulesOf(r)["HEP-01"]; !ok || f.Severity != want {
			t.Errorf("clients wait for %v s: %+v", timeout, f)
		}
	}
}

// A pool that cannot grow is told to be given threads, and not a queue alone.
func TestGrowthIsAboutThreads(t *testing.T) {
	for most, want := range map[int]string{200: "corePoolSize = 200 ", math.MaxInt32: "corePoolSize = as many "} {
		w := newWorld()
		queue := w.linked(math.MaxInt32, 500, w.orders(500, 20, 1))
		w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 8, "maximumPoolSize": most})
		if f := rulesOf(Analyze(w.Heap(), Options{}))["HEP-08"]; !strings.HasPrefix(f.Remediation, want) {
			t.Errorf("at most %d threads: %q", most, f.Remediation)
		}
	}
}

// A queue that waits for more than its capacity allows is drained more slowly.
func TestDrainedNow(t *testing.T) {
	w := newWorld()
	queue := w.linked(math.MaxInt32, 500, w.orders(500, 20, 1)) // 25/s at most
	w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 8, "maximumPoolSize": 8})
	for capacity, slow := range map[float64]bool{1000: true, 32: true, 30: false, 20: false} {
		q := Analyze(w.Heap(), Options{Capacity: &capacity, Timeout: p(1.0)}).Queues[0]
		if (q.DrainedNow != nil) != slow || slow && math.Abs(*q.DrainedNow-25) > 0.5 {
			t.Errorf("capacity %v/s: %v", capacity, q.DrainedNow)
		}
	}
}

// A collection of the JDK without a limit is told with what to put in its place, and
// one that cannot have a limit with what to do in front of it.
func TestLimitOfClasses(t *testing.T) {
	for class, want := range map[string]way{
		"java.util.concurrent.LinkedBlockingQueue":    {value: "new LinkedBlockingQueue<>(7)"},
		"java.util.concurrent.ArrayBlockingQueue":     {value: "new ArrayBlockingQueue<>(7)"},
		"java.util.concurrent.ConcurrentLinkedQueue":  {note: "put new LinkedBlockingQueue<>(7) in its place"},
		"java.util.ArrayDeque":                        {note: "put new LinkedBlockingQueue<>(7) in its place"},
		"java.util.PriorityQueue":                     {note: "refuse in front of it"},
		"java.util.concurrent.PriorityBlockingQueue":  {note: "refuse in front of it"},
		"java.util.concurrent.ForkJoinPool$WorkQueue": {note: "Semaphore"},
		"org.jboss.threads.EnhancedQueueExecutor":     {},
	} {
		f := &found{class: &heapdump.Class{Name: class}, row: &pattern.Queue{}}
		got := limitOf(f, &Queue{Name: "queue", Unbounded: true}, 7)
		if got.value != want.value || !strings.Contains(got.note, want.note) || got.name == "" {
			t.Errorf("%s: %+v", class, got)
		}
		if got := limitOf(f, &Queue{Name: "queue", Unbounded: true}, 0); got.value != "" || strings.Contains(got.note, "(0)") {
			t.Errorf("%s without a number: %+v", class, got)
		}
	}
}
