package link

import (
	"bytes"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
)

// Fact is what a file says of how services are called, beside the settings that readers
// take.
type Fact struct {
	Kind FactKind
	At   model.Position
	// Last is the last line of the object.
	Last int
	// Name is the object's name, Namespace its namespace where the file says it.
	Name, Namespace string
	// To are the addresses that the name stands for, or the objects that it uses.
	To []string
	// Labels are those that an object has or selects by.
	Labels map[string]string
}

// FactKind is what a fact says.
type FactKind uint8

// The kinds.
const (
	// StandsFor is that Name, within its file, stands for the addresses To: an upstream of
	// nginx, a backend of HAProxy, a cluster of Envoy.
	StandsFor FactKind = iota + 1
	// Selects is that Kubernetes calls the Pods with Labels by Name.
	Selects
	// Runs is that the workload Name has Pods with Labels, which use the ConfigMaps To.
	Runs
	// Holds is that the lines of the object are the ConfigMap Name.
	Holds
	// Called is that the program whose file it is calls itself Name.
	Called
)

const (
	// maxFacts bounds the facts of one file.
	maxFacts = 5000
	// maxAddresses bounds the addresses that one name stands for.
	maxAddresses = 100
)

// Facts finds what a file says. Files that cannot be read say nothing: their readers tell
// of that.
func Facts(name string, data []byte) []Fact {
	var out []Fact
	if bytes.Contains(data, []byte("upstream")) && bytes.Contains(data, []byte("server")) && bytes.Contains(data, []byte("{")) {
		out = nginxUpstreams(name, data)
	}
	if bytes.Contains(data, []byte("\nbackend ")) || bytes.HasPrefix(data, []byte("backend ")) || bytes.Contains(data, []byte("\nlisten ")) {
		out = append(out, haproxyBackends(name, data)...)
	}
	if hasAny(data, "kind:", "\"kind\"", "load_assignment", "spring") {
		out = append(out, treeFacts(name, data)...)
	}
	return out[:min(len(out), maxFacts)]
}

func hasAny(data []byte, words ...string) bool {
	for _, w := range words {
		if bytes.Contains(data, []byte(w)) {
			return true
		}
	}
	return false
}

// treeFacts are those of YAML, JSON and properties files.
func treeFacts(name string, data []byte) []Fact {
	var out []Fact
	for _, root := range roots(name, data) {
		w := factWalker{name: name, data: data}
		w.walk(root, 0)
		if app := root.Loose("spring", "application", "name"); app.Present() && app.Hole == nil {
			w.out = append(w.out, Fact{Kind: Called, At: app.At, Name: app.String()})
		}
		out = append(out, w.out...)
	}
	return out
}

// roots are the documents of a file, nil where it is in no syntax of trees.
func roots(name string, data []byte) []*tree.Node {
	switch extension(name) {
	case ".yaml", ".yml":
		all, _ := tree.YAML(name, data)
		return all
	case ".json":
		root, _ := tree.JSON(name, data)
		return []*tree.Node{root}
	case ".properties":
		return []*tree.Node{tree.Properties(name, data)}
	}
	return nil
}
