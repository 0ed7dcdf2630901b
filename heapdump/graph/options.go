package graph

import (
	"fmt"
	"strings"
)

// Sizing is which shallow sizes count.
type Sizing uint8

const (
	// VMSizes are those that the VM has, as learned from the dump.
	VMSizes Sizing = iota
	// MATSizes are those that Eclipse MAT computes, for comparison with it.
	MATSizes
)

// Strength is a set of kinds of references, by the class of java.lang.ref that
// holds the referent.
type Strength uint8

const (
	// Soft, Weak, Phantom and Final are the referents of SoftReference,
	// WeakReference, PhantomReference and FinalReference with their subclasses.
	Soft Strength = 1 << iota
	Weak
	Phantom
	Final
	// AllWeaker is every reference but strong ones.
	AllWeaker = Soft | Weak | Phantom | Final
)

// String names the kinds, as "weak, phantom"; "none" for the empty set.
func (s Strength) String() string {
	var names []string
	for i, name := range [...]string{"soft", "weak", "phantom", "final"} {
		if s>>i&1 != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Options say how a graph is made. The zero value works and gives what MAT's
// dominator tree has, with the sizes of the VM.
type Options struct {
	// Sizes are the shallow sizes that retained sizes add up.
	Sizes Sizing
	// Ignore are the kinds of references whose referent counts as not held. MAT
	// ignores none in its dominator tree.
	Ignore Strength
	// ClassDetails counts the signers and the protection domain of a class among what
	// its class object refers to, which MAT does only when it is told to.
	ClassDetails bool
	// Memory bounds what the graph keeps in memory, in bytes; more goes to
	// unnamed files in TempDir that are mapped, whose pages are the system's to
	// take back. 0 is [DefaultMemory].
	Memory int64
	// TempDir is where files are made; empty is the system's place.
	TempDir string
	// Total is the size of the decompressed dump where it is known, else 0. With it
	// a disk that is too small is found before the start.
	Total int64
	// Progress is told now and then how far a phase is. It is called by the
	// goroutine that called [Collector.Build].
	Progress func(Progress)
}

// DefaultMemory is how much is kept in memory unless told otherwise.
const DefaultMemory = 2 << 30

// MinMemory is the least that Options.Memory may be: what a reader has for itself, and
// some room for what is looked at all the time. Of a heap of 60 GB the addresses' bits
// alone, which are met in no order, take 1 GB.
const MinMemory = 128 << 20

// Phase is a part of the work.
type Phase uint8

// The phases, in their order.
const (
	Numbering  Phase = iota // addresses get ranks
	Linking                 // references become ranks
	Pruning                 // trees that one object holds are folded into it
	Visiting                // depth first from the roots
	Dominating              // dominators of what remains
	Summing                 // retained sizes
	NumPhases
)

var phaseWords = [NumPhases]string{"numbering objects", "linking references", "folding trees", "visiting from the roots", "finding dominators", "adding up sizes"}

// String is the phase in words, as "linking references".
func (p Phase) String() string {
	if p < NumPhases {
		return phaseWords[p]
	}
	return fmt.Sprintf("phase %d", p)
}

// Progress is how far the work is.
type Progress struct {
	Phase Phase
	// Done of Total units of the phase are done; units differ from phase to phase.
	Done, Total int64
}
