package loadgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// jsonPath is the way from a JSON document's root to one value: the part of
// JSONPath (RFC 9535) that names a single place.
type jsonPath []jsonStep

// jsonStep is a member's name, or an element's index when name is nil.
type jsonStep struct {
	name  *string
	index int
}

// parseJSONPath reads $, $.name, $["any name"] and $[0], in any sequence.
func parseJSONPath(s string) (jsonPath, error) {
	if !strings.HasPrefix(s, "$") {
		return nil, fmt.Errorf("expected a path that begins with $, found %s", quote(s))
	}
	var path jsonPath
	for rest := s[1:]; rest != ""; {
		var step jsonStep
		var err error
		if rest[0] == '.' {
			step, rest, err = memberStep(rest[1:])
		} else if rest[0] == '[' {
			step, rest, err = bracketStep(rest[1:])
		} else {
			err = fmt.Errorf("expected . or [ in path, found %s", quote(rest))
		}
		if err != nil {
			return nil, err
		}
		path = append(path, step)
	}
	return path, nil
}

func memberStep(s string) (jsonStep, string, error) {
	end := strings.IndexAny(s, ".[ \t=\"'")
	if end < 0 {
		end = len(s)
	}
	if end == 0 {
		return jsonStep{}, "", fmt.Errorf("expected a member's name after . in path, found %s", quote(s))
	}
	name := s[:end]
	return jsonStep{name: &name}, s[end:], nil
}

func bracketStep(s string) (jsonStep, string, error) {
	if strings.HasPrefix(s, `"`) {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil || !strings.HasPrefix(s[len(quoted):], "]") {
			return jsonStep{}, "", fmt.Errorf(`expected ["name"] in path, found %s`, quote("["+s))
		}
		var name string
		if err := json.Unmarshal([]byte(quoted), &name); err != nil {
			return jsonStep{}, "", fmt.Errorf("expected a JSON string in path, found %s", quoted)
		}
		return jsonStep{name: &name}, s[len(quoted)+1:], nil
	}
	digits, rest, ok := strings.Cut(s, "]")
	n, isNumber := decimal([]byte(digits))
	if !ok || !isNumber || n > 1<<30 {
		return jsonStep{}, "", fmt.Errorf(`expected [0] or ["name"] in path, found %s`, quote("["+s))
	}
	return jsonStep{index: int(n)}, rest, nil
}

func (p jsonPath) lookUp(v any) (any, bool) {
	for _, step := range p {
		switch node := v.(type) {
		case map[string]any:
			if step.name == nil {
				return nil, false
			}
			var ok bool
			if v, ok = node[*step.name]; !ok {
				return nil, false
			}
		case []any:
			if step.name != nil || step.index >= len(node) {
				return nil, false
			}
			v = node[step.index]
		default:
			return nil, false
		}
	}
	return v, true
}

// jsonScalar is a string, a float64, a bool or nil.
type jsonScalar struct{ v any }

func parseJSONScalar(s string) (jsonScalar, error) {
	v, err := decodeJSON([]byte(s))
	if err == nil {
		switch v.(type) {
		case nil, string, bool, float64:
			return jsonScalar{v}, nil
		}
	}
	return jsonScalar{}, fmt.Errorf(`expected true, false, null, a number or a "string" after ==, found %s`, quote(s))
}

func (c jsonScalar) equals(v any) bool {
	switch v.(type) {
	case nil, string, bool, float64:
		return c.v == v
	}
	return false
}

// decodeJSON reads exactly one JSON value.
func decodeJSON(b []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return v, nil
}
