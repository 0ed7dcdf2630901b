package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Identity tells one dump from another.
type Identity struct {
	// Size and Modified are of the file as it is, compressed or not; Modified is in
	// nanoseconds since the epoch.
	Size, Modified int64
	// Ends is a hash of the first and the last bytes.
	Ends string
}

// identityBytes is how much of either end is looked at.
const identityBytes = 64 << 10

// Identify gives the identity of a file. What is no regular file, as a pipe, has none.
func Identify(path string) (Identity, error) {
	f, err := os.Open(path)
	if err != nil {
		return Identity{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Identity{}, err
	}
	if !info.Mode().IsRegular() {
		return Identity{}, fmt.Errorf("%s is no regular file, so it cannot be known again", path)
	}
	sum := sha256.New()
	for _, off := range []int64{0, max(0, info.Size()-identityBytes)} {
		if _, err := io.Copy(sum, io.NewSectionReader(f, off, identityBytes)); err != nil {
			return Identity{}, err
		}
	}
	return Identity{info.Size(), info.ModTime().UnixNano(), hex.EncodeToString(sum.Sum(nil))}, nil
}

// indexVersion is that of the file's form; others are not read.
const indexVersion = 2

// indexPath is where the graph of a dump is in a directory. The name tells all on which
// the graph depends, so that a dump may have several.
func indexPath(dir string, id Identity, o Options) string {
	key := fmt.Sprintf("%d %d %d %s %d %d %v", indexVersion, id.Size, id.Modified, id.Ends, o.Sizes, o.Ignore, o.ClassDetails)
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(dir, hex.EncodeToString(sum[:12])+".kneegraph")
}

// Indexed says whether a directory has the graph of a dump, as far as can be seen without
// reading it.
func Indexed(dir string, id Identity, o Options) bool {
	info, err := os.Stat(indexPath(dir, id, o))
	return err == nil && info.Mode().IsRegular()
}
