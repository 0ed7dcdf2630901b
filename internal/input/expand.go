package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/kneeline/internal/fault"
)

// Stdin is the argument that stands for the standard input.
const Stdin = "-"

const (
	// MaxFiles bounds how many files one command reads.
	MaxFiles = 100_000
	// MaxDepth bounds how deep directories are walked.
	MaxDepth = 32
)

// Source is one input to open.
type Source struct {
	// Name is what messages call the input: its path, or "stdin".
	Name string
	// Path is where it is; [Stdin] for the standard input.
	Path string
}

// Expansion is what arguments stand for.
type Expansion struct {
	Sources []Source
	// Problems are the arguments and directories that could not be read, one
	// error each; the rest is still in Sources.
	Problems []error
	// Skipped counts what was left out of directories: hidden names, what is no
	// regular file, and directories that are to be left out.
	Skipped int
}

// Expand finds the inputs that arguments stand for, in the order of the
// arguments and each once. A directory stands for the regular files in it and
// below, sorted; symbolic links in it are not followed, and directories of a name
// that is to be left out are not entered. An argument with *, ? or [ that is no path
// is a glob.
func Expand(args []string, leaveOut ...string) Expansion {
	x := expander{seen: map[string]bool{}, leaveOut: leaveOut}
	for _, arg := range args {
		x.argument(arg)
	}
	return x.Expansion
}

type expander struct {
	Expansion
	seen     map[string]bool
	leaveOut []string
	full     bool
}

func (x *expander) problem(err error) { x.Problems = append(x.Problems, err) }

func (x *expander) argument(arg string) {
	switch {
	case arg == Stdin:
		x.add(Source{Name: "stdin", Path: Stdin})
		return
	case arg == "":
		x.problem(fault.Usagef("expected the path of an input, found an empty argument"))
		return
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		x.directory(arg)
	case err == nil:
		x.add(Source{Name: arg, Path: arg})
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		x.glob(arg)
	default:
		x.problem(fault.NoAnswerf("cannot read %s: %w", arg, reason(err)))
	}
}

func (x *expander) glob(pattern string) {
	matches, err := filepath.Glob(pattern)
	switch {
	case err != nil:
		x.problem(fault.Usagef("%s: not a valid pattern: %w", pattern, err))
	case len(matches) == 0:
		x.problem(fault.NoAnswerf("cannot read %s: no file matches", pattern))
	}
	slices.Sort(matches)
	for _, m := range matches {
		info, err := os.Stat(m)
		switch {
		case err != nil:
			x.problem(fault.NoAnswerf("cannot read %s: %w", m, reason(err)))
		case info.IsDir():
			x.directory(m)
		default:
			x.add(Source{Name: m, Path: m})
		}
	}
}

func (x *expander) directory(dir string) {
	before, skipped := len(x.Sources), x.Skipped
	x.walk(dir, 0)
	switch {
	case len(x.Sources) > before || len(x.Problems) > 0:
	case x.Skipped > skipped:
		x.problem(fault.NoAnswerf("cannot read %s: the directory has only links, hidden names or special files, which are left out", dir))
	default:
		x.problem(fault.NoAnswerf("cannot read %s: the directory has no files", dir))
	}
}

func (x *expander) walk(dir string, depth int) {
	if depth > MaxDepth {
		x.problem(fault.NoAnswerf("cannot read %s: deeper than %d directories", dir, MaxDepth))
		return
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		x.problem(fault.NoAnswerf("cannot read %s: %w", dir, reason(err)))
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."), e.IsDir() && slices.Contains(x.leaveOut, e.Name()):
			x.Skipped++
		case e.IsDir():
			x.walk(path, depth+1)
		case e.Type().IsRegular():
			x.add(Source{Name: path, Path: path})
		default:
			x.Skipped++
		}
	}
}

func (x *expander) add(s Source) {
	key := s.Path
	if key != Stdin {
		key = filepath.Clean(key)
	}
	if x.seen[key] {
		return
	}
	if len(x.Sources) >= MaxFiles {
		if !x.full {
			x.full = true
			x.problem(fault.NoAnswerf("cannot read all inputs: more than %d files", MaxFiles))
		}
		return
	}
	x.seen[key] = true
	x.Sources = append(x.Sources, s)
}

// reason is the cause of a file error without the path, which the message
// already has.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
