package units

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func seed(f *testing.F) {
	for _, c := range good {
		f.Add(c.text)
	}
	for _, c := range bad {
		f.Add(c.text)
	}
}

// FuzzRoundTrip guards that no text makes a parser panic or give a value outside
// its range, and that the exact form of what was read is read back the same.
func FuzzRoundTrip(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := ParseRate(text); err == nil {
			if !(r > 0) || math.IsInf(r, 0) {
				t.Fatalf("rate %q = %v", text, r)
			}
			// A denormal's exact form is longer than any text a parser takes.
			if back, err := ParseRate(ExactRate(r)); (err != nil || back != r) && len(ExactRate(r)) <= maxText {
				t.Fatalf("rate %q = %v reads back from %q as %v, %v", text, r, ExactRate(r), back, err)
			}
		}
		if d, err := ParseDuration(text); err == nil {
			if back, err := ParseDuration(ExactDuration(d)); err != nil || back != d || d < 0 {
				t.Fatalf("duration %q = %v reads back from %q as %v, %v", text, d, ExactDuration(d), back, err)
			}
		}
		if n, err := ParseSize(text); err == nil {
			v := SizeValue(n)
			if back, err := ParseSize(v.String()); err != nil || back != n || n < 0 {
				t.Fatalf("size %q = %v reads back from %q as %v, %v", text, n, v.String(), back, err)
			}
		}
		if s, err := ParseShare(text); err == nil {
			if back, err := ParseShare(ExactShare(s)); (err != nil || back != s) && len(ExactShare(s)) <= maxText {
				t.Fatalf("share %q = %v reads back from %q as %v, %v", text, s, ExactShare(s), back, err)
			}
		}
		if n, err := ParseCount(text); err == nil {
			if back, err := ParseCount(Count(n)); err != nil || back != n || n < 0 {
				t.Fatalf("count %q = %v reads back from %q as %v, %v", text, n, Count(n), back, err)
			}
		}
	})
}

// TestRoundedFormsStayClose guards that what a reader sees is within half a unit
// of the third digit of what was measured, and can be typed back.
func TestRoundedFormsStayClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Exp(rapid.Float64Range(math.Log(1e-4), math.Log(1e12)).Draw(t, "log"))
		back, err := ParseRate(Rate(v))
		if err != nil || math.Abs(back-v) > 0.00501*v {
			t.Fatalf("Rate(%v) = %q reads back as %v, %v", v, Rate(v), back, err)
		}
		s := rapid.Float64Range(1e-6, 0.999999).Draw(t, "share")
		back, err = ParseShare(Share(s))
		if err != nil || math.Abs(back-s) > 0.00501*s || (1-s)/(1-back) > 2.1 || (1-s)/(1-back) < 0.4 {
			t.Fatalf("Share(%v) = %q reads back as %v, %v", s, Share(s), back, err)
		}
		d := time.Duration(rapid.Int64Range(0, 1<<55).Draw(t, "duration"))
		dback, err := ParseDuration(Duration(d))
		if err != nil || math.Abs(float64(dback-d)) > 0.009*float64(d) {
			t.Fatalf("Duration(%d) = %q reads back as %v, %v", d, Duration(d), dback, err)
		}
		n := rapid.Int64Range(0, 1<<58).Draw(t, "size")
		if n >= 1023<<50 {
			return // exbibytes are printed, not parsed
		}
		nback, err := ParseSize(Size(n))
		if err != nil || math.Abs(float64(nback-n)) > 0.00501*float64(n) {
			t.Fatalf("Size(%d) = %q reads back as %v, %v", n, Size(n), nback, err)
		}
	})
}
