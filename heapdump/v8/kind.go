package v8

// NodeKind is the type of a node, whatever number a version of V8 gives it.
type NodeKind uint8

// Kinds of nodes, as V8 names them.
const (
	OtherNode NodeKind = iota
	Hidden
	Array
	String
	Object
	Code
	Closure
	RegExp
	Number
	Native
	Synthetic
	ConsString
	SlicedString
	Symbol
	BigInt
	Shape
)

var nodeKinds = map[string]NodeKind{
	"hidden": Hidden, "array": Array, "string": String, "object": Object, "code": Code, "closure": Closure,
	"regexp": RegExp, "number": Number, "native": Native, "synthetic": Synthetic, "concatenated string": ConsString,
	"sliced string": SlicedString, "symbol": Symbol, "bigint": BigInt, "object shape": Shape,
}

// EdgeKind is the type of an edge.
type EdgeKind uint8

// Kinds of edges, as V8 names them. The name of Element and HiddenEdge is an index.
const (
	OtherEdge EdgeKind = iota
	// Context is a variable of a function's closure.
	Context
	Element
	Property
	// Internal is of the VM's own, such as an object's elements.
	Internal
	HiddenEdge
	// Shortcut is made up by the snapshot: it stands for several edges.
	Shortcut
	// Weak does not keep its target alive.
	Weak
)

var edgeKinds = map[string]EdgeKind{
	"context": Context, "element": Element, "property": Property, "internal": Internal,
	"hidden": HiddenEdge, "shortcut": Shortcut, "weak": Weak,
}

// named says whether the name of an edge is a string, not an index.
func (k EdgeKind) named() bool { return k != Element && k != HiddenEdge && k != OtherEdge }

// hasClass says whether the name of a node is that of a class, a function or a part
// of the VM. That of others is their content.
func (k NodeKind) hasClass() bool {
	switch k {
	case Hidden, Object, Native, Synthetic, Closure:
		return true
	}
	return false
}
