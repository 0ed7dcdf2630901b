package report

import (
	"slices"
	"testing"
)

// Ticks of a time axis stand where a clock shows whole numbers, and the axis
// begins where the values do.
func TestTimeTicks(t *testing.T) {
	for _, c := range []struct {
		name   string
		lo, hi float64
		want   []float64
	}{
		{"ten minutes", 36_010, 36_610, []float64{36_120, 36_240, 36_360, 36_480, 36_600}},
		{"a day", 0, 86_400, []float64{0, 21_600, 43_200, 64_800, 86_400}},
		{"two seconds", 5, 7, []float64{5, 5.5, 6, 6.5, 7}},
		{"a year", 0, 365 * 86_400, []float64{0, 100 * 86_400, 200 * 86_400, 300 * 86_400}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, ok := timeScale([]float64{c.hi, c.lo})
			if !ok || s.lo != c.lo || s.hi != c.hi {
				t.Fatalf("scale %v to %v", s.lo, s.hi)
			}
			if got := s.ticks(5); !slices.Equal(got, c.want) {
				t.Errorf("ticks %v, want %v", got, c.want)
			}
		})
	}
	if s, ok := timeScale([]float64{7}); !ok || s.at(7) != 0.5 {
		t.Errorf("a single instant stands at %v", s.at(7))
	}
}
