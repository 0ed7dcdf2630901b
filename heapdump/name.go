package heapdump

import "strings"

// Fold gives the name that stands for all classes of a kind made at run time,
// and whether the class is such a one. HotSpot names hidden classes with a
// counter or address after the name of their maker: X$$Lambda$52+0x00007f…
// (JDK 17), X$$Lambda/0x00007f… (JDK 21), X$$Lambda$14/0x…, and
// java.lang.invoke.LambdaForm$MH+0x….
func Fold(name string) (string, bool) {
	array := name
	for strings.HasSuffix(array, "[]") {
		array = array[:len(array)-2]
	}
	brackets := name[len(array):]
	base, hidden := array, false
	if i := strings.IndexAny(base, "/+"); i > 0 && strings.HasPrefix(base[i+1:], "0x") {
		base, hidden = base[:i], true
	}
	if i := strings.Index(base, "$$Lambda"); i >= 0 {
		return base[:i] + "$$Lambda" + brackets, true
	}
	return base + brackets, hidden
}

// primitives are the element types of arrays in descriptors.
var primitives = map[byte]string{
	'Z': "boolean", 'C': "char", 'F': "float", 'D': "double", 'B': "byte", 'S': "short", 'I': "int", 'J': "long",
}

// ClassName turns the name in a dump into the one of Java source:
// java/util/HashMap$Node and java.util.HashMap$Node into the latter, [[J into
// long[][], [Ljava/lang/String; into java.lang.String[].
func ClassName(raw string) string {
	depth := 0
	for depth < len(raw) && raw[depth] == '[' {
		depth++
	}
	name := raw[depth:]
	switch {
	case depth == 0:
	case len(name) == 1 && primitives[name[0]] != "":
		name = primitives[name[0]]
	case strings.HasPrefix(name, "L") && strings.HasSuffix(name, ";"):
		name = name[1 : len(name)-1]
	}
	// The suffix of a hidden class keeps its slash: X$$Lambda/0x….
	if i := strings.Index(name, "/0x"); i >= 0 {
		name = strings.ReplaceAll(name[:i], "/", ".") + name[i:]
	} else {
		name = strings.ReplaceAll(name, "/", ".")
	}
	return name + strings.Repeat("[]", min(depth, maxDimensions))
}

// maxDimensions is the limit of the class file format.
const maxDimensions = 255
