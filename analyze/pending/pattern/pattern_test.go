package pattern

import (
	"strings"
	"testing"

	"example.com/kneeline/internal/fault"
)

func TestBuiltin(t *testing.T) {
	tab := Builtin()
	if len(tab.Queues) < 20 || len(tab.Owners) < 20 || len(tab.Items) < 20 || len(tab.Limits) < 10 || len(tab.Plain) < 5 {
		t.Fatalf("table has %d queues, %d owners, %d items, %d limits, %d plain", len(tab.Queues), len(tab.Owners), len(tab.Items), len(tab.Limits), len(tab.Plain))
	}
	for _, q := range tab.Queues {
		if q.Source == "" || q.Unbounded == (q.Capacity != "") {
			t.Errorf("%s: capacity %q, unbounded %v, source %q: expected one of capacity and unbounded", q.Class, q.Capacity, q.Unbounded, q.Source)
		}
	}
}

func TestNearestClassWins(t *testing.T) {
	tab := Builtin()
	line := []string{"org.apache.tomcat.util.threads.TaskQueue", "java.util.concurrent.LinkedBlockingQueue", "java.util.AbstractQueue"}
	if q := tab.Queue(line); q == nil || q.Kind != Linked || q.First[0] != "head" {
		t.Errorf("TaskQueue: %+v", q)
	}
	mpsc := []string{"io.netty.util.internal.shaded.org.jctools.queues.MpscUnboundedArrayQueue", "io.netty.util.internal.shaded.org.jctools.queues.BaseMpscLinkedArrayQueue"}
	if q := tab.Queue(mpsc); q == nil || q.Kind != Chunks || !q.Unbounded {
		t.Errorf("Mpsc: %+v", q)
	}
	chunked := []string{"org.jctools.queues.MpscChunkedArrayQueue", "org.jctools.queues.MpscChunkedArrayQueueColdProducerFields", "org.jctools.queues.BaseMpscLinkedArrayQueue"}
	if q := tab.Queue(chunked); q == nil || q.Capacity == "" {
		t.Errorf("chunked: %+v", q)
	}
	if q := tab.Queue([]string{"shop.Order", "java.lang.Object"}); q != nil {
		t.Errorf("an order is a queue: %+v", q)
	}
	more, err := Parse("own.yaml", []byte("queues:\n- {name: own, class: java.util.concurrent.LinkedBlockingQueue, kind: linked, first: a, next: b, source: ours}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if q := tab.With(more).Queue(line); q == nil || q.First[0] != "a" {
		t.Errorf("the user's row was not found first: %+v", q)
	}
	if n := len(tab.OwnersOf([]string{"org.eclipse.jetty.io.ManagedSelector"})); n != 2 {
		t.Errorf("%d owners", n)
	}
}

func TestMatcher(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a.B", "a.B", true}, {"a.B", "a.Bc", false},
		{"a.*", "a.b.C", true}, {"*B", "a.B", true}, {"*B", "a.C", false},
		{"a*b*c", "a1b2c", true}, {"a*b*c", "ac", false}, {"a*b*b", "ab", false}, {"ab*ba", "aba", false},
	} {
		if got := newMatcher(c.pattern).matches(c.name); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.name, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const row = "- {name: n, class: c, kind: ring, array: a, head: h, source: s"
	for _, c := range []struct{ text, want, hint string }{
		{"queus: []", `f.yaml:1: unknown section "queus"`, `did you mean "queues"?`},
		{"queues:\n" + row + ", cont: x}", `f.yaml:2: unknown key of a queue "cont"`, `did you mean "count"?`},
		{"queues:\n- {name: n, class: c, kind: rin, array: a, head: h, source: s}", `f.yaml:2: "kind": expected one of`, `did you mean "ring"?`},
		{"queues:\n- {class: c, kind: count, count: a, source: s}", `f.yaml:2: a queue: expected the key "name", found none`, ""},
		{"queues:\n- {name: n, class: c, kind: ring, array: a, source: s}", `f.yaml:2: a queue of kind ring: expected the key "head" or "indexes"`, ""},
		{"queues:\n- {name: n, class: c, kind: linked, first: a, source: s}", `f.yaml:2: a queue of kind linked: expected the key "next"`, ""},
		{"queues:\n- {name: n, class: a/b, kind: count, count: a, source: s}", `expected a name with dots, found "a/b"`, "write a.b"},
		{"queues:\n- {name: n, class: \"*\", kind: count, count: a, source: s}", `expected a class name, found "*"`, ""},
		{"queues:\n- {name: n, class: c, kind: count, count: a..b, source: s}", `expected field names joined by dots`, ""},
		{"queues:\n" + row + ", unbounded: maybe}", `expected true or false, found "maybe"`, ""},
		{"queues:\n" + row + ", head: x}", `"head" is set a second time`, ""},
		{"queues:\n- x", `expected a row of 'name: value', found "x"`, ""},
		{"queues: 3", `queues: expected a list of rows, found "3"`, ""},
		{"- x", `expected sections such as 'queues:', found a list`, ""},
		{"a: [", "f.yaml: not valid YAML", ""},
		{"plain: []\n---\nplain: []", "expected a single YAML document", ""},
		{"items:\n- {class: [a], means: b, source: c}", `f.yaml:2: "class": expected a value, found a list`, ""},
		{strings.Repeat("#", MaxFileSize+1), "expected at most", ""},
	} {
		_, err := Parse("f.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %q", c.text, err, c.want)
			continue
		}
		if c.hint != "" && fault.HintOf(err) != c.hint {
			t.Errorf("%.60q: hint %q, want %q", c.text, fault.HintOf(err), c.hint)
		}
	}
	for _, empty := range []string{"", "# nothing\n", "null\n"} {
		if tab, err := Parse("f.yaml", []byte(empty)); err != nil || len(tab.Queues) != 0 {
			t.Errorf("%q: %v", empty, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("queues:\n- {name: n, class: 'c*', kind: count, count: a, source: s}\n"))
	f.Add([]byte("items:\n- {class: c, means: m, ages: [a.b, c], source: s}\nplain:\n- {class: a, why: b, source: c}\n"))
	f.Add([]byte("a: &x [*x]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tab, err := Parse("f", data)
		if (tab == nil) == (err == nil) {
			t.Fatalf("table %v, error %v", tab, err)
		}
		if err == nil {
			tab.Queue([]string{string(data), "c1"})
		}
	})
}
