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
	p, err := find(path)
	if err == nil && p.direct {
		err = direct(p.target, write)
	} else if err == nil {
		err = replace(p, write)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, reason(err))
	}
	return nil
}

// Check reports whether [Write] could write the file at path, as far as that can
// be told without writing it.
func Check(path string) error {
	p, err := find(path)
	if err == nil && !p.direct {
		var f *os.File
		if f, err = temporary(p); err == nil {
			f.Close()
			err = os.Remove(f.Name())
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, reason(err))
	}
	return nil
}

// place is where a path leads.
type place struct {
	target string      // after symbolic links
	perm   fs.FileMode // for a new file, or of the one that is there
	direct bool        // no regular file
}

func find(path string) (place, error) {
	p := place{target: path, perm: 0o666}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		p.target = resolved
	}
	info, err := os.Stat(p.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return p, err
	case info.IsDir():
		return p, errors.New("it is a directory")
	}
	p.perm, p.direct = info.Mode().Perm(), !info.Mode().IsRegular()
	return p, nil
}

func replace(p place, write func(io.Writer) error) error {
	f, err := temporary(p)
	if err != nil {
		return err
	}
	err = fill(f, write, f.Sync)
	if err == nil {
		err = os.Rename(f.Name(), p.target)
	}
	if err != nil {
		os.Remove(f.Name()) // the first error is the one to report
	}
	return err
}

func direct(target string, write func(io.Writer) error) error {
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return fill(f, write, func() error { return nil }) // a pipe cannot sync
}

// temporary creates a file beside the target that no reader will look for.
// Unlike os.CreateTemp it leaves the permissions to the user's umask.
func temporary(p place) (*os.File, error) {
	dir, base := filepath.Split(p.target)
	for range attempts {
		tag := strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(serial.Add(1), 10)
		f, err := os.OpenFile(filepath.Join(dir, "."+base+"."+tag+".tmp"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, p.perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("no free temporary name beside it in %d attempts", attempts)
}

// fill writes, flushes, syncs and closes.
func fill(f *os.File, write func(io.Writer) error, sync func() error) error {
	b := bufio.NewWriter(f)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// reason is the cause of a file error without the path, which the message
// already has, and without the temporary name, which tells nobody anything.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
