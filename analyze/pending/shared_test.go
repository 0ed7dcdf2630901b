package pending

import (
	"testing"

	"example.com/kneeline/heapdump"
)

// Locks that each connection has, among many others of their class, are part of
// its cost; what all share is not.
func TestSharedClasses(t *testing.T) {
	w := newWorld()
	conn := w.Class("app.Connection", w.object, ref("readLock"), ref("writeLock"), ref("config"))
	request := w.Class("app.HttpRequest", w.object, ref("connection"))
	config := w.Class("app.Config", w.object, num("port"))
	w.some(w.object, 700)
	one := w.New(config, nil)
	var requests []heapdump.ID
	for range 1000 {
		c := w.New(conn, map[string]any{"readLock": w.New(w.object, nil), "writeLock": w.New(w.object, nil), "config": one})
		requests = append(requests, w.New(request, map[string]any{"connection": c}))
	}
	queue := w.linked(1<<31-1, 1000, requests)
	w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 8, "maximumPoolSize": 8})
	r := Analyze(w.Heap(), Options{})
	if len(r.Clusters) == 0 {
		t.Fatal("no cluster")
	}
	got := map[string]ClusterClass{}
	for _, c := range r.Clusters[0].Classes {
		got[c.Class] = c
	}
	if c := got["java.lang.Object"]; c.Count != 2000 || c.Each != 2 || c.Bytes != 2000*16 {
		t.Errorf("locks: %+v of %+v", c, r.Clusters[0])
	}
	if _, ok := got["app.Config"]; ok {
		t.Error("what all share is in the cost of one")
	}
	var sum int64
	for _, c := range got {
		sum += c.Bytes
	}
	if sum != r.Clusters[0].Bytes || *r.Queues[0].BytesEach != float64(sum)/1000 {
		t.Errorf("%d bytes in the rows, %d in all, %v each", sum, r.Clusters[0].Bytes, *r.Queues[0].BytesEach)
	}
}
