package hprof

import (
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
)

// piece is a run of records of a heap dump within a chunk.
type piece struct {
	off, end int
	at       int64 // offset in the dump
}

// chunk is what one goroutine goes through at once, and what it finds.
type chunk struct {
	buf    []byte
	n      int // bytes of buf in use
	pieces []piece
	// giant is an array too long for buf, of which the head is in buf and the
	// slots were looked at when they went by.
	giant *giant
	view  *view
	done  chan struct{}

	found found
}

// giant is an object array that is longer than a chunk.
type giant struct {
	filled int64
	refs   []uint64
	step   int64
	links  *giantLinks // nil without a graph
}

// found is what there is in a chunk.
type found struct {
	// first and last are the first and the last object, for the distance from
	// chunk to chunk; lastGap tells what kind the last one is.
	first, last uint64
	lastKind    kind
	any         bool

	// blob has the stores of the chunk: index, rows, arrays, texts.
	blob   []byte
	index  indexPart
	rows   []rowsPart
	arrays []entry
	prims  []entry
	texts  textPart

	samples []sample
	bigs    []bigArray
	roots   [256]int64
	threads []threadRoot
	locals  []localRoot
	// late are class records, deferred the instances of classes that were not
	// described yet, whole records one after another.
	late, deferred []byte
	// graph has the objects with their references when linked is set.
	graph  graph.Block
	linked bool
	losses lossTable
}

// kind is the kind of an object for distances: a class, or arrays of a type and
// a length.
type kind struct {
	class  int32 // -1 for arrays
	typ    heapdump.Type
	length uint32
}

// entry is where an array is in a blob.
type entry struct {
	id  uint64
	off uint32
}

// rowsPart is where the kept instances of a class are in a blob.
type rowsPart struct {
	class       int32
	n           uint32
	off         uint32
	first, last uint64
	// links and times are, for a class on trial, how many of the sampled rows
	// refer to others of their class, and have a long that may be a time.
	links, times, sampled uint32
}

// textPart is where the texts of a chunk are in a blob.
type textPart struct {
	n   uint32
	off uint32
}

// indexPart is where the index of a chunk is in a blob: its heads from off on, its
// distances from body to end.
type indexPart struct {
	n              uint32
	off, body, end uint32
	// origins is where the numbers of the blobs are that have the objects, in 4
	// bytes each; 0 when all are of the chunk itself. See [store.straighten].
	origins     uint32
	first, last uint64
	shift       uint8
	wide        bool
}

// sample is a text whose content is in the sample of equal texts.
type sample struct {
	hash, sum uint64
	typ       heapdump.Type
	n         uint32
	shown     string
}

type bigArray struct {
	id     uint64
	class  int32
	length int64
	bytes  uint64
}

type threadRoot struct {
	id            uint64
	serial, trace uint32
}

type localRoot struct {
	id     uint64
	serial uint32
	frame  int32
}

// room makes the buffer hold n bytes at least; it grows as it is needed, as most
// dumps in tests are far smaller than a chunk.
func (c *chunk) room(n int) {
	if n > len(c.buf) {
		c.buf = append(c.buf, make([]byte, max(n, min(2*len(c.buf), chunkCap))-len(c.buf))...)
		c.buf = c.buf[:cap(c.buf)]
	}
}

// reset makes a chunk ready for other bytes.
func (c *chunk) reset() {
	c.n, c.pieces, c.giant = 0, c.pieces[:0], nil
	f := &c.found
	*f = found{
		blob: f.blob[:0],
		rows: f.rows[:0], arrays: f.arrays[:0], prims: f.prims[:0], samples: f.samples[:0], bigs: f.bigs[:0],
		threads: f.threads[:0], locals: f.locals[:0], late: f.late[:0], deferred: f.deferred[:0],
		graph: f.graph, linked: f.linked,
	}
	f.graph.Reset()
}
