package heapdump

import (
	"testing"
	"time"
)

func TestBuilderChain(t *testing.T) {
	b := NewBuilder(time.UnixMilli(1e12))
	object := b.Named("java.lang.Object")
	base := b.Class("p.Base", object, Field{"name", 2}, Field{"n", 10})
	node := b.Class("p.Node", base, Field{"next", 2}, Field{"name", 2}, Field{"done", 4})
	text := b.Text("main")
	last := b.New(node, map[string]any{"n": -7, "done": true, "p.Base#name": text})
	first := b.New(node, map[string]any{"next": last})
	h := b.Heap()

	in, ok := h.Instance(last)
	if !ok || in.Class != node {
		t.Fatalf("Instance(last) = %v, %v", in, ok)
	}
	if n, ok := in.Int("n"); n != -7 || !ok {
		t.Errorf("n = %d, %v", n, ok)
	}
	if v, ok := in.Bool("done"); !v || !ok {
		t.Errorf("done = %v, %v", v, ok)
	}
	if id, ok := in.Ref("name"); id != 0 || !ok {
		t.Errorf("the nearest name is %v, %v, want null", id, ok)
	}
	id, _ := in.Ref("p.Base#name")
	if s, ok := h.Text(id); s != "main" || !ok {
		t.Errorf("text = %q, %v", s, ok)
	}
	if _, ok := in.Ref("n"); ok {
		t.Error("an int was taken for a reference")
	}
	if _, ok := in.Ref("absent"); ok {
		t.Error("a field that does not exist was found")
	}
	var seen []ID
	n, ended := h.Walk(first, "next", 10, func(in Instance) bool { seen = append(seen, in.ID); return true })
	if n != 2 || !ended || len(seen) != 2 || seen[1] != last {
		t.Errorf("walk: %d items, ended %v: %v", n, ended, seen)
	}
	b.Set(last, "next", first)
	if n, ended := h.Walk(first, "next", 10, func(Instance) bool { return true }); n != 10 || ended {
		t.Errorf("walk of a circle: %d items, ended %v", n, ended)
	}
	if !h.IsA(node.Index, "java.lang.Object") || h.IsA(node.Index, "java.lang.String") {
		t.Error("IsA does not follow superclasses")
	}
	if node.Instances != 2 || h.Objects != 4 {
		t.Errorf("%d nodes of %d objects, want 2 of 4", node.Instances, h.Objects)
	}
}

func TestSupersInCircle(t *testing.T) {
	h := &Heap{Classes: []*Class{{Name: "A", Super: 1}, {Name: "B", Super: 0}}}
	h.Seal()
	if h.IsA(0, "C") {
		t.Error("A is no C")
	}
	if got := len(h.AllFields(0)); got != 0 {
		t.Errorf("%d fields", got)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		raw, name, display string
		hidden             bool
	}{
		{"java/util/HashMap$Node", "java.util.HashMap$Node", "java.util.HashMap$Node", false},
		{"[[J", "long[][]", "long[][]", false},
		{"[Ljava/lang/String;", "java.lang.String[]", "java.lang.String[]", false},
		{"java.lang.String[]", "java.lang.String[]", "java.lang.String[]", false},
		{"a/B$$Lambda$52+0x00007f10", "a.B$$Lambda$52+0x00007f10", "a.B$$Lambda", true},
		{"a/B$$Lambda/0x00007f10", "a.B$$Lambda/0x00007f10", "a.B$$Lambda", true},
		{"[La/B$$Lambda/0x00007f10;", "a.B$$Lambda/0x00007f10[]", "a.B$$Lambda[]", true},
		{"java/lang/invoke/LambdaForm$MH+0x0001", "java.lang.invoke.LambdaForm$MH+0x0001", "java.lang.invoke.LambdaForm$MH", true},
		{"[", "[]", "[]", false},
		{"", "", "", false},
	} {
		name := ClassName(c.raw)
		display, hidden := Fold(name)
		if name != c.name || display != c.display || hidden != c.hidden {
			t.Errorf("%q: %q, %q, %v", c.raw, name, display, hidden)
		}
	}
}
