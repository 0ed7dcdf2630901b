package stacks

import (
	"hash/maphash"
	"slices"
	"unicode/utf8"
	"unsafe"
)

const (
	// MaxKept bounds the memory of what is kept of one file, in bytes. A dump of a
	// million virtual threads with few different stacks fits.
	MaxKept = 384 << 20
	// MaxFrames is how many frames of one stack are kept, the innermost. HotSpot
	// itself prints at most -XX:MaxJavaStackTraceDepth, 1,024.
	MaxFrames = 4096
	// MaxLocks is how many locks of one thread are kept.
	MaxLocks = 1024
	// MaxProblems is how many unreadable places are kept.
	MaxProblems = 20
	// MaxDumps is how many dumps of one file are kept.
	MaxDumps = 10_000
)

// keeper holds texts and stacks once each, and knows how much room is left.
type keeper struct {
	seed  maphash.Seed
	texts map[string]string
	// stacks are those kept, by their hash.
	stacks map[uint64][][]Frame
	left   int64
}

func newKeeper() *keeper {
	return &keeper{seed: maphash.MakeSeed(), texts: map[string]string{}, stacks: map[uint64][][]Frame{}, left: MaxKept}
}

// mapCost is about what an entry of a map takes beside its text.
const mapCost = 48

func (k *keeper) take(bytes int64) bool {
	if bytes > k.left {
		return false
	}
	k.left -= bytes
	return true
}

// text returns a copy of a text that is shared with its equals; empty where there
// is no room for it.
func (k *keeper) text(s string) string {
	if s == "" {
		return ""
	}
	if kept, ok := k.texts[s]; ok {
		return kept
	}
	if !k.take(int64(len(s)) + mapCost) {
		return ""
	}
	s = string([]byte(s)) // what is read must not be held by a part of it
	k.texts[s] = s
	return s
}

// stack returns a stack that is shared with its equals, and false where there is
// no room for it. The frames given may be used again.
func (k *keeper) stack(frames []Frame) ([]Frame, bool) {
	if len(frames) == 0 {
		return nil, true
	}
	sum := k.hash(frames)
	for _, kept := range k.stacks[sum] {
		if slices.Equal(kept, frames) {
			return kept, true
		}
	}
	if !k.take(int64(len(frames))*int64(unsafe.Sizeof(Frame{})) + mapCost) {
		return nil, false
	}
	kept := make([]Frame, len(frames))
	for i, f := range frames {
		kept[i] = Frame{k.text(f.Class), k.text(f.Method), k.text(f.Module), k.text(f.File), f.Line}
	}
	k.stacks[sum] = append(k.stacks[sum], kept)
	return kept, true
}

func (k *keeper) hash(frames []Frame) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	for _, f := range frames {
		_, _ = h.WriteString(f.Class)
		_ = h.WriteByte(0)
		_, _ = h.WriteString(f.Method)
		_, _ = h.WriteString(f.File)
		_, _ = h.Write([]byte{0, byte(f.Line), byte(f.Line >> 8), byte(f.Line >> 16)})
	}
	return h.Sum64()
}

// locks copies locks, and returns none where there is no room for them.
func (k *keeper) locks(locks []Lock) []Lock {
	if len(locks) == 0 || !k.take(int64(len(locks))*int64(unsafe.Sizeof(Lock{}))) {
		return nil
	}
	out := make([]Lock, len(locks))
	for i, l := range locks {
		out[i] = Lock{l.Kind, k.text(l.Object), k.text(l.Class), l.Owner, l.Depth}
	}
	return out
}

// longestName is how many bytes of the name of a thread or executor are kept: some
// carry a whole request in it.
const longestName = 1000

// shortened is the beginning of a name that is longer than is kept.
func shortened(name string) string {
	if len(name) <= longestName {
		return name
	}
	end := longestName
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + "…"
}

// thread keeps a thread of a dump, or counts it as dropped.
func (k *keeper) thread(f *File, d *Dump, t Thread, frames []Frame, locks []Lock) {
	if !k.take(int64(unsafe.Sizeof(t))) {
		f.Dropped++
		return
	}
	var ok bool
	if t.Frames, ok = k.stack(frames); !ok {
		f.DroppedStacks++
	}
	t.Locks = k.locks(locks)
	t.Name, t.Detail, t.Condition, t.Container = k.text(shortened(t.Name)), k.text(t.Detail), k.text(t.Condition), k.text(shortened(t.Container))
	d.Threads = append(d.Threads, t)
}
