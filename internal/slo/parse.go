package slo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/units"
)

// What an objective may hold at most. A sensible one has a handful of clauses.
const (
	maxText    = 1024 // bytes
	maxClauses = 16
	// maxDecimals is how fine a quantile may be: p99.999999 leaves a budget of one
	// request in 10^8. minBudget is the same for shares.
	maxDecimals = 6
	minBudget   = 1e-8
)

// SyntaxError says where and why a text is no objective.
type SyntaxError struct {
	Text string
	// Column is the place of the offending part in characters, from 1.
	Column int
	// Problem says what was expected and what was found.
	Problem string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("slo %q, column %d: %s", e.Text, e.Column, e.Problem)
}

// Parse reads an objective; the package comment has the grammar. Its errors are
// usage errors that wrap a [*SyntaxError].
func Parse(text string) (SLO, error) {
	if len(text) > maxText {
		return SLO{}, fault.Usagef("slo of %d characters: expected at most %d", len(text), maxText)
	}
	p := parser{text: text}
	var clauses []Clause
	var thresholds []time.Duration
	for {
		p.skipBlanks()
		start := p.pos
		if len(clauses) == maxClauses {
			return SLO{}, p.fail(start, "expected at most %d clauses, found another", maxClauses)
		}
		c, err := p.clause()
		if err != nil {
			return SLO{}, err
		}
		for _, o := range clauses {
			if compareClauses(o, c) == 0 {
				return SLO{}, p.fail(start, "expected one clause on %s, found a second", c.Name())
			}
		}
		clauses = append(clauses, c)
		if c.Kind == Latency && !slices.Contains(thresholds, c.Threshold) {
			thresholds = append(thresholds, c.Threshold)
		}
		if len(thresholds) > outcome.MaxThresholds {
			return SLO{}, p.fail(start, "expected at most %d different latencies, found another", outcome.MaxThresholds)
		}
		if p.pos == len(p.text) {
			return build(clauses), nil
		}
		p.pos++ // the comma that ended the clause
	}
}

// parser reads text from left to right; pos is the next byte.
type parser struct {
	text string
	pos  int
}

func (p *parser) fail(at int, format string, args ...any) error {
	return &fault.Error{Kind: fault.Usage, Err: &SyntaxError{
		Text:    p.text,
		Column:  utf8.RuneCountInString(p.text[:at]) + 1,
		Problem: fmt.Sprintf(format, args...),
	}}
}

func (p *parser) skipBlanks() {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t') {
		p.pos++
	}
}

// until returns the trimmed text from pos to the first of stops or the end, and
// where it starts; pos is at the stop then.
func (p *parser) until(stops string) (part string, start int) {
	p.skipBlanks()
	start = p.pos
	if n := strings.IndexAny(p.text[start:], stops); n >= 0 {
		p.pos += n
	} else {
		p.pos = len(p.text)
	}
	return strings.Trim(p.text[start:p.pos], " \t"), start
}

// clause reads one clause up to its comma or the end of the text.
func (p *parser) clause() (Clause, error) {
	head, start := p.until("<>=,")
	c, err := p.head(head, start)
	if err != nil {
		return Clause{}, err
	}
	if !strings.HasPrefix(p.text[p.pos:], "<") {
		return Clause{}, p.fail(p.pos, "expected < or <= after %s, found %s", head, p.found())
	}
	p.pos++
	if strings.HasPrefix(p.text[p.pos:], "=") {
		p.pos++
	}
	value, at := p.until(",")
	if c.Kind == Latency {
		return p.threshold(c, value, at)
	}
	return p.budget(c, value, at)
}

// found names what stands at pos.
func (p *parser) found() string {
	if p.pos == len(p.text) {
		return "the end"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return strconv.Quote(string(r))
}

// head reads what a clause bounds.
func (p *parser) head(text string, at int) (Clause, error) {
	name := strings.ToLower(text)
	switch {
	case name == "errors":
		return Clause{Kind: Errors}, nil
	case name == "degraded":
		return Clause{Kind: Degraded}, nil
	case len(name) > 1 && name[0] == 'p' && name[1] >= '0' && name[1] <= '9':
		return p.quantile(name[1:], at+1)
	case name == "":
		return Clause{}, p.fail(at, "expected a clause such as p99<400ms, errors<1%% or degraded<5%%, found %s", p.found())
	}
	return Clause{}, p.fail(at, "expected a quantile such as p99, errors or degraded, found %q", text)
}

// quantile reads a percentage into whole millionths of a per cent, from which
// quantile and budget are one exact division each: 1 − 0.99 in binary is
// 0.010000000000000009.
func (p *parser) quantile(text string, at int) (Clause, error) {
	whole, frac, point := strings.Cut(text, ".")
	if len(whole) > 3 || len(frac) > maxDecimals || point && frac == "" {
		return Clause{}, p.fail(at, "expected a quantile in per cent with at most %d decimals, found %q", maxDecimals, text)
	}
	n, err := strconv.ParseUint(whole+frac+strings.Repeat("0", maxDecimals-len(frac)), 10, 64)
	if err != nil {
		return Clause{}, p.fail(at, "expected a quantile in per cent such as 99 or 99.9, found %q", text)
	}
	const all = 100_000_000
	switch {
	case n == 0:
		return Clause{}, p.fail(at, "expected a quantile over 0, found p%s, which bounds nothing", text)
	case n == all:
		return Clause{}, p.fail(at, "expected a quantile under 100, found p%s: no finite run can show that not one request is late", text)
	case n > all:
		return Clause{}, p.fail(at, "expected a quantile under 100, found p%s", text)
	}
	return Clause{Kind: Latency, Quantile: float64(n) / all, Budget: float64(all-n) / all}, nil
}

func (p *parser) threshold(c Clause, text string, at int) (Clause, error) {
	d, err := units.ParseDuration(text)
	if err != nil {
		return Clause{}, p.fail(at, "%v", err)
	}
	if d == 0 {
		return Clause{}, p.fail(at, "expected a duration over 0, found %q", text)
	}
	c.Threshold = d
	return c, nil
}

func (p *parser) budget(c Clause, text string, at int) (Clause, error) {
	b, err := units.ParseShare(text)
	if err != nil {
		return Clause{}, p.fail(at, "%v", err)
	}
	switch {
	case b == 0:
		return Clause{}, p.fail(at, "expected a share over 0, found %q: no finite run can show that there is none", text)
	case b < minBudget:
		return Clause{}, p.fail(at, "expected a share of at least %s, found %q", units.ExactShare(minBudget), text)
	case b >= 1:
		return Clause{}, p.fail(at, "expected a share under 100%%, found %s, which bounds nothing", units.ExactShare(b))
	}
	c.Budget = b
	return c, nil
}
