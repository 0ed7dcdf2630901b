package pending

import "testing"

// A pool for timers has a fixed number of threads and no limit to its queue, as
// it should.
func TestTimersNeedNoGrowth(t *testing.T) {
	w := newWorld()
	timers := w.Class("java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue", w.object, ref("queue"), num("size"))
	scheduled := w.Class("java.util.concurrent.ScheduledThreadPoolExecutor", w.tpe)
	slots := w.Array(w.objects, w.orders(500, 20, 1)...)
	queue := w.New(timers, map[string]any{"queue": slots, "size": 500})
	w.New(scheduled, map[string]any{"workQueue": queue, "corePoolSize": 1, "maximumPoolSize": 1<<31 - 1})
	r := Analyze(w.Heap(), Options{})
	if len(r.Queues) != 1 || r.Queues[0].Entries != 500 || r.Queues[0].Owner == "" {
		t.Fatalf("the queue of timers was not read: %+v", r.Queues)
	}
	if r.Verdict.Answer == PileUp || len(r.Findings) > 0 {
		t.Errorf("%s: %+v", r.Verdict.Answer, r.Findings)
	}
}
