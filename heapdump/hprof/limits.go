package hprof

const (
	// DefaultMemory is how much the stores keep in memory: a dump of 1 GB stays
	// in it, and with the buffers the process is below 512 MiB. What goes to a file
	// instead costs about a third more time for a dump of 4 GB.
	DefaultMemory = 512 << 20

	// chunkCap is the most that a chunk holds. It is enough for the largest
	// class record (65,535 constants, statics and fields: 2.43 MB), so only arrays
	// and instances that nobody has can be longer; those are read by the way.
	chunkCap = 3 << 20
	// chunkSize is how much a worker is given at once: one segment of HotSpot. With
	// larger chunks the bytes are out of the processors' caches before they are
	// looked at (measured: 3 MiB cost a fifth more).
	chunkSize = 1<<20 + 1<<16
	// lag is how many chunks may be under way: decisions that follow from a chunk
	// hold from the lag-th after it. It also bounds the useful number of workers.
	lag = 4

	// maxStrings and maxStringBytes bound the table of names. HotSpot writes
	// all its symbols, some 30 MB in large applications.
	maxStrings     = 4 << 20
	maxStringBytes = 128 << 20
	// maxName is the length of the longest name in a class file.
	maxName = 65535
	// maxClasses bounds the classes; the largest application servers have some
	// 300,000.
	maxClasses = 1 << 20
	// maxUndescribed bounds the classes that are known by their instances only.
	maxUndescribed = 1 << 16
	// maxDepth bounds how far superclasses are followed.
	maxDepth = 1000
	// maxFields bounds fields and static fields of all classes together.
	maxFields = 8 << 20
	// maxFrames and maxTraces bound stack frames and stacks, maxThreads and
	// maxLocals threads and what their frames hold.
	maxFrames  = 2 << 20
	maxTraces  = 1 << 20
	maxThreads = 1 << 20
	maxLocals  = 2 << 20
	// maxDeferred bounds the instances kept back until their class is described,
	// in bytes. HotSpot describes classes first, Android among the objects.
	maxDeferred = 64 << 20

	// minSlots is the shortest object array that is always kept.
	minSlots = 100
	// maxSlots is the most slots kept of one array; longer ones are sampled
	// evenly.
	maxSlots = 1 << 22
	// smallKept is how many instances of any class are kept before the reader
	// decides whether they are worth it.
	smallKept = 4096
	// maxArrays bounds the arrays kept of each sort.
	maxArrays = 4 << 20
	// maxText is the longest text kept, in characters: names of threads, pools and
	// constants are shorter; Jetty's acceptors need some 110.
	maxText = 127
	// maxPrim is the longest int[] kept, in elements: the indexes of Jetty's
	// BlockingArrayQueue are an int[32].
	maxPrim = 64
	// maxSpans bounds the lengths of arrays that are counted, of all classes
	// together. Of each class those are kept that minRepeated arrays have and
	// more, at most maxRepeated.
	maxSpans    = 1 << 18
	minRepeated = 100
	maxRepeated = 1000
	// maxBig is how many of the biggest arrays are named.
	maxBig = 50

	// maxSampled bounds the contents in the sample of equal texts, maxCompared
	// the length of texts in it and maxShown what is kept of a content.
	maxSampled  = 1 << 15
	maxCompared = 1 << 16
	maxShown    = 60
	// topTexts is how many contents are reported.
	topTexts = 20
)
