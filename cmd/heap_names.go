package cmd

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	// nameRoom is how many characters a name of a class or function may take in a
	// table of 80 characters, wordRoom how many without a blank to wrap at.
	nameRoom = 34
	wordRoom = 28
	// pageRoom is how many characters a name may take in a table of a page.
	pageRoom = 56
)

// class is the name of a class, a function or a place as far as there is room.
func (v heapView) class(name string) string {
	switch {
	case !v.page:
		return shortPlace(name)
	case strings.ContainsAny(name, "( "):
		return name
	}
	return shortClass(name, pageRoom)
}

// narrow is as class, for tables with long words in other columns.
func (v heapView) narrow(name string) string {
	if v.page {
		return v.class(name)
	}
	if short := shortPlace(name); utf8.RuneCountInString(short) <= wordRoom || strings.Contains(short, " ") {
		return short
	}
	return shortClass(name, wordRoom)
}

var (
	// javaFrame is a frame as stack traces have it: name(File.java:12).
	javaFrame = regexp.MustCompile(`^([^()\s]+)\(([^():]*)(?::(\d+))?\)$`)
	// directories are those of a path of Go before the package's own name.
	directories = regexp.MustCompile(`\b[a-z][\w.~-]*/`)
)

// shortPlace shortens a class, a function or a frame: what is of Go loses its
// directories, a frame of Java the name of its file, and packages are abbreviated.
func shortPlace(name string) string {
	if m := javaFrame.FindStringSubmatch(name); m != nil && !strings.Contains(name, "/") {
		line := ""
		if m[3] != "" {
			line = ":" + m[3]
		}
		return shortClass(m[1], wordRoom-len(line)) + line
	}
	if strings.ContainsAny(name, "/( ") {
		return directories.ReplaceAllString(name, "")
	}
	return shortClass(name, nameRoom)
}

// shortClass shortens a dotted name to at most so many characters: packages to
// their first letters from the left, as far as needed; where that is not enough the
// packages go, then what stands before the end.
func shortClass(name string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	parts := strings.Split(name, ".")
	for i := range parts[:len(parts)-1] {
		if parts[i] == "" || !isLower(parts[i][0]) {
			break // an outer class, or no name of a package
		}
		parts[i] = parts[i][:1]
		if short := strings.Join(parts, "."); utf8.RuneCountInString(short) <= most {
			return short
		}
	}
	for len(parts) > 1 && len(parts[0]) == 1 {
		parts = parts[1:]
	}
	return tail(strings.Join(parts, "."), most)
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
