package term

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Style decorates text without changing its width. The zero value decorates
// nothing; styles that decorate alike are equal.
type Style struct{ before, after string }

// Render returns text with the style's escapes around it. Text must be one line.
func (s Style) Render(text string) string {
	if text == "" {
		return ""
	}
	return s.before + text + s.after
}

// Styles are the styles a report uses. All colours are of the 16 that every
// terminal theme defines, so they fit light and dark backgrounds alike.
type Styles struct {
	Good, Warn, Bad Style
	Strong          Style // bold
	Heading         Style
	Faint           Style // secondary text
	Code            Style
	Series          []Style // one per line of a chart, used in turn
}

// NewStyles returns the styles for a stream that is coloured or not. The
// renderer is our own and told its profile: the library's default one looks at
// the standard output and may query the terminal.
func NewStyles(color bool) Styles {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetHasDarkBackground(true)
	r.SetColorProfile(termenv.Ascii)
	if color {
		r.SetColorProfile(termenv.ANSI)
	}
	plain := r.NewStyle()
	fg := func(code string) lipgloss.Style { return plain.Foreground(lipgloss.Color(code)) }
	return Styles{
		Good:    compile(fg("2").Bold(true)),
		Warn:    compile(fg("3").Bold(true)),
		Bad:     compile(fg("1").Bold(true)),
		Strong:  compile(plain.Bold(true)),
		Heading: compile(plain.Bold(true)),
		Faint:   compile(plain.Faint(true)),
		Code:    compile(fg("6")),
		Series: []Style{
			compile(fg("4")), compile(fg("5")), compile(fg("6")), compile(fg("2")), compile(fg("3")),
		},
	}
}

// compile takes the escapes of a style, which are then put around text as they
// are: the library would also pad, trim and expand the text.
func compile(s lipgloss.Style) Style {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Style{before, after}
}
