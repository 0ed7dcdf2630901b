package v8

import "fmt"

// capture copies an object of JSON as it stands.
type capture struct{ *scanner }

// object reads one object, up to the limit of the description of a snapshot.
func (c capture) object() ([]byte, error) {
	if b := c.peek(); b != '{' {
		if c.err != nil {
			return nil, c.err
		}
		return nil, c.wrong(`"{"`, b)
	}
	var text []byte
	depth, quoted, escaped := 0, false, false
	for {
		b, ok := c.next()
		if !ok {
			return nil, c.err
		}
		if text = append(text, b); len(text) > maxMeta {
			return nil, fmt.Errorf("offset %d: expected at most %d bytes of description", c.pos(), maxMeta)
		}
		switch {
		case escaped:
			escaped = false
		case quoted && b == '\\':
			escaped = true
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{':
			depth++
		case b == '}':
			if depth--; depth == 0 {
				return text, nil
			}
		}
	}
}
