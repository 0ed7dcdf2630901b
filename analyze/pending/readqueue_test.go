package pending

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// dumped is when the heaps of these tests were dumped.
var dumped = time.UnixMilli(1_760_000_000_000)

// world is a heap with the classes that the tests need.
type world struct {
	*heapdump.Builder
	object, atomic                 *heapdump.Class
	lbq, lbqNode                   *heapdump.Class
	baq, abq, deque, mpsc          *heapdump.Class
	objects, ints                  *heapdump.Class
	qtp, tpe, order, accept, point *heapdump.Class
}

func newWorld() *world {
	w := &world{Builder: heapdump.NewBuilder(dumped)}
	w.object = w.Named("java.lang.Object")
	w.objects, w.ints = w.ArrayClass("java.lang.Object[]", typeObject), w.ArrayClass("int[]", typeInt)
	w.atomic = w.Class("java.util.concurrent.atomic.AtomicInteger", w.object, heapdump.Field{Name: "value", Type: typeInt})
	w.lbqNode = w.Class("java.util.concurrent.LinkedBlockingQueue$Node", w.object, ref("item"), ref("next"))
	w.lbq = w.Class("java.util.concurrent.LinkedBlockingQueue", w.object, num("capacity"), ref("count"), ref("head"), ref("last"))
	w.baq = w.Class("org.eclipse.jetty.util.BlockingArrayQueue", w.object, num("_maxCapacity"), ref("_indexes"), ref("_size"), ref("_elements"))
	w.abq = w.Class("java.util.concurrent.ArrayBlockingQueue", w.object, ref("items"), num("takeIndex"), num("putIndex"), num("count"))
	w.deque = w.Class("java.util.ArrayDeque", w.object, ref("elements"), num("head"), num("tail"))
	base := w.Class("org.jctools.queues.BaseMpscLinkedArrayQueue", w.object, ref("consumerBuffer"), long("consumerIndex"), long("producerIndex"))
	w.mpsc = w.Class("org.jctools.queues.MpscUnboundedArrayQueue", base)
	w.qtp = w.Class("org.eclipse.jetty.util.thread.QueuedThreadPool", w.object, ref("_jobs"), ref("_name"), num("_maxThreads"), num("_minThreads"))
	w.tpe = w.Class("java.util.concurrent.ThreadPoolExecutor", w.object, ref("workQueue"), ref("ctl"), num("corePoolSize"), num("maximumPoolSize"))
	w.order = w.Class("shop.Order", w.object, long("createdAt"), num("id"))
	w.accept = w.Class("org.eclipse.jetty.io.ManagedSelector$Accept", w.object, ref("channel"))
	w.point = w.Class("geo.Point", w.object, num("x"))
	return w
}

func ref(name string) heapdump.Field  { return heapdump.Field{Name: name, Type: typeObject} }
func num(name string) heapdump.Field  { return heapdump.Field{Name: name, Type: typeInt} }
func long(name string) heapdump.Field { return heapdump.Field{Name: name, Type: typeLong} }

// some adds n objects of a class.
func (w *world) some(c *heapdump.Class, n int) []heapdump.ID {
	ids := make([]heapdump.ID, n)
	for i := range ids {
		ids[i] = w.New(c, nil)
	}
	return ids
}

// linked adds a LinkedBlockingQueue, whose first node is empty.
func (w *world) linked(capacity, count int, items []heapdump.ID) heapdump.ID {
	var next heapdump.ID
	for _, id := range slices.Backward(items) {
		next = w.New(w.lbqNode, map[string]any{"item": id, "next": next})
	}
	head := w.New(w.lbqNode, map[string]any{"next": next})
	return w.New(w.lbq, map[string]any{"capacity": capacity, "head": head, "count": w.New(w.atomic, map[string]any{"value": count})})
}

// jetty adds a BlockingArrayQueue of some length with items from head on.
func (w *world) jetty(capacity, length, head int, items []heapdump.ID) heapdump.ID {
	slots := make([]heapdump.ID, length)
	for i, id := range items {
		slots[(head+i)%length] = id
	}
	indexes := make([]int64, 32)
	indexes[15], indexes[31] = int64(head), int64((head+len(items))%length)
	return w.New(w.baq, map[string]any{
		"_maxCapacity": capacity, "_elements": w.Array(w.objects, slots...), "_indexes": w.Prim(w.ints, indexes...),
		"_size": w.New(w.atomic, map[string]any{"value": len(items)}),
	})
}

// read reads one queue by the built-in table.
func (w *world) read(id heapdump.ID) found {
	h := w.Heap()
	in, ok := h.Instance(id)
	if !ok {
		panic("no such queue")
	}
	return readQueue(h, in, pattern.Builtin().Queue(line(h, in.Class.Index)), newTrail(h))
}

func TestRingsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		length := rapid.IntRange(1, 200).Draw(t, "length")
		n := rapid.IntRange(0, length).Draw(t, "n")
		head := rapid.IntRange(0, length-1).Draw(t, "head")
		items := w.some(w.order, n)
		slots := make([]heapdump.ID, length)
		for i, id := range items {
			slots[(head+i)%length] = id
		}
		array := w.Array(w.objects, slots...)
		for name, id := range map[string]heapdump.ID{
			"ArrayBlockingQueue": w.New(w.abq, map[string]any{"items": array, "takeIndex": head, "count": n}),
			"BlockingArrayQueue": w.jetty(1<<20, length, head, items),
			"ArrayDeque":         w.New(w.deque, map[string]any{"elements": array, "head": head, "tail": (head + n) % length}),
		} {
			f := w.read(id)
			if f.n != int64(n) || !slices.Equal(f.ids, items) && n > 0 {
				t.Fatalf("%s of %d from %d in %d slots: read %d, in order %v", name, n, head, length, f.n, slices.Equal(f.ids, items))
			}
			if f.count != nil && *f.count != int64(n) {
				t.Fatalf("%s: count field %d, want %d", name, *f.count, n)
			}
		}
	})
}

// A model of Jetty's queue: elements move when it grows.
func TestJettyQueueThroughItsLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		slots, head, size := make([]heapdump.ID, 8), 0, 0
		var model []heapdump.ID
		for range rapid.IntRange(0, 300).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "poll") == 0 && size > 0 {
				slots[head], head, size = 0, (head+1)%len(slots), size-1
				model = model[1:]
				continue
			}
			if size == len(slots) {
				grown := make([]heapdump.ID, len(slots)+8)
				copy(grown, append(slices.Clone(slots[head:]), slots[:head]...))
				slots, head = grown, 0
			}
			id := w.New(w.order, nil)
			slots[(head+size)%len(slots)], size = id, size+1
			model = append(model, id)
		}
		indexes := make([]int64, 32)
		indexes[15] = int64(head)
		f := w.read(w.New(w.baq, map[string]any{"_maxCapacity": 4096, "_elements": w.Array(w.objects, slots...), "_indexes": w.Prim(w.ints, indexes...),
			"_size": w.New(w.atomic, map[string]any{"value": size})}))
		if f.n != int64(len(model)) || !slices.Equal(f.ids, model) && len(model) > 0 {
			t.Fatalf("read %d of %d", f.n, len(model))
		}
		if f.capacity == nil || *f.capacity != 4096 {
			t.Fatalf("capacity %v", f.capacity)
		}
	})
}

func TestChainsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		items := w.some(w.order, rapid.IntRange(0, 300).Draw(t, "n"))
		f := w.read(w.linked(1<<31-1, len(items), items))
		if f.n != int64(len(items)) || !slices.Equal(f.ids, items) && len(items) > 0 || !f.unbounded || f.cut != "" {
			t.Fatalf("read %d of %d, unbounded %v, cut %q", f.n, len(items), f.unbounded, f.cut)
		}
	})
}

// A model of the queue of JCTools: arrays of a fixed length that lead to the
// next one.
func TestChunksInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		size := 1 << rapid.IntRange(1, 6).Draw(t, "size")
		consumed, n := rapid.IntRange(0, 100).Draw(t, "consumed"), rapid.IntRange(0, 300).Draw(t, "n")
		items := w.some(w.order, n)
		jump := w.New(w.object, nil)
		// The producer fills all slots of an array but one, which sends the consumer
		// to the next array.
		chunks := [][]heapdump.ID{make([]heapdump.ID, size+1)}
		first, used := 0, 0
		for at := range consumed + n {
			slot := at % size
			last := chunks[len(chunks)-1]
			if at == consumed {
				first = len(chunks) - 1
			}
			id := heapdump.ID(0)
			if at >= consumed {
				id = items[at-consumed]
			}
			if used++; used == size {
				used = 1
				fresh := make([]heapdump.ID, size+1)
				fresh[slot] = id
				last[slot] = jump
				chunks = append(chunks, fresh)
				continue
			}
			last[slot] = id
		}
		if n == 0 {
			first = len(chunks) - 1
		}
		var next heapdump.ID
		var buffer heapdump.ID
		for i := len(chunks) - 1; i >= first; i-- {
			chunks[i][size] = next
			next = w.Array(w.objects, chunks[i]...)
			buffer = next
		}
		f := w.read(w.New(w.mpsc, map[string]any{"consumerBuffer": buffer, "consumerIndex": int64(2 * consumed), "producerIndex": int64(2 * (consumed + n))}))
		if f.n != int64(n) || !slices.Equal(f.ids, items) && n > 0 || f.cut != "" {
			t.Fatalf("read %d of %d, cut %q", f.n, n, f.cut)
		}
	})
}

func TestSampleIsEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := entries{max: rapid.IntRange(1, 50).Draw(t, "max")}
		n := rapid.Int64Range(0, 1000).Draw(t, "n")
		for i := range n {
			e.add(heapdump.ID(i + 1))
		}
		if e.n != n || len(e.ids) > e.max || n > 0 && int64(len(e.ids)) != (n+e.step-1)/e.step {
			t.Fatalf("%d of %d in steps of %d, at most %d", len(e.ids), e.n, e.step, e.max)
		}
		for i, id := range e.ids {
			if int64(id) != int64(i)*e.step+1 {
				t.Fatalf("entry %d is %d in steps of %d", i, id, e.step)
			}
		}
	})
}

func TestHostileQueues(t *testing.T) {
	w := newWorld()
	a := w.New(w.lbqNode, map[string]any{"item": w.New(w.order, nil)})
	b := w.New(w.lbqNode, map[string]any{"item": w.New(w.order, nil), "next": a})
	w.Set(a, "next", b)
	circle := w.New(w.lbq, map[string]any{"head": b, "capacity": 5})
	if f := w.read(circle); f.cut == "" || f.n != 0 {
		t.Errorf("a circle: %d entries, cut %q", f.n, f.cut)
	}
	gone := w.New(w.lbq, map[string]any{"head": heapdump.ID(0xdead)})
	if f := w.read(gone); f.cut == "" || f.n != 0 {
		t.Errorf("a node that is not there: %+v", f.entries)
	}
	for _, head := range []int{-1 << 31, -7, 1<<31 - 1} {
		items := w.some(w.order, 3)
		f := w.read(w.New(w.abq, map[string]any{"items": w.Array(w.objects, append(make([]heapdump.ID, 120), items...)...), "takeIndex": head, "count": 3}))
		if f.n != 3 {
			t.Errorf("head %d: %d entries", head, f.n)
		}
	}
	for _, index := range [][2]int64{{-4, 9}, {0, 1 << 62}, {10, 2}} {
		q := w.New(w.mpsc, map[string]any{"consumerBuffer": w.Array(w.objects, make([]heapdump.ID, 5)...), "consumerIndex": index[0], "producerIndex": index[1]})
		if f := w.read(q); f.cut == "" {
			t.Errorf("indices %v were believed: %d", index, f.n)
		}
	}
	self := w.New(w.lbqNode, map[string]any{"item": w.New(w.order, nil)})
	w.Set(self, "next", self)
	if f := w.read(w.New(w.lbq, map[string]any{"head": self})); f.n != 1 || f.cut != "" {
		t.Errorf("a node that was taken out: %d entries, cut %q", f.n, f.cut)
	}
}

func TestSampledArray(t *testing.T) {
	refs := make([]heapdump.ID, 1000)
	for i := range refs {
		if i < 600 {
			refs[i] = heapdump.ID(i + 1)
		}
	}
	a := heapdump.Array{Length: 8000, Filled: 4800, Refs: refs, Step: 8}
	var e entries
	readRing(a, 80, &e)
	if e.n != 4800 || !e.sampled || e.step != 8 || e.ids[0] != 11 {
		t.Errorf("n %d, sampled %v, step %d, first %d", e.n, e.sampled, e.step, e.ids[0])
	}
}

func TestFieldPaths(t *testing.T) {
	w := newWorld()
	base := w.Class("a.Base", w.object, ref("name"))
	pool := w.Class("a.Pool", base, ref("name"), ref("array"))
	id := w.New(pool, map[string]any{"a.Base#name": w.Text("base"), "name": w.Text("pool"), "array": w.Array(w.objects, make([]heapdump.ID, 7)...)})
	h := w.Heap()
	for path, want := range map[string]string{"name": "pool", "Base#name": "base", "Pool#name": "pool", "nothing": "", "array.length": ""} {
		if got := textAt(h, id, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if n, ok := numberAt(h, id, "array.length"); !ok || n != 7 {
		t.Errorf("length %d, %v", n, ok)
	}
	if _, ok := numberAt(h, id, "name"); ok {
		t.Error("a reference was read as a number")
	}
	if s := fmt.Sprint(line(h, pool.Index)); s != "[a.Pool a.Base java.lang.Object]" {
		t.Error(s)
	}
}
