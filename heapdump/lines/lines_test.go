package lines

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func all(t testing.TB, in io.Reader) ([]string, *Reader) {
	t.Helper()
	r := New(in)
	var out []string
	for r.Next() {
		out = append(out, string(r.Line()))
		if r.Number() != int64(len(out)) {
			t.Fatalf("line %d has number %d", len(out), r.Number())
		}
	}
	return out, r
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"none", "", nil},
		{"one without end", "a", []string{"a"}},
		{"ends of both systems", "a\r\nb\n\nc\n", []string{"a", "b", "", "c"}},
		{"mark of UTF-8", "\xef\xbb\xbfa\nb", []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, r := all(t, strings.NewReader(c.text))
			if d := cmp.Diff(c.want, got); d != "" || r.Err() != nil {
				t.Errorf("%s\n%v", d, r.Err())
			}
		})
	}
}

func TestLongLineIsCutAndCounted(t *testing.T) {
	fits := strings.Repeat("f", MaxLength)
	got, r := all(t, strings.NewReader(strings.Repeat("x", 5*MaxLength)+"\nshort\n"+fits+"\n"))
	if len(got) != 3 || len(got[0]) != MaxLength || got[1] != "short" || got[2] != fits || r.Cut() != 1 {
		t.Errorf("got %d lines, cut %d", len(got), r.Cut())
	}
}

func TestErrorIsKept(t *testing.T) {
	broken := errors.New("broken")
	got, r := all(t, io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	if d := cmp.Diff([]string{"a", "b"}, got); d != "" || !errors.Is(r.Err(), broken) {
		t.Errorf("%s\n%v", d, r.Err())
	}
}

// UTF-16 of both orders, read in pieces of any size, gives the text.
func TestUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zä€𝄞 \n]{0,40}`).Draw(t, "text")
		big := rapid.Bool().Draw(t, "big")
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
			if big {
				b = append(b, byte(u>>8), byte(u))
			} else {
				b = append(b, byte(u), byte(u>>8))
			}
		}
		var in io.Reader = strings.NewReader(string(b))
		if rapid.Bool().Draw(t, "one") {
			in = iotest.OneByteReader(in)
		}
		r := New(in)
		var got []string
		for r.Next() {
			got = append(got, string(r.Line()))
		}
		want := strings.Split(text, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		if !cmp.Equal(append([]string{}, want...), append([]string{}, got...)) {
			t.Fatalf("want %q, got %q", want, got)
		}
	})
}

func TestPrefix(t *testing.T) {
	p := PrefixOf([]byte("2026-01-02T03:04:05.678Z stdout F Full"), len("2026-01-02T03:04:05.678Z stdout F "))
	for _, c := range []struct {
		line, want string
		ok         bool
	}{
		{"2026-12-31T23:59:59.1Z stdout F \tat a.b(C.java:1)", "\tat a.b(C.java:1)", true},
		{"2026-12-31T23:59:59.1Z stdout F", "", true},
		{"2026-12-31T23:59:59.1Z stderr F x", "2026-12-31T23:59:59.1Z stderr F x", false},
		{"other", "other", false},
	} {
		got, ok := p.Strip([]byte(c.line))
		if string(got) != c.want || ok != c.ok {
			t.Errorf("%q: got %q, %v", c.line, got, ok)
		}
	}
	if !PrefixOf([]byte("abc"), 0).Empty() || !PrefixOf(make([]byte, 2*MaxPrefix), MaxPrefix+1).Empty() {
		t.Error("expected no prefix")
	}
	if got, ok := (Prefix{}).Strip([]byte("x")); string(got) != "x" || !ok {
		t.Error("no prefix is no change")
	}
}
