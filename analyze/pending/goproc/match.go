package goproc

import (
	"strings"

	"example.com/kneeline/heapdump/goroutines"
)

// matcher finds the rows of a table that hold for a function, each name once.
type matcher struct {
	rows   []Row
	exact  map[string][]int
	prefix []int
	memo   map[string][]int
	normal map[string]string
}

func newMatcher(t *Table) *matcher {
	m := &matcher{rows: t.Rows, exact: map[string][]int{}, memo: map[string][]int{}, normal: map[string]string{}}
	for i, r := range t.Rows {
		if strings.HasSuffix(r.Function, "*") {
			m.prefix = append(m.prefix, i)
			continue
		}
		m.exact[r.Function] = append(m.exact[r.Function], i)
	}
	return m
}

// name is the normalised name of a function.
func (m *matcher) name(fn string) string {
	n, ok := m.normal[fn]
	if !ok {
		n = normal(fn)
		m.normal[fn] = n
	}
	return n
}

// of returns the rows whose function it is, in no order.
func (m *matcher) of(fn string) []int {
	rows, ok := m.memo[fn]
	if ok {
		return rows
	}
	n := m.name(fn)
	rows = append(rows, m.exact[n]...)
	for _, i := range m.prefix {
		if strings.HasPrefix(n, strings.TrimSuffix(m.rows[i].Function, "*")) {
			rows = append(rows, i)
		}
	}
	m.memo[fn] = rows
	return rows
}

// hit is a row that holds for a stack, and the frame it was found at.
type hit struct {
	row   *Row
	frame int
}

// hits returns the rows that hold for a stack, for each the innermost frame.
func (m *matcher) hits(frames []goroutines.Frame) []hit {
	var out []hit
	seen := map[int]bool{}
	for i, f := range frames {
		for _, r := range m.of(f.Func) {
			if seen[r] || !m.within(frames[i+1:], m.rows[r].Within) {
				continue
			}
			seen[r] = true
			out = append(out, hit{&m.rows[r], i})
		}
	}
	return out
}

// within reports whether a function is on the rest of a stack.
func (m *matcher) within(frames []goroutines.Frame, fn string) bool {
	if fn == "" {
		return true
	}
	for _, f := range frames {
		if m.name(f.Func) == fn {
			return true
		}
	}
	return false
}
