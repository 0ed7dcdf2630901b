package config

import (
	"os"
	"path/filepath"
)

// Find looks for a file called name in dir and upward, and returns the path of
// the nearest one, empty if there is none. It does not look above the root of
// the repository that dir lies in, so that a stranger's file in a shared parent
// directory is not taken for the project's.
func Find(dir, name string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, name)
		if IsFile(path) {
			return path, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir || isRepositoryRoot(dir) {
			return "", nil
		}
		dir = parent
	}
}

// IsFile reports whether there is a regular file at path. What cannot be looked
// at counts as no file, and so does a pipe, which might be waited for without
// end.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// isRepositoryRoot reports whether dir holds a version-control directory (or
// the file that stands for one in a worktree).
func isRepositoryRoot(dir string) bool {
	for _, name := range []string{".git", ".hg", ".jj"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
