package heapdump

import mathbits "math/bits"

// Limits of [Heap.Referred].
const (
	maxTargets     = 1 << 16 // targets that are looked up, an even sample of all
	maxReferrers   = 1 << 20 // instances of one class, and arrays, that are gone through
	fewestTargets  = 100     // from which a share says something
	granuleBits    = 16      // size of a piece of memory, as a power of two
	fewestGranules = 32
)

// Referred tells how much of the heap a dump that ends too early has at most: of the
// objects that statics and kept objects refer to, the share that is there, and of
// the pieces of memory that these are in, the share of which anything is there;
// the smaller of the two. Were references without preference it would be the share
// of the objects that was read. Objects refer to what was made with them, which
// stands near them in the dump, so that it is rather too large. False where too
// little is referred to.
func (h *Heap) Referred() (share float64, ok bool) {
	if h.Store == nil {
		return 0, false
	}
	t := targets{seen: map[ID]bool{}}
	h.references(t.add)
	there, memory := 0, map[ID]bool{}
	for id := range t.seen {
		_, present := h.ClassOf(id)
		if present {
			there++
		}
		piece := id >> granuleBits
		memory[piece] = memory[piece] || present
	}
	if len(t.seen) < fewestTargets {
		return 0, false
	}
	share = float64(there) / float64(len(t.seen))
	pieces := 0
	for _, present := range memory {
		if present {
			pieces++
		}
	}
	if len(memory) >= fewestGranules {
		share = min(share, float64(pieces)/float64(len(memory)))
	}
	return share, true
}

// references goes through what statics and kept objects refer to.
func (h *Heap) references(yield func(ID)) {
	for i, c := range h.Classes {
		for _, s := range c.Statics {
			if s.Type.Size() == 0 {
				yield(ID(s.Value))
			}
		}
		var refs []int
		for col := range c.Columns {
			if c.Columns[col].Type.Size() == 0 {
				refs = append(refs, col)
			}
		}
		if len(refs) == 0 || c.Kept == 0 {
			continue
		}
		n := 0
		for in := range h.Instances(i) {
			if n++; n > maxReferrers {
				break
			}
			for _, col := range refs {
				yield(ID(in.At(col)))
			}
		}
	}
	n := 0
	for a := range h.Arrays(-1) {
		if n++; n > maxReferrers {
			break
		}
		for _, id := range a.Refs {
			yield(id)
		}
	}
}

// targets is an even sample of different addresses: which are in it depends on the
// addresses alone, so that what is referred to often counts once.
type targets struct {
	seen map[ID]bool
	skip uint // of 2^skip addresses one is in the sample
}

func (t *targets) add(id ID) {
	if id == 0 || !t.sampled(id) {
		return
	}
	t.seen[id] = true
	for len(t.seen) > maxTargets {
		t.skip++
		for old := range t.seen {
			if !t.sampled(old) {
				delete(t.seen, old)
			}
		}
	}
}

func (t *targets) sampled(id ID) bool {
	return mathbits.LeadingZeros64(uint64(id)*0x9e3779b97f4a7c15) >= int(t.skip)
}
