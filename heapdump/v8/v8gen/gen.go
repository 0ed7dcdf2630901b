package v8gen

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Node is a node that was added.
type Node struct {
	Kind, Name string
	Size       int64
	ID         int64
	Edges      []Edge
}

// Edge is an edge of a node: Name of named kinds, Index of others.
type Edge struct {
	Kind, Name string
	Index      int
	To         int
}

// Snapshot is a snapshot being made. Nodes are numbered in the order in which they
// were added; the first is the root.
type Snapshot struct {
	Nodes []Node
	// NodeFields and EdgeFields change the order of fields; empty is that of V8 11.
	NodeFields, EdgeFields []string
	// Space is written behind each comma.
	Space string
	ids   int64
}

// New begins a snapshot with a root.
func New() *Snapshot {
	s := &Snapshot{ids: 1}
	s.Add("synthetic", "", 0)
	return s
}

// Add adds a node and returns its number.
func (s *Snapshot) Add(kind, name string, size int64) int {
	s.Nodes = append(s.Nodes, Node{Kind: kind, Name: name, Size: size, ID: s.ids})
	s.ids += 2
	return len(s.Nodes) - 1
}

// Object adds an object of a class that is held by a property of another.
func (s *Snapshot) Object(class string, size int64, holder int, property string) int {
	n := s.Add("object", class, size)
	s.Link(holder, "property", property, n)
	return n
}

// Link adds an edge with a name.
func (s *Snapshot) Link(from int, kind, name string, to int) {
	s.Nodes[from].Edges = append(s.Nodes[from].Edges, Edge{Kind: kind, Name: name, To: to})
}

// Slot adds an edge with an index.
func (s *Snapshot) Slot(from int, kind string, index, to int) {
	s.Nodes[from].Edges = append(s.Nodes[from].Edges, Edge{Kind: kind, Index: index, To: to})
}

var (
	nodeTypes = []string{"hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic",
		"concatenated string", "sliced string", "symbol", "bigint", "object shape"}
	edgeTypes = []string{"context", "element", "property", "internal", "hidden", "shortcut", "weak"}
)

func place(words []string, word string) int {
	for i, w := range words {
		if w == word {
			return i
		}
	}
	panic("no type " + word)
}

// Bytes is the snapshot as a file.
func (s *Snapshot) Bytes() []byte {
	nodeFields, edgeFields := s.NodeFields, s.EdgeFields
	if len(nodeFields) == 0 {
		nodeFields = []string{"type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"}
	}
	if len(edgeFields) == 0 {
		edgeFields = []string{"type", "name_or_index", "to_node"}
	}
	w := &writer{strings: map[string]int{}, comma: "," + s.Space}
	w.intern("<dummy>")
	edges := 0
	for i := range s.Nodes {
		edges += len(s.Nodes[i].Edges)
	}
	fmt.Fprintf(&w.b, `{"snapshot":{"meta":{"node_fields":%s,"node_types":%s,"edge_fields":%s,"edge_types":%s},"node_count":%d,"edge_count":%d,"trace_function_count":0}`,
		list(nodeFields), types(nodeFields, nodeTypes), list(edgeFields), types(edgeFields, edgeTypes), len(s.Nodes), edges)
	w.b.WriteString(",\n\"nodes\":[")
	for i := range s.Nodes {
		n := &s.Nodes[i]
		w.row(nodeFields, map[string]int64{"type": int64(place(nodeTypes, n.Kind)), "name": w.intern(n.Name), "id": n.ID, "self_size": n.Size, "edge_count": int64(len(n.Edges))})
	}
	w.b.WriteString("],\n\"edges\":[")
	w.rows = 0
	for i := range s.Nodes {
		for _, e := range s.Nodes[i].Edges {
			name := int64(e.Index)
			if e.Kind != "element" && e.Kind != "hidden" {
				name = w.intern(e.Name)
			}
			w.row(edgeFields, map[string]int64{"type": int64(place(edgeTypes, e.Kind)), "name_or_index": name, "to_node": int64(e.To * len(nodeFields))})
		}
	}
	w.b.WriteString("],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n\"locations\":[3,1,2,3],\n\"strings\":[")
	for i, text := range w.order {
		if i > 0 {
			w.b.WriteString(",\n")
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			panic(err)
		}
		w.b.Write(quoted)
	}
	w.b.WriteString("]}")
	return w.b.Bytes()
}

// writer writes rows of numbers, and collects the strings.
type writer struct {
	b       bytes.Buffer
	rows    int
	strings map[string]int
	order   []string
	comma   string
}

func (w *writer) intern(text string) int64 {
	i, ok := w.strings[text]
	if !ok {
		i = len(w.order)
		w.strings[text] = i
		w.order = append(w.order, text)
	}
	return int64(i)
}

func (w *writer) row(fields []string, values map[string]int64) {
	for _, f := range fields {
		if w.rows > 0 {
			w.b.WriteString(w.comma)
		}
		w.rows++
		fmt.Fprintf(&w.b, "%d", values[f])
	}
	w.b.WriteByte('\n')
}

func list(words []string) string {
	b, err := json.Marshal(words)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// types are the types of fields: the field "type" has a list of words.
func types(fields, words []string) string {
	out := make([]any, len(fields))
	for i, f := range fields {
		out[i] = "number"
		if f == "type" {
			out[i] = words
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return string(b)
}
