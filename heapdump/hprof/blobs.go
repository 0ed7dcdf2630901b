package hprof

import (
	"os"
	"sync"
)

// blobs keeps the stores of the chunks: in memory up to a bound, above it in a
// temporary file without a name, which is gone when the process is.
type blobs struct {
	bound  int64
	dir    string
	list   []blobRef
	inside int64 // bytes in memory
	slabs  slabs
	file   *os.File
	length int64 // of the file

	mu    sync.Mutex
	cache map[int32]*cached
	clock uint64
	err   error
}

type blobRef struct {
	bytes []byte
	off   int64
	n     int32
}

// cached is a blob read back from the file.
type cached struct {
	bytes []byte
	used  uint64
}

// cachedBlobs is how many blobs read back are held; some 0.5 MB each.
const cachedBlobs = 32

// add keeps a copy of a blob and gives its number; ok is false when there is no
// space for it.
func (s *blobs) add(b []byte) (number int32, ok bool) {
	s.mu.Lock() // parts may be read meanwhile
	defer s.mu.Unlock()
	n := int32(len(s.list))
	if s.inside+int64(len(b)) <= s.bound {
		s.inside += int64(len(b))
		s.list = append(s.list, blobRef{bytes: s.slabs.keep(b), n: int32(len(b))})
		return n, true
	}
	if !s.write(b) {
		return 0, false
	}
	s.list = append(s.list, blobRef{off: s.length, n: int32(len(b))})
	s.length += int64(len(b))
	return n, true
}

func (s *blobs) write(b []byte) bool {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "heap-*")
		if err != nil {
			return false
		}
		// Without a name the file goes when the process does, however it ends.
		// Where that is not possible Close removes it.
		_ = os.Remove(f.Name())
		s.file = f
	}
	_, err := s.file.WriteAt(b, s.length)
	return err == nil
}

// get is a blob by its number; nil when it cannot be read back.
func (s *blobs) get(n int32) []byte {
	if int(n) >= len(s.list) { // closed
		return nil
	}
	r := &s.list[n]
	if r.bytes != nil || r.n == 0 {
		return r.bytes
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	if c := s.cache[n]; c != nil {
		c.used = s.clock
		return c.bytes
	}
	b := make([]byte, r.n)
	if s.file == nil {
		return nil
	}
	if _, err := s.file.ReadAt(b, r.off); err != nil {
		if s.err == nil {
			s.err = err
		}
		return nil
	}
	s.evict()
	if s.cache == nil {
		s.cache = map[int32]*cached{}
	}
	s.cache[n] = &cached{b, s.clock}
	return b
}

// part is a part of a blob, without reading back the whole; nil when it cannot be
// read. Other blobs may be added meanwhile.
func (s *blobs) part(n int32, from, to uint32) []byte {
	s.mu.Lock()
	r := s.list[n]
	s.mu.Unlock()
	if r.bytes != nil {
		return r.bytes[from:to]
	}
	b := make([]byte, to-from)
	if _, err := s.file.ReadAt(b, r.off+int64(from)); err != nil {
		return nil
	}
	return b
}

// evict makes room for one blob, dropping the one not used for longest.
func (s *blobs) evict() {
	if len(s.cache) < cachedBlobs {
		return
	}
	oldest, at := s.clock, int32(-1)
	for n, c := range s.cache {
		if c.used < oldest {
			oldest, at = c.used, n
		}
	}
	delete(s.cache, at)
}

func (s *blobs) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *blobs) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list, s.cache = nil, nil
	if s.file == nil {
		return nil
	}
	name := s.file.Name()
	err := s.file.Close()
	_ = os.Remove(name)
	s.file = nil
	return err
}
