package report

import "strings"

// glyphs are the characters that text is drawn with.
type glyphs struct {
	ascii            bool
	rule             string
	axisY, tickY     string // left edge of a plot, with and without a tick
	corner           string
	axisX, tickX     string
	markV, markH     string
	shade            string
	arrow, ellipsis  string
	bar              []string // eighths of a cell, from one to all
	barMark          string
	sparks           []string // from least to most
	points           []string // one per series, used in turn
	dot              string   // a line, where there is no Braille
	bullet, footnote string
}

var unicodeGlyphs = glyphs{
	rule: "─", axisY: "│", tickY: "┤", corner: "└", axisX: "─", tickX: "┬",
	markV: "┊", markH: "╌", shade: "░", arrow: "→", ellipsis: "…",
	bar:     []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
	barMark: "│",
	sparks:  []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	points:  []string{"●", "○", "◆", "◇", "▲", "△"},
	bullet:  "•", footnote: "*",
}

var asciiGlyphs = glyphs{
	ascii: true,
	rule:  "-", axisY: "|", tickY: "+", corner: "+", axisX: "-", tickX: "+",
	markV: ":", markH: "-", shade: ":", arrow: "->", ellipsis: "...",
	bar:     []string{"#"},
	barMark: "|",
	sparks:  []string{"_", ".", "-", "=", "+", "*", "%", "#"},
	points:  []string{"*", "o", "x", "+", "@", "%"},
	dot:     ".",
	bullet:  "-", footnote: "*",
}

// asciiSpelling are the characters reports use that have a usual spelling in
// ASCII. Everything else outside ASCII becomes a question mark.
var asciiSpelling = strings.NewReplacer(
	"×", "x", "−", "-", "–", "-", "—", "-", "…", "...", "→", "->", "≤", "<=", "≥", ">=",
	"≈", "~", "±", "+/-", "∞", "inf", "µ", "u", "μ", "u", "λ", "lambda", "ρ", "rho",
	"’", "'", "‘", "'", "“", `"`, "”", `"`, "·", ".", "√", "sqrt", "\u00a0", " ", "\u202f", " ",
)

func asciify(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x7f {
			return '?'
		}
		return r
	}, asciiSpelling.Replace(s))
}
