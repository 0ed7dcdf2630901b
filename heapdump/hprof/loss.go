package hprof

import "example.com/kneeline/heapdump"

// loss is a kind of thing that could not be used.
type loss uint8

const (
	lossCut loss = iota
	lossGarbage
	lossUnknownRecord
	lossBadRecord
	lossOtherDump
	lossNames
	lossClasses
	lossClassAgain
	lossUndescribed
	lossDeferred
	lossOddInstance
	lossFrames
	lossThreads
	lossTexts
	lossArrays
	lossSampled
	lossStore
	lossLearned
	numLosses
)

var lossWords = [numLosses]string{
	lossCut:           "the end of the dump is missing: its last record is not whole",
	lossGarbage:       "bytes in a heap dump that are no record, passed over to the next segment",
	lossUnknownRecord: "records of an unknown kind, passed over",
	lossBadRecord:     "records of the wrong length, passed over",
	lossOtherDump:     "further heap dumps in the same file, not read",
	lossNames:         "names beyond the limits of the reader",
	lossClasses:       "classes or fields beyond the limits of the reader, or of no known type",
	lossClassAgain:    "classes described more than once; the first description counts",
	lossUndescribed:   "objects of classes that the dump does not describe",
	lossDeferred:      "objects before the description of their class, beyond the limit of what is kept back: not counted",
	lossOddInstance:   "instances shorter than their class says; their fields were not read",
	lossFrames:        "stack frames or stacks beyond the limits of the reader",
	lossThreads:       "threads, or objects that their frames hold, beyond the limits of the reader",
	lossTexts:         "texts beyond the limits of the reader",
	lossArrays:        "long arrays beyond the limits of the reader",
	lossSampled:       "arrays longer than the reader keeps: an even sample of their slots was kept",
	lossStore:         "objects whose fields could not be kept for lack of space for temporary files",
	lossLearned:       "distances between objects explain no layout: sizes are those of the commonest",
}

// lossTable counts losses.
type lossTable [numLosses]tally

type tally struct {
	count, bytes int64
	at           int64 // offset of the first one, plus 1
}

func (t *lossTable) add(l loss, count, bytes, at int64) {
	e := &t[l]
	if e.count == 0 || at >= 0 && at+1 < e.at {
		e.at = at + 1
	}
	e.count += count
	e.bytes += bytes
}

func (t *lossTable) merge(o *lossTable) {
	for l := range o {
		if e := &o[l]; e.count > 0 {
			t.add(loss(l), e.count, e.bytes, e.at-1)
		}
	}
}

func (t *lossTable) list() []heapdump.Loss {
	var out []heapdump.Loss
	for l := range t {
		if e := &t[l]; e.count > 0 {
			out = append(out, heapdump.Loss{What: lossWords[l], Count: e.count, Bytes: e.bytes, At: e.at - 1})
		}
	}
	return out
}
