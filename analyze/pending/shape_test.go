package pending

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

var shapeTaken = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// store builds heaps for these tests: orders with a stamp, and what holds them.
type store struct {
	*heapdump.Builder
	object, order *heapdump.Class
	array         *heapdump.Class
}

func newStore() *store {
	b := heapdump.NewBuilder(shapeTaken)
	object := b.Named("java.lang.Object")
	return &store{
		Builder: b, object: object,
		order: b.Class("shop.Order", object, heapdump.Field{Name: "createdAt", Type: typeLong}, heapdump.Field{Name: "customer", Type: typeInt}),
		array: b.ArrayClass("java.lang.Object[]", typeObject),
	}
}

// orders adds n orders that came evenly between two ages.
func (s *store) orders(n int, head, tail time.Duration) []heapdump.ID {
	ids := make([]heapdump.ID, n)
	for i := range ids {
		age := head - time.Duration(int64(head-tail)*int64(i)/int64(n-1))
		ids[i] = s.New(s.order, map[string]any{"createdAt": shapeTaken.Add(-age).UnixMilli(), "customer": i})
	}
	return ids
}

// ring adds a ring buffer of that many places that holds ids from head on.
func (s *store) ring(class, headField string, places, head int, ids []heapdump.ID) heapdump.ID {
	c := s.Named(class)
	if c == nil {
		c = s.Class(class, s.object, heapdump.Field{Name: "slots", Type: typeObject},
			heapdump.Field{Name: headField, Type: typeInt}, heapdump.Field{Name: "filled", Type: typeInt})
	}
	slots := make([]heapdump.ID, places)
	for i, id := range ids {
		slots[(head+i)%places] = id
	}
	return s.New(c, map[string]any{"slots": s.Array(s.array, slots...), headField: head, "filled": len(ids)})
}

// chain adds a linked list with both ends, a count and a limit.
func (s *store) chain(ids []heapdump.ID, limit int) heapdump.ID {
	link := s.Class("shop.Link", s.object, heapdump.Field{Name: "order", Type: typeObject}, heapdump.Field{Name: "next", Type: typeObject})
	queue := s.Class("shop.OrderLine", s.object, heapdump.Field{Name: "first", Type: typeObject}, heapdump.Field{Name: "last", Type: typeObject},
		heapdump.Field{Name: "size", Type: typeInt}, heapdump.Field{Name: "maxSize", Type: typeInt})
	var first, last heapdump.ID
	for _, id := range ids {
		n := s.New(link, map[string]any{"order": id})
		if last == 0 {
			first = n
		} else {
			s.Set(last, "next", n)
		}
		last = n
	}
	return s.New(queue, map[string]any{"first": first, "last": last, "size": len(ids), "maxSize": limit})
}

// work adds threads that are in a method of a class.
func (s *store) work(class string, n int) {
	for i := range n {
		s.Thread(heapdump.Thread{Name: fmt.Sprintf("worker-%d", i), Frames: []heapdump.Frame{
			{Class: "java.util.concurrent.CountDownLatch", Method: "await"}, {Class: class, Method: "run"}, {Class: "java.lang.Thread", Method: "run"},
		}})
	}
}

func shapesOf(b *store) []shape { return findShapes(b.Heap(), pattern.Builtin()) }

func TestOwnRing(t *testing.T) {
	for _, tt := range []struct {
		name         string
		places, head int
		n            int
		field        string
	}{
		{"goes round the end", 16_384, 6_000, 12_000, "next"},
		{"begins with the array", 16_384, 0, 12_000, "head"},
		{"full", 4_096, 700, 4_096, "takeFrom"},
		{"a field whose name says nothing", 1_024, 300, 500, "p"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore()
			ids := s.orders(tt.n, 30*time.Second, time.Second)
			ring := s.ring("shop.OrderRing", tt.field, tt.places, tt.head, ids)
			s.work("shop.Order", 4)
			got := shapesOf(s)
			if len(got) != 1 {
				t.Fatalf("%d shapes, want 1", len(got))
			}
			q := got[0]
			if q.id != ring || q.n != int64(tt.n) || q.kind != KindRing || q.capacity == nil || *q.capacity != int64(tt.places) {
				t.Errorf("got %+v", q.found)
			}
			if q.count == nil || *q.count != int64(tt.n) {
				t.Errorf("count is %v, want %d", q.count, tt.n)
			}
			if q.ids[0] != ids[0] || q.ids[len(q.ids)-1] != ids[tt.n-1] {
				t.Error("not read from its head on")
			}
			if !q.requests() || q.confidence() != ConfidenceMedium {
				t.Errorf("not taken for work: %q", q.why)
			}
			h := s.Heap()
			a := agesOf(h, calibrated(h), pattern.Builtin(), &q.entries).age()
			if a == nil || a.Head < 29.9 || a.Head > 30.1 || a.Tail < 0.9 || a.Tail > 1.1 || a.Source != "shop.Order#createdAt" {
				t.Errorf("age is %+v", a)
			}
		})
	}
}

func TestOwnChain(t *testing.T) {
	s := newStore()
	ids := s.orders(15_000, 25*time.Second, 0)
	line := s.chain(ids, 50_000)
	s.work("shop.Order", 3)
	got := shapesOf(s)
	if len(got) != 1 {
		t.Fatalf("%d shapes, want 1", len(got))
	}
	q := got[0]
	if q.id != line || q.n != 15_000 || q.kind != KindLinked || q.capacity == nil || *q.capacity != 50_000 || q.count == nil {
		t.Errorf("got %+v", q.found)
	}
	if q.payload != s.order || !q.requests() {
		t.Errorf("payload %v, requests %v", q.payload.Name, q.requests())
	}
}

// TestStaticChain has its ends and its count in static fields.
func TestStaticChain(t *testing.T) {
	for _, both := range []bool{true, false} {
		s := newStore()
		line := s.chain(s.orders(1_000, 25*time.Second, 0), 0)
		h := s.Heap()
		in, _ := h.Instance(line)
		first, _ := in.Ref("first")
		last, _ := in.Ref("last")
		s.Set(line, "first", 0)
		s.Set(line, "last", 0)
		main := s.Class("shop.Main", s.object)
		main.Statics = append(main.Statics, heapdump.Static{Name: "head", Type: typeObject, Value: uint64(first)})
		if both {
			main.Statics = append(main.Statics, heapdump.Static{Name: "tail", Type: typeObject, Value: uint64(last)},
				heapdump.Static{Name: "waiting", Type: typeInt, Value: 1_000})
		}
		s.work("shop.Order", 3)
		got := shapesOf(s)
		if !both {
			if len(got) != 0 {
				t.Errorf("a list with a head alone is a queue: %+v", got)
			}
			continue
		}
		if len(got) != 1 || got[0].n != 1_000 || !got[0].requests() || got[0].owner.class != main || got[0].owner.field != "head" {
			t.Errorf("got %+v", got)
		}
	}
}

// TestIdleQueue has nobody at work on its entries: its name and the ages of its
// entries tell, and neither does alone.
func TestIdleQueue(t *testing.T) {
	for _, tt := range []struct {
		class      string
		head, tail time.Duration
		want       bool
	}{
		{"shop.OrderQueue", 20 * time.Second, time.Second, true},
		{"shop.OrderQueue", 2 * time.Hour, 2*time.Hour - time.Minute, false}, // filled at once
		{"shop.OrderBuffer", 20 * time.Second, time.Second, false},
		{"shop.MetricQueue", 20 * time.Second, time.Second, false},
	} {
		s := newStore()
		s.ring(tt.class, "head", 2_048, 30, s.orders(1_500, tt.head, tt.tail))
		got := shapesOf(s)
		if len(got) != 1 || got[0].requests() != tt.want {
			t.Errorf("%s, head %v, tail %v: %+v", tt.class, tt.head, tt.tail, got)
		}
	}
}

// TestChainInACircle ends, and says that it did not reach an end.
func TestChainInACircle(t *testing.T) {
	s := newStore()
	ids := s.orders(500, 25*time.Second, 0)
	line := s.chain(ids, 50_000)
	h := s.Heap()
	in, _ := h.Instance(line)
	first, _ := in.Ref("first")
	last, _ := in.Ref("last")
	node, _ := h.Instance(first)
	second, _ := node.Ref("next")
	s.Set(last, "next", second) // not back to the first, which would be a ring of nodes
	w := chainWalker{h: h, left: 5_000, tried: map[int]int{}}
	cc, ok := chainOf(h, node.Class)
	if !ok {
		t.Fatal("no chain")
	}
	var q shape
	w.read(&q, first, cc)
	if q.cut == "" || q.n > 5_000 || w.left > 0 {
		t.Errorf("read %d entries, cut %q, %d steps left", q.n, q.cut, w.left)
	}
}

// TestControls holds what has the shape of a queue, or nearly, and is none.
func TestControls(t *testing.T) {
	for name, build := range map[string]func(s *store){
		"a ring that is a history": func(s *store) {
			s.ring("shop.RecentOrders", "next", 4_096, 77, s.orders(4_096, time.Hour, 0))
			s.work("shop.Order", 4)
		},
		"a ring that nobody works on": func(s *store) {
			s.ring("shop.Samples", "next", 4_096, 77, s.orders(4_000, time.Hour, 0))
		},
		"a list with a count": func(s *store) {
			c := s.Class("shop.Batch", s.object, heapdump.Field{Name: "rows", Type: typeObject}, heapdump.Field{Name: "size", Type: typeInt},
				heapdump.Field{Name: "position", Type: typeInt})
			ids := s.orders(5_000, time.Hour, 0)
			s.New(c, map[string]any{"rows": s.Array(s.array, append(ids, make([]heapdump.ID, 3_000)...)...), "size": 5_000, "position": 1_234})
			s.work("shop.Order", 1)
		},
		"a hash table with a list through its entries": func(s *store) {
			entry := s.Class("shop.LruEntry", s.object, heapdump.Field{Name: "value", Type: typeObject}, heapdump.Field{Name: "next", Type: typeObject})
			table := s.ArrayClass("shop.LruEntry[]", typeObject)
			cache := s.Class("shop.Lru", s.object, heapdump.Field{Name: "table", Type: typeObject}, heapdump.Field{Name: "head", Type: typeObject},
				heapdump.Field{Name: "tail", Type: typeObject}, heapdump.Field{Name: "count", Type: typeInt})
			slots := make([]heapdump.ID, 1_024)
			var before heapdump.ID
			for i, id := range s.orders(1_000, time.Hour, 0) {
				slots[i] = s.New(entry, map[string]any{"value": id, "next": before})
				before = slots[i]
			}
			s.New(cache, map[string]any{"table": s.Array(table, slots...), "head": before, "tail": slots[0], "count": 1_000})
			s.work("shop.Order", 4)
		},
		"a tree": func(s *store) {
			node := s.Class("shop.TreeNode", s.object, heapdump.Field{Name: "order", Type: typeObject}, heapdump.Field{Name: "left", Type: typeObject},
				heapdump.Field{Name: "right", Type: typeObject}, heapdump.Field{Name: "parent", Type: typeObject})
			tree := s.Class("shop.OrderTree", s.object, heapdump.Field{Name: "root", Type: typeObject}, heapdump.Field{Name: "size", Type: typeInt})
			ids := s.orders(1_000, time.Hour, 0)
			nodes := make([]heapdump.ID, len(ids))
			for i := len(ids) - 1; i >= 0; i-- {
				nodes[i] = s.New(node, map[string]any{"order": ids[i]})
				for k, field := range []string{"left", "right"} {
					if c := 2*i + 1 + k; c < len(ids) {
						s.Set(nodes[i], field, nodes[c])
						s.Set(nodes[c], "parent", nodes[i])
					}
				}
			}
			s.New(tree, map[string]any{"root": nodes[0], "size": 1_000})
			s.work("shop.Order", 4)
		},
		"a pool of buffers": func(s *store) {
			bytes := s.Named("byte[]")
			ids := make([]heapdump.ID, 2_000)
			for i := range ids {
				ids[i] = s.Prim(bytes, 0)
			}
			s.ring("shop.BufferQueue", "head", 4_096, 9, ids)
		},
		"an index of texts": func(s *store) {
			ids := make([]heapdump.ID, 2_000)
			for i := range ids {
				ids[i] = s.Text(fmt.Sprint(i))
			}
			s.ring("shop.TaskQueue", "head", 4_096, 9, ids)
		},
		"entries of many classes": func(s *store) {
			ids := s.orders(500, time.Minute, 0)
			for i := range 1_500 {
				ids = append(ids, s.New(s.Class(fmt.Sprintf("shop.C%d", i%5), s.object), nil))
			}
			s.ring("shop.TaskQueue", "head", 4_096, 9, ids)
		},
		"too few": func(s *store) {
			s.ring("shop.TaskQueue", "head", 4_096, 9, s.orders(90, time.Minute, 0))
			s.work("shop.Order", 4)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore()
			build(s)
			for _, q := range shapesOf(s) {
				if q.requests() {
					t.Errorf("%d entries of %s taken for work: %s", q.n, q.class.Name, q.why)
				}
			}
		})
	}
}

// TestRingProperty: whatever the size, the head and the fill, a ring is read in
// order.
func TestRingProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(minShape, 600).Draw(t, "places")
		n := rapid.IntRange(minShape, places).Draw(t, "entries")
		head := rapid.IntRange(0, places-1).Draw(t, "head")
		s := newStore()
		ids := s.orders(n, time.Minute, 0)
		s.ring("shop.OrderRing", "head", places, head, ids)
		got := shapesOf(s)
		if len(got) != 1 || got[0].n != int64(n) || got[0].kind != KindRing {
			t.Fatalf("got %+v", got)
		}
		for i, id := range got[0].ids {
			if id != ids[i] {
				t.Fatalf("entry %d is not in its place", i)
			}
		}
	})
}

// TestNoiseProperty: objects that refer to each other at random are no queue of
// work, and are gone through without trouble.
func TestNoiseProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s := newStore()
		var classes []*heapdump.Class
		for i := range 4 {
			classes = append(classes, s.Class(fmt.Sprintf("noise.C%d", i), s.object, heapdump.Field{Name: "next", Type: typeObject},
				heapdump.Field{Name: "head", Type: typeInt}, heapdump.Field{Name: "array", Type: typeObject}, heapdump.Field{Name: "size", Type: typeLong}))
		}
		ids := s.orders(150, time.Minute, 0)
		for range 600 {
			ids = append(ids, s.New(classes[rng.IntN(4)], map[string]any{
				"next": ids[rng.IntN(len(ids))], "array": ids[rng.IntN(len(ids))], "head": rng.IntN(900), "size": rng.Int64(),
			}))
		}
		slots := make([]heapdump.ID, 400)
		for i := range slots {
			if rng.IntN(3) > 0 {
				slots[i] = ids[rng.IntN(len(ids))]
			}
		}
		s.Set(ids[200], "array", s.Array(s.array, slots...))
		for _, q := range shapesOf(s) {
			if q.requests() {
				t.Errorf("%s of %d taken for work: %s", q.class.Name, q.n, q.why)
			}
		}
	})
}

func TestWordsOf(t *testing.T) {
	for name, want := range map[string]string{
		"shop.HTTPRequestQueue": "[http request queue]", "a.b.OrderRing$Slot2": "[order ring slot]", "_maxSize": "[max size]", "takeIndex": "[take index]",
	} {
		if got := fmt.Sprint(wordsOf(name)); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestIsWrapper(t *testing.T) {
	s := newStore()
	ref, long := heapdump.Field{Name: "order", Type: typeObject}, heapdump.Field{Name: "at", Type: typeLong}
	for want, classes := range map[bool][]*heapdump.Class{
		true: {
			s.Class("shop.Priced", s.object, ref), s.Class("shop.App$$Lambda$14+0x00007f0000c01000", s.object, ref, ref),
			s.Class("java.util.concurrent.FutureTask", s.object, ref, ref, ref, ref),
		},
		false: {
			s.Class("shop.Empty", s.object), s.Class("shop.Stamped", s.object, ref, long), s.Class("shop.Bean", s.object, ref, ref, ref),
			s.Class("java.util.Optional", s.object, ref), s.Class("scala.collection.immutable.$colon$colon", s.object, ref, ref), s.array,
		},
	} {
		for _, c := range classes {
			if got := isWrapper(s.Heap(), c.Index); got != want {
				t.Errorf("%s: %v", c.Name, got)
			}
		}
	}
}
