package javasource

import (
	"bytes"
	"fmt"
)

// maxTokens bounds the tokens of one file; what follows is not read.
const maxTokens = 1 << 20

// kind is what a token is.
type kind uint8

const (
	word   kind = iota + 1
	number      // with its suffix, such as 60_000L
	text        // a string, a text block or a character
	mark        // one character of anything else
)

// token is one token, the bytes [from, to) of the file.
type token struct {
	from, to     int32
	line, column int32
	kind         kind
}

// source is one file as tokens.
type source struct {
	name   string
	data   []byte
	tokens []token
	// match is the place of the other bracket of each bracket, -1 where there is none.
	match []int32
	// at is where the lexer stands, line and lineStart the line that it is in.
	at, line, lineStart int
}

// lexError is where a file is no Java.
type lexError struct {
	line, column int
	text         string
}

// lex splits a file into tokens. What cannot be read ends it; the tokens before are kept.
func lex(name string, data []byte) (*source, *lexError) {
	s := &source{name: name, data: data, line: 1}
	var err *lexError
	for err == nil && s.at < len(data) {
		if len(s.tokens) == maxTokens {
			err = s.fail(s.at, fmt.Sprintf("expected %d tokens at most, found more: the rest of the file is not read", maxTokens))
			break
		}
		err = s.next()
	}
	s.brackets()
	return s, err
}

func (s *source) fail(at int, text string) *lexError {
	return &lexError{line: s.line, column: at - s.lineStart + 1, text: text}
}

// next reads one token, or passes over a space or a comment.
func (s *source) next() *lexError {
	c := s.data[s.at]
	switch {
	case c == '\n':
		s.at++
		s.line, s.lineStart = s.line+1, s.at
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		s.at++
	case c == '/' && s.starts("//"):
		if n := bytes.IndexByte(s.data[s.at:], '\n'); n >= 0 {
			s.at += n
		} else {
			s.at = len(s.data)
		}
	case c == '/' && s.starts("/*"):
		return s.until("*/", 2, "comment")
	case c == '"' && s.starts(`"""`):
		return s.block()
	case c == '"' || c == '\'':
		s.add(text, s.quoted(c))
	case isDigit(c), c == '.' && s.at+1 < len(s.data) && isDigit(s.data[s.at+1]):
		s.add(number, s.run(func(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' }))
	case isLetter(c):
		s.add(word, s.run(func(c byte) bool { return isLetter(c) || isDigit(c) }))
	default:
		s.add(mark, s.at+1)
	}
	return nil
}

func (s *source) starts(with string) bool { return bytes.HasPrefix(s.data[s.at:], []byte(with)) }

// add adds the token that ends before to.
func (s *source) add(k kind, to int) {
	s.tokens = append(s.tokens, token{from: int32(s.at), to: int32(to), line: int32(s.line), column: int32(s.at - s.lineStart + 1), kind: k})
	s.at = to
}

func (s *source) run(of func(byte) bool) int {
	to := s.at + 1
	for to < len(s.data) && of(s.data[to]) {
		to++
	}
	return to
}

// quoted is the end of a string or character, which ends with its line at the latest.
func (s *source) quoted(quote byte) int {
	for to := s.at + 1; to < len(s.data); to++ {
		switch s.data[to] {
		case quote:
			return to + 1
		case '\n':
			return to
		case '\\':
			if to+1 < len(s.data) && s.data[to+1] != '\n' {
				to++
			}
		}
	}
	return len(s.data)
}

// block reads a text block.
func (s *source) block() *lexError {
	from := token{from: int32(s.at), line: int32(s.line), column: int32(s.at - s.lineStart + 1), kind: text}
	for to := s.at + 3; to < len(s.data); to++ {
		switch {
		case s.data[to] == '\\':
			to++
		case bytes.HasPrefix(s.data[to:], []byte(`"""`)):
			s.pass(to + 3)
			from.to = int32(s.at)
			s.tokens = append(s.tokens, from)
			return nil
		}
	}
	err := s.fail(s.at, `expected """ at the end of a text block, found the end of the file`)
	s.at = len(s.data)
	return err
}

// until passes over what ends with a text.
func (s *source) until(end string, after int, what string) *lexError {
	n := bytes.Index(s.data[s.at+after:], []byte(end))
	if n < 0 {
		err := s.fail(s.at, fmt.Sprintf("expected %s at the end of a %s, found the end of the file", end, what))
		s.at = len(s.data)
		return err
	}
	s.pass(s.at + after + n + len(end))
	return nil
}

// pass goes on behind bytes that may hold ends of lines.
func (s *source) pass(to int) {
	passed := s.data[s.at:to]
	if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
		s.line += n
		s.lineStart = s.at + bytes.LastIndexByte(passed, '\n') + 1
	}
	s.at = to
}

// brackets finds the other one of each bracket.
func (s *source) brackets() {
	s.match = make([]int32, len(s.tokens))
	var open []int32
	for i := range s.tokens {
		s.match[i] = -1
		switch c := s.char(i); c {
		case '(', '[', '{':
			open = append(open, int32(i))
		case ')', ']', '}':
			if n := len(open); n > 0 && s.char(int(open[n-1])) == opening[c] {
				s.match[i], s.match[open[n-1]] = open[n-1], int32(i)
				open = open[:n-1]
			}
		}
	}
}

var opening = map[byte]byte{')': '(', ']': '[', '}': '{'}

// char is the character of a mark, 0 for any other token and none.
func (s *source) char(i int) byte {
	if i < 0 || i >= len(s.tokens) || s.tokens[i].kind != mark {
		return 0
	}
	return s.data[s.tokens[i].from]
}

// word is the text of a word, empty for any other token and none.
func (s *source) word(i int) string {
	if i < 0 || i >= len(s.tokens) || s.tokens[i].kind != word {
		return ""
	}
	return s.text(i, i+1)
}

// text is the text of the tokens [from, to).
func (s *source) text(from, to int) string {
	if from >= to {
		return ""
	}
	return string(s.data[s.tokens[from].from:s.tokens[to-1].to])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}
