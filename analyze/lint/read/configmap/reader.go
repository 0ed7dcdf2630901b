package configmap

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

// maxLooked bounds how many bytes of a file are gone through for its parts: each part
// is read in a copy of the file with the rest blank.
const maxLooked = 256 << 20

// Reader reads the entries that are texts of several lines.
var Reader = read.Object{
	Name: "configmap",
	Gate: []string{"kind: ConfigMap", `"kind": "ConfigMap"`, `"kind":"ConfigMap"`, "stringData"},
	Recognise: func(_ string, root *tree.Node) bool {
		return len(entries(root)) > 0
	},
	Read: readEntries,
}

// entry is one file of an object.
type entry struct {
	name string
	node *tree.Node
}

// entries are the files of a document's objects.
func entries(root *tree.Node) []entry {
	var out []entry
	for _, o := range kube.Objects(root, "") {
		data := o.Node.Get("data")
		switch o.Kind {
		case "ConfigMap":
		case "Secret":
			data = o.Node.Get("stringData") // data is encoded
		default:
			continue
		}
		for key, c := range data.Fields() {
			if c.Kind == tree.Scalar && isFile(key) && isBlock(c) {
				out = append(out, entry{name: o.Name + "/" + key, node: c})
			}
		}
	}
	return out
}

// isFile reports whether a key is a file's name. Keys that begin with _ hold examples,
// by a habit of Knative's; snippets are nginx's in places that only its controllers
// know.
func isFile(key string) bool {
	return !strings.HasPrefix(key, "_") && !strings.HasSuffix(key, "-snippet")
}

// isBlock reports whether a scalar is written as a block (| or >), line by line as the
// file has it. In other forms its bytes are not the text's.
func isBlock(n *tree.Node) bool { return !n.Quoted && n.At.End <= n.At.Offset }

func readEntries(in *read.Input, root *tree.Node) []*model.Document {
	if in.Nested == nil {
		return nil
	}
	var out []*model.Document
	looked := in.Memo("configmap looked", func() any { return new(int) }).(*int)
	for _, e := range entries(root) {
		from, to := in.Block(e.node)
		if from >= to {
			continue
		}
		if *looked += len(in.Data); *looked > maxLooked {
			out = append(out, &model.Document{File: in.Name, Line: max(e.node.At.Line, 1), Format: "configmap", Problems: []model.Problem{{
				At: e.node.At, Err: fmt.Sprintf("a file of %d bytes with so many parts is not read from here on: split it", len(in.Data)),
			}}})
			break
		}
		out = append(out, in.Nested(e.name, from, to)...)
	}
	return out
}
