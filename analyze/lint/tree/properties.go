package tree

import (
	"bytes"
	"strconv"
	"strings"
)

// Properties reads a Java properties file as a map of its keys, which keep their dots;
// [Node.Loose] finds them by path. Lines that end in a backslash go on in the next.
func Properties(file string, data []byte) *Node {
	l := newLines(file, data)
	root := &Node{Kind: Map, At: l.place(0, len(data))}
	for at := len(byteOrderMark(data)); at < len(data) && len(root.Children) < MaxNodes; {
		from := skipBlank(data, at)
		end := logicalEnd(data, from)
		at = end + 1
		if from >= end || data[from] == '#' || data[from] == '!' {
			if from < end { // a comment does not go on
				at = lineEnd(data, from) + 1
			}
			continue
		}
		keyEnd, valueAt := splitProperty(data[from:end])
		value := from + valueAt
		last := end
		for last > value && (data[last-1] == '\r' || data[last-1] == ' ' || data[last-1] == '\t') {
			last--
		}
		n := &Node{
			Kind: Scalar, Parent: root, Key: unescape(data[from : from+keyEnd]), Text: unescape(data[value:last]),
			KeyAt: l.place(from, from+keyEnd), At: l.place(value, last),
		}
		root.Children = append(root.Children, n)
	}
	return root
}

// byteOrderMark returns the mark by which editors begin a text, empty where there is
// none.
func byteOrderMark(data []byte) []byte {
	if bom := []byte("\ufeff"); bytes.HasPrefix(data, bom) {
		return bom
	}
	return nil
}

func lineEnd(data []byte, from int) int {
	if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(data)
}

// logicalEnd returns the end of the line that begins at from, with the lines that it
// goes on in.
func logicalEnd(data []byte, from int) int {
	for at := from; ; {
		end := lineEnd(data, at)
		last := end
		if last > from && data[last-1] == '\r' {
			last--
		}
		slashes := 0
		for last-1-slashes >= from && data[last-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 || end == len(data) {
			return end
		}
		at = end + 1
	}
}

// skipBlank skips what stands before a key.
func skipBlank(data []byte, at int) int {
	for at < len(data) && strings.IndexByte(" \t\r\n\f", data[at]) >= 0 {
		at++
	}
	return at
}

// splitProperty returns where a line's key ends and its value begins.
func splitProperty(line []byte) (keyEnd, value int) {
	i := 0
	for ; i < len(line); i++ {
		if line[i] == '\\' {
			i++
			continue
		}
		if strings.IndexByte(" \t\f=:", line[i]) >= 0 {
			break
		}
	}
	i = min(i, len(line))
	keyEnd = i
	separator := false
	for ; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == '\f' || c == '\r':
		case (c == '=' || c == ':') && !separator:
			separator = true
		default:
			return keyEnd, i
		}
	}
	return keyEnd, len(line)
}

// unescape resolves the escapes of a key or value, and joins its lines.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b)
	}
	var out strings.Builder
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			if b[i] != '\\' {
				out.WriteByte(b[i])
			}
			continue
		}
		i++
		switch c := b[i]; c {
		case 'n':
			out.WriteByte('\n')
		case 't':
			out.WriteByte('\t')
		case 'r':
			out.WriteByte('\r')
		case 'f':
			out.WriteByte('\f')
		case 'u':
			if i+5 <= len(b) {
				if r, err := strconv.ParseUint(string(b[i+1:i+5]), 16, 32); err == nil {
					out.WriteRune(rune(r))
					i += 4
					continue
				}
			}
			out.WriteByte(c)
		case '\r', '\n':
			if c == '\r' && i+1 < len(b) && b[i+1] == '\n' {
				i++
			}
			for i+1 < len(b) && (b[i+1] == ' ' || b[i+1] == '\t') {
				i++
			}
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// INI reads lines of key=value or key = value, in sections of [name] if there are any:
// sysctl files, start.d of Jetty, AWS profiles. A key whose value stands in indented
// lines below it is a map of those.
func INI(file string, data []byte) *Node {
	l := newLines(file, data)
	root := &Node{Kind: Map, At: l.place(0, len(data))}
	section, nest := root, (*Node)(nil)
	for i, start := range l.starts {
		if i >= MaxNodes {
			break
		}
		end := lineEnd(data, start)
		if i == 0 {
			start += len(byteOrderMark(data))
		}
		line := data[start:end]
		text := bytes.TrimSpace(line)
		if len(text) == 0 || text[0] == '#' || text[0] == ';' {
			continue
		}
		from := start + bytes.Index(line, text)
		if text[0] == '[' {
			name, _, _ := bytes.Cut(text[1:], []byte("]"))
			section = &Node{Kind: Map, Parent: root, Key: string(bytes.TrimSpace(name)), KeyAt: l.place(from, from+len(text)), At: l.place(from, from+len(text))}
			root.Children = append(root.Children, section)
			nest = nil
			continue
		}
		key, value, found := bytes.Cut(text, []byte("="))
		name := bytes.TrimSpace(key)
		trimmed := bytes.TrimSpace(value)
		n := &Node{Kind: Scalar, Key: string(name), KeyAt: l.place(from, from+len(name)), Text: string(trimmed)}
		at := from + len(text) - len(trimmed)
		n.At = l.place(at, at+len(trimmed))
		indented := from > start
		switch {
		case indented && nest != nil:
			n.Parent = nest
			nest.Kind, nest.Text = Map, ""
			nest.Children = append(nest.Children, n)
			continue
		case !found:
			n.Kind = Null
		}
		n.Parent = section
		section.Children = append(section.Children, n)
		nest = nil
		if found && len(trimmed) == 0 {
			nest = n
		}
	}
	return root
}
