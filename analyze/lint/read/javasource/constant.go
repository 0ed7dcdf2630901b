package javasource

import (
	"math"
	"strconv"
	"strings"
)

// maxExpression bounds the tokens of an expression that is computed, and with them how
// deep it is.
const maxExpression = 64

// constants are the numbers of a file that have names.
type constants struct {
	*source
	// declared are the expressions of names that are declared once, and final.
	declared map[string]span
	// values are those that have been computed.
	values map[string]computed
}

// span is the tokens [from, to).
type span struct{ from, to int }

func (s span) empty() bool { return s.from >= s.to }

type computed struct {
	amount float64
	ok     bool
}

// whole are the types of whole numbers.
var whole = map[string]bool{"int": true, "long": true, "short": true, "byte": true, "Integer": true, "Long": true, "var": true}

// modifiers may stand before a type.
var modifiers = map[string]bool{"public": true, "private": true, "protected": true, "static": true, "final": true, "volatile": true, "transient": true}

// findConstants finds the final whole numbers of a file. A name that is declared more than
// once, be it as a parameter, may stand for several: it stands for none.
func findConstants(s *source) *constants {
	c := &constants{source: s, declared: map[string]span{}, values: map[string]computed{}}
	times := map[string]int{}
	for i := range s.tokens {
		name := s.word(i + 1)
		if name == "" || !whole[s.word(i)] {
			continue
		}
		times[name]++
		if s.char(i+2) != '=' || !s.final(i) {
			continue
		}
		end := i + 3
		for end < len(s.tokens) && end < i+3+maxExpression && s.char(end) != ';' && s.char(end) != ',' {
			end++
		}
		c.declared[name] = span{i + 3, end}
	}
	for name, n := range times {
		if n > 1 {
			delete(c.declared, name)
		}
	}
	return c
}

// final reports whether the modifiers before a type have final among them.
func (s *source) final(at int) bool {
	for i := at - 1; modifiers[s.word(i)]; i-- {
		if s.word(i) == "final" {
			return true
		}
	}
	return false
}

// amount computes an expression of whole numbers; false where it is anything else, or more
// than 32 bits hold.
func (c *constants) amount(e span) (float64, bool) {
	if e.empty() || e.to-e.from > maxExpression {
		return 0, false
	}
	x := &expression{constants: c, span: e}
	v, ok := x.sum()
	if !ok || x.from != x.to || v > math.MaxInt32 || v < math.MinInt32 {
		return 0, false
	}
	return v, true
}

// named computes a constant, once.
func (c *constants) named(name string) (float64, bool) {
	if v, ok := c.values[name]; ok {
		return v.amount, v.ok
	}
	e, ok := c.declared[name]
	if !ok {
		return 0, false
	}
	c.values[name] = computed{} // one that is made of itself has no value
	v, ok := c.amount(e)
	c.values[name] = computed{v, ok}
	return v, ok
}

// expression is what is left of one.
type expression struct {
	*constants
	span
}

func (x *expression) take(c byte) bool {
	if x.empty() || x.char(x.from) != c {
		return false
	}
	x.from++
	return true
}

func (x *expression) sum() (float64, bool) {
	v, ok := x.product()
	for ok {
		sign := 1.0
		switch {
		case x.take('+'):
		case x.take('-'):
			sign = -1
		default:
			return v, true
		}
		var w float64
		w, ok = x.product()
		v += sign * w
	}
	return 0, false
}

func (x *expression) product() (float64, bool) {
	v, ok := x.factor()
	for ok {
		divides := false
		switch {
		case x.take('*'):
		case x.take('/'):
			divides = true
		default:
			return v, true
		}
		var w float64
		w, ok = x.factor()
		switch {
		case !divides:
			v *= w
		case w == 0:
			return 0, false
		default:
			v = math.Trunc(v / w)
		}
	}
	return 0, false
}

func (x *expression) factor() (float64, bool) {
	switch {
	case x.empty():
		return 0, false
	case x.take('-'):
		v, ok := x.factor()
		return -v, ok
	case x.take('('):
		v, ok := x.sum()
		return v, ok && x.take(')')
	}
	i := x.from
	x.from++
	if x.tokens[i].kind == number {
		return wholeNumber(x.text(i, i+1))
	}
	name := x.word(i)
	for name != "" && x.from+1 < x.to && x.char(x.from) == '.' {
		if name == "Integer" && x.word(x.from+1) == "MAX_VALUE" {
			x.from += 2
			return math.MaxInt32, true
		}
		name = x.word(x.from + 1)
		x.from += 2
	}
	if name == "" || x.char(x.from) == '(' {
		return 0, false
	}
	return x.named(name)
}

// wholeNumber reads a literal of Java.
func wholeNumber(text string) (float64, bool) {
	text = strings.TrimRight(strings.ReplaceAll(text, "_", ""), "lL")
	n, err := strconv.ParseInt(text, 0, 64)
	return float64(n), err == nil
}
