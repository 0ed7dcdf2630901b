package pending

import (
	"strings"

	"example.com/kneeline/heapdump"
)

// wrapperFields is how many fields an object has at most that is there to hold
// another one: a lambda with what it captured, a task with its request.
const wrapperFields = 2

// isWrapper reports whether the objects of a class stand between a queue and
// what waits in it, so that a stamp is found only through them: the tasks of the
// Java library, and the application's small classes and lambdas that hold one or
// two objects and nothing else. They are asked for before any object is seen, so
// names and fields must do.
func isWrapper(h *heapdump.Heap, class int) bool {
	c := h.Class(class)
	if c == nil || c.IsArray() {
		return false
	}
	if ofJDK(c.Name) {
		return jdkWork[c.Name]
	}
	for _, collection := range []string{"scala.collection.", "kotlin.", "clojure.lang."} {
		if strings.HasPrefix(c.Name, collection) {
			return false
		}
	}
	fields := h.AllFields(class)
	if len(fields) == 0 || len(fields) > wrapperFields {
		return false
	}
	for _, f := range fields {
		if f.Type != typeObject {
			return false
		}
	}
	return true
}
