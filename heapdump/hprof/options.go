package hprof

import (
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
)

// Options say how to read a dump. The zero value works.
type Options struct {
	// Keep says of which classes instances are kept; nil leaves it to the reader.
	Keep heapdump.Keeper
	// Total is the size of the decompressed dump in bytes where it is known, for
	// the share that was read; 0 where not.
	Total int64
	// Progress is told now and then how many bytes of the dump were read. It is
	// called by the goroutine that called Read.
	Progress func(read int64)
	// Values keeps the beginnings of texts with many copies, which are private.
	Values bool
	// Memory bounds the stores that are kept in memory, in bytes; what is above
	// goes to a temporary file. 0 is [DefaultMemory].
	Memory int64
	// Graph takes the objects with their references, for the graph of the heap; nil
	// when none is wanted. With it Memory is [graph.Collector.ReaderMemory] if 0.
	Graph *graph.Collector
	// TempDir is where the temporary file is made; empty is the system's place.
	TempDir string

	// chunk is the size and limit of chunks, for tests; 0 is chunkSize and chunkCap.
	chunk int
}
