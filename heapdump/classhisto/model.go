package classhisto

import (
	"strings"
	"time"

	"example.com/kneeline/heapdump/lines"
)

// Forms of a [Histogram]: which tool wrote it.
const (
	// HotSpot is jmap -histo and jcmd GC.class_histogram of OpenJDK's virtual machine.
	HotSpot = "hotspot"
	// Agent is jhsdb jmap --histo, which reads the memory of a process or core
	// from outside.
	Agent = "jhsdb"
	// OpenJ9 is jmap -histo and jcmd GC.class_histogram of OpenJ9; it has no total.
	OpenJ9 = "openj9"
)

// File is what one text holds.
type File struct {
	// Histograms are in the order of the file.
	Histograms []Histogram
	// Lines is how many lines there were, Other how many of them were outside of any
	// histogram.
	Lines, Other int64
	// Unreadable counts the lines within a histogram that are no row; Problems are
	// the first [MaxProblems] of them.
	Unreadable int64
	Problems   []Problem
	// Cut counts the lines that were longer than is kept.
	Cut int64
}

// Problem is a line that is not what was expected.
type Problem struct {
	Line     int64
	Expected string
	Found    string
}

// Histogram is the objects of one heap by class.
type Histogram struct {
	// Form is the tool that wrote it, one of the constants.
	Form string
	// Line is the number of its first line.
	Line int64
	// PID is the process, 0 where it is not told.
	PID int64
	// Stamp is when it was taken, by what stands before it in the file; Time is zero
	// where nothing does.
	Stamp lines.Stamp
	// Uptime is how long the virtual machine was up, -1 where it is not told.
	Uptime time.Duration
	Rows   []Row
	// Sum is all rows together, those that were dropped too.
	Sum Count
	// Stated is the histogram's own last line; nil where it is missing, as it is when
	// the output was cut off by head(1), and in OpenJ9's form.
	Stated *Count
	// Missing is how many ranks are left out between rows, as grep(1) does.
	Missing int64
	// Dropped counts the rows over [MaxRows].
	Dropped int64
	// next is the rank that the next row should have.
	next int64
}

// Count is a number of objects and their bytes.
type Count struct{ Instances, Bytes int64 }

// Row is one class.
type Row struct {
	// Name is as Java's source has it: java.lang.String, byte[].
	Name string
	// Module is such as java.base@17.0.15; empty for what is in no named module.
	Module string
	Count
}

// Complete says whether all rows are there: nothing was left out or dropped, and
// the total stands at the end where the form has one.
func (h *Histogram) Complete() bool {
	return h.Missing == 0 && h.Dropped == 0 && (h.Stated != nil || h.Form == OpenJ9)
}

// Agrees says whether the rows sum up to the total that the histogram states; true
// where it states none.
func (h *Histogram) Agrees() bool { return h.Stated == nil || *h.Stated == h.Sum }

// Total is the objects of the heap: as stated, or else the sum of what is there.
func (h *Histogram) Total() Count {
	if h.Stated != nil {
		return *h.Stated
	}
	return h.Sum
}

// ByName is the rows summed up by name: two class loaders may each have a class
// of one name, and then it has two rows.
func (h *Histogram) ByName() map[string]Count {
	out := make(map[string]Count, len(h.Rows))
	for _, r := range h.Rows {
		c := out[r.Name]
		out[r.Name] = Count{add(c.Instances, r.Instances), add(c.Bytes, r.Bytes)}
	}
	return out
}

// primitives are the letters that a virtual machine has for the elements of arrays
// (Java Virtual Machine Specification, 4.3.2).
var primitives = map[byte]string{
	'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long", 'S': "short", 'Z': "boolean",
}

// JavaName turns a virtual machine's name of a class into that of Java's source:
// [[B is byte[][], [Ljava.lang.String; is java.lang.String[]. Other names stay as
// they are.
func JavaName(vm string) string {
	depth := 0
	for depth < len(vm) && vm[depth] == '[' {
		depth++
	}
	if depth == 0 || depth == len(vm) || depth > 255 { // the specification's most dimensions
		return vm
	}
	element := vm[depth:]
	switch {
	case len(element) == 1 && primitives[element[0]] != "":
		element = primitives[element[0]]
	case len(element) > 2 && element[0] == 'L' && strings.HasSuffix(element, ";"):
		element = element[1 : len(element)-1]
	default:
		return vm
	}
	return element + strings.Repeat("[]", depth)
}
