//go:build !unix

package disk

import (
	"errors"
	"os"
)

func anonymous(size int64) ([]byte, error) { return make([]byte, size), nil }

// errNoFiles is the answer of systems on which files are not mapped.
var errNoFiles = errors.New("this system has no mapped files without a name: give more memory")

func fileBacked(string, int64) ([]byte, error) { return nil, errNoFiles }

// Open reads a file: it is not mapped here.
func Open(path string) (*Mapped, error) {
	b, err := os.ReadFile(path)
	return &Mapped{b}, err
}

func unopen([]byte) {}

func unmap([]byte) {}
