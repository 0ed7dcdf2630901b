package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Free is how many bytes are free for us in the file system of a directory; false
// where that cannot be known.
func Free(dir string) (int64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * s.Bsize, true
}

// reserve makes a file that long with its blocks, so that writing to the mapping
// cannot fail for want of space.
func reserve(f *os.File, size int64) error {
	err := syscall.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) {
		return f.Truncate(size)
	}
	return err
}

// resident is how many bytes the process has in memory, and how many of them are pages of
// files; 0 where that cannot be known.
func resident() (all, files int64) {
	var size int64
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, 0
	}
	if _, err := fmt.Sscan(string(b), &size, &all, &files); err != nil {
		return 0, 0
	}
	page := int64(os.Getpagesize())
	return all * page, files * page
}

// release takes the pages of a mapped file out of the process; what they have stays.
func release(b []byte) { _ = syscall.Madvise(b, syscall.MADV_DONTNEED) }

// large asks for large pages: arrays are met in no order, and finding the pages
// would take a good part of the time.
func large(b []byte) {
	if len(b) >= 4<<20 {
		_ = syscall.Madvise(b, 14) // MADV_HUGEPAGE
	}
}
