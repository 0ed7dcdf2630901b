package targets

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"example.com/kneeline/internal/fault"
)

// parseHTTP reads vegeta's http format: a line with method and URL, then headers, and
// a body file with @ in front, each on a line; a blank line or the next method ends a
// target, and lines that begin with # are comments.
//
// Beyond vegeta's, a line may have weight=N behind the URL, and a URL may be a path.
func parseHTTP(name string, text []byte, o Options) (*List, error) {
	p := httpParser{name: name, o: o, l: &List{Format: "http"}}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		p.line++
		if err := p.see(strings.TrimSpace(lines.Text())); err != nil {
			return nil, err
		}
		if len(p.l.Targets) > MaxTargets {
			break // the caller says so
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fault.NoAnswerf("%s:%d: %w", name, p.line+1, err)
	}
	return p.l, nil
}

type httpParser struct {
	name string
	o    Options
	l    *List
	line int
	open bool // a target takes headers and a body
	body bool // it has one
}

func (p *httpParser) errorf(format string, args ...any) error {
	return fault.Usagef("%s:%d: %w", p.name, p.line, fmt.Errorf(format, args...))
}

func (p *httpParser) see(line string) error {
	switch {
	case line == "":
		p.open = false
		return nil
	case strings.HasPrefix(line, "#"):
		return nil
	}
	if word, rest, ok := strings.Cut(line, " "); ok && isMethod(word) {
		return p.begin(word, strings.TrimSpace(rest))
	}
	if !p.open {
		return p.errorf("expected a method and a URL such as 'GET http://127.0.0.1:8080/feed', found %.200q", line)
	}
	t := &p.l.Targets[len(p.l.Targets)-1]
	if path, ok := strings.CutPrefix(line, "@"); ok {
		return p.bodyFile(t, path)
	}
	header, value, ok := strings.Cut(line, ":")
	if !ok || strings.TrimSpace(header) == "" {
		return p.errorf("expected a header as Name: value, or a body file as @PATH, found %.200q", line)
	}
	t.Headers = append(t.Headers, Header{strings.TrimSpace(header), strings.TrimSpace(value)})
	return nil
}

// begin starts a target.
func (p *httpParser) begin(method, rest string) error {
	url, more, _ := strings.Cut(rest, " ")
	t := Target{Method: method, URL: url, Weight: 1, Place: fmt.Sprintf("%s:%d", p.name, p.line)}
	if more = strings.TrimSpace(more); more != "" {
		text, ok := strings.CutPrefix(more, "weight=")
		w, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil || !(w > 0 && w <= 1e12) {
			return p.errorf("expected nothing behind the URL but weight=N with N over 0, found %q", more)
		}
		t.Weight = w
	}
	if _, err := Origin(url); err != nil {
		return p.errorf("%w", err)
	}
	p.l.Targets = append(p.l.Targets, t)
	p.open, p.body = true, false
	return nil
}

func (p *httpParser) bodyFile(t *Target, path string) error {
	switch {
	case path == "":
		return p.errorf("expected the path of a body file after @, found none")
	case p.body:
		return p.errorf("expected one body, found a second one: %s", path)
	case p.o.ReadFile == nil:
		return p.errorf("body files cannot be read here")
	}
	b, err := p.o.ReadFile(path, MaxBody)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", p.name, p.line, err)
	}
	t.Body, p.body = b, true
	return nil
}
