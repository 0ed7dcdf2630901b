package gate

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

var words = [][]string{{"istio.io", "he"}, {"she", "hers", ""}, {"io"}, {}, {"\xff\x00"}}

// contains is the same, found the plain way.
func contains(data []byte) (sets []bool, some bool) {
	for _, set := range words {
		has := slices.ContainsFunc(set, func(w string) bool { return w != "" && bytes.Contains(data, []byte(w)) })
		sets, some = append(sets, has), some || has
	}
	return sets, some
}

func check(t *testing.T, g *Gate, data []byte) {
	t.Helper()
	want, some := contains(data)
	got, any := g.Match(data)
	if any != some || any && !slices.Equal(got, want) || g.Any(data) != some {
		t.Errorf("%q: %v, %v, want %v, %v", data, got, any, want, some)
	}
}

func TestMatch(t *testing.T) {
	g := New(words)
	for _, text := range []string{"", "ushers", "she", "networking.istio.i", "networking.istio.io/v1", "shiohe", "a\xff\x00", "hehehe", "xyz"} {
		check(t, g, []byte(text))
	}
}

// A gate without words lets nothing through.
func TestEmpty(t *testing.T) {
	if _, some := New(nil).Match([]byte("text")); some {
		t.Error("found a word of none")
	}
}

func FuzzMatch(f *testing.F) {
	f.Add([]byte("ushers istio.io"))
	f.Add([]byte("\xff\xff\x00sheio"))
	g := New(words)
	f.Fuzz(func(t *testing.T, data []byte) { check(t, g, data) })
}

func BenchmarkMatch(b *testing.B) {
	g := New([][]string{{"networking.istio.io"}, {"static_resources"}, {"apps/v1", "livenessProbe"}})
	data := []byte(strings.Repeat("apiVersion: v1\nkind: ConfigMap\nspec: {replicas: 5}\n", 2000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		g.Match(data)
	}
}
