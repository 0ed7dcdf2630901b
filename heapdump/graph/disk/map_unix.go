//go:build unix

package disk

import (
	"os"
	"syscall"
)

// anonymous gives memory that can be given back at once, which the collector's
// memory cannot.
func anonymous(size int64) ([]byte, error) {
	b, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err == nil {
		large(b)
	}
	return b, err
}

// fileBacked maps a file without a name.
func fileBacked(dir string, size int64) ([]byte, error) {
	f, err := os.CreateTemp(dir, "graph-*")
	if err != nil {
		return nil, err
	}
	defer f.Close() // the mapping holds the file
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	if err := reserve(f, size); err != nil {
		return nil, err
	}
	return syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

// Open maps a file for reading.
func Open(path string) (*Mapped, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return &Mapped{}, err
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	return &Mapped{b}, err
}

func unopen(b []byte) { unmap(b) }

func unmap(b []byte) { _ = syscall.Munmap(b) }
