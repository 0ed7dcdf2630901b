package tree

import (
	"fmt"
	"strings"
	"testing"
)

func TestYAML(t *testing.T) {
	const text = "# first\na:\n  b: 5s # why\n  \"c\": 'x''y'\n  é: ü1\nlist: [1, {d: 2}]\n---\nkind: X\nbad: [\n---\nbase: &b {t: 1, u: 2}\nmore:\n  <<: *b\n  u: 3\nagain: *b\n"
	docs, errs := YAML("f.yaml", []byte(text))
	if len(docs) != 2 || len(errs) != 1 {
		t.Fatalf("%d documents, errors %v", len(docs), errs)
	}
	if errs[0].Line < 8 || errs[0].Line > 10 {
		t.Errorf("the error is at line %d: %v", errs[0].Line, errs[0])
	}
	b := docs[0].Get("a", "b")
	if b.Text != "5s" || b.At.Line != 3 || b.At.Column != 6 || text[b.At.Offset:b.At.End] != "5s" || b.Comment != "why" {
		t.Errorf("a.b: %+v", b)
	}
	for _, tt := range []struct {
		n         *Node
		want, raw string
	}{
		{docs[0].Get("a", "c"), "x'y", "'x''y'"}, {docs[0].Get("a", "é"), "ü1", "ü1"}, {docs[0].Get("list").Children[1].Get("d"), "2", "2"},
		{docs[1].Get("more", "t"), "1", "1"}, {docs[1].Get("more", "u"), "3", "3"}, {docs[1].Get("again", "u"), "2", "2"},
	} {
		if tt.n.String() != tt.want || text[tt.n.At.Offset:tt.n.At.End] != tt.raw {
			t.Errorf("%+v, want %q at %q", tt.n, tt.want, tt.raw)
		}
	}
	if p := docs[0].Get("list").Children[1].Get("d").Path(); p != "list[1].d" {
		t.Errorf("path %q", p)
	}
}

// An anchor that multiplies itself ends at the limit, with a message.
func TestYAMLBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		b.WriteString(strings.NewReplacer("N", string(rune('0'+i)), "P", string(rune('0'+i-1))).Replace("aN: &aN [*aP, *aP, *aP, *aP, *aP, *aP, *aP, *aP, *aP, *aP]\n"))
	}
	_, errs := YAML("bomb.yaml", []byte(b.String()))
	if len(errs) == 0 || !strings.Contains(errs[len(errs)-1].Error(), "more than") {
		t.Errorf("errors %v", errs)
	}
}

func FuzzYAML(f *testing.F) {
	f.Add([]byte("a: &x [1, *x]\n---\n<<: {b: 2}\nc: \"d\\n\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, _ := YAML("f", data)
		var walk func(n *Node)
		walk = func(n *Node) {
			if n.At.Offset < 0 || n.At.End < n.At.Offset || n.At.End > len(data) {
				t.Fatalf("%q is at %d to %d of %d", n.Text, n.At.Offset, n.At.End, len(data))
			}
			for _, c := range n.Children {
				walk(c)
			}
		}
		for _, d := range docs {
			walk(d)
		}
	})
}

// What is silently taken one way or another, and what is no text, is told with its line.
func TestYAMLTold(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\n---\nb: 1\nc: {d: 1}\nb: 2\n": `5: the key "b" stands once more, after line 3: programs take the last or refuse the file; the last is read`,
		"a: 1\n# \xe9t\xe9\nb: 2\n":          "2: expected YAML in UTF-8, found the byte 0xe9",
	} {
		_, errs := YAML("f.yaml", []byte(text))
		if len(errs) != 1 || fmt.Sprintf("%d: %s", errs[0].Line, errs[0]) != want {
			t.Errorf("%q: %v, want %s", text, errs, want)
		}
	}
	// A key over one that << merges in is meant.
	if _, errs := YAML("f.yaml", []byte("a: &a {x: 1}\nb: {<<: *a, x: 2}\n")); len(errs) != 0 {
		t.Error(errs)
	}
}
