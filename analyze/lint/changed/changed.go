// Package changed knows which lines of which files are new, from what git diff
// --unified=0 writes. It runs no git.
package changed

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Lines are the lines that are new, by file: paths from the root of the repository,
// with slashes.
type Lines struct {
	files map[string][]span
	// whole are files that are new from first to last line.
	whole map[string]bool
}

// span is the lines [from, to).
type span struct{ from, to int }

// Add says that all of a file is new; a name that ends in a slash is that of a directory
// with all that is in it, such as a repository within the repository.
func (l *Lines) Add(file string) {
	if l.whole == nil {
		l.whole = map[string]bool{}
	}
	l.whole[file] = true
}

// Has reports whether a line of a file is new. Line 0 stands for the whole file, which
// counts as new when any of its lines is.
func (l *Lines) Has(file string, line int) bool {
	spans, known := l.files[file]
	switch {
	case l.whole[file], l.within(file):
		return true
	case line <= 0:
		return known
	}
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to > line })
	return i < len(spans) && spans[i].from <= line
}

// within reports whether a file is in a directory that is new.
func (l *Lines) within(file string) bool {
	for i, c := range file {
		if c == '/' && l.whole[file[:i+1]] {
			return true
		}
	}
	return false
}

// Submodules returns the directories of submodules in the output of git diff --raw -z, each
// with a slash at its end.
func Submodules(raw []byte) []string {
	const link = "160000"
	var out []string
	fields := strings.Split(string(raw), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if modes := strings.Fields(fields[i]); len(modes) > 1 && modes[1] == link {
			out = append(out, fields[i+1]+"/")
		}
	}
	return out
}

// Parse reads the output of git diff --unified=0. It fails at the first line that is
// none of a diff, naming it: a gate must not rest on half of the changes.
func Parse(diff []byte) (*Lines, error) {
	l := &Lines{files: map[string][]span{}}
	file, known := "", false
	skip := 0 // lines of a hunk's body that are still to come
	scan := bufio.NewScanner(bytes.NewReader(diff))
	scan.Buffer(nil, len(diff)+1)
	for n := 1; scan.Scan(); n++ {
		line := scan.Text()
		switch {
		case strings.HasPrefix(line, `\`): // no newline at the end of the file
		case skip > 0 && line != "" && (line[0] == '+' || line[0] == '-'):
			skip--
		case strings.HasPrefix(line, "diff "):
			file, known = "", false
		case strings.HasPrefix(line, "+++ "):
			name, err := path(line[len("+++ "):])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			if file, known = name, true; file != "" && l.files[file] == nil {
				l.files[file] = []span{}
			}
		case strings.HasPrefix(line, "@@ "):
			before, after, ok := hunk(line)
			if !ok || !known {
				return nil, fmt.Errorf("line %d: expected a hunk of a file such as @@ -1,2 +3,4 @@, found %q", n, line)
			}
			skip = before.to - before.from + after.to - after.from
			if file != "" && after.to > after.from {
				l.files[file] = append(l.files[file], after)
			}
		case !known: // mode, index, similarity, rename, binary
		case strings.HasPrefix(line, "Binary files "):
		default:
			return nil, fmt.Errorf("line %d: expected a line of a diff without context, found %q", n, line)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, err
	}
	for _, spans := range l.files {
		slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	}
	return l, nil
}

// path reads the name behind +++, empty for a file that is gone. Git puts names with
// control characters or quotes in quotes, with the escapes of C.
func path(text string) (string, error) {
	text = strings.TrimSuffix(text, "\t")
	if strings.HasPrefix(text, `"`) {
		name, err := strconv.Unquote(text)
		if err != nil {
			return "", fmt.Errorf("expected a quoted file name, found %s", text)
		}
		text = name
	}
	if text == "/dev/null" {
		return "", nil
	}
	name, ok := strings.CutPrefix(text, "b/")
	if !ok {
		return "", fmt.Errorf("expected a file name that begins with b/, found %q", text)
	}
	return name, nil
}

// hunk reads @@ -a,b +c,d @@: the lines that are gone and those in their place.
func hunk(line string) (before, after span, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[3] != "@@" {
		return before, after, false
	}
	before, ok = lines(fields[1], "-")
	if ok {
		after, ok = lines(fields[2], "+")
	}
	return before, after, ok
}

func lines(text, sign string) (span, bool) {
	text, ok := strings.CutPrefix(text, sign)
	first, count, several := strings.Cut(text, ",")
	from, err := strconv.ParseUint(first, 10, 31)
	n := uint64(1)
	if err == nil && several {
		n, err = strconv.ParseUint(count, 10, 31)
	}
	if err != nil || !ok {
		return span{}, false
	}
	return span{int(from), int(from + n)}, true
}
