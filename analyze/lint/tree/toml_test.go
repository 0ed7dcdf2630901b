package tree

import (
	"strings"
	"testing"
)

func TestTOML(t *testing.T) {
	const text = "title = \"x\"\n[http.middlewares.r.retry]\nattempts = 4 # n\ninitialInterval = \"100ms\"\n[[servers]]\nurl = 'a'\n[[servers]]\nurl = 'b'\n[servers.sub]\nk = [1, {d = true}]\na.b.c = 1.5\n"
	root, err := TOML("f.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	retry := root.Get("http", "middlewares", "r", "retry")
	if n := retry.Get("attempts"); n.String() != "4" || n.At.Line != 3 || text[n.At.Offset:n.At.End] != "4" {
		t.Errorf("%+v", n)
	}
	if n := retry.Get("initialInterval"); n.String() != "100ms" || !strings.Contains(text[n.At.Offset:n.At.End], "100ms") {
		t.Errorf("%+v at %q", n, text[n.At.Offset:n.At.End])
	}
	servers := root.Get("servers")
	if len(servers.Children) != 2 || servers.Children[1].Get("url").String() != "b" || servers.Children[1].Get("sub", "a", "b", "c").String() != "1.5" ||
		servers.Children[1].Get("sub", "k").Children[1].Get("d").String() != "true" {
		t.Errorf("%+v", servers)
	}
	if _, err := TOML("f", []byte("a = 1\nb = [\n")); err == nil {
		t.Error("no error")
	}
}

func FuzzTOML(f *testing.F) {
	f.Add([]byte("a.b = 1\n[c]\nd = [1, {e = 2}]\n[[f]]\n[[f]]\n[f.g]\n"))
	f.Add([]byte("a = 1\n[a.b]\nc = 2\n[[a]]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, _ := TOML("f", data)
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
