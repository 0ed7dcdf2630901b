package heapdump

import (
	"iter"
	"slices"
	"time"

	"example.com/kneeline/heapdump/layout"
)

// Heap is what was read of a dump.
type Heap struct {
	// Format is the name in the file's head, as "JAVA PROFILE 1.0.2".
	Format string
	// IDSize is the size of identifiers in the file, 4 or 8 bytes.
	IDSize int
	// Taken is when the dump was begun, by the clock of its machine; the ages of
	// objects count from here.
	Taken time.Time
	// Read is how many bytes of the dump were read, decompressed. Total is how
	// many there are, 0 when that is not known.
	Read, Total int64
	// Missing is how many bytes more than there were the record claims in which the
	// dump ends; 0 where it ends between records. More may have followed.
	Missing int64
	// Complete is false when the dump ended early or reading was interrupted:
	// what there is counts, but there may be more. Why says what happened.
	Complete bool
	Why      string
	// Losses are what was met and could not be used.
	Losses []Loss

	// Layout is how the VM lays out objects, as learned.
	Layout *layout.Layout
	// MAT has the sizes that Eclipse MAT computes from the same dump.
	MAT *layout.MATLayout
	// Classes are all classes, by [Class.Index].
	Classes []*Class
	// Objects, Bytes, MATBytes and DumpBytes are the sums over classes.
	Objects, Bytes, MATBytes, DumpBytes int64
	// Threads are in the order of their serial numbers.
	Threads []Thread
	// Roots counts the roots by kind, most first. HotSpot before JDK 22 writes
	// them last, so a truncated dump has few.
	Roots []Roots
	// Biggest are the single arrays that take most, largest first.
	Biggest []Big
	// Redacted is true for a copy whose contents are zero; Texts is then what the
	// dump had that it is of.
	Redacted bool
	// Texts estimates what equal texts (byte[] and char[]) cost.
	Texts Texts

	// Store gives the kept objects.
	Store Store

	names map[string][]int
}

// Store is where kept objects are. Its methods may be called from several
// goroutines at once. A store on disk that cannot be read any more says so by
// [Store.Err] and finds nothing.
type Store interface {
	// ClassOf gives the class of any object of the dump by its address.
	ClassOf(ID) (int, bool)
	// Instance finds a kept instance, Instances goes through those of a class in
	// the order of the file.
	Instance(ID) (Instance, bool)
	Instances(class int) iter.Seq[Instance]
	// Array finds a kept object array, Arrays goes through those of a class, or
	// of all with class -1, in the order of the file.
	Array(ID) (Array, bool)
	Arrays(class int) iter.Seq[Array]
	// Prim finds a kept short array of a primitive type.
	Prim(ID) (Prim, bool)
	// Text finds the text of a java.lang.String, byte[] or char[] that is kept:
	// short ones that may be names. A reader may leave out those that begin as
	// paths, JSON, markup or sentences do.
	Text(ID) (string, bool)
	// Err is the first failure of the store.
	Err() error
	// Close frees memory and temporary files.
	Close() error
}

// Loss is something of the dump that was met and could not be used.
type Loss struct {
	// What says in plain words what was lost.
	What string
	// Count is how many things were lost, Bytes how many bytes of the dump, 0
	// when it says nothing.
	Count, Bytes int64
	// At is the offset in the decompressed dump of the first one, -1 when there
	// is no place.
	At int64
}

// Roots is how many roots of a kind there are.
type Roots struct {
	// Kind is in words, as "thread object" or "JNI global".
	Kind  string
	Count int64
}

// Texts estimates the cost of equal texts from a sample of contents. Which
// contents are sampled depends on them alone, so all copies of one are counted.
type Texts struct {
	// Arrays and Bytes are all byte[] and char[] that are short enough to be
	// compared, and what they take in the VM.
	Arrays, Bytes int64
	// Share is the share of contents sampled, 0 to 1; 0 when there are none.
	Share float64
	// Distinct estimates how many different contents there are, Wasted what all
	// copies but one of each take.
	Distinct, Wasted int64
	// Top are the sampled contents whose copies waste most, most first.
	Top []Duplicate
}

// Duplicate is one content and its copies.
type Duplicate struct {
	Count int64
	// BytesEach is what one array with this content takes in the VM.
	BytesEach int64
	// Text is the beginning of the content when the reader was told to keep
	// values, else empty. It is private.
	Text string
}

// Class is the class with an index, nil when there is none.
func (h *Heap) Class(index int) *Class {
	if index < 0 || index >= len(h.Classes) {
		return nil
	}
	return h.Classes[index]
}

// ClassNamed gives the classes of a name: several when loaders differ, none when
// the dump has no such class.
func (h *Heap) ClassNamed(name string) []int { return h.names[name] }

// IsA says whether a class has the name, or a superclass of it has. Interfaces
// are not in dumps.
func (h *Heap) IsA(class int, name string) bool {
	for range maxSupers {
		c := h.Class(class)
		if c == nil {
			return false
		}
		if c.Name == name {
			return true
		}
		class = c.Super
	}
	return false
}

// maxSupers bounds how far superclasses are followed, as a hostile dump may
// have a cycle of them. Java knows no class nearly as deep.
const maxSupers = 1000

// AllFields are the fields of the instances of a class with those of its
// superclasses, nearest class first, as records have them.
func (h *Heap) AllFields(class int) []Column {
	var out []Column
	for range maxSupers {
		c := h.Class(class)
		if c == nil {
			break
		}
		for _, f := range c.Fields {
			out = append(out, Column{Class: c.Name, Field: f})
		}
		class = c.Super
	}
	return out
}

// Close frees what the heap keeps.
func (h *Heap) Close() error {
	if h.Store == nil {
		return nil
	}
	return h.Store.Close()
}

// Seal makes names known to [Heap.ClassNamed], sets the display names and adds
// up the sums. Who fills a heap calls it when the classes are complete.
func (h *Heap) Seal() {
	h.names = make(map[string][]int, len(h.Classes))
	h.Objects, h.Bytes, h.MATBytes, h.DumpBytes = 0, 0, 0, 0
	for i, c := range h.Classes {
		c.Index = i
		c.Display, c.Hidden = Fold(c.Name)
		h.names[c.Name] = append(h.names[c.Name], i)
		h.Objects += c.Instances
		h.Bytes += c.Bytes
		h.MATBytes += c.MATBytes
		h.DumpBytes += c.DumpBytes
	}
	slices.SortStableFunc(h.Roots, func(a, b Roots) int {
		switch {
		case a.Count > b.Count:
			return -1
		case a.Count < b.Count:
			return 1
		}
		return 0
	})
}
