package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// luminance is the relative luminance of WCAG 2.2
// (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance) of a colour #rrggbb.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil || len(hex) != 7 {
		t.Fatalf("colour %q", hex)
	}
	linear := func(c uint64) float64 {
		v := float64(c&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Text of every colour can be read on both backgrounds of each theme (4.5 : 1),
// and so can the curves, since their labels share the colours.
func TestContrast(t *testing.T) {
	blocks := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(pageCSS, -1)
	if len(blocks) != 3 {
		t.Fatalf("found %d palettes, want light, dark and print", len(blocks))
	}
	color := regexp.MustCompile(`--([a-z0-9]+): (#[0-9a-f]{6})`)
	for i, theme := range []string{"light", "dark", "print"} {
		colors := map[string]string{}
		for _, m := range color.FindAllStringSubmatch(blocks[i][1], -1) {
			colors[m[1]] = m[2]
		}
		for _, fg := range []string{"text", "soft", "good", "warn", "bad", "neutral", "s0", "s1", "s2", "s3", "s4"} {
			for _, bg := range []string{"bg", "panel"} {
				if c := contrast(t, colors[fg], colors[bg]); c < 4.5 {
					t.Errorf("%s: %s on %s has contrast %.2f, want 4.5", theme, fg, bg, c)
				}
			}
		}
	}
}

// The style sheet knows every class that the page uses.
func TestEveryClassIsStyled(t *testing.T) {
	page, _ := render(t, sample())
	for _, m := range regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		for _, class := range strings.Fields(m[1]) {
			if class != "neutral" && !strings.Contains(pageCSS, "."+class) {
				t.Errorf("class %q has no style", class)
			}
		}
	}
}
