package graph

import (
	"iter"
	"strings"
)

// RootKind is the way in which the VM holds an object, by HPROF's root records.
type RootKind uint8

// The kinds of roots.
const (
	UnknownRoot RootKind = iota
	JNIGlobal
	JNILocal
	JavaFrame
	NativeStack
	StickyClass
	ThreadBlock
	BusyMonitor
	ThreadObject
	InternedString
	Finalizing
	Debugger
	ReferenceCleanup
	VMInternal
	JNIMonitor
	// BootClass is a class of the boot loader in a dump that has no sticky classes.
	BootClass
	NumRootKinds
)

var rootWords = [NumRootKinds]string{
	"unknown", "JNI global", "JNI local", "Java frame", "native stack", "sticky class", "thread block", "busy monitor",
	"thread object", "interned string", "finalizing", "debugger", "reference cleanup", "VM internal", "JNI monitor", "boot class",
}

// String is the kind in words, as "JNI global".
func (k RootKind) String() string {
	if k < NumRootKinds {
		return rootWords[k]
	}
	return "unknown"
}

// RootKinds is a set of kinds.
type RootKinds uint32

// Has says whether a kind is in the set.
func (s RootKinds) Has(k RootKind) bool { return s>>k&1 != 0 }

// String lists the kinds.
func (s RootKinds) String() string {
	var names []string
	for k := range NumRootKinds {
		if s.Has(k) {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, ", ")
}

// RootHolds tells in which ways roots hold an object; 0 when none does. What frames
// and native code of a known thread hold is held by the thread's object, as in MAT,
// and no root.
func (g *Graph) RootHolds(r Rank) RootKinds {
	if i, ok := g.rootIndex(r); ok {
		return g.rootKinds[i]
	}
	return 0
}

// Roots are the objects that roots hold, with how, by rank.
func (g *Graph) Roots() iter.Seq2[Rank, RootKinds] {
	return func(yield func(Rank, RootKinds) bool) {
		for i, r := range g.rootRanks {
			if !yield(Rank(r), g.rootKinds[i]) {
				return
			}
		}
	}
}
