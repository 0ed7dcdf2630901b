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
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, nil
		} // a parent that may not be looked into has no file for us
		parent := filepath.Dir(dir)
		if parent == dir || isRepositoryRoot(dir) {
			return "", nil
		}
		dir = parent
	}
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
