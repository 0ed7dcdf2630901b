package nginx

import "bytes"

// skipCode skips the rest of a block of Lua, whose braces, strings and comments are
// Lua's, and reports whether it ends.
func (l *lexer) skipCode() bool {
	for depth := 1; l.at < len(l.data); {
		switch c := l.data[l.at]; {
		case c == '\n':
			l.newline()
		case c == '{':
			depth++
			l.at++
		case c == '}':
			depth--
			l.at++
			if depth == 0 {
				return true
			}
		case c == '"' || c == '\'':
			l.skipString(c)
		case bytes.HasPrefix(l.data[l.at:], []byte("--")):
			l.at += 2
			if !l.skipLong() {
				l.skipLine()
			}
		case c == '[':
			if !l.skipLong() {
				l.at++
			}
		default:
			l.at++
		}
	}
	return false
}

func (l *lexer) skipLine() {
	for l.at < len(l.data) && l.data[l.at] != '\n' {
		l.at++
	}
}

// skipString skips a string of one line.
func (l *lexer) skipString(q byte) {
	for l.at++; l.at < len(l.data); l.at++ {
		switch l.data[l.at] {
		case '\\':
			if l.at+1 < len(l.data) && l.data[l.at+1] != '\n' {
				l.at++
			}
		case '\n':
			return
		case q:
			l.at++
			return
		}
	}
}

// skipLong skips [[ … ]] and [=[ … ]=], and reports whether there is one.
func (l *lexer) skipLong() bool {
	i := l.at
	if i >= len(l.data) || l.data[i] != '[' {
		return false
	}
	for i++; i < len(l.data) && l.data[i] == '='; i++ {
	}
	if i >= len(l.data) || l.data[i] != '[' {
		return false
	}
	end := append(append([]byte{']'}, l.data[l.at+1:i]...), ']')
	n := bytes.Index(l.data[i:], end)
	if n < 0 {
		return false
	}
	for l.at < i+n {
		if l.data[l.at] == '\n' {
			l.newline()
		} else {
			l.at++
		}
	}
	l.at += len(end)
	return true
}
