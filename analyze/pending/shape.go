package pending

import (
	"cmp"
	"slices"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// Limits of looking for queues by their shape.
const (
	// minShape is how many entries make a queue worth naming.
	minShape = 100
	// mainShare is the share of its entries that are of one class.
	mainShare = 0.8
	// maxShapes is how many arrays are read in full.
	maxShapes = 2000
	// shapeSample is how many entries or nodes are looked at to see what they are.
	shapeSample = 64
)

// shape is a queue that the table of patterns does not know.
type shape struct {
	found
	// payload is the class that most entries are of.
	payload *heapdump.Class
	// structure says how many things about the holder agree with a queue: a head,
	// a tail, a count that is right.
	structure int
	// first is the first node of a chain.
	first heapdump.ID
	evidence
}

// findShapes finds queues of classes that nobody described: arrays used in a
// circle, and chains of nodes, that some object of the application holds. Arrays
// and nodes of what the table knows, of maps and of the Java library are left
// out, as are those that hold numbers and texts.
func findShapes(h *heapdump.Heap, table *pattern.Table) []shape {
	var out []shape
	seen := make(map[heapdump.ID]bool) // holders
	keep := func(s shape) {
		if s.n < minShape || s.payload == nil || seen[s.id] && s.id != 0 {
			return
		}
		seen[s.id] = true
		s.evidence = evidenceFor(h, table, &s)
		if s.isQueue() {
			out = append(out, s)
		}
	}
	for _, s := range ringShapes(h, table) {
		keep(s)
	}
	for _, s := range chainShapes(h, table) {
		keep(s)
	}
	slices.SortStableFunc(out, func(a, b shape) int {
		return cmp.Or(cmp.Compare(b.confidenceRank(), a.confidenceRank()), cmp.Compare(b.n, a.n), cmp.Compare(a.id, b.id))
	})
	return out
}

// mainClass returns the class that most objects are of, and its share. Objects
// whose class is not known count as others.
func mainClass(h *heapdump.Heap, ids []heapdump.ID) (*heapdump.Class, float64) {
	counts := make(map[string]int)
	first := make(map[string]*heapdump.Class)
	n := 0
	for _, id := range ids {
		if id == 0 {
			continue
		}
		n++
		index, ok := h.ClassOf(id)
		if !ok {
			continue
		}
		c := h.Class(index)
		name := display(c)
		counts[name]++
		if first[name] == nil {
			first[name] = c
		}
	}
	best := ""
	for name, count := range counts {
		if count > counts[best] || count == counts[best] && name < best {
			best = name
		}
	}
	if n == 0 || best == "" {
		return nil, 0
	}
	return first[best], float64(counts[best]) / float64(n)
}

// isValue reports whether a class holds a number, a text, a class or an array:
// what tables and caches are made of, and no request ever is.
func isValue(c *heapdump.Class) bool {
	if c.IsArray() || c.Undescribed {
		return true
	}
	if !ofJDK(c.Name) {
		return false
	}
	return !jdkWork[c.Display] && !jdkWork[c.Name]
}

// jdkWork are the classes of the Java library that stand for work of others.
var jdkWork = map[string]bool{
	"java.util.concurrent.FutureTask":                                      true,
	"java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask": true,
	"java.util.concurrent.CompletableFuture":                               true,
	"java.util.concurrent.CompletableFuture$AsyncRun":                      true,
	"java.util.concurrent.CompletableFuture$AsyncSupply":                   true,
	"java.util.concurrent.CompletableFuture$UniApply":                      true,
	"java.util.concurrent.CompletableFuture$UniAccept":                     true,
	"java.util.concurrent.ForkJoinTask$RunnableExecuteAction":              true,
	"java.util.concurrent.ForkJoinTask$AdaptedRunnableAction":              true,
	"java.util.concurrent.ExecutorCompletionService$QueueingFuture":        true,
	"java.util.concurrent.Executors$RunnableAdapter":                       true,
	"java.net.Socket":                          true,
	"sun.nio.ch.SocketChannelImpl":             true,
	"sun.net.httpserver.ServerImpl$Dispatcher": true,
	"sun.net.httpserver.ServerImpl$Exchange":   true,
	"sun.net.httpserver.HttpConnection":        true,
	"sun.net.httpserver.ExchangeImpl":          true,
}
