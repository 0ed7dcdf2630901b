package fix

import "bytes"

const only = "it is the only item of its list, and an empty list may stand for all"

// item widens the bytes [from, to) of a list's item by what parts it from its
// neighbours: a comma, the blanks between words, or its whole line in a list of YAML.
func item(data []byte, from, to int) (int, int, string) {
	left, right := from, to
	for left > 0 && blank(data[left-1]) {
		left--
	}
	for right < len(data) && blank(data[right]) {
		right++
	}
	switch {
	case left > 0 && data[left-1] == ',':
		return left - 1, to, ""
	case right < len(data) && data[right] == ',':
		right++
		for right < len(data) && blank(data[right]) {
			right++
		}
		return from, right, ""
	case left > 0 && data[left-1] == '-':
		return line(data, left-1, right)
	case left < from && left > 0 && !bytes.ContainsRune([]byte("\n[{:=("), rune(data[left-1])):
		return left, to, ""
	}
	return 0, 0, only
}

// line is the whole line of an item of a list of YAML whose mark is at dash, if the list
// has another item on the line before it or after it.
func line(data []byte, dash, end int) (int, int, string) {
	start := bytes.LastIndexByte(data[:dash], '\n') + 1
	if len(bytes.Trim(data[start:dash], " \t")) > 0 || end < len(data) && data[end] != '\n' && data[end] != '\r' && data[end] != '#' {
		return 0, 0, "more than the item is on its line"
	}
	after := len(data)
	if i := bytes.IndexByte(data[dash:], '\n'); i >= 0 {
		after = dash + i + 1
	}
	mark := append(append([]byte(nil), data[start:dash]...), '-', ' ')
	before := bytes.LastIndexByte(data[:max(start-1, 0)], '\n') + 1
	if bytes.HasPrefix(data[after:], mark) || start > 0 && bytes.HasPrefix(data[before:start], mark) {
		return start, after, ""
	}
	return 0, 0, only
}

func blank(c byte) bool { return c == ' ' || c == '\t' }
