package heapinput

// Kind is what an input is.
type Kind uint8

const (
	// Unknown is nothing that this package knows.
	Unknown Kind = iota
	// HPROF is a binary dump of a Java heap.
	HPROF
	// Pprof is a profile of pprof: protobuf, or its older text form.
	Pprof
	// GoStacks is the text of all goroutines, as debug=2 and a crash write it.
	GoStacks
	// Threads is a dump of Java threads: the text of jstack, the JSON of jcmd
	// Thread.dump_to_file, or a javacore of OpenJ9.
	Threads
	// Histogram is the text of jmap -histo or jcmd GC.class_histogram.
	Histogram
	// V8 is a heap snapshot of V8, as Node and Chrome write it.
	V8
	// Unread is a format that is known and that no reader takes; [Sniffed.What]
	// names it.
	Unread
)

// names are the kinds as a flag names them.
var names = map[Kind]string{
	HPROF: "hprof", Pprof: "pprof", GoStacks: "goroutines", Threads: "threads", Histogram: "histogram", V8: "v8",
}

// String returns the kind's name, as a flag takes it; empty for what is not read.
func (k Kind) String() string { return names[k] }

// Named returns the kind with a name.
func Named(name string) (Kind, bool) {
	for k, n := range names {
		if n == name {
			return k, true
		}
	}
	return Unknown, false
}

// Names returns the names of the kinds that are read, in the order of help.
func Names() []string {
	var out []string
	for k := HPROF; k <= V8; k++ {
		out = append(out, names[k])
	}
	return out
}

// title says what a kind is, for messages.
var titles = map[Kind]string{
	HPROF:     "a Java heap dump (HPROF)",
	Pprof:     "a profile of pprof",
	GoStacks:  "the stacks of goroutines",
	Threads:   "a dump of Java threads",
	Histogram: "a class histogram",
	V8:        "a heap snapshot of V8",
}

// Title says what a kind is, with its article.
func (k Kind) Title() string {
	if t, ok := titles[k]; ok {
		return t
	}
	return "something unknown"
}
