package disk

import (
	"fmt"
	"os"
	"sync"
	"unsafe"

	"example.com/kneeline/internal/units"
)

// Number is what arrays are of.
type Number interface {
	uint8 | uint16 | uint32 | uint64
}

// Arena makes arrays and keeps account of them. It may be used by several goroutines.
type Arena struct {
	bound int64
	dir   string

	mu                   sync.Mutex
	memory, disk         int64
	memoryPeak, diskPeak int64
	live                 map[*block]bool
}

// block is the memory behind an array.
type block struct {
	bytes  []byte
	mapped bool // from a file
}

// Array is a list of numbers of fixed length. The zero value is empty.
type Array[T Number] struct {
	// V are the numbers, all zero at first.
	V     []T
	arena *Arena
	block *block
}

// New makes an arena that keeps at most bound bytes in memory and makes its files in
// dir, or the system's place for them when that is empty.
func New(bound int64, dir string) *Arena {
	if dir == "" {
		dir = os.TempDir()
	}
	return &Arena{bound: bound, dir: dir, live: map[*block]bool{}}
}

// Make makes an array of n numbers.
func Make[T Number](a *Arena, n int) (Array[T], error) {
	var zero T
	if n == 0 {
		return Array[T]{}, nil
	}
	b, err := a.take(int64(n) * int64(unsafe.Sizeof(zero)))
	if err != nil {
		return Array[T]{}, err
	}
	return Array[T]{V: unsafe.Slice((*T)(unsafe.Pointer(&b.bytes[0])), n), arena: a, block: b}, nil
}

// Free gives the memory back; the numbers must not be used any more. It may be called
// again.
func (x *Array[T]) Free() {
	if x.block != nil {
		x.arena.give(x.block)
	}
	*x = Array[T]{}
}

// Peak is the most that was in memory and in files at once, in bytes.
func (a *Arena) Peak() (memory, disk int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.memoryPeak, a.diskPeak
}

// Reserve takes bytes of the memory for something that is not an array of the arena;
// negative numbers give them back.
func (a *Arena) Reserve(n int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.memory += n
	a.memoryPeak = max(a.memoryPeak, a.memory)
}

// Wrote takes account of bytes in a file that is not of the arena; negative numbers are
// of one that is gone.
func (a *Arena) Wrote(n int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.disk += n
	a.diskPeak = max(a.diskPeak, a.disk)
}

// Room is how many bytes may still go into memory.
func (a *Arena) Room() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(a.bound-a.memory, 0)
}

// Check says whether arrays of so many bytes beside those there are will find room,
// in memory or on the disk.
func (a *Arena) Check(bytes int64) error {
	need := bytes - a.Room()
	if need <= 0 {
		return nil
	}
	free, ok := Free(a.dir)
	if ok && need > free {
		return fmt.Errorf("%s for temporary files are needed in %s, and %s are free there: "+
			"give more memory or another directory", units.Size(need), a.dir, units.Size(free))
	}
	return nil
}

func (a *Arena) take(size int64) (*block, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.memory+size <= a.bound {
		b, err := anonymous(size)
		if err != nil {
			return nil, fmt.Errorf("%s of memory cannot be had: %w", units.Size(size), err)
		}
		a.memory += size
		a.memoryPeak = max(a.memoryPeak, a.memory)
		return a.keep(&block{bytes: b}), nil
	}
	b, err := fileBacked(a.dir, size)
	if err != nil {
		return nil, fmt.Errorf("%s for a temporary file in %s: %w", units.Size(size), a.dir, err)
	}
	a.disk += size
	a.diskPeak = max(a.diskPeak, a.disk)
	return a.keep(&block{bytes: b, mapped: true}), nil
}

func (a *Arena) keep(b *block) *block {
	a.live[b] = true
	return b
}

func (a *Arena) give(b *block) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.live[b] {
		return
	}
	delete(a.live, b)
	if b.mapped {
		a.disk -= int64(len(b.bytes))
	} else {
		a.memory -= int64(len(b.bytes))
	}
	unmap(b.bytes)
}

// Trim takes the pages of mapped files out of the process when it has more than the
// bound, for which they stay in the system's cache: the system would do it when memory is
// short, but those who look at the process would see what it does not need.
func (a *Arena) Trim() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.disk == 0 {
		return
	}
	all, files := resident()
	if all <= a.bound || files <= a.bound/trimShare {
		return
	}
	for b := range a.live {
		if b.mapped {
			release(b.bytes)
		}
	}
}

// trimShare is which part of the bound the pages of files may have in any case, so that
// they are not taken out again and again where something else has the memory.
const trimShare = 4

// Close frees all arrays.
func (a *Arena) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for b := range a.live {
		unmap(b.bytes)
	}
	clear(a.live)
	a.memory, a.disk = 0, 0
	return nil
}
