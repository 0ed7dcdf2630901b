package tree

import (
	"strings"
	"testing"
)

func TestProperties(t *testing.T) {
	const text = "# no \\\na.b = 1\nserver.max-threads: 200\r\n key\\ x  v w \nlong = a,\\\n   b\nempty\nu=\\u00e9\\t\n! no\n"
	root := Properties("f", []byte(text))
	for key, want := range map[string]string{"a.b": "1", "server.max-threads": "200", "key x": "v w", "long": "a,b", "empty": "", "u": "é\t"} {
		n := root.Get(key)
		if n == nil || n.Text != want {
			t.Errorf("%s: %+v, want %q", key, n, want)
		}
	}
	if n := root.Loose("server", "maxThreads"); n.String() != "200" || n.At.Line != 3 || text[n.At.Offset:n.At.End] != "200" {
		t.Errorf("loose: %+v", n)
	}
	if len(root.Children) != 6 {
		t.Errorf("%d keys", len(root.Children))
	}
}

func TestINI(t *testing.T) {
	const text = "net.core.somaxconn = 128\n# c\n[profile x]\nmax_attempts=3\ns3 =\n  retries = 2\n--module=http\n"
	root := INI("f", []byte(text))
	if n := root.Get("net.core.somaxconn"); n.String() != "128" || text[n.At.Offset:n.At.End] != "128" {
		t.Errorf("%+v", n)
	}
	if root.Get("profile x", "max_attempts").String() != "3" || root.Get("profile x", "s3", "retries").String() != "2" || root.Get("profile x", "--module").String() != "http" {
		t.Errorf("%+v", root)
	}
}

func TestXML(t *testing.T) {
	const text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE C SYSTEM \"x\">\n<Configure id='s'>\n <Set name=\"idle\">30000</Set>\n <x:Connector port = \"80\" idle=\"5\"/>\n</Configure>\n"
	root, err := XML("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var set, connector *Node
	root.Each("Set", func(n *Node) { set = n })
	root.Each("Connector", func(n *Node) { connector = n })
	if set.Get("name").String() != "idle" || set.Get(Content).String() != "30000" || set.At.Line != 4 {
		t.Errorf("%+v", set)
	}
	if p := connector.Get("port"); p.String() != "80" || text[p.At.Offset:p.At.End] != "80" || p.At.Line != 5 {
		t.Errorf("%+v", p)
	}
	for in, want := range map[string]string{"<a><b></a>": "expected </b>", "<a>": "expected </a>", "<a": "expected XML"} {
		if _, err := XML("f", []byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("a=1\\\n b\n[x]\n"))
	f.Add([]byte("<a b='c'>d<e/></a>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, _ := XML("f", data)
		for _, root := range []*Node{Properties("f", data), INI("f", data), x} {
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
		}
	})
}

// A byte order mark is no part of the first key.
func TestByteOrderMark(t *testing.T) {
	for name, root := range map[string]*Node{"properties": Properties("f", []byte("\ufeffa=1\nb=2\n")), "ini": INI("f", []byte("\ufeffa=1\nb=2\n"))} {
		if a := root.Get("a"); a.String() != "1" || a.KeyAt.Offset != 3 || a.At.Line != 1 || !root.Get("b").Is("2") {
			t.Errorf("%s: %+v", name, root.Children)
		}
	}
}
