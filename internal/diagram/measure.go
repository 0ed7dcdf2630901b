package diagram

import "unicode"

// Estimates of text, since no font is at hand.
const (
	// bold is by how much a bold text is wider.
	bold = 1.1
	// wideChar and narrowChar are widths of characters, as shares of the size of the font:
	// those of common sans-serif fonts, on the wide side.
	wideChar, narrowChar = 0.74, 0.58
	// cjk is where the scripts begin whose characters are as wide as the font is high.
	cjk = 0x2e80
	// minBox is the least width of a box, labelX and labelY the room around a label.
	minBox         = 64
	labelX, labelY = 12, 4
)

// size is what lines of text take, with room around them. The first is bold in a box.
func size(lines []string, box bool) (w, h float64) {
	for i, text := range lines {
		width := textWidth(clean(text))
		if box && i == 0 {
			width *= bold
		}
		w = max(w, width)
	}
	h = float64(len(lines)) * lineHeight
	if box {
		return max(w+2*padX, minBox), h + 2*padY
	}
	return w + labelX, h + labelY
}

// textWidth estimates the width of a text: fonts differ, so it is on the wide side.
func textWidth(s string) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case r > cjk:
			w += fontSize
		case unicode.IsUpper(r) || r == 'm' || r == 'w' || r == '@' || r == '%':
			w += wideChar * fontSize
		default:
			w += narrowChar * fontSize
		}
	}
	return w
}
