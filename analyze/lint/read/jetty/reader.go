package jetty

import (
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// Name is the format's name.
const Name = "jetty"

// Reader reads Jetty's XML, ini and module files.
var Reader = read.Object{
	Name:      Name,
	Gate:      []string{"org.eclipse.jetty", "jetty.threadPool.", "jetty.http.", "jetty.ssl.", "jetty.server.", "jetty-threadpool.xml", "jetty-http.xml"},
	Recognise: recognise,
	Read: func(in *read.Input, root *tree.Node) []*model.Document {
		r := &reader{Binder: bind.New(in, 1, Name, "jetty", "Jetty")}
		if isXML(root) {
			r.xml(root)
		} else {
			r.ini(root)
		}
		return r.Documents()
	},
}

func recognise(file string, root *tree.Node) bool {
	if isXML(root) {
		for _, e := range root.Get(tree.Elements).Children {
			if e.Key == "Configure" {
				return true
			}
		}
		return false
	}
	switch path.Ext(strings.ToLower(file)) {
	case ".ini", ".mod":
	default:
		return false
	}
	return len(properties(root)) > 0 || module(root) != nil
}

func isXML(root *tree.Node) bool { return root.Get(tree.Elements) != nil }

type reader struct {
	*bind.Binder
}

// property is one key=value of an ini file, and where it stands.
type property struct {
	node *tree.Node
}

// properties are the keys of Jetty that a file sets, the last of each.
func properties(root *tree.Node) map[string]property {
	out := map[string]property{}
	var walk func(*tree.Node)
	walk = func(n *tree.Node) {
		for key, c := range n.Fields() {
			switch {
			case c.Kind == tree.Map:
				walk(c)
			case c.Kind == tree.Scalar && strings.HasPrefix(key, "jetty."):
				out[key] = property{c}
			}
		}
	}
	walk(root)
	return out
}

// module returns the entry of a module for the thread pool or a connector.
func module(root *tree.Node) *tree.Node {
	for key, c := range root.Get("xml").Fields() {
		switch path.Base(key) {
		case "jetty-threadpool.xml", "jetty-http.xml", "jetty-ssl.xml", "jetty.xml":
			return c
		}
	}
	return nil
}
