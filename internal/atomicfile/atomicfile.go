// Package atomicfile writes files that are there in full or not at all: a
// reader, or a run cut short, never sees half a result.
//
// It is for results of at most what a disk takes in a moment, not for logs that
// grow.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
)

// attempts bounds the search for a free temporary name.
const attempts = 100

// serial tells apart the temporary names of one process.
var serial atomic.Uint64

// Write makes the file at path hold what write writes. The bytes go to a
// temporary file beside it, which takes the name once they are on the disk; on
// any error the file at path stays as it was. A symbolic link is followed, an
// existing file keeps its permissions. What is no regular file (a pipe, a
// device) is written to directly.
func Write(path string, write func(io.Writer) error) error {
	target := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved
	}
	perm := fs.FileMode(0o666)
	switch info, err := os.Stat(target); {
	case err == nil && info.IsDir():
		return fmt.Errorf("cannot write %s: it is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		return direct(target, write)
	case err == nil:
		perm = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	f, err := temporary(target, perm)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	err = fill(f, write)
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		os.Remove(f.Name()) // the first error is the one to report
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}

// temporary creates a file beside target that no reader will look for. Unlike
// os.CreateTemp it leaves the permissions to the user's umask.
func temporary(target string, perm fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(target)
	for range attempts {
		tag := strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(serial.Add(1), 10)
		f, err := os.OpenFile(filepath.Join(dir, "."+base+"."+tag+".tmp"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("no free temporary name beside it in %d attempts", attempts)
}

// fill writes, flushes to the disk and closes.
func fill(f *os.File, write func(io.Writer) error) error {
	b := bufio.NewWriter(f)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func direct(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	b := bufio.NewWriter(f)
	err = write(b)
	if err == nil {
		err = b.Flush()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
