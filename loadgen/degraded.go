package loadgen

import (
	"fmt"
	"net/textproto"
	"strconv"
	"strings"
)

// DegradedRule says by which sign a success answer counts as degraded. Make one
// with [ParseDegradedRule].
type DegradedRule struct {
	text string
	kind ruleKind
	// status of a status rule.
	status int
	// name is a header's name in lower case, value what it must be; any value
	// will do when hasValue is false.
	name, value string
	hasValue    bool
	path        jsonPath
	want        jsonScalar
}

type ruleKind uint8

const (
	statusRule ruleKind = iota
	headerRule
	jsonRule
)

// String returns the rule as it was written.
func (d DegradedRule) String() string { return d.text }

// ParseDegradedRule reads a rule:
//
//	status:206               the answer's status, of 200 to 399
//	header:X-Partial=1       a header with exactly this value
//	header:X-Partial         a header, whatever its value
//	json:$.meta.partial==true  a value in a JSON body equals a JSON scalar
//	json:$.errors[0]         a value in a JSON body exists and is not null
func ParseDegradedRule(text string) (DegradedRule, error) {
	kind, rest, ok := strings.Cut(text, ":")
	if !ok {
		return DegradedRule{}, fmt.Errorf("degraded rule %q: expected one that begins with status:, header: or json: as its kind", text)
	}
	var d DegradedRule
	var err error
	switch kind {
	case "status":
		d, err = parseStatusRule(rest)
	case "header":
		d, err = parseHeaderRule(rest)
	case "json":
		d, err = parseJSONRule(rest)
	default:
		err = fmt.Errorf("expected the kind status:, header: or json:, found %q", kind+":")
	}
	if err != nil {
		return DegradedRule{}, fmt.Errorf("degraded rule %q: %w", text, err)
	}
	d.text = text
	return d, nil
}

func parseStatusRule(s string) (DegradedRule, error) {
	n, ok := decimal([]byte(s))
	if !ok || n < 200 || n > 399 {
		return DegradedRule{}, fmt.Errorf("expected a success status of 200 to 399, found %q", s)
	}
	return DegradedRule{kind: statusRule, status: int(n)}, nil
}

func parseHeaderRule(s string) (DegradedRule, error) {
	name, value, hasValue := strings.Cut(s, "=")
	name = textproto.TrimString(name)
	if !isToken([]byte(name)) {
		return DegradedRule{}, fmt.Errorf("expected a header name, found %q", name)
	}
	value = textproto.TrimString(value)
	if !cleanText([]byte(value)) {
		return DegradedRule{}, fmt.Errorf("control character in header value %q", value)
	}
	return DegradedRule{kind: headerRule, name: strings.ToLower(name), value: value, hasValue: hasValue}, nil
}

func parseJSONRule(s string) (DegradedRule, error) {
	expr, literal, hasWant := cutComparison(s)
	path, err := parseJSONPath(strings.TrimSpace(expr))
	if err != nil {
		return DegradedRule{}, err
	}
	d := DegradedRule{kind: jsonRule, path: path}
	if hasWant {
		d.hasValue = true
		if d.want, err = parseJSONScalar(strings.TrimSpace(literal)); err != nil {
			return DegradedRule{}, err
		}
	}
	return d, nil
}

// cutComparison splits at the first "==" outside a quoted member name.
func cutComparison(s string) (before, after string, found bool) {
	quoted := false
	for i := 0; i+1 < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case !quoted && s[i] == '=' && s[i+1] == '=':
			return s[:i], s[i+2:], true
		}
	}
	return s, "", false
}

// ruleSet is the rules of one client, by kind.
type ruleSet struct {
	statuses []int
	headers  []DegradedRule
	jsons    []DegradedRule
}

func newRuleSet(rules []DegradedRule) *ruleSet {
	if len(rules) == 0 {
		return nil
	}
	set := &ruleSet{}
	for _, d := range rules {
		switch d.kind {
		case statusRule:
			set.statuses = append(set.statuses, d.status)
		case headerRule:
			set.headers = append(set.headers, d)
		case jsonRule:
			set.jsons = append(set.jsons, d)
		}
	}
	return set
}

func (s *ruleSet) matchHeader(name, value []byte) bool {
	for i := range s.headers {
		d := &s.headers[i]
		if foldEqual(name, d.name) && (!d.hasValue || string(value) == d.value) {
			return true
		}
	}
	return false
}

func (s *ruleSet) matchStatus(status int) bool {
	for _, n := range s.statuses {
		if n == status {
			return true
		}
	}
	return false
}

// needBody reports whether the body of an answer with this status must be kept.
func (s *ruleSet) needBody(status int) bool { return len(s.jsons) > 0 && success(status) }

// matchBody reports whether a JSON rule matches; ok is false when the body is
// not JSON.
func (s *ruleSet) matchBody(body []byte) (matched, ok bool) {
	doc, err := decodeJSON(body)
	if err != nil {
		return false, false
	}
	for i := range s.jsons {
		d := &s.jsons[i]
		v, found := d.path.lookUp(doc)
		if !found || v == nil && !d.hasValue {
			continue
		}
		if !d.hasValue || d.want.equals(v) {
			return true, true
		}
	}
	return false, true
}

// quote shows a part of a rule in an error.
func quote(s string) string {
	if s == "" {
		return "nothing"
	}
	return strconv.Quote(s)
}
