package nodeproc

import (
	"example.com/kneeline/heapdump/v8"
)

// closureScope is the class of the object in which V8 keeps the variables of a
// function that inner functions use.
const closureScope = "system / Context"

// telling says whether an edge tells a reader what holds something: a variable, or a
// property of an object that has a class of its own.
func telling(s *v8.Snapshot, e v8.Edge) bool {
	if shownName(s, e) == "" {
		return false
	}
	switch e.Kind {
	case v8.Context:
		return true
	case v8.Property:
		class := s.Class(e.From)
		return class != "Array" && s.Kind(e.From) == v8.Object
	}
	return false
}

// Bounds of what is taken for a name. Keys of a dictionary are contents, which
// nobody is to see: an object with many properties is taken for one.
const (
	longestName = 48
	mostNames   = 100
)

// shownName is the name of an edge if it is an identifier of the program, else
// empty.
func shownName(s *v8.Snapshot, e v8.Edge) string {
	if e.Kind != v8.Context && e.Kind != v8.Property {
		return ""
	}
	name := s.EdgeName(e)
	if !identifier(name) || e.Kind == v8.Property && s.Class(e.From) == "Object" && s.EdgesOf(e.From) > mostNames {
		return ""
	}
	return name
}

// identifier says whether a name may be one that a programmer wrote.
func identifier(name string) bool {
	if len(name) == 0 || len(name) > longestName {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if c != '_' && c != '$' && c != '#' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// holder is who holds a container, in words: its class and field.
func (b *container) holder(s *v8.Snapshot) (owner, field string) {
	if !b.isHeld {
		return "", ""
	}
	field = shownName(s, b.held)
	switch owner = s.Class(b.held.From); {
	case b.held.Kind == v8.Context:
		owner = "function scope"
	case field == "":
		owner = ""
	}
	return owner, field
}

// called is what people call it.
func (b *container) called(s *v8.Snapshot) string {
	owner, field := b.holder(s)
	switch {
	case b.scoped && field != "":
		return b.kind + " in a variable of the function that is held as " + field
	case field == "":
		return b.kind + " without a name"
	case b.held.Kind == v8.Context || owner == "Object":
		return b.kind + " " + field
	}
	return b.kind + " " + owner + "." + field
}
