package pending

import (
	"strings"

	"example.com/kneeline/heapdump"
)

// kinship knows which classes belong together by references between their
// objects.
type kinship struct {
	h *heapdump.Heap
	// links are the classes that objects of a class refer to or are referred to by,
	// one to one.
	links map[string]map[string]bool
}

// minKept is how many objects of a class must be kept for their references to
// tell anything.
const minKept = 20

// newKinship reads a few objects of each kept class that has enough of them.
func newKinship(h *heapdump.Heap) *kinship {
	k := &kinship{h: h, links: make(map[string]map[string]bool)}
	if h == nil {
		return k
	}
	for _, c := range h.Classes {
		if c.Kept < minKept || c.Instances < minCluster {
			continue
		}
		refs := refColumns(c)
		if len(refs) == 0 {
			continue
		}
		nodes := someNodes(h, c)
		for _, col := range refs {
			k.read(c, nodes, col)
		}
	}
	return k
}

// read links a class to the one that a field of it refers to, if each object
// refers to another one.
func (k *kinship) read(c *heapdump.Class, nodes []heapdump.Instance, col int) {
	targets := make([]heapdump.ID, 0, len(nodes))
	distinct := make(map[heapdump.ID]bool)
	for _, in := range nodes {
		if id := heapdump.ID(in.At(col)); id != 0 {
			targets = append(targets, id)
			distinct[id] = true
		}
	}
	if float64(len(targets)) < mainShare*float64(len(nodes)) || 10*len(distinct) < 9*len(targets) {
		return
	}
	if main, share := mainClass(k.h, targets); main != nil && share >= mainShare {
		k.link(display(c), display(main))
		k.link(display(main), display(c))
	}
}

func (k *kinship) link(a, b string) {
	if k.links[a] == nil {
		k.links[a] = make(map[string]bool)
	}
	k.links[a][b] = true
}

// from returns the classes of a set that references lead to from some of them,
// by way of classes of the set.
func (k *kinship) from(start []string, set map[string]bool) map[string]bool {
	reached := make(map[string]bool)
	todo := append([]string(nil), start...)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for to := range k.links[at] {
			if set[to] && !reached[to] {
				reached[to] = true
				todo = append(todo, to)
			}
		}
	}
	return reached
}

// family returns the packages of a class that make others its kin: the first two
// names, such as org.eclipse, and three where two are a host of many, such as
// org.apache.tomcat. It is empty for the Java library and for arrays of numbers.
func family(class string) string {
	class = strings.TrimRight(class, "[]")
	if ofJDK(class+".") || ofJDK(class) {
		return ""
	}
	parts := strings.Split(class, ".")
	parts = parts[:len(parts)-1]
	depth := 2
	if len(parts) > 1 && manyProjects[parts[0]+"."+parts[1]] {
		depth = 3
	}
	if len(parts) < min(depth, 2) {
		return strings.Join(parts, ".")
	}
	return strings.Join(parts[:min(depth, len(parts))], ".")
}

// manyProjects are packages that hold projects with nothing in common.
var manyProjects = map[string]bool{
	"org.apache": true, "com.google": true, "org.eclipse": true, "com.github": true, "com.fasterxml": true,
	"org.springframework": true, "com.sun": true, "com.amazonaws": true, "io.github": true, "com.microsoft": true,
}

// connectionKin reports whether a class of the Java library is one that each
// connection has.
func connectionKin(class string) bool {
	for _, p := range []string{"sun.nio.ch.", "java.net.", "java.nio.channels.", "sun.security.ssl.", "java.io.FileDescriptor"} {
		if strings.HasPrefix(class, p) {
			return true
		}
	}
	return false
}
