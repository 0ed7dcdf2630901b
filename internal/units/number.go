package units

import (
	"fmt"
	"strconv"
	"strings"
)

// maxText bounds what a parser looks at; no quantity needs more characters.
const maxText = 64

// quantity is a text split into its number and what follows it.
type quantity struct {
	number string // digits with point and exponent, without thousands commas
	value  float64
	unit   string // trimmed of blanks
}

// parseQuantity splits text. The error says what is wrong with the number and
// leaves it to the caller to say what the quantity was for.
func parseQuantity(text string) (quantity, error) {
	if len(text) > maxText {
		return quantity{}, fmt.Errorf("found %d characters, no quantity needs more than %d", len(text), maxText)
	}
	s := strings.TrimSpace(text)
	if s == "" {
		return quantity{}, fmt.Errorf("found nothing")
	}
	n := numberLen(s)
	if n == 0 {
		if s[0] == '-' {
			return quantity{}, fmt.Errorf("found a negative number")
		}
		return quantity{}, fmt.Errorf("found no number at its start")
	}
	digits, err := dropCommas(s[:n])
	if err != nil {
		return quantity{}, err
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return quantity{}, fmt.Errorf("found a number out of range")
	}
	return quantity{digits, v, strings.TrimSpace(s[n:])}, nil
}

// numberLen returns the length of the number that s begins with: digits and
// thousands commas, a fraction, an exponent.
func numberLen(s string) int {
	i := spanDigits(s, 0, true)
	if i < len(s) && s[i] == '.' {
		end := spanDigits(s, i+1, false)
		if end == i+1 {
			return i // "5." leaves its point to the unit, which will refuse it
		}
		i = end
	}
	if i > 0 && i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if end := spanDigits(s, j, false); end > j {
			i = end
		}
	}
	return i
}

func spanDigits(s string, i int, commas bool) int {
	start := i
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || commas && i > start && s[i] == ',') {
		i++
	}
	return i
}

// dropCommas removes thousands separators and refuses misplaced ones, so that a
// decimal comma is not read as a thousand times the value.
func dropCommas(s string) (string, error) {
	whole, rest := s, ""
	if i := strings.IndexAny(s, ".eE"); i >= 0 {
		whole, rest = s[:i], s[i:]
	}
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if len(groups) > 1 && (i > 0 && len(g) != 3 || i == 0 && (len(g) == 0 || len(g) > 3)) {
			return "", fmt.Errorf("found a comma that does not separate thousands; the decimal sign is a point")
		}
	}
	return strings.Join(groups, "") + rest, nil
}

// scale is the factor of an SI prefix before a unit. There is no lower-case m:
// it would be a thousandth to some readers and a million to others.
var scale = map[string]float64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}
