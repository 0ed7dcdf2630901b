package v8

import (
	"strconv"
	"strings"

	"example.com/kneeline/heapdump"
)

// Snapshot is what was read of a heap snapshot.
type Snapshot struct {
	Meta Meta
	// Read is how many bytes were read, unpacked.
	Read int64
	// Complete is false when the snapshot ended early; Why says what happened.
	Complete bool
	Why      string
	// Named is true when the names of classes were read, which come last.
	Named bool
	// Losses are what was met and could not be used.
	Losses []heapdump.Loss

	kinds  column[NodeKind]
	names  column[uint32]
	sizes  column[uint32]
	large  map[uint32]int64 // sizes that 32 bits do not hold
	counts column[uint32]   // edges of each node
	ids    column[uint32]
	edges  int64
	spool  spool

	words                  map[uint32]string
	places                 column[uint32] // by string: the number that it is, plus 1
	classBytes, labelBytes int
}

// Nodes is how many nodes there are; they are numbered from 0 in the order of the
// file. Node 0 is the root.
func (s *Snapshot) Nodes() uint32 { return uint32(s.counts.n) }

// EdgeCount is how many edges there are.
func (s *Snapshot) EdgeCount() int64 { return s.edges }

// Kind is the type of a node.
func (s *Snapshot) Kind(n uint32) NodeKind { return s.kinds.at(n) }

// Size is the self size of a node, in bytes.
func (s *Snapshot) Size(n uint32) int64 {
	if v := s.sizes.at(n); v != tooLarge {
		return int64(v)
	}
	return s.large[n]
}

// tooLarge stands in the column of sizes for one that is in the map of large ones.
const tooLarge = 1<<32 - 1

// ID is the identifier of a node, which an object keeps from one snapshot of a
// process to the next: what came between them has higher ones. It is 0 where the
// snapshot has none, or more than 32 bits.
func (s *Snapshot) ID(n uint32) uint32 { return s.ids.at(n) }

// NameIndex is the index of a node's name, for comparing names without making
// strings of them.
func (s *Snapshot) NameIndex(n uint32) uint32 { return s.names.at(n) }

// Word is the name with an index: of a class, a function, a variable, a property.
// It is empty where the name was not read.
func (s *Snapshot) Word(index uint32) string { return s.words[index] }

// WordIndex finds the index of a name; ok is false when the snapshot has none.
// V8 writes each string once.
func (s *Snapshot) WordIndex(word string) (index uint32, ok bool) {
	for i, w := range s.words {
		if w == word && (!ok || i < index) {
			index, ok = i, true
		}
	}
	return index, ok
}

// EdgeName is the name of an edge; empty where it is an index.
func (s *Snapshot) EdgeName(e Edge) string {
	if !e.Kind.named() {
		return ""
	}
	if p, ok := s.Place(e.Name); ok {
		return strconv.FormatUint(uint64(p), 10)
	}
	return s.words[e.Name]
}

// Place is the place in a table that the name of an internal edge is, as "259"; ok
// is false for other names.
func (s *Snapshot) Place(index uint32) (place uint32, ok bool) {
	if int(index) >= s.places.n {
		return 0, false
	}
	v := s.places.at(index)
	return v - 1, v > 0
}

// fixed are the classes of nodes whose name is not that of a class, as Chrome's
// DevTools group them.
var fixed = [...]string{
	OtherNode: "(other)", Hidden: "(system)", Array: "(array)", String: "(string)", Object: "(object)", Code: "(compiled code)", Closure: "Function",
	RegExp: "RegExp", Number: "(number)", Native: "(native)", Synthetic: "(synthetic)", ConsString: "(concatenated string)",
	SlicedString: "(sliced string)", Symbol: "symbol", BigInt: "bigint", Shape: "(object shape)",
}

// Class is the class of a node: of objects the name of their constructor, of others
// their type in brackets, as Chrome's DevTools group them.
func (s *Snapshot) Class(n uint32) string {
	k := s.kinds.at(n)
	if k != Object && k != Native || !s.Named {
		return fixed[k]
	}
	name := s.words[s.names.at(n)]
	if name == "" {
		return fixed[k]
	}
	return className(name)
}

// className cuts from a name what tells of one object: the attributes of an element
// of a page and the address behind a global object.
func className(name string) string {
	if strings.HasPrefix(name, "<") {
		if i := strings.IndexAny(name, " >"); i > 0 {
			return name[:i] + ">"
		}
	}
	if i := strings.Index(name, " / "); i > 0 && strings.Contains(name[i:], "://") {
		return name[:i]
	}
	return name
}

// Close frees memory and the temporary file.
func (s *Snapshot) Close() error { return s.spool.close() }

// EdgesOf is how many edges a node has.
func (s *Snapshot) EdgesOf(n uint32) int64 { return int64(s.counts.at(n)) }
