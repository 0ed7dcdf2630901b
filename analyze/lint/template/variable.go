package template

import "strings"

// Reference is a variable in a text: ${NAME}, ${NAME:-default} of shells and envsubst,
// ${NAME:default} of Spring, $(NAME) of Kubernetes.
type Reference struct {
	Name string
	// Default is the value where nothing else is set, with HasDefault.
	Default    string
	HasDefault bool
	// From and To are the bytes of the text that it takes.
	From, To int
}

// Variable finds the first variable in a text from a place on. Nested defaults are
// kept as they are.
func Variable(text string, from int) (Reference, bool) {
	for i := from; i+2 < len(text); i++ {
		if text[i] != '$' || (text[i+1] != '{' && text[i+1] != '(') {
			continue
		}
		end := closing(text, i+1)
		if end < 0 {
			continue
		}
		r := Reference{From: i, To: end + 1}
		inner := text[i+2 : end]
		r.Name = inner
		if text[i+1] == '{' {
			if name, fallback, ok := strings.Cut(inner, ":"); ok {
				r.Name, r.HasDefault = name, true
				r.Default = strings.TrimLeft(fallback, "-=")
				if strings.HasPrefix(fallback, "?") || strings.HasPrefix(fallback, "+") {
					r.Default, r.HasDefault = "", false
				}
			}
		}
		if !isName(r.Name) {
			continue
		}
		return r, true
	}
	return Reference{}, false
}

// closing returns where the bracket that opens at i is closed, -1 if it is not.
func closing(text string, i int) int {
	open, end := text[i], byte('}')
	if open == '(' {
		end = ')'
	}
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case end:
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// isName tells names of variables and of properties from other text in brackets.
func isName(s string) bool {
	if s == "" {
		return false
	}
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.', r == '-', r == '[', r == ']':
		default:
			return false
		}
	}
	return true
}

// Expand puts values in the place of variables, their defaults where lookup knows
// none. It returns the text and the variables that have neither, whose text is kept.
func Expand(text string, lookup func(name string) (string, bool)) (string, []Reference) {
	var b strings.Builder
	var open []Reference
	at := 0
	for depth := 0; depth < len(text); depth++ {
		r, ok := Variable(text, at)
		if !ok {
			break
		}
		b.WriteString(text[at:r.From])
		value, known := "", false
		if lookup != nil {
			value, known = lookup(r.Name)
		}
		switch {
		case known:
			b.WriteString(value)
		case r.HasDefault:
			b.WriteString(innermost(r.Default, lookup))
		default:
			b.WriteString(text[r.From:r.To])
			open = append(open, r)
		}
		at = r.To
	}
	b.WriteString(text[at:])
	return b.String(), open
}

// maxNesting bounds defaults within defaults.
const maxNesting = 8

// innermost resolves a default that has variables of its own.
func innermost(text string, lookup func(string) (string, bool)) string {
	for range maxNesting {
		r, ok := Variable(text, 0)
		if !ok || r.From != 0 || r.To != len(text) {
			break
		}
		if lookup != nil {
			if v, known := lookup(r.Name); known {
				return v
			}
		}
		if !r.HasDefault {
			break
		}
		text = r.Default
	}
	return text
}
