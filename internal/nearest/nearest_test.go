package nearest

import (
	"testing"

	"pgregory.net/rapid"
)

func TestTo(t *testing.T) {
	commands := []string{"headroom", "target", "explain", "rules", "version", "config", "for", "hold"}
	tests := []struct {
		name, want string
	}{
		{"headrom", "headroom"},
		{"haedroom", "headroom"},
		{"HEADROOM", "headroom"},
		{"rule", "rules"},
		{"exp", "explain"},
		{"fro", "for"},
		{"h", ""},
		{"deploy", ""},
		{"", ""},
		{"xyz", ""},
	}
	for _, tt := range tests {
		got, ok := To(tt.name, commands)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("To(%q) = %q, %v; want %q", tt.name, got, ok, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"kitten", "sitting", 3},
		{"ab", "ba", 1},
		{"timeout", "tiemout", 1},
	}
	for _, tt := range tests {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestDistanceProperties(t *testing.T) {
	word := rapid.StringMatching(`[a-c]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := Distance(a, b)
		if d != Distance(b, a) {
			t.Fatalf("not symmetric: %q %q", a, b)
		}
		if (d == 0) != (a == b) {
			t.Fatalf("distance of %q and %q is %d", a, b, d)
		}
		if longest, gap := max(len(a), len(b)), max(len(a), len(b))-min(len(a), len(b)); d > longest || d < gap {
			t.Fatalf("distance of %q and %q is %d, outside [%d, %d]", a, b, d, gap, longest)
		}
	})
}
