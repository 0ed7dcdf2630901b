package cmd

import (
	"strings"
	"unicode/utf8"
)

// nameRoom is how many characters a name of a class or function may take in a
// table of 80 characters.
const nameRoom = 34

// class is a class's name as far as there is room: a page has it in full.
func (v heapView) class(name string) string {
	if v.page {
		return name
	}
	return shortClass(name, nameRoom)
}

// shortClass shortens a dotted name to at most so many characters: packages to
// their first letters from the left, as far as needed; where that is not enough the
// packages go, then what stands before the end. Names of Go, whose packages are paths, lose directories.
func shortClass(name string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	if i := strings.LastIndexByte(name, '/'); i >= 0 && !strings.ContainsAny(name, " $") {
		return tail(name[i+1:], most)
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
