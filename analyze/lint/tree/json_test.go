package tree

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	const text = "{ // why\n \"a\": {\"b\": 5, 'c': \"x\\ny\",},\n /* no */ list = [1 2, {d: true}], # end\n \"n\": null\n}\n"
	root, err := JSON("f.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		n         *Node
		want, raw string
	}{
		{root.Get("a", "b"), "5", "5"}, {root.Get("a", "c"), "x\ny", `"x\ny"`}, {root.Get("list").Children[1], "2", "2"},
		{root.Get("list").Children[2].Get("d"), "true", "true"},
	} {
		if tt.n.String() != tt.want || text[tt.n.At.Offset:tt.n.At.End] != tt.raw {
			t.Errorf("%+v, want %q at %q", tt.n, tt.want, tt.raw)
		}
	}
	if root.Get("n").Present() {
		t.Error("null is present")
	}
}

func TestJSONErrors(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 1`: "expected }", `[1`: "expected ]", `{"a" 1}`: "expected : after", `{"a": }`: "expected a value", `"abc`: "expected \"", `{} x`: "end of the file", `/*`: "comment",
	} {
		if _, err := JSON("f", []byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

// What the standard library takes, this reader takes.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a": [1, {"b": "c\u0041"}], "d": null}`))
	f.Add([]byte("{a: 'b', // c\n}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := JSON("f", data)
		if err != nil && json.Valid(data) && len(data) < 1000 {
			t.Errorf("%q: %v", data, err)
		}
		var walk func(n *Node)
		walk = func(n *Node) {
			if n.At.Offset < 0 || n.At.End < n.At.Offset || n.At.End > len(data) {
				t.Fatalf("%q is at %d to %d of %d", n.Text, n.At.Offset, n.At.End, len(data))
			}
			for _, c := range n.Children {
				walk(c)
			}
		}
		walk(root)
	})
}
